"""Documents: nodes in preorder, and numbers that are exact."""

from __future__ import annotations

import struct
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.programs.documents import (
    HeldNode,
    data_value,
    exact,
    finite,
    multiway,
    numbered,
    places,
    reading,
    single,
    threshold,
)


@pytest.mark.slow
def test_a_chain_is_numbered_without_recursion() -> None:
    size = 100_001
    nodes = {node: HeldNode({}, threshold("x", "1", (node + 1, node + 2))) for node in range(0, size - 1, 2)}
    nodes |= {node: HeldNode({"label": "a"}) for node in range(1, size, 2)} | {size - 1: HeldNode({"label": "a"})}
    found = numbered(nodes, 0)
    assert [branch["to"] for branch in found[0]["branches"]] == [1, 2]
    assert len(found) == size


def test_branches_are_in_preorder_whatever_the_program_calls_its_nodes() -> None:
    nodes = {
        "z": HeldNode({}, multiway("x", ["a", "b", "c"], ["m", "q", "b"])),
        "m": HeldNode({}, threshold("y", "1", ("u", "v"))),
        "q": HeldNode(), "b": HeldNode(), "u": HeldNode(), "v": HeldNode(),
    }  # fmt: skip
    assert [[branch["to"] for branch in node.get("branches", ())] for node in numbered(nodes, "z")] == [
        [1, 4, 5], [2, 3], [], [], [], [],
    ]  # fmt: skip


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_has_its_exact_value(value: float) -> None:
    assert Fraction(exact(value)) == Fraction(data_value(value)) == Fraction(value)


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_a_float32_is_its_own(value: float) -> None:
    assert single(value) == value
    assert struct.pack("<f", single(value)) == struct.pack("<f", value)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), True, None, "1", 10**400])
def test_what_is_no_number_is_refused(value: object) -> None:
    with pytest.raises(InputError, match="no number that a double could hold"):
        finite(value)


def test_an_error_message_is_one_line() -> None:
    for thing in (KeyError("a"), IndexError(), ValueError("it"), TypeError("is"), RecursionError("deep")):
        with pytest.raises(InputError, match=r"^is not a thing: "), reading("a thing"):
            raise thing
    with pytest.raises(InputError, match=r"^line 3: is not a thing: so$"), reading("a thing"):
        raise InputError("so", line=3)
    with pytest.raises(InputError, match="are claimed"):
        places(10**9)
