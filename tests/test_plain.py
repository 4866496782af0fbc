"""The three algorithms on one screen grow the trees of the learners."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import reference_tree as rt
from reference_tree import plain
from reference_tree.data.questions import Multiway, Subset, Threshold
from reference_tree.data.textbook import names
from tests.every import of_every

LEARNERS: dict[str, tuple[Callable[[], Any], Callable[..., plain.Tree]]] = {
    "id3": (rt.ID3, plain.id3),
    "c45": (rt.C45, plain.c45),
    "cart": (rt.CART, plain.cart),
}


def nested(tree: rt.Tree, kind: str, number: int = 0) -> plain.Tree:
    """A tree of the package in the form of the page."""
    node = tree.nodes[number]
    below = [nested(tree, kind, child) for child in node.branches]
    match node.test:
        case None:
            return str(node.label)
        case Multiway(attribute, values):
            return attribute if kind == "id3" else (attribute, None), dict(zip(values, below, strict=True))
        case Threshold() as test:
            outcomes: tuple[Any, Any] = (True, False) if kind == "cart" else ("<=", ">")
            return (test.attribute, test.threshold), dict(zip(outcomes, below, strict=True))
        case Subset(attribute, values):
            return (attribute, tuple(values)), dict(zip((True, False), below, strict=True))
    raise AssertionError(node.test)


def taken(table: rt.Table, kind: str) -> bool:
    """Whether the page is about a table: classes, no gaps, no weights, and for ID3 no numbers."""
    schema = table.schema
    complete = all(value is not None for row in table.rows() for value in row.values())
    numbers = any(attribute.values is None for attribute in schema.attributes)
    return schema.target.values is not None and complete and not (kind == "id3" and numbers) and not table.weights


def assert_equal(table: rt.Table, kind: str) -> None:
    learner, page = LEARNERS[kind]
    schema = table.schema
    domains = {attribute.name: attribute.values for attribute in schema.attributes}
    tree = page(list(table.rows()), domains, schema.target.name, schema.target.values)
    assert tree == nested(learner().grow(table), kind)


def random_table(seed: int) -> rt.Table:
    draw = random.Random(seed)
    rows = draw.randint(2, 14)
    columns: dict[str, list[object]] = {}
    for place in range(draw.randint(1, 4)):
        is_number = draw.random() < 0.4
        columns[f"a{place}"] = [draw.randint(1, 5) if is_number else draw.choice("abc") for _ in range(rows)]
    columns["y"] = [draw.choice("pqr"[: draw.randint(2, 3)]) for _ in range(rows)]
    return rt.Table.from_columns(columns, target="y")


@pytest.mark.parametrize("kind", LEARNERS)
def test_every_complete_textbook_table(kind: str) -> None:
    tables = [rt.textbook(name) for name in names()]
    wanted = [table for table in tables if taken(table, kind) and (kind != "c45" or len(table) < 40)]
    assert len(wanted) >= 7
    for table in wanted:
        assert_equal(table, kind)


@of_every([(kind, hundred) for kind in LEARNERS for hundred in range(5)])
def test_five_hundred_random_tables(kind: str, hundred: int) -> None:
    tables = [random_table(seed) for seed in range(100 * hundred, 100 * (hundred + 1))]
    wanted = [table for table in tables if taken(table, kind)]
    assert len(wanted) >= (10 if kind == "id3" else 100)
    for table in wanted:
        assert_equal(table, kind)


@pytest.mark.slow
def test_iris() -> None:
    assert_equal(rt.textbook("iris"), "c45")
