"""Ratios: among the attributes that the engine leaves is the one that the book asks for; often it is the only one."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.table import Table
from reference_tree.engine import bisection
from reference_tree.engine.trees_of_ratios import _judged, grown, leading_attributes, reaching_average
from reference_tree.learners import c45
from reference_tree.learners.c45 import C45
from reference_tree.learners.growing import revisit
from reference_tree.learners.place import Place
from reference_tree.node import Node
from reference_tree.twins import by_the_book
from tests import strategies
from tests.engine.test_store import stored
from tools.benchmarks.generated import categorical, continuous

minima = st.sampled_from([0, 1, 2, Fraction(7, 3), Fraction(1, 1000), 100])


@st.composite
def small_tables(draw: st.DrawFn) -> Table:
    """Tables of up to six attributes, continuous or categorical, with gaps, ties and weights, and classes."""
    size, names = draw(st.integers(2, 12)), "abcdef"[: draw(st.integers(1, 6))]
    continuous = names[: draw(st.integers(0, len(names)))]
    lacking = draw(st.booleans())
    cells = {name: st.integers(0, 12) if name in continuous else st.sampled_from("stu") for name in names}
    weights = draw(st.sampled_from([st.just(1), strategies.weights, st.sampled_from([0.1, 1.5])]))
    kinds = {name: st.none() | each if lacking else each for name, each in cells.items()}
    kinds = {**kinds, "w": weights, "y": st.sampled_from("pqr")}
    columns = {name: draw(st.lists(each, min_size=size, max_size=size)) for name, each in kinds.items()}
    others = [name for name in [*names, "y"] if name not in continuous]
    return Table.from_columns(columns, target="y", weights="w", continuous=list(continuous), categorical=others)


def assert_it_leads(learner: C45, sample: Any, place: Place) -> int:
    """The first question of the book is about an attribute that is left. How many are, if the estimates tell."""
    averaged = learner.contenders is c45.above_average
    leading = leading_attributes(sample, place.attributes(sample.schema), learner.min_samples_leaf, averaged)
    if leading is None:
        return 0
    with by_the_book():
        winners = learner.decide(sample, place).winners
    assert winners[0].test.attribute in {attribute.name for attribute in leading}
    return len(leading)


@pytest.mark.slow
@given(small_tables(), minima, st.sampled_from(["zhou", "li-hang"]), st.data())
def test_the_question_of_the_book_is_among_them(table: Table, minimum: Any, profile: str, data: st.DataObject) -> None:
    """Of all attributes, and of those that a forest has drawn."""
    learner = C45.like(profile, min_samples_leaf=minimum)
    for visit in revisit(learner.grow(table), learner, table):
        if visit.decision.stop in (None, "no-candidates", "min-samples-leaf"):
            drawn = frozenset(data.draw(st.sets(st.sampled_from(sorted(visit.place.available)), min_size=1)))
            for place in (visit.place, visit.place._replace(available=drawn)):
                assert_it_leads(learner, visit.sample, place)


@pytest.mark.slow
@pytest.mark.parametrize("case", [continuous(30), continuous(15).lacking(0.1), categorical(30).lacking(0.1)])
@pytest.mark.parametrize("whole", [None, True, False])
def test_larger_tables(case: Any, whole: bool | None) -> None:
    table = (case if whole is None else case.weighing(whole)).table()
    visits = [visit for visit in revisit(C45().grow(table), C45(), table) if visit.decision.chosen is not None]
    left = [assert_it_leads(C45(), visit.sample, visit.place) for visit in visits]
    assert left.count(1) > 1


def test_an_attribute_whose_gain_is_the_average_may_compete() -> None:
    """Estimates never settle that; and where one gains more than the others, they do."""
    for b, names in (([4, 3, 2, 1], None), ([1, 3, 2, 4], {"a"})):
        table = Table.from_columns({"a": [1, 2, 3, 4], "b": b, "y": list("ppqq")})
        judged = _judged(stored(table), table.schema.attributes, 0)
        assert judged is not None
        assert reaching_average(judged) == names
        candidates = C45().decide(table.sample()).candidates
        assert {c.test.attribute for c in candidates if c.barred is None} == (names or {"a", "b"})


def test_two_rows_are_parted_in_one_way_alone() -> None:
    table = Table.from_columns({"a": ["p", "p"], "b": [1, 2], "c": ["s", "t"], "y": ["n", "m"]}, continuous=["b"])
    leading = partial(leading_attributes, stored(table), table.schema.attributes, 0)
    assert [[one.name for one in leading(averaged) or ()] for averaged in (True, False)] == [["b"], ["b"]]


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
