"""Ensembles in goldens: the draws for each tree, each tree, the draws of its nodes, and the predictions.

The trees stand as in the document of the ensemble, with how often each row was drawn. In a forest each has, node by
node in preorder, the attributes that its learner was shown, in table order; where drawing went on, all of them.

Of boosting, `rounds_json` has each round: of AdaBoost the weights, the draws, the error and the vote; of a boosting
tree the residuals and the loss; and the decisions of its tree, as any golden has them. `figure_of` is our value of a
figure that a book prints of a round.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from reference_tree.conformance.decisions import decisions_json, label_json
from reference_tree.conformance.numbers import number_json, weights_json
from reference_tree.data.sample import Data
from reference_tree.data.table import Table
from reference_tree.ensembles.adaboost import AdaBoost
from reference_tree.ensembles.boosting_tree import BoostingTree
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.ensembles.learner import EnsembleLearner
from reference_tree.ensembles.random_forest import DrawnAttributes
from reference_tree.ensembles.registry import ENSEMBLES
from reference_tree.exact.log_sums import Number
from reference_tree.learners.decision import Learner
from reference_tree.learners.growing import Visit, revisit
from reference_tree.learners.options import Options
from reference_tree.tree import Tree
from reference_tree.tree_document import to_json


def ensemble_learner(ensemble: Mapping[str, Any], base: Options | None) -> EnsembleLearner:
    """The learner that a case names, with the options that are not the default, and its base, if one is named.

    Example:
        >>> from reference_tree.learners.id3 import ID3
        >>> ensemble_learner({"name": "bagging", "trees": 3}, ID3()).trees
        3
    """
    kind = ENSEMBLES[ensemble["name"]]
    options = kind.options()
    given = {name: value for name, value in ensemble.items() if name != "name"}
    read = {
        name: options[name].domain.read(value) if isinstance(value, str) else value for name, value in given.items()
    }
    return kind(**read) if base is None else kind(**read, base=base)


def ensemble_json(learner: EnsembleLearner, table: Table, rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The expected part of a golden: the ensemble, and its answers for some rows.

    Args:
        learner: the learner of the ensemble.
        table: the rows that it learns from.
        rows: the rows to be predicted.
    """
    ensemble = learner.grow(table)
    document = json.loads(to_json(ensemble))
    trees = [
        {
            "weight": tree["weight"],
            "drawn": tree.get("drawn"),
            "of": tree.get("of"),
            "shown": attributes_shown(member.tree, *decided) or None,
            "nodes": tree["nodes"],
        }
        for tree, member, decided in zip(
            document["trees"], ensemble.members, learner.decided(ensemble, table), strict=True
        )
    ]
    predictions = [_answer(ensemble, row) for row in rows]
    expected = {"combine": document["combine"], "start": document.get("start"), "trees": trees}
    return {"learner": document["learner"], "expected": {**expected, "predictions": predictions}}


def attributes_shown(tree: Tree, learner: Learner, rows: Data) -> list[list[str]]:
    """For each node of a tree, the attributes that its learner considered; empty if the learner draws none."""
    if not isinstance(learner, DrawnAttributes):
        return []
    seen = (learner.looked_at(visit.sample, visit.place)[0] for visit in revisit(tree, learner, rows))
    return [[attribute.name for attribute in place.attributes(rows.schema)] for place in seen]


def _answer(ensemble: Ensemble, row: Mapping[str, Any]) -> dict[str, Any]:
    votes = ensemble.votes(row)
    return {
        "answers": list(map(label_json, votes.answers)),
        "scores": {label: number_json(score) for label, score in votes.scores.items()},
        "tied": list(votes.tied),
        "label": label_json(votes.label),
    }


# Rounds in a golden.

Boosting = AdaBoost | BoostingTree


def rounds_json(learner: Boosting, table: Table) -> tuple[dict[str, Any], set[str]]:
    """The rounds, the prediction of the ensemble for each row, and the rules that the decisions exercise."""
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
    """Our value of a figure of a round: its `error`, `alpha` or `loss`, or the prediction of a node, by its number.

    Of a row, by its number: its weight `after` the round, its `residual`, or the `sum` of the trees up to this one.
    """
    rounds: list[Any] = list(learner.rounds(table))
    found, (name, _, row) = rounds[number - 1], score.partition(" ")
    if name == "after":
        return found.after()[int(row) - 1]
    if name in ("residual", "sum"):
        left = found.left[int(row) - 1]
        return left if name == "residual" else rounds[0].residuals[int(row) - 1] - left
    if isinstance(learner, AdaBoost) and score == "alpha":
        return learner.vote(found)
    return found.tree.nodes[int(score)].label if score.isdigit() else getattr(found, score)
