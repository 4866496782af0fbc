"""Trees of ratios: the tree is that of C4.5 as the book decides it, with gaps, weights and ties."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.table import Table
from reference_tree.engine import bisection
from reference_tree.engine.trees_of_ratios import grown
from reference_tree.learners.c45 import C45
from reference_tree.learners.place import Place
from reference_tree.node import Node
from reference_tree.twins import by_the_book
from tests.engine.test_ratios import minima, small_tables
from tools.benchmarks.generated import categorical, continuous


def walked(learner: Any, table: Table) -> tuple[Node, ...] | None:
    """What the walk gives, if it takes the learner and the rows."""
    sample = table.sample()
    found = grown(learner, sample, Place.root(sample))
    return None if found is None else tuple(found)


def by_decisions(learner: Any, table: Table) -> tuple[Node, ...]:
    with by_the_book():
        nodes: tuple[Node, ...] = learner.grow(table).nodes
    return nodes


@given(
    small_tables(),
    minima,
    st.sampled_from(["zhou", "li-hang"]),
    st.sampled_from([0, 0, Fraction(1, 2), 1]),
    st.sampled_from([None, None, 1, 2]),
)
def test_any_table_of_classes(table: Table, minimum: Any, profile: str, epsilon: Any, depth: int | None) -> None:
    learner = C45.like(profile, min_samples_leaf=minimum, epsilon=epsilon, max_depth=depth)
    assert walked(learner, table) == by_decisions(learner, table)


@pytest.mark.slow
@pytest.mark.parametrize("case", [continuous(40), continuous(20).lacking(0.1), categorical(40).lacking(0.1)])
def test_more_rows(case: Any) -> None:
    assert walked(C45(), case.table()) == by_decisions(C45(), case.table())


def test_progress_is_told_after_each_node() -> None:
    counts, sample = list[int](), rt.textbook("golf").sample()
    found = grown(C45(), sample, Place.root(sample), counts.append)
    assert found is not None
    assert counts == [*range(1, len(found) + 1)]


def test_what_else_there_is_is_left_to_the_book() -> None:
    golf = rt.textbook("golf")
    assert walked(C45(), golf)
    for learner in (C45.like("c45-r8"), rt.ID3(), C45(ties=rt.Ties(choose={"/": "outlook"}))):
        assert walked(learner, golf) is None
    with by_the_book():
        assert walked(C45(), golf) is None


def test_the_cuts_of_a_node_are_scanned_once(monkeypatch: pytest.MonkeyPatch) -> None:
    scans = list[int]()

    def counted(sample: Any, *options: Any) -> Any:
        scans.append(id(sample))
        return scan(sample, *options)

    scan = bisection.scan
    table = Table.from_columns({"a": [*range(40)], "b": [n * 7 % 41 for n in range(40)], "y": [*"ppqqprqq"] * 5})
    monkeypatch.setattr(bisection, "scan", counted)
    tree = C45().grow(table)
    runs = len({id(run) for run in table.sample().runs})  # type: ignore[attr-defined]
    assert len(scans) == runs * sum(node.test is not None for node in tree.nodes)
