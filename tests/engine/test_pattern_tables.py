"""The twin of the Shapley values: equal to the definition, in fractions."""

from __future__ import annotations

from random import Random

import pytest

from reference_tree.attribution.shapley import (
    shapley,
    value_function,
    values_of,
)
from reference_tree.engine.leaf_polynomials import values_by_paths
from tests.attribution.drawn_trees import drawn_row, drawn_tree


def _defined(term, row, background=None):
    return shapley(value_function(term, row, background), term.names)


@pytest.mark.parametrize("seed", [pytest.param(n, marks=[pytest.mark.slow] if n > 3 else []) for n in range(40)])
@pytest.mark.parametrize("special", [False, True])
def test_paths_and_tables_are_the_definition(seed: int, special: bool) -> None:
    chance = Random(f"{seed} {special}")
    for _ in range(25):
        term = drawn_tree(chance, chance.randint(1, 4), special=special)
        rows = [drawn_row(chance) for _ in range(5)]
        background = [drawn_row(chance, gaps=chance.random() < 0.3) for _ in range(3)]
        for others in (None, background):
            expected = [_defined(term, row, others) for row in rows]
            assert [values_by_paths(term, row, others) for row in rows] == expected
            assert values_of(term, rows, others) == expected
