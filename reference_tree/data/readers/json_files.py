r"""JSON: rows as objects, one a line or in a list, or columns as lists.

| text | contents |
| --- | --- |
| `{"wind": "weak", "play": "yes"}` on each line | a row a line, as in `.jsonl` and `.ndjson` |
| `[{"wind": "weak", "play": "yes"}, ...]` | a list of rows |
| `{"wind": ["weak", ...], "play": ["yes", ...]}` | the cells of each column, as pandas has it |
| `{"columns": ["wind", "play"], "data": [["weak", "yes"], ...]}` | the names of the columns, and lists of cells |
| `{"count": 14, "data": {"rows": [{"wind": "weak", "play": "yes"}, ...]}}` | one list of rows among other things |
| `{"0": {"wind": "weak", "play": "yes"}, ...}` | the rows by their numbers |
| `[["wind", "play"], ["weak", "yes"], ...]` | the names of the columns, and lists of cells |

An object in a row has a column for each of its names: `{"place": {"city": "Bonn"}}` is `Bonn` in column `place.city`. A
number is the decimal that is written. `true` and `false` are categories of these names. `null`, NaN and a name that a
row does not have are missing values; so are the texts that are missing in a CSV file. A column that the first row lacks
stands where other rows have it, but before the last column of the first row, which is predicted if nothing is said.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from typing import Any

from reference_tree.data.columns import Column, Origin
from reference_tree.data.errors import InputError, listed, shown
from reference_tree.data.frames import in_order
from reference_tree.data.readers.csv_files import MISSING
from reference_tree.data.readers.raw import Raw, marks

_SPACE = re.compile(r"\s*")


def json_table(text: str, path: str, missing: Collection[str] | None = None) -> Raw:
    r"""The raw table in a JSON text.

    Args:
        text: the rows or the columns.
        path: the name of the text in messages.
        missing: the texts that are missing values; None for `MISSING` of `csv_files`.

    Raises:
        InputError: the text is no JSON or holds no table, or a cell is a list.

    Example:
        >>> raw = json_table('{"wind": "weak", "speed": 7.50}\n{"wind": null, "rain": true}\n', "weather.jsonl")
        >>> [(column.name, column.cells) for column in raw.columns]
        [('wind', ('weak', None)), ('rain', (None, 'true')), ('speed', ('7.50', None))]
    """
    rows = list(_values(text, path))
    if not rows:
        raise InputError("there are no rows; at least one is needed", path=path)
    if len(rows) == 1 and isinstance(rows[0][1], dict) and text.lstrip().startswith("{"):
        rows = _of_columns(rows[0][1], path)
    names: Any = rows[0][1]
    if isinstance(names, list) and len(rows) > 1 and all(isinstance(name, str) for name in names):
        rows = _of_lists(names, rows[1:])
    lines = [line for line, _ in rows]
    for line, row in rows:
        if not isinstance(row, dict):
            raise InputError(f'{shown(row)} is no row; a row is an object, as {{"wind": "weak"}}', path=path, line=line)
    rows = [(line, _flat(row)) for line, row in rows]
    names = in_order([row for _, row in rows])
    absent = marks(missing, MISSING)
    columns = [
        Column(
            name, tuple(_cell(row.get(name), name, line, path, absent) for line, row in rows), has_codes=missing is None
        )
        for name in names
    ]
    behind = next((name for _, row in rows if row and (name := next(reversed(row))) not in rows[0][1]), None)
    return Raw(columns, Origin(path, lines), behind=behind)


def _values(text: str, path: str) -> Iterator[tuple[int, Any]]:
    """The values of a list, or those that follow each other, each with the line where it begins."""
    decoder = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=lambda _: None)
    at, line, counted = _SPACE.match(text).end(), 1, 0  # type: ignore[union-attr]
    in_list = text.startswith("[", at)
    at += in_list
    while True:
        at = _SPACE.match(text, at).end()  # type: ignore[union-attr]
        if at == len(text):
            return
        line, counted = line + text.count("\n", counted, at), at
        if in_list and text[at] == "]":
            if text[at + 1 :].strip():
                raise InputError("is no JSON: there is more behind the list", path=path, line=line)
            return
        try:
            value, at = decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            raise InputError(f"is no JSON: {error.msg}", path=path, line=error.lineno, column=error.colno) from None
        except RecursionError:
            raise InputError("is nested too deeply for a table", path=path, line=line) from None
        yield line, value
        at = _SPACE.match(text, at).end()  # type: ignore[union-attr]
        if in_list and at < len(text) and text[at] not in ",]":
            raise InputError("is no JSON: a comma or ] is expected here", path=path, line=text.count("\n", 0, at) + 1)
        at += in_list and text.startswith(",", at)


def _of_columns(given: dict[str, Any], path: str) -> list[tuple[int, Any]]:
    """The rows of an object that is a table: by its columns, or in a list of rows; otherwise the object is a row."""
    lists = _lists_of_rows(given) or _lists_of_rows(_flat(given))
    if len(lists) > 1:
        raise InputError(f"there are several lists of rows: {listed(lists)}; give one of them", path=path)
    for found in lists.values():
        return list(enumerate(found, start=1))
    if not given or not all(isinstance(one, list | dict) for one in given.values()):
        return [(1, given)]
    if isinstance(given.get("columns"), list) and isinstance(given.get("data"), list):
        return _of_lists([str(name) for name in given["columns"]], list(enumerate(given["data"], start=1)))
    if all(map(str.isdigit, given)) and not all(
        isinstance(one, list) or all(map(str.isdigit, one)) for one in given.values()
    ):
        return list(enumerate(given.values(), start=1))  # rows by their numbers
    cells = {name: list(one.values()) if isinstance(one, dict) else one for name, one in given.items()}
    lengths = {len(one) for one in cells.values()}
    if len(lengths) > 1:
        raise InputError(
            f"the columns have different lengths: {sorted(lengths)[0]} and {sorted(lengths)[-1]}", path=path
        )
    return [(place + 1, {name: one[place] for name, one in cells.items()}) for place in range(lengths.pop())]


def _lists_of_rows(given: dict[str, Any]) -> dict[str, Any]:
    return {name: one for name, one in given.items() if isinstance(one, list) and one and isinstance(one[0], dict)}


def _of_lists(names: list[str], rows: list[tuple[int, Any]]) -> list[tuple[int, Any]]:
    return [(line, dict(zip(names, row, strict=False)) if isinstance(row, list) else row) for line, row in rows]


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """A row with a cell for each cell of its objects.

    Example:
        >>> _flat({"x": "1", "place": {"city": "Bonn", "at": {"lat": "50.7"}}, "note": {}})
        {'x': '1', 'place.city': 'Bonn', 'place.at.lat': '50.7', 'note': None}
    """
    found: dict[str, Any] = {}
    pending = [*reversed(row.items())]
    while pending:
        name, value = pending.pop()
        if isinstance(value, dict) and value:
            pending += [(f"{name}.{key}", each) for key, each in reversed(value.items())]
        else:
            found[name] = None if value == {} else value
    return found


def _cell(value: Any, name: str, line: int, path: str, absent: Collection[str]) -> str | None:
    if value is None or isinstance(value, str):
        return None if value is None or value.strip() in absent else value.strip()
    if isinstance(value, bool):
        return "true" if value else "false"
    raise InputError(
        f"{shown(value)} is a list, and no cell; write it as columns of its own", path=path, line=line, column=name
    )


__all__ = ["json_table"]
