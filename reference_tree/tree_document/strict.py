"""Strict JSON: values checked for type and form, or a ValueError that names the fault.

JSON lets a key occur twice, an `id` be `0.0` and a count be `true`, and most parsers ignore a key they do not know.
A document that silently loses a part is worse than none, so all of that is refused here.

1. `parsed` is the value of a JSON text.
2. `closed` is an object with all required keys, and no others but the optional ones.
3. `text`, `number`, `weight`, `flag`, `items` and the like are the values inside.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

from reference_tree.data.errors import InputError, listed, shown
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import OWN_DIGITS, Rational, exactly, rational, shortened, simplest
from reference_tree.exact.rounding import nearest_single
from reference_tree.tree_document.form import BYTES_A_PART, LARGEST


def parsed(
    content: str,
    what: str = "a tree document",
    real: Callable[[str], object] = float,
    largest: int = LARGEST,
    constant: Callable[[str], object] | None = None,
) -> object:
    """The value of a JSON text. Objects and lists are counted before any of them is created.

    Args:
        content: the text.
        what: the name of the expected form, for messages.
        real: reads a number with a point or an exponent; its ValueError names the fault.
        largest: the text may have no more objects and lists than `from_json` permits for this number of bytes.
        constant: reads NaN, Infinity and -Infinity, which are no JSON; none: they are refused.

    Raises:
        InputError: the text is no JSON (line and column are given), is too large, or repeats a key in an object.

    Example:
        >>> parsed('{"id": 0, "id": 1}')
        Traceback (most recent call last):
        reference_tree.data.errors.InputError: is not a tree document: the key 'id' occurs twice in an object
    """
    given: object = content
    if not isinstance(given, str | bytes | bytearray):
        raise InputError(f"{shown(given)} is no text of a document; read_tree and read_predictor read a file")
    written, most = given if isinstance(given, str) else given.decode("latin-1"), largest // BYTES_A_PART
    if (parts := written.count("{") + written.count("[")) > most:
        raise InputError(f"has {parts} objects and lists, of which no more than {most} are read; {TO_READ_MORE}")
    try:
        return json.loads(content, parse_float=real, parse_constant=constant or _no_constant, object_pairs_hook=_single)
    except json.JSONDecodeError as error:
        raise InputError(f"is not JSON: {error.msg}", line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise InputError(f"is not {what}: it is nested too deeply") from None
    except ValueError as error:  # an integer of thousands of digits, NaN, a repeated key
        raise InputError(f"is not {what}: {error}") from None


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number of JSON")


def _single(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise ValueError(f"the key {shortened(twice)} occurs twice in an object")
    return found


TO_READ_MORE = "a larger number for --largest, or for the argument of that name, reads more"
"""The hint in a refusal of a document that is too large."""


def closed(value: object, required: Iterable[str], optional: Collection[str] = ()) -> Mapping[str, Any]:
    """An object with all required keys, perhaps some optional ones, and no others.

    Example:
        >>> closed({"id": 0, "priro": True}, ["id"], ["prior"])
        Traceback (most recent call last):
        ValueError: there is no key 'priro' here; there are id, prior
    """
    if not isinstance(value, dict):
        raise ValueError(f"{shortened(str(value))} is no object")
    names = list(required)
    for name in names:
        if name not in value:
            raise ValueError(f"{name!r} is absent")
    # Most objects have the required keys and no others.
    if len(value) > len(names):
        for key in value:
            if key not in names and key not in optional:
                raise ValueError(f"there is no key {shortened(key)} here; there are {listed([*names, *optional])}")
    return value


def text(value: object) -> str:
    """A text."""
    if not isinstance(value, str):
        raise ValueError(f"{shortened(str(value))} is no text")
    value.encode()  # a lone surrogate, which an escape can express, is no text either
    return value


NUMBER = re.compile(r"-?(0|[1-9][0-9]*)((\.[0-9]+)?([eE][+-]?[0-9]+)?|/([2-9]|[1-9][0-9]+))")
"""A number given as a text, as in the JSON Schema: an integer, a decimal, or a fraction."""


def number(value: object, numbers: str = "double") -> Rational:
    """An exact number, given as a text, or as a number of JSON, which is the one that a program in floats held.

    Args:
        value: the text or the number.
        numbers: how the program held it: as a `double`, as a `float32`, or `exact`, as the decimal that is written.

    Example:
        >>> number("17/3"), number("0.5"), number(-2), number(0.5)
        (Fraction(17, 3), Fraction(1, 2), -2, Fraction(1, 2))
        >>> [float(number(0.1, numbers)) for numbers in ("exact", "double", "float32")]
        [0.1, 0.1, 0.10000000149011612]
        >>> number("one")
        Traceback (most recent call last):
        ValueError: 'one' is no number of this kind: an integer, p/q, or a decimal
    """
    if isinstance(value, str):
        return _written(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return _held(value, numbers) if isinstance(value, float) else _written(text(value))


# A threshold stands in three places of a node, and most counts are one of a few: a small memory answers most of them.
@lru_cache(maxsize=256)
def _written(value: str) -> Rational:
    """The exact number of a text."""
    if NUMBER.fullmatch(value) is None:
        raise ValueError(f"{shortened(value)} is no number of this kind: an integer, p/q, or a decimal")
    # Most are the doubles of a program in full, or fractions of a few digits, which are read without a second look.
    if "." in value and len(value) < _FEW and format(Decimal(double := float(value)), "f") == value:
        return Fraction(double)
    above, slash, below = value.partition("/")
    return simplest(Fraction(int(above), int(below))) if slash and len(value) < _FEW else rational(value, OWN_DIGITS)


_FEW = 400
"""The length of a text that is read at once: every double that is written in full has fewer digits."""


def _held(value: float, numbers: str) -> Rational:
    """The number that a program held where it writes a number of JSON.

    A float32 is written with at most nine digits; a number of more is a double, as a midpoint of two float32 is.
    """
    if numbers == "exact":
        return rational(repr(value))
    try:
        return exactly(nearest_single(value) if numbers == "float32" and float(f"{value:.9g}") == value else value)
    except (OverflowError, ValueError):
        raise ValueError(f"{value} is beyond the largest {numbers}") from None


def weight(value: object) -> Rational:
    """A number that is not negative."""
    found = number(value)
    if found < 0:
        raise ValueError("a weight is negative")
    return found


def texts(value: object) -> tuple[str, ...]:
    """Distinct texts."""
    found = tuple(map(text, items(value)))
    if len(set(found)) < len(found):
        raise ValueError(f"{shortened(str(value))} has the same text twice")
    return found


def known(value: object, attribute: Attribute) -> tuple[str, ...]:
    """Distinct values of an attribute."""
    found = texts(value)
    if strange := set(found).difference(attribute.domain):
        raise ValueError(f"{attribute.name} has no value {shortened(min(strange))}")
    return found


def items(value: object) -> list[Any]:
    """A list."""
    if not isinstance(value, list):
        raise ValueError(f"{shortened(str(value))} is no list")
    return value


def some(value: object) -> list[Any]:
    """A list that is not empty."""
    if not (found := items(value)):
        raise ValueError("a list is empty that may not be")
    return found


def flag(value: object) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise ValueError(f"{shortened(str(value))} is neither true nor false")
    return value
