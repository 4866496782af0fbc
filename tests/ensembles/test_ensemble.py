"""Ensembles: what many trees say together, counted by hand and by another hand; and links against doubles and laws."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import exp
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.ensembles.ensemble import (
    LINKS,
    Ensemble,
    Member,
    exponential,
    linked,
    log1p_exp,
    shares_of_votes,
    sigmoid,
    signed_square,
)
from reference_tree.exact.log_sums import log
from reference_tree.learners.cart import CART
from reference_tree.learners.id3 import ID3
from reference_tree.tree import Node, Tree
from tests import strategies
from tests.every import of_every

CLASSES = Attribute("y", ("a", "b", "c"))
NUMBER = Attribute("y")


def saying(label: Any, counts: Any = None, weight: Any = 1) -> Member:
    """A tree that is one leaf."""
    target = CLASSES if isinstance(label, str) else NUMBER
    stands = counts or (
        tuple(int(label == one) for one in CLASSES.domain) if target is CLASSES else (1, label, label**2)
    )
    return Member(Tree(target, (), (Node(stands, label, stop="max-depth"),)), weight)


def together(*members: Member, combine: str = "vote") -> Ensemble:
    return Ensemble(members[0].tree.target, (), members, combine)


@of_every([(Fraction(3, 8), "a"), (Fraction(1, 2), "a"), (Fraction(5, 8), "b")])
def test_one_sum_of_two_classes_is_the_share_of_the_second(share: Fraction, label: str) -> None:
    """As in a forest: the second class is predicted where more than half of the trees say so."""
    halves = tuple(saying(share / 2) for _ in range(2))
    both = Ensemble(Attribute("y", ("a", "b")), (), halves, "share", start=(0,))
    assert (both.predict({}), both.distribution({})) == (label, {"a": 1 - share, "b": share})


def test_the_sum_of_each_class_is_its_share() -> None:
    parts = [("a", Fraction(1, 4)), ("b", Fraction(3, 8)), ("c", Fraction(1, 4)), ("c", Fraction(1, 8))]
    members = tuple(saying(share)._replace(of=label) for label, share in parts)
    together = Ensemble(CLASSES, (), members, "shares", start=(0, 0, 0))
    assert together.distribution({}) == {"a": Fraction(1, 4), "b": Fraction(3, 8), "c": Fraction(3, 8)}
    assert together.votes({}).tied == ("b", "c")
    assert together.predict({}) == "b"


@pytest.mark.covers("N4 Using multiple decision trees: vote", "N4 Tree ensembles")
def test_most_votes_win() -> None:
    votes = together(saying("b"), saying("c"), saying("b")).votes({})
    assert votes.label == "b"
    assert votes.scores == {"a": 0, "b": 2, "c": 1}
    assert votes.answers == ("b", "c", "b")
    assert votes.tied == ()


def test_of_equal_votes_the_first_class_wins() -> None:
    votes = together(saying("c"), saying("b")).votes({})
    assert (votes.label, votes.tied) == ("b", ("b", "c"))


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 5)), min_size=1, max_size=8))
def test_a_vote_of_weight_w_is_w_votes(votes: list[tuple[str, int]]) -> None:
    weighted = together(*(saying(label, weight=weight) for label, weight in votes))
    counted = Counter(label for label, weight in votes for _ in range(weight))
    assert weighted.predict({}) == max("abc", key=lambda label: (counted[label], -ord(label)))


def test_votes_are_compared_exactly_where_weights_are_logarithms() -> None:
    """Log 4 and twice log 2 are equal, and log 9 exceeds log 8.999...9 by less than any double shows."""
    equal = together(saying("b", weight=log(4)), saying("a", weight=log(2)), saying("a", weight=log(2)))
    assert equal.votes({}).tied == ("a", "b")
    near = Fraction(9 * 10**40 - 1, 10**40)
    close = together(saying("a", weight=log(near, math.e)), saying("b", weight=log(9, math.e)))
    assert float(log(near, math.e)) == float(log(9, math.e))
    assert close.predict({}) == "b"
    assert close.votes({}).tied == ()
    assert float(close.distribution({})["b"]) == 0.5


def test_the_mean_of_numbers_is_weighted() -> None:
    ensemble = together(saying(3), saying(4, weight=2), combine="mean")
    assert ensemble.predict({}) == Fraction(11, 3)
    assert ensemble.votes({}).answers == (3, 4)
    with pytest.raises(InputError, match="the ensemble predicts a number, y, and has no P"):
        ensemble.distribution({})


def test_the_mean_of_distributions_can_answer_what_no_vote_would() -> None:
    """Two leaves are just in favour of a, and one is all for b."""
    leaves = [saying("a", (3, 2, 0)), saying("a", (3, 2, 0)), saying("b", (0, 4, 0))]
    assert together(*leaves).predict({}) == "a"
    mean = together(*leaves, combine="mean")
    assert mean.predict({}) == "b"
    assert mean.distribution({}) == {"a": Fraction(2, 5), "b": Fraction(3, 5), "c": 0}


@given(strategies.categorical_tables())
def test_one_tree_answers_as_an_ensemble_of_itself(table: Table) -> None:
    tree = ID3().grow(table)
    for combine in ("vote", "mean"):
        alone = Ensemble(table.schema.target, table.schema.attributes, (Member(tree),), combine)
        assert alone.predict(table) == tree.predict(table)
        assert alone.predict(list(table.rows())) == tree.predict(table)
        assert alone.accuracy(table) == tree.accuracy(table)
    assert alone.distribution(table) == tree.distribution(table)


def test_tables_and_rows_are_answered_alike() -> None:
    table = textbook("iris")
    trees = [CART(max_depth=depth).grow(table) for depth in range(4)]
    ensemble = Ensemble(table.schema.target, table.schema.attributes, tuple(map(Member, trees)))
    rows = list(table.rows())
    assert ensemble.predict(table) == [ensemble.predict(row) for row in rows] == ensemble.predict(rows)
    assert ensemble.distribution(table) == ensemble.distribution(rows)
    assert ensemble.part([3]).predict(table) == trees[3].predict(table)


def test_what_is_no_ensemble_is_refused() -> None:
    with pytest.raises(InputError, match="at least one tree"):
        Ensemble(CLASSES, (), ())
    with pytest.raises(InputError, match=r"no rule that combines trees 'votes' \(did you mean vote\?\)"):
        together(saying("a"), combine="votes")
    with pytest.raises(InputError, match="y is a number, and trees vote for classes"):
        together(saying(3)).predict({})


@of_every(
    [
        (NUMBER, "sum", (), None, "sum starts from 1 numbers here, not from 0"),
        (NUMBER, "softmax", (0,), None, "softmax does not suit y, which has no classes"),
        (CLASSES, "sum", (0,), None, "sum does not suit y, which has 3 classes"),
        (CLASSES, "logistic", (0,), None, "logistic does not suit y, which has 3 classes"),
        (CLASSES, "softmax", (0,), "a", "softmax starts from 3 numbers here, not from 1"),
        (CLASSES, "softmax", (0, 0, 0), None, "each tree says which class it adds to"),
        (NUMBER, "sum", (0,), "a", "each tree says which class it adds to"),
    ]
)
def test_sums_that_are_not_those_of_the_target(
    target: Attribute, combine: str, start: tuple[int, ...], of: str | None, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        Ensemble(target, (), (saying(3)._replace(of=of),), combine, start=start)


def test_it_says_in_a_line_what_it_is() -> None:
    assert repr(together(saying("a"))) == "<Ensemble for y: 1 tree, combined by vote>"


@of_every([{"a": 3, "b": 1}, {"a": 3, "b": 1, "c": 0}, {"a": 2, "b": 5, "c": 1, "d": 2}])
def test_the_probabilities_of_votes_are_those_of_their_margins(votes: dict[str, int]) -> None:
    """As scikit-learn's AdaBoost has them: a vote for another class counts -1/(K - 1), and margins are over K - 1."""
    size, whole = len(votes), sum(votes.values())
    margins = {label: (vote - (whole - vote) / (size - 1)) / whole / (size - 1) for label, vote in votes.items()}
    total = sum(map(exp, margins.values()))
    found = {label: float(share) for label, share in shares_of_votes(votes).items()}
    assert found == pytest.approx({label: exp(margin) / total for label, margin in margins.items()}, rel=1e-14)


SUMS = st.fractions(-30, 30, max_denominator=10**6)


@of_every(
    [
        ("exp", math.exp),
        ("sigmoid", lambda f: 1 / (1 + math.exp(-f))),
        ("log1p-exp", lambda f: math.log1p(math.exp(f))),
        ("signed-square", lambda f: f * abs(f)),
    ]
)
def test_a_link_is_that_of_doubles(link: str, of_doubles: Callable[[float], float]) -> None:
    for f in (-20.5, -1.25, -0.001, 0.0, 0.3, 2.0, 33.0):
        assert math.isclose(float(LINKS[link](Fraction(f))), of_doubles(f), rel_tol=1e-14), f


@given(SUMS)
def test_laws_of_the_links(f: Fraction) -> None:
    assert float(exponential(f)) == pytest.approx(1 / float(exponential(-f)), rel=1e-14)
    assert float(sigmoid(f)) + float(sigmoid(-f)) == pytest.approx(1, rel=1e-14)
    assert float(log1p_exp(f)) - float(log1p_exp(-f)) == pytest.approx(float(f), rel=1e-12, abs=1e-12)
    assert signed_square(f) == -signed_square(-f)
    assert abs(signed_square(f)) == f * f


def test_a_sum_is_rounded_once() -> None:
    assert float(linked("exp", 1, "exact")) == math.e
    assert linked("exp", 1, "float32") == Fraction(11401300, 2**22)  # e is 2.718281828, and float32 has 24 digits
    assert linked("signed-square", Fraction(1, 3), "exact") == Fraction(1, 9)
    assert linked("exp", 0, "float32") == linked("exp", 0, "exact") == 1


@of_every([("exact", 1000, "too large for a double"), ("float32", 100, "too large for a float32")])
def test_what_no_float_holds_is_refused(form: str, f: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        linked("exp", f, form)  # type: ignore[arg-type]
