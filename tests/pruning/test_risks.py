"""What the programs mean by risk, size and unit."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.exact.log_sums import log
from reference_tree.node import Deviations, Node
from reference_tree.pruning.cost_complexity import pruning_path
from reference_tree.pruning.risks import (
    PROFILES,
    convention,
    entropy_impurity,
    gini_impurity,
    leaves_with_rows,
    misclassification,
    per_root_risk,
    per_row,
    questions,
    shares,
)
from tests.every import of_every
from tests.strategies import counts


@given(counts())
def test_misclassification_is_what_the_best_constant_answer_gets_wrong(row: list[int]) -> None:
    rows = [label for label, n in enumerate(row) for _ in range(n)]
    errors = min(sum(1 for label in rows if label != answer) for answer in range(len(row)))
    assert misclassification(Node(tuple(row), "a")) == errors


@given(counts())
def test_gini_impurity_counts_pairs_that_disagree(row: list[int]) -> None:
    rows = [label for label, n in enumerate(row) for _ in range(n)]
    disagreeing = sum(1 for one in rows for other in rows if one != other)
    assert gini_impurity(Node(tuple(row), "a")) == Fraction(disagreeing, len(rows))


def test_of_equal_classes_the_first_is_answered_if_no_tie_is_recorded() -> None:
    assert [misclassification(Node((2, 2), "b"), part) for part in ((1, 0), (0, 1))] == [0, 1]
    assert [misclassification(Node((2, 2), "b", tied=("a", "b")), part) for part in ((1, 0), (0, 1))] == [1, 0]


def test_entropy_impurity() -> None:
    assert entropy_impurity(Node((1, 3), "a")) == 4 * log(4) - 3 * log(3)
    assert entropy_impurity(Node((0, 0), "a")) == gini_impurity(Node((0, 0), "a")) == 0


def test_of_numbers_the_risk_is_the_squared_error() -> None:
    node = Node((3, 9, 41), 3)  # 1, 2 and 6
    assert misclassification(node) == gini_impurity(node) == entropy_impurity(node) == 4 + 1 + 9


def test_sizes_and_units() -> None:
    full, empty = Node((1, 3), "a"), Node((0, 0), "a")
    assert [leaves_with_rows(node, True) for node in (full, empty)] == [1, 0]
    assert leaves_with_rows(full, False) == 0
    assert [questions(full, is_leaf) for is_leaf in (True, False)] == [0, 1]
    assert per_row(full, misclassification) == 4
    assert per_root_risk(full, misclassification) == 1
    assert per_root_risk(Node((0, 3), "a"), misclassification) == 1  # a pure root: nothing to be relative to


def test_scikit_learns_risk_is_that_of_growing() -> None:
    tree = rt.ID3().grow(rt.textbook("loan"))
    with pytest.raises(
        InputError, match="the tree does not say which that was; name one of misclassification, gini, entropy"
    ):
        convention(tree, "scikit-learn")
    by_gini = replace(tree, grower=replace(tree.grower, options={"criterion": "gini"}))
    assert convention(by_gini, "scikit-learn").risk is gini_impurity
    assert convention(rt.CART.like("scikit-learn").grow(rt.textbook("iris")), "scikit-learn").risk is gini_impurity
    assert convention(tree, "scikit-learn", "entropy").risk is entropy_impurity


def test_unknown_names_are_refused() -> None:
    tree = rt.ID3().grow(rt.textbook("loan"))
    with pytest.raises(InputError, match=f"there are {', '.join(PROFILES)}"):
        convention(tree, "sklearn")
    with pytest.raises(InputError, match="there is no risk 'error'; there are misclassification, gini, entropy"):
        convention(tree, "rpart", "error")
    empty = replace(tree, nodes=(Node((0, 0), "a", stop="unknown"),))
    with pytest.raises(InputError, match="records no counts"):
        convention(empty, "rpart")
    last_is_empty = replace(tree, nodes=(*tree.nodes[:-1], Node((0, 0), "a", stop="empty", prior=True)))
    assert convention(last_is_empty, "cart-1984").risk is misclassification


# Priors and losses.

TEN = rt.Table.from_columns({"x": list(range(1, 11)), "y": list("nnnnnnpnpn")}, target="y")


def test_with_losses_the_risk_is_what_the_answer_costs() -> None:
    tree = rt.CART(loss={"p": {"n": 5}}).grow(TEN)
    assert (tree.nodes[0].counts, tree.nodes[0].label) == ((8, 2), "p")
    cost = {("n", "p"): 1, ("p", "n"): 5}
    wrong = sum(cost.get((str(row["y"]), str(tree.nodes[0].label)), 0) for row in TEN.rows())
    assert pruning_path(tree).steps[-1].risk == Fraction(wrong, 10) == Fraction(4, 5)
    assert convention(tree, "cart-1984").risk is not misclassification


@pytest.mark.parametrize("chosen", [{"n": 1, "p": 1}, {"n": Fraction(1, 10), "p": Fraction(3, 10)}])
def test_under_priors_the_risk_is_the_share_of_what_rows_stand_for(chosen: dict[str, Fraction]) -> None:
    tree = rt.CART(priors=chosen).grow(TEN)
    total = sum(chosen.values())
    others = [label for label in chosen if label != tree.nodes[0].label]
    assert pruning_path(tree).steps[-1].risk == Fraction(chosen[others[0]]) / total
    shares = [Fraction(prior) / total for prior in chosen.values()]
    assert pruning_path(tree, "li-hang").steps[-1].risk == 1 - sum(share * share for share in shares)
    entropy = pruning_path(tree, risk="entropy").steps[-1].risk
    assert float(entropy) == pytest.approx(-sum(float(share) * math.log2(share) for share in shares))


LOSS = {
    "setosa": {"versicolor": 4, "virginica": 1},
    "versicolor": {"setosa": 1, "virginica": 3},
    "virginica": {"setosa": 2, "versicolor": 1},
}
RARE = {"setosa": Fraction(1, 10), "versicolor": Fraction(3, 10), "virginica": Fraction(6, 10)}
CPTABLES = [
    ({"loss": LOSS}, [("2/3", 0, "1"), ("0.28", 1, "1/3"), ("0.01", 2, "4/75"), ("1/150", 6, "1/75"), ("0", 8, "0")]),
    (
        {"priors": RARE},
        [
            *[("0.63", 0, "1"), ("0.25", 1, "0.37"), ("0.03", 2, "0.12"), ("0.0225", 3, "0.09")],
            *[("0.015", 5, "0.045"), ("0.0075", 6, "0.03"), ("0", 10, "0")],
        ],
    ),
    (
        {"priors": RARE, "loss": LOSS},
        [("0.58", 0, "1"), ("0.336", 1, "0.42"), ("0.03", 2, "0.084"), ("0.009", 3, "0.054"), ("0", 9, "0")],
    ),
]
"""`rpart(species ~ ., iris, parms=..., cp=0, xval=0, minsplit=2, minbucket=1)$cptable` of rpart 4.1.19, with
`loss=matrix(c(0, 1, 2, 4, 0, 1, 1, 3, 0), 3)` and `prior=c(.1, .3, .6)`: CP, splits, relative error."""


@of_every(CPTABLES)
def test_rpart_has_the_same_sequence_with_priors_and_losses(
    options: dict[str, Any], table: list[tuple[str, int, str]]
) -> None:
    tree = rt.CART.like("rpart", min_samples_split=2, min_samples_leaf=1, **options).grow(rt.textbook("iris"))
    found = [(step.alpha, step.leaves - 1, step.risk) for step in pruning_path(tree, "rpart").steps]
    assert found[::-1] == [(Fraction(cp), splits, Fraction(error)) for cp, splits, error in table]


def test_the_unit_of_shares_is_the_weight_of_all_rows_or_what_they_stand_for() -> None:
    assert shares(rt.CART().grow(TEN))(Node((8, 2), "n"), misclassification) == 10
    assert shares(rt.CART(priors={"n": 1, "p": 1}).grow(TEN))(Node((8, 2), "n"), misclassification) == 8 + 4 * 2


def test_priors_and_losses_of_other_classes_are_refused() -> None:
    tree = rt.CART(loss={"p": {"n": 5}}).grow(TEN)
    for strange in ({"loss": {"q": {"n": "5"}}}, {"priors": {"n": "much"}}, {"loss": [1, 2]}):
        other = replace(tree, grower=replace(tree.grower, options=strange))
        with pytest.raises(InputError, match="the priors and losses that this tree records cannot be used"):
            convention(other, "cart-1984")


# Rows that stay.


@of_every([(profile, profile != "rpart") for profile in PROFILES])
def test_all_but_rpart_count_the_rows_that_stay(profile: str, counted: bool) -> None:
    """The two leaves are pure; of the three rows that stay one is wrong."""
    columns: dict[str, list[object]] = {"x": [1, 2, 3, 4, None, None, None], "y": list("nnpppnp")}
    tree = rt.CART(missing="stay").grow(rt.Table.from_columns(columns, target="y"))
    assert bool(pruning_path(tree, profile).steps[0].risk) == counted


@given(counts(), st.data())
def test_the_risk_of_all_rows_is_the_sum_of_its_parts(row: list[int], data: st.DataObject) -> None:
    """Whatever rows of a leaf are asked for, they and the others make up all."""
    part = tuple(data.draw(st.integers(0, n)) for n in row)
    rest = tuple(n - k for n, k in zip(row, part, strict=True))
    largest = tuple(str(place) for place, n in enumerate(row) if n == max(row))
    node = Node(tuple(row), data.draw(st.sampled_from(largest)), tied=largest if len(largest) > 1 else ())
    for risk in (misclassification, gini_impurity, entropy_impurity):
        assert risk(node, part) + risk(node, rest) == risk(node)
    answer = int(str(node.label))
    assert misclassification(node, part) == sum(part) - part[answer]


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=8), st.data())
def test_of_numbers_too(numbers: list[int], data: st.DataObject) -> None:
    mean = Fraction(sum(numbers), len(numbers))
    node = Node((len(numbers), sum(numbers), sum(y * y for y in numbers)), mean)
    part = numbers[: data.draw(st.integers(0, len(numbers)))]
    moments = (len(part), sum(part), sum(y * y for y in part))
    assert misclassification(node, moments) == sum((y - mean) ** 2 for y in part)


def test_absolute_errors_of_some_rows_are_not_known() -> None:
    node = Node(Deviations(3, 2, 5), 2)
    assert misclassification(node, (0, 0, 0)) == 0
    with pytest.raises(InputError, match="their absolute errors are not recorded"):
        misclassification(node, (1, 0, 0))
