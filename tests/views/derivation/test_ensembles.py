"""Derivations of ensembles: the tree of a round from its own rows, and a vote that is counted."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.data.textbook import textbook
from reference_tree.ensembles.bagging import Bagging
from reference_tree.ensembles.boosting_tree import BoostingTree
from reference_tree.ensembles.random_forest import RandomForest
from reference_tree.exact.log_sums import log
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.id3 import ID3
from reference_tree.tree import Grower
from reference_tree.views.derivation.blocks import DecisionTable, Heading, Ranking, Scope, Sentence
from reference_tree.views.derivation.ensembles import derive_votes, explain_votes, explained_round

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


@pytest.mark.parametrize("base", [ID3(), C45(), CART()], ids=lambda base: base.name)
@pytest.mark.parametrize("rule", [1, 2, "all"])
def test_a_node_of_a_forest_shows_the_attributes_it_drew_and_no_other(base: Any, rule: Any) -> None:
    table = textbook("play-tennis")
    forest = RandomForest(base=base, trees=2, seed=3, attributes=rule)
    found = forest.grow(table)
    for number in (1, 2):
        blocks = list(explained_round(found, table, number, Scope()))
        headings = [block for block in blocks if isinstance(block, Heading)]
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
