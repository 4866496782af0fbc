"""Options: the parameters of a learner, and how a tree document records them.

A learner is a frozen dataclass whose fields are its options. Each field is made by one of the functions below, which
define how its value is checked and written: numbers as exact texts, rules by their names. So a document spells out
every option, and `Options.of` makes the same learner from it again.

1. `number` is an exact number, `amount` one that is not negative, `share` one from 0 to 1, `whole` a whole number,
   `depth` a whole number or None; `seed` is the seed of random draws, `flag` is true or false, `rule` is one of some
   named functions, `choice` one of some words.
2. `Recorded` is a class with such fields: it checks them, writes them, and reads them again.
3. `Options` is the base of all learners: the fields that bound every tree, profiles, and growing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from numbers import Integral
from typing import Any, ClassVar, NamedTuple, Self, cast

from reference_tree.data.errors import InputError, hint, no_such, option
from reference_tree.data.questions import Test
from reference_tree.data.sample import Data, Sample
from reference_tree.data.schema import Kind
from reference_tree.exact.rationals import Rational, decimal_text, exactly, rational
from reference_tree.learners.decision import Decision, OnDemand
from reference_tree.learners.growing import grow
from reference_tree.learners.place import Place, Ties
from reference_tree.learners.stopping import Stops
from reference_tree.splitting.candidate import Candidate
from reference_tree.tree import Grower, Tree


class Codec(NamedTuple):
    """The functions that check, write and read a field. Each raises ValueError for an invalid value."""

    check: Callable[[Any], Any]
    write: Callable[[Any], Any]
    read: Callable[[Any], Any]
    values: str | Collection[str]
    """The values in a document: the words themselves, to which a dialect may add; or a description for people."""
    later: bool = False
    """Whether a document states the option only if it is not the default."""


def field_of(
    default: Any,
    check: Callable[[Any], Any],
    write: Callable[[Any], Any],
    read: Callable[[Any], Any],
    values: str | Collection[str],
) -> Any:
    """A field that is an option; the functions below use it.

    Args:
        default: the default value.
        check: gives the exact value of what is given.
        write: gives the form of the value in a document.
        read: gives the value of a form in a document.
        values: the values in a document, as in `Codec`.
    """
    return field(default=default, metadata={"codec": Codec(check, write, read, values)})


def later(option: Any) -> Any:
    """A field that is an option added later: a document states it only if it is not the default.

    So a document older than the option is still read correctly, and a new document with the default does not change.

    Args:
        option: made by one of the functions below.
    """
    return field(default=option.default, metadata={"codec": option.metadata["codec"]._replace(later=True)})


def number(
    default: Rational | None = 0, refuse: Callable[[Rational], None] = lambda value: None, values: str = "a number"
) -> Any:
    """A field that holds an exact number, given as anything that has an exact value.

    Args:
        default: the default number. If it is None, the field may also hold None.
        refuse: raises ValueError for a number that the field cannot hold.
        values: the numbers that it can hold, in words.
    """

    def held(value: Rational) -> Rational:
        refuse(value)
        return value

    def unless_none(found: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda value: None if value is None and default is None else found(value)

    return field_of(
        default,
        unless_none(lambda value: held(_exactly(value))),
        unless_none(decimal_text),
        unless_none(lambda text: held(_number(text))),
        f"{values}, as text" + (", or `null`" if default is None else ""),
    )


def amount(default: Rational) -> Any:
    """A field that holds a nonnegative number."""
    return number(default, _not_negative, "a number from 0")


def share() -> Any:
    """A field that holds a share, above 0 and at most 1."""
    return number(1, _above_0_to_1, "a number above 0, and at most 1")


def whole(default: int, least: int = 1, most: int | None = None, *, or_none: bool = False) -> Any:
    """A field that holds a whole number.

    Args:
        default: the default number.
        least: the least value.
        most: the largest value; None for no such bound.
        or_none: whether the field may also hold None.
    """
    values = f"a whole number from {least}" + ("" if most is None else f" to {most}")

    def held(value: Any) -> int | None:
        if value is None and or_none:
            return None
        if not _is_whole(value) or value < least or (most is not None and value > most):
            raise ValueError(f"it is {values}{', or None' * or_none}, not {value!r}")
        return int(value)

    return field_of(default, held, held, held, values + ", or `null`" * or_none)


def depth(default: int | None = None) -> Any:
    """A field that holds a whole number from 0, or None for no limit."""
    return field_of(default, _depth, _depth, _depth, "a whole number from 0, or `null`")


def seed(default: int = 0) -> Any:
    """A field that holds the seed of random draws, any whole number."""
    return field_of(default, _seed, _seed, _seed, "a whole number")


def flag(default: bool = False) -> Any:
    """A field that holds true or false."""
    return field_of(default, _flag, _flag, _flag, "`true` or `false`")


def rule(default: Callable[..., Any], rules: Mapping[str, Callable[..., Any]]) -> Any:
    """A field that holds a named rule, given as the function or by its name.

    Args:
        default: the default rule.
        rules: all rules, by the names that a document records.
    """

    def known(chosen: Any) -> Any:
        if isinstance(chosen, str):
            return read(chosen)
        if chosen not in rules.values():
            raise ValueError(f"a rule is one of {', '.join(rules)}, so that a tree can record it")
        return chosen

    def read(name: Any) -> Any:
        return rules[_one_of(rules)(name)]

    def written(chosen: Any) -> str:
        return next(name for name, one in rules.items() if one is chosen)

    return field_of(default, known, written, read, rules)


def choice(default: str, words: Collection[str]) -> Any:
    """A field that holds one of some words. Its type is the Literal of them, so that type checkers know them, too."""
    return field_of(default, _one_of(words), str, _one_of(words), words)


def _one_of(words: Collection[str]) -> Callable[[Any], str]:
    def known(word: Any) -> str:
        if word not in words:
            near = hint(word, words) if isinstance(word, str) else ""
            raise ValueError(f"there is no {word!r}{near}; there are {', '.join(words)}")
        return str(word)

    return known


def _exactly(value: Any) -> Rational:
    try:
        return exactly(value)
    except TypeError as error:
        raise ValueError(str(error)) from None


def _number(text: Any) -> Rational:
    if not isinstance(text, str):
        raise ValueError(f"{text!r} is not the text of a number")
    return rational(text)


def _not_negative(value: Rational) -> None:
    if value < 0:
        raise ValueError(f"it is not negative, but {value} is")


def _above_0_to_1(value: Rational) -> None:
    if not 0 < value <= 1:
        raise ValueError(f"a share is above 0 and at most 1, not {value}")


def _is_whole(value: object) -> bool:
    """Whether a value is a whole number, one of numpy's perhaps."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def _depth(value: Any) -> int | None:
    if value is None:
        return None
    if not _is_whole(value) or value < 0:
        raise ValueError(f"it is a whole number from 0, or None, not {value!r}")
    return int(value)


def _seed(value: Any) -> int:
    if not _is_whole(value):
        raise ValueError(f"a seed is a whole number, not {value!r}")
    return int(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"it is either true or false, not {value!r}")
    return value


class Profile(NamedTuple):
    """A dialect: the class of its learner, and the options in which it differs from the defaults."""

    learner: type[Options]
    options: Mapping[str, Any]


TIES = "`split` and `class`: `first`; `at`: for the path of a node the question to `choose` and the `label` to give"
"""The form of the overrides of ties in a document."""


def _ties(value: Any) -> Ties:
    if not isinstance(value, Ties):
        raise ValueError(f"Ties(choose={{...}}, label={{...}}) overrides them, not {value!r}")
    return value


def _written_ties(ties: Ties) -> dict[str, Any]:
    return {"split": "first", "class": "first", "at": ties.options()}


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """A class whose fields are options: values are checked and made exact, and can be written and read."""

    name: ClassVar[str]
    """The name that a document records."""

    def __new__(cls, *_: Any, **options: Any) -> Self:
        """Refuse an unknown option before Python does, with a message that suggests the right name.

        Raises:
            TypeError: there is no such option; the message names the one that may be meant.
        """
        known = [one.name for one in fields(cls) if one.init]
        for name in options:
            if name not in known:
                raise TypeError(no_such("option", name, known, of=cls.name))
        return super().__new__(cls)

    def __post_init__(self) -> None:
        """Check every option, and replace each number by its exact value.

        Raises:
            ValueError: a value is not one that the option can have.
        """
        for name, codec in self.codecs():
            value = getattr(self, name)
            try:
                object.__setattr__(self, name, codec.check(value))
            except ValueError as error:
                raise type(error)(f"{option(name)}: {error}") from None
            except TypeError:  # it cannot be looked up
                raise ValueError(f"{option(name)}: {value!r} is none of its values") from None

    @classmethod
    def codecs(cls) -> list[tuple[str, Codec]]:
        """The options in the order of a document: those that all learners share first, ties last."""
        found = [(one.name, one.metadata["codec"]) for one in fields(cls) if "codec" in one.metadata]
        return sorted(found, key=lambda pair: pair[0] == "ties")

    def written(self) -> dict[str, Any]:
        """Every option in the form of a document."""
        defaults = {one.name: one.default for one in fields(self)}
        values = [(name, codec, getattr(self, name)) for name, codec in self.codecs()]
        return {name: codec.write(value) for name, codec, value in values if not codec.later or value != defaults[name]}

    @classmethod
    def read(cls, options: Mapping[str, Any]) -> Self:
        """The object with the options that `written` wrote.

        Raises:
            AttributeError, KeyError, TypeError, ValueError: an option is unknown, absent, or has a value it cannot
                have.
        """
        codecs = dict(cls.codecs())
        if strange := set(options) - set(codecs):
            raise ValueError(f"there is no option {min(strange)!r}")
        stated = {name: codec for name, codec in codecs.items() if name in options or not codec.later}
        return cls(**{name: _read(name, codec, options) for name, codec in stated.items()})


def _read(name: str, codec: Codec, options: Mapping[str, Any]) -> Any:
    """The value of an option that a document has."""
    try:
        return codec.read(options[name])
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


@dataclass(frozen=True, kw_only=True)
class Options(Recorded):
    """The base of all learners.

    Args:
        epsilon: a split needs a score of at least this.
        max_depth: no node lies deeper; the root has depth 0. None: no limit.
        min_samples_split: a node with less weight is a leaf.
        min_samples_leaf: the least weight of a branch that is not empty.
        ties: overrides for exact ties.
    """

    predicts = frozenset[Kind]({"categorical"})
    """The kinds of target that it can predict; no ClassVar, since those of a learner with a base are its base's."""
    profiles: ClassVar[dict[str, Profile]] = {}
    """Dialects by name; the modules of `dialects` add theirs."""
    spelled_out: ClassVar[dict[str, Any]] = {}
    """All options that a document has for this learner, in its order, with their written defaults; including the
    options that only dialects have. Empty if the class has all of them."""
    widest: ClassVar[type[Options] | None] = None
    """The class that has all these options; None for this one."""

    epsilon: Rational = number(0)
    max_depth: int | None = depth()
    min_samples_split: Rational = number(0)
    min_samples_leaf: Rational = number(0)
    ties: Ties = field(
        default_factory=Ties,
        metadata={"codec": Codec(_ties, _written_ties, lambda written: Ties.of(written["at"]), TIES)},
    )
    profile: str | None = field(default=None, init=False)
    """The dialect that set the options. Only `like` and `of` set it."""

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
        found = cls.profiles[profile]
        return cast(Self, found.learner.with_options(**{**found.options, **options})._in(profile))

    @classmethod
    def with_options(cls, **options: Any) -> Self:
        """The learner with some options, which may be options that only dialects have.

        Raises:
            TypeError: there is no such option.
        """
        own = {one.name for one in fields(cls)}
        return cast(Self, (cls if own >= set(options) else cls.widest or cls)(**options))

    @classmethod
    def _left_out(cls) -> dict[str, Any]:
        """The options that a document has but the class does not."""
        own = {name for name, _ in cls.codecs()}
        return {name: written for name, written in cls.spelled_out.items() if name not in own}

    def _in(self, profile: str | None) -> Self:
        object.__setattr__(self, "profile", profile)
        return self

    @cached_property
    def stops(self) -> Stops:
        """The stopping rules of the tree, from the options that the learner and `Stops` have in common."""
        return self.bounds(**{one.name: getattr(self, one.name) for one in fields(Stops) if hasattr(self, one.name)})

    @property
    def bounds(self) -> type[Stops]:
        """The class of the stopping rules."""
        return Stops

    def decide(self, sample: Sample, place: Place | None = None) -> Decision:
        """The decision at a node."""
        raise NotImplementedError

    def judge_one(self, sample: Sample, place: Place, test: Test) -> Candidate:
        """One question as a candidate, whether or not the learner would try it; see `decision.Learner`."""
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
        """Every option that a document has, in its order."""
        return {**self.spelled_out, **self.written()}

    @classmethod
    def of(cls, options: Mapping[str, Any], profile: str | None = None) -> Self:
        """The learner that a tree document records.

        Raises:
            InputError: there is no such profile; an option is unknown, absent, or has a value it cannot have.
        """
        try:
            if profile not in (None, *cls.profiles):
                raise ValueError(f"there is no profile {profile!r}")
            learner = cls if profile is None else cls.profiles[profile].learner
            left_out = learner._left_out()
            unknown = set(options) - {*left_out, *dict(learner.codecs())}
            if unknown or any(options[name] != written for name, written in left_out.items()):
                learner = cls.widest or cls
            codecs = dict(learner.codecs())
            if strange := set(options) - {*cls.spelled_out, *codecs}:
                raise ValueError(f"there is no option {min(strange)!r}")
            found = learner.read({name: value for name, value in options.items() if name in codecs})
            return cast(Self, found._in(profile))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise InputError(f"these are not the options of {cls.name}: {error}") from None
