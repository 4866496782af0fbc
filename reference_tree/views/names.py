r"""Names: the names of columns and values in the data, made safe for each output format.

A name may be anything that fits in a cell of a table: Chinese, a quotation mark, a line break. A view never drops or
changes such a name; it escapes what would break the page.

1. `one_line` keeps a name on its line; every other function here begins with it.
2. `tex_name`, `markdown_name`, `xml_name`, `dot_name` and `mermaid_name` escape the special characters of each format.
3. `width` is the width of a text in a terminal; `fill` breaks lines by it, `cut_short` and `padded` fit a text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any

from reference_tree.exact.rounding import significant
from reference_tree.node import Label

TEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    **{character: "\\" + character for character in "#$%&_{}"},
}
"""The TeX of each character that is special in TeX."""

_MARKDOWN = {
    **{character: "\\" + character for character in "\\`*_[]|"},
    **{character: f"&#{ord(character)};" for character in "<&$~"},
}
_MERMAID = re.compile(r"(?<![^\W_])[.-]|[.-](?![^\W_])|[^\w ,=.-]|[_\ufb02]")
_MERMAID_MARKS = re.compile(r"\\(?=n)|\ufb02(?=°)|¶(?=ß)|\$(?=\$)|:(?=fa-)")
# A line break, its own entities, a formula, an icon.


def one_line(name: str) -> str:
    r"""A name without line breaks and control characters: those are written as Python escapes them.

    Example:
        >>> print(one_line("two\nlines"))
        two\nlines
    """
    if name.isprintable():
        return name
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in name)


def answer_text(label: Label, write: Callable[[Any], str] = lambda number: significant(number, 6)) -> str:
    """The answer of a node: the class, or the number, to six digits unless `write` says otherwise."""
    return one_line(label) if isinstance(label, str) else write(label)


def tex_name(name: str) -> str:
    r"""A name as text inside a formula.

    Example:
        >>> print(tex_name("in_out"), tex_name("纹理"))
        \text{in\_out} \text{纹理}
    """
    written = re.sub("-(?=-)", "-{}", _replaced(name, TEX))  # two in a row would become a dash
    return rf"\text{{{written}}}"


def markdown_name(name: str) -> str:
    r"""A name as running text on a page, or in a cell of a table.

    Example:
        >>> print(markdown_name("a|b *and* <c>"))
        a\|b \*and\* &#60;c>
    """
    return _replaced(name, _MARKDOWN)


def _replaced(name: str, special: Mapping[str, str]) -> str:
    return "".join(special.get(character, character) for character in one_line(name))


def xml_name(name: str) -> str:
    """A name as text in an element, or in the value of an attribute, of SVG."""
    return escape(one_line(name))


def dot_name(name: str) -> str:
    r"""A name as part of a quoted label of Graphviz, which has its own escapes and reads the entities of HTML.

    Example:
        >>> print(dot_name('a "b" \\ c &amp;'))
        a \"b\" \\ c &amp;amp;
    """
    return one_line(name).replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")


def mermaid_name(name: str) -> str:
    """A name as part of a quoted label of Mermaid, with special characters written by their numbers.

    Letters, digits, blanks, commas, and points and hyphens within a word stay; anything else could be a bracket, a
    mark of Markdown, an entity or a directive to Mermaid, which documents no complete list. Mermaid finds a few of its
    marks even in characters written by numbers; a joiner of no width separates those.

    Example:
        >>> print(mermaid_name('a "b" <= 76.5'))
        a #34;b#34; #60;= 76.5
    """
    return _MERMAID.sub(lambda match: f"#{ord(match[0])};", _MERMAID_MARKS.sub("\\g<0>\u2060", one_line(name)))


def width(text: str) -> int:
    """The columns of a terminal that a text takes: two for a Chinese character, none for a combining mark."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def fill(pieces: Iterable[str], room: int) -> Iterator[str]:
    """The pieces in lines of at most `room` columns, with one blank between two; a piece is never broken.

    Example:
        >>> list(fill(["to", "be", "or", "not", "to", "be"], 8))
        ['to be or', 'not to', 'be']
    """
    line: list[str] = []
    taken = 0
    for piece in pieces:
        wanted = width(piece) + 1
        if line and taken + wanted > room + 1:
            yield " ".join(line)
            line, taken = [], 0
        line.append(piece)
        taken += wanted
    if line:
        yield " ".join(line)


def enumerated(items: Sequence[str]) -> list[str]:
    """The items of a list, each but the last followed by a comma."""
    return [*(f"{item}," for item in items[:-1]), *items[-1:]]


def cut_short(text: str, room: int) -> str:
    """A text cut to at most `room` columns; an ellipsis marks the cut."""
    if width(text) <= room:
        return text
    taken = 0
    for place, character in enumerate(text):
        taken += width(character)
        if taken >= room:
            return text[:place] + "…"
    raise AssertionError("a text that is too wide is as wide as its room at some character")


def padded(text: str, room: int, *, left: bool) -> str:
    """A text padded with blanks to a width, aligned to the left or to the right."""
    blanks = " " * (room - width(text))
    return text + blanks if left else blanks + text
