r"""Importances: what people call the importance of an attribute, each definition by its name, in one table.

They answer different questions, and so they disagree: how much impurity the tests about an attribute took away from the
training rows; how often, and for how many rows, it is tested; how much worse the answers become without its values; how
much of the answers it accounts for. An attribute that is tested near the root has much cover and, if the tests below
are about another one as well, little of the Shapley values. Impurity is that of the training rows, and favours
attributes of many values; permutation and Shapley values need not.

1. `path_values` divides the answer for one row among the tests on its path; `node_means` are the means that it needs.
2. `IMPORTANCES` has the definitions by name, and `importances` the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from reference_tree.attribution.attributions import Attributions, shapley_values
from reference_tree.attribution.summands import Summand
from reference_tree.attribution.value_functions import Cells
from reference_tree.data.errors import InputError, no_such
from reference_tree.data.frames import GivenRow
from reference_tree.data.table import Table
from reference_tree.ensembles.ensemble import Ensemble, trees_of
from reference_tree.ensembles.importance import (
    gain_importance,
    impurity_importance,
    out_of_bag_importance,
    permutation_importance,
)
from reference_tree.exact.reals import Number
from reference_tree.tree import Tree


def node_means(term: Summand) -> list[Fraction]:
    """The mean of the values below each node, by cover; for the root v(nothing)."""
    found = [Fraction(0)] * len(term.values)
    for number in range(len(found) - 1, -1, -1):
        branches = term.tree.nodes[number].branches
        ways = term.shares(number) if branches else [(None, Fraction(1))]
        found[number] = sum(
            (share * (term.values[number] if branch is None else found[branches[branch]]) for branch, share in ways),
            Fraction(0),
        )
    return found


def path_values(term: Summand, row: Cells) -> dict[str, Fraction]:
    r"""The answer for a row, divided among the tests on its path: each gets the change of the mean below.

    $$\psi_i = \sum_{t \to t' \text{ on the path of } x, \; a_t = i} (m_{t'} - m_t)$$

    They add up to the answer less that of the root, as Shapley values do. But the order in which attributes become
    known is that of the path, so an attribute that is tested further down gets more.

    Args:
        term: the tree; m_t is the mean of the values below node t, by cover, and a_t the attribute that it tests.
        row: x.

    Raises:
        InputError: a test is of several attributes; or as for `predict`.

    Example:
        >>> import reference_tree as rt
        >>> from reference_tree.attribution.summands import summed
        >>> (term,) = summed(rt.ID3().grow(rt.textbook("play-tennis"))).summands
        >>> found = path_values(term, {"outlook": "sunny", "humidity": "high"})
        >>> {name: str(value) for name, value in found.items() if value}
        {'outlook': '-17/70', 'humidity': '-2/5'}

    Source:
        [Saabas2014], [Lundberg2020 §methods]
    """
    means, found = node_means(term), dict.fromkeys(term.names, Fraction(0))
    for number, share, ways in term.tree.way(row):
        node = term.tree.nodes[number]
        if node.test is None:
            continue
        if len(node.test.attributes) > 1:
            raise InputError(f"{node.test.name} tests several attributes at once: none of them has a part of its own")
        for branch, part in ways:
            below = term.values[number] if branch is None else means[node.branches[branch]]
            found[node.test.attribute] += share * part * (below - means[number])
    return found


def parts_of_paths(found: Attributions) -> list[dict[str, Number]]:
    """For each row the parts of `path_values`, added up over the trees."""
    each = [dict[str, Number](dict.fromkeys(found.names, Fraction(0))) for _ in found.rows]
    for total, row in zip(each, found.rows, strict=True):
        for term in found.explained.summands:
            for name, value in path_values(term, row).items():
                total[name] += term.weight * value
    return each


class Weighed(NamedTuple):
    """What importances are computed from."""

    predictor: Tree | Ensemble
    """The tree or the ensemble."""
    table: Table | None
    """The rows, if there are any."""
    values: str | None
    """The class that is explained."""
    seed: int
    """The seed of the orders in which columns are shuffled."""

    @property
    def rows(self) -> Table:
        """The rows, if there are any.

        Raises:
            InputError: there are none.
        """
        if self.table is None:
            raise InputError("this importance is measured on rows; give a table")
        return self.table

    @property
    def ensemble(self) -> Ensemble:
        """The ensemble, if it is one.

        Raises:
            InputError: it is a single tree.
        """
        if isinstance(self.predictor, Tree):
            raise InputError("this importance is that of an ensemble, and this is a single tree")
        return self.predictor

    def attributed(self, rows: Table | Sequence[GivenRow]) -> Attributions:
        """The Shapley values of some rows."""
        return shapley_values(self.predictor, rows, values=self.values)


def _by_tests(of: Weighed, *, covered: bool) -> dict[str, Number]:
    """The number of tests about each attribute, or the sum of the covers of their nodes."""
    attributed = of.attributed([])
    found: dict[str, Number] = dict.fromkeys(attributed.names, Fraction(0))
    for term in attributed.explained.summands:
        for number, node in enumerate(term.tree.nodes):
            for name in node.test.attributes if node.test else ():
                found[name] += Fraction(term.cover[number]) if covered else 1
    return found


def _mean_size(each: Sequence[Mapping[str, Number]]) -> dict[str, Number]:
    return {name: sum((abs(one[name]) for one in each), Fraction(0)) / len(each) for name in each[0]}


class Importance(NamedTuple):
    """A definition of importance."""

    words: str
    """What it measures."""
    source: str
    """Where it is defined."""
    of: Callable[[Weighed], Mapping[str, Number]]
    """Attribute → its importance."""


IMPORTANCES: Mapping[str, Importance] = {
    "impurity": Importance(
        "the mean decrease in impurity by the tests about it", "[Breiman1984 §5.3.4]",
        lambda of: impurity_importance(of.predictor),
    ),
    "gain": Importance(
        "the mean gain of its tests, in boosting", "[ChenGuestrin2016 §2.2 eq. (7)]",
        lambda of: gain_importance(of.ensemble),
    ),
    "splits": Importance(
        "the number of tests about it", "[ChenGuestrin2016 §2.2]", lambda of: _by_tests(of, covered=False)
    ),
    "cover": Importance(
        "the sum of the covers of its nodes", "[ChenGuestrin2016 §3.3]", lambda of: _by_tests(of, covered=True)
    ),
    "permutation": Importance(
        "the increase of the error if its column is shuffled", "[Breiman2001 §10]",
        lambda of: permutation_importance(of.predictor, of.rows, of.seed),
    ),
    "out-of-bag": Importance(
        "the same, tree by tree, on the rows that were not drawn", "[Breiman2001 §10]",
        lambda of: out_of_bag_importance(of.ensemble, of.rows, of.seed),
    ),
    "paths": Importance("the mean size of its part on the paths of rows", "[Saabas2014]",
        lambda of: _mean_size(parts_of_paths(of.attributed(of.rows))),
    ),
    "shapley": Importance(
        "the mean size of its Shapley value", "[Lundberg2020 §methods]",
        lambda of: _mean_size(of.attributed(of.rows).values),
    ),
}  # fmt: skip
"""The definitions by name."""


def importances(
    predictor: Tree | Ensemble,
    table: Table | None = None,
    kinds: Sequence[str] | None = None,
    *,
    values: str | None = None,
    seed: int = 0,
) -> dict[str, dict[str, Number]]:
    """The importance of each attribute, by several definitions.

    Args:
        predictor: the tree or the ensemble.
        table: the rows on which it is measured, for those that need some.
        kinds: the names of definitions, of `IMPORTANCES`. None: all that are defined for this predictor.
        values: the class that is explained, as for `shapley_values`.
        seed: the seed of the orders in which columns are shuffled.

    Returns:
        Name of the definition → attribute → importance.

    Raises:
        InputError: there is no such definition, or it is not defined for this predictor.

    Example:
        >>> import reference_tree as rt
        >>> days = rt.textbook("play-tennis")
        >>> found = rt.importances(rt.ID3().grow(days), days, ["splits", "cover", "shapley"])
        >>> {kind: str(of["outlook"]) for kind, of in found.items()}
        {'splits': '1', 'cover': '14', 'shapley': '97/392'}

    Source:
        [Breiman1984 §5.3.4], [Breiman2001 §10], [ChenGuestrin2016 §2.2], [Saabas2014], [Lundberg2020 §methods]
    """
    trees_of(predictor)  # what is no model is refused
    of, found = Weighed(predictor, table, values, seed), {}
    for kind in IMPORTANCES if kinds is None else kinds:
        if kind not in IMPORTANCES:
            raise InputError(no_such("importance", kind, IMPORTANCES))
        try:
            found[kind] = dict(IMPORTANCES[kind].of(of))
        except InputError:
            if kinds is not None:
                raise
    return found
