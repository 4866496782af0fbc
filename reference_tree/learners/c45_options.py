"""The options of C4.5, and the dialects in which its programs set them.

Each option is one difference between the books and the programs, or a bound that all learners have. A profile is a list
of options and nothing else: no step of the learner asks for its name.

| profile | whose |
|:--|:--|
| `zhou` | N0's, N2's and Zhou's: the average of the gains, then the ratio. The default |
| `li-hang` | N1's and Li Hang's: the ratio alone |
| `c45-r8` | that of release 8 of Quinlan's program |
| `weka-j48` | that of Weka's J48 |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from reference_tree.exact.rationals import Rational
from reference_tree.learners.c45_rules import (
    BRANCH_MINIMUM,
    CUT_MINIMUM,
    PENALTY,
    POSITION,
    SPLIT_INFORMATION,
    BranchMinimum,
    CutMinimum,
    Penalty,
    Position,
    as_in_any_branch,
    at_midpoint,
    at_observed_value,
    every_branch,
    log_of_tries,
    no_charge,
    tenth_of_a_class,
    two_large_branches,
)
from reference_tree.learners.collapsing import COLLAPSE, Collapse, collapsed, kept_whole
from reference_tree.learners.contenders import CONTENDERS, Contenders, above_average, everyone, near_average
from reference_tree.learners.options import Options, choice, number, rule
from reference_tree.splitting.missing_values import (
    SplitInformation,
    split_information_of_known,
    split_information_with_unknown,
)

_PROGRAMS: Mapping[str, Any] = {
    "contenders": near_average,
    "min_samples_leaf": 2,
    "branch_minimum": two_large_branches,
    "cut_minimum": tenth_of_a_class,
    "cut_gap": Fraction(1, 100_000),
    "cut_gain": "positive",
    "penalty": log_of_tries,
    "split_information": split_information_with_unknown,
    "threshold": at_observed_value,
    "collapse": collapsed,
}

PROFILES: Mapping[str, Mapping[str, Any]] = {
    "zhou": {"contenders": above_average},
    "li-hang": {"contenders": everyone},
    "c45-r8": {**_PROGRAMS, "least_split_information": Fraction(1, 1000)},
    "weka-j48": {**_PROGRAMS, "zero_gain": "stops", "slack": Fraction(1, 1_000_000)},
}
"""Dialects: the options in which each differs."""


@dataclass(frozen=True, kw_only=True)
class C45Options(Options):
    """What C4.5 can be told.

    Args:
        epsilon: a split needs a gain ratio of at least this.
        max_depth: no node lies deeper; the root has depth 0. None: no limit.
        min_samples_split: a node with less weight is a leaf.
        min_samples_leaf: a branch with less weight is too small.
        contenders: the rule that says which attributes may compete by their ratio.
        branching: `multiway`, or `one-vs-rest`: a categorical attribute is asked for one value, and may be asked again.
        branch_minimum: how many branches may not be too small: every one that is not empty, or two.
        cut_minimum: the rule that says how much has to lie on each side of a cut.
        cut_gap: two values that lie no further apart are not cut between.
        penalty: what a cut is charged for having been chosen among many.
        cut_gain: `any`, or `positive`: a cut needs a gain of more than 0 once the penalty is paid.
        zero_gain: whether the best candidate `splits` or `stops` if its ratio is 0.
        split_information: the opinion of what the cutting costs where answers are missing.
        least_split_information: a ratio is taken only if the split information is above this.
        threshold: where in its gap the threshold is put.
        slack: a later candidate has to be better by more than this, and what is no more than this counts as 0.
        missing: what becomes of a row that does not answer.
        collapse: what becomes of a subtree that saves no error.
        ties: overrides for exact ties.

    Example:
        >>> C45Options.like("c45-r8").min_samples_leaf, C45Options.like("c45-r8", min_samples_leaf=1).min_samples_leaf
        (2, 1)

    Source:
        [Quinlan1993 §2], [Quinlan1996 §3]
    """

    profiles: ClassVar[Mapping[str, Mapping[str, Any]]] = PROFILES

    contenders: Contenders = rule(above_average, CONTENDERS)
    branching: str = choice("multiway", ["multiway", "one-vs-rest"])
    branch_minimum: BranchMinimum = rule(every_branch, BRANCH_MINIMUM)
    cut_minimum: CutMinimum = rule(as_in_any_branch, CUT_MINIMUM)
    cut_gap: Rational = number(0)
    penalty: Penalty = rule(no_charge, PENALTY)
    cut_gain: str = choice("any", ["any", "positive"])
    zero_gain: str = choice("splits", ["splits", "stops"])
    split_information: SplitInformation = rule(split_information_of_known, SPLIT_INFORMATION)
    least_split_information: Rational = number(0)
    threshold: Position = rule(at_midpoint, POSITION)
    slack: Rational = number(0)
    missing: str = choice("fractions", ["fractions"])
    collapse: Collapse = rule(kept_whole, COLLAPSE)
