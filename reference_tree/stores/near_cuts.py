r"""Near cuts: the cuts of a continuous attribute that can be the best, found by the database.

The database counts the rows of all nodes of a level, and estimates the score of each cut in doubles. Only cuts whose
estimate lies within a proven bound of the largest come back, nearly always one a node. They come with exact counts, and
are compared exactly here.

1. Rows are counted by *bin*: by value, where a column has few values, or where sorting all rows costs less than the
   query for bins (`SORTED`); otherwise by a whole number that rises with the values (`StoredColumn.bins`). The running
   sums of the counts give the cuts between two bins.
2. Of each bin a bound tells how good a cut within it can be. Only the rows of bins in which it reaches the best cut
   between bins are sorted, and their cuts are estimated, too.

Maximized is what depends on the cut alone, with L and R rows on its sides, $l_j$ and $r_j$ of class j, or sums S and T
of ŷ (`whole_numbers`):

- Gini: $\sum_j l_j^2 / L + \sum_j r_j^2 / R$; variance: $S^2 / L + T^2 / R$;
- gain: $\sum_j l_j \ln l_j - L \ln L + \sum_j r_j \ln r_j - R \ln R$.

*The estimate.* u is 2⁻⁵³. A whole number becomes a double with a relative error of at most u, and so does each
operation. The first two are sums of at most 2k numbers, none negative, each of a square and a quotient: the error of
the whole is at most (2k + 8)·u of it. If the exact score of a cut is at least that of the cut with the largest
estimate, its own estimate is at least the largest times (1 - (2k + 8)u) / (1 + (2k + 8)u). In the gain, at most 2k + 2
terms are added, each with a relative error of at most 8u if a logarithm is within 4u (those of the C libraries are
within u). The terms, and their partial sums, are at most 2·n ln n together, n = L + R. So the error is at most
(2k + 10)·8u·2n ln n. Twice each bound is the distance kept; `SAFETY` doubles it again, for the computation of the bound
itself.

*Beside the near cuts*, the next best are found in the same way: of the cuts that are not near, those come back whose
estimate is near the largest of these. Bins are then compared with the largest estimate between bins that cannot be
near.

*The bound of a bin*, of Gini and of variance. Let $y_j$ be 1 in the rows of class j, and 0 in others, or let y be ŷ;
p is its mean at the node, $D = \sum_{left} (y - p)$. As $l = D + pL$ and $r = pR - D$,

$$\frac{l^2}{L} + \frac{r^2}{R} = p^2 n + \frac{n}{LR} D^2$$

Before the bin D is D⁰, after it D¹. A part of its rows adds at most the positive y - p, and at least the negative ones:
with $A = \sum_{bin} |y - p|$ their sums are (A ± (D¹ - D⁰)) / 2, so within the bin |D| is at most (|D⁰ + D¹| + A) / 2.
LR is concave in L, and so least at an end of the bin. Of class j with c of the m rows of the bin,
A = c(1 - p) + (m - c)p; of numbers, A² is at most $m \sum_{bin} (y - p)^2$, by Cauchy and Schwarz.

*Of the gain*: its derivative with respect to $l_j$ is $\ln (l_j R / r_j L)$, and within the bin at most
$s_j = \ln (l_j^1 R^0 / r_j^1 L^0)$. The gain there is at most that before the bin, and $c_j s_j$ for each positive
$s_j$. Where $r_j^1$ or $L^0$ is 0, there is no bound, and the rows are sorted.

*Of the agreement* of a surrogate: the rows that it sends right are at most those below the end of the bin that belong
left, and those above its start that belong right; or the same, exchanged.

*Of a weight*: the weight below a cut of the bin lies between that before the bin and that up to its end.

`WIDER` exceeds the rounding of these. It is relative to Σ|y| ≤ n·max|y|, so to D, which is a difference of two numbers
of that size with an error of at most 8u of it; and to $\sum_{bin} y^2 + mp^2$, at least half the sum of the sizes of
the terms of $\sum_{bin} (y - p)^2$, with an error of at most 8u of these. What follows adds and multiplies at most
2k + 20 numbers, none negative. In the gain the further terms have errors of at most 8u·(1 + 2 ln n) of a count. So a
bound is compared with twice the distance of the estimates, and of `WIDER`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Threshold
from reference_tree.data.sample import Partition
from reference_tree.data.targets import minus
from reference_tree.exact.rationals import Rational
from reference_tree.splitting.continuous_bisection import (
    Cut,
    CutSearch,
    cuts_of_weight,
    lists_all,
    midpoint,
    number_of_cuts,
    promising_cuts,
    values_around,
)
from reference_tree.stores.binned_cuts import binned_cuts, not_binned
from reference_tree.stores.columns import StoredColumn
from reference_tree.stores.engines import ASCENDING, Asked, abreast, joined
from reference_tree.stores.samples import (
    CHANGED,
    SQLSample,
    StoredTable,
    TargetSums,
    adds_up,
    branch_of,
    cells,
    sums_of,
)
from reference_tree.twins import fast_form_of

SAFETY = 4
"""Twice the error of two estimates, and twice that."""

UNIT = 2.0**-53

LISTED = 1_000
"""Of an attribute with more cuts at a node, an explanation lists the best and the next best alone."""

SORTED = 100_000
"""Where a query is dear by itself, and there are no more rows than this, all are sorted: it costs less than bins."""

WIDER = 2.0**-40
"""More than the relative error of the bound of a bin."""


@fast_form_of(promising_cuts, of=SQLSample)
def near_cuts(sample: SQLSample, attributes: Sequence[str], search: CutSearch) -> list[Cut]:
    """The cuts of some attributes that can be the best of their attribute."""
    if not not_binned(sample, attributes, search):
        return binned_cuts(sample, attributes, search)
    if not can_estimate(sample, search):
        return promising_cuts.__wrapped__(sample, attributes, search)  # type: ignore[attr-defined,no-any-return]
    found: list[Cut] = []
    for name in attributes:
        near, next_ones = partial(_near, sample, name, search), list[Cut]()
        if without := {interval for of, interval in search.without if of == name}:
            next_ones = near(beside=True)
        both = [cut for cut in (*near(), *next_ones) if cut.test.interval not in without]
        found += sorted(both, key=lambda cut: cut.test.threshold)
    return found


def _near(sample: SQLSample, name: str, search: CutSearch, *, beside: bool = False) -> list[Cut]:
    """The cuts of an attribute that can be its best; or those that can be the best beside them."""
    names, of = asked_with(sample.table, name), ESTIMATES[search.measure]
    wanted = partial(_of_all, attributes=names, minimum=search.minimum, estimate=of, beside=beside)
    return sample.ask((names, search.measure, search.minimum, beside), wanted)[name]


@fast_form_of(cuts_of_weight, of=SQLSample)
def near_weight(sample: SQLSample, attribute: str, low: Rational, high: Rational) -> list[Cut]:
    """The cuts whose lower side weighs as much as wanted."""
    sums = sums_of(sample.table, sample.target)
    if sums is None or not adds_up(sample):
        return cuts_of_weight.__wrapped__(sample, attribute, low, high)  # type: ignore[attr-defined,no-any-return]
    unit = sums.weights.scale
    (found,) = _of_all([sample], [attribute], 0, _between(math.floor(low * unit), math.ceil(high * unit)))
    return [cut for cut in found[attribute] if low <= sample.target.weight(cut.table.rows[0]) <= high]


@fast_form_of(number_of_cuts, of=SQLSample)
def counted_cuts(sample: SQLSample, attribute: str, minimum: Rational = 0, gap: Rational = 0) -> int:
    """The number of cuts that may be made."""
    if minimum or gap:
        return number_of_cuts.__wrapped__(sample, attribute, minimum, gap)  # type: ignore[attr-defined,no-any-return]
    return sample.ask(("cuts", attribute), partial(_numbers_of_cuts, attribute=attribute))


@fast_form_of(lists_all, of=SQLSample)
def are_few(sample: SQLSample, attribute: str, search: CutSearch) -> bool:
    """Whether an explanation lists every cut of an attribute."""
    return not can_estimate(sample, search) or number_of_cuts(sample, attribute) <= LISTED


@fast_form_of(values_around, of=SQLSample)
def nearest_values(sample: SQLSample, test: Threshold) -> tuple[Rational | None, Rational | None]:
    """The values of a sample next to a threshold, below it and above it; None on a side where there is none."""
    table, column = sample.table, sample.table.stored[test.attribute]
    rows = cells(table, sample.parts, [(Asked(column.sql), "v"), (branch_of(table, test), "side")])
    sides = "SELECT MAX(CASE WHEN side = 0 THEN v END), MIN(CASE WHEN side = 1 THEN v END) FROM "
    ((low, high),) = table.asked(sides + rows + " WHERE part IS NOT NULL") if sample.parts else [(None, None)]
    return column.value(low), column.value(high)


def can_estimate(sample: SQLSample, search: CutSearch) -> bool:
    """Whether the database can estimate the scores of cuts."""
    is_plain = not search.gap and search.class_weights is None
    if not is_plain or search.measure not in ESTIMATES or not adds_up(sample):
        return False
    return search.measure != "gain" or sample.table.has_functions


def _numbers_of_cuts(samples: Sequence[SQLSample], attribute: str) -> list[int]:
    """The number of cuts of an attribute in some samples: one less than the number of its values."""
    column, found = samples[0].table.stored[attribute], [0] * len(samples)
    if any(sample.parts for sample in samples):
        rows = _rows(samples, [column], [], Asked("v"))
        for at, values in samples[0].table.asked(
            "SELECT node, COUNT(DISTINCT v) FROM (" + rows + ") AS nodes GROUP BY node"
        ):
            found[at] = values - 1
    return found


def asked_with(table: StoredTable, attribute: str) -> Sequence[str]:
    """The continuous attributes of one kind that are asked in one query with this one, itself included."""
    kinds = {one.name: _kind(table.stored[one.name]) for one in table.schema.attributes if one.values is None}
    alike = [name for name, kind in kinds.items() if kind == kinds[attribute]]
    return next(tuple(some) for some in abreast(alike, table.database.engine) if attribute in some)


def _kind(column: StoredColumn) -> tuple[object, ...]:
    """What columns share that stand in one column of a query: they keep their type, and all have bins or none has."""
    return frozenset(column.kinds), column.places, column.rest is None


def _of_all(
    samples: Sequence[SQLSample],
    attributes: Sequence[str],
    minimum: Rational,
    estimate: ScoreEstimate,
    *,
    beside: bool = False,
) -> list[dict[str, list[Cut]]]:
    """The near cuts of some attributes in some samples, or those beside them, thresholds ascending."""
    table, target = samples[0].table, samples[0].target
    found: list[dict[str, list[Cut]]] = [{name: [] for name in attributes} for _ in samples]
    columns, sums = [table.stored[name] for name in attributes], sums_of(table, target)
    assert sums is not None, "can_estimate holds"
    if not any(sample.parts for sample in samples):
        return found
    k = len(target.columns)
    for node, low, high, *row in table.asked(_query(samples, columns, minimum, estimate, sums, beside=beside)):
        place, at = divmod(node, len(samples))
        column, name = columns[place], attributes[place]
        left, whole = sums.counts(row[:k]), sums.counts(row[k:])
        interval = column.value(low), column.value(high)
        test = Threshold(name, midpoint(*interval), interval)
        unknown = minus(samples[at].total(), whole)
        if target.weight(unknown) < 0 or (any(unknown) and not column.has_gaps):
            raise InputError(CHANGED)
        found[at][name].append(Cut(test, Partition(test.outcomes, (left, minus(whole, left)), unknown)))
    for cuts in (some for of in found for some in of.values()):
        cuts.sort(key=lambda cut: cut.test.threshold)
    return found


def _query(
    samples: Sequence[SQLSample],
    columns: Sequence[StoredColumn],
    minimum: Rational,
    estimate: ScoreEstimate,
    sums: TargetSums,
    *,
    beside: bool,
) -> Asked:
    """The query for the near cuts of some columns of one kind, or for those that are near the best beside them.

    Of column i of the target, `c_i` is the sum over a bin, `l_i` up to its end, or up to a value, `s_i` over the rows
    before it, and `t_i` over all rows of the node; see `CUT` and `BIN` for doubles.
    """
    table, names = samples[0].table, TargetColumns.of(samples[0].table, minimum, sums)
    engine, each = table.database.engine, names.each
    is_binned = columns[0].rest is not None and not (engine.packed and len(table) <= SORTED) and table.has_functions
    size = _number_of_bins(len(table), len(samples))
    kept = engine.kept if is_binned else ""
    cell = f"CAST(v AS {engine.double})"
    bins = _by_place([column.bins(cell, size, engine) for column in columns]) if is_binned else "v"
    added = f"{bins} AS bin, v, " + joined(", ", [one + f" AS c{i}" for i, one in enumerate(sums.each)])
    over, reach = f"CAST(SUM(c#) OVER {{}} AS {sums.type}) AS ", estimate.reach(len(names.places))
    cuts = (
        f"SELECT node, v, above, {each('l#, t#')}, {estimate.score(names)} AS score, n "
        f"FROM (SELECT *, {names.doubles(CUT)} FROM "
    )
    others = "{}"
    if beside:
        highest = "(SELECT *, MAX(score) OVER (PARTITION BY node) AS most FROM {}) AS cuts"
        wanted = f"node, v, above, {each('l#, t#')}, score, n"
        others = f"(SELECT {wanted} FROM {highest} WHERE score < most - {reach}) AS others"
    allowed = f") AS cuts WHERE above > v AND x >= {names.least} AND z >= {names.least}"
    query = (
        f"WITH binned AS {kept}(" + _rows(samples, columns, sums.columns, added) + "), "
        f"bins AS (SELECT node, bin, MIN(v) AS low, MAX(v) AS high, {each('SUM(c#) AS c#')} "
        "FROM binned GROUP BY node, bin), "
        f"sides AS {kept}(SELECT node, bin, low, high, LEAD(low) OVER below AS above, high AS v, {each('c#')}, "
        f"{each(over.format('below') + 'l#')}, {each(over.format('whole') + 't#')} FROM bins "
        f"WINDOW below AS (PARTITION BY node ORDER BY bin {ASCENDING}), whole AS (PARTITION BY node)), "
        f"outer_cuts AS {kept}({cuts}sides{allowed}), "
    )
    if is_binned:
        near = f"most - 2 * {reach} - 2 * {WIDER!r} * ABS(most)"
        query += (
            f"highest AS (SELECT node AS node_, MAX(score) AS most FROM {others.format('outer_cuts')} "
            "GROUP BY node), "
            f"taken AS {kept}(SELECT node AS in_node, bin AS in_bin, {each('l# - c# AS s#, t#')} FROM (SELECT *, "
            f"{each(estimate.step(names) + ' AS f#')} FROM (SELECT *, {names.doubles(CUT)}, {names.doubles(BIN)} "
            "FROM sides LEFT JOIN highest ON node = node_) AS bins) AS bins WHERE CASE "
            f"WHEN low = high OR x <= {names.least} OR r <= {names.least} THEN 0 "
            f"WHEN {estimate.bound(names)} < {near} THEN 0 ELSE 1 END = 1), "
            f"inner_cuts AS (SELECT node, v, LEAD(v) OVER below AS above, "
            f"{each(f's# + CAST(SUM(c#) OVER below AS {sums.type}) AS l#, t#')} FROM binned "
            "JOIN taken ON node = in_node AND bin = in_bin "
            f"WINDOW below AS (PARTITION BY node, bin ORDER BY v {ASCENDING})), "
            f"all_cuts AS (SELECT * FROM outer_cuts UNION ALL {cuts}inner_cuts{allowed}), "
        )
    every = "all_cuts" if is_binned else "outer_cuts"
    return query + (
        f"best AS (SELECT *, MAX(score) OVER (PARTITION BY node) AS most FROM {others.format(every)}) "
        f"SELECT node, v, above, {each('l#')}, {each('t#')} FROM best WHERE score >= most - {reach}"
    )


def _number_of_bins(rows: int, nodes: int) -> int:
    """A number of bins of which few have to be sorted: by chance, sums differ by the square root of the rows."""
    return 8 * math.isqrt(rows // nodes) + 8


def _rows(
    samples: Sequence[SQLSample], columns: Sequence[StoredColumn], others: Sequence[tuple[Asked, str]], wanted: Asked
) -> Asked:
    """The rows that have a value v, once for each of some columns, and what is wanted of others.

    Their `node` is the number of the sample, and so many more for each further column.
    """
    parts = [part for sample in samples for part in sample.parts]
    owners = [at for at, sample in enumerate(samples) for _ in sample.parts]
    node = f"CASE part {' '.join(f'WHEN {part} THEN {at}' for part, at in enumerate(owners))} END"
    names = ["v"] if len(columns) == 1 else [f"v{place}" for place in range(len(columns))]
    held = [(Asked(column.sql), name) for column, name in zip(columns, names, strict=True)]
    rows = cells(samples[0].table, parts, [*held, *others])
    if len(columns) > 1:
        each = " UNION ALL ".join(f"SELECT {place} AS place" for place in range(len(columns)))
        rows = f"(SELECT *, {_by_place(names)} AS v FROM " + rows + f" CROSS JOIN ({each}) AS places) AS cells"
        node = f"{len(samples)} * place + {node}"
    return f"SELECT {node} AS node, " + wanted + " FROM " + rows + " WHERE part IS NOT NULL AND v IS NOT NULL"


def _by_place(each: Sequence[str]) -> str:
    """What is computed of a row, by the place of its column."""
    whens = (f"WHEN {place} THEN {one}" for place, one in enumerate(each))
    return each[0] if len(each) == 1 else f"CASE place {' '.join(whens)} END"


class TargetColumns(NamedTuple):
    """The columns of a target in a query."""

    double: str
    """The type of doubles."""
    places: Sequence[int]
    """Their numbers."""
    weighed: Sequence[int]
    """Those whose sum is the weight: with classes a row weighs in one column, with numbers in the first."""
    least: int
    """The least weight of a side, in units."""
    most: int
    """The largest |y|."""

    @classmethod
    def of(cls, table: StoredTable, minimum: Rational, sums: TargetSums) -> TargetColumns:
        """The columns of the sums of a target."""
        places, least = range(len(sums.each)), max(1, math.ceil(Fraction(minimum) * sums.weights.scale))
        if sums.numbers is None:
            return cls(table.database.engine.double, places, places, least, 1)
        return cls(table.database.engine.double, places, places[:1], least, sums.numbers.most)

    def each(self, template: str, between: str = ", ", of: Sequence[int] | None = None) -> str:
        """A text for each column; # is its number."""
        return between.join(template.replace("#", str(i)) for i in of or self.places)

    def doubles(self, of: Mapping[str, str]) -> str:
        """Sums as doubles: of each column, and of the weights."""
        return ", ".join(
            f"{self.each(f'CAST({sql} AS {self.double}) AS {name}#')}, "
            f"CAST({self.each(sql, ' + ', self.weighed)} AS {self.double}) AS {name}"
            for name, sql in of.items()
        )


CUT = {"x": "l#", "z": "t# - l#", "n": "t#"}
"""What a cut has as doubles: the sums on its left, on its right, and of the node."""
BIN = {"a": "l# - c#", "r": "t# - l# + c#", "d": "c#"}
"""What a bin has: the sums before it, from its start on, and of its rows. Its end is a cut."""


class ScoreEstimate(NamedTuple):
    """The estimate of a measure in SQL, from `CUT` and `BIN`."""

    score: Callable[[TargetColumns], str]
    """The score of a cut."""
    reach: Callable[[int], str]
    """How far below the largest score, `most`, that of the best cut can be; of a number of columns."""
    step: Callable[[TargetColumns], str]
    """What a column adds to the bound of a bin, `f_i`."""
    bound: Callable[[TargetColumns], str]
    """The bound of the scores within a bin."""


def _squares(away: str, of: Sequence[int] | None) -> ScoreEstimate:
    """Sums of squares of some columns; None for all.

    Args:
        away: A, the sum of |y - p| over a bin, of a column.
        of: the columns.
    """
    step = f"(ABS(a# + x# - n# / n * (a + x)) + {away} + {WIDER!r} * @ * n)"
    ends = "CASE WHEN {0} < @ THEN @ * (n - @) ELSE {0} * {1} END"
    start, end = ends.format("a", "r"), ends.format("z", "x")
    least = f"CASE WHEN {start} < {end} THEN {start} ELSE {end} END"
    return ScoreEstimate(
        lambda names: f"({names.each('x# * x#', ' + ', of)}) / x + ({names.each('z# * z#', ' + ', of)}) / z",
        lambda columns: f"{SAFETY * (2 * columns + 8) * UNIT!r} * most",
        lambda names: step.replace("@", f"{names.most}.0"),
        lambda names: (
            f"({names.each('n# * n#', ' + ', of)}) / n + n * ({names.each('f# * f#', ' + ', of)}) / 4 / "
            + least.replace("@", f"{names.least}.0")
        ),
    )


def _logarithms(names: TargetColumns, left: str, right: str) -> str:
    """The score of the gain, with these sums on both sides; without rows on the left it is NULL."""
    terms = names.each(
        " + ".join(f"CASE WHEN {one}# > 0 THEN {one}# * LN({one}#) ELSE 0 END" for one in (left, right)), " + "
    )
    return f"{terms} - {left} * LN(NULLIF({left}, 0)) - {right} * LN({right})"


_STEP = (
    "CASE WHEN d# > 0 AND x# * r > z# * a THEN d# * (LN(x#) + LN(r) - LN(NULLIF(z#, 0)) - LN(NULLIF(a, 0))) ELSE 0 END"
)


def _between(low: int, high: int) -> ScoreEstimate:
    """The cuts whose lower side weighs at least `low`, and at most `high`; or the nearest. The weight is exact to 2⁵³.

    Beyond, a weight that is wanted has a double that is wanted, as rounding keeps the order.
    """
    least, most = float(low), float(high)
    below, above = f"x - {least!r}", f"{most!r} - {{}}"
    return ScoreEstimate(
        lambda names: f"CASE WHEN x < {least!r} THEN {below} WHEN x > {most!r} THEN {above.format('x')} ELSE 0 END",
        lambda columns: "0",
        lambda names: "0",
        lambda names: f"CASE WHEN x < {least!r} THEN {below} WHEN a > {most!r} THEN {above.format('a')} ELSE 0 END",
    )


_AGREEMENT = "CASE WHEN {0} >= {1} THEN {0} ELSE {1} END"

ESTIMATES: Mapping[str, ScoreEstimate] = {
    "gini_decrease": _squares("d# * (1 - n# / n) + (d - d#) * (n# / n)", None),
    "variance_reduction": _squares(
        f"SQRT(d * (d2 - 2 * (n1 / n) * d1 + d * (n1 / n) * (n1 / n) + {WIDER!r} * (d2 + d * (n1 / n) * (n1 / n))))",
        (1,),
    ),
    "gain": ScoreEstimate(
        lambda names: _logarithms(names, "x", "z"),
        lambda columns: f"{SAFETY * (2 * columns + 10) * 16 * UNIT!r} * n * LN(n)",
        lambda names: _STEP,
        lambda names: f"{_logarithms(names, 'a', 'r')} + {names.each('f#', ' + ')}",
    ),
    "agreement": ScoreEstimate(
        lambda names: _AGREEMENT.format("(x0 + z1)", "(x1 + z0)"),
        lambda columns: f"{SAFETY * 4 * UNIT!r} * most",
        lambda names: "0",
        lambda names: _AGREEMENT.format("(x0 + r1)", "(x1 + r0)"),
    ),
}
"""By the measure; of a numeric target, column 1 has the sums of ŷ, column 2 those of ŷ²."""

__all__ = ["can_estimate", "near_cuts"]
