"""The profile `c45-r8`: C4.5 as release 8 of Quinlan's own program has it (`release8`)."""

from __future__ import annotations

from fractions import Fraction

from reference_tree.learners.c45 import C45
from reference_tree.learners.options import Profile
from reference_tree.programs.c45_options import SHARED, ProgramC45

LEAST_SPLIT_INFORMATION = Fraction(1, 1000)
"""A test whose split information is no larger than this has no ratio, and cannot win."""

# Release 8 has no slack: it compares doubles, and here what it means is compared exactly.
C45.profiles |= {"c45-r8": Profile(ProgramC45, {**SHARED, "least_split_information": LEAST_SPLIT_INFORMATION})}
