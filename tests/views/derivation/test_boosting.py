"""Rounds of boosting worked out: every line is right by a calculator, and every table by what is counted by hand."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.ensembles.adaboost import AdaBoost
from reference_tree.ensembles.boosting_tree import BoostingTree
from reference_tree.views.derivation.boosting import ROWS, adaboost_round, boosting_tree_round, round_of
from reference_tree.views.derivation.writers import text
from reference_tree.views.derivation.writers.pages import markdown
from tests import strategies
from tests.strategies import at_most
from tests.views.calculator import check

LI_HANG = rt.textbook("li-hang-8.1")
STUMP = rt.CART(max_depth=1, min_samples_split=0, min_samples_leaf=0)


def derivation(learner: AdaBoost, table: rt.Table, number: int) -> str:
    found = list(learner.rounds(table))[number - 1]
    return "\n".join(text.write(adaboost_round(learner, found, table)))


def test_the_second_round_of_table_8_1() -> None:
    page = derivation(AdaBoost(trees=3), LI_HANG, 2)
    assert "e_2     = 3·(1/14) = 3/14 ≈ 0.214286\n" in page
    assert "α_2     = ln((1 − 3/14) / (3/14)) / 2 ≈ 0.649641\n" in page
    assert "c_right = 1 / (2·(1 − 3/14)) = 7/11 ≈ 0.636364\n" in page
    assert "c_wrong = 1 / (2·(3/14)) = 7/3 ≈ 2.333333\n" in page
    assert "row   x    y   G_2(x)               w_2               w_3\n" in page
    assert "  4   3   -1        1   1/14 ≈ 0.071429    1/6 ≈ 0.166667   wrong\n" in page
    assert page.count("   wrong\n") == 3
    assert page.endswith("Together, the correctly classified rows now weigh 1/2, and the others 1/2.")


@pytest.mark.parametrize("algorithm", ["m1", "samme"])
@at_most(25)
@given(table=strategies.mixed_tables(rows=9))
def test_every_line_by_a_calculator(algorithm: Any, table: rt.Table) -> None:
    learner = AdaBoost(base=STUMP, trees=3, algorithm=algorithm)
    for found in learner.rounds(table):
        page = "\n".join(text.write(adaboost_round(learner, found, table)))
        assert check(page) >= (0 if found.is_perfect or found.is_chance else 3)


@at_most(25)
@given(strategies.mixed_tables(rows=9))
def test_the_columns_of_weights_are_those_of_two_rounds(table: rt.Table) -> None:
    learner = AdaBoost(base=STUMP, trees=2)
    rounds = list(learner.rounds(table))
    if len(rounds) < 2 or rounds[0].is_perfect:
        return
    _, block, *_ = adaboost_round(learner, rounds[0], table)
    before, after = ([row[-3 + place] for row in block.rows] for place in (0, 1))  # type: ignore[union-attr]
    for found, shown in ((rounds[0], before), (rounds[1], after)):
        assert [float(str(cell).split(" ")[-1]) for cell in shown] == pytest.approx(
            [float(w) for w in found.weights], abs=1e-6
        )


@pytest.mark.slow
def test_of_many_rows_the_first_are_shown() -> None:
    page = derivation(AdaBoost(base=STUMP), rt.textbook("iris"), 1)
    assert f"The rows in round 1: the first {ROWS} of 150\n" in page
    assert len(re.findall(r"^ *\d+   .*setosa", page, re.MULTILINE)) == ROWS


def test_why_there_are_no_more_rounds() -> None:
    perfect = derivation(AdaBoost(base=rt.CART()), LI_HANG, 1)
    assert perfect.endswith("The tree makes no mistake: its vote would have no bound, and it is kept alone.")
    assert "α" not in perfect
    exclusive = rt.Table.from_columns({"a": list("pprr"), "b": list("prpr"), "y": list("nyyn")})
    assert "No better than chance, 1/2 = 1/2: the tree is left out" in derivation(AdaBoost(), exclusive, 1)


def test_long_weights_are_put_on_a_grid() -> None:
    days = rt.textbook("play-tennis")
    page = derivation(AdaBoost(bits=8, trees=3), days, 2)
    assert "These weights are long, and are put on a grid of 2^-8." in page.replace("\n", " ")
    assert "grid" not in derivation(AdaBoost(trees=3), days, 2)


def test_a_round_of_a_boosting_tree() -> None:
    """The residuals of table 8.3, and the loss, added up by hand."""
    table = rt.textbook("li-hang-8.2")
    first, second = BoostingTree(trees=2).rounds(table)
    page = "\n".join(text.write(boosting_tree_round(second, table)))
    assert "row    x      y         r_2       r_2²      T_2(x)         r_3       r_3²\n" in page
    assert "  1    1   5.56   −0.676667   0.457878   −0.513333   −0.163333   0.026678\n" in page
    assert "sum                           1.930008                           0.800675\n" in page
    assert page.endswith("The squared error of all trees so far falls from 1.930008 to 0.800675.")
    assert sum((Fraction(r) ** 2 for r in first.left), Fraction(0)) == first.loss


@pytest.mark.parametrize(
    ("learner", "name"), [(AdaBoost(trees=3), "li-hang-8.1"), (BoostingTree(trees=3), "li-hang-8.2")]
)
def test_the_round_of_a_tree(learner: Any, name: str) -> None:
    table = rt.textbook(name)
    ensemble = learner.grow(table)
    for number in (1, 2, 3):
        lines = list(markdown(round_of(ensemble, table, number)))
        assert any(f"The rows in round {number}" in line for line in lines)


def test_there_are_no_rounds_in_a_bag() -> None:
    table = rt.textbook("play-tennis")
    assert list(round_of(rt.Bagging(trees=2).grow(table), table, 1)) == []


@pytest.mark.parametrize("learner", [AdaBoost(trees=2), BoostingTree(trees=2)])
def test_another_table_is_told(learner: Any) -> None:
    name = "li-hang-8.1" if isinstance(learner, AdaBoost) else "li-hang-8.2"
    ensemble = learner.grow(rt.textbook(name))
    other = rt.textbook(name).take([0, 1, 2, 3, 4])
    with pytest.raises(InputError, match="was grown from a table with other rows"):
        list(round_of(ensemble, other, 2))
