"""Why a leaf is one, and where rows with a missing value go: what a tree says of it has to be true."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from math import fsum
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.auditing.stated import ROUNDED, Closeness, found_no_impurity, is_near, is_near_mean
from reference_tree.data.questions import Missing
from reference_tree.node import Deviations, Node
from reference_tree.programs.scikit_learn.objects import EPSILON
from reference_tree.tree import Program
from tests.auditing.trees import GROWN, TABLE, changed, verdicts
from tests.auditing.trees import SIZES as OF_SIZES
from tests.every import of_every

GAPS = rt.Table.from_columns({"x": [1, 2, 3, 4, 5, None], "y": [*"nnyyyn"]})


@of_every(["max-depth", "min-samples-split", "no-candidates", "empty"])
def test_a_tree_of_ours_gives_the_reason_of_its_learner(said: str) -> None:
    leaf = next(number for number, node in enumerate(GROWN.nodes) if node.stop == "pure")
    assert verdicts(changed(GROWN, leaf, stop=said)) == {leaf: ["wrong-stop"]}
    assert verdicts(changed(GROWN, leaf, stop="unknown")) == {}


def test_a_leaf_of_two_classes_is_not_pure() -> None:
    shallow = rt.CART(max_depth=1).grow(TABLE)
    (leaf,) = (number for number, node in enumerate(shallow.nodes) if node.stop == "max-depth")
    assert verdicts(changed(shallow, leaf, stop="pure")) == {leaf: ["wrong-stop"]}
    foreign = replace(changed(shallow, leaf, stop="pure"), program=Program("a program"))
    assert verdicts(foreign, rt.CART(max_depth=1)) == {leaf: ["wrong-stop"]}
    assert "wrong-stop" in verdicts(changed(shallow, leaf, stop="pure"), pruned=True)[leaf], "pruning excuses no reason"


def test_another_learner_may_have_another_reason() -> None:
    """The reason is judged where the tree is held against what it records, and by its rows otherwise."""
    leaf = next(number for number, node in enumerate(GROWN.nodes) if node.stop == "pure")
    other = changed(GROWN, leaf, stop="max-depth")
    assert verdicts(other, rt.CART(min_samples_split=3)) == {}
    assert verdicts(other, pruned=True) == {}


@pytest.mark.parametrize("rule", ["branch", "surrogates"])
def test_rows_without_an_answer_go_where_the_learner_sends_them(rule: Any) -> None:
    grown = rt.CART(missing=rule).grow(GAPS)
    missing = grown.nodes[0].missing
    assert missing.to == 1
    assert verdicts(grown, table=GAPS) == {}
    wrong = replace(missing, to=0)
    assert "wrong-missing" in verdicts(changed(grown, 0, missing=wrong), table=GAPS)[0]
    complete = rt.Table.from_columns({"x": [1, 2, 3, 4, 5], "y": [*"nnyyy"]})
    whole = rt.CART(missing="branch").grow(complete)
    assert verdicts(changed(whole, 0, missing=Missing(to=0)), table=complete) == {0: ["wrong-missing"]}
    assert verdicts(changed(whole, 0, missing=Missing(to=0)), rt.CART(missing="stay"), table=complete) == {}


def test_the_side_that_scikit_learn_learned_is_the_better_one() -> None:
    """Any right tree passes; the other side is wrong unless it is worth as much."""
    trees, nan, wrong = pytest.importorskip("sklearn.tree"), float("nan"), 0
    chance = Random(2)
    for _ in range(15):
        x = [chance.choice([1.0, 2.0, 3.0, nan]) for _ in range(10)]
        y = [chance.choice("ab") for _ in x]
        table = rt.Table.from_columns({"x0": [None if one != one else one for one in x], "y": y})
        model = trees.DecisionTreeClassifier(max_depth=1).fit([[one] for one in x], y)
        assert rt.audit(model, table).is_right
        (document,) = rt.read_foreign(model, target="y")
        root: dict[str, Any] = document["nodes"][0]
        if nan in x and "missing" in root:
            root["missing"]["to"] = 3 - root["missing"]["to"]
            found = rt.audit(rt.from_json(json.dumps(document)), table)
            wrong += "wrong-missing" in [fault.verdict for fault in found.findings[0].faults]
    assert wrong > 5


# How near numbers have to be.

SIZES = st.floats(-1e15, 1e15, allow_subnormal=False)


def moments(numbers: list[float]) -> tuple[Fraction, Fraction, Fraction]:
    """The moments of some doubles, exactly."""
    exact = list(map(Fraction, numbers))
    return Fraction(len(exact)), sum(exact, Fraction(0)), sum((y * y for y in exact), Fraction(0))


@given(st.lists(SIZES, min_size=1, max_size=30), st.lists(SIZES, min_size=1, max_size=30))
@example([0.0], [8.641745940540466e-235])
def test_what_is_subtracted_in_doubles_is_near(left: list[float], right: list[float]) -> None:
    """The sums of one branch as a program has them: those of the node, less those of the other branch."""
    squares, sizes = 0.0, 0.0
    for y in [*left, *right]:
        squares, sizes = squares + y * y, sizes + abs(y)
    for y in left:
        squares, sizes = squares - y * y, sizes - abs(y)
    above = moments([*left, *right])
    assert is_near(Fraction(squares) - moments(right)[2], above)
    assert is_near(Fraction(sizes) - sum(abs(Fraction(y)) for y in right), above, absolute=True)


@given(st.lists(SIZES, min_size=1, max_size=30))
def test_a_mean_of_doubles_is_near(numbers: list[float]) -> None:
    total = 0.0
    for y in numbers:
        total += y
    found = moments(numbers)
    assert is_near_mean(Fraction(total / len(numbers)) - found[1] / found[0], found)
    assert is_near_mean(Fraction(fsum(numbers) / len(numbers)) - found[1] / found[0], found)


def test_what_is_further_off_is_not_near() -> None:
    added = (4, 10, 30)
    assert is_near(30 * ROUNDED, added)
    assert not is_near(-31 * ROUNDED, added)
    assert is_near(-10 * ROUNDED, added, absolute=True)  # 10² is at most 4 * 30
    assert not is_near(11 * ROUNDED, added, absolute=True)
    assert not is_near_mean(10 * ROUNDED, added)


def test_an_impurity_of_epsilon_is_none() -> None:
    assert found_no_impurity(Node(Deviations(2, 1, 2 * EPSILON), 1)) is True
    assert found_no_impurity(Node(Deviations(2, 1, 3 * EPSILON), 1)) is False
    assert found_no_impurity(Node((2, 1), "no")) is None
    assert found_no_impurity(Node((0, 0, 0), 1)) is None


MEANS = rt.CART().grow(OF_SIZES)


def near(**program: Any) -> Closeness:
    return Closeness.of(replace(MEANS, program=Program("p", **program)) if program else MEANS)


def test_numbers_of_ours_are_exact_and_those_of_a_program_are_rounded() -> None:
    found = (3, 9, 41)
    close = (3, 9, 41 + Fraction(1, 2**45))
    assert near().counts(found, found, found)
    assert not near().counts(close, found, found)
    assert near(numbers="double").counts(close, found, found)
    assert not near(numbers="double").counts((3, 9, 42), found, found)
    assert near(numbers="double", silent=frozenset({"errors"})).counts((3, 9, 42), found, found)
    assert not near(numbers="double").counts((4, 9, 41), found, found)
    assert not near().counts(Deviations(3, 2, 4), Deviations(3, 2, 5), found)


def test_an_error_is_as_exact_as_the_sums_above_that_it_was_subtracted_from() -> None:
    """Below 10¹², 10¹², 1, 2, 3, 4 scikit-learn 1.9.1 says that 1, 2, 3, 4 have no error; it is 5."""
    found, own = (4, 10, 30), (4, 10, 25)
    program = near(numbers="double")
    assert program.counts(own, found, (6, 2 * 10**12 + 10, 2 * 10**24 + 30))
    assert not program.counts(own, found, (6, 210, 20030))
    sizes, there = Deviations(4, Fraction(5, 2), 4), Deviations(4, Fraction(5, 2), Fraction(39, 10))
    assert program.counts(there, sizes, (6, 2 * 10**12 + 10, 2 * 10**24 + 30))
    assert not program.counts(there, sizes, (6, 210, 20030))
    assert not near().counts(own, found, (6, 2 * 10**12 + 10, 2 * 10**24 + 30)), "ours are exact"


def test_a_number_of_weighted_rows_is_a_sum_of_doubles() -> None:
    program = near(numbers="double")
    assert program.counts((Fraction(0.1 + 0.2), 1, 7), (Fraction(3, 10), 1, 7), (1, 1, 7))
    assert not near().counts((Fraction(0.1 + 0.2), 1, 7), (Fraction(3, 10), 1, 7), (1, 1, 7))


def test_fractions_of_a_row_are_rounded_where_a_program_prints_them() -> None:
    tree = rt.CART().grow(TABLE)
    printed, found = (2, Fraction("0.333333")), (2, Fraction(1, 3))
    assert not Closeness.of(tree).counts(printed, found, found)
    program = Closeness.of(replace(tree, program=Program("p")))
    assert program.counts(printed, found, found)
    assert not program.counts((2, Fraction("0.3334")), found, found)
    assert not program.counts((2, Fraction("0.999999999")), (2, 1), found), "a whole row is a whole row"


def test_the_weights_of_many_rows_may_be_off_by_a_rounding_of_each() -> None:
    """As those of scikit-learn are: 10^5 rows of weight 0.1."""
    rows, weight, added = 10**5, Fraction(0.1), 0.0
    for _ in range(rows):
        added += 0.1
    exact = rows * weight
    assert abs(Fraction(added) - exact) > exact / 2**40
    assert Closeness(TABLE.schema.target, "double", added=rows).weight(Fraction(added), exact, exact)
    assert not Closeness(TABLE.schema.target, "double").weight(Fraction(added), exact, exact)
    assert Closeness(TABLE.schema.target, "double").weight(exact * (1 + Fraction(1, 2**44)), exact, exact)
