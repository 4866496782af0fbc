"""Treatments: what a model does with a value before a question, for a row, rows, a table and a frame alike."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from reference_tree.cli.tables import table_under, with_attributes
from reference_tree.data.asked import treated
from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.data.treatment import Outliers, Treatment, ValueRange, treated_cells
from reference_tree.views.trees.code import to_python, to_sql
from reference_tree.views.trees.pmml import to_pmml
from tests.programs.documents import tree_of

AGE = {
    "absent": ["-999"], "outliers": {"low": "10", "high": "90", "rule": "nearest"},
    "intervals": [{"ge": "0", "lt": "200"}], "invalid": "value", "instead": "40", "missing": "30",
}  # fmt: skip


def document(treatment: dict[str, Any], floats: str = "double") -> dict[str, Any]:
    """A tree that says whether an age is below 35, and one of a category below that."""
    return {
        "format": "reference-tree/tree/1",
        "target": {"name": "y", "kind": "categorical", "classes": ["no", "yes"]},
        "attributes": [{"name": "age", "kind": "continuous", "floats": floats, "treatment": treatment},
                       {"name": "sex", "kind": "categorical", "values": ["f", "m"],
                        "treatment": {"valid": ["f", "m"], "invalid": "missing", "missing": "f"}}],
        "learner": {"name": "unknown"},
        "nodes": [
            {"id": 0, "counts": {"no": "2", "yes": "2"}, "label": "no", "tied": ["no", "yes"],
             "test": {"kind": "threshold", "attribute": "age", "threshold": "35"},
             "branches": [{"when": {"le": "35"}, "to": 1}, {"when": {"gt": "35"}, "to": 4}]},
            {"id": 1, "counts": {"no": "1", "yes": "1"}, "label": "no", "tied": ["no", "yes"],
             "test": {"kind": "subset", "attribute": "sex"},
             "branches": [{"when": {"in": ["f"]}, "to": 2}, {"when": {"not_in": ["f"]}, "to": 3}]},
            {"id": 2, "counts": {"yes": "1"}, "label": "yes", "stop": "pure"},
            {"id": 3, "counts": {"no": "1"}, "label": "no", "stop": "pure"},
            {"id": 4, "counts": {"no": "1", "yes": "1"}, "label": "no", "tied": ["no", "yes"], "stop": "unknown"},
        ],
    }  # fmt: skip


ROWS = [{"age": age, "sex": sex} for age in (None, -999, -3, 5, 34.5, 36, 95, 250) for sex in (None, "f", "m", "x")]


@pytest.mark.parametrize("floats", ["double", "float32", "exact"])
def test_a_row_a_list_a_table_and_a_frame_are_treated_alike(floats: str) -> None:
    tree = tree_of(document(AGE, floats))
    alone = [tree.predict(row) for row in ROWS]
    expected = []
    for row in ROWS:
        age: Any = row["age"]
        if age in (None, -999):
            age = 30
        elif not 0 <= age < 200:
            age = 40
        age = min(max(age, 10), 90)
        expected.append("no" if age > 35 else "no" if row["sex"] == "m" else "yes")
    assert alone == expected
    assert tree.predict(ROWS) == expected
    columns = {name: [row[name] for row in ROWS] for name in ("age", "sex")}
    table = Table.from_columns({**columns, "y": expected}, target="y")
    assert tree.predict(table) == expected
    assert tree.accuracy(table) == 1
    pandas = pytest.importorskip("pandas")
    assert tree.predict(pandas.DataFrame(columns)) == expected


def test_what_replaces_a_value_is_not_treated_again() -> None:
    treatment = Treatment(
        outliers=Outliers(10, 90, missing=False), missing=5, invalid="value", instead=99, valid=(1, 50)
    )
    assert [treatment.treated(age, "age") for age in (None, 50, 1, 7)] == [5, 50, 10, 99]
    known = {"age": Attribute("age", treatment=treatment)}
    once = treated(Table.from_columns({"age": [None, "50", "1"], "y": ["a", "b", "a"]}, continuous=["age"]), known)
    assert list(once.columns["age"]) == [5, 50, 10]
    assert treated(once, known) is once


def test_an_invalid_value_refuses_its_row_whether_a_question_asks_for_it_or_not() -> None:
    tree = tree_of(document({"not_valid": ["7"], "required": True}))
    sex = tree_of(
        {**document({}), "nodes": document({})["nodes"][-1:]} | {"nodes": [{**document({})["nodes"][4], "id": 0}]}
    )
    assert sex.predict({"sex": "x"}) == "no"
    for row, message in (
        ({"age": 7}, "the value '7' of age is invalid"),
        ({"age": None}, "age is missing, which this"),
    ):
        with pytest.raises(InputError, match=message):
            tree.predict({**row, "sex": "f"})
        with pytest.raises(InputError, match=message):
            tree.predict(Table.from_columns({"age": [row["age"], 3], "sex": ["f", "m"], "y": ["no", "yes"]},
                                            target="y", continuous=["age"]))  # fmt: skip


def test_a_form_that_cannot_say_it_refuses_the_tree() -> None:
    tree = tree_of(document(AGE))
    for write in (to_python, to_sql, to_pmml):
        with pytest.raises(InputError, match="does not say that values of age, sex are treated"):
            write(tree)


def test_intervals_have_their_bounds_or_not() -> None:
    assert [ValueRange(0, 1, above=False, below=True).holds(number) for number in (0, 1, Fraction(1, 2))] == [
        True,
        False,
        True,
    ]
    assert [ValueRange(None, 1, below=False).holds(number) for number in (-5, 1, 2)] == [True, True, False]
    whole = Treatment(whole=True, invalid="missing")
    assert treated_cells([1, Fraction(1, 2), None], whole, "x", "exact") == [1, None, None]
    kept = Treatment(intervals=(ValueRange(0, 10),), invalid="keep", outliers=Outliers(2, 5, missing=False))
    assert [kept.treated(number, "x") for number in (1, 9, 20)] == [2, 5, 20]


def test_a_file_that_is_read_for_a_score_is_treated_too(tmp_path: Any) -> None:
    tree = tree_of(document(AGE))
    path = tmp_path / "rows.csv"
    written = "".join(
        f"{'' if row['age'] is None else row['age']},{row['sex'] or ''},{tree.predict(row)}\n" for row in ROWS
    )
    path.write_text(f"age,sex,y\n{written}", encoding="utf-8")
    table = table_under(str(path), tree.target, tree.attributes)
    assert all(one.treatment is None for one in table.schema.attributes)
    assert tree.accuracy(table) == 1
    under_tree = with_attributes(table, tree.attributes)
    assert under_tree.schema.attributes == tree.attributes
    assert {row["age"] for row in under_tree.rows()} == {30, 10, Fraction("34.5"), 36, 90, 40}
    assert tree.accuracy(under_tree) == 1
