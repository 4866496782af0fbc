r"""The derivation as a page: Markdown with formulas in TeX, or one HTML file that loads nothing else.

1. Both have the same equations, in lines of TeX that are not too long (`aligned`), and the same cells of tables
   (`table_of`); `Marks` says how a page writes a name from the data, and a formula.
2. In `markdown`, formulas stand between `$` or `$$`; consecutive ones share one `aligned` block with their signs below
   one another. A name from the data is `\text{...}` in a formula, and elsewhere its special characters are escaped.
3. In `html`, formulas are MathML, which browsers typeset themselves, and a tree is drawn in SVG; there is no script.
   Content wider than a phone scrolls within its own frame, which is reachable by keyboard. Colours follow the reader's
   scheme, light or dark; paper is light.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple, TypeAlias

from reference_tree.exact.worked import Worked
from reference_tree.views.derivation import blocks
from reference_tree.views.derivation.notation import Chain, chain, summands, tex_pieces, text
from reference_tree.views.derivation.numerals import USUAL, NumberFormat, exact_tex, in_units, tex_number, value_tex
from reference_tree.views.derivation.writers import mathml
from reference_tree.views.plots.plane import grid
from reference_tree.views.trees.svg import to_svg
from reference_tree.views.trees.text import lines as tree_lines
from reference_tree.views.wording import markdown_name, xml_name

LINE = 90
"""The length of a formula, in characters of its text form, at which it continues on the next line."""

_SIGNS = {"=": "=", "≈": r"\approx"}

Tabular: TypeAlias = blocks.Legend | blocks.PartitionTable | blocks.Ranking | blocks.DecisionTable


class Marks(NamedTuple):
    """How a page writes names and formulas."""

    name: Callable[[str], str]
    """A text with names from the data, escaped."""
    formula: Callable[[str], str]
    """A formula given in TeX."""


class PageTable(NamedTuple):
    """The cells of a table as the page has them."""

    head: Sequence[str]
    body: Sequence[Sequence[str]]
    sides: str
    """The alignment of each column: `l` for left, `r` for right."""


# Equations.


def aligned(equation: blocks.Equation, digits: NumberFormat) -> Iterator[tuple[str, str]]:
    """The lines of an equation in TeX: in each, the part left of the sign, which may be empty, and the rest."""
    found = chain(equation.worked, digits)
    lines = [""] if found.expression is None else list(_in_lines(found.expression))
    results = _values(found, equation.unit)
    first = f"= {lines[0]} {results if len(lines) == 1 else ''}".replace("=  ", "").strip()
    yield equation.symbol.tex, first
    for number, line in enumerate(lines[1:], 2):
        yield "", rf"\quad {line} {results if number == len(lines) else ''}".rstrip()
    if digits.exact and (exactly := equation.logarithms) is not None:
        yield "", rf"= {exact_tex(exactly)} \text{{ exactly}}"


def _values(found: Chain, unit: str = "") -> str:
    """The values that follow an expression."""
    written = [f"{_SIGNS[sign]} {tex_number(right)}" for sign, right in found.values]
    _, last = found.values[-1]
    unit = in_units(last, unit).removeprefix(last)
    return " ".join(written) + (rf" \text{{{unit}}}" if unit else "")


def _in_lines(expression: Worked) -> Iterator[str]:
    """A sum in lines that are not too long."""
    line, taken = "", 0
    for piece, (_, term) in zip(tex_pieces(expression), summands(expression), strict=True):
        long = len(text(term)) + 2
        if line and taken + long > LINE:
            yield line
            line, taken = "", 0
        line, taken = f"{line} {piece}".lstrip(), taken + long
    yield line


# Tables.


def table_of(block: Tabular, marks: Marks, digits: NumberFormat) -> PageTable:
    """The cells of a block that is a table."""
    match block:
        case blocks.Legend():
            return PageTable(
                ["", "is"], [[marks.formula(one.tex), marks.name(text)] for one, text in block.lines], "ll"
            )
        case blocks.Ranking():
            body = [[marks.name(one.name), one.score, marks.name(one.fate)] for one in block.lines]
            return PageTable([marks.formula("A"), marks.formula(block.symbol.tex), ""], body, "lrl")
        case blocks.DecisionTable():
            head = [marks.name(cell) if isinstance(cell, str) else marks.formula(cell.tex) for cell in block.head]
            return PageTable(head, [[marks.name(cell) for cell in row] for row in block.rows], block.sides)
        case blocks.PartitionTable():
            return _partition(block, marks, digits)


def _partition(block: blocks.PartitionTable, marks: Marks, digits: NumberFormat) -> PageTable:
    head = [marks.name(name) for name in (block.attribute, *block.classes)]
    head += [marks.formula(symbol.tex) for symbol, _ in block.shares]
    body = block.body(marks.name, lambda share: marks.formula(value_tex(share, digits)))
    sides = "l" + "r" * (len(head) - 1)
    if not block.impurities:
        return PageTable(head, body, sides)
    impurities = ["-" if worked is None else marks.formula(_impurity(worked, digits)) for worked in block.impurities]
    cells = [[*row, cell] for row, cell in zip_longest(body, impurities, fillvalue="")]
    return PageTable([*head, marks.formula(block.symbol.tex)], cells, sides + "l")


def _impurity(worked: Worked, digits: NumberFormat) -> str:
    if not worked:
        return "0"
    found = chain(worked, digits)
    expression = "" if found.expression is None else " ".join(tex_pieces(found.expression))
    return f"{expression} {_values(found)}".strip().removeprefix("= ")


# Markdown.

MARKDOWN = Marks(markdown_name, lambda tex: f"${tex}$")


def markdown(page: Iterable[blocks.Block], digits: NumberFormat = USUAL) -> Iterator[str]:
    r"""The lines of a derivation.

    Example:
        >>> for line in markdown([blocks.Title("The *end*"), blocks.Sentence("That is all.")]):
        ...     print(line)
        # The \*end\*
        <BLANKLINE>
        That is all.
    """
    for number, block in enumerate(page):
        if number:
            yield ""
        yield from _in_markdown(block, digits)


def _in_markdown(block: blocks.Block, digits: NumberFormat) -> Iterator[str]:
    match block:
        case blocks.Title():
            yield f"# {markdown_name(block.text)}"
        case blocks.Facts():
            yield from (f"- {word}: {markdown_name(value)}" for word, value in block.lines)
        case blocks.Legend() | blocks.PartitionTable() | blocks.Ranking():
            yield from _markdown_table(table_of(block, MARKDOWN, digits))
        case blocks.NodeHeading():
            arrives = markdown_name(f"{block.arrives}: {', '.join(block.figures)}")
            yield from (f"## {_code(block.path)}", "", arrives)
        case blocks.Equations():
            sides = (row for equation in block.lines for row in aligned(equation, digits))
            *rows, last = [f"{left} &{right}".lstrip() for left, right in sides]
            yield from ("$$", r"\begin{aligned}", *(row + r" \\" for row in rows), last, r"\end{aligned}", "$$")
        case blocks.DecisionTable():
            yield f"**{markdown_name(block.title)}**"
            if block.rows:
                yield from ("", *_markdown_table(table_of(block, MARKDOWN, digits)))
        case blocks.Sentence():
            yield markdown_name(block.text)
        case blocks.Plane():
            yield from _fenced(grid(block.test, block.points))
        case blocks.Drawing():
            yield from (f"## {markdown_name(block.title)}", "", *_fenced([*tree_lines(block.tree)]))


def _markdown_table(table: PageTable) -> Iterator[str]:
    rule = [":--" if side == "l" else "--:" for side in table.sides]
    for row in (table.head, rule, *table.body):
        yield f"| {' | '.join(row)} |"


def _code(content: str) -> str:
    """A text as code, between more backticks than the longest run in it."""
    fence = "`" * (_longest_run(content) + 1)
    return f"{fence} {content} {fence}" if len(fence) > 1 else f"`{content}`"


def _fenced(lines: Sequence[str]) -> Iterator[str]:
    fence = "`" * max(3, max(map(_longest_run, lines), default=0) + 1)
    yield from (f"{fence}text", *lines, fence)


def _longest_run(content: str) -> int:
    return max(map(len, re.findall("`+", content)), default=0)


# HTML.

MOST = 200
"""The number of nodes above which a tree is shown as text, not drawn."""

HTML = Marks(xml_name, mathml.mathml)

STYLE = """\
:root { color-scheme: light; --ground: #fff; --text: #1c2420; --faint: #59645e; --rule: #d5dcd8; --shade: #f2f5f3 }
@media screen and (prefers-color-scheme: dark) {
  :root { color-scheme: dark; --ground: #161b18; --text: #dfe5e1; --faint: #9aa69f; --rule: #38423c; --shade: #1f2622 }
}
html { background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; overflow-wrap: anywhere; text-size-adjust: 100% }
h1 { font-size: 1.5rem; line-height: 1.25 }
h2 { border-top: 1px solid var(--rule); font-size: 1.15rem; margin: 2.5rem 0 .5rem; padding-top: 1rem }
code, pre { font: .95em/1.4 ui-monospace, monospace }
dl { display: grid; gap: .2rem 1.5rem; grid-template-columns: max-content 1fr }
dt { color: var(--faint) }
dt:has(math) { color: inherit }
dd { margin: 0 }
@media (max-width: 40rem) {
  dl { display: block }
  dd { margin: 0 0 .5rem 1.5rem }
}
.wide { margin: 1rem 0; overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; overflow-wrap: normal }
caption { font-weight: 600; padding: .3rem 0; text-align: left }
th, td { border-bottom: 1px solid var(--rule); padding: .25rem .7rem; text-align: left; vertical-align: top }
th { background: var(--shade) }
.r { text-align: right }
math { white-space: nowrap }
math { font-family: "STIX Two Math", "Cambria Math", "Latin Modern Math", "Noto Sans Math", "DejaVu Math TeX Gyre" }
math[display=block] { width: max-content }
mtd { padding: .3em 0; text-align: left }
mtd:first-child { padding-right: .3em; text-align: right }
@media print {
  body { max-width: none }
  .wide { overflow: visible }
  h2, caption { break-after: avoid }
  tr, mtr, svg { break-inside: avoid }
  svg { height: auto; max-width: 100% }
}
"""
"""The style sheet of a page: for phones, desks and paper."""


def html(page: Iterable[blocks.Block], digits: NumberFormat = USUAL) -> Iterator[str]:
    r"""The lines of a page.

    Example:
        >>> *_, heading, paragraph, end, _ = html([blocks.Title("<A>"), blocks.Sentence("That is all.")])
        >>> print(heading, paragraph, end, sep="\n")
        <h1>&lt;A&gt;</h1>
        <p>That is all.</p>
        </body>
    """
    for number, block in enumerate(page):
        if not number:
            yield from _head(block)
        yield from _in_html(block, digits)
    yield from ("</body>", "</html>")


def _head(first: blocks.Block) -> Iterator[str]:
    title = first.text if isinstance(first, blocks.Title) else "Derivation"
    yield from ("<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8"/>')
    yield '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
    yield f"<title>{xml_name(title)}</title>"
    yield f"<style>\n{STYLE}</style>"
    yield from ("</head>", "<body>")


def _in_html(block: blocks.Block, digits: NumberFormat) -> Iterator[str]:
    match block:
        case blocks.Title():
            yield f"<h1>{xml_name(block.text)}</h1>"
        case blocks.Facts():
            yield from _described((xml_name(word), value) for word, value in block.lines)
        case blocks.Legend():
            yield from _described((mathml.mathml(symbol.tex), meaning) for symbol, meaning in block.lines)
        case blocks.NodeHeading():
            yield f"<h2><code>{xml_name(block.path)}</code></h2>"
            yield f"<p>{xml_name(block.arrives)}: {xml_name(', '.join(block.figures))}</p>"
        case blocks.Equations():
            rows = (row for equation in block.lines for row in aligned(equation, digits))
            yield f'<div class="wide" tabindex="0">{mathml.aligned(rows)}</div>'
        case blocks.DecisionTable():
            yield from _html_table(table_of(block, HTML, digits), block.title)
        case blocks.PartitionTable() | blocks.Ranking():
            yield from _html_table(table_of(block, HTML, digits))
        case blocks.Sentence():
            yield f"<p>{xml_name(block.text)}</p>"
        case blocks.Drawing():
            yield from (f"<h2>{xml_name(block.title)}</h2>", '<div class="wide" tabindex="0">')
            if len(block.tree.nodes) <= MOST:
                yield to_svg(block.tree).rstrip()
            else:
                yield from ("<pre>", *map(xml_name, tree_lines(block.tree)), "</pre>")
            yield "</div>"
        case blocks.Plane():
            yield from ('<pre class="wide" tabindex="0">', *map(xml_name, grid(block.test, block.points)), "</pre>")


def _described(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    """A list of terms with a text for each; the terms are already escaped."""
    yield from ("<dl>", *(f"<dt>{term}</dt><dd>{xml_name(text)}</dd>" for term, text in pairs), "</dl>")


def _html_table(table: PageTable, title: str = "") -> Iterator[str]:
    """A table; one without rows is only its title."""
    yield '<div class="wide" tabindex="0"><table>'
    if title:
        yield f"<caption>{xml_name(title)}</caption>"
    if table.body:
        yield _html_row("th", table.head, table.sides)
    yield from (_html_row("td", row, table.sides) for row in table.body)
    yield "</table></div>"


def _html_row(kind: str, cells: Iterable[str], sides: str) -> str:
    right = {"l": "", "r": ' class="r"'}
    written = (f"<{kind}{right[side]}>{cell}</{kind}>" for cell, side in zip(cells, sides, strict=True))
    return f"<tr>{''.join(written)}</tr>"
