"""The profile `weka-j48`: C4.5 as Weka's J48 has it. It is release 8 with two rules of its own.

1. The slack: a later test replaces an earlier one only if it is better by more than `SLACK`
   (`reference_tree.programs.c45_options.first_kept`).
2. A node whose best test has no gain is a leaf, where release 8 splits it.
"""

from __future__ import annotations

from fractions import Fraction

from reference_tree.learners.c45 import C45
from reference_tree.learners.options import Profile
from reference_tree.programs.c45_options import SHARED, ProgramC45

SLACK = Fraction(1, 1_000_000)
"""Weka's `Utils.SMALL`, 1e-6: two numbers that differ by no more are equal to it."""

# J48 demands no least split information: a ratio only needs a gain above the slack.
C45.profiles |= {"weka-j48": Profile(ProgramC45, {**SHARED, "zero_gain": "stops", "slack": SLACK})}
