"""The one error for bad input: a single line with the fault, its place, and the remedy."""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from difflib import get_close_matches
from fractions import Fraction
from itertools import islice

_MANY = 12
"""The most names that a message lists."""

_COMPARED, _LONG = 1000, 100
"""The most names that are compared with an unknown name, and the most characters of each."""


_NEAR = 0.65
"""How alike two names have to be, from 0 to 1, for `difflib`: `wnd` and `wind` are, `nope` and `income` are not."""


_PLURALS = {"leaf": "leaves", "class": "classes"}


_COMMAND_LINE = ContextVar("_COMMAND_LINE", default=False)
"""Whether advice is for the command line; otherwise it is for Python."""


@contextmanager
def on_command_line() -> Iterator[None]:
    """Make advice name the options of the command line while a command runs."""
    before = _COMMAND_LINE.set(True)
    try:
        yield
    finally:
        _COMMAND_LINE.reset(before)


def wording(python: str, command: str) -> str:
    """The form of an advice that fits: for Python or for the command line."""
    return command if _COMMAND_LINE.get() else python


def option(name: str, value: str = "") -> str:
    """An option, and perhaps its value, as it is given in Python or on the command line.

    Example:
        >>> option("max_depth"), option("branching", "one-vs-rest")
        ('max_depth', "branching='one-vs-rest'")
        >>> with on_command_line():
        ...     option("max_depth"), option("branching", "one-vs-rest")
        ('--max-depth', '--branching one-vs-rest')
    """
    return wording(f"{name}={value!r}" if value else name, f"--{name.replace('_', '-')} {value}".rstrip())


def decimal_commas() -> str:
    """The option for numbers with decimal commas; the quotes part its comma from those of a sentence."""
    return wording("decimal=','", "--decimal ','")


def columns_option(name: str, column: str) -> str:
    """An option that lists columns.

    Example:
        >>> columns_option("categorical", "price"), columns_option("without", "id")
        ("categorical=['price']", "table.without(['id'])")
    """
    python = f"table.without([{column!r}])" if name == "without" else f"{name}=[{column!r}]"
    return wording(python, f'--{name} "{column}"' if re.search(r"\s", column) else f"--{name} {column}")


class InputError(ValueError):
    """Input that cannot be used: a file, a table, an option or a row.

    Args:
        message: the fault and the remedy, in one line.
        path: the file.
        line: the line in the file, from 1.
        column: the column's name, or the place in the line from 1.

    Example:
        >>> str(InputError("'x' is not a number", path="weather.csv", line=3, column="humidity"))
        "weather.csv, line 3, column humidity: 'x' is not a number"
    """

    def __init__(
        self, message: str, *, path: str | None = None, line: int | None = None, column: str | int | None = None
    ) -> None:
        self.message, self.path, self.line, self.column = message, path, line, column
        places = (path, line and f"line {line}", column is not None and f"column {column}")
        where = ", ".join(str(place) for place in places if place)
        super().__init__(in_one_line(f"{where}: {message}" if where else message))


class InputWarning(UserWarning):
    """Input that can be used, but perhaps not as it was meant: the finding, its place, and how to state the meaning."""


class Deprecated(DeprecationWarning):
    """A name that still works, and will not from a later version on."""


def deprecated(name: str, instead: str, gone: str, *, above: int = 1) -> None:
    """Warn that a name, an option or a member goes.

    Args:
        name: the deprecated name.
        instead: its replacement.
        gone: the major version without it; the last minor version before it warns.
        above: how many calls above the caller the code is that uses the name.

    Example:
        >>> import warnings
        >>> with warnings.catch_warnings(record=True) as found:
        ...     warnings.simplefilter("always")
        ...     deprecated("rt.old", "rt.new", "2.0")
        >>> str(found[0].message)
        'rt.old is deprecated and goes with version 2.0; use rt.new'
    """
    warnings.warn(f"{name} is deprecated and goes with version {gone}; use {instead}", Deprecated, stacklevel=above + 2)


def shown(thing: object) -> str:
    """A thing as it is written in Python, cut if it is long.

    Example:
        >>> shown(None), len(shown([0] * 1000))
        ('None', 40)
    """
    text = repr(thing)
    return text if len(text) <= 40 else text[:37] + "..."


def listed(names: Collection[str]) -> str:
    """Names for a message: the first of them, and how many more there are.

    Example:
        >>> listed(["overcast", "rainy"]), listed(["v"] * 100)[-13:]
        ('overcast, rainy', 'v and 88 more')
    """
    more = len(names) - _MANY
    return ", ".join(islice(names, _MANY)) + (f" and {more} more" if more > 0 else "")


def number_of(number: int | Fraction, noun: str, written: str = "") -> str:
    """A number, as it is written, and its noun.

    Example:
        >>> number_of(14, "row"), number_of(1, "leaf"), number_of(0, "leaf")
        ('14 rows', '1 leaf', '0 leaves')
    """
    return f"{written or number} {noun if number == 1 else _PLURALS.get(noun, f'{noun}s')}"


def no_such(what: str, name: object, known: Collection[str], of: str = "") -> str:
    """The message for an unknown name, with the name that may be meant and the known names.

    Args:
        what: the kind of thing with these names.
        name: the name as it was given.
        known: the known names.
        of: the owner of these names, if any.

    Example:
        >>> print(no_such("column", "Outlok", ["outlook", "wind"]))
        there is no column 'Outlok' (did you mean outlook?); there are outlook, wind
        >>> print(no_such("profile", "x", ["zhou", "c45-r8"], of="c45"))
        there is no profile 'x' of c45; there are zhou, c45-r8
    """
    return f"there is no {what} {name!r}{of and f' of {of}'}{hint(name, known)}; there are {listed(known)}"


def hint(name: object, known: Iterable[str]) -> str:
    """The known name nearest to an unknown one, in brackets with a question mark; an empty text if none is near.

    Example:
        >>> hint("gorw", ["grow", "prune"]), hint("dance", ["grow", "prune"])
        (' (did you mean grow?)', '')
        >>> hint("outlook,wind", ["outlook", "wind"])
        ' (these are 2 names; give each by itself)'
    """
    if not isinstance(name, str) or len(name) > _LONG:
        return ""
    few = [one for one in islice(known, _COMPARED) if len(one) <= _LONG]
    parts = [part.strip() for part in name.split(",")]
    if len(parts) > 1 and set(parts) <= set(few):
        return f" (these are {len(parts)} names; give each by itself)"
    folded = {one.casefold(): one for one in reversed(few)}
    near = get_close_matches(name.casefold(), folded, n=1, cutoff=_NEAR)
    return f" (did you mean {folded[near[0]]}?)" if near else ""


def in_one_line(text: str) -> str:
    """A message with line breaks and control characters escaped: a header cell or a path may contain any."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
