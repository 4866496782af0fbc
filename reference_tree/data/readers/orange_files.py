r"""Orange's header: the kinds and the roles of columns, in three lines or in the names themselves.

1. The first line names the columns, the second has their kinds, the third their flags. A kind is `continuous` (`c`,
   `numeric`, `n`), `discrete` (`d`, `categorical`), `string` (`s`, `text`), `time` (`t`), a list of the values, parted
   by blanks, or nothing; a flag is `class` (`c`), `meta` (`m`), `ignore` (`i`), `weight` (`w`) or `KEY=VALUE`. Flags
   are parted by blanks. A backslash before a blank makes it a part of a value.
2. In one line, a name has its flag and its kind before a `#`: `D#sex`, `cD#play`, `mS#name`. A kind is a capital
   letter, so `c#age` is a class. A small `d#`, `n#`, `s#` or `t#` is no prefix.
3. The column with the flag `class` is predicted. Columns of texts and those with `meta` or `ignore` are no attributes,
   and are left out with a remark; the values of `KEY=VALUE` change nothing.
4. `?`, an empty cell, `NA`, `nan`, `.` and `~` are missing values.

A file whose name ends in `.tab` has a header of three lines if its second line has kinds alone and its third flags
alone. In a file of another name, such as `.csv`, one of the flags has to be spelled out, because rows of single letters
are more likely there. A line that is nearly one of these is refused. So are times, whose unit the file does not tell,
and a value that its list does not have, which Orange 3.40 takes for a missing one.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from reference_tree.data.columns import Column
from reference_tree.data.errors import InputError, InputWarning, listed
from reference_tree.data.readers.raw import Raw
from reference_tree.data.readers.text import format_of
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import shortened

MISSING = ("?", "", "NA", "nan", ".", "~")
"""The cells that are missing values, unless the caller says otherwise."""

_KINDS = {
    word: kind
    for kind, words in {
        "continuous": ("continuous", "c", "numeric", "n"),
        "discrete": ("discrete", "d", "categorical"),
        "string": ("string", "s", "text"),
        "time": ("time", "t"),
        "": ("",),
    }.items()
    for word in words
}
_ROLES = {"class": "class", "meta": "meta", "ignore": "ignore", "weight": "weight"}
_FLAGS = _ROLES | {role[0]: role for role in _ROLES}
_BETWEEN = re.compile(r"(?<!\\)\s")
"""A blank that parts values or flags."""

_PREFIXED = re.compile(r"([cimw]?[CNDST]|[CNDST][cimw]|[cimw])#(.+)", re.DOTALL)
_NEARLY = re.compile(r"[cimw]?[dnst]#.")


class Declared(NamedTuple):
    """A column as the header declares it."""

    name: str
    kind: str
    """`continuous`, `discrete`, `string`, `time`, or nothing."""
    values: tuple[str, ...]
    """Its values, if they are listed."""
    role: str
    """`class`, `meta`, `ignore`, `weight`, or nothing."""


class Header(NamedTuple):
    """A header of Orange's."""

    columns: dict[str, Declared]
    """The columns as the first line declares them."""
    lines: int
    """The number of its lines: one or three."""


def header_of(rows: Sequence[Sequence[str]], path: str, line: int = 1) -> Header | None:
    """The header of a table; None if it is none of Orange's.

    Args:
        rows: the cells of the first three lines, blank ones too; fewer if there are no more.
        path: the name of the file.
        line: the number of the first line.

    Raises:
        InputError: the lines are nearly a header, or it declares a kind of column that is not read.

    Example:
        >>> found = header_of([["size", "play"], ["c", "no yes"], ["", "class"]], "days.tab")
        >>> found.lines, found.columns["play"]
        (3, Declared(name='play', kind='discrete', values=('no', 'yes'), role='class'))
        >>> header_of([["size", "play"], ["7", "yes"], ["9", "no"]], "days.tab") is None
        True
    """
    names = rows[0]
    if len(rows) > 2 and _has_kinds_and_flags(rows, path, line):
        kinds, flags = ([*row, *[""] * len(names)] for row in rows[1:3])
        declared = [_declared(*one, path, line) for one in zip(names, kinds, flags, strict=False)]
        return Header(dict(zip(names, declared, strict=True)), 3)
    prefixes = [_PREFIXED.fullmatch(name) for name in names]
    if not any(prefixes):
        return None
    if strange := next((name for name in names if _NEARLY.match(name)), None):
        prefix, _, name = strange.partition("#")
        right = f"{prefix[:-1]}{prefix[-1].upper()}#{name}"
        raise InputError(f"a kind before # is a capital letter; write {right}", path=path, line=line, column=strange)
    message = "the names have Orange's prefixes, which tell the kinds and roles of the columns"
    warnings.warn(InputWarning(f"{path}: {message}"), stacklevel=3)
    found = [_prefixed(name, match, path, line) for name, match in zip(names, prefixes, strict=True)]
    return Header(dict(zip(names, found, strict=True)), 1)


def _has_kinds_and_flags(rows: Sequence[Sequence[str]], path: str, line: int) -> bool:
    """Whether the second and the third line are kinds and flags.

    Raises:
        InputError: one of them is, and the other nearly.
    """
    kinds, flags = ([cell.strip() for cell in row] for row in rows[1:3])
    is_own, is_spelled = format_of(path) == ".tab", _has_roles(flags)
    if not any(kind in _KINDS for kind in kinds if kind) and not (is_spelled and any(map(_is_kind, kinds))):
        return False
    no_kind = next((place for place, kind in enumerate(kinds) if not _is_kind(kind)), None)
    no_flag = next((place for place, flag in enumerate(flags) if not all(map(_is_flag, _parted(flag)))), None)
    if no_kind is None and no_flag is None:
        return is_own or is_spelled or (_are_words(kinds) and not any(flags))
    if is_own and is_spelled and no_flag is None and no_kind is not None:
        raise _unknown("kind", kinds, no_kind, rows[0], path, line + 1)
    may_be = is_spelled or _are_words(kinds) or 2 * flags.count("") >= len(flags)
    if is_own and may_be and no_kind is None and no_flag is not None:
        raise _unknown("flag", flags, no_flag, rows[0], path, line + 2)
    return False


def _unknown(what: str, cells: Sequence[str], place: int, names: Sequence[str], path: str, line: int) -> InputError:
    known = [*_ROLES] if what == "flag" else [kind for kind in _KINDS if len(kind) > 1]
    message = f"{shortened(cells[place])} is no {what} in Orange's header; there are {', '.join(known)}"
    return InputError(message, path=path, line=line, column=names[place] if place < len(names) else place + 1)


def _is_kind(text: str) -> bool:
    return text in _KINDS or len(text.split()) > 1


def _are_words(kinds: Iterable[str]) -> bool:
    return any(len(kind) > 1 and kind in _KINDS for kind in kinds)


def _has_roles(flags: Iterable[str]) -> bool:
    """Whether the flags of a line are spelled out."""
    return any(part in _ROLES for flag in flags for part in _parted(flag))


def _parted(text: str) -> list[str]:
    return [part.replace("\\ ", " ") for part in _BETWEEN.split(text) if part]


def _is_flag(text: str) -> bool:
    return text in _FLAGS or "=" in text[1:]


def _declared(name: str, kind: str, flags: str, path: str, line: int) -> Declared:
    kind = kind.strip()
    values = () if kind in _KINDS else tuple(_parted(kind))
    roles = {_FLAGS[flag] for flag in _parted(flags) if flag in _FLAGS}
    role = "ignore" if "ignore" in roles else "".join(sorted(roles))
    if len(roles - {"ignore"}) > 1 and role != "ignore":
        raise InputError(f"is flagged {' and '.join(sorted(roles))}; leave one", path=path, line=line + 2, column=name)
    return _readable(Declared(name, "discrete" if values else _KINDS[kind], values, role), path, line + 1)


def _prefixed(name: str, match: re.Match[str] | None, path: str, line: int) -> Declared:
    if match is None:
        return Declared(name, "", (), "")
    kind = "".join(sign for sign in match[1] if sign.isupper()).lower()
    role = "".join(sign for sign in match[1] if sign.islower())
    return _readable(Declared(match[2], _KINDS[kind], (), _FLAGS.get(role, "")), path, line)


def _readable(column: Declared, path: str, line: int) -> Declared:
    """A column whose kind is read in its role.

    Raises:
        InputError: it holds times or is a class of texts; or its values are not all different.
    """
    message = None
    if column.kind == "time" and column.role not in ("meta", "ignore"):
        message = "times are not read; make the column d for categories, or flag it ignore"
    elif column.kind == "string" and column.role in ("class", "weight"):
        message = f"a {column.role} is no text; its kind is {'d or c' if column.role == 'class' else 'c'}"
    elif len(set(column.values)) < len(column.values):
        message = "a value is listed twice; take one out"
    if message is not None:
        raise InputError(message, path=path, line=line, column=column.name)
    return column


def under_header(raw: Raw, header: Header) -> Raw:
    """The columns as the header declares them, without those that are no attributes.

    Raises:
        InputError: two columns hold weights.

    Warns:
        InputWarning: columns are left out.
    """
    known = {name: found for name, found in header.columns.items() if name}
    left_out = _named(known, lambda one: one.role in ("meta", "ignore") or one.kind == "string")
    if left_out:
        message = f"{listed(left_out)}: of a kind or a role that makes no attribute, and left out"
        warnings.warn(InputWarning(f"{raw.origin.path}: {message}"), stacklevel=3)
    classes = _named(known, lambda one: one.role == "class")
    weights = _named(known, lambda one: one.role == "weight")
    if len(weights) > 1:
        raise InputError(f"{listed(weights)} are flagged weight; leave one", path=raw.origin.path)
    columns = [_typed(column, known.get(column.name)) for column in raw.columns]
    kept = [column for column in columns if column.name not in left_out]
    return raw._replace(columns=kept, classes=tuple(classes), weights=weights[0] if weights else None)


def _named(known: Mapping[str, Declared], are_meant: Callable[[Declared], bool]) -> list[str]:
    return [one.name for one in known.values() if are_meant(one)]


def _typed(column: Column, declared: Declared | None) -> Column:
    """A column of its kind; a list of values is its domain, in that order."""
    if declared is None:
        return column
    if declared.kind == "continuous" or declared.role == "weight":
        return replace(column, name=declared.name, declared=Attribute(declared.name))
    if declared.kind != "discrete":
        return replace(column, name=declared.name)
    values = declared.values or tuple(sorted({str(cell) for cell in column.cells if cell is not None}))
    return replace(column, name=declared.name, declared=Attribute(declared.name, values))


__all__ = ["MISSING", "Declared", "Header", "header_of", "under_header"]
