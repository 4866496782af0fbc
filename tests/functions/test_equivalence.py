"""Equivalence: verdicts against every row, by `predict` alone."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.functions import equivalence
from reference_tree.tree import Program
from tests.functions.drawn_pairs import check_pair, drawn_model, restructured


def test_every_row_says_the_same() -> None:
    """`python -m tests.functions.drawn_pairs 5000` tries more."""
    chance = Random(44)
    verdicts = [check_pair(chance).verdict for _ in range(100)]
    assert {"same answers", "different", "same class"} <= set(verdicts)


@pytest.mark.more
def test_every_row_of_more_pairs() -> None:
    chance = Random(45)
    for _ in range(1000):
        check_pair(chance)


def test_fingerprints_decide_where_the_polynomial_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(equivalence, "polynomial", lambda boxes, domain: None)
    chance = Random(46)
    verdicts = [check_pair(chance) for _ in range(40)]
    assert {"fingerprint", "trees"} <= {verdict.how for verdict in verdicts}


def test_models_in_other_trees_have_one_fingerprint() -> None:
    chance = Random(47)
    for _ in range(20):
        model = drawn_model(chance, "sum")
        other = restructured(chance, model)
        if set(model.cuts) == set(other.cuts):  # a test of another attribute may refuse, or name, a further cell
            prints = {rt.fingerprint(each, complete=True) for each in (model, other)}
            assert len(prints) == 1


def test_exact_sums_are_not_yet_answers() -> None:
    """Trees of a program that adds up floats, in another order."""
    table = rt.textbook("li-hang-8.2")
    model = rt.GradientBoosting(trees=3).grow(table)
    held = replace(
        model,
        members=tuple(
            member._replace(tree=replace(member.tree, program=Program("a program", sums="float32")))
            for member in model.members
        ),
    )
    turned = replace(held, members=held.members[::-1])
    assert rt.equivalent(held, held).verdict == "same answers"
    assert rt.equivalent(held, turned).verdict == "same scores"
    assert rt.equivalent(model, replace(model, members=model.members[::-1])).verdict == "same answers"


def test_a_row_of_the_user_is_asked_first() -> None:
    days = rt.textbook("play-tennis")
    one, other = rt.ID3().grow(days), rt.ID3(max_depth=1).grow(days)
    rows = [row for row in days.rows() if one.predict(row) != other.predict(row)]
    found = rt.equivalent(one, other, rows=days)
    assert found.how == "row"
    assert found.row == {name: rows[0][name] for name in ("humidity", "outlook", "wind")}
    assert found.answers == (one.predict(rows[0]), other.predict(rows[0]))


def test_a_row_moves_to_those_of_the_user() -> None:
    """No row of the user differs; the one that does keeps what it can of the first of them."""
    iris = rt.textbook("iris")
    tree = rt.CART(max_depth=2).grow(iris)
    place = next(place for place, node in enumerate(tree.nodes) if node.test is not None and place)
    node = tree.nodes[place]
    moved = replace(node, test=replace(node.test, threshold=node.test.threshold + Fraction(1, 1000)))  # type: ignore[type-var,union-attr]
    other = replace(tree, nodes=tuple(moved if at == place else each for at, each in enumerate(tree.nodes)))
    first = dict(next(iter(iris.rows())))
    found = rt.equivalent(tree, other, rows=[first])
    assert found.row is not None
    assert found.answers is not None
    assert found.answers[0] != found.answers[1]
    assert found.cause.startswith("threshold of 1 node")


def test_a_link_is_a_cause() -> None:
    table = rt.textbook("li-hang-8.2")
    model = rt.GradientBoosting(trees=2).grow(table)
    found = rt.equivalent(model, replace(model, combine="exp"))
    assert (found.verdict, found.cause) == ("different", "link: none and exp")
    assert found.answers is not None
    assert found.answers[0] != found.answers[1]


def test_within_a_tolerance() -> None:
    table = rt.textbook("li-hang-8.2")
    model = rt.BoostingTree(trees=3).grow(table)
    near = replace(model, start=(Fraction(model.start[0]) + Fraction(1, 1000),))
    assert rt.equivalent(model, near).cause == "start"
    found = rt.equivalent(model, near, tolerance="0.001")
    assert found.verdict == "same within"
    assert found.bounds == (Fraction(-1, 1000), Fraction(0))
    assert rt.equivalent(model, near, tolerance="0.0009").verdict == "different"
    more = rt.BoostingTree(trees=6).grow(table)
    undecided = rt.equivalent(model, more, tolerance="1/3", max_steps=0)
    assert (undecided.verdict, undecided.same) == ("undecided", None)
    for bad in ("-1", "much"):
        with pytest.raises(InputError, match="tolerance"):
            rt.equivalent(model, near, tolerance=bad)


@pytest.mark.slow
def test_no_row_depends_on_the_order_of_hashes() -> None:
    code = (
        "import reference_tree as rt; days = rt.textbook('play-tennis'); iris = rt.textbook('iris');"
        "print(rt.equivalent(rt.ID3().grow(days), rt.ID3(max_depth=1).grow(days)));"
        "print(rt.equivalent(rt.CART().grow(iris), rt.CART(max_depth=2).grow(iris)));"
        "print(rt.counterfactual(rt.CART().grow(iris), next(iter(iris.rows())), 'virginica'))"
    )
    said = {
        subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, check=True, env=env).stdout
        for env in ({**os.environ, "PYTHONHASHSEED": seed} for seed in ("1", "2", "3"))
    }
    assert len(said) == 1
