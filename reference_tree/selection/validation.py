r"""Validation: the errors of a tree on a validation set, node by node.

Pruning compares the errors of a subtree with those of a leaf in its place, again and again. Errors add up over the
leaves, so it is enough to send the validation rows down the tree once and to count at each node.

1. `check_validation` refuses a validation set for which the tree has no prediction.
2. `wrong` is the weight of the rows that a node would misclassify as a leaf; for numbers it is their squared error.
3. `node_errors` is this error for every node of a tree.
4. A `Step` is one decision about one node; `tree_steps` has the errors of the whole tree before and after each.

A row that goes down several branches in parts, because its value is missing, is counted in parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from reference_tree.data.errors import InputError, listed, number_of
from reference_tree.data.questions import Missing, Multiway, Test
from reference_tree.data.sample import Counts, Sample
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.exact.rationals import Rational, exactly
from reference_tree.tree import Label, Tree


class Step(NamedTuple):
    """One decision about one node: the errors of its part of the tree as it was, and after a change."""

    number: int
    """The number of the node."""
    before: Rational
    """The error of the validation rows that reach it, in the present tree."""
    after: Rational
    """Their error after the change."""
    done: bool
    """Whether the change was made."""


class TreeStep(NamedTuple):
    """A step with the errors of the whole tree."""

    step: Step
    before: Rational
    """The error of all validation rows before the step."""
    after: Rational
    """Their error after the change."""


def tree_steps(steps: Iterable[Step], errors: Rational) -> Iterator[TreeStep]:
    """Each step with the errors of the whole tree.

    Args:
        steps: the steps in the order of their decisions, or in any other in which nodes come after those below.
        errors: the error of the tree before the first of them.

    Example:
        >>> steps = [Step(2, before=2, after=1, done=True), Step(0, before=3, after=4, done=False)]
        >>> [(step.before, step.after) for step in tree_steps(steps, errors=4)]
        [(4, 3), (3, 4)]
    """
    # A step changes the errors below one node, and so those of the tree by the same amount, as errors add up over
    # leaves. A node must only come after the nodes below it: the error before its step is that of the tree as it then
    # is.
    for step in steps:
        changed = errors - step.before + step.after
        yield TreeStep(step, errors, changed)
        errors = changed if step.done else errors


def check_validation(validation: Table, target: Attribute, attributes: Iterable[Attribute]) -> None:
    """Refuse a validation set for which a tree has no prediction.

    Args:
        validation: the set.
        target: the attribute that the tree predicts.
        attributes: the attributes that it asks for, or may ask for.

    Raises:
        InputError: the set has another target, a row without its class, or a class or a value that training has not
            seen; or a column is missing.

    Example:
        >>> table = Table.from_columns({"wind": ["gale"], "play": ["no"]})
        >>> check_validation(table, Attribute("play", ("no", "yes")), [Attribute("wind", ("strong", "weak"))])
        Traceback (most recent call last):
        reference_tree.data.errors.InputError: the validation set has the wind 'gale', which training has not; there are
        strong, weak
    """
    # Checked before any row goes down: a row with a value that training does not know would have no branch to take.
    column = validation.schema.target
    if column.name != target.name:
        raise InputError(f"the validation set has the target {column.name}; the tree predicts {target.name}")
    if left_out := getattr(validation, "left_out", 0):
        raise InputError(f"the {target.name} of {number_of(left_out, 'row')} of the validation set is missing")
    there = {attribute.name: attribute for attribute in validation.schema.attributes}
    for attribute in attributes:
        if attribute.name not in there:
            raise InputError(f"the validation set has no column {attribute.name!r}; it has {listed(there)}")
        _check_values(validation, there[attribute.name], attribute)
    _check_values(validation, column, target)


def _check_values(validation: Table, found: Attribute, known: Attribute) -> None:
    if found.kind != known.kind:
        raise InputError(f"{known.name} is {found.kind} in the validation set and {known.kind} in training")
    if found.values is None or known.values is None:
        return
    sample = validation.sample()
    is_target = found.name == validation.schema.target.name
    # Only values that some row has matter. A declared value without rows may be unknown to the tree.
    rows = [(count,) for count in sample.total()] if is_target else sample.partition(Multiway.on(found)).rows
    for value, row in zip(found.values, rows, strict=True):
        if any(row) and value not in known.values:
            known_values = listed(known.values)
            raise InputError(
                f"the validation set has the {known.name} {value!r}, which training has not; there are {known_values}"
            )


def wrong(target: Attribute, total: Counts, label: Label) -> Rational:
    r"""The error of some rows if they all get one prediction: the misclassified weight, or the squared error.

    $$E(t) = \sum_{y \ne \hat{y}} n_y \qquad\text{or}\qquad E(t) = \sum_i w_i (y_i - \hat{y})^2 =
    \textstyle\sum w_i y_i^2 - 2 \hat{y} \sum w_i y_i + \hat{y}^2 \sum w_i$$

    Args:
        target: the target of the rows.
        total: the weight n_y of each class; for numbers the sums of w, wy and wy².
        label: the prediction ŷ.

    Example:
        >>> wrong(Attribute("play", ("no", "yes")), (3, 4), "yes"), wrong(Attribute("y"), (2, 3, 5), 2)
        (3, 1)

    Source:
        [N3 Reduced-Error Pruning: one node], [Quinlan1987]
    """
    if target.values is None:
        # The moments are enough: Σ w·(y - ŷ)² is expanded, and no row is looked at again. They are exact, so nothing
        # cancels.
        w, wy, wyy = total
        mean = exactly(label)
        return wyy - 2 * mean * wy + mean * mean * w
    return sum(count for value, count in zip(target.values, total, strict=True) if value != label)


def weight_of(sample: Sample) -> Rational:
    """The weight of the rows of a sample."""
    return sample.target.weight(sample.total())


def staying(whole: Counts, parts: Iterable[Counts]) -> Counts:
    """The counts of the rows that stay at a node, from those of all its rows and of the parts down its branches.

    Example:
        >>> staying((5, 9), [(2, 3), (2, 6)])
        (1, 0)
    """
    # Weights are exact: rows that all go down a branch, even in fractions, leave exactly 0 here, and no dust.
    return tuple(cell - sum(gone) for cell, *gone in zip(whole, *parts, strict=True))


def check_staying(rest: Counts, test: Test, missing: Missing) -> None:
    """Refuse validation rows without the value if the tree has no rule for them.

    Raises:
        InputError: there are such rows.
    """
    if any(rest) and missing.rule == "error":
        raise InputError(
            f"the value of {test.attribute} is missing in the validation set, and this tree has no rule for that"
        )


class NodeErrors(NamedTuple):
    """The errors of the validation rows at each node of a tree: one number for each node."""

    weight: Rational
    """The weight of all validation rows."""
    as_leaf: list[Rational]
    """The error of the rows that reach a node if it is a leaf."""
    staying: list[Rational]
    """The error of those rows that stay there although the node is no leaf."""

    def below(self, tree: Tree) -> list[Rational]:
        """The error of the rows that reach each node, in the present tree."""
        errors = list(self.as_leaf)
        for number in reversed(range(len(errors))):  # in preorder, the nodes below a node have higher numbers
            if branches := tree.nodes[number].branches:
                errors[number] = self.staying[number] + sum(errors[branch] for branch in branches)
        return errors


def node_errors(tree: Tree, validation: Table) -> NodeErrors:
    """Send the validation rows down a tree, and add up the errors at each node.

    Args:
        tree: any tree.
        validation: rows that it was not grown from.

    Raises:
        InputError: the set is refused (`check_validation`), or a value is missing and the tree has no rule for it.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> from reference_tree.learners.id3 import ID3
        >>> tree = ID3(max_depth=1).grow(textbook("watermelon-2.0-train"))
        >>> found = node_errors(tree, textbook("watermelon-2.0-validation"))
        >>> found.weight, found.as_leaf, found.below(tree)[0]
        (7, [3, 1, 1, 1], 3)
    """
    # Columns that the tree does not test are not needed, and may be absent. The rows go down as far as they can go,
    # with the tree's own rules for missing values, divided into fractions where these say so.
    tested = {name for node in tree.nodes if node.test is not None for name in node.test.attributes}
    check_validation(validation, tree.target, [one for one in tree.attributes if one.name in tested])
    count, target = len(tree.nodes), validation.schema.target
    sample: Sample = tree.seen(validation).sample()
    errors = NodeErrors(weight_of(sample), [0] * count, [0] * count)
    pending: list[tuple[int, Sample]] = [(0, sample)]
    # Every node is reached once, with all rows that reach it, so a pass costs as much as one prediction of each row.
    while pending:
        number, sample = pending.pop()
        node, total = tree.nodes[number], sample.total()
        errors.as_leaf[number] = wrong(target, total, node.label)
        if node.test is not None:
            parts = sample.split(node.test, node.missing)
            rest = staying(total, [part.total() for part in parts])
            check_staying(rest, node.test, node.missing)
            errors.staying[number] = wrong(target, rest, node.label)
            pending += zip(node.branches, parts, strict=True)
    return errors
