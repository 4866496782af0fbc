"""Learners of ensembles: options that a document records, and trees that are grown in parallel.

An ensemble's learner is a frozen dataclass of options, as is that of a tree (`reference_tree.learners.recorded`). One
of its options may be the learner of its trees, with all options of its own.

Trees that do not depend on one another are grown in parallel (`side_by_side`). The draws of a tree depend only on the
seed and the number of the tree, so the trees are the same however many are grown at once.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import Any, ClassVar, Protocol, Self, TypeVar

from reference_tree.data.errors import InputError
from reference_tree.data.sample import Data
from reference_tree.data.table import Table
from reference_tree.ensembles.ensemble import Ensemble, Member
from reference_tree.exact.reals import Number
from reference_tree.learners.cart import CART
from reference_tree.learners.decision import Learner
from reference_tree.learners.options import Options
from reference_tree.learners.recorded import Domain, Recorded, described, whole
from reference_tree.learners.registry import learner_of
from reference_tree.tree import Grower, Tree

Made = TypeVar("Made")


def _check(value: Any) -> Options:
    if not isinstance(value, Options):
        raise ValueError(f"the trees are grown by a learner of trees, not by {value!r}")
    return value


def _write(learner: Options) -> dict[str, Any]:
    grower = learner.grower()
    return {"name": grower.name, "profile": grower.profile, "options": dict(grower.options)}


def _read(written: Any) -> Options:
    if not isinstance(written, Mapping) or set(written) != {"name", "profile", "options"}:
        raise ValueError("a learner of trees has a name, a profile and options")
    kinds: dict[str, Any] = {"name": str, "profile": str | None, "options": Mapping}
    if strange := [name for name, kind in kinds.items() if not isinstance(written[name], kind)]:
        raise ValueError(f"the {strange[0]} of a learner of trees cannot be {written[strange[0]]!r}")
    # The same reader as for the grower of a tree: a learner within a learner has one form.
    return _check(learner_of(Grower(**written)))


LEARNER = Domain(_check, _write, _read, "the learner of the trees, with its `name`, `profile` and `options`")
"""Learners of trees."""


@dataclass(frozen=True, kw_only=True)
class EnsembleLearner(Recorded):
    """The base of all learners of ensembles."""

    fits: ClassVar[str | None] = None
    """The only learner of trees that is accepted; None if any is."""

    trees: int = described(100, whole(1), "the number of trees", flag=True)
    base: Options = described(CART(), LEARNER, "grows the trees")

    def grow(self, table: Table, progress: Callable[[int], None] | None = None, jobs: int = 1) -> Ensemble:
        """The ensemble for a table.

        Args:
            table: the data.
            progress: called after each tree with the number of trees so far.
            jobs: the number of trees grown at once, each in a process of its own. The ensemble does not depend on it.

        Raises:
            InputError: as the learner of the trees does.
        """
        raise NotImplementedError

    def grower(self) -> Grower:
        """The learner as a document records it."""
        return Grower(self.name, None, self.written())

    def learner(self, number: int) -> Learner:
        """The learner of one of the trees, by the number of the tree from 0."""
        return self.base

    def grower_of(self, number: int) -> Grower:
        """The learner of one of the trees as a document records it: usually the same for all trees."""
        learner = self.learner(number)
        # Written once for all trees, as its options may be many and the trees thousands.
        return self._base_grower if learner is self.base else learner.grower()

    @cached_property
    def _base_grower(self) -> Grower:
        return self.base.grower()

    def ensemble(
        self, table: Table, members: Iterable[Member], combine: str, start: tuple[Number, ...] = ()
    ) -> Ensemble:
        """The ensemble of the trees that were grown for a table."""
        target, attributes = table.schema.target, table.schema.attributes
        return Ensemble(target, attributes, tuple(members), combine, self.grower(), start)

    def decided(self, ensemble: Ensemble, table: Table) -> Iterator[tuple[Learner, Data]]:
        """For each tree its learner, and the rows from which it was grown: all that is needed to derive it again.

        Args:
            ensemble: an ensemble that this learner has grown.
            table: the data.

        Raises:
            InputError: the ensemble is found to be grown from another table.
        """
        raise NotImplementedError

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """The learner that a document records.

        Raises:
            InputError: an option is unknown, absent, or has a value it cannot have.
        """
        try:
            return cls.read(options)
        except ValueError as error:
            raise InputError(f"these are not the options of {cls.name}: {error}") from None


# The function is handed over once when a process starts: with each number the table would travel again.
class _Process:
    """A process that gets the function once, and then its arguments."""

    make: ClassVar[Callable[[int], Any]]

    @classmethod
    def start(cls, make: Callable[[int], Any]) -> None:
        """Store the function. The waiting process handles an interruption from the keyboard."""
        # All processes of a terminal are interrupted at once: only the waiting one tells of it, and ends the others.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        cls.make = make

    @classmethod
    def work(cls, number: int) -> Any:
        """Make one item."""
        return cls.make(number)


def side_by_side(
    make: Callable[[int], Made], count: int, jobs: int = 1, progress: Callable[[int], None] | None = None
) -> Iterator[Made]:
    """The results of a function for 0, 1, ..., count-1, in this order, several computed at once.

    Args:
        make: a function of the number alone, which can be sent to another process.
        count: the number of results.
        jobs: the number of processes; with 1, this process makes them.
        progress: called after each item with the number of items so far.

    Raises:
        InputError: the number of processes is not positive, or one of them ended early; or as for `make`.

    Example:
        >>> list(side_by_side("abc".__getitem__, 3))
        ['a', 'b', 'c']
    """
    if jobs < 1:
        raise InputError(f"at least one process grows trees, not {jobs}")
    # In this process, without copies of the table.
    if jobs == 1 or count == 1:
        yield from counted(map(make, range(count)), progress)
        return
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    with ProcessPoolExecutor(min(jobs, count), initializer=_Process.start, initargs=(make,)) as pool:
        try:
            yield from counted(pool.map(_Process.work, range(count)), progress)
        except BrokenProcessPool:
            raise InputError("a process ended before its tree was grown; say --jobs 1 to see why") from None


class HasTree(Protocol):
    """A round of boosting."""

    @property
    def tree(self) -> Tree:
        """The tree of the round."""


Gone = TypeVar("Gone", bound=HasTree)


def once_more(rounds: Iterable[Gone], ensemble: Ensemble) -> Iterator[Gone]:
    """The rounds of boosting, computed again, each compared with the tree in the ensemble.

    Args:
        rounds: the rounds, each computed on demand.
        ensemble: the ensemble that they have grown.

    Raises:
        InputError: the ensemble has other trees.
    """
    # Compared round by round, so that another table is told at the first tree that differs, and none of what follows is
    # believed.
    for once, member in zip_longest(rounds, ensemble.members):
        if once is None or member is None or once.tree != member.tree:
            raise InputError("the ensemble was grown from a table with other rows")
        yield once


def counted(made: Iterable[Made], progress: Callable[[int], None] | None) -> Iterator[Made]:
    """The items as they are made; `progress` is called after each with the number of items so far."""
    for number, item in enumerate(made, start=1):
        if progress is not None:
            progress(number)
        yield item
