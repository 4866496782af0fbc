"""Whole models on the command line: whether two are the same function, and the fingerprint of one."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from typing import Any

from reference_tree.auditing.matching import matched_places, renamed, said
from reference_tree.cli.commands import rows_in
from reference_tree.cli.learning import layout_of
from reference_tree.cli.options import add_format, add_largest, add_layout, number, whole
from reference_tree.cli.output import deliver, remark
from reference_tree.cli.trees import predictor_in
from reference_tree.exact.rationals import exact_text, rational
from reference_tree.functions.cells import INPUTS
from reference_tree.functions.equivalence import Equivalence, equivalent
from reference_tree.functions.fingerprints import fingerprint

FORMATS = ("text", "json")
"""How a verdict is written."""
UNDECIDED = 3
"""The exit status of a search whose steps did not suffice."""
PROOFS = {
    "trees": "tree by tree",
    "polynomial": "by all coefficients",
    "fingerprint": "by fingerprints, wrong by a chance below 2^-500",
    "search": "by a search of all rows",
    "row": "by a row",
}
"""What decided, in words."""
SAID = {
    "same answers": "The answers are the same for all rows, bit for bit",
    "same scores": "The exact scores are the same for all rows; sums of floats may differ by their roundings",
    "same within": "The scores are the same within the tolerance for all rows",
    "same class": "The classes are the same for all rows; their scores differ",
    "different": "The models differ",
    "undecided": "It is not decided; --max-steps allows a longer search",
}
"""The verdicts, in words."""


def add_comparing(command: argparse.ArgumentParser, tree: str) -> None:
    """The options of `compare`."""
    add = command.add_argument
    add("tree", metavar="A", help=tree)
    add("other", metavar="B", help="the other model, likewise")
    _add_inputs(add)
    add("--tolerance", type=number, metavar="E", default=0, help="the most by which a score may differ (default: 0)")
    add("--rows", metavar="ROWS", help="rows that are asked first: a file or the name of a textbook data set")
    what = "the most steps of a search, for a tolerance or for classes (default: 2000)"
    add("--max-steps", type=whole, metavar="N", default=2_000, help=what)
    add_format(command, FORMATS)
    add_layout(command)


def add_fingerprinting(command: argparse.ArgumentParser, tree: str) -> None:
    """The options of `fingerprint`."""
    command.add_argument("tree", metavar="MODEL", help=tree)
    _add_inputs(command.add_argument)
    what = "that of rows without a missing value alone, which every model takes"
    command.add_argument("--complete", action="store_true", help=what)
    add_largest(command)


def _add_inputs(add: Callable[..., Any]) -> None:
    add("--inputs", choices=INPUTS, default=INPUTS[0], help="the numbers that rows can hold (default: double)")


def run_compare(options: argparse.Namespace) -> int:
    """`compare A B`: the verdict. The exit status is 0 if they are the same, 1 if different, 3 if it is undecided."""
    a, b = predictor_in(options.tree, options), predictor_in(options.other, options)
    # A converter often leaves names out; then the columns of both are the same by their places.
    if names := matched_places([one.name for one in b.attributes], [one.name for one in a.attributes]):
        remark(said(names, {}))
        b = renamed(b, names, {})
    rows = None
    if options.rows is not None:
        rows = [row for _, row in rows_in(a, options.rows, a.attributes, layout_of(options))]
    verdict = equivalent(
        a, b, inputs=options.inputs, tolerance=options.tolerance, rows=rows, max_steps=options.max_steps
    )  # fmt: skip
    deliver(_json(verdict, options) if options.format == "json" else _text(verdict), options.output)
    return {True: 0, False: 1, None: UNDECIDED}[verdict.same]


def run_fingerprint(options: argparse.Namespace) -> None:
    """`fingerprint MODEL`: 32 digits that all forms of the same function have."""
    model = predictor_in(options.tree, options)
    deliver(f"{fingerprint(model, inputs=options.inputs, complete=options.complete)}\n", options.output)


def _text(verdict: Equivalence) -> str:
    lines = [f"{SAID[verdict.verdict]} ({PROOFS[verdict.how]})."]
    if verdict.row is not None:
        lines.append("row: " + ", ".join(f"{name}={_value(value)}" for name, value in verdict.row.items()))
    if verdict.answers is not None:
        lines.append(f"predictions: {_value(verdict.answers[0])} and {_value(verdict.answers[1])}")
    if verdict.difference is not None:
        of = f" of {verdict.score}" if verdict.score else ""
        lines.append(f"the exact score{of} differs by {float(verdict.difference)!r}")
    if verdict.bounds is not None:
        low, high = map(float, verdict.bounds)
        lines.append(f"all differences lie between {low!r} and {high!r}")
    if verdict.cause:
        lines.append(f"cause: {verdict.cause}")
    if verdict.outside:
        lines.append(f"not compared, as one of them refuses it: {', '.join(verdict.outside)}")
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    """A value of a row, or a prediction."""
    return "?" if value is None else value if isinstance(value, str) else repr(_double(value))


def _double(value: Any) -> Any:
    return value if value is None or isinstance(value, str) else float(value)


def _json(verdict: Equivalence, options: argparse.Namespace) -> str:
    row = None if verdict.row is None else {name: _double(value) for name, value in verdict.row.items()}
    told = {
        "a": options.tree, "b": options.other, "inputs": options.inputs,
        "tolerance": exact_text(rational(str(options.tolerance))),
        "verdict": verdict.verdict, "how": verdict.how, "row": row,
        "answers": None if verdict.answers is None else list(map(_double, verdict.answers)),
        "score": verdict.score,
        "difference": None if verdict.difference is None else exact_text(verdict.difference),
        "bounds": None if verdict.bounds is None else list(map(exact_text, verdict.bounds)),
        "cause": verdict.cause, "outside": list(verdict.outside),
    }  # fmt: skip
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"
