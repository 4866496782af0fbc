"""The profile `scikit-learn`: CART as scikit-learn's trees have it, and what float32 makes of two close values.

It tests one value of a category against the others, as if each were a column of its own, and sends rows without a
value to the better side. It makes no cut between two values that it treats as equal (`too_close`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reference_tree.data.questions import Test, Threshold
from reference_tree.data.sample import Sample
from reference_tree.exact.rationals import Rational
from reference_tree.exact.rounding import nearest_double, nearest_single
from reference_tree.learners.cart import CART
from reference_tree.learners.options import Profile
from reference_tree.learners.place import Place
from reference_tree.programs.cart_options import ProgramCART
from reference_tree.splitting.candidate import Candidate
from reference_tree.splitting.continuous_bisection import gap_around

NO_FURTHER = nearest_single(1e-7)
"""scikit-learn's `FEATURE_THRESHOLD`: it treats two values no further apart as equal."""


def too_close(low: Rational, high: Rational) -> bool:
    """Whether scikit-learn treats two values as equal: in float32, the larger is not above the other + 1e-7.

    The sum of two float32s is rounded to the same float32 whether or not it is held in a double in between. So this is
    the result of the program, bit by bit; it depends on the values, not only on their difference.

    Example:
        >>> from fractions import Fraction
        >>> step = Fraction(1, 2**23)              # from 1 to the next float32: more than 1e-7
        >>> too_close(1, 1 + step), too_close(2, 2 + 2 * step)
        (True, False)
    """
    # The program converts a text to a double, and then to float32: both steps are taken here.
    try:
        below, above = (nearest_single(nearest_double(value)) for value in (low, high))
        # As the splitter compares: `X[p] <= X[p - 1] + FEATURE_THRESHOLD`, in float32 (seen in 1.9.1).
        return above <= nearest_single(below + NO_FURTHER)
    # A number beyond float32 is refused by the program; here it is merely not close to another.
    except OverflowError:
        return False


@dataclass(frozen=True, kw_only=True)
class ScikitLearnCART(ProgramCART):
    """The learner, which makes no cut between two values that it treats as equal: the rule `cut-gap` bars the cut.

    Example:
        >>> from reference_tree.data.table import Table
        >>> table = Table.from_columns({"x": ["1", "1.0000001", "2"], "y": ["no", "yes", "yes"]})
        >>> CART().decide(table.sample()).chosen.test.name
        'x<=1.00000005'
        >>> CART.like("scikit-learn").decide(table.sample()).chosen.test.name
        'x<=1.50000005'
    """

    def judge_one(self, sample: Sample, place: Place, test: Test) -> Candidate:
        """One test as a candidate."""
        # A test from outside does not say between which values it lies; the rows do.
        if isinstance(test, Threshold):
            test = replace(test, interval=gap_around(sample, test))
        return super().judge_one(sample, place, test)

    def barred(self, candidate: Candidate) -> Candidate:
        """A candidate, barred by the rule `cut-gap` if its cut may not be made."""
        candidate = super().barred(candidate)
        interval = candidate.test.interval if isinstance(candidate.test, Threshold) else None
        # The rule of given thresholds comes first; what it lets through may still be too close.
        if candidate.barred is None and interval is not None and too_close(*interval):
            return replace(candidate, barred="cut-gap")
        return candidate


CART.profiles |= {"scikit-learn": Profile(ScikitLearnCART, {"branching": "one-vs-rest", "missing": "better-side"})}
