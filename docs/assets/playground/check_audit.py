"""Check my tree: what a reader gave, and its audit.

`audited_tree` writes the table and the text of the tree as files and asks what `reference-tree audit` asks. A text that
is only the lines of a tree, as a person writes it, gets the head and the end that Weka would print (`completed`).
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager, redirect_stderr
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from docs.assets.playground.playground import State as Playground
from docs.assets.playground.playground import learner_of, table_of
from reference_tree.auditing.audit import Audit
from reference_tree.auditing.finding import Finding, Findings
from reference_tree.cli.arguments import parser
from reference_tree.cli.auditing import audited
from reference_tree.cli.options import flag, learner_flags
from reference_tree.cli.output import forget_remarks
from reference_tree.data.errors import InputError, InputWarning, on_command_line
from reference_tree.learners.growing import Visit, revisit
from reference_tree.programs.reader import readers
from reference_tree.tree import Tree

TREE, TABLE = "tree.txt", "table.csv"
"""The names of the two texts, as errors have them."""

_COUNTED = re.compile(r"(?m)\([\d.]+(?:/[\d.]+)?\)[ \t]*$")
_LISTS = ("categorical", "continuous", "without")
_FURTHER = ("weights", "max_leaves")


class State(NamedTuple):
    """What a reader gave."""

    table: str = "golf"
    """The name of a textbook data set; or of a file, whose text is `csv`."""
    csv: str = ""
    tree: str = ""
    """What a program printed, or a person wrote."""
    target: str = ""
    """The column to predict; none: the data set's own, or the last."""
    learner: str = ""
    """Name and perhaps dialect, as in `c45/weka-j48`; none: that of the program."""
    options: str = ""
    """Options of the learner: `max_depth=2 criterion=gini`; those of `audit` with a value are among them."""
    pruned: str = ""
    """Whether a leaf may be where the learner would split."""
    round: str = ""
    """Of several trees, the number of the one that is shown, from 1; none: the first that is wrong."""
    node: str = ""
    """The path of the node that is looked at; none: the first that is wrong."""

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> State:
        """A state from a mapping; what is not there has its default."""
        return cls(**{name: value for name, value in found.items() if name in cls._fields})


class Checked(NamedTuple):
    """The audit of a tree, and what there is to say about the input."""

    findings: Findings
    remarks: tuple[str, ...]
    columns: tuple[str, ...]


@lru_cache(maxsize=4)
def audited_tree(state: State) -> Checked:
    """The audit of a state; which node is looked at is left out of it.

    Raises:
        InputError: the table or the tree cannot be read, or an option is none.
    """
    if not state.tree.strip():
        raise InputError("there is no tree yet: paste one")
    if state.csv and _is_tree(state.csv):
        raise InputError("this is a tree; it belongs into the other field", path=TABLE)
    text, lines = completed(state.tree)
    said, heard = list[str](), io.StringIO()
    with TemporaryDirectory() as folder, chdir(folder), redirect_stderr(heard), _listening() as doubts:
        Path(TREE).write_text(text, encoding="utf-8")
        if state.csv:
            Path(TABLE).write_text(state.csv, encoding="utf-8")
        try:
            found = _audited(state, said)
        except InputError as error:
            line = error.line - lines if error.line is not None and error.path == TREE else error.line
            message = re.sub(r"^is not a tree of Weka: ", "", error.message) if lines else error.message
            raise InputError(in_form(message), path=error.path, line=line, column=error.column) from None
        except SystemExit:
            last = heard.getvalue().strip().split("\n")[-1]
            raise InputError(in_form(last.partition(": ")[2].partition("; see ")[0])) from None
        finally:
            forget_remarks()
    heard_of = [in_form(line.removeprefix("reference-tree: ")) for line in heard.getvalue().splitlines()]
    said += [line for line in heard_of if not line.startswith("no learner is named")]
    said += [str(one.message) for one in doubts]
    table = next(iter(found.claims)).table if isinstance(found, Audit) else found.table
    columns = (*(one.name for one in table.schema.attributes), table.schema.target.name)
    return Checked(found, tuple(dict.fromkeys(said)), columns)


@contextmanager
def _listening() -> Iterator[list[Any]]:
    """Warnings are kept, and errors are worded as for commands."""
    with on_command_line(), warnings.catch_warnings(record=True) as doubts:
        warnings.simplefilter("always", InputWarning)
        yield doubts


def in_form(message: str) -> str:
    """A message in the words of the form, which has no options with dashes.

    Example:
        >>> in_form("argument --max-depth: 'x' is not a depth; say --learner")
        "max_depth: 'x' is not a depth; say learner"
    """
    return re.sub(r"(?:argument )?--(?:option )?([a-z][\w-]*)", lambda flag: flag[1].replace("-", "_"), message)


def _audited(state: State, said: list[str]) -> Any:
    """The audit; a tree of which nobody says what grew it is judged by a learner that suits the table."""
    try:
        found = audited(parser().parse_args(_arguments(state)))
        assert found.findings is not None
        return found
    except InputError as error:
        if "say --learner" not in error.message or state.learner:
            raise
    playground = Playground(state.table, state.csv, state.target)
    learner = learner_of(playground, table_of(playground))[0]
    said.append(f"the tree does not say which learner grew it; it is judged as one of {learner}")
    return _audited(state._replace(learner=learner), said)


def _arguments(state: State) -> list[str]:
    """The words of the command `audit`."""
    learner, _, profile = state.learner.partition("/")
    words = ["audit", TREE, TABLE if state.csv else state.table]
    words += [f"--learner={learner}"] * bool(learner) + [f"--profile={profile}"] * bool(profile)
    words += [f"--target={state.target}"] * bool(state.target) + ["--pruned"] * bool(state.pruned)
    for pair in state.options.split():
        name, _, value = pair.partition("=")
        if name in _LISTS:
            words += [f"--{name}={one}" for one in value.split(",")]
        elif name in learner_flags() or name in _FURTHER:
            words += [f"{flag(name)}={value}"]
        else:
            words += ["--option", name, value]
    return words


def completed(text: str) -> tuple[str, int]:
    r"""A text as a reader takes it, and how many lines were put before it.

    The lines of a tree alone, as a person writes them, get the head of Weka's Id3; if numbers of rows stand behind the
    answers, head and end are those of J48.

    Raises:
        InputError: it is no tree of any program, nor looks like one.

    Example:
        >>> completed("windy = true: no\nwindy = false: yes\n")[1]
        2
    """
    if text.lstrip()[:1] in ("{", "[", "<") or _is_tree(text):
        return text, 0
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and not re.search(r" (?:<=|>=|!=|<|>|=|in) ", lines[0]):
        raise InputError(
            "is no tree of a program that is read here, and its first line asks nothing", path=TREE, line=1
        )
    if not _COUNTED.search(text):
        return f"Id3\n\n{text}", 2
    size = len(lines) + 1 if len(lines) > 1 else 1
    return f"J48 pruned tree\n------------------\n\n{text}\n\nSize of the tree : {size}\n", 3


def _is_tree(text: str) -> bool:
    return any(reader.begins(text) for reader in readers().values())


def tree_of(state: State, found: Findings) -> tuple[int | None, Tree]:
    """The tree that is shown, with its number."""
    if None in found.trees:
        return None, found.trees[None]
    wanted = int(state.round) - 1 if state.round.isdecimal() else found.wrong[0].tree if found.wrong else 0
    number = wanted if wanted in found.trees else next(iter(found.trees))
    return number, found.trees[number]


def visit_of(found: Findings, number: int | None, seen: Finding) -> Visit | None:
    """What the learner decides at a node; nothing for a boosted tree, or where it cannot decide."""
    if not isinstance(found, Audit):
        return None
    claim = next(one for one in found.claims if one.number == number)
    try:
        return next(one for one in revisit(claim.tree, claim.learner, claim.table) if one.number == seen.number)
    except (InputError, ValueError, AttributeError, StopIteration):
        return None  # a learner that replays the draws of a program
