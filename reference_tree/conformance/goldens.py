"""Goldens: the expected results for another implementation, case by case.

A golden is written by the same code that is read as the textbook, and never edited by hand. It holds everything a
consumer needs: the data with its checksum, the learner with *every* option spelled out, and at each node all candidates
with their tables and exact scores, the *set* of winners, the margin, and the reason to stop (`conformance.decisions`).
The given facts stand beside `expected`, and never in it; so a case without its answers is a prompt. The page
`docs/conformance/goldens.md` says what exactly to check.

1. `document` is the golden of a case, and `golden` its text; `prompt` is the case without answers.
2. The functions after them write the kinds of case.
"""

from __future__ import annotations

import hashlib
import importlib
import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from reference_tree.attribution.attributions import shapley_values
from reference_tree.chance import Chance
from reference_tree.conformance import SUITE, decisions, ensembles, prunings
from reference_tree.conformance.books import SHOWN, PrintedFigure
from reference_tree.conformance.cases import Case, Kind, cases, cells_of
from reference_tree.conformance.decisions import prediction_json, rows_of
from reference_tree.conformance.ensembles import ensemble_json, ensemble_learner
from reference_tree.conformance.needs import needs_of
from reference_tree.conformance.numbers import number_json, weights_json
from reference_tree.data.questions import Threshold
from reference_tree.data.table import Table
from reference_tree.data.writers import csv_text
from reference_tree.exact.choosing import best
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import decimal_text, is_number, rational
from reference_tree.learners.decision import Decision, Learner
from reference_tree.learners.growing import Visit, grow, revisit
from reference_tree.pruning.pre_pruning import PrePruning
from reference_tree.splitting.candidate import MEASURES, Candidate
from reference_tree.splitting.discretization import Bin, Discretization
from reference_tree.splitting.discretizers import bins_of, discretizers
from reference_tree.tree import Tree
from reference_tree.tree_document import to_json
from reference_tree.tree_document.members import weight_json
from reference_tree.views.derivation.remarks import REASONS

FORMAT = f"reference-tree/golden/{SUITE.partition('.')[0]}"

RULES = (
    *decisions.RULES,
    "c45.average",
    "c45.epsilon",
    "c45.threshold",
    "candidate",
    "empty-branch",
    "entropy.zero-log-zero",
    "linear.representative",
    "linear.ties",
    "missing.predict",
    "missing.ratio",
    "missing.surrogates",
    "missing.weights",
    "optimal.leaves",
    "predict.unseen",
    "regression.variance",
    "threshold.position",
    "ties.class",
    "ties.split",
    "zero-gain",
    *prunings.RULES,
    *(f"discretization.{name}" for name in discretizers()),
    *(f"stop.{reason}" for reason in REASONS),
)
"""Every rule that a case can exercise: decisions by their ids, and reasons to stop."""

_LINE = 110
"""The largest length of a line; longer values take several lines."""


ANSWERS = ("rules", "expected", "printed")
"""The members of a golden that contain the answer, or help to find it."""


def golden(case: Case) -> str:
    """The golden of a case, as JSON text: the same bytes on every platform."""
    return golden_text(document(case))


def golden_text(document: Mapping[str, Any]) -> str:
    """A golden as text in which whatever fits a line stands on one."""
    return _dump(document) + "\n"


def document(case: Case) -> dict[str, Any]:
    """The golden of a case."""
    return _headed(case, _KINDS[case.kind](case))


def golden_of(learner: Learner, table: Table) -> str:
    """The golden of a tree that is no case of the suite: the decisions of a learner on any table.

    Example:
        >>> from reference_tree.learners.id3 import ID3
        >>> from reference_tree.data.textbook import textbook
        >>> found = json.loads(golden_of(ID3(max_depth=1), textbook("play-tennis")))
        >>> found["title"], len(found["expected"]["decisions"])
        ('id3 on play-tennis', 4)
    """
    case = Case("your/tree", "tree", f"{learner.grower().name} on {table.name}")
    return golden_text(_headed(case, _decided(learner, table, case)))


def _headed(case: Case, written: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "id": case.id,
        "kind": case.kind,
        "status": "must",
        "title": case.title,
        "note": case.note,
        "sources": list(case.sources),
        "needs": needs_of(written),
        **written,
    }


def prompt(document: Mapping[str, Any]) -> dict[str, Any]:
    """A golden without its answers."""
    return {name: value for name, value in document.items() if name not in ANSWERS}


# Formula cases.


def _formula(case: Case) -> dict[str, Any]:
    name = case.formula.rpartition(".")[2]
    value = _applied(case.formula, case.arguments)
    return {
        "rules": ["entropy.zero-log-zero"] if "entropy" in name and _has_zero(case.arguments) else [],
        "formula": case.formula,
        "arguments": list(case.arguments),
        "quantity": name,
        "total": weights_json(tuple(_total(case.arguments[0]))),
        "expected": number_json(value),
        "printed": [_as_printed(figure, value) for figure in case.printed],
    }


def _applied(formula: str, arguments: Sequence[Any]) -> Number:
    found: Number = named(formula)(*applied_to(arguments))
    return found


def applied_to(arguments: Sequence[Any]) -> list[Any]:
    """The arguments of a formula case: texts as numbers, and names as functions."""
    return list(map(_exactly, arguments))


def named(formula: str) -> Callable[..., Any]:
    """The function of a formula case, by its module and name.

    Example:
        >>> named("measures.entropy.entropy").__name__
        'entropy'
    """
    module, _, name = formula.rpartition(".")
    found: Callable[..., Any] = getattr(importlib.import_module(f"reference_tree.{module}"), name)
    return found


def _exactly(argument: Any) -> Any:
    if isinstance(argument, str) and not is_number(argument):
        return named(argument)
    if isinstance(argument, str):
        return Fraction(rational(argument))
    return [_exactly(item) for item in argument] if isinstance(argument, list) else argument


def _total(argument: Any) -> list[Fraction]:
    """The total of a table or of a row of weights."""
    if not isinstance(argument, list):
        return []
    rows = argument if isinstance(argument[0], list) else [argument]
    return [sum(column, Fraction(0)) for column in zip(*map(_exactly, rows), strict=True)]


def _has_zero(argument: Any) -> bool:
    return any(map(_has_zero, argument)) if isinstance(argument, list | tuple) else argument == "0"


# Bins cases.


def _bins(case: Case) -> dict[str, Any]:
    if isinstance(case.bins, str):  # the rows say where to cut
        name, table = case.attribute, case.table()
        bins = Discretization(name, tuple(bins_of(table, name, case.bins)[0]))
        numbers = list(map(decimal_text, table.schema.numbers[name]))
        rules = [f"discretization.{case.bins.partition(':')[0]}"]
        given: dict[str, Any] = {"data": data_json(table), "attribute": name, "discretizer": case.bins}
    else:
        rules = []
        named = case.bins or {}
        bins = Discretization("the numbers", tuple(Bin.parse(name, interval) for name, interval in named.items()))
        numbers = list(case.numbers)
        given = {"bins": [{"name": name, "interval": interval} for name, interval in named.items()]}
    expected = [bins.value_of(rational(number)) for number in numbers]
    return {"rules": rules, **given, "numbers": numbers, "expected": expected, "printed": []}


# Split, tree and predict cases.


def _learned(case: Case) -> dict[str, Any]:
    return _decided(case.base(), case.table(), case)


def _decided(learner: Learner, table: Table, case: Case) -> dict[str, Any]:
    tree = grow(learner, table)
    visits = list(revisit(tree, learner, table))
    if case.kind == "split":
        visits = visits[:1]
    written = json.loads(to_json(tree))
    found = decisions.decisions_json(tree, visits, learner, case.listed)
    collapsed = {"stop.collapsed" for node in tree.nodes if node.stop == "collapsed"}
    return {
        "rules": sorted({rule for decision in found for rule in decision["rules"]} | collapsed),
        "learner": written["learner"],
        "data": data_json(table),
        "expected": {"decisions": found, **({"tree": written["nodes"]} if case.kind == "tree" else {})},
        "printed": [_as_printed(figure, _figure(figure, tree, visits)) for figure in case.printed],
    }


def _predicted(case: Case) -> dict[str, Any]:
    table, rows = case.table(), case.rows_to_predict()
    tree = grow(case.base(), table)
    written = json.loads(to_json(tree))
    predictions = [prediction_json(tree, row, case.unseen) for row in rows_of(table, rows)]
    return {
        "rules": sorted({rule for found in predictions for rule in found["rules"]}),
        "learner": written["learner"],
        "data": data_json(table),
        "tree": written["nodes"],
        "unseen": case.unseen,
        "rows": rows,
        "expected": {"predictions": predictions},
        "printed": [],
    }


# Prune cases.


def _pruned(case: Case) -> dict[str, Any]:
    table, validation, learner = case.table(), case.validation_table(), case.base()
    if case.pre_prune is not None:
        assert validation is not None
        found = prunings.pre_pruning_json(PrePruning(learner, **case.pre_prune), table, validation)
        pruning = {"method": "pre-pruning", **case.pre_prune}
    else:
        pruning = dict(case.prune or {})
        if pruning["method"] == "error-based":
            pruning.setdefault("profile", None)  # TOML has no word for it
        found = prunings.pruning_json(grow(learner, table), pruning, table, validation)
    by_path = {one["node"]: one for one in found.expected.get("decisions", ())}
    figures = [(figure, Fraction(by_path[figure.node][figure.score]["exact"])) for figure in case.printed]
    return {
        "rules": sorted(found.rules),
        "learner": found.learner,
        "data": data_json(table),
        "validation": None if validation is None else data_json(validation),
        "pruning": pruning,
        "grown": found.grown,
        "expected": found.expected,
        "printed": [_as_printed(figure, ours) for figure, ours in figures],
    }


# Ensemble cases.


def _together(case: Case) -> dict[str, Any]:
    table, base = case.table(), case.base()
    rows = case.rows_to_predict()
    found = ensemble_json(ensemble_learner(case.ensemble or {}, base), table, rows_of(table, rows))
    return {
        "rules": [],
        "learner": found["learner"],
        "data": data_json(table),
        "rows": rows,
        "expected": found["expected"],
        "printed": [],
    }


# Attribution cases.


def _attributed(case: Case) -> dict[str, Any]:
    table, base = case.table(), case.base() if case.learner else None
    model = grow(case.base(), table) if case.ensemble is None else ensemble_learner(case.ensemble, base).grow(table)
    columns = [*table.schema.attributes, table.schema.target]
    every, rows = [cells_of(row) for row in table.rows()], case.rows_to_predict()
    background = [every[number - 1] for number in case.background]
    found = shapley_values(
        model,
        list(rows_of(table, rows)),
        background=list(rows_of(table, background)) or None,
        cover=case.cover,
        values=case.values,
    )
    expected: list[dict[str, Any]] = [
        {"values": list(map(number_json, values.values())), "prediction": number_json(prediction)}
        for values, prediction in zip(found.values, found.predictions, strict=True)
    ]
    if case.interactions:
        for one, pairs in zip(expected, found.interactions, strict=True):
            one["interactions"] = _matrix(pairs, found.names)
    trees = [
        {
            "weight": weight_json(term.weight),
            "nodes": json.loads(to_json(term.tree))["nodes"],
            "values": list(map(str, term.values)),
            "cover": list(map(str, term.cover)) or None,
        }
        for term in found.explained.summands
    ]
    return {
        "rules": [],
        "columns": [{"name": c.name, "kind": c.kind} for c in columns[:-1]],
        "explained": found.explained.of,
        "value_function": found.value_function,
        "model": {"start": weight_json(found.explained.start), "trees": trees},
        "background": [row[:-1] for row in background] or None,
        "rows": [row[:-1] for row in rows],
        "interactions": case.interactions,
        "expected": {"expected_value": number_json(found.expected_value), "attributions": expected},
        "printed": [],
    }


def _matrix(pairs: Mapping[Any, Any], names: Sequence[str]) -> list[list[dict[str, Any]]]:
    """The interaction values, attribute by attribute."""
    return [[number_json(pairs[i, j]) for j in names] for i in names]


# Rounds cases.


def _in_rounds(case: Case) -> dict[str, Any]:
    table, learner = case.table(), _boosting(case)
    expected, rules = ensembles.rounds_json(learner, table)
    grower = learner.grower()
    printed = [(one, ensembles.figure_of(learner, table, one.round or 1, one.score)) for one in case.printed]
    return {
        "rules": sorted(rules),
        "learner": {"name": grower.name, "profile": grower.profile, "options": dict(grower.options)},
        "data": data_json(table),
        "expected": expected,
        "printed": [_as_printed(figure, ours) for figure, ours in printed],
    }


def _boosting(case: Case) -> ensembles.Boosting:
    learner = ensemble_learner(case.ensemble or {}, case.base() if case.learner else None)
    assert isinstance(learner, ensembles.Boosting)
    return learner


# Draws cases.


def _drawn(case: Case) -> dict[str, Any]:
    """Draws of one generator, from its first block on."""
    draw = dict(case.draw or {})
    chance = Chance(int(draw["seed"]), bytes.fromhex(draw["key"]))
    kind, n = draw["kind"], int(draw.get("n", "0"))
    if kind == "block":
        expected = [f"{chance.block():064x}" for _ in range(draw["times"])]
    elif kind == "below":
        expected = [str(chance.below(n)) for _ in range(draw["times"])]
    else:
        expected = [str(place) for place in chance.shuffled(range(n))]
    return {"rules": [], "draw": draw, "expected": expected, "printed": []}


_KINDS: Mapping[Kind, Callable[[Case], dict[str, Any]]] = {
    "formula": _formula,
    "bins": _bins,
    "split": _learned,
    "tree": _learned,
    "predict": _predicted,
    "prune": _pruned,
    "ensemble": _together,
    "attribution": _attributed,
    "draws": _drawn,
    "rounds": _in_rounds,
}
# How the golden of each kind of case is written.


def data_json(table: Table) -> dict[str, Any]:
    """A table: its columns, its rows as text, and the checksum of these rows as a CSV file."""
    rows = [cells_of(row) for row in table.rows()]
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


# Figures as printed.


def value_of(figure: PrintedFigure) -> Number:
    """Our value of a printed figure: of its formula, or of its case.

    Example:
        >>> from reference_tree.conformance.books import ledger
        >>> figure = next(figure for figure in ledger() if figure.value == "0.157")
        >>> figure.source, figure.of, round(float(value_of(figure)), 6)
        ('Quinlan1993 §4.2', 'U25% of 1 of 16', 0.156681)
    """
    if figure.formula:
        if figure.terms:
            return sum((_applied(figure.formula, arguments) for arguments in figure.terms), Fraction(0))
        return _applied(figure.formula, figure.arguments) / rational(figure.per)
    case = cases()[figure.case]
    if case.kind == "formula":
        return _applied(case.formula, case.arguments)
    if case.kind == "prune":
        by_path = {one["node"]: one for one in _pruned(case)["expected"]["decisions"]}
        return Fraction(by_path[figure.node][figure.score]["exact"])
    if case.kind == "rounds":
        return ensembles.figure_of(_boosting(case), case.table(), figure.round or 1, figure.score)
    learner, table = case.base(), case.table()
    tree = grow(learner, table)
    return _figure(figure, tree, list(revisit(tree, learner, table)))


def _figure(figure: PrintedFigure, tree: Tree, visits: Sequence[Visit]) -> Number:
    """Our value of a printed figure: a candidate's score or threshold, or a measure of the node's own counts.

    Of an attribute that can be asked in several ways, a source prints the figure of the best.
    """
    number = tree.find(figure.node)
    decision = next(visit.decision for visit in visits if visit.number == number)
    if figure.attribute is None and figure.test is None:
        return named(figure.score)(decision.total)
    candidate = meant(figure, decision)
    if figure.score == "threshold" and isinstance(candidate.test, Threshold):
        return candidate.test.threshold
    if figure.score in candidate.scores:
        return candidate.scores[figure.score]
    return MEASURES[figure.score](candidate.table)


def meant(figure: PrintedFigure, decision: Decision) -> Candidate:
    """The candidate that a figure is about: of an attribute, the best."""
    found = [candidate for candidate in decision.candidates if _is_meant(candidate, figure)]
    return best(found, lambda candidate: candidate.scores[candidate.measured[-1]])[0]


def _is_meant(candidate: Candidate, figure: PrintedFigure) -> bool:
    """Whether a figure is about a candidate, or about its attribute."""
    if figure.test is not None:
        return candidate.test.name == figure.test
    return candidate.test.attribute == figure.attribute and candidate.barred != "not-best"


def _as_printed(figure: PrintedFigure, ours: Number) -> dict[str, Any]:
    """A printed figure beside ours, and how the two agree: rounded, cut off, or not."""
    digits, percent = figure.value.removesuffix("%"), figure.value.endswith("%")
    one = Fraction(1, 100 if percent else 1)
    unit, shown = one / 10 ** len(digits.partition(".")[2]), one * rational(digits)
    is_rounded, is_cut_off = shown - unit / 2 <= ours <= shown + unit / 2, shown <= ours < shown + unit
    agrees = "rounded" if is_rounded else "cut off" if is_cut_off else "no"
    described = {key: getattr(figure, key) for key in SHOWN if getattr(figure, key) not in (None, "")}
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
