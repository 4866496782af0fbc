"""What C4.5 release 8 prints, written by hand in the form in which the program prints it."""

from __future__ import annotations

import pytest

from reference_tree.data.errors import InputError
from reference_tree.data.textbook import textbook
from reference_tree.programs.reading import read_foreign
from tests.programs.documents import tree_of

GOLF = """C4.5 [release 8] decision tree generator	Wed Sep 18 10:11:12 1996
----------------------------------------

    Options:
	File stem <golf>

Read 14 cases (4 attributes) from golf.data

Decision Tree:

outlook = overcast: Play (4.0)
outlook = sunny:
|   humidity <= 75 : Play (2.0)
|   humidity > 75 : Don't Play (3.0)
outlook = rain:
|   windy = true: Don't Play (2.0)
|   windy = false: Play (3.0)


Tree saved


Evaluation on training data (14 items):
"""

SPLIT = """Decision Tree:

color in {red,green,
          blue}:
|   size <= 1.5 :[S1]
|   size > 1.5 : b (4.0/1.0)
color in {grey,black}: a (3.0)

Subtree [S1]

shape = round: a (2.0)
shape = square: b (1.5)

Simplified Decision Tree:

color in {red,green,blue}: b (7.5/2.9)
color in {grey,black}: a (3.0/1.1)


Tree saved
"""


def test_the_golf_tree_is_read() -> None:
    (document,) = read_foreign(GOLF)
    assert document["program"] == {
        "name": "C4.5", "version": "release 8", "numbers": "exact", "silent": ["inner-labels", "inner-counts"],
    }  # fmt: skip
    tree, golf = tree_of(document), textbook("golf")
    rename = {"rainy": "rain", "no": "Don't Play", "yes": "Play"}
    for row in golf.rows():
        renamed = {name: rename.get(str(value), value) for name, value in row.items()}
        renamed["windy"] = str(renamed["windy"]).lower()
        assert tree.predict(renamed) == renamed[golf.schema.target.name]
    assert tree.nodes[0].weight == 0  # the weight of an inner node is not stated
    assert [str(share) for share in tree.nodes[0].missing.shares] == ["2/7", "5/14", "5/14"]


def test_subtrees_and_sets_that_go_on_are_put_together() -> None:
    grown, simplified = read_foreign(SPLIT)
    assert [node.get("label") for node in grown["nodes"]] == [None, None, None, "a", "b", "b", "a"]
    assert grown["nodes"][0]["branches"][0]["when"] == {"in": ["red", "green", "blue"]}
    assert grown["program"]["silent"] == ["inner-labels", "counts", "missing"]
    assert simplified["learner"]["options"]["tree"] == "simplified"
    assert tree_of(grown).predict({"color": "blue", "size": 1, "shape": "square"}) == "b"
    assert tree_of(simplified).predict({"color": "grey"}) == "a"


def test_an_estimate_is_no_count() -> None:
    text = "Simplified Decision Tree:\n\na <= 1 : b (4.0/2.0)\na > 1 : c (3.0/1.0)\n\n\nTree saved\n"
    (estimated,), (counted,) = read_foreign(text), read_foreign(text.replace("Simplified ", ""))
    assert estimated["program"]["silent"] == ["inner-labels", "counts", "missing"]
    assert counted["program"]["silent"] == ["inner-labels", "inner-counts"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[S1]\n\nshape", "[S2]\n\nshape", "'\\[S1\\]' is no prediction of C4.5|nowhere named"),
        ("|   size > 1.5 : b (4.0/1.0)\n", "", "a test of a number has two branches"),
        ("size > 1.5", "size > 2.5", "a test of a number has two branches"),
        ("size > 1.5", "weight > 1.5", "the branches beside it are about another attribute"),
        ("|   size > 1.5", "|   |   size > 1.5", "the line stands below a leaf, or a level is passed over"),
        ("b (4.0/1.0)", "b 4", "'b 4' is no prediction of C4.5"),
        ("1.5 :[S1]\n|   size > 1.5", "1e9999 :[S1]\n|   size > 1e9999", "line 5: is not a tree of C4.5: .*1e9999"),
        ("shape = round: a (2.0)", "shape = round:[S1]", "named twice, or within itself"),
        ("shape = square", "shape = round", "not those of one test"),
    ],
)
def test_what_is_no_tree_is_refused(old: str, new: str, message: str) -> None:
    assert old in SPLIT
    with pytest.raises(InputError, match=message):
        read_foreign(SPLIT.replace(old, new))
