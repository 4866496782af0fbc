r"""Steps: a sum of trees as a polynomial, which decides whether two models are the same function.

Write $s_t(x) = [x \le t]$. A node with the answers L and R below it is $R + s_t \cdot (L - R)$, and $s_t s_u =
s_{\min(t, u)}$. So a tree, and a sum of trees, is a polynomial in the steps of its attributes, where each product has
at most one step of each attribute. **Two sums are the same function if and only if their polynomials have the same
coefficients.**

*Proof.* On the cells of one attribute, with ends $t_1 < \dots < t_n$, the functions $1, s_{t_1}, \dots, s_{t_n}$ are
linearly
independent: let $c + \sum_i c_i s_{t_i} = 0$. Above all cuts it is c, so c = 0. Between $t_{n-1}$ and $t_n$ only
$s_{t_n}$ is not 0, so $c_n = 0$, and so on downwards. $[x = \text{category}]$ and $[x \text{ is missing}]$ join them:
each is 1 in a cell of its own where the others are 0. Products of independent functions of different attributes are
independent: fix all attributes but one; the function that is left is 0, so are its coefficients, which are such sums of
one attribute fewer. ∎

The proof finds a row as well. A term whose cells no other term covers (fewest factors, then the largest steps) is the
whole difference at one cell: at its own cuts, and in the base cell of all other attributes.

1. `polynomial` gives the coefficients of a sum of boxes. Equal boxes have cancelled before.
2. `witness` is a row where a polynomial is not 0.
"""

from __future__ import annotations

import math

from reference_tree.functions.boxes import Whole
from reference_tree.functions.cells import InputDomain

Term = tuple[tuple[int, int], ...]
"""A product of steps: place of an attribute → step (`reference_tree.functions.cells.InputCells.coordinates`)."""

MOST = 1_000_000
"""The most products that a polynomial is expanded to; beyond, fingerprints decide."""


def polynomial(boxes: Whole, domain: InputDomain, most: float = MOST) -> dict[Term, int] | None:
    """The coefficients of a sum of boxes, those that are not 0.

    Args:
        boxes: the boxes, each with its number.
        domain: the cells.
        most: the most products to expand.

    Returns:
        Product of steps → coefficient; None if the boxes have more products than `most`.

    Example:
        >>> from reference_tree.functions.cells import InputCells
        >>> domain = InputDomain((InputCells("x", (1.0, 2.0), refused=8), InputCells("y", (5.0,), refused=4)))
        >>> polynomial({((0, 0b011),): 3, ((0, 0b001), (1, 0b10)): 2}, domain)  # 3 [x ≤ 2] + 2 [x ≤ 1] (1 - [y ≤ 5])
        {((0, 1),): 3, ((0, 0),): 2, ((0, 0), (1, 0)): -2}
    """
    coordinates: dict[tuple[int, int], list[tuple[tuple[tuple[int, int], ...], int]]] = {}
    for box in boxes:
        for place, cells in box:
            if (place, cells) not in coordinates:
                found = domain.attributes[place].coordinates(cells)
                coordinates[place, cells] = [
                    (() if step < 0 else ((place, step),), sign) for step, sign in found.items()
                ]  # fmt: skip
    # The number of products is known before any is made.
    if sum(math.prod(len(coordinates[pair]) for pair in box) for box in boxes) > most:
        return None
    terms: dict[Term, int] = {}
    for box, number in boxes.items():
        products: list[tuple[Term, int]] = [((), number)]
        for pair in box:
            products = [
                (product + step, value * sign) for product, value in products for step, sign in coordinates[pair]
            ]  # fmt: skip
        for product, value in products:
            terms[product] = terms.get(product, 0) + value
    return {product: value for product, value in terms.items() if value}


def witness(terms: dict[Term, int], domain: InputDomain) -> list[int]:
    """The cells where a polynomial is the coefficient of one of its terms, and so is not 0.

    Example:
        >>> from reference_tree.functions.cells import InputCells
        >>> domain = InputDomain((InputCells("x", (1.0, 2.0), refused=8),))
        >>> witness({((0, 0),): 2, ((0, 1),): 3}, domain)  # the larger step: 1 < x ≤ 2
        [1]
    """
    # A term that covers another one at its cells has a part of its factors, with steps as large or larger.
    first = min(terms, key=lambda product: (len(product), [-step for _, step in product]))
    steps = dict(first)
    return [steps.get(place, cells.base) for place, cells in enumerate(domain.attributes)]
