"""The sample: a door that anybody can hold open. One that counts in dictionaries does as well as the one in memory."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Missing, Multiway, SeenSubset, Subset, Surrogate, Threshold
from reference_tree.data.sample import Sample, WeightedRows, whole_sample
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.data.targets import Branches, Values
from reference_tree.learners.id3 import ID3
from reference_tree.learners.place import Place
from reference_tree.splitting.multiway import multiway_candidates
from reference_tree.twins import by_the_book
from tests import oracles, strategies
from tests.oracles import Counted
from tests.sample_stores import assert_alike_all_the_way_down, large_table, tables


@given(strategies.categorical_tables())
def test_a_learner_decides_alike_on_whatever_answers_its_questions(table: Table) -> None:
    learner = ID3()
    pending: list[tuple[Place, Sample, Sample]] = [(Place.root(table.sample()), table.sample(), oracles.Counted(table))]
    while pending:
        place, memory, counted = pending.pop()
        decision = learner.decide(memory, place)
        other = learner.decide(counted, place)
        assert decision.candidates == other.candidates
        assert replace(decision, considered=tuple) == replace(other, considered=tuple)
        if decision.chosen is not None:
            places = place.children(memory, decision.chosen.test, decision.answer)
            others = counted.split(decision.chosen.test)
            pending += [(below, part, other) for (below, part), other in zip(places, others, strict=True)]


@pytest.mark.covers("N0 EN §1 table", "N0 EN §1 s_ij")
@given(strategies.categorical_tables())
def test_a_partition_adds_up(table: Table) -> None:
    """The s_ij of a question and those whose answer is unknown are all there is."""
    sample: Sample = table.sample()
    for candidate in multiway_candidates(sample, Place.root(sample).available, ("gain",), 0):
        rows = [*candidate.table.rows, candidate.table.unknown]
        assert tuple(map(sum, zip(*rows, strict=True))) == sample.total()
        assert [part.total() for part in sample.split(candidate.test)] == list(candidate.table.rows)


@given(strategies.mixed_tables(), st.sampled_from(["colour", "size", None]))
def test_the_points_of_a_sample_are_its_rows_gathered(table: Table, only: str | None) -> None:
    """Also of a part of it, whose weights are shares, and where all attributes are categories."""
    tables = [table, table.without(["size"])]
    for one in tables:
        memory, counted = one.sample(), oracles.Counted(one)
        names = [attribute.name for attribute in one.schema.attributes if only in (None, attribute.name)]
        assert memory.points(names) == counted.points(names)
        question = Multiway.on(one.schema.attribute("colour"))
        share = Missing(shares=tuple(Fraction(1, len(question.values)) for _ in question.values))
        for part, other in zip(memory.split(question, share), counted.split(question, share), strict=True):
            assert part.points(names) == other.points(names)


@given(strategies.tables_with_gaps(), st.sampled_from("pqr"), st.sets(st.sampled_from("pqr"), max_size=2))
def test_a_surrogate_that_leaves_a_value_open_does_not_send_it_on(table: Table, inside: str, unseen: set[str]) -> None:
    assume({"a", "b"} <= {attribute.name for attribute in table.schema.attributes})
    surrogate = SeenSubset("a", (inside,), tuple(sorted(unseen - {inside})))
    for one in (table, table.without([a.name for a in table.schema.attributes if a.values is None])):
        memory, counted = one.sample(), oracles.Counted(one)
        assert memory.partition(surrogate) == counted.partition(surrogate)
        way = Missing(surrogates=(Surrogate(surrogate, (0, 1), 1),), to=1)
        question = Subset("b", ("s",))
        parts = zip(memory.split(question, way), counted.split(question, way), strict=True)
        assert all(part.total() == other.total() for part, other in parts)


def of_the_book(table: Table) -> Sample:
    with by_the_book():
        return whole_sample(table)


@pytest.mark.slow
@given(tables(), st.integers(0, 2**20))
def test_it_answers_as_a_count_of_the_rows(table: Table, seed: int) -> None:
    assert_alike_all_the_way_down(table, of_the_book, Counted, seed)


@pytest.mark.slow
@pytest.mark.parametrize("numeric", [False, True])
def test_some_more_rows(numeric: bool) -> None:
    table = large_table(3, 60, numeric, weights=(1, Fraction(1, 3)))
    assert_alike_all_the_way_down(table, of_the_book, Counted, 3, depth=2)


def test_it_is_the_store_of_the_book() -> None:
    table = Table.from_columns({"a": ["p"], "y": ["n"]})
    assert isinstance(of_the_book(table), WeightedRows)


# Rows without an answer, which go down the branches by their shares.

GAPS = Table.from_columns({"a": ["p", "q", None, None, "q"], "b": ["s", None, "s", None, "t"], "y": list("nyynn")})
A, B = (Multiway.on(GAPS.schema.attribute(name)) for name in "ab")


def test_a_row_without_an_answer_goes_down_each_branch_by_its_share() -> None:
    first, second = of_the_book(GAPS).split(A, Missing((Fraction(1, 3), Fraction(2, 3))))
    assert first.total() == (1 + Fraction(1, 3), Fraction(1, 3))
    assert second.total() == (1 + Fraction(2, 3), 1 + Fraction(2, 3))
    assert first.partition(B).unknown == (Fraction(1, 3), 0)
    assert [part.total() for part in of_the_book(GAPS).split(A)] == [(1, 0), (1, 1)]


@pytest.mark.covers("N2 §4.2 summary step 7")
def test_shares_multiply_on_the_way_down_and_add_up_to_the_row() -> None:
    shares = (Fraction(1, 3), Fraction(2, 3)), (Fraction(3, 4), Fraction(1, 4))
    below = [part.split(B, Missing(shares[1])) for part in of_the_book(GAPS).split(A, Missing(shares[0]))]
    assert below[0][1].total() == (Fraction(1, 3) * Fraction(1, 4), 0)
    whole = [sum(counts) for counts in zip(*(part.total() for parts in below for part in parts), strict=True)]
    assert tuple(whole) == of_the_book(GAPS).total()


def test_a_branch_without_a_share_gets_nobody() -> None:
    first, second = of_the_book(GAPS).split(A, Missing((0, 1)))
    assert (first.total(), second.total()) == ((1, 0), (2, 2))
    assert first.partition(B).unknown == (0, 0)


def test_categories_have_no_order() -> None:
    with pytest.raises(InputError, match="the attribute a is categorical"):
        of_the_book(GAPS).ordered("a")


def test_values_that_no_row_has_are_branches_too() -> None:
    table = Table.from_columns({"a": ["x", "z"], "y": ["no", "yes"]})
    partition = of_the_book(table).partition(Multiway.on(Attribute("a", ("w", "x", "y", "z"))))
    assert partition.rows == ((0, 0), (1, 0), (0, 0), (0, 1))
    assert [outcome.value for outcome in partition.outcomes] == ["w", "x", "y", "z"]


def test_a_value_that_no_branch_is_for_is_in_no_part() -> None:
    """As in a validation sample with a value that no training row had."""
    table = Table.from_columns({"a": ["x", "z", None], "y": ["no", "yes", "yes"]})
    test = Multiway("a", ("x",))
    assert of_the_book(table).partition(test).rows == ((1, 0),)
    assert of_the_book(table).partition(test).unknown == (0, 1)
    assert [part.total() for part in of_the_book(table).split(test, Missing(to=0))] == [(1, 1)]
    assert of_the_book(table).against(Branches(test)).total() == (1,)


def test_rows_with_nothing_to_count_are_left_out() -> None:
    columns: dict[str, list[Any]] = {"a": [1, None, 3], "b": [1, 2, 3], "y": [5, 6, 7]}
    sample = of_the_book(Table.from_columns(columns, target="y"))
    against = sample.against(Branches(Threshold("a", 2)))
    assert (against.total(), list(against.ordered("b").values)) == ((1, 1), [1, 3])
    against = sample.against(Values((5, 6)))
    assert (against.total(), list(against.ordered("b").values)) == ((1, 1), [1, 2])
