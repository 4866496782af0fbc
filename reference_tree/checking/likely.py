"""Likely mistakes: what a program may have taken otherwise, where its choice is wrong.

A classic mistake is another value of an option: the average left out, a bound that is off by one, cuts by another
score. So the learner decides once more at the node with each other value of each of its options, and those that choose
what the program chose are named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from reference_tree.data.errors import InputError, listed
from reference_tree.data.sample import Sample
from reference_tree.learners.decision import Decision, Learner
from reference_tree.learners.options import Options
from reference_tree.learners.place import Place

_UNITS = ("weight", "depth")
"""What options count in that are tried one lower and one higher."""

_MOST = 3
"""The largest number of options that are named."""


def likely(learner: Learner, sample: Sample, place: Place, is_theirs: Callable[[Decision], bool]) -> str:
    """The options with which a learner decides as a program does; empty if there are none.

    Args:
        learner: the learner of the case.
        sample: the rows that arrive at the node.
        place: the place of the node.
        is_theirs: whether a decision is that of the program.

    Example:
        >>> import reference_tree as rt
        >>> loans = rt.textbook("loan")
        >>> sample = loans.sample()
        >>> likely(rt.ID3(), sample, Place.root(sample), lambda decision: decision.stop == "max-depth")
        ''
        >>> likely(rt.ID3(max_depth=1), sample, Place.root(sample), lambda decision: decision.stop == "max-depth")
        'max_depth = 0 decides so'
    """
    if not isinstance(learner, Options):
        return ""
    found = []
    for name, value, other in _others(learner):
        try:
            if is_theirs(other.decide(sample, place)):
                found.append(f"{name} = {value}")
        except (InputError, ValueError, ArithmeticError, NotImplementedError):
            continue  # it has no answer to these rows
    if not found:
        return ""
    return f"{listed(found[:_MOST])} decide{'s' * (len(found) == 1)} so"


def _others(learner: Options) -> Iterator[tuple[str, object, Options]]:
    """The learner with each option changed, one at a time: to each other word, or by one."""
    known = learner.of_dialects()
    for name, one in ((name, known[name]) for name in learner.options()):
        own = one.domain.write(getattr(learner, name))
        if not isinstance(one.domain.values, str):
            values: list[object] = [word for word in one.domain.values if word != own]
        elif one.unit in _UNITS and own is not None:
            # A bound that is off by one is the classic mistake; other numbers are not tried.
            values = [getattr(learner, name) + step for step in (-1, 1)]
        elif isinstance(own, bool):
            values = [not own]
        else:
            continue
        for value in values:
            try:
                # One option at a time: two mistakes at once are not looked for.
                yield name, value, learner.but(**{name: value})
            except (InputError, ValueError, TypeError):
                continue  # the other options exclude it
