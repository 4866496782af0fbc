"""What the pages of Learn share: tables, figures, the source of a function, the fourteen days, and hidden answers.

A block of a page imports what it needs and prints what it gets; everything here is text in Markdown or HTML.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import Any

from docs.tools.classes import mark
from reference_tree.data.table import Table
from reference_tree.exact.rationals import decimal_text

SIDES = {"l": ":--", "r": "--:"}

PHONE = 320
"""The width of a column on a phone."""


def tabulated(head: Sequence[object], body: Iterable[Sequence[object]], sides: str = "") -> str:
    """A table in Markdown.

    Args:
        head: the names of the columns.
        body: the cells of each row.
        sides: to which side each column stands: `llr`; none: all to the left.
    """
    lines = [head, [SIDES[side] for side in sides or "l" * len(head)], *body]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


def place(path: str) -> str:
    """The path of a node, which a narrow column may break before each name and each value."""
    return f"<code>{escape(path).replace('/', '/<wbr>').replace('=', '=<wbr>')}</code>"


def data(table: Table, sign: str = "row") -> str:
    """The rows of a table, numbered from 1; before its class each row has the mark of that class."""
    names = [*(attribute.name for attribute in table.schema.attributes), table.schema.target.name]
    classes = table.schema.target.values or ()
    marks: dict[object, str] = {label: f"{mark(place)} {label}" for place, label in enumerate(classes)}
    cells = (
        [number, *(_cell(row[name]) for name in names[:-1]), marks.get(row[names[-1]]) or _cell(row[names[-1]])]
        for number, row in enumerate(table.rows(), 1)
    )
    return tabulated([sign, *names], cells, "r" + "l" * len(names))


def _cell(value: Any) -> str:
    """A value as a reader knows it: a number in decimals where these end."""
    if value is None:
        return "**?**"
    return value if isinstance(value, str) else decimal_text(value)


def figure(drawing: str, caption: str) -> str:
    """A drawing and the words below it. A narrow page shrinks it to seven tenths, and beyond that lets it scroll."""
    least = _natural(drawing) * 7 // 10
    shown = drawing.replace("<svg ", f'<svg style="min-width:{least}px" ', 1)
    scrolls = f' tabindex="0" role="region" aria-label="{escape(caption)}"' if least > PHONE else ""
    return (
        f'<figure style="flex-basis:{least}px"><div class="drawn"{scrolls}>{shown}</div>'
        f"<figcaption>{caption}</figcaption></figure>\n"
    )


def _natural(drawing: str) -> int:
    found = re.search(r' width="(\d+)"', drawing)
    assert found is not None, "every drawing says how wide it is"
    return int(found[1])


def beside(drawings: Mapping[str, str]) -> str:
    """Drawings side by side where there is room, each with its title below."""
    return f'<div class="beside">{"".join(figure(drawing, title) for title, drawing in drawings.items())}</div>\n'


def source(*functions: Callable[..., Any]) -> str:
    """The functions as they stand in the package, without their docstrings."""
    return "```python\n" + "\n\n\n".join(map(_without_docstring, functions)) + "\n```\n"


def _without_docstring(function: Callable[..., Any]) -> str:
    text = textwrap.dedent(inspect.getsource(inspect.unwrap(function)))
    definition = ast.parse(text).body[0]
    assert isinstance(definition, ast.FunctionDef | ast.ClassDef)
    docstring, lines = definition.body[0], text.splitlines()
    return "\n".join([*lines[: docstring.lineno - 1], *lines[docstring.end_lineno :]])


def answer(*lines: object) -> str:
    """What an exercise comes to, folded, and left out of print."""
    return folded("success answer", "Answer", *lines)


def folded(kind: str, title: str, *lines: object) -> str:
    """Something that a reader unfolds."""
    return f'??? {kind} "{title}"\n\n' + "".join(textwrap.indent(f"{line}\n\n", "    ") for line in lines)
