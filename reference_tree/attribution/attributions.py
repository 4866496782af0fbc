"""Attributions: the Shapley values of a predictor for some rows.

`shapley_values` adds up those of its trees, and `shapley_interaction_values` those of pairs. Both give fractions; with
weights that are logarithms, as AdaBoost has them, sums of logarithms. The nearest doubles are computed without the
fractions (`Attributions.floats`): of a boosted model, these may have ten thousands of digits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from reference_tree.attribution.covers import GivenCover, cover_of
from reference_tree.attribution.leaf_polynomials import NoProductError, leaf_values, paths
from reference_tree.attribution.shapley import interactions_of, value_function, values_of
from reference_tree.attribution.summands import Sum, summed
from reference_tree.data.asked import AskedRow, Rows, listed_rows
from reference_tree.data.errors import InputError
from reference_tree.data.frames import GivenRow
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.exact.reals import Number
from reference_tree.tree import Tree
from reference_tree.twins import twin


@dataclass(frozen=True, repr=False)
class Attributions:
    """The Shapley values of some rows.

    Args:
        names: the attributes, in table order.
        explained: the answer, as a sum of trees.
        rows: the rows, as the trees read them.
        background: the background rows; None if the values are path-dependent.
        cover: the name of the cover that was taken; None if there was none, or its numbers were given.
    """

    names: Sequence[str]
    explained: Sum
    rows: Sequence[AskedRow]
    background: Sequence[AskedRow] | None = None
    cover: str | None = None

    def __repr__(self) -> str:
        """One line of text, however many rows there are."""
        return f"<Attributions of {self.explained.of}: {len(self.rows)} rows, {self.value_function}>"

    def of_rows(self, places: Iterable[int]) -> Attributions:
        """The same of some of the rows, by their places."""
        return replace(self, rows=[self.rows[place] for place in places])

    @property
    def value_function(self) -> str:
        """The name of the value function: `path_dependent` or `interventional`."""
        return "path_dependent" if self.background is None else "interventional"

    @cached_property
    def values(self) -> list[dict[str, Number]]:
        """For each row: attribute → its exact value, 0 for one that is never tested."""
        found: list[dict[str, Number]] = [dict.fromkeys(self.names, Fraction(0)) for _ in self.rows]
        for term in self.explained.summands:
            for total, each in zip(found, values_of(term, self.rows, self.background), strict=True):
                for name, value in each.items():
                    total[name] += term.weight * value
        return found

    @cached_property
    def floats(self) -> list[dict[str, float]]:
        """The same as doubles: each is the nearest to the exact value."""
        return nearest_values(self)

    @cached_property
    def interactions(self) -> list[dict[tuple[str, str], Number]]:
        """For each row: pair of attributes → its exact interaction value, in both orders; a row of it adds up to φ."""
        pairs = [(i, j) for i in self.names for j in self.names]
        found: list[dict[tuple[str, str], Number]] = [dict.fromkeys(pairs, Fraction(0)) for _ in self.rows]
        for term in self.explained.summands:
            for total, each in zip(found, interactions_of(term, self.rows, self.background), strict=True):
                for pair, value in each.items():
                    total[pair] += term.weight * value
        return found

    @cached_property
    def expected_value(self) -> Number:
        """v(nothing): the answer that is expected if no attribute is known; it is the same for all rows."""
        return self.explained.start + sum(
            term.weight * value_function(term, {}, self.background)(frozenset()) for term in self.explained.summands
        )

    @cached_property
    def predictions(self) -> list[Number]:
        """For each row the exact answer that is explained; it is the expected value plus the values of its row."""
        return list(map(self.explained.answer, self.rows))


@twin
def nearest_values(found: Attributions) -> list[dict[str, float]]:
    """The doubles that are nearest to the values."""
    return [{name: float(value) for name, value in each.items()} for each in found.values]


@twin
def masses_of(found: Attributions) -> list[dict[str, Fraction]]:
    r"""The mass of each value: the sum of what the leaves give to it, in absolute value.

    The error of a sum of floats is measured by it: in units of $u \, m_i$, where u is half of the distance from 1 to
    the next float. The value itself may be much smaller, as leaves cancel.

    Args:
        found: the values.

    Returns:
        For each row: attribute → its mass.

    Source:
        [Lundberg2020 §methods], of which each leaf is one summand.
    """
    masses = [dict.fromkeys(found.names, Fraction(0)) for _ in found.rows]
    others = [None] if found.background is None else found.background
    for total, row in zip(masses, found.rows, strict=True):
        for term in found.explained.summands:
            weight = abs(Fraction(term.weight if isinstance(term.weight, int | Fraction) else float(term.weight)))
            try:
                given = [leaf_values(*path) for other in others for path in paths(term, row, other)]
            except NoProductError:  # the leaves give at most their values
                given = [dict.fromkeys(term.names, value) for value in term.values] * len(others)
            for each in given:
                for name, value in each.items():
                    total[name] += weight * abs(value) / len(others)
    return masses


def shapley_values(
    predictor: Tree | Ensemble,
    rows: GivenRow | Rows,
    *,
    background: Rows | None = None,
    cover: GivenCover | None = None,
    values: str | None = None,
) -> Attributions:
    """The exact Shapley values of a tree or an ensemble for some rows.

    Args:
        predictor: the tree, or the ensemble, whose answer is a sum of trees.
        rows: one or many, in any form that `predict` takes.
        background: rows whose cells stand in for unknown ones: interventional values. None: path-dependent values, by
            the cover of the nodes.
        cover: `weights` or `sum_hessian`, or the number of each node of each tree; by default the weights, where the
            model states them (`reference_tree.attribution.covers`).
        values: the class that is explained, or `margin`; of two classes by default the second.

    Returns:
        Their `values`, and the same as `floats`; `expected_value`, `predictions` and `interactions`.

    Raises:
        InputError: the answer is no sum of trees; the cover is not stated, or 0 at an inner node; the background has no
            rows, or is given beside a cover; a tree with more than 16 attributes has a test of several of them, or a
            row has a gap that a surrogate fills; or as for `predict`.

    Example:
        >>> import reference_tree as rt
        >>> days = rt.textbook("play-tennis")
        >>> found = rt.shapley_values(rt.ID3().grow(days), {"outlook": "sunny", "humidity": "high", "wind": "weak"})
        >>> {name: str(value) for name, value in found.values[0].items()}
        {'outlook': '-31/70', 'temperature': '0', 'humidity': '-19/70', 'wind': '1/14'}
        >>> found.explained.of, found.expected_value, found.predictions
        ('P(yes)', Fraction(9, 14), [Fraction(0, 1)])

    Source:
        [Shapley1953 §3], [Lundberg2020 §methods], [Janzing2020]
    """
    if background is not None and cover is not None:
        raise InputError("background rows and a cover are two ways to expect what is unknown; say one of them")
    explained = summed(predictor, values, cover, covered=background is None)
    taken = None if background is not None else cover_of(predictor) if cover is None else cover
    return Attributions(
        [one.name for one in predictor.attributes],
        explained,
        _read(predictor, rows),
        None if background is None else _filled(_read(predictor, background)),
        taken if isinstance(taken, str) else None,
    )


def shapley_interaction_values(
    predictor: Tree | Ensemble, rows: GivenRow | Rows, **options: Any
) -> list[dict[tuple[str, str], Number]]:
    """The exact Shapley interaction values: the value of each attribute, divided among its pairs.

    Args:
        predictor: as for `shapley_values`.
        rows: likewise.
        options: `background`, `cover` and `values`, likewise.

    Returns:
        For each row: pair of attributes → its value, in both orders.

    Raises:
        InputError: as for `shapley_values`.

    Example:
        >>> import reference_tree as rt
        >>> days = rt.textbook("play-tennis")
        >>> row = {"outlook": "sunny", "humidity": "high", "wind": "weak"}
        >>> (found,) = rt.shapley_interaction_values(rt.ID3().grow(days), row)
        >>> str(found["outlook", "humidity"]), str(sum(found["outlook", one.name] for one in days.schema.attributes))
        ('-9/70', '-31/70')

    Source:
        [GrabischRoubens1999], [Lundberg2020 §methods]
    """
    return shapley_values(predictor, rows, **options).interactions


def _read(predictor: Tree | Ensemble, rows: Any) -> list[AskedRow]:
    """Rows as the trees read them."""
    if isinstance(rows, Mapping):
        return [predictor.reading(rows)]
    return [predictor.reading(row) for row in listed_rows(rows, predictor.attributes, predictor.target)]


def _filled(rows: list[AskedRow]) -> list[AskedRow]:
    if not rows:
        raise InputError("the background has no rows")
    return rows
