"""Exercises of ensembles and of held-out rows."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from docs.tools.played.exercises.pruning import VALIDATION, Leaf, right_about
from docs.tools.played.exercises.record import (
    Counts,
    Exercise,
    Rows,
    average,
    both,
    counted,
    figures,
    two_sides,
)
from reference_tree.attribution.shapley import shapley
from reference_tree.chance import Chance
from reference_tree.ensembles.adaboost import coefficient
from reference_tree.ensembles.bagging import out_of_bag_share
from reference_tree.exact.log_sums import Number
from reference_tree.measures.entropy import self_information
from reference_tree.measures.variance import moments, split_error, sse, variance
from reference_tree.selection.cross_validation import mean

OUT_OF_BAG = Exercise(
    lambda chance: 3 + chance.below(4),
    out_of_bag_share,
    {
        "in_bag": lambda m: 1 - out_of_bag_share(m),
        "one_draw": lambda m: Fraction(m - 1, m),
        "each_row": lambda m: Fraction(1, m**m),
        "one_draw_less": lambda m: Fraction(m - 1, m) ** (m - 1),
    },
    lambda m: {"m": m, "less": m - 1, **figures(right=out_of_bag_share(m))},
)


def _expected(chance: Chance) -> Counts:
    """What is expected if nothing, a, b or both are known."""
    while True:
        none, a, b, both_known = (chance.below(13) for _ in range(4))
        mistakes = {2 * (a - none), 2 * (both_known - b), b - none + both_known - a, 2 * (a - none + both_known - b)}
        if len(mistakes | {a - none + both_known - b}) == 5:
            return [none, a, b, both_known]


def _shapley(v: Counts) -> dict[str, Fraction]:
    def expected(known: frozenset[str]) -> Fraction:
        return Fraction(v[("a" in known) + 2 * ("b" in known)])

    return shapley(expected, ["a", "b"])


ORDERS = Exercise(
    _expected,
    lambda v: _shapley(v)["a"],
    {
        "as_first": lambda v: v[1] - v[0],
        "as_last": lambda v: v[3] - v[2],
        "orders_added": lambda v: v[1] - v[0] + v[3] - v[2],
        "other_attribute": lambda v: _shapley(v)["b"],
    },
    lambda v: {"none": v[0], "a": v[1], "b": v[2], "both": v[3], **figures(right=_shapley(v)["a"])},
)


def _forest(chance: Chance) -> Rows:
    while True:
        leaves = [[chance.below(8), chance.below(8)] for _ in range(5)]
        if all(a != b for a, b in leaves) and _by_votes(leaves) != _by_shares(leaves):
            return leaves


def _by_votes(leaves: Rows) -> str:
    return "{yes}" if sum(yes > no for yes, no in leaves) > 2 else "{no}"


def _by_shares(leaves: Rows) -> str:
    return "{yes}" if average([Fraction(yes, yes + no) for yes, no in leaves]) > Fraction(1, 2) else "{no}"


def _by_rows(leaves: Rows) -> str:
    return "{yes}" if sum(yes for yes, _ in leaves) > sum(no for _, no in leaves) else "{no}"


VOTES = Exercise(
    _forest,
    _by_votes,
    {"shares_for_votes": _by_shares, "rows_for_votes": _by_rows},
    lambda leaves: {"votes": sum(yes > no for yes, no in leaves), "answer": _by_votes(leaves)},
    lambda leaves: [
        ["{tree}", "{yes}", "{no}"],
        *([str(place), *map(str, row)] for place, row in enumerate(leaves, 1)),
    ],
    lambda _: ("{yes}", "{no}"),
)


def _round(chance: Chance) -> Counts:
    n = 8 + chance.below(9)
    return [n, 1 + chance.below(n // 2 - 1)]


def _error(drawn: Counts) -> Fraction:
    return Fraction(drawn[1], drawn[0])


def _alpha(drawn: Counts) -> Number:
    return coefficient(_error(drawn))


ADABOOST = Exercise(
    _round,
    _alpha,
    {
        "half_forgotten": lambda drawn: 2 * _alpha(drawn),
        "turned_over": lambda drawn: -_alpha(drawn),
        "base_2": lambda drawn: (self_information(_error(drawn)) - self_information(1 - _error(drawn))) / 2,
        "error_rate": _error,
    },
    lambda drawn: {
        "n": drawn[0],
        "wrong": drawn[1],
        "e": str(_error(drawn)),
        "odds": str(1 / _error(drawn) - 1),
        **figures(right=_alpha(drawn)),
    },
)

RESIDUALS = Exercise(
    two_sides,
    lambda sides: split_error(list(map(moments, sides))),
    {
        "overall_mean": lambda sides: sse(moments(both(sides))),
        "mean_square": lambda sides: split_error(list(map(moments, sides))) / 5,
        "sums": lambda sides: sum(variance(moments(one)) for one in sides),
    },
    lambda sides: {
        "left": ", ".join(map(str, sides[0])),
        "right_side": ", ".join(map(str, sides[1])),
        **figures(
            first=average(sides[0]),
            second=average(sides[1]),
            a=sse(moments(sides[0])),
            b=sse(moments(sides[1])),
            right=split_error(list(map(moments, sides))),
        ),
    },
)


def _step(drawn: tuple[Rows, Fraction]) -> Fraction:
    sides, rate = drawn
    start = average(both(sides))
    return Fraction(start + rate * (average(sides[0]) - start))


def _stepped(chance: Chance) -> tuple[Rows, Fraction]:
    while True:
        drawn = two_sides(chance), Fraction(1, chance.choice([2, 4, 5, 10]))
        if abs(average(drawn[0][0]) - average(drawn[0][1])) > 1:
            return drawn


STEP = Exercise(
    _stepped,
    _step,
    {
        "rate_forgotten": lambda drawn: average(drawn[0][0]),
        "start_forgotten": lambda drawn: _step(drawn) - average(both(drawn[0])),
        "whole_mean": lambda drawn: average(both(drawn[0])) + drawn[1] * average(drawn[0][0]),
        "rate_of_all": lambda drawn: drawn[1] * average(drawn[0][0]),
        "other_leaf": lambda drawn: (
            average(both(drawn[0])) + drawn[1] * (average(drawn[0][1]) - average(both(drawn[0])))
        ),
    },
    lambda drawn: {
        "left": ", ".join(map(str, drawn[0][0])),
        "right_side": ", ".join(map(str, drawn[0][1])),
        "rate": drawn[1],
        **figures(
            start=average(both(drawn[0])),
            leaf=average(drawn[0][0]) - average(both(drawn[0])),
            right=_step(drawn),
        ),
    },
)


def _held(chance: Chance) -> list[Leaf]:
    while True:
        leaves = [(row, [chance.below(5), chance.below(5)]) for row in counted(chance, branches=2)]
        n = sum(sum(held) for _, held in leaves)
        if all(a != b for a, b in (row for row, _ in leaves)) and n > 4 and 0 < right_about(leaves) < n:
            return leaves


def _rate(leaves: list[Leaf], trained: int = 0, judged: int = 1) -> Fraction:
    n = sum(sum(leaf[judged]) for leaf in leaves)
    return 1 - Fraction(right_about(leaves, trained, judged), n)


HOLDOUT = Exercise(
    _held,
    _rate,
    {
        "training_error": partial(_rate, judged=0),
        "accuracy": lambda leaves: 1 - _rate(leaves),
        "relabelled": partial(_rate, trained=1),
        "all_rows": lambda leaves: _rate(
            [(grown, [a + b for a, b in zip(grown, held, strict=True)]) for grown, held in leaves]
        ),
        "errors_undivided": lambda leaves: _rate(leaves) * sum(sum(held) for _, held in leaves),
    },
    lambda leaves: {
        "n": sum(sum(held) for _, held in leaves),
        "wrong": _rate(leaves) * sum(sum(held) for _, held in leaves),
        **figures(right=_rate(leaves)),
    },
    VALIDATION.cells,
)


def _folds(chance: Chance) -> Rows:
    while True:
        sizes = chance.shuffled([3, 4, 5])
        folds = [[n, chance.below(n)] for n in sizes]
        if len({Fraction(wrong, n) for n, wrong in folds}) > 1:
            return folds


FOLDS = Exercise(
    _folds,
    lambda folds: mean([Fraction(wrong, n) for n, wrong in folds]),
    {
        "pooled": lambda folds: Fraction(sum(wrong for _, wrong in folds), sum(n for n, _ in folds)),
        "accuracy": lambda folds: 1 - mean([Fraction(wrong, n) for n, wrong in folds]),
        "sum": lambda folds: sum(Fraction(wrong, n) for n, wrong in folds),
        "mean_count": lambda folds: average([wrong for _, wrong in folds]),
    },
    lambda folds: {
        "sum": " + ".join(f"{wrong}/{n}" for n, wrong in folds),
        **figures(right=mean([Fraction(wrong, n) for n, wrong in folds])),
    },
    lambda folds: [
        ["{fold}", "{rows}", "{errors}"],
        *([str(place), *map(str, fold)] for place, fold in enumerate(folds, 1)),
    ],
)
