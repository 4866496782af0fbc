r"""AdaBoost of scikit-learn: the weights that the rows had in each round, and the weight of each tree.

The model states the weight of each tree in the vote and its error. The weights of the rows follow from these and from
what the trees answer (SAMME). In round m:

1. Each row has its weight; a weight below 2⁻⁵² is raised to that. A tree is grown from the weighted rows.
2. Its error e is the share of the weight that it gets wrong; its own weight is α = η·(ln((1 − e)/e) + ln(K − 1)).
3. The rows that it gets wrong are multiplied by e^α, and all weights are divided by their sum.

Everything is rounded to doubles, as in the program. A weight may be another double here, because logarithms and
exponentials of programs are not rounded correctly; the audit allows for that, as for all sums of doubles.

A tree with a fault may answer otherwise than the tree that was grown. Where its error is not the one that is stated,
or the next root has rows of other weights, the rows that were wrong are those of the tree with the test that its
branches state, or of the tree that its learner grows, whichever fits.

Source:
    [ZhuZouRossetHastie2009 SAMME]
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from itertools import chain
from typing import NamedTuple

from reference_tree.auditing.finding import Fault, of_text
from reference_tree.auditing.parting import fit, mended
from reference_tree.data.questions import Threshold
from reference_tree.data.sample import Counts
from reference_tree.data.table import Table
from reference_tree.ensembles.ensemble import Ensemble, Member
from reference_tree.exact.rounding import nearest_double, significant
from reference_tree.learners.decision import Learner
from reference_tree.learners.growing import grow
from reference_tree.predictor import truth
from reference_tree.programs.practices import EPSILON, DrawnByProgram
from reference_tree.tree import Tree

DIGITS = 40
"""The digits with which logarithms and exponentials are computed, before they are rounded to doubles."""

SLACK = Fraction(1, 2**32)
"""The error allowed for the weight and the error of a tree."""


class AuditedRound(NamedTuple):
    """A round: the learner, the weighted rows, and the faults of what the model states about the tree as a whole."""

    learner: Learner
    table: Table
    faults: tuple[Fault, ...]


def rounds(
    ensemble: Ensemble,
    table: Table,
    learner: Callable[[Tree, Table, int], Learner],
    rate: Fraction,
    errors: Sequence[Fraction],
) -> Iterator[AuditedRound]:
    """The rounds of a model, one for each tree.

    Args:
        ensemble: the trees, with their weights.
        table: the rows as the program saw them.
        learner: gives the learner of a tree, from its rows and its number.
        rate: the learning rate η.
        errors: the error of each tree, as the model states it.

    Source:
        [ZhuZouRossetHastie2009 SAMME]
    """
    classes, right = len(ensemble.target.domain), truth(table)
    weights = normalized(list(map(Fraction, table.weighted())))
    for number, (member, error) in enumerate(zip(ensemble.members, errors, strict=True)):
        # The program raises tiny weights before it grows a tree; a weight of exactly 0 stays 0.
        raised = [max(weight, EPSILON) if weight else weight for weight in weights]
        rows = replace(table, weights=raised)
        stated, below = Fraction(member.weight), ensemble.members[number + 1 : number + 2]
        # First the tree as it stands: if it has the stated error and the next root has these weights, it is the tree
        # that was grown.
        outcome = _after(raised, _missed(member.tree, table, right), stated, classes, rate)
        if not _fits(outcome, error, below, right):
            # A tree with a fault may answer otherwise than the one that was grown. The first other tree that fits what
            # is stated tells which rows were wrong; if none fits, the tree itself does.
            for other in chain(_repaired(member.tree, rows), _regrown(learner(member.tree, rows, number), rows)):
                after = _after(raised, _missed(other, table, right), stated, classes, rate)
                if _fits(after, error, below, right):
                    outcome = after
                    break
        faults = _faults(stated, outcome.due, error, outcome.error)
        yield AuditedRound(learner(member.tree, rows, number), rows, tuple(faults))
        weights = outcome.weights


def _regrown(by: Learner, rows: Table) -> Iterator[Tree]:
    """The tree that the learner grows; ties of doubles are no exact ties, so once without its draws."""
    for one in (by.base, by) if isinstance(by, DrawnByProgram) else (by,):
        yield grow(one, rows, validation=replace(rows, weights=None))


def _repaired(tree: Tree, rows: Table) -> Iterator[Tree]:
    """The tree with another way at the first node whose branches do not have the rows that they state."""

    def alike(own: Counts, found: Counts) -> bool:
        return all(is_near(Fraction(one), Fraction(other)) for one, other in zip(own, found, strict=True))

    pending = [(0, rows.sample())]
    while pending:
        number, sample = pending.pop()
        node = tree.nodes[number]
        if node.test is None:
            continue
        parts = sample.split(node.test, node.missing)
        stated = [tree.nodes[branch].counts for branch in node.branches]
        # The rows agree with the counts, so the fault lies further below.
        if fit(stated, (part.total() for part in parts), alike):
            pending += zip(node.branches, parts, strict=True)
            continue
        to = node.missing.to
        turned = node.missing if to is None else replace(node.missing, to=1 - to)
        # Three repairs: exchanged branches, the other way for rows without a value, and another cut of any attribute.
        others = [replace(node, branches=node.branches[::-1], missing=turned), replace(node, missing=turned)]
        for name in (attribute.name for attribute in tree.attributes if attribute.values is None):
            test = mended(Threshold(name, 0), sample, node.missing, stated, alike, off=sum(sample.total()))
            if test is not None:
                others.append(replace(node, test=test))
        for other in others:
            yield replace(tree, nodes=(*tree.nodes[:number], other, *tree.nodes[number + 1 :]))
        return


class _After(NamedTuple):
    """What follows from the rows that a tree gets wrong: its error, its weight, and the next weights of the rows."""

    error: Fraction
    due: Fraction
    weights: list[Fraction]


def _after(
    weights: Sequence[Fraction], missed: Sequence[bool], stated: Fraction, classes: int, rate: Fraction
) -> _After:
    error = error_of(weights, missed)
    due = vote(error, classes, rate)
    # The stated weight is the double that the program had; ours may be its neighbour, for no logarithm is rounded
    # alike.
    return _After(error, due, reweighted(weights, missed, stated if is_near(stated, due) else due))


def _fits(outcome: _After, error: Fraction, below: Sequence[Member], right: Sequence[object]) -> bool:
    """Whether a tree has the stated error, and the root of the next one, if there is one, has rows of these weights."""
    if not is_near(outcome.error, error):
        return False
    of_class: dict[object, Fraction] = defaultdict(Fraction)
    for weight, label in zip(outcome.weights, right, strict=True):
        of_class[label] += weight
    return all(
        is_near(Fraction(count), of_class[label])
        for member in below
        for label, count in zip(member.tree.target.domain, member.tree.nodes[0].counts, strict=True)
    )


def _missed(tree: Tree, table: Table, right: Sequence[object]) -> list[bool]:
    return [answer != one for answer, one in zip(tree.predict(table), right, strict=True)]


def _faults(stated: Fraction, due: Fraction, error: Fraction, found: Fraction) -> Iterator[Fault]:
    for called, own, other in (("weight in the vote", stated, due), ("error", error, found)):
        if not is_near(own, other):
            yield of_text("weight", figure=called, said=significant(own, 12), found=significant(other, 12))


def is_near(one: Fraction, other: Fraction) -> bool:
    """Whether two figures differ no more than roundings may make them."""
    return bool(abs(one - other) <= SLACK * (1 + abs(other)))


def error_of(weights: Sequence[Fraction], missed: Sequence[bool]) -> Fraction:
    """The share of the weight of the rows that a tree gets wrong.

    Example:
        >>> error_of([Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)], [False, True, False])
        Fraction(1, 4)
    """
    return sum((weight for weight, is_wrong in zip(weights, missed, strict=True) if is_wrong), Fraction(0)) / sum(
        weights
    )


def vote(error: Fraction, classes: int, rate: Fraction) -> Fraction:
    """The weight of a tree, as a double; 1 for a tree without an error.

    Example:
        >>> float(vote(Fraction(1, 4), 2, Fraction(1))), vote(Fraction(0), 2, Fraction(1))
        (1.0986122886681098, Fraction(1, 1))
    """
    # Without an error the logarithm is infinite; the program gives such a tree the weight 1.
    if not 0 < error < 1:
        return Fraction(1)
    return _double(rate * (_log((1 - error) / error) + _log(Fraction(classes - 1))))


def reweighted(weights: Sequence[Fraction], missed: Sequence[bool], alpha: Fraction) -> list[Fraction]:
    """The weights of the rows in the next round.

    Example:
        >>> alpha = vote(Fraction(1, 4), 2, Fraction(1))
        >>> [round(float(one), 12) for one in reweighted([Fraction(1, 4)] * 4, [True, False, False, False], alpha)]
        [0.5, 0.166666666667, 0.166666666667, 0.166666666667]

    Source:
        [ZhuZouRossetHastie2009 SAMME]
    """

    @cache
    # Rows of one weight share their result, so it is computed once for all of them.
    def after(weight: Fraction, is_wrong: bool) -> Fraction:
        return _exp(_double(_log(weight) + (alpha if is_wrong else 0))) if weight else weight

    return normalized([after(weight, is_wrong) for weight, is_wrong in zip(weights, missed, strict=True)])


def normalized(weights: Sequence[Fraction]) -> list[Fraction]:
    """The weights divided by their sum, each a double."""
    whole = _double(sum(weights, Fraction(0)))
    share = cache(lambda weight: _double(weight / whole))
    return [share(weight) for weight in weights]


def _double(number: Fraction) -> Fraction:
    return Fraction(nearest_double(number))


def _log(number: Fraction) -> Fraction:
    """The natural logarithm, as a double."""
    with localcontext(prec=DIGITS):
        return _double(Fraction((Decimal(number.numerator) / Decimal(number.denominator)).ln()))


def _exp(number: Fraction) -> Fraction:
    """The power of e, as a double."""
    with localcontext(prec=DIGITS):
        return _double(Fraction((Decimal(number.numerator) / Decimal(number.denominator)).exp()))
