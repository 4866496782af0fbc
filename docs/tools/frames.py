"""Tables in frames, fit for a phone; verdicts first; code, drawings and what is folded, which are not searched.

1. A last column without a name holds what was decided: it moves behind the first.
2. A table that would be wider than a phone is told apart by a class, and the style sheet does the rest there: where
   only its heads are too wide they are `turned`, else its rows become cards (`stacks`), each cell below the head of
   its column. What would be too wide for a desk is `tight` there.
3. Every table stands in a frame that scrolls by itself. The keyboard reaches it, unless it fits any screen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape, unescape
from itertools import count

from markdown import Markdown
from markdown.extensions import Extension
from markdown.postprocessors import Postprocessor

TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
ROW = re.compile(r"<tr>(.*?)</tr>", re.DOTALL)
CELL = re.compile(r"<t[hd][^>]*>.*?</t[hd]>", re.DOTALL)
DRAWING = re.compile(r"<svg(?! data-search)")
FOLDED = re.compile(r'<details class="(abstract|example|success answer)">')
"""Rows of a table, what a command prints, and answers to exercises, all folded."""

MEMBER = r'[\w.]+\.[A-Z]\w*\.\w+" class="doc doc-heading"(?=>)'
CONSTANT = r'[\w.]+" class="doc doc-heading"(?=>\s*<span class="doc doc-object-name doc-attribute-name">)'
ROOMS = "auditing|checking|cli|engine|programs|stores|tree_document"
INNER = rf'reference_tree\.(?:{ROOMS})\.[\w.]+\.[a-z_]\w*" class="doc doc-heading"(?=>)'
UNSEARCHED = re.compile(rf'(<h\d id="(?:{MEMBER}|{CONSTANT}|{INNER})|<p class="doc doc-class-bases"(?=>))')
"""Names of members, of constants and of inner functions, and what a class derives from: a search finds the class or the
module."""

OBSERVED = re.compile(r"<p>(?=<em>(?:Programs observed: |所见程序：))")
"""The line with the releases of a page: a name in it says nothing about what the page explains."""

CODE = re.compile(r'<div class="([\w -]*\bhighlight)">')
NUMBERED = re.compile(r'(role="region" aria-label="Table) \d+"')
FORMULA = re.compile(r"\\[\[(].*?\\[\])]", re.DOTALL)

WORD = re.compile(r"<code>(?=[^\s<>/]{1,10}</code>)")
"""A short name in code, which is not broken."""

PHONE = 336
"""Pixels that a table has on a phone of 360."""

LETTER, MARGIN = 8.5, 12
"""Pixels of a letter on a phone, in a wide font, and of what stands on both sides of a cell."""

DESK, DESK_LETTER, DESK_MARGIN = 900, 9, 26
"""The same on a desk, where code is not broken into lines."""

UPRIGHT = 24
"""Pixels that a head needs which stands upright."""

LONG = 20
"""Letters of a cell that has a line of its card to itself."""

COLUMN = 110
"""Pixels of a column of a card."""


def framed(table: str) -> str:
    """A table in its frame. Tables with a class are left alone, by this and by the theme's script."""
    wide = table.partition("</tr>")[0].count("<th") > 2
    reached = ' tabindex="0" role="region" aria-label="Table 0"' if wide else ""
    fitted = table.replace("<table>", '<table class="rows">') if "<caption" in table else _fitted(table)
    return f'<div class="frame"{reached}>{fitted}</div>'


def _fitted(table: str) -> str:
    """A table of Markdown, with its verdicts first, and fit for a phone."""
    head, *body = (CELL.findall(row) for row in ROW.findall(table))
    last = len(head) - 1
    if last > 1 and _said(head[0]) and not _said(head[last]):
        head, *body = ([row[0], row[last], *row[1:last]] for row in (head, *body))
    kind = _kind(head, body)
    if kind == "stacks":
        body = _labelled(head, body)
    if _on_a_desk((head, *body)) > DESK:
        kind = f"{kind} tight".strip()
    if kind in {"turned", "stacks tight"}:
        head = [_turned(cell) if _least(cell) > most else cell for cell, most in zip(head, _widths(body), strict=True)]
    rows = iter(["\n".join(row) for row in (head, *body)])  # so that the search tells cells apart
    fitted = ROW.sub(lambda row: f"<tr>\n{next(rows)}\n</tr>", table)
    fitted = WORD.sub('<code class="word">', fitted)
    return fitted.replace("<table>", f'<table class="{f"rows {kind}".strip()}">')


def _kind(head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """How a table fits a phone: as it is, with its heads turned, or as cards."""
    widths = _widths(body)
    if sum(map(max, widths, map(_least, head))) <= PHONE:
        return ""
    turned = [_least(cell) if FORMULA.search(cell) else UPRIGHT for cell in head]
    return "turned" if sum(map(max, widths, turned)) <= PHONE else "stacks"


def _on_a_desk(rows: Iterable[Sequence[str]]) -> int:
    """About how many pixels a table needs there."""
    return sum(
        max(DESK_LETTER * max(map(len, re.split(r"[^\S\xa0]+", _said(_unbroken(cell))))) for cell in column)
        + DESK_MARGIN
        for column in zip(*rows, strict=True)
    )


def _unbroken(cell: str) -> str:
    """A cell whose code holds no blanks where a line could be broken."""
    lines = cell.replace("<br", " <br")
    return re.sub(r"<code>.*?</code>", lambda code: code[0].replace(" ", "\xa0"), lines, flags=re.DOTALL)


def _widths(body: Sequence[Sequence[str]]) -> list[float]:
    """What the cells of each column need."""
    return [max(map(_least, column)) for column in zip(*body, strict=True)]


def _turned(cell: str) -> str:
    """A head that may stand upright on a phone; a formula cannot."""
    return cell if FORMULA.search(cell) else re.sub(r">(.*)</th>", r"><span>\1</span></th>", cell, flags=re.DOTALL)


def _said(cell: str) -> str:
    """The text of a cell; of a formula about what is seen of it."""
    text = FORMULA.sub(lambda tex: re.sub(r"\\[a-zA-Z]+|[{}_^\\[\]\s]", "", tex[0]), cell)
    return unescape(re.sub(r"<[^>]+>", "", text)).strip()


def _least(cell: str) -> float:
    """About how many pixels a cell needs, with its lines broken wherever they may be."""
    parts = re.split(r"\s+|(?<=[/，、。；-])(?=\D)", _said(cell.replace("<br", " <br")))
    return LETTER * max((sum(1 + (sign >= "\u2e80") for sign in part) for part in parts), default=0) + MARGIN


def _labelled(head: Sequence[str], body: Iterable[Sequence[str]]) -> list[list[str]]:
    """The rows with each cell told what its column is called, if it is one of several; a formula has to be repeated."""
    columns = [
        [_classed(cell, "long") if is_long else cell for cell in column]
        for column in zip(*body, strict=True)
        for is_long in [max(len(_said(cell)) for cell in column) > LONG or max(map(_least, column)) > COLUMN]
    ]
    for name, column in zip(head[1:], columns[1:], strict=True) if len(head) > 2 else ():
        if FORMULA.search(name):
            inside = re.sub(r"^<th[^>]*>|</th>$", "", name)
            label = f'><span class="head" data-search-exclude>{inside}</span> '
            column[:] = [cell.replace(">", label, 1) if _said(cell) else cell for cell in column]
        elif said := escape(_said(name)):
            column[:] = [cell.replace("<td", f'<td data-head="{said}"', 1) for cell in column]
    return [list(row) for row in zip(*columns, strict=True)]


def _classed(cell: str, name: str) -> str:
    return re.sub(r"^<(t[hd])", rf'<\1 class="{name}"', cell)


class FramesPostprocessor(Postprocessor):
    """Puts tables into frames, and tells the search what to leave out."""

    def run(self, text: str) -> str:
        """A page, once all of it is HTML; what stands inside of it may have been here before."""
        text = CODE.sub(r'<div class="\1" data-search-exclude="code">', TABLE.sub(lambda found: framed(found[0]), text))
        text = DRAWING.sub('<svg data-search-exclude="drawing"', text)
        text = FOLDED.sub(r'<details class="\1" data-search-exclude="folded">', text)
        text = OBSERVED.sub('<p data-search-exclude="releases">', text)
        text = UNSEARCHED.sub(r'\1 data-search-exclude="member"', text)
        number = count(1)
        return NUMBERED.sub(lambda found: f'{found[1]} {next(number)}"', text)


class FramesExtension(Extension):
    """The extension `docs.tools.frames` of mkdocs.yml."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  (Python-Markdown's name)
        """Come last, when what blocks have printed is in its place."""
        md.postprocessors.register(FramesPostprocessor(md), "frames", priority=-10)


def makeExtension(**options: object) -> FramesExtension:  # noqa: N802  (Python-Markdown's name)
    """What Python-Markdown calls to load the extension."""
    return FramesExtension(**options)
