"""Reading: a tree or an ensemble from a document; or one line that names the fault.

The reader checks what the schema cannot express: that branches lead to nodes in preorder, that a test fits its
attribute, that shares add up to 1, that exactly one rule covers a row without an answer. Each part is read by a
function that raises an error if it is wrong; `from_json` adds the name of the part.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from reference_tree.data.errors import InputError, no_such, shown
from reference_tree.data.held import CODES
from reference_tree.data.questions import Missing, SeenSubset, Subset, Surrogate, Test
from reference_tree.data.schema import Attribute
from reference_tree.ensembles.ensemble import COMBINATIONS, Ensemble, Member
from reference_tree.ensembles.random_forest import OPTION as FOREST
from reference_tree.ensembles.registry import ENSEMBLES, RECORDED, ensemble_learner_of
from reference_tree.exact.rationals import Rational, shortened, simplest
from reference_tree.exact.rounding import significant
from reference_tree.learners.registry import PRUNING
from reference_tree.node import Deviations, Node
from reference_tree.pruning.pre_pruning import OPTION as PRE_PRUNING
from reference_tree.tree import TEXTS, Grower, Program, Tree
from reference_tree.tree_document.form import (
    BYTES_A_NODE,
    ENSEMBLE_FORMAT,
    FOREIGN,
    FORMAT,
    LARGEST,
    ROUNDED,
    RULES,
    STOPS,
)
from reference_tree.tree_document.members import MEMBER_KEYS, read_member, read_weight
from reference_tree.tree_document.nodes import KEYS, kind_of, read_answer, read_test, read_when
from reference_tree.tree_document.silence import NUMBERS, left_out, read_program
from reference_tree.tree_document.strict import (
    TO_READ_MORE,
    closed,
    flag,
    items,
    known,
    parsed,
    some,
    text,
    texts,
    weight,
)
from reference_tree.tree_document.treatments import read_treatment

Read = TypeVar("Read")

OF_TREES = (PRUNING, PRE_PRUNING, FOREST, TEXTS)
"""The facts about a tree beside the options of its learner: its pruning, its draws, and its dates."""


class _NodeChecks(NamedTuple):
    """The facts that a node is checked against."""

    target: Attribute
    attributes: Mapping[str, Attribute]
    size: int
    foreign: bool
    silent: frozenset[str]
    kind: str
    """The kind of answer of the nodes that state one."""
    numbers: str
    """How the program held the values of attributes."""

    @classmethod
    def of(
        cls,
        entries: Sequence[object],
        target: Attribute,
        attributes: Mapping[str, Attribute],
        grower: Grower,
        program: Program | None,
    ) -> _NodeChecks:
        """The facts that the nodes of a tree are checked against."""
        silent = frozenset[str]() if program is None else program.silent
        numbers = "exact" if program is None else program.numbers
        return cls(target, attributes, len(entries), grower.name == FOREIGN, silent, kind_of(entries), numbers)

    def question(self, test: object, branches: Iterable[Mapping[str, Any]]) -> Test:
        """The test of some branches."""
        outcomes = [read_when(branch["when"], self.numbers) for branch in branches]
        return read_test(test, outcomes, self.attributes, self.numbers)


@contextmanager
def _reading(what: str, place: str | Callable[[], str]) -> Iterator[None]:
    """Raise an error in a part of a document again, with the place of that part: as it is then, if a function says."""
    try:
        yield
    except (ValueError, RecursionError) as error:
        there = place if isinstance(place, str) else place()
        raise InputError(f"is not {what}: in {there}: {error}") from None


def read_tree(path: str | Path, *, largest: int = LARGEST) -> Tree:
    """A tree from a document on disk.

    Args:
        path: the path of the file.
        largest: the most bytes that are read; a larger file is refused before it is read.

    Raises:
        InputError: the file cannot be read, is too large, or is no JSON or no tree document.
    """
    return _read(path, from_json, largest)


def read_predictor(path: str | Path, *, largest: int = LARGEST) -> Tree | Ensemble:
    """The tree or the ensemble in a document on disk.

    Args:
        path: the path of the file.
        largest: the most bytes that are read; a larger file is refused before it is read.

    Raises:
        InputError: the file cannot be read, is too large, is no JSON, or is neither a tree nor an ensemble document.
    """
    return _read(path, predictor_from_json, largest)


def _read(path: str | Path, read: Callable[..., Read], largest: int) -> Read:
    if not isinstance(path, str | Path):
        raise InputError(f"{shown(path)} is no path of a tree document")
    try:
        return read(content_of(path, largest), largest=largest)
    except InputError as error:
        raise InputError(error.message, path=str(path), line=error.line, column=error.column) from None


def content_of(path: str | Path, largest: int = LARGEST) -> str:
    """The text of a file.

    Raises:
        InputError: the file cannot be read, has more than `largest` bytes, or is no UTF-8.
    """
    return decoded(bytes_of(path, largest))


def bytes_of(path: str | Path, largest: int = LARGEST) -> bytes:
    """The bytes of a file.

    Raises:
        InputError: the file cannot be read, or has more than `largest` bytes.
    """
    try:
        with open(path, "rb") as file:
            held = file.read(largest + 1)
    except IsADirectoryError:
        raise InputError("is a directory; name a file in it") from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise InputError(f"cannot be read: {error}") from None
    if len(held) > largest:
        raise InputError(f"has more than {largest} bytes; {TO_READ_MORE}")
    return held


def decoded(held: bytes) -> str:
    """Bytes decoded as UTF-8, without a byte order mark.

    Raises:
        InputError: the bytes are no UTF-8.
    """
    try:
        return held.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"is not UTF-8 at byte {error.start}") from None


def from_json(content: str, *, largest: int = LARGEST) -> Tree:
    """A tree from the text of a document.

    Args:
        content: the text.
        largest: the text may have one object or list for each 32 of this number of bytes, and no more.

    Raises:
        InputError: the text is no JSON (line and column are given), is too large, or is no tree document (the faulty
            part is named).

    Example:
        >>> from_json('{"format": "something else"}')
        Traceback (most recent call last):
        reference_tree.data.errors.InputError: is not a tree document: its format is not reference-tree/tree/1
    """
    return _tree(*_parsed(content, largest), largest)


def predictor_from_json(content: str, *, largest: int = LARGEST) -> Tree | Ensemble:
    """A tree or an ensemble from the text of a document.

    Args:
        content: the text.
        largest: as for `from_json`.

    Raises:
        InputError: the text is no JSON (line and column are given), is too large, or is neither a tree nor an ensemble
            document (the faulty part is named).
    """
    return _predictor(*_parsed(content, largest), largest)


def predictor_of(document: Mapping[str, Any]) -> Tree | Ensemble:
    """A tree or an ensemble from the value of a document, of any size: who made it has seen to that.

    Raises:
        InputError: the value is neither a tree nor an ensemble document (the faulty part is named).

    Example:
        >>> predictor_of({"format": "something else"})
        Traceback (most recent call last):
        reference_tree.data.errors.InputError: is not a tree document: its format is not reference-tree/tree/1
    """
    return _predictor(document, False, sys.maxsize)


def _predictor(document: Any, has_floats: bool, largest: int) -> Tree | Ensemble:
    is_ensemble = isinstance(document, dict) and document.get("format") == ENSEMBLE_FORMAT
    return (_ensemble if is_ensemble else _tree)(document, has_floats, largest)


def _parsed(content: str, largest: int) -> tuple[Any, bool]:
    """The value of a document, and whether it has numbers of JSON with a point or an exponent."""
    floats: list[str] = []

    def real(written: str) -> float:
        floats[:] = [written]
        return float(written)

    return parsed(content, real=real, largest=largest), bool(floats)


def _tree(document: Any, has_floats: bool, largest: int) -> Tree:
    what = "a tree document"
    if isinstance(document, dict) and document.get("format") == ENSEMBLE_FORMAT:
        raise InputError("holds an ensemble; read_predictor or predictor_from_json reads it")
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InputError(f"is not {what}: its format is not {FORMAT}")
    with _reading(what, "the document"):
        closed(document, ["format", "target", "attributes", "learner", "nodes"], ["program"])
        target, attributes = _target(document["target"]), _attributes(document["attributes"])
        entries = some(document["nodes"])
    grower, program = _authors(document, what, has_floats)
    _refuse_many(len(entries), largest)
    nodes = _nodes(entries, _NodeChecks.of(entries, target, attributes, grower, program), what)
    return Tree(target, tuple(attributes.values()), nodes, grower, program)


def _ensemble(document: Any, has_floats: bool, largest: int) -> Ensemble:
    what = "an ensemble document"
    with _reading(what, "the document"):
        closed(document, ["format", "target", "attributes", "learner", "combine", "trees"], ["program", "start"])
        target, attributes = _target(document["target"]), _attributes(document["attributes"])
        combine, entries = text(document["combine"]), some(document["trees"])
        start = tuple(map(read_weight, some(document["start"]))) if "start" in document else ()
        if combine not in COMBINATIONS:
            raise ValueError(f"there is no rule {shortened(combine)} that combines trees")
    grower, program = _authors(document, what, has_floats)
    with _reading(what, "the learner"):
        learner = ensemble_learner_of(grower) if grower.name in ENSEMBLES else None
    answered = Attribute(target.name) if COMBINATIONS[combine].adds else target
    asked = tuple(attributes.values()) if program is None else program.holding(tuple(attributes.values()))
    members: list[Member] = []
    nodes_so_far = 0
    for count, entry in enumerate(entries):
        place = f"tree {count + 1}"
        with _reading(what, place):
            fields = closed(entry, ["weight", "nodes"], MEMBER_KEYS)
            member_fields, found = read_member(fields, target), some(fields["nodes"])
        nodes_so_far += len(found)
        _refuse_many(nodes_so_far, largest)
        nodes = _nodes(found, _NodeChecks.of(found, answered, attributes, grower, program), what, f"{place}, ")
        by = grower if learner is None else learner.grower_of(count)
        members.append(Member(Tree(answered, asked, nodes, by, program), *member_fields))
    with _reading(what, "the trees"):
        if len({len(member.drawn) for member in members if member.drawn is not None}) > 1:
            raise ValueError("what was drawn for each is drawn from tables of different length")
        weights = [member.weight for member in members]
        if not COMBINATIONS[combine].adds and (any(weight < 0 for weight in weights) or not sum(weights) > 0):
            raise ValueError("a tree counts less than nothing, or none of them counts")
        return Ensemble(target, asked, tuple(members), combine, grower, start)


def _authors(document: Mapping[str, Any], what: str, has_floats: bool) -> tuple[Grower, Program | None]:
    """The learner that grew a tree, and the program that wrote it: without a name, one that wrote its doubles."""
    with _reading(what, "the learner"):
        grower = _grower(document["learner"])
    with _reading(what, "the program"):
        if "program" in document:
            return grower, read_program(document["program"])
    return grower, Program(grower.source.get("program", "its program"), numbers="double") if has_floats else None


def _refuse_many(nodes: int, largest: int) -> None:
    if nodes > (most := largest // BYTES_A_NODE):
        raise InputError(f"has {nodes} nodes, of which no more than {most} are read; {TO_READ_MORE}")


def _nodes(entries: Sequence[object], frame: _NodeChecks, what: str, inside: str = "") -> tuple[Node, ...]:
    nodes: list[Node] = []
    with _reading(what, lambda: f"{inside}node {len(nodes)}"):
        for count, entry in enumerate(entries):
            node = _node(entry, count, frame)
            if nodes and isinstance(node.counts, Deviations) != isinstance(nodes[0].counts, Deviations):
                raise ValueError("a tree predicts means or medians, not with both")
            nodes.append(node)
    with _reading(what, inside.removesuffix(", ") or "the tree"):
        _check_preorder(nodes)
    return tuple(nodes)


def _target(entry: object) -> Attribute:
    fields = closed(entry, ["name", "kind"], ["classes", "floats"])
    if "floats" in fields and "classes" in fields:
        raise ValueError("a target with classes has no numbers that are held")
    return _attribute(fields, "classes", some)


def _attributes(entries: object) -> dict[str, Attribute]:
    found: dict[str, Attribute] = {}
    for entry in items(entries):
        attribute = _attribute(closed(entry, ["name", "kind"], ["values", "floats", "treatment"]), "values", items)
        if attribute.name in found:
            raise ValueError(f"the attribute {shortened(attribute.name)} occurs twice")
        found[attribute.name] = attribute
    return found


def _attribute(fields: Mapping[str, Any], domain: str, listing: Any) -> Attribute:
    name, kind = text(fields["name"]), fields["kind"]
    if kind not in ("categorical", "continuous"):
        raise ValueError(f"{shortened(name)} is of no known kind")
    if (kind == "categorical") != (domain in fields):
        raise ValueError(f"{shortened(name)} is {kind}, and has {'no ' * (domain not in fields)}{domain}")
    if "floats" in fields and fields["floats"] not in (NUMBERS if kind == "continuous" else CODES):
        raise ValueError(f"{shortened(name)} has no numbers that are held like this")
    values = texts(listing(fields[domain])) if domain in fields else None
    treatment = read_treatment(fields["treatment"], is_number=values is None) if "treatment" in fields else None
    return Attribute(name, values, held=fields.get("floats", "written"), treatment=treatment)


def _grower(entry: object) -> Grower:
    fields = closed(entry, ["name"], ["profile", "options", "source"])
    name = text(fields["name"])
    if name != FOREIGN:
        closed(entry, ["name", "profile", "options"])
    profile, options, source = fields.get("profile"), fields.get("options", {}), fields.get("source", {})
    if not isinstance(options, dict):
        raise ValueError("the options are no object")
    json.dumps(options, ensure_ascii=False).encode()  # refuses what cannot be written again, as a lone surrogate is
    if name in RECORDED:
        _check_options(name, options)
    if "source" in fields:
        closed(source, ["program"], ["version", "command"])
    source_texts = {key: text(value) for key, value in source.items()}
    return Grower(name, None if profile is None else text(profile), options, source_texts)


def _check_options(name: str, options: Mapping[str, Any]) -> None:
    """Refuse an option that no dialect of a learner has: it may be misspelt, or of a later release."""
    known = [*RECORDED[name].of_dialects(), *OF_TREES]
    if strange := [option for option in options if option not in known]:
        raise ValueError(no_such("option", strange[0], known, of=name))


def _node(entry: object, count: int, frame: _NodeChecks) -> Node:
    fields = closed(entry, ["id"], [*KEYS, "stop", "prior", "test", "branches", "missing", "surrogates"])
    if type(fields["id"]) is not int or fields["id"] != count:
        raise ValueError(f"the id is {shortened(str(fields['id']))}; nodes are numbered from 0 in preorder")
    absent = left_out(frame.silent, asks="test" in fields)
    counts, label, tied = read_answer(fields, frame.target, foreign=frame.foreign, absent=absent, kind=frame.kind)
    if "test" not in fields:
        closed(fields, ["id", "stop"], [*KEYS, "prior"])
        if fields["stop"] not in STOPS:
            raise ValueError(f"there is no reason {shortened(str(fields['stop']))} to stop")
        return Node(counts, label, stop=fields["stop"], tied=tied, prior=flag(fields.get("prior", False)))
    if "stop" in fields or "prior" in fields:
        raise ValueError("an inner node has no reason to stop, and is no prior")
    states_ways = "missing" not in frame.silent
    closed(fields, ["id", "test", "branches"], [*KEYS, "missing", "surrogates"] if states_ways else KEYS)
    branches = [closed(branch, ["when", "to"], ["share"] if states_ways else []) for branch in some(fields["branches"])]
    test = frame.question(fields["test"], branches)
    below = tuple(branch["to"] for branch in branches)
    if not all(type(to) is int and count < to < frame.size for to in below):
        raise ValueError("a branch leads to no node behind this one")
    return Node(counts, label, test, below, tied=tied, missing=_missing(fields, branches, below, frame))


def _missing(
    fields: Mapping[str, Any], branches: Sequence[Mapping[str, Any]], below: Sequence[int], frame: _NodeChecks
) -> Missing:
    """Where a row without an answer goes: by the rule of the node, else by the shares of its branches."""
    shares = _shares(branches, frame.numbers)
    given = closed(fields.get("missing", {"rule": "fractions" if shares else "error"}), ["rule"], ["to"])
    rule, to = given["rule"], _branch(given["to"], below) if "to" in given else None
    if rule not in RULES:
        raise ValueError(f"there is no rule {shortened(str(rule))} for missing values")
    if (rule == "fractions") != bool(shares):
        raise ValueError(f"the rule {rule} for missing values has {'' if shares else 'no '}shares of the branches")
    if (rule == "branch" and to is None) or (rule not in ("branch", "surrogates") and to is not None):
        raise ValueError(f"the rule {rule} for missing values has {'no' if to is None else 'a'} branch to go to")
    if "surrogates" in fields and rule != "surrogates":
        raise ValueError(f"the rule {rule} for missing values has no surrogates")
    surrogates = (
        [_surrogate(entry, below, frame) for entry in some(fields["surrogates"])] if "surrogates" in fields else []
    )
    if rule == "aggregate":
        shares = (1,) * len(branches)
    return Missing(shares, tuple(surrogates), to, rule == "stay" or (rule == "surrogates" and to is None))


def _surrogate(entry: object, below: Sequence[int], frame: _NodeChecks) -> Surrogate:
    fields = closed(entry, ["test", "branches", "agreement"], ["unseen"])
    branches = [closed(branch, ["when", "to"]) for branch in some(fields["branches"])]
    test = frame.question(fields["test"], branches)
    if "unseen" in fields:
        if not isinstance(test, Subset):
            raise ValueError("only a subset test leaves values unseen")
        others = [value for value in frame.attributes[test.attribute].domain if value not in test.values]
        unseen = known(some(fields["unseen"]), Attribute(test.attribute, tuple(others)))
        test = SeenSubset(test.attribute, test.values, unseen)
    agreement = weight(fields["agreement"])
    if agreement > 1 + (Fraction(0) if frame.numbers == "exact" else ROUNDED):
        raise ValueError("an agreement is more than 1")
    return Surrogate(
        test, tuple(_branch(branch["to"], below) for branch in branches), agreement if agreement <= 1 else 1
    )


def _branch(to: object, below: Sequence[int]) -> int:
    """The branch that leads to a node."""
    if type(to) is not int or to not in below:
        raise ValueError(f"no branch leads to {shortened(str(to))}")
    return below.index(to)


def _shares(branches: Sequence[Mapping[str, Any]], numbers: str) -> tuple[Rational, ...]:
    """The shares of the branches, which add up to 1; those of a program in floats but for the rounding of each."""
    if not any("share" in branch for branch in branches):
        return ()
    stated = [closed(branch, ["when", "to", "share"])["share"] for branch in branches]
    is_rounded = numbers != "exact" or any(isinstance(share, float) for share in stated)
    shares = tuple(map(weight, stated))
    whole = Fraction(sum(shares))
    if abs(whole - 1) > (ROUNDED if is_rounded else Fraction(0)):
        raise ValueError(f"the sum of the shares of the branches is off 1 by {significant(whole - 1, 3)}")
    return shares if whole == 1 else tuple(simplest(share / whole) for share in shares)


def _check_preorder(nodes: Sequence[Node]) -> None:
    """Check that each node but the root has exactly one node above it, and that subtrees are in preorder."""
    pending, expected = [0], 0
    while pending:
        found = pending.pop()
        if found != expected:
            raise ValueError(f"node {found} is out of preorder; {expected} was to come")
        expected += 1
        pending += reversed(nodes[found].branches)
    if expected != len(nodes):
        raise ValueError(f"no branch leads to node {expected}")
