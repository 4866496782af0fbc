"""Documents: the nodes that a program has of a tree, put together as a tree document.

A reader hands over the nodes under the program's own numbers. Here they are numbered in preorder, and a cycle, a node
that stands below two others, and one below none are refused. Nothing recurses, so a chain is a tree like any other.

Programs hold doubles, some of them float32. A number of theirs is written with its exact value, never as the shortest
decimal that reads back: where a row lies on the threshold, the two say different things.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias, TypeVar

from reference_tree.data.errors import InputError, shown
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import exact_text, shortened
from reference_tree.exact.reals import Number
from reference_tree.exact.rounding import nearest_single
from reference_tree.programs.inventory import UnreadError
from reference_tree.tree import Program
from reference_tree.tree_document.form import ENSEMBLE_FORMAT, FOREIGN, FORMAT
from reference_tree.tree_document.members import weight_json
from reference_tree.tree_document.silence import program_json
from reference_tree.tree_document.treatments import treatment_json

Json: TypeAlias = Mapping[str, Any]
Key: TypeAlias = Hashable
"""The program's own number or name of a node."""
Item = TypeVar("Item")

MOST_NODES = 250_000
"""The largest number of nodes that is read from another program."""

MOST_PLACES = 1 << 20
"""The largest number of features without names, or of categories of one feature, that is read."""

_SHORT = 1 << 350
"""A number with a larger denominator is a fraction; as a decimal it would have hundreds of digits."""


NOTES = "remarks"
"""The key of the options of a document with the remarks of its reader, which every answer repeats: sentences."""


class TreeOrigin(NamedTuple):
    """The origin of a tree."""

    program: Program
    """The program and how it holds numbers."""
    command: str | None = None
    """The command that the program ran, if it is stated."""
    remarks: Sequence[tuple[str, Any]] = ()
    """Further facts about its output."""


@dataclass(frozen=True, slots=True)
class TestBranch:
    """A branch: its condition, the node below, and the share of the known weight that goes there."""

    when: Json
    to: Key
    share: str | None = None


@dataclass(frozen=True, slots=True)
class HeldTest:
    """The test of a node, and its rule for a row without an outcome."""

    form: Json
    """The test in the form of a document."""
    branches: Sequence[TestBranch]
    missing: str | None = None
    """The missing-value rule."""
    default: Key | None = None
    """The node that takes a row without an outcome if nothing else decides."""
    surrogates: Sequence[StandIn] = ()
    """The surrogates, best first."""

    def with_default(self, default: Key) -> HeldTest:
        """The test with a branch for all rows without an outcome."""
        return HeldTest(self.form, self.branches, "branch", default, self.surrogates)


@dataclass(frozen=True, slots=True)
class StandIn:
    """A surrogate test; it has no outcome for the values listed as unseen."""

    test: HeldTest
    agreement: str
    unseen: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class HeldNode:
    """A node as a program holds it; a leaf has no test."""

    answer: Json = field(default_factory=dict)
    test: HeldTest | None = None


def document(
    source: TreeOrigin, target: Attribute, attributes: Sequence[Attribute], nodes: Mapping[Any, HeldNode], root: Key
) -> dict[str, Any]:
    """The document of a tree.

    Args:
        source: the origin of the tree.
        target: the target.
        attributes: the attributes that the tree may ask.
        nodes: the nodes under the program's own numbers.
        root: the number of the root.

    Raises:
        InputError: the nodes are no tree.
    """
    return {**_head(FORMAT, source, target, attributes), "nodes": numbered(nodes, root)}


def ensemble(
    source: TreeOrigin,
    target: Attribute,
    attributes: Sequence[Attribute],
    combine: str,
    start: Sequence[Number],
    trees: Sequence[tuple[Json, list[dict[str, Any]]]],
) -> dict[str, Any]:
    """The document of an ensemble.

    Args:
        source: the origin of the trees.
        target: the target.
        attributes: the attributes that the trees may ask.
        combine: the name of the rule that combines their answers.
        start: the start of the sums.
        trees: for each tree, its fields besides the nodes (`weight`, `of`, `drawn`), and its nodes.
    """
    return {
        **_head(ENSEMBLE_FORMAT, source, target, attributes),
        "combine": combine,
        **({"start": list(map(weight_json, start))} if start else {}),
        "trees": [{**fields, "nodes": nodes} for fields, nodes in trees],
    }


def _head(form: str, source: TreeOrigin, target: Attribute, attributes: Sequence[Attribute]) -> dict[str, Any]:
    """The head of a document: the form, the target, the attributes and the origin."""
    program = source.program
    origin = {"program": program.name, "version": program.version, "command": source.command}
    return {
        "format": form,
        "target": _domain(target, "classes"),
        "attributes": [_domain(attribute, "values") for attribute in attributes],
        "learner": {
            "name": FOREIGN,
            "profile": None,
            "options": dict(source.remarks),
            "source": {key: value for key, value in origin.items() if value is not None},
        },
        "program": program_json(program),
    }


def _domain(attribute: Attribute, called: str) -> dict[str, Any]:
    values = {} if attribute.values is None else {called: list(attribute.values)}
    floats = {} if attribute.held == "written" else {"floats": attribute.held}
    treated = {} if attribute.treatment is None else {"treatment": treatment_json(attribute.treatment)}
    return {"name": attribute.name, "kind": attribute.kind, **values, **floats, **treated}


def numbered(nodes: Mapping[Any, HeldNode], root: Key) -> list[dict[str, Any]]:
    """The nodes in the form of a document: in preorder, numbered from 0.

    Raises:
        InputError: the nodes are no tree.

    Example:
        >>> branches = [TestBranch({"is": "a"}, 7), TestBranch({"is": "b"}, 3)]
        >>> two = HeldTest({"kind": "multiway", "attribute": "x"}, branches)
        >>> [node["id"] for node in numbered({1: HeldNode({}, two), 3: HeldNode(), 7: HeldNode()}, 1)]
        [0, 1, 2]
        >>> numbered({7: HeldNode({}, two), 3: HeldNode()}, 7)
        Traceback (most recent call last):
        reference_tree.data.errors.InputError: node 7 is reached by two branches, or lies below itself
    """
    # Too many nodes are refused before anything is made of them.
    refuse_many(len(nodes))
    number = preorder(nodes, root)
    # Preorder reaches every node but those that no branch leads to.
    if len(number) < len(nodes):
        raise InputError(f"no branch leads to node {next(node for node in nodes if node not in number)}")
    return [{"id": place, **_node(nodes[node], number)} for node, place in number.items()]


def refuse_many(nodes: int) -> None:
    """Refuse too many nodes.

    Raises:
        InputError: there are more than `MOST_NODES`.
    """
    if nodes > MOST_NODES:
        raise InputError(f"there are {nodes} nodes, of which no more than {MOST_NODES} are read")


def preorder(nodes: Mapping[Any, HeldNode], root: Key) -> dict[Key, int]:
    """The place of each node in preorder: the root first, each subtree in one run.

    Raises:
        InputError: a branch leads to no node, or two lead to the same.
    """
    number: dict[Key, int] = {}
    pending = [root]
    # A stack in place of recursion: a chain of 250 000 nodes is a tree like any other.
    while pending:
        node = pending.pop()
        # A second visit means a node below two others, or a cycle; a tree has neither.
        if node in number:
            raise InputError(f"node {node} is reached by two branches, or lies below itself")
        if node not in nodes:
            raise InputError(f"a branch leads to node {node}, and there is none")
        number[node] = len(number)
        test = nodes[node].test
        if test is not None:
            # The last pushed is visited first, so that the first branch's subtree comes next.
            pending += [branch.to for branch in reversed(test.branches)]
    return number


def _node(held: HeldNode, number: Mapping[Key, int]) -> dict[str, Any]:
    # A leaf states why it is one, as far as its own counts show it.
    if held.test is None:
        return {**held.answer, **_ends(held.answer)}
    test = held.test
    # A default is the number of a node below in the document, never the program's own.
    to = {} if test.default is None else {"to": number[test.default]}
    missing = {} if test.missing is None else {"missing": {"rule": test.missing, **to}}
    others = [
        {
            **_test_json(one.test, number),
            "agreement": one.agreement,
            **({"unseen": list(one.unseen)} if one.unseen else {}),
        }
        for one in test.surrogates
    ]
    return {**held.answer, **_test_json(test, number), **missing, **({"surrogates": others} if others else {})}


def _ends(answer: Json) -> dict[str, Any]:
    """The reason of a leaf, as far as its counts show it: no row reaches it, or all rows have one class or number."""
    # A leaf that states no weight counts as one that rows reach.
    weights = list(answer["counts"].values()) if "counts" in answer else [answer["n"]] if "n" in answer else ["1"]
    if not any(weight != "0" for weight in weights):
        return {"stop": "empty", "prior": True}
    # Programs do not say why they stopped: one class, or no error, is all that a leaf can show.
    pure = len(answer.get("counts", ())) == 1 or answer.get("sse") == "0" or answer.get("sad") == "0"
    return {"stop": "pure" if pure else "unknown"}


def _test_json(test: HeldTest, number: Mapping[Key, int]) -> dict[str, Any]:
    branches = [
        {"when": one.when, "to": number[one.to], **({} if one.share is None else {"share": one.share})}
        for one in test.branches
    ]
    return {"test": test.form, "branches": branches}


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Turns any missing or unfit part of a value into an error message of one line.

    Example:
        >>> with reading("a model of LightGBM"):
        ...     {}["tree_info"]
        Traceback (most recent call last):
        reference_tree.data.errors.InputError: is not a model of LightGBM: 'tree_info' is absent
    """
    try:
        # The order of these handlers matters: `UnreadError` is an `InputError`, which is a `ValueError`.
        yield
    # The file is what it is taken for, so the message does not say that it is not.
    except UnreadError as error:
        raise UnreadError(f"{what}: {error.message}", path=error.path, line=error.line, column=error.column) from None
    except InputError as error:
        raise InputError(f"is not {what}: {error.message}", path=error.path, line=error.line) from None
    # What follows stands for a file of another shape than the reader walks through: a member that is absent, a list
    # that is too short, a value of another type. The text names it, and no traceback is shown.
    except KeyError as error:
        raise InputError(f"is not {what}: {shortened(str(error.args[0]))} is absent") from None
    except IndexError:
        raise InputError(f"is not {what}: one of its lists is too short") from None
    except (ArithmeticError, AttributeError, TypeError, ValueError, RecursionError) as error:
        raise InputError(f"is not {what}: {error}") from None


def places(count: int) -> range:
    """The places of some number of features or categories; a file may claim any number.

    Raises:
        InputError: there are too many.
    """
    if not 0 <= count <= MOST_PLACES:
        raise InputError(f"{count} features or categories are claimed, of which no more than {MOST_PLACES} are read")
    return range(count)


def item(items: Sequence[Item], place: int) -> Item:
    """The item at a place that a file names; negative places are refused.

    Example:
        >>> item("abc", 2)
        'c'

    Raises:
        InputError: the place is negative.
        IndexError: there are fewer items.
    """
    # Python would count a negative place from the end of the list, and answer with another item.
    if place < 0:
        raise InputError(f"an entry has the number {place}; they are counted from 0")
    return items[place]


# Tests.


def threshold(attribute: str, at: str, to: Sequence[Key], *, strict: bool = False) -> HeldTest:
    """The test whether a value is at most a number (strict: less than it); if so, the first branch is taken."""
    # XGBoost, rpart, REPTree and SimpleCart test `<`, the other programs `<=`.
    below, above = ("lt", "ge") if strict else ("le", "gt")
    test = {"kind": "threshold", "attribute": attribute, "threshold": at}
    return HeldTest(test, [TestBranch({below: at}, to[0]), TestBranch({above: at}, to[1])])


def subset(attribute: str, values: Sequence[str], to: Sequence[Key]) -> HeldTest:
    """The test whether a value is one of some values; if so, the first branch is taken."""
    test = {"kind": "subset", "attribute": attribute}
    return HeldTest(test, [TestBranch({"in": list(values)}, to[0]), TestBranch({"not_in": list(values)}, to[1])])


def multiway(attribute: str, values: Sequence[str], to: Sequence[Key]) -> HeldTest:
    """The test of an attribute with a branch for each value."""
    branches = [TestBranch({"is": value}, node) for value, node in zip(values, to, strict=True)]
    return HeldTest({"kind": "multiway", "attribute": attribute}, branches)


# Answers.


def classified(counts: Mapping[str, Any], label: str) -> Json:
    """The answer of a node with classes: the weights of those that occur, the label, and the classes tied with it."""
    # A document lists the classes that occur; the others have the weight 0.
    present = {name: count for name, count in counts.items() if count}
    most = max(present.values(), default=0)
    # The program's own label is kept, though another class has as many rows: it is listed as tied.
    tied = [name for name, count in present.items() if count == most]
    equal = {"tied": tied} if len(tied) > 1 and label in tied else {}
    return {"counts": {name: exact_text(count) for name, count in present.items()}, "label": label, **equal}


# Numbers.


def finite(value: object) -> float:
    """A number of a program.

    Raises:
        InputError: the value is no number, or too large for a double.
    """
    # True is an int in Python, and NaN is below no bound: neither is a number of a tree.
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < math.inf:
        raise InputError(f"{shown(value)} is no number that a double could hold")
    # An int may have more digits than a double; its conversion then overflows.
    try:
        return float(value)
    except OverflowError:
        raise InputError(f"{shown(value)} is no number that a double could hold") from None


def double_of(text: str) -> float:
    """The double that a text says, in the digits that programs write.

    Raises:
        ValueError: it is no number, or one that only Python reads.

    Example:
        >>> double_of("2.5e-1")
        0.25
        >>> double_of("1_0")
        Traceback (most recent call last):
        ValueError: '1_0' is not a number
    """
    return float(_in_digits(text))


def whole_of(text: str) -> int:
    """The integer that a text says, likewise."""
    return int(_in_digits(text))


def _in_digits(text: str) -> str:
    # Python also reads 1_0, and the digits of other scripts; no program writes them.
    if "_" in text or not text.isascii():
        raise ValueError(f"{shown(text)} is not a number")
    return text


def single(value: float) -> float:
    """The nearest float32.

    Raises:
        InputError: the result would be infinite.

    Example:
        >>> single(0.8)
        0.800000011920929
    """
    try:
        return nearest_single(value)
    except OverflowError:
        raise InputError(f"{value} is no number that a float32 could hold") from None


def exact(value: float) -> str:
    """The exact value of a double, as an integer or a fraction."""
    return exact_text(Fraction(value))


def data_value(value: float) -> str:
    """The exact value of a double as a data value: a decimal, or a fraction where the decimal would be very long.

    Example:
        >>> data_value(2.5), data_value(0.1)
        ('2.5', '0.1000000000000000055511151231257827021181583404541015625')
    """
    # A double is a fraction whose denominator is a power of two, so its decimal ends. It is written in full, by C; of
    # a minus before 0 nothing is left.
    above, below = value.as_integer_ratio()
    return exact_text(Fraction(above, below)) if below > _SHORT else format(Decimal(value), "f") if above else "0"
