"""`compare` and `fingerprint`: verdicts, exit statuses, refusals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import reference_tree as rt
from tests.cli.running import Run, refused

DAYS = rt.textbook("play-tennis")


@pytest.fixture
def models(tmp_path: Path) -> Path:
    rt.ID3().grow(DAYS).save(tmp_path / "id3.json")
    rt.CART().grow(DAYS).save(tmp_path / "cart.json")
    rt.CART(max_depth=1).grow(DAYS).save(tmp_path / "stump.json")
    return tmp_path


def test_the_same_function(run: Run, models: Path) -> None:
    status, out, err = run("compare", models / "id3.json", models / "cart.json")
    assert (status, err) == (0, "")
    assert out.startswith("The answers are the same for all rows, bit for bit (tree by tree).\nnot compared, ")
    prints = [run("fingerprint", models / name, "--complete") for name in ("id3.json", "cart.json", "stump.json")]
    assert [status for status, _, _ in prints] == [0, 0, 0]
    assert prints[0] == prints[1] != prints[2]
    assert prints[0][1] == rt.fingerprint(rt.ID3().grow(DAYS), complete=True) + "\n"


def test_another_function(run: Run, models: Path) -> None:
    command = ("compare", models / "id3.json", models / "stump.json", "--rows", "play-tennis")
    status, out, _ = run(*command)
    assert status == 1
    assert out.splitlines()[:4] == [
        "The models differ (by a row).",
        "row: humidity=high, outlook=rainy, wind=weak",
        "predictions: yes and no",
        "the exact score of no differs by -0.5",
    ]
    status, out, _ = run(*command, "--format", "json")
    told = json.loads(out)
    assert (status, told["verdict"], told["answers"], told["difference"]) == (1, "different", ["yes", "no"], "-1/2")


def test_a_tolerance_and_a_search_without_steps(run: Run, tmp_path: Path) -> None:
    table = rt.textbook("li-hang-8.2")
    for trees in (3, 6):
        rt.BoostingTree(trees=trees).grow(table).save(tmp_path / f"{trees}.json")
    command = ("compare", tmp_path / "3.json", tmp_path / "6.json", "--tolerance")
    assert run(*command, "100")[0] == 0
    status, out, _ = run(*command, "1/3", "--max-steps", "0")
    assert status == 3
    assert "It is not decided" in out
    assert "all differences lie between " in out


def test_models_that_cannot_be_compared_are_refused_in_a_line(run: Run, models: Path, tmp_path: Path) -> None:
    rt.CART().grow(rt.textbook("iris")).save(tmp_path / "iris.json")
    message = refused(run, "compare", models / "id3.json", tmp_path / "iris.json")
    assert "one model asks for humidity, outlook, wind, and the other for petal length, petal width" in message


def test_a_converted_model_is_compared_by_the_places_of_its_columns(run: Run) -> None:
    """LightGBM 4.7.0 and onnxmltools: the file has x0 and x1, and holds all numbers as float32."""
    recorded = Path(__file__).parents[1] / "functions" / "recorded"
    status, out, err = run("compare", recorded / "lightgbm.txt", recorded / "lightgbm.onnx")
    assert status == 1
    assert "taken as the same: x0 and Column_0, x1 and Column_1" in err
    assert "cause: values, thresholds and leaves in float32" in out
