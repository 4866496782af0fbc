"""rpart as it trains and prints: what an audit of its trees has to know.

A print has no surrogates, and no counts where classes have priors. The priors stand at the root (`priors_shown`), and
the losses of the nodes show what each error costs (`costs_shown`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from reference_tree.data.sample import SizedData
from reference_tree.exact.rationals import Rational
from reference_tree.learners.decision import Learner
from reference_tree.programs.practice import Practice, Told, by_rows
from reference_tree.programs.rpart.tables import LOSSES, PRIORS
from reference_tree.tree import Tree

_LARGEST_PRIOR = 10_000
"""The largest denominator of a prior: a printed share is the nearest fraction with a smaller one."""

_LARGEST_COST = 1000
"""The largest denominator of a cost."""


def priors_shown(tree: Tree) -> Mapping[str, Rational]:
    """The priors that stand at the root, which follow the names of the classes; empty if none are printed."""
    classes, printed = tree.target.values or (), tree.grower.options.get(PRIORS, ())
    if not printed or len(printed) != len(classes):
        return {}
    near = [Fraction(text).limit_denominator(_LARGEST_PRIOR) for text in printed]
    whole = sum(near, Fraction(0))
    return {label: share / whole for label, share in zip(sorted(classes), near, strict=True)}


def costs_shown(tree: Tree) -> Mapping[tuple[str, str], Rational]:
    """The cost of each error, from the printed losses of the nodes; empty if they show none.

    Returns:
        The class of the row and the class that is said → cost. An error that no node shows is not among them.
    """
    return costs_of(sorted(tree.target.values or ()), tree.grower.options.get(LOSSES, ()))


def costs_of(classes: Sequence[str], printed: Sequence[Sequence[str]]) -> Mapping[tuple[str, str], Rational]:
    """The cost of each error, from the losses of nodes.

    The loss of a node is the sum of the costs of its rows of other classes. A node with one such class shows its cost;
    what is known then shows further ones.

    Args:
        classes: the classes, in the order of their names.
        printed: for each node the class that is said, the loss, and the number of rows of each class.

    Example:
        >>> costs_of("ab", [("a", "6", "5", "3")])
        {('b', 'a'): Fraction(2, 1)}
    """
    costs = dict[tuple[str, str], Rational]()
    for _ in classes:  # each round may settle the error that the last one left as the only unknown of some node
        for said, loss, *rows in printed:
            weights = {
                true: int(text) for true, text in zip(classes, rows, strict=True) if text != "0" and true != said
            }
            unknown = [true for true in weights if (true, said) not in costs]
            if len(unknown) == 1:
                rest = Fraction(loss) - sum(weights[true] * costs[true, said] for true in weights if true != unknown[0])
                costs[unknown[0], said] = (rest / weights[unknown[0]]).limit_denominator(_LARGEST_COST)
    return costs if costs and min(costs.values()) >= 0 else {}


def _bounded(learner: Learner, tree: Tree, told: Told, table: SizedData, own: SizedData) -> Learner:
    return by_rows(learner, RPART.program, table)


RPART = Practice(
    "rpart",
    "cart",
    "rpart",
    order=(*(
        (*first, *rest)
        for first in (("surrogates",), ())
        for rest in (
            *(() if not first else ((),)),
            ("losses",), ("losses", "ccp_alpha"), ("losses", "minsplit"), ("losses", "minsplit", "ccp_alpha"),
            ("losses", "max_depth"),  # where they are printed, nothing else explains them
            ("ccp_alpha",), ("max_depth",), ("max_depth", "ccp_alpha"), ("minsplit",),
            ("minsplit", "ccp_alpha"), ("max_depth", "minsplit"), ("max_depth", "minsplit", "ccp_alpha"),
            ("criterion",), ("criterion", "ccp_alpha"), ("criterion", "minsplit"),
            ("criterion", "minsplit", "ccp_alpha"), ("priors",), ("priors", "ccp_alpha"), ("priors", "minsplit"),
            ("priors", "minsplit", "ccp_alpha"), ("criterion", "max_depth"), ("priors", "max_depth"),
        )
    ), ("counts",), ("counts", "ccp_alpha"), ("counts", "minsplit", "ccp_alpha")),
    words={"min_samples_leaf": "minbucket", "criterion": "parms=list(split='information')"},
    links_bounds=True,
    priors=priors_shown,
    costs=costs_shown,
    omits_surrogates=True,
    omits_counts_if_weighed=True,
    counts_all_rows=True,
    price="cp",
    usual_prices=(Fraction(1, 100),),  # its default
    at_no_price="cp = 0 takes back a split that does not lower the risk",
    bounded=_bounded,
)  # fmt: skip
