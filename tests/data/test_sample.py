"""The sample: a door that anybody can hold open. One that counts in dictionaries does as well as the one in memory."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reference_tree.data.missing import Missing, Surrogate
from reference_tree.data.questions import Multiway, SeenSubset, Subset
from reference_tree.data.sample import Sample
from reference_tree.data.table import Table
from reference_tree.learners.id3 import ID3
from reference_tree.learners.place import Place
from reference_tree.splitting.multiway import multiway_candidates
from tests import oracles, strategies


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
