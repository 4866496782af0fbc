"""Goldens: what another implementation is checked against, case by case.

A golden is written by the same code that is read as the textbook, and never edited by hand. It holds everything a
consumer needs: the data with its checksum, the learner with *every* option spelled out, and at each node all candidates
with their tables and exact scores, the *set* of winners, the margin, and the reason to stop. The page
`docs/conformance/goldens.md` says what exactly to check.
"""

from __future__ import annotations

import hashlib
import importlib
import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from reference_tree.conformance.cases import Case, Printed
from reference_tree.conformance.numbers import number_json, table_json, weights_json
from reference_tree.data.questions import Threshold
from reference_tree.data.table import Table
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import decimal_text, rational
from reference_tree.learners.decision import Decision, Learner
from reference_tree.learners.growing import Visit, grow, revisit
from reference_tree.learners.registry import learner_named
from reference_tree.splitting.candidate import MEASURES, Candidate
from reference_tree.tree import Tree
from reference_tree.tree_document import question_json, to_json, when
from reference_tree.views.derivation import REASONS

FORMAT = "reference-tree/golden/1"

RULES = (
    "c45.average",
    "c45.epsilon",
    "c45.threshold",
    "candidate",
    "empty-branch",
    "entropy.zero-log-zero",
    "missing.ratio",
    "missing.weights",
    "threshold.position",
    "ties.class",
    "ties.split",
    "zero-gain",
    *(f"stop.{reason}" for reason in REASONS),
)
"""Every rule that a case can exercise: decisions by their ids, and reasons to stop."""

_LINE = 110
"""What is longer goes on several lines."""


def golden(case: Case) -> str:
    """The golden of a case, as JSON text: the same bytes on every platform."""
    expected = _formula(case) if case.kind == "formula" else _learned(case)
    document = {
        "format": FORMAT,
        "id": case.id,
        "kind": case.kind,
        "status": "must",
        "title": case.title,
        "note": case.note,
        "sources": list(case.sources),
        **expected,
    }
    return _dump(document) + "\n"


# Formula cases.


def _formula(case: Case) -> dict[str, Any]:
    module, _, name = case.formula.rpartition(".")
    function = getattr(importlib.import_module(f"reference_tree.{module}"), name)
    value = function(*map(_exactly, case.arguments))
    return {
        "rules": ["entropy.zero-log-zero"] if "entropy" in name and _has_zero(case.arguments) else [],
        "formula": case.formula,
        "arguments": list(case.arguments),
        "expected": number_json(value),
        "printed": [_as_printed(figure, value) for figure in case.printed],
    }


def _exactly(argument: Any) -> Any:
    if isinstance(argument, str):
        return Fraction(rational(argument))
    return [_exactly(item) for item in argument] if isinstance(argument, list) else argument


def _has_zero(argument: Any) -> bool:
    return any(map(_has_zero, argument)) if isinstance(argument, list | tuple) else argument == "0"


# Split and tree cases.


def _learned(case: Case) -> dict[str, Any]:
    table = case.table()
    learner = _learner(case)
    tree = grow(learner, table)
    visits = list(revisit(tree, learner, table))
    if case.kind == "split":
        visits = visits[:1]
    document = json.loads(to_json(tree))
    expected: dict[str, Any] = {"decisions": [_decision(tree, visit) for visit in visits]}
    if case.kind == "tree":
        expected["tree"] = document["nodes"]
    return {
        "rules": sorted({rule for visit in visits for rule in _rules(visit.decision, learner)}),
        "learner": document["learner"],
        "data": data_json(table),
        "expected": expected,
        "printed": [_as_printed(figure, _figure(figure, tree, visits)) for figure in case.printed],
    }


def _learner(case: Case) -> Learner:
    names = ("name", "profile")
    options = {name: value if name in names else _exactly(value) for name, value in (case.learner or {}).items()}
    return learner_named(**options)


def data_json(table: Table) -> dict[str, Any]:
    """A table: its columns, its rows as text, and the checksum of these rows as a CSV file."""
    rows = [
        ["" if cell is None else cell if isinstance(cell, str) else decimal_text(cell) for cell in row.values()]
        for row in table.rows()
    ]
    columns = [*table.schema.attributes, table.schema.target]
    return {
        "name": table.name,
        "sha256": hashlib.sha256(csv_text([column.name for column in columns], rows).encode()).hexdigest(),
        "target": table.schema.target.name,
        "columns": [
            {"name": c.name, "kind": c.kind, **({} if c.values is None else {"values": list(c.values)})}
            for c in columns
        ],
        "weights": None if table.weights is None else weights_json(tuple(table.weights)),
        "rows": rows,
    }


def csv_text(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows as a CSV file: UTF-8, LF, a header, a field in quotes only where it holds a comma, a quote or a line end."""
    return "".join(",".join(map(_quoted, row)) + "\n" for row in [names, *rows])


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if any(character in cell for character in ',"\r\n') else cell


def _decision(tree: Tree, visit: Visit) -> dict[str, Any]:
    decision = visit.decision
    answer = decision.answer
    places = {id(candidate): place for place, candidate in enumerate(decision.candidates)}
    margin, runner_up = decision.margin, decision.runner_up
    evidence = {rule: number_json(figure) for rule, figure in decision.evidence.items()}
    return {
        "node": tree.path(visit.number),
        "id": visit.number,
        "total": weights_json(decision.total),
        "answer": {"label": answer.label, "tied": list(answer.tied), "prior": answer.prior},
        "stop": decision.stop,
        "judged_by": decision.judged_by if decision.candidates else None,
        "candidates": [_candidate(candidate) for candidate in decision.candidates],
        "winners": sorted(places[id(winner)] for winner in decision.winners),
        "chosen": None if decision.chosen is None else places[id(decision.chosen)],
        "runner_up": None if runner_up is None else places[id(runner_up)],
        "margin": None if margin is None else number_json(margin),
        **({"evidence": evidence} if evidence else {}),
    }


def _candidate(candidate: Candidate) -> dict[str, Any]:
    return {
        "test": question_json(candidate.test),
        "outcomes": [when(outcome) for outcome in candidate.test.outcomes],
        "table": table_json(candidate.table),
        "barred": candidate.barred,
        "scores": {name: number_json(score) for name, score in candidate.scores.items()},
    }


def _rules(decision: Decision, learner: Learner) -> Iterator[str]:
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
    if any(any(row) and not all(row) for candidate in decision.candidates for row in candidate.table.rows):
        yield "entropy.zero-log-zero"
    if decision.chosen is not None and decision.chosen.test.kind == "threshold":
        yield "threshold.position"
    if decision.judged_by == "ratio":
        yield from _rules_of_ratios(decision, learner)


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
    if decision.chosen is not None and any(decision.chosen.table.unknown):
        yield "missing.weights"


# Figures as printed.


def _figure(figure: Printed, tree: Tree, visits: Sequence[Visit]) -> Number:
    """Our value of a printed figure: a candidate's score or threshold, or a measure of the node's own counts."""
    number = tree.find(figure.node)
    decision = next(visit.decision for visit in visits if visit.number == number)
    if figure.attribute is None:
        module, _, name = figure.score.rpartition(".")
        return getattr(importlib.import_module(f"reference_tree.{module}"), name)(decision.total)
    candidate = next(c for c in decision.candidates if c.test.attribute == figure.attribute)
    if figure.score == "threshold" and isinstance(candidate.test, Threshold):
        return candidate.test.threshold
    return MEASURES[figure.score](candidate.table)


def _as_printed(figure: Printed, ours: Number) -> dict[str, Any]:
    """A printed figure beside ours, and how the two agree: rounded, cut off, or not."""
    places = len(figure.value.partition(".")[2])
    unit, shown = Fraction(1, 10**places), rational(figure.value)
    is_rounded, is_cut_off = shown - unit / 2 <= ours <= shown + unit / 2, shown <= ours < shown + unit
    agrees = "rounded" if is_rounded else "cut off" if is_cut_off else "no"
    described = {key: value for key, value in vars(figure).items() if value not in (None, "")}
    return {**described, "ours": number_json(ours)["digits"], "agrees": agrees}


def _dump(value: Any, indent: str = "") -> str:
    """JSON in which whatever fits a line stands on one, so that a change shows as the lines that changed."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) <= _LINE or not isinstance(value, dict | list):
        return flat
    inner = indent + " "
    if isinstance(value, dict):
        parts = [f"{json.dumps(key, ensure_ascii=False)}: {_dump(part, inner)}" for key, part in value.items()]
    else:
        parts = [_dump(part, inner) for part in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return opening + f"\n{inner}" + f",\n{inner}".join(parts) + f"\n{indent}{closing}"
