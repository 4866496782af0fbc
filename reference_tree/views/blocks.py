"""Blocks: what a derivation is made of, before it is written as text or as a page.

`derivation` says what goes on the board, in blocks; `board` writes them for a terminal and `markdown` for a page.
Names from the data are in a block on one line each, and not yet escaped.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from reference_tree.data.sample import Counts
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational, decimal_text
from reference_tree.exact.worked import Worked
from reference_tree.views.names import one_line, tex_name


class Symbol(NamedTuple):
    """A quantity's name, for both ways of writing; `A` is where the attribute's name goes."""

    text: str
    tex: str

    def of(self, attribute: str) -> Symbol:
        r"""The symbol with an attribute's name in it.

        Example:
            >>> print(*Symbol("g(D, A)", "g(D, A)").of("wind"))
            g(D, wind) g(D, \text{wind})
        """
        return Symbol(self.text.replace("A", one_line(attribute)), self.tex.replace("A", tex_name(attribute)))


class Title(NamedTuple):
    """What the derivation is of."""

    text: str


class Facts(NamedTuple):
    """What is known beforehand: pairs of a word and what there is to say."""

    lines: tuple[tuple[str, str], ...]


class Legend(NamedTuple):
    """What the symbols mean."""

    lines: tuple[tuple[Symbol, str], ...]


class Heading(NamedTuple):
    """A node: its path, and what reaches it."""

    path: str
    arrives: str
    classes: tuple[str, ...]
    counts: Counts


class Equation(NamedTuple):
    """A quantity, and the formula it is the result of."""

    symbol: Symbol
    worked: Worked
    unit: str = ""
    in_full: bool = False
    """Whether its exact value is wanted too, where that is a sum of logarithms."""


class Equations(NamedTuple):
    """Equations that follow one another."""

    lines: tuple[Equation, ...]


class PartitionTable(NamedTuple):
    """A candidate's sample partition, with the impurity of each part worked out."""

    attribute: str
    classes: tuple[str, ...]
    outcomes: tuple[str, ...]
    rows: tuple[Counts, ...]
    symbol: Symbol
    impurities: tuple[Worked | None, ...]
    """None for a part without rows; empty where they are of no use, because the candidate is barred."""


class Ranked(NamedTuple):
    """A candidate in a ranking: its name, its score, and what became of it."""

    name: str
    score: Number
    fate: str


class Ranking(NamedTuple):
    """The candidates by their score, best first."""

    symbol: Symbol
    lines: tuple[Ranked, ...]


class Sentence(NamedTuple):
    """A remark in words."""

    text: str


class Listing(NamedTuple):
    """Lines to be shown as they are, under a title."""

    title: str
    lines: tuple[str, ...]


Block: TypeAlias = Title | Facts | Legend | Heading | Equations | PartitionTable | Ranking | Sentence | Listing


def counts_of(classes: Sequence[str], counts: Counts, *, all_of_them: bool = True) -> list[str]:
    """The weight of each class as text.

    Args:
        classes: their names.
        counts: the weight of each.
        all_of_them: whether to list a class without any weight.

    Example:
        >>> counts_of(("no", "yes"), (5, 0)), counts_of(("no", "yes"), (5, 0), all_of_them=False)
        (['no 5', 'yes 0'], ['no 5'])
    """
    pairs = zip(classes, counts, strict=True)
    return [f"{one_line(label)} {decimal_text(count)}" for label, count in pairs if count or all_of_them]


def counted(classes: Sequence[str], counts: Counts, *, all_of_them: bool = True) -> str:
    """The same in one text.

    Example:
        >>> counted(("no", "yes"), (5, 9))
        'no 5, yes 9'
    """
    return ", ".join(counts_of(classes, counts, all_of_them=all_of_them))


def amount(weight: Rational, *, weighted: bool) -> str:
    """How much data there is, in words: rows, or their weight where it is not 1 for each.

    Example:
        >>> amount(14, weighted=False), amount(1, weighted=False), amount(14, weighted=True)
        ('14 rows', '1 row', 'a weight of 14')
    """
    written = decimal_text(weight)
    return f"a weight of {written}" if weighted else f"{written} row" + ("" if weight == 1 else "s")
