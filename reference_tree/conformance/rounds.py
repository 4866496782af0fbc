"""Rounds in a golden: what each round of boosting learns from, decides, and leaves to the next one.

1. `rounds_json` are the rounds that a learner goes: of AdaBoost the weights, the draws, the error and the vote; of a
   boosting tree the residuals and the loss. Each has the decisions of its tree, as any golden has them.
2. `figure_of` is our value of a figure that a book prints of a round.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from reference_tree.conformance.decisions import decisions_json, label_json
from reference_tree.conformance.numbers import number_json, weights_json
from reference_tree.data.table import Table
from reference_tree.ensembles.adaboost import AdaBoost
from reference_tree.ensembles.boosting_tree import BoostingTree
from reference_tree.exact.log_sums import Number
from reference_tree.learners.growing import Visit, revisit
from reference_tree.tree import Tree
from reference_tree.tree_document import to_json

Boosting = AdaBoost | BoostingTree


def rounds_json(learner: Boosting, table: Table) -> tuple[dict[str, Any], set[str]]:
    """The rounds, what the ensemble answers to each row, and the rules that the decisions exercise."""
    written = _adaboost(learner, table) if isinstance(learner, AdaBoost) else _boosting_tree(learner, table)
    rounds, rules = [], set[str]()
    for found, tree, visits in written:
        decisions = decisions_json(tree, visits, learner.base)
        rounds.append({**found, "decisions": decisions, "tree": json.loads(to_json(tree))["nodes"]})
        rules |= {rule for decision in decisions for rule in decision["rules"]}
    answers = [label_json(label) for label in learner.grow(table).predict(table)]
    return {"rounds": rounds, "answers": answers}, rules


_Written = Iterator[tuple[dict[str, Any], Tree, Iterator[Visit]]]


def _adaboost(learner: AdaBoost, table: Table) -> _Written:
    for found in learner.rounds(table):
        round_json = {
            "round": found.number,
            "weights": weights_json(tuple(found.weights)),
            "drawn": None if found.drawn is None else list(found.drawn),
            "missed": [row for row, miss in enumerate(found.missed, start=1) if miss],
            "error": number_json(found.error),
            "ends": "perfect" if found.is_perfect else "chance" if found.is_chance else None,
            "vote": None if found.is_perfect or found.is_chance else number_json(learner.vote(found)),
        }
        yield round_json, found.tree, revisit(found.tree, learner.base, found.rows)


def _boosting_tree(learner: BoostingTree, table: Table) -> _Written:
    for found in learner.rounds(table):
        round_json = {
            "round": found.number,
            "residuals": weights_json(tuple(found.residuals)),
            "left": weights_json(tuple(found.left)),
            "loss": number_json(found.loss),
        }
        yield round_json, found.tree, revisit(found.tree, learner.base, found.rows)


def figure_of(learner: Boosting, table: Table, number: int, score: str) -> Number:
    """Our value of a figure of a round: its `error`, `alpha` or `loss`, or what a node answers, by its number."""
    found: Any = list(learner.rounds(table))[number - 1]
    if isinstance(learner, AdaBoost) and score == "alpha":
        return learner.vote(found)
    return found.tree.nodes[int(score)].label if score.isdigit() else getattr(found, score)
