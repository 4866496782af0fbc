"""Decisions in a golden: everything that a learner finds at a node, as JSON.

1. `decision_json` is a decision: what arrives, all candidates with their tables and exact scores, the set of winners,
   the margin, where a row goes that does not answer, and the reason to stop.
2. `rules_of` are the rules that a decision exercises: those without which it would come out otherwise, or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reference_tree.conformance.numbers import exact_json, number_json, table_json, weights_json
from reference_tree.data.missing import Missing
from reference_tree.learners.decision import Decision, Learner
from reference_tree.learners.growing import Visit
from reference_tree.node import Label
from reference_tree.splitting.candidate import Candidate
from reference_tree.tree import Tree
from reference_tree.tree_document import question_json, when


def decision_json(tree: Tree, visit: Visit) -> dict[str, Any]:
    """The decision at a node of a tree."""
    decision = visit.decision
    answer = decision.answer
    places = {id(candidate): place for place, candidate in enumerate(decision.candidates)}
    margin, runner_up = decision.margin, decision.runner_up
    evidence = {rule: number_json(figure) for rule, figure in decision.evidence.items()}
    return {
        "node": tree.path(visit.number),
        "id": visit.number,
        "total": weights_json(decision.total),
        "answer": {"label": label_json(answer.label), "tied": list(answer.tied), "prior": answer.prior},
        "stop": decision.stop,
        "judged_by": decision.judged_by if decision.candidates else None,
        "candidates": [_candidate(candidate) for candidate in decision.candidates],
        "winners": sorted(_place(winner, decision, places) for winner in decision.winners),
        "chosen": None if decision.chosen is None else _place(decision.chosen, decision, places),
        "runner_up": None if runner_up is None else places[id(runner_up)],
        "margin": None if margin is None else number_json(margin),
        **({"evidence": evidence} if evidence else {}),
        **({"missing": missing_json(decision.missing)} if decision.missing.rule in SAID else {}),
    }


SAID = ("surrogates", "branch", "stay")
"""The rules for rows without an answer that a decision spells out. The shares of `fractions` are those of its table."""


def label_json(label: Label) -> str:
    """A label: the class, or the exact number."""
    return label if isinstance(label, str) else str(exact_json(label))


def _place(candidate: Candidate, decision: Decision, places: dict[int, int]) -> int:
    """The place of a winner among the candidates, which may have been counted anew."""
    if id(candidate) in places:
        return places[id(candidate)]
    return next(place for place, other in enumerate(decision.candidates) if other.test == candidate.test)


def _candidate(candidate: Candidate) -> dict[str, Any]:
    return {
        "test": question_json(candidate.test),
        "outcomes": [when(outcome) for outcome in candidate.test.outcomes],
        "table": table_json(candidate.table),
        "barred": candidate.barred,
        "scores": {name: number_json(score) for name, score in candidate.scores.items()},
    }


def missing_json(missing: Missing) -> dict[str, Any]:
    """Where a row without an answer goes; a branch is its number, from 0."""
    written: dict[str, Any] = {"rule": missing.rule}
    if missing.to is not None:
        written["to"] = missing.to
    if missing.surrogates:
        written["surrogates"] = [
            {
                "test": question_json(surrogate.test),
                "outcomes": [when(outcome) for outcome in surrogate.test.outcomes],
                "branches": list(surrogate.branches),
                "agreement": str(surrogate.agreement),
            }
            for surrogate in missing.surrogates
        ]
    return written


# The rules that a decision exercises.


def rules_of(decision: Decision, learner: Learner) -> Iterator[str]:
    """The rules that a decision exercises: those without which it would come out otherwise, or not at all."""
    if decision.stop is not None:
        yield f"stop.{decision.stop}"
    if decision.answer.prior:
        yield "empty-branch"
    if decision.answer.tied:
        yield "ties.class"
    if len(decision.winners) > 1:
        yield "ties.split"
    if decision.chosen is not None and decision.chosen.scores[decision.judged_by] == 0:
        yield "zero-gain"
    if any(candidate.barred == "candidate" for candidate in decision.candidates):
        yield "candidate"
    if decision.judged_by in ("gain", "ratio") and _has_empty_cells(decision):
        yield "entropy.zero-log-zero"
    if decision.judged_by in ("variance_reduction", "sample_variance_reduction") and decision.winners:
        yield "regression.variance"
    if decision.chosen is not None and decision.chosen.test.kind == "threshold":
        yield "threshold.position"
    if decision.chosen is not None and any(decision.chosen.table.unknown) and decision.missing.shares:
        yield "missing.weights"
    if learner.grower().options.get("search") == "exhaustive":
        yield from _rules_of_lines(decision)
    if decision.judged_by == "ratio":
        yield from _rules_of_ratios(decision, learner)
    if any(candidate.barred == "more-leaves" for candidate in decision.candidates):
        yield "optimal.leaves"


def _rules_of_lines(decision: Decision) -> Iterator[str]:
    """Those of the best of all linear tests."""
    if decision.chosen is not None and decision.chosen.test.kind == "linear":
        yield "linear.representative"
        if len(decision.winners) > 1:
            yield "linear.ties"


def _has_empty_cells(decision: Decision) -> bool:
    return any(any(row) and not all(row) for candidate in decision.candidates for row in candidate.table.rows)


def _rules_of_ratios(decision: Decision, learner: Learner) -> Iterator[str]:
    """Those of a learner that lets attributes compete by their gain ratio."""
    scored = [candidate for candidate in decision.candidates if candidate.scores]
    average = decision.evidence.get("average")
    if any(c.barred == "average" or c.scores["gain"] == average for c in scored):
        yield "c45.average"
    if decision.winners and learner.grower().options["epsilon"] != "0":
        yield "c45.epsilon"
    if any(candidate.test.kind == "threshold" for candidate in scored):
        yield "c45.threshold"
    if any(any(candidate.table.unknown) for candidate in scored):
        yield "missing.ratio"
