"""What Weka prints."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.programs.reading import read_foreign
from reference_tree.tree_document import from_json, to_json
from tests.every import of_every
from tests.peers.data_sets import data_set
from tests.programs.documents import files, record_of, rows_of, tree_of
from tests.programs.recording import HERE

pytestmark = pytest.mark.filterwarnings("ignore:.*thresholds are rounded")


@pytest.mark.one_in(1, 4)
@pytest.mark.parametrize("path", files("weka"))
@pytest.mark.parametrize("given", [False, True], ids=["as printed", "with the domains"])
def test_a_printed_tree_of_weka_answers_as_it_did(path: Path, given: bool) -> None:
    record = record_of(path)
    data = data_set(record["data"])
    (document,) = (
        read_foreign(path, attributes=data.attributes, classes=data.target.values or ())
        if given
        else read_foreign(path)
    )
    found = tree_of(document)
    answered = 0
    for row, answer in zip(rows_of(data, found), record["answers"], strict=True):
        if "missing" in found.silent and any(row[name] is None for name in found.cuts):
            continue  # the weights are rounded, so that no shares are known
        ours, answered = found.predict(row), answered + 1
        if data.target.values is None:
            assert abs(Fraction(ours) - Fraction(answer)) <= Fraction(6, 1000)  # two digits against three
        else:
            assert data.target.values.index(str(ours)) == int(answer.partition(":")[0]) - 1
    assert answered > len(data.rows) // 3
    assert from_json(to_json(found)) == found


def test_weights_that_are_whole_are_counts_and_shares() -> None:
    (document,) = read_foreign(HERE / "weka" / "j48-pima.txt")
    assert document["program"] == {
        "name": "Weka J48", "numbers": "exact", "silent": ["inner-labels", "inner-counts"]
    }  # fmt: skip
    assert sum(int(n) for node in document["nodes"] for n in node.get("counts", {}).values()) == 768
    (silent,) = read_foreign(HERE / "weka" / "j48-vote.txt")
    assert silent["program"]["silent"] == ["inner-labels", "counts", "missing"]


PRINTED = (HERE / "weka" / "j48-iris.txt").read_text(encoding="utf-8")


@of_every(
    [
        ("petal width > 0.6", "petal width > 0.7", "line 5: .*two branches, below and above it"),
        ("petal width > 0.6", "petal width >= 0.6", "two branches, below and above it"),
        ("|   |   petal length > 4.9\n", "", "below a leaf, or a level is passed over"),
        ("virginica (3.0)", "viola (3.0)", "a leaf predicts 'viola', and there are setosa, versicolor, virginica"),
        ("setosa (50.0)", "setosa", "line 5: .*'setosa' is no prediction of Weka J48"),
        ("Size of the tree : \t9", "Size of the tree : \t11", "9 nodes are there, and the size of the tree is 11"),
        ("Size of the tree", "Size of a tree", "line 16: .*'Size of a tree', which is not known here"),
        ("Size of the tree : \t9", "", "the text is not whole"),
        ("petal length <= 4.9", "petal length <= 4.9.1", "is not a tree of Weka"),
        ("|   petal width <= 1.7", "petal width ~ 1.7", "'petal width ~ 1.7' is no branch of a tree"),
    ]
)
def test_a_printout_that_is_no_tree_is_refused(old: str, new: str, message: str) -> None:
    assert old in PRINTED
    with pytest.raises(InputError, match=message):
        read_foreign(PRINTED.replace(old, new))


def test_lines_may_end_as_on_another_system() -> None:
    assert read_foreign(PRINTED.replace("\n", "\r\n")) == read_foreign(PRINTED)


def test_a_printout_with_two_confusion_matrices_has_the_classes_once() -> None:
    matrix = PRINTED.partition("=== Confusion Matrix ===")[2]
    (document,) = read_foreign(PRINTED + "\n=== Confusion Matrix ===\n" + matrix)
    assert document["target"]["classes"] == ["setosa", "versicolor", "virginica"]


def test_simple_cart_prints_the_rows_that_are_right() -> None:
    (document,) = read_foreign(HERE / "weka" / "simple-cart-pima.txt")
    assert sum(int(n) for node in document["nodes"] for n in node.get("counts", {}).values()) == 768


def test_a_leaf_without_rows_is_empty() -> None:
    lines = "a = x: yes (3.0)\na = y\n|   b <= 1: no (0.0)\n|   b > 1: no (4.0/1.0)"
    (document,) = read_foreign(f"J48 pruned tree\n---\n\n{lines}\n\nSize of the tree : \t5\n")
    assert [(node.get("stop"), node.get("prior", False)) for node in document["nodes"]] == [
        (None, False), ("pure", False), (None, False), ("empty", True), ("unknown", False),
    ]  # fmt: skip
    assert from_json(to_json(tree_of(document))) == tree_of(document)


def test_a_branch_without_an_answer_is_none() -> None:
    (document,) = read_foreign("Id3\n\n\na = x: yes\na = y: null\na = z: no\n\nTime taken\n")
    assert [branch["when"] for branch in document["nodes"][0]["branches"]] == [{"is": "x"}, {"is": "z"}]


def test_branches_stand_in_the_order_of_the_values_of_a_table() -> None:
    days = rt.textbook("play-tennis")
    lines = "outlook = sunny: no\noutlook = overcast: yes\noutlook = rainy: yes\n"
    (document,) = read_foreign(f"Id3\n\n{lines}", target="play", attributes=days.schema.attributes)
    tree = from_json(to_json(tree_of(document)))
    assert tree.nodes[0].test == rt.ID3().grow(days).nodes[0].test
    assert [node.label for node in tree.nodes[1:]] == ["yes", "yes", "no"]
    assert not rt.audit(tree, days, rt.ID3()).is_right  # and it can be audited


def test_a_row_that_j48_divides_by_weights_with_two_digits_is_refused_with_what_to_do() -> None:
    """A print of a table with gaps has weights such as 3.55, and of three classes not which ones are wrong."""
    text = "J48 pruned tree\n------------------\n\nx <= 2: no (3.55/0.33)\nx > 2: yes (5.45)\n\n"
    text += "Number of Leaves  : \t2\n\nSize of the tree : \t3\n"
    tree = tree_of(read_foreign(text)[0])
    for ask in (
        tree.predict,
        lambda row: tree.predict(rt.Table.from_columns({"x": [1, None], "class": ["no", "yes"]})),
    ):
        with pytest.raises(
            InputError, match="the value of x is missing, and what Weka J48 printed of this tree does no"
        ):
            ask({"x": None})
    whole = text.replace("3.55/0.33", "4.0/1.0").replace("5.45", "5.0")
    assert tree_of(read_foreign(whole)[0]).distribution({"x": None}) == {"no": Fraction(1, 3), "yes": Fraction(2, 3)}
