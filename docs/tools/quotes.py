"""A page in another language shows what the blocks of its English counterpart print, with the words translated.

So a figure, a table or a picture is computed by one block, in whichever language it is read. A translation changes no
number: that is checked whenever a block is quoted, and a word that the block no longer prints is an error.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from docs.assets.playground.chinese import in_chinese, replaced, whole
from docs.tools.blocks import DOCS, Block, blocks, run
from docs.tools.lesson import beside, figure, folded
from docs.tools.pages import beneath
from reference_tree.data.textbook import IN_ENGLISH, describe, names

NUMBER = re.compile(r"\d+")

CHINESE = {english: word for name in names() for word, english in describe(name).glossary.items()}
TWIN = re.compile(rf"""(?<=["'])((?:watermelon|loan)[^"']*){IN_ENGLISH}(?=["'])""")
"""The words of the twins in English of Chinese tables, in Chinese; and how a twin is named in code."""

STOP = re.compile(r"(?<=[\u4e00-\u9fff])([.,:;])(?: +|$)|([.,:;。，：；]) +(?=[\u4e00-\u9fff])", re.MULTILINE)
WIDE = dict(zip(".,:;", "。，：；", strict=True))
"""Signs beside a Chinese word, and how they are printed there."""

answer = partial(folded, "success answer", "答案")
"""What an exercise of a Chinese page comes to, folded, and left out of print."""


class English:
    """The blocks of an English page, which run when one of them, or one below it, is quoted.

    `page["tree"]` is what is called `tree` there, as far as the blocks have run.
    """

    def __init__(self, page: str) -> None:
        """Read a page, such as `measures/entropy`, and the one beneath it, which goes on with its names."""
        pages = [found for path in [DOCS / f"{page}.md"] for found in (path, beneath(path)) if found.exists()]
        self._blocks = [
            block._replace(code=in_the_original(block.code))
            for found in pages
            for block in blocks(found)
            if "recall(" not in block.code
        ]
        self._printed: dict[str, str] = {}
        self._sessions: dict[str, dict[str, Any]] = {}

    def __getitem__(self, name: str) -> Any:
        """What a name of the page stands for."""
        return next(names[name] for names in self._sessions.values() if name in names)

    def quote(self, mark: str, words: Mapping[str, str] | None = None) -> str:
        """What a block prints.

        Args:
            mark: some of its code that stands in no other block of the page.
            words: what it says in English, and how it is said here.
        """
        found = [block for block in self._blocks if mark in block.code]
        if len(found) != 1:
            raise ValueError(f"{len(found)} blocks have {mark!r}, and one is meant")
        printed = self._run(found[0])
        said = translated(in_chinese(printed), words or {})
        if NUMBER.findall(said) != NUMBER.findall(printed):
            raise ValueError("a translation changes no number")
        return said if found[0].options.get("result") == "text" else _punctuated(said)

    def _run(self, wanted: Block) -> str:
        """What a block prints, after those above it that it may lean on."""
        session = wanted.options.get("session")
        for block in self._blocks[: self._blocks.index(wanted) + 1]:
            if block.name not in self._printed and (
                block is wanted or (session and block.options.get("session") == session)
            ):
                names: dict[str, Any] = {"__name__": "page"}
                self._printed[block.name] = run(block, self._sessions.setdefault(session, names) if session else names)
        return self._printed[wanted.name]


def in_the_original(code: str) -> str:
    """The code of a page in English, with the Chinese tables in the place of their twins.

    Their words stand in quotes or in the path of a node. `yes` and `no` are words of other tables, too, and are changed
    only where a twin is loaded.
    """
    loads = TWIN.search(code) is not None
    words = {english: word for english, word in CHINESE.items() if loads or english not in {"yes", "no"}}
    either = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    quoted = re.compile(rf"""(?<=["'])(?:{either})(?=["'])|(?<=/)(?:{either})(?==)|(?<==)(?:{either})(?=["'/`])""")
    return quoted.sub(lambda found: words[found[0]], TWIN.sub(r"\1", code))


def translated(text: str, words: Mapping[str, str]) -> str:
    """A text with its words in another language, the longest first."""
    if missing := [word for word in words if not re.search(whole(word), text)]:
        raise ValueError(f"the block does not say {missing}")
    return replaced(text, words) if words else text


def picture(drawing: str, caption: str) -> str:
    """A drawing and the words below it."""
    return figure(in_chinese(drawing), caption)


def pictures(drawings: Mapping[str, str]) -> str:
    """Drawings side by side where there is room, each with its title below."""
    return in_chinese(beside(drawings))


def _punctuated(text: str) -> str:
    """Prose with Chinese signs; code and drawings stay as they are."""
    parts = re.split(r"(<svg.*?</svg>|```.*?```|\$\$.*?\$\$)", text, flags=re.DOTALL)
    return "".join(part if number % 2 else STOP.sub(_wide, part) for number, part in enumerate(parts))


def _wide(sign: re.Match[str]) -> str:
    found = sign[1] or sign[2]
    return WIDE.get(found, found)
