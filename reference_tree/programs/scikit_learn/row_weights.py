"""The weights of rows: which rows a tree says that it was grown from, and what each of them weighs.

The weights of a table may have decided three things in scikit-learn:

1. the weights of the rows in a tree, times how often each was drawn for it;
2. the chance with which a row is drawn, in a bag from release 1.8, and in a forest from 1.9: it then counts as often as
   it was drawn, whatever it weighs;
3. nothing, if the model was fitted without them.

The weights of classes multiply those of rows. Balanced ones follow from the number of rows of each class; in a forest
of 1.9 that draws no rows they follow from the sums of their weights.

A model states what its weights decided (`row_weights`). Where a document does not, an audit takes the first of these
(`possible_rows`) that agrees with what the root states: the weight of each class, or that of the rows and their error.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.ensembles.bagging import resampled
from reference_tree.exact.rationals import simplest
from reference_tree.exact.rounding import nearest_double
from reference_tree.predictor import truth
from reference_tree.programs.scikit_learn.members import BALANCED, BALANCED_SUBSAMPLE
from reference_tree.programs.scikit_learn.objects import DRAWN, OF_ROWS, SUMMED
from reference_tree.tree_document.strict import closed, number

UNWEIGHTED = "the tree counts each row once, whatever it weighs, and is judged so"
"""What is assumed of a tree that was grown without the weights of the table."""


class WeighedRows(NamedTuple):
    """The rows of a tree, and what is assumed about their weights."""

    table: Table
    assumed: str = ""


def possible_rows(table: Table, drawn: Sequence[int] | None, stated: object, rule: object) -> Iterator[WeighedRows]:
    """The rows of a tree with each of the weights that they may have there, the likeliest first.

    Args:
        table: the rows, as the program saw them.
        drawn: how often each row was drawn for the tree; None if each was drawn once.
        stated: the weights of the classes that are stated.
        rule: what the weights decided; None if that is not stated.

    Raises:
        InputError: the weights of the classes are not stated as they should be.
    """
    plain = replace(table, weights=None)
    if rule in (OF_ROWS, None):
        yield WeighedRows(_weighed(table, plain, drawn, stated))
    if rule == SUMMED or (rule is None and stated is not None and drawn is None):
        yield WeighedRows(_weighed(table, table, drawn, stated))
    if rule in (DRAWN, None) and (drawn is not None or rule == DRAWN):
        yield WeighedRows(_weighed(plain, plain, drawn, stated if stated == BALANCED_SUBSAMPLE else None))
    if rule != DRAWN and table.weights is not None:
        yield WeighedRows(_weighed(plain, plain, drawn, stated), UNWEIGHTED)


def _weighed(table: Table, counted: Table, drawn: Sequence[int] | None, stated: object) -> Table:
    """The rows that were drawn, with the weights of their classes.

    Args:
        table: the rows with their weights.
        counted: the same rows with the weights by which those of balanced classes are counted.
        drawn: how often each row was drawn.
        stated: the weights of the classes.
    """
    if stated is None:
        return resampled(table, drawn)
    if stated == BALANCED_SUBSAMPLE and drawn is not None:
        return by_class(resampled(table, drawn), stated, resampled(counted, drawn))
    return resampled(by_class(table, stated, counted), drawn)


def by_class(table: Table, stated: object, counted: Table) -> Table:
    """The rows with the weights of their classes, as doubles; rows of a class without weight are left out.

    Args:
        table: the rows.
        stated: class → weight; or `BALANCED`, by which each class has the same weight in all.
        counted: the same rows, with the weights by which the classes are balanced.

    Raises:
        InputError: what is stated is no such thing.

    Example:
        >>> table = Table.from_columns({"x": [1, 2, 3, 4], "y": [*"nnny"]})
        >>> [float(one) for one in by_class(table, BALANCED, table).weighted()]
        [0.6666666666666666, 0.6666666666666666, 0.6666666666666666, 2.0]
    """
    of = _balanced(counted) if stated in (BALANCED, BALANCED_SUBSAMPLE) else _given(table, stated)
    labels, weights = truth(table), table.weighted()
    found = [Fraction(nearest_double(weight * of[label])) for label, weight in zip(labels, weights, strict=True)]
    rows = [row for row, weight in enumerate(found) if weight]
    return replace(table.take(rows), weights=[simplest(found[row]) for row in rows], left_out=0)


def _balanced(counted: Table) -> Mapping[object, Fraction]:
    """The weight of each class, so that all classes weigh the same."""
    counts: dict[object, Fraction] = defaultdict(Fraction)
    for label, weight in zip(truth(counted), counted.weighted(), strict=True):
        counts[label] += weight
    whole = sum(counts.values())
    return {label: Fraction(nearest_double(whole / (len(counts) * count))) for label, count in counts.items()}


def _given(table: Table, stated: object) -> Mapping[object, Fraction]:
    """The weight of each class that is stated."""
    try:
        entries = closed(stated, list(table.schema.target.domain))
        return {label: Fraction(number(one)) for label, one in entries.items()}
    except (TypeError, ValueError) as error:
        raise InputError(f"the weights of the classes are not stated as they should be: {error}") from None
