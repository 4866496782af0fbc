"""Asked rows: the same row says the same, whatever it comes in."""

from __future__ import annotations

import datetime
import math
import sqlite3
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.asked import AskedRow, between, listed_rows
from reference_tree.data.columns import Column
from reference_tree.data.errors import InputWarning
from reference_tree.data.held import LARGEST_SINGLE, Form, held
from reference_tree.data.schema import Attribute
from reference_tree.data.writers import to_csv

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
numpy = pytest.importorskip("numpy")

finite = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e9, max_value=1e9)
sizes = st.lists(finite, min_size=2, max_size=6, unique=True)


def trees(numbers: list[float]) -> dict[str, rt.Tree]:
    """The trees of one column of floats as it is handed over, by the ways in which thresholds are placed."""
    classes = [["n", "y"][place % 2] for place in range(len(numbers))]
    frame = pandas.DataFrame({"size": numbers, "y": classes})
    tables = {
        "columns": rt.Table.from_columns({"size": numbers, "y": classes}, numbers="exact"),
        "frame": rt.Table.from_frame(frame),
        "exact": rt.Table.from_frame(frame, numbers="exact"),
        "double": rt.Table.from_frame(frame).rounded("double"),
        "float32": rt.Table.from_frame(frame).rounded("float32"),
    }
    grown = {name: rt.CART().grow(table) for name, table in tables.items()}
    # Release 8 puts a threshold at a value of the data: its float has to stay at its side.
    return grown | {f"{name} c45-r8": rt.C45.like("c45-r8").grow(table) for name, table in tables.items()}


@pytest.mark.slow
@given(sizes)
def test_a_float_is_read_as_in_training_in_whatever_it_comes(numbers: list[float]) -> None:
    numbers = sorted(numbers)
    between = [(one + other) / 2 for one, other in pairwise(numbers)]
    asked = numbers + between
    for tree in trees(numbers).values():
        again = rt.from_json(rt.to_json(tree))
        one_by_one = [tree.predict({"size": number}) for number in asked]
        for other in (tree, again):
            assert other.predict([{"size": number} for number in asked]) == one_by_one
            assert other.predict(pandas.DataFrame({"size": asked})) == one_by_one
            assert other.predict(polars.DataFrame({"size": asked})) == one_by_one
            assert [other.predict({"size": numpy.float64(number)}) for number in asked] == one_by_one
            assert list(other.way({"size": asked[0]})) == list(tree.way({"size": asked[0]}))


@given(sizes)
def test_a_tree_knows_its_training_floats_again(numbers: list[float]) -> None:
    numbers = sorted(numbers)
    classes = [["n", "y"][place % 2] for place in range(len(numbers))]
    for name, tree in trees(numbers).items():
        if "c45-r8" not in name and name != "float32":  # in which different doubles may be equal
            assert [tree.predict({"size": number}) for number in numbers] == classes


def test_a_float_on_the_threshold() -> None:
    """2.45 as a float is a little more than 2.45."""
    written = rt.CART().grow(rt.Table.from_columns({"size": ["2.4", "2.5"], "y": ["n", "y"]}))
    exact = rt.CART().grow(rt.Table.from_columns({"size": [2.4, 2.5], "y": ["n", "y"]}, numbers="exact"))
    assert (written.nodes[0].test.threshold, exact.nodes[0].test.threshold) == (  # type: ignore[union-attr]
        Fraction("2.45"), (Fraction(2.4) + Fraction(2.5)) / 2,
    )  # fmt: skip
    assert written.predict({"size": 2.45}) == written.predict({"size": "2.45"}) == "n"
    assert written.predict({"size": Fraction(2.45)}) == "y"
    assert written.predict({"size": numpy.float32(2.45)}) == "n"
    assert '"floats": "exact"' in rt.to_json(exact)
    assert "floats" not in rt.to_json(written)


KINDS: list[list[Any]] = [[1, 2], [1.0, 2.0], ["1", "2"], [Decimal(1), Decimal(2)], [numpy.int64(1), numpy.int64(2)]]


@pytest.mark.parametrize("grown", KINDS, ids=lambda kinds: type(kinds[0]).__name__)
@pytest.mark.parametrize("asked", KINDS, ids=lambda kinds: type(kinds[0]).__name__)
def test_a_category_is_known_by_its_number(grown: list[Any], asked: list[Any]) -> None:
    """A column of whole numbers with a gap comes out of pandas as floats."""
    table = rt.Table.from_columns({"code": grown, "y": ["n", "y"]}, categorical=["code"])
    tree = rt.ID3().grow(table)
    assert [tree.predict({"code": value}) for value in asked] == ["n", "y"]
    assert tree.predict(pandas.DataFrame({"code": pandas.Series(asked, dtype=object)})) == ["n", "y"]
    other = rt.Table.from_columns({"code": asked, "y": ["n", "y"]}, categorical=["code"])
    assert tree.predict(other) == ["n", "y"]
    assert tree.accuracy(other) == 1


def test_classes_are_known_by_their_numbers() -> None:
    rows = {"x": ["a", "b"]}
    tree = rt.ID3().grow(rt.Table.from_columns({**rows, "y": [0, 1]}, categorical=["y"]))
    for classes in ([0.0, 1.0], [False, True], ["0", "1"], [0, 1]):
        assert tree.accuracy(rt.Table.from_columns({**rows, "y": classes}, categorical=["y"])) == 1
    model = rt.CARTClassifier().fit([["a"], ["b"]], [0, 1])
    assert model.score([["a"], ["b"]], [False, True]) == model.score([["a"], ["b"]], [0.0, 1.0]) == 1


def test_booleans_and_names_that_differ() -> None:
    tree = rt.ID3().grow(rt.Table.from_columns({"windy": [False, True], "y": ["n", "y"]}))
    assert [tree.predict({"windy": value}) for value in (0, 1.0, numpy.True_, "True")] == ["n", "y", "y", "y"]
    codes = rt.ID3().grow(rt.Table.from_columns({"zip": ["01", "1", "2"], "y": ["n", "y", "y"]}, categorical=["zip"]))
    assert [codes.predict({"zip": value}) for value in ("01", "1", 1, 2.0, "2.0")] == ["n", "y", "y", "y", "y"]
    with pytest.raises(rt.InputError, match=r"'1\.0' of zip was not seen"):
        codes.predict({"zip": "1.0"})  # which is 01 as well as 1


def test_texts_of_equal_numbers_are_one_class_in_a_row_and_in_a_table() -> None:
    cells = {"code": ["1", "2", "3", "1"], "y": ["0", "1", "1", "0"]}
    floats = {name: [f"{cell}.0" for cell in texts] for name, texts in cells.items()}
    one, other = (rt.Table.from_columns(columns, categorical=["code"]) for columns in (cells, floats))
    tree = rt.CART().grow(one)
    assert tree.predict(one) == tree.predict(other) == [tree.predict(row) for row in other.rows()]
    assert tree.accuracy(other) == 1
    tree.check(other)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("given", [float, bool, lambda cell: f"{cell}.0"])
def test_a_class_or_a_category_is_known_by_its_number_in_the_table_that_a_tree_was_grown_from(given: Any) -> None:
    """As pandas makes 1.0 of a column of whole numbers with a gap: in an audit, an explanation, a pruning."""
    days = rt.textbook("play-tennis")
    columns: dict[str, list[Any]] = {"outlook": list(days["outlook"])}
    columns |= {name: [int(cell == one) for cell in days[name]] for name, one in (("wind", "weak"), ("play", "yes"))}
    one = rt.Table.from_columns(columns, categorical=["*"])
    changed = {name: [given(cell) for cell in columns[name]] for name in ("wind", "play")}
    other = rt.Table.from_columns({**columns, **changed}, categorical=["*"])
    tree = rt.CART().grow(one)
    for validation in (None, other):
        assert str(rt.audit(tree, other, validation=validation)) == str(rt.audit(tree, one, validation=validation))
    assert rt.explain(tree, other) == rt.explain(tree, one)
    pruned = rt.prune(tree, "reduced-error", validation=one)
    assert rt.prune(tree, "reduced-error", validation=other).nodes == pruned.nodes
    assert rt.explain(pruned, other, validation=other) == rt.explain(pruned, one, validation=one)
    folds = partial(rt.prune, tree, "cost-complexity", folds=3)
    assert folds(other).nodes == folds(one).nodes
    for ensemble in (rt.Bagging(trees=2), rt.AdaBoost(trees=2), rt.GradientBoosting(trees=2)):
        grown = ensemble.grow(one)
        assert str(rt.audit(grown, other)) == str(rt.audit(grown, one))


def test_values_of_which_none_was_seen_are_remarked() -> None:
    tree = rt.ID3().grow(rt.textbook("play-tennis"))
    frame = pandas.DataFrame({"outlook": ["Sunny", "Rainy"], "humidity": ["high", "high"]})
    with pytest.warns(InputWarning, match="column outlook: none of its values was seen in training: Rainy, Sunny"):
        assert tree.predict(frame, unseen="majority") == ["yes", "yes"]


def test_rows_come_in_many_forms() -> None:
    days = rt.textbook("play-tennis")
    tree = rt.ID3().grow(days)
    rows = list(days.rows())
    frame = pandas.DataFrame(rows)
    expected = tree.predict(days)
    assert tree.predict(iter(rows)) == expected
    assert tree.predict(row for row in rows) == expected
    assert [tree.predict(row) for _, row in frame.iterrows()] == expected
    assert tree.predict(polars.DataFrame(rows).iter_rows(named=True)) == expected
    base = sqlite3.connect(":memory:")
    base.row_factory = sqlite3.Row
    (row,) = base.execute("select 'sunny' as outlook, 'high' as humidity")
    assert tree.predict(row) == "no"
    base.close()
    assert tree.predict([]) == tree.predict(pandas.DataFrame()) == tree.predict(frame[:0]) == []


def test_an_asked_row_is_a_mapping() -> None:
    row = AskedRow({"a": float("nan"), "other": datetime.date}, {"a": Attribute("a")})
    assert (len(row), list(row), "a" in row, "b" in row, row["a"]) == (2, ["a", "other"], True, False, None)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=8), st.data())
def test_floats_lie_between_thresholds_as_the_numbers_that_they_are_read_as(floats: list[float], data: Any) -> None:
    """One number stands for all floats between the same thresholds, and each threshold parts them as it parts these."""
    near = st.sampled_from(floats).flatmap(
        lambda f: st.sampled_from([Fraction(f), Fraction(str(f)), Fraction(math.nextafter(f, 0)), 3 * Fraction(f) / 2])
    )
    thresholds = sorted(set(data.draw(st.lists(near, min_size=1, max_size=4))))
    forms: tuple[Form, ...] = ("exact", "written", "double", "float32")
    for form in forms:
        cells = between(Column("x", [*floats, None]), thresholds, form)
        if cells is None:
            assert form == "float32"
            assert max(map(abs, floats)) > LARGEST_SINGLE
            continue
        for number, stands in zip(floats, cells, strict=False):
            for threshold in thresholds:
                assert (held(number, form) <= threshold) == (stands <= threshold)
                assert (held(number, form) < threshold) == (stands < threshold)
        assert cells[-1] is None


@given(st.lists(st.integers(-(2**53), 2**53), min_size=1, max_size=8), st.data())
def test_whole_numbers_that_are_doubles_lie_between_thresholds_as_floats_do(found: list[int], data: Any) -> None:
    near = st.sampled_from(found).flatmap(lambda n: st.sampled_from([n, n + Fraction(1, 3), Fraction(n, 2)]))
    thresholds = sorted(set(data.draw(st.lists(near, min_size=1, max_size=4))))
    forms: tuple[Form, ...] = ("exact", "written", "double", "float32")
    for form in forms:
        cells = between(Column("x", [*found, None]), thresholds, form)
        assert cells is not None
        assert cells[-1] is None
        for number, stands in zip(found, cells, strict=False):
            for threshold in thresholds:
                assert (held(number, form) <= threshold) == (stands <= threshold)
                assert (held(number, form) < threshold) == (stands < threshold)
    assert between(Column("x", [*found, 2**53 + 1]), thresholds, "written") is None


def test_places_are_worked_out_for_a_row_and_for_all() -> None:
    cells = between(Column("x", [0.1, None, 0.9, 0.4]), [Fraction(1, 5), Fraction(1, 2)], "written")
    assert cells is not None
    assert [*cells.codes] == [cells.codes[row] for row in range(4)] == [*cells.codes[:]] == [0, 5, 4, 2]
    assert cells.take([1, 3]) == [None, Fraction(7, 20)]


def test_half_precision_is_read_as_in_training() -> None:
    """A float16 of 0.1 is written 0.1, although its double has more digits."""
    frame = pandas.DataFrame({"size": numpy.array([0.1, 0.3], "float16"), "y": ["n", "y"]})
    tree = rt.C45.like("c45-r8", min_samples_leaf=1).grow(rt.Table.from_frame(frame))
    assert tree.cuts == {"size": [Fraction(1, 10)]}
    assert tree.predict(frame[["size"]]) == ["n", "y"]
    assert tree.predict({"size": numpy.float16(0.1)}) == tree.predict({"size": "0.1"}) == "n"


@pytest.mark.parametrize("form", ["double", "float32"])
def test_a_tree_of_rounded_numbers_says_so(form: Form) -> None:
    """Its thresholds are doubles, with which decimals do not compare: release 8 puts them at values of the data."""
    sizes, classes = ["0.1", "0.7", "0.8", "0.9", "1.1", "2.3"], [*"nnnyyy"]
    table = rt.Table.from_columns({"size": sizes, "y": classes})
    tree = rt.C45.like("c45-r8", min_samples_leaf=1).grow(table.rounded(form))
    assert f'"floats": "{form}"' in rt.to_json(tree)
    assert tree.cuts == {"size": [held("0.8", form)]}
    for found in (tree, rt.from_json(rt.to_json(tree))):
        assert found.attributes[0].held == form
        asked: list[Any] = [
            table, table.rounded(form), table.rounded("double"), pandas.DataFrame({"size": [*map(float, sizes)]}),
            rt.Table.from_columns({"size": [*map(float, sizes)], "y": classes}, numbers="exact"),
            *([{"size": kind(size)} for size in sizes] for kind in (str, float, Decimal, Fraction)),
        ]  # fmt: skip
        assert [found.predict(rows) for rows in asked] == [classes] * len(asked)
        assert found.accuracy(table) == found.accuracy(table.rounded(form)) == 1
        found.check(table)
        found.check(table.rounded(form))
    assert rt.to_json(rt.from_json(rt.to_json(tree))) == rt.to_json(tree)


def test_a_tree_of_decimals_takes_numbers_that_were_held_in_binary() -> None:
    sizes, classes = ["0.1", "0.7", "0.9"], [*"nny"]
    tree = rt.C45.like("c45-r8", min_samples_leaf=1).grow(rt.Table.from_columns({"size": sizes, "y": classes}))
    assert tree.cuts == {"size": [Fraction(7, 10)]}
    table = rt.Table.from_columns({"size": sizes, "y": classes})
    for other in (table.rounded("double"), table.rounded("float32"), table):
        assert tree.predict(other) == classes


def test_a_frame_is_read_as_far_as_it_is_asked() -> None:
    stump = rt.CART(max_depth=0).grow(rt.Table.from_columns({"size": [1.5, 2.5], "y": ["n", "y"]}))
    dates = pandas.DataFrame({"day": [datetime.date(2026, 1, 2)] * 3})
    assert stump.predict(dates) == ["n", "n", "n"]
    tree = rt.CART().grow(rt.Table.from_columns({"size": [1.5, 2.5], "y": ["n", "y"]}))
    assert tree.predict(dates.assign(size=[1, 2.5, 2])) == ["n", "y", "n"]
    with pytest.raises(rt.InputError, match="no value for size"):
        tree.predict(dates)


def test_a_table_is_the_same_through_a_file_and_both_libraries(tmp_path: Path) -> None:
    path = tmp_path / "iris.csv"
    path.write_text(to_csv(rt.textbook("iris")), encoding="utf-8")
    tables = [
        rt.read(path),
        rt.Table.from_frame(pandas.read_csv(path)),
        rt.Table.from_frame(polars.read_csv(path)),
        rt.Table.from_frame(pandas.read_csv(path, dtype_backend="numpy_nullable")),
    ]
    for learner in (rt.CART(), rt.C45(), rt.C45.like("c45-r8"), rt.CART.like("rpart"), rt.ID3.like("zhou")):
        first, *others = (learner.grow(table) for table in tables)
        for other in others:
            assert other == first
            assert rt.to_text(other) == rt.to_text(first)
            assert rt.to_json(other) == rt.to_json(first)
        assert first.predict(pandas.read_csv(path)) == first.predict(polars.read_csv(path)) == first.predict(tables[0])


def test_rows_are_listed_alike_whatever_they_come_in() -> None:
    cells = [{"size": 1, "y": "n"}, {"size": 2, "y": "y"}]
    table = rt.Table.from_columns({"size": [1, 2], "y": ["n", "y"]})
    for rows in (cells, pandas.DataFrame(cells), table):
        assert [row["size"] for row in listed_rows(rows, table.schema.attributes, table.schema.target)] == [1, 2]
    (alone,) = listed_rows(cells[1], table.schema.attributes, table.schema.target)
    assert alone["size"] == 2
