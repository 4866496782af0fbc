r"""Leaf polynomials: Shapley values leaf by leaf, without subsets.

On one path, both value functions are a product over its attributes: o_i, the part of the row that follows the tests of
attribute i on the path, if i is known; r_i, the part that follows them if it is not, by cover or as the background row
goes. So

$$v(S) = \sum_\ell y_\ell \prod_{i \in S} o_i \prod_{i \notin S} r_i, \qquad
\varphi_i = \sum_\ell y_\ell \, (o_i - r_i) \sum_k \frac{k! \, (d - 1 - k)!}{d!} \, e_k, \qquad
\sum_k e_k t^k = \prod_{j \ne i} (r_j + o_j t)$$

with d attributes on the path: the coefficient e_k adds up the products over all S of k attributes. An attribute that is
tested twice is one factor; a row that is divided, or stays at a node, is no special case. A surrogate and a test of
several attributes are no products: there the definition itself answers.

1. `paths` are the paths of a tree, with the pair (r_i, o_i) of each attribute.
2. `leaf_values` and `leaf_interactions` are what a path gives to the values.
3. `values_by_paths` and `interactions_by_paths` add them up.

Source:
    [Lundberg2020 §methods]. There the factors of a path are multiplied in and divided out one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import factorial
from typing import TypeAlias, TypeVar

from reference_tree.attribution.shapley import (
    MOST,
    Interactions,
    Values,
    interactions,
    shapley,
    value_function,
)
from reference_tree.attribution.summands import Summand
from reference_tree.attribution.value_functions import Cells, ValueFunction
from reference_tree.data.errors import InputError
from reference_tree.exact.rationals import Rational

Pairs: TypeAlias = Mapping[str, tuple[Rational, Rational]]
"""For each attribute of a path r_i and o_i."""
Parts: TypeAlias = Mapping[int | None, Rational]
"""Branch → the part of a row that takes it; None: the part that stays at the node."""


Key = TypeVar("Key")
"""An attribute, or a pair."""
Result = TypeVar("Result")


class NoProductError(Exception):
    """A test that makes v no product over the attributes of a path."""


def parts_at(term: Summand, number: int, cells: Cells) -> Parts:
    """The part of a row that takes each branch of a node.

    Raises:
        NoProductError: the test is of several attributes, or the row has a gap that a surrogate may fill.
        InputError: as for `Missing.ways`.
    """
    node = term.tree.nodes[number]
    assert node.test is not None
    if len(node.test.attributes) > 1:
        raise NoProductError(node.test.name)
    if node.missing.surrogates and cells.get(node.test.attribute) is None and node.test.attribute in cells:
        raise NoProductError(f"a surrogate of {node.test.name}")
    return dict(node.missing.ways(node.test, cells))


def paths(term: Summand, row: Cells, other: Cells | None = None) -> Iterator[tuple[Fraction, Pairs]]:
    """The value at the end of each path, with the pairs of its attributes; paths that give nothing are left out.

    Args:
        term: the tree.
        row: the row.
        other: the background row; None: unknown attributes go by cover.
    """
    pending: list[tuple[int, dict[str, tuple[Rational, Rational]]]] = [(0, {})]
    while pending:
        number, pairs = pending.pop()
        node = term.tree.nodes[number]
        if node.test is None:
            yield term.values[number], pairs
            continue
        r, o = pairs.get(node.test.attribute, (1, 1))
        on = parts_at(term, number, row) if o else {}
        off = {} if not r else dict(term.shares(number)) if other is None else parts_at(term, number, other)
        for branch in {**on, **off}:
            pair = r * off.get(branch, 0), o * on.get(branch, 0)
            if any(pair):
                below = {**pairs, node.test.attribute: pair}
                if branch is None:
                    yield term.values[number], below
                else:
                    pending.append((node.branches[branch], below))


def product(factors: Sequence[tuple[Rational, Rational]]) -> list[Rational]:
    """The coefficients of the product of all (r + o t), the lowest first.

    Example:
        >>> product([(1, 2), (3, 1)])
        [3, 7, 2]
    """
    found: list[Rational] = [1]
    for r, o in factors:
        found = [r * low + o * high for low, high in zip([*found, 0], [0, *found], strict=True)]
    return found


def without(e: Sequence[Rational], r: Rational, o: Rational) -> list[Rational]:
    """The coefficients of a product that is divided by one of its factors, (r + o t), of which not both are 0.

    Example:
        >>> without(product([(1, 2), (3, 1)]), 3, 1) == [1, 2] == without(product([(1, 2), (3, 0)]), 3, 0)
        True
    """
    if not o:
        return [Fraction(each) / r for each in e[:-1]]
    found: list[Rational] = [0]
    for each in e[:0:-1]:
        found.append((each - r * found[-1]) * Fraction(1) / o)
    return found[:0:-1]


def leaf_values(value: Fraction, pairs: Pairs) -> Values:
    """What one path gives to the value of each of its attributes."""
    d, whole, found = len(pairs), product([*pairs.values()]), {}
    for i, (r, o) in pairs.items():
        found[i] = value * (o - r) * _weighed(without(whole, r, o), d - 1) / factorial(d)
    return found


def _weighed(e: Sequence[Rational], others: int) -> Rational:
    """The sum of the coefficients of a product of so many factors, each times k! (others - k)!."""
    return sum(factorial(k) * factorial(others - k) * each for k, each in enumerate(e))


def leaf_interactions(value: Fraction, pairs: Pairs) -> Interactions:
    """What one path gives to the interaction value of each pair, and takes from the diagonal."""
    d, whole = len(pairs), product([*pairs.values()])
    found = {(i, i): given for i, given in leaf_values(value, pairs).items()}
    for i, j in combinations(pairs, 2):
        (r, o), (s, p) = pairs[i], pairs[j]
        weighed = _weighed(without(without(whole, r, o), s, p), d - 2)
        found[i, j] = found[j, i] = value * (o - r) * (p - s) * weighed / (2 * factorial(d - 1))
        found[i, i] -= found[i, j]
        found[j, j] -= found[i, j]
    return found


def values_by_paths(term: Summand, row: Cells, background: Sequence[Cells] | None = None) -> Values:
    """The Shapley values of a row, path by path; by the definition, where v is no product."""
    try:
        return _added(term, row, background, leaf_values, dict.fromkeys(term.names, Fraction(0)))
    except NoProductError as error:
        return _by_definition(error, shapley, term, row, background)


def interactions_by_paths(term: Summand, row: Cells, background: Sequence[Cells] | None = None) -> Interactions:
    """The interaction values of a row, path by path; by the definition, where v is no product."""
    try:
        nothing = {(i, j): Fraction(0) for i in term.names for j in term.names}
        return _added(term, row, background, leaf_interactions, nothing)
    except NoProductError as error:
        return _by_definition(error, interactions, term, row, background)


def _added(
    term: Summand,
    row: Cells,
    background: Sequence[Cells] | None,
    given: Callable[[Fraction, Pairs], dict[Key, Fraction]],
    found: dict[Key, Fraction],
) -> dict[Key, Fraction]:
    """What all paths give; the mean over the background rows."""
    others = [None] if background is None else background
    for other in others:
        for value, pairs in paths(term, row, other):
            for key, each in given(value, pairs).items():
                found[key] += each
    return {key: each / len(others) for key, each in found.items()}


def _by_definition(
    error: NoProductError,
    definition: Callable[[ValueFunction, Sequence[str]], Result],
    term: Summand,
    row: Cells,
    background: Sequence[Cells] | None,
) -> Result:
    """The definition, where v is no product; refused if there are too many subsets."""
    if len(term.names) > MOST:
        raise InputError(
            f"{error} makes the value function no product over the paths, and the {len(term.names)} attributes of its "
            "tree have too many subsets for the definition"
        )
    return definition(value_function(term, row, background), term.names)
