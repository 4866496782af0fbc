"""The ways of asking a model: the same rows, as tables, rows, frames and files hold them.

1. `decimals` is a table of decimals, of which many are thresholds of the models that programs fit to them.
2. `fitted` are such models of XGBoost, LightGBM and scikit-learn, with their answers.
3. `by_every_way` asks a model in every way, and counts the answers that differ from those of its program.
"""

from __future__ import annotations

import importlib
import importlib.util
import math
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from decimal import Decimal
from fractions import Fraction
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple

import reference_tree as rt
from reference_tree.cli import main
from reference_tree.data.table import Table
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.tree import Tree

Rows = Sequence[Sequence[str | None]]
"""Numbers as decimals; None is missing."""

Kind = Literal["number", "two classes", "three classes"]
"""What is predicted."""
KINDS: tuple[Kind, ...] = ("number", "two classes", "three classes")


class Fitted(NamedTuple):
    """A model of a program, and its answers on the rows that it was fitted to."""

    model: Any
    """As the program has it."""
    classes: list[str]
    """The names of its classes."""
    answers: list[Any]
    """A number for each row; or a label, and the probability of each class."""


def decimals(seed: int, kind: Kind, rows: int = 60) -> tuple[Rows, list[Any]]:
    """Rows of three decimals, with gaps in the last column if the seed is odd, and what is to be predicted."""
    random = Random(seed)
    places = 1 + seed % 3
    cells = [[f"{random.randrange(3 * 10**places) / 10**places:.{places}f}" for _ in range(3)] for _ in range(rows)]
    numbers = [[*map(float, row)] for row in cells]
    truth = [2 * a + math.sin(4 * b) + c * c / 3 + random.gauss(0, 0.3) for a, b, c in numbers]
    found = [[a, b, None if seed % 2 and random.random() < 0.15 else c] for a, b, c in cells]
    if kind == "number":
        return found, [round(37.3 * number, 2) for number in truth]
    classes, order = ("no", "yes") if kind == "two classes" else ("a", "b", "c"), sorted(truth)
    return found, [classes[order.index(number) * len(classes) // rows] for number in truth]


def fitted(rows: Rows, target: Sequence[Any]) -> Iterator[tuple[str, Fitted]]:
    """Models of the programs that are installed, by name."""
    numpy: Any = importlib.import_module("numpy")
    X = numpy.array([[math.nan if cell is None else float(cell) for cell in row] for row in rows])
    classes = sorted(set(target)) if isinstance(target[0], str) else []
    y = numpy.array([classes.index(one) for one in target] if classes else target)
    which = "Classifier" if classes else "Regressor"
    boosted = {"n_estimators": 4, "n_jobs": 1}
    models: dict[str, tuple[str, str, dict[str, Any]]] = {
        "xgboost-hist": ("xgboost", f"XGB{which}", {**boosted, "max_depth": 3, "tree_method": "hist"}),
        "xgboost-exact": ("xgboost", f"XGB{which}", {**boosted, "max_depth": 3, "tree_method": "exact"}),
        "lightgbm": ("lightgbm", f"LGBM{which}", {**boosted, "num_leaves": 7, "min_child_samples": 2, "verbose": -1}),
        "tree": ("sklearn.tree", f"DecisionTree{which}", {"max_depth": 5, "random_state": 0}),
        "forest": ("sklearn.ensemble", f"RandomForest{which}", {"n_estimators": 4, "max_depth": 4, "random_state": 0}),
        "histograms": ("sklearn.ensemble", f"HistGradientBoosting{which}",
                       {"max_iter": 4, "max_leaf_nodes": 7, "min_samples_leaf": 2, "early_stopping": False}),
    }  # fmt: skip
    for name, (module, called, options) in models.items():
        if importlib.util.find_spec(module.partition(".")[0]) is not None:
            model = getattr(importlib.import_module(module), called)(**options).fit(X, y)
            found = model.predict(X).tolist()
            if classes:
                found = [[classes[k], shares] for k, shares in zip(found, model.predict_proba(X).tolist(), strict=True)]
            yield name, Fitted(model, classes, found)


def _rows(names: Sequence[str], rows: Rows, read: Callable[[str], Any]) -> list[dict[str, Any]]:
    return [{name: None if cell is None else read(cell) for name, cell in zip(names, row, strict=True)} for row in rows]


def asked(model: Tree | Ensemble, rows: Rows) -> Iterator[tuple[str, Any]]:
    """The rows in every form in which they can be asked."""
    names = [each.name for each in model.attributes]
    yield "rows of texts", _rows(names, rows, str)
    yield "rows of decimals", _rows(names, rows, Decimal)
    yield "rows of fractions", _rows(names, rows, Fraction)
    yield "rows of floats", _rows(names, rows, float)
    yield "rows of doubles as fractions", _rows(names, rows, lambda cell: Fraction(float(cell)))
    options: dict[str, Any] = {"target": "row", "continuous": names}
    numbered = [{"row": str(number)} for number in range(len(rows))]

    def table(read: Callable[[str], Any], **more: Any) -> Table:
        given = [{**row, **number} for row, number in zip(_rows(names, rows, read), numbered, strict=True)]
        return Table.from_rows(given, **options, **more)

    yield "a table of texts", table(str)
    yield "a table of floats", table(float)
    yield "a table of exact floats", table(float, numbers="exact")
    yield "a table in doubles", table(str).rounded("double")
    for library, options_of_frame in (("pandas", {}), ("polars", {"infer_schema_length": None})):
        if importlib.util.find_spec(library):
            frame: Any = importlib.import_module(library).DataFrame
            yield f"a frame of {library}", frame(_rows(names, rows, float), **options_of_frame)


def answers(model: Tree | Ensemble, rows: Any) -> list[Any]:
    """Numbers, or labels with their probabilities."""
    if model.target.values is None:
        return [float(answer) for answer in model.predict(rows)]
    shares = [[float(share) for share in found.values()] for found in model.distribution(rows)]
    return [list(pair) for pair in zip(model.predict(rows), shares, strict=True)]


def commanded(model: Tree | Ensemble, rows: Rows) -> list[Any]:
    """The same of the command `predict`."""
    names = [each.name for each in model.attributes]
    with tempfile.TemporaryDirectory() as folder:
        tree, table = Path(folder) / "model.json", Path(folder) / "rows.tsv"
        tree.write_text(rt.to_json(model), encoding="utf-8")
        lines = [names, *(["?" if cell is None else cell for cell in row] for row in rows)]
        table.write_text("".join("\t".join(line) + "\n" for line in lines), encoding="utf-8")
        proba = [] if model.target.values is None else ["--proba"]
        with redirect_stdout(StringIO()) as printed:
            assert main(["predict", str(tree), str(table), "--format", "csv", *proba]) == 0
        found = [line.split(",") for line in printed.getvalue().splitlines()[1:]]
    if model.target.values is None:
        return [float(line[1]) for line in found]
    return [[line[1], list(map(float, line[2:]))] for line in found]


def differences(ours: Sequence[Any], theirs: Sequence[Any], most: float) -> int:
    """How many answers differ: by their label, or by more than a part of the largest number."""
    pairs = list(zip(ours, theirs, strict=True))
    if isinstance(theirs[0], list):
        return sum(
            label != other or any(abs(a - b) > most for a, b in zip(shares, others, strict=True))
            for (label, shares), (other, others) in pairs
        )
    largest = max(map(abs, theirs))
    return sum(abs(one - other) > most * largest for one, other in pairs)


def _scored(model: Tree | Ensemble, rows: Rows, theirs: Sequence[Any], most: float) -> int:
    """The rows of which a score finds that the answer is not that of the program; for numbers 1 if any is far off."""
    names = [each.name for each in model.attributes]
    truth = [one[0] if isinstance(one, list) else repr(one) for one in theirs]
    columns: dict[str, Any] = dict(zip(names, zip(*rows, strict=True), strict=True))
    table = Table.from_columns({**columns, model.target.name: truth}, continuous=names)
    if model.target.values is not None:
        return round((1 - model.accuracy(table)) * len(rows))
    return int(model.mean_squared_error(table) > (most * max(map(abs, theirs))) ** 2)


def by_every_way(model: Tree | Ensemble, rows: Rows, theirs: Sequence[Any], most: float) -> Mapping[str, int]:
    """Way → how many answers differ from those of the program.

    Args:
        model: the model as it was read.
        rows: the rows.
        theirs: the answers of the program.
        most: how far numbers may be apart, as a part of the largest, since programs add floats.
    """
    found = {way: differences(answers(model, given), theirs, most) for way, given in asked(model, rows)}
    one_by_one = [answers(model, [row])[0] for row in _rows([one.name for one in model.attributes], rows, float)]
    return {
        **found,
        "row by row": differences(one_by_one, theirs, most),
        "a score": _scored(model, rows, theirs, most),
        "the command": differences(commanded(model, rows), theirs, most),
    }
