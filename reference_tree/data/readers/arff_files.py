r"""ARFF: Weka's attribute-relation file format, in which every column is declared.

1. The header has a line `@relation NAME`, then a line `@attribute NAME TYPE` for each column. TYPE is a nominal domain
   `{a, b, c}`, whose order is kept, or `numeric`, `real`, `integer` (continuous), or `string` (categorical).
2. After `@data` each line is a row, its values separated by commas (or blanks). They may be followed by `{w}`, the
   weight of the row; a row without one weighs 1.
3. A value with blanks, commas, braces, quotes or `%` is written in single or double quotes, where a backslash escapes.
4. `%` begins a comment. Keywords are not case-sensitive, names and values are. An unquoted `?` is a missing value.

Dates, relational attributes and sparse rows are refused. So is a `%` within an unquoted value, which Weka cuts off.

A `.dat` file of KEEL is nearly the same, and may end in `.arff` too: a numeric type has its range behind it, as in
`real [4.3, 7.9]`, which is not needed; `<null>` is a missing value as well. `@outputs` names the targets, and `@inputs`
the attributes: what is neither is left out with a remark. If there is no `@outputs`, the targets are what `@inputs`
does not name.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from reference_tree.data.columns import Column
from reference_tree.data.errors import InputError, InputWarning, listed, no_such
from reference_tree.data.readers.raw import Raw, RawRow, marks, raw_table
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import shortened

MISSING = ("?", "<null>")
"""The values that are missing, unless the caller says otherwise."""

WEIGHT = "{weight}"
"""The name of the column made of the rows' weights."""

_BLANKS = "".join(map(chr, range(33)))
"""The signs between values. Any other blank, such as U+00A0 or U+3000, is a part of a value, as in Weka."""

_VALUE = re.compile(
    r"""[\0- ]*(?:'((?:[^'\\]|\\.)*+)'|"((?:[^"\\]|\\.)*+)"|([^\0- ,{}'"%]++))(?:[\0- ]*,|(?=[\0- {}])|\Z)"""
)
_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+\"""")
_KEYWORD = re.compile(r"@(\w+)(?![^\0- ])", re.ASCII)
_WEIGHT = re.compile(r"\{[\0- ]*([^\0- {}]+)[\0- ]*\}[\0- ]*(?:%.*)?")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))")
_CONTROL = {"n": "\n", "r": "\r", "t": "\t"}

_NUMERIC = ("numeric", "real", "integer")
_RANGE = re.compile(r"(?i:numeric|real|integer)(?=[\0- ]*\[[^\[\]]*\]$)")
"""A type with the range that KEEL writes behind it."""
_REFUSED = {
    "date": "dates are not read; declare it numeric, or give the dates a domain {a, b, c}",
    "relational": "relational attributes are not read; leave it out",
}


class _Line(NamedTuple):
    """A line that is neither blank nor a comment."""

    text: str
    number: int
    path: str

    def error(self, message: str, at: int | None = None) -> InputError:
        """The error for a fault in this line, at this place (from 0)."""
        return InputError(message, path=self.path, line=self.number, column=None if at is None else at + 1)


BEGINNING = re.compile(r"(?:\s|%[^\n]*\n)*+@relation\b", re.IGNORECASE)
"""How a text in this format begins."""


def arff_table(text: str, path: str, missing: Collection[str] | None = None) -> Raw:
    r"""The raw table in an ARFF text.

    Args:
        text: header and data, lines ending in a line feed.
        path: the name of the text in messages.
        missing: the unquoted values that are missing; None for `MISSING`.

    Raises:
        InputError: a declaration or a row cannot be read, or is of a kind that is refused.

    Example:
        >>> header = "@relation weather\n@attribute wind {weak, strong}\n@attribute 'wind speed' real\n"
        >>> raw = arff_table(header + "@data\nstrong, 7.5, {2}\n? 3.5\n", "weather.arff")
        >>> [(column.name, column.cells) for column in raw.columns]
        [('wind', ('strong', None)), ('wind speed', ('7.5', '3.5')), ('{weight}', ('2', '1'))]
        >>> raw.columns[0].declared
        Attribute(name='wind', values=('weak', 'strong'))
    """
    lines = _lines(text, path)
    declared, roles = _header(lines, path)
    absent = marks(missing, MISSING)
    rows, weights = [], []
    for line in lines:
        cells, weight = _row(line, absent)
        rows.append(RawRow(line.number, cells))
        weights.append(weight)
    raw = raw_table(rows, list(declared), path, list(declared.values()))
    columns = [_with_values(column) if column.declared is None else column for column in raw.columns]
    raw = _in_roles(raw._replace(columns=columns), roles)
    if any(weights):
        column = Column(WEIGHT, tuple(weight or "1" for weight in weights))
        return raw._replace(columns=[*raw.columns, column], weights=WEIGHT)
    return raw


def _in_roles(raw: Raw, roles: Mapping[str, Sequence[str]]) -> Raw:
    """The columns that are attributes or targets.

    Args:
        raw: all columns.
        roles: the columns that `@inputs` and `@outputs` name, under `input` and `output`.

    Warns:
        InputWarning: columns are left out.
    """
    names = [column.name for column in raw.columns]
    inputs = roles.get("input", names)
    outputs = roles.get("output", [name for name in names if name not in inputs])
    if left_out := [name for name in names if name not in (*inputs, *outputs)]:
        message = f"{listed(left_out)}: neither among @inputs nor among @outputs, and left out"
        warnings.warn(InputWarning(f"{raw.origin.path}: {message}"), stacklevel=3)
    return raw._replace(columns=[one for one in raw.columns if one.name not in left_out], classes=outputs)


def _lines(text: str, path: str) -> Iterator[_Line]:
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip(_BLANKS)
        if stripped and not stripped.startswith("%"):
            yield _Line(stripped, number, path)


def _header(lines: Iterator[_Line], path: str) -> tuple[dict[str, Attribute | None], dict[str, list[str]]]:
    """The attributes by name up to the line `@data`, None for one whose values are not declared; and the roles."""
    declared: dict[str, Attribute | None] = {}
    roles: dict[str, _Line] = {}
    for line in lines:
        keyword = _KEYWORD.match(line.text)
        word = keyword[1].lower() if keyword else ""
        if word == "data":
            if not declared:
                raise line.error("there is no @attribute before @data; declare each column")
            return declared, {role: _names(found, declared) for role, found in roles.items()}
        if word == "attribute" and keyword:
            name, attribute = _declaration(line, keyword.end())
            if name in declared:
                raise line.error(f"the attribute {shortened(name)} is declared twice; rename one")
            declared[name] = attribute
        elif (role := word.removesuffix("s")) in ("input", "output"):
            if role in roles:
                raise line.error(f"{shortened(line.text)} comes after line {roles[role].number}; leave one")
            roles[role] = line
        elif word != "relation":
            raise line.error(f"{shortened(line.text)} is not a declaration; @attribute or @data is expected here")
    raise InputError("there is no @data line; the rows come after one", path=path)


def _names(line: _Line, declared: Collection[str]) -> list[str]:
    """The attributes that a line `@inputs` or `@outputs` names."""
    names, at = _values(line, line.text.find(" "))
    if line.text[at:].strip(_BLANKS) and not line.text[at:].lstrip(_BLANKS).startswith("%"):
        raise _unreadable(line, at)
    for name in names:
        if name not in declared:
            raise line.error(no_such("attribute", str(name), declared))
    return [str(name) for name in names]


def _declaration(line: _Line, at: int) -> tuple[str, Attribute | None]:
    """The name and the type that follow `@attribute`."""
    match = _VALUE.match(line.text, at)
    if not match:
        raise _unreadable(line, at)
    name, at = _text(match, line), match.end()
    kind = line.text[at:].split("%")[0].strip(_BLANKS)
    kind = ranged[0] if (ranged := _RANGE.match(kind)) else kind
    word = "".join(kind.lower().split()[:1])
    if kind.startswith("{"):
        return name, Attribute(name, _domain(line, line.text.index("{", at) + 1))
    if word in _REFUSED:
        raise line.error(_REFUSED[word])
    if kind.lower() not in (*_NUMERIC, "string"):
        raise line.error(f"the type {shortened(kind)} is none of {', '.join(_NUMERIC)}, string and {{a, b, c}}")
    return name, None if word == "string" else Attribute(name)


def _domain(line: _Line, at: int) -> tuple[str, ...]:
    """The declared values between braces, in their order."""
    values, at = _values(line, at)
    domain = tuple(value for value in values if value is not None)
    rest = line.text[at:].lstrip(_BLANKS)
    if not rest:
        raise line.error("the domain is not closed; end it with } on the same line")
    if not rest.startswith("}"):
        raise _unreadable(line, at)
    if rest[1:].strip(_BLANKS) and not rest[1:].lstrip(_BLANKS).startswith("%"):
        raise line.error(f"{shortened(rest[1:].strip(_BLANKS))} after the domain cannot be read; take it out")
    if twice := [value for value, times in Counter(domain).items() if times > 1]:
        raise line.error(f"the value {shortened(twice[0])} occurs twice in the domain; take one out")
    if not domain:
        raise line.error("the domain is empty; list its values")
    return domain


def _row(line: _Line, absent: Collection[str]) -> tuple[list[str | None], str | None]:
    """The values of a row, and its weight if it states one."""
    if line.text.startswith("{"):
        raise line.error("sparse rows are not read; write every value of every row, without braces")
    cells, at = _values(line, 0, absent)
    rest = line.text[at:].lstrip(_BLANKS)
    if not rest or rest.startswith("%"):
        return cells, None
    if weight := _WEIGHT.fullmatch(rest):
        return cells, weight[1]
    raise _unreadable(line, at)


def _values(line: _Line, at: int, absent: Collection[str] = ()) -> tuple[list[str | None], int]:
    """The values that begin at this place, and the place where the last one ends."""
    values: list[str | None] = []
    while match := _VALUE.match(line.text, at):
        values.append(None if match[3] in absent else _text(match, line))
        at = match.end()
    return values, at


def _text(match: re.Match[str], line: _Line) -> str:
    """A value without its quotes, its escapes replaced by the characters they stand for."""
    single, double, plain = match.groups()
    if plain is not None:
        return str(plain)
    quoted = double if single is None else single
    meant = _ESCAPE.sub(_meant, quoted)
    try:  # a character beyond the first 65 536 is written as a pair of escapes; half of a pair is no character
        return meant.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        message = f"{shortened(quoted)} has half a character; write both of its escapes, or the character"
        raise line.error(message, match.start()) from None


def _meant(escape: re.Match[str]) -> str:
    return chr(int(escape[1], 16)) if escape[1] else _CONTROL.get(escape[2], escape[2])


def _unreadable(line: _Line, at: int) -> InputError:
    """The error for a place where a value should begin but does not."""
    rest = line.text[at:].lstrip(_BLANKS)
    place = len(line.text) - len(rest)
    if rest[:1] in ("'", '"'):
        closed = _QUOTED.match(rest)
        message = "text follows the closing quote" if closed else "the quote that opens here is never closed"
    elif rest[:1] in ("", ","):
        message = "a value is empty; write ? where it is missing"
    else:
        message = f"{shortened(rest)} cannot be read; put a value with braces, quotes or % in quotes"
    return line.error(message, place)


def _with_values(column: Column) -> Column:
    """A column of texts as a categorical one: its domain is the values it has, sorted by code point."""
    values = {str(cell) for cell in column.cells if cell is not None}
    return Column(column.name, column.cells, Attribute(column.name, tuple(sorted(values))), "string")
