"""Answers: what a model says of one row, by its own trees alone.

A verdict rests on boxes and polynomials. Its row is asked again here, where nothing is known of these: it walks down
each tree as the book has it, and the exact score is added up from the leaves that it reaches.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from reference_tree.ensembles.ensemble import COMBINATIONS, Ensemble, trees_of
from reference_tree.exact.rationals import Rational
from reference_tree.functions.boxes import started
from reference_tree.routing import Ends
from reference_tree.tree import Tree


def tested(model: Tree | Ensemble) -> set[str]:
    """The attributes that a model asks for."""
    return {name for tree in trees_of(model) for node in tree.nodes if node.test for name in node.test.attributes}


def ends_of(tree: Tree, row: Mapping[str, Any]) -> Ends:
    """The nodes where a row ends, by the walk of the book; nothing is prepared for further rows."""
    stages = tree.way(row)
    return tuple((at.number, at.share * part) for at in stages for below, part in at.ways if below is None)


def predicted(model: Tree | Ensemble, row: Mapping[str, Any]) -> Any:
    """What `predict` gives for a row, by the walk of the book."""
    if isinstance(model, Tree):
        return model.target.returned(model.answer(ends_of(model, row)))
    return model.target.returned(model.answer(tuple(ends_of(one.tree, row) for one in model.members)))


def exact_score(
    model: Tree | Ensemble, row: Mapping[str, Any], name: str = "", *, labels: bool = False
) -> Rational:  # fmt: skip
    """The exact score of a row, by the trees of the model: for a class its margin or its share, else the number.

    With `labels`, a tree has the share 1 for the class of its answer, and needs no counts.
    """
    if isinstance(model, Tree):
        if name and labels:
            return int(model.answer(ends_of(model, row)) == name)
        # A row that is divided ends in several leaves, each of which counts by its part of the row.
        ends = ends_of(model, row)
        if name:
            return model.shares(ends)[name]
        return sum((share * Fraction(model.nodes[number].label) for number, share in ends), Fraction(0))
    adds = COMBINATIONS[model.combine].adds
    # A vote has no score of its own; its share among all votes is compared.
    if model.combine == "vote":
        votes = [(one.weight, one.tree.answer(ends_of(one.tree, row)) == name) for one in model.members]
        return sum((Fraction(weight) for weight, hit in votes if hit), Fraction(0)) / sum(
            Fraction(weight) for weight, _ in votes
        )
    # A sum is the start and the trees; a mean has no start and is divided by all weights.
    whole = 1 if adds else sum(Fraction(one.weight) for one in model.members)
    place = model.target.domain.index(name) if name and len(model.start) > 1 else 0
    total = started(model, place) if adds else Fraction(0)
    for one in model.members:
        # Of several sums a tree adds to one alone.
        if adds and one.of not in (None, name):
            continue
        total += Fraction(one.weight) / whole * Fraction(exact_score(one.tree, row, "" if adds else name))
    # The sum of this rule is the share of the second class, and the first one has the rest.
    return 1 - total if model.combine == "share" and name == model.target.domain[0] else total
