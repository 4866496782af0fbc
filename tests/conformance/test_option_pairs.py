"""Pairs of options: each pair of values that a learner takes together is set by a case."""

from __future__ import annotations

from reference_tree.conformance.cases import cases
from reference_tree.ensembles.registry import RECORDED
from tests.conformance.option_pairs import FILE, covered, is_taken, last_number, pairs, set_together, values
from tests.conformance.test_goldens import IDS, load
from tests.conformance.test_option_values import OTHER
from tests.every import of_every


@of_every(RECORDED)
def test_every_pair_that_a_learner_takes_is_set_by_some_golden(name: str) -> None:
    """If not: `python -m tests.conformance.option_pairs`, and the goldens of its cases."""
    found = covered(name, [load(one) for one in IDS])
    assert [pair for pair in pairs(name) if pair not in found and is_taken(name, dict(pair))] == []


def test_a_pair_is_set_by_what_is_told_and_by_what_is_usual() -> None:
    assert values("id3")["max_depth"] == ["null", OTHER]
    found = set_together("id3", {"max_depth": 2, "min_samples_leaf": "0"})
    assert (("max_depth", OTHER), ("min_samples_leaf", '"0"')) in found
    assert (("epsilon", '"0"'), ("max_depth", OTHER)) in found
    assert len(found) == len(list(values("id3"))) * (len(list(values("id3"))) - 1) // 2


def test_a_case_that_is_added_takes_no_id_that_is_there() -> None:
    """The id of a case is permanent."""
    goldens = [
        {"id": one} for one in ("pairs/gradient-2", "pairs/gradient-tree-10", "pairs/gradient-tree-9", "cart/a-11")
    ]
    assert [last_number(name, goldens) for name in ("gradient", "gradient-tree", "cart")] == [2, 10, 0]


def test_the_file_names_the_command_that_writes_it() -> None:
    assert FILE.read_text(encoding="utf-8").startswith(
        "# Values of options that no other case sets together: `python -m "
    )
    assert any(name.startswith("pairs/") for name in cases())
