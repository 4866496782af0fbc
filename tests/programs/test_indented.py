"""Indented trees: lines under one another."""

from __future__ import annotations

from fractions import Fraction

import pytest

from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute
from reference_tree.programs.indented import Leaf, attributes_of, branch, held, lines_of, numbered, tree_of

TEXT = """
a = x: yes (2.0)
a = y
|   b <= 1.50: no (3.0/1.0)
|   b > 1.50
|   |   a = x: no (1.0)
|   |   a = y: yes (4.0)
"""


def test_numbers_and_attributes_follow_the_text() -> None:
    root = tree_of(lines_of(TEXT, 1), 1)
    assert [(number, below) for number, _, below in numbered(root)] == [
        (0, [1, 2]), (1, []), (2, [3, 4]), (3, []), (4, [5, 6]), (5, []), (6, []),
    ]  # fmt: skip
    assert attributes_of(root, []) == [Attribute("a", ("x", "y")), Attribute("b")]
    assert attributes_of(root, ["c", "b", "a"])[2] == Attribute("a", ("x", "y"))
    assert attributes_of(root, [Attribute("b"), Attribute("a", ("z", "y", "x"))])[1].values == ("z", "y", "x")
    with pytest.raises(InputError, match="'a' is tested, and is not among the attributes that are given"):
        attributes_of(root, ["b"])


def test_weights_make_counts_and_shares() -> None:
    root = tree_of(lines_of(TEXT, 1), 1)
    printed = {1: ("yes", 2, 0), 3: ("no", 3, 1), 5: ("no", 1, 0), 6: ("yes", 4, 0)}
    leaves = {number: Leaf(label, Fraction(n), Fraction(wrong)) for number, (label, n, wrong) in printed.items()}
    nodes, silent = held(root, leaves, ["no", "yes"])
    assert silent == ["inner-labels", "inner-counts"]
    assert nodes[3].answer == {"counts": {"no": "2", "yes": "1"}, "label": "no"}
    assert [each.share for each in nodes[0].test.branches] == ["1/5", "4/5"]  # type: ignore[union-attr]
    _, silent = held(root, leaves, ["no", "yes", "maybe"])
    assert silent == ["inner-labels", "counts", "missing"]  # of which class the one mistake is, is not known


def test_bars_may_stand_close() -> None:
    assert branch("|  |  b < 2 : no", 1, ends=" : ").depth == branch("||b < 2 : no", 1, ends=" : ").depth == 2
