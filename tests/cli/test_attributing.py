"""`attributions`, `explain --attributions`, `audit --attributions`: the figures of the functions, and refusals."""

from __future__ import annotations

import csv
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.views.plots.attributions import swarm, waterfall
from tests.cli.running import Run, refused

IRIS = rt.textbook("iris")
TREE = rt.CART(max_depth=3).grow(IRIS)
FOUND = rt.shapley_values(TREE, IRIS, values="virginica")
SAID = "reference-tree: path-dependent values of P(virginica), by the cover weights\n"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "tree.json"
    TREE.save(path)
    return path


def test_the_rows_as_a_table_of_the_nearest_doubles(run: Run, model: Path) -> None:
    status, out, err = run("attributions", model, "iris", "--values", "virginica")
    assert (status, err) == (0, SAID)
    lines = list(csv.DictReader(out.splitlines()))
    assert [{name: float(line[name]) for name in FOUND.names} for line in lines] == FOUND.floats
    assert {line["expected_value"] for line in lines} == {str(1 / 3)}
    assert [float(line["prediction"]) for line in lines] == list(map(float, FOUND.predictions))
    assert [line["row"] for line in lines] == [str(number) for number in range(1, 151)]


def test_one_row_exactly_as_json(run: Run, model: Path) -> None:
    command = ("attributions", model, "iris", "--values", "virginica", "--row", "134", "--exact", "--format", "json")
    told = json.loads(run(*command)[1])
    (row,) = told["attributions"]
    assert (told["explained"], told["value_function"], told["cover"]) == ("P(virginica)", "path_dependent", "weights")
    assert (row["row"], row["prediction"]) == (134, str(FOUND.predictions[133]))
    assert {name: Fraction(value) for name, value in row["values"].items()} == FOUND.values[133]
    assert Fraction(told["expected_value"]) + sum(map(Fraction, row["values"].values())) == Fraction(row["prediction"])


def test_pictures(run: Run, model: Path) -> None:
    command = ["attributions", model, "iris", "--values", "virginica", "--format", "svg"]
    assert run(*command)[1] == swarm(FOUND)
    assert run(*command, "--row", "71")[1] == waterfall(FOUND, 70)


def test_background_rows(run: Run, model: Path) -> None:
    _, out, err = run("attributions", model, "iris", "--values", "setosa", "--background", "iris", "--row", "1")
    assert err == "reference-tree: interventional values of P(setosa), by 150 background rows\n"
    (line,) = csv.DictReader(out.splitlines())
    expected = rt.shapley_values(TREE, IRIS.take([0]), background=IRIS, values="setosa").floats[0]
    assert {name: float(line[name]) for name in FOUND.names} == expected


def test_the_votes_of_adaboost_are_sums_of_logarithms_and_are_written_in_full(run: Run, tmp_path: Path) -> None:
    rt.AdaBoost(trees=2).grow(rt.textbook("golf")).save(tmp_path / "model.json")
    status, out, err = run("attributions", tmp_path / "model.json", "golf", "--exact", "--row", "1")
    assert (status, err) == (0, "reference-tree: path-dependent values of votes for yes, by the cover weights\n")
    assert "ln(" in out


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--row", "0"], "--row 0: there is no such row; there are 150, and the first is 1"),
        (["--row", "151"], "there is no such row"),
        ([], "--values: name the class that is explained: setosa, versicolor, virginica"),
        (["--values", "rose"], "name the class that is explained"),
        (["--values", "setosa", "--cover", "sum_hessian"], "does not state the sums of the second derivatives"),
        (["--cover", "weights", "--background", "iris"], "two ways to expect the unknown; choose one"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(run: Run, model: Path, more: list[str], message: str) -> None:
    assert message in refused(run, "attributions", model, "iris", *more)


# One row, leaf by leaf.


def test_the_values_of_a_row_are_derived(run: Run, model: Path) -> None:
    status, out, err = run("explain", model, "iris", "--predict", "134", "--attributions", "--values", "virginica")
    assert (status, err) == (0, SAID)
    assert "The Shapley values of row 134 of iris for P(virginica)" in out
    for name, value in FOUND.values[133].items():
        assert not value or f"φ({name})" in out


def test_they_are_those_of_a_row_and_of_one_tree(run: Run, tmp_path: Path) -> None:
    assert "--attributions is for a row" in refused(run, "explain", "iris", "--attributions")
    assert "--cover is for Shapley values" in refused(run, "explain", "iris", "--predict", "1", "--cover", "weights")
    path = tmp_path / "forest.json"
    rt.RandomForest(trees=2).grow(rt.textbook("golf")).save(path)
    command = ["explain", path, "golf", "--predict", "1", "--attributions"]
    assert "say --round M for one of them" in refused(run, *command)
    assert run(*command, "--round", "2")[0] == 0


# The audit.


def _audit(run: Run, model: Path, *more: Any) -> tuple[int, str, str]:
    return run("audit", model, "iris", "--values", "virginica", *more)


def test_a_table_is_right_or_its_wrong_row_is_named(run: Run, model: Path, tmp_path: Path) -> None:
    table = tmp_path / "values.csv"
    run("attributions", model, "iris", "--values", "virginica", "--output", table)
    status, out, _ = _audit(run, model, "--attributions", table)
    assert (status, out[:40]) == (0, "150 rows: right to rounding; the largest")
    lines = table.read_text(encoding="utf-8").splitlines()
    cells = lines[7].split(",")
    cells[4] = str(float(cells[4]) + 0.5)
    table.write_text("\n".join([*lines[:7], ",".join(cells), *lines[8:]]) + "\n", encoding="utf-8")
    status, out, _ = _audit(run, model, "--attributions", table)
    assert status == 1
    assert out.startswith("7 wrong-attribution: petal length is ")
    assert "1 of 150 rows wrong" in out


def test_an_array_without_names_is_in_the_order_of_the_attributes(run: Run, model: Path, tmp_path: Path) -> None:
    table = tmp_path / "values.csv"
    lines = [",".join(map(repr, [*each.values(), 1 / 3])) for each in FOUND.floats]
    table.write_text("\n".join(["a,b,c,d,e", *lines]) + "\n", encoding="utf-8")
    assert _audit(run, model, "--attributions", table)[0] == 0
    command = ("audit", model, "iris", "--values", "virginica", "--attributions", table)
    assert "--node is for the audit of a tree" in refused(run, *command, "--node", "/")
    table.write_text("a,b\n1,2\n", encoding="utf-8")
    assert "row 1 has 2 values, and the model 4 attributes" in refused(run, *command)


def test_values_of_another_value_function_are_told(run: Run, model: Path, tmp_path: Path) -> None:
    table = tmp_path / "values.csv"
    run("attributions", model, "iris", "--values", "virginica", "--background", "iris", "--output", table)
    assert "they are interventional values" in _audit(run, model, "--attributions", table)[1]
    assert _audit(run, model, "--attributions", table, "--background", "iris")[0] == 0
