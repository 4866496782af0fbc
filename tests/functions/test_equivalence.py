"""Equivalence: verdicts against every row, by `predict` alone."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.data.questions import Subset, Threshold
from reference_tree.ensembles.ensemble import Ensemble, Member
from reference_tree.functions import equivalence
from reference_tree.programs.reading import predictor_of_file
from reference_tree.tree import Program
from tests.every import of_every
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


def test_the_same_trees_in_two_programs_have_the_same_scores_and_not_the_same_bits() -> None:
    """XGBoost 3.2 and onnxruntime 1.32 differ in the last place of probabilities of one model."""
    path = Path(__file__).parents[1] / "programs" / "recorded" / "xgboost" / "pima.json"
    model: Any = predictor_of_file(path)
    members = [
        one._replace(tree=replace(one.tree, program=one.tree.program._replace(name="ONNX"))) for one in model.members
    ]
    other = replace(model, members=tuple(members))
    assert rt.equivalent(model, model).verdict == "same answers"
    assert (rt.equivalent(model, other).verdict, rt.equivalent(model, other).how) == ("same scores", "trees")


@of_every(["share", "shares"])
def test_sums_that_are_shares_are_compared_with_shares(combine: str) -> None:
    """P(q) is 1/4 for x <= 1 and 1/2 above, as a tree of classes and as sums."""
    target, (x,) = rt.Attribute("y", ("p", "q")), (rt.Attribute("x"),)
    asked: dict[str, Any] = {"test": Threshold("x", 1), "branches": (1, 2)}
    tree = rt.Tree(target, (x,), (rt.Node((5, 3), "p", **asked), rt.Node((3, 1), "p"), rt.Node((2, 2), "p")))
    sums = [("q", (Fraction(1, 4), Fraction(1, 2)))] + [("p", (Fraction(3, 4), Fraction(1, 2)))] * (combine == "shares")
    members = []
    for label, (below, above) in sums:
        nodes = (rt.Node((), 0, **asked), rt.Node((), below), rt.Node((), above))
        members.append(Member(rt.Tree(target, (x,), nodes), of=label if combine == "shares" else None))
    model = Ensemble(target, (x,), tuple(members), combine, start=(0,) * len(sums))
    assert rt.equivalent(tree, model).verdict in ("same answers", "same scores")
    nodes = (rt.Node((), 0, **asked), rt.Node((), Fraction(1, 4)), rt.Node((), Fraction(3, 4)))
    other = replace(model, members=(members[0]._replace(tree=rt.Tree(target, (x,), nodes)), *members[1:]))
    found = rt.equivalent(tree, other)
    assert (found.verdict, found.row, abs(found.difference or 0)) == ("different", {"x": 2.0}, Fraction(1, 4))


AB, BA = ("a", "b"), ("b", "a")


def stump(classes: tuple[str, ...], *leaves: tuple[str, tuple[int, int]]) -> rt.Tree:
    """Two leaves, of which x <= 0 goes to the first leaf; each has a label, and counts in the order a, b."""
    turned = [rt.Node(counts if classes == AB else counts[::-1], label) for label, counts in leaves]
    root = rt.Node((1, 1), "a", Threshold("x", 0), branches=(1, 2))
    return rt.Tree(rt.Attribute("y", classes), (rt.Attribute("x"),), (root, *turned))


def together(combine: str, *trees: rt.Tree) -> Ensemble:
    return Ensemble(trees[0].target, trees[0].attributes, tuple(map(Member, trees)), combine)


@of_every(["vote", "mean"])
def test_of_equal_shares_the_order_of_classes_decides(combine: str) -> None:
    one, other = (
        together(combine, stump(order, ("a", (1, 0)), ("b", (0, 1))), stump(order, ("b", (0, 1)), ("b", (0, 1))))
        for order in (AB, BA)
    )
    assert (one.predict({"x": -1}), other.predict({"x": -1})) == ("a", "b")
    found = rt.equivalent(one, other)
    assert (found.verdict, found.answers) == ("different", ("a", "b"))
    assert found.row is not None
    assert found.row["x"] <= 0
    assert found.cause == "order of the classes, which decides ties: a, b and b, a"
    assert rt.equivalent(one, other, max_steps=0).verdict == "undecided"
    sure = [together(combine, stump(order, ("a", (3, 1)), ("b", (0, 1)))) for order in (AB, BA)]
    assert rt.equivalent(*sure).verdict == "same answers"


def test_trees_that_break_ties_by_other_orders_differ() -> None:
    one, other = stump(AB, ("a", (1, 1)), ("b", (0, 1))), stump(BA, ("b", (1, 1)), ("b", (0, 1)))
    assert (one.predict({"x": -1}), other.predict({"x": -1})) == ("a", "b")
    assert rt.equivalent(one, other).answers == ("a", "b")
    assert rt.fingerprint(one) != rt.fingerprint(other)


def test_a_tree_with_a_label_of_its_own_is_not_the_mean_of_itself() -> None:
    tree = stump(AB, ("b", (1, 1)), ("a", (3, 1)))
    mean = together("mean", tree)
    assert (tree.predict({"x": -1}), mean.predict({"x": -1})) == ("b", "a")
    found = rt.equivalent(tree, mean)
    assert (found.verdict, found.answers) == ("different", ("b", "a"))
    # A row where one of them has a vote of its own is no row where their answers differ.
    tree = stump(AB, ("a", (1, 1)), ("a", (2, 3)))
    mean = together("mean", stump(AB, ("a", (1, 0)), ("a", (3, 2))), stump(AB, ("b", (0, 1)), ("b", (1, 4))))
    found = rt.equivalent(tree, mean)
    assert found.row is not None
    assert found.row["x"] > 0
    assert found.answers == ("a", "b")


def test_trees_without_counts_are_compared_by_their_classes() -> None:
    silent = [stump(AB, ("a", (0, 0)), ("b", (0, 0))), stump(AB, ("b", (0, 0)), ("b", (0, 0)))]
    one, other = (replace(tree, nodes=(replace(tree.nodes[0], counts=()), *tree.nodes[1:])) for tree in silent)
    found = rt.equivalent(one, other)
    assert (found.verdict, found.answers) == ("different", ("a", "b"))
    with pytest.raises(InputError, match="without their shares"):
        rt.equivalent(one, together("mean", stump(AB, ("a", (3, 1)), ("b", (0, 1)))))


def summed(combine: str, right: Fraction, classes: tuple[str, ...] | None = None) -> Ensemble:
    nodes = (rt.Node((), 0, Threshold("x", 0), branches=(1, 2)), rt.Node((), -1), rt.Node((), right))
    target, (x,) = rt.Attribute("y", classes), (rt.Attribute("x"),)
    return Ensemble(target, (x,), (Member(rt.Tree(target, (x,), nodes)),), combine, start=(0,))


def test_a_tolerance_does_not_compare_a_sum_with_its_exponential() -> None:
    found = rt.equivalent(summed("sum", Fraction(1)), summed("exp", Fraction("1.001")), tolerance="0.01")
    assert found.verdict == "different"
    assert found.answers is not None
    assert list(map(float, found.answers)) == [1, pytest.approx(2.7210, abs=1e-3)]


def test_a_hinge_and_a_logistic_of_one_sum_have_the_same_class() -> None:
    one, other = summed("hinge", Fraction(1), AB), summed("logistic", Fraction(1), AB)
    assert all(one.predict({"x": x}) == other.predict({"x": x}) for x in (-1, 0, 1))
    found = rt.equivalent(one, other)
    assert (found.verdict, found.cause) == ("same class", "link: hinge and logistic")


def test_a_margin_for_the_other_class_has_another_fingerprint() -> None:
    one, other = (summed("logistic", Fraction(1), order) for order in (AB, BA))
    assert (one.predict({"x": 1}), other.predict({"x": 1})) == ("b", "a")
    assert rt.fingerprint(one) != rt.fingerprint(other)


def test_a_row_that_is_no_row_of_numbers_is_refused() -> None:
    one, other = summed("sum", Fraction(1)), summed("sum", Fraction(2))
    for x in ("abc", math.inf):
        with pytest.raises(InputError, match=r"x is .*no finite number"):
            rt.equivalent(one, other, rows=[{"x": x}])
    with pytest.raises(InputError, match="the rows have no value for x, which the models ask for"):
        rt.equivalent(one, other, rows=[{"z": 1}])
    with pytest.raises(InputError, match="has one score, so leave 'b' out"):
        rt.output_range(one, score="b")


def coloured(red: Fraction, rest: Fraction) -> rt.Tree:
    """A tree of numbers that asks whether a colour is red; blue is known as well, and others go with blue."""
    test = Subset("colour", ("red",))
    nodes = (rt.Node((), 0, test, branches=(1, 2)), rt.Node((), red), rt.Node((), rest))
    return rt.Tree(rt.Attribute("y"), (rt.Attribute("colour", ("blue", "red")),), nodes)


def test_a_row_has_categories_that_a_model_knows() -> None:
    """XGBoost refuses a row with a category that was not in its training set, and so cannot be asked about it."""
    found = rt.equivalent(coloured(Fraction(0), Fraction(1)), coloured(Fraction(0), Fraction(2)))
    assert (found.row, found.difference) == ({"colour": "blue"}, Fraction(-1))


def test_what_is_no_model_is_refused_in_one_line() -> None:
    days: Any = rt.textbook("play-tennis")
    tree = rt.ID3().grow(days)
    for ask in (
        lambda: rt.shapley_values(days, [{}]),
        lambda: rt.importances(days, days),
        lambda: rt.equivalent(tree, days),
        lambda: rt.fingerprint(days),
        lambda: rt.depends_on(days),
        lambda: rt.unreachable(days),
        lambda: rt.is_monotonic(days, "wind"),
        lambda: rt.output_range(days),
        lambda: rt.counterfactual(days, {}, target="yes"),
    ):
        with pytest.raises(rt.InputError, match="is no tree and no ensemble; read_predictor and read_foreign read"):
            ask()
