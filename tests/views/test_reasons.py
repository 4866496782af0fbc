"""Reasons: why a leaf is one, where the derivation's own tests do not read it."""

from __future__ import annotations

from fractions import Fraction
from string import Formatter
from typing import Any

import pytest

from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.growing import grow, revisit
from reference_tree.learners.id3 import ID3
from reference_tree.tree_document import STOPS
from reference_tree.views.lessons import LESSONS
from reference_tree.views.reasons import REASONS, leaf
from reference_tree.views.verdicts import Given


def said(learner: Any, table: Table, path: str = "/") -> str:
    """The sentence about a leaf."""
    tree = grow(learner, table)
    given = Given(tree, learner.grower().options, False, {})
    (visit,) = (visit for visit in revisit(tree, learner, table) if visit.number == tree.find(path))
    return leaf(given, visit, LESSONS[visit.decision.judged_by], Fraction(1))


def test_every_reason_is_one_that_a_document_knows() -> None:
    assert set(REASONS) <= set(STOPS)


@pytest.mark.parametrize(
    ("learner", "name", "path", "sentence"),
    [
        (CART(), "li-hang-5.2", "/0/0/0", "Leaf: 4.5, because all rows have one number (pure)."),
        (CART(), "golf", "/0", "Leaf: yes, because all rows have one class (pure)."),
        (
            ID3(max_depth=0),
            "golf",
            "/",
            "Leaf: yes, because its children would lie at depth 1, and 0 is the deepest allowed (max-depth).",
        ),
        (
            CART(min_samples_split=15),
            "golf",
            "/",
            "Leaf: yes, because it has 14 rows, and a split needs 15 (min-samples-split).",
        ),
        (
            CART(min_samples_leaf=8),
            "golf",
            "/",
            "Leaf: yes, because every split leaves a branch of less than 8 (min-samples-leaf).",
        ),
        (
            C45.like("c45-r8", min_samples_leaf=8),
            "golf",
            "/",
            "Leaf: yes, because every split leaves a branch that is too small (min-samples-leaf).",
        ),
        (
            CART(epsilon=Fraction(9, 10)),
            "golf",
            "/",
            "Leaf: yes, because the best Gini decrease falls short: 5/49 < ε = 0.9 (epsilon).",
        ),
    ],
)
def test_what_is_said_of_a_leaf(learner: Any, name: str, path: str, sentence: str) -> None:
    assert said(learner, textbook(name), path) == sentence


def test_what_a_reason_leaves_open_is_known() -> None:
    """Whatever stands in braces is an option of a learner, or known of the node."""
    names = {name for words in REASONS.values() for _, name, _, _ in Formatter().parse(words) if name}
    node = {"answer", "answer_above", "below", "arrives", "score", "comparison", "below_wrong", "wrong", "too_small"}
    assert names <= {*node, "nothing", *CART().grower().options}
