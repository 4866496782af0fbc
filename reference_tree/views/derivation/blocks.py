"""Blocks: the building blocks of a derivation, before it is written as text or as a page.

`nodes` and `prunings` produce blocks; `writers` write them for a terminal and for a page. Names from the data stand in
a block on one line each, and not yet escaped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from math import floor
from typing import Any, NamedTuple, TypeAlias
from unicodedata import normalize

from reference_tree.data.errors import InputError
from reference_tree.data.linear_tests import Linear
from reference_tree.data.points import Points
from reference_tree.data.questions import path_step
from reference_tree.data.sample import Counts
from reference_tree.exact.log_sums import LogSum, Number
from reference_tree.exact.worked import Worked
from reference_tree.node import Node
from reference_tree.pruning.choosing_alpha import Choice
from reference_tree.pruning.method import Record
from reference_tree.pruning.record import Found, PerformedPruning
from reference_tree.tree import Tree
from reference_tree.views.derivation.numerals import MOST_PLACES, PLACES, USUAL, NumberFormat, minus, rational_value
from reference_tree.views.wording import EXACT, amount, answered, arrived, one_line, spread_of, tex_name, weight_text

_LETTER_A = re.compile(r"(?<![A-Za-z])A(?![A-Za-z])")


class Symbol(NamedTuple):
    """The symbol of a quantity, as text and in TeX; `A` is the place of a name from the data."""

    text: str
    tex: str

    def of(self, name: str) -> Symbol:
        r"""The symbol with the name of an attribute, a class or a node put in.

        Example:
            >>> print(*Symbol("g(D, A)", "g(D, A)").of("wind"))
            g(D, wind) g(D, \text{wind})
        """
        return Symbol(
            _LETTER_A.sub(lambda _: one_line(name), self.text),
            _LETTER_A.sub(lambda _: tex_name(name), self.tex),
        )


_TO_TEX = {
    "(.)\u0303": r"\\tilde \1",  # an accent follows its letter
    "(.)\u0304": r"\\bar \1",
    "(.)\u0302": r"\\hat \1",
    "=\u0338": r"\\neq",
    r"·log2\((\w+)/(\w+)\)": r" \\log_2 \\frac{\1}{\2}",
    r"√\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))+)\)": r"\\sqrt{\1}",
    r"log2\((\w+)\)": r"\\log_2 \1",
    r"log2(?=\()": r"\\log_2",
    r"\bln(?=\()": r"\\ln",
    r"\^\(([^()]+)\)|\^([A-Z]\(\w\)|[A-Z]{2,})": r"^{\1\2}",
    r"(\(\w)\|(\w+\))": r"\1 \\mid \2",  # P(c|t)
    r"\|/\|": "| / |",
    r"\|([^|]+)\|": r"\\lvert \1 \\rvert",
    r"_([a-z]{3,})": r"_\\text{\1}",
    r"_([a-z]{2,}|\d{2,})": r"_{\1}",
    r"\(split\)": r"(\\text{split})",
    r"(?<![\\A-Za-z])([A-Z][A-Za-z]+|[a-z]{2,}(?=\())": r"\\mathrm{\1}",  # Gini(D), leaves(D)
    r"\bmax_": r"\\max_",
    "Σ(?=[_ ])": r"\\sum",
    "([ΣΔ])": r"\1 ",
    "·": r" \\, ",
}
"""The TeX of signs, replaced in this order; then that of letters."""
_LETTERS = str.maketrans({
    "Σ": r"\Sigma", "Δ": r"\Delta", "α": r"\alpha", "ρ": r"\rho", "σ": r"\sigma", "−": "-", "²": "^2",
    "≤": r"\leq", "≥": r"\geq", "≈": r"\approx", "η": r"\eta", "λ": r"\lambda", "½": r"\frac{1}{2}", "Φ": r"\Phi",
    "φ": r"\varphi",
})  # fmt: skip


_WORD = re.compile(r"(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|[^ (])+")
"""A word ends at a blank; a bracket and its content belong to it."""
_BRACKET = re.compile(r"\((?:[^()]|\([^()]*\))*\)")


def symbol(text: str) -> Symbol:
    r"""A formula whose TeX is made from its text: a slash between blanks becomes a fraction; one without blanks stays.

    Example:
        >>> print(symbol("Δσ²(D, A)").tex, symbol("Σ_i r_i·Gini(D_i)").tex, symbol("P(c|t)").tex, sep="  ")
        \Delta \sigma^2(D, A)  \sum_i r_i \, \mathrm{Gini}(D_i)  P(c \mid t)
        >>> print(symbol("s²(D) = SSE(D) / (n − 1)").tex)
        s^2(D) = \frac{\mathrm{SSE}(D)}{n - 1}
    """
    tex = _with_fractions(normalize("NFD", text))  # accents apart from their letters
    for written, instead in _TO_TEX.items():
        tex = re.sub(written, instead, tex)
    return Symbol(text, tex.translate(_LETTERS))


def _with_fractions(text: str) -> str:
    """A formula with its quotients as fractions, and without brackets around their numerators and denominators."""
    written = []
    for _, term in groupby(_WORD.findall(text), key=lambda word: word in "=+−≤"):
        sides = [" ".join(side) for slash, side in groupby(term, key="/".__eq__) if not slash]
        if len(sides) > 1:
            above, below = (side[1:-1] if _BRACKET.fullmatch(side) else side for side in sides)
            sides = [rf"\frac{{{above}}}{{{below}}}"]
        written += sides
    return " ".join(written)


Meaning: TypeAlias = tuple[Symbol, str]
"""A formula and its meaning."""


class Title(NamedTuple):
    """The title of the derivation."""

    text: str


class Facts(NamedTuple):
    """Pairs of a keyword and its value."""

    lines: tuple[tuple[str, str], ...]


class Legend(NamedTuple):
    """The meaning of the symbols."""

    lines: tuple[Meaning, ...]


class NodeHeading(NamedTuple):
    """A node: its path, and the rows that reach it."""

    path: str
    arrives: str
    figures: tuple[str, ...]
    """The weight of each class, or the spread of a numeric target."""
    brief: tuple[str, ...]
    """These counts without the classes of weight 0."""


class Equation(NamedTuple):
    """A quantity, and the formula that yields it."""

    symbol: Symbol
    worked: Worked
    unit: str = ""

    @property
    def logarithms(self) -> LogSum | None:
        """The value, if it is a sum of logarithms that can be written in full."""
        value = self.worked.value
        return value if isinstance(value, LogSum) and rational_value(value) is None else None


class Equations(NamedTuple):
    """A sequence of equations."""

    lines: tuple[Equation, ...]


class PartitionTable(NamedTuple):
    """A candidate's sample partition, with the impurity of each part worked out."""

    attribute: str
    classes: tuple[str, ...]
    outcomes: tuple[str, ...]
    rows: Sequence[Counts]
    symbol: Symbol = Symbol("", "")
    impurities: tuple[Worked | None, ...] = ()
    """None for a part without rows; an empty tuple where none is needed, because the candidate is barred."""
    shares: tuple[tuple[Symbol, tuple[Number | None, ...]], ...] = ()
    """Further figures of each part, with their symbols."""
    unknown: Counts = ()
    """The rows that do not answer."""

    def body(self, name: Callable[[str], str], share: Callable[[Number], str]) -> list[list[str]]:
        """The cells of each part and of the rows that do not answer, without the impurities."""
        shares = [["-" if one is None else share(one) for one in found] for _, found in self.shares]
        labels = map(name, self.outcomes)
        parts = [(label, row, further) for label, row, *further in zip(labels, self.rows, *shares, strict=True)]
        unknown = [("?", self.unknown, [""] * len(shares))] if any(self.unknown) else []
        return [
            [label, *(minus(weight_text(cell, EXACT)) for cell in row), *further]
            for label, row, further in (*parts, *unknown)
        ]


class Ranked(NamedTuple):
    """A candidate in a ranking."""

    name: str
    score: str
    """The score as printed."""
    fate: str
    """The outcome for this candidate."""


class Ranking(NamedTuple):
    """The candidates sorted by score, best first."""

    symbol: Symbol
    lines: tuple[Ranked, ...]


class DecisionTable(NamedTuple):
    """A table with a row for each decision."""

    title: str
    """The subject of the decisions."""
    head: tuple[str | Symbol, ...]
    """The column titles; the first column names the row."""
    sides: str
    """The alignment of each column: `l` for left, `r` for right."""
    rows: Sequence[tuple[str, ...]]


class Sentence(NamedTuple):
    """A remark in words."""

    text: str


class Drawing(NamedTuple):
    """A tree under a title, drawn or as text."""

    title: str
    tree: Tree


class Plane(NamedTuple):
    """A test of two numbers, with the rows that it separates as points of the plane."""

    test: Linear
    points: Points


Block: TypeAlias = (
    Title
    | Facts
    | Legend
    | NodeHeading
    | Equations
    | PartitionTable
    | Ranking
    | DecisionTable
    | Sentence
    | Drawing
    | Plane
)


class Decided(NamedTuple):
    """A pruning decision, worked out."""

    nodes: frozenset[int]
    """The nodes that the decision is about, by their numbers in the tree before it."""
    blocks: tuple[Block, ...]


class PruningView(NamedTuple):
    """How the result of a pruning is shown; each function is given the pruning and its result."""

    of: type[Found]
    """The kind of the result."""
    tables: Callable[[PerformedPruning, Any], Iterable[DecisionTable]]
    """One table, or one for each round, with a line for each decision."""
    preface: Callable[[PerformedPruning, Any], Iterable[Block]]
    """The meaning of the symbols."""
    decisions: Callable[[PerformedPruning, Any], Iterable[Decided]]
    """The decisions, worked out."""
    record: Callable[[PerformedPruning, Any], Record] = lambda act, found: act.record
    """The options of the method, as they are shown."""
    sequence: Callable[[Any, Choice | None, bool], Iterable[Block]] = lambda found, choice, in_full: ()
    """The trees from which the method chose, with the cross-validation that chose one, if any; perhaps in full."""


def meanings(table: Mapping[str, str]) -> tuple[Meaning, ...]:
    """Formulas with their meanings, from their texts."""
    return tuple((symbol(formula), meaning) for formula, meaning in table.items())


def legend(table: Mapping[str, str]) -> Legend:
    """The meaning of some symbols."""
    return Legend(meanings(table))


class Scope(NamedTuple):
    """The nodes of a tree that are worked out, and the form of figures."""

    node: str | None = None
    """The path of the only node to work out; None: all nodes."""
    every: bool = True
    """Whether all nodes of a large tree are worked out, and not only the root."""
    digits: NumberFormat = USUAL

    def number_in(self, tree: Tree) -> int | None:
        """The number of the only node to work out, in a tree that has it.

        Raises:
            InputError: there is no such node.
        """
        return None if self.node is None else tree.find(self.node)


WHOLE = Scope()
"""All nodes, and six decimals."""


def digits_of(tree: Tree, places: int = PLACES, *, exact: bool = False) -> NumberFormat:
    """How figures are written in the derivation of a tree; for a tree that predicts numbers, not as fractions.

    Raises:
        InputError: more decimals are wanted than are printed.
    """
    if not 0 <= places <= MOST_PLACES:
        raise InputError(f"a figure has 0 to {MOST_PLACES} decimals, not {places}")
    return NumberFormat(places, exact) if tree.target.values is not None else NumberFormat(places, exact, terms=0)


# The name of a node in every derivation.


def path_of(tree: Tree, number: int) -> str:
    """The path of a node, on one line, with conditions written as in tests."""
    return one_line("/" + "/".join(path_step(test, branch, plain=True) for test, branch in tree.conditions(number)))


def heading(tree: Tree, number: int, node: Node | None = None) -> NodeHeading:
    """The heading of a node, or of the node that it has become: its path, the weight that reaches it, its figures."""
    node = node or tree.nodes[number]
    if not node.weight and tree.silent & {"counts", "inner-counts"}:  # a print that tells none is no node without rows
        return NodeHeading(path_of(tree, number), "rows", ("not stated",), ("not stated",))
    figures, brief = (tuple(arrived(tree, node, all_of_them=full)) for full in (True, False))
    if tree.target.values is None and node.weight:  # the heading gives the number of rows already
        figures = brief = (minus(answered(node)), minus(spread_of(node)[1]))
    is_count = node.weight == floor(node.weight)
    return NodeHeading(path_of(tree, number), amount(node.weight, weighted=not is_count), figures, brief)


def of_node(letter: str, tree: Tree, number: int) -> Symbol:
    r"""A quantity of a node, with its path: `g(/outlook=overcast)`."""
    return symbol(f"{letter}(A)").of(path_of(tree, number))
