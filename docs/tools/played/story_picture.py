"""The picture of the story: flowers in a plane, and beside it the tree, or the trees, at each frame.

A *scene* says what is to be seen at a frame: which nodes ask, which flowers are there, and which are wrong. The picture
is a list of parts, each with the frames at which it is there. The picture that moves has them all; a still one has
those of its scene, and leads to what many scenes share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from docs.tools.played.story_facts import COUNTED, TREES, Area, Story, areas, asked, cells, depths
from reference_tree.exact.rationals import decimal_text
from reference_tree.tree import Tree
from reference_tree.views.plots.classes import way

PLANE: Area = (Fraction(29, 10), Fraction(24, 5), Fraction(7), Fraction(8))
"""The part of the plane that is shown, in centimetres: left, bottom, right, top."""
WIDE, HIGH, STRIP = 320, 240, 40
"""Of the plane, and of the gains below it."""
LEVEL, TOP = 40, 16
"""From a level of the tree to the next, and above the first."""
SIZE = Fraction(18, 5)
"""The radius of a mark."""
TENTHS = 10
"""So many shades has a vote."""


class Scene(NamedTuple):
    """What is to be seen at a frame."""

    tree: int = 0
    """0: the tree; 1, 2, ...: what it becomes when rows are exchanged; -1: many trees."""
    asking: frozenset[int] = frozenset()
    new: frozenset[int] = frozenset()
    held: bool = False
    wrong: frozenset[int] = frozenset()
    gone: frozenset[int] = frozenset()
    come: frozenset[int] = frozenset()
    faint: frozenset[int] = frozenset()
    ringed: tuple[int, ...] = ()
    guess: bool = True
    """Whether the ground has the colour of what the tree says there."""
    gains: bool = False
    slides: bool = False
    trees: int = 0
    """So many trees of the forest are there."""
    votes: bool = False


Look = Callable[[Scene], str]
"""The class of a part at a scene; `later` if it is not there."""


class Part(NamedTuple):
    """A part of the picture: what is drawn, with `{}` for its class, and the class at a scene."""

    name: str
    element: str
    look: Look
    shared: str = ""
    """What stands in its place in a still picture, if it is drawn once for all of them."""


def there(when: Callable[[Scene], bool], kind: str = "") -> Look:
    """The look of a part that is there in some scenes."""
    return lambda scene: kind if when(scene) else f"{kind} later".strip()


class Picture:
    """All parts, in the order in which they are drawn."""

    def __init__(self, story: Story, words: Mapping[str, str]) -> None:
        self.story, self.words = story, words

    @cached_property
    def plane(self) -> list[Part]:
        """The parts of the plane."""
        return [*self._grounds(), *self._votes(), *self._lines(), *self._gains(), *self._flowers()]

    @cached_property
    def beside(self) -> list[Part]:
        """The parts of the tree, or of the trees."""
        return [*self._nodes(), *self._changed(), *self._forest()]

    @cached_property
    def shared(self) -> str:
        """What is drawn once, and shown by many: the marks, the flowers, the forest."""
        marks = "".join(
            f'<path id="k{kind}" d="{way(kind, Fraction(0), Fraction(0), SIZE)}"/>' for kind in self.story.kinds
        )
        cross = '<path id="x" d="M-4.4 -4.4L4.4 4.4M-4.4 4.4L4.4 -4.4"/>'
        once = "".join(
            f'<g id="{part.name}">{part.element.replace("{}", "", 1)}</g>'
            for part in (*self.plane, *self.beside)
            if part.shared
        )
        flowers = "".join(
            f'<g id="{name}">{"".join(map(self._shared_flower, rows))}</g>'
            for name, rows in (("every-trained", self.story.trained), ("every-held", self.story.held))
        )
        return f"{marks}{cross}{once}{flowers}"

    def moving(self, scene: Scene) -> str:
        """The picture with all its parts, as it is at a scene."""

        def drawn(part: Part) -> str:
            return part.element.replace("{}", f' data-mark="{part.name}" class="{part.look(scene)}"', 1)

        return self._framed("".join(map(drawn, self.plane)), "".join(map(drawn, self.beside)))

    def still(self, scene: Scene, at: float) -> str:
        """The picture of a scene; the line that slides stands at a share of the width."""

        def drawn(part: Part) -> str:
            mark = part.look(scene)
            if "later" in mark.split():
                return ""
            return part.shared or part.element.replace("{}", f' class="{mark}"', 1)

        plane = "".join(drawn(part) for part in self.plane if not part.name.startswith("p"))
        plain = not (scene.faint or scene.gone or scene.wrong - {*self.story.held})
        flowers = '<use href="#every-trained"/>' if plain else self._each(drawn, self.story.trained)
        if scene.held:
            flowers += '<use href="#every-held"/>' if not scene.wrong else self._each(drawn, self.story.held)
        elif scene.come:
            flowers += self._each(drawn, self.story.held)
        crosses = "".join(drawn(part) for part in self.plane if part.name.startswith("px"))
        framed = self._framed(plane + flowers + crosses, "".join(map(drawn, self.beside)))
        return framed.replace("--share:0", f"--share:{at:.4f}")

    def looks(self, scenes: Sequence[Scene]) -> dict[str, list[object]]:
        """Part → its classes in all scenes: each with the frames, first and last, at which it has it."""
        found: dict[str, list[object]] = {}
        for part in (*self.plane, *self.beside):
            looks = [part.look(scene) for scene in scenes]
            spans = [(look, len(list(run))) for look, run in groupby(looks)]
            found[part.name] = [cell for look, length in spans for cell in (length, look)]
        return found

    def _each(self, drawn: Callable[[Part], str], rows: Sequence[int]) -> str:
        names = {f"p{row}" for row in rows}
        return "".join(drawn(part) for part in self.plane if part.name in names)

    def _framed(self, plane: str, beside: str) -> str:
        ticks = "".join(
            f'<text x="{self.x(Fraction(cm))}" y="{HIGH + 12}">{cm}</text>' for cm in range(3, 8)
        ) + "".join(f'<text x="-8" y="{self.y(Fraction(cm)) + 3:.1f}">{cm}</text>' for cm in range(5, 9))
        names = (
            f'<text x="{WIDE // 2}" y="{HIGH + 26}">{self.words["across"]}</text>'
            f'<text transform="translate(-18 {HIGH // 2}) rotate(-90)">{self.words["up"]}</text>'
        )
        return (
            f'<svg class="field" viewBox="-30 -6 {WIDE + 38} {HIGH + STRIP + 34}" aria-hidden="true">'
            f'<path class="axes" d="M0 0V{HIGH}H{WIDE}"/><g class="ticks">{ticks}{names}</g>{plane}</svg>'
            f'<svg class="boughs" viewBox="0 0 {WIDE} {HIGH + 20}" aria-hidden="true">{beside}</svg>'
        )

    # The plane.

    def x(self, value: Fraction) -> float:
        """A length of petals as a place."""
        return round(float((value - PLANE[0]) / (PLANE[2] - PLANE[0])) * WIDE, 1)

    def y(self, value: Fraction) -> float:
        """A length of sepals as a place."""
        return round(float((PLANE[3] - value) / (PLANE[3] - PLANE[1])) * HIGH, 1)

    def _box(self, area: Area) -> str:
        """A part of the plane as the data of a path."""
        left, right, top, bottom = self.x(area[0]), self.x(area[2]), self.y(area[3]), self.y(area[1])
        return f"M{left:g} {top:g}H{right:g}V{bottom:g}H{left:g}Z"

    def _kind(self, tree: Tree, number: int) -> int:
        return self.story.classes.index(str(tree.nodes[number].label))

    def _grounds(self) -> Iterator[Part]:
        """The ground of each node while it is a leaf, and of each changed tree."""
        tree, boxes = self.story.tree, areas(self.story.tree, PLANE)
        for number in range(len(tree.nodes)):
            look = there(
                lambda scene, number=number: scene.guess and number in _leaves(tree, scene),  # type: ignore[misc]
                f"area k{self._kind(tree, number)}",
            )
            yield Part(f"a{number}", f'<path{{}} d="{self._box(boxes[number])}"/>', look)
        for place, change in enumerate(self.story.others[:2], 1):
            other, boxes = change.tree, areas(change.tree, PLANE)
            shaded = "".join(
                f'<path class="area k{kind}" d="{"".join(self._box(boxes[n]) for n in numbers)}"/>'
                for kind, numbers in _by_kind(self, other)
            )
            cuts = f'<path class="cut" d="{"".join(self._cuts(other))}"/>'
            yield Part(f"b{place}", f"<g{{}}>{shaded}{cuts}</g>", there(lambda s, place=place: s.tree == place))  # type: ignore[misc]

    def _votes(self) -> Iterator[Part]:
        """The ground in the shade of the majority, and the border between the two."""
        second = self.story.classes[self.story.kinds[1]]
        for trees in COUNTED:
            shades: dict[tuple[int, int], list[str]] = {}
            for row, run in _runs(list(cells(self.story.forest[:trees], PLANE, second))):
                votes = run[0][1]
                kind = self.story.kinds[2 * votes > trees]
                sure = abs(2 * votes - trees) * TENTHS // trees
                box = (run[0][0][0], row[0], run[-1][0][2], row[1])
                if sure:
                    shades.setdefault((kind, sure), []).append(self._box(box))
            drawn = "".join(
                f'<path class="k{kind}" opacity="{0.035 * sure:.2f}" d="{"".join(boxes)}"/>'
                for (kind, sure), boxes in sorted(shades.items())
            )
            yield Part(
                f"v{trees}",
                f"<g{{}}>{drawn}</g>",
                there(lambda s, trees=trees: s.votes and s.trees == trees),  # type: ignore[misc]
                f'<use href="#v{trees}"/>',
            )

    def _cuts(self, tree: Tree) -> Iterator[str]:
        """The cut of each node that asks, across its part of the plane."""
        boxes = areas(tree, PLANE)
        for number, node in enumerate(tree.nodes):
            if node.test:
                yield self._cut(tree, number, boxes[number])

    def _cut(self, tree: Tree, number: int, area: Area) -> str:
        axis, t = asked(tree, number)
        if axis:
            return f"M{self.x(area[0]):g} {self.y(t):g}H{self.x(area[2]):g}"
        return f"M{self.x(t):g} {self.y(area[3]):g}V{self.y(area[1]):g}"

    def _lines(self) -> Iterator[Part]:
        """The cuts of the tree, and those of the forest: the more trees share one, the darker it is."""
        boxes = areas(self.story.tree, PLANE)
        for number, node in enumerate(self.story.tree.nodes):
            if node.test:
                way_ = self._cut(self.story.tree, number, boxes[number])
                yield Part(f"c{number}", f'<path{{}} pathLength="1" d="{way_}"/>', _asking(number, "cut"))
        for before, trees in zip((0, *COUNTED), COUNTED, strict=False):
            drawn: dict[str, int] = {}
            for tree in self.story.forest[before:trees]:
                for cut in self._cuts(tree):
                    drawn[cut] = drawn.get(cut, 0) + 1
            shades = [(most, [cut for cut, n in drawn.items() if n.bit_length() == most]) for most in range(1, 8)]
            paths = "".join(
                f'<path opacity="{min(0.9, 0.1 + 0.13 * most):.2f}" d="{"".join(cuts)}"/>'
                for most, cuts in shades
                if cuts
            )
            yield Part(
                f"f{trees}",
                f'<g{{}} fill="none">{paths}</g>',
                there(lambda s, trees=trees: s.trees >= trees and not s.votes, "cuts"),  # type: ignore[misc]
                f'<use class="cuts" href="#f{trees}"/>',
            )

    def _gains(self) -> Iterator[Part]:
        """A bar for each cut of the petals below the plane, and the line that slides."""
        base, most = HIGH + STRIP + 26, max(self.story.cuts, key=lambda cut: cut.gain)
        for mark in ("", "best"):
            bars = "".join(
                f"M{self.x(cut.t):g} {base}v{-STRIP * float(cut.gain) / float(most.gain):.1f}"
                for cut in self.story.cuts
                if (cut is most) == bool(mark)
            )
            yield Part(f"g{mark}", f'<path{{}} d="{bars}"/>', there(lambda s: s.gains, f"gains {mark}".strip()))
        line = f'<path{{}} data-share="slide" style="--share:0" d="M0 0V{base}"/>'
        yield Part("s", line, there(lambda s: s.slides, "slider"))

    def _flowers(self) -> Iterator[Part]:
        story, held = self.story, {*self.story.held}

        def look(row: int) -> Look:
            def mark(scene: Scene) -> str:
                names = ["dot", f"k{story.flowers[row].kind}"]
                if row in held:
                    names += ["come"] if row in scene.come else ["hollow"] if scene.held else ["hollow", "later"]
                names += ["wrong"] * (row in scene.wrong) + ["gone"] * (row in scene.gone)
                return " ".join([*names, *["faint"] * (row in scene.faint), *["ringed"] * (row in scene.ringed)])

            return mark

        for row in range(len(story.flowers)):
            yield Part(f"p{row}", self._flower(row), look(row))
        ever = {row for one in story.prunings for row in (*one.trained, *one.held)}
        ever |= {row for trees in COUNTED for row in story.outvoted(trees, story.held)}
        for row in sorted(ever):
            x, y = self._place(row)
            is_wrong = there(lambda scene, row=row: row in scene.wrong, "cross")  # type: ignore[misc]
            yield Part(f"px{row}", f'<use{{}} href="#x" x="{x:g}" y="{y:g}"/>', is_wrong)

    def _shared_flower(self, row: int) -> str:
        hollow = " hollow" if row in self.story.held else ""
        return self._flower(row).replace("{}", f' class="dot k{self.story.flowers[row].kind}{hollow}"', 1)

    def _flower(self, row: int) -> str:
        x, y = self._place(row)
        kind = self.story.flowers[row].kind
        return f'<use{{}} href="#k{kind}" x="{x:g}" y="{y:g}"/>'

    def _place(self, row: int) -> tuple[float, float]:
        """Where a flower stands; of several of the same lengths the later ones a little aside."""
        flower = self.story.flowers[row]
        before = sum(other[:2] == flower[:2] for other in self.story.flowers[:row])
        return self.x(flower.x) + 1.8 * before, round(self.y(flower.y) - 2.6 * before, 1)

    # The tree.

    def _placed(self, tree: Tree) -> dict[int, tuple[float, float]]:
        """Where each node stands: a leaf has a column, a node that asks the middle of the two below it."""
        leaves, deep = [n for n, node in enumerate(tree.nodes) if not node.test], depths(tree)
        level = min(LEVEL, (HIGH - 2 * TOP) / max(deep))
        found: dict[int, tuple[float, float]] = {}
        for number in reversed(range(len(tree.nodes))):
            below = tree.nodes[number].branches
            x = sum(found[one][0] for one in below) / 2 if below else WIDE * (leaves.index(number) + 0.5) / len(leaves)
            found[number] = round(x, 1), round(TOP + level * deep[number], 1)
        return found

    def _edge(self, tree: Tree, places: Mapping[int, tuple[float, float]], above: int, below: int) -> str:
        (x, y), (to, down) = places[above], places[below]
        share = tree.nodes[below].weight / tree.nodes[0].weight
        return f'<path{{}} stroke-width="{0.8 + 5 * float(share):.1f}" d="M{x:g} {y + 14:g}L{to:g} {down - 6:g}"/>'

    def _leaf(self, tree: Tree, number: int, at: tuple[float, float]) -> str:
        """The classes of a node, each with its mark and how many there are."""
        shown = [(kind, n) for kind in self.story.kinds if (n := tree.nodes[number].counts[kind])]
        x, y = at
        marks = []
        for place, (kind, n) in enumerate(shown):
            left = x + 20 * place - 10 * (len(shown) - 1)
            marks.append(f'<use class="k{kind}" href="#k{kind}" x="{left:g}" y="{y:g}"/>')
            marks.append(f'<text x="{left:g}" y="{y + 14:g}">{n}</text>')
        return f"<g{{}}>{''.join(marks)}</g>"

    def _question(self, tree: Tree, number: int, at: tuple[float, float]) -> str:
        axis, t = asked(tree, number)
        (x, y), name = at, self.words["petal" if axis == 0 else "sepal"]
        return f'<text{{}} x="{x:g}" y="{y + 1:g}">{name}<tspan x="{x:g}" dy="10">≤ {decimal_text(t)}</tspan></text>'

    def _nodes(self) -> Iterator[Part]:
        tree = self.story.tree
        places = self._placed(tree)
        for number, node in enumerate(tree.nodes):
            for branch in node.branches:
                yield Part(f"e{branch}", self._edge(tree, places, number, branch), _asking(number, "edge"))
        for number, node in enumerate(tree.nodes):
            is_leaf = there(lambda scene, number=number: number in _leaves(tree, scene), "leaf")  # type: ignore[misc]
            yield Part(f"l{number}", self._leaf(tree, number, places[number]), is_leaf)
            if node.test:
                yield Part(f"q{number}", self._question(tree, number, places[number]), _asking(number, "query"))

    def _changed(self) -> Iterator[Part]:
        """The whole trees that come of other rows."""
        for place, change in enumerate(self.story.others[:2], 1):
            tree, places = change.tree, self._placed(change.tree)
            drawn = [
                self._edge(tree, places, number, branch).replace("{}", ' class="edge"', 1)
                for number, node in enumerate(tree.nodes)
                for branch in node.branches
            ]
            for number, node in enumerate(tree.nodes):
                one = self._question if node.test else self._leaf
                kind = "query" if node.test else "leaf"
                drawn.append(one(tree, number, places[number]).replace("{}", f' class="{kind}"', 1))
            is_there = there(lambda scene, place=place: scene.tree == place)  # type: ignore[misc]
            yield Part(f"t{place}", f"<g{{}}>{''.join(drawn)}</g>", is_there)

    def _forest(self) -> Iterator[Part]:
        """The trees of the forest, ten in a row: no words, but their form, and the class at each end."""
        wide, high = WIDE / 10, (HIGH + 20) / (TREES // 10)
        for before, trees in zip((0, *COUNTED), COUNTED, strict=False):
            lines, ends = [], {kind: list[str]() for kind in self.story.kinds}
            for number in range(before, trees):
                tree = self.story.forest[number]
                deepest = max(1, *depths(tree))
                left, top = number % 10 * wide, number // 10 * high
                places = {
                    node: (left + x * 0.085 + 2, top + 4 + deep * (high - 10) / deepest)
                    for (node, (x, _)), deep in zip(sorted(self._placed(tree).items()), depths(tree), strict=True)
                }
                for above, node in enumerate(tree.nodes):
                    (x, y) = places[above]
                    lines += [f"M{x:.1f} {y:.1f}L{places[b][0]:.1f} {places[b][1]:.1f}" for b in node.branches]
                    if not node.test:
                        ends[self._kind(tree, above)].append(f"M{x:.1f} {y:.1f}h0")
            dots = "".join(f'<path class="ends k{kind}" d="{"".join(ways)}"/>' for kind, ways in ends.items())
            yield Part(
                f"w{trees}",
                f'<g{{}}><path class="small" d="{"".join(lines)}"/>{dots}</g>',
                there(lambda scene, trees=trees: scene.trees >= trees),  # type: ignore[misc]
                f'<use href="#w{trees}"/>',
            )


def _leaves(tree: Tree, scene: Scene) -> set[int]:
    """The nodes that are leaves at a scene of the first tree."""
    if scene.tree:
        return set()
    reached, found = [0], set()
    while reached:
        number = reached.pop()
        if number in scene.asking:
            reached += tree.nodes[number].branches
        else:
            found.add(number)
    return found


def _asking(number: int, kind: str) -> Look:
    """The look of what belongs to a node that asks."""

    def look(scene: Scene) -> str:
        if scene.tree or number not in scene.asking:
            return f"{kind} later"
        return f"{kind} now" if number in scene.new else kind

    return look


def _by_kind(picture: Picture, tree: Tree) -> Iterator[tuple[int, list[int]]]:
    for kind in picture.story.kinds:
        yield kind, [n for n, node in enumerate(tree.nodes) if not node.test and picture._kind(tree, n) == kind]


Cell = tuple[Area, int]


def _runs(found: Sequence[Cell]) -> Iterator[tuple[tuple[Fraction, Fraction], list[Cell]]]:
    """Cells that lie side by side and have the same votes, with the ends of their row."""
    for (row, _), run in groupby(found, key=lambda cell: ((cell[0][1], cell[0][3]), cell[1])):
        yield row, list(run)
