"""Prunings in a golden: every decision of a pruning and its figures, as JSON.

1. `pruning_json` prunes a grown tree as a record says: the tree before, what was found, and what is left. What was
   found is written as its method has it: costs of the cost function, the sequence of cost-complexity pruning, errors
   on the validation rows, or estimates of errors.
2. `pre_pruning_json` grows a tree that asks validation rows before each split.

A node is named by its place in the tree before pruning; of pre-pruning, in the tree that results.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from reference_tree.conformance.decisions import place_json
from reference_tree.conformance.numbers import number_json, weight_json
from reference_tree.data.table import Table
from reference_tree.exact.rationals import Rational
from reference_tree.learners.growing import revisit
from reference_tree.pruning.choosing_alpha import PathPruning
from reference_tree.pruning.comparing import ComparedPruning
from reference_tree.pruning.cost_complexity import weakest_links
from reference_tree.pruning.cost_function import CostPruning
from reference_tree.pruning.error_based import ErrorPruning, Judgement
from reference_tree.pruning.method import Record, methods
from reference_tree.pruning.pre_pruning import PrePruning, steps
from reference_tree.pruning.record import Found, perform
from reference_tree.pruning.reduced_error import Pruning, by_level
from reference_tree.selection.validation import TreeStep, node_errors, tree_steps
from reference_tree.tree import Tree
from reference_tree.tree_document import question_json, to_json

RULES = tuple(
    sorted(["prepruning.empty", "prepruning.equal", *(rule for one in methods().values() for rule in one.rules)])
)
"""The rules that a pruning can exercise."""


class Pruned(NamedTuple):
    """The parts of a golden about a pruning."""

    learner: Mapping[str, Any]
    """The learner that grew the tree."""
    grown: list[Any] | None
    """The given nodes of the tree before pruning; None if it is pruned as it grows."""
    expected: dict[str, Any]
    """The expected result."""

    @property
    def rules(self) -> set[str]:
        """The rules that the pruning exercises."""
        decided = self.expected.get("decisions") or self.expected.get("sequence", [])
        return {rule for one in decided for rule in one["rules"]}


def pruning_json(tree: Tree, record: Record, table: Table, validation: Table | None = None) -> Pruned:
    """A pruning of a grown tree.

    Args:
        tree: as it was grown.
        record: the method and all its parameters (`reference_tree.pruning.record`).
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
    document = json.loads(to_json(tree))
    left = json.loads(to_json(act.after))["nodes"]
    if isinstance(act.found, Pruning):
        assert validation is not None, "rows held out decide"
        written = _by_validation(tree, act.found, validation)
    elif isinstance(act.found, ComparedPruning):
        written = _by_comparison(tree, act.found, methods()[record["method"]].rules)
    else:
        written = _WRITTEN[type(act.found)](tree, act.found)
    return Pruned(document["learner"], document["nodes"], {**written, "tree": left})


def _by_cost(tree: Tree, found: CostPruning) -> dict[str, Any]:
    decisions = [
        {
            **place_json(tree, number),
            "rules": ["cost.function"],
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
                **place_json(tree, link.node),
                "as_leaf": number_json(link.leaf),
                "as_subtree": number_json(link.subtree),
                "saved": link.saved,
                "g": number_json(link.g),
            }
            for link in weakest_links(tree, cut, found.profile, found.risk)
        ]
        sequence.append(
            {
                "rules": ["cost.R"],
                "alpha": number_json(step.alpha),
                "links": links,
                "cut": [place_json(tree, number) for number in step.weakest],
                "leaves": step.leaves,
                "risk": number_json(step.risk),
            }
        )
        cut = found.path.cut_at(step)
    return {"sequence": sequence, "taken": found.path.steps.index(found.step)}


def _by_validation(tree: Tree, found: Pruning, validation: Table) -> dict[str, Any]:
    """The decisions on validation rows; bottom-up from the deepest level up, which decides the same as a postorder."""
    is_greedy, divided = found.order == "best-first", set[int]()  # the nodes on the ways of rows that are divided
    for row in validation.rows():
        if len(tree.ends(row)) > 1:
            divided |= {stage.number for stage in tree.way(row)}
    decisions = [
        {
            **_step_json(tree, tree_step, found.validation_errors.weight),
            "rules": [f"rep.{found.order}", *(["rep.missing"] if tree_step.step.number in divided else [])],
            "pruned": tree_step.step.done,
            "compared": _compared(tree, found, place) if is_greedy else None,
        }
        for place, tree_step in enumerate(found.tree_steps(None if is_greedy else by_level(tree)))
    ]
    return {"decisions": decisions}


def _compared(tree: Tree, found: Pruning, place: int) -> list[dict[str, Any]]:
    """All nodes that a step of best-first pruning chose from."""
    return [
        {
            **place_json(tree, step.number),
            "wrong_before": weight_json(step.before),
            "wrong_after": weight_json(step.after),
        }
        for step in found.candidates(place)
    ]


def _step_json(tree: Tree, tree_step: TreeStep, weight: Rational) -> dict[str, Any]:
    """A step: the errors of the rows at the node before and after it, and the accuracy of the whole tree."""
    return {
        **place_json(tree, tree_step.step.number),
        "wrong_before": weight_json(tree_step.step.before),
        "wrong_after": weight_json(tree_step.step.after),
        "accuracy_before": number_json(1 - Fraction(tree_step.before) / Fraction(weight)),
        "accuracy_after": number_json(1 - Fraction(tree_step.after) / Fraction(weight)),
    }


def _by_estimate(tree: Tree, found: ErrorPruning) -> dict[str, Any]:
    return {
        "decisions": [_judgement(tree, judgement) for judgement in found.judgements],
        "estimate": number_json(found.estimate),
    }


def _judgement(tree: Tree, found: Judgement) -> dict[str, Any]:
    branch = None
    if found.largest is not None:
        branch = {**place_json(tree, found.largest), "estimate": number_json(found.branch)}
    rules = ["error-based.limit", *(["error-based.largest"] if _has_equal_branches(tree, found) else [])]
    return {
        **place_json(tree, found.node),
        "rules": sorted(rules),
        "as_leaf": number_json(found.leaf),
        "as_subtree": number_json(found.subtree),
        "branch": branch,
        "verdict": found.verdict,
    }


def _by_comparison(tree: Tree, found: ComparedPruning, rules: Sequence[str]) -> dict[str, Any]:
    decisions = [
        {
            **place_json(tree, one.node),
            "rules": list(rules),
            "as_leaf": number_json(one.leaf),
            "as_subtree": number_json(one.subtree),
            "pruned": one.pruned,
        }
        for one in found.decisions
    ]
    order = "from-above" if found.comparison.from_above else "from-below"
    return {"order": order, "decisions": decisions}


_WRITTEN: Mapping[type[Found], Callable[[Tree, Any], dict[str, Any]]] = {
    CostPruning: _by_cost,
    PathPruning: _by_path,
    ErrorPruning: _by_estimate,
}
# How what a method found is written, where no rows were held out.


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
    all_steps = list(tree_steps(steps(tree, learner, table, validation), node_errors(tree, validation).as_leaf[0]))
    decisions = list(_chosen_splits(tree, learner, table, validation, all_steps))
    return Pruned(document["learner"], None, {"decisions": decisions, "tree": document["nodes"]})


def _chosen_splits(
    tree: Tree, learner: PrePruning, table: Table, validation: Table, all_steps: Iterable[TreeStep]
) -> Iterator[dict[str, Any]]:
    """Each split that the learner chose, and whether it was made."""
    weight = node_errors(tree, validation).weight
    by_number = {one.step.number: one for one in all_steps}
    for visit in revisit(tree, learner, table, validation):
        if visit.number in by_number:
            wanted = learner.learner.decide(visit.sample, visit.place).chosen
            assert wanted is not None, "the validation rows were asked about a split"
            found = _step_json(tree, by_number[visit.number], weight)
            reached = visit.decision.evidence["validation"]
            equality = "prepruning.equal" if reached else "prepruning.empty"
            yield {
                **found,
                "rules": [equality] if found["wrong_before"] == found["wrong_after"] else [],
                "validation": weight_json(reached),
                "test": question_json(wanted.test),
                "stop": visit.decision.stop,
            }
