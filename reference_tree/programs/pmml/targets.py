"""The targets of PMML: what becomes of a number after a model has predicted it.

In this order: it is brought into [min, max], multiplied by `rescaleFactor`, `rescaleConstant` is added, and it becomes
a whole number by `castInteger`. For a tree this is done with the score of each node, once.

Source:
    [DMG2019]
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

from reference_tree.data.errors import InputError, no_such
from reference_tree.exact.rationals import Rational, rational, simplest
from reference_tree.programs.pmml.fields import GOALS
from reference_tree.programs.pmml.xml import Element

CASTS = ("round", "ceiling", "floor")
"""How a number becomes a whole one."""


class Rescaling(NamedTuple):
    """What becomes of a predicted number."""

    low: Rational | None = None
    high: Rational | None = None
    factor: Rational = 1
    constant: Rational = 0
    cast: str = ""

    @property
    def is_linear(self) -> bool:
        """Whether a number is only multiplied and shifted, so that it does not matter whether before a sum or after."""
        return self.low is None and self.high is None and not self.cast

    def scored(self, number: Rational) -> Rational:
        """The number that is answered.

        Example:
            >>> Rescaling(factor=2, constant=Fraction(1, 2)).scored(1), Rescaling(high=4, cast="round").scored(7)
            (Fraction(5, 2), 4)
        """
        if self.low is not None:
            number = max(number, self.low)
        if self.high is not None:
            number = min(number, self.high)
        number = simplest(Fraction(number) * self.factor + self.constant)
        if self.cast == "round":
            return math.floor(number + Fraction(1, 2))
        return number if not self.cast else math.ceil(number) if self.cast == "ceiling" else math.floor(number)


def rescaling_of(model: Element) -> Rescaling:
    """The rescaling that the targets of a model state.

    A model within a model mostly predicts no field by name. Its target has no name then; one with a name has no effect.

    Args:
        model: the element of the model.

    Raises:
        InputError: a target is about another field than the model predicts, or has a rule that is not read.
    """
    goals = [each.attrib["name"] for each in model.fields_of("MiningSchema", "MiningField")
             if each.get("usageType") in GOALS]  # fmt: skip
    goal = goals[0] if goals else ""
    targets = list(model.fields_of("Targets", "Target"))
    if len(targets) > 1:
        raise InputError("it has several Targets; write a model for each")
    if not targets:
        return Rescaling()
    target = targets[0]
    if target.get("field") != goal:
        named = target.get("field") or "without a field"
        raise InputError(f"it has a Target {named}, and predicts {goal or 'a number without a name'}")
    numbers = {key: rational(target.attrib[key]) for key in ("min", "max", "rescaleFactor", "rescaleConstant")
               if key in target.attrib}  # fmt: skip
    if (cast := target.get("castInteger")) and cast not in CASTS:
        raise InputError(no_such("castInteger", cast, CASTS))
    found = Rescaling(
        numbers.get("min"), numbers.get("max"), numbers.get("rescaleFactor", 1), numbers.get("rescaleConstant", 0), cast
    )
    if model.attrib["functionName"] != "regression" and found != Rescaling():
        raise InputError("a Target rescales classes, which is not read")
    return found
