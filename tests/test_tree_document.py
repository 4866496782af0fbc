"""Tree documents: out and in again, valid under the schema, and no malformed one is taken for a tree."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.missing import Missing
from reference_tree.data.questions import Multiway, Outcome, Subset, Test, Threshold
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.id3 import ID3
from reference_tree.learners.ties import Ties
from reference_tree.tree import Grower, Node, Tree
from reference_tree.tree_document import FORMAT, STOPS, from_json, question_json, read_tree, to_json, when
from tests import strategies
from tests.test_tree import chain

SCHEMA = json.loads((Path(__file__).parents[1] / "docs" / "schemas" / "tree-1.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

names = st.text(st.characters(codec="utf-8"), max_size=6)
distinct_names = st.lists(names, min_size=1, max_size=4, unique=True).map(tuple)
weights = st.one_of(st.integers(0, 10**6), st.fractions(0, 99, max_denominator=10**6))
numbers = st.one_of(st.integers(-(10**6), 10**6), st.fractions(-99, 99, max_denominator=1000))
options = st.dictionaries(
    names,
    st.recursive(
        st.none() | st.booleans() | st.integers() | names,
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(names, inner, max_size=2),
        max_leaves=4,
    ),
    max_size=3,
)


@st.composite
def questions_of(draw: st.DrawFn, attribute: Attribute) -> Test:
    if attribute.values is not None:
        some = draw(st.lists(st.sampled_from(attribute.values), min_size=1, unique=True).map(tuple))
        return Multiway(attribute.name, some) if draw(st.booleans()) else Subset(attribute.name, some)
    threshold, strict, gap = draw(numbers), draw(st.booleans()), draw(st.fractions(Fraction(1, 9), 9))
    interval = (threshold - gap, threshold) if strict else (threshold, threshold + gap)
    return Threshold(attribute.name, threshold, draw(st.sampled_from([None, interval])), strict)


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """Trees of any questions, counts and names: what they say need not be true of any data."""
    target = Attribute(draw(names), draw(distinct_names))
    attributes = tuple(Attribute(name, draw(st.one_of(st.none(), distinct_names))) for name in draw(distinct_names))
    nodes: list[Node] = []
    pending = [(-1, 0)]
    while pending:
        above, depth = pending.pop()
        if above >= 0:
            nodes[above] = replace(nodes[above], branches=(*nodes[above].branches, len(nodes)))
        label = draw(st.sampled_from(target.domain))
        rest = [other for other in target.domain if other != label]
        tied = draw(st.sampled_from([(), (label, *rest)] if rest else [()]))
        node = Node(tuple(draw(weights) for _ in target.domain), label, tied=tied)
        if depth < 3 and draw(st.booleans()):
            test = draw(questions_of(draw(st.sampled_from(attributes))))
            size = len(test.outcomes)
            pending += [(len(nodes), depth + 1)] * size
            parts = draw(st.lists(st.integers(0, 9), min_size=size, max_size=size).filter(any) | st.just([]))
            nodes.append(replace(node, test=test, missing=Missing(tuple(Fraction(part, sum(parts)) for part in parts))))
        else:
            nodes.append(replace(node, stop=draw(st.sampled_from(STOPS)), prior=draw(st.booleans())))
    grower = Grower(draw(names), draw(st.one_of(st.none(), names)), draw(options))
    return Tree(target, attributes, tuple(nodes), grower)


def assert_valid(document: Any) -> None:
    VALIDATOR.validate(document)


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    leaf = SCHEMA["$defs"]["leaf_or_split"]["oneOf"][0]
    assert tuple(leaf["properties"]["stop"]["enum"]) == STOPS
    assert SCHEMA["properties"]["format"]["const"] == FORMAT


@given(trees())
def test_a_tree_comes_back_as_it_went(tree: Tree) -> None:
    text = to_json(tree)
    assert_valid(json.loads(text))
    assert from_json(text) == tree
    assert to_json(from_json(text)) == text


@given(
    strategies.categorical_tables(),
    st.sampled_from([ID3(), ID3(epsilon=Fraction(1, 3), max_depth=2, min_samples_split=3, min_samples_leaf=1)]),
)
def test_a_grown_tree_comes_back_and_so_does_its_learner(table: Table, learner: ID3) -> None:
    tree = learner.grow(table)
    again = from_json(to_json(tree))
    assert again == tree
    again.check(table)
    assert ID3.of(again.grower.options) == learner
    assert_valid(json.loads(to_json(tree)))


def test_the_bytes_of_a_document() -> None:
    table = Table.from_columns({"风": ["a/b", "c"], "y": ["no", "yes"]})
    tree = ID3(epsilon=Fraction(1, 3), ties=Ties(label={"/": "yes"})).grow(table)
    assert to_json(tree) == (
        '{"format": "reference-tree/tree/1",\n'
        ' "target": {"name": "y", "kind": "categorical", "classes": ["no", "yes"]},\n'
        ' "attributes": [{"name": "风", "kind": "categorical", "values": ["a/b", "c"]}],\n'
        ' "learner": {"name": "id3", "profile": null, "options": {"epsilon": "1/3", "max_depth": null, '
        '"min_samples_split": "0", "min_samples_leaf": "0", '
        '"ties": {"split": "first", "class": "first", "at": {"/": {"label": "yes"}}}}},\n'
        ' "nodes": [\n'
        '  {"id": 0, "counts": {"no": "1", "yes": "1"}, "label": "yes", "tied": ["no", "yes"], '
        '"test": {"kind": "multiway", "attribute": "风"}, '
        '"branches": [{"when": {"is": "a/b"}, "to": 1}, {"when": {"is": "c"}, "to": 2}]},\n'
        '  {"id": 1, "counts": {"no": "1", "yes": "0"}, "label": "no", "stop": "pure"},\n'
        '  {"id": 2, "counts": {"no": "0", "yes": "1"}, "label": "yes", "stop": "pure"}\n'
        " ]}\n"
    )


def test_parts_of_a_document() -> None:
    assert question_json(Threshold("humidity", Fraction(153, 2), (75, 78))) == {
        "kind": "threshold", "attribute": "humidity", "threshold": "76.5", "interval": ["75", "78"],
    }  # fmt: skip
    assert question_json(Subset("a", ("x",))) == {"kind": "subset", "attribute": "a"}
    assert [when(outcome) for outcome in Threshold("x", Fraction(1, 3), strict=True).outcomes] == [
        {"lt": "1/3"}, {"ge": "1/3"},
    ]  # fmt: skip
    assert when(Outcome("not_in", ("x", "y"))) == {"not_in": ["x", "y"]}


def test_a_chain_of_fifty_thousand_questions() -> None:
    tree = chain(50_000)
    text = to_json(tree)
    again = from_json(text)
    assert again == tree
    assert again.predict({"x": 10**9}) == "yes"
    assert again.predict({"x": 49_998}) == "no"


def test_numbers_longer_than_those_of_a_data_file_come_back() -> None:
    columns = {"x": [Fraction(1, 7**470), 0, 1], "w": [Fraction(1, 3**800), Fraction(1, 5**560), 1], "y": [*"npp"]}
    table = Table.from_columns(columns, weights="w")
    threshold = Threshold("x", Fraction(1, 2 * 7**470), (0, Fraction(1, 7**470)))
    tree = Tree(
        table.schema.target,
        table.schema.attributes,
        (
            Node(table.sample().total(), "p", threshold, (1, 2)),
            Node((0, Fraction(1, 5**560)), "p", stop="pure"),
            Node((Fraction(1, 3**800), 1), "p", stop="max-depth"),
        ),
    )
    assert from_json(to_json(tree)) == tree


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "tree.json"
    tree = ID3().grow(textbook("watermelon-2.0"))
    path.write_text(to_json(tree), encoding="utf-8")
    assert read_tree(path) == read_tree(str(path)) == tree


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not JSON"),
        (b"{", "is not JSON"),
        (b'{"a": 1}\n}', "line 2, column 1: is not JSON"),
        (b"\xff\xfe", "is not UTF-8 at byte 0"),
        (b"[]", "its format is not reference-tree/tree/1"),
        (b"null", "its format is not"),
        (b"[" * 100_000, "is nested too deeply"),
        (b'{"format": NaN}', "NaN is not a number of JSON"),
        (b'{"format": ' + b"1" * 5000 + b"}", "is not a tree document"),
        (b'{"format": "reference-tree/tree/2"}', "its format is not"),
        (b'{"format": "reference-tree/tree/1"}', "in the document: 'target' is absent"),
    ],
)
def test_what_is_no_document(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "tree.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message) as caught:
        read_tree(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_no_file(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(InputError, match="cannot be read"):
            read_tree(path)


# Malformed documents.


def document() -> Any:
    """A document with everything in it that this version reads."""
    target, third = Attribute("y", ("no", "yes")), Fraction(1, 3)
    attributes = (Attribute("a", ("x", "y", "z")), Attribute("b", ("u", "v")), Attribute("n"))
    nodes = (
        Node((3, Fraction(7, 3)), "no", Multiway("a", ("x", "y", "z")), (1, 2, 5)),
        Node((1, 1), "yes", stop="max-depth", tied=("no", "yes")),
        Node(
            (2, Fraction(4, 3)),
            "no",
            Threshold("n", Fraction(1, 2), (0, 1)),
            (3, 4),
            missing=Missing((third, 1 - third)),
        ),
        Node((2, 0), "no", stop="pure"),
        Node((0, Fraction(4, 3)), "yes", stop="pure"),
        Node((0, 0), "no", Subset("b", ("v",)), (6, 7)),
        Node((0, 0), "no", stop="empty", prior=True),
        Node((0, 0), "no", stop="empty", prior=True),
    )
    return json.loads(to_json(Tree(target, attributes, nodes, ID3().grower())))


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value inside a document."""
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in steps:
        yield (*way, key)
        yield from places(inner, (*way, key))


OTHERS: list[Any] = [
    None, True, False, 0, 1, -1, 7, 10**30, 1.5, "", "0", "-1", "1/0", "1e999", "nan", "x", "no", "\ud800",
    [], ["x"], [[]], ["x", "x"], [1, 2],
    {}, {"is": "x"}, {"le": "1"}, {"le": 1}, {"kind": "threshold"}, {"name": "q", "kind": "continuous"},
]  # fmt: skip
PLACES = list(places(document()))


def changed(way: tuple[Any, ...], *value: Any) -> Any:
    """The document with another value at a place, or none."""
    whole = document()
    inner = whole
    for key in way[:-1]:
        inner = inner[key]
    if value:
        inner[way[-1]] = value[0]
    else:
        del inner[way[-1]]
    return whole


def assert_refused_or_sound(whole: Any) -> None:
    """An error in one line, or a tree that can be asked, written and read again."""
    try:
        tree = from_json(json.dumps(whole))
    except InputError as error:
        assert re.fullmatch("is not a tree document: .+", str(error))  # noqa: PT017  (it may be raised or not)
        return
    text = to_json(tree)
    text.encode()
    assert from_json(text) == tree
    assert_valid(json.loads(text))
    list(tree.rules())
    for number in range(len(tree.nodes)):
        assert tree.find(tree.path(number)) == number
    rows: list[dict[str, Any]] = [{"a": "x"}, {"a": "y", "n": 1}, {"a": "z", "b": "u"}, {}]
    for row in rows:
        try:
            assert tree.predict(row, "majority") in tree.target.domain
            assert sum(tree.distribution(row, "majority").values()) == 1
        except InputError:
            pass


@pytest.mark.parametrize("way", PLACES, ids=lambda way: "/".join(map(str, way)))
def test_a_document_with_one_other_value_is_refused_or_sound(way: tuple[Any, ...]) -> None:
    assert_refused_or_sound(changed(way))
    for other in OTHERS:
        assert_refused_or_sound(changed(way, deepcopy(other)))


@given(
    st.lists(st.tuples(st.sampled_from(PLACES), st.one_of(st.none(), st.sampled_from(PLACES))), min_size=2, max_size=4)
)
def test_a_document_with_parts_in_the_wrong_places_is_refused_or_sound(moves: list[tuple[Any, Any]]) -> None:
    whole = document()
    for way, source in moves:
        try:
            value = whole
            for key in source or ():
                value = value[key]
            inner = whole
            for key in way[:-1]:
                inner = inner[key]
            inner[way[-1]] = deepcopy(value) if source else None
        except (KeyError, IndexError, TypeError):
            pass
    assert_refused_or_sound(whole)


FAULTS: list[tuple[tuple[Any, ...], Any, str]] = [
    (("target", "classes"), [], "a list is empty"),
    (("target", "classes"), "no", "'no' is no list"),
    (("target", "classes"), ["no", "no"], "the same text twice"),
    (("target", "kind"), "continuous", "the target is continuous"),
    (("attributes", 1, "name"), "a", "stands twice"),
    (("attributes", 1, "kind"), "ordinal", "of no known kind"),
    (("nodes",), [], "a list is empty"),
    (("nodes", 0, "id"), 1, "in node 0: the id is 1"),
    (("nodes", 0, "counts", "no"), "-1", "in node 0: a count is negative"),
    (("nodes", 0, "counts", "no"), 3, "in node 0: '3' is no text"),
    (("nodes", 0, "counts", "maybe"), "3", "in node 0: y has no value 'maybe'"),
    (("nodes", 0, "label"), "maybe", "in node 0: y has no value 'maybe'"),
    (("nodes", 1, "tied"), ["no"], "in node 1: the label yes is no part of a tie"),
    (("nodes", 1, "stop"), "tired", "in node 1: there is no reason 'tired'"),
    (("nodes", 6, "prior"), "yes", "in node 6: 'yes' is neither true nor false"),
    (("nodes", 0, "stop"), "pure", "in node 0: a node that asks has no reason to stop"),
    (("nodes", 0, "prior"), True, "in node 0: a node that asks has no reason to stop"),
    (("nodes", 0, "branches"), [], "in node 0: a list is empty"),
    (("nodes", 0, "branches", 0, "to"), 0, "in node 0: a branch leads to no node behind this one"),
    (("nodes", 0, "branches", 0, "to"), 99, "in node 0: a branch leads to no node behind this one"),
    (("nodes", 0, "branches", 0, "to"), True, "in node 0: a branch leads to no node behind this one"),
    (("nodes", 0, "branches", 0, "to"), 2, "node 2 is out of preorder"),
    (("nodes", 0, "branches", 0, "share"), "1", "in node 0: 'share' is absent"),
    (("nodes", 2, "branches", 0, "share"), "1/2", "in node 2: the shares of the branches are no parts of 1"),
    (("nodes", 2, "branches", 0, "share"), "-1", "in node 2: the shares of the branches are no parts of 1"),
    (("nodes", 0, "branches", 0, "when"), {"is": "w"}, "in node 0: a has no value 'w'"),
    (("nodes", 0, "branches", 0, "when"), {"is": "y"}, "in node 0: .* the same text twice"),
    (("nodes", 0, "branches", 0, "when"), {"le": "1"}, "in node 0"),
    (("nodes", 0, "branches", 0, "when"), {}, "is no condition"),
    (("nodes", 0, "branches", 0, "when"), {"is": "x", "in": ["x"]}, "is no condition"),
    (("nodes", 0, "test", "kind"), "linear", "there is no test of the kind 'linear'"),
    (("nodes", 0, "test", "attribute"), "q", "there is no attribute 'q'"),
    (("nodes", 0, "test", "attribute"), "n", "the continuous attribute n cannot have a multiway test"),
    (("nodes", 2, "test", "attribute"), "a", "the categorical attribute a cannot have a threshold test"),
    (("nodes", 2, "test", "threshold"), "0.75", "the conditions on the branches are not those of the test"),
    (("nodes", 2, "test", "interval"), ["1", "2"], "the threshold lies outside its interval"),
    (("nodes", 2, "test", "interval"), ["0", "0.5"], "the threshold lies outside its interval"),
    (("nodes", 2, "test", "interval"), ["0"], "in node 2"),
    (("learner", "options"), [], "in the learner: the options are no object"),
    (("learner", "name"), None, "in the learner: 'None' is no text"),
]


@pytest.mark.parametrize(("way", "value", "message"), FAULTS)
def test_the_message_names_the_part_and_the_fault(way: tuple[Any, ...], value: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        from_json(json.dumps(changed(way, value)))


def test_a_node_that_nothing_leads_to() -> None:
    whole = document()
    whole["nodes"].append({"id": 8, "label": "no", "stop": "unknown"})
    with pytest.raises(InputError, match="no branch leads to node 8"):
        from_json(json.dumps(whole))


def test_what_a_document_may_leave_out() -> None:
    """A foreign tree without counts; classes without rows; ties."""
    whole = document()
    whole["learner"] = {"name": "unknown", "source": {"program": "rpart", "version": "4.1"}}
    for node in whole["nodes"]:
        del node["counts"]
    assert_valid(whole)
    tree = from_json(json.dumps(whole))
    assert (tree.grower, tree.nodes[0].counts) == (Grower(), (0, 0))
    assert tree.predict({"a": "x"}) == "yes"
    whole = document()
    whole["nodes"][3]["counts"] = {"no": "2"}
    assert from_json(json.dumps(whole)).nodes[3].counts == (2, 0)


# The schema.


def test_the_document_of_the_contract_is_valid() -> None:
    assert_valid(document())


def foreign(*nodes: Any, target: Any = None) -> Any:
    """A document of somebody else's tree."""
    return {
        "format": FORMAT,
        "target": target or {"name": "y", "kind": "continuous"},
        "attributes": [{"name": "a", "kind": "continuous"}, {"name": "b", "kind": "categorical", "values": ["u", "v"]}],
        "learner": {"name": "unknown", "source": {"program": "a program"}},
        "nodes": list(nodes),
    }


LEAF = {"id": 1, "mean": "2/3", "stop": "unknown"}
BELOW_AND_ABOVE = [{"when": {"lt": "0.5"}, "to": 1}, {"when": {"ge": "0.5"}, "to": 2}]
THRESHOLD = {"kind": "threshold", "attribute": "a", "threshold": "0.5", "interval": ["0", "1"]}
SURROGATE = {
    "test": {"kind": "subset", "attribute": "b"},
    "branches": [{"when": {"in": ["u"]}, "to": 1}, {"when": {"not_in": ["u"]}, "to": 2}],
    "agreement": "5/13",
}
ROOT = {
    "id": 0, "n": "17", "mean": "1/2", "sse": "3", "test": THRESHOLD, "branches": BELOW_AND_ABOVE,
    "missing": {"rule": "branch", "to": 2}, "surrogates": [SURROGATE],
}  # fmt: skip
LINEAR = {"kind": "linear", "weights": {"a": "2", "c": "-1/3"}}
GOOD: dict[str, Any] = {
    "regression": foreign(ROOT, LEAF, LEAF),
    "median": foreign({"id": 0, "n": "3", "median": "-2", "sad": "7", "stop": "pure"}),
    "boosted": foreign({"id": 0, "n": "3", "g": "-2", "h": "3/2", "value": "4/3", "stop": "max-depth"}),
    "linear": foreign({**ROOT, "test": LINEAR}, LEAF, LEAF),
    "shares": foreign({**ROOT, "branches": [{**branch, "share": "5/13"} for branch in BELOW_AND_ABOVE]}, LEAF, LEAF),
    **{
        f"missing: {rule}": foreign({**ROOT, "missing": {"rule": rule}}, LEAF, LEAF)
        for rule in ("fractions", "surrogates", "stay", "error")
    },
}
BAD: dict[str, Any] = {
    "branch without its node": foreign({**ROOT, "missing": {"rule": "branch"}}, LEAF, LEAF),
    "unknown rule": foreign({**ROOT, "missing": {"rule": "guess"}}, LEAF, LEAF),
    "a label for a number": foreign({"id": 0, "label": "no", "stop": "pure"}),
    "no answer": foreign({"id": 0, "stop": "pure"}),
    "two answers": foreign({"id": 0, "mean": "1", "median": "1", "stop": "pure"}),
    "an answer that is a number": foreign({"id": 0, "mean": 1, "stop": "pure"}),
    "half of the moments": foreign({"id": 0, "mean": "1", "sse": "2", "stop": "pure"}),
    "a float": foreign({"id": 0, "mean": "1.5", "stop": "pure"}),
    "an exponent": foreign({"id": 0, "mean": "1e5", "stop": "pure"}),
    "a whole fraction": foreign({"id": 0, "mean": "3/1", "stop": "pure"}),
    "a leaf that asks": foreign({**ROOT, "stop": "pure"}, LEAF, LEAF),
    "a leaf without a reason": foreign({"id": 0, "mean": "1"}),
    "an unknown reason": foreign({"id": 0, "mean": "1", "stop": "tired"}),
    "a typing error": foreign({"id": 0, "mean": "1", "stop": "pure", "priro": True}),
    "an empty node list": foreign(),
    "a threshold that is linear": foreign({**ROOT, "test": {**THRESHOLD, "kind": "linear"}}, LEAF, LEAF),
    "a threshold with many branches": foreign({**ROOT, "branches": [*BELOW_AND_ABOVE, BELOW_AND_ABOVE[1]]}, LEAF, LEAF),
    "a threshold upside down": foreign({**ROOT, "branches": BELOW_AND_ABOVE[::-1]}, LEAF, LEAF),
    "a threshold of two relations": foreign(
        {**ROOT, "branches": [{"when": {"le": "1"}, "to": 1}, BELOW_AND_ABOVE[1]]}, LEAF, LEAF
    ),
    "an interval of three": foreign({**ROOT, "test": {**THRESHOLD, "interval": ["0", "1", "2"]}}, LEAF, LEAF),
    "a surrogate without its agreement": foreign(
        {**ROOT, "surrogates": [{k: v for k, v in SURROGATE.items() if k != "agreement"}]}, LEAF, LEAF
    ),
    "no classes": foreign({"id": 0, "label": "no", "stop": "pure"}, target={"name": "y", "kind": "categorical"}),
    "classes for a number": foreign(LEAF, target={"name": "y", "kind": "continuous", "classes": ["no"]}),
    "our own tree without counts": {**foreign(LEAF), "learner": {"name": "cart", "profile": None, "options": {}}},
    "our own tree without options": {
        **foreign({**LEAF, "n": "1", "sse": "0"}),
        "learner": {"name": "cart", "profile": None},
    },
    "another format": {**foreign(LEAF), "format": "reference-tree/tree/2"},
    "something more": {**foreign(LEAF), "comment": "hello"},
}


@pytest.mark.parametrize("good", GOOD.values(), ids=GOOD)
def test_what_the_schema_accepts(good: Any) -> None:
    assert_valid(good)


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_what_the_schema_refuses(bad: Any) -> None:
    assert not VALIDATOR.is_valid(bad)
