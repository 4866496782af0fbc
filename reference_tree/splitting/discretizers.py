"""Discretizers: the cuts of a continuous attribute are found in the rows, where no expert names them.

1. `equal_width` divides the range into equal parts and ignores the classes.
2. `least_description` uses the classes: it cuts by the principle of minimum description length (MDL).

Each is a record, a `Discretizer`, below its formula in a module of this folder; its steps are its derivation.
`data --discretize`, `explain --discretize`, their help and the goldens are views of the records, so a new one is one
new file. `bins_of` reads what people write.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from reference_tree.data.errors import InputError, listed
from reference_tree.data.sample import Sample
from reference_tree.data.table import Table
from reference_tree.exact.log_sums import Number, log
from reference_tree.exact.rationals import Rational, decimal_text, rational, simplest
from reference_tree.exact.worked import formula, work
from reference_tree.measures.conditional_entropy import by_class
from reference_tree.measures.entropy import entropy, total
from reference_tree.measures.information_gain import ENTROPY, GAIN, REMAINING_ENTROPY, information_gain
from reference_tree.measures.measure import Quantity
from reference_tree.records import records
from reference_tree.splitting.continuous_bisection import best_cuts
from reference_tree.splitting.discretization import Bin, bins_between, distinct_numbers

_NAMED_BIN = re.compile(r"\s*(.+?)\s*([\[(][^\[\](),]*,[^\[\](),]*[\])])\s*")


class Step(NamedTuple):
    """A step of a discretizer: an interval, and where it is cut."""

    interval: Bin
    rows: Sample
    """The rows whose numbers lie in it; rows without a number may be among them."""
    cuts: tuple[Rational, ...]
    """Where it is cut; empty if it is not."""
    why: str
    """The reason, in words."""
    figures: tuple[tuple[Quantity, Number], ...] = ()
    """What leads to the cuts, in worked numbers."""


def equal_width(table: Table, attribute: str, bins: int) -> tuple[Rational, ...]:
    r"""The cuts that divide the range of an attribute into k equal parts.

    $$t_i = a_{\min} + \frac{i}{k} (a_{\max} - a_{\min}), \qquad i = 1, \dots, k - 1$$

    Args:
        table: the rows.
        attribute: the name of a continuous attribute.
        bins: k.

    Raises:
        InputError: the attribute is not continuous, it has fewer than two numbers, or k is less than 2.

    Example:
        >>> table = Table.from_columns({"temperature": [64, 70, 75, 85], "play": ["yes", "yes", "yes", "no"]})
        >>> equal_width(table, "temperature", 3)
        (71, 78)

    Source:
        [DoughertyKohaviSahami1995]
    """
    (step,) = division(table, attribute, bins)
    return step.cuts


# Equal widths look at the two ends alone: one number far out leaves nearly all rows in one bin.
def division(table: Table, attribute: str, bins: int) -> tuple[Step]:
    """The only step of `equal_width`, with the same arguments: the range is divided into k equal parts."""
    numbers = distinct_numbers(table, attribute)
    if bins < 2:
        raise InputError(f"{attribute} is divided into 2 bins or more, not into {bins}")
    if len(numbers) < 2:
        raise InputError(f"{attribute} has fewer than two numbers, and so no range to divide")
    low, high = numbers[0], numbers[-1]
    points = [work(low) + work(i) * (work(high) - work(low)) / work(bins) for i in range(1, bins)]
    named = [EQUAL_PARTS._replace(definition=f"t_{i}") for i in range(1, bins)]
    interval = Bin("", low, high, owns_low=True, owns_high=True)
    cuts = tuple(simplest(point.value) for point in points)
    return (
        Step(interval, table.sample(), cuts, f"{bins} parts have equal width", tuple(zip(named, points, strict=True))),
    )


def least_description(table: Table, attribute: str) -> tuple[Rational, ...]:
    r"""The cuts of an attribute by minimum description length: bisection, as long as the description gets shorter.

    The best cut of a sample D by information gain is accepted if

    $$g(D, t) > \frac{\log_2(N - 1)}{N} + \frac{\log_2(3^k - 2) - k H(D) + k_1 H(D_1) + k_2 H(D_2)}{N}$$

    and both of its sides are then cut likewise. The right side is the cost of sending a receiver the cut and the
    codes of the classes on both sides, in bits per row: this is the principle of minimum description length.

    Args:
        table: the rows; rows whose number is missing are ignored. The target has classes.
        attribute: the name of a continuous attribute.

    Returns:
        The cuts, ascending; empty if no cut is worth its cost. Of equal cuts the lowest is taken.

    Raises:
        InputError: the attribute is not continuous, the target is, or rows have weights.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> [str(cut) for cut in least_description(textbook("iris"), "petal length")]
        ['49/20', '19/4']

    Source:
        [FayyadIrani1993 §3]. N is the number of rows in D, and k, k_1, k_2 are the numbers of classes that occur in D,
        D_1, D_2.
    """
    return tuple(sorted(cut for step in bisections(table, attribute) for cut in step.cuts))


# Like a tree of one attribute, grown from the top: where too few rows are left to pay for the description of a cut, it
# ends. Each half is described with the classes that occur in it. Weights are refused: a row of weight 1/2 is no message
# whose length could be counted.
def bisections(table: Table, attribute: str) -> Iterator[Step]:
    """The steps of `least_description`, with the same arguments: an interval, and then those on both sides of its cut.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> for step in bisections(textbook("iris"), "petal length"):
        ...     print(step.interval, list(map(float, step.cuts)), step.why)
         (-inf, inf) [2.45] the gain is larger than the cost
         (-inf, 2.45] [] all rows have one class
         (2.45, inf) [4.75] the gain is larger than the cost
         (2.45, 4.75] [] the gain is not larger than the cost
         (4.75, inf) [] the gain is not larger than the cost
    """
    distinct_numbers(table, attribute)
    target = table.schema.target
    if target.values is None or table.weights is not None:
        why = f"{target.name} is a number" if target.values is None else "the rows have weights"
        raise InputError(
            f"the least description is one of the classes of rows, and {why}; name the cuts, or equal widths"
        )
    pending = [(Bin("", None, None), table.sample())]
    while pending:
        interval, rows = pending.pop()
        best = next(iter(best_cuts(rows, attribute)), None)
        if best is None or _classes(by_class(best.table.rows)) == 1:
            yield Step(interval, rows, (), "all numbers are equal" if best is None else "all rows have one class")
            continue
        cost = description_cost(work(best.table.rows))
        if not shortens(best.table.rows):
            yield Step(interval, rows, (), "the gain is not larger than the cost", ((COST, cost),))
            continue
        cut = best.test.threshold
        yield Step(interval, rows, (cut,), "the gain is larger than the cost", ((COST, cost),))
        sides = replace(interval, high=cut, owns_high=True), replace(interval, low=cut, owns_low=False)
        pending += reversed([*zip(sides, rows.split(best.test), strict=True)])  # the lower side is next


# Strictly: of two descriptions of one length the one without a cut is simpler.
def shortens(rows: Sequence[Sequence[Number]]) -> bool:
    """Whether a cut makes the description of the classes shorter.

    Args:
        rows: the number of rows of each class at most at the cut, and above it.

    Example:
        >>> shortens([[50, 0], [0, 100]]), shortens([[1, 0], [4, 5]])
        (True, False)

    Source:
        [FayyadIrani1993 §3]
    """
    return bool(information_gain(rows) > description_cost(rows))


# N - 1 places for the cut. Then the classes that occur on either side: each is on the left, on the right or on both,
# but neither side is empty, which leaves 3^k - 2 ways. The code for a side costs its entropy for each class that occurs
# there [FayyadIrani1993].
@formula
def description_cost(rows: Sequence[Sequence[Number]]) -> Number:
    r"""The cost of describing a cut and the classes on both of its sides, in bits per row.

    $$\frac{\log_2(N - 1) + \log_2(3^k - 2) - k H(D) + k_1 H(D_1) + k_2 H(D_2)}{N}$$

    Args:
        rows: as for `shortens`.

    Example:
        >>> float(description_cost([[50, 0], [0, 100]]))
        0.05459954516273858

    Source:
        [FayyadIrani1993 §3]
    """
    whole = by_class(rows)
    n, k = total(whole), _classes(whole)
    codes = log(3**k - 2) - k * entropy(whole) + sum(_classes(row) * entropy(row) for row in rows)
    return (log(n - 1) + codes) / n


EQUAL_PARTS = Quantity(
    "t_i = a_min + i·(a_max − a_min) / k", "the i-th of the k − 1 cuts between the least and the largest number", "t_i"
)
COST = Quantity(
    "C(D, A) = (log2(N − 1) + log2(3^k − 2) − k·H(D) + Σ_i k_i·H(D_i)) / N",
    "the cost of describing the cut and the classes on both sides, N being |D|, and k and k_i the numbers of classes "
    "that occur in D and D_i; a cut is made if its gain is larger",
    description_cost,
    "bits",
)


@dataclass(frozen=True, eq=False, kw_only=True)
class Discretizer:
    """A method that finds the cuts of a continuous attribute in the rows.

    Args:
        name: its name on the command line and in goldens.
        words: its result, for a derivation; `{}` stands for the parameter.
        steps: its steps, from the table, the name of the attribute, and the parameter if there is one.
        parameter: the symbol of its whole number, which follows the name and a colon; empty if it has none.
        measure: the measure by which a step compares all cuts of its interval; empty if it compares none.
        quantities: what leads to a cut.
    """

    name: str
    words: str
    steps: Callable[..., Iterable[Step]]
    parameter: str = ""
    measure: str = ""
    quantities: tuple[Quantity, ...] = ()

    @property
    def form(self) -> str:
        """What people write: `equal-width:K`, or the name alone."""
        return f"{self.name}:{self.parameter}" if self.parameter else self.name


EQUAL_WIDTH = Discretizer(
    name="equal-width",
    words="{} intervals of equal width",
    steps=division,
    parameter="K",
    quantities=(EQUAL_PARTS,),
)
LEAST_DESCRIPTION = Discretizer(
    name="entropy",
    words="intervals with the least description of the classes",
    steps=bisections,
    measure="gain",
    quantities=(ENTROPY, REMAINING_ENTROPY, GAIN, COST),
)


@cache
def discretizers() -> Mapping[str, Discretizer]:
    """All records of this folder, by name.

    Example:
        >>> [one.form for one in discretizers().values()]
        ['equal-width:K', 'entropy']
    """
    return {record.name: record for record in records(Discretizer)}


class Found(NamedTuple):
    """The steps of a discretizer in the rows of a table."""

    by: Discretizer
    words: str
    """What it makes."""
    steps: tuple[Step, ...]

    @property
    def cuts(self) -> tuple[Rational, ...]:
        """Where it cuts, ascending."""
        return tuple(sorted(cut for step in self.steps for cut in step.cuts))


def found_by(table: Table, attribute: str, how: str) -> Found | None:
    """The steps of the discretizer that a text names; None if it names none."""
    name, *given = how.split(":")
    by = discretizers().get(name)
    # Three digits are enough for bins that people read; more of them would be names of their own.
    if by is None or len(given) != bool(by.parameter) or not all(re.fullmatch("[0-9]{1,3}", n) for n in given):
        return None
    return Found(by, by.words.format(*given), tuple(by.steps(table, attribute, *map(int, given))))


def bins_of(table: Table, attribute: str, how: str) -> tuple[Sequence[Bin], str]:
    """The bins that a text describes, and how the rows say where to cut; this is empty if the text does.

    Args:
        table: the rows that say where to cut, if the text leaves that to them.
        attribute: the name of a continuous attribute.
        how: cuts, `70, 75`; bins with names, `Cold (-inf, 70); Mild [70, 75]; Hot (75, inf)`; or the name of a
            `Discretizer`, with its parameter if it has one: `equal-width:3`, `entropy`.

    Raises:
        InputError: it is none of these, or the attribute has no such bins.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> table = textbook("golf")
        >>> [str(one) for one in bins_of(table, "temperature", "Cool (-inf, 70); Warm [70, inf)")[0]]
        ['Cool (-inf, 70)', 'Warm [70, inf)']
        >>> bins_of(table, "temperature", "equal-width:2")[1]
        '2 intervals of equal width, cut at 74.5'
    """
    if (found := found_by(table, attribute, how)) is not None:
        where = f"cut at {listed([*map(decimal_text, found.cuts)])}" if found.cuts else "without a cut"
        return bins_between(found.cuts), f"{found.words}, {where}"
    # All parts have to be bins: a mixture of bins and cuts is told by the last refusal, which lists every form.
    named = [_NAMED_BIN.fullmatch(part) for part in how.split(";")]
    if all(named):
        return [Bin.parse(*match.groups()) for match in named if match], ""
    try:
        return bins_between([Fraction(rational(cut.strip())) for cut in how.split(",")]), ""
    except InputError:
        raise
    except ValueError:
        forms = ["cuts as in 70,75", "bins as in 'Cold (-inf, 70); Warm [70, inf)'"]
        forms += [known.form for known in discretizers().values()]
        raise InputError(f"{attribute} takes {', '.join(forms[:-1])} or {forms[-1]}, not {how!r}") from None


def _classes(counts: Sequence[Number]) -> int:
    return sum(1 for count in counts if count)
