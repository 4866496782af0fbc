"""Arrivals: what reaches a node, in a few words, and where it goes on.

Of a class tree it is the weight of each class, `no 5, yes 9`; of a regression tree how many rows there are and how far
they lie from what the node answers, `n 4, sse 5.31`. All views say it in the same words.

1. `weight_text` writes a weight: as it is while it is short, otherwise rounded, and then it says so.
2. `counts_of` lists the classes, `spread_of` the figures of a numeric target, `arrived` either of them for a node.
3. `caption` is what stands in a node that is drawn: its name, and what reaches it.
4. `ways` are the branches of a node with what leads along them.
5. `amount` is how much data there is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reference_tree.data.questions import Outcome
from reference_tree.data.sample import Counts
from reference_tree.exact.long_numbers import is_deferred, shortened
from reference_tree.exact.rationals import Rational, decimal_text
from reference_tree.exact.rounding import significant
from reference_tree.node import Deviations, Node
from reference_tree.tree import Tree
from reference_tree.views.names import answer_text, fill, one_line

DIGITS = 6
"""Significant digits of a number that is rounded."""

DECIMAL, RATIO = 12, 8
"""How many characters a decimal, and a ratio p/q, may take before it is rounded: weights of rows without an answer soon
have thousands."""

EXACT = 24
"""The same in a table whose figures go into formulas."""


def weight_text(weight: Rational, room: int = RATIO) -> str:
    """A weight for people: exactly, if that is short or no fraction.

    Args:
        weight: the weight.
        room: how many characters a ratio may take before it is rounded.

    Example:
        >>> from fractions import Fraction
        >>> weight_text(Fraction(1, 2)), weight_text(Fraction(7, 15)), weight_text(Fraction(7, 15) ** 20)
        ('0.5', '7/15', '≈ 0.000000239958')
    """
    longest = 4 * DECIMAL + 4 * room
    weight = shortened(weight, longest)
    if is_deferred(weight):
        return f"≈ {significant(weight, DIGITS)}"
    if weight.denominator == 1:
        return decimal_text(weight)
    if weight.numerator.bit_length() + weight.denominator.bit_length() <= longest:
        written = decimal_text(weight)
        if len(written) <= (room if "/" in written else DECIMAL):
            return written
    return f"≈ {significant(weight, DIGITS)}"


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
    return [f"{one_line(label)} {weight_text(count)}" for label, count in pairs if count or all_of_them]


def spread_of(node: Node) -> Iterator[str]:
    """How many numbers reach a node, and how far they lie from what it answers.

    Args:
        node: of a tree that predicts numbers; its error is squared, or absolute where the tree was grown by that.

    Example:
        >>> list(spread_of(Node((3, 9, 41), 3))), list(spread_of(Node(Deviations(3, 2, 5), 2)))
        (['n 3', 'sse 14'], ['n 3', 'sad 5'])
    """
    yield f"n {weight_text(node.weight)}"
    yield f"{'sad' if isinstance(node.counts, Deviations) else 'sse'} {significant(node.error, DIGITS)}"


def arrived(tree: Tree, node: Node, *, all_of_them: bool = False) -> list[str]:
    """What reaches a node; nothing where no row does, or nobody counted. A leaf shows by itself what it answers.

    Args:
        tree: the tree.
        node: one of its nodes.
        all_of_them: whether to list a class without any weight.

    Example:
        >>> from reference_tree.data.schema import Attribute
        >>> arrived(Tree(Attribute("play", ("no", "yes")), (), ()), Node((5, 9), "yes"))
        ['no 5', 'yes 9']
        >>> arrived(Tree(Attribute("weight"), (), ()), Node((3, 9, 41), 3))
        ['n 3', 'sse 14']
    """
    if tree.target.values is not None:
        return counts_of(tree.target.values, node.counts, all_of_them=all_of_them)
    if not node.weight:
        return []
    n, error = spread_of(node)
    return [n, error] if node.test is None else [n, answered(node), error]


def answered(node: Node) -> str:
    """The number that a node answers, with its name.

    Example:
        >>> answered(Node((3, 9, 41), 3)), answered(Node(Deviations(3, 2, 5), 2))
        ('mean 3', 'median 2')
    """
    return f"{'median' if isinstance(node.counts, Deviations) else 'mean'} {answer_text(node.label)}"


def name_of(node: Node) -> str:
    """What a node is called that is drawn: by the attribute it asks for, or by what it answers.

    Example:
        >>> name_of(Node((5, 9), "yes"))
        'yes'
    """
    return answer_text(node.label) if node.test is None else node.test.attribute


def enumerated(figures: Sequence[str]) -> list[str]:
    """The figures with a comma behind each but the last.

    Example:
        >>> enumerated(["no 5", "yes 9"])
        ['no 5,', 'yes 9']
    """
    return [*(f"{figure}," for figure in figures[:-1]), *figures[-1:]]


def caption(tree: Tree, node: Node, room: int = 32) -> list[str]:
    """The lines in a node that is drawn: its name, and what reaches it.

    Args:
        tree: the tree.
        node: one of its nodes.
        room: the columns of a line; a name may take more.

    Example:
        >>> from reference_tree.data.schema import Attribute
        >>> tree = Tree(Attribute("play", ("no", "yes")), (), ())
        >>> caption(tree, Node((5, 9), "yes")), caption(tree, Node((0, 0), "yes", prior=True))
        (['yes', 'no 5, yes 9'], ['yes', 'no row'])
    """
    figures = arrived(tree, node) or (["no row"] if node.prior else [])
    return [name_of(node), *fill(enumerated(figures), room)]


def ways(node: Node) -> Iterator[tuple[int, Outcome]]:
    """The nodes below a node, by number, each with the answer that leads there; none below a leaf.

    Example:
        >>> from reference_tree.data.questions import Threshold
        >>> [(below, outcome.label) for below, outcome in ways(Node((5, 9), "yes", Threshold("wind", 8), (1, 4)))]
        [(1, '<=8'), (4, '>8')]
    """
    if node.test is not None:
        yield from zip(node.branches, node.test.outcomes, strict=True)


def amount(weight: Rational, *, weighted: bool) -> str:
    """How much data there is, in words: rows, or their weight where it is not 1 for each.

    Example:
        >>> amount(14, weighted=False), amount(1, weighted=False), amount(14, weighted=True)
        ('14 rows', '1 row', 'a weight of 14')
    """
    written = weight_text(weight)
    return f"a weight of {written}" if weighted else f"{written} row" + ("" if weight == 1 else "s")
