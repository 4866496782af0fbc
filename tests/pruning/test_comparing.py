"""Comparisons: rows that stay, rows in parts, and trees that have no such figures."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.measures.measure import Quantity
from reference_tree.pruning.comparing import Comparison, compared_pruning
from reference_tree.pruning.method import methods
from tests.every import of_every
from tests.views.pruned import COMPARING

ERRORS = Comparison(
    leaf=Quantity("e(t)", "the errors", lambda here: here.wrong),
    below=Quantity("e(T_t)", "the errors below", lambda here: sum(part.figure for part in here.parts)),
)


def test_rows_that_stay_count_as_a_leaf_of_their_own() -> None:
    table = rt.Table.from_columns({"x": [1, 2, 3, None, None], "y": ["p", "q", "q", "p", "p"]}, target="y")
    (only,) = compared_pruning(rt.CART(missing="stay").grow(table), ERRORS, {"method": "errors"}).decisions
    assert (only.leaf, only.subtree) == (2, 0), "p p stay and are answered p, as by the leaf"
    assert [part.rows for part in only.here.parts] == [1, 2, 2]
    assert only.here.table.unknown == (2, 0)


def test_no_quotient_of_the_figures_is_a_float() -> None:
    here = compared_pruning(rt.ID3().grow(rt.textbook("play-tennis")), ERRORS, {"method": "errors"}).decisions[0].here
    numbers = [here.rows, here.right, here.wrong, *here.whole, *(part.rows for part in here.parts)]
    assert all(isinstance(number, Fraction) for number in numbers)


@of_every(COMPARING)
def test_trees_that_have_no_such_figures_are_refused(record: dict[str, str]) -> None:
    options = {name: value for name, value in record.items() if name != "method"}
    perform = methods()[record["method"]].perform
    numbers = rt.CART().grow(rt.Table.from_columns({"x": [1, 2], "y": [1, 2]}, target="y"))
    with pytest.raises(rt.InputError, match="counts classes, and this tree predicts numbers"):
        perform(numbers, options, None, None)
    costly = rt.CART(priors={"no": 1, "yes": 1}).grow(rt.textbook("play-tennis"))
    with pytest.raises(rt.InputError, match="weighs all errors alike"):
        perform(costly, options, None, None)


@of_every(methods())
def test_a_leaf_is_left_as_it_is(name: Any) -> None:
    leaf = rt.CART(max_depth=0).grow(rt.textbook("golf"))
    given: dict[str, dict[str, Any]] = {
        "cost-function": {"alpha": 1},
        "cost-complexity": {"alpha": 1},
        "critical-value": {"critical_value": 1},
        "reduced-error": {"validation": rt.textbook("golf")},
    }
    assert rt.prune(leaf, name, rt.textbook("golf"), **given.get(name, {})).nodes == leaf.nodes
