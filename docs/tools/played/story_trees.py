"""The tree of the story beside the plane: as it grows, what it becomes when rows are exchanged, and a forest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from docs.tools.played.story_facts import COUNTED, TREES, Story, asked, depths
from docs.tools.played.story_scene import HIGH, WIDE, Part, asking, of_forest, of_leaf, of_tree
from reference_tree.exact.rationals import decimal_text
from reference_tree.tree import Tree

LEVEL, TOP = 40, 16
"""From a level of the tree to the next, and above the first."""

Places = Mapping[int, tuple[float, float]]


class Boughs:
    """The parts of the tree, or of the trees."""

    def __init__(self, story: Story, words: Mapping[str, str]) -> None:
        self.story, self.words = story, words

    def parts(self) -> list[Part]:
        """The tree, then those that take its place."""
        return [*self._nodes(), *self._changed(), *self._forest()]

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

    def _edge(self, tree: Tree, places: Places, above: int, below: int) -> str:
        """A branch, as thick as the share of the flowers that take it."""
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
        """What a node asks, in two lines."""
        axis, t = asked(tree, number)
        (x, y), name = at, self.words["petal" if axis == 0 else "sepal"]
        return f'<text{{}} x="{x:g}" y="{y + 1:g}">{name}<tspan x="{x:g}" dy="10">≤ {decimal_text(t)}</tspan></text>'

    def _nodes(self) -> Iterator[Part]:
        """Each node of the first tree twice: as the leaf that it is at first, and as what it asks."""
        tree = self.story.tree
        places = self._placed(tree)
        for number, node in enumerate(tree.nodes):
            for branch in node.branches:
                yield Part(f"e{branch}", self._edge(tree, places, number, branch), asking(number, "edge"))
        for number, node in enumerate(tree.nodes):
            is_leaf = of_leaf(tree, number, "leaf")
            yield Part(f"l{number}", self._leaf(tree, number, places[number]), is_leaf)
            if node.test:
                yield Part(f"q{number}", self._question(tree, number, places[number]), asking(number, "query"))

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
            yield Part(f"t{place}", f"<g{{}}>{''.join(drawn)}</g>", of_tree(place))

    def _forest(self) -> Iterator[Part]:
        """The trees of the forest, ten in a row: no words, but their form, and the class at each end."""
        wide, high = WIDE / 10, (HIGH + 20) / (TREES // 10)
        for before, trees in zip((0, *COUNTED), COUNTED, strict=False):
            lines, ends = [], {kind: list[str]() for kind in self.story.kinds}
            for number in range(before, trees):
                tree = self.story.forest[number]
                deepest = max(1, *depths(tree))
                left, top = number % 10 * wide, number // 10 * high
                # As wide and as high as its place in the grid, whatever its size.
                places = {
                    node: (left + x * 0.085 + 2, top + 4 + deep * (high - 10) / deepest)
                    for (node, (x, _)), deep in zip(sorted(self._placed(tree).items()), depths(tree), strict=True)
                }
                for above, node in enumerate(tree.nodes):
                    (x, y) = places[above]
                    lines += [f"M{x:.1f} {y:.1f}L{places[b][0]:.1f} {places[b][1]:.1f}" for b in node.branches]
                    if not node.test:
                        ends[self.story.classes.index(str(node.label))].append(f"M{x:.1f} {y:.1f}h0")
            dots = "".join(f'<path class="ends k{kind}" d="{"".join(ways)}"/>' for kind, ways in ends.items())
            yield Part(
                f"w{trees}",
                f'<g{{}}><path class="small" d="{"".join(lines)}"/>{dots}</g>',
                of_forest(trees),
                f'<use href="#w{trees}"/>',
            )
