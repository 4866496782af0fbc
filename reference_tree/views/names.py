r"""Names: what the data calls its columns and values, made safe for where they are to stand.

A name may be anything that fits in a cell of a table: Chinese, a quotation mark, a line break. A view never drops or
changes such a name; it escapes what would break the page.

1. `one_line` keeps a name on its line; every other function here begins with it.
2. `tex_name`, `markdown_name`, `xml_name`, `dot_name` and `mermaid_name` escape what is special there.
3. `width` is how much room a text takes in a terminal; `fill` breaks lines by it, `cut_short` and `padded` fit a text.
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
"""How a character that TeX would read something into is written there."""

_MARKDOWN = {
    **{character: "\\" + character for character in "\\`*_[]|"},
    **{character: f"&#{ord(character)};" for character in "<&$~"},
}
_MERMAID = re.compile(r"(?<![^\W_])[.-]|[.-](?![^\W_])|[^\w ,=.-]|[_\ufb02]")
_MERMAID_MARKS = re.compile(r"\\(?=n)|\ufb02(?=°)|¶(?=ß)|\$(?=\$)|:(?=fa-)")
# A line break, its own entities, a formula, an icon.


def one_line(name: str) -> str:
    r"""A name without line breaks and control characters: those are shown as Python writes them.

    Example:
        >>> print(one_line("two\nlines"))
        two\nlines
    """
    if name.isprintable():
        return name
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in name)


def answer_text(label: Label, write: Callable[[Any], str] = lambda number: significant(number, 6)) -> str:
    """What a node answers: the class, or the number, to six digits unless it is written otherwise."""
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
    r"""A name as part of a quoted label of Graphviz, which reads escapes of its own and the entities of HTML.

    Example:
        >>> print(dot_name('a "b" \\ c &amp;'))
        a \"b\" \\ c &amp;amp;
    """
    return one_line(name).replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")


def mermaid_name(name: str) -> str:
    """A name as part of a quoted label of Mermaid, where a character is spelt by its number.

    Letters, digits, blanks, commas, and points and hyphens within a word stay; anything else could be a bracket, a
    mark of Markdown, an entity or a directive to Mermaid, which lists them nowhere. A few of its marks are looked for
    even in what is spelt by numbers; they are parted by a joiner that takes no room.

    Example:
        >>> print(mermaid_name('a "b" <= 76.5'))
        a #34;b#34; #60;= 76.5
    """
    return _MERMAID.sub(lambda match: f"#{ord(match[0])};", _MERMAID_MARKS.sub("\\g<0>\u2060", one_line(name)))


def width(text: str) -> int:
    """How many columns of a terminal a text takes: Chinese characters take two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def fill(pieces: Iterable[str], room: int) -> Iterator[str]:
    """The pieces in lines of at most so many columns, one blank between two; a piece is never broken.

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
    """The items of a list, each but the last with the comma behind it."""
    return [*(f"{item}," for item in items[:-1]), *items[-1:]]


def cut_short(text: str, room: int) -> str:
    """A text that takes at most so many columns; what does not fit is dropped, and an ellipsis says so."""
    if width(text) <= room:
        return text
    taken = 0
    for place, character in enumerate(text):
        taken += width(character)
        if taken >= room:
            return text[:place] + "…"
    raise AssertionError("a text that is too wide is as wide as its room at some character")


def padded(text: str, room: int, *, left: bool) -> str:
    """A text filled up with blanks to a width; it stands to the left or to the right."""
    blanks = " " * (room - width(text))
    return text + blanks if left else blanks + text
