"""Decisions in a golden: what is recorded, and which rules it is recorded to exercise."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from reference_tree.conformance.decisions import decisions_json, label_json, rules_of
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.ensembles.derivatives import given
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.gradient_tree import GradientTree
from reference_tree.learners.growing import grow, revisit
from reference_tree.learners.id3 import ID3
from tests.every import of_every

XOR = Table.from_columns({"a": [*"0011"], "b": [*"0101"], "c": [*"zzzz"], "y": [*"nppn"]}, categorical=["*"])


def decisions(learner: Any, table: Table) -> list[dict[str, Any]]:
    tree = grow(learner, table)
    return decisions_json(tree, revisit(tree, learner, table), learner)


def rules(learner: Any, table: Table) -> set[str]:
    """The rules of all decisions of a tree."""
    tree = grow(learner, table)
    return {rule for visit in revisit(tree, learner, table) for rule in rules_of(visit.decision, learner)}


def test_places_are_those_of_the_candidates() -> None:
    root = decisions(ID3(), textbook("watermelon-2.0"))[0]
    names = [candidate["test"]["attribute"] for candidate in root["candidates"]]
    assert names[root["chosen"]] == "纹理"
    assert names[root["runner_up"]] == "脐部"
    assert root["winners"] == [root["chosen"]]


def test_a_learner_of_gradients_has_rules_too() -> None:
    table = given(Table.from_columns({"x": [1, 2, 3], "g": [-1, -1, 2], "h": [1, 1, 1], "y": [0, 0, 0]}), "g", "h")
    root = GradientTree().decide(table.sample())
    assert {"measure.gradient-gain", "branching.threshold"} <= set(rules_of(root, GradientTree()))


def test_all_cuts_are_listed_and_what_arrives_is_exact() -> None:
    root = decisions(CART(), textbook("li-hang-5.2"))[0]
    assert len(root["candidates"]) == 9
    assert [Fraction(moment) for moment in root["total"]] == [10, Fraction("66.18"), Fraction("465.6116")]
    assert root["answer"] == {"label": "3309/500", "tied": [], "prior": False}


def test_labels() -> None:
    assert (label_json("yes"), label_json(3), label_json(Fraction(53, 3))) == ("yes", "3", "53/3")


@of_every(
    [(CART(missing="surrogates"), "surrogates"), (CART(missing="branch"), "branch"), (CART(missing="stay"), "stay")]
)
def test_where_a_row_without_an_answer_goes_is_said(learner: CART, rule: str) -> None:
    assert decisions(learner, textbook("watermelon-2.0a"))[0]["missing"]["rule"] == rule


def test_shares_are_not_said_again() -> None:
    assert decisions(C45(), textbook("watermelon-2.0a"))[0]["missing"] is None


def test_what_a_tree_of_the_exclusive_or_exercises() -> None:
    assert rules(ID3(), XOR) == {
        "branching.multiway", "candidate", "entropy.zero-log-zero", "measure.information-gain", "stop.pure",
        "ties.class", "ties.split", "zero-gain",
    }  # fmt: skip


def test_no_logarithm_is_taken_for_a_gini_value() -> None:
    assert "entropy.zero-log-zero" not in rules(CART(), textbook("play-tennis"))
    assert "entropy.zero-log-zero" in rules(CART(criterion="entropy"), textbook("play-tennis"))


def test_numbers_rest_on_the_choice_of_the_variance() -> None:
    assert "regression.variance" in rules(CART(), textbook("li-hang-5.2"))
    assert "regression.variance" not in rules(CART(criterion="absolute_error"), textbook("li-hang-5.2"))


def test_which_line_stands_and_which_of_equal_ones_wins() -> None:
    lines = CART(branching="linear")
    assert {"linear.representative", "linear.ties"} <= rules(lines, textbook("cats").without(["face", "whiskers"]))
    assert not {rule for rule in rules(CART(), textbook("golf")) if rule.startswith("linear")}
    searched = rules(CART(branching="linear", search="cart-lc"), textbook("watermelon-3.0a"))
    assert not {rule for rule in searched if rule.startswith("linear")}


def test_a_node_stands_where_its_branches_lead() -> None:
    found = decisions(ID3(), textbook("play-tennis"))
    assert [(one["at"], one["node"]) for one in found[:4]] == [
        ([], "/"), ([0], "/outlook=overcast"), ([1], "/outlook=rainy"), ([1, 0], "/outlook=rainy/wind=strong"),
    ]  # fmt: skip


def test_an_empty_leaf_has_the_ties_of_the_node_above() -> None:
    table = Table.from_columns({"a": [*"001111"], "b": [*"xyzzxy"], "y": [*"npnnnn"]}, categorical=["*"])
    found = {tuple(one["at"]): one["answer"] for one in decisions(ID3(), table)}
    assert found[0,] == {"label": "n", "tied": ["n", "p"], "prior": False}
    assert found[0, 2] == {"label": "n", "tied": ["n", "p"], "prior": True}
    assert not found[0, 0]["tied"]


def test_each_decision_names_its_own_rules() -> None:
    found = {one["node"]: one["rules"] for one in decisions(CART(min_samples_leaf=2), textbook("golf"))}
    assert {"measure.gini", "branching.subset", "branching.threshold", "bound.min-samples-leaf"} <= set(found["/"])
    assert found["/outlook in {overcast}"] == ["stop.pure"]


@of_every(
    [
        (C45(), "play-tennis", {"measure.gain-ratio", "branching.multiway"}),
        (CART(branching="one-vs-rest"), "loan", {"measure.gini", "branching.one-vs-rest"}),
        (CART(criterion="misclassification"), "loan", {"measure.misclassification"}),
        (CART(criterion="absolute_error"), "li-hang-5.2", {"measure.absolute-error", "branching.threshold"}),
        (CART(criterion="variance_n_minus_1"), "li-hang-5.2", {"measure.sample-variance"}),
    ]
)
def test_measures_and_branchings_have_ids(learner: Any, data: str, named: set[str]) -> None:
    assert named <= rules(learner, textbook(data))


def test_of_very_many_candidates_the_best_are_listed() -> None:
    learner, table = CART(), textbook("golf")
    tree = grow(learner, table)
    whole = decisions_json(tree, revisit(tree, learner, table), learner)
    for one, full in zip(decisions_json(tree, revisit(tree, learner, table), learner, "winners"), whole, strict=True):
        assert one["omitted"] + len(one["candidates"]) == len(full["candidates"])
        assert len(one["candidates"]) == len(one["winners"]) + (one["runner_up"] is not None)
        for member in ("winners", "chosen", "runner_up"):
            assert chosen_of(one, member) == chosen_of(full, member)


def chosen_of(decision: dict[str, Any], member: str) -> list[Any]:
    """The candidates that a member of a decision has the places of."""
    places = decision[member]
    return [decision["candidates"][place] for place in ([places] if isinstance(places, int) else places or [])]
