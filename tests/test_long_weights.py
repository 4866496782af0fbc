"""Weights that are not multiplied out: whatever a tree says, it says the same by the book, which multiplies them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.engine import deferred, polynomials
from reference_tree.engine.whole_rows import is_deferred
from reference_tree.exact.rationals import UndecidedError
from reference_tree.learners.c45 import C45
from reference_tree.tree import Tree
from reference_tree.tree_document.writing import to_json
from reference_tree.twins import by_the_book
from reference_tree.views.derivation.nodes import derive
from reference_tree.views.derivation.writers import text
from reference_tree.views.derivation.writers.pages import markdown
from reference_tree.views.trees.text import to_rules, to_text
from tests.every import of_every
from tests.strategies import at_most, perforated, tables_with_gaps

LEARNERS: list[Callable[[], Any]] = [
    C45,
    lambda: C45(min_samples_leaf=2),
    lambda: C45.like("c45-r8"),
    lambda: C45.like("weka-j48"),
]
"""Those that divide rows by deferred shares. CART's rules by shares keep plain fractions."""


def told(learner: Any, table: Table, short: int) -> tuple[Tree, list[str]]:
    """A tree and all that is written of it, where rationals of more than so many bits are deferred."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deferred, "SHORT", short)
        tree = learner.grow(table)
        derivation = list(derive(tree, learner, table))
        return tree, [
            to_json(tree),
            to_text(tree),
            to_rules(tree),
            *text.write(derivation),
            *markdown(derivation),
        ]


def assert_same_by_the_book(make: Callable[[], Any], table: Table, short: int) -> Tree:
    """Grow a tree both ways, and compare them and all that is written of them."""
    tree, texts = told(make(), table, short)
    with by_the_book():
        plain, plain_texts = told(make(), table, short)
    assert not any(is_deferred(count) for node in plain.nodes for count in node.counts)
    for node, other in zip(tree.nodes, plain.nodes, strict=True):
        assert node == other  # counts, label, question, stop, shares
        assert hash(node) == hash(other)
    assert texts == plain_texts
    row = dict.fromkeys(attribute.name for attribute in plain.attributes)
    assert tree.distribution(row) == plain.distribution(row)
    assert tree.predict(row) == plain.predict(row)
    return tree


@pytest.mark.slow
@pytest.mark.parametrize("make", LEARNERS)
@at_most(5)
@given(table=tables_with_gaps(rows=14), short=st.sampled_from([2, 8, 24]))
def test_a_tree_is_the_same_by_the_book(make: Callable[[], Any], table: Table, short: int) -> None:
    assert_same_by_the_book(make, table, short)


@of_every(LEARNERS)
def test_weights_are_deferred_where_so_few_bits_are_long(make: Callable[[], Any]) -> None:
    """What is compared are two different things."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deferred, "SHORT", 8)
        tree = make().grow(perforated(24))
        assert any(is_deferred(count) for node in tree.nodes for count in node.counts)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("make", LEARNERS)
def test_a_tree_of_long_weights_is_the_same_by_the_book(make: Callable[[], Any]) -> None:
    rows = 12 if make is C45 else 16  # of 24 the full tree would have weights of 13 618 bits: most of a minute
    assert_same_by_the_book(make, perforated(rows), short=8)


@pytest.mark.slow
def test_a_tree_whose_weights_nobody_could_write_down(monkeypatch: pytest.MonkeyPatch) -> None:
    table = perforated(150)
    tree = C45().grow(table)
    weights: list[Any] = [count for node in tree.nodes for count in node.counts if is_deferred(count)]
    longest = max(weights, key=lambda weight: weight.bits)
    assert longest.bits > 1 << 24
    assert to_text(tree).count("\n") >= len(tree.nodes) // 2
    assert "≈" in to_rules(tree)
    assert C45().grow(table) == tree
    row = dict.fromkeys(f"x{column}" for column in range(10))
    assert sum(map(float, tree.distribution(row).values())) == pytest.approx(1)
    monkeypatch.setattr(polynomials, "LONGEST", 1 << 16)  # far less to work out before it is refused
    with pytest.raises(InputError, match="say a smaller max_depth"):
        to_json(tree)
    with pytest.raises(UndecidedError, match="say a smaller max_depth"):
        longest.numerator  # noqa: B018
