"""A tree as if-then rules: one for each path from the root to a leaf.

The rules of a tree exclude one another and leave nothing out: exactly one of them fits each row, so their order does
not matter. Behind each stands its *coverage*: how many of the training rows that meet its conditions have the class,
and how many meet them.
"""

from __future__ import annotations

from collections.abc import Iterator

from reference_tree.exact.rationals import decimal_text
from reference_tree.tree import Rule, Tree
from reference_tree.views.names import answer_text, one_line


def to_rules(tree: Tree) -> str:
    """A tree as if-then rules, one a line, in the order of the leaves.

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
    return "".join(f"{line}\n" for line in lines(tree))


def lines(tree: Tree) -> Iterator[str]:
    """The rules, one after another as they are asked for: all rules of a chain of n nodes have n²/2 conditions."""
    for rule in tree.rules():
        when = "if " + " and ".join(map(one_line, rule.conditions)) if rule.conditions else "always"
        then = f"then {one_line(tree.target.name)}={answer_text(rule.label)}"
        yield f"{when} {then} ({coverage(tree, rule)})"


def coverage(tree: Tree, rule: Rule) -> str:
    """How much of what a rule covers has its class.

    Example:
        >>> from reference_tree.data.schema import Attribute
        >>> coverage(Tree(Attribute("play", ("no", "yes")), (), ()), Rule(("wind=weak",), "yes", (2, 6)))
        '6 of 8'
    """
    if not any(rule.counts):
        return "no row"
    right = rule.counts[tree.target.domain.index(rule.label)]
    return f"{decimal_text(right)} of {decimal_text(sum(rule.counts))}"
