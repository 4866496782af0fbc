"""Strict JSON: nothing is lost in silence."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute
from reference_tree.tree_document import strict
from tests.every import of_every


def test_what_json_may_hold() -> None:
    assert strict.parsed('{"a": [1, 2.5, null, true, "x"]}') == {"a": [1, 2.5, None, True, "x"]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"a": 1, "b": 2, "a": 3}', "the key 'a' occurs twice in an object"),
        ('[{"a": {"b": 1, "b": 1}}]', "the key 'b' occurs twice in an object"),
        ('{"a": 1, "\\u0061": 1}', "the key 'a' occurs twice"),
        ("[1,\n 2", "line 2, column 3: is not JSON"),
        ("-Infinity", "-Infinity is not a number of JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 5000, "is not a tree document"),
    ],
)
def test_what_is_refused(content: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        strict.parsed(content)
    assert len(str(caught.value)) < 200


def test_an_object_is_closed() -> None:
    assert strict.closed({"a": 1}, ["a"], ["b"]) == {"a": 1}
    for value, message in (({}, "'a' is absent"), ({"a": 1, "c": 1}, "there is no key 'c' here; there are a, b")):
        with pytest.raises(ValueError, match=message):
            strict.closed(value, ["a"], ["b"])


COLOUR = Attribute("colour", ("red", "blue"))


@of_every(
    [
        (strict.text, "x", "x"),
        (strict.number, "-17/3", Fraction(-17, 3)),
        (strict.weight, "0", 0),
        (strict.flag, False, False),
        (strict.items, [], []),
        (strict.some, [None], [None]),
        (strict.texts, ["x", "y"], ("x", "y")),
        (lambda value: strict.known(value, COLOUR), ["blue"], ("blue",)),
    ]
)
def test_each_value_is_what_it_ought_to_be(read: Callable[[object], Any], good: Any, found: Any) -> None:
    assert read(good) == found
    bad: list[Any] = [None, 0, 1, 0.0, True, "x", "-1", "1/0", "\ud800", [], [1], ["x", "x"], ["y"], {}, {"a": 1}]
    for value in bad:
        try:
            assert isinstance(read(value), type(found) if not isinstance(found, Fraction) else (int, Fraction))
        except ValueError as error:
            assert "\n" not in str(error)  # noqa: PT017  (it may be raised or not)


@of_every(
    [
        (strict.text, 1),
        (strict.text, "\ud800"),
        (strict.number, True),
        (strict.number, float("inf")),
        (strict.number, "one"),
        (strict.weight, "-1"),
        (strict.flag, 0),
        (strict.items, ()),
        (strict.some, []),
        (strict.texts, ["x", "x"]),
        (lambda value: strict.known(value, COLOUR), ["green"]),
    ]
)
def test_each_value_that_is_not(read: Callable[[object], Any], bad: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        read(bad)
