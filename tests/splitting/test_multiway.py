"""Multiway splits: their tables."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.questions import Multiway
from reference_tree.data.table import Table
from reference_tree.splitting.multiway import best_multiway, multiway_candidates
from tests import oracles, strategies


@pytest.mark.covers("N2 §2.1 step 4", "N3 ID3 algorithm: step 2")
@given(strategies.categorical_tables(), st.data())
def test_a_candidate_for_each_attribute_that_is_left_in_table_order(table: Table, data: st.DataObject) -> None:
    names = [attribute.name for attribute in table.schema.attributes]
    available = frozenset(data.draw(st.sets(st.sampled_from(names))))
    found = list(multiway_candidates(table.sample(), available, ("gain", "gini_index"), 2))
    assert [candidate.test.attribute for candidate in found] == [name for name in names if name in available]
    for candidate in found:
        rows = oracles.crosstab(table, candidate.test.attribute)
        assert candidate.table.rows == tuple(map(tuple, rows))
        assert candidate.test == Multiway.on(table.schema.attribute(candidate.test.attribute))
        assert candidate.measured == ("gain", "gini_index")
        sizes = [sum(row) for row in rows if any(row)]
        assert candidate.barred == ("candidate" if len(sizes) < 2 else "min-samples-leaf" if min(sizes) < 2 else None)


def test_numbers_have_no_branches() -> None:
    table = Table.from_columns({"outlook": ["sunny", "rainy"], "humidity": [70, 80], "play": ["no", "yes"]})
    (only,) = multiway_candidates(table.sample(), frozenset({"outlook", "humidity", "play"}), ("gain",), 0)
    assert only.test.attribute == "outlook"


def test_the_best_are_all_or_the_first() -> None:
    """Of two copies of the class, a column that tells nothing of it, and one that names each row."""
    table = Table.from_columns(
        {
            "coin": ["head", "tail", "head", "tail"],
            "one": ["a", "a", "b", "b"],
            "name": ["p", "q", "r", "s"],
            "other": ["d", "d", "c", "c"],
            "class": ["no", "no", "yes", "yes"],
        }
    )

    def best(minimum: int, **ties: bool) -> list[str]:
        found = best_multiway(table.sample(), table.schema.attributes, ("gain",), minimum, **ties)
        return [candidate.test.attribute for candidate in found]

    assert best(0) == best(0, ties=True) == ["one", "name", "other"]
    assert best(2, ties=True) == ["one", "other"]  # of a name there is one row
    assert best(2, ties=False) == ["one"]
