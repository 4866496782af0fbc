"""Steps: a tree as a polynomial, against its values."""

from __future__ import annotations

import itertools

from reference_tree.functions.boxes import Whole, value_at
from reference_tree.functions.cells import InputCells, InputDomain
from reference_tree.functions.fingerprints import PRIME, nonzero, point
from reference_tree.functions.steps import polynomial, witness

NUMBERS = InputCells("x", (1.0, 2.0, 3.0))
WITHOUT = InputCells("y", (5.0, 6.0), refused=1 << 3)
NAMES = InputCells("c", values=("p", "q", "r"), refused=1 << 1)
DOMAIN = InputDomain((NAMES, NUMBERS, WITHOUT))


def test_a_set_of_cells_is_the_sum_of_its_coordinates() -> None:
    for cells in DOMAIN.attributes:
        inside = [cell for cell in range(cells.all.bit_length()) if cells.all >> cell & 1]
        for many in range(1, len(inside) + 1):
            for some in itertools.combinations(inside, many):
                terms = cells.coordinates(sum(1 << cell for cell in some))
                for cell in inside:
                    value = sum(sign * step_at(cells, step, cell) for step, sign in terms.items())
                    assert value == (cell in some)


def step_at(cells: InputCells, step: int, cell: int) -> int:
    """A function of the basis at a cell, by its definition."""
    if step < 0:
        return 1
    if cells.values is not None or step == cells.plain:
        return int(cell == step)
    return int(cell <= step and cell != cells.plain)


def every_sum() -> list[Whole]:
    boxes = [((0, 0b0101),), ((1, 0b0110),), ((1, 0b10011), (2, 0b100)), ((0, 0b10100), (1, 0b1000)), ()]
    return [
        {box: number for box, number in zip(boxes, numbers, strict=True) if number}
        for numbers in itertools.product((-1, 0, 2), repeat=len(boxes))
    ]


def test_the_coefficients_are_all_0_if_all_values_are_and_a_witness_is_none() -> None:
    rows = list(itertools.product((0, 2, 3, 4), range(5), range(3)))
    for boxes in every_sum():
        terms = polynomial(boxes, DOMAIN)
        assert terms is not None
        assert bool(terms) == any(value_at(boxes, row) for row in rows)
        assert bool(point(boxes, DOMAIN)) == bool(terms)
        if terms:
            assert value_at(boxes, witness(terms, DOMAIN)) in terms.values()
            assert value_at(boxes, nonzero(boxes, DOMAIN))


def test_a_long_polynomial_is_not_expanded() -> None:
    assert polynomial({((1, 0b0110), (2, 0b010)): 1}, DOMAIN, most=3) is None
    assert polynomial({((1, 0b0110), (2, 0b010)): 1}, DOMAIN, most=4) == {
        ((1, 0), (2, 0)): 1, ((1, 0), (2, 1)): -1, ((1, 2), (2, 0)): -1, ((1, 2), (2, 1)): 1
    }  # fmt: skip


def test_the_prime_is_one() -> None:
    """By the test of Lucas and Lehmer: s → s² - 2 from 4 ends at 0 after p - 2 steps."""
    s = 4
    for _ in range(519):
        s = (s * s - 2) % PRIME
    assert s == 0
