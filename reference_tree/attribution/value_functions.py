r"""Value functions: the answer that is expected of a tree if only the attributes of a set S are known.

The Shapley value of an attribute is its part in such a function, and there are several. They agree where all attributes
are known, v(everything) = f(x), and otherwise they need not.

1. `path_dependent`: a node that asks an unknown attribute sends the row down all branches, by their cover.
2. `interventional`: the unknown cells are those of background rows; the mean over these rows.
3. `conditional`: the mean over the training rows that agree with the row on S.

Each is one tree's; `reference_tree.attribution.shapley` adds them up. *Unknown* is not *missing*: a cell without a
value is known to have none, and goes where the tree sends such cells; a surrogate is asked if it is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from reference_tree.attribution.summands import Summand
from reference_tree.data.errors import InputError
from reference_tree.node import Node
from reference_tree.tree import Ways

Cells: TypeAlias = Mapping[str, Any]
"""A row as its tree reads it."""
ValueFunction: TypeAlias = Callable[[frozenset[str]], Fraction]
"""v: a set of attributes → the expected answer."""


def path_dependent(term: Summand, row: Cells) -> ValueFunction:
    r"""v(S): a node that asks an unknown attribute sends the row down all branches, by their cover.

    $$v(S) = \sum_{\ell} y_\ell \prod_{t \to t' \text{ on the path to } \ell}
    \begin{cases} [x \text{ goes from } t \text{ to } t'] & \text{if } a_t \in S \\ c_{t'} / c_t & \text{otherwise}
    \end{cases}$$

    Args:
        term: the tree, with the values y of its leaves and the covers c of its nodes; a_t is the attribute of node t.
            A test of several attributes is known if all of them are.
        row: x.

    Example:
        >>> import reference_tree as rt
        >>> from reference_tree.attribution.summands import summed
        >>> days = rt.textbook("play-tennis")
        >>> (term,) = summed(rt.ID3().grow(days)).summands
        >>> v = path_dependent(term, {"outlook": "sunny", "humidity": "high", "wind": "weak"})
        >>> [str(v(frozenset(S))) for S in ([], ["humidity"], ["outlook"], ["outlook", "humidity"])]
        ['9/14', '1/2', '2/5', '0']

    Source:
        [Lundberg2020 §methods]
    """

    def v(known: frozenset[str]) -> Fraction:
        cells = {name: row[name] for name in known if name in row}

        def ways(number: int, node: Node) -> Ways:
            assert node.test is not None
            if not known.issuperset(node.test.attributes):
                return term.shares(number)
            return node.missing.ways(node.test, cells)

        return _mean(term, ways)

    return v


def interventional(term: Summand, row: Cells, background: Sequence[Cells]) -> ValueFunction:
    r"""v(S): the mean answer for the row on S and for a background row elsewhere.

    $$v(S) = \frac{1}{m} \sum_{i=1}^{m} f(x_S, z^{(i)}_{\bar S})$$

    Args:
        term: the tree f.
        row: x.
        background: z, at least one row.

    Raises:
        InputError: there is no background row.

    Source:
        [Janzing2020], [SundararajanNajmi2020]
    """
    if not background:
        raise InputError("the background has no rows")

    def v(known: frozenset[str]) -> Fraction:
        mixed = (
            {name: one[name] for name in term.names if name in (one := row if name in known else other)}
            for other in background
        )
        return sum((_answer(term, cells) for cells in mixed), Fraction(0)) / len(background)

    return v


def conditional(term: Summand, row: Cells, training: Sequence[Cells]) -> ValueFunction:
    r"""v(S): the mean answer for the training rows that agree with the row on S.

    $$v(S) = \frac{\sum_{i \,:\, z^{(i)}_S = x_S} f(z^{(i)})}{\#\{ i : z^{(i)}_S = x_S \}}$$

    An attribute that no test is about has a part in it if it tells something of the others. Asked for a set on which no
    row agrees, it is not defined.

    Args:
        term: the tree f.
        row: x, one of the training rows, or one that agrees with some of them on each S.
        training: z.

    Raises:
        InputError: no training row agrees with x on S.

    Source:
        [SundararajanNajmi2020]
    """

    def v(known: frozenset[str]) -> Fraction:
        agreeing = [one for one in training if all(one[name] == row[name] for name in known)]
        if not agreeing:
            raise InputError("no training row agrees with the row on what is known, and nothing can be expected")
        return sum((_answer(term, one) for one in agreeing), Fraction(0)) / len(agreeing)

    return v


def _answer(term: Summand, cells: Cells) -> Fraction:
    return _mean(term, lambda number, node: node.missing.ways(node.test, cells) if node.test else [])


def _mean(term: Summand, ways: Callable[[int, Node], Ways]) -> Fraction:
    """The mean of the values of the nodes where a row ends, by the way it takes at each node."""
    total, pending = Fraction(0), [(0, Fraction(1))]
    while pending:
        number, share = pending.pop()
        node = term.tree.nodes[number]
        if node.test is None:
            total += share * term.values[number]
            continue
        for branch, part in ways(number, node):
            if branch is None:
                total += share * part * term.values[number]
            elif part:
                pending.append((node.branches[branch], share * part))
    return total
