"""The ledger of the books: every figure that the cited sections print, entered once (`books.toml`).

A figure is entered as it is printed, with its place and with what it is: a figure of a case of the suite, or a
formula and its arguments. So the package computes the exact value of each (`goldens.value_of`). Goldens, pages and the
list of errata show the figures of this ledger, and cannot disagree.

1. `PrintedFigure` is a figure.
2. `ledger` has all of them; `beside` are those that a golden shows.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from typing import Any, Literal


@dataclass(frozen=True)
class PrintedFigure:
    """A figure as a source prints it.

    Args:
        value: the figure, in the source's own digits.
        source: the place in the source.
        score: the name of the quantity: a score of a candidate, or of the node.
        node: the path of the node.
        attribute: the candidate's attribute, for a score of a candidate.
        note: why it differs from ours, where it does.
        test: the candidate itself, as it is named, where an attribute has several.
        round: the round of boosting, from 1.
        case: the id of the case of the suite that it is about.
        formula: or the function that gives the exact value, as module.function.
        arguments: what the formula is applied to; numbers are texts.
        terms: the arguments of several values of the formula that are added up.
        per: what the value is divided by.
        of: what it is, where the other fields do not say it.
        read: whether the text is at hand, a public copy was looked up, or neither.
        golden: whether the golden of the case shows it.
        also: further goldens that show it, and what they call the score.
    """

    value: str
    source: str
    score: str = "gain"
    node: str = "/"
    attribute: str | None = None
    note: str = ""
    test: str | None = None
    round: int | None = None
    case: str = field(default="", kw_only=True)
    formula: str = field(default="", kw_only=True)
    arguments: list[Any] = field(default_factory=list, kw_only=True)
    terms: list[list[Any]] = field(default_factory=list, kw_only=True)
    per: str = field(default="1", kw_only=True)
    of: str = field(default="", kw_only=True)
    read: Literal["text", "copy", "unseen"] = field(default="copy", kw_only=True)
    golden: bool = field(default=False, kw_only=True)
    also: Mapping[str, str] = field(default_factory=dict, kw_only=True)

    @property
    def book(self) -> str:
        """The key of the work that prints it."""
        return self.source.split()[0]


SHOWN = ("value", "source", "score", "node", "attribute", "note", "test", "round")
"""What a golden shows of a figure."""


@cache
def ledger() -> tuple[PrintedFigure, ...]:
    """All figures, book by book.

    Example:
        >>> [figure.value for figure in ledger() if figure.source == "Quinlan1986 §7"]
        ['1.578', '1']
    """
    text = resources.files(__package__).joinpath("books.toml").read_text(encoding="utf-8")
    found = []
    for section in tomllib.loads(text)["section"]:
        shared = {key: value for key, value in section.items() if key != "figures"}
        found += [PrintedFigure(**{**shared, **figure}) for figure in section["figures"]]
    return tuple(found)


def beside(case: str) -> tuple[PrintedFigure, ...]:
    """The figures that the golden of a case shows.

    Example:
        >>> [(figure.attribute, figure.value) for figure in beside("id3/play-tennis")]
        [('outlook', '0.246'), ('temperature', '0.029'), ('humidity', '0.151'), ('wind', '0.048')]
    """
    own = [figure for figure in ledger() if case in figure.also or (figure.golden and figure.case == case)]
    return tuple(figure if figure.case == case else _borrowed(figure, case) for figure in own)


def _borrowed(figure: PrintedFigure, case: str) -> PrintedFigure:
    """A figure in another golden; a formula case has no node and no attribute."""
    found = replace(figure, score=figure.also[case], case=case, note="")
    return replace(found, attribute=None, test=None, node="/") if case.startswith("formula/") else found
