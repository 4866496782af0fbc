"""Options that several commands share, and how the words behind them are read.

Each `add_...` gives a command a group of options; the functions below read a word, or refuse it in a line.
"""

from __future__ import annotations

import argparse
import re
import threading
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from reference_tree.data.readers.text import TIMES
from reference_tree.ensembles.registry import ENSEMBLES
from reference_tree.learners.options import Options
from reference_tree.learners.recorded import AMOUNT, TRUTH, Conflict, Domain, Option, Recorded
from reference_tree.learners.registry import FITTED, LEARNERS
from reference_tree.tree_document.form import LARGEST
from reference_tree.views.derivation.numerals import MOST_PLACES
from reference_tree.views.trees.languages import DIALECTS

RANGE = re.compile(r"[0-9]+-[0-9]+")

MANY = 1000
"""The most values of a range."""


def add_data(command: argparse.ArgumentParser, **of: Any) -> None:
    """The table a command works on, and how its file is read."""
    command.add_argument(
        "data",
        metavar="DATA",
        help="a .csv, .xlsx, .json, .parquet, .arff or .names file, ...; - for standard input; or a textbook data set",
        **of,
    )
    command.add_argument("--target", metavar="NAME", help="the column to predict (default: the last)")
    command.add_argument("--weights", metavar="NAME", help="the column that holds the weight of each row")
    command.add_argument("--without", metavar="NAME", action="append", default=[], help="leave an attribute out")
    command.add_argument(
        "--categorical", metavar="NAME", action="append", default=[], help="read a column as categories ('*': all)"
    )
    command.add_argument("--continuous", metavar="NAME", action="append", default=[], help="read a column as numbers")
    add_layout(command)


def add_layout(command: argparse.ArgumentParser) -> None:
    """How the cells of a file are read."""
    add = command.add_argument
    add("--na", metavar="TEXT", action="append", help="a cell that means a missing value (default: ?, empty and NA)")
    add("--separator", metavar="SIGN", help="the separator of cells, or 'tab' (default: that of the first line)")
    add(
        "--decimal",
        choices=(".", ","),
        metavar="SIGN",
        help="the decimal separator (default: detected for each column)",
    )
    add("--no-header", dest="header", action="store_false", help="the first line is a row; columns are c1, c2, ...")
    add("--table", metavar="NAME", help="the table, the view or the SELECT in a database (default: the only one)")
    add("--encoding", metavar="NAME", help="the encoding: utf-8, gb18030, windows-1252, ... (default: detected)")
    add_largest(command)


def add_learner(command: argparse.ArgumentParser, for_many: bool = False) -> None:
    """The options of learners; for many trees with several values of an option, and without those of one tree."""
    group = command.add_argument_group(
        "the learner", "The default is that of the learner, or of its profile; not every learner has every option."
    )
    add = group.add_argument
    add(
        "--learner",
        choices=tuple(LEARNERS),
        help="the learning algorithm (default: id3 for categories, cart for numbers)",
    )
    profiles = [f"{name} has {', '.join(learner.profiles)}" for name, learner in LEARNERS.items() if learner.profiles]
    add("--profile", metavar="NAME", help=f"the dialect to follow: {'; '.join(profiles)}")
    for name, one in learner_flags().items():
        if not (for_many and name == "seed"):
            add_option(add, name, one, for_many)
    add_pair(add, "--option", ("NAME", "VALUE"), "any other option, as the learner's page and a tree document have it")
    if for_many:
        return
    add_pair(add, "--choose", ("PATH", "ATTRIBUTE"), "the attribute of the test at a node, among exact ties")
    add_pair(add, "--label", ("PATH", "CLASS"), "the class predicted at a node, among exact ties")


def add_pre_pruning(command: argparse.ArgumentParser) -> None:
    """Rows that are asked before each split."""
    add_conflicts(command, is_for("on_equal", "pre-pruning", "--pre-prune VALIDATION"))
    add = command.add_argument_group("pre-pruning").add_argument
    what = "split only if fewer of these rows, a file or a textbook data set, are misclassified then"
    add("--pre-prune", metavar="VALIDATION", help=what)
    add("--on-equal", choices=("stop", "split"), help="if the validation error stays the same (default: stop)")


def add_ensemble(command: argparse.ArgumentParser, for_many: bool = False) -> None:
    """The options of ensembles, whose trees have those of a learner; for many, one may have several values."""
    group = command.add_argument_group(
        "an ensemble",
        "Many trees instead of one. The options of the learner are those of each tree, and --seed that of the draws.",
    )
    add = group.add_argument
    add("--ensemble", choices=tuple(ENSEMBLES), help="the ensemble method")
    for name, one in ensemble_flags().items():
        add_option(add, name, one, for_many)
    what = "any other option, as the page of the ensemble and its document have it"
    add_pair(add, "--ensemble-option", ("NAME", "VALUE"), what)
    add("--jobs", type=whole, metavar="N", help="trees grown in parallel (default: 1); the result is the same")


def add_round(command: argparse.ArgumentParser) -> None:
    """Which tree of an ensemble."""
    command.add_argument("--round", type=whole, metavar="M", help="tree M of the ensemble alone; the first is 1")


def add_division(command: argparse.ArgumentParser) -> None:
    """How rows are divided."""
    command.add_argument("--seed", type=whole, metavar="S", help="the seed of the draw of the rows (default: 0)")
    add_stratified(command)


def add_stratified(command: argparse.ArgumentParser) -> None:
    """Whether rows are divided class by class."""
    purpose = "whether each class is divided evenly (default: yes)"
    command.add_argument("--stratified", action=argparse.BooleanOptionalAction, help=purpose)


def add_format(command: Any, formats: Any) -> None:
    """The form of the results of a command."""
    purpose = "how to write it (default: by the ending of --output, or text)"
    command.add_argument("--format", choices=tuple(formats), help=purpose)
    command.set_defaults(formats=tuple(formats))


def add_dialect(command: Any) -> None:
    """For which program SQL is written."""
    add_conflicts(command, is_for("dialect", "sql", "--format sql"))
    what = f"with --format sql: {', '.join(DIALECTS)} (default: standard)"
    command.add_argument("--dialect", choices=tuple(DIALECTS), metavar="PROGRAM", help=what)


def add_largest(command: argparse.ArgumentParser) -> None:
    """How large the file of a tree may be, and how far a packed table may unpack."""
    what = (
        f"the most bytes of a tree's file (default: {LARGEST}), or of a packed table (default: {TIMES} times its size)"
    )
    command.add_argument("--largest", type=bytes_of, metavar="BYTES", help=what)


def add_ignored(command: Any) -> None:
    """How another program's file is read: the members that are passed over, and the rounds that answer."""
    what = "pass over a member of another program's file that is not known here (repeatable); every answer says so"
    command.add_argument("--ignore-member", metavar="NAME", action="append", default=[], help=what)
    what = "the rounds of a boosted model that answer: a number, all or best (default: as the class that saved it)"
    command.add_argument("--iterations", metavar="N", help=what)
    what = "which output of a model with several targets or quantiles is predicted"
    command.add_argument("--model-output", metavar="NAME", help=what)


def add_pair(add: Callable[..., Any], flag: str, of: tuple[str, str], purpose: str) -> None:
    """An option of two words that may be repeated."""
    add(flag, nargs=2, metavar=of, action="append", default=[], help=purpose)


# Options that exclude each other. They are refused before a command runs.


def add_conflicts(command: Any, *conflicts: Conflict) -> None:
    """Options of a command that exclude each other."""
    command.set_defaults(conflicts=(*(command.get_default("conflicts") or ()), *conflicts))


def is_for(name: str, what: str, *others: str) -> Conflict:
    """The refusal of an option without the option that it serves.

    Args:
        name: the option.
        what: the option that it serves.
        others: the flags, one of which has to be given, some with the word that it has to have.

    Example:
        >>> found = is_for("dialect", "sql", "--format sql")
        >>> found.when({"dialect": "duckdb", "format": "text"}), found.words({})
        (True, '--dialect is for sql; say --format sql, too')
    """

    def lacks(of: Mapping[str, Any]) -> bool:
        wanted = [(of[one[2:].replace("-", "_")], word) for one, _, word in (other.partition(" ") for other in others)]
        return of[name] is not None and not any(given == word if word.islower() else given for given, word in wanted)

    return Conflict((name,), lacks, lambda _: f"{flag(name)} is for {what}; say {' or '.join(others)}, too")


def apart(name: str, other: str, words: str) -> Conflict:
    """The refusal of two options that exclude each other."""
    return Conflict((name, other), lambda of: of[name] and of[other], lambda _: words)


# The options of learners that have a flag of their own.


def flag(name: str) -> str:
    """The flag of an option.

    Example:
        >>> flag("max_depth")
        '--max-depth'
    """
    return f"--{name.replace('_', '-')}"


def learner_flags() -> Mapping[str, Option]:
    """The options of learners of trees that have a flag of their own; the others are given by `--option`."""
    return flags_of([Options, *(kind.widest or kind for kind in (*LEARNERS.values(), *FITTED.values()))])


def ensemble_flags() -> Mapping[str, Option]:
    """The options of ensembles, besides the seed; the others are given by `--ensemble-option`."""
    return flags_of(ENSEMBLES.values())


def flags_of(kinds: Iterable[type[Recorded]]) -> Mapping[str, Option]:
    """The options that have a flag, as the first class describes them; with a default if all classes have the same."""
    described = [pair for kind in kinds for pair in kind.options().items()]
    found: dict[str, Option] = {}
    for name, one in described:
        if one.flag:
            found.setdefault(name, one)
    unlike = {name for name, one in described if name in found and one.default != found[name].default}
    return {name: one._replace(default=None) if name in unlike else one for name, one in found.items()}


SIGNS: Mapping[str, str] = {"number": "NUMBER", "whole": "N", "name": "NAME"}
"""The placeholder of a value in the help, if its unit is none."""


def add_option(add: Callable[..., Any], name: str, one: Option, for_many: bool = False) -> None:
    """The flag of an option; for many trees, where it may have several values."""
    usual = "" if one.default is None else f" (default: {one.usual})"
    types: Mapping[str, Callable[[str], Any]] = {
        "number": partial(number, of=one.domain),
        "whole": partial(whole, what=one.unit or "whole number"),
    }
    read = types.get(one.domain.form)
    if for_many:
        read = several(read or str)
    sign = one.unit.upper() or SIGNS.get(one.domain.form, "VALUE")
    if one.domain is TRUTH:
        add(flag(name), action=argparse.BooleanOptionalAction, help=one.help + usual)
    else:
        added = add(flag(name), type=read, metavar=sign, help=one.help + usual)
        added.words = () if isinstance(one.domain.values, str) else one.domain.values  # that a shell completes


# How words are read.


def number(text: str, of: Domain = AMOUNT) -> Any:
    """An exact number that an option can be; usually it is not negative."""
    try:
        return of.read(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def share(text: str) -> Fraction:
    """A share of the rows."""
    part = Fraction(number(text))
    if not 0 < part < 1:
        raise argparse.ArgumentTypeError(f"{text} is no share of the rows: it lies between 0 and 1")
    return part


def whole(text: str, what: str = "whole number") -> int:
    """A whole number."""
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"{text!r} is not a {what}: 0, 1, 2, ...")
    return int(text)


def digits(text: str) -> int:
    """So many decimals."""
    if (places := whole(text)) > MOST_PLACES:
        raise argparse.ArgumentTypeError(f"{text} decimals are more than the {MOST_PLACES} that are printed")
    return places


def seconds(text: str) -> float:
    """A time, at most as long as a timer waits."""
    return float(min(number(text), Fraction(threading.TIMEOUT_MAX)))


def bytes_of(text: str) -> int:
    """A number of bytes; those of a file may be more than a whole number of the other options is."""
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of bytes: 1, 2, 3, ...")
    return int(text)


def several(one: Callable[[str], Any]) -> Callable[[str], tuple[Any, ...]]:
    """Several values of an option: `0-8`, `0,0.1,0.2`, or `1,2,5-7`."""

    def read(text: str) -> tuple[Any, ...]:
        found: list[Any] = []
        for part in text.split(","):
            if RANGE.fullmatch(part):
                low, high = map(whole, part.split("-"))
                if not low <= high < low + MANY:
                    raise argparse.ArgumentTypeError(f"{part} is no range of at most {MANY} values")
                found += [one(str(value)) for value in range(low, high + 1)]
            else:
                found.append(one(part))
        return tuple(found)

    return read
