"""Formats that are not read: each is recognised, named, and has a way out.

A model that cannot be read is refused by what it is: `is a pickle`, and not `is not UTF-8`. The line
of its program that writes what is read stands beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple


class Unread(NamedTuple):
    """A format that is not read."""

    what: str
    """What it is, with its article."""
    way: str
    """What writes a file that is read, or what to do instead."""
    is_table: bool = False
    """Whether a file that begins so may be a table, too."""

    def __str__(self) -> str:
        """The refusal, without the name of the file.

        Example:
            >>> print(Unread("a pickle", "load it where it was written"))
            is a pickle, which is not read; load it where it was written
        """
        return f"is {self.what}, which is not read; {self.way}"


_XGBOOST = 'booster.save_model("model.json") writes a model that is read'
_LIGHTGBM = 'booster.save_model("model.txt")'
_CATBOOST = "no form that CatBoost writes is read"
_YDF = "no form that YDF writes is read"
_SPARK = "lines of Spark write its nodes as JSON (the page of foreign trees); or read_foreign(model) reads the object"
_R = "the lines of R on the page of foreign trees write what is read of an rpart"

_BYTES: tuple[tuple[bytes, Unread], ...] = (
    (
        rb"(binf|bs64)",
        Unread("a binary model of XGBoost before 2.1", f"load it with XGBoost 3.0 or older, and {_XGBOOST}"),
    ),
    (rb"(booster\[0\]|0):\s?\[?[^\n]*\b(yes|leaf)=", Unread("a text dump of XGBoost", _XGBOOST)),
    (
        rb"\s*digraph\b",
        Unread("a drawing of a tree in DOT", "the page of foreign trees has what its program writes besides"),
    ),
    (
        rb"\s*(C5\.0|See5) \[Release|\s*Call:\s+C5\.0\b",
        Unread("a tree of C5.0", "grow it with C4.5 or J48, which are read"),
    ),
    (
        rb"node\), split, n, deviance, yval, \(yprob\)|\s*Conditional inference tree with\b"
        rb"|\s*Model (formula|party):[\s\S]{0,4096}\n(Fitted party|\[1\] root)",
        Unread("a tree of R that rpart has not grown", f"grow it with rpart; {_R}"),
    ),
    (
        rb"(DecisionTree|RandomForest|GBT)(Classification|Regression)Model[: (]",
        Unread("what toDebugString of Spark shows", "a line of Spark writes the nodes of the model as JSON"),
    ),
    (
        rb"\s*(JRIP rules|PART decision list)",
        Unread("a list of rules of Weka", "grow a tree with J48, REPTree, SimpleCart or Id3, which are read"),
    ),
    (
        rb"\x80[\x02-\x05]",
        Unread(
            "a pickle, as joblib and skops write it",
            f"nothing is unpickled here: load it, and read_foreign(model) reads the object; of LightGBM {_LIGHTGBM}, "
            'of XGBoost model.save_model("model.json") writes a model that is read',
        ),
    ),
    (
        rb"\x78[\x01\x5e\x9c\xda]",
        Unread("a packed pickle of joblib", "nothing is unpickled here: load it, and read_foreign(model) reads it"),
    ),
    (rb"BS[\x01\x02]\0", Unread("the nodes of a model of YDF", _YDF)),
    (rb"CBM1", Unread("a binary model of CatBoost", _CATBOOST)),
    (
        rb"\x08[\x01-\x20][\s\S]{0,4096}(skl2onnx|OnnxMLTools|onnxmltools|ai\.onnx|TreeEnsemble)",
        Unread("a model in ONNX", "read the model that it was made of"),
    ),
    (rb"\x89HDF\r\n\x1a\n", Unread("a file of HDF5, as keras writes it", "a neural network has no trees")),
    (rb"(RD[AX][23]\n|[XA]\n\x00\x00\x00[\x02\x03]|A\n[23]\n)", Unread("an object of R", _R)),
    (rb"\x1f\x8b", Unread("packed by gzip, as saveRDS does", f"unpack it; {_R}", is_table=True)),
    (
        rb"PK\x03\x04",
        Unread("a zip archive, as H2O and keras save models", "unpack it, and read the tree in it", is_table=True),
    ),
    (
        rb"PAR1",
        Unread("a file of Parquet, as Spark saves a model", "a line of Spark writes its nodes as JSON", is_table=True),
    ),
    (
        rb"[\s\S]{0,4096}\bextends\s+(hex\.genmodel\.)?GenModel\b",
        Unread("a model of H2O in Java", "no form that H2O writes is read"),
    ),
)  # fmt: skip

_JSON: tuple[tuple[Callable[[Mapping[str, Any]], bool], Unread], ...] = (
    (
        lambda value: "oblivious_trees" in value or ("features_info" in value and "model_info" in value),
        Unread("a model of CatBoost in JSON", _CATBOOST),
    ),
    (
        lambda value: "trees" in value and ("postprocessor" in value or "num_feature" in value),
        Unread("a model of treelite", "read the model that it was made of"),
    ),
    (
        lambda value: {"input", "output", "action"} <= value.keys(),
        Unread("a model in PFA", "read the model that it was made of"),
    ),
    (
        lambda value: isinstance(value.get("learner"), dict) and "learner_train_param" in value["learner"],
        Unread("a configuration of XGBoost, which holds no trees", f"{_XGBOOST}, and audit takes this as --config"),
    ),
)

_FOLDERS: tuple[tuple[Collection[str], Unread], ...] = (
    (("data_spec.pb", "header.pb"), Unread("a model of YDF, a folder", _YDF)),
    (("saved_model.pb",), Unread("a model of TensorFlow, a folder", "no form that TensorFlow writes is read")),
    (("metadata", "data"), Unread("a model that Spark saved, a folder", _SPARK)),
    (("metadata", "stages"), Unread("a pipeline that Spark saved, a folder", f"{_SPARK}: that of its last stage")),
    (("MLmodel",), Unread("a model of MLflow, a folder", "name the file of the model in it")),
    (("model.ini", "trees"), Unread("an unpacked model of H2O, a folder", "no form that H2O writes is read")),
)


def unread_folder(path: str | Path) -> Unread | None:
    """The format of a folder, by the names in it; None if it is no folder, or of no format that is known.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     _ = (Path(folder) / "MLmodel").write_text("flavors: {}")
        ...     print(unread_folder(folder))
        is a model of MLflow, a folder, which is not read; name the file of the model in it
    """
    with suppress(OSError, ValueError):
        names = {each.name for each in Path(path).iterdir()}
        return next((unread for needed, unread in _FOLDERS if names.issuperset(needed)), None)
    return None


def unread_bytes(content: bytes) -> Unread | None:
    """The format that bytes begin like, if it is known and not read.

    Example:
        >>> print(unread_bytes(b"CBM1..."))
        is a binary model of CatBoost, which is not read; no form that CatBoost writes is read
    """
    return next((unread for head, unread in _BYTES if re.match(head, content)), None)


def unread_value(value: object) -> Unread | None:
    """The format of a value of JSON, if it is known and not read."""
    if not isinstance(value, dict):
        return None
    return next((unread for holds, unread in _JSON if holds(value)), None)
