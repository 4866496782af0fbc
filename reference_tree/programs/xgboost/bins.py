r"""XGBoost: the differences between the program and the gradient tree of the paper.

The learner is that of the paper, and the profiles are lists of options.

| profile | program |
|:--|:--|
| `xgboost` | XGBoost's trees, `tree_method="exact"` |
| `xgboost-hist` | XGBoost's trees, `tree_method="hist"`, its default |

It asks `<` where the paper asks `≤`, and a split has to gain more than 10⁻⁶. Everything it computes in float32 is exact
here: values and thresholds, derivatives, sums and gains. Its draws cannot be reproduced: they depend on its generator.

A histogram asks only at the edges of bins, which are numbers of the column:

1. `edges` chooses them: all distinct numbers but the lowest, or of more than `max_bin` about as many
   quantiles.
2. `binned` replaces each number of a table by the lower edge of its bin. From this table the trees are grown.
3. The threshold of a test is an edge: the next one above the rows on the left.

A test that gains less than γ is not asked at all, where `exact` looks whether one below it gains more.

Releases differ. `RELEASES` has a record of each that is known here: how it chooses edges, whether it takes columns of
categories without being told, and what it does that is not done here.

**The quantile sketch** chooses the edges between the bins of `hist`. A sketch keeps some numbers of a long column, each
with bounds of its rank, and forgets the others. The edges are numbers of the sketch whose ranks are about equally
spaced.

1. Numbers wait in a queue, in the order of the rows. A full queue is sorted into a *summary* (`summary_of`).
2. A summary that is too long keeps the numbers nearest to equally spaced ranks (`pruned`).
3. Two summaries become the summary of both columns (`merged`).
4. Summaries stand at levels, as the digits of a binary number do: where a merged summary is too long for its level, it
   goes one level up (`carried`).
5. At the end the levels become one summary, and the edges are chosen from it. Up to release 3.2 the summary is pruned
   until one number is left for each edge (`spaced_edges`). Since release 3.3 the summary stays longer, and each edge is
   the number nearest to its rank (`ranked_edges`).

A rank is the weight of the rows up to a number. The program holds weights and ranks as float32, and rounds after each
operation. The same is done here (`single`), because here the rounding decides. Weights of equal numbers are added in
the order of the rows; the program adds them in the order in which its sorting leaves them, which can matter only where
their sum is no float32. Read in the source of releases 3.2.0, 3.3.0 and 3.4.1 (`quantile.h`, `quantile.cc`).

Source:
    [ChenGuestrin2016 §3.3]
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import groupby
from math import ceil
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from reference_tree.data.errors import InputError
from reference_tree.data.schema import Cells, SortedNumbers, in_array
from reference_tree.data.table import Table
from reference_tree.exact.rounding import nearest_single
from reference_tree.exact.rounding import nearest_single as single
from reference_tree.learners.gradient_tree import GradientTree
from reference_tree.learners.options import Profile
from reference_tree.programs.releases import numbers_of


class Entry(NamedTuple):
    """A number of a summary, and the bounds of its rank."""

    value: Any
    low: float
    """The least weight of the rows below it."""
    high: float
    """The greatest weight of the rows that are not above it."""
    weight: float
    """The weight of the rows that have this number."""

    @property
    def after(self) -> float:
        """The least weight of the rows that are not above it."""
        return single(self.low + self.weight)

    @property
    def before(self) -> float:
        """The greatest weight of the rows below it."""
        return single(self.high - self.weight)


Summary: TypeAlias = list[Entry]
"""Some numbers of a column, ascending."""


class Parts(NamedTuple):
    """The summaries of a column, before they become one."""

    levels: list[Summary]
    rest: Summary
    """The numbers that are still in the queue."""
    most: int
    """The most entries of a summary at a level."""
    weighing: int
    """The number of rows that have a number and a weight above 0."""


class Rules(NamedTuple):
    """The rules of a release."""

    finer: int
    """A summary has about this many times as many entries as there are bins."""
    edges: Callable[[Parts, int], list[Any]]
    """The choice of the edges, from the summaries and the number of bins."""


def summary_of(queue: Iterable[tuple[Any, float]]) -> Summary:
    """The numbers of a queue, ascending; the weights of equal ones are added up.

    Example:
        >>> summary_of([(7, 1.0), (5, 1.0), (7, 2.0)])
        [Entry(value=5, low=0.0, high=1.0, weight=1.0), Entry(value=7, low=1.0, high=4.0, weight=3.0)]
    """
    # In ascending order the rank of a number is the weight of all before it.
    found: Summary = []
    for value, pairs in groupby(sorted(queue, key=itemgetter(0)), key=itemgetter(0)):
        low = found[-1].high if found else 0.0
        weight = reduce(lambda so_far, pair: single(so_far + pair[1]), pairs, 0.0)
        found.append(Entry(value, low, single(low + weight), weight))
    return found


def pruned(entries: Summary, size: int) -> Summary:
    """A summary cut down to a size: the first, the last, and the entries nearest to equally spaced ranks.

    Args:
        entries: a summary.
        size: the most entries that are kept.

    Example:
        >>> [entry.value for entry in pruned(summary_of((value, 1.0) for value in range(9)), 5)]
        [0, 2, 4, 6, 8]
    """
    # Nothing has to be left out.
    if len(entries) <= size or size < 2:
        return entries[:size]
    # The ends are always kept; between them the ranks are spaced evenly, in float32.
    last, parts = len(entries) - 1, size - 1
    begin = entries[0].high
    width = single(entries[last].low - begin)
    kept, at = [0], 1
    for part in range(1, parts):
        # Twice the wanted rank, to compare it with the sum of an entry's bounds instead of their middle.
        twice = 2 * single(single(single(part * width) / parts) + begin)
        at = _reached(entries, at, last, twice)
        if at == last:
            break
        # An entry that is nearest to two ranks is kept once.
        if (near := _nearer(entries, at, twice)) != kept[-1]:
            kept.append(near)
    if kept[-1] != last:
        kept.append(last)
    return [entries[place] for place in kept]


def _reached(entries: Summary, at: int, last: int, twice: float) -> int:
    """The place after which the middle of an entry lies above a rank, given as twice the rank; at most the last."""
    while at < last and twice >= single(entries[at + 1].low + entries[at + 1].high):
        at += 1
    return at


def _nearer(entries: Summary, at: int, twice: float) -> int:
    """The nearer of a place and the next one to a rank, given as twice the rank."""
    return at if twice < single(entries[at].after + entries[at + 1].before) else at + 1


def merged(one: Summary, other: Summary) -> Summary:
    """The summary of both columns: a number of the one lies between two numbers of the other, and so does its rank.

    Example:
        >>> merged(summary_of([(5, 1.0), (7, 1.0)]), summary_of([(6, 2.0)]))[1]
        Entry(value=6, low=1.0, high=3.0, weight=2.0)
    """
    # A column that is empty so far adds nothing.
    if not one or not other:
        return one or other
    found, pair = Summary(), (one, other)
    places, below = [0, 0], [0.0, 0.0]
    while places[0] < len(one) or places[1] < len(other):
        # The next number of each summary, as in a merge of sorted lists.
        heads = [each[place] if place < len(each) else None for each, place in zip(pair, places, strict=True)]
        least = min(head.value for head in heads if head is not None)
        sums = [0.0, 0.0, 0.0]
        for side, head in enumerate(heads):
            if head is not None and head.value == least:
                bounds = head.low, head.high, head.weight
                places[side] += 1
                below[side] = head.after
            else:
                # A number that this side lacks has the rank of the gap that it falls into.
                bounds = below[side], pair[side][-1].high if head is None else head.before, 0.0
            sums = [single(so_far + bound) for so_far, bound in zip(sums, bounds, strict=True)]
        found.append(Entry(least, *sums))
    return _rising(found)


def _rising(entries: Summary) -> Summary:
    """The entries with bounds that do not fall, which rounding may have broken."""
    found, low, high = Summary(), 0.0, 0.0
    for entry in entries:
        # Each bound rises along the column, as true ranks do.
        low, high = max(low, entry.low), max(high, entry.high)
        high = max(high, single(low + entry.weight))
        found.append(Entry(entry.value, low, high, entry.weight))
    return found


def carried(levels: Sequence[Summary], entries: Summary, most: int) -> list[Summary]:
    """The levels with one more summary.

    Args:
        levels: the summaries so far; a level may be empty.
        entries: the further summary.
        most: the most entries at a level.
    """
    found = list(levels)
    # Like adding 1 to a binary number: a full level carries its summary to the next one.
    for level, there in enumerate([*levels, []]):
        entries = merged(pruned(entries, most), there)
        if len(entries) <= most:
            return [*found[:level], entries, *found[level + 1 :]]
        found[level] = []
    raise AssertionError("a pruned summary fits an empty level")


def most_entries(rows: int, max_bin: int, finer: int) -> int:
    """The most entries of a summary: the more levels the rows need, the more entries each level has.

    The quotients are doubles, as in the program.

    Example:
        >>> most_entries(600, 256, 2), most_entries(20000, 256, 2), most_entries(20000, 256, 8)
        (513, 2049, 6145)
    """
    # In doubles, since another rounding could give one entry more or less.
    share, levels = 1.0 / max(1, min(max_bin, rows)) / finer, 1
    while (1 << levels) * (size := min(rows, ceil(levels / share) + 1)) < rows:
        levels += 1
    return size


def parts_of(pairs: Sequence[tuple[Any, float]], max_bin: int, finer: int, left_out: int = 0) -> Parts:
    """The summaries of a column.

    Args:
        pairs: the numbers in the order of the rows, each with its weight, a float32 above 0.
        max_bin: the most bins.
        finer: see `Rules`.
        left_out: how many further rows have a number, and weigh nothing; the program counts them.
    """
    most = most_entries(len(pairs) + left_out, max_bin, finer)
    levels: list[Summary] = []
    queue: list[tuple[Any, float]] = []
    for value, weight in pairs:
        # Equal neighbours are one entry of the queue, so its length depends on the order of the rows.
        if queue and queue[-1][0] == value:
            queue[-1] = value, single(queue[-1][1] + weight)
            continue
        if len(queue) == 2 * most:
            levels, queue = carried(levels, summary_of(queue), most), []
        queue.append((value, weight))
    return Parts(levels, summary_of(queue), most, len(pairs))


def spaced_edges(parts: Parts, max_bin: int) -> list[Any]:
    """The edges up to release 3.2: the summary is pruned until it has one entry more than there are bins."""
    # From the queue up through the levels, as the program joins them.
    joined = pruned(parts.rest, parts.most)
    for level in parts.levels:
        joined = pruned(merged(joined, level), parts.most)
    kept = pruned(pruned(joined, SPACED.finer * max_bin), max_bin + 1)
    return [entry.value for entry in kept[1:max_bin]]


def ranked_edges(parts: Parts, max_bin: int) -> list[Any]:
    """The edges since release 3.3: for each of the ranks k·W/b, of a weight W in b bins, the nearest number.

    Where this number is no larger than the edge before, the next larger number of the summary is taken.
    """
    # Since 3.3 rows that weigh nothing do not count here.
    size = most_entries(parts.weighing, max_bin, RANKED.finer)
    joined: Summary = []
    for level in carried(parts.levels, parts.rest, parts.most):
        joined = pruned(merged(joined, level), max(size, parts.most))
    kept = pruned(joined, size)
    if len(kept) <= max_bin:
        return [entry.value for entry in kept[1:]]
    return _nearest_to_ranks(kept, max_bin)


def _nearest_to_ranks(kept: Summary, max_bin: int) -> list[Any]:
    """For each rank the nearest number, strictly rising. A rank is a double in the program."""
    found, edge, at, above = [], kept[0].value, 0, 1
    for part in range(1, max_bin):
        # The highest rank is the weight of the column.
        twice = 2.0 * (part * kept[-1].high / max_bin)
        at = _reached(kept, at, len(kept) - 2, twice)
        near = kept[_nearer(kept, at, twice)].value
        # Edges rise strictly: one that would repeat gives way to the next larger number.
        if near <= edge:
            while above < len(kept) and kept[above].value <= edge:
                above += 1
            # No larger number is left: the column has fewer bins than were asked for.
            if above == len(kept):
                break
            near = kept[above].value
        found.append(edge := near)
    return found


SPACED = Rules(8, spaced_edges)
"""The rules up to release 3.2."""
RANKED = Rules(2, ranked_edges)
"""The rules since release 3.3."""


def edges(
    values: Sequence[Any], weights: Sequence[float], max_bin: int = 256, rules: Rules = RANKED, left_out: int = 0
) -> list[Any]:
    """The edges between the bins of a column: of at most b distinct numbers all but the lowest, else at most b - 1.

    Args:
        values: the numbers in the order of the rows, without gaps.
        weights: the weight of each row, a float32.
        max_bin: b, the most bins, at least 2.
        rules: the rules of a release.
        left_out: how many further rows have a number, and weigh nothing.

    Example:
        >>> edges([5, 1, 2, 1], [1.0] * 4)
        [2, 5]
        >>> edges(range(8), [1.0] * 8, max_bin=4), edges(range(8), [1.0] * 8, max_bin=4, rules=SPACED)
        ([2, 4, 6], [2, 4, 5])

    Source:
        [ChenGuestrin2016 §3.3]
    """
    # A row of weight 0 has no rank.
    pairs = [(value, weight) for value, weight in zip(values, weights, strict=True) if weight]
    distinct = sorted({value for value, _ in pairs})
    # Each number has a bin of its own, and the sketch is not needed.
    if len(distinct) <= max_bin:
        return distinct[1:]
    return rules.edges(parts_of(pairs, max_bin, rules.finer, len(values) - len(pairs) + left_out), max_bin)


EPSILON = Fraction(1, 10**6)
"""The bound that the gain of a split has to exceed."""

GradientTree.profiles |= {
    "xgboost": Profile(GradientTree, {"epsilon": EPSILON, "threshold": "below"}),
    "xgboost-hist": Profile(GradientTree, {"epsilon": EPSILON, "threshold": "next"}),
}


class Release(NamedTuple):
    """The record of a release: the rules in which it differs from others."""

    name: str
    sketch: Rules
    """The rules by which `hist` chooses the edges of bins."""
    enables_categories: bool
    """Whether `enable_categorical` is set unless the user says otherwise."""
    unlike: Mapping[str, str]
    """Objectives that are not done here → what the release makes of them."""
    light_is_idle: bool = False
    """Whether a root whose H is less than `min_child_weight` adds nothing (up to 3.3)."""


MEDIANS = {
    "reg:absoluteerror": "each leaf is the median of the residuals of its rows",
    "reg:quantileerror": "each leaf is a quantile of the residuals of its rows",
}
"""The objectives whose leaves are no steps of Newton's method, up to release 3.3."""

SMOOTH = dict.fromkeys(MEDIANS, "the loss is smoothed at a scale that the residuals of each round set")
"""The same objectives since release 3.4: their leaves are steps of Newton's method."""

RELEASES: Mapping[str, Release] = {
    release.name: release
    for release in (
        Release("3.2", SPACED, enables_categories=False, unlike=MEDIANS, light_is_idle=True),
        Release("3.3", RANKED, enables_categories=True, unlike=MEDIANS, light_is_idle=True),
        Release("3.4", RANKED, enables_categories=True, unlike=SMOOTH),
    )
}
"""The releases that are known here, the oldest first."""

OLDEST, *_, NEWEST = RELEASES


def release_of(asked: str | None = None) -> Release:
    """The record of a release. One that is newer than all records has the newest.

    Args:
        asked: the release, as `3.2` or `3.2.0`; None for the newest.

    Raises:
        InputError: that is no release, or it is older than all records.

    Example:
        >>> release_of().name, release_of("3.2.0").name, release_of("3.10").name
        ('3.4', '3.2', '3.4')
        >>> release_of("2.1")
        Traceback (most recent call last):
        reference_tree.data.errors.InputError: release='2.1' of XGBoost is older than 3.2, the oldest that is known here
    """
    # The newest record stands for all releases after it, until one is seen to differ.
    if asked is None:
        return RELEASES[NEWEST]
    numbers = numbers_of(asked)
    if numbers is None or len(numbers) < 2:
        raise InputError(f"release={asked!r} is no release of XGBoost; say one such as {NEWEST}, or leave it out")
    known = [release for name, release in RELEASES.items() if (numbers_of(name) or ()) <= numbers]
    if not known:
        raise InputError(f"release={asked!r} of XGBoost is older than {OLDEST}, the oldest that is known here")
    return known[-1]


def binned(table: Table, max_bin: int = 256, rules: Rules = RANKED, left_out: Mapping[str, int] | None = None) -> Table:
    """The table with each number replaced by the lower edge of its bin; the target stays.

    Args:
        table: the rows, whose numbers are those of the program.
        max_bin: the most bins of a column.
        rules: the rules of a release for the edges.
        left_out: attribute → how many further rows have a number, and weigh nothing.

    Raises:
        InputError: the weights are too large for float32.
    """
    columns, numbers = dict(table.columns), dict(table.schema.numbers)
    for name, values in table.schema.numbers.items():
        # The target is no feature, even where it is a number.
        if name == table.schema.target.name or not values:
            continue
        # The first bin begins at the lowest number, which is no edge.
        places = [0, *_edges(table, name, max_bin, rules, (left_out or {}).get(name, 0))]
        lower = SortedNumbers.of(list(map(values.__getitem__, places)))
        # The last entry is the code of a missing value, which stays one.
        bins = [*(bisect_right(places, place) - 1 for place in range(len(values))), len(lower)]
        columns[name] = Cells(lower, in_array(map(bins.__getitem__, table.codes(name)), len(lower)))
        numbers[name] = lower
    return replace(table, schema=replace(table.schema, numbers=numbers), columns=columns)


def _edges(table: Table, name: str, max_bin: int, rules: Rules, left_out: int) -> list[int]:
    """The places of the edges of a column among its numbers."""
    codes, missing = table.codes(name), len(table.schema.numbers[name])
    try:
        # The program takes weights as float32.
        weights = [nearest_single(float(weight)) for weight in table.weighted()]
        known = [(code, weight) for code, weight in zip(codes, weights, strict=True) if code != missing]
        return edges([code for code, _ in known], [weight for _, weight in known], max_bin, rules, left_out)
    except OverflowError:
        raise InputError("the weights of the rows are too large for float32; divide all of them by a number") from None
