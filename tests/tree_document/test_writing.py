"""Written documents: what went out comes back, valid under the schema, the same bytes each time."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Missing, SeenSubset, Subset, Surrogate, Threshold
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.exact.rationals import OWN_DIGITS
from reference_tree.learners.id3 import ID3
from reference_tree.learners.place import Ties
from reference_tree.tree import Node, Tree, TreeError
from reference_tree.tree_document import from_json, read_tree, to_json
from tests import strategies
from tests.every import of_every
from tests.peers.recordings import RECORDINGS, Recording
from tests.test_tree import chain
from tests.tree_document.documents import assert_valid, trees


@pytest.mark.slow
@given(trees())
def test_a_tree_comes_back_as_it_went(tree: Tree) -> None:
    text = to_json(tree)
    assert_valid(json.loads(text))
    assert from_json(text) == tree
    assert to_json(from_json(text)) == text


@pytest.mark.one_in(8, 24)
@pytest.mark.parametrize("recording", RECORDINGS, ids=[recording.name for recording in RECORDINGS])
def test_a_tree_of_another_program_says_the_same_when_written_again(recording: Recording) -> None:
    """Two things may be written in fewer words: a class without rows, and surrogates that nobody found."""
    tree = from_json(recording.text())
    text = to_json(tree)
    assert from_json(text) == tree
    theirs, ours = json.loads(recording.text()), json.loads(text)
    assert {key: ours[key] for key in ("format", "target", "attributes", "learner")} == {
        key: theirs[key] for key in ("format", "target", "attributes", "learner")
    }
    for their, our in zip(theirs["nodes"], ours["nodes"], strict=True):
        counts = {label: count for label, count in our.get("counts", {}).items() if count != "0"}
        assert {**our, **({"counts": counts} if "counts" in our else {}), "missing": ..., "prior": ...} == {
            **their, "missing": ..., "prior": ...,
        }  # fmt: skip
        assert our.get("prior", False) == their.get("prior", False)
        missing = {"rule": "error", **their.get("missing", {})}
        if missing["rule"] == "surrogates" and "surrogates" not in their:
            missing["rule"] = "branch" if "to" in missing else "stay"
        shared = any("share" in branch for branch in our.get("branches", ()))
        assert {"rule": "fractions" if shared else "error", **our.get("missing", {})} == missing


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


@pytest.mark.slow
def test_a_chain_of_ten_thousand_questions() -> None:
    tree = chain(10_000)
    text = to_json(tree)
    again = from_json(text)
    assert again == tree
    assert again.predict({"x": 10**9}) == "yes"
    assert again.predict({"x": 9_998}) == "no"


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


# Weights that missing values have made long.


def of_weight(weight: Fraction) -> Tree:
    """A leaf with a long weight."""
    return Tree(Attribute("y", ("no", "yes")), (), (Node((weight, 1), "yes", stop="max-depth"),))


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize("power", [9_000, 140_000])
def test_a_weight_of_thousands_of_digits_comes_back(power: int) -> None:
    """Python itself writes no integer of more than 4300 digits, and its limit stays as it is."""
    before = sys.get_int_max_str_digits()
    tree = of_weight(Fraction(3**power, 5**power))
    text = to_json(tree)
    assert from_json(text) == tree
    assert_valid(json.loads(text))
    assert sys.get_int_max_str_digits() == before


def test_a_value_that_a_surrogate_has_not_seen_goes_on_to_the_next() -> None:
    """In rpart's tree of the cars no row from Sweden answered this node's question."""
    (recording,) = [r for r in RECORDINGS if r.name == "rpart/cars.surrogates"]
    tree = from_json(recording.text())
    node = tree.nodes[2]
    (surrogate,) = node.missing.surrogates
    assert isinstance(surrogate.test, SeenSubset)
    assert surrogate.test.unseen == ("England", "Germany", "Sweden")
    assert node.test is not None
    ways = [node.missing.ways(node.test, {"Type": None, "Country": c}) for c in ("Korea", "Japan", "Sweden", None)]
    larger = node.missing.to
    assert ways == [[(0, 1)], [(1, 1)], [(larger, 1)], [(larger, 1)]]


def test_a_weight_beyond_that_is_refused_in_one_line_that_says_what_to_do() -> None:
    with pytest.raises(InputError, match=f"node 0 has a weight of more than {OWN_DIGITS} digits.* max_depth"):
        to_json(of_weight(Fraction(1, 10**OWN_DIGITS)))
    assert from_json(to_json(of_weight(Fraction(1, 10 ** (OWN_DIGITS - 1)))))


# What cannot be said.

SIZE = Threshold("size", 3)
BELOW = (Node((1, 0), "no", stop="pure"), Node((0, 3), "yes", stop="pure"))


@of_every(
    [
        Missing((1,)),
        Missing((1, 0), to=1),
        Missing((1, 0), stays=True),
        Missing(to=2),
        Missing(to=-1),
        Missing(to=1, stays=True),
        Missing(surrogates=(Surrogate(Subset("colour", ("red",)), (0, 1), 1),)),
        Missing(surrogates=(Surrogate(Subset("colour", ("red",)), (0, 2), 1),), to=0),
        Missing(surrogates=(Surrogate(Subset("colour", ("red",)), (0,), 1),), to=0),
    ]
)
def test_a_rule_that_a_document_would_change_is_not_written(missing: Missing) -> None:
    attributes = (Attribute("size"), Attribute("colour", ("red", "blue")))
    root = Node((1, 3), "yes", SIZE, (1, 2), missing=Missing((Fraction(1, 4), Fraction(3, 4))))
    tree = Tree(Attribute("y", ("no", "yes")), attributes, (root, *BELOW))
    assert from_json(to_json(tree)) == tree
    with pytest.raises(TreeError, match=r"^node 0 "):
        to_json(replace(tree, nodes=(replace(root, missing=missing), *BELOW)))
