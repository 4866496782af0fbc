"""A target of two values is one of classes, whatever they are and however they are handed over."""

from __future__ import annotations

import io
import warnings
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.assembling import has_two_values
from reference_tree.data.columns import Column
from tests.strategies import fractions

NUMBERS = st.lists(st.integers(-2, 3) | fractions(0, 1, max_denominator=2), min_size=1, max_size=6)


@given(NUMBERS)
def test_the_rule_is_the_same_in_a_file_and_in_python(numbers: list[int | Fraction]) -> None:
    decimals = [f"{float(number):g}" for number in numbers]
    x = range(len(numbers))
    text = "x,y\n" + "".join(f"{n},{y}\n" for n, y in zip(x, decimals, strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tables = [
            rt.read(io.StringIO(text)),
            rt.Table.from_columns({"x": x, "y": numbers}),
            rt.Table.from_columns({"x": x, "y": [float(number) for number in numbers]}),
        ]
    is_of_classes = len(set(numbers)) == 2 and len(numbers) > 2
    assert {table.schema.target.kind for table in tables} == {"categorical" if is_of_classes else "continuous"}
    assert rt.read(io.StringIO(text), continuous=["y"]).schema.target.kind == "continuous"


def test_an_attribute_of_two_numbers_stays_a_number() -> None:
    table = rt.Table.from_columns({"x": [0, 1, 0], "y": ["a", "b", "a"]})
    assert table.schema.attributes[0].kind == "continuous"


def test_a_declared_column_is_what_it_is_declared() -> None:
    text = "@relation r\n@attribute x numeric\n@attribute y numeric\n@data\n1, 0\n2, 1\n3, 0\n"
    assert rt.read(io.StringIO(text)).schema.target.kind == "continuous"
    assert not has_two_values(Column("y", ["0", "1", "1"], rt.textbook("golf").schema.attributes[1]))


def test_a_regressor_regresses_on_two_numbers() -> None:
    pytest.importorskip("numpy")
    assert rt.CARTRegressor().fit([[1], [2], [3]], [0, 1, 0]).predict([[2]])[0] == 1.0
    assert set(rt.CARTClassifier().fit([[1], [2], [3]], [0, 1, 0]).predict([[2], [3]])) == {0, 1}
