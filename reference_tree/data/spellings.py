"""Spellings: how people write in a file that a value is missing, how they write a date, and which numbers texts are.

1. `is_gap` knows the codes that stand for a missing value: a period, a dash, `N/A`, `null`, `NaN`. Among numbers such a
   code cannot be anything else. Among words it may be one of the words, and it is only remarked upon.
2. `digits_of_date` writes a date as the number that its digits make, 2013-01-14 as 20130114. The order of these numbers
   is that of the dates, and a threshold between two of them can be read.
3. `number_spelled` writes a text as the number that a program makes of it (`Texts`): a date as days or seconds since
   1970-01-01, and a truth value as 1 or 0.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

Texts: TypeAlias = Literal["", "digits", "days", "seconds", "numbers"]
"""How texts in a column of numbers are numbers. Empty: a date by its digits; `digits`: likewise, and there are dates;
`days` and `seconds`: dates since 1970-01-01, in universal time; `numbers`: dates are refused. By the last three, truth
values are 1 and 0."""

_TRUTH = {**dict.fromkeys(("TRUE", "T", "true", "True"), "1"), **dict.fromkeys(("FALSE", "F", "false", "False"), "0")}

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


def number_spelled(text: str, texts: Texts) -> str | None:
    """The number that a text is, as it is to be written; None if it is none but by its own digits.

    Args:
        text: the text of a cell.
        texts: how texts are numbers.

    Example:
        >>> number_spelled("2024-05-01", "days"), number_spelled("2024-05-01 12:00", "seconds")
        ('19844', '1714564800')
        >>> [number_spelled("2024-05-01", texts) for texts in ("digits", "numbers")], number_spelled("TRUE", "days")
        (['20240501', None], '1')
        >>> number_spelled("1234.5", ""), number_spelled("2023-02-29", "days")
        (None, None)
    """
    text = text.strip()
    if texts in ("days", "seconds", "numbers") and text in _TRUTH:
        return _TRUTH[text]
    if texts == "numbers" or re.fullmatch(r"\d+\.\d+", text):  # 1234.5 is no month
        return None
    digits = digits_of_date(text)
    return since_1970(digits, texts) if digits is not None and texts in ("days", "seconds") else digits


def since_1970(digits: str, texts: Texts) -> str | None:
    """A date, by its digits, as days or seconds since 1970-01-01; None if there is no such day.

    Days are whole: a program that counts them drops the time of the day.

    Example:
        >>> since_1970("20240229", "days"), since_1970("19691231.2359", "seconds"), since_1970("20230229", "days")
        ('19782', '-60', None)
    """
    date, _, time = digits.partition(".")
    year, month, day = int(date[:-4]), int(date[-4:-2]), int(date[-2:])
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if not 1 <= day <= (31, 28 + is_leap, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]:
        return None
    before = year - 1 if month <= 2 else year  # years begin in March, so that a leap day is the last one
    days = (
        365 * before + before // 4 - before // 100 + before // 400 + (153 * ((month + 9) % 12) + 2) // 5 + day - 719469
    )
    if texts == "days":
        return str(days)
    hour, minute, second = (int(time[place : place + 2] or 0) for place in (0, 2, 4))
    whole = 86400 * days + 3600 * hour + 60 * minute + second
    return f"{whole}.{time[6:]}" if time[6:] and whole >= 0 else str(whole) if not time[6:] else None


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


__all__ = ["GAPS", "Texts", "digits_of_date", "is_date", "is_gap", "number_spelled", "since_1970"]
