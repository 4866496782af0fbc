"""Layout: no two nodes lie on one another, whatever their sizes, and children are where their band is."""

from __future__ import annotations

import itertools
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reference_tree.views.trees.svg import centres, families, levels


@st.composite
def shapes(draw: st.DrawFn) -> list[tuple[int, ...]]:
    """A tree in preorder: for each node the numbers of those below it."""
    branches: list[list[int]] = [[]]
    way = [0]
    for number in range(1, draw(st.integers(1, 25))):
        del way[draw(st.integers(1, len(way))) :]
        branches[way[-1]].append(number)
        branches.append([])
        way.append(number)
    return [tuple(below) for below in branches]


def sized(shape: list[tuple[int, ...]]) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(1, 40), min_size=len(shape), max_size=len(shape))


trees: Any = shapes().flatmap(lambda shape: st.tuples(st.just(shape), sized(shape), sized(shape)))


def below(shape: list[tuple[int, ...]], number: int) -> list[int]:
    """All nodes of a subtree."""
    found = [number]
    for one in found:
        found += shape[one]
    return found


@given(trees, st.integers(0, 9))
def test_the_bands_of_brothers_do_not_overlap_and_lie_in_order(tree: Any, gap: int) -> None:
    shape, breadths, _ = tree
    found = centres(shape, breadths, gap)
    low = [middle - breadth // 2 for middle, breadth in zip(found, breadths, strict=True)]
    high = [start + breadth for start, breadth in zip(low, breadths, strict=True)]
    assert min(low) >= 0
    for children in shape:
        for left, right in itertools.pairwise(children):
            assert max(high[n] for n in below(shape, left)) + gap <= min(low[n] for n in below(shape, right))


@given(trees)
def test_a_node_stands_over_its_children_where_it_is_no_broader(tree: Any) -> None:
    shape, breadths, _ = tree
    found = centres(shape, [10] * len(breadths), 2)
    for number, children in enumerate(shape):
        if children:
            assert found[children[0]] <= found[number] <= found[children[-1]]


@given(trees)
def test_what_is_below_begins_after_what_is_above_ends_and_after_its_gap(tree: Any) -> None:
    shape, heights, gaps = tree
    widest = [max(gaps)] * len(shape)
    for starts, least in ((levels(shape, heights, widest[0]), widest), (families(shape, heights, gaps), gaps)):
        for number, children in enumerate(shape):
            for child in children:
                assert starts[child] >= starts[number] + heights[number] + least[child]


@given(trees)
def test_a_level_begins_together_and_so_do_brothers(tree: Any) -> None:
    shape, heights, gaps = tree
    starts = levels(shape, heights, max(gaps))
    level = [0]
    while level:
        assert len({starts[number] for number in level}) == 1
        level = [child for number in level for child in shape[number]]
    for children in shape:
        assert len({families(shape, heights, gaps)[child] for child in children}) <= 1


@given(trees)
def test_families_are_never_longer_than_levels(tree: Any) -> None:
    shape, heights, gaps = tree
    pairs = zip(families(shape, heights, gaps), levels(shape, heights, max(gaps)), strict=True)
    assert all(a <= b for a, b in pairs)


def test_a_chain_of_fifty_thousand() -> None:
    chain = [(i + 1,) for i in range(50_000)] + [()]
    assert set(centres(chain, [10] * len(chain), 2)) == {5}
    heights, gaps = [10] * len(chain), [5] * len(chain)
    assert levels(chain, heights, 5)[-1] == families(chain, heights, gaps)[-1] == 50_000 * 15
