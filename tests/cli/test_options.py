"""Options that commands share: how the words behind them are read, and which are refused."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from reference_tree.cli.options import bytes_of, digits, number, several, share, whole
from tests.every import of_every

depth = partial(whole, what="depth")


@of_every(
    [
        (number, "0", 0),
        (number, "1/3", Fraction(1, 3)),
        (number, "0.1", Fraction(1, 10)),
        (share, "1/3", Fraction(1, 3)),
        (whole, "999999999", 999_999_999),
        (depth, "0", 0),
        (digits, "6", 6),
        (digits, "1000", 1000),
        (bytes_of, "999999999999999", 999_999_999_999_999),
        (several(depth), "0-2", (0, 1, 2)),
        (several(depth), "1,2,5-7", (1, 2, 5, 6, 7)),
        (several(number), "0,0.5", (0, Fraction(1, 2))),
        (several(number), "1-1000", tuple(range(1, 1001))),
    ]
)
def test_a_word_is_read(read: Callable[[str], Any], word: str, value: Any) -> None:
    assert read(word) == value


@of_every(
    [
        (number, "-1/2", "it is a number from 0, not -1/2"),
        (number, "x", "x"),
        (share, "0", "is no share of the rows"),
        (share, "1", "is no share of the rows"),
        (whole, "1000000000", "is not a whole number"),
        (whole, "-1", "is not a whole number"),
        (whole, "\u0663", "is not a whole number"),
        (depth, "2.5", "is not a depth"),
        (digits, "1001", "decimals are more than"),
        (bytes_of, "1000000000000000", "is no number of bytes"),
        (several(depth), "3-2", "is no range of at most 1000 values"),
        (several(depth), "0-1000", "is no range of at most 1000 values"),
        (several(depth), "1,,2", "'' is not a depth"),
    ]
)
def test_a_word_is_refused_in_a_line(read: Callable[[str], Any], word: str, message: str) -> None:
    with pytest.raises(ArgumentTypeError, match=message):
        read(word)
