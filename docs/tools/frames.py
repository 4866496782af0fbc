"""Tables in a frame that scrolls by itself, and that the keyboard reaches; code and drawings, which are not searched.

A table of two columns fits any screen, unless a formula stands in it, so that its frame takes no stop of the Tab key.
"""

from __future__ import annotations

import re
from itertools import count

from markdown import Markdown
from markdown.extensions import Extension
from markdown.postprocessors import Postprocessor

TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
DRAWING = re.compile(r"<svg(?! data-search)")
CODE = re.compile(r'<div class="([\w -]*\bhighlight)">')
NUMBERED = re.compile(r'(role="region" aria-label="Table) \d+"')


def framed(table: str) -> str:
    """A table in its frame. Tables with a class are left alone, by this and by the theme's script."""
    wide = table.partition("</tr>")[0].count("<th") > 2
    reached = ' tabindex="0" role="region" aria-label="Table 0"' if wide else ""
    return f'<div class="frame"{reached}><table class="rows">{table.removeprefix("<table>")}</div>'


class FramesPostprocessor(Postprocessor):
    """Puts tables into frames, and tells the search what to leave out."""

    def run(self, text: str) -> str:
        """A page, once all of it is HTML; what stands inside of it may have been here before."""
        text = CODE.sub(r'<div class="\1" data-search-exclude="code">', TABLE.sub(lambda found: framed(found[0]), text))
        text = DRAWING.sub('<svg data-search-exclude="drawing"', text)
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
