"""The derivation of gain ratios, cuts and missing values: every equation on the board worked out again."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.c45 import C45
from reference_tree.views.explain import explain
from tests.strategies import tables_with_gaps
from tests.views.arithmetic import evaluated


def statements(text: str) -> list[tuple[str, list[str]]]:
    """Each equation on the board and each last cell of a table's row: what it is about, and its sides."""
    found: list[tuple[str, list[str]]] = []
    for line in re.sub(r"\n\s+(?=[=≈+−] )", " ", text).splitlines():
        if equation := re.match(r"((?:ρ|H|g_R|g)\S*(?:\(.*?\))?) *= (.*)", line):
            found.append((equation[1], re.split(" [=≈] ", re.sub(" (bits|exactly)$", "", equation[2]))))
        elif line.startswith("  ") and re.search(" [=≈] ", last := re.split(" {3,}", line)[-1]):
            found.append(("H(D_i)", re.split(" [=≈] ", last)))
    return found


def tolerance(about: str, side: str) -> float:
    """How far figures of six decimals can lead astray: a ratio as far as its divisor is small."""
    if not re.search(r"\d+\.\d{6}", side):
        return 6e-7
    return 3e-6 / min(1.0, evaluated(side.rpartition(" / ")[2])) if about.startswith("g_R") else 3e-6


def assert_arithmetic(text: str) -> int:
    found = statements(text)
    for about, (first, *others) in found:
        for side in others:
            assert evaluated(side) == pytest.approx(evaluated(first), abs=tolerance(about, first)), f"{about}: {side}"
    return len(found)


@pytest.mark.parametrize("profile", ["zhou", "li-hang"])
@pytest.mark.parametrize("name", ["golf", "loan", "watermelon-2.0a", "watermelon-3.0", "play-tennis-id"])
def test_the_arithmetic_of_the_textbooks(name: str, profile: str) -> None:
    table = textbook(name)
    assert assert_arithmetic(explain(C45.like(profile).grow(table), table)) > 20


@given(tables_with_gaps(rows=6))
def test_the_arithmetic_of_any_table(table: Table) -> None:
    tree = C45(max_depth=2).grow(table)
    assert_arithmetic(explain(tree, table))
    explain(tree, table, format="markdown")


def test_arithmetic_that_is_wrong_is_found() -> None:
    root = explain(C45().grow(textbook("watermelon-2.0a")), textbook("watermelon-2.0a"), node="/")
    assert assert_arithmetic(root) > 40
    for right, wrong in (
        ("14/17·0.305958", "15/17·0.305958"),
        ("≈ 0.188759", "≈ 0.188859"),
        ("14/17 ≈ 0.8", "14/17 ≈ 0.9"),
    ):
        assert right in root
        with pytest.raises(AssertionError):
            assert_arithmetic(root.replace(right, wrong))


def test_the_root_of_the_melons_as_a_teacher_would_write_it() -> None:
    root = explain(C45().grow(textbook("watermelon-2.0a")), textbook("watermelon-2.0a"), node="/")
    lines = [
        "ρ            = 15/17 ≈ 0.882353",
        "g(D̃, 纹理)   = 0.996792 − 0.516757 ≈ 0.480035",
        "g(D, 纹理)   = 15/17·0.480035 ≈ 0.423560",
        "g_R(D, 纹理) = 0.423560 / 1.505823 ≈ 0.281282",
        "The average gain is 0.214341; 根蒂, 敲声, 触感 fall short of it.",
        "g_R(D, 纹理)   0.281282   chosen",
        "Split on 纹理, with a margin of 0.092522 over the next best, 脐部.",
    ]
    assert all(line in root for line in lines)
