"""Decisions of C4.5 and of extended ID3 at the nodes of trees: what is printed of them, and what the book says."""

from __future__ import annotations

from fractions import Fraction

from reference_tree.data.questions import Test, Threshold
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.exact.rounding import decimal
from reference_tree.learners.c45 import C45
from reference_tree.learners.decision import Decision
from reference_tree.learners.extended_id3 import ExtendedID3
from reference_tree.learners.growing import revisit
from reference_tree.tree_document import from_json, to_json
from tests.c45_by_the_book import Book, Question


def at(name: str, path: str = "/", learner: C45 | ExtendedID3 | None = None) -> Decision:
    """The decision at a node of the tree of a textbook data set."""
    table, learner = textbook(name), learner or C45()
    tree = learner.grow(table)
    return next(v.decision for v in revisit(tree, learner, table) if v.number == tree.find(path))


def scores(decision: Decision, score: str) -> dict[str, str]:
    """The scores of the questions that stand for their attribute."""
    standing = (c for c in decision.candidates if c.scores and c.barred != "not-best")
    return {c.test.name: decimal(c.scores[score]) for c in standing}


def names(decision: Decision) -> list[str]:
    return [winner.test.name for winner in decision.winners]


def question_of(test: Test) -> Question:
    return test.attribute, Fraction(test.threshold) if isinstance(test, Threshold) else None


def assert_as_in(book: Book, learner: C45 | ExtendedID3, table: Table) -> None:
    """The same winners at each node as by the book, and the same tree."""
    tree = learner.grow(table)
    tree.check(table)
    assert from_json(to_json(tree)) == tree
    decisions = [visit.decision for visit in revisit(tree, learner, table)]
    root = book.root()
    pending = [(0, root)]
    for number, node in enumerate(tree.nodes):
        found, expected = pending.pop()
        assert (found, node.counts, node.stop) == (number, expected.counts, expected.stop)
        assert node.label == expected.labels[0]
        assert node.tied == (expected.labels if len(expected.labels) > 1 else ())
        assert node.prior == (expected.stop == "empty")
        assert frozenset(question_of(winner.test) for winner in decisions[number].winners) == expected.winners
        assert (node.test and question_of(node.test)) == expected.chosen
        assert expected.chosen is None or decisions[number].chosen is decisions[number].winners[0]
        assert node.missing.shares == expected.shares
        pending += reversed(list(zip(node.branches, expected.below, strict=True)))
    assert not pending
    for row in table.rows():
        assert tree.distribution(row) == book.distribution(root, row)
        blank = dict.fromkeys(row)
        assert tree.distribution(blank) == book.distribution(root, blank)
