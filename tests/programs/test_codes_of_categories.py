"""Categories that a program knows by codes: any number is cut off to one, in whatever way a model is asked."""

from __future__ import annotations

import importlib
import json
import sqlite3
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.data.held import cut_off
from reference_tree.data.schema import Attribute
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.exact.rationals import rational
from reference_tree.programs.reading import predictor_of_file
from reference_tree.tree_document.reading import from_json, predictor_from_json
from reference_tree.tree_document.writing import to_json
from reference_tree.views.trees.code import to_python, to_sql
from tests.every import of_every
from tests.programs.recording import HERE
from tests.programs.test_kinds_of_booster import answers, near, recorded

MODELS = [HERE / "xgboost-kinds" / "codes-3.4.1.json", HERE / "lightgbm-kinds" / "codes-4.7.0.txt"]


@of_every(
    [
        ("whole", "0.7", 0), ("whole", "-0.5", 0), ("whole", "-1", -1), ("whole", "2.99999999", 2),
        ("whole", "1e8", 10**8),
        ("code", "0.7", 0), ("code", "-0.5", None), ("code", "2.99999999", 3), ("code", "16777215", 16777215),
        ("code", "16777216", None), ("code", "1e300", None), ("code", "-1e-60", 0),
    ]
)  # fmt: skip
def test_a_number_is_cut_off(form: Any, number: str, code: int | None) -> None:
    assert cut_off(rational(number), form) == code


def model_and_rows(path: Path) -> tuple[Ensemble, list[dict[str, Any]]]:
    """A model with codes, and the rows that its program answered, numbers between codes among them."""
    model = predictor_of_file(path)
    assert isinstance(model, Ensemble)
    names = [attribute.name for attribute in model.attributes]
    return model, [dict(zip(names, row, strict=True)) for row in recorded(path)["rows"]]


@pytest.mark.parametrize("path", [pytest.param(path, id=path.name) for path in MODELS])
def test_each_way_of_asking_gives_the_same_answer(path: Path) -> None:
    model, rows = model_and_rows(path)
    theirs, names = recorded(path)["answers"], list(rows[0])
    assert all(near(answers(model, rows), theirs, 5e-7))
    columns = {name: [row[name] for row in rows] for name in names} | {"y": [0, *[1] * (len(rows) - 1)]}
    numeric = rt.Table.from_columns(columns, numbers="exact")
    as_texts = rt.Table.from_columns(columns, numbers="exact", categorical=[names[-1]])
    again = predictor_from_json(to_json(model))
    assert [each.held for each in again.attributes] == [each.held for each in model.attributes]
    space: dict[str, Any] = {}
    exec(to_python(model), space)
    expected = answers(model, rows)
    for found in (
        model.predict(numeric), model.predict(as_texts), again.predict(rows), [model.predict(row) for row in rows],
        [space["predict"](row) for row in rows], in_sqlite(model, rows),
    ):  # fmt: skip
        assert all(near(list(map(float, found)), expected, 1e-6))


def in_sqlite(model: Ensemble, rows: list[dict[str, Any]]) -> list[Any]:
    """What SQLite answers."""
    connection = sqlite3.connect(":memory:")
    connection.execute(f"CREATE TABLE t ({', '.join(f'{name} REAL' for name in rows[0])})")
    connection.executemany(
        f"INSERT INTO t VALUES ({', '.join('?' * len(rows[0]))})", [tuple(row.values()) for row in rows]
    )
    return [answer for (answer,) in connection.execute(f"SELECT {to_sql(model, 'sqlite')} FROM t ORDER BY rowid")]


def test_a_frame_is_read_likewise() -> None:
    pandas: Any = pytest.importorskip("pandas")
    for path in MODELS:
        model, rows = model_and_rows(path)
        assert list(map(float, model.predict(pandas.DataFrame(rows)))) == answers(model, rows)


def test_codes_of_numbers_that_become_one_category() -> None:
    known = Attribute("c", ("0", "1"), held="whole")
    assert [known.category(value) for value in (0, 0.7, "0.7", "-0.2", 1.5, 2, "red")] == [
        "0",
        "0",
        "0",
        "0",
        "1",
        "2",
        "red",
    ]


def test_a_document_says_so_and_an_unknown_form_is_refused() -> None:
    (document,) = rt.read_foreign(MODELS[1])
    assert document["attributes"][-1]["floats"] == "whole"
    for wrong in ("double", "codes"):
        document["attributes"][-1]["floats"] = wrong
        with pytest.raises(rt.InputError, match="has no numbers that are held like this"):
            predictor_from_json(json.dumps(document))
    document["attributes"][-1]["floats"] = "whole"
    document["attributes"][0]["floats"] = "whole"
    with pytest.raises(rt.InputError, match="has no numbers that are held like this"):
        predictor_from_json(json.dumps(document))


@pytest.mark.oracles
def test_xgboost_sends_numbers_without_a_code_to_the_side_of_what_is_not_listed() -> None:
    xgb: Any = pytest.importorskip("xgboost")
    numpy: Any = importlib.import_module("numpy")
    codes = numpy.array([[0], [1], [2], [3], [numpy.nan]] * 6, dtype=float)
    for y_of_missing in (0.0, 5.0):  # the default side is once that of the listed categories, and once the other
        y = numpy.array([0, 0, 5, 0, y_of_missing] * 6)
        kinds = {"feature_types": ["c"], "enable_categorical": True}
        options = {"max_depth": 1, "max_cat_to_onehot": 1, "tree_method": "hist", "min_child_weight": 0, "nthread": 1}
        booster = xgb.train(options, xgb.DMatrix(codes, y, **kinds), 1)
        asked = [0.0, 0.7, 2.0, 2.7, 2.99999999, -0.5, -1.0, 7.0, 16777216.0, 1e30]
        theirs = booster.predict(xgb.DMatrix(numpy.array(asked).reshape(-1, 1), **kinds))
        (document,) = rt.read_foreign(booster)
        model = predictor_from_json(json.dumps(document))
        assert [float(one) for one in model.predict([{"f0": each} for each in asked])] == list(map(float, theirs))


@of_every([("whole", Fraction(7, 10)), ("code", Fraction(1, 4)), ("written", 0)])
def test_a_store_calls_categories_as_the_tree_does(form: Any, beside: Fraction) -> None:
    """A tree over codes is audited where the rows are: each number is cut off to a code, as in memory."""
    codes, answers_of = [0, 1, 2, 3] * 3, "abbaabbbabba"
    table = rt.Table.from_columns({"c": codes, "y": list(answers_of)}, categorical=["c"])
    document = json.loads(to_json(rt.CART(branching="multiway").grow(table)))
    if form != "written":
        document["attributes"][0]["floats"] = form
    tree = from_json(json.dumps(document))
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE t (c REAL, y TEXT)")
    numbers = [code + float(beside) * (place % 2) for place, code in enumerate(codes)]
    connection.executemany("INSERT INTO t VALUES (?, ?)", list(zip(numbers, answers_of, strict=True)))
    there = rt.sql(connection, "t", categorical=["c"])
    here = rt.Table.from_columns({"c": numbers, "y": list(answers_of)}, categorical=["c"])
    assert rt.audit(tree, there).is_right
    assert rt.audit(tree, here).is_right
    assert tree.contingency(there) == tree.contingency(here)
    assert tree.predict(there) == tree.predict(here)
