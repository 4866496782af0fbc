"""One row, as the command line names it: the number of a row of the data, or `name=value` pairs.

1. `row_named` reads either. A number counts the rows as the file has them, from 1, those without a target included.
2. A value that is missing is `?`, or nothing: `wind=?`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence

from reference_tree.data.errors import InputError, listed
from reference_tree.data.questions import Row
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import Rational, rational
from reference_tree.views.names import cut_short

MISSING = ("?", "")
"""What a missing value is called, besides what `--na` says."""


def row_named(
    text: str,
    attributes: Sequence[Attribute],
    rows: Callable[[], Iterator[tuple[int, Row]]],
    missing: Collection[str] | None = None,
) -> Row:
    r"""The row that a text names.

    Args:
        text: a number from 1, or `name=value,...`; a comma, an equals sign and a backslash in a name or a value are
            written `\,`, `\=` and `\\`.
        attributes: those that the row can have.
        rows: reads the rows that a number counts.
        missing: what a missing value is called; none: `?` or nothing.

    Raises:
        InputError: it names none.

    Example:
        >>> wind, speed = Attribute("wind", ("weak", "strong")), Attribute("speed")
        >>> row_named("wind=weak, speed=7.5", [wind, speed], lambda: iter(()))
        {'wind': 'weak', 'speed': Fraction(15, 2)}
    """
    if re.fullmatch(r"\s*[0-9]+\s*", text):
        return _numbered(text.strip(), list(rows()))
    known = {attribute.name: attribute for attribute in attributes}
    row: dict[str, str | Rational | None] = {}
    for pair in re.findall(r"(?:\\.|[^\\,])+", text, re.DOTALL):
        if (parts := re.fullmatch(r"((?:\\.|[^\\=])+)=(.*)", pair, re.DOTALL)) is None:
            raise InputError(f"--predict {text}: {pair.strip()!r} is no name=value; a row is {FORMS}")
        name, value = (re.sub(r"\\(.)", r"\1", part, flags=re.DOTALL).strip() for part in parts.groups())
        if name not in known:
            raise InputError(f"--predict {text}: the tree knows no {name!r}; it knows {listed(known)}")
        if name in row:
            raise InputError(f"--predict {text}: {name} is said twice; say it once")
        row[name] = _value(text, known[name], value, MISSING if missing is None else missing)
    if not row:
        raise InputError(f"--predict {text!r}: a row is {FORMS}")
    return row


FORMS = "the number of a row of the data, from 1, or name=value pairs with commas between them"
"""How a row is named."""


def _numbered(number: str, rows: Sequence[tuple[int, Row]]) -> Row:
    place = int(number) if len(number) < 10 else 0
    if not 1 <= place <= len(rows):
        raise InputError(
            f"--predict {cut_short(number, 20)}: there is no such row; there are {len(rows)}, and the first is 1"
        )
    return rows[place - 1][1]


def _value(text: str, attribute: Attribute, value: str, missing: Collection[str]) -> str | Rational | None:
    if value in missing:
        return None
    if attribute.values is not None:
        return value
    try:
        return rational(value)
    except ValueError as error:
        raise InputError(f"--predict {text}: {attribute.name} is a number: {error}") from None
