r"""Formulas typeset while the site is built, so that a page needs no script to show them.

`pymdownx.arithmatex` (with `generic: true`) finds the formulas of a page and leaves them as TeX in marked elements.
This Markdown extension comes after it:

1. `FormulaPostprocessor` looks for the marked elements of a finished page or docstring;
2. `typeset` asks KaTeX for the HTML of each, through one `node` process that lives as long as the build, and how wide
   that will be, by which the style sheet fits it to a phone;
3. a formula that KaTeX refuses ends the build with a `FormulaError` that quotes it.
"""

from __future__ import annotations

import html
import json
import re
import subprocess
from functools import cache
from pathlib import Path
from threading import Lock

from markdown import Markdown
from markdown.extensions import Extension
from markdown.postprocessors import Postprocessor
from pymdownx.superfences import SuperFencesException

TOOLS = Path(__file__).parent
FORMULA = re.compile(
    r'<(?P<tag>span|div) class="arithmatex">\\(?P<bracket>[(\[])(?P<tex>.*?)\\[)\]]</(?P=tag)>', re.DOTALL
)
FITS = 18
"""A formula of so many em fits any phone, and needs not be reached by the keyboard to be scrolled."""

LEGIBLE = 27
"""A formula of more em would be too small on a phone in one line, and goes on in a second one if it is not aligned."""

_one_at_a_time = Lock()


class FormulaError(SuperFencesException):  # type: ignore[misc]  # which has no types
    """A formula that KaTeX does not understand, or a KaTeX that is not there.

    It is of the one kind that ends the build from within a block; any other would leave the code on the page.
    """


@cache
def _typesetter() -> subprocess.Popen[str]:
    if not (TOOLS / "node_modules" / "katex").exists():
        raise FormulaError("KaTeX is not installed; run: npm ci --prefix docs/tools")
    return subprocess.Popen(
        ["node", str(TOOLS / "typeset.mjs")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )


def _ask(question: str) -> str:
    with _one_at_a_time:
        node = _typesetter()
        assert node.stdin is not None
        assert node.stdout is not None
        node.stdin.write(question + "\n")
        node.stdin.flush()
        return node.stdout.readline()


@cache
def typeset(tex: str, display: bool) -> tuple[str, float]:
    """The HTML of one formula, and about how wide it is, in em.

    Args:
        tex: the formula, without its dollar signs.
        display: on a line of its own?

    Raises:
        FormulaError: KaTeX refuses it.
    """
    answer = json.loads(_ask(json.dumps({"tex": tex, "display": display})) or '{"error": "node ended early"}')
    if "error" in answer:
        raise FormulaError(f"{answer['error']}\nin the formula: {tex}")
    return answer["html"], answer["wide"]


def _replace(match: re.Match[str]) -> str:
    tag, display = match["tag"], match["bracket"] == "["
    formula, wide = typeset(html.unescape(match["tex"]).strip(), display)
    # an element of its own kind, for the search skips until the first of that kind ends
    reached = ' tabindex="0" role="region" aria-label="Formula"' if display and wide > FITS else ""
    room = wide if r"\begin{" in match["tex"] else min(wide, LEGIBLE)
    style = f' style="--wide: {room:.1f}"' if display else ""
    unsearched = f'<tex-math data-search-exclude="formula">{formula}</tex-math>'
    return f'<{tag} class="arithmatex"{style}{reached}>{unsearched}</{tag}>'


class FormulaPostprocessor(Postprocessor):
    """Puts the typeset formula in the place of every marked one."""

    def run(self, text: str) -> str:
        """The page with its formulas typeset."""
        return FORMULA.sub(_replace, text)


class KatexExtension(Extension):
    """The extension `docs.tools.katex` of mkdocs.yml."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  (Python-Markdown's name)
        """Come last, when everything stashed away is back on the page."""
        md.postprocessors.register(FormulaPostprocessor(md), "katex", priority=-100)


def makeExtension(**options: object) -> KatexExtension:  # noqa: N802  (Python-Markdown's name)
    """What Python-Markdown calls to load the extension."""
    return KatexExtension(**options)
