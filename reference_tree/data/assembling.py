"""Assembling: the checks of raw columns before they become a table.

1. Their names differ, and their lengths are equal.
2. A row without a target is left out.
3. A target of two values is one of classes, even if they are numbers, unless it is said to be continuous.
4. A weight is a positive number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import compress

from reference_tree.data.columns import Column, Origin, encode
from reference_tree.data.errors import InputError, wording
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import Rational


def check_text(attribute: Attribute, origin: Origin) -> None:
    r"""Check that a file can hold every name.

    Raises:
        InputError: the name of the column or of a category contains half of a surrogate pair.

    Example:
        >>> check_text(Attribute("wind", ("weak", "\ud800")), Origin())
        Traceback (most recent call last):
        ...
        reference_tree.data.errors.InputError: column wind: '\ud800' is no text: it holds half of a surrogate pair
    """
    for text in (attribute.name, *(attribute.values or ())):
        try:
            text.encode()
        except UnicodeEncodeError:
            raise origin.error(
                f"{text!r} is no text: it holds half of a surrogate pair", column=attribute.name
            ) from None


def has_two_values(column: Column) -> bool:
    """Whether a column of undeclared type has two values, at least one of them more than once, as a target of classes.

    Example:
        >>> [has_two_values(Column("y", cells)) for cells in ([0, 1, 1], [0, 1], [3, 3, 3])]
        [True, False, False]
    """
    return column.declared is None and len(set(column.cells) - {None}) == 2 < len(column.cells)


def check_shape(raw: Sequence[Column], origin: Origin) -> None:
    """Refuse columns if two have the same name, or if they have no rows or different numbers of rows."""
    seen: set[str] = set()
    for column in raw:
        if column.name in seen:
            raise origin.error("occurs twice; give each column a name of its own", column=column.name)
        seen.add(column.name)
    if not raw or not raw[0].cells:
        raise origin.error("there are no rows; at least one is needed")
    for column in raw:
        if len(column.cells) != len(raw[0].cells):
            found, wanted = len(column.cells), len(raw[0].cells)
            raise origin.error(f"has {found} cells where {raw[0].name} has {wanted}", column=column.name)


def with_target(raw: Sequence[Column], target: Column, origin: Origin) -> tuple[list[Column], Origin, int]:
    """The columns of the rows whose target is known, their origin, and how many rows were left out."""
    known = [cell is not None for cell in target.cells]
    left_out = known.count(False)
    if left_out == len(known):
        raise without_target(target.name, origin)
    if not left_out:
        return list(raw), origin, 0
    lines = range(1, len(known) + 1) if origin.lines is None else origin.lines
    kept = [replace(column, cells=list(compress(column.cells, known))) for column in raw]
    return kept, Origin(origin.path, list(compress(lines, known))), left_out


def without_target(target: str, origin: Origin) -> InputError:
    """The error for a target that is missing in every row."""
    return origin.error(
        f"the target is missing in every row; name another with {wording('target=', '--target')}", column=target
    )


def weights_in(column: Column, origin: Origin) -> list[Rational]:
    """The weight of each row.

    Raises:
        InputError: one is missing, or is no positive number.
    """
    weights: list[Rational] = []
    for row, weight in enumerate(encode(column, Attribute(column.name), origin, "a weight is a positive number")):
        if weight is None or weight <= 0:
            raise origin.error("a weight is a positive number", row, column.name)
        weights.append(weight)
    return weights


__all__ = ["check_shape", "check_text", "has_two_values", "weights_in", "with_target", "without_target"]
