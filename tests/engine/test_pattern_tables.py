"""The twins of the Shapley values: equal to the definition, in fractions, and rounded once."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.attribution.attributions import Attributions
from reference_tree.attribution.leaf_polynomials import NoProductError, values_by_paths
from reference_tree.attribution.shapley import interactions, interactions_of, shapley, value_function, values_of
from reference_tree.attribution.summands import Sum, Summand
from reference_tree.data.errors import InputError
from reference_tree.data.linear_tests import Coordinate
from reference_tree.data.questions import Linear, Threshold
from reference_tree.data.schema import Attribute
from reference_tree.engine.pattern_tables import PatternSums
from reference_tree.tree import Node, Tree
from tests.attribution.drawn_trees import drawn_row, drawn_tree

SEEDS = [pytest.param(seed, marks=[pytest.mark.slow] if seed > 3 else []) for seed in range(40)]


def _defined(term: Summand, row: Any, background: Any = None) -> Any:
    return shapley(value_function(term, row, background), term.names)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("special", [False, True])
def test_paths_and_tables_are_the_definition(seed: int, special: bool) -> None:
    """On 2 000 trees, half of them with surrogates and tests of two attributes."""
    chance = Random(f"{seed} {special}")
    for _ in range(25):
        term = drawn_tree(chance, chance.randint(1, 4), special=special)
        rows = [drawn_row(chance) for _ in range(5)]
        background = [drawn_row(chance, gaps=chance.random() < 0.3) for _ in range(3)]
        for others in (None, background):
            expected = [_defined(term, row, others) for row in rows]
            assert [values_by_paths(term, row, others) for row in rows] == expected
            assert values_of(term, rows, others) == expected


@pytest.mark.parametrize("seed", range(10))
def test_interactions_by_paths_are_the_definition(seed: int) -> None:
    chance = Random(seed)
    for _ in range(5):
        term = drawn_tree(chance, 3, special=seed % 3 == 2)
        row, background = drawn_row(chance), [drawn_row(chance) for _ in range(2)]
        for others in (None, background):
            v = value_function(term, row, others)
            assert interactions_of(term, [row], others) == [interactions(v, term.names)]


@pytest.mark.parametrize("seed", range(8))
def test_most_rows_of_drawn_trees_are_looked_up(seed: int) -> None:
    """Else the test above would compare the paths with themselves."""
    chance = Random(seed)
    term = drawn_tree(chance, 4)
    for others in (None, [drawn_row(chance, gaps=False)] * 3):
        sums = PatternSums([term], term.names, [drawn_row(chance) for _ in range(20)], others, None)
        assert len(sums.odd) < 16


def _outcome(of: Callable[..., object], *given: object) -> object:
    """The result; or that it is refused: of two gaps either may be named."""
    try:
        return of(*given)
    except InputError as error:
        return re.sub("value of [abcd] ", "value ", str(error))


def _first(term: Summand, row: Any, background: Any) -> Any:
    return values_of(term, [row] * 5, background)[0]


@pytest.mark.parametrize("seed", range(40))
def test_what_the_definition_refuses_is_refused_by_its_twins(seed: int) -> None:
    chance = Random(seed)
    term = drawn_tree(chance, 3, refusing=True)
    rows = [drawn_row(chance) for _ in range(6)]
    for others in (None, [drawn_row(chance, gaps=False)]):
        for row in rows:
            expected = _outcome(_defined, term, row, others)
            assert _outcome(_first, term, row, others) == expected


def _attributed(terms: Sequence[Summand], rows: Sequence[Any], background: Any = None) -> Attributions:
    names = [one.name for one in terms[0].tree.attributes]
    return Attributions(names, Sum("y", 0, terms), rows, background)


@pytest.mark.parametrize("seed", range(10))
def test_the_doubles_are_the_nearest_to_the_sums_of_many_trees(seed: int) -> None:
    chance = Random(seed)
    terms = [
        drawn_tree(chance, 3)._replace(weight=Fraction(chance.randint(-9, 9), chance.randint(1, 7))) for _ in range(6)
    ]
    rows = [drawn_row(chance) for _ in range(12)]
    for others in (None, [drawn_row(chance, gaps=False) for _ in range(4)]):
        found = _attributed(terms, rows, others)
        assert found.floats == [{name: float(value) for name, value in each.items()} for each in found.values]


def _chain(depth: int, names: int) -> Summand:
    """A chain of tests, `x0 < 1`, `x1 < 1`, ...: whoever passes one ends there, with its number."""
    nodes = list[Node]()
    for number in range(depth):
        nodes.append(
            Node(
                (1, 0, 0), 0, Threshold(f"x{number % names}", number + 1, strict=True), (len(nodes) + 1, len(nodes) + 2)
            )
        )
        nodes.append(Node((1, number, number**2), number, stop="max-depth"))
    nodes.append(Node((1, depth, depth**2), depth, stop="max-depth"))
    attributes = tuple(Attribute(f"x{number}") for number in range(names))
    tree = Tree(Attribute("y"), attributes, tuple(nodes))
    cover = [depth + 1 - number // 2 if node.test else 1 for number, node in enumerate(nodes)]
    return Summand(tree, tuple(Fraction(node.label) for node in nodes), cover)


def test_a_chain_of_two_thousand_tests_is_no_problem() -> None:
    """One attribute, so its value is the answer less the mean."""
    term = _chain(2000, 1)
    rows = [{"x0": cell} for cell in (0, 1, 999, Fraction(1), 5000)]
    assert [each["x0"] for each in values_of(term, rows)] == [n - 1000 for n in (0, 1, 999, 1, 2000)]


def test_a_path_of_seventy_attributes_has_no_table_and_goes_by_its_polynomial() -> None:
    term = _chain(70, 70)
    rows = [{name: (number * place) % 90 for place, name in enumerate(term.names)} for number in range(2)]
    with pytest.raises(NoProductError, match="70 attributes"):
        PatternSums([term], term.names, rows, None)
    found = values_of(term, rows)
    assert [sum(each.values()) for each in found] == [term.answer(row) - 35 for row in rows]


def test_a_row_without_an_attribute_is_refused() -> None:
    tree = rt.ID3().grow(rt.textbook("play-tennis"))
    several: list[list[dict[str, str]]] = [[{"outlook": "sunny"}], [{"outlook": "sunny"}] * 9]
    messages = {_outcome(lambda rows: rt.shapley_values(tree, rows).floats, rows) for rows in several}
    assert messages == {"the row has no value for humidity, which the tree asks for"}


def test_more_than_sixteen_attributes_of_which_two_are_tested_together_are_refused_by_name() -> None:
    chain = _chain(20, 20)
    together = Linear(((Coordinate("x0"), 1), (Coordinate("x1"), -1)), 0)
    tree = replace(chain.tree, nodes=(replace(chain.tree.root, test=together), *chain.tree.nodes[1:]))
    term, rows = chain._replace(tree=tree), [dict.fromkeys(chain.names, 0)] * 5
    with pytest.raises(InputError, match="x0-x1<=0 makes the value function no product over the paths"):
        values_of(term, rows)
