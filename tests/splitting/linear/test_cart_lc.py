"""CART-LC: what its steps promise, and where it gets stuck."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from hypothesis import given

from reference_tree.data.points import Points
from reference_tree.data.textbook import textbook
from reference_tree.measures.gini_index import gini_decrease
from reference_tree.measures.variance import variance_reduction
from reference_tree.splitting.linear.cart_lc import DELETION, _climbed, _shortened, cart_lc, search, standardised
from reference_tree.splitting.linear.line_search import Placed, best_along, best_cut, extended, lower
from reference_tree.splitting.linear.side_scores import SideScores
from reference_tree.splitting.multivariate_nodes import points_of, regret
from tests.splitting.linear.samples import classified, measured, points_with, scores_along


def last(start: Placed, tried: Iterable[tuple[Any, Placed, bool]]) -> Placed:
    """Where some steps end that begin at a plane."""
    return [start, *(found for _, found, taken in tried if taken)][-1]


@given(classified(2, 7))
def test_it_lies_between_the_best_cut_and_the_optimum(points: Points) -> None:
    judge = SideScores(points, gini_decrease)
    cut, found = best_cut(judge, extended(points.values)), cart_lc(points, gini_decrease)
    assert (found is None) == (cut is None)
    if cut is not None and found is not None:
        assert judge.score(found.inside) >= cut.score
        assert regret(found, gini_decrease) >= 0


@given(measured(2, 6))
def test_numbers_too(points: Points) -> None:
    found = cart_lc(points, variance_reduction)
    assert found is None or regret(found, variance_reduction) >= 0


@given(classified(2, 7))
def test_where_it_ends_no_step_of_its_own_helps(points: Points) -> None:
    """Every δ for each coordinate and each γ, and every c, as the book writes the steps, tried on the points."""
    judge, places = SideScores(points, gini_decrease), extended(points.values)
    cut = best_cut(judge, places)
    if cut is None:
        return
    found = last(cut, _climbed(judge, places, cut))
    heights = [sum(a * x for a, x in zip(found.plane, point, strict=True)) for point in places]
    steps = [[x[m] + shift for x in places] for m in (0, 1) for shift in (Fraction(-1, 4), 0, Fraction(1, 4))]
    tried: list[list[Any]] = [*steps, [1] * len(places)]
    for step in tried:  # v - δ·(x_m + γ) ≤ c, and v ≤ c + δ
        assert all(score <= found.score for score in scores_along(judge, heights, step))


def test_one_cycle_may_not_be_enough() -> None:
    """Here the second one gains: from 9/50, where a single one ends, to 16/75."""
    values = [(0, 4), (1, 2), (2, 0), (3, 0), (3, 2)]
    judge = SideScores(points_with(values, [(0, 1), (1, 0), (0, 1), (1, 0), (0, 1)]), gini_decrease)
    cut = best_cut(judge, extended(values))
    assert cut is not None
    assert cut.score == Fraction(2, 25)
    assert last(cut, _climbed(judge, extended(values), cut)).score == Fraction(16, 75)


def test_coordinates_are_standardised_by_median_and_quartiles() -> None:
    points = points_with([(0, 5), (1, 5), (2, 5), (3, 6), (9, 7)], [(1,), (1,), (1,), (1,), (1,)])
    assert standardised(points) == ((2, 5), (2, 1))
    heavy = points_with([(0, 5), (1, 5), (2, 5), (3, 5), (9, 5)], [(9,), (1,), (1,), (1,), (1,)])
    assert standardised(heavy) == ((0, 5), (1, 1))  # the quartiles 0 and 1; a constant is divided by 1
    flat = points_with([(0,), (1,)], [(9,), (1,)])
    assert standardised(flat) == ((0,), (1,))  # no range between the quartiles: that of all


def test_a_coordinate_that_costs_little_is_left_out() -> None:
    """Of x + y/2 ≤ 3/2, x alone does as well; of the others each is needed."""
    places = [(0, 0), (0, 1), (1, 0), (2, 0), (2, 1)]
    free = points_with(places, [(1, 0), (1, 0), (1, 0), (0, 1), (0, 1)])
    needed = points_with(places, [(1, 0), (0, 1), (0, 1), (0, 1), (0, 1)])
    assert _left(free, (1, Fraction(1, 2), Fraction(-3, 2)), 0) == (True, False)
    assert _left(needed, (1, 1, Fraction(-1, 2)), 0) == (True, True)


def test_how_much_it_may_cost_is_a_share_of_the_dearest() -> None:
    """With the share that the cheapest costs it goes, with a little less it stays."""
    points = points_with(
        [(0, 0), (1, 1), (0, 1), (1, 2), (2, 2), (2, 1)], [(0, 1), (0, 1), (1, 0), (1, 0), (1, 0), (0, 1)]
    )
    judge, plane = SideScores(points, gini_decrease), (-1, Fraction(3, 2), Fraction(-1))
    full, without_y, without_x = (
        best_along(judge, extended(points.values), p, lower(3))[0].score for p in (plane, (-1, 0, 0), (0, 1, 0))
    )
    share = (full - max(without_x, without_y)) / (full - min(without_x, without_y))
    assert 0 < share < 1
    assert sum(_left(points, plane, share)) == 1
    assert sum(_left(points, plane, share - Fraction(1, 1000))) == 2


def _left(points: Points, plane: Any, deletion: Any) -> tuple[bool, ...]:
    """Which coordinates backward deletion leaves in a plane."""
    judge, places = SideScores(points, gini_decrease), extended(points.values)
    start = best_along(judge, places, plane, lower(3))[0]
    return tuple(weight != 0 for weight in last(start, _shortened(judge, places, start, deletion)).plane[:-1])


def test_watermelons() -> None:
    """By Gini it finds the best line of all; by gain no single step leads away from the best cut."""
    points = points_of(textbook("watermelon-3.0a"))
    by_gini, by_gain = cart_lc(points, gini_decrease), cart_lc(points)
    assert by_gini is not None
    assert by_gain is not None
    assert regret(by_gini, gini_decrease) == 0
    assert by_gain.test.name == "含糖率<=0.126"
    assert f"{float(regret(by_gain)):.6f}" == "0.223545"


@given(classified(2, 7))
def test_a_step_is_taken_if_it_is_better_or_leaves_out_what_costs_little(points: Points) -> None:
    """Each step by the rules of the book, from the score of its side alone."""
    judge, current = SideScores(points, gini_decrease), None
    steps = list(search(points, gini_decrease))
    assert all(step.score == judge.score(step.split.inside) for step in steps)
    without = [step for step in steps if step.kind == "without"]
    for place, step in enumerate(steps):
        if step.kind == "cycle":
            assert step.taken == (step.score > current)
        elif step.kind == "without" and current is not None:
            costs = [current - other.score for other in without[:2]]  # two coordinates: at most one round
            assert step.taken == (current - step.score == min(costs) <= DELETION * max(costs) and step is without[1])
        else:
            assert step.taken
            assert place in (0, len(steps) - 1)
        current = step.score if step.taken else current
    assert [step.split for step in steps if step.taken][-1:] == [one for one in [cart_lc(points, gini_decrease)] if one]


def test_nothing_to_divide() -> None:
    assert cart_lc(points_with([(1, 1)], [(2, 2)])) is None
    assert cart_lc(points_with([(1, 1), (2, 2)], [(1, 0), (0, 1)]), minimum=2) is None
