"""The plane of the story: flowers by the length of petal and sepal, cuts, and what is said of each place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby

from docs.tools.played.story_facts import COUNTED, Area, Story, areas, asked, cells
from docs.tools.played.story_scene import (
    HIGH,
    WIDE,
    Look,
    Part,
    Scene,
    asking,
    of_forest,
    of_leaf,
    of_tree,
    of_votes,
    of_wrong,
    there,
)
from reference_tree.tree import Tree
from reference_tree.views.plots.classes import way

PLANE: Area = (Fraction(29, 10), Fraction(24, 5), Fraction(7), Fraction(8))
"""The part of the plane that is shown, in centimetres: left, bottom, right, top."""
STRIP = 40
"""The height of the gains below it."""
SIZE = Fraction(18, 5)
"""The radius of a mark."""
TENTHS = 10
"""So many shades has a vote."""


class Plane:
    """The parts of the plane, in the order in which they are drawn."""

    def __init__(self, story: Story) -> None:
        self.story = story

    def parts(self) -> list[Part]:
        """The ground first, the flowers last."""
        return [*self._grounds(), *self._votes(), *self._lines(), *self._gains(), *self._flowers()]

    def marks(self) -> str:
        """The marks of the classes and the cross, and all flowers as they stand in most scenes, to be shown by many."""
        marks = "".join(
            f'<path id="k{kind}" d="{way(kind, Fraction(0), Fraction(0), SIZE)}"/>' for kind in self.story.kinds
        )
        flowers = "".join(
            f'<g id="{name}">{"".join(map(self._shared_flower, rows))}</g>'
            for name, rows in (("every-trained", self.story.trained), ("every-held", self.story.held))
        )
        return f'{marks}<path id="x" d="M-4.4 -4.4L4.4 4.4M-4.4 4.4L4.4 -4.4"/>{flowers}'

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

    def kind_of(self, tree: Tree, number: int) -> int:
        """The class that a node says."""
        return self.story.classes.index(str(tree.nodes[number].label))

    def _said(self, tree: Tree, boxes: dict[int, Area], kind: int) -> Iterator[Area]:
        """The parts of the plane whose leaves say a class."""
        for number, node in enumerate(tree.nodes):
            if not node.test and self.kind_of(tree, number) == kind:
                yield boxes[number]

    def _grounds(self) -> Iterator[Part]:
        """The ground of each node while it is a leaf, and of each changed tree."""
        tree, boxes = self.story.tree, areas(self.story.tree, PLANE)
        for number in range(len(tree.nodes)):
            look = of_leaf(tree, number, f"area k{self.kind_of(tree, number)}", guessed=True)
            yield Part(f"a{number}", f'<path{{}} d="{self._box(boxes[number])}"/>', look)
        for place, change in enumerate(self.story.others[:2], 1):
            other, boxes = change.tree, areas(change.tree, PLANE)
            shaded = "".join(
                f'<path class="area k{kind}" d="{"".join(map(self._box, self._said(other, boxes, kind)))}"/>'
                for kind in self.story.kinds
            )
            cuts = f'<path class="cut" d="{"".join(self._cuts(other))}"/>'
            yield Part(f"b{place}", f"<g{{}}>{shaded}{cuts}</g>", of_tree(place))

    def _votes(self) -> Iterator[Part]:
        """The ground in the shade of the majority, and the border between the two."""
        second = self.story.classes[self.story.kinds[1]]
        for trees in COUNTED:
            # One path for each class and shade: cells of equal votes are drawn together.
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
                of_votes(trees),
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
                line = self._cut(self.story.tree, number, boxes[number])
                yield Part(f"c{number}", f'<path{{}} pathLength="1" d="{line}"/>', asking(number, "cut"))
        for before, trees in zip((0, *COUNTED), COUNTED, strict=False):
            # Many trees have the same cut: each is drawn once, the darker the more there are.
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
                of_forest(trees, "cuts", voting=False),
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
        # A cross for each flower that is wrong at any time, above all flowers.
        ever = {row for one in story.prunings for row in (*one.trained, *one.held)}
        ever |= {row for trees in COUNTED for row in story.outvoted(trees, story.held)}
        for row in sorted(ever):
            x, y = self._place(row)
            yield Part(f"px{row}", f'<use{{}} href="#x" x="{x:g}" y="{y:g}"/>', of_wrong(row))

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


Cell = tuple[Area, int]


def _runs(found: Sequence[Cell]) -> Iterator[tuple[tuple[Fraction, Fraction], list[Cell]]]:
    """Cells that lie side by side and have the same votes, with the ends of their row."""
    for (row, _), run in groupby(found, key=lambda cell: ((cell[0][1], cell[0][3]), cell[1])):
        yield row, list(run)
