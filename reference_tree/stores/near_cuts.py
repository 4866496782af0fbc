r"""Near cuts: the cuts of a continuous attribute that can be the best, found by the database.

The database sorts the values of all nodes of a level, adds up the counts below each cut, which are whole numbers, and
estimates the score of the cut in doubles. Only cuts whose estimate lies within a proven bound of the largest come back,
nearly always one a node. They come with exact counts, and are compared exactly here.

Maximized is what depends on the cut alone, with L and R rows on its sides, $l_j$ and $r_j$ of class j, or sums S and T
of ŷ (`whole_numbers`):

- Gini: $\sum_j l_j^2 / L + \sum_j r_j^2 / R$; variance: $S^2 / L + T^2 / R$;
- gain: $\sum_j l_j \ln l_j - L \ln L + \sum_j r_j \ln r_j - R \ln R$.

*The bound.* u is 2⁻⁵³. A whole number becomes a double with a relative error of at most u, and so does each operation.
The first two are sums of at most 2k numbers, none negative, each of a square and a quotient: the error of the whole is
at most (2k + 8)·u of it. If the exact score of a cut is at least that of the cut with the largest estimate, its own
estimate is at least the largest times (1 - (2k + 8)u) / (1 + (2k + 8)u). In the gain, at most 2k + 2 terms are added,
each with a relative error of at most 8u if a logarithm is within 4u (those of the C libraries are within u). The terms,
and their partial sums, are at most 2·n ln n together, n = L + R. So the error is at most (2k + 10)·8u·2n ln n. Twice
each bound is the distance kept; `SAFETY` doubles it again, for the computation of the bound itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from reference_tree.data.questions import Threshold
from reference_tree.data.sample import Partition
from reference_tree.data.targets import minus
from reference_tree.exact.rationals import Rational
from reference_tree.splitting.continuous_bisection import Cut, CutSearch, midpoint, promising_cuts
from reference_tree.stores.columns import StoredColumn
from reference_tree.stores.engines import Asked, joined
from reference_tree.stores.samples import SQLSample, Sums, cells, sums_of
from reference_tree.twins import fast_form_of

SAFETY = 4
"""Twice the error of two estimates, and twice that."""

UNIT = 2.0**-53


@fast_form_of(promising_cuts, of=SQLSample)
def near_cuts(sample: SQLSample, attributes: Sequence[str], search: CutSearch) -> list[Cut]:
    """The cuts of some attributes that can be the best of their attribute."""
    if not can_estimate(sample, search):
        return promising_cuts.__wrapped__(sample, attributes, search)  # type: ignore[attr-defined,no-any-return]
    found: list[Cut] = []
    for name in attributes:
        found += sample.ask((name, search), lambda samples, name=name: _of_all(samples, name, search))  # type: ignore[misc]
    return found


def can_estimate(sample: SQLSample, search: CutSearch) -> bool:
    """Whether the database can estimate the scores of cuts: it adds up whole numbers, and no row is divided."""
    if search.gap or search.class_weights is not None or search.measure not in ESTIMATES:
        return False
    if any(part.share != 1 for part in sample.parts) or sums_of(sample.table, sample.target) is None:
        return False
    return search.measure != "gain" or sample.table.has_logarithms


def _of_all(samples: Sequence[SQLSample], attribute: str, search: CutSearch) -> list[list[Cut]]:
    """The near cuts of an attribute in some samples, thresholds ascending."""
    table, target = samples[0].table, samples[0].target
    found: list[list[Cut]] = [[] for _ in samples]
    column, sums = table.stored[attribute], sums_of(table, target)
    assert sums is not None, "can_estimate holds"
    if not any(sample.parts for sample in samples):
        return found
    k = len(target.columns)
    for at, low, high, *row in table.asked(_query(samples, column, search, sums)):
        left, whole = sums.counts(row[:k]), sums.counts(row[k:])
        interval = column.value(low), column.value(high)
        test = Threshold(attribute, midpoint(*interval), interval)
        unknown = minus(samples[at].total(), whole)
        found[at].append(Cut(test, Partition(test.outcomes, (left, minus(whole, left)), unknown)))
    for cuts in found:
        cuts.sort(key=lambda cut: cut.test.threshold)
    return found


def _query(samples: Sequence[SQLSample], column: StoredColumn, search: CutSearch, sums: Sums) -> Asked:
    """The query for the near cuts of a column: rows, counts by value, counts below each cut, scores, the best of them.

    Of column i of the target, `l_i` is the sum over the rows up to a value and `t_i` that over all rows of the node.
    """
    table, places = samples[0].table, range(len(sums.each))
    engine = table.database.engine
    below = [f"CAST(SUM(c{i}) OVER below AS {sums.type}) AS l{i}" for i in places]
    if column.has_gaps:
        whole = [f"CAST(SUM(c{i}) OVER whole AS {sums.type}) AS t{i}" for i in places]
    else:  # the sums over all rows are known
        known = zip(*(sums.of(sample.total()) for sample in samples), strict=True)
        whole = [f"CAST({_case('node', totals)} AS {sums.type}) AS t{i}" for i, totals in enumerate(known)]
    # With classes a row weighs in one column, with numbers in the first.
    weighed = places if sums.numbers is None else places[:1]
    left = " + ".join(f"l{i}" for i in weighed)
    right = " + ".join(f"(t{i} - l{i})" for i in weighed)
    score, reach = ESTIMATES[search.measure](
        [f"CAST(l{i} AS {engine.double})" for i in places], [f"CAST(t{i} - l{i} AS {engine.double})" for i in places],
        f"CAST({left} AS {engine.double})", f"CAST({right} AS {engine.double})",
    )  # fmt: skip
    least = max(1, math.ceil(Fraction(search.minimum)))
    returned = ", ".join(["node", "v", "high", *(f"l{i}" for i in places), *(f"t{i}" for i in places)])
    return (
        f"WITH scored AS {engine.kept}("
        f"SELECT sides.*, {score} AS score, CAST({left} + {right} AS {engine.double}) AS n FROM ("
        f"SELECT node, v, LEAD(v) OVER below AS high, {', '.join([*below, *whole])} FROM ("
        + _rows(samples, column, sums)
        + ") AS counted WINDOW below AS (PARTITION BY node ORDER BY v), whole AS (PARTITION BY node)) AS sides "
        f"WHERE high > v AND {left} >= {least} AND {right} >= {least}), "
        "best AS (SELECT node AS node_, MAX(score) AS most FROM scored GROUP BY node) "
        f"SELECT {returned} FROM scored JOIN best ON node = node_ WHERE score >= most - {reach}"
    )


def _rows(samples: Sequence[SQLSample], column: StoredColumn, sums: Sums) -> Asked:
    """The rows: the number of the sample, the value v, and what is added to each column of the target."""
    table, names = samples[0].table, [f"c{i}" for i in range(len(sums.each))]
    parts = [part for sample in samples for part in sample.parts]
    node = _case("part", [at for at, sample in enumerate(samples) for _ in sample.parts])
    each = joined(", ", [one + f" AS {name}" for one, name in zip(sums.each, names, strict=True)])
    rows = f"SELECT {node} AS node, v, " + each + " FROM "
    rows += cells(table, parts, [(Asked(column.sql), "v"), *sums.columns])
    rows += " WHERE part IS NOT NULL AND v IS NOT NULL"
    if column.rest is not None:
        return rows
    added = ", ".join(f"SUM({name}) AS {name}" for name in names)  # the values repeat: they are counted first
    return f"SELECT node, v, {added} FROM (" + rows + ") AS each_row GROUP BY node, v"


def _case(number: str, values: Sequence[Rational]) -> str:
    """The value that belongs to a number from 0, in SQL."""
    return f"CASE {number} {' '.join(f'WHEN {at} THEN {value}' for at, value in enumerate(values))} END"


# The estimates, in SQL: the score of a cut, and how far below the largest, `most`, that of the best cut can be.


def _gini(below: Sequence[str], above: Sequence[str], left: str, right: str) -> tuple[str, str]:
    sides = ((below, left), (above, right))
    score = " + ".join(f"({' + '.join(f'{one} * {one}' for one in counts)}) / {side}" for counts, side in sides)
    return score, f"{SAFETY * (2 * len(below) + 8) * UNIT!r} * most"


def _variance(below: Sequence[str], above: Sequence[str], left: str, right: str) -> tuple[str, str]:
    return _gini(below[1:2], above[1:2], left, right)  # of the sums of ŷ


def _gain(below: Sequence[str], above: Sequence[str], left: str, right: str) -> tuple[str, str]:
    terms = [f"CASE WHEN {one} > 0 THEN {one} * LN({one}) ELSE 0 END" for one in (*below, *above)]
    score = f"{' + '.join(terms)} - {left} * LN({left}) - {right} * LN({right})"
    return score, f"{SAFETY * (2 * len(below) + 10) * 16 * UNIT!r} * n * LN(n)"


Estimate: TypeAlias = Callable[[Sequence[str], Sequence[str], str, str], tuple[str, str]]
ESTIMATES: Mapping[str, Estimate] = {"gini_decrease": _gini, "variance_reduction": _variance, "gain": _gain}
"""From the columns of the target on both sides, and the weights of both, as doubles in SQL."""

__all__ = ["can_estimate", "near_cuts"]
