"""Decisions in a golden: the full decision of a learner at a node, as JSON.

1. `decisions_json` are decisions: the counts, all candidates with their tables and exact scores, the set of winners,
   the margin, where a row goes that does not answer, and the reason to stop. Each names the rules it exercises.
2. `place_json` is the place of a node in a tree: the branches that lead there, and its path for people.
3. `rules_of` are the rules that a decision exercises: those without which it would come out otherwise, or not at all.
4. `rows_of` reads the rows of a golden, which are text, as a tree is asked them; `prediction_json` is the prediction
   for one: the label, the leaves that the row reaches, and the rules involved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from reference_tree.conformance.numbers import exact_json, number_json, table_json, weights_json
from reference_tree.data.questions import Missing
from reference_tree.data.table import Table
from reference_tree.exact.rationals import rational
from reference_tree.learners.decision import Decision, Learner
from reference_tree.learners.gradient_tree import GAIN
from reference_tree.learners.growing import Visit
from reference_tree.measures.measure import measures
from reference_tree.node import Label
from reference_tree.routing import Unseen
from reference_tree.splitting.branching import branchings
from reference_tree.splitting.candidate import Candidate
from reference_tree.tree import Tree
from reference_tree.tree_document import question_json, when

Listed = Literal["all", "winners"]
"""The candidates that a golden lists: all, or if there are thousands, the winners and the runner-up."""


def decisions_json(tree: Tree, visits: Iterable[Visit], learner: Learner, listed: Listed = "all") -> list[Any]:
    """The decisions at the nodes of a tree, in preorder."""
    tied: dict[int, tuple[str, ...]] = {-1: ()}
    written = []
    for visit in visits:
        answer, above = visit.decision.answer, tree.parents[visit.number][0]
        tied[visit.number] = tied[above] if answer.prior else answer.tied
        written.append(_decision(tree, visit, learner, tied[visit.number], listed))
    return written


def place_json(tree: Tree, number: int) -> dict[str, Any]:
    """The place of a node: the numbers, from 0, of the branches from the root, and the readable path.

    Example:
        >>> import reference_tree as rt
        >>> place_json(rt.ID3().grow(rt.textbook("play-tennis")), 6)
        {'at': [2, 0], 'node': '/outlook=sunny/humidity=high'}
    """
    return {"at": branches_to(tree, number), "node": tree.path(number)}


def branches_to(tree: Tree, number: int) -> list[int]:
    """The numbers of the branches on the way from the root to a node."""
    branches = []
    while number:
        number, branch = tree.parents[number]
        branches.append(branch)
    return branches[::-1]


def _decision(tree: Tree, visit: Visit, learner: Learner, tied: tuple[str, ...], listed: Listed) -> dict[str, Any]:
    decision = visit.decision
    answer, margin, runner_up = decision.answer, decision.margin, decision.runner_up
    best = {winner.key for winner in decision.winners}
    best |= set() if runner_up is None else {runner_up.key}
    shown = [one for one in decision.candidates if listed == "all" or one.key in best]
    places = {id(candidate): place for place, candidate in enumerate(shown)}
    return {
        **place_json(tree, visit.number),
        "rules": sorted(rules_of(decision, learner)),
        "total": weights_json(decision.total),
        "answer": {"label": label_json(answer.label), "tied": list(tied), "prior": answer.prior},
        "stop": decision.stop,
        "judged_by": decision.judged_by if decision.candidates else None,
        "candidates": [_candidate(candidate) for candidate in shown],
        "omitted": len(decision.candidates) - len(shown),
        "winners": sorted(_place(winner, shown, places) for winner in decision.winners),
        "chosen": None if decision.chosen is None else _place(decision.chosen, shown, places),
        "runner_up": None if runner_up is None else _place(runner_up, shown, places),
        "margin": None if margin is None else number_json(margin),
        "evidence": {rule: number_json(figure) for rule, figure in decision.evidence.items()},
        "missing": missing_json(decision.missing) if decision.missing.rule in SPELT_OUT else None,
    }


SPELT_OUT = ("surrogates", "branch", "stay")
"""The rules for rows without an answer that a decision spells out. The shares of `fractions` are those of its table."""


def label_json(label: Label) -> str:
    """A label: the class, or the exact number."""
    return label if isinstance(label, str) else str(exact_json(label))


def _place(candidate: Candidate, shown: list[Candidate], places: Mapping[int, int]) -> int:
    """The place of a winner among the candidates, which may have been counted anew."""
    if id(candidate) in places:
        return places[id(candidate)]
    return next(place for place, other in enumerate(shown) if other.test == candidate.test)


def _candidate(candidate: Candidate) -> dict[str, Any]:
    return {
        "test": question_json(candidate.test),
        "outcomes": [when(outcome) for outcome in candidate.test.outcomes],
        "table": table_json(candidate.table),
        "barred": candidate.barred,
        "scores": {name: number_json(score) for name, score in candidate.scores.items()},
    }


def missing_json(missing: Missing) -> dict[str, Any]:
    """The rule for a row without an answer; a branch is given by its number, from 0."""
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

MEASURES: Mapping[str, str] = {
    **{name: measure.rule for name, measure in measures().items() if measure.rule},
    "saving": "measure.cost",
    GAIN: "measure.gradient-gain",
}
"""The rule by which a test is scored."""

BOUNDS = ("min-samples-leaf", "min-child-weight", "cut-gap")
"""The bounds that can exclude a test before it is scored; the rule is `bound.` with one of these."""

RULES = (
    *MEASURES.values(),
    *(f"branching.{name}" for name in (*branchings(), "threshold")),
    *(f"bound.{name}" for name in BOUNDS),
)
"""The rules that any decision between candidates may exercise; other rules are named where they are found."""


def rules_of(decision: Decision, learner: Learner) -> Iterator[str]:
    """The rules that a decision exercises: without them the decision would differ, or could not be made."""
    if decision.stop is not None:
        yield f"stop.{decision.stop}"
    if decision.winners:
        yield MEASURES[decision.judged_by]
    yield from _rules_of_candidates(decision, learner)
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
    rows = (row for candidate in decision.candidates for row in candidate.table.rows)
    if decision.judged_by in ("gain", "ratio") and any(any(row) and not all(row) for row in rows):  # 0 beside others
        yield "entropy.zero-log-zero"
    if decision.judged_by in ("variance_reduction", "sample_variance_reduction") and decision.winners:
        yield "regression.variance"
    if decision.chosen is not None and decision.chosen.test.kind == "threshold":
        yield "threshold.position"
    if decision.chosen is not None and any(decision.chosen.table.unknown) and decision.missing.shares:
        yield "missing.weights"
    if decision.missing.surrogates:
        yield "missing.surrogates"
    if learner.grower().options.get("search") == "exhaustive":
        yield from _rules_of_lines(decision)
    if decision.judged_by == "ratio":
        yield from _rules_of_ratios(decision, learner)
    if any(candidate.barred == "more-leaves" for candidate in decision.candidates):
        yield "optimal.leaves"


def _rules_of_candidates(decision: Decision, learner: Learner) -> Iterator[str]:
    """The rules of branching, and the bounds that exclude a test."""
    kinds = {candidate.test.kind for candidate in decision.candidates}
    asked = branchings().get(learner.grower().options.get("branching", ""))
    if asked is not None and asked.kind in kinds:
        kinds = kinds - {asked.kind} | {asked.name}
    yield from (f"branching.{kind}" for kind in kinds)
    barred = {candidate.barred for candidate in decision.candidates}
    yield from (f"bound.{rule}" for rule in BOUNDS if rule in barred)


def _rules_of_lines(decision: Decision) -> Iterator[str]:
    """The rules of the best of all linear tests."""
    if decision.chosen is not None and decision.chosen.test.kind == "linear":
        yield "linear.representative"
        if len(decision.winners) > 1:
            yield "linear.ties"


def _rules_of_ratios(decision: Decision, learner: Learner) -> Iterator[str]:
    """The rules of a learner whose attributes compete by their gain ratio."""
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


# Predictions in a golden.


def rows_of(table: Table, rows: Iterable[Sequence[str]]) -> list[dict[str, Any]]:
    """Rows of text as a tree is asked them: numbers as they are written, and nothing where a value is missing."""
    columns = [*table.schema.attributes, table.schema.target]
    return [
        {
            column.name: None if cell == "" else rational(cell) if column.values is None else cell
            for column, cell in zip(columns, row, strict=True)
        }
        for row in rows
    ]


def prediction_json(tree: Tree, row: Mapping[str, Any], unseen: Unseen) -> dict[str, Any]:
    """The answer of a tree to a row, and where the row ends: in one leaf, or in several by its shares.

    Example:
        >>> import reference_tree as rt
        >>> tree = rt.ID3(max_depth=1).grow(rt.textbook("play-tennis"))
        >>> found = prediction_json(tree, {"outlook": "sunny"}, "error")
        >>> found["ends"], found["distribution"], found["label"]
        ([{'at': [2], 'node': '/outlook=sunny', 'share': '1'}], {'no': '3/5', 'yes': '2/5'}, 'no')
    """
    ends = tree.ends(row, unseen)
    is_class = tree.target.values is not None
    shares = tree.distribution(row, unseen) if is_class else {}
    return {
        "rules": sorted(_rules_of_a_way(tree, row, unseen)),
        "ends": [{**place_json(tree, number), "share": str(share)} for number, share in ends],
        "distribution": {label: str(share) for label, share in shares.items()} if is_class else None,
        "label": label_json(tree.predict(row, unseen)),
    }


def _rules_of_a_way(tree: Tree, row: Mapping[str, Any], unseen: Unseen) -> set[str]:
    """The rules by which a row goes down a tree without the value of a test, or with a value unknown to it."""
    rules = set()
    for number, _, ways in tree.way(row, unseen):
        test = tree.nodes[number].test
        if test is not None:
            if any(row[attribute] is None for attribute in test.attributes):
                rules.add("missing.predict")
            elif ways[0][0] is None:
                rules.add("predict.unseen")
    return rules
