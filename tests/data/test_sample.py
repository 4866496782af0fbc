"""The sample: a door that anybody can hold open. One that counts in dictionaries does as well as the one in memory."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given

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


@given(strategies.categorical_tables())
def test_a_partition_adds_up(table: Table) -> None:
    """The s_ij of a question and those whose answer is unknown are all there is."""
    sample: Sample = table.sample()
    for candidate in multiway_candidates(sample, Place.root(sample).available, ("gain",), 0):
        rows = [*candidate.table.rows, candidate.table.unknown]
        assert tuple(map(sum, zip(*rows, strict=True))) == sample.total()
        assert [part.total() for part in sample.split(candidate.test)] == list(candidate.table.rows)
