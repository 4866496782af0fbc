"""What a program is to its readers: a record with field maps; a new program is one new file."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import reference_tree.programs
from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute
from reference_tree.programs.reader import GivenNames, NodeFields, Training, asked, limit, readers
from reference_tree.programs.reading import names_tree, predictor_of_file, read_foreign

MADE_UP = r'''
"""Timber, a program that does not exist: JSON with a list of nodes."""
import re

from reference_tree.data.schema import Attribute
from reference_tree.programs.documents import HeldNode, TreeOrigin, document, exact
from reference_tree.programs.reader import NodeFields, ProgramReader, Training, double, limit, remarks
from reference_tree.tree import Program

FIELDS = NodeFields("yes", "no", "column", "limit", "gaps_are_yes", is_strict=True)
TRAINING = Training({"levels": ("max_depth", limit), "least": ("min_samples_leaf", double)}, {"dice": 0})


def documents(value, names):
    columns = [Attribute(name) for name in names.features(value["columns"], value.get("names", ()))]
    nodes = {}
    for number, node in enumerate(value["timber"]):
        test = FIELDS.test_of(node.__getitem__, columns)
        nodes[number] = HeldNode({} if test else {"mean": exact(node["says"])}, test)
    given = value.get("how", {})
    source = TreeOrigin(Program("Timber", None, "double", frozenset({"inner-labels", "counts"})),
                        remarks=remarks(TRAINING.told(given), TRAINING.unlike(given)))
    return [document(source, Attribute(names.target), columns, nodes, 0)]


READER = ProgramReader("timber", "a tree of Timber", documents, re.compile(r'\A\{"timber"'),
                       lambda value: isinstance(value, dict) and "timber" in value, target="y")
'''
NODES = [
    {"yes": 1, "no": 2, "column": 1, "limit": 2.5, "gaps_are_yes": False},
    *({"yes": -1, "no": -1, "says": says} for says in (3.0, 4.5)),
]
MODEL = {"timber": NODES, "columns": 2, "names": ["age", "size"], "how": {"levels": "3", "least": 2, "dice": "1.5"}}


@pytest.fixture
def timber(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The made-up program, whose reader is one file."""
    (tmp_path / "timber.py").write_text(MADE_UP, encoding="utf-8")
    monkeypatch.setattr(reference_tree.programs, "__path__", [*reference_tree.programs.__path__, str(tmp_path)])
    readers.cache_clear()
    yield
    readers.cache_clear()
    sys.modules.pop("reference_tree.programs.timber", None)


@pytest.mark.usefixtures("timber")
def test_a_program_is_one_file(tmp_path: Path) -> None:
    path = tmp_path / "model"
    path.write_text(json.dumps(MODEL), encoding="utf-8")
    assert names_tree(str(path))
    (document,) = read_foreign(path)
    assert document == read_foreign(MODEL)[0] == read_foreign(json.dumps(MODEL), program="timber")[0]
    assert document["learner"]["options"] == {"told": {"max_depth": 3, "min_samples_leaf": "2"}, "unlike": ["dice 1.5"]}
    assert document["target"]["name"] == "y"
    tree: Any = predictor_of_file(path, "weight", ["a", "b"])
    assert [tree.predict({"a": 0, "b": b}) for b in (2, 2.5, None)] == [3, 4.5, 4.5]


@pytest.mark.usefixtures("timber")
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"column": 2}, "a node tests feature 2, and there are 2"),
        ({"column": -1}, "a node tests feature -1, and there are 2"),
        ({"yes": 7}, "a branch leads to node 7, and there is none"),
        ({"limit": "x"}, "'x' is no number that a double could hold"),
        ({"no": None}, "int"),
    ],
)
def test_a_part_that_is_unfit_is_refused_in_one_place(change: dict[str, Any], message: str) -> None:
    model = MODEL | {"timber": [NODES[0] | change, *NODES[1:]]}
    with pytest.raises(InputError, match=f"is not a tree of Timber: .*{message}"):
        read_foreign(model)
    for part in ("yes", "column", "limit", "gaps_are_yes"):
        lacking = {name: value for name, value in NODES[0].items() if name != part}
        with pytest.raises(InputError, match=f"is not a tree of Timber: '{part}' is absent"):
            read_foreign(MODEL | {"timber": [lacking, *NODES[1:]]})


def test_questions_about_categories() -> None:
    features = [Attribute("job", ("a", "b", "c"))]
    question = asked(features, 0, [2, 0], (1, 2), 2)
    assert question.branches[0].when == {"in": ["c", "a"]}
    assert (question.missing, question.default) == ("branch", 2)
    with pytest.raises(IndexError):
        asked(features, 0, [3], (1, 2))


def test_names_are_as_many_as_there_are() -> None:
    names = GivenNames(attributes=[Attribute("a"), "b"], classes=["n", "y"])
    assert names.features(2) == ["a", "b"]
    assert names.labels(2) == ["n", "y"]
    assert GivenNames().labels(2) == ["0", "1"]
    for given, size, own in ((names, 3, ()), (GivenNames(), 2, ["x", "x"])):
        with pytest.raises(InputError, match="different names are given"):
            given.features(size, own)
    with pytest.raises(InputError, match="the model has 1 classes, and 2 different names are given"):
        names.labels(1)


def test_parameters_that_are_not_stated_are_not_told() -> None:
    training = Training({"depth": ("max_depth", limit)}, {"dice": 0, "kind": "gbdt"})
    assert training.told({}) == {}
    assert training.told({"depth": "0"}) == {"max_depth": None}
    assert training.unlike({"dice": "0.0", "kind": "dart"}) == ["kind dart"]


def test_a_leaf_asks_nothing() -> None:
    assert NodeFields("l", "r", "f", "t").test_of({"l": -1, "r": -1}.__getitem__, []) is None
