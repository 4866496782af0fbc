"""A tree as if-then rules: one for each path from the root to a leaf.

The rules of a tree exclude one another and leave nothing out: exactly one of them fits each row, so their order does
not matter. Behind each stands its *coverage*: how many of the training rows that meet its conditions have the class,
and how many meet them; of a number, how many rows there are and the error it makes on them.
"""

from __future__ import annotations

from collections.abc import Iterator

from reference_tree.data.errors import InputError
from reference_tree.node import Node
from reference_tree.tree import Rule, Tree
from reference_tree.views.figures import spread_of, weight_text
from reference_tree.views.names import answer_text, one_line

MOST = 5_000_000
"""The most conditions that are written: the rules of a chain of n questions have n²/2 of them."""


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
    return "".join(f"{line}\n" for line in lines(tree))


def lines(tree: Tree) -> Iterator[str]:
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
