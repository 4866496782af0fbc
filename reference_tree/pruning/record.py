"""The record of a pruning: the method and its options as a tree keeps them, and the pruning repeated from it.

A pruned tree keeps in its grower's options, under `pruning`, a record of each pruning: the method and all its options.
The record is enough to repeat it, given the rows that the method needs. So one function serves the command line, which
makes a record of its options, and an explanation, which finds one in the tree.

1. `perform` prunes a tree as a record says. A `PerformedPruning` holds the tree before and after, with all figures of
   the method.
2. `rounds` are the steps of cost-complexity pruning one by one, with the links that each step compares.
3. `retraced` reconstructs the history of a tree: it grows the tree again, performs each record, and refuses a tree that
   is not the result. It returns a `GrowthHistory`, which includes the decisions of pre-pruning.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from reference_tree.data.errors import InputError, no_such
from reference_tree.data.table import Table
from reference_tree.learners.decision import Learner
from reference_tree.learners.growing import grow
from reference_tree.learners.registry import PRUNING, learner_of
from reference_tree.pruning.choosing_alpha import PathPruning
from reference_tree.pruning.comparing import ComparedPruning
from reference_tree.pruning.cost_complexity import Link, Step, weakest_links
from reference_tree.pruning.cost_function import CostPruning
from reference_tree.pruning.cutting import shape
from reference_tree.pruning.error_based import ErrorPruning
from reference_tree.pruning.method import Record, methods
from reference_tree.pruning.pre_pruning import OPTION, PrePruning, steps
from reference_tree.pruning.reduced_error import Pruning
from reference_tree.pruning.risks import PROFILES
from reference_tree.selection.validation import NodeErrors, TreeStep, node_errors, tree_steps
from reference_tree.tree import Tree

Found: TypeAlias = CostPruning | PathPruning | Pruning | ErrorPruning | ComparedPruning
"""The result of a method: the pruned tree, with the figures that decided."""


class PerformedPruning(NamedTuple):
    """One pruning of a tree."""

    before: Tree
    """The tree that was pruned."""
    after: Tree
    """The pruned tree."""
    record: Record
    """The method and its options."""
    found: Found
    """The result of the method, with its figures."""
    validation: Table | None = None
    """The held-out rows that the method used, if any."""


class _Stated(dict[str, Any]):
    """Options of a record; some may be absent, and numbers are texts."""

    # A method reads its record as a dictionary; what a document lacks is then told by its name.
    def __missing__(self, name: str) -> Any:
        raise ValueError(f"the option {name!r} is absent")

    def check(self) -> None:
        """Refuse a value of a kind that its option does not have."""
        for name, value in self.items():
            is_number = name in ("alpha", "confidence", "m", "critical_value")
            if not isinstance(value, str if is_number else Hashable):
                raise ValueError(f"the option {name!r} cannot be {value!r}")


def perform(tree: Tree, record: Record, data: Table | None = None, validation: Table | None = None) -> PerformedPruning:
    """Prune a tree as a record says.

    Args:
        tree: the tree.
        record: `method` and the options of the method, as `pruned_by` keeps them.
        data: the rows that the tree was grown from, for the method that needs them.
        validation: rows that it was not grown from, for the method that needs those.

    Raises:
        InputError: there is no such method or it has no such options, a table is missing, or as for the method.

    Example:
        >>> import reference_tree as rt
        >>> tree = rt.ID3().grow(rt.textbook("play-tennis"))
        >>> act = perform(tree, {"method": "cost-function", "alpha": "4"})
        >>> len(act.before.leaves()), len(act.after.leaves())
        (5, 1)
    """
    method = str(record.get("method"))
    if method not in methods():
        raise InputError(no_such("pruning method", str(method), methods()))
    options = _Stated({name: value for name, value in record.items() if name != "method"})
    try:
        # The values come from a document: a method may take them for texts and numbers only after this.
        options.check()
        found: Found = methods()[method].perform(tree, options, data, validation)
    # It is a ValueError as well, but has its own words already.
    except InputError:
        raise
    except ValueError as error:
        raise InputError(f"these are not the options of {method}: {error}") from None
    after = found.pruned if isinstance(found, Pruning) else found.tree
    return PerformedPruning(tree, after, record, found, validation)


# The rounds of cost-complexity pruning.


class LinkRound(NamedTuple):
    """A comparison of links before cost-complexity pruning cuts."""

    links: list[Link]
    """The remaining links, in postorder."""
    step: Step
    """The step that cuts the weakest of them."""
    gone: frozenset[int]
    """The links that this step removes; empty if the tree was taken before it."""


def rounds(found: PathPruning) -> Iterator[LinkRound]:
    """The rounds up to the tree that was taken, and the next one, in which the weakest link was worth its price.

    Example:
        >>> import reference_tree as rt
        >>> iris = rt.CART().grow(rt.textbook("iris"))
        >>> record = {"method": "cost-complexity", "profile": "cart-1984", "alpha": "1/100"}
        >>> for links, step, gone in rounds(perform(iris, record).found):
        ...     print(len(links), step.alpha, len(gone))
        8 1/300 2
        6 1/150 3
        3 1/75 0
    """
    # The step after the tree that was taken is shown, too: it tells why pruning stopped there.
    taken, sizes = found.path.steps.index(found.step), shape(found.path.tree).sizes
    before: frozenset[int] = frozenset()
    for number, step in enumerate(found.path.steps[: taken + 2]):
        if step.weakest:
            links = weakest_links(found.path.tree, before, found.profile, found.risk)
            below = {node for top in step.weakest for node in range(top, top + sizes[top])}  # in preorder one run
            gone = frozenset(link.node for link in links if link.node in below)
            yield LinkRound(links, step, gone if number <= taken else frozenset())
        before |= frozenset(step.weakest)


def is_one_pass(found: PathPruning) -> bool:
    """Whether the sequence was found in one pass, and not by cutting weakest links repeatedly."""
    return PROFILES[found.profile].sequence == "one-pass"


# The history of a tree.


class PrePruned(NamedTuple):
    """The decisions of pre-pruning while a tree grew."""

    learner: PrePruning
    """The learner that used the validation rows."""
    full: Tree
    """The tree that the learner inside it grows without validation rows."""
    tree_steps: tuple[TreeStep, ...]
    """Each decision, in preorder, with the errors of the whole tree before and after."""
    validation_errors: NodeErrors
    """The errors of the validation rows at each node of the pre-pruned tree."""
    validation: Table
    """The validation rows."""


class GrowthHistory(NamedTuple):
    """The history of a tree."""

    learner: Learner
    """The learner that chose the splits."""
    grown: Tree
    """The tree before any pruning."""
    pre_pruned: PrePruned | None
    """The pre-pruning while it grew, if any."""
    acts: tuple[PerformedPruning, ...]
    """The prunings afterwards."""


def retraced(tree: Tree, table: Table, validation: Table | None = None) -> GrowthHistory:
    """The history of a tree, repeated from its records.

    Args:
        tree: the tree. A tree that was never pruned is not grown again.
        table: the data it was grown from.
        validation: the held-out rows that pruning used, if any.

    Raises:
        InputError: the tree names no learner, its records cannot be read, a validation set is missing, or these records
            and tables give another tree.

    Example:
        >>> import reference_tree as rt
        >>> days = rt.textbook("play-tennis")
        >>> pruned = perform(rt.ID3().grow(days), {"method": "cost-function", "alpha": "4"}).after
        >>> past = retraced(pruned, days)
        >>> len(past.grown.leaves()), len(past.acts)
        (5, 1)
    """
    options = tree.grower.options
    pre_pruning = PrePruning.of(tree.grower) if OPTION in options else None
    learner = learner_of(tree.grower) if pre_pruning is None else pre_pruning.learner
    # Such a tree has no history: it stands as it was grown, and the rows are not needed.
    if pre_pruning is None and PRUNING not in options:
        return GrowthHistory(learner, tree, None, ())
    if pre_pruning is None:
        grown, pre_pruned = grow(learner, table), None
    elif validation is None:
        raise InputError("the tree was pre-pruned by a validation set; give it, too")
    else:
        grown = pre_pruning.grow(table, validation)
        errors = node_errors(grown, validation)
        decisions = tree_steps(steps(grown, pre_pruning, table, validation), errors.as_leaf[0])
        full = grow(pre_pruning.learner, table)
        pre_pruned = PrePruned(pre_pruning, full, tuple(decisions), errors, validation)
    acts: list[PerformedPruning] = []
    records = options.get(PRUNING, [])
    if not isinstance(records, list) or not all(isinstance(record, Mapping) for record in records):
        raise InputError("the tree does not say in a readable way how it was pruned")
    for record in records:
        acts.append(perform(acts[-1].after if acts else grown, record, table, validation))
    # Compared by nodes in the end: only if the same tree comes of the rows is the story the one of this tree.
    if (acts[-1].after if acts else grown).nodes != tree.nodes:
        raise InputError("another tree comes of these rows and of what the options of this one say")
    return GrowthHistory(learner, grown, pre_pruned, tuple(acts))
