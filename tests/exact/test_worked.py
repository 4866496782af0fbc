"""Worked numbers: they compute what the exact numbers do, and what they say they computed comes to the same."""

from __future__ import annotations

import importlib
import math
import pkgutil
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree import measures
from reference_tree.exact.log_sums import log
from reference_tree.exact.worked import Worked, formula, work
from reference_tree.measures import measure as records
from reference_tree.measures.absolute_error import absolute_deviation, absolute_error_reduction, median
from reference_tree.measures.conditional_entropy import conditional_distribution, joint_distribution
from reference_tree.measures.entropy import entropy, maximum_entropy, self_information
from reference_tree.measures.information_gain import information_gain
from reference_tree.measures.variance import moments
from tests import oracles, strategies
from tests.strategies import fractions

Formula = Callable[..., Any]


def formulas() -> Iterator[Formula]:
    """Every function of the measures that is marked as a formula."""
    for module in pkgutil.iter_modules(measures.__path__, f"{measures.__name__}."):
        for name, found in vars(importlib.import_module(module.name)).items():
            if (
                hasattr(found, "__wrapped__")
                and not hasattr(found, "cache_info")
                and found.__module__ == module.name
                and not name.startswith("_")
            ):
                yield found


derivatives = st.tuples(
    st.integers(1, 9), fractions(-9, 9, max_denominator=9), fractions(Fraction(1, 9), 9, max_denominator=9)
)
"""n, G and H."""

two_sides = strategies.partitions().filter(lambda table: len(table) == 2)

ARGUMENTS: dict[str, st.SearchStrategy[Any]] = {
    # a measure of classes is tried without a line here
    **{
        one.of.__name__: two_sides if one.two_sides else strategies.partitions()
        for one in records.measures().values()
        if one.counted == "classes"
    },
    "total": strategies.fractional_counts,
    "weight": strategies.fractional_counts,
    "entropy": strategies.fractional_counts,
    "entropy_of_distribution": strategies.counts().map(lambda counts: [Fraction(c, sum(counts)) for c in counts]),
    "entropy_of_proportion": fractions(0, 1, max_denominator=60),
    "gini": strategies.fractional_counts,
    **dict.fromkeys(("relative_frequency", "laplace", "m_estimate"), fractions(0, 9, max_denominator=9)),
    **dict.fromkeys(("leaf_weight", "structure_score"), derivatives),
    "gradient_gain": st.lists(derivatives, min_size=2, max_size=2),
    "misclassification_error": strategies.fractional_counts,
    "misclassification_rate": strategies.partitions(),
    "conditional_entropy": strategies.partitions(),
    "joint_entropy": strategies.partitions(),
    "mutual_information": strategies.partitions(),
    "split_information": strategies.partitions(),
    "gain_ratio": strategies.partitions().filter(lambda table: sum(1 for row in table if any(row)) > 1),
    "gini_index": strategies.partitions(),
    "binary_gini_index": strategies.partitions().filter(lambda table: len(table) > 1),
    **dict.fromkeys(
        ("mantaras_distance", "mantaras_similarity"),
        strategies.partitions().filter(lambda table: sum(1 for row in table for cell in row if cell) > 1),
    ),
    **dict.fromkeys(
        ("mean", "sse", "variance", "sample_variance"),
        st.lists(fractions(-9, 9, max_denominator=9), min_size=1, max_size=6).map(moments),
    ),
    **dict.fromkeys(
        ("variance_reduction", "split_error"),
        st.lists(st.lists(fractions(-9, 9, max_denominator=9), max_size=4).map(moments), min_size=1, max_size=4).filter(
            lambda parts: any(part.w for part in parts)
        ),
    ),
    **dict.fromkeys(("median", "absolute_deviation", "generalized_gini"), strategies.fractional_counts),
    **dict.fromkeys(("absolute_error_reduction", "generalized_gini_decrease"), strategies.partitions()),
}


def numbers_for(weights: Sequence[Any]) -> list[Fraction]:
    """A number for each weight, or for each column of a table, ascending."""
    columns = weights[0] if isinstance(weights[0], Sequence) else weights
    return [Fraction(place * place - 3, 2) for place in range(len(columns))]


def costs_for(counts: Sequence[Any]) -> list[list[int]]:
    """What mistakes cost, for so many classes."""
    columns = counts[0] if isinstance(counts[0], Sequence) else counts
    return [[0 if i == j else 1 + 2 * i + j for j in range(len(columns))] for i in range(len(columns))]


MORE: dict[str, Callable[[Any], tuple[Any, ...]]] = {
    "relative_frequency": lambda count: (count + 2,),
    "laplace": lambda count: (count + 2, 3),
    "m_estimate": lambda count: (count + 2, Fraction(1, 3), 2),
    "binary_gini_index": lambda table: (0,),
    **dict.fromkeys(
        ("median", "absolute_deviation", "absolute_error_reduction"), lambda weights: (numbers_for(weights),)
    ),
    **dict.fromkeys(("generalized_gini", "generalized_gini_decrease"), lambda counts: (costs_for(counts),)),
}


def recomputed(expression: Worked) -> Any:
    """The value of what an expression says, in `mpmath`."""
    if expression.operation == "number":
        return oracles.exact_value(expression.value)
    values = [recomputed(operand) for operand in expression.operands]
    match expression.operation:
        case "quantity":
            return values[0]
        case "log":
            return mpmath.log(values[0]) / (1 if expression.name == math.e else mpmath.log(expression.name))
        case "+":
            return values[0] + values[1]
        case "-":
            return values[0] - values[1]
        case "*":
            return values[0] * values[1]
        case "/":
            return values[0] / values[1]
        case "^":
            return values[0] ** values[1]
        case "abs":
            return abs(values[0])


def test_every_formula_is_tried() -> None:
    assert {found.__name__ for found in formulas()} == set(ARGUMENTS)


@pytest.mark.one_in(9)
@pytest.mark.parametrize("measure", list(formulas()), ids=lambda found: found.__name__)
@given(data=st.data())
def test_the_derivation_comes_to_the_value(measure: Formula, data: st.DataObject) -> None:
    argument = data.draw(ARGUMENTS[measure.__name__])
    more = MORE[measure.__name__](argument) if measure.__name__ in MORE else ()
    exact, worked = measure(argument, *more), measure(work(argument), *more)
    if not isinstance(worked, Worked):  # a sum of nothing, or one of the numbers as they were given
        assert worked == exact
        assert exact == 0 or measure.__name__ == "median"
        return
    assert worked.value == exact
    assert worked == exact
    assert (worked.operation, worked.name) == ("quantity", measure.__name__)
    with mpmath.workdps(60):
        assert abs(recomputed(worked) - oracles.exact_value(exact)) < mpmath.mpf(10) ** -40


@given(data=st.data())
@pytest.mark.parametrize("measure", [median, absolute_deviation, absolute_error_reduction])
def test_where_the_numbers_are_worked_too_they_stand_in_the_derivation(measure: Formula, data: st.DataObject) -> None:
    argument = data.draw(ARGUMENTS[measure.__name__])
    numbers = numbers_for(argument)
    worked = measure(work(argument), work(numbers))
    assert worked.value == measure(argument, numbers)
    assert (worked.operation, worked.name) == ("quantity", measure.__name__)
    with mpmath.workdps(60):
        assert abs(recomputed(worked) - oracles.exact_value(worked.value)) < mpmath.mpf(10) ** -40


@given(strategies.counts(), strategies.bases)
def test_a_derivation_in_another_base(counts: list[int], base: int) -> None:
    worked = entropy(work(counts), base)
    assert worked.value == entropy(counts, base)
    with mpmath.workdps(60):
        assert abs(recomputed(worked) - oracles.exact_value(worked.value)) < mpmath.mpf(10) ** -40


@given(strategies.partitions())
def test_distributions_are_worked_too(table: list[list[int]]) -> None:
    assert joint_distribution(work(table)) == joint_distribution(table)
    for row in table:
        if any(row):
            assert conditional_distribution(work(row)) == conditional_distribution(row)


def test_nothing_is_simplified_on_the_way() -> None:
    """The figures of the sample stand in the expression, as a teacher would write them."""
    worked = entropy(work([9, 5])).operands[0]
    assert worked.operation == "+"
    for term, count in zip(worked.operands, (9, 5), strict=True):
        share, logarithm = term.operands[0], term.operands[1].operands[0]
        assert (term.operation, share.operation, logarithm.operation) == ("*", "/", "/")
        assert [operand.value for operand in share.operands] == [count, 14]
        assert [operand.value for operand in logarithm.operands] == [14, count]  # log(14/9), not log(1/(9/14))


def test_a_formula_inside_a_formula_is_a_step() -> None:
    worked = information_gain(work([[0, 4], [2, 3], [3, 2]]))
    difference = worked.operands[0]
    assert difference.operation == "-"
    assert [step.name for step in difference.operands] == ["entropy", "conditional_entropy"]


numbers = st.one_of(st.integers(-9, 9), fractions(-9, 9, max_denominator=9))


@given(numbers, numbers)
def test_arithmetic(a: Any, b: Any) -> None:
    for one, other in ((work(a), work(b)), (work(a), b)):
        assert (one + other).value == a + b
        assert (one - other).value == a - b
        assert (one * other).value == a * b
        assert (other + one, other - one, other * one) == (b + a, b - a, b * a)
        assert b == 0 or (one / other).value == Fraction(a) / b
        assert a == 0 or other / one == Fraction(b) / a
        assert (one < other, one <= other, one > other, one >= other, one == other) == (
            a < b,
            a <= b,
            a > b,
            a >= b,
            a == b,
        )
    assert (work(a) ** 3).value == a**3
    assert (abs(work(a)).value, abs(work(a)).operation) == (abs(a), "abs")
    assert bool(work(a)) == bool(a)
    assert hash(work(a)) == hash(a)
    assert float(work(a)) == float(a)
    assert sum([work(a), work(b)]).value == a + b


@given(fractions(Fraction(1, 99), 1, max_denominator=99))
def test_surprises(p: Fraction) -> None:
    assert self_information(work(p)).value == self_information(p)
    assert maximum_entropy(work(7)).value == maximum_entropy(7)


@given(fractions(Fraction(1, 99), 99, max_denominator=99), strategies.bases)
def test_logarithms(x: Fraction, base: int) -> None:
    worked = log(work(x), base)
    assert (worked.value, worked.operation, worked.name) == (log(x, base), "log", base)


def test_the_integers_of_a_formula_are_lifted_and_floats_are_not() -> None:
    @formula
    def halved(values: list[Any]) -> Any:
        """Half of the first value."""
        return values[0] / 2

    assert halved([1]) == Fraction(1, 2)
    assert isinstance(halved([1]), Fraction)
    assert halved([1.0]) == 0.5
    assert isinstance(halved([1.0]), float)
    assert halved.__doc__ == "Half of the first value."
    assert halved(work([1])).operands[0].operation == "/"


def test_a_formula_leaves_its_arguments_alone() -> None:
    table = [[1, 2], [3, 4]]
    information_gain(table)
    assert table == [[1, 2], [3, 4]]
    assert all(type(cell) is int for row in table for cell in row)
