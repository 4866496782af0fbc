"""Prune: cut a tree back by a method and its options.

A method needs options of its own: a price of leaves, rows that the tree has not seen, a confidence. They have the same
names in Python and on the command line, and an option of another method is refused in both.

1. `check_options` refuses options of another method, and the lack of an option that the method needs.
2. `chosen_alpha` grows a tree without each fold and chooses α by cross-validation.
3. `record_of` turns the options into the record that the pruned tree will keep; `record.perform` carries it out.
4. `prune` does all of these.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from itertools import count
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, cast

from reference_tree.data.errors import InputError, listed, no_such, option
from reference_tree.data.sample import Data
from reference_tree.data.table import Table, check_table
from reference_tree.exact.rationals import Rational
from reference_tree.learners.place import Ties
from reference_tree.learners.recorded import check_conflicts
from reference_tree.learners.registry import learner_of
from reference_tree.pruning.choosing_alpha import Choice, choose, profile_of
from reference_tree.pruning.method import Given, Record, methods
from reference_tree.pruning.record import perform
from reference_tree.pruning.reduced_error import OnEqual, Order
from reference_tree.selection.cross_validation import folds
from reference_tree.tree import Tree, check_tree

MethodName: TypeAlias = Literal[
    "cost-complexity",
    "cost-function",
    "critical-value",
    "error-based",
    "minimum-error",
    "pessimistic",
    "reduced-error",
]
"""The names of the methods for type checkers."""

LimitName: TypeAlias = Literal["binomial", "table", "normal"]
RiskName: TypeAlias = Literal["misclassification", "gini", "entropy"]

Also: TypeAlias = Mapping[str, tuple[str, ...]]
"""For some methods, further options."""
NOTHING: Also = MappingProxyType({})


def prune(
    tree: Tree,
    method: MethodName,
    data: Data | None = None,
    *,
    alpha: Rational | float | None = None,
    profile: str | None = None,
    risk: RiskName | None = None,
    folds: int | None = None,
    seed: int | None = None,
    standard_errors: Rational | float | None = None,
    validation: Data | None = None,
    order: Order | None = None,
    ties: OnEqual | None = None,
    confidence: Rational | float | None = None,
    limit: LimitName | None = None,
    raising: bool | None = None,
    **others: Any,
) -> Tree:
    """A tree cut back by one of the methods.

    Args:
        tree: the tree. It is not changed.
        method: the name of the method.
        data: the rows that it was grown from, if the method needs them: for `folds`, and for error-based pruning that
            raises branches.
        alpha: the price of a leaf: in bits for `cost-function`, as a share of the rows for `cost-complexity`.
        profile: the dialect of `cost-complexity` or `error-based`.
        risk: the definition of R for `cost-complexity`; None for that of the profile.
        folds: the number of folds of a cross-validation that chooses α.
        seed: the seed of the folds; None for 0.
        standard_errors: the number of standard errors by which a smaller tree may be worse than the best; None for 1.
        validation: rows that the tree was not grown from, for `reduced-error`.
        order: the order of `reduced-error`; None for bottom-up.
        ties: the choice of `reduced-error` if a leaf does as well as a subtree; None for pruning.
        confidence: CF of `error-based`, the smaller the more is cut; None for 1/4.
        limit: the estimate of a leaf's errors for `error-based`; None for that of the profile, or `binomial`.
        raising: whether a branch may take the place of its node; None for the rule of the profile, or yes.
        others: the options of the other methods, by their names (`reference_tree.pruning.method`).

    Returns:
        The pruned tree. Its grower's options record the pruning, which `explain` can derive.

    Raises:
        InputError: there is no such method, it has no such option or lacks one, or as for the method itself.

    Example:
        >>> import reference_tree as rt
        >>> days = rt.textbook("play-tennis")
        >>> prune(rt.ID3().grow(days), "cost-function", alpha=4)
        <Tree for play: 1 node, 1 leaf, grown by id3>
        >>> iris = rt.textbook("iris")
        >>> prune(rt.CART().grow(iris), "cost-complexity", iris, folds=5)
        <Tree for species: 7 nodes, 4 leaves, grown by cart>
    """
    options = {
        "alpha": alpha, "profile": profile, "risk": risk, "folds": folds, "seed": seed,
        "standard_errors": standard_errors, "validation": validation, "order": order, "ties": ties,
        "confidence": confidence, "limit": limit, "raising": raising, **others,
    }  # fmt: skip
    # None means that an option is not given; so none of them can have None as its value.
    given = {name: value for name, value in options.items() if value is not None}
    check_tree(tree)
    for each in (data, validation):
        if each is not None:
            check_table(each)
    asked = [None if each is None else tree.under_names(each) for each in (data, validation)]
    table, held_out = cast(list[Table | None], asked)  # another store answers the same questions
    if method not in tuple(methods()):  # a list would have no hash
        raise InputError(no_such("pruning method", str(method), methods()))
    # Before anything is grown: a fold takes as long as the tree.
    check_options(method, given)
    if data is None and methods()[method].needs_data(given):
        raise InputError(f"{method} needs the rows that the tree was grown from; give them as data=")
    choice = chosen_alpha(tree, table, given) if table is not None and folds is not None else None
    return perform(tree, record_of(tree, method, given, choice), table, held_out).after


def options_of(method: str, also: Also = NOTHING) -> tuple[str, ...]:
    """The names of the options of a method.

    Args:
        method: the name of the method.
        also: for some methods, further options that they have on the command line.

    Example:
        >>> options_of("cost-function")
        ('alpha',)
    """
    return (*methods()[method].options, *also.get(method, ()))


def check_options(method: str, given: Collection[str], also: Also = NOTHING) -> None:
    """Refuse options that a method does not have or that exclude each other, and the lack of an option that it needs.

    Args:
        method: the name of the method.
        given: the names of the given options.
        also: as for `options_of`.

    Raises:
        InputError: the options are refused.

    Example:
        >>> check_options("cost-function", ["confidence"])
        Traceback (most recent call last):
        reference_tree.data.errors.InputError: confidence is an option of error-based, not of cost-function, which has
        alpha
    """
    known = options_of(method, also)
    for name in given:
        if name not in known:
            others = [other for other in methods() if name in options_of(other, also)]
            has = f"which has {', '.join(map(option, known))}" if known else "which has none"
            whose = f"is an option of {listed(others)}, not of" if others else "is no option of"
            raise InputError(f"{option(name)} {whose} {method}, {has}")
    check_conflicts(methods()[method].conflicts, given)


def chosen_alpha(tree: Tree, data: Table, given: Given, progress: Callable[[int, int], None] | None = None) -> Choice:
    """The choice of α by cross-validation: the learner of the tree grows another tree without each fold.

    Args:
        tree: the tree.
        data: the rows that it was grown from.
        given: `folds`, and perhaps `seed`, `standard_errors`, `profile` and `risk`.
        progress: called before each tree is grown, with its number and the number of all trees.

    Raises:
        InputError: the tree names no learner, or its learner grows another tree from these rows; or there are no such
            folds.
    """
    anew = f"{option('folds')} grows the tree anew, and"
    try:
        learner = learner_of(tree.grower)
    except InputError as error:
        raise InputError(f"{anew} {error.message}") from None
    # Folds are trees of the same learner from other rows. If it does not grow this very tree from these rows, its folds
    # say nothing of it.
    if learner.grow(data).nodes != tree.nodes:
        raise InputError(f"{anew} another one comes of these rows")
    apart = replace(learner, ties=Ties())  # an override of a tie is for the tree of all rows
    held_out = folds(data, given["folds"], given.get("seed", 0))
    risk, errors = given.get("risk"), given.get("standard_errors", 1)
    done = count(1)

    def grow(part: Table) -> Tree:
        if progress is not None:
            progress(next(done), len(held_out) + 1)
        return apart.grow(part)

    return choose(grow, data, held_out, profile_of(given), risk, errors)


def record_of(tree: Tree, method: str, given: Given, choice: Choice | None = None) -> Record:
    """The record of its pruning that the pruned tree keeps.

    Args:
        tree: the tree before pruning.
        method: the name of the method.
        given: the given options.
        choice: the cross-validation that chose α, if one did.

    Raises:
        InputError: there is no such profile, or an option cannot have this value.

    Example:
        >>> import reference_tree as rt
        >>> record_of(rt.ID3().grow(rt.textbook("loan")), "reduced-error", {})
        {'method': 'reduced-error', 'order': 'bottom-up', 'on_equal': 'prune'}
    """
    # Values become exact before they are recorded: a float is recorded as the binary fraction that it is.
    known, exact = methods()[method].options, dict(given)
    for name, value in given.items():
        try:
            exact[name] = known[name].domain.check(value)
        except ValueError as error:
            raise InputError(f"{option(name)}: {error}") from None
    return {"method": method, **methods()[method].record(tree, exact, choice)}
