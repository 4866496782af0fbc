"""Spellings: how people write in a file that a value is missing, and how they write a date.

1. `is_gap` knows the codes that stand for a missing value: a period, a dash, `N/A`, `null`, `NaN`. Among numbers such a
   code cannot be anything else. Among words it may be one of the words, and it is only remarked upon.
2. `digits_of_date` writes a date as the number that its digits make, 2013-01-14 as 20130114. The order of these numbers
   is that of the dates, and a threshold between two of them can be read.
"""

from __future__ import annotations

import re

_SIGNS = {"?", ".", "..", "...", "-", "--", "---", "–", "—", "*", "\\n"}
_WORDS = {"na", "n/a", "n.a.", "n.a", "nan", "null", "nil", "#n/a", "#na", "<na>", "<null>", "(null)", "nat"}
_FORMULAS = {"#value!", "#div/0!", "#ref!", "#null!", "#num!", "#name?", "#n/a n/a"}
_AMONG_NUMBERS = {"none", "missing", "unknown", "not available"}

GAPS = frozenset(_SIGNS | _WORDS | _FORMULAS)
"""The codes that hardly ever are a value, in lower case."""

_DATE = re.compile(
    r"(\d{4})([-/.])(\d{1,2})(?:\2(\d{1,2})(?:[T ]\s*(\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d+))?)?Z?)?)?", re.ASCII
)
"""A date that begins with the year, perhaps without the day, perhaps with a time of no stated zone."""

_OTHER_DATE = re.compile(
    r"(\d{1,2})(?P<sign>[-/. ])(\d{1,2}|[A-Za-z]{3,9})(?P=sign)(?:\d\d){1,2}(?:,?[T ]\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?)?"
    r"|[A-Za-z]{3,9} \d{1,2}, \d{4}",
    re.ASCII,
)
"""A date in another order."""


def is_gap(text: str, *, among_numbers: bool = False) -> bool:
    r"""Whether a text usually stands for a missing value.

    Args:
        text: the text of a cell.
        among_numbers: whether the other cells of its column are numbers, so that no word is a value.

    Example:
        >>> is_gap("N/A"), is_gap("."), is_gap("none"), is_gap("none", among_numbers=True)
        (True, True, False, True)
    """
    folded = text.strip().casefold()
    return folded in GAPS or (among_numbers and folded in _AMONG_NUMBERS)


def digits_of_date(text: str) -> str | None:
    """A date as the number that its digits make, a time as its decimals; None if the text is no date of this form.

    Example:
        >>> digits_of_date("2013-01-14"), digits_of_date("2013/1/4 7:30"), digits_of_date("1949-01")
        ('20130114', '20130104.0730', '19490100')
        >>> digits_of_date("14.01.2013"), digits_of_date("2013-14-01")
        (None, None)
    """
    if (match := _DATE.fullmatch(text.strip())) is None:
        return None
    year, _, month, day, hour, minute, second, fraction = match.groups()
    if not (1 <= int(month) <= 12 and (day is None or 1 <= int(day) <= 31) and int(hour or 0) < 24):
        return None
    time = "" if hour is None else f".{hour:0>2}{minute}{second or ''}{fraction or ''}"
    return f"{year}{month:0>2}{day or '00':0>2}{time}"


def is_date(text: str) -> bool:
    """Whether a text is a date of any form, perhaps with a time.

    Example:
        >>> [is_date(text) for text in ("2013-01-14 7:30", "14.01.2013", "1/14/2013", "14-Jan-13", "Jan 14, 2013")]
        [True, True, True, True, True]
        >>> [is_date(text) for text in ("1.2.3", "99.99.2013", "14.01.", "12:30")]
        [False, False, False, False]
    """
    if digits_of_date(re.sub(r"(?<=:\d\d)(Z|[+-]\d\d:?\d\d)$", "", text.strip())) is not None:
        return True
    if (match := _OTHER_DATE.fullmatch(text.strip())) is None:
        return False
    numbers = [int(part) for part in (match[1], match[3]) if part and part.isdigit()]
    return not numbers or (max(numbers) <= 31 and (len(numbers) == 1 or min(numbers) <= 12) and min(numbers) > 0)


__all__ = ["GAPS", "digits_of_date", "is_date", "is_gap"]
