"""Subscripts in prose: a docstring writes C_1, s_ij or H_A as a person types it, and the page shows an index.

A letter, an underscore and one to three letters or digits are a symbol with its index. Code and formulas are left as
they are.
"""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement

from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor

SYMBOL = r"\b([^\W\d_])_([^\W_]{1,3})\b"


class SubscriptProcessor(InlineProcessor):
    """Turns `C_1` into C and a subscript."""

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[Element, int, int]:  # type: ignore[override]  # noqa: N802
        """The symbol, and where it stood."""
        symbol = Element("span", {"class": "symbol"})
        symbol.text = m[1]
        SubElement(symbol, "sub").text = m[2]
        return symbol, m.start(0), m.end(0)


class SubscriptExtension(Extension):
    """The extension `docs.tools.subscripts` of mkdocs.yml."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  (Python-Markdown's name)
        """Come after code, formulas, links and emphasis."""
        md.inlinePatterns.register(SubscriptProcessor(SYMBOL, md), "subscript", priority=15)


def makeExtension(**options: object) -> SubscriptExtension:  # noqa: N802  (Python-Markdown's name)
    """What Python-Markdown calls to load the extension."""
    return SubscriptExtension(**options)
