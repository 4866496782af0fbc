"""Findings: verdicts, causes first, and what a bad question loses."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import pytest

from reference_tree.auditing.finding import (
    BARS,
    RIGHT,
    STOPS,
    VERDICTS,
    Fault,
    Finding,
    Regret,
    by_cause,
    rule_of,
    shown,
)
from reference_tree.auditing.verdicts import TABLE
from reference_tree.data.questions import Subset, Threshold
from reference_tree.exact.log_sums import log
from reference_tree.tree_document import STOPS as REASONS
from tests.made_up import House


def test_right_verdicts_come_first_and_causes_before_consequences() -> None:
    assert VERDICTS[: len(RIGHT)] == RIGHT
    names = [one.name for one in TABLE]
    assert len(set(names)) == len(names)
    faults = [Fault(one, "", "") for one in ("wrong-leaf", "suboptimal", "wrong-counts", "wrong-threshold")]
    assert [one.verdict for one in by_cause([*faults, None])] == [one.verdict for one in reversed(faults)]


MADE_UP = '''
"""A verdict that nobody needs: a node has more than two branches."""

from reference_tree.auditing.verdicts import Verdict


def too_many(judge, at, stated):
    """The fault of a node with more than two branches."""
    if stated.test is not None and len(stated.test.outcomes) > 2:
        yield f"it has {len(stated.test.outcomes)} branches"


WIDE = Verdict(
    "wide", "has more than two branches", ("branching.",), rule="branching", after="suboptimal", finds=too_many
)
'''

SAYS = """
from reference_tree.auditing.finding import VERDICTS, page_table, rule_of

print(VERDICTS[VERDICTS.index("suboptimal") :][:2], rule_of("wide", ["branching.multiway"]))
print(all("| `wide` | has more than two branches |" in page_table(by) for by in ("audit", "check")))
"""


@pytest.mark.slow
def test_a_made_up_verdict_is_one_file(tmp_path: Path) -> None:
    house = House.with_module("reference_tree.auditing.verdicts", MADE_UP, tmp_path)
    cart = ["--learner", "cart"]
    _, wide, _, narrow = house.commands(
        ["grow", "play-tennis", "-o", "tree.json"],
        ["audit", "tree.json", "play-tennis"],
        ["grow", "play-tennis", *cart, "-o", "cart.json"],
        ["audit", "cart.json", "play-tennis"],
    )
    assert (wide.status, narrow.status) == (1, 0)
    assert all(words in wide.out for words in ("1 of 8 nodes is wrong", "wide", "it has 3 branches"))
    assert house.python(SAYS) == "('suboptimal', 'wide') branching.multiway\nTrue\n"


def test_a_figure_has_a_verdict_of_its_own_name() -> None:
    assert rule_of("wrong-margin", ["measure.gini", "stop.pure"]) == "measure.gini"
    assert not rule_of("absent", ["measure.gini"])


def test_every_reason_of_a_leaf_that_a_learner_has_is_in_words() -> None:
    assert set(STOPS) <= set(REASONS) | {"min-child-weight", "zero-gain"}
    assert all(one.words for one in (*BARS.values(), *STOPS.values()))


def test_a_regret_is_lost_by_every_row() -> None:
    regret = Regret(Fraction(1, 4), "x<=1", Fraction(1, 2), 12, "gini_decrease")
    assert (regret.per_row, regret.in_all) == (Fraction(1, 4), 3)


def test_a_long_threshold_is_shown_with_twelve_digits() -> None:
    single = Threshold("x", Fraction(13421773, 16777216))
    assert (shown(single).name, shown(Threshold("y", 2)).name) == ("x<=0.800000011921", "y<=2")
    assert shown(Subset("c", ("a",) * 40)).name == Subset("c", ("a",) * 40).name


def test_a_finding_without_faults_is_right() -> None:
    assert Finding(0, "optimal", 3, "x<=1").is_right
    assert not Finding(0, "wrong-leaf", 3, "no", (Fault("wrong-leaf", "it answers no", "label"),)).is_right


def test_a_regret_of_ratios_is_lost_by_every_row() -> None:
    """A ratio of logarithms can be multiplied; the difference of two cannot."""
    one, other = log(3) / log(2), log(5) / log(3)
    regret = Regret(other, "a", one, 12, "ratio")
    assert regret.in_all > 0
    assert float(regret.in_all) == pytest.approx(12 * (math.log2(3) - math.log(5, 3)))
