"""Prunings in a golden: every decision of a pruning and what it rests on, as JSON.

1. `pruning_json` prunes a grown tree as a record says: the tree before, what was found, and what is left. What was
   found is written as its method has it: costs of the cost function, the sequence of cost-complexity pruning, errors
   on the validation rows, or estimates of errors.
2. `pre_pruning_json` grows a tree that asks validation rows before each split.

A node is named by its path and its number in the tree before pruning; of pre-pruning, in the tree that results.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from reference_tree.conformance.numbers import number_json, weight_json
from reference_tree.data.table import Table
from reference_tree.exact.rationals import Rational
from reference_tree.learners.growing import revisit
from reference_tree.pruning.cost_complexity import weakest_links
from reference_tree.pruning.cost_function import CostPruning
from reference_tree.pruning.error_based import ErrorPruning, Judgement
from reference_tree.pruning.pre_pruning import PrePruning, steps
from reference_tree.pruning.record import Found, PathPruning, Record, perform
from reference_tree.pruning.reduced_error import Pruning, by_level
from reference_tree.selection.validation import TreeStep, node_errors, tree_steps
from reference_tree.tree import Tree
from reference_tree.tree_document import question_json, to_json

RULES = (
    "cost.R",
    "cost.function",
    "error-based.largest",
    "error-based.limit",
    "prepruning.empty",
    "prepruning.equal",
    "rep.best-first",
    "rep.bottom-up",
    "rep.missing",
)
"""The rules that a pruning can exercise."""


class Pruned(NamedTuple):
    """What a golden says of a pruning."""

    rules: set[str]
    """The rules that it exercises."""
    learner: Mapping[str, Any]
    """Who grew the tree."""
    expected: dict[str, Any]
    """What is to be found."""


def pruning_json(tree: Tree, record: Record, table: Table, validation: Table | None = None) -> Pruned:
    """A pruning of a grown tree.

    Args:
        tree: as it was grown.
        record: the method and all it was told (`reference_tree.pruning.record`).
        table: the rows that the tree was grown from.
        validation: rows that it was not grown from, for a method that asks them.

    Example:
        >>> import reference_tree as rt
        >>> days = rt.textbook("play-tennis")
        >>> found = pruning_json(rt.ID3().grow(days), {"method": "cost-function", "alpha": "4"}, days)
        >>> found.rules, [(one["node"], one["pruned"]) for one in found.expected["decisions"]]
        ({'cost.function'}, [('/outlook=rainy', False), ('/outlook=sunny', False), ('/', True)])
    """
    act = perform(tree, record, table, validation)
    written = _WRITTEN[type(act.found)](tree, act.found)
    document = json.loads(to_json(tree))
    expected = {"grown": document["nodes"], **written, "tree": json.loads(to_json(act.after))["nodes"]}
    rules = set(_rules_of(tree, act.found))
    if validation is not None and any(len(tree.ends(row)) > 1 for row in validation.rows()):
        rules.add("rep.missing")
    return Pruned(rules, document["learner"], expected)


def _at(tree: Tree, number: int) -> dict[str, Any]:
    return {"node": tree.path(number), "id": number}


def _by_cost(tree: Tree, found: CostPruning) -> dict[str, Any]:
    decisions = [
        {
            **_at(tree, number),
            "as_leaf": number_json(leaf),
            "as_subtree": number_json(subtree),
            "pruned": pruned,
        }
        for number, leaf, subtree, pruned in found.weighings
    ]
    return {"decisions": decisions, "cost": number_json(found.cost)}


def _by_path(tree: Tree, found: PathPruning) -> dict[str, Any]:
    """The sequence: at each step all links there were before it, and those that were cut."""
    sequence = []
    cut: frozenset[int] = frozenset()
    for step in found.path.steps:
        links = [
            {
                **_at(tree, link.node),
                "as_leaf": number_json(link.leaf),
                "as_subtree": number_json(link.subtree),
                "saved": link.saved,
                "g": number_json(link.g),
            }
            for link in weakest_links(tree, cut, found.profile, found.risk)
        ]
        sequence.append(
            {
                "alpha": number_json(step.alpha),
                "links": links,
                "cut": [_at(tree, number) for number in step.weakest],
                "leaves": step.leaves,
                "risk": number_json(step.risk),
            }
        )
        cut = found.path.cut_at(step)
    return {"sequence": sequence, "taken": found.path.steps.index(found.step)}


def _by_validation(tree: Tree, found: Pruning) -> dict[str, Any]:
    """The decisions on validation rows; bottom-up from the deepest level up, which decides the same as a postorder."""
    is_greedy = found.order == "best-first"
    decisions = [
        {
            **_told(tree, told, found.validation_errors.weight),
            "pruned": told.step.done,
            **({"compared": _compared(tree, found, place)} if is_greedy else {}),
        }
        for place, told in enumerate(found.tree_steps(None if is_greedy else by_level(tree)))
    ]
    return {"decisions": decisions}


def _compared(tree: Tree, found: Pruning, place: int) -> list[dict[str, Any]]:
    """All nodes that a step of best-first pruning chose from."""
    return [
        {**_at(tree, step.number), "wrong_before": weight_json(step.before), "wrong_after": weight_json(step.after)}
        for step in found.candidates(place)
    ]


def _told(tree: Tree, told: TreeStep, weight: Rational) -> dict[str, Any]:
    """A step: what the rows that reach the node get wrong before and after it, and the accuracy of the whole tree."""
    return {
        **_at(tree, told.step.number),
        "wrong_before": weight_json(told.step.before),
        "wrong_after": weight_json(told.step.after),
        "accuracy_before": number_json(1 - Fraction(told.before) / Fraction(weight)),
        "accuracy_after": number_json(1 - Fraction(told.after) / Fraction(weight)),
    }


def _by_estimate(tree: Tree, found: ErrorPruning) -> dict[str, Any]:
    return {
        "decisions": [_judgement(tree, judgement) for judgement in found.judgements],
        "estimate": number_json(found.estimate),
    }


def _judgement(tree: Tree, found: Judgement) -> dict[str, Any]:
    branch = None
    if found.largest is not None:
        branch = {**_at(tree, found.largest), "estimate": number_json(found.branch)}
    return {
        **_at(tree, found.node),
        "as_leaf": number_json(found.leaf),
        "as_subtree": number_json(found.subtree),
        "branch": branch,
        "verdict": found.verdict,
    }


_WRITTEN: Mapping[type[Found], Callable[[Tree, Any], dict[str, Any]]] = {
    CostPruning: _by_cost,
    PathPruning: _by_path,
    Pruning: _by_validation,
    ErrorPruning: _by_estimate,
}
# How what a method found is written.


def _rules_of(tree: Tree, found: Found) -> Iterator[str]:
    """The rules that a pruning exercises."""
    if isinstance(found, CostPruning):
        yield "cost.function"
    elif isinstance(found, PathPruning):
        yield "cost.R"
    elif isinstance(found, Pruning):
        yield f"rep.{found.order}"
    else:
        yield "error-based.limit"
        if any(_has_equal_branches(tree, judgement) for judgement in found.judgements):
            yield "error-based.largest"


def _has_equal_branches(tree: Tree, found: Judgement) -> bool:
    """Whether a branch was considered for raising that was as large as another one, when the tree was grown."""
    if found.largest is None:
        return False
    weights = [tree.nodes[below].weight for below in tree.nodes[found.node].branches]
    return weights.count(max(weights)) > 1


# Pre-pruning.


def pre_pruning_json(learner: PrePruning, table: Table, validation: Table) -> Pruned:
    """The tree that a learner grows which asks validation rows, and what they answer before each split.

    Args:
        learner: who grows.
        table: the rows to grow from.
        validation: the rows to ask.

    Example:
        >>> import reference_tree as rt
        >>> training, validation = rt.textbook("watermelon-2.0-train"), rt.textbook("watermelon-2.0-validation")
        >>> found = pre_pruning_json(PrePruning(rt.ID3()), training, validation)
        >>> [(one["node"], one["wrong_before"], one["wrong_after"], one["stop"]) for one in found.expected["decisions"]]
        [('/', '3', '3', 'pre-pruned')]
    """
    tree = learner.grow(table, validation)
    document = json.loads(to_json(tree))
    told = list(tree_steps(steps(tree, learner, table, validation), node_errors(tree, validation).as_leaf[0]))
    decisions = list(_asked(tree, learner, table, validation, told))
    rules = {_equality(one) for one in decisions if one["wrong_before"] == one["wrong_after"]}
    return Pruned(rules, document["learner"], {"decisions": decisions, "tree": document["nodes"]})


def _asked(
    tree: Tree, learner: PrePruning, table: Table, validation: Table, told: Iterable[TreeStep]
) -> Iterator[dict[str, Any]]:
    """Each split that the learner chose, and whether it was made."""
    weight = node_errors(tree, validation).weight
    by_number = {one.step.number: one for one in told}
    for visit in revisit(tree, learner, table, validation):
        if visit.number in by_number:
            wanted = learner.learner.decide(visit.sample, visit.place).chosen
            assert wanted is not None, "the validation rows were asked about a split"
            yield {
                **_told(tree, by_number[visit.number], weight),
                "validation": weight_json(visit.decision.evidence["validation"]),
                "test": question_json(wanted.test),
                "stop": visit.decision.stop,
            }


def _equality(decision: Mapping[str, Any]) -> str:
    return "prepruning.empty" if decision["validation"] == "0" else "prepruning.equal"
