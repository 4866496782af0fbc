"""UBJSON as XGBoost writes it, and bytes that are none."""

from __future__ import annotations

from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.programs.xgboost.ubjson import begins, decoded
from tests.every import of_every

LONG = b"L" + bytes(7)


@of_every(
    [
        (b"{i\1aSi\2ok}", {"a": "ok"}),
        (b"[#i\2Zi\5", [None, 5]),
        (b"{#i\1i\1aT", {"a": True}),
        (b"[[]{}[#i\0F]", [[], {}, [], False]),
        (b"[$d#" + LONG + b"\2\x3f\x80\0\0\x40\0\0\0", [1.0, 2.0]),
        (b"[$L#i\1" + bytes(7) + b"\7", [7]),
        (b"D\x3f\xf0\0\0\0\0\0\0", 1.0),
        (b"I\xff\xff", -1),
        (b"U\xff", 255),
        (b"{i\1a{i\1b[{i\1cT}]}}", {"a": {"b": [{"c": True}]}}),
    ]
)
def test_a_value_is_that_of_json(content: bytes, value: Any) -> None:
    assert decoded(content) == value


@of_every(
    [
        (b"", "index out of range"),
        (b"{i\1a", "index out of range"),
        (b"[i\1", "index out of range"),
        (b"{i\1aTi\1aF}", "the key 'a' occurs twice"),
        (b"[$d#" + LONG + b"\xff\0", "numbers are claimed, and fewer follow|the length 255 is claimed"),
        (b"Si\x7fa", "the length 127 is claimed, and less follows"),
        (b"Si\xff", "the length -1 is claimed"),
        (b"[$S#i\1i\1a", "is none of numbers"),
        (b"i\1i\1", "more follows its value"),
        (b"Q", "there is no value 'Q'"),
        (b"Sd\0\0\0\0", "a length is no whole number"),
        (b"Si\1\xff", "codec can't decode"),
    ]
)
def test_what_is_none_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        decoded(content)


def test_no_depth_is_too_deep_and_a_few_bytes_are_not_many_lists() -> None:
    found = decoded(b"[" * 5000 + b"]" * 5000)
    for _ in range(4999):
        (found,) = found
    assert found == []
    with pytest.raises(InputError, match="there are too many arrays and objects"):
        decoded(b"[" * 100 + b"]" * 100, largest=32 * 99)


def test_text_is_not_taken_for_it() -> None:
    assert not any(map(begins, (b"", b"{", b"{}", b'{"learner"', b"{ L", b"{\n", b"tree\n", b"Li\0")))
