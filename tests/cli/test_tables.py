"""Tables in databases, on the command line: what a file of the same rows gives, and wrong use in one line."""

from __future__ import annotations

import re
import sqlite3
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import reference_tree as rt
from reference_tree.cli.tables import rows_of, table_under
from reference_tree.data.errors import InputError
from reference_tree.data.readers.raw import Layout
from reference_tree.data.schema import Attribute
from reference_tree.tree import Grower
from tests.cli.running import Run, refused
from tests.every import of_every
from tests.stores.databases import written


def database(folder: Path, name: str = "golf", table: str = "cells") -> Path:
    path = folder / "shop.db"
    connection = sqlite3.connect(path)
    written(rt.textbook(name), connection)
    connection.execute("ALTER TABLE cells DROP COLUMN w")
    if table != "cells":
        connection.execute(f"ALTER TABLE cells RENAME TO '{table}'")
    connection.commit()
    connection.close()
    return path


@pytest.mark.one_in(4, 8)
@pytest.mark.parametrize(
    "command",
    [
        ["grow", "{}"],
        ["grow", "{}", "--learner", "c45", "--format", "json"],
        ["grow", "{}", "--target", "outlook", "--without", "play"],
        ["explain", "{}", "--learner", "c45"],
        ["grow", "{}", "--ensemble", "forest", "--round", "1", "--seed", "3"],
        ["score", "{}", "--learner", "cart", "--seed", "1"],
        ["prune", "{tree}", "{}", "--method", "cost-complexity", "--alpha", "0"],
        ["audit", "{tree}", "{}"],
        ["predict", "{tree}", "{}"],
        ["predict", "{tree}", "{}", "--format", "csv"],
        ["score", "{tree}", "{}"],
    ],
    ids=" ".join,
)
def test_a_table_of_a_database_gives_what_its_file_gives(command: list[str], tmp_path: Path, run: Run) -> None:
    tree, data, file = tmp_path / "tree.json", database(tmp_path), tmp_path / "cells.csv"
    rt.CART().grow(rt.textbook("golf")).save(tree)
    file.write_text(run("data", "golf", "--format", "csv")[1], encoding="utf-8")
    there, here = (
        run(*(part.format(source, tree=tree) if "{" in part else part for part in command)) for source in (data, file)
    )
    assert there[0] == here[0] == 0, there[2]
    names = re.compile(r"[^ ]*shop\.db|[^ ]*cells\.csv|cells|-+")
    assert names.sub("", there[1]) == names.sub("", here[1])


def test_which_table_is_meant(tmp_path: Path, run: Run) -> None:
    path = database(tmp_path)
    connection = sqlite3.connect(path)
    connection.execute("CREATE VIEW sunny AS SELECT * FROM cells WHERE outlook = 'sunny'")
    connection.commit()
    assert f"{path}: has the tables cells, sunny; say --table NAME" in refused(run, "grow", path)
    for table in ("sunny", "SELECT humidity, play FROM cells"):
        assert run("grow", path, "--table", table)[0] == 0


@pytest.mark.parametrize("name", ["sales.2024", "select the best", " lead;", 'a."b', "sqlite2024"])
def test_a_table_may_have_any_name(name: str, tmp_path: Path, run: Run) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        folder.mkdir()
        database(folder, table=name)
    sqlite3.connect(two / "shop.db").execute("CREATE TABLE other (a)").connection.close()
    grown = run("grow", one / "shop.db")
    assert grown[0] == 0
    names = ", ".join(sorted([name, "other"]))
    assert f"has the tables {names}; say --table NAME" in refused(run, "grow", two / "shop.db")
    assert run("grow", two / "shop.db", "--table", name) == grown


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nowhere.db"], "nowhere.db: there is no such file"),
        (["golf", "--table", "cells"], "--table is for databases; golf is a textbook data set"),
        (["{}", "--table", "nope"], "nope: sqlite3 says: no such table: nope"),
        (["{}", "--target", "nope"], "there is no column 'nope'; there are outlook"),
        (["{text}"], "sqlite3 says: file is not a database"),
    ],
)
def test_wrong_use_is_one_line(arguments: list[str], says: str, tmp_path: Path, run: Run) -> None:
    text = tmp_path / "text.db"
    text.write_text("a,b\n1,2\n" * 300, encoding="utf-8")
    path = database(tmp_path)
    assert says in refused(run, "grow", *(one.format(path, text=text) for one in arguments))


def test_nothing_is_written_into_a_database(tmp_path: Path, run: Run) -> None:
    path = database(tmp_path)
    before = path.read_bytes()
    assert run("explain", path, "--learner", "c45")[0] == 0
    assert path.read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["shop.db"]


def test_parquet_files_and_duckdb(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect(tmp_path / "sales.duckdb")
    connection.execute("CREATE TABLE cells AS FROM (VALUES (1.5, 'no'), (2.5, 'yes'), (3.5, 'yes')) AS v (size, y)")
    for part in (1, 2):
        connection.execute(f"COPY (FROM cells LIMIT {part + 1}) TO '{tmp_path}/{part}.parquet'")
    connection.close()
    assert run("grow", tmp_path / "sales.duckdb")[1] == "size <= 2: no (no 1)\nsize > 2: yes (yes 2)\n"
    assert run("grow", f"{tmp_path}/*.parquet")[1] == "size <= 2: no (no 2)\nsize > 2: yes (yes 3)\n"
    assert "leave out --table" in refused(run, "grow", f"{tmp_path}/*.parquet", "--table", "cells")
    monkeypatch.setitem(sys.modules, "duckdb", None)
    assert "needs duckdb: pip install 'reference-tree[sql]'" in refused(run, "grow", tmp_path / "sales.duckdb")


PLAY = Attribute("play", ("no", "yes"))
KNOWN = [Attribute("code", ("1", "2", "9")), Attribute("size")]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "rows.csv"
    path.write_text("id,size,play,code,w\n7,1.50,yes,1,2\n8,?,no,2,1/3\n", encoding="utf-8")
    return path


def test_a_column_has_the_kind_and_the_values_it_is_known_by(file: Path) -> None:
    table = table_under(str(file), PLAY, KNOWN)
    assert {one.name: one.values for one in table.schema.attributes} == {"size": None, "code": ("1", "2", "9")}
    assert table.schema.target == PLAY
    assert list(table.rows()) == [
        {"size": Fraction(3, 2), "code": "1", "play": "yes"},
        {"size": None, "code": "2", "play": "no"},
    ]
    assert table.name == "rows"


def test_weights_and_markers_are_those_of_the_command(file: Path) -> None:
    assert table_under(str(file), PLAY, KNOWN, weights="w").weighted() == [2, Fraction(1, 3)]
    with pytest.raises(InputError, match=r"rows.csv: there is no column 'v'; there are id, size, play, code, w"):
        table_under(str(file), PLAY, KNOWN, weights="v")
    with pytest.raises(InputError, match=r"rows.csv, line 3, column size: '\?' is not a number"):
        table_under(str(file), PLAY, KNOWN, layout=Layout(["-"]))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("play,code,size\nyes,3,1\n", r"line 2, column code: '3' is not among the declared values: 1, 2, 9"),
        ("play,code,size\nmaybe,1,1\n", r"line 2, column play: 'maybe' is not among the declared values: no, yes"),
        ("play,code,size\nyes,1,big\n", r"line 2, column size: 'big' is not a number"),
        ("code,size\n1,1\n", r"there is no column 'play'; there are code, size"),
        ("play,code,size\n", r"there are no rows"),
        ("", r"is empty"),
    ],
)
def test_what_the_tree_does_not_know_is_told_in_its_place(tmp_path: Path, content: str, says: str) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=rf"rows\.csv.*{says}"):
        table_under(str(path), PLAY, KNOWN)


def test_rows_without_a_target_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("play,code,size\n?,1,1\nyes,1,1\n,1,1\n", encoding="utf-8")
    assert table_under(str(path), PLAY, KNOWN).left_out == 2


def test_a_textbook_is_read_as_the_tree_has_it() -> None:
    numbers = rt.textbook("golf").schema.attributes
    assert table_under("golf", PLAY, numbers).schema.attribute("humidity").values is None
    read = rt.textbook("golf", categorical=["humidity"])
    categories = table_under("golf", read.schema.target, read.schema.attributes)
    assert categories.schema.attribute("humidity").values == read.schema.attribute("humidity").values
    assert list(categories.rows()) == list(read.rows())
    with pytest.raises(InputError, match="--weights is for files; golf is a textbook data set"):
        table_under("golf", PLAY, numbers, weights="humidity")
    with pytest.raises(InputError, match="--na is for files"):
        table_under("golf", PLAY, numbers, layout=Layout(["?"]))
    with pytest.raises(InputError, match="loan: there is no column 'play'"):
        table_under("loan", PLAY, numbers)


# The rows that a tree was grown from.


def test_the_rows_of_a_tree_are_found_again_with_its_attributes_in_its_order(file: Path) -> None:
    table = table_under(str(file), PLAY, KNOWN)
    known = replace(table, schema=replace(table.schema, attributes=tuple(KNOWN)))
    tree = rt.CART(min_samples_split=9).grow(known)
    assert rows_of(tree, str(file)).schema.attributes == tuple(KNOWN)


@of_every(
    [
        ("watermelon-2.0", r"watermelon-2.0: the tree was not grown from these rows: node 0 has the counts \(5, 5\)"),
        ("watermelon-2.0-validation", "the tree was not grown from these rows"),
        ("loan", "loan: there is no column '好瓜'"),
        ("watermelon-3.0a", "there is no column '色泽'; there are "),
    ]
)
def test_other_rows_are_refused(name: str, says: str) -> None:
    tree = rt.ID3().grow(rt.textbook("watermelon-2.0-train"))
    with pytest.raises(InputError, match=says):
        rows_of(tree, name)


def test_the_same_counts_at_the_root_are_not_enough(tmp_path: Path) -> None:
    one, other = tmp_path / "one.csv", tmp_path / "other.csv"
    one.write_text("a,b,y\nu,s,no\nu,t,yes\nv,s,yes\nv,t,no\n", encoding="utf-8")
    other.write_text("a,b,y\nu,s,yes\nu,t,yes\nv,s,no\nv,t,no\n", encoding="utf-8")
    tree = rt.ID3().grow(rt.read(one))
    assert len(rows_of(tree, str(one))) == 4
    with pytest.raises(InputError, match=r"other.csv: the tree was not grown from these rows: node \d"):
        rows_of(tree, str(other))


def test_of_a_foreign_tree_with_shares_the_root_is_looked_at() -> None:
    golf = rt.textbook("golf")
    grown = rt.C45().grow(golf)
    shares = replace(grown.nodes[0].missing, shares=(Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)))
    nodes = (replace(grown.nodes[0], missing=shares), *grown.nodes[1:])
    foreign = replace(grown, nodes=nodes, grower=Grower())
    assert len(rows_of(foreign, "golf")) == 14
    with pytest.raises(InputError, match="golf: the tree was not grown from these rows"):
        rows_of(replace(grown, nodes=nodes), "golf")
    root = replace(nodes[0], counts=(6, 8))
    with pytest.raises(InputError, match="golf: the tree was not grown from these rows: node 0 has other counts"):
        rows_of(replace(foreign, nodes=(root, *nodes[1:])), "golf")


def test_standard_input_may_be_closed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert "-: standard input is closed" in refused(run, "grow", "-")


def test_what_is_pasted_in_the_place_of_a_name_is_no_file(run: Run) -> None:
    assert "is no file, and no textbook data set" in refused(run, "grow", "x,y\n1,a\n" * 99)


def test_a_class_or_a_category_is_known_by_its_number(run: Run, tmp_path: Path) -> None:
    tree, grown, judged = tmp_path / "tree.json", tmp_path / "a.csv", tmp_path / "b.csv"
    grown.write_text("level,x,y\n" + "1,5,0\n2,6,1\n3,5,1\n" * 3, encoding="utf-8")
    judged.write_text("level,x,y\n" + "1.0,5.0,0.0\n2.0,6.0,1.0\n3.0,5.0,1.0\n" * 3, encoding="utf-8")
    run("grow", grown, "--categorical", "level", "--format", "json", "--output", tree)
    for command in (["score"], ["audit"], ["predict", "--format", "csv"]):
        plain, floats = (run(command[0], tree, file, *command[1:]) for file in (grown, judged))
        assert floats[1].replace("b.csv", "a.csv") == plain[1]
        assert "column level: 1.0, 2.0, 3.0 are read as 1, 2, 3, the same numbers" in floats[2]
        assert "column y: 0.0, 1.0 are read as 0, 1, the same numbers" in floats[2]
