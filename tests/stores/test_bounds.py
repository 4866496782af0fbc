"""No cut within a bin is better than its bound, and the score is in the order of the measure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.measures.gini_index import gini_decrease
from reference_tree.measures.information_gain import information_gain
from reference_tree.measures.twoing import twoing
from reference_tree.stores.bounds import MEASURES, CountedBin

OF_CLASSES: dict[str, Any] = {"gini_decrease": gini_decrease, "gain": information_gain, "twoing": twoing}
counts = st.integers(2, 4).flatmap(
    lambda size: st.tuples(*[st.lists(st.integers(0, 4), min_size=size, max_size=size)] * 3)
)


def minus(some: Sequence[int], others: Sequence[int]) -> list[int]:
    return [one - other for one, other in zip(some, others, strict=True)]


@pytest.mark.parametrize("name", [*OF_CLASSES])
@given(sides=counts)
def test_no_part_of_a_bin_of_classes_is_better_than_its_bound(name: str, sides: Any) -> None:
    before, inside, after = sides
    measure, exact = MEASURES[name], OF_CLASSES[name]
    if not any(before) or not any(after):
        return
    whole = [sum(column) for column in zip(before, inside, after, strict=True)]
    bins = [CountedBin(0, 0, 1, before), CountedBin(1, 2, None, inside), CountedBin(2, 0, 3, after)]
    bound, tried = measure.scored(bins, whole)[1][1], list[tuple[Any, float]]()
    for added in product(*(range(count + 1) for count in inside)):
        left = [one + more for one, more in zip(before, added, strict=True)]
        (score, _), _ = measure.scored([CountedBin(0, 0, 1, left), CountedBin(1, 0, 2, minus(whole, left))], whole)
        tried.append((exact([left, minus(whole, left)]), score))
        assert score <= bound + measure.reach(whole, bound)
    tried.sort(key=lambda pair: pair[1])
    best = max((value for value, _ in tried), default=0)
    near = [value for value, score in tried if score >= tried[-1][1] - measure.reach(whole, tried[-1][1])]
    assert best in near


@given(
    before=st.lists(st.integers(-5, 5), min_size=1, max_size=4),
    inside=st.lists(st.integers(-5, 5), min_size=1, max_size=6),
    after=st.lists(st.integers(-5, 5), min_size=1, max_size=4),
)
def test_no_part_of_a_bin_of_numbers_is_better_than_its_bound(before: Any, inside: Any, after: Any) -> None:
    def sums(some: Sequence[int]) -> tuple[int, int, int]:
        return len(some), sum(some), sum(one * one for one in some)

    measure, every = MEASURES["variance_reduction"], [*before, *inside, *after]
    whole = sums(every)
    bins = [
        CountedBin(0, 0, 1, sums(before)),
        CountedBin(1, 2, None, sums(inside), min(inside), max(inside)),
        CountedBin(2, 0, 3, sums(after)),
    ]
    bound = measure.scored(bins, whole)[1][1]
    for chosen in product([False, True], repeat=len(inside)):
        left = [*before, *(one for one, is_left in zip(inside, chosen, strict=True) if is_left)]
        apart = (len(every) * sum(left) - sum(every) * len(left)) ** 2 / (len(left) * (len(every) - len(left)))
        assert apart <= bound + measure.reach(whole, bound)
