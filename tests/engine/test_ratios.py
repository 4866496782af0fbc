"""Ratios: among the attributes that the engine leaves is the one that the book asks for; often it is the only one."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.sample import Sample
from reference_tree.data.table import Table
from reference_tree.engine.ratios import _judged, above_average, leading_attributes
from reference_tree.learners.c45 import C45, best_by_ratio
from reference_tree.learners.growing import revisit
from reference_tree.learners.place import Place
from reference_tree.twins import by_the_book
from tests import strategies
from tests.benchmarks.generated import categorical, continuous
from tests.engine.test_store import stored

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


def assert_the_same_question(learner: C45, sample: Sample, place: Place) -> None:
    """The first that is found alone, all that can win, and what is said of the others."""
    best_about = partial(learner.best_questions, sample)

    def eligible() -> Any:
        return learner.eligible(learner.asked(sample, place, best_about), sample, place)

    def said() -> Any:
        decision = learner.decide(sample, place)
        winners = [winner.test for winner in decision.winners]  # all of them, after the first was found alone
        evidence = {name: float(figure) for name, figure in decision.evidence.items()}
        return decision.stop, decision.chosen, winners, decision.missing, decision.candidates, evidence

    fast, decision = best_by_ratio(learner, sample, place, best_about, eligible, ties=False), said()
    with by_the_book():
        assert list(fast) == list(best_by_ratio(learner, sample, place, best_about, eligible, ties=False))
        assert decision == said()


@given(small_tables(), minima, st.sampled_from(["zhou", "li-hang", "c45-r8"]), st.data())
def test_the_question_is_that_of_the_book(table: Table, minimum: Any, profile: str, data: st.DataObject) -> None:
    """Of all attributes, and of those that a forest has drawn."""
    learner = C45.like(profile, min_samples_leaf=minimum, epsilon=data.draw(st.sampled_from([0, 0, Fraction(1, 2)])))
    for visit in revisit(learner.grow(table), learner, table):
        if visit.decision.stop in (None, "no-candidates", "min-samples-leaf", "epsilon"):
            drawn = frozenset(data.draw(st.sets(st.sampled_from(sorted(visit.place.available)), min_size=1)))
            for place in (visit.place, visit.place._replace(available=drawn)):
                assert_the_same_question(learner, visit.sample, place)


@pytest.mark.parametrize("case", [continuous(30), continuous(15).lacking(0.1), categorical(30).lacking(0.1)])
@pytest.mark.parametrize("whole", [None, True, False])
def test_larger_tables(case: Any, whole: bool | None) -> None:
    table = (case if whole is None else case.weighing(whole)).table()
    found = 0
    for visit in revisit(C45().grow(table), C45(), table):
        if visit.decision.chosen is not None:
            assert_the_same_question(C45(), visit.sample, visit.place)
            attributes = visit.place.attributes(table.schema)
            leading: Any = leading_attributes(visit.sample, attributes, 0, True)  # type: ignore[arg-type]
            found += leading is not None and len(leading) == 1
    assert found > 1


def test_an_attribute_whose_gain_is_the_average_may_compete() -> None:
    """Estimates never settle that; and where one gains more than the others, they do."""
    for b, names in (([4, 3, 2, 1], None), ([1, 3, 2, 4], {"a"})):
        table = Table.from_columns({"a": [1, 2, 3, 4], "b": b, "y": list("ppqq")})
        judged = _judged(stored(table), table.schema.attributes, 0)
        assert judged is not None
        assert above_average(judged) == names
        candidates = C45().decide(table.sample()).candidates
        assert {c.test.attribute for c in candidates if c.barred is None} == (names or {"a", "b"})


def test_two_rows_are_parted_in_one_way_alone() -> None:
    table = Table.from_columns({"a": ["p", "p"], "b": [1, 2], "c": ["s", "t"], "y": ["n", "m"]}, continuous=["b"])
    leading = partial(leading_attributes, stored(table), table.schema.attributes, 0)
    assert [[one.name for one in leading(averaged) or ()] for averaged in (True, False)] == [["b"], ["b"]]
