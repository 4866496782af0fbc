"""The value functions, by what they say of a set: everything, nothing, and trees small enough to be worked out."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.attribution.shapley import subsets
from reference_tree.attribution.summands import Summand, summed
from reference_tree.attribution.value_functions import conditional, interventional, path_dependent
from reference_tree.data.errors import InputError
from reference_tree.data.questions import Missing, Surrogate, Threshold
from reference_tree.data.schema import Attribute
from reference_tree.tree import Node, Tree
from tests.attribution.drawn_trees import drawn_row, drawn_tree

NOTHING = frozenset[str]()


def _grown() -> tuple[Summand, list[Any]]:
    days = rt.textbook("play-tennis")
    return summed(rt.ID3().grow(days)).summands[0], list(days.rows())


def test_with_nothing_known_the_path_dependent_value_is_the_mean_over_the_training_rows() -> None:
    term, rows = _grown()
    assert path_dependent(term, rows[0])(NOTHING) == Fraction(9, 14)


def test_on_the_training_rows_all_three_agree_on_everything_and_on_nothing() -> None:
    term, rows = _grown()
    names = frozenset(term.names)
    for row in rows:
        vs = [path_dependent(term, row), interventional(term, row, rows), conditional(term, row, rows)]
        assert {v(NOTHING) for v in vs} == {Fraction(9, 14)}
        assert {v(names) for v in vs} == {term.answer(row)}


def test_between_them_the_three_are_three_functions() -> None:
    """Of a humid day, worked out by hand: 5 of 14 days are sunny, of which all humid ones are bad; 4 are overcast."""
    term, rows = _grown()
    row, known = rows[0], frozenset({"humidity"})
    assert row["humidity"] == "high"
    assert path_dependent(term, row)(known) == Fraction(4, 14) + Fraction(5, 14) * Fraction(3, 5)
    assert interventional(term, row, rows)(known) == Fraction(4, 14) + Fraction(3, 14)
    assert conditional(term, row, rows)(known) == Fraction(3, 7)


def test_the_conditional_value_is_the_share_among_the_rows_that_agree() -> None:
    term, rows = _grown()
    row = {"outlook": "sunny", "humidity": "high", "wind": "weak", "temperature": "hot"}
    for known in subsets(["outlook", "humidity", "wind"]):
        agreeing = [one["play"] == "yes" for one in rows if all(one[name] == row[name] for name in known)]
        assert conditional(term, row, rows)(known) == Fraction(sum(agreeing), len(agreeing))


def test_nothing_is_expected_of_no_rows() -> None:
    term, rows = _grown()
    with pytest.raises(InputError, match="no training row agrees"):
        conditional(term, {**rows[0], "wind": "none"}, rows)(frozenset({"wind"}))
    with pytest.raises(InputError, match="the background has no rows"):
        interventional(term, rows[0], [])


@pytest.mark.parametrize("seed", range(20))
def test_an_interventional_value_is_the_mean_answer_for_mixed_rows(seed: int) -> None:
    chance = Random(seed)
    term, row = drawn_tree(chance, 3, special=seed % 2 == 1), drawn_row(chance)
    background = [drawn_row(chance) for _ in range(3)]
    for known in subsets(term.names):
        mixed = [{**other, **{name: row[name] for name in known}} for other in background]
        assert interventional(term, row, background)(known) == sum(map(term.answer, mixed)) / Fraction(3)


def test_a_gap_is_known_to_be_one_and_goes_where_the_tree_sends_it() -> None:
    test = Threshold("x", 1)
    gap = Missing(shares=(Fraction(3, 4), Fraction(1, 4)))
    tree = Tree(
        Attribute("y"),
        (Attribute("x"),),
        (Node((2, 0, 0), 0, test, (1, 2), missing=gap), Node((1, 0, 0), 0), Node((1, 8, 64), 8)),
    )
    v = path_dependent(Summand(tree, (Fraction(0), Fraction(0), Fraction(8)), (2, 1, 1)), {"x": None})
    assert [v(NOTHING), v(frozenset({"x"}))] == [4, 2]


def test_a_surrogate_is_asked_only_if_it_is_known() -> None:
    test = Threshold("x", 1)
    gap = Missing(surrogates=(Surrogate(Threshold("z", 1), (0, 1), Fraction(1)),), to=0)
    tree = Tree(
        Attribute("y"), (Attribute("x"), Attribute("z")),
        (Node((4, 0, 0), 0, test, (1, 2), missing=gap), Node((1, 0, 0), 0), Node((3, 24, 192), 8)),
    )  # fmt: skip
    v = path_dependent(Summand(tree, (Fraction(0), Fraction(0), Fraction(8)), (4, 1, 3)), {"x": None, "z": 5})
    assert [v(frozenset(known)) for known in ("", "x", "z", "xz")] == [6, 0, 6, 8]
