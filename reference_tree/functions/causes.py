"""Causes: the change that makes two models the same, found by trying.

Models that should be one function differ for few reasons: thresholds or leaves rounded to float32, a start that is left
out, the side of missing values, `<` for `<=`, fewer trees, a category. Each is a change that can be made to one of
them. If the two are the same function afterwards, which is decided exactly, it is the cause; nothing is guessed.

1. `CHANGES` are the changes that need no likeness of the trees, each tried on either model.
2. `PARTS` are the parts of a node. Where the trees have the same shape, those of one are put into the other.
3. `cause_of` tries them all, the likeliest first, and names the first that suffices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from reference_tree.data.errors import InputError, number_of
from reference_tree.data.questions import Missing, Multiway, Threshold
from reference_tree.ensembles.ensemble import Ensemble, trees_of
from reference_tree.exact.rationals import decimal_text, simplest
from reference_tree.exact.rounding import nearest_single
from reference_tree.functions.cells import Inputs
from reference_tree.node import Node
from reference_tree.tree import Tree

Model: TypeAlias = Tree | Ensemble


MISSING = "missing values"
"""The cause, if models agree about rows without any."""


class ModelTrial(NamedTuple):
    """How a trial is judged."""

    inputs: Inputs
    """The numbers that rows can hold."""
    are_same: Callable[[Model, Model, Inputs], bool]
    """Whether two models have equal scores."""
    agree: Callable[[Model, Model, Mapping[str, Any]], bool]
    """Whether they have the same score for a row; this is asked first, as most trials end with it."""
    row: Mapping[str, Any] = {}
    """The row where the two differ that are compared."""


def cause_of(a: Model, b: Model, compared: ModelTrial) -> str:
    """The cause for which two models differ, in words; empty if none of the trials makes them the same."""
    for text, first, second, inputs in _trials(a, b, compared.inputs, compared.row):
        # One row is asked first: most changes do not mend even that one, and no box has to be worked out.
        row = compared.row
        if inputs != compared.inputs:  # a row that this trial is about
            row = {name: _single(value) if isinstance(value, float) else value for name, value in row.items()}
        try:
            if (text == MISSING or compared.agree(first, second, row)) and compared.are_same(first, second, inputs):
                return text
        except InputError:  # the change makes the models such as cannot be compared
            continue
    return ""


def _trials(a: Model, b: Model, inputs: Inputs, row: Mapping[str, Any]) -> Iterator[tuple[str, Model, Model, Inputs]]:
    """The changes, each with what it makes of the two models."""
    # The start is the cheapest change, and the one that converters forget most often.
    if isinstance(a, Ensemble) and isinstance(b, Ensemble) and a.start != b.start and len(a.start) == len(b.start):
        yield "start", a, replace(b, start=a.start), inputs
    yield from _of_trees(a, b, inputs)
    alike = _have_one_shape(a, b)
    # One changed number of a model says more than that all of them may be rounded; so few places come first.
    parts = list(_of_parts(a, b)) if alike else []
    yield from ((text, first, second, inputs) for few, text, first, second in parts if few)
    for text, changes in CHANGES:
        for first, second in ((_changed(a, changes), b), (a, _changed(b, changes))):
            if first is not None and second is not None:
                yield text, first, second, inputs
    yield from ((text, first, second, inputs) for few, text, first, second in parts if not few)
    # Only a row that float32 cannot hold may differ for this reason, and only one with a gap for the next.
    if inputs == "double" and any(isinstance(value, float) and _single(value) != value for value in row.values()):
        yield "numbers between two neighbouring float32", a, b, "float32"
    if None in row.values():
        yield MISSING, _refusing(a), _refusing(b), inputs


# The start, and the trees.


def _of_trees(a: Model, b: Model, inputs: Inputs) -> Iterator[tuple[str, Model, Model, Inputs]]:
    """Trees that only one of the two has."""
    if isinstance(a, Tree) or isinstance(b, Tree) or len(a.members) == len(b.members):
        return
    # The model with more trees is cut down, whichever of the two it is.
    swap = len(a.members) < len(b.members)
    more, fewer, which = (b, a, "first") if swap else (a, b, "second")
    # The trees that are nowhere in the other, by their tests and answers.
    there = Counter(_key(member) for member in fewer.members)
    lost = []
    for number, member in enumerate(more.members):
        there[_key(member)] -= 1
        if there[_key(member)] < 0:
            lost.append(number)
    size, left = len(more.members), len(fewer.members)
    # A program that stopped early lacks the last trees; another one may lack any.
    if len(lost) != size - left or lost == list(range(left, size)):
        kept, text = more.part(range(left)), f"fewer trees: the {which} has the first {left} of {size}"
    else:
        kept = more.part(sorted({*range(size)} - {*lost}))
        text = f"fewer trees: the {which} lacks {number_of(len(lost), 'tree')} (tree {lost[0] + 1})"
    yield (text, a, kept, inputs) if swap else (text, kept, b, inputs)


def _key(member: Any) -> Any:
    return (
        member.of,
        member.weight,
        tuple((node.test, node.label, node.branches, node.missing) for node in member.tree.nodes),
    )


# Numbers in float32, and the other comparison.


@lru_cache(maxsize=1 << 16)  # each trial that rounds has the same numbers
def _single(number: Any) -> Any:
    return number if isinstance(number, str) else simplest(Fraction(nearest_single(float(number))))


def _rounded_threshold(node: Node) -> Node:
    test = node.test
    if not isinstance(test, Threshold):
        return node
    return replace(node, test=Threshold(test.attribute, _single(test.threshold), strict=test.strict))


def _rounded_leaf(node: Node) -> Node:
    return replace(node, label=_single(node.label)) if node.test is None else node


def _other_comparison(node: Node) -> Node:
    test = node.test
    return replace(node, test=replace(test, strict=not test.strict)) if isinstance(test, Threshold) else node


def _values_in_float32(tree: Tree) -> Tree:
    """A tree that holds the numbers of a row as float32."""
    held = tuple(replace(one, held="float32") if one.values is None else one for one in tree.attributes)
    program = None if tree.program is None else tree.program._replace(numbers="float32")
    return replace(tree, attributes=held, program=program)


CHANGES: Sequence[tuple[str, Sequence[Callable[[Any], Any]]]] = (
    ("thresholds in float32", (_rounded_threshold,)),
    ("leaves in float32", (_rounded_leaf,)),
    ("thresholds and leaves in float32", (_rounded_threshold, _rounded_leaf)),
    ("values in float32", (_values_in_float32,)),
    ("values and thresholds in float32", (_values_in_float32, _rounded_threshold)),
    ("values, thresholds and leaves in float32", (_values_in_float32, _rounded_threshold, _rounded_leaf)),
    ("< for <=", (_other_comparison,)),
)
"""The changes of one model, in words, with what makes them of a tree or of its nodes."""


def _changed(model: Model, changes: Sequence[Callable[[Any], Any]]) -> Model | None:
    """A model with some changes; None if one of them changes nothing."""
    trees = trees_of(model)
    # A change that changes nothing cannot be the cause, and is not tried.
    for change in changes:
        if change is _values_in_float32:
            if all(one.held == "float32" or one.values is not None for tree in trees for one in tree.attributes):
                return None
            trees = [_values_in_float32(tree) for tree in trees]
            continue
        nodes = [tuple(map(change, tree.nodes)) for tree in trees]
        if all(new == tree.nodes for new, tree in zip(nodes, trees, strict=True)):
            return None
        trees = [replace(tree, nodes=new) for new, tree in zip(nodes, trees, strict=True)]
    return _with_trees(model, trees)


def _with_trees(model: Model, trees: Sequence[Tree]) -> Model:
    """A model with other trees in the places of its own."""
    if isinstance(model, Tree):
        return trees[0]
    # The ensemble reads rows as its trees do, so it has their attributes.
    members = tuple(member._replace(tree=tree) for member, tree in zip(model.members, trees, strict=True))
    return replace(model, attributes=trees[0].attributes, members=members)


def _refusing(model: Model) -> Model:
    """A model that refuses missing values, so that they are outside."""
    trees = [
        replace(
            tree, nodes=tuple(node if node.test is None else replace(node, missing=Missing()) for node in tree.nodes)
        )
        for tree in trees_of(model)
    ]
    return _with_trees(model, trees)


# The parts of nodes.


def _have_one_shape(a: Model, b: Model) -> bool:
    """Whether the trees of two models ask for the same attributes at the same nodes."""
    first, second = trees_of(a), trees_of(b)
    # A class cannot stand where a sum has a number.
    if len({isinstance(node.label, str) for tree in (*first, *second) for node in tree.nodes if node.test is None}) > 1:
        return False
    # Preorder and branches give the shape; thresholds, sets, sides and leaves may differ.
    return len(first) == len(second) and all(
        len(one.nodes) == len(other.nodes)
        and all(
            node.branches == twin.branches
            and type(node.test) is type(twin.test)
            and (node.test is None or twin.test is None or node.test.attribute == twin.test.attribute)
            for node, twin in zip(one.nodes, other.nodes, strict=True)
        )
        for one, other in zip(first, second, strict=True)
    )


class Part(NamedTuple):
    """A part of a node."""

    name: str
    """What it is called."""
    of: Callable[[Node], Any]
    """The part; None where a node has none."""
    put: Callable[[Node, Any], Node]
    """A node with another one."""


def _with_test(node: Node, **parts: Any) -> Node:
    assert node.test is not None
    return replace(node, test=replace(node.test, **parts))


PARTS = (
    # The interval of a threshold is no part of the function.
    Part(
        "threshold",
        lambda node: node.test.threshold if isinstance(node.test, Threshold) else None,
        lambda node, value: _with_test(node, threshold=value, interval=None),
    ),
    Part(
        "< for <=",
        lambda node: node.test.strict if isinstance(node.test, Threshold) else None,
        lambda node, value: _with_test(node, strict=value),
    ),
    Part(
        "categories",
        lambda node: (
            None if isinstance(node.test, Multiway | Threshold | None) else sorted(getattr(node.test, "values", ()))
        ),
        lambda node, value: _with_test(node, values=tuple(value)),
    ),
    Part(
        "missing side",
        lambda node: None if node.test is None else node.missing,
        lambda node, value: replace(node, missing=value),
    ),
    Part(
        "leaf",
        lambda node: (node.label, node.counts) if node.test is None else None,
        lambda node, value: replace(node, label=value[0], counts=value[1]),
    ),
)
"""The parts of a node that may differ between trees of one shape."""
FEW = 8
"""So many places are named by the first; more look like a rule, such as a rounding, which is tried before."""


def _of_parts(a: Model, b: Model) -> Iterator[tuple[bool, str, Model, Model]]:
    """For each part that differs somewhere: whether in few places, the cause in words, and b with the parts of a."""
    first, second = trees_of(a), trees_of(b)
    for part in PARTS:
        # Every node where the part differs gets the part of the first model, and nothing else changes.
        trees, places = [], []
        for number, (one, other) in enumerate(zip(first, second, strict=True), start=1):
            nodes = list(other.nodes)
            for at, (node, twin) in enumerate(zip(one.nodes, other.nodes, strict=True)):
                if part.of(node) != part.of(twin):
                    places.append((number, at, part.of(node), part.of(twin)))
                    nodes[at] = part.put(twin, part.of(node))
            trees.append(replace(other, nodes=tuple(nodes)) if tuple(nodes) != other.nodes else other)
        if places:
            number, at, value, other_value = places[0]
            where = f"node {at}" if len(first) == 1 else f"node {at} of tree {number}"
            words = f": {_said(value)} and {_said(other_value)}" if _said(value) != _said(other_value) else ""
            which = "" if len(places) == 1 else "first "
            text = f"{part.name} of {number_of(len(places), 'node')} ({which}{where}{words})"
            yield len(places) <= FEW, text, a, _with_trees(b, trees)


def _said(value: Any) -> str:
    """A part in words, as far as a line has room."""
    # A leaf is its label and its counts; the label is what a reader looks for.
    if isinstance(value, tuple):
        value = value[0]
    if isinstance(value, Missing):
        return value.rule if value.to is None else f"branch {value.to}"
    if isinstance(value, bool):
        return "<" if value else "<="
    if isinstance(value, list):
        return f"{{{', '.join(map(str, value[:8]))}}}"
    if isinstance(value, str):
        return value
    # A float has a short text; any other number is written in full.
    return repr(float(value)) if Fraction(float(value)) == value else decimal_text(Fraction(value))
