"""OC1: never worse than the best cut, never better than the optimum, and the same again from the same seed."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.chance import Chance
from reference_tree.data.points import Points
from reference_tree.data.textbook import textbook
from reference_tree.measures.gini_index import gini_decrease
from reference_tree.splitting.linear.line_search import best_cut, extended
from reference_tree.splitting.linear.oc1 import _climbed, oc1
from reference_tree.splitting.linear.side_scores import SideScores
from reference_tree.splitting.multivariate_nodes import points_of, regret
from tests.every import of_every
from tests.splitting.linear.samples import (
    Tried,
    best_of,
    best_of_one_coordinate,
    best_on_the_way,
    classified,
    points_with,
    scores_along,
    tried,
)
from tests.strategies import at_most


@at_most(40)
@given(classified(2, 7), st.integers(0, 5))
def test_it_lies_between_the_best_cut_and_the_optimum(points: Points, seed: int) -> None:
    judge = SideScores(points, gini_decrease)
    cut = best_cut(judge, extended(points.values))
    found = oc1(points, Chance(seed), gini_decrease, restarts=2, jumps=2)
    assert (found is None) == (cut is None)
    if cut is not None and found is not None:
        assert judge.score(found.inside) >= cut.score
        assert regret(found, gini_decrease) >= 0


@at_most(20)
@given(classified(2, 6), st.integers(0, 3), st.integers(0, 3))
def test_more_restarts_are_never_worse(points: Points, seed: int, restarts: int) -> None:
    """The first draws are the same."""
    judge = SideScores(points, gini_decrease)
    few, more = (oc1(points, Chance(seed), gini_decrease, restarts=n, jumps=1) for n in (restarts, restarts + 2))
    if few is not None and more is not None:
        reached = judge.score(few.inside)
        assert reached is not None
        assert judge.score(more.inside) >= reached


class Refusing:
    """A generator whose draw is always the last one possible."""

    def below(self, n: int, /) -> int:
        return n - 1


@given(classified(2, 7))
def test_where_climbing_ends_no_coefficient_helps(points: Points) -> None:
    """Every value of each coefficient, the constant among them, tried on the rows."""
    judge, places = SideScores(points, gini_decrease), extended(points.values)
    cut = best_cut(judge, places)
    if cut is None:
        return
    found = _climbed(judge, places, cut, Refusing())
    heights = [sum(a * x for a, x in zip(found.plane, point, strict=True)) for point in places]
    for coefficient in range(3):
        step = [point[coefficient] for point in places]
        assert all(score <= found.score for score in scores_along(judge, heights, step))


# The method, once more.


class Recording:
    """A generator that notes what it was asked and what it said.

    Args:
        chance: what draws.
        coarse: whether coefficients are -1, 0 and 1 alone, so that points often lie on a plane that is drawn, and other
            draws 8 and 9 alone, so that of moves on a plain the second is refused half of the time, the third always.
    """

    def __init__(self, chance: Chance, coarse: bool) -> None:
        self.chance, self.coarse, self.drawn = chance, coarse, list[tuple[int, int]]()

    def below(self, n: int, /) -> int:
        found = self.chance.below(n)
        if self.coarse:
            found = 1000 * (found % 3) if n > 1000 else 8 + found % 2
        self.drawn.append((n, found))
        return found


def once_more(points: Points, chance: Recording, restarts: int, jumps: int) -> Tried | None:
    """OC1 as the paper tells it, with the probabilities 1, 9/10, 8/10, ... of its moves on a plain."""
    judge = SideScores(points, gini_decrease)
    columns = list(zip(*points.values, strict=True))
    spread = [max(column) - min(column) if max(column) > min(column) else 1 for column in columns]
    places = [
        [*(Fraction(x - min(column)) / s for x, column, s in zip(point, columns, spread, strict=True)), Fraction(1)]
        for point in points.values
    ]
    width = len(places[0])

    def drawn() -> list[Fraction]:
        return [Fraction(chance.below(2001) - 1000, 1000) for _ in range(width)]

    def axis(m: int) -> list[int]:
        return [int(m == other) for other in range(width)]

    def climbed(now: Tried) -> Tried:
        tenths, gained = 10, True
        while gained:
            at_first = now.score
            for m in range(width):
                others = [one for one in best_on_the_way(judge, places, now.plane, axis(m)) if one.side != now.side]
                if others and others[0].score > now.score:
                    now, tenths = others[0], 10
                elif others and others[0].score == now.score and chance.below(10) < tenths:
                    now, tenths = others[0], tenths - 1
            gained = now.score > at_first
        return now

    def searched(now: Tried) -> Tried:
        now, left = climbed(now), jumps
        while left:
            found = best_on_the_way(judge, places, now.plane, drawn())
            left -= 1
            if found and found[0].score > now.score:
                now, left = climbed(found[0]), jumps
        return now

    def started(run: int) -> Tried | None:
        if run == 0:
            return best_of_one_coordinate(judge, places)
        plane = drawn()
        shifted = best_on_the_way(judge, places, plane, axis(width - 1))
        return tried(judge, places, plane) or (shifted[0] if shifted else None)

    reached = [searched(start) for run in range(restarts) if (start := started(run)) is not None]
    if not reached:
        return None
    plane, side, score = best_of(reached)[0]
    return Tried([a / s for a, s in zip(plane[:-1], spread, strict=True)], side, score)


@at_most(20)
@given(classified(2, 7), st.integers(0, 5), st.booleans())
def test_the_method_once_more(points: Points, seed: int, coarse: bool) -> None:
    _same_as_by_the_paper(points, seed, coarse)


@pytest.mark.one_in(3, 6)
@pytest.mark.parametrize("coarse", [True, False])
@pytest.mark.parametrize("moved", [0, 7, -3])
def test_it_is_the_same_wherever_the_points_lie(moved: int, coarse: bool) -> None:
    """A grid with two classes that no line tells apart, and a coordinate that is always the same."""
    values = [(x + moved, 2 * y + moved, moved) for x in range(3) for y in range(3)]
    rows = [(1, 0), (0, 1), (1, 0), (0, 2), (1, 0), (0, 1), (2, 0), (0, 1), (1, 1)]
    for seed in range(4):
        _same_as_by_the_paper(points_with(values, rows), seed, coarse)


@pytest.mark.slow
@of_every([3, 7, 36, 46])
def test_on_a_plain_it_moves_ever_more_rarely(seed: int) -> None:
    """The corners of a cube, four of either class: many planes are equally good."""
    values = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    _same_as_by_the_paper(points_with(values, Chance(seed).shuffled([*[(1, 0)] * 4, *[(0, 1)] * 4])), seed, coarse=True)


def _same_as_by_the_paper(points: Points, seed: int, coarse: bool) -> None:
    first, second = (Recording(Chance(seed), coarse) for _ in range(2))
    if len(points.values) > 1:
        found, expected = oc1(points, first, gini_decrease, restarts=3, jumps=2), once_more(points, second, 3, 2)
        assert first.drawn == second.drawn
        assert (found is None) == (expected is None)
        if found is not None and expected is not None:
            assert (found.inside, found.direction) == (expected.side, tuple(expected.plane))


@pytest.mark.slow
def test_it_starts_twenty_times_and_jumps_five_times() -> None:
    points = points_of(textbook("watermelon-3.0a"))
    plain, explicit = (Recording(Chance(2), False) for _ in range(2))
    assert oc1(points, plain, gini_decrease) == oc1(points, explicit, gini_decrease, restarts=20, jumps=5)
    assert plain.drawn == explicit.drawn


def test_light_rows_are_divided_too() -> None:
    halves = (Fraction(1, 2), Fraction(1, 2))
    points = points_with([(0,), (1,)], [(1, 0), (0, 1)])._replace(rows=((halves[0], 0), (0, halves[1])), weights=halves)
    assert oc1(points, Chance(1)) is not None


@pytest.mark.slow
def test_the_best_of_all_restarts_is_kept() -> None:
    points = points_of(textbook("watermelon-3.0a"))
    regrets = []
    for restarts in range(9):
        found = oc1(points, Chance(3), gini_decrease, restarts=restarts, jumps=0)
        assert found is not None
        regrets.append(regret(found, gini_decrease))
    assert regrets == sorted(regrets, reverse=True)
    assert len(set(regrets)) > 1


def test_a_seed_can_be_repeated() -> None:
    points = points_of(textbook("watermelon-3.0a"))
    one, again, other = (oc1(points, Chance(seed), gini_decrease, restarts=3) for seed in (1, 1, 2))
    assert one is not None
    assert again is not None
    assert other is not None
    assert one.test == again.test
    assert one.test != other.test  # the same side of another plane, or another one


@pytest.mark.slow
def test_chance_gets_it_away_from_where_climbing_is_stuck() -> None:
    """By gain no coefficient alone leads away from the best cut of the watermelons; a restart finds the best line."""
    points = points_of(textbook("watermelon-3.0a"))
    stuck, free = oc1(points, Chance(1), restarts=0, jumps=0), oc1(points, Chance(1))
    assert stuck is not None
    assert free is not None
    assert regret(stuck) > 0
    assert regret(free) == 0


def test_what_it_draws() -> None:
    """Nothing, where nothing is to be drawn: one generator can serve the whole tree."""

    class Counting:
        drawn = 0

        def below(self, n: int, /) -> int:
            self.drawn += 1
            return 0

    chance = Counting()
    assert oc1(points_with([(1, 1)], [(2, 2)]), chance) is None
    assert chance.drawn == 0
    assert oc1(points_with([(0, 0), (1, 1)], [(1, 0), (0, 1)]), chance, restarts=0, jumps=0) is not None
    assert chance.drawn == 0
