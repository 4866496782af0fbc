"""Verdicts: one record is a verdict of both judges, of their order, and of the pages."""

from __future__ import annotations

import pytest

from reference_tree.auditing import verdicts
from reference_tree.auditing.finding import Fault, by_cause
from reference_tree.auditing.verdicts import BARS, RIGHT, STOPS, TABLE, VERDICTS, Verdict, page_table, rule_of
from reference_tree.tree_document import STOPS as REASONS


def test_right_verdicts_come_first_and_causes_before_consequences() -> None:
    assert VERDICTS[: len(RIGHT)] == RIGHT
    names = [one.name for one in TABLE]
    assert len(set(names)) == len(names)
    faults = [Fault(one, "", "") for one in ("wrong-leaf", "suboptimal", "wrong-counts", "wrong-threshold")]
    assert [one.verdict for one in by_cause([*faults, None])] == [one.verdict for one in reversed(faults)]


def test_a_new_verdict_is_one_record(monkeypatch: pytest.MonkeyPatch) -> None:
    made_up = Verdict("wrong-colour", "has a colour that its rows have not", ("colour.",), rule="colour")
    monkeypatch.setattr(verdicts, "TABLE", (*TABLE[:4], made_up, *TABLE[4:]))
    faults = [Fault("suboptimal", "", ""), Fault("wrong-colour", "", ""), Fault("wrong-threshold", "", "")]
    assert [one.verdict for one in by_cause(faults)] == ["wrong-threshold", "wrong-colour", "suboptimal"]
    assert rule_of("wrong-colour", ["measure.gini", "colour.red"]) == "colour.red"
    assert rule_of("wrong-colour", []) == "colour"
    for by in ("audit", "check"):
        assert "| `wrong-colour` | has a colour that its rows have not |" in page_table(by)


def test_a_figure_has_a_verdict_of_its_own_name() -> None:
    assert rule_of("wrong-margin", ["measure.gini", "stop.pure"]) == "measure.gini"
    assert not rule_of("absent", ["measure.gini"])


def test_every_reason_of_a_leaf_that_a_learner_has_is_in_words() -> None:
    assert set(STOPS) <= set(REASONS) | {"min-child-weight", "zero-gain"}
    assert all(one.words for one in (*BARS.values(), *STOPS.values()))
