"""Pairs of options: each pair of values that a learner takes together is set by a case."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from itertools import product
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.chance import Chance
from reference_tree.conformance.cases import cases
from reference_tree.conformance.generated import TARGET, continuous, drawn_columns
from reference_tree.data.errors import InputError
from reference_tree.ensembles.registry import RECORDED
from reference_tree.learners.registry import LEARNERS
from tests.conformance.option_pairs import FILE, as_told, covered, is_taken, last_number, pairs, set_together, values
from tests.conformance.test_goldens import IDS, load
from tests.conformance.test_option_values import OTHER
from tests.every import of_every


@of_every(RECORDED)
def test_every_pair_that_a_learner_takes_is_set_by_some_golden(name: str) -> None:
    """If not: `python -m tests.conformance.option_pairs`, and the goldens of its cases."""
    found = covered(name, [load(one) for one in IDS])
    assert [pair for pair in pairs(name) if pair not in found and is_taken(name, dict(pair))] == []


def test_a_pair_is_set_by_what_is_told_and_by_what_is_usual() -> None:
    assert values("id3")["max_depth"] == ["null", OTHER]
    found = set_together("id3", {"max_depth": 2, "min_samples_leaf": "0"})
    assert (("max_depth", OTHER), ("min_samples_leaf", '"0"')) in found
    assert (("epsilon", '"0"'), ("max_depth", OTHER)) in found
    assert len(found) == len(list(values("id3"))) * (len(list(values("id3"))) - 1) // 2


def test_a_case_that_is_added_takes_no_id_that_is_there() -> None:
    """The id of a case is permanent."""
    goldens = [
        {"id": one} for one in ("pairs/gradient-2", "pairs/gradient-tree-10", "pairs/gradient-tree-9", "cart/a-11")
    ]
    assert [last_number(name, goldens) for name in ("gradient", "gradient-tree", "cart")] == [2, 10, 0]


def test_the_file_names_the_command_that_writes_it() -> None:
    assert FILE.read_text(encoding="utf-8").startswith(
        "# Values of options that no other case sets together: `python -m "
    )
    assert any(name.startswith("pairs/") for name in cases())


GROWN = ("id3", "c45", "cart", "optimal")


def table_with_gaps(classes: int) -> rt.Table:
    """Seven rows of categories, numbers and, but for optimal trees, gaps."""
    columns = drawn_columns(1, rows=7, categories=[3], numbers=[3], classes=classes, gaps=3)
    cells = {name: [None if cell == "?" else cell for cell in column] for name, column in columns.items()}
    return rt.Table.from_columns(cells, TARGET, continuous=continuous(columns, classes))


def grow_or_refuse(name: str, told: Mapping[str, Any], table: rt.Table) -> None:
    """Grow a tree by a learner with some options; it may be refused by an InputError, or as a value of an option."""
    options = RECORDED[name].of_dialects()
    with suppress(InputError):
        learner: Any = LEARNERS[name]
        values = {
            each: options[each].domain.check(one)
            if type(one) is int
            else options[each].domain.read(None if one == "null" else one)
            for each, one in told.items()
        }
        learner.with_options(**values).grow(table)


@pytest.mark.one_in(1, 4)
@pytest.mark.parametrize(("name", "classes"), list(product(GROWN, (2, 3, 0))))
def test_any_two_options_and_three_grow_a_tree_or_are_refused_in_one_line(name: str, classes: int) -> None:
    """Such as twoing, which compares two sides, and `better-side`, which compares two tables of them."""
    table, chance = table_with_gaps(classes), Chance(classes, name.encode())
    table = table if name != "optimal" else table.take([row for row in range(len(table)) if is_whole(table, row)])
    every = [dict(pair) for pair in pairs(name)]
    triples = [{**chance.choice(every), **chance.choice(every)} for _ in range(40)]
    for chosen in (*every[classes :: 4 if len(every) < 500 else 10], *triples):
        grow_or_refuse(name, {each: as_told(name, (each, one), classes) for each, one in chosen.items()}, table)


def is_whole(table: rt.Table, row: int) -> bool:
    return None not in table[row].values()


@of_every([("twoing", "better-side"), ("twoing", "spread"), ("gini", "better-side"), ("mantaras", "better-side")])
def test_a_measure_of_two_sides_goes_with_the_rules_for_gaps(criterion: Any, missing: Any) -> None:
    """Of three categories and a gap each set is tried with the gap on either side."""
    table = rt.Table.from_columns({"a": ["a", "b", "c", None], "y": ["n", "p", "n", "p"]})
    for branching in ("subset", "one-vs-rest"):
        tree = rt.CART(criterion=criterion, missing=missing, branching=branching).grow(table)
        assert tree.contingency(table).accuracy == 1 or missing == "spread"
