"""Formats that are not read are named, with their way out, in one line."""

from __future__ import annotations

import gzip
import json
import pickle
import zlib
from pathlib import Path
from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.programs.reading import names_tree, predictor_of_file, read_foreign, unread_bytes, unread_value
from tests.every import of_every

FILES: list[tuple[str, bytes, str]] = [
    ("a.model", b"binf\0\0\0?\4", "is a binary model of XGBoost before 2.1, which is not read; load it with"),
    ("a.txt", b"booster[0]:\n0:[f0<0.5] yes=1,no=2,missing=2\n\t1:leaf=1\n", r"is a text dump of XGBoost.*save_model"),
    ("a.dot", b"digraph {\n", "is a drawing of a tree in DOT"),
    ("a.pkl", pickle.dumps([1]), "is a pickle.* nothing is unpickled here"),
    ("a.joblib", zlib.compress(b"a" * 99), "is a packed pickle of joblib"),
    ("nodes-00000-of-00001", b"BS\1\0\0\0", "is the nodes of a model of YDF"),
    ("a.cbm", b"CBM1xxxx", "is a binary model of CatBoost"),
    ("a.h5", b"\x89HDF\r\n\x1a\n", "is a file of HDF5"),
    ("a.rds", gzip.compress(b"X\n"), "is packed by gzip, as saveRDS does"),
    ("a.RData", b"RDX3\nX\n", "is an object of R"),
    ("a.keras", b"PK\3\4", "is a zip archive"),
    ("a.parquet", b"PAR1", "is a file of Parquet, as Spark saves a model"),
    ("a.java", b"import hex.genmodel;\npublic class A extends GenModel {\n", "is a model of H2O in Java"),
    ("c5.txt", b"\nC5.0 [Release 2.11 GPL Edition]  \tSun Nov 29\n", "is a tree of C5.0"),
    ("c5.R.txt", b"\nCall:\nC5.0.formula(formula = y ~ ., data = d)\n", "is a tree of C5.0"),
    ("tree.txt", b"node), split, n, deviance, yval, (yprob)\n", "is a tree of R that rpart has not grown"),
    ("party.txt", b"\n\t Conditional inference tree with 2 terminal nodes\n", "is a tree of R.*grow it with rpart"),
    ("partykit.txt", b"\nModel formula:\ny ~ x\n\nFitted party:\n[1] root\n", "is a tree of R.*grow it with rpart"),
    ("spark.txt", b"GBTClassificationModel: uid=gbt_1, numTrees=2\n", "is what toDebugString of Spark shows"),
    ("rules.txt", b"JRIP rules:\n===========\n", "is a list of rules of Weka"),
    ("e.json", json.dumps({"input": {}, "output": "double", "action": []}).encode(), "is a model in PFA"),
    (
        "c.json",
        json.dumps({"learner": {"gradient_booster": {}, "learner_train_param": {}}}).encode(),
        "is a configuration of XGBoost, which holds no trees",
    ),
]


FOLDERS: list[tuple[str, list[str], str]] = [
    ("YDF", ["data_spec.pb", "done", "header.pb", "nodes-00000-of-00001", "random_forest_header.pb"], "a model of YDF"),
    ("Spark", ["metadata/_SUCCESS", "data/_SUCCESS"], "a model that Spark saved.*lines of Spark write its nodes"),
    ("forest", ["metadata/_SUCCESS", "data/_SUCCESS", "treesMetadata/_SUCCESS"], "a model that Spark saved"),
    ("pipeline", ["metadata/_SUCCESS", "stages/0_A/metadata/_SUCCESS"], "a pipeline that Spark saved"),
    ("keras", ["saved_model.pb", "fingerprint.pb"], "a model of TensorFlow"),
    ("MLflow", ["MLmodel", "model.pkl"], "a model of MLflow.*name the file of the model in it"),
    ("H2O", ["model.ini", "trees/t00_000.bin"], "an unpacked model of H2O"),
]
"""Folders as YDF 0.16, Spark 4.3 and others write them, by the names in them."""


@pytest.mark.parametrize(("name", "files", "message"), [pytest.param(*each, id=each[0]) for each in FOLDERS])
def test_a_folder_is_named_by_what_wrote_it(name: str, files: list[str], message: str, tmp_path: Path) -> None:
    folder = tmp_path / name
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(b"")
    for read in (predictor_of_file, read_foreign):
        reading: Any = read
        with pytest.raises(InputError, match=message) as refused:
            reading(folder)
        assert str(refused.value).startswith(str(folder))
        assert "\n" not in str(refused.value)
    assert names_tree(str(folder))


def test_any_other_folder_is_told_from_a_file(tmp_path: Path) -> None:
    for read in (predictor_of_file, read_foreign):
        reading: Any = read
        with pytest.raises(InputError, match="is a directory; name a file in it"):
            reading(tmp_path)
    assert not names_tree(str(tmp_path))


@pytest.mark.parametrize(("name", "content", "message"), [pytest.param(*each, id=each[0]) for each in FILES])
def test_a_format_is_named(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    for read in (predictor_of_file, read_foreign):
        reading: Any = read
        with pytest.raises(InputError, match=message) as refused:
            reading(path)
        assert str(refused.value).startswith(str(path))
        assert "\n" not in str(refused.value)


def test_a_file_that_may_be_a_table_is_not_taken_for_a_tree(tmp_path: Path) -> None:
    for name, content, _ in FILES:
        path = tmp_path / name
        path.write_bytes(content)
        assert names_tree(str(path)) == (name not in ("a.rds", "a.keras", "a.parquet")), name


@of_every([b"", b"outlook,play\nsunny,no\n", b"{}", b"tree\nversion=v4\n", b"<?xml", b"0,1\n", b"x"])
def test_tables_and_trees_are_none_of_them(content: bytes) -> None:
    assert unread_bytes(content) is None


def test_values_of_other_kinds_are_none_of_them() -> None:
    assert unread_value({"format": "reference-tree/tree/1"}) is None
    assert unread_value([{"nodeid": 0}]) is None
