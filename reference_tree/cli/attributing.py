"""Attributions on the command line: the part of each attribute in the answers of a tree or an ensemble."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import Any

from reference_tree.attribution.covers import COVERS
from reference_tree.cli.commands import attributed, rows_in
from reference_tree.cli.learning import layout_of
from reference_tree.cli.options import add_conflicts, add_format, add_ignored, add_layout, apart, is_for, whole
from reference_tree.cli.output import deliver
from reference_tree.cli.trees import predictor_in
from reference_tree.data.errors import InputError
from reference_tree.data.writers import csv_text
from reference_tree.exact.rationals import exact_text
from reference_tree.exact.reals import Number
from reference_tree.views.plots.attributions import swarm, waterfall
from reference_tree.views.wording import one_line

FORMATS = ("csv", "json", "svg")
"""How attributions are written."""


def add_attributing(command: argparse.ArgumentParser, tree: str) -> None:
    """The options of `attributions`."""
    add = command.add_argument
    add("tree", metavar="MODEL", help=tree)
    add_ignored(command)
    add("data", metavar="ROWS", help="the rows: a file or the name of a textbook data set")
    add_explained(command)
    add("--row", type=whole, metavar="N", help="one row only, by its number from 1; as SVG a waterfall, not a swarm")
    add("--exact", action="store_true", help="print exact numbers: fractions, not the nearest doubles")
    add_format(command, FORMATS)
    add_layout(command)


def add_explained(command: Any, *needs: str) -> None:
    """What is explained, and how the unknown is expected; with the option that is needed beside these."""
    what = "rows whose cells stand in for unknown ones: interventional values (default: path-dependent, by cover)"
    command.add_argument("--background", metavar="ROWS", help=what)
    what = "the cover of the nodes (default: the weights, where the model states them, or else sum_hessian)"
    command.add_argument("--cover", choices=COVERS, help=what)
    what = "the class that is explained, or margin (default: the second of two classes)"
    command.add_argument("--values", metavar="CLASS", help=what)
    add_conflicts(
        command,
        apart("background", "cover", "--background and --cover are two ways to expect the unknown; choose one"),
        *(is_for(one, "Shapley values", *needs) for one in ("background", "cover", "values") if needs),
    )


def run_attributions(options: argparse.Namespace) -> None:
    """`attributions MODEL ROWS`: the Shapley values of each row."""
    predictor = predictor_in(options.tree, options)
    rows = [row for _, row in rows_in(predictor, options.data, predictor.attributes, layout_of(options))]
    if options.row is not None and not 1 <= options.row <= len(rows):
        raise InputError(f"--row {options.row}: there is no such row; there are {len(rows)}, and the first is 1")
    first = 1 if options.row is None else options.row
    found = attributed(options, predictor, rows if options.row is None else [rows[first - 1]])
    if options.format == "svg":
        deliver(swarm(found) if options.row is None else waterfall(found), options.output)
        return
    say = _exact if options.exact else _double
    values: Sequence[Any] = found.values if options.exact else found.floats
    expected, answers = say(found.expected_value), list(map(say, found.predictions))
    written = [{name: say(value) for name, value in each.items()} for each in values]
    if options.format == "json":
        told = {
            "model": options.tree, "rows": options.data, "explained": found.explained.of,
            "value_function": found.value_function, "cover": found.cover, "background": options.background,
            "expected_value": expected,
            "attributions": [
                {"row": number, "prediction": answer, "values": each}
                for number, (answer, each) in enumerate(zip(answers, written, strict=True), start=first)
            ],
        }  # fmt: skip
        deliver(json.dumps(told, ensure_ascii=False, indent=1) + "\n", options.output)
        return
    head = ["row", "expected_value", *map(one_line, found.names), "prediction"]
    lines = [
        [str(number), str(expected), *map(str, each.values()), str(answer)]
        for number, (answer, each) in enumerate(zip(answers, written, strict=True), start=first)
    ]
    deliver(csv_text(head, lines), options.output)


def _exact(number: Number) -> str:
    """A number in full: a fraction, or a sum of logarithms."""
    try:
        return exact_text(number)
    except (AttributeError, TypeError):
        return str(number)


def _double(number: Number) -> float:
    return float(number)
