r"""Reduced-error pruning: a subtree is replaced by a leaf if that makes no more errors on a validation set.

The leaf predicts the majority of the training rows of its node; only the validation rows decide. Two algorithms
have this name:

- *Bottom-up* (Quinlan; N2, Zhou). Every inner node is visited once, after all nodes below it. It becomes a leaf if as a
  leaf it makes no more errors on the validation rows than its remaining subtree.
- *Best-first* (Mitchell; N3). All inner nodes are compared, and the one whose pruning raises the validation accuracy
  most is pruned; this is repeated as long as accuracy does not fall.

With the usual rule for equality (ties prune) bottom-up returns the smallest of all prunings with the fewest errors, and
there is only one such. If ties keep, it returns the largest. For by induction from the leaves up, E(t) = min(leaf,
Σ E(children)) is the least error of any pruning below t; and the choice at t depends on nothing above it.
Best-first never ends worse than it began, but it is greedy: it can prune a node although pruning two nodes below it
would have been better.

1. `bottom_up` and `best_first` return a `Pruning`: the pruned tree, and every step.
2. `Pruning.tree_steps` gives each step with the errors of the whole tree before and after.
3. `Pruning.candidates` are the nodes that were compared at a step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heapify, heappop, heapreplace
from typing import Any, Literal, TypeAlias, get_args

from reference_tree.data.errors import InputError, listed, wording
from reference_tree.data.table import Table
from reference_tree.exact.rationals import Rational
from reference_tree.learners.recorded import Option, word
from reference_tree.pruning.cutting import cut, postorder, pruned_by, shape
from reference_tree.pruning.method import NAME, Given, PruningMethod, Record, needed
from reference_tree.selection.validation import NodeErrors, Step, TreeStep, node_errors, tree_steps
from reference_tree.tree import Tree

Order = Literal["bottom-up", "best-first"]
OnEqual: TypeAlias = Literal["prune", "keep"]
"""The choice if a leaf makes exactly as many errors as the subtree."""


@dataclass(frozen=True)
class Pruning:
    """A pruned tree, with the steps of its pruning.

    Args:
        order: the algorithm.
        on_equal: the rule for equality.
        tree: the tree before pruning; steps name nodes by their numbers in it.
        pruned: the pruned tree.
        validation_errors: the errors of the validation rows at each node of `tree`.
        steps: bottom-up, one for each inner node; best-first, one for each pruned node, and last the best of the
            remaining inner nodes, if there is one.
    """

    order: Order
    on_equal: OnEqual
    tree: Tree
    pruned: Tree
    validation_errors: NodeErrors
    steps: tuple[Step, ...]

    @property
    def cut(self) -> list[int]:
        """The numbers of the nodes that were pruned, in the order of the steps."""
        return [step.number for step in self.steps if step.done]

    @property
    def errors(self) -> tuple[Rational, Rational]:
        """The errors on the validation rows before and after; for numbers the sum of the squared errors."""
        # Each step that was made changes the errors of the whole tree by its own difference.
        before = self.validation_errors.below(self.tree)[0]
        return before, before - sum(step.before - step.after for step in self.steps if step.done)

    def rate(self, errors: Rational) -> Fraction:
        """Errors as a share of the validation rows: the error rate, or the mean squared error."""
        return Fraction(errors) / Fraction(self.validation_errors.weight)

    def tree_steps(self, numbers: Iterable[int] | None = None) -> Iterator[TreeStep]:
        """The steps with the errors of the whole tree before and after each.

        Args:
            numbers: for bottom-up, the nodes in another order that puts each after the nodes below it, such as
                `by_level`; the decisions are the same. None for the order of the pruning.
        """
        steps: Sequence[Step] = self.steps
        if numbers is not None:
            at = {step.number: step for step in self.steps}
            steps = [at[number] for number in numbers if number in at]
        return tree_steps(steps, self.errors[0])

    def candidates(self, index: int) -> list[Step]:
        """The nodes that were compared at a step, in postorder: bottom-up only one, best-first all inner nodes.

        They are computed on demand by repeating the steps before it.
        """
        if self.order == "bottom-up":
            return [self.steps[index]]
        # The steps before are repeated rather than kept: of a large tree the candidates of all steps would be its size
        # squared.
        state = _State(self.tree, self.validation_errors)
        for step in self.steps[:index]:
            state.prune(step.number)
        chosen = self.steps[index]
        return [state.step(number, chosen.done and number == chosen.number) for number in state.asking]


# Errors add up over leaves, so deciding from below finds the pruning of least error on the validation rows, and with
# "prune" the smallest of these [ElomaaKaariainen2001].
def bottom_up(tree: Tree, validation: Table, on_equal: OnEqual = "prune") -> Pruning:
    r"""Prune a tree from below: one pass, each node after all nodes below it.

    $$E(t) = \min\Bigl(E_{\text{leaf}}(t),\ \sum_{c} E(c)\Bigr)$$

    E_leaf(t) is the error of the validation rows that reach t if it is a leaf, c runs over the branches of t.

    Args:
        tree: a fully grown tree.
        validation: rows it was not grown from.
        on_equal: whether a node is pruned if both errors are equal.

    Raises:
        InputError: the validation set does not suit the tree (`reference_tree.selection.validation.check_validation`),
            or there is no such rule for equality.

    Example:
        >>> import reference_tree as rt
        >>> training, validation = rt.textbook("watermelon-2.0-train"), rt.textbook("watermelon-2.0-validation")
        >>> full = rt.ID3().grow(training)
        >>> pruned = bottom_up(full, validation).pruned
        >>> str(full.accuracy(validation)), str(pruned.accuracy(validation)), len(full.nodes), len(pruned.nodes)
        ('2/7', '4/7', 13, 1)

    Source:
        [N2 §3.2 definition], [N2 §3.2 step 1], [N2 §3.2 step 2], [N2 §3.2 step 3], [N2 §3.2 step 4], [N2 §3.2 cost],
        [N3 Avoiding Overfitting: post-pruning], [N3 Reduced-Error Pruning: one node], [Quinlan1987],
        [ElomaaKaariainen2001 §2], [Zhou2016 §4.3.2]. N2 measures both accuracies on the training set, on which no
        pruning ever wins, repeats the growing of the tree, and keeps the *leaf* where it means the subtree; for
        equality see the decision rep.bottom-up.
    """
    _check(on_equal)
    found = node_errors(tree, validation)
    errors, steps = list(found.as_leaf), list[Step]()
    for number in postorder(tree):
        if branches := tree.nodes[number].branches:
            before = found.staying[number] + sum(errors[branch] for branch in branches)
            after = found.as_leaf[number]
            errors[number] = min(before, after)
            steps.append(Step(number, before, after, _is_done(before, after, on_equal)))
    return _pruning("bottom-up", on_equal, tree, found, steps)


# Greedy: a step changes only the errors above it and removes the nodes below, so what is left is compared by the errors
# that it saves now. A node may be pruned where pruning two nodes below it would have left fewer errors.
def best_first(tree: Tree, validation: Table, on_equal: OnEqual = "prune") -> Pruning:
    """Prune the node whose pruning helps most, and repeat this until pruning does harm.

    Among nodes that help equally the deepest is pruned, and among those the first in postorder.

    Args:
        tree: a fully grown tree.
        validation: rows it was not grown from.
        on_equal: whether pruning goes on when the best remaining node changes nothing (`prune`), or ends (`keep`).

    Raises:
        InputError: as for `bottom_up`.

    Example:
        >>> import reference_tree as rt
        >>> training, validation = rt.textbook("watermelon-2.0-train"), rt.textbook("watermelon-2.0-validation")
        >>> full = rt.ID3(ties=rt.Ties(choose={"/": "脐部"})).grow(training)
        >>> for step in best_first(full, validation).steps:
        ...     print(full.path(step.number), step.before, step.after)
        /脐部=稍凹/根蒂=稍蜷/色泽=乌黑 2 1
        /脐部=凹陷 2 1
        /脐部=稍凹/根蒂=稍蜷 1 1
        /脐部=稍凹 1 1
        / 2 3

    Source:
        [N3 Reduced-Error Pruning], [N3 Reduced-Error Pruning: step 1], [N3 Reduced-Error Pruning: step 2], [N3
        Reduced-Error Pruning: stop], [N3 Reduced-Error Pruning: one node], [Mitchell1997 §3.7.1]. "Until further
        pruning is harmful" prunes on equal accuracy too; the choice among equals is not stated (decision
        rep.best-first).
    """
    _check(on_equal)
    found = node_errors(tree, validation)
    state, steps = _State(tree, found), list[Step]()
    while (number := state.most_helpful()) is not None:
        done = _is_done(state.below[number], state.as_leaf[number], on_equal)
        steps.append(state.step(number, done))
        if not done:
            break
        state.prune(number)
    return _pruning("best-first", on_equal, tree, found, steps)


def by_level(tree: Tree) -> list[int]:
    """The numbers of the nodes from the deepest level up, each level from left to right: the order of Zhou's example.

    Example:
        >>> import reference_tree as rt
        >>> by_level(rt.ID3().grow(rt.textbook("play-tennis")))
        [3, 4, 6, 7, 1, 2, 5, 0]
    """
    depths = tree.depths()
    return sorted(range(len(tree.nodes)), key=lambda number: (-depths[number], number))


def _check(on_equal: OnEqual) -> None:
    if on_equal not in get_args(OnEqual):
        rules = listed(get_args(OnEqual))
        raise InputError(f"where both do equally well there is a choice of {rules}, not {on_equal!r}")


def _is_done(before: Rational, after: Rational, on_equal: OnEqual) -> bool:
    # Exact errors: equal is equal, and the choice for that case is an option, as sources differ.
    return after < before or (after == before and on_equal == "prune")


def _pruning(order: Order, on_equal: OnEqual, tree: Tree, found: NodeErrors, steps: Sequence[Step]) -> Pruning:
    pruned = cut(tree, [step.number for step in steps if step.done])
    noted = pruned_by(pruned, "reduced-error", order=order, on_equal=on_equal)
    return Pruning(order, on_equal, tree, noted, found, tuple(steps))


class _State:
    """A tree while it is being pruned best-first: the remaining inner nodes, and the errors below each."""

    def __init__(self, tree: Tree, found: NodeErrors) -> None:
        self.tree, self.as_leaf, self.below = tree, found.as_leaf, found.below(tree)
        self.sizes, depths, order = shape(tree).sizes, tree.depths(), postorder(tree)
        # A dictionary as an ordered set, in postorder.
        self.asking = {number: None for number in order if tree.nodes[number].branches}
        # Among equal nodes the deepest comes first, and among those the first in postorder.
        rank = {number: (-depths[number], place) for place, number in enumerate(order)}
        self._waiting = [(self._loss(number), rank[number], number) for number in self.asking]
        heapify(self._waiting)

    def _loss(self, number: int) -> Rational:
        """The increase in errors if the node is pruned."""
        return self.as_leaf[number] - self.below[number]

    def step(self, number: int, done: bool) -> Step:
        return Step(number, self.below[number], self.as_leaf[number], done)

    def most_helpful(self) -> int | None:
        """The inner node whose pruning saves most errors; None if only a leaf is left."""
        # No pruning does harm. So the errors below a node never increase, and its pruning saves no more than when that
        # was last computed: only the first node in the heap has to be computed again.
        while self._waiting:
            loss, rank, number = self._waiting[0]
            if number not in self.asking:
                heappop(self._waiting)
            elif loss != (now := self._loss(number)):
                heapreplace(self._waiting, (now, rank, number))
            else:
                return number
        return None

    def prune(self, number: int) -> None:
        """Turn a node into a leaf; the errors that this saves are subtracted at all nodes above it."""
        # The node's own errors fall as much as those above it. Nodes below are gone, and need no figures.
        saved = self.below[number] - self.as_leaf[number]
        for below in range(number, number + self.sizes[number]):  # in preorder, a subtree is one run
            self.asking.pop(below, None)
        while number >= 0:
            self.below[number] -= saved
            number = self.tree.parents[number][0]


# The record.

ORDERS: Mapping[str, Callable[..., Pruning]] = {"bottom-up": bottom_up, "best-first": best_first}
"""The algorithms of reduced-error pruning."""


def _lack() -> str:
    wanted = wording("validation=...", "--validation FILE")
    return f"reduced-error needs rows that the tree was not grown from: {wanted}"


def _record(_: Tree, given: Given, __: Any) -> dict[str, Any]:
    return {"order": given.get("order", "bottom-up"), "on_equal": given.get("ties", "prune")}


def _perform(tree: Tree, record: Record, _: Table | None, validation: Table | None) -> Pruning:
    order, on_equal = record["order"], record["on_equal"]
    if order not in ORDERS or on_equal not in ("prune", "keep"):
        raise ValueError(f"there is no order {order!r} with ties {on_equal!r}")
    if validation is None:
        raise InputError("reduced-error pruning needs a validation set, and none is given")
    return ORDERS[order](tree, validation, on_equal)


REDUCED_ERROR = PruningMethod(
    name="reduced-error",
    called="reduced error",
    options={
        "validation": Option(None, NAME, "rows that the tree was not grown from, for reduced-error", unit="file"),
        "order": Option("bottom-up", word(ORDERS), "from the leaves up, or the largest improvement first"),
        "ties": Option("prune", word("prune", "keep"), "if a leaf is equally good"),
    },
    conflicts=(needed("validation", words=_lack),),
    record=_record,
    perform=_perform,
    rules=("rep.best-first", "rep.bottom-up", "rep.missing"),
)
