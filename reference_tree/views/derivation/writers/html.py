r"""The derivation as a page of its own: one HTML file that asks for nothing else.

Formulas are MathML, which browsers typeset themselves, and a tree is its drawing in SVG; there is no script. What is
wider than a phone scrolls within its own frame, which the keyboard reaches. Colours follow the reader's scheme, light
or dark, and paper is light.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from reference_tree.views.derivation import blocks
from reference_tree.views.derivation.numerals import USUAL, Digits
from reference_tree.views.derivation.writers.mathml import aligned as below_one_another
from reference_tree.views.derivation.writers.mathml import mathml
from reference_tree.views.derivation.writers.typeset import Marks, Table, aligned, table_of
from reference_tree.views.names import xml_name
from reference_tree.views.plots.plane import grid
from reference_tree.views.trees.svg import to_svg
from reference_tree.views.trees.text import lines

MOST = 200
"""A tree of more nodes is shown as text, not drawn."""

MARKS = Marks(xml_name, mathml)

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
"""How a page looks: on a phone, on a desk and on paper."""


def write(page: Iterable[blocks.Block], digits: Digits = USUAL) -> Iterator[str]:
    r"""The lines of a page.

    Example:
        >>> *_, heading, said, end, _ = write([blocks.Title("<A>"), blocks.Sentence("That is all.")])
        >>> print(heading, said, end, sep="\n")
        <h1>&lt;A&gt;</h1>
        <p>That is all.</p>
        </body>
    """
    named = False
    for block in page:
        if not named:
            yield from _head(block)
            named = True
        yield from _lines(block, digits)
    yield from ("</body>", "</html>")


def _head(first: blocks.Block) -> Iterator[str]:
    title = first.text if isinstance(first, blocks.Title) else "Derivation"
    yield from ("<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8"/>')
    yield '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
    yield f"<title>{xml_name(title)}</title>"
    yield f"<style>\n{STYLE}</style>"
    yield from ("</head>", "<body>")


def _lines(block: blocks.Block, digits: Digits) -> Iterator[str]:
    match block:
        case blocks.Title():
            yield f"<h1>{xml_name(block.text)}</h1>"
        case blocks.Facts():
            yield from _described((xml_name(word), said) for word, said in block.lines)
        case blocks.Legend():
            yield from _described((mathml(symbol.tex), meaning) for symbol, meaning in block.lines)
        case blocks.Heading():
            yield f"<h2><code>{xml_name(block.path)}</code></h2>"
            yield f"<p>{xml_name(block.arrives)}: {xml_name(', '.join(block.figures))}</p>"
        case blocks.Equations():
            rows = (row for equation in block.lines for row in aligned(equation, digits))
            yield f'<div class="wide" tabindex="0">{below_one_another(rows)}</div>'
        case blocks.DecisionTable():
            yield from _table(table_of(block, MARKS, digits), block.title)
        case blocks.PartitionTable() | blocks.Ranking():
            yield from _table(table_of(block, MARKS, digits))
        case blocks.Sentence():
            yield f"<p>{xml_name(block.text)}</p>"
        case blocks.Drawing():
            yield from (f"<h2>{xml_name(block.title)}</h2>", '<div class="wide" tabindex="0">')
            if len(block.tree.nodes) <= MOST:
                yield to_svg(block.tree).rstrip()
            else:
                yield from ("<pre>", *map(xml_name, lines(block.tree)), "</pre>")
            yield "</div>"
        case blocks.Plane():
            yield from ('<pre class="wide" tabindex="0">', *map(xml_name, grid(block.test, block.points)), "</pre>")


def _described(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    """What is said of each thing; the thing is escaped."""
    yield from ("<dl>", *(f"<dt>{thing}</dt><dd>{xml_name(said)}</dd>" for thing, said in pairs), "</dl>")


def _table(table: Table, title: str = "") -> Iterator[str]:
    """A table; one without rows is just its title."""
    yield '<div class="wide" tabindex="0"><table>'
    if title:
        yield f"<caption>{xml_name(title)}</caption>"
    if table.body:
        yield _row("th", table.head, table.sides)
    yield from (_row("td", row, table.sides) for row in table.body)
    yield "</table></div>"


def _row(kind: str, cells: Iterable[str], sides: str) -> str:
    right = {"l": "", "r": ' class="r"'}
    written = (f"<{kind}{right[side]}>{cell}</{kind}>" for cell, side in zip(cells, sides, strict=True))
    return f"<tr>{''.join(written)}</tr>"
