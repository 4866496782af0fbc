"""Exercises of the measures: entropies, gains, the Gini index, the variance."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

from docs.tools.played.exercises.record import (
    Counts,
    Exercise,
    average,
    average_entropy,
    both,
    classes,
    counted,
    figures,
    product,
    signed,
    two_sides,
)
from reference_tree.chance import Chance
from reference_tree.measures.conditional_entropy import conditional_entropy
from reference_tree.measures.entropy import entropy, self_information, total
from reference_tree.measures.gain_ratio import gain_ratio, split_information
from reference_tree.measures.gini_index import gini, gini_decrease, gini_index
from reference_tree.measures.information_gain import information_gain
from reference_tree.measures.variance import moments, split_error, sse, variance, variance_reduction


def _bag(chance: Chance) -> Counts:
    return [chance.below(6) + 1 for _ in range(3)]


ENTROPY = Exercise(
    _bag,
    entropy,
    {
        "base_e": lambda counts: entropy(counts, math.e),
        "base_10": lambda counts: entropy(counts, 10),
        "shares": lambda counts: sum(self_information(Fraction(n, sum(counts))) for n in counts),
        "plain_mean": lambda counts: average([self_information(Fraction(n, sum(counts))) for n in counts]),
        "gini": gini,
    },
    lambda counts: {
        **dict(zip("abc", counts, strict=True)),
        "sum": " + ".join(f"{n}/{sum(counts)} · log₂({sum(counts)}/{n})" for n in counts),
        **figures(right=entropy(counts)),
    },
)

CONDITIONAL = Exercise(
    partial(counted, branches=2),
    conditional_entropy,
    {
        "weights": average_entropy,
        "weights_base_e": lambda rows: average_entropy(rows, math.e),
        "base_e": lambda rows: conditional_entropy(rows, math.e),
        "sum": lambda rows: sum(map(entropy, rows)),
        "before": lambda rows: entropy(classes(rows)),
        "gained": information_gain,
    },
    lambda rows: {"sum": product(rows, entropy), **figures(right=conditional_entropy(rows))},
    signed,
)

GAIN = Exercise(
    partial(counted, branches=3),
    information_gain,
    {
        "weights": lambda rows: entropy(classes(rows)) - average_entropy(rows),
        "weights_base_e": lambda rows: entropy(classes(rows), math.e) - average_entropy(rows, math.e),
        "base_e": lambda rows: information_gain(rows, math.e),
        "sum": lambda rows: entropy(classes(rows)) - sum(map(entropy, rows)),
        "remaining": conditional_entropy,
        "gini_gain": gini_decrease,
    },
    lambda rows: {
        "yes": classes(rows)[0],
        "no": classes(rows)[1],
        "sum": product(rows, entropy),
        **figures(before=entropy(classes(rows)), after=conditional_entropy(rows), right=information_gain(rows)),
    },
    signed,
)

RATIO = Exercise(
    partial(counted, branches=3),
    gain_ratio,
    {
        "gain_alone": information_gain,
        "cost_alone": split_information,
        "by_entropy": lambda rows: information_gain(rows) / entropy(classes(rows)),
        "by_branches": lambda rows: information_gain(rows) / len(rows),
        "weights": lambda rows: (entropy(classes(rows)) - average_entropy(rows)) / split_information(rows),
    },
    lambda rows: {
        "sizes": " + ".join(f"{sum(row)}/{sum(map(sum, rows))}·log₂({sum(map(sum, rows))}/{sum(row)})" for row in rows),
        **figures(gain=information_gain(rows), cost=split_information(rows), right=gain_ratio(rows)),
    },
    signed,
)

GINI = Exercise(
    partial(counted, branches=2),
    gini_index,
    {
        "weights": lambda rows: average([gini(row) for row in rows]),
        "sum": lambda rows: sum(map(gini, rows)),
        "squares": lambda rows: 1 - gini_index(rows),
        "half": lambda rows: gini_index(rows) / 2,
        "denominators": lambda rows: sum(
            Fraction(sum(row), sum(map(sum, rows))) * (1 - Fraction(sum(n * n for n in row), total(row)))
            for row in rows
        ),
        "decrease": gini_decrease,
        "with_entropy": conditional_entropy,
    },
    lambda rows: {"sum": product(rows, gini), **figures(right=gini_index(rows))},
    signed,
)


VARIANCE = Exercise(
    two_sides,
    lambda sides: variance_reduction(list(map(moments, sides))),
    {
        "n_minus_1": lambda sides: variance_reduction(list(map(moments, sides)), unbiased=True),
        "weights": lambda sides: variance(moments(both(sides))) - average([variance(moments(one)) for one in sides]),
        "sum": lambda sides: variance(moments(both(sides))) - sum(variance(moments(one)) for one in sides),
        "undivided": lambda sides: sse(moments(both(sides))) - split_error(list(map(moments, sides))),
        "remaining": lambda sides: split_error(list(map(moments, sides))) / 5,
    },
    lambda sides: {
        "left": ", ".join(map(str, sides[0])),
        "right_side": ", ".join(map(str, sides[1])),
        **figures(
            before=variance(moments(both(sides))),
            first=variance(moments(sides[0])),
            second=variance(moments(sides[1])),
            right=variance_reduction(list(map(moments, sides))),
        ),
    },
)
