"""Derivations of ensembles: the tree of a round from its own rows, and a vote that is counted."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.data.textbook import textbook
from reference_tree.ensembles.adaboost import AdaBoost
from reference_tree.ensembles.bagging import Bagging
from reference_tree.ensembles.boosting_tree import BoostingTree
from reference_tree.ensembles.random_forest import RandomForest
from reference_tree.exact.log_sums import log
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.id3 import ID3
from reference_tree.tree import Grower
from reference_tree.views.derivation.blocks import DecisionTable, NodeHeading, Ranking, Scope, Sentence
from reference_tree.views.derivation.ensembles import (
    adaboost_round,
    boosting_tree_round,
    derive_votes,
    explain_votes,
    explained_round,
    round_of,
)
from reference_tree.views.derivation.gradient_boosting import ROWS
from reference_tree.views.derivation.writers import text
from reference_tree.views.derivation.writers.pages import markdown
from tests import strategies
from tests.strategies import at_most
from tests.views.calculator import check

ROW = {"outlook": "sunny", "temperature": "hot", "humidity": "high", "wind": "weak"}


@pytest.mark.covers("N4 Using multiple decision trees: vote")
def test_the_votes_are_those_of_the_trees() -> None:
    forest = RandomForest(base=ID3(max_depth=1), trees=9, seed=1).grow(textbook("play-tennis"))
    blocks = list(derive_votes(forest, ROW))
    answers, counted = [block for block in blocks if isinstance(block, DecisionTable)]
    votes = Counter(member.tree.predict(ROW) for member in forest.members)
    assert [row[1] for row in answers.rows] == [member.tree.predict(ROW) for member in forest.members]
    assert [row[:2] for row in counted.rows] == [(label, str(votes[label])) for label in ("no", "yes")]
    assert blocks[-1] == Sentence(f"Prediction: {forest.predict(ROW)}, the class with the highest score.")


def test_a_tie_is_said() -> None:
    bag = Bagging(base=ID3(max_depth=1), trees=2).grow(textbook("play-tennis"))
    assert {member.tree.predict(ROW) for member in bag.members} == {"no", "yes"}
    assert explain_votes(bag, ROW).endswith(
        "Prediction: no; no, yes are tied, and it is the first of them in class order.\n"
    )


def test_weights_that_are_logarithms_are_rounded_to_be_read() -> None:
    bag = Bagging(base=ID3(max_depth=1), trees=2).grow(textbook("play-tennis"))
    weights = (log(2, math.e), log(3, math.e))
    members = (member._replace(weight=weight) for member, weight in zip(bag.members, weights, strict=True))
    page = explain_votes(replace(bag, members=tuple(members)), ROW)
    assert "0.693147" in page
    assert "1.098612" in page
    assert "0.386853" in page, "log 2 / log 6"


def test_numbers_are_averaged() -> None:
    bag = Bagging(base=CART(max_depth=1), trees=2).grow(textbook("iris").predicting("sepal length"))
    row = next(textbook("iris").rows())
    (answers,) = [block for block in derive_votes(bag, row) if isinstance(block, DecisionTable)]
    assert len(answers.rows) == 2
    assert explain_votes(bag, row).endswith("the mean of the predictions of the trees, by their weights.\n")


def test_numbers_of_boosted_trees_are_added_up() -> None:
    sums = BoostingTree(trees=2).grow(textbook("li-hang-8.2"))
    total = sum(Fraction(member.tree.predict({"x": 3})) for member in sums.members)
    page = explain_votes(sums, {"x": 3})
    end = "the sum of the start 0 and of the predictions of the trees.\n"
    assert page.endswith(f"Prediction: {float(total):.6g}, {end}")


@pytest.mark.one_in(1, 4)
@pytest.mark.parametrize("base", [ID3(), C45(), CART()], ids=lambda base: base.name)
@pytest.mark.parametrize("rule", [1, 2, "all"])
def test_a_node_of_a_forest_shows_the_attributes_it_drew_and_no_other(base: Any, rule: Any) -> None:
    table = textbook("play-tennis")
    forest = RandomForest(base=base, trees=2, seed=3, attributes=rule)
    found = forest.grow(table)
    for number in (1, 2):
        blocks = list(explained_round(found, table, number, Scope()))
        headings = [block for block in blocks if isinstance(block, NodeHeading)]
        assert len(headings) == len(found.members[number - 1].tree.nodes)
        drawn: set[str] = set()
        rankings = 0
        for block in blocks:
            if isinstance(block, Sentence) and block.text.startswith("Drawn: "):
                drawn = set(block.text.removeprefix("Drawn: ").removesuffix(".").split(", "))
                assert len(drawn) >= 1
            if isinstance(block, Ranking):
                rankings += 1
                assert {re.split("=| in ", line.name)[0] for line in block.lines} <= drawn
        assert rankings > 0


def test_a_bagged_tree_is_derived_as_any_other() -> None:
    """From the rows drawn for it, as a tree grown from them would be; nothing is drawn at its nodes."""
    table = textbook("golf")
    bag = Bagging(base=C45(), trees=2).grow(table)
    assert not [b for b in explained_round(bag, table, 1) if isinstance(b, Sentence) and b.text[:6] == "Drawn:"]


def test_an_ensemble_of_another_program_is_refused() -> None:
    bag = Bagging(base=ID3(), trees=1).grow(textbook("play-tennis"))
    with pytest.raises(InputError, match="there is no ensemble 'unknown'"):
        list(explained_round(replace(bag, grower=Grower()), textbook("play-tennis"), 1))
    with pytest.raises(InputError, match="not grown from this table"):
        list(explained_round(bag, textbook("watermelon-2.0"), 1))


# The rounds of boosting.

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


@pytest.mark.one_in(1, 2)
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
