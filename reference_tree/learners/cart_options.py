"""The options of CART, and the dialects in which its programs set them.

Each option is one difference between the books and the programs, or a bound that all learners have. A profile is a list
of options and nothing else: no step of the learner asks for its name.

| profile | whose |
|:--|:--|
| `cart-1984` | that of Breiman, Friedman, Olshen and Stone's book |
| `rpart` | that of R's program |
| `scikit-learn` | that of scikit-learn's trees |

How a categorical attribute is asked is a rule too: `multiway`, `single_values` or `sets_of_values`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias

from reference_tree.data.questions import Multiway, Test
from reference_tree.data.sample import Partition
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import Rational
from reference_tree.learners.costs import LOSS, LOSSES, PRIORS
from reference_tree.learners.criteria import CRITERIA
from reference_tree.learners.missing_rules import MISSING
from reference_tree.learners.options import Codec, Options, choice, depth, flag, number
from reference_tree.measures.misclassification import Loss, Priors
from reference_tree.splitting.binary_subsets import one_vs_rest
from reference_tree.splitting.multivariate_nodes import SEARCHES
from reference_tree.splitting.ordered_subsets import listed_subsets, program_subsets, subset_splits
from reference_tree.splitting.surrogates import DENOMINATORS

Asking: TypeAlias = tuple[Test, Partition]
"""A question, and the sample partition it makes."""

Search: TypeAlias = Callable[[str, Partition], Iterable[Asking]]
"""From an attribute and its multiway partition, the sets of values that are tried."""


def multiway(attribute: Attribute, table: Partition, search: Search) -> Iterable[Asking]:
    """A branch for each value: the tree of Gini indices that Zhou and N2 call CART.

    Source:
        [N2 §2.3 choice], [Zhou2016 §4.2.3]
    """
    return [(Multiway.on(attribute), table)]


def single_values(attribute: Attribute, table: Partition, search: Search) -> Iterable[Asking]:
    """One value against all others.

    Source:
        [LiHang2019 §5.5.1], [N3 Attributes with Many Values: binary splits]
    """
    return one_vs_rest(attribute.name, table)


def sets_of_values(attribute: Attribute, table: Partition, search: Search) -> Iterable[Asking]:
    """Some values against the others.

    Source:
        [Breiman1984 §2.4], [N3 Attributes with Many Values: binary splits]
    """
    return search(attribute.name, table)


BRANCHINGS: Mapping[str, Callable[[Attribute, Partition, Search], Iterable[Asking]]] = {
    "subset": sets_of_values,
    "one-vs-rest": single_values,
    "multiway": multiway,
}
"""How a categorical attribute is asked: the rules by the names under which a tree document records them."""

LINEAR = "linear"
"""The rule by which an attribute is not asked by itself, but together with all others."""

SUBSETS = {"best": subset_splits, "ordered": program_subsets}
"""Which sets of values are tried: as many as it takes to find the best one, or always the cuts of an order."""

LISTED = {"best": listed_subsets, "ordered": program_subsets}
"""Which of them are compared with the best one in the end."""


def _seed(value: Any) -> int:
    if type(value) is not int:
        raise ValueError(f"a seed is a whole number, not {value!r}")
    return value


SEED = {"codec": Codec(_seed, _seed, _seed)}
"""What makes a field an option that holds a seed."""

PROFILES: Mapping[str, Mapping[str, Any]] = {
    "cart-1984": {
        "min_samples_split": 6,
        "losses": "generalized-gini",
        "always_surrogates": True,
    },
    "rpart": {
        "max_depth": 30,
        "min_samples_split": 20,
        "min_samples_leaf": 7,
        "zero_gain": "stops",
        "threshold": "below",
        "subsets": "ordered",
        "agreement": "primary-known",
        "surrogate_minimum": 2,
        "max_surrogates": 5,
        "surrogate_errors": 2,
        "surrogate_unseen": "nothing",
        "always_surrogates": True,
    },
    "scikit-learn": {
        "branching": "one-vs-rest",
        "missing": "better-side",
    },
}
"""Dialects: the options in which each differs from the defaults."""


@dataclass(frozen=True, kw_only=True)
class CARTOptions(Options):
    """What CART can be told.

    Args:
        epsilon: a split needs a score of at least this.
        max_depth: no node lies deeper; the root has depth 0. None: no limit.
        min_samples_split: a node with less weight is a leaf.
        min_samples_leaf: a split that leaves less weight in a branch that is not empty is no candidate.
        criterion: what questions are judged by: `gini` or `entropy` for classes, `squared_error`, `variance_n_minus_1`
            or `absolute_error` for numbers; `auto` is the first one for the target.
        branching: how a categorical attribute is asked: `subset`, `one-vs-rest` or `multiway`. `linear`: all attributes
            are asked at once, a continuous one as a number, a categorical one as a number for each value, 1 or 0.
        subsets: which sets are tried: `best` or `ordered`.
        search: how a linear test is looked for: `exhaustive`, `cart-lc`, `oc1` or `lda`.
        seed: of what `oc1` draws, at each node anew.
        threshold: whether a number is asked to be `at-most` t, or `below` it. A weighted sum is always `at-most`.
        zero_gain: whether a question that gains nothing `splits` or `stops`.
        min_impurity_decrease: a split has to take at least this from the impurity of the whole tree.
        missing: the rule for rows that do not answer.
        agreement: of which rows the agreement of a surrogate is a share: `both-known` or `primary-known`.
        surrogate_minimum: the least weight that a threshold has to send either way to be a surrogate.
        max_surrogates: how many a node may have. None: no limit.
        surrogate_errors: the least weight that a set of values has to send astray to be a surrogate.
        surrogate_unseen: what a set of values says of those that no row has: they belong to the `rest`, or `nothing`.
        always_surrogates: whether they are sought also where every row of the node answers its question.
        priors: class → how common it is. None: as common as in the sample.
        loss: class → answer → what that costs. None: every mistake costs 1.
        losses: how losses are heeded in the choice of a question: `altered-priors`, `generalized-gini`, `labels-only`.
        ties: overrides for exact ties.

    Example:
        >>> CARTOptions.like("rpart").min_samples_leaf, CARTOptions.like("rpart", min_samples_leaf=1).min_samples_leaf
        (7, 1)

    Source:
        [Breiman1984 §2.4], [Breiman1984 §5.3]
    """

    profiles: ClassVar[Mapping[str, Mapping[str, Any]]] = PROFILES

    min_samples_split: Rational = number(2)
    min_samples_leaf: Rational = number(1)
    criterion: str = choice("auto", ["auto", *CRITERIA])
    branching: str = choice("subset", [*BRANCHINGS, LINEAR])
    subsets: str = choice("best", SUBSETS)
    search: str = choice("exhaustive", SEARCHES)
    seed: int = field(default=0, metadata=SEED)
    threshold: str = choice("at-most", ["at-most", "below"])
    zero_gain: str = choice("splits", ["splits", "stops"])
    min_impurity_decrease: Rational = number(0)
    missing: str = choice("surrogates", MISSING)
    agreement: str = choice("both-known", DENOMINATORS)
    surrogate_minimum: Rational = number(1)
    max_surrogates: int | None = depth()
    surrogate_errors: Rational = number(0)
    surrogate_unseen: str = choice("rest", ["rest", "nothing"])
    always_surrogates: bool = flag()
    priors: Priors | None = field(default=None, metadata=PRIORS)
    loss: Loss | None = field(default=None, metadata=LOSS)
    losses: str = choice("altered-priors", LOSSES)
