"""Figures: the rows that reach a node, and their weight, in a few words.

For a class tree the figures are the weight of each class, `no 5, yes 9`; for a regression tree the number of rows and
their distance from the answer of the node, `n 4, sse 5.31`. All views use the same words.

1. `weight_text` writes a weight: exactly if that is short, otherwise rounded, with a mark that says so; `amount` is an
   amount of data in words. `written` does the same for a value of the data.
2. `arrived` describes the rows at a node: `counts_of` lists the classes, `spread_of` the figures of a numeric target.
3. `asked`, `answers` and `step_of` are a question, its answers, and the question with one of them, for all views.
4. `caption` is the text in a drawn node, and `below` has the nodes below it with the answers leading there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from reference_tree.data.linear_tests import Linear
from reference_tree.data.questions import Multiway, Outcome, Test
from reference_tree.data.sample import Counts
from reference_tree.exact.rationals import Rational, decimal_text, exactly
from reference_tree.exact.rounding import significant
from reference_tree.node import Derivatives, Deviations, Node
from reference_tree.tree import Tree
from reference_tree.views.names import answer_text, enumerated, fill, one_line

DIGITS = 6
"""The significant digits of a rounded number."""

DECIMAL, RATIO = 12, 8
"""The most characters of a decimal, and of a ratio p/q; longer ones are rounded: the weights of rows without an answer
soon have thousands."""

LONG, FINE = 60, 20
"""The most characters of a value of the data, and the digits to which a longer one is rounded. Every double between
10^-6 and 10^60 is shown in full."""

EXACT = 24
"""The most characters in a table whose figures enter formulas."""


def weight_text(weight: Rational, room: int = RATIO) -> str:
    """A weight for people: exact if that is short or an integer, else rounded.

    Args:
        weight: the weight.
        room: the most characters of a ratio; a longer one is rounded.

    Example:
        >>> from fractions import Fraction
        >>> weight_text(Fraction(1, 2)), weight_text(Fraction(7, 15)), weight_text(Fraction(7, 15) ** 20)
        ('0.5', '7/15', '≈ 0.000000239958')
    """
    short = if_short(weight, 4 * DECIMAL + 4 * room)
    if short is not None:
        written = decimal_text(short)
        if short.denominator == 1 or len(written) <= (room if "/" in written else DECIMAL):
            return written
    return f"≈ {significant(weight, DIGITS)}"


def written(outcome: Outcome) -> str:
    """The value of an answer for people: a number of more than `LONG` characters is rounded to `FINE` digits.

    Example:
        >>> written(Outcome("le", Fraction(3, 2))), written(Outcome("gt", Fraction(3 * 10**99 + 1, 2)))
        ('1.5', '1.5e+99')
    """
    text = outcome.written
    if not isinstance(outcome.value, int | Fraction) or len(text) <= LONG:
        return text
    text = significant(outcome.value, FINE)
    if len(text) <= LONG:
        return text
    digits, _, exponent = f"{Decimal(text):.{FINE - 1}e}".partition("e")
    return f"{digits.rstrip('0').rstrip('.')}e{exponent}"


def label_of(outcome: Outcome) -> str:
    """The condition on a branch without its attribute, as in `Outcome.label`, but in plain words for people."""
    outcome = outcome.plain
    return written(outcome) if outcome.relation == "is" else f"{outcome.sign}{written(outcome)}".strip()


def if_short(number: Rational, bits: int) -> Rational | None:
    """A number that is an integer, or whose numerator and denominator together have at most `bits` bits; else None.

    Numerator and denominator are computed only if they are short: those of a weight may have millions of digits.

    Example:
        >>> from fractions import Fraction
        >>> if_short(Fraction(7, 15), 7), if_short(Fraction(7, 15), 6), if_short(10**9, 6)
        (Fraction(7, 15), None, 1000000000)
    """
    near = number if isinstance(number, int) else number.limit_denominator(1 << bits)
    if near != number:
        return None
    is_short = near.numerator.bit_length() + near.denominator.bit_length() <= bits
    return near if is_short or near.denominator == 1 else None


def amount(weight: Rational, *, weighted: bool) -> str:
    """An amount of data in words: the number of rows, or their weight if not all weights are 1.

    Example:
        >>> amount(14, weighted=False), amount(1, weighted=False), amount(14, weighted=True)
        ('14 rows', '1 row', 'a weight of 14')
    """
    written = weight_text(weight)
    return f"a weight of {written}" if weighted else f"{written} row" + ("" if weight == 1 else "s")


def cell_text(value: str | Rational | float | None) -> str:
    """A cell of the data: `?` where it is missing."""
    return "?" if value is None else one_line(value) if isinstance(value, str) else decimal_text(exactly(value))


def leaves_text(number: int) -> str:
    """A number of leaves in words."""
    return "1 leaf" if number == 1 else f"{number} leaves"


def counts_of(classes: Sequence[str], counts: Counts, *, all_of_them: bool = True) -> list[str]:
    """The weight of each class as text, or only of classes with a weight above 0."""
    pairs = zip(classes, counts, strict=True)
    return [f"{one_line(label)} {weight_text(count)}" for label, count in pairs if count or all_of_them]


def spread_of(node: Node) -> tuple[str, str]:
    """The number of values at a node, and their squared (or absolute) distance from its answer, or derivatives.

    Example:
        >>> spread_of(Node((3, 9, 41), 3)), spread_of(Node(Deviations(3, 2, 5), 2))
        (('n 3', 'sse 14'), ('n 3', 'sad 5'))
    """
    n = f"n {weight_text(node.weight)}"
    if isinstance(node.counts, Derivatives):
        sums = zip("GH", node.counts[1:], strict=True)
        return n, ", ".join(f"{name} {significant(one, DIGITS)}" for name, one in sums)
    error = "sad" if isinstance(node.counts, Deviations) else "sse"
    return n, f"{error} {significant(node.error, DIGITS)}"


def arrived(tree: Tree, node: Node, *, all_of_them: bool = False) -> list[str]:
    """The figures of a node; empty if no row reaches it or none was counted. A leaf shows its answer elsewhere.

    Example:
        >>> from reference_tree.data.schema import Attribute
        >>> arrived(Tree(Attribute("play", ("no", "yes")), (), ()), Node((5, 9), "yes"))
        ['no 5', 'yes 9']
    """
    if tree.target.values is not None and not isinstance(node.counts, Derivatives):
        return counts_of(tree.target.values, node.counts, all_of_them=all_of_them)
    if not node.weight:
        return []
    n, error = spread_of(node)
    return [n, error] if node.test is None else [n, answered(node), error]


def answered(node: Node) -> str:
    """The number that a node answers, with its name: `mean 3`, `median 2`; in a boosted tree `adds 1`."""
    names: dict[type, str] = {Deviations: "median", Derivatives: "adds"}
    return f"{names.get(type(node.counts), 'mean')} {answer_text(node.label)}"


COEFFICIENTS = 4
"""The significant digits of the coefficients and of the threshold of a line, if a coefficient has more."""


def asked(test: Test) -> str:
    """A question: its attribute, or the condition of its first branch; long coefficients of a line are rounded.

    Example:
        >>> from reference_tree.data.questions import Coordinate, Subset
        >>> asked(Subset("job", ("no",))), asked(Subset("age", ("old", "young")))
        ('job=no', 'age in {old, young}')
        >>> line = Linear(((Coordinate("a"), 3), (Coordinate("b"), -1)), 7)
        >>> asked(line), asked(Linear.of({Coordinate("a"): 12345, Coordinate("b"): -54321}, 7))
        ('3*a-b<=7', '823*a-3622*b<=0.4667')
    """
    return one_line(test.attribute) if isinstance(test, Multiway) else step_of(_short(test), 0)


def answers(test: Test) -> tuple[str, ...]:
    """The answers to a question, in branch order.

    Example:
        >>> from reference_tree.data.questions import Subset
        >>> answers(Subset("job", ("no",))), answers(Subset("age", ("old", "young")))
        (('no', '≠no'), ('in {old, young}', 'not in {old, young}'))
    """
    return tuple(one_line(label_of(outcome)) for outcome in _short(test).outcomes)


def step_of(test: Test, branch: int) -> str:
    """A question together with one of its answers.

    Example:
        >>> from reference_tree.data.questions import Subset
        >>> step_of(Subset("job", ("no",)), 1), step_of(Subset("age", ("old", "young")), 1)
        ('job≠no', 'age not in {old, young}')
    """
    outcome = test.outcomes[branch].plain
    return one_line(f"{test.attribute}{outcome.sign}{written(outcome)}")


def is_rounded(test: Test) -> bool:
    """Whether a question is a line with long coefficients, which `asked` rounds."""
    return isinstance(test, Linear) and any(abs(weight) >= 10**COEFFICIENTS for _, weight in test.weights)


def _short(test: Test) -> Test:
    if not isinstance(test, Linear) or not is_rounded(test):
        return test
    near = Linear.of({coordinate: _rounded(weight) for coordinate, weight in test.weights}, test.threshold)
    return replace(near, threshold=_rounded(near.threshold))


def _rounded(number: Rational) -> Fraction:
    return Fraction(significant(number, COEFFICIENTS))


def name_of(node: Node) -> str:
    """The name of a drawn node: the attribute that it asks for, or its answer."""
    return answer_text(node.label) if node.test is None else node.test.attribute


def caption(tree: Tree, node: Node, room: int = 32) -> list[str]:
    """The lines in a drawn node: its name and its figures.

    Example:
        >>> from reference_tree.data.schema import Attribute
        >>> caption(Tree(Attribute("play", ("no", "yes")), (), ()), Node((5, 9), "yes"))
        ['yes', 'no 5, yes 9']
    """
    figures = arrived(tree, node) or (["no row"] if node.prior else [])
    return [name_of(node), *fill(enumerated(figures), room)]


def below(node: Node) -> Iterator[tuple[int, Outcome]]:
    """The nodes below a node, by number, each with the answer that leads there, in plain words; none below a leaf."""
    if node.test is not None:
        yield from zip(node.branches, (outcome.plain for outcome in node.test.outcomes), strict=True)
