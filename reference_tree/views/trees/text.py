"""A tree in lines: as text, one line a branch, or as if-then rules, one for each path from the root to a leaf.

    outlook = overcast: yes (yes 4)
    outlook = rainy
    |   wind = strong: no (no 2)
    |   wind = weak: yes (yes 3)
    outlook = sunny
    |   humidity = high: no (no 3)
    |   humidity = normal: yes (yes 2)

A line of text is the condition of a branch. Where the branch ends in a leaf, its class follows, and in brackets the
weight of each class that arrived there; classes of which nothing arrived are left out. A regression tree answers with a
number, and in brackets stands how many rows arrived and the error it makes on them. A leaf at which several classes are
equally common is marked as a tie, and one that no row reached repeats the answer above it. At more than `DEEPEST`
levels the indentation grows no further, and the level is given as a number.

The rules of a tree exclude one another and leave nothing out: exactly one of them fits each row, so their order does
not matter. Behind each stands its *coverage*: how many of the training rows that meet its conditions have the class,
and how many meet them; of a number, how many rows there are and the error it makes on them.
"""

from __future__ import annotations

from collections.abc import Iterator

from reference_tree.data.errors import InputError
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.exact.rounding import significant
from reference_tree.node import Node
from reference_tree.tree import Rule, Tree
from reference_tree.views.figures import arrived, below, name_of, spread_of, weight_text
from reference_tree.views.names import answer_text, one_line

DEEPEST = 40
"""The most levels that are shown by indentation."""

MOST = 5_000_000
"""The most conditions of rules that are written: those of a chain of n questions have n²/2 of them."""


def to_text(tree: Tree) -> str:
    """A tree as text.

    Example:
        >>> from reference_tree.data.table import Table
        >>> from reference_tree.learners.id3 import ID3
        >>> table = Table.from_columns({"wind": ["weak", "strong", "weak"], "play": ["yes", "no", "yes"]})
        >>> print(to_text(ID3().grow(table)), end="")
        wind = strong: no (no 1)
        wind = weak: yes (yes 2)
    """
    return "".join(f"{line}\n" for line in lines(tree))


def to_texts(ensemble: Ensemble) -> str:
    """The trees of an ensemble as text, one after another, each with its number from 1 and its weight.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> from reference_tree.ensembles.bagging import Bagging
        >>> from reference_tree.learners.id3 import ID3
        >>> print(to_texts(Bagging(base=ID3(max_depth=1), trees=2).grow(textbook("play-tennis"))), end="")
        tree 1
          temperature = cool: yes (yes 4)
          temperature = hot: no (no 2, yes 1)
          temperature = mild: yes (no 2, yes 5)
        <BLANKLINE>
        tree 2
          wind = strong: no (no 4, yes 1)
          wind = weak: yes (no 2, yes 7)
    """
    found: list[str] = []
    for number, member in enumerate(ensemble.members, start=1):
        weight = "" if member.weight == 1 else f", weight {significant(member.weight, 6)}"
        of = "" if member.of is None else f", of {one_line(member.of)}"
        found += [f"tree {number}{of}{weight}", *(f"  {line}" for line in lines(member.tree)), ""]
    return "\n".join(found)


def lines(tree: Tree) -> Iterator[str]:
    """The lines of the text, in preorder: one for each branch, or one for a tree that is a single leaf."""
    if tree.nodes[0].test is None:
        yield _leaf(tree, tree.nodes[0])
    conditions = [""] * len(tree.nodes)
    for number, (node, depth) in enumerate(zip(tree.nodes, tree.depths(), strict=True)):
        for branch, outcome in below(node):
            conditions[branch] = one_line(f"{name_of(node)} {outcome.sign.strip()} {outcome.written}")
        if number:
            level = depth - 1
            indentation = "|   " * min(level, DEEPEST) + (f"[{level}] " if level > DEEPEST else "")
            ending = f": {_leaf(tree, node)}" if node.test is None else ""
            yield indentation + conditions[number] + ending


def _leaf(tree: Tree, node: Node) -> str:
    remarks = ["no row; as above"] if node.prior else [", ".join(arrived(tree, node)), "a tie" if node.tied else ""]
    remark = "; ".join(filter(None, remarks))
    return f"{answer_text(node.label)} ({remark})" if remark else answer_text(node.label)


def to_rules(tree: Tree) -> str:
    """A tree as if-then rules, one a line, in the order of the leaves.

    Raises:
        InputError: the tree is so deep that its rules have too many conditions to be written.

    Example:
        >>> from reference_tree.data.table import Table
        >>> from reference_tree.learners.id3 import ID3
        >>> table = Table.from_columns({"wind": ["weak", "strong", "weak"], "play": ["yes", "no", "yes"]})
        >>> print(to_rules(ID3().grow(table)), end="")
        if wind=strong then play=no (1 of 1)
        if wind=weak then play=yes (2 of 2)

    Source:
        [N1 §1.1 (1)]. N1 has a set of rules; one that comes from a tree has exactly one rule for each row.
    """
    conditions = sum(depth for depth, node in zip(tree.depths(), tree.nodes, strict=True) if node.test is None)
    if conditions > MOST:
        raise InputError(
            f"the rules of this tree have {conditions} conditions, and {MOST} can be written; take the text"
        )
    return "".join(f"{line}\n" for line in rules(tree))


def rules(tree: Tree) -> Iterator[str]:
    """The rules, one after another as they are asked for."""
    for rule in tree.rules():
        when = "if " + " and ".join(map(one_line, rule.conditions)) if rule.conditions else "always"
        then = f"then {one_line(tree.target.name)}={answer_text(rule.label)}"
        yield f"{when} {then} ({_coverage(tree, rule)})"


def _coverage(tree: Tree, rule: Rule) -> str:
    """How much of what a rule covers has its class."""
    if not any(rule.counts):
        return "no row"
    if isinstance(rule.label, str):
        right = rule.counts[tree.target.domain.index(rule.label)]
        return f"{weight_text(right)} of {weight_text(sum(rule.counts))}"
    return ", ".join(spread_of(Node(rule.counts, rule.label)))
