"""PMML: what our own writer wrote is read as it was, and so are the forms that other programs write."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import reference_tree as rt
from reference_tree.data.errors import InputError, InputWarning
from reference_tree.node import Node
from reference_tree.programs.reading import predictor_of_file, read_foreign
from reference_tree.tree import Tree
from reference_tree.tree_document import from_json, read_tree, to_json
from reference_tree.views.trees.pmml import to_pmml
from tests.every import of_every
from tests.peers.recordings import RECORDINGS
from tests.pmml import Model
from tests.programs.documents import tree_of

TABLES = ("weather-nominal", "weather-numeric", "contact-lenses", "iris", "vote", "labor", "cars")
SMALL = [each for each in RECORDINGS if each.data in TABLES]


def kept(node: Node, target_is_class: bool) -> object:
    """What PMML says of a node."""
    missing = node.missing
    stand_ins = [(each.test, each.branches) for each in missing.surrogates]
    counts = (node.counts, node.label, node.tied) if target_is_class else node.weight
    return node.test, node.branches, counts, missing.shares, missing.to, missing.stays, stand_ins


@pytest.mark.one_in(2, 6)
@pytest.mark.parametrize("recording", SMALL, ids=lambda recording: str(recording.name))
def test_what_was_written_is_read_as_it_was(recording: object) -> None:
    tree = read_tree(getattr(recording, "path"))  # noqa: B009
    try:
        written = to_pmml(tree)
    except InputError as error:
        assert "PMML" in str(error)  # noqa: PT017  (what it cannot say, it refuses)
        return
    Model(written).check()
    (document,) = read_foreign(written)
    found, is_class = tree_of(document), tree.target.values is not None
    assert found.target == tree.target
    if any("/" in str(weight) for node in tree.nodes for weight in node.counts):
        assert [node.test for node in found.nodes] == [node.test for node in tree.nodes]  # weights are rounded there
        return
    assert [kept(node, is_class) for node in found.nodes] == [kept(node, is_class) for node in tree.nodes]
    assert from_json(to_json(found)) == found


HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<PMML xmlns="http://www.dmg.org/PMML-4_2" version="4.2">
<Header><Application name="somebody" version="1"/></Header>
<DataDictionary>
<DataField name="x" optype="continuous" dataType="{type}"/>
<DataField name="sky" optype="categorical" dataType="string"><Value value="sunny"/><Value value="grey"/>
<Value value="dark"/></DataField>
<DataField name="play" optype="categorical" dataType="string"><Value value="no"/><Value value="yes"/></DataField>
</DataDictionary>
<TreeModel functionName="classification" {attrib}>
<MiningSchema><MiningField name="x"/><MiningField name="sky"/>
<MiningField name="play" usageType="target"/></MiningSchema>
"""
LEAVES = '<Node id="b" score="no" recordCount="4">{0}</Node><Node id="c" score="yes" recordCount="6">{1}</Node>'


def model(first: str, second: str, attrib: str = "", kind: str = "double", above: str = "") -> str:
    """A model of a root and two leaves."""
    root = f'<Node id="a" score="yes" recordCount="10" {above}><True/>{LEAVES.format(first, second)}</Node>'
    return f"{HEAD.format(type=kind, attrib=attrib)}{root}</TreeModel></PMML>"


def simple(field: str, operator: str, value: str) -> str:
    return f'<SimplePredicate field="{field}" operator="{operator}" value="{value}"/>'


def among(operator: str, values: str) -> str:
    array = f'<Array type="string" n="1">{values}</Array>'
    return f'<SimpleSetPredicate field="sky" booleanOperator="{operator}">{array}</SimpleSetPredicate>'


def either(*predicates: str) -> str:
    return f'<CompoundPredicate booleanOperator="or">{"".join(predicates)}</CompoundPredicate>'


@of_every(
    [
        (simple("x", "lessOrEqual", "0.5"), simple("x", "greaterThan", "0.5"), ("le", "b")),
        (simple("x", "greaterOrEqual", "0.5"), simple("x", "lessThan", "0.5"), ("lt", "c")),
        (simple("x", "lessOrEqual", "0.5"), "<True/>", ("le", "b")),
        (among("isIn", '"sunny" dark'), among("isIn", "grey"), ("in", "b")),
        (among("isNotIn", "sunny"), among("isIn", "sunny"), ("in", "c")),
        (simple("sky", "equal", "sunny"), "<True/>", ("in", "b")),
        (simple("sky", "notEqual", "sunny"), simple("sky", "equal", "sunny"), ("in", "c")),
        (either(simple("sky", "equal", "sunny"), simple("sky", "equal", "grey")), "<True/>", ("in", "b")),
    ]
)
def test_two_children_are_one_question(first: str, second: str, expected: tuple[str, str]) -> None:
    (document,) = read_foreign(model(first, second))
    root, *leaves = document["nodes"]
    relation, where = expected
    assert next(iter(root["branches"][0]["when"])) == relation
    assert leaves[root["branches"][0]["to"] - 1]["label"] == {"b": "no", "c": "yes"}[where]
    answers = Model(model(first, second).replace("PMML-4_2", "PMML-4_4").replace('Array type="string" n="1"', "Array"))
    tree = tree_of(document)
    for row in ({"x": 0.25, "sky": "sunny"}, {"x": 0.5, "sky": "grey"}, {"x": 0.75, "sky": "dark"}):
        if "Set" not in first + second:
            assert tree.predict(row) == answers.answer(row)[0]
    assert document["program"] == {"name": "somebody", "numbers": "double", "silent": ["counts"]}


@of_every(
    [
        ("", "", None),
        ('missingValueStrategy="lastPrediction"', "", {"rule": "stay"}),
        ('missingValueStrategy="nullPrediction"', "", None),
        ('missingValueStrategy="defaultChild"', 'defaultChild="c"', {"rule": "branch", "to": 2}),
        ('missingValueStrategy="weightedConfidence"', "", {"rule": "fractions"}),
    ]
)
def test_rows_without_a_value_go_where_the_model_says(attrib: str, above: str, missing: object) -> None:
    text = model(simple("x", "lessThan", "1"), simple("x", "greaterOrEqual", "1"), attrib, above=above)
    (document,) = read_foreign(text)
    root = document["nodes"][0]
    assert root.get("missing") == missing
    shares = [branch.get("share") for branch in root["branches"]]
    assert shares == (["2/5", "3/5"] if "weighted" in attrib else [None, None])
    tree_of(document)


def test_a_float_is_a_float() -> None:
    text = model(simple("x", "lessThan", "0.1"), simple("x", "greaterOrEqual", "0.1"), kind="float")
    (document,) = read_foreign(text)
    assert document["program"]["numbers"] == "float32"
    assert document["nodes"][0]["test"]["threshold"] == "0.100000001490116119384765625"


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        (simple("x", "lessThan", "1"), simple("x", "greaterThan", "1"), "no answer for some rows that no child takes"),
        (simple("x", "lessThan", "1"), simple("sky", "equal", "grey"), "no answer for sky 'sunny'"),
        (simple("z", "lessThan", "1"), "<True/>", "'z' is tested, which is not in the MiningSchema"),
        (simple("x", "like", "1"), "<True/>", "there is no operator 'like'"),
        (simple("sky", "lessThan", "grey"), "<True/>", "'sky' is compared by size"),
        (simple("x", "lessThan", "1e999999"), "<True/>", "is not a tree model of PMML"),
        ("<True/><False/>", "<True/>", "node b has 2 predicates"),
        ("", "<True/>", "node b has 0 predicates"),
        ("<Regression/>", "<True/>", "a Node has a member 'Regression', which is not read"),
    ],
)
def test_what_is_no_question_is_refused(first: str, second: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_foreign(model(first, second))


def test_the_first_child_that_is_true_is_entered() -> None:
    (document,) = read_foreign(model("<True/>", "<True/>"))
    assert [node["label"] for node in document["nodes"]] == ["no"]


def test_a_form_that_is_newer_than_those_tried_is_remarked_on() -> None:
    text = to_pmml(rt.ID3().grow(rt.textbook("play-tennis")))
    assert 'version="4.' in text
    later = re.sub('version="4[.][0-9]+"', 'version="5.0"', text)
    with pytest.warns(InputWarning, match="PMML 5.0 is newer than 4.4.1, the newest release that was tried here"):
        (document,) = read_foreign(later)
    assert document["nodes"] == read_foreign(text)[0]["nodes"]


def test_a_file_without_a_tree_is_refused() -> None:
    with pytest.raises(InputError, match="holds no model of trees"):
        read_foreign("<PMML><Header/></PMML>")
    with pytest.raises(InputError, match="line 1: a tree model of PMML: PMML has a member 'Scorecard'"):
        read_foreign("<PMML><Scorecard/></PMML>")
    with pytest.raises(InputError, match="line 1: is not a tree model of PMML: it is no XML: mismatched tag"):
        read_foreign("<PMML></XML>")
    with pytest.raises(InputError, match="holds several models"):
        read_foreign("<PMML><TreeModel/><TreeModel/></PMML>")


def test_a_file_is_a_predictor(tmp_path: Path) -> None:
    path = tmp_path / "model.xml"
    path.write_text(model(simple("x", "lessThan", "1"), "<True/>"), encoding="utf-8")
    found = predictor_of_file(path)
    assert isinstance(found, Tree)
    assert found.predict({"x": 1}) == "yes"
