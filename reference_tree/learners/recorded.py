"""Recorded: a class whose fields are options, each with one description that stands where its field is.

The description of an option is complete: its default, its domain, its meaning, whether it has a flag of its own. The
check, the member of a document, the flag and its help, the row on a page and the `Args` of the class are read off it.

1. A `Domain` is the values that an option can have: how one is checked, written to a document and read from it.
   `number`, `whole`, `word` and `rule` make one; the constants are those in common use.
2. An `Option` is the description, which `described` puts into a field. A class that restates an option says only what
   differs: `max_depth: int | None = 6` changes the default, and nothing else.
3. `Recorded` is a class with such fields. Options that exclude each other are records, too (`Conflict`).
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import Field, dataclass, field, fields
from functools import cache
from numbers import Integral
from typing import Any, ClassVar, Literal, NamedTuple, Self, get_args

from reference_tree.data.errors import InputError, hint, no_such, option
from reference_tree.exact.rationals import Rational, decimal_text, exactly, rational


class Domain(NamedTuple):
    """The values that an option can have. Each function raises ValueError for an invalid value."""

    check: Callable[[Any], Any]
    """Gives the exact value of a value in Python."""
    write: Callable[[Any], Any]
    """Gives the form of a value in a document."""
    read: Callable[[Any], Any]
    """Gives the value of a form in a document."""
    values: str | Collection[str]
    """The values in a document: the words themselves, to which a dialect may add; or a description for people."""
    form: Literal["number", "whole", "name", "object"] = "object"
    """What a value is on the command line."""

    @property
    def listed(self) -> str:
        """The values, for a reader of Markdown."""
        return self.values if isinstance(self.values, str) else ", ".join(f"`{word}`" for word in self.values)

    def holds(self, value: Any, *, written: bool = False) -> bool:
        """Whether a value, as it is given or as it is written in a document, is one of them."""
        try:
            (self.read if written else self.check)(value)
        except ValueError:
            return False
        return True


def number(
    holds: Callable[[Rational], bool] | None = None, values: str = "a number", *, or_none: bool = False
) -> Domain:
    """Exact numbers, given as anything that has an exact value.

    Args:
        holds: whether a number is one of them; None: all are.
        values: these numbers, in words.
        or_none: whether None is a value, too.
    """

    # One check for both sources: Python gives anything that has an exact value, a document gives text.
    def held(given: Any, exact: Callable[[Any], Rational]) -> Rational | None:
        if given is None and or_none:
            return None
        value = exact(given)
        if holds is not None and not holds(value):
            raise ValueError(f"it is {values}, not {value}")
        return value

    return Domain(
        lambda given: held(given, _exactly),
        lambda value: None if value is None else decimal_text(value),
        lambda text: held(text, _number),
        f"{values}, as text" + ", or `null`" * or_none,
        "number",
    )


def whole(least: int | None = None, most: int | None = None, *, or_none: bool = False) -> Domain:
    """Whole numbers between two bounds; None: no such bound. With `or_none`, None is a value, too."""
    values = "a whole number" + (f" from {least}" if least is not None else "") + (f" to {most}" if most else "")

    def held(value: Any) -> int | None:
        if value is None and or_none:
            return None
        # A truth is a whole number for Python: a `True` in the place of a depth would be a depth of 1.
        is_whole = isinstance(value, Integral) and not isinstance(value, bool)  # one of numpy's perhaps
        if not is_whole or (least is not None and value < least) or (most is not None and value > most):
            raise ValueError(f"it is {values}{', or None' * or_none}, not {value!r}")
        return int(value)

    return Domain(held, held, held, values + ", or `null`" * or_none, "whole")


def word(*of: Any) -> Domain:
    """Some words.

    Args:
        of: words, collections of words, or Literals; a single mapping may grow later.

    Example:
        >>> word("auto", Literal["exact", "hist"]).listed
        '`auto`, `exact`, `hist`'
    """
    # A mapping is kept as it is: a dialect may add words to it later, and its records have words of their own for the
    # help.
    words: Collection[str] = of[0] if isinstance(of[0], Mapping) and len(of) == 1 else _words(of)
    return Domain(_one_of(words), str, _one_of(words), words, "name")


def rule(rules: Mapping[str, Callable[..., Any]]) -> Domain:
    """Named rules, each given as the function or by its name.

    Args:
        rules: all rules, by the names that a document records.
    """

    def known(chosen: Any) -> Any:
        if isinstance(chosen, str):
            return read(chosen)
        # By identity: a tree must be able to name the rule, and a function of one's own has no name that another reader
        # knows.
        if not any(chosen is one for one in rules.values()):
            raise ValueError(f"a rule is one of {', '.join(rules)}, so that a tree can record it")
        return chosen

    def read(name: Any) -> Any:
        return rules[_one_of(rules)(name)]

    def written(chosen: Any) -> str:
        return next(name for name, one in rules.items() if one is chosen)

    return Domain(known, written, read, rules, "name")


def _words(of: Any) -> list[str]:
    return [of] if isinstance(of, str) else [word for one in get_args(of) or of for word in _words(one)]


def _one_of(words: Collection[str]) -> Callable[[Any], str]:
    def known(given: Any) -> str:
        if not isinstance(given, Hashable) or given not in words:
            near = hint(given, words) if isinstance(given, str) else ""
            raise ValueError(f"there is no {given!r}{near}; there are {', '.join(words)}")
        return str(given)

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


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"it is either true or false, not {value!r}")
    return value


NUMBER = number()
AMOUNT = number(lambda value: value >= 0, "a number from 0")
SHARE = number(lambda value: 0 < value <= 1, "a number above 0, and at most 1")
DEPTH = whole(0, or_none=True)
SEED = whole()
TRUTH = Domain(_truth, _truth, _truth, "`true` or `false`")


class Option(NamedTuple):
    """The description of an option: everything that is known about it."""

    default: Any
    domain: Domain
    words: str
    """What it means. The first sentence is the help of its flag."""
    unit: str = ""
    """What its value is counted in, or is the name of; it stands for the value in the help."""
    flag: bool = False
    """Whether it has a flag of its own on the command line; the others are given by name."""
    since: str = ""
    """The day since which documents can have it, if it came later: a document states it only if it is not the default,
    so that an older document is still read correctly."""
    after: str = ""
    """The option after which a document has it; empty: after those that are described before it."""

    @property
    def usual(self) -> Any:
        """The default in the form of a document."""
        return self.domain.write(self.default)

    @property
    def meaning(self) -> str:
        """Its words, and those of the records that are its values."""
        of = self.domain.values.items() if isinstance(self.domain.values, Mapping) else ()
        said = [f"`{name}`: {words}" for name, one in of if (words := getattr(one, "words", ""))]
        return ". ".join(filter(None, [self.words, "; ".join(said)]))

    @property
    def help(self) -> str:
        """The first sentence of its words, and the words that it can have."""
        short = self.words.partition(". ")[0].replace("`", "")
        return short if isinstance(self.domain.values, str) else f"{short}: {', '.join(self.domain.values)}"


def described(default: Any, domain: Domain | None = None, words: str = "", **more: Any) -> Any:
    """A field that is an option.

    Args:
        default: its default; a rule by its name.
        domain: its values; None: as in the class above, whose option is restated here.
        words: its meaning; empty: as in the class above.
        more: the other fields of `Option`.
    """
    # Only what is stated is kept. A subclass that gives another default then inherits everything else of the
    # description.
    checked = default if domain is None else domain.check(default)
    stated = {"domain": domain, "words": words, **more}
    return field(default=checked, metadata={"option": {name: value for name, value in stated.items() if value}})


@cache
def _options_of(kind: type) -> Mapping[str, Option]:
    """The options of a class, in the order of a document: those that all learners share first, ties last."""
    options: dict[str, Option] = {}
    # From the base down: a dictionary keeps the place of the first insertion, so an option that a subclass describes
    # anew stays where documents have it.
    for one in reversed(kind.__mro__):
        for name, stated in _fields_of(one).items():
            more = {**stated.metadata.get("option", {}), "default": stated.default}
            if name in options:
                options[name] = options[name]._replace(**more)
            elif "domain" in more:
                options[name] = Option(**more)
    order = sorted((name for name in options if not options[name].after), key=lambda name: name == "ties")
    for name, each in options.items():
        if each.after:
            order.insert(order.index(each.after) + 1, name)
    return {name: options[name] for name in order}


def _fields_of(kind: type) -> Mapping[str, Field[Any]]:
    """The fields of a class; of one that is no dataclass yet, those that are described in it."""
    # `__init_subclass__` asks before `dataclass` has made the class one; its fields are then still attributes.
    own = vars(kind)
    found: Mapping[str, Field[Any]] | None = own.get("__dataclass_fields__")
    return {name: one for name, one in own.items() if isinstance(one, Field)} if found is None else found


def _with_arguments(kind: type[Recorded]) -> str | None:
    """The docstring of a class with its options as arguments, before its examples and sources."""
    if kind.__doc__ is None:
        return None
    text = inspect.cleandoc(kind.__doc__)
    # Not through the cache: it would keep the options from before the class was complete.
    listed = [
        textwrap.fill(f"{name}: {one.meaning}.", 116, initial_indent=" " * 4, subsequent_indent=" " * 8)
        for name, one in _options_of.__wrapped__(kind).items()
    ]
    before, *rest = re.split(r"\n\n(?=\w+:\n)", text, maxsplit=1)
    return "\n\n".join([before, "\n".join(["Args:", *listed]), *rest])


# Options that are each valid: no domain can refuse them together.
class Conflict(NamedTuple):
    """Options that exclude each other."""

    options: tuple[str, ...]
    when: Callable[[Any], bool]
    """Whether these options of a learner, or those that are given, do."""
    words: Callable[[Any], str]
    """Says to its user what to do instead."""


def check_conflicts(conflicts: Iterable[Conflict], of: Any) -> None:
    """Refuse options that exclude each other.

    Raises:
        InputError: some do; the message says what to do instead.
    """
    for conflict in conflicts:
        if conflict.when(of):
            raise InputError(conflict.words(of))


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """A class whose fields are options: values are checked and made exact, and can be written and read."""

    name: ClassVar[str]
    """The name that a document records."""
    conflicts: ClassVar[tuple[Conflict, ...]] = ()
    """Its options that exclude each other."""

    def __init_subclass__(cls) -> None:
        """Put the descriptions of the options into the docstring of the class."""
        super().__init_subclass__()
        cls.__doc__ = _with_arguments(cls)

    def __new__(cls, *_: Any, **options: Any) -> Self:
        """Refuse an unknown option before Python does, with a message that suggests the right name.

        Raises:
            TypeError: there is no such option; the message names the one that may be meant.
        """
        is_copy = {*options} == {one.name for one in fields(cls)}  # a copy by `dataclasses.replace` gives every field
        for name in () if is_copy else options:
            if name not in cls.options():
                raise TypeError(no_such("option", name, cls.options(), of=cls.name))
        return super().__new__(cls)

    def __post_init__(self) -> None:
        """Check every option, and replace each number by its exact value.

        Raises:
            ValueError: a value is not one that the option can have.
            InputError: options exclude each other.
        """
        # Every value is checked where it enters, once, and is exact from there on. A frozen object sets its own fields
        # so.
        for name, one in self.options().items():
            value = getattr(self, name)
            try:
                object.__setattr__(self, name, one.domain.check(value))
            except ValueError as error:
                raise type(error)(f"{option(name)}: {error}") from None
        check_conflicts(self.conflicts, self)

    @classmethod
    def options(cls) -> Mapping[str, Option]:
        """The options in the order of a document: those that all learners share first, ties last.

        Example:
            >>> from reference_tree.learners.id3 import ID3
            >>> ID3.options()["max_depth"].words
            'no node lies deeper; the root has depth 0. None: no limit'
        """
        kind: type = cls  # any class can be hashed, whatever its instances are
        return _options_of(kind)

    @classmethod
    def of_dialects(cls) -> Mapping[str, Option]:
        """Its options, and those of all its dialects."""
        return cls.options()

    def written(self, options: Mapping[str, Option] | None = None) -> dict[str, Any]:
        """Every option, or some, in the form of a document; what the learner does not have is the default."""
        known = self.options() if options is None else options
        values = {name: getattr(self, name, one.default) for name, one in known.items()}
        # An option that came later stands in a document only if it is not the default: older documents, and readers of
        # them, stay valid.
        stated = {name: one for name, one in known.items() if not one.since or values[name] != one.default}
        return {name: one.domain.write(values[name]) for name, one in stated.items()}

    @classmethod
    def read(cls, options: Mapping[str, Any]) -> Self:
        """The object with the options that `written` wrote.

        Raises:
            ValueError: an option is unknown, absent, or has a value it cannot have.
        """
        known = cls.options()
        if not isinstance(options, Mapping):
            raise ValueError(f"options are given by name, not as {options!r}")
        # An option that is not understood is refused, and never passed over: it may change the tree.
        if strange := set(options) - set(known):
            raise ValueError(f"there is no option {min(strange)!r}")
        # All others have to be there: a default left to the code could change with it.
        stated = {name: one for name, one in known.items() if name in options or not one.since}
        return cls(**{name: _read(name, one, options) for name, one in stated.items()})


def _read(name: str, one: Option, options: Mapping[str, Any]) -> Any:
    """The value of an option that a document has."""
    if name not in options:
        raise ValueError(f"the option {name!r} is absent")
    try:
        return one.domain.read(options[name])
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
