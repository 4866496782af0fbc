"""Tolerances: how far an answer in doubles may lie from the exact number, one line for every quantity.

The table is data, `tolerances.toml`, so that a program in any language can hold its answers against the same one. It
is read here, and nothing else in the package knows how far is too far. A distance is compared exactly: an answer, and
the number beside it, are rationals.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from reference_tree.exact.log_sums import log
from reference_tree.exact.rationals import rational
from reference_tree.exact.rounding import nearest_double
from reference_tree.measures.measure import measures

Total = Sequence[Fraction]
"""The counts of a node: the weight of each class; of numbers n, Σ y and Σ y², or n, the median and Σ |y - median|."""


class Tolerance(NamedTuple):
    """A line of the table: a coefficient times a quantity."""

    quantity: str
    """The member of a golden that holds the quantity."""
    bound: Fraction
    times: str
    """A name in `SCALES`, or `judged_by`; empty: 1."""
    about: str

    def reach(self, value: Fraction, total: Total = (), judged_by: str = "") -> Fraction:
        """How far from the exact number an answer may lie.

        Args:
            value: the exact number; of an irrational one its `digits`.
            total: the counts of the node, where the line needs them.
            judged_by: the score that the node is judged by, for its margin.

        Example:
            >>> tolerance("gain").reach(Fraction(1, 4), [Fraction(9), Fraction(5)]) == Fraction(1, 2**48)
            True
        """
        if self.times == "judged_by":
            return self.bound * tolerance(judged_by).reach(value, total)
        return self.bound * SCALES[self.times](value, total)

    def allows(self, given: Fraction, value: Fraction, total: Total = (), judged_by: str = "") -> bool:
        """Whether an answer lies near enough to the exact number; the arguments are those of `reach`."""
        return abs(given - value) <= self.reach(value, total, judged_by)


def _gini(value: Fraction, total: Total) -> Fraction:
    return 1 - sum(((count / sum(total)) ** 2 for count in total), Fraction(0))


SCALES: Mapping[str, Callable[[Fraction, Total], Fraction]] = {
    "": lambda value, total: Fraction(1),
    "value": lambda value, total: abs(value),
    "one-or-value": lambda value, total: max(Fraction(1), abs(value)),
    "largest": lambda value, total: max(Fraction(1), abs(value), *total),
    "ulp": lambda value, total: Fraction(math.ulp(nearest_double(value))) if value else Fraction(0),
    "classes": lambda value, total: Fraction(nearest_double(log(max(2, len(total))))),
    "gini": _gini,
    "errors": lambda value, total: 1 - max(total) / sum(total),
    "squares": lambda value, total: total[2],
    "mean-square": lambda value, total: total[2] / total[0],
    "deviation": lambda value, total: total[2] / total[0],
}
"""The factor of a bound, from the exact number and from the counts of the node."""


def tolerance(quantity: str) -> Tolerance:
    """The line for a quantity.

    Raises:
        KeyError: no golden has such a quantity.
    """
    if quantity not in tolerances() and quantity in measures():
        return tolerances()["other-score"]._replace(quantity=quantity)
    return tolerances()[quantity]


@cache
def tolerances() -> Mapping[str, Tolerance]:
    """All lines, by the quantity."""
    text = (resources.files(__package__) / "tolerances.toml").read_text(encoding="utf-8")
    return {line.quantity: line for entry in tomllib.loads(text)["line"] for line in _lines(entry)}


def _lines(entry: Mapping[str, Any]) -> list[Tolerance]:
    base, _, exponent = entry["bound"].partition("^")
    bound = Fraction(rational(base)) ** int(exponent or "1")
    return [Tolerance(name, bound, entry.get("times", ""), entry["about"]) for name in entry["quantities"]]
