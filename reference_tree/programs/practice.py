"""Practice: how a program trains and prints, as far as an audit of its trees has to know it.

Each program has a record in its folder (`practice`), and `reference_tree.programs.practices` finds it. An audit asks
the record, and not the name of the program. What a record does not say is as in this package: nothing is left out,
nothing is rounded, and a bound is a weight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from reference_tree.data.errors import InputError
from reference_tree.data.sample import Data, SizedData
from reference_tree.data.table import Table
from reference_tree.exact.rationals import Rational, decimal_text
from reference_tree.learners.cart import CART
from reference_tree.learners.decision import Decision, Learner
from reference_tree.pruning.method import Record
from reference_tree.tree import Tree

Told: TypeAlias = Mapping[str, Any]
"""The training parameters that a document states, by the names of the learner's options."""

Order: TypeAlias = tuple[tuple[str, ...], ...]
"""The hypotheses that are tried together, the first ones first (`reference_tree.auditing.hypotheses`)."""

BOUNDS = ("max_depth", "min_samples_leaf", "min_samples_split", "min_impurity_decrease", "ccp_alpha", "max_leaf_nodes")
"""The hypotheses about bounds, which most learners have."""

PAIRS = tuple(
    (one, other)
    for place, one in enumerate(BOUNDS)
    for other in BOUNDS[place + 1 :]
    if (one, other) != ("ccp_alpha", "max_leaf_nodes")  # a tree that is pruned has fewer leaves than its cap
)
"""The pairs of these."""

UNPRICED: Order = (
    *((one,) for one in BOUNDS if one != "ccp_alpha"),
    *((one, other) for one, other in PAIRS if "ccp_alpha" not in (one, other)),
)
"""The order of a learner that is pruned by no price."""


class PrintedOptions(NamedTuple):
    """The options that a program printed above its tree."""

    text: str
    of_learner: Mapping[str, Any]
    """The options of the learner."""
    record: Record | None
    """The error-based pruning; None if there is none."""
    folds: int = 0
    """For reduced-error pruning, the number of folds; 0 without it."""


def _as_it_is(learner: Learner, tree: Tree, told: Told, table: SizedData, own: SizedData) -> Learner:
    return learner


def _as_held(trees: Sequence[Tree], told: Told, table: SizedData) -> tuple[SizedData, str]:
    return table, ""


def _no_faults(tree: Tree, table: Data, told: Told) -> Iterator[str]:
    return iter(())


Widened: TypeAlias = Callable[..., Decision]
"""The decision of a learner among further tests, which its program tries and its profile does not.

Its arguments are those of `reference_tree.programs.scikit_learn.known_or_missing.with_known_or_missing`.
"""


class Practice(NamedTuple):
    """How a program trains, and what its print leaves out.

    Example:
        >>> Practice("a program").words.get("min_samples_leaf", "min_samples_leaf")
        'min_samples_leaf'
    """

    program: str = ""
    """The name of the program in a document; empty for a tree of this package."""
    learner: str = ""
    """The learner that grows its trees; empty if no audit repeats them."""
    profile: str = ""
    """The profile of this learner."""

    # What may be supposed about a tree that does not tell its training.

    order: Order = UNPRICED
    """The hypotheses that are tried."""
    has_options: bool = True
    """Whether the program has options at all, so that something may be supposed."""
    words: Mapping[str, str] = {}
    """Option of the learner → what the program calls it."""
    criteria_of_numbers: tuple[str, ...] = ()
    """The other criteria for numbers that a tree may have been grown by."""
    links_bounds: bool = False
    """Whether the bounds on nodes and on branches follow from one another."""
    weighs_classes: bool = False
    """Whether classes may have been given weights that the print leaves out."""
    priors: Callable[[Tree], Mapping[str, Rational]] = lambda _: {}
    """The prior of each class that a print shows."""
    costs: Callable[[Tree], Mapping[tuple[str, str], Rational]] = lambda _: {}
    """The cost of each error that a print shows: the class of the row and the class that is said → cost."""

    # What its print leaves out.

    omits_surrogates: bool = False
    """Whether surrogates are searched, and not printed."""
    omits_counts_if_weighed: bool = False
    """Whether a print without counts shows that classes have priors, or rows weights."""
    counts_all_rows: bool = False
    """Whether its counts are those of all rows at a node, wherever surrogates sent them."""

    # How it prunes.

    price: str = ""
    """What it calls the price of cost-complexity pruning; empty if it does not prune so."""
    usual_prices: tuple[Rational, ...] = ()
    """The prices that are likelier than others."""
    at_no_price: str = ""
    """What it does at the price 0, in words; empty if it does nothing."""
    limit: str = ""
    """The estimate of errors of its error-based pruning; empty if it does not prune so."""
    may_be_pruned: Callable[[Tree], bool] = lambda _: False
    """Whether a tree may have been pruned by its errors."""
    printed_options: Callable[[Tree], PrintedOptions | None] = lambda _: None
    """The options that are printed above a tree."""
    by_folds: Callable[[Learner, Table, int], tuple[Tree, tuple[int, ...]] | None] | None = None
    """The tree that is grown from all folds but the last and pruned by that, and its rows; None: it never prunes so."""
    uncollapsed: Mapping[str, Any] = {}
    """The options of the learner where it prunes so."""

    # How it sees its rows, and what it tries.

    tells_impurity: bool = False
    """Whether a node states the impurity that the program found, so that roundings show in it."""
    held: Callable[[Sequence[Tree], Told, SizedData], tuple[SizedData, str]] = _as_held
    """The rows as the program divides their numbers, and what is assumed about that."""
    bounded: Callable[[Learner, Tree, Told, SizedData, SizedData], Learner] = _as_it_is
    """The learner with bounds that count what the program counts: rows, or weights."""
    widened: Widened | None = None
    """The decision among all tests that the program tries; None if its profile tries them all."""
    faults: Callable[[Tree, Data, Told], Iterable[str]] = _no_faults
    """What the release that grew a tree is known to do wrong with such rows."""


def error_based(profile: str, limit: str, confidence: str, *, raising: bool) -> Record:
    """The record of an error-based pruning."""
    return {"method": "error-based", "profile": profile, "confidence": confidence, "limit": limit, "raising": raising}


LEAST: Mapping[str, int] = {"min_samples_split": 2, "min_samples_leaf": 1}
"""The bounds on rows that forbid nothing."""


def by_rows(learner: Learner, program: str, table: Data) -> Learner:
    """The learner of a program whose bounds count rows, which this package takes for weights.

    A branch that is not empty has a row, and a node that is not pure has two, so the least bounds forbid nothing.

    Args:
        learner: the learner whose bounds are weights.
        program: the name of the program, for the message.
        table: all rows.

    Raises:
        InputError: rows have weights, and a bound asks for more rows.
    """
    if not isinstance(learner, CART) or all(weight == 1 for weight in table.weighted()):
        return learner
    for name, least in LEAST.items():
        if getattr(learner, name) > least:
            stated = f"{name} {decimal_text(getattr(learner, name))}"
            raise InputError(f"rows have weights, and {program}'s {stated} counts rows, which an audit cannot repeat")
    return replace(learner, min_samples_split=0, min_samples_leaf=0)


__all__ = ["Practice", "PrintedOptions", "by_rows", "error_based"]
