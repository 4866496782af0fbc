"""The front door: each file is known by what it holds."""

from __future__ import annotations

import importlib
import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.programs.reader import readers
from reference_tree.programs.reading import names_tree, predictor_of_file, read_foreign
from tests.programs.documents import files


@pytest.mark.filterwarnings("ignore:.*thresholds are rounded")
@pytest.mark.one_in(1, 4)
@pytest.mark.parametrize("path", [*files("xgboost"), *files("lightgbm"), *files("rpart"), *files("weka")])
def test_a_file_is_recognised_whatever_it_is_called(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "model"
    copy.write_bytes(path.read_bytes())
    assert names_tree(str(copy))
    found = read_foreign(copy)
    assert found == read_foreign(str(path)) == read_foreign(path.read_text(encoding="utf-8"))
    assert found == read_foreign(path, program=path.parent.name)
    names = {"xgboost": "XGBoost", "lightgbm": "LightGBM", "rpart": "rpart", "weka": "Weka"}
    assert found[0]["program"]["name"].startswith(names[path.parent.name])


def test_our_own_documents_are_ours(tmp_path: Path) -> None:
    tree = rt.ID3().grow(rt.textbook("play-tennis"))
    path = tmp_path / "tree.json"
    path.write_text(rt.to_json(tree), encoding="utf-8")
    assert predictor_of_file(path) == tree
    (document,) = read_foreign(path)
    assert document["format"] == "reference-tree/tree/1"


def test_data_is_no_tree(tmp_path: Path) -> None:
    table = tmp_path / "weather.csv"
    table.write_text("outlook,play\nsunny,no\n", encoding="utf-8")
    assert not names_tree(str(table))
    assert not names_tree("play-tennis")


@pytest.mark.slow
def test_readers_are_imported_when_they_are_asked_for() -> None:
    code = "import reference_tree, sys; print(*(name for name in sys.modules if 'reference_tree.programs.' in name))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, encoding="utf-8")
    assert not {*run.stdout.split()} & {reader.documents.__module__ for reader in readers().values()}


def test_of_c45_the_simplified_tree_answers(tmp_path: Path) -> None:
    path = tmp_path / "golf.txt"
    path.write_text(
        "Decision Tree:\n\na = x: b (1.0)\na = y: c (2.0)\n\nSimplified Decision Tree:\n\n c (3.0/2.1)\n\nTree saved\n",
        encoding="utf-8",
    )
    assert len(read_foreign(path)) == 2
    assert predictor_of_file(path).predict({"a": "x"}) == "c"


def test_fitted_objects_are_read() -> None:
    numpy: Any = pytest.importorskip("numpy")
    X, y = numpy.arange(20.0).reshape(10, 2), [0, 1] * 5
    for module, name, program in (
        ("sklearn.tree", "DecisionTreeClassifier", "scikit-learn"),
        ("xgboost", "XGBClassifier", "XGBoost"),
        ("lightgbm", "LGBMClassifier", "LightGBM"),
    ):
        if importlib.util.find_spec(module.partition(".")[0]) is None:
            continue
        found = importlib.import_module(module)
        options = {} if module == "sklearn.tree" else {"n_estimators": 2, "min_child_weight": 0}
        (document,) = read_foreign(getattr(found, name)(**options).fit(X, y))
        assert document["program"]["name"] == program
