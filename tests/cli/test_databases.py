"""Tables in databases, on the command line: what a file of the same rows gives, and wrong use in one line."""

from __future__ import annotations

import re
import sqlite3
import sys
from pathlib import Path

import pytest

import reference_tree as rt
from tests.cli.running import Run, refused
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
