r"""Boxes: a model as a sum over the leaves of its trees.

The rows that reach a leaf are a *box*: for each attribute on its path the cells that pass all tests of it. So a model
is a sum of boxes, each with a number,

$$F(x) = \sum_\ell y_\ell \prod_{a} [x_a \in B_{\ell a}]$$

for each of its *scores*: the number that is predicted, before its link; the margin of each class; or the share P(Y|X)
of each class, votes as shares of all votes. A row that is divided at a gap reaches several boxes, each with its share.

1. `ends` are the boxes of one tree, with the node where each ends.
2. `Sums` is a model as scores, each a start and trees; `sums_of` makes it.
3. `added` adds up the boxes of some trees: those of equal leaves, wherever they stand, cancel.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from reference_tree.data.errors import InputError
from reference_tree.data.held import held
from reference_tree.data.questions import Missing
from reference_tree.data.schema import Attribute
from reference_tree.ensembles.ensemble import COMBINATIONS, Ensemble, trees_of
from reference_tree.exact.rationals import Rational
from reference_tree.functions.cells import At, Box, InputDomain
from reference_tree.node import Label, Node
from reference_tree.tree import Tree

Way: TypeAlias = tuple[tuple[tuple[int, int], ...], Rational, int | None]
"""The cells that go a way, by attribute; their share; and the node below, None where they stay."""
Leaves: TypeAlias = list[tuple[Box, Rational]]
"""The boxes of a tree, each with its number."""
Whole: TypeAlias = dict[Box, int]
"""The boxes of a sum, each with its number in units of a common denominator; none is 0."""


def ends(tree: Tree, domain: InputDomain) -> Iterator[tuple[Box, Rational, int]]:
    """The boxes of a tree that some row reaches, each with its share and the number of the node where it ends."""
    forms = {one.name: one for one in tree.attributes}
    # An explicit stack: a chain of fifty thousand nodes is a tree, too.
    pending: list[tuple[int, dict[int, int], Rational]] = [(0, {}, 1)]
    while pending:
        number, box, share = pending.pop()
        node = tree.nodes[number]
        # Sorted by attribute, so that equal boxes of two trees are equal keys, in whatever order they ask.
        if node.test is None:
            yield tuple(sorted(box.items())), share, number
            continue
        for cells, part, below in _ways(node, domain, forms):
            if (narrower := _within(box, cells, domain)) is None:
                continue
            if below is None:
                yield tuple(sorted(narrower.items())), share * part, number
            else:
                pending.append((below, narrower, share * part))


def _ways(node: Node, domain: InputDomain, forms: dict[str, Attribute]) -> Iterator[Way]:
    """The ways from a node: its branches, and what a gap does."""
    assert node.test is not None
    place = domain.places[node.test.attribute]
    cells = domain.attributes[place]
    # A test knows its cells; those that it cannot answer are left to the rule for gaps.
    branches, unknown = cells.sides(node.test, forms[node.test.attribute])
    rule, unknown = node.missing, unknown & cells.all
    # A gap that goes down one branch joins its cells, so that no leaf is divided.
    joins = rule.to if unknown and not rule.shares and not rule.surrogates else None
    for branch, below in enumerate(node.branches):
        yield ((place, branches[branch] | (unknown if branch == joins else 0)),), 1, below
    if unknown and joins is None:
        yield from _gap(node, rule, ((place, unknown),), domain, forms)


def _gap(
    node: Node, rule: Missing, gap: tuple[tuple[int, int], ...], domain: InputDomain, forms: dict[str, Attribute]
) -> Iterator[Way]:
    """The ways of rows without an answer: divided, by the first surrogate that answers, or as the node says."""
    # The same cells go down several branches: as many boxes, each with its share.
    if rule.shares:
        for share, below in zip(rule.shares, node.branches, strict=True):
            if share:
                yield gap, share, below
        return
    # A surrogate that answers decides. The next one is for rows that it cannot place either.
    for surrogate in rule.surrogates:
        place = domain.places[surrogate.test.attribute]
        sides, unknown = domain.attributes[place].sides(surrogate.test, forms[surrogate.test.attribute])
        for to, side in zip(surrogate.branches, sides, strict=True):
            yield (*gap, (place, side)), 1, node.branches[to]
        gap = (*gap, (place, unknown))  # those who do not answer it either
    yield gap, 1, None if rule.to is None else node.branches[rule.to]


def _within(box: dict[int, int], cells: tuple[tuple[int, int], ...], domain: InputDomain) -> dict[int, int] | None:
    """The part of a box that lies in some cells; None if no row does."""
    for place, among in cells:
        here = box.get(place) or domain.attributes[place].all
        # The tests above may have left none of these cells: no row comes here.
        if not (left := here & among):
            return None
        if left != here:
            box = {**box, place: left}
    return box


class Score(NamedTuple):
    """One sum of a model."""

    start: Fraction
    """What is added to the trees."""
    trees: list[Leaves]
    """Its trees, in order."""


class Sums(NamedTuple):
    """A model as sums of boxes."""

    family: str
    """Which sums can be compared: those of `number`, `margins` by class, or `shares` by class."""
    link: str
    """What makes an answer of a sum, a rule of `COMBINATIONS`; empty if the sum is the answer."""
    scores: dict[str, Score]
    """Class → its sum; the empty name for a number, or the margin of the second of two classes."""
    classes: tuple[str, ...]
    """The classes, in the order that decides ties; none where a number is predicted."""
    divided: bool
    """Whether some rows with a missing value reach several leaves of a tree."""
    rounds: str
    """The form in which a program adds up: `exact` for this package; empty where nothing is added to a start."""


def sums_of(model: Tree | Ensemble, domain: InputDomain, *, labels: bool = False) -> Sums:
    """A model as sums of boxes.

    Args:
        model: the model.
        domain: its domain, or that of several models.
        labels: whether a tree of classes has the share 1 for the class of its answer, in place of P(Y|X).

    Raises:
        InputError: the answer is no sum over the trees, or a weight is no rational number.

    Example:
        >>> import reference_tree as rt
        >>> tree = rt.ID3(max_depth=1).grow(rt.textbook("play-tennis"))
        >>> domain = InputDomain.of([tree])
        >>> [(bin(box[0][1]), str(number)) for box, number in sums_of(tree, domain).scores["yes"].trees[0]]
        [('0b100', '2/5'), ('0b10', '3/5'), ('0b1', '1')]
    """
    combine = model.combine if isinstance(model, Ensemble) else ""
    adds = bool(combine) and COMBINATIONS[combine].adds
    trees, classes = trees_of(model), model.target.values or ()
    if any(tree.aggregates for tree in trees):
        raise InputError("rows with a missing value go whole down several branches, and what they get is no sum")
    if combine == "samme" or (isinstance(model, Ensemble) and not _rational(model)):
        raise InputError("the weights of the trees are logarithms, and only rational sums are compared")
    # A vote is 1 for the class of the leaf: then shares are sums of votes.
    by_vote = labels or combine == "vote"
    whole = 1 if adds or not isinstance(model, Ensemble) else sum(Fraction(one.weight) for one in model.members)
    # One margin serves two classes; everything else about classes has a sum for each.
    per_class = bool(classes) and (not adds or COMBINATIONS[combine].classes is None)
    divided = False
    scores = {name: Score(Fraction(0), []) for name in (classes if per_class else ("",))}
    for place, tree in enumerate(trees):
        member = model.members[place] if isinstance(model, Ensemble) else None
        weight = Fraction(1 if member is None else member.weight) / whole
        reached = list(ends(tree, domain))
        parted = any(share != 1 for _, share, _ in reached)
        divided = divided or parted
        # The class of a divided row is that of the mixture, which is no sum of classes.
        if by_vote and parted:
            raise InputError("rows with a missing value are divided, and the vote of a divided row is no sum")
        if adds or not classes:
            numbers = [(box, share, _number(tree.nodes[end].label)) for box, share, end in reached]
            plain = weight == 1 and not parted  # no product is needed for most models
            leaves = [(box, number if plain else weight * share * number) for box, share, number in numbers]
            scores[(member.of if member is not None else None) or ""].trees.append(leaves)
            continue
        shares = {
            number: {tree.nodes[number].label: Fraction(1)} if by_vote else tree.shares(((number, 1),))
            for number in {end for _, _, end in reached}
        }
        for name in classes:
            # A share of 0 is kept: the bounds of a search are those of all leaves.
            scores[name].trees.append([(box, weight * share * shares[end].get(name, 0)) for box, share, end in reached])
    family = "shares" if classes and not adds else "margins" if per_class else "number"
    rounds = "" if not adds else "exact" if trees[0].program is None else trees[0].program.sums
    if adds:
        assert isinstance(model, Ensemble)
        for place, name in enumerate(scores):
            scores[name] = scores[name]._replace(start=started(model, place))
    link = combine if adds and combine != "sum" else ""
    # Sums may be the shares themselves; one of them says those of both classes.
    if combine == "share":
        (own,) = scores.values()
        rest = Score(1 - own.start, [[(box, -number) for box, number in leaves] for leaves in own.trees])
        scores = dict(zip(classes, (rest, own), strict=True))
    if combine in ("share", "shares"):
        family, link = "shares", ""
    return Sums(family, link, scores, tuple(classes), divided, rounds)


def states_no_shares(model: Tree | Ensemble) -> bool:
    """Whether a tree of classes states no counts of some leaves, so that only its classes can be compared."""
    # The leaves of a sum are numbers, and need no counts.
    if isinstance(model, Ensemble) and COMBINATIONS[model.combine].adds:
        return False
    # A leaf without counts has those of the nearest node above that has some, and at last those of the root.
    return model.target.values is not None and any(
        not any(tree.nodes[0].counts) and any(node.test is None and not any(node.counts) for node in tree.nodes)
        for tree in trees_of(model)
    )


def own_labels(model: Tree | Ensemble, domain: InputDomain) -> bool:
    """Whether a tree predicts a class that the shares alone do not tell: one of a tie, or the cheapest by losses."""
    if not isinstance(model, Tree) or model.target.values is None or states_no_shares(model):
        return False
    for number in {number for _, _, number in ends(model, domain)}:
        shares = model.shares(((number, 1),))
        # In the tree's own order of classes, and in the one that all models share.
        firsts = {max(order, key=shares.__getitem__) for order in (shares, sorted(shares))}
        if firsts != {model.nodes[number].label}:
            return True
    return False


def _number(label: Label) -> Rational:
    """The label of a leaf that is a number."""
    assert not isinstance(label, str)
    return label


def _rational(model: Ensemble) -> bool:
    return all(isinstance(one.weight, int | Fraction) for one in model.members)


def started(model: Ensemble, place: int) -> Fraction:
    """The start of a sum, in the form in which a program holds its sums.

    Raises:
        InputError: it is a logarithm, and nobody rounds the sums.
    """
    start, program = model.start[place], model.members[0].tree.program
    form = "exact" if program is None else program.sums
    if isinstance(start, int | Fraction):
        return Fraction(held(start, form))
    if form == "exact":
        raise InputError("the sum starts from a logarithm, and only rational sums are compared")
    return Fraction(held(float(start), form))


def added(parts: Sequence[tuple[int, Score]]) -> tuple[Whole, int]:
    """Sums added up, each times a whole number.

    Args:
        parts: the factors with the sums.

    Returns:
        The boxes that do not cancel, in units of a common denominator; and that.
    """
    # Whole numbers over one denominator: exact, and several times as fast as fractions.
    whole = math.lcm(*{number.denominator for _, score in parts for number in numbers_of(score)})
    total: Whole = {}
    for factor, score in parts:
        total[()] = total.get((), 0) + factor * int(score.start * whole)
        for leaves in score.trees:
            for box, number in leaves:
                units = factor * number.numerator * (whole // number.denominator)
                total[box] = total.get(box, 0) + units
    return {box: units for box, units in total.items() if units}, whole


def numbers_of(score: Score) -> Iterator[Rational]:
    """All numbers of a sum."""
    yield score.start
    for leaves in score.trees:
        for _, number in leaves:
            yield number


def value_at(boxes: Whole, at: At) -> int:
    """The value of a sum of boxes at a cell of each attribute."""
    return sum(units for box, units in boxes.items() if all(cells >> at[place] & 1 for place, cells in box))
