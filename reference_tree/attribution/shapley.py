r"""Shapley values: the mean of what an attribute adds to the answer, over all orders in which it may become known.

1. `shapley` is the definition, over all subsets of the attributes; `interactions` the definition for pairs.
2. `values_of` and `interactions_of` are those of a tree for many rows, by the definition; the engine has fast forms of
   both, which add up polynomials of leaves and are equal in fractions.

Four laws determine the Shapley values: they add up to v(everything) - v(nothing) (*efficiency*); attributes that add
the same to every set have the same value (*symmetry*); one that adds nothing has 0 (*dummy*); and the values of a sum
of functions are the sums of the values (*linearity*).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import factorial
from typing import TypeAlias

from reference_tree.attribution.summands import Summand
from reference_tree.attribution.value_functions import Cells, ValueFunction, interventional, path_dependent
from reference_tree.data.errors import InputError
from reference_tree.twins import twin

Values: TypeAlias = dict[str, Fraction]
"""Attribute → its value."""
Interactions: TypeAlias = dict[tuple[str, str], Fraction]
"""Each pair of attributes → its value."""

MOST = 16
"""The most attributes of a tree for which the definition goes through all subsets."""


def subsets(names: Sequence[str]) -> Iterator[frozenset[str]]:
    """All subsets, small ones first."""
    return (frozenset(chosen) for size in range(len(names) + 1) for chosen in combinations(names, size))


def shapley(v: ValueFunction, names: Sequence[str]) -> Values:
    r"""The Shapley value of each attribute, by definition.

    $$\varphi_i = \sum_{S \not\ni i} \frac{|S|! \, (n - |S| - 1)!}{n!} \bigl( v(S \cup \{i\}) - v(S) \bigr)$$

    Args:
        v: the value function.
        names: the n attributes.

    Returns:
        φ, which adds up to v(everything) - v(nothing).

    Raises:
        InputError: there are more than `MOST` attributes, and so too many subsets.

    Example:
        >>> glove = lambda S: Fraction("left" in S and ("right" in S or "other right" in S))
        >>> {name: str(value) for name, value in shapley(glove, ["left", "right", "other right"]).items()}
        {'left': '2/3', 'right': '1/6', 'other right': '1/6'}

    Source:
        [Shapley1953 §3]
    """
    n, expected = len(names), _everywhere(v, names)
    weights = [Fraction(factorial(size) * factorial(n - size - 1), factorial(n)) for size in range(n)]
    return {
        i: sum((weights[len(S)] * (expected[S | {i}] - expected[S]) for S in expected if i not in S), Fraction(0))
        for i in names
    }


def interactions(v: ValueFunction, names: Sequence[str]) -> Interactions:
    r"""The Shapley interaction values, by definition: each value of `shapley`, divided among the pairs.

    $$\Phi_{ij} = \sum_{S \not\ni i, j} \frac{|S|! \, (n - |S| - 2)!}{2 \, (n - 1)!} \bigl(
    v(S \cup \{i, j\}) - v(S \cup \{i\}) - v(S \cup \{j\}) + v(S) \bigr), \qquad
    \Phi_{ii} = \varphi_i - \sum_{j \ne i} \Phi_{ij}$$

    Args:
        v: the value function.
        names: the n attributes.

    Returns:
        Φ for all pairs in both orders; a row of it adds up to φ_i.

    Raises:
        InputError: as for `shapley`.

    Example:
        >>> both = lambda S: Fraction(len(S) == 2)
        >>> {pair: str(value) for pair, value in interactions(both, ["a", "b"]).items()}
        {('a', 'a'): '0', ('a', 'b'): '1/2', ('b', 'a'): '1/2', ('b', 'b'): '0'}

    Source:
        [GrabischRoubens1999], [Lundberg2020 §methods]. Half of the interaction index stands at each of (i, j) and
        (j, i).
    """
    n, expected, single = len(names), _everywhere(v, names), shapley(v, names)
    weights = [Fraction(factorial(size) * factorial(n - size - 2), 2 * factorial(n - 1)) for size in range(n - 1)]
    found = {(i, j): Fraction(0) for i in names for j in names}
    for i, j in combinations(names, 2):
        for S in expected:
            if i not in S and j not in S:
                together = expected[S | {i, j}] - expected[S | {i}] - expected[S | {j}] + expected[S]
                found[i, j] += weights[len(S)] * together
        found[j, i] = found[i, j]
    for i in names:
        found[i, i] = single[i] - sum(found[i, j] for j in names if j != i)
    return found


def _everywhere(v: ValueFunction, names: Sequence[str]) -> dict[frozenset[str], Fraction]:
    """The expected answer for every subset."""
    if len(names) > MOST:
        raise InputError(f"the tree asks for {len(names)} attributes, which have too many subsets for the definition")
    return {S: v(S) for S in subsets(names)}


def value_function(term: Summand, row: Cells, background: Sequence[Cells] | None = None) -> ValueFunction:
    """The interventional value function if there are background rows, and the path-dependent one otherwise."""
    return path_dependent(term, row) if background is None else interventional(term, row, background)


@twin
def values_of(term: Summand, rows: Sequence[Cells], background: Sequence[Cells] | None = None) -> list[Values]:
    """The Shapley values of the attributes that a tree asks for, but for its weight, for each row.

    Args:
        term: the tree.
        rows: the rows, as the tree reads them.
        background: the background rows, for interventional values; None: path-dependent values.

    Raises:
        InputError: as for `shapley` and the value functions.
    """
    return [shapley(value_function(term, row, background), term.names) for row in rows]


@twin
def interactions_of(
    term: Summand, rows: Sequence[Cells], background: Sequence[Cells] | None = None
) -> list[Interactions]:
    """The interaction values of the attributes that a tree asks for, but for its weight, for each row.

    Args:
        term: as for `values_of`.
        rows: likewise.
        background: likewise.
    """
    return [interactions(value_function(term, row, background), term.names) for row in rows]
