"""Audits of printed trees: any threshold that is printed alike is accepted, and a wrong one is not."""

from __future__ import annotations

import random
import re

import pytest

import reference_tree as rt
from reference_tree.auditing.audit import Audit, audit
from reference_tree.data.questions import Threshold
from reference_tree.programs.reading import read_foreign
from tests.programs.documents import tree_of

pytestmark = pytest.mark.filterwarnings("ignore:.*thresholds are rounded")


def table_of(seed: int, size: int = 60, scale: int = 1000) -> rt.Table:
    """Rows of two numbers that lie so near to one another that two decimals do not part them."""
    draw = random.Random(seed)
    rows = [(draw.randrange(90) / scale, draw.randrange(90) / scale) for _ in range(size)]
    label = [("b" if x + y / 3 > 60 / scale else "a") if draw.random() < 0.9 else "c" for x, y in rows]
    columns = zip(*((str(x), str(y)) for x, y in rows), strict=True)
    return rt.Table.from_columns({**dict(zip("xy", map(list, columns), strict=True)), "label": label})


def printed(tree: rt.Tree, decimals: int, *, weights: bool) -> str:
    """A tree in the form of `export_text`, rounded by Python."""
    lines, pending = [], [(0, 0)]
    while pending:
        number, depth = pending.pop()
        if number < 0:
            number = -number
            test = tree.nodes[tree.parents[number][0]].test
            assert isinstance(test, Threshold)
            lines.append(f"{'|   ' * (depth - 1)}|--- {test.attribute} >  {float(test.threshold):.{decimals}f}")
        node = tree.nodes[number]
        if node.test is None:
            shown = f"weights: [{', '.join(f'{float(one):.2f}' for one in node.counts)}] " if weights else ""
            lines.append(f"{'|   ' * depth}|--- {shown}class: {node.label}")
            continue
        assert isinstance(node.test, Threshold)
        lines.append(f"{'|   ' * depth}|--- {node.test.attribute} <= {float(node.test.threshold):.{decimals}f}")
        pending += [(-node.branches[1], depth + 1), (node.branches[0], depth + 1)]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("weights", [True, False])
def test_a_right_tree_with_two_decimals_is_right(weights: bool) -> None:
    taken = 0
    for seed in range(8):
        table, learner = table_of(seed), rt.CART(max_depth=3)
        text = printed(learner.grow(table), 2, weights=weights)
        (document,) = read_foreign(text, target="label", attributes=table.schema.attributes, classes=["a", "b", "c"])
        found = audit(tree_of(document), table, learner)
        assert isinstance(found, Audit)
        assert found.is_right, str(found)
        assert "thresholds are rounded to 2 decimals" in str(found)
        taken += "taken to be" in str(found)
    assert taken == 8


def test_a_threshold_that_rounds_to_another_is_wrong() -> None:
    wrong = 0
    for seed in range(8):
        table, learner = table_of(seed), rt.CART(max_depth=3)
        tree = learner.grow(table)
        at = f"{float(tree.nodes[0].test.threshold):.2f}"  # type: ignore[union-attr]
        text = printed(tree, 2, weights=True)
        other = re.sub(rf"(?m)^(\|--- \w+ (?:<=|> ) ){re.escape(at)}$", rf"\g<1>{float(at) + 0.02:.2f}", text)
        assert other != text
        (document,) = read_foreign(other, target="label", attributes=table.schema.attributes, classes=["a", "b", "c"])
        found = audit(tree_of(document), table, learner)
        wrong += not found.is_right
    assert wrong == 8


def test_the_audit_names_the_threshold_that_it_took() -> None:
    table = rt.Table.from_columns({"x": ["0.001", "0.002", "0.004", "3"], "y": [*"aabb"]})
    text = "|--- x <= 0.00\n|   |--- class: a\n|--- x >  0.00\n|   |--- class: b\n"
    (document,) = read_foreign(text, target="y", attributes=["x"])
    found = audit(tree_of(document), table, rt.CART())
    assert found.is_right
    assert "1 threshold is taken to be another one that is printed alike: x<=0.003 for x<=0 at node 0" in str(found)


def test_a_tree_with_all_digits_is_left_as_it_is() -> None:
    table = table_of(1)
    text = printed(rt.CART(max_depth=2).grow(table), 12, weights=True)
    (document,) = read_foreign(text, target="label", attributes=table.schema.attributes, classes=["a", "b", "c"])
    found = audit(tree_of(document), table, rt.CART(max_depth=2))
    assert found.is_right
    assert "taken to be" not in str(found)
