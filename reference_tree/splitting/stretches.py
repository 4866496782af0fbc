"""Stretches: of many rows, most cuts are ruled out together, a stretch of rows at a time.

How many rows of each class a stretch has is counted in no time. From that alone a `Judge` can tell what no cut in the
stretch exceeds, in whatever order its rows stand. Where a better cut is known, the stretch is passed over. The
stretches with the highest limits come first, so that the best cut is known early.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import isqrt

from reference_tree.splitting.cut_scores import Judge, Scores

LARGE = 400
"""From so many rows on it is worth while."""


def scores_of_promising(judge: Judge, labels: bytes, flags: bytes, floor: int = 0) -> Scores:
    """The estimates of the cuts in those stretches that can have the best one.

    Args:
        judge: for the classes of these rows.
        labels: the class of each row in the order of the attribute.
        flags: where there are cuts.
        floor: the best estimate of another attribute of the same rows.

    Returns:
        Every cut that no other beats is judged, unless one of the other attribute does.
    """
    size = isqrt(len(labels) // 2)
    starts = range(0, len(labels), size)
    passed = [
        list(accumulate([labels.count(label, start, start + size) for start in starts], initial=0)) if there else zero
        for zero in [[0] * (len(starts) + 1)]
        for label, there in enumerate(judge.classes)
    ]
    limits = judge.limits(passed)
    found: dict[int, list[int]] = {}
    best = floor
    for stretch in sorted(range(len(limits)), key=limits.__getitem__, reverse=True):
        # The limit and the estimate may both be off.
        if limits[stretch] + 2 * judge.scores(b"", [best]).slack < best:
            break
        start = starts[stretch]
        before = [places[stretch] for places in passed]
        here = flags[start : start + size]
        found[stretch] = judge.estimates(labels[start : start + size], here, before, start)
        best = max([best, *found[stretch]])
    return judge.scores(_flagged(flags, found, starts, size), [e for stretch in sorted(found) for e in found[stretch]])


def _flagged(flags: bytes, found: dict[int, list[int]], starts: Sequence[int], size: int) -> bytes:
    """The flags of the stretches that were judged."""
    parts = (flags[start : start + size] if place in found else bytes(size) for place, start in enumerate(starts))
    return b"".join(parts)[: len(flags)]
