"""The parts of a pruning's derivation: what all methods have in common.

A `Part` is one decision, in blocks. It has a `heading`, the two sides as equations, and a sentence in which they are
`compared`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from reference_tree.exact.log_sums import Number
from reference_tree.exact.long_numbers import is_whole
from reference_tree.exact.rounding import decimal
from reference_tree.exact.worked import Worked
from reference_tree.tree import Tree
from reference_tree.views.arrivals import amount, arrived
from reference_tree.views.blocks import Block, Heading, Symbol
from reference_tree.views.names import one_line, tex_name
from reference_tree.views.notation import PLACES
from reference_tree.views.pruning_sheets import figure


class Part(NamedTuple):
    """A decision, worked out."""

    nodes: frozenset[int]
    """The nodes it is about, by their numbers in the tree before."""
    blocks: tuple[Block, ...]


def heading(tree: Tree, number: int) -> Heading:
    """A node: its path, and the training rows that reach it.

    Example:
        >>> import reference_tree as rt
        >>> heading(rt.ID3().grow(rt.textbook("play-tennis")), 1)
        Heading(path='/outlook=overcast', arrives='4 rows', figures=('no 0', 'yes 4'), brief=('yes 4',))
    """
    node = tree.nodes[number]
    every, some = (tuple(arrived(tree, node, all_of_them=full)) for full in (True, False))
    weighted = not is_whole(node.weight)
    return Heading(one_line(tree.path(number)), amount(node.weight, weighted=weighted), every, some)


def of_node(letter: str, tree: Tree, number: int) -> Symbol:
    r"""A quantity of a node, under its path.

    Example:
        >>> import reference_tree as rt
        >>> print(*of_node("g", rt.ID3().grow(rt.textbook("play-tennis")), 1))
        g(/outlook=overcast) g(\text{/outlook=overcast})
    """
    path = tree.path(number)
    return Symbol(f"{letter}({one_line(path)})", f"{letter}({tex_name(path)})")


def compared(left: Number, right: Number, write: Callable[[Number], str] = figure) -> str:
    """Two numbers with the sign between them, and with as many decimals as it takes to see it.

    Args:
        left: a number.
        right: another one.
        write: how they are written.

    Example:
        >>> from reference_tree.exact.log_sums import log
        >>> compared(8, log(3)), compared(log(9), 2 * log(3)), compared(log(3), log(3) + log(2) / 10**8)
        ('8 > 1.584963', '3.169925 = 3.169925', '1.584962500721 < 1.584962510721')
    """
    sign = "=" if left == right else "<" if left < right else ">"
    one, other = write(left), write(right)
    places = PLACES
    while sign != "=" and one.removeprefix("≈ ") == other.removeprefix("≈ "):
        places *= 2
        one, other = decimal(left, places), decimal(right, places)
    return f"{one} {sign} {other}"


def quantity(worked: Worked) -> Worked:
    """A result, which stands in a further formula as its value."""
    return Worked(worked.value, "quantity", (worked,), "quantity")


def total(terms: Sequence[Worked]) -> Worked:
    """The sum of some terms; 0 if there are none."""
    return sum(terms[1:], terms[0]) if terms else Worked(0, "number")
