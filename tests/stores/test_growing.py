"""Trees grown level by level are numbered as those that are grown branch by branch."""

from __future__ import annotations

from typing import Any

from hypothesis import given

import reference_tree as rt
from reference_tree.learners.growing import grow
from reference_tree.twins import by_the_book
from tests.sample_stores import tables
from tests.stores.databases import stored


def is_small(number: Any) -> bool:
    return bool(abs(number) < 2**52 and number % 1 == 0)


@given(tables(rows=10))
def test_the_tree_is_that_of_the_book(table: rt.Table) -> None:
    is_whole = all(weight == 1 for weight in table.weighted())
    learner = rt.CART() if table.schema.target.values is None else rt.C45()
    if not is_whole or not all(is_small(n) for one in table.schema.numbers.values() for n in one):
        return  # the database of this test holds doubles
    grown = grow(learner, stored(table))
    with by_the_book():
        assert grow(learner, table).nodes == grown.nodes
