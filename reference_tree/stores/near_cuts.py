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
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from reference_tree.data.questions import Threshold
from reference_tree.data.sample import Counts, Partition
from reference_tree.data.targets import Classes, Moments, minus
from reference_tree.exact.rationals import Rational
from reference_tree.splitting.continuous_bisection import Cut, CutSearch, midpoint, promising_cuts
from reference_tree.stores.engines import Asked, joined
from reference_tree.stores.samples import Part, SQLSample, StoredTable, cells
from reference_tree.twins import fast_form_of

SAFETY = 4
"""Twice the error of two estimates, and twice that."""

MOST_CLASSES = 64
"""With more classes, the values are counted one by one."""

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
    """Whether the database can estimate the scores of cuts: weights are whole, and no row is divided."""
    table, target = sample.table, sample.target
    if search.gap or search.class_weights is not None or not table.has_whole_weights:
        return False
    if any(part.share != 1 for part in sample.parts):
        return False
    if search.measure == "variance_reduction":
        return isinstance(target, Moments) and table.whole_numbers is not None
    if not isinstance(target, Classes) or len(target.columns) > MOST_CLASSES:
        return False
    return search.measure == "gini_decrease" or (search.measure == "gain" and table.has_logarithms)


def _of_all(samples: Sequence[SQLSample], attribute: str, search: CutSearch) -> list[list[Cut]]:
    """The near cuts of an attribute in some samples, thresholds ascending."""
    table, target = samples[0].table, samples[0].target
    owners = [at for at, sample in enumerate(samples) for _ in sample.parts]
    found: list[list[Cut]] = [[] for _ in samples]
    if not owners:
        return found
    parts = [part for sample in samples for part in sample.parts]
    column, k = table.stored[attribute], len(target.columns)
    totals = None if column.has_gaps else [_sums(table, sample) for sample in samples]
    for at, low, high, *sums in table.asked(_query(table, parts, owners, attribute, search, k, totals)):
        left, whole = (_counts(table, some) for some in (sums[:k], sums[k:]))
        interval = column.value(low), column.value(high)
        test = Threshold(attribute, midpoint(*interval), interval)
        unknown = minus(samples[at].total(), whole)
        found[at].append(Cut(test, Partition(test.outcomes, (left, minus(whole, left)), unknown)))
    for cuts in found:
        cuts.sort(key=lambda cut: cut.test.threshold)
    return found


def _counts(table: StoredTable, sums: Sequence[Any]) -> Counts:
    """The counts from what the database added up."""
    whole = tuple(map(int, sums))
    numbers = table.whole_numbers if table.schema.target.values is None else None
    return whole if numbers is None else numbers.moments(*whole)


def _sums(table: StoredTable, sample: SQLSample) -> Sequence[Rational]:
    """What the database would add up over all rows of a sample."""
    numbers = table.whole_numbers if table.schema.target.values is None else None
    return sample.total() if numbers is None else numbers.sums(sample.total())


def _query(
    table: StoredTable,
    parts: Sequence[Part],
    owners: Sequence[int],
    attribute: str,
    search: CutSearch,
    k: int,
    totals: Sequence[Sequence[Rational]] | None,
) -> Asked:
    engine, column, measure = table.database.engine, table.stored[attribute], search.measure
    names = [f"c{place}" for place in range(k)]
    columns = [(Asked(column.sql), "v")]
    weight = "w" if table.weight else "1"
    if table.weight:
        columns.append((Asked(table.weight.sql), "w"))
    if measure == "variance_reduction" and table.whole_numbers is not None:
        columns.append((Asked(table.whole_numbers.sql), "y"))
        each = [Asked(weight), Asked(f"{weight} * y"), Asked(f"{weight} * y * y")]
    else:
        target = table.stored[table.schema.target.name]
        columns.append((Asked(target.sql), "y"))
        raws = [target.raws([name]) for name in table.schema.target.domain]
        each = [
            Asked(f"CASE WHEN y IN ({', '.join([engine.mark] * len(raw))}) THEN {weight} ELSE 0 END", raw)
            if raw
            else Asked("0")
            for raw in raws
        ]
    node = _node(owners)
    counts = joined(", ", [one + f" AS {name}" for one, name in zip(each, names, strict=True)])
    rows = f"SELECT {node} AS node, v, " + counts + " FROM " + cells(table, parts, columns)
    rows += " WHERE part IS NOT NULL AND v IS NOT NULL"
    if column.rest is None:  # the values repeat: they are counted first
        sums = ", ".join(f"SUM({name}) AS {name}" for name in names)
        rows = f"SELECT node, v, {sums} FROM (" + rows + ") AS each_row GROUP BY node, v"
    whole = engine.whole if measure == "variance_reduction" else "BIGINT"
    below = ", ".join(f"CAST(SUM({name}) OVER below AS {whole}) AS l{name}" for name in names)
    total = ", ".join(f"{_total(place, name, whole, totals)} AS t{name}" for place, name in enumerate(names))
    left, right = _weights(names, measure, engine.double)
    least = max(1, math.ceil(Fraction(search.minimum)))
    returned = ", ".join(["node", "v", "high", *(f"l{name}" for name in names), *(f"t{name}" for name in names)])
    before = (
        f"WITH scored AS {engine.kept}("
        f"SELECT sides.*, {_estimate(names, measure, engine.double)} AS score, {left} + {right} AS n FROM ("
        f"SELECT node, v, LEAD(v) OVER below AS high, {below}, {total} FROM ("
    )
    after = (
        ") AS counted WINDOW below AS (PARTITION BY node ORDER BY v), whole AS (PARTITION BY node)) AS sides "
        f"WHERE high > v AND {left} >= {least} AND {right} >= {least}), "
        "best AS (SELECT node AS node_, MAX(score) AS most FROM scored GROUP BY node) "
        f"SELECT {returned} FROM scored JOIN best ON node = node_ WHERE score >= most - {_reach(measure, k)}"
    )
    return before + rows + after


def _total(place: int, name: str, whole: str, totals: Sequence[Sequence[Rational]] | None) -> str:
    """The sum over all rows of a node: a number that is known, or added up where values are missing."""
    if totals is None:
        return f"CAST(SUM({name}) OVER whole AS {whole})"
    known = " ".join(f"WHEN {node} THEN {sums[place]}" for node, sums in enumerate(totals))
    return f"CAST(CASE node {known} END AS {whole})"


def _node(owners: Sequence[int]) -> str:
    """The number of the sample from that of the part."""
    if list(owners) == list(range(len(owners))):
        return "part"
    return "CASE part " + " ".join(f"WHEN {part} THEN {at}" for part, at in enumerate(owners)) + " END"


def _weights(names: Sequence[str], measure: str, double: str) -> tuple[str, str]:
    """The weights on both sides, as doubles in SQL."""
    used = names[:1] if measure == "variance_reduction" else names
    left = " + ".join(f"l{name}" for name in used)
    whole = " + ".join(f"t{name}" for name in used)
    return f"CAST({left} AS {double})", f"CAST(({whole}) - ({left}) AS {double})"


def _estimate(names: Sequence[str], measure: str, double: str) -> str:
    left, right = _weights(names, measure, double)
    below = [f"CAST(l{name} AS {double})" for name in names]
    above = [f"CAST(t{name} - l{name} AS {double})" for name in names]
    if measure == "variance_reduction":
        return f"{below[1]} * {below[1]} / {left} + {above[1]} * {above[1]} / {right}"
    if measure == "gini_decrease":
        sides = ((below, left), (above, right))
        return " + ".join(f"({' + '.join(f'{one} * {one}' for one in some)}) / {side}" for some, side in sides)
    terms = [f"CASE WHEN {one} > 0 THEN {one} * LN({one}) ELSE 0 END" for one in (*below, *above)]
    return f"{' + '.join(terms)} - {left} * LN({left}) - {right} * LN({right})"


def _reach(measure: str, k: int) -> str:
    """How far below the largest estimate that of the best cut can be, as SQL."""
    if measure != "gain":
        return f"{SAFETY * (2 * k + 8) * UNIT!r} * most"
    return f"{SAFETY * (2 * k + 10) * 16 * UNIT!r} * n * LN(n)"


__all__ = ["can_estimate", "near_cuts"]
