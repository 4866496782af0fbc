"""Stretches: of many rows, most cuts are ruled out together, a stretch of rows at a time.

How many rows of each class a stretch has is counted in no time. From that alone a `Judge` can tell what no cut in the
stretch exceeds, in whatever order its rows stand. Where a better cut is known, the stretch is passed over. The
stretches with the highest limits come first, of whichever attribute, so that the best cut is known early.
"""

from __future__ import annotations

from math import isqrt

from reference_tree.splitting.cut_scores import Judge, Scores, orders_in

LARGE = 400
"""From so many rows on it is worth while."""


def scores_of_promising(judge: Judge, labels: bytes, flags: bytes, floor: int = 0) -> Scores:
    """The estimates of the cuts in those stretches that can have the best one.

    Args:
        judge: for the classes of these rows.
        labels: the class of each row in the order of the attribute; or of several, one behind the other.
        flags: where there are cuts.
        floor: the best estimate of another attribute of the same rows.

    Returns:
        Every cut that no other beats is judged, unless one of the other attribute does.
    """
    n = sum(judge.classes)
    places = [*range(0, n, isqrt(n)), n]
    orders = list(orders_in(labels, flags, n))
    limits = judge.limits(labels, places)
    found: dict[tuple[int, int], list[int]] = {}
    best, slack = floor, judge.scores(b"", [floor]).slack
    for stretch in sorted(range(len(limits)), key=limits.__getitem__, reverse=True):
        # The limit and the estimate may both be off.
        if limits[stretch] + 2 * slack < best:
            break
        which, place = divmod(stretch, len(places) - 1)
        (order, cuts), start, end = orders[which], places[place], places[place + 1]
        before = [order.count(label, 0, start) for label in range(len(judge.classes))]
        estimates = judge.estimates(order[start:end], cuts[start:end], before, start)
        found[which * n + start, which * n + end] = estimates
        if estimates and max(estimates) > best:
            best = max(estimates)
            slack = judge.scores(b"", [best]).slack
    judged = bytearray(len(flags))
    for start, end in found:
        judged[start:end] = flags[start:end]
    return judge.scores(bytes(judged), [e for stretch in sorted(found) for e in found[stretch]])
