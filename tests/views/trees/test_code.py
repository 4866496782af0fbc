"""A tree as code: run by Python and by SQLite, it answers as the tree does."""

from __future__ import annotations

import ast
import json
import math
import random
import sqlite3
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.held import Form, held
from reference_tree.data.questions import Multiway, Threshold
from reference_tree.node import Node
from reference_tree.tree import Tree
from reference_tree.views.trees.code import DEEPEST, Writer, to_python, to_sql
from reference_tree.views.trees.languages import DIALECTS, Python
from tests import strategies
from tests.every import of_every
from tests.strategies import fractions
from tests.views.chains import chain
from tests.views.trees.engines import Server, Spark, started

LEARNERS = [
    rt.C45(max_depth=3),
    rt.CART(),
    rt.CART(missing="stay"),
    rt.CART(missing="branch"),
    rt.CART(always_surrogates=True),
    rt.CART(branching="one-vs-rest"),
    rt.CART(branching="multiway"),
]
FORMS: tuple[Form, ...] = ("written", "exact", "double", "float32")
HOSTILE = [
    "a'b", 'a"b', "\\", "\\'; DROP TABLE asked; --", "x\ny", "\r\t", "汉字", "${env:HOME}", "`", "a", "A", "a ", "é",
    "e", "%s", "%", "?", ":x", "$1", "{}", "--", "/*", "\U0001f600", "\\u0041", "", " ", "NULL",
]  # fmt: skip


def truth(tree: rt.Tree, row: Any) -> Any:
    """The label where a row ends in one place, or none."""
    try:
        ends = tree.ends(row)
    except rt.InputError:  # a value without a branch, or a missing one without a rule
        return None
    return tree.answer(ends) if len(ends) == 1 and ends[0][1] == 1 else None


def by_python(tree: rt.Tree | rt.Ensemble, rows: Sequence[Any]) -> list[Any]:
    names: dict[str, Any] = {}
    exec(to_python(tree), names)
    return [names["predict"](row) for row in rows]


def kinds_of(tree: rt.Tree | rt.Ensemble, numbers: str = "double") -> dict[str, str]:
    return {each.name: numbers if each.values is None else "text" for each in tree.attributes}


def is_alike(found: Sequence[Any], expected: Sequence[Any]) -> bool:
    """Whether all answers are the same; a number within the precision of a double."""
    return all(
        one == other if isinstance(other, str | None) else one is not None and math.isclose(one, other, rel_tol=1e-14)
        for one, other in zip(found, expected, strict=True)
    )


def check(tree: rt.Tree, rows: Sequence[Any], *engines: Server | Spark) -> None:
    """The function answers rows of exact numbers and of floats as the tree does; each engine rows of doubles."""
    doubles = [
        {name: cell if isinstance(cell, str | None) else float(cell) for name, cell in row.items()} for row in rows
    ]
    for given_rows in (rows, doubles):
        assert by_python(tree, given_rows) == [truth(tree, row) for row in given_rows]
    expected = [truth(tree, row) for row in doubles]
    for engine in engines:
        found = engine.answers(to_sql(tree, engine.dialect), kinds_of(tree), doubles)
        assert is_alike(found, expected), engine.dialect


@pytest.fixture(scope="module", params=["sqlite", "duckdb"])
def engine(request: Any) -> Iterator[Server | Spark]:
    """The programs that run in this process."""
    with started(request.param) as found:
        yield found


@pytest.fixture(
    scope="module",
    params=[
        "sqlite",
        "duckdb",
        *(pytest.param(each, marks=pytest.mark.oracles) for each in ("postgresql", "mysql", "spark")),
    ],
)
def any_engine(request: Any) -> Iterator[Server | Spark]:
    """All programs that run here."""
    with started(request.param) as found:
        yield found


# Trees that were grown.


@pytest.mark.one_in(9)
@pytest.mark.parametrize("learner", LEARNERS, ids=["C4.5", "CART", "stay", "branch", "surrogates", "rest", "multiway"])
@given(table=strategies.tables_with_gaps(), data=st.data())
def test_code_answers_as_the_tree(engine: Server, learner: Any, table: rt.Table, data: Any) -> None:
    tree = learner.grow(table)
    rows = [*table.rows()]
    others = [{**row, **{name: data.draw(st.sampled_from(rows))[name] for name in row}} for row in rows[:3]]
    check(tree, rows + others, engine)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", ["play-tennis", "golf", "watermelon-3.0", "cats", "iris", "li-hang-5.2"])
def test_the_textbooks(any_engine: Server, name: str) -> None:
    table = rt.textbook(name)
    for learner in (rt.CART(), rt.CART(missing="branch"), rt.CART(missing="stay")):
        check(learner.grow(table), [*table.rows()], any_engine)
    if name == "watermelon-3.0":  # sums are compared as the program computes them
        check(
            rt.CART(branching="linear", max_depth=2).grow(rt.textbook("watermelon-3.0a")), [*table.rows()], any_engine
        )


def test_rows_of_floats_that_lie_on_a_threshold(engine: Server) -> None:
    """The thresholds of Weka are values of the data."""
    iris = rt.textbook("iris")
    tree = rt.C45.like("weka-j48").grow(iris)
    check(tree, [*iris.rows()], engine)


# Numbers.


def numbered(thresholds: Sequence[Fraction], form: Form, strict: bool) -> rt.Tree:
    """A tree that says between which thresholds a number lies."""
    nodes: list[Node] = []
    for place, threshold in enumerate(thresholds):
        test = Threshold("x", threshold, strict=strict)
        nodes.append(Node((0, 0), "0", test, (2 * place + 1, 2 * place + 2)))
        nodes.append(Node((0, 0), str(place), stop="pure"))
    nodes.append(Node((0, 0), str(len(thresholds)), stop="pure"))
    labels = tuple(str(place) for place in range(len(thresholds) + 1))
    return Tree(rt.Attribute("y", labels), (rt.Attribute("x", held=form),), tuple(nodes))


@st.composite
def numbered_trees(draw: st.DrawFn) -> rt.Tree:
    """Thresholds as programs have them: values of the data, midpoints, and any exact number, in any form."""
    form: Form = draw(st.sampled_from(FORMS))
    decimal = st.decimals(-1000, 1000, places=draw(st.integers(0, 7)), allow_nan=False, allow_infinity=False)
    exact = st.one_of(decimal.map(Fraction), st.floats(-1e9, 1e9).map(Fraction), fractions(-9, 9, max_denominator=99))
    found = draw(st.lists(exact, min_size=1, max_size=4))
    if draw(st.booleans()):
        found = [(one + other) / 2 for one, other in zip(found, found[1:] + found[:1], strict=True)]
    if form != "written":
        found = [Fraction(held(each, "float32" if form == "float32" else "double")) for each in found]
    return numbered(sorted(set(found)), form, draw(st.booleans()))


def near(tree: rt.Tree) -> list[float]:
    """The doubles around each threshold, and around its float32."""
    found = []
    for node in tree.nodes:
        if isinstance(node.test, Threshold):
            for form in FORMS:
                at = float(held(node.test.threshold, form))
                found += [
                    at,
                    *(math.nextafter(at, end) for end in (-math.inf, math.inf)),
                    at * 1.0000001,
                    at * 0.9999999,
                ]
    return [each for each in found if each == 0 or abs(each) > 1e-30]


@given(tree=numbered_trees())
def test_a_number_of_any_type_is_compared_as_the_tree_holds_it(tree: rt.Tree) -> None:
    numpy = pytest.importorskip("numpy")
    floats = near(tree)
    numbers: list[Any] = [*floats, *map(numpy.float64, floats), *map(numpy.float32, floats)]
    numbers += [*map(Decimal, floats), *(Decimal(str(each)) for each in floats), *map(Fraction, floats)]
    numbers += [node.test.threshold for node in tree.nodes if isinstance(node.test, Threshold)]
    numbers += [*map(round, floats), *map(numpy.int64, floats)]
    rows = [{"x": number} for number in numbers]
    assert by_python(tree, rows) == [truth(tree, row) for row in rows]


def test_numpy_rounds_no_threshold() -> None:
    """Beside a float32 it takes a float of Python for a float32."""
    numpy = pytest.importorskip("numpy")
    for number in (-0.348, 18789.15, 0.1):
        tree, row = numbered([Fraction(number)], "exact", False), {"x": numpy.float32(number)}
        assert by_python(tree, [row]) == [truth(tree, row)]


@given(tree=numbered_trees())
def test_a_column_of_doubles_is_compared_as_the_tree_holds_it(engine: Server, tree: rt.Tree) -> None:
    rows = [{"x": number} for number in near(tree)]
    found = engine.answers(to_sql(tree, engine.dialect), {"x": "double"}, rows)
    assert found == [truth(tree, row) for row in rows]


@given(tree=numbered_trees())
def test_columns_of_decimals_and_integers(engine: Server, tree: rt.Tree) -> None:
    near_by = [Decimal(str(number)) for number in near(tree)]
    rounded = [number.quantize(Decimal(f"1e-{places}")) for number in near_by for places in (2, 5)]
    decimals = [each for each in rounded if len(each.as_tuple().digits) <= 15]
    columns: dict[str, list[Any]] = {"decimal": decimals, "integer": [*map(round, near_by)]}
    for kind, numbers in columns.items():
        rows = [{"x": number} for number in numbers]
        found = engine.answers(to_sql(tree, engine.dialect), {"x": kind}, rows)
        # Where the tree holds floats, a decimal is compared as the nearest one.
        is_exact = tree.attributes[0].held == "exact"
        assert found == [truth(tree, {"x": float(number) if is_exact else number}) for number in numbers]


@pytest.mark.oracles
@pytest.mark.parametrize("dialect", ["postgresql", "mysql", "spark"])
def test_numbers_in_servers(dialect: Any) -> None:
    trees = [
        numbered(sorted({Fraction(held(Fraction(each) / digits, form)) for each in range(1, 60, 7)}), form, strict)
        for form in FORMS
        for strict in (False, True)
        for digits in (10, 1000, 7, 3**9)
    ]
    with started(dialect) as engine:
        for tree in trees if dialect != "spark" else trees[::3]:
            floats = near(tree)
            decimals = sorted({Decimal(f"{each:.12f}") for each in floats})
            columns: dict[str, list[Any]] = {"double": [*floats], "decimal": [*decimals]}
            for kind, numbers in columns.items():
                rows = [{"x": number} for number in numbers]
                found = engine.answers(to_sql(tree, dialect), {"x": kind}, rows)
                is_exact = tree.attributes[0].held == "exact"
                assert found == [truth(tree, {"x": float(number) if is_exact else number}) for number in numbers]


@pytest.mark.parametrize("form", FORMS)
def test_a_column_of_float32(any_engine: Server, form: Form) -> None:
    """Compared by its exact value, but in DuckDB, as by numpy, by the decimal by which it is written."""
    numpy = pytest.importorskip("numpy")
    tree = numbered(sorted({Fraction(held(Fraction(each, 10), form)) for each in range(1, 60, 7)}), form, False)
    numbers = sorted({float(numpy.float32(each)) for each in near(tree)})
    if any_engine.dialect == "sqlite":
        pytest.skip("SQLite holds doubles")
    read = numpy.float32 if any_engine.dialect == "duckdb" else float
    found = any_engine.answers(to_sql(tree, any_engine.dialect), {"x": "single"}, [{"x": each} for each in numbers])
    assert found == [truth(tree, {"x": read(each)}) for each in numbers]


@pytest.mark.slow
def test_a_float32_of_a_foreign_model(tmp_path: Path) -> None:
    """XGBoost takes thresholds from the data, and holds them as float32."""
    xgboost, pandas = pytest.importorskip("xgboost"), pytest.importorskip("pandas")
    generator = random.Random(1)
    frame = pandas.DataFrame({name: [generator.randint(0, 400) / 100 for _ in range(300)] for name in "abc"})
    model = xgboost.XGBRegressor(n_estimators=3, max_depth=5).fit(frame, frame["a"] * frame["b"] + frame["c"])
    model.save_model(tmp_path / "model.json")
    documents = rt.read_foreign((tmp_path / "model.json").read_text())
    found = rt.predictor_from_json(json.dumps(documents[0]))
    assert isinstance(found, rt.Ensemble)
    rows, predicted = frame.to_dict("records"), model.predict(frame)
    with started("sqlite") as engine:
        for member in found.members:
            check(member.tree, rows, engine)
        in_sql = engine.answers(to_sql(found, "sqlite"), kinds_of(found), rows)
    for answers in ([*map(float, by_python(found, rows))], in_sql):
        assert answers == pytest.approx(predicted, rel=1e-6)


# Ensembles.


def sums() -> Iterator[tuple[rt.Ensemble, list[Any]]]:
    """Ensembles that add numbers: own ones, with rows that are tables, and those of other programs."""
    cats = rt.textbook("cats")
    numbers = rt.textbook("li-hang-5.2")
    yield rt.BoostingTree(trees=3).grow(numbers), [*numbers.rows()]
    yield rt.GradientBoosting(trees=3).grow(cats), [*cats.rows()]
    yield rt.Bagging(base=rt.CART(missing="error"), trees=3).grow(numbers), [*numbers.rows()]
    hostile = rt.Table.from_columns({"x": [1, 2, 3, 4], "y": ["it's\\", "it's\\", "b'", "b'"]})
    yield rt.GradientBoosting(trees=101).grow(hostile), [*hostile.rows()]


def test_a_sum_of_trees(any_engine: Server) -> None:
    for ensemble, rows in sums():
        expected = [ensemble.predict(row) for row in rows]
        found = by_python(ensemble, rows)
        assert found == expected
        kinds = kinds_of(ensemble)
        doubles = [{name: row[name] if kinds[name] == "text" else float(row[name]) for name in kinds} for row in rows]
        assert is_alike(any_engine.answers(to_sql(ensemble, any_engine.dialect), kinds, doubles), expected)


def test_a_sum_without_an_answer(engine: Server) -> None:
    table = rt.textbook("li-hang-5.2")
    ensemble = rt.Bagging(base=rt.CART(missing="error"), trees=2).grow(table)
    assert by_python(ensemble, [{"x": None}]) == [None]
    assert engine.answers(to_sql(ensemble, engine.dialect), {"x": "double"}, [{"x": None}]) == [None]


def test_what_is_no_sum_is_refused() -> None:
    forest = rt.RandomForest(trees=2).grow(rt.textbook("play-tennis"))
    for write in (to_python, to_sql):
        with pytest.raises(rt.InputError, match="trees that are combined by vote are no sum of numbers; write one of"):
            write(forest)


@of_every([None, math.nan, Decimal("NaN")])
def test_a_missing_value_by_any_mark(mark: Any) -> None:
    table = rt.Table.from_columns({"x": [1, 2, 3, 4], "c": ["a", "b", "b", "c"], "y": ["n", "y", "y", "y"]})
    for missing in ("branch", "stay", "error"):
        tree = rt.CART(missing=missing).grow(table)
        rows: list[Any] = [{"x": mark, "c": "b"}, {"x": 1, "c": mark}, {"x": mark, "c": mark}]
        assert by_python(tree, rows) == [truth(tree, row) for row in rows]


def test_categories_that_were_numbers() -> None:
    columns: dict[str, Any] = {"code": [1, 2, 3, 1], "on": [True, False, True, True], "y": [0, 1, 1, 0]}
    table = rt.Table.from_columns(columns, categorical=["code", "on", "y"])
    tree = rt.CART(branching="one-vs-rest").grow(table)
    rows: list[Any] = [{"code": code, "on": True} for code in (1, 1.0, "1", True, 2, Decimal(3), "2", 7)]
    assert by_python(tree, rows) == [tree.predict(row) for row in rows]
    assert all(type(answer) is int for answer in by_python(tree, rows))


# Names and texts.


def test_no_value_leaves_its_literal(any_engine: Server) -> None:
    name = "na'me\"\\ `汉\n$ é"
    table = rt.Table.from_columns({name: HOSTILE, "y": [f"{text}!" for text in HOSTILE]})
    rows = [{name: text} for text in HOSTILE]
    for learner in (rt.ID3(), rt.CART(branching="one-vs-rest", missing="branch")):
        check(learner.grow(table), rows, any_engine)


@given(
    texts=st.lists(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8),
        min_size=2,
        max_size=6,
        unique=True,
    )
)
def test_any_text(engine: Server, texts: list[str]) -> None:
    labels = tuple(f"{text}!" for text in texts)
    leaves = [Node((0, 0), label, stop="pure") for label in labels]
    root = Node((0, 0), labels[0], Multiway("c", tuple(texts)), tuple(range(1, len(texts) + 1)))
    tree = Tree(rt.Attribute("y", labels), (rt.Attribute("c", tuple(texts)),), (root, *leaves))
    check(tree, [{"c": text} for text in texts], engine)


def test_no_collation_decides_which_text_it_is(any_engine: Any) -> None:
    """Neither that of a column, nor one that a session has by the name that is spelled."""
    if any_engine.dialect == "postgresql":
        how = "(provider = icu, locale = 'und-u-ks-level2', deterministic = false)"
        for name in ("without_case", 'public."C"'):
            any_engine.run(f"CREATE COLLATION IF NOT EXISTS {name} {how}")
        any_engine.run("SET search_path = public, pg_catalog")
    texts = ["a", "A", "a ", "é", "É", "e"]
    table = rt.Table.from_columns({"c": texts, "y": [f"{text}!" for text in texts]})
    rows = [{"c": text} for text in [*texts, "E", "b"]]
    for learner in (rt.ID3(), rt.CART(branching="one-vs-rest", missing="branch")):
        tree = learner.grow(table)
        found = any_engine.answers(to_sql(tree, any_engine.dialect), {"c": "folded"}, rows)
        assert found == [truth(tree, row) for row in rows], any_engine.dialect


OF_OTHER_TYPES: dict[str, dict[str, tuple[str, list[str]]]] = {
    "sqlite": {"INTEGER": ("1", ["1", "2"]), "REAL": ("1.0", ["1", "2"])},
    "duckdb": {
        "INTEGER": ("1", ["1", "2"]),
        "DOUBLE": ("1.0", ["1", "2"]),
        "BOOLEAN": ("true", ["True", "False"]),
        "ENUM ('a', 'A')": ("'a'", ["a", "A"]),
    },
    "postgresql": {
        "INTEGER": ("1", ["1", "2"]),
        "NUMERIC": ("1.0", ["1", "2"]),
        "BOOLEAN": ("true", ["True", "False"]),
        "one_of": ("'a'", ["a", "A"]),
        "CHAR(3)": ("'a'", ["a  ", "A  "]),
    },
    "mysql": {"INTEGER": ("1", ["1", "2"]), "DECIMAL(9, 2)": ("1", ["1", "2"]), "ENUM ('a', 'b')": ("'a'", ["a", "b"])},
}
"""Types of columns that hold categories → a cell, and the categories as a tree has them, of which it is the first."""


def test_categories_are_found_in_columns_of_other_types(any_engine: Any) -> None:
    if any_engine.dialect == "spark":
        pytest.skip("Spark makes a text of each column itself")
    if any_engine.dialect == "postgresql":
        any_engine.run("DROP TYPE IF EXISTS one_of CASCADE")
        any_engine.run("CREATE TYPE one_of AS ENUM ('a', 'A')")
    for kind, (cell, categories) in OF_OTHER_TYPES[any_engine.dialect].items():
        tree = rt.ID3().grow(rt.Table.from_columns({"c": categories, "y": ["first", "second"]}, categorical=["c"]))
        any_engine.run("DROP TABLE IF EXISTS others")
        any_engine.run(f"CREATE TABLE others (c {kind})")
        any_engine.run(f"INSERT INTO others VALUES ({cell})")
        found = any_engine.run(f"SELECT {to_sql(tree, any_engine.dialect)} FROM others").fetchall()
        assert [*map(tuple, found)] == [("first",)], kind


@pytest.mark.parametrize("dialect", DIALECTS)
def test_another_parser_reads_the_same_names_and_texts(dialect: Any) -> None:
    sqlglot = pytest.importorskip("sqlglot")
    name = "na'me \\ `汉$"
    tree = rt.ID3().grow(rt.Table.from_columns({name: HOSTILE, "y": [f"{text}!" for text in HOSTILE]}))
    read = {"standard": None, "postgresql": "postgres"}.get(dialect, dialect)
    parsed = sqlglot.parse_one(f"SELECT {to_sql(tree, dialect)} AS answer FROM asked", read=read)
    columns = [each for each in parsed.find_all(sqlglot.exp.Column) if each.table != "pg_catalog"]
    assert {column.name for column in columns} == {name}
    assert {text.this for text in parsed.find_all(sqlglot.exp.Literal)} >= {
        f"{text}!" for text in HOSTILE if "\\" not in text
    }


def test_what_sql_cannot_write_is_refused_in_a_line() -> None:
    tree = rt.ID3().grow(rt.Table.from_columns({"c": ["a\0b", "b"], "y": ["n", "y"]}))
    with pytest.raises(rt.InputError, match="the character 0, which SQL has no way to write; rename it, or write json"):
        to_sql(tree)
    check(tree, [{"c": "a\0b"}])


def test_names_that_a_dialect_cannot_tell_apart_or_write() -> None:
    tree = rt.ID3().grow(rt.Table.from_columns({"a": ["p", "p", "q"], "A": ["s", "t", "t"], "y": ["n", "y", "n"]}))
    assert '"A"' in to_sql(tree, "postgresql")
    with pytest.raises(rt.InputError, match=r"SQLite takes the columns \w and \w for one; rename one of them"):
        to_sql(tree, "sqlite")
    tree = rt.ID3().grow(rt.Table.from_columns({"${x}": ["p", "q"], "y": ["n", "y"]}))
    with pytest.raises(
        rt.InputError, match=r"Spark takes \$\{ in the name '\$\{x\}' for a variable; rename the column"
    ):
        to_sql(tree, "spark")
    with pytest.raises(rt.InputError, match=r"no dialect of SQL 'mysq' \(did you mean mysql\?\)"):
        to_sql(tree, "mysq")  # type: ignore[arg-type]


def test_a_column_that_is_not_there_is_no_text() -> None:
    tree = rt.CART(missing="error").grow(rt.Table.from_columns({"x": [1, 2], "y": ["n", "y"]}))
    with pytest.raises(sqlite3.OperationalError, match="no such column: x"):
        sqlite3.connect(":memory:").execute(f"SELECT {to_sql(tree, 'sqlite')}")


def test_a_row_is_not_known_where_the_tree_has_no_answer(engine: Server) -> None:
    tree = rt.ID3().grow(rt.textbook("play-tennis"))
    rows: list[Any] = [{"outlook": "fog"}, {"outlook": None}, {"outlook": "overcast"}]
    rows = [{"temperature": "hot", "humidity": "high", "wind": "weak", **row} for row in rows]
    assert by_python(tree, rows) == [None, None, "yes"]
    check(tree, rows, engine)


# Depth.


@pytest.mark.parametrize("depth", [13, DEEPEST, DEEPEST + 1, 200, pytest.param(5000, marks=pytest.mark.slow)])
def test_a_chain_is_code_however_deep_it_is(any_engine: Server, depth: int) -> None:
    if depth == 5000 and any_engine.dialect == "spark":
        pytest.skip("Spark takes minutes to plan so much")
    rows = [{"x": number} for number in (0, 0.5, 1, depth / 2, depth - 1, depth - 0.5, depth, None)]
    check(chain(depth), rows, any_engine)


@pytest.mark.one_in(3, 6)
@pytest.mark.parametrize("learner", LEARNERS[1:], ids=["CART", "stay", "branch", "surrogates", "rest", "multiway"])
@given(table=strategies.tables_with_gaps(), data=st.data())
def test_pieces_answer_as_the_whole(learner: Any, table: rt.Table, data: Any) -> None:
    """Cut in as many pieces as possible, with surrogates and rows that stay."""
    tree = learner.grow(table)
    rows = [*table.rows()]
    rows += [{**row, **{name: data.draw(st.sampled_from(rows))[name] for name in row}} for row in rows[:5]]
    for deepest in (1, 2, 4):
        names: dict[str, Any] = {"Fraction": Fraction}
        lines = [f"{'    ' * (depth + 1)}{line}" for depth, line in Writer(tree, Python(deepest)).lines()]
        exec("def predict(row):\n" + "\n".join(lines), names)
        assert [names["predict"](row) for row in rows] == [truth(tree, row) for row in rows]


@pytest.mark.slow
def test_a_deep_tree_of_people(engine: Server) -> None:
    """Not a chain: a full tree of random labels, with many branches that are too deep."""
    generator = random.Random(3)
    rows = [{"a": generator.randint(0, 999) / 10, "b": generator.choice("pqrstu")} for _ in range(400)]
    columns: dict[str, Any] = {name: [row[name] for row in rows] for name in "ab"}
    table = rt.Table.from_columns({**columns, "y": [generator.choice("no") for _ in rows]})
    for learner in (rt.CART(missing="branch", branching="one-vs-rest"), rt.CART(missing="error"), rt.C45(max_depth=30)):
        tree = learner.grow(table)
        assert max(tree.depths()) > 9
        check(tree, [*rows[:100], {"a": None, "b": "p"}, {"a": 5, "b": None}, {"a": None, "b": None}], engine)


def test_many_branches_are_no_depth() -> None:
    values = [f"v{place}" for place in range(3376)]
    tree = rt.ID3().grow(rt.Table.from_columns({"c": values, "y": ["n", "y"] * 1688}))
    assert by_python(tree, [{"c": "v0"}, {"c": "v3375"}, {"c": "w"}]) == ["n", "y", None]


def test_where_rows_are_divided_the_code_says_so() -> None:
    divided, whole = rt.C45().grow(rt.textbook("watermelon-2.0a")), rt.CART().grow(rt.textbook("golf"))
    assert to_python(divided).startswith("# A row with a missing value is divided by this tree.")
    assert to_sql(divided).startswith("/* A row with a missing value is divided by this tree.")
    assert not any("divided" in write(whole) for write in (to_python, to_sql))


def test_a_simple_tree_needs_no_import() -> None:
    assert not any(isinstance(node, ast.Import | ast.ImportFrom) for node in ast.walk(ast.parse(to_python(chain(3)))))
