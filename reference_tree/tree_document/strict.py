"""Strict JSON: values of the required type, or a ValueError that describes what was found.

JSON allows repeated keys, an `id` of `0.0` and a count of `true`, and most parsers ignore unknown keys. A document that
silently loses a part is worse than none, so all of this is refused here.

1. `parsed` gives the value of a JSON text.
2. `closed` gives an object with all required keys, and only allowed ones.
3. `text`, `number`, `weight`, `flag`, `items` and similar functions give the values inside.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from reference_tree.data.errors import InputError, listed, shown
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import OWN_DIGITS, Rational, rational, shortened
from reference_tree.tree_document.form import BYTES_A_PART, LARGEST


def parsed(
    content: str, what: str = "a tree document", real: Callable[[str], object] = float, largest: int = LARGEST
) -> object:
    """The value of a JSON text. Objects and lists are counted before any of them is made.

    Args:
        content: the text.
        what: the expected kind of document, for messages.
        real: reads a number with a point or an exponent, or raises a ValueError that describes its fault.
        largest: the size that bounds the number of objects and lists, in bytes.

    Raises:
        InputError: it is no JSON (line and column are given), it is too large, or an object has a repeated key.

    Example:
        >>> parsed('{"id": 0, "id": 1}')
        Traceback (most recent call last):
        reference_tree.data.errors.InputError: is not a tree document: the key 'id' stands twice in an object
    """
    given: object = content
    if not isinstance(given, str | bytes | bytearray):
        raise InputError(f"{shown(given)} is no text of a document; read_tree and read_predictor read a file")
    _refuse_many(given if isinstance(given, str) else given.decode("latin-1"), largest)
    try:
        return json.loads(content, parse_float=real, parse_constant=_no_constant, object_pairs_hook=_single)
    except json.JSONDecodeError as error:
        raise InputError(f"is not JSON: {error.msg}", line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise InputError(f"is not {what}: it is nested too deeply") from None
    except ValueError as error:  # an integer of thousands of digits, NaN, a repeated key
        raise InputError(f"is not {what}: {error}") from None


def _refuse_many(written: str, largest: int) -> None:
    most = largest // BYTES_A_PART
    if (parts := written.count("{") + written.count("[")) > most:
        raise InputError(f"has {parts} objects and lists, of which no more than {most} are read; {TO_READ_MORE}")


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number of JSON")


def _single(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise ValueError(f"the key {shortened(twice)} stands twice in an object")
    return found


TO_READ_MORE = "a larger number for --largest, or for the argument of that name, reads more"
"""The advice in the refusal of a large document."""


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
    names += optional
    for key in value:
        if key not in names:
            raise ValueError(f"there is no key {shortened(key)} here; there are {listed(names)}")
    return value


def text(value: object) -> str:
    """A text."""
    if not isinstance(value, str):
        raise ValueError(f"{shortened(str(value))} is no text")
    value.encode()  # refuses a lone surrogate, which an escape can produce
    return value


FORMS = {
    "exact": r"-?(0|[1-9][0-9]*)(/([2-9]|[1-9][0-9]+))?",
    "weight": r"(0|[1-9][0-9]*)(/([2-9]|[1-9][0-9]+))?",
    "number": r"-?(0|[1-9][0-9]*)(\.[0-9]+|/([2-9]|[1-9][0-9]+))?",
}
"""The forms of numbers, as in the JSON Schema: integers and fractions, and for data also decimals."""
_FORMS = {name: re.compile(form) for name, form in FORMS.items()}


def number(value: object, form: str = "number") -> Rational:
    """An exact number, written as a text in one of the `FORMS`.

    Example:
        >>> number("17/3"), number("0.5"), number("-2")
        (Fraction(17, 3), Fraction(1, 2), -2)
        >>> number("1e5")
        Traceback (most recent call last):
        ValueError: '1e5' is no number of this kind: an integer, p/q, or a decimal
    """
    if _FORMS[form].fullmatch(text(value)) is None:
        kinds = {"exact": "an integer, or p/q", "weight": "an integer, or p/q, that is not negative"}
        wanted = kinds.get(form, "an integer, p/q, or a decimal")
        raise ValueError(f"{shortened(str(value))} is no number of this kind: {wanted}")
    return rational(str(value), OWN_DIGITS)


def weight(value: object) -> Rational:
    """A number that is not negative."""
    if text(value).startswith("-"):
        raise ValueError("a weight is negative")
    return number(value, "weight")


def texts(value: object) -> tuple[str, ...]:
    """Distinct texts."""
    found = tuple(map(text, items(value)))
    if len(set(found)) < len(found):
        raise ValueError(f"{shortened(str(value))} has the same text twice")
    return found


def known(value: object, attribute: Attribute) -> tuple[str, ...]:
    """Distinct values that an attribute has."""
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
