r"""Costs: how common the classes are, and what it costs to take one for another.

A learner of classes takes the rows for a fair picture of the world and every mistake for equally bad, unless it is told
otherwise: by *priors* π_j, how common each class really is, and by a *loss matrix* C(i|j), what it costs to answer i
where j is right. Both are given by the names of the classes; all numbers are exact.

1. `PRIORS` and `LOSS` make them options that a tree document records.
2. `Costs` are both of them, brought to the classes of a table.
3. `cheapest` is what a node then says: not the most common class, but the one of least expected cost.
4. In the choice of a question the losses can be heeded in three ways (`LOSSES`): in altered priors, in the Gini value
   itself, or not at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Any, TypeAlias

from reference_tree.data.errors import InputError, listed
from reference_tree.data.sample import Counts, Partition
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import Rational, decimal_text, exactly, rational
from reference_tree.learners.options import Codec
from reference_tree.learners.place import Answer
from reference_tree.measures.misclassification import altered_priors, expected_costs, prior_weights

Priors: TypeAlias = Mapping[str, Rational]
"""Class → how common it is; only the ratios matter."""
Loss: TypeAlias = Mapping[str, Mapping[str, Rational]]
"""True class → answer → what that costs. A pair that is not named costs 1, the right answer nothing."""

LOSSES = ("altered-priors", "generalized-gini", "labels-only")
"""How losses are heeded in the choice of a question, by the names under which a tree document records it."""


@dataclass(frozen=True)
class Costs:
    """Priors and losses for the classes of a table.

    Args:
        weights: what a row of each class stands for.
        loss: a row for each true class, a column for each answer.

    Example:
        >>> play = Attribute("play", ("no", "yes"))
        >>> Costs.of(play, (5, 9), {"no": 1, "yes": 1}, None)
        Costs(weights=(9, 5), loss=((0, 1), (1, 0)))
    """

    weights: tuple[int, ...]
    loss: tuple[tuple[Rational, ...], ...]

    @classmethod
    def of(cls, target: Attribute, everyone: Counts, priors: Priors | None, loss: Loss | None) -> Costs:
        """The priors and losses for a target.

        Args:
            target: the classes.
            everyone: the weight of each class at the root.
            priors: how common the classes are; none: as common as in the sample.
            loss: what mistakes cost; none: 1 each.

        Raises:
            InputError: a class is unknown, has rows and no prior, or may be missed for nothing.

        Source:
            [Breiman1984 §2.4], [Breiman1984 §4.4]
        """
        matrix = _matrix(target, loss or {})
        if priors is None:
            return cls((1,) * len(target.domain), matrix)
        _check_names(target, priors)
        given = [priors.get(label, 0) for label in target.domain]
        for label, prior, count in zip(target.domain, given, everyone, strict=True):
            if count and not prior:
                raise InputError(f"the class {label} has rows, and needs a prior above 0")
        weights = prior_weights([Fraction(count) for count in everyone], given)
        return cls(_integers([weight or 1 for weight in weights]), matrix)  # a weight of 0 has no rows to weigh

    def altered(self) -> Costs:
        """The same with the losses in the weights: unit costs under altered priors.

        Example:
            >>> Costs((9, 5), ((0, 1), (5, 0))).altered().weights
            (9, 25)

        Source:
            [Breiman1984 §4.4]
        """
        return Costs(_integers(altered_priors(self.weights, self.loss)), self.loss)

    def weighed(self, row: Counts) -> Counts:
        """What the rows of each class stand for."""
        return tuple(weight * count for weight, count in zip(self.weights, row, strict=True))

    def weighed_table(self, table: Partition) -> Partition:
        """The same for all rows of a table."""
        return Partition(table.outcomes, tuple(map(self.weighed, table.rows)), self.weighed(table.unknown))


def cheapest(target: Attribute, counts: Counts, costs: Costs, inherited: Answer | None) -> Answer:
    """The class of least expected cost, the first in class order among equals; without any rows, the answer above.

    Args:
        target: the classes, in order.
        counts: the weight of each.
        costs: priors and losses.
        inherited: the answer of the node above.

    Example:
        >>> play = Attribute("play", ("no", "yes"))
        >>> cheapest(play, (1, 4), Costs((1, 1), ((0, 5), (1, 0))), None).label       # it is dear to miss a "no"
        'no'

    Source:
        [Breiman1984 §2.4]
    """
    if not any(counts):
        assert inherited is not None, "an empty sample has no answer of its own"
        return inherited._replace(tied=(), prior=True)
    each = expected_costs(costs.weighed(counts), costs.loss)
    least = [label for label, cost in zip(target.domain, each, strict=True) if cost == min(each)]
    return Answer(least[0], counts, tuple(least) if len(least) > 1 else ())


def _matrix(target: Attribute, loss: Loss) -> tuple[tuple[Rational, ...], ...]:
    _check_names(target, loss)
    for row in loss.values():
        _check_names(target, row)
    matrix = tuple(
        tuple(0 if answer == right else loss.get(right, {}).get(answer, 1) for answer in target.domain)
        for right in target.domain
    )
    for right, costs in zip(target.domain, matrix, strict=True):
        if not any(costs) and len(costs) > 1:
            raise InputError(f"no mistake with the class {right} costs anything; at least one has to")
    return matrix


def _check_names(target: Attribute, named: Mapping[str, object]) -> None:
    if strange := [label for label in named if label not in target.domain]:
        raise InputError(f"{target.name} has no class {strange[0]!r}; it has {listed(target.domain)}")


def _integers(weights: Sequence[Rational]) -> tuple[int, ...]:
    """Integers in the same ratios, as small as can be."""
    common = lcm(*(Fraction(weight).denominator for weight in weights))
    whole = [int(weight * common) for weight in weights]
    divisor = gcd(*whole) or 1
    return tuple(weight // divisor for weight in whole)


# As options: checked, written to a document, read from one.


def _numbers(named: Priors, what: str) -> Priors:
    numbers = {str(label): exactly(number) for label, number in named.items()}
    for label, number in numbers.items():
        if number < 0:
            raise ValueError(f"{what} is not negative, but that of {label} is {number}")
    return numbers


def _checked_priors(priors: Priors | None) -> Priors | None:
    return None if priors is None else _numbers(priors, "a prior")


def _checked_loss(loss: Loss | None) -> Loss | None:
    return None if loss is None else {right: _numbers(row, "a loss") for right, row in loss.items()}


def _written(value: Any) -> Any:
    """Numbers as text, however deep they stand."""
    if isinstance(value, Mapping):
        return {name: _written(each) for name, each in value.items()}
    return None if value is None else decimal_text(value)


def _read(written: Any) -> Any:
    if isinstance(written, Mapping):
        return {name: _read(each) for name, each in written.items()}
    if not (written is None or isinstance(written, str)):
        raise ValueError(f"{written!r} is not the text of a number")
    return None if written is None else rational(written)


PRIORS = {"codec": Codec(_checked_priors, _written, _read)}
"""What makes a field an option that holds priors, or None: the classes are as common as in the sample."""
LOSS = {"codec": Codec(_checked_loss, _written, _read)}
"""What makes a field an option that holds a loss matrix, or None: every mistake costs 1."""
