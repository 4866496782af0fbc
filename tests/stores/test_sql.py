"""Trees in a database: the same as in memory, on each engine; and what is refused."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.conformance import goldens
from reference_tree.conformance.cases import cases
from reference_tree.data.questions import Threshold
from reference_tree.exact.rationals import Rational
from reference_tree.learners.growing import grow, revisit
from reference_tree.stores import columns, near_cuts
from reference_tree.stores.sql import sql
from tests.every import of_every
from tests.stores.databases import Remembering, stored, written
from tests.views.trees.engines import Spark, started

ENGINES: dict[str, dict[str, Any]] = {
    "sqlite": {"types": ("NUMERIC", "TEXT")},
    "duckdb": {"types": ("DOUBLE", "TEXT")},
    "postgresql": {"types": ("DOUBLE PRECISION", "TEXT"), "mark": "%s"},
    "spark": {},
}
LEARNERS: list[tuple[str, Any]] = [
    ("watermelon-2.0", rt.ID3()),
    ("watermelon-2.0a", rt.C45()),
    ("golf", rt.C45.like("c45-r8")),
    ("golf", rt.CART()),
    ("watermelon-2.0a", rt.CART(missing="surrogates")),
    ("cats-regression", rt.CART()),
    ("li-hang-5.2", rt.CART(criterion="absolute_error")),
    ("watermelon-3.0a", rt.CART(branching="linear")),
]

WEIGHTS = [None, [1, 2, 3], [Fraction(1, 2), 1, Fraction(3, 2)]]


@pytest.fixture(
    params=[
        "sqlite",
        "duckdb",
        pytest.param("postgresql", marks=pytest.mark.oracles),
        pytest.param("spark", marks=[pytest.mark.oracles, pytest.mark.spark]),
    ],
    scope="module",
    name="engine",
)
def _engine(request: pytest.FixtureRequest) -> Iterator[tuple[Any, dict[str, Any]]]:
    with started(request.param, parts=4) as server:
        connection: Any = Remembering(server.session) if isinstance(server, Spark) else server.connection
        if request.param == "postgresql":  # its driver keeps plans, and a test makes the table anew
            connection.prepare_threshold = None
        yield connection, ENGINES[request.param]


@pytest.mark.one_in(24)
@pytest.mark.parametrize(
    "weights", [None, [1, 2, 3], [Fraction(1, 2), 1, Fraction(3, 2)]], ids=["rows", "whole weights", "weights"]
)
@pytest.mark.parametrize(("name", "learner"), LEARNERS, ids=[f"{name}-{who.name}" for name, who in LEARNERS])
def test_the_same_tree_on_each_engine(
    engine: Any, name: str, learner: Any, weights: list[Rational] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection, how = engine
    table = rt.textbook(name)
    if weights:
        table = replace(table, weights=[weights[row % 3] for row in range(len(table))])
        monkeypatch.setattr(columns, "KNOWN", 3)  # so that columns are not read whole
    there = stored(table, connection, **how)
    tree, expected = grow(learner, there), grow(learner, table)
    assert tree.nodes == expected.nodes
    assert str(rt.audit(expected, there, learner)) == str(rt.audit(expected, table, learner))
    if table.schema.target.values is not None:
        assert expected.accuracy(there) == expected.accuracy(table)
    assert expected.predict(there) == expected.predict(table)
    assert rt.explain(tree, there) == rt.explain(expected, replace(table, name="cells"))
    memory = there.in_memory()
    assert grow(learner, memory).nodes == expected.nodes


def is_held(weights: Sequence[str] | None) -> bool:
    """Whether a database holds these weights: a sixth is no number of any column."""
    return all(10**9 % Fraction(weight).denominator == 0 for weight in weights or ())


@pytest.mark.one_in(20, 60)
@pytest.mark.parametrize(
    "name",
    [one.id for one in cases().values() if one.kind in ("tree", "split", "predict", "prune") and is_held(one.weights)],
)
def test_the_bytes_of_the_goldens_are_the_same(engine: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    connection, how = engine

    def there(table: rt.Table) -> Any:
        return stored(table, connection, **how)

    monkeypatch.setattr(goldens, "grow", lambda learner, table: grow(learner, there(table)))
    monkeypatch.setattr(goldens, "revisit", lambda tree, learner, table: revisit(tree, learner, there(table)))
    committed = (Path(__file__).parents[1] / "goldens" / f"{name}.json").read_bytes()
    assert goldens.golden(cases()[name]).encode() == committed


def test_ties_and_margins_are_those_in_memory(engine: Any) -> None:
    connection, how = engine
    table = rt.textbook("iris")
    tree = rt.CART().grow(table)
    for here, there in zip(
        *(revisit(tree, rt.CART(), data) for data in (stored(table, connection, **how), table)), strict=True
    ):
        assert here.decision.candidates == there.decision.candidates
        assert here.decision.winners == there.decision.winners
        assert here.decision.margin == there.decision.margin


@pytest.mark.parametrize(
    "engine", [pytest.param("spark", marks=[pytest.mark.oracles, pytest.mark.spark])], indirect=True
)
def test_what_spark_keeps_is_released_at_the_end(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reference_tree.stores.sql.KEPT", 0)
    session = engine[0].session
    there, kept = stored(rt.textbook("iris"), session), list[int]()

    def views() -> int:
        return sum(name.startswith("reference_tree_") for _, name, _ in session.sql("SHOW TABLES").collect())

    def growing(nodes: int) -> None:
        kept.append(views())
        if nodes == 3:
            raise KeyboardInterrupt

    before = session.sparkContext._jsc.getPersistentRDDs().size()
    assert grow(rt.CART(max_depth=1), there).nodes == grow(rt.CART(max_depth=1), rt.textbook("iris")).nodes
    assert views() == 0
    with pytest.raises(KeyboardInterrupt):
        grow(rt.CART(max_depth=1), there, growing)
    assert kept == [1, 1, 1], "one view, while a tree is grown"
    assert views() == 0
    assert session.sparkContext._jsc.getPersistentRDDs().size() == before


number = st.sampled_from([None, 0.1, 0.2, 0.30000000000000004, 0.3, 5e-324, 1.7976931348623157e308, -2.5, 7])
word = st.sampled_from([None, "a", "A", "a ", "b'", 'q"uote', "%s", "?", "色泽", "\\", "NULL", ""])


@given(st.lists(st.tuples(number, word, st.sampled_from(["no", "yes"])), min_size=2, max_size=12))
def test_random_tables_with_gaps_and_hostile_texts(rows: list[tuple[Any, Any, str]]) -> None:
    x, word, y = (list(column) for column in zip(*rows, strict=True))
    kinds = {"continuous": ["x%"], "categorical": ['a"?']}
    table = rt.Table.from_columns({"x%": x, 'a"?': word, "y": y}, "y", **kinds)  # type: ignore[arg-type]
    database = sqlite3.connect(":memory:")
    database.execute('CREATE TABLE "from" ("x%" REAL, "a""?" TEXT COLLATE NOCASE, y TEXT)')
    database.executemany('INSERT INTO "from" VALUES (?, ?, ?)', rows)
    there = sql(database, "from", "y", categorical=['a"?'])
    if any(value is not None for value in x):
        for learner in (rt.CART(), rt.C45(), rt.CART(missing="fractions", branching="multiway")):
            assert grow(learner, there).nodes == grow(learner, table).nodes


def test_a_view_of_two_tables_and_a_select() -> None:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE days (day INTEGER, outlook TEXT)")
    database.execute("CREATE TABLE played (day INTEGER, play TEXT)")
    days = [(1, "sunny"), (2, "rainy"), (3, "sunny"), (4, "overcast")]
    database.executemany("INSERT INTO days VALUES (?, ?)", days)
    database.executemany("INSERT INTO played VALUES (?, ?)", [(1, "no"), (2, "yes"), (3, "no"), (4, None)])
    joined = "SELECT outlook, play FROM days JOIN played USING (day)"
    database.execute(f"CREATE VIEW both AS {joined}")
    for source in ("both", joined, f"{joined};"):
        data = sql(database, source)
        assert rt.to_text(rt.ID3().grow(data)) == "outlook = rainy: yes (yes 1)\noutlook = sunny: no (no 2)\n"
        assert data.left_out == 1


def test_a_query_may_end_with_a_comment_and_a_column_may_hold_null_alone() -> None:
    database = sqlite3.connect(":memory:")
    query = "SELECT NULL AS note, 1 AS size, 'no' AS y UNION ALL SELECT NULL, 2, 'yes' -- two rows"
    assert rt.to_text(rt.CART().grow(sql(database, query))) == "size <= 1.5: no (no 1)\nsize > 1.5: yes (yes 1)\n"


@of_every(["-- two\n", "/* two\n* rows */ ", "/**/ -- two\n\t"])
def test_a_query_may_begin_with_a_comment(comment: str) -> None:
    query = f"{comment}SELECT 1 AS size, 'no' AS y UNION ALL SELECT 2, 'yes'"
    assert len(sql(sqlite3.connect(":memory:"), query)) == 2


@of_every([rt.CART(), rt.CART(criterion="entropy"), rt.ID3()])
def test_a_number_and_a_text_of_one_name_are_one_category(learner: Any) -> None:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE t (x, y)")
    rows = [(1, "a"), ("1", "a"), (2, "b"), ("2", "b"), ("q", "a"), (1, "a"), ("2", "b")]
    database.executemany("INSERT INTO t VALUES (?, ?)", rows)
    x, y = map(list, zip(*rows, strict=True))
    assert (
        learner.grow(sql(database, "t", categorical=["x"])).nodes
        == learner.grow(rt.Table.from_columns({"x": x, "y": y})).nodes
    )
    there = sql(database, "SELECT length(y) + rowid AS n, x FROM t", categorical=["x"])
    memory = rt.Table.from_columns({"n": [row + 2 for row in range(len(x))], "x": x})
    assert rt.CART().grow(there).nodes == rt.CART().grow(memory).nodes


@of_every([rt.CART(), rt.CART(criterion="entropy"), rt.CART(criterion="squared_error")])
def test_weights_whose_sum_the_database_cannot_hold(learner: Any) -> None:
    database, numbers = sqlite3.connect(":memory:"), list(range(6))
    database.execute("CREATE TABLE t (x, w, y)")
    y: list[Any] = [n // 2 for n in numbers] if learner.criterion == "squared_error" else list("aababb")
    database.executemany("INSERT INTO t VALUES (?, ?, ?)", zip(numbers, [2**62] * 6, y, strict=True))
    memory = rt.Table.from_columns({"x": numbers, "w": [2**62] * 6, "y": y}, weights="w")
    assert learner.grow(sql(database, "t", weights="w")).nodes == learner.grow(memory).nodes


def test_a_target_of_two_numbers_is_one_of_classes_as_in_memory() -> None:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE t (a INTEGER, y INTEGER)")
    rows = [(1, 0), (2, 1), (3, 1), (4, None)]
    database.executemany("INSERT INTO t VALUES (?, ?)", rows)
    assert rt.CART().grow(sql(database, "t")) == rt.CART().grow(rt.Table.of([{"a": a, "y": y} for a, y in rows], "y"))
    assert sql(database, "t").schema.target.values == ("0", "1")
    assert sql(database, "t", continuous=["y"]).schema.target.values is None
    assert sql(database, "SELECT * FROM t WHERE a < 3").schema.target.values is None, "two values in two rows"


def test_decimals_whole_numbers_and_doubles_are_themselves() -> None:
    duckdb = pytest.importorskip("duckdb").connect()
    duckdb.execute("CREATE TABLE t (d DECIMAL(10, 2), i HUGEINT, f FLOAT, x DOUBLE, b BOOLEAN, y TEXT)")
    duckdb.execute("INSERT INTO t VALUES (0.10, 170141183460469231731687303715884105727, 0.1, 0.1, true, 'no')")
    duckdb.execute("INSERT INTO t VALUES (0.30, -5, 0.3, 'NaN', false, 'yes')")
    data = sql(duckdb, "t")
    assert list(data.schema.numbers["d"]) == [Fraction(1, 10), Fraction(3, 10)]
    assert list(data.schema.numbers["i"]) == [-5, 2**127 - 1]
    assert list(data.schema.numbers["x"]) == [Fraction(1, 10)]
    assert data.schema.attribute("b").values == ("False", "True")
    unknown = data.sample().ordered("x").unknown
    assert sum(unknown) == 1, "NaN is a missing value"
    assert rt.CART().grow(data).accuracy(data) == 1
    assert Decimal("0.10") in data.stored["d"].some


@of_every(
    [
        ("CREATE TABLE t (a, y)", "nope", {}, "nope: sqlite3 says: no such table: nope"),
        ("CREATE TABLE t (a, y)", "t", {"target": "z"}, "t: there is no column 'z'; there are a, y"),
        ("CREATE TABLE t (a, y)", "t", {}, "t, column y: no row has a value here, and it is to be predicted"),
        (
            "CREATE TABLE t AS SELECT x'00' AS a, 1 AS y",
            "t",
            {},
            "t, column a: bytes is neither a number nor a category",
        ),
        ("CREATE TABLE t AS SELECT '7' AS a, 'q' AS y", "t", {"continuous": ["a"]}, "cast it in a SELECT"),
        (
            "CREATE TABLE t AS SELECT 7 AS a, 'q' AS y, -1 AS w",
            "t",
            {"weights": "w"},
            "a weight is a positive number",
        ),
        ("CREATE TABLE t (a, y)", "SELECT nonsense FROM t", {}, "a query: sqlite3 says: no such column: nonsense"),
    ]
)
def test_what_is_refused_in_one_line(make: str, source: str, options: dict[str, Any], says: str) -> None:
    database = sqlite3.connect(":memory:")
    database.execute(make)
    with pytest.raises(rt.InputError) as error:
        sql(database, source, **options)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_a_name_that_is_sql_stays_a_name() -> None:
    database = sqlite3.connect(":memory:")
    name = 'x"; DROP TABLE t; --'
    quoted = name.replace('"', '""')
    database.execute(f'CREATE TABLE t AS SELECT 1 AS "{quoted}", 0 AS y UNION SELECT 2, 1')
    tree = rt.CART().grow(sql(database, "t", categorical=["y"]))
    assert tree.nodes[0].test is not None
    assert tree.nodes[0].test.attribute == name
    assert database.execute("SELECT COUNT(*) FROM t").fetchone() == (2,)


def test_what_numbers_rows_says_how() -> None:
    there = stored(rt.textbook("golf"))
    for work in (lambda: rt.RandomForest(trees=1).grow(there), lambda: rt.folds(there, 2, seed=0)):
        with pytest.raises(rt.InputError, match=r"in_memory\(\) makes a table of them"):
            work()


def test_nothing_else_is_a_connection() -> None:
    with pytest.raises(rt.InputError, match="is no connection of sqlite3, duckdb, psycopg, pyspark"):
        sql("shop.db", "orders")
    for nothing in ("", " ", 5, None):
        with pytest.raises(rt.InputError, match=f"^{nothing!r} is no name of a table or a view, and no SELECT$"):
            sql(sqlite3.connect(":memory:"), nothing)  # type: ignore[arg-type]
    closed = written(rt.textbook("golf"))
    closed.close()
    with pytest.raises(rt.InputError, match="closed database"):
        sql(closed, "cells")


@pytest.mark.oracles
def test_a_tree_of_a_program_is_audited_where_the_rows_are() -> None:
    tree_module: Any = pytest.importorskip("sklearn.tree")
    table = rt.textbook("iris")
    rows = [[float(row[one.name]) for one in table.schema.attributes] for row in table.rows()]  # type: ignore[arg-type]
    names = [row["species"] for row in table.rows()]
    fitted = tree_module.DecisionTreeClassifier(max_depth=4, random_state=0).fit(rows, names)
    duckdb: Any = pytest.importorskip("duckdb").connect()
    there = stored(table, duckdb, types=("DOUBLE", "TEXT"))
    found, expected = rt.audit(fitted, there), rt.audit(fitted, table)
    assert found.is_right
    assert [one.verdict for one in found.findings] == [one.verdict for one in expected.findings]
    assert "no row was sought that ends elsewhere" in found.summary


def spoilt(tree: rt.Tree, chance: Random) -> rt.Tree:
    """A tree with another threshold, another attribute, another count, or exchanged branches, at some nodes."""
    nodes = list(tree.nodes)
    for number in chance.sample(range(len(nodes)), min(4, len(nodes))):
        node, kind = nodes[number], chance.randrange(4)
        if isinstance(node.test, Threshold):
            name, at = node.test.attribute, node.test.threshold
            tests = [Threshold(name, at + Fraction(chance.randint(-9, 9), 8)), Threshold(chance.choice("xzu"), at)]
            nodes[number] = replace(node, test=tests[kind]) if kind < 2 else replace(node, branches=node.branches[::-1])
        if kind == 3:
            nodes[number] = replace(node, counts=tuple(count + 1 for count in node.counts))
    return replace(tree, nodes=tuple(nodes))


@pytest.mark.one_in(3, 12)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", ["sqlite", "duckdb"])
@pytest.mark.parametrize(
    "learner",
    [rt.CART(max_depth=4), rt.C45(max_depth=3), rt.CART(max_depth=3, min_samples_leaf=12)],
    ids=lambda one: f"{one.name}-{one.min_samples_leaf}",
)
def test_an_audit_of_a_wrong_tree_asks_for_no_values(
    name: str, learner: Any, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance, kinds = Random(seed), ENGINES[name]["types"]
    x, z, u = ([round(chance.gauss(0, 2), 3) for _ in range(150)] for _ in range(3))
    y: list[Any] = [a + max(b, c) + chance.gauss(0, 1) for a, b, c in zip(x, z, u, strict=True)]
    is_class = learner.name == "c45" or seed % 2 == 0
    y = ["abc"[(one > 0) + (one > 2)] for one in y] if is_class else [round(one, 2) for one in y]
    holes = [None if not chance.randrange(9) and seed % 3 else one for one in x]
    weights = {"w": [chance.randint(1, 3) for _ in x]} if seed % 4 == 1 else {}
    table = rt.Table.from_columns(
        {"x": holes, "z": z, "u": u, **weights, "y": y}, "y", weights="w" if weights else None
    )
    if learner.name == "cart":
        learner = replace(learner, missing=["branch", "stay"][seed % 2])
    monkeypatch.setattr(columns, "KNOWN", 3)
    connection = None if name == "sqlite" else pytest.importorskip("duckdb").connect()
    there = stored(table, connection, types=kinds)
    wrong = spoilt(learner.grow(table), chance)
    before = there.database.fetched
    found = rt.audit(wrong, there, learner)
    assert found.findings == rt.audit(wrong, table, learner, ranks=False).findings
    if learner.name == "cart" or not seed % 3:  # rows that C4.5 divides are counted value by value
        assert there.database.fetched - before < 25 * len(wrong.nodes)


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize("learner", [rt.CART(max_depth=2), rt.C45(max_depth=2)], ids=["cart", "c45"])
def test_an_explanation_of_many_numbers_lists_the_best_cuts(learner: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    table = rt.textbook("iris")
    there, tree = stored(table), learner.grow(table)
    whole = rt.explain(tree, there)
    monkeypatch.setattr(near_cuts, "LISTED", 30)
    there = stored(table)
    text, fetched = rt.explain(tree, there), there.database.fetched
    assert len(text) < len(whole)
    for line in whole.splitlines():  # what is worked out of the best cuts is the same
        assert not line.startswith(("ΔGini(D, ", "Gain(D, ")) or " = " not in line or line in text
    assert "Of the 42 cuts of petal length, the best and the next best are listed, as the store found them." in text
    assert [line for line in text.splitlines() if line.startswith("Split on ")] == [
        line for line in whole.splitlines() if line.startswith("Split on ")
    ]
    revisited = list(revisit(tree, learner, there))
    assert there.database.fetched - fetched < 400
    for one, other in zip(revisited, revisit(tree, learner, table), strict=True):
        here, expected = one.decision, other.decision
        assert (here.winners, here.next_best, here.margin) == (expected.winners, expected.next_best, expected.margin)
        assert {each.key for each in here.next_best} <= {each.key for each in here.candidates}


@pytest.mark.parametrize(
    ("name", "kind", "unit"),
    [(name, kind, 100) for name in ("sqlite", "duckdb") for kind in ("NUMERIC(10, 2)", "DOUBLE")]
    + [("duckdb", "DOUBLE", 137)],
)
@pytest.mark.parametrize("learner", [rt.CART(max_depth=3), rt.C45(max_depth=3), rt.CART(criterion="squared_error")])
def test_weights_with_decimals_are_added_up_by_the_database(
    learner: Any, name: str, kind: str, unit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = Random(5)
    x = [round(chance.gauss(0, 2), 3) for _ in range(300)]
    y: list[Any] = [round(one + chance.gauss(0, 2), 1) for one in x]
    if getattr(learner, "criterion", "gain") != "squared_error":
        y = ["no" if one < 1 else "yes" for one in y]
    weights = [chance.randint(1, 500) / unit for _ in x]
    memory = rt.Table.from_columns({"x": x, "w": weights, "y": y}, weights="w")
    connection = sqlite3.connect(":memory:") if name == "sqlite" else pytest.importorskip("duckdb").connect()
    connection.execute(f"CREATE TABLE t (x DOUBLE, w {kind}, y {'TEXT' if isinstance(y[0], str) else 'DOUBLE'})")
    connection.executemany("INSERT INTO t VALUES (?, ?, ?)", list(zip(x, weights, y, strict=True)))
    monkeypatch.setattr(columns, "KNOWN", 20)
    there = sql(connection, "t", weights="w")
    before = there.database.fetched
    tree = learner.grow(there)
    assert there.database.fetched - before < 12 * len(tree.nodes)
    assert tree.nodes == learner.grow(memory).nodes


def test_a_wrong_question_is_not_ranked_where_columns_are_not_read_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    table = rt.textbook("iris")
    wrong = rt.CART(max_depth=2).grow(table.without(["petal length", "petal width"]))
    monkeypatch.setattr(columns, "KNOWN", 3)
    found = rt.audit(wrong, stored(table), rt.CART(max_depth=2))
    assert [one.verdict for one in found.findings] == [
        one.verdict for one in rt.audit(wrong, table, rt.CART(max_depth=2), ranks=False).findings
    ]
    assert "wrong tests are not ranked, as not all values of the columns are read" in found.summary


def test_the_page_does_in_five_minutes_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("duckdb")
    page = (
        (Path(__file__).parents[2] / "docs" / "stores.md")
        .read_text(encoding="utf-8")
        .partition("## In five minutes")[2]
    )
    code, printed = (
        re.search(rf"^```{kind}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL) for kind in ("python", "text")
    )
    assert code is not None
    assert printed is not None
    monkeypatch.chdir(tmp_path)
    exec(code[1], {})
    assert capsys.readouterr().out == printed[1]
    assert rt.read_tree("tree.json").nodes
