"""Documents of programs that do not tell everything: they come back as they went, and nothing is lost silently."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

import reference_tree as rt
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.routing import Unseen
from reference_tree.tree import Program
from reference_tree.tree_document import from_json, to_json
from tests.every import of_every
from tests.tree_document.documents import (
    HUSHES,
    SCHEMA,
    assert_valid,
    changed,
    document,
    hushed,
    regression,
)

WHOLE = {"classes": document(), "means": regression(), "medians": regression(median=True)}


@pytest.mark.one_in(6)
@pytest.mark.parametrize("words", HUSHES, ids="+".join)
@pytest.mark.parametrize("name", WHOLE)
def test_what_went_out_comes_back(name: str, words: tuple[str, ...]) -> None:
    whole = hushed(WHOLE[name], *words)
    assert_valid(whole)
    tree = from_json(json.dumps(whole))
    assert tree.silent == {*words}
    assert json.loads(to_json(tree)) == whole
    assert from_json(to_json(tree)) == tree


@of_every(WHOLE)
def test_what_stands_in_for_what_is_not_told(name: str) -> None:
    """The tree answers as before wherever the answers of leaves are stated; the stand-ins are legal nodes."""
    row = {"a": "x", "n": 0}
    whole = from_json(json.dumps(WHOLE[name]))
    tree = from_json(json.dumps(hushed(WHOLE[name], "inner-labels", "counts")))
    assert tree.predict(row) == whole.predict(row)
    assert not any(any(node.counts) for node in tree.nodes)
    assert {type(node.counts) for node in tree.nodes} == {type(node.counts) for node in whole.nodes}


def test_a_label_that_is_not_told_is_the_majority_of_what_is_counted() -> None:
    tree = from_json(json.dumps(hushed(document(), "labels")))
    assert [node.label for node in tree.nodes] == ["no", "no", "no", "no", "yes", "no", "no", "no"]


@pytest.mark.parametrize(
    ("words", "way", "value", "message"),
    [
        (("labels",), ("nodes", 0, "label"), "no", "in node 0: there is no key 'label' here; there are counts"),
        (("inner-labels",), ("nodes", 0, "label"), "no", "in node 0: there is no key 'label' here; there are counts"),
        (("counts",), ("nodes", 0, "counts"), {"no": "1"}, "in node 0: there is no key 'counts' here; there are label"),
        (("counts",), ("nodes", 1, "tied"), ["no", "yes"], "in node 1: there is no key 'tied' here"),
        (("missing",), ("nodes", 0, "missing"), {"rule": "stay"}, "in node 0: there is no key 'missing' here"),
        (("missing",), ("nodes", 2, "branches", 0, "share"), "1", "in node 2: there is no key 'share' here"),
        ((), ("program", "silent"), ["everything"], "in the program: a program is not silent about 'everything'"),
        ((), ("program", "silent"), ["counts", "counts"], "in the program: .* the same text twice"),
        ((), ("program", "silent"), "counts", "in the program: 'counts' is no list"),
        ((), ("program", "numbers"), "single", "in the program: numbers are exact, double, float32, not 'single'"),
        ((), ("program", "name"), 3, "in the program: '3' is no text"),
        ((), ("program", "author"), "A", "in the program: there is no key 'author' here"),
        ((), ("program",), None, "in the program: 'None' is no object"),
    ],
)
def test_what_is_refused(words: tuple[str, ...], way: tuple[Any, ...], value: Any, message: str) -> None:
    whole = changed(hushed(document(), *words), way, value)
    with pytest.raises(rt.InputError, match=message):
        from_json(json.dumps(whole))


STAYS = {
    **regression(),
    "program": {"name": "a program", "numbers": "exact", "silent": ["inner-labels", "counts", "errors"]},
    "attributes": [{"name": "c", "kind": "categorical", "values": ["a", "b"]}],
    "nodes": [
        {"id": 0, "test": {"kind": "multiway", "attribute": "c"}, "missing": {"rule": "stay"},
         "branches": [{"when": {"is": "a"}, "to": 1}, {"when": {"is": "b"}, "to": 2}]},
        {"id": 1, "mean": "5", "stop": "unknown"}, {"id": 2, "mean": "7", "stop": "unknown"},
    ],
}  # fmt: skip
"""A tree of numbers in which a row without a value stays at the root, whose prediction is not stated."""


def test_a_row_that_ends_where_no_prediction_is_stated_has_none() -> None:
    tree = from_json(json.dumps(STAYS))
    assert tree.predict({"c": "a"}) == 5
    cases: list[tuple[dict[str, object], Unseen]] = [({"c": None}, "error"), ({"c": "z"}, "majority")]
    for row, unseen in cases:
        with pytest.raises(rt.InputError, match="a row ends at node 0, an inner one, whose prediction is not stated"):
            tree.predict(row, unseen)
        with pytest.raises(rt.InputError, match="whose prediction is not stated"):
            rt.explain_prediction(tree, row, unseen=unseen)
    table = rt.Table.from_columns({"c": ["a", None], "y": [1.0, 2.0]}, target="y")
    with pytest.raises(rt.InputError, match="whose prediction is not stated"):
        tree.predict(table)
    for written in (rt.to_python, rt.to_sql, rt.to_pmml):
        with pytest.raises(rt.InputError, match="a row may end at node 0, an inner one, whose prediction is not"):
            written(tree)


def test_a_leaf_that_tells_its_label_cannot_leave_it_out() -> None:
    whole = changed(hushed(document(), "inner-labels"), ("nodes", 1, "label"))
    with pytest.raises(rt.InputError, match="in node 1: 'label' is absent"):
        from_json(json.dumps(whole))


def test_an_ensemble_says_it_of_all_its_trees() -> None:
    forest = rt.Bagging(base=rt.ID3(max_depth=1), trees=2, seed=2).grow(rt.textbook("play-tennis"))
    whole = json.loads(to_json(forest))
    whole["program"] = {"name": "a program", "numbers": "float32", "silent": ["counts"]}
    for member in whole["trees"]:
        for node in member["nodes"]:
            del node["counts"]
            node.pop("tied", None)
    validate(whole)
    found = rt.tree_document.predictor_from_json(json.dumps(whole))
    assert isinstance(found, Ensemble)
    program = Program("a program", None, "float32", frozenset({"counts"}))
    assert [member.tree.program for member in found.members] == [program, program]
    again = json.loads(to_json(found))
    assert again == whole
    assert list(again) == ["format", "target", "attributes", "learner", "program", "combine", "trees"]


def validate(ensemble: Any) -> None:
    """Hold the document of an ensemble against its schema."""
    path = Path(__file__).parents[2] / "docs" / "schemas" / "ensemble-1.schema.json"
    registry = Registry().with_resource("tree-1.schema.json", Resource.from_contents(SCHEMA))
    schema = json.loads(path.read_text(encoding="utf-8"))
    Draft202012Validator(schema, registry=registry).validate(ensemble)
