"""Definitions of importance: each on a tree small enough to be worked out, and why they disagree."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

import reference_tree as rt
from reference_tree.attribution.importances import IMPORTANCES, importances, node_means, path_values
from reference_tree.attribution.value_functions import path_dependent
from reference_tree.data.errors import InputError
from tests.attribution.drawn_trees import drawn_row, drawn_tree


@pytest.mark.parametrize("seed", range(30))
def test_the_parts_of_a_path_add_up_to_the_answer(seed: int) -> None:
    chance = Random(seed)
    term, row = drawn_tree(chance, 4), drawn_row(chance)
    root = node_means(term)[0]
    assert root == path_dependent(term, row)(frozenset())
    assert sum(path_values(term, row).values()) == term.answer(row) - root


def test_exclusive_or_is_divided_evenly_by_shapley_and_given_to_the_lower_test_by_the_path() -> None:
    table = rt.Table.from_columns({"a": list("0011"), "b": list("0101"), "y": list("0110")}, categorical="*")
    found = rt.importances(rt.ID3().grow(table), table)
    assert found["shapley"] == {"a": Fraction(1, 4), "b": Fraction(1, 4)}
    assert found["paths"] == {"a": 0, "b": Fraction(1, 2)}
    assert found["impurity"] == {"a": 0, "b": Fraction(1, 2)}
    assert found["splits"] == {"a": 1, "b": 2}
    assert found["cover"] == {"a": 4, "b": 4}


def test_those_that_are_not_defined_for_a_predictor_are_left_out_or_refused() -> None:
    tree = rt.ID3().grow(rt.textbook("play-tennis"))
    assert [*rt.importances(tree)] == ["impurity", "splits", "cover"]
    for kinds, message in ((["gain"], "that of an ensemble"), (["shapley"], "give a table"), (["size"], "size")):
        with pytest.raises(InputError, match=message):
            importances(tree, kinds=kinds)


def test_the_estimators_have_the_figures_of_the_table() -> None:
    X = [[a, b] for a in range(4) for b in range(3)]
    boosted = rt.XGBRegressor(n_estimators=3, max_depth=2, importance_type="gain").fit(X, [a * b + a for a, b in X])
    figures = rt.importances(boosted.tree_, kinds=["gain"])["gain"]
    shares = [float(figure / sum(figures.values())) for figure in figures.values()]
    assert min(shares) > 0
    assert list(boosted.feature_importances_) == pytest.approx(shares, abs=1e-6)  # which are float32


@pytest.mark.parametrize("name", IMPORTANCES)
def test_every_definition_names_a_source_that_the_function_cites(name: str) -> None:
    assert IMPORTANCES[name].source.strip("[]").partition(" ")[0] in (importances.__doc__ or "")
    assert IMPORTANCES[name].words
