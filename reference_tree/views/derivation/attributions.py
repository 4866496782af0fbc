r"""Attributions: the Shapley values of one row, leaf by leaf, with the figures put in.

For each path the two parts of each of its attributes, r_i if it is unknown and o_i if it is known; the sums e_k of the
products of the others; and what the path gives:

$$y \, (o_i - r_i) \sum_k \frac{k! \, (d - 1 - k)!}{d!} \, e_k$$

The sums of these columns are the values, and with the expected value they are the answer.

Source:
    [Lundberg2020 §methods], [Shapley1953 §3]
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import factorial

from reference_tree.attribution.attributions import Attributions
from reference_tree.attribution.leaf_polynomials import NoProductError, Pairs, paths, product
from reference_tree.data.errors import InputError
from reference_tree.exact.rationals import exact_text
from reference_tree.exact.rounding import decimal
from reference_tree.exact.worked import Worked, work
from reference_tree.views.derivation.blocks import (
    Block,
    DecisionTable,
    Equation,
    Equations,
    Facts,
    Sentence,
    Symbol,
    Title,
    legend,
    symbol,
)
from reference_tree.views.derivation.prediction import cells_of
from reference_tree.views.wording import one_line

MEANINGS = {
    "v_0": "the expected value: nothing is known of the row",
    "y_t": "the value of the leaf",
    "r_i": "the part of the row that follows the path at the tests of attribute i, if i is unknown",
    "o_i": "the part that follows it there, if i is known",
    "e_k": "over each choice of k of the other attributes, the product of their o and of the r of the rest, added up",
    "φ_i = Σ_t y_t·(o_i − r_i)·Σ_k w_k·e_k": "over the leaves t; w_k = k!·(d−1−k)!/d!, with d attributes on the path",
}
"""The symbols."""


def derive_values(found: Attributions, row: int = 0, name: str = "a row") -> Iterator[Block]:
    """The Shapley values of a row for a single tree, leaf by leaf.

    Raises:
        InputError: the answer is a sum of several trees, there are background rows, or v is no product over the paths.
    """
    if len(found.explained.summands) != 1:
        raise InputError("the values of several trees are sums of theirs; say --round M for one of them")
    (term,) = found.explained.summands
    others = [None] if found.background is None else found.background
    if len(others) > 1:
        raise InputError("the values are the means over the background rows; say one background row to derive them")
    yield Title(one_line(f"The Shapley values of {name} for {found.explained.of}"))
    yield cells_of(term.tree, found.rows[row])
    by = f"cover {found.cover}" if found.background is None else "the background row"
    yield Facts((("unknown", f"by the {by.removeprefix('the ')}"), ("v_0", _figure(found.expected_value))))
    yield legend(MEANINGS)
    try:
        ways = [(value, pairs) for value, pairs in paths(term, found.rows[row], others[0]) if value and pairs]
    except NoProductError as error:
        raise InputError(f"{error} makes the value function no product over the paths; it is not derived") from None
    given: dict[str, list[Worked]] = {name: [] for name in term.names}
    for number, (value, pairs) in enumerate(ways, start=1):
        yield from _path(number, value * Fraction(term.weight), pairs, given)
    yield Sentence("Paths to leaves of value 0 give nothing.")
    yield Equations(tuple(Equation(symbol("φ(A)").of(name), work(sum(each))) for name, each in given.items() if each))
    parts = [work(value) for name, value in found.values[row].items() if given.get(name)]
    answer = work(found.expected_value) + work(sum(parts)) if parts else work(found.expected_value)
    yield Equations((Equation(symbol("v_0 + Σ_i φ_i"), answer),))
    yield Sentence(f"The answer for the row, {one_line(found.explained.of)}: {_figure(found.predictions[row])}.")


def _path(number: int, value: Fraction, pairs: Pairs, given: dict[str, list[Worked]]) -> Iterator[Block]:
    """What one path gives to each of its attributes; it is added to what was given."""
    d, rows, lines = len(pairs), [], []
    for name, (r, o) in pairs.items():
        e = product([pair for other, pair in pairs.items() if other != name])
        rows.append((one_line(name), *map(_figure, (r, o, *e))))
        if r == o:
            continue
        weights = [Fraction(factorial(k) * factorial(d - 1 - k), factorial(d)) for k in range(d)]
        terms = [work(weight) * work(each) for weight, each in zip(weights, e, strict=True) if each]
        if terms:
            worked = work(value) * (work(o) - work(r)) * sum(terms[1:], terms[0])
            lines.append(Equation(symbol("φ(A)").of(name), worked))
            given[name].append(work(worked.value))
    head: tuple[str | Symbol, ...] = ("attribute", symbol("r_i"), symbol("o_i"), *(symbol(f"e_{k}") for k in range(d)))
    yield DecisionTable(f"Path {number}: a leaf of value {_figure(value)}", head, "l" + "r" * (d + 2), rows)
    if lines:
        yield Equations(tuple(lines))


def _figure(number: object) -> str:
    """A number as a fraction, if it is a short one."""
    if isinstance(number, int | Fraction) and len(text := exact_text(number)) < 16:
        return text
    return decimal(number)  # type: ignore[arg-type]
