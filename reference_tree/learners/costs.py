r"""Costs: the prior probabilities of the classes, and the costs of mistakes.

By default a learner of classes assumes that the classes are as common in the population as among the rows, and that
every mistake costs the same. *Priors* π_j state how common each class is instead, and a *loss matrix* C(i|j) states
the cost of answering i where j is right. Both are given by the names of the classes; all numbers are exact.

1. `PRIORS` and `LOSS` make them options that a tree document records.
2. `cheapest` is the prediction of a node: not the most common class, but the one of least expected cost
   (`reference_tree.measures.misclassification.Costs` holds priors and losses for the classes of a table).
3. The choice of a question can use the losses in three ways (`LOSSES`): in altered priors, in the Gini value itself, or
   not at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, get_args

from reference_tree.data.errors import InputError
from reference_tree.data.sample import Counts
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import Rational, decimal_text, exactly, rational
from reference_tree.learners.options import Codec
from reference_tree.learners.place import Answer, answer_above
from reference_tree.measures.misclassification import Costs, Loss, Priors

LossRule: TypeAlias = Literal["altered-priors", "generalized-gini", "labels-only"]

LOSSES: tuple[LossRule, ...] = get_args(LossRule)
"""The ways in which the choice of a question uses losses, by the names that a tree document records."""


def cheapest(target: Attribute, counts: Counts, costs: Costs, inherited: Answer | None) -> Answer:
    """The class of least expected cost, the first in class order among equals; without any rows, the answer above.

    Args:
        target: the classes, in order.
        counts: the weight of each class.
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
        return answer_above(inherited)
    return Answer.among(costs.cheapest(target, counts), counts)


# As options: checked, written to a document, read from one.


def _numbers(named: Priors, what: str) -> Priors:
    if not isinstance(named, Mapping):
        raise InputError(f"{what} is given for each class by its name, not as {named!r}")
    numbers = {str(label): _number(number, f"{what} of {label}") for label, number in named.items()}
    for label, number in numbers.items():
        if number < 0:
            raise InputError(f"{what} is not negative, but that of {label} is {number}")
    return numbers


def _number(number: object, what: str) -> Rational:
    """The exact value of a number, or of a number as text: a text can say 1/3, a float cannot."""
    try:
        return rational(number) if isinstance(number, str) else exactly(number)
    except (TypeError, ValueError) as error:
        raise InputError(f"{what}: {error}") from None


def _checked_priors(priors: Priors | None) -> Priors | None:
    return None if priors is None else _numbers(priors, "a prior")


def _checked_loss(loss: Loss | None) -> Loss | None:
    if not (loss is None or isinstance(loss, Mapping)):
        raise InputError(f"a loss is given for each class and answer by their names, not as {loss!r}")
    return None if loss is None else {str(right): _numbers(row, "a loss") for right, row in loss.items()}


def _written(value: Any) -> Any:
    """Numbers as text, at any depth of nested mappings."""
    if isinstance(value, Mapping):
        return {name: _written(each) for name, each in value.items()}
    return None if value is None else decimal_text(value)


def _read(written: Any) -> Any:
    if isinstance(written, Mapping):
        return {name: _read(each) for name, each in written.items()}
    if not (written is None or isinstance(written, str)):
        raise InputError(f"{written!r} is not the text of a number")
    return None if written is None else rational(written)


PRIORS = {"codec": Codec(_checked_priors, _written, _read, "class → a number, as text; or `null`")}
"""The metadata of a field that holds priors, or None if the classes are as common as in the sample."""
LOSS = {"codec": Codec(_checked_loss, _written, _read, "class → answer → a number, as text; or `null`")}
"""The metadata of a field that holds a loss matrix, or None if every mistake costs 1."""
