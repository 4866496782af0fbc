r"""Wording: names and figures, as all views write them.

A name of the data may be anything that fits in a cell of a table: Chinese, a quotation mark, a line break. A view never
drops or changes such a name; it escapes characters that would break the page.

1. `one_line` keeps a name on its line; every other function for names begins with it.
2. `tex_name`, `markdown_name`, `xml_name`, `dot_name` and `mermaid_name` escape the special characters of each format.
3. `width` is the width of a text in a terminal; `fill` breaks lines by it, `cut_short` and `padded` fit a text.

For a class tree the figures of a node are the weight of each class, `no 5, yes 9`; for a regression tree the number of
rows and their distance from the answer of the node, `n 4, sse 5.31`.

4. `weight_text` writes a weight: exactly if that is short, otherwise rounded, with a mark that says so; `amount` is an
   amount of data in words. `written` does the same for a value of the data, and `number_text` for a computed number.
5. `arrived` describes the rows at a node: `counts_of` lists the classes, `spread_of` the figures of a numeric target.
6. `asked`, `answers` and `step_of` are a test, its outcomes, and the test with one of them, for all views.
7. `caption` is the text in a drawn node, and `below` has the nodes below it with the answers leading there.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from html import escape
from typing import Any

from reference_tree.data.errors import number_of
from reference_tree.data.linear_tests import Linear
from reference_tree.data.questions import Multiway, Outcome, Test
from reference_tree.data.sample import Counts
from reference_tree.exact.rationals import Rational, decimal_text, exactly
from reference_tree.exact.rounding import Roundable, decimal, significant
from reference_tree.node import Derivatives, Deviations, Label, Node
from reference_tree.tree import Tree

TEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    **{character: "\\" + character for character in "#$%&_{}"},
}
"""The TeX of each character that is special in TeX."""

_MARKDOWN = {
    **{character: "\\" + character for character in "\\`*_[]|"},
    **{character: f"&#{ord(character)};" for character in "<&$~"},
}
_MERMAID = re.compile(r"(?<![^\W_])[.-]|[.-](?![^\W_])|[^\w ,=.-]|[_\ufb02]")
_MERMAID_MARKS = re.compile(r"\\(?=n)|\ufb02(?=°)|¶(?=ß)|\$(?=\$)|:(?=fa-)")
# A line break, its own entities, a formula, an icon.


def one_line(name: str) -> str:
    r"""A name without line breaks and control characters: those are written as Python escapes them.

    Example:
        >>> print(one_line("two\nlines"))
        two\nlines
    """
    if name.isprintable():
        return name
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in name)


def answer_text(label: Label, write: Callable[[Any], str] | None = None) -> str:
    """The answer of a node: the class, or the number, as `number_text` writes it unless `write` says otherwise."""
    return one_line(label) if isinstance(label, str) else (write or number_text)(label)


def tex_name(name: str) -> str:
    r"""A name as text inside a formula.

    Example:
        >>> print(tex_name("in_out"), tex_name("纹理"))
        \text{in\_out} \text{纹理}
    """
    written = re.sub("-(?=-)", "-{}", _replaced(name, TEX))  # two in a row would become a dash
    return rf"\text{{{written}}}"


def markdown_name(name: str) -> str:
    r"""A name as running text on a page, or in a cell of a table.

    Example:
        >>> print(markdown_name("a|b *and* <c>"))
        a\|b \*and\* &#60;c>
    """
    return _replaced(name, _MARKDOWN)


def _replaced(name: str, special: Mapping[str, str]) -> str:
    return "".join(special.get(character, character) for character in one_line(name))


def xml_name(name: str) -> str:
    """A name as text in an element, or in the value of an attribute, of SVG."""
    return escape(one_line(name))


def dot_name(name: str) -> str:
    r"""A name as part of a quoted label of Graphviz, which has its own escapes and reads the entities of HTML.

    Example:
        >>> print(dot_name('a "b" \\ c &amp;'))
        a \"b\" \\ c &amp;amp;
    """
    return one_line(name).replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")


def mermaid_name(name: str) -> str:
    """A name as part of a quoted label of Mermaid, with special characters written by their numbers.

    Letters, digits, blanks, commas, and points and hyphens within a word stay; anything else could be a bracket, a
    mark of Markdown, an entity or a directive to Mermaid, which documents no complete list. Mermaid finds a few of its
    marks even in characters written by numbers; a joiner of no width separates those.

    Example:
        >>> print(mermaid_name('a "b" <= 76.5'))
        a #34;b#34; #60;= 76.5
    """
    return _MERMAID.sub(lambda match: f"#{ord(match[0])};", _MERMAID_MARKS.sub("\\g<0>\u2060", one_line(name)))


def width(text: str) -> int:
    """The columns of a terminal that a text takes: two for a Chinese character, none for a combining mark."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def fill(pieces: Iterable[str], room: int) -> Iterator[str]:
    """The pieces in lines of at most `room` columns, with one blank between two; a piece is never broken.

    Example:
        >>> list(fill(["to", "be", "or", "not", "to", "be"], 8))
        ['to be or', 'not to', 'be']
    """
    line: list[str] = []
    taken = 0
    for piece in pieces:
        wanted = width(piece) + 1
        if line and taken + wanted > room + 1:
            yield " ".join(line)
            line, taken = [], 0
        line.append(piece)
        taken += wanted
    if line:
        yield " ".join(line)


def enumerated(items: Sequence[str]) -> list[str]:
    """The items of a list, each but the last followed by a comma."""
    return [*(f"{item}," for item in items[:-1]), *items[-1:]]


def cut_short(text: str, room: int) -> str:
    """A text cut to at most `room` columns; an ellipsis marks the cut."""
    if width(text) <= room:
        return text
    taken = 0
    for place, character in enumerate(text):
        taken += width(character)
        if taken >= room:
            return text[:place] + "…"
    raise AssertionError("a text that is too wide is as wide as its room at some character")


def padded(text: str, room: int, *, left: bool) -> str:
    """A text padded with blanks to a width, aligned to the left or to the right."""
    blanks = " " * (room - width(text))
    return text + blanks if left else blanks + text


# Figures.

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


def number_text(number: Roundable) -> str:
    """A number for people: a whole number or a short decimal as it is.

    Any other is rounded to `DIGITS` digits or more, at least one of them a decimal; its zeros stay.

    Example:
        >>> from fractions import Fraction
        >>> list(map(number_text, (1234567, Fraction(1, 8), Fraction(16, 3), Fraction(3000000, 7))))
        ['1234567', '0.125', '5.33333', '428571.4']
        >>> number_text(Fraction(10**9, 10**9 - 1)), number_text(Fraction(3 * 10**8 + 1, 3))
        ('1.00000', '100000000.3')
    """
    rounded = significant(number, max(DIGITS, len(decimal(number, 0).lstrip("-")) + 1))
    if isinstance(number, int | Fraction) and (short := if_short(number, 4 * LONG)) is not None:
        if Fraction(rounded) == short:
            return rounded
        if len(exact := decimal_text(short)) <= DECIMAL and "/" not in exact:
            return exact
    rounded += "" if "." in rounded else ".0"
    return rounded + "0" * (DIGITS - len(re.sub(r"^[-0.]+|\.", "", rounded)))


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
    return f"a weight of {written}" if weighted else number_of(weight, "row", written)


def cell_text(value: str | Rational | float | None) -> str:
    """A cell of the data: `?` where it is missing."""
    return "?" if value is None else one_line(value) if isinstance(value, str) else decimal_text(exactly(value))


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
        return n, ", ".join(f"{name} {number_text(one)}" for name, one in sums)
    error = "sad" if isinstance(node.counts, Deviations) else "sse"
    return n, f"{error} {number_text(node.error)}"


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
    """A test: its attribute, or the condition of its first branch; long coefficients of a line are rounded.

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
    """The outcomes of a test, in branch order.

    Example:
        >>> from reference_tree.data.questions import Subset
        >>> answers(Subset("job", ("no",))), answers(Subset("age", ("old", "young")))
        (('no', '≠no'), ('in {old, young}', 'not in {old, young}'))
    """
    return tuple(one_line(label_of(outcome)) for outcome in _short(test).outcomes)


def step_of(test: Test, branch: int) -> str:
    """A test together with one of its outcomes.

    Example:
        >>> from reference_tree.data.questions import Subset
        >>> step_of(Subset("job", ("no",)), 1), step_of(Subset("age", ("old", "young")), 1)
        ('job≠no', 'age not in {old, young}')
    """
    outcome = test.outcomes[branch].plain
    return one_line(f"{test.attribute}{outcome.sign}{written(outcome)}")


def is_rounded(test: Test) -> bool:
    """Whether a test is a line with long coefficients, which `asked` rounds."""
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
