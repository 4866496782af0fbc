"""The writers of a derivation: each turns blocks into lines, and `page` selects the writer of a format.

| module | writes |
| --- | --- |
| `text` | text for a terminal |
| `pages` | Markdown and HTML, with formulas for browsers from `mathml` |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal, TypeAlias

from reference_tree.data.errors import InputError, no_such
from reference_tree.views.derivation.blocks import Block
from reference_tree.views.derivation.numerals import USUAL, NumberFormat
from reference_tree.views.derivation.writers import pages, text

Format: TypeAlias = Literal["text", "markdown", "html"]

WRITERS: Mapping[str, Callable[..., Iterator[str]]] = {
    "text": text.write,
    "markdown": pages.markdown,
    "html": pages.html,
}
"""The writer of blocks for each format."""


def page(blocks: Iterable[Block], format: str, digits: NumberFormat = USUAL) -> str:
    """A derivation as text in a format.

    Raises:
        InputError: there is no such format.
    """
    if format not in WRITERS:
        raise InputError(no_such("format", format, WRITERS))
    return "".join(f"{line}\n" for line in WRITERS[format](blocks, digits))
