"""OC1: never worse than the best cut, never better than the optimum, and the same again from the same seed."""

from __future__ import annotations

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
from tests.splitting.linear.samples import classified, points_with, scores_along
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
