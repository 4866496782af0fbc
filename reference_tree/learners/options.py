"""Options: the base of all learners of trees.

A learner is a frozen dataclass whose fields are its options (`recorded`). `Options` has those that bound every tree,
and overrides of ties. A dialect is a `Profile`: the class of its learner, and the options in which it differs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self, cast

from reference_tree.data.errors import InputError, no_such
from reference_tree.data.questions import Test
from reference_tree.data.sample import Data, Sample
from reference_tree.data.schema import Kind
from reference_tree.exact.rationals import Rational
from reference_tree.learners.decision import Decision, OnDemand
from reference_tree.learners.growing import grow
from reference_tree.learners.place import Place, Ties
from reference_tree.learners.recorded import AMOUNT, DEPTH, Domain, Option, Recorded, described
from reference_tree.learners.stopping.bounds import Stops, rules
from reference_tree.splitting.candidate import Candidate
from reference_tree.tree import Grower, Tree


def _ties(value: Any) -> Ties:
    if not isinstance(value, Ties):
        raise ValueError(f"Ties(choose={{...}}, label={{...}}) overrides them, not {value!r}")
    return value


def _read_ties(written: Any) -> Ties:
    """The overrides of a document, which has no other rule for ties than the first.

    Raises:
        ValueError: it has another form, another rule, or a member that is not known.
    """
    # A document states the rule for ties although there is only one: a reader in another language need not know it.
    at = written.get("at") if isinstance(written, Mapping) else None
    if not isinstance(at, Mapping) or not all(isinstance(one, Mapping) for one in at.values()):
        raise ValueError(f"overrides are {{'at': {{PATH: {{'choose': ..., 'label': ...}}}}}}, not {written!r}")
    kinds = {kind for one in at.values() for kind in one}
    if strange := sorted({*written} - {"split", "class", "at"}) + sorted(kinds - {"choose", "label"}):
        raise ValueError(f"ties have no member {strange[0]!r}")
    if others := [name for name in ("split", "class") if written.get(name, "first") != "first"]:
        raise ValueError(f"the rule of {others[0]} is first, not {written[others[0]]!r}")
    return Ties.of(at)


TIES = Domain(
    _ties,
    lambda ties: {"split": "first", "class": "first", "at": ties.options()},
    _read_ties,
    "`split` and `class`: `first`; `at`: for the path of a node the question to `choose` and the `label` to give",
)


def nothing_follows(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options that follow from the given ones in most dialects: none."""
    return {}


class Profile(NamedTuple):
    """A dialect: the class of its learner, and the options in which it differs from the defaults."""

    learner: type[Options]
    options: Mapping[str, Any]
    follows: Callable[[Mapping[str, Any]], Mapping[str, Any]] = nothing_follows
    """The options that follow from the given ones, in the place of the dialect's own."""


@dataclass(frozen=True, kw_only=True)
class Options(Recorded):
    """The base of all learners."""

    predicts = frozenset[Kind]({"categorical"})
    """The kinds of target that it can predict; no ClassVar, since those of a learner with a base are its base's."""
    profiles: ClassVar[dict[str, Profile]] = {}
    """Dialects by name; the modules of `dialects` add theirs."""
    widest: ClassVar[type[Options] | None] = None
    """The class that has the options of all dialects; None for this one."""
    spells_dialects: ClassVar[bool] = True
    """Whether a document has the options of all dialects, also where no dialect is used."""

    follows_rules: ClassVar[bool] = False
    """Whether every stopping rule applies, also those that judge the best test."""

    epsilon: Rational = described(0, AMOUNT, "a split needs a score of at least this", flag=True)
    max_depth: int | None = described(
        None, DEPTH, "no node lies deeper; the root has depth 0. None: no limit", unit="depth", flag=True
    )
    min_samples_split: Rational = described(0, AMOUNT, "a node with less weight is a leaf", unit="weight", flag=True)
    min_samples_leaf: Rational = described(
        0, AMOUNT, "a branch that is not empty has at least this weight", unit="weight", flag=True
    )
    ties: Ties = described(Ties(), TIES, "overrides for exact ties")
    profile: str | None = None
    """The dialect that set the options. Only `like` and `of` set it, and a copy by `dataclasses.replace` keeps it."""

    def __init_subclass__(cls) -> None:
        """Add the options that stopping rules describe, if the learner follows every rule."""
        # This runs before `dataclass` sees the class: what is set here becomes a field like those that are written.
        for each in rules().values() if vars(cls).get("follows_rules") else ():
            if each.described is not None:
                setattr(cls, each.option, described(**each.described._asdict()))
                cls.__annotations__[each.option] = "Rational"
        super().__init_subclass__()

    @classmethod
    def like(cls, profile: str, **options: Any) -> Self:
        """The learner in a dialect; an option that is given overrides the dialect's.

        Raises:
            InputError: there is no such profile.
        """
        if profile not in cls.profiles:
            if not cls.profiles:
                raise InputError(f"there is no profile {profile!r} of {cls.name}; it has none")
            raise InputError(no_such("profile", profile, cls.profiles, of=cls.name))
        # The later ones win: the dialect's own options, those that follow from the given ones, and the given ones.
        dialect = cls.profiles[profile]
        named = {**dialect.options, **dialect.follows(options), **options}
        return cast(Self, dialect.learner.with_options(**named)._in(profile))

    @classmethod
    def with_options(cls, **options: Any) -> Self:
        """The learner with some options, which may be options that only dialects have.

        Raises:
            TypeError: there is no such option.
        """
        known = cls.options()
        # A value that only a dialect allows makes the learner the dialect's class; the others stay plain, and their
        # documents too.
        is_own = all(name in known and known[name].domain.holds(value) for name, value in options.items())
        return cast(Self, (cls if is_own else cls.widest or cls)(**options))

    def but(self, **options: Any) -> Options:
        """The same learner, in the same dialect, with some other options, as for `with_options`."""
        # All options, not those that differ: whether a class has a value is judged for the whole set.
        own = {name: getattr(self, name) for name in self.options()}
        return type(self).with_options(**{**own, **options})._in(self.profile)

    @classmethod
    def of_dialects(cls) -> Mapping[str, Option]:
        """Its options, and those of all its dialects."""
        return (cls.widest or cls).options()

    @classmethod
    def spelled_out(cls) -> Mapping[str, Option]:
        """The options that a document has, in its order."""
        return cls.of_dialects() if cls.spells_dialects else cls.options()

    def _in(self, profile: str | None) -> Self:
        # The object was made a moment ago, and nobody else has seen it: here a frozen one may still be set.
        object.__setattr__(self, "profile", profile)
        return self

    @cached_property
    def stops(self) -> Stops:
        """The stopping rules of the tree, with the options of the learner as their bounds."""
        # By name: a rule takes the options that it knows, so that a new rule needs no line here.
        return Stops(vars(self))

    def decide(self, sample: Sample, place: Place | None = None) -> Decision:
        """The decision at a node."""
        raise NotImplementedError

    def judge_one(self, sample: Sample, place: Place, test: Test) -> Candidate:
        """One test as a candidate, whether or not the learner would try it; see `decision.Learner`."""
        raise NotImplementedError

    def finish(self, tree: Tree) -> Tree:
        """The tree after the last step of the learner, which follows growing: unchanged for most learners."""
        return tree

    def grow(self, table: Data) -> Tree:
        """The tree for a table.

        Raises:
            InputError: the target is of a kind the learner does not predict, the table has values it has no rule for,
                or an override of a tie has no effect.
        """
        return grow(self, table)

    def grower(self) -> Grower:
        """The learner as a tree document records it. Its options are written on demand."""
        return Grower(self.name, self.profile, OnDemand(self._spelled_out))

    def _spelled_out(self) -> dict[str, Any]:
        return self.written(self.spelled_out())

    @classmethod
    def of(cls, options: Mapping[str, Any], profile: str | None = None) -> Self:
        """The learner that a tree document records.

        Raises:
            InputError: there is no such profile; an option is unknown, absent, or has a value it cannot have.
        """
        try:
            if profile not in (None, *cls.profiles):
                raise ValueError(f"there is no profile {profile!r}")
            learner, spelled = cls if profile is None else cls.profiles[profile].learner, cls.spelled_out()
            known = learner.options()
            # A document states the options of all dialects. Those that this learner does not have must stand there with
            # their defaults; an option that came later may be absent, and then has its default.
            left_out = {name: one.usual for name, one in spelled.items() if name not in known and not one.since}
            if absent := [name for name in left_out if name not in options]:
                raise ValueError(f"the option {absent[0]!r} is absent")
            is_own = all(options[name] == value for name, value in left_out.items()) and all(
                name in left_out or (name in known and known[name].domain.holds(value, written=True))
                for name, value in options.items()
            )
            learner = learner if is_own else cls.widest or cls
            own = {name: value for name, value in options.items() if name in learner.options() or name not in spelled}
            return cast(Self, learner.read(own)._in(profile))
        except ValueError as error:
            raise InputError(f"these are not the options of {cls.name}: {error}") from None
