"""Doubts: columns whose inferred type is perhaps not the intended one.

Columns without declarations have the types that their cells suggest. A single cell that is no number turns a column of
numbers into a column of categories. A column that names or numbers the rows looks like an attribute, and a tree that
splits on it has a leaf for every row. A code such as -999 looks like a number. All are read unchanged, with a remark.
A target of two numbers is read as classes, and codes such as `N/A` among numbers as missing values: a remark says so.

`Table.remarks` has the remarks on a table; `read` also gives them as warnings, and the command line prints them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from reference_tree.data.assembling import has_two_values
from reference_tree.data.columns import Column
from reference_tree.data.errors import columns_option, decimal_commas, listed, number_of, wording
from reference_tree.data.schema import Schema
from reference_tree.data.spellings import digits_of_date, is_date, is_gap
from reference_tree.exact.rationals import Rational, is_number, rational, shortened

_MONEY = "[$€£¥]|EUR|USD|GBP|CHF|JPY|CNY"
_AMOUNT = re.compile(
    rf"(?:{_MONEY})?\s?[+−-]?\s?(?:{_MONEY})?(?=[.,]?\d)"
    rf"(?:\d{{1,3}}(?:[.,'’\s]\d{{3}})++|\d*+)(?:[.,]\d++)?\s?(?:%|{_MONEY})?"
)
"""A number as people write it: with a currency, a percent sign, a decimal comma, or signs between thousands."""

_MEASURED = re.compile(r"[+-]?\d++(?:[.,]\d++)?\s?([^\W\d_]{1,6}[²³]?)|\d{1,2}(?::\d\d){1,2}")
"""A number with a unit, such as `5 kg`, or a time of the day, such as `12:30`."""

_CODE = re.compile(r"0\d+")
"""A number with a leading zero, as in post codes."""

_FEW = 10
"""Up to this number of rows, different values prove nothing, unless the name of their column says their meaning."""

_LEAST = 4
"""In fewer rows nothing is told."""

_MANY = 1000
"""The number of rows that are searched for a code that begins with 0."""

_KEY = re.compile(
    r"(^|[\W_\d])(id|ids|nr|no|num|number|name|names|key|index|row|uuid|#)\W*$|[a-z](Id|ID|Nr|No|Name)$|编号|序号|姓名"
)
"""A name of a column whose cells name the rows."""

_SENTINELS = {sign + nines for sign in ("", "-") for nines in ("99", "999", "9999", "99999", "999999")} | {"-1", "-9"}
"""The numbers that are often written in the place of missing ones."""


def doubts(
    columns: Sequence[Column], schema: Schema, stated: Collection[str] = (), *, in_file: bool = False
) -> Iterator[str]:
    """A line for each thing that is strange about the columns whose kind neither the file nor the caller states.

    Args:
        columns: the columns as they were read.
        schema: the schema that was inferred from them.
        stated: the columns whose kind the caller states; `*` means all.
        in_file: whether they stand in a file; otherwise advice is for cells in memory.

    Example:
        >>> from reference_tree.data.table import Table
        >>> cells = {"age": ["31", "n/a", "27", "54"], "risk": ["low", "high", "low", "low"]}
        >>> columns = [Column(name, texts) for name, texts in cells.items()]
        >>> for doubt in doubts(columns, Table.from_columns(cells).schema):
        ...     print(doubt)
        column age: 3 of 4 cells are numbers, but for 'n/a'; it is read as categories (make missing values None)
    """
    if in_file and _begins_with_a_row(columns):
        option = wording("header=False", "--no-header")
        yield f"each name of a column could be a cell of it: if the first line is a row, there is no header ({option})"
    known = {attribute.name: attribute for attribute in (*schema.attributes, schema.target)}
    for column in columns:
        if column.name not in known:
            continue
        values = known[column.name].values
        is_categorical = values is not None
        if column.codes.isdisjoint(values or ()):
            yield from _about_codes(column)
            column = column.pointed if column.codes and is_categorical else column
        if column.name in stated or "*" in stated:
            continue
        found = list[str]()
        if column.declared is None:
            numbers = schema.numbers.get(column.name, ())
            found += _about_categories(column, in_file) if is_categorical else _about_numbers(column, numbers, in_file)
        elif column.dtype != "string":
            continue
        if column.name == schema.target.name:
            found += _about_target(column, values)
        elif not (found and is_categorical) and (len(known) > 2 or not _is_short(column)):
            found += _nearly_keys(column, is_categorical)
        yield from found


def _about_target(column: Column, values: Sequence[str] | None) -> Iterator[str]:
    another = f"say {wording('target=...', '--target NAME')} if another is predicted"
    if values is None and not _is_short(column) and _counts_rows(column.cells):
        yield f"column {column.name}: what is predicted numbers the rows ({another})"
    if values is not None and not _is_short(column) and _names_rows(column, Fraction(9, 10)):
        yield (
            f"column {column.name}: {len(column.texts)} classes in {len(column.cells)} rows look like names of the "
            f"rows, which no tree can learn ({another})"
        )
    if values is not None and has_two_values(column) and column.pointed.exact is not None:
        yield (
            f"column {column.name}: its two values, {' and '.join(values)}, are read as classes "
            f"(say {columns_option('continuous', column.name)} to predict a number)"
        )


def codes_read(column: Column) -> Iterator[str]:
    """A line if a code is read as a missing value in a column that is known to hold numbers.

    Example:
        >>> list(codes_read(Column("age", ["31", "n/a"], has_codes=True)))
        ["column age: 'n/a' among numbers, 1 cell, is read as a missing value"]
    """
    return (line.partition(" (say")[0] for line in _about_codes(column))


def _about_codes(column: Column) -> Iterator[str]:
    if column.exact is None and column.codes:
        times = sum(cell in column.codes for cell in column.cells)
        cells = number_of(times, "cell")
        read, kind = "is read as a missing value", "it is a category"
        if len(column.codes) > 1:
            read, kind = "are read as missing values", "they are categories"
        yield (
            f"column {column.name}: {_quoted(column.codes)} among numbers, {cells}, {read} "
            f"(say {columns_option('categorical', column.name)} if {kind})"
        )


def _about_numbers(column: Column, numbers: Sequence[Rational], in_file: bool) -> Iterator[str]:
    if (code := sentinel(numbers)) is not None:
        found = [cell for cell in column.cells if is_number(str(cell)) and rational(str(cell)) == code]
        yield (
            f"column {column.name}: {code}, {'once' if len(found) == 1 else f'{len(found)} times'}, stands apart from "
            f"the other numbers ({_missing(sorted({*map(str, found)}), in_file)} if it means a missing value)"
        )
    if any(_CODE.fullmatch(str(cell)) for cell in column.cells[:_MANY]):
        option = columns_option("categorical", column.name)
        yield f"column {column.name}: some numbers begin with 0, as codes do, and are read without it (say {option})"


def _about_categories(column: Column, in_file: bool) -> Iterator[str]:
    if str in column.kinds and len(column.kinds) > 1:  # numbers beside texts are doubted by what they are called
        column = replace(column, cells=tuple(column.labels))
    if _are_dates(column):
        first = "" if all(map(digits_of_date, column.texts)) else "write them as 2013-01-14, and "
        yield (
            f"column {column.name}: {len(column.texts)} dates are read as categories ({first}say "
            f"{columns_option('continuous', column.name)} to have them in order, 2013-01-14 as the number 20130114)"
        )
        return
    if _are_measured(column):
        such = shortened(min(column.texts))
        yield (
            f"column {column.name}: its cells look like numbers with a unit, or times, such as {such}, and are read as "
            "categories (write them as plain numbers, in one unit, to have them in order)"
        )
        return
    yield from (remarks := list(_nearly_numbers(column, in_file)))
    if not remarks and (gaps := sorted(filter(is_gap, column.texts))):
        yield (
            f"column {column.name}: {_quoted(gaps)} among words is read as a category "
            f"({_missing(gaps, in_file)} if it means a missing value)"
        )


def _are_dates(column: Column) -> bool:
    return len(column.texts) > 1 and all(map(is_date, column.texts))


def _are_measured(column: Column) -> bool:
    """Whether each cell is a number with the same unit, or a time."""
    found = [_MEASURED.fullmatch(text) for text in column.texts]
    return (
        len(found) > 1 and len({None if one is None else one[1] or ":" for one in found} - {None}) == 1 and all(found)
    )


def _quoted(texts: Collection[str]) -> str:
    return listed([repr(text) for text in sorted(texts)])


def _missing(texts: Sequence[str], in_file: bool) -> str:
    """The reason why these cells are missing."""
    flags = [f'"--na={text}"' if re.search(r"[^\w.=/#-]", text) else f"--na={text}" for text in texts]
    return f"say {wording(f'missing={list(texts)!r}', ' '.join(flags))}" if in_file else "make it None"


def sentinel(numbers: Sequence[Rational]) -> Rational | None:
    """A number that probably stands for a missing value: -999 or 9999 far from all others, or the only negative one.

    Args:
        numbers: the different numbers of a column, ascending.

    Example:
        >>> sentinel([-999, 1, 2, 3]), sentinel([-1, 0, 1, 2, 3, 4]), sentinel([95, 96, 98, 99]), sentinel([0, 7, 9999])
        (-999, -1, None, 9999)
    """
    if len(numbers) < 3:
        return None
    (first, second), (before, last) = numbers[:2], numbers[-2:]
    if (
        str(first) in _SENTINELS
        and first < 0
        and (second - first > last - second or (second >= 0 and len(numbers) > 5))
    ):
        return first
    return last if str(last) in _SENTINELS and last > 0 and last - before > 2 * (before - first) else None


def _begins_with_a_row(columns: Sequence[Column]) -> bool:
    """Whether the names are numbers, half of them at most, and categories that their own columns hold."""
    numbers = sum(is_number(column.name) for column in columns)
    return 2 * numbers <= len(columns) and all(
        not column.declared and (is_number(column.name) or column.name in column.texts) for column in columns
    )


def _nearly_numbers(column: Column, in_file: bool) -> Iterator[str]:
    pointed = dict(zip(column.cells, column.pointed.cells, strict=True))
    numbers = {text for text in column.texts if is_number(str(pointed[text])) and "/" not in text}
    others = sorted(column.texts - numbers)
    cells = [cell for cell in column.cells if cell is not None]
    count = sum(cell in numbers for cell in cells)
    if not others:
        return
    amounts = [text for text in others if _AMOUNT.fullmatch(text)]
    option = wording("missing=[...]", "--na")
    advice = f"name missing values by {option}" if in_file else "make missing values None"
    if amounts == others:
        advice = "write numbers as -1234.5, without currencies, percent signs, and signs between thousands"
        if in_file and all(map(re.compile(r"[+-]?\d*,\d+").fullmatch, others)):
            advice = f"{advice}; or, if they have decimal commas, say {decimal_commas()}"
    if all("/" in text and is_number(text) for text in others):  # a fraction may be a date
        advice = f"say {columns_option('continuous', column.name)} if they are fractions"
    if 2 * count > len(cells):
        strange = listed([shortened(text) for text in others])
        what = f"{count} of {len(cells)} cells are numbers, but for {strange}; it is read"
    elif amounts == others:
        what = f"its cells look like numbers, such as {shortened(amounts[0])}, and are read"
    else:
        return
    yield f"column {column.name}: {what} as categories ({advice})"


def _nearly_keys(column: Column, is_categorical: bool) -> Iterator[str]:
    is_named = _KEY.search(column.name) is not None
    known = _known(column)
    if known < _LEAST or (is_categorical and _is_short(column) and not is_named):
        return
    option = columns_option("without", column.name)
    advice = f"an attribute with another value in each row is of no use (say {option})"
    if is_categorical and not _are_dates(column) and not _are_measured(column):
        if _names_rows(column, Fraction(9, 10) if known <= 5 * _FEW else Fraction(1, 2)):
            found = f"{len(column.texts)} values in {known} rows look like names of the rows"
            yield f"column {column.name}: {found}; {advice}"
    elif not is_categorical and _counts_rows(_without_gaps(column)):
        yield f"column {column.name}: its cells number the rows; {advice}"
    elif (
        not is_categorical
        and is_named
        and all(map(str.isdecimal, texts := {*map(str, _without_gaps(column))}))
        and len(texts) == known
    ):
        yield f"column {column.name}: a whole number of its own in each row looks like a name of the row; {advice}"


def _is_short(column: Column) -> bool:
    return _known(column) <= _FEW


def _without_gaps(column: Column) -> Sequence[object]:
    return [cell for cell in column.cells if cell is not None] if column.has_gaps else column.cells


def _known(column: Column) -> int:
    """How many rows have a value."""
    return len(column.cells) - column.cells.count(None)


def _names_rows(column: Column, share: Fraction) -> bool:
    """Whether more than this share of the rows have a category of their own."""
    return len(column.texts) > share * _known(column)


def _counts_rows(cells: Sequence[object]) -> bool:
    """Whether the cells are 0, 1, 2, ... or 1, 2, 3, ..."""
    return any(all(str(cell) == str(place) for place, cell in enumerate(cells, start)) for start in (0, 1))
