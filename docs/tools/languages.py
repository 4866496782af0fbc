"""The language of each part: Chinese words on a page in English say that they are, and the other way round.

A screen reader pronounces by `lang`, and a browser chooses glyphs by it. This Markdown extension looks at the text of a
finished page, whichever block or docstring printed it, so that `lang` is never written by hand.

1. `LanguagePostprocessor` knows the language of a page by its place: what stands below `zh/` is in Chinese;
2. `marked` goes through the text between the tags. Code is in English wherever it stands. In a drawing the words
   become a `tspan`; the texts of a drawing that are not shown, options and TeX can have no element inside, and stay as
   they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from markdown import Markdown
from markdown.extensions import Extension
from markdown.postprocessors import Postprocessor

PIECE = re.compile(r"<!--.*?-->|<(?P<end>/?)(?P<tag>[a-zA-Z][\w-]*)(?P<attributes>[^>]*)>|[^<]+|<", re.DOTALL)
HAN, SIGN = r"\u2e80-\u2fdf\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff", r"\u3000-\u303f\uff00-\uffef"
OTHERS = {
    "en": ("zh", re.compile(rf"[{SIGN}]*[{HAN}][{HAN}{SIGN}]*(?: [{HAN}{SIGN}]+)*")),
    "zh": ("en", re.compile(r"(?<![\w&#.=-])[A-Za-z][a-z]{2,}(?:[ -][A-Za-z][a-z]+)*(?![\w.=-])")),
}
"""By the language of a text: the other language, and words in it."""

CODE = frozenset({"code", "pre", "kbd"})
PLAIN = frozenset({"annotation", "desc", "option", "script", "style", "textarea", "title"})
"""Elements that hold text and no elements."""


def marked(html: str, language: str) -> str:
    """A text in HTML, with `lang` where it is in another language than the one it is said to be in."""
    return "".join(_marked(html, language))


def _marked(html: str, language: str) -> Iterator[str]:
    spoken: list[list[Any]] = [
        [language, "", 0]
    ]  # of the elements that stand open and change it: the language, the tag, how often it is open
    plain, drawings, formulas = "", 0, 0
    for found in PIECE.finditer(html):
        piece, tag, step = found[0], found["tag"], -1 if found["end"] else 1
        here = spoken[-1][0]
        if tag is None:
            is_formula = formulas > 0 and here == "zh"  # log and max are no words
            yield piece if plain or is_formula or piece[0] == "<" else _words(piece, here, bool(drawings))
            continue
        if tag in PLAIN and plain in {"", tag}:
            plain = tag if step > 0 else ""
        drawings += step * (tag == "svg")
        formulas += step * (tag == "tex-math")
        own = re.search(r' lang="(en|zh)"', found["attributes"])
        if step > 0 and (own or (tag in CODE and here != "en")):
            spoken.append([own[1] if own else "en", tag, 1])
            piece = piece if own else f'<{tag} lang="en"{found["attributes"]}>'
        elif tag == spoken[-1][1]:
            spoken[-1][2] += step
            if not spoken[-1][2]:
                spoken.pop()
        yield piece


def _words(text: str, language: str, is_drawn: bool) -> str:
    other, words = OTHERS[language]
    tag = "tspan" if is_drawn else "span"
    return words.sub(lambda found: f'<{tag} lang="{other}">{found[0]}</{tag}>', text)


class LanguagePostprocessor(Postprocessor):
    """Marks the words of a page; what stands inside of it, such as a docstring, waits for the page."""

    def run(self, text: str) -> str:
        """The page with `lang` on its parts."""
        if "relpath" not in self.md.treeprocessors:  # mkdocs puts it there for a page, and knows which
            return text
        page: str = self.md.treeprocessors["relpath"].file.src_uri  # type: ignore[attr-defined]
        return marked(text, "zh" if page.startswith("zh/") else "en")


class LanguagesExtension(Extension):
    """The extension `docs.tools.languages` of mkdocs.yml."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  (Python-Markdown's name)
        """Come after all others, formulas included."""
        md.postprocessors.register(LanguagePostprocessor(md), "languages", priority=-200)


def makeExtension(**options: object) -> LanguagesExtension:  # noqa: N802  (Python-Markdown's name)
    """What Python-Markdown calls to load the extension."""
    return LanguagesExtension(**options)
