"""Ratios: among the attributes that the engine leaves is the one that the book asks for; often it is the only one."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.table import Table
from reference_tree.engine.ratios import _judged, above_average, leading_attributes
from reference_tree.learners import c45
from reference_tree.learners.c45 import C45
from reference_tree.learners.growing import revisit
from reference_tree.learners.place import Place
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
        assert above_average(judged) == names
        candidates = C45().decide(table.sample()).candidates
        assert {c.test.attribute for c in candidates if c.barred is None} == (names or {"a", "b"})


def test_two_rows_are_parted_in_one_way_alone() -> None:
    table = Table.from_columns({"a": ["p", "p"], "b": [1, 2], "c": ["s", "t"], "y": ["n", "m"]}, continuous=["b"])
    leading = partial(leading_attributes, stored(table), table.schema.attributes, 0)
    assert [[one.name for one in leading(averaged) or ()] for averaged in (True, False)] == [["b"], ["b"]]
