"""Indented trees: the output of Weka and C4.5, with a line for each branch and a bar for each level.

    outlook = sunny
    |   humidity <= 75: yes (2.0)
    |   humidity > 75: no (3.0)
    outlook = overcast: yes (4.0)

1. `branch` reads a line; `tree_of` puts all lines under one another, without recursion.
2. `held` makes nodes of them, each with a number of its own; `attributes_of` are the attributes that are asked, each
   with the values that occur.

A text has thresholds and weights with a few digits. A threshold is the decimal that is printed, and rows are compared
with it as the decimals that they are, although the program compared doubles: its own threshold is not known. Weights
are taken where all of them are whole numbers; others are sums of parts that the printing has rounded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple

from reference_tree.data.errors import InputError, listed, shown
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import decimal_text, rational, shortened
from reference_tree.programs.documents import (
    MOST_NODES,
    NOTES,
    HeldNode,
    HeldTest,
    TreeOrigin,
    classified,
    document,
    multiway,
    subset,
    threshold,
)
from reference_tree.programs.printouts import ROUNDED, Line, PrintedDigits
from reference_tree.programs.reader import GivenNames
from reference_tree.tree import Program

STRICT = {"<=": False, "<": True}
"""For each relation, whether it is strict."""
OTHER = {"<=": ">", "<": ">="}
"""The relation on the other branch of a test about a number."""

THRESHOLDS = "thresholds"
"""The option by which the document of a printed tree says how it has its thresholds."""

_BARS = re.compile(r"(?:\|\s*)*")
TEST = re.compile(r"(\S.*?) (<=|>=|!=|<|>|=|in) (.+)")

ENDS = "\t"
"""Between a test and the answer below it, where a reader writes the lines itself."""


class BranchLine(NamedTuple):
    """A line of the text: a branch and its condition."""

    line: int
    depth: int
    attribute: str
    relation: str
    value: str
    leaf: str | None
    """The text behind the colon; None if the node below has a test."""


@dataclass(slots=True)
class Nested:
    """A node: its answer, or the branches to its children."""

    line: int
    leaf: str | None = None
    below: list[tuple[BranchLine, Nested]] = field(default_factory=list)


class Leaf(NamedTuple):
    """The weights printed at a leaf."""

    label: str
    n: Fraction | None = None
    """The weight of its rows."""
    wrong: Fraction | None = None
    """The weight of the rows of other classes."""
    each: tuple[Fraction, ...] = ()
    """The weight of each class, in the order of the program; empty if they are not printed."""


def branch(text: str, line: int, pattern: re.Pattern[str] = TEST, *, ends: str = ": ") -> BranchLine:
    """A line as a branch.

    Args:
        text: the line.
        line: its number.
        pattern: the pattern of a test: attribute, relation and value.
        ends: the text before the answer of a leaf.

    Raises:
        InputError: the line is no branch.

    Example:
        >>> branch("|   humidity <= 75: yes (2.0)", 3)
        BranchLine(line=3, depth=1, attribute='humidity', relation='<=', value='75', leaf='yes (2.0)')
    """
    # The number of bars is the level; blanks between them differ from program to program.
    bars = _BARS.match(text)
    assert bars is not None
    rest = text[bars.end() :].rstrip()
    # From the right: a name or a value may hold the sign that ends a test.
    test, found, leaf = rest.rpartition(ends)
    matched = pattern.fullmatch((test if found else rest).strip())
    # The whole line has to match, or a value with blanks would be cut off in silence.
    if matched is None:
        raise InputError(f"{shortened(text.strip())} is no branch of a tree", line=line)
    attribute, relation, value = (part.strip() for part in matched.groups())
    return BranchLine(line, bars[0].count("|"), attribute, relation, value, leaf.strip() if found and leaf else None)


def lines_of(text: str, first: int) -> list[Line]:
    """The lines that are neither empty nor drawn, with their numbers."""
    numbered = enumerate((line.rstrip("\r") for line in text.split("\n")[1:]), start=first)
    # Rulers and empty lines say nothing. Numbers are those of the file, for messages.
    return [(number, line) for number, line in numbered if line.strip(" \t-=")]


def tree_of(lines: Sequence[Line], first: int, pattern: re.Pattern[str] = TEST, ends: str = ": ") -> Nested:
    """The root, with the whole tree below it.

    Args:
        lines: the lines with their numbers.
        first: the line where the tree begins.
        pattern: the pattern of a test: attribute, relation and value.
        ends: the text before the answer of a leaf.

    Raises:
        InputError: a line is no branch, a level is passed over, a leaf has branches, or a node that asks has none.
    """
    if not lines:
        raise InputError("there is no tree", line=first)
    if len(lines) > MOST_NODES:
        raise InputError(f"there are {len(lines)} branches, of which no more than {MOST_NODES} are read", line=first)
    number, line = lines[0]
    # A tree of one leaf is a line without any test.
    if len(lines) == 1 and pattern.match(line) is None:
        return Nested(number, line.strip(": \t"))
    root = Nested(first)
    # The nodes from the root to the line above: a line of level d stands below the d-th of them.
    path = [root]
    for number, line in lines:
        each = branch(line, number, pattern, ends=ends)
        # No branch of the level above is open: a leaf has nothing below it, and no level can be skipped.
        if each.depth >= len(path):
            raise InputError("the line stands below a leaf, or a level is passed over", line=number)
        # Deeper nodes are done once a line of a higher level comes.
        del path[each.depth + 1 :]
        below = Nested(number, each.leaf)
        path[-1].below.append((each, below))
        if each.leaf is None:
            path.append(below)
    for _, node, _ in numbered(root):
        # A branch that ends in neither an answer nor a test shows that the text was cut.
        if node.leaf is None and not node.below:
            raise InputError("the text ends before it says what lies below this branch", line=node.line)
    return root


def numbered(root: Nested) -> Iterator[tuple[int, Nested, list[int]]]:
    """Each node with its number and those of its children."""
    # Children get consecutive numbers before any of them is visited, so a number never depends on depth.
    pending, last = [(0, root)], 0
    while pending:
        number, node = pending.pop()
        below = list(range(last + 1, last + 1 + len(node.below)))
        last += len(below)
        yield number, node, below
        pending += [(to, child) for to, (_, child) in reversed(list(zip(below, node.below, strict=True)))]


def test_of(node: Nested, to: Sequence[int]) -> HeldTest:
    """The test of a node.

    Raises:
        InputError: its branches are not those of one test.
    """
    branches = [each for each, _ in node.below]
    # The lines of one node are the outcomes of one test; the first says of which kind.
    first = branches[0]
    if any(each.attribute != first.attribute for each in branches):
        raise InputError("the branches beside it are about another attribute", line=first.line)
    relations = [each.relation for each in branches]
    # A number has two sides at one threshold, and the smaller side is printed first.
    if first.relation in OTHER:
        if relations != [first.relation, OTHER[first.relation]] or first.value != branches[1].value:
            raise InputError("a test of a number has two branches, below and above it", line=first.line)
        at = decimal_text(_number(first.value, first.line))
        return threshold(first.attribute, at, to, strict=STRICT[first.relation])
    # One value, or one set, against all others: J48 -B and SimpleCart.
    if relations == ["=", "!="] and first.value == branches[1].value:
        return subset(first.attribute, values_of(first), to)
    values = [value for each in branches for value in values_of(each)]
    # A value on two branches would send a row both ways.
    if set(relations) - {"=", "in"} or len(set(values)) < len(values):
        raise InputError("the branches are not those of one test", line=first.line)
    # Each branch names one value: a branch for each.
    if "in" not in relations:
        return multiway(first.attribute, values, to)
    if len(branches) != 2:
        raise InputError("a test with more than two sets of values is not read", line=first.line)
    return subset(first.attribute, values_of(first), to)


def values_of(each: BranchLine) -> list[str]:
    """The values that a branch names."""
    # C4.5 writes a set in braces; the reader of rpart's prints hands its sets over likewise.
    if each.relation == "in":
        return [value.strip() for value in each.value.strip("{}").split(",")]
    # SimpleCart writes a set as (a)|(b).
    if each.value.startswith("(") and each.value.endswith(")"):
        return each.value[1:-1].split(")|(")
    return [each.value]


def attributes_of(root: Nested, given: Sequence[str | Attribute]) -> list[Attribute]:
    """The attributes that are asked; a categorical one has the values that occur, in order of appearance.

    Args:
        root: the root of the tree.
        given: attributes with all of their values, or names, in table order; by default, in the order of the text.

    Raises:
        InputError: an attribute is asked that is not given, or is asked in two ways.
    """
    found: dict[str, dict[str, None] | None] = {}
    for _, node, _ in numbered(root):
        for each, _ in node.below:
            # The signs tell a number from a category; a printed tree has no other place that does.
            number = each.relation in ("<=", ">=", "<", ">")
            known = found.setdefault(each.attribute, None if number else {})
            if (known is None) != number:
                raise InputError(f"{each.attribute} is a number here, and elsewhere a category", line=each.line)
            if known is not None:
                known.update(dict.fromkeys(values_of(each)))
    return ordered(found, given)


def in_order(root: Nested, given: Sequence[str | Attribute]) -> None:
    """Put the branches of each multiway test in the order of the values that are given."""
    domains = {each.name: each.values or () for each in given if isinstance(each, Attribute)}
    for _, node, _ in list(numbered(root)):
        # Ties go by the declared order of values, and a program prints its own order.
        values = [each.value for each, _ in node.below if each.relation == "="]
        domain = domains.get(node.below[0][0].attribute, ()) if node.below else ()
        if len(values) == len(node.below) and set(values) <= set(domain):
            node.below.sort(key=lambda each, domain=domain: domain.index(each[0].value))  # type: ignore[misc]


def ordered(found: Mapping[str, Iterable[str] | None], given: Sequence[str | Attribute]) -> list[Attribute]:
    """The given attributes; those given by name, or of another kind than the tree asks, have the values found.

    A file of rows may write codes of categories, or days, so that the tree knows better which of them are numbers.

    Raises:
        InputError: other attributes were found.
    """
    # The given attributes are the table's, so all of them are kept, asked or not.
    declared = {each if isinstance(each, str) else each.name: each for each in given or found}
    if strange := [name for name in found if name not in declared]:
        raise InputError(f"{shortened(strange[0])} is tested, and is not among the attributes that are given")
    attributes = []
    for name, each in declared.items():
        values = found.get(name)
        # The tree knows best whether an attribute is a number, since its test says so.
        is_alike = isinstance(each, Attribute) and (name not in found or (each.values is None) == (values is None))
        if isinstance(each, Attribute) and is_alike:
            attributes.append(each)
        else:
            attributes.append(Attribute(name, None if values is None else tuple(values)))
    return attributes


def held(root: Nested, leaves: Mapping[int, Leaf], classes: Sequence[str]) -> tuple[dict[int, HeldNode], list[str]]:
    """The nodes of a classification tree, and which facts about them are not known.

    Weights are known if all are whole and no leaf leaves open which other classes its rows have. Then the share of a
    branch is known, too: the share of its rows.

    Args:
        root: the root of the tree.
        leaves: the weights printed at each leaf, by its number.
        classes: the classes in order.
    """
    # Only a program that prints a weight for each class has an order here (rpart, export_text).
    order = order_of(leaves.values(), classes)
    counts = {number: _counts(leaf, classes, order) for number, leaf in leaves.items()}
    # All or nothing: shares of a branch are sums of leaves, so one unknown leaf makes those above it unknown.
    counted = all(each is not None for each in counts.values())
    nodes = list(numbered(root))
    weights = {number: sum((each or {}).values()) for number, each in counts.items()}
    # Children have higher numbers, so from the last node up every sum is complete.
    for number, _, below in reversed(nodes):
        if below:
            weights[number] = sum(weights[child] for child in below)
    found: dict[int, HeldNode] = {}
    for number, node, below in nodes:
        if number in leaves:
            label, known = leaves[number].label, counts[number]
            found[number] = HeldNode(classified(known, label) if counted and known is not None else {"label": label})
            continue
        node_test = test_of(node, below)
        # C4.5 and J48 send a row without a value down every branch, in the shares of the rows.
        if counted and weights[number]:
            parts = [str(Fraction(weights[child], weights[number])) for child in below]
            branches = [replace(each, share=part) for each, part in zip(node_test.branches, parts, strict=True)]
            node_test = replace(node_test, branches=branches, missing="fractions")
        found[number] = HeldNode({}, node_test)
    return found, ["inner-labels", "inner-counts"] if counted else ["inner-labels", "counts", "missing"]


def order_of(leaves: Iterable[Leaf], classes: Sequence[str]) -> list[str]:
    """The classes in the order in which a program prints their weights; empty if the leaves do not show it.

    A leaf answers with the class of the largest weight, unless other things decide: then no order is known.

    Example:
        >>> one, two, three = map(Fraction, (1, 2, 3))
        >>> order_of([Leaf("b", each=(one, three)), Leaf("a", each=(two, one))], ["b", "a"])
        ['a', 'b']
        >>> order_of([Leaf("b", each=(one, three))], ["a", "b"])
        ['a', 'b']
    """
    # A leaf whose largest weight is unique shows which class stands at its place.
    at: dict[int, str] = {}
    sizes = set()
    for leaf in leaves:
        sizes.add(len(leaf.each))
        most = max(leaf.each, default=Fraction(0))
        # Two labels at one place: priors or costs decide the answer, and no order follows.
        if leaf.each.count(most) == 1 and at.setdefault(leaf.each.index(most), leaf.label) != leaf.label:
            return []
    if sizes != {len(classes)}:
        return []
    # The declared order, if the leaves agree with it; else the order that they show.
    for order in (list(classes), [at.get(place, "") for place in range(len(classes))]):
        if sorted(order) == sorted(classes) and all(order[place] == label for place, label in at.items()):
            return order
    return []


def _counts(leaf: Leaf, classes: Sequence[str], order: Sequence[str]) -> Mapping[str, int] | None:
    """The weight of each class at a leaf; None where it cannot be known."""
    # A leaf without a slash has no rows of other classes.
    n, wrong = leaf.n, leaf.wrong or Fraction(0)
    if order and n is not None and all(weight.denominator == 1 for weight in leaf.each):
        found = {**dict.fromkeys(classes, 0), **dict(zip(order, map(int, leaf.each), strict=True))}
        return found if sum(found.values()) == n and found[leaf.label] == n - wrong else None
    # A fraction was rounded by the printing, and of three classes the wrong rows may be of either other one.
    if n is None or n.denominator > 1 or wrong.denominator > 1 or wrong > n or (wrong and len(classes) != 2):
        return None
    others = {name: int(wrong) for name in classes if name != leaf.label} if wrong else {}
    return {**dict.fromkeys(classes, 0), **others, leaf.label: int(n - wrong)}


def _number(text: str, line: int) -> Any:
    try:
        return rational(text)
    except ValueError as error:
        raise InputError(str(error), line=line) from None


def amount(text: str | None, line: int) -> Fraction | None:
    """A weight as it is printed."""
    return None if text is None else Fraction(_number(text, line))


# The document.


class PrintedTree(NamedTuple):
    """A printed tree."""

    program: str
    root: Nested
    leaf: re.Pattern[str]
    """The text of a leaf: its label and perhaps `n` and `wrong`."""
    names: GivenNames
    version: str | None = None
    digits: PrintedDigits | None = None
    """The digits of its thresholds; None if all are printed."""
    command: str | None = None
    """The command of the program, if it is stated."""

    def document(
        self,
        counted: Callable[[Leaf], Leaf] | None = None,
        further: Sequence[tuple[str, Any]] = (),
        means: re.Pattern[str] | None = None,
    ) -> dict[str, Any]:
        """The document of the tree.

        Args:
            counted: how the weights that are printed at a leaf are to be understood, if not as those of its rows and
                of the rows of other classes.
            further: further facts about the output.
            means: the text of a number; if all leaves answer such, they are means.

        Raises:
            InputError: a leaf has another form, or answers with a class that is not given.
        """
        # Branches are ordered before they are numbered: the leaves below go with them.
        in_order(self.root, self.names.attributes)
        leaves = {number: self._leaf(node, counted) for number, node, below in numbered(self.root) if not below}
        # REPTree and rpart print means and labels alike; numbers at all leaves are means.
        is_number = means is not None and all(means.fullmatch(leaf.label) for leaf in leaves.values())
        goal = Attribute(self.names.target, None if is_number else tuple(self._classes(leaves.values())))
        nodes, silent = averaged(self.root, leaves) if is_number else held(self.root, leaves, goal.domain)
        # Exact: rows are compared with the decimal that is printed, the program's own double being unknown.
        program = Program(self.program, self.version, "exact", frozenset(silent))
        source = TreeOrigin(program, self.command, self._facts(further))
        return document(source, goal, attributes_of(self.root, self.names.attributes), nodes, 0)

    def _facts(self, further: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
        """The facts about the output: how thresholds are printed; a remark, if they may be others in the program."""
        # Whoever audits the tree looks for a threshold that rounds to the printed one.
        facts: dict[str, Any] = {THRESHOLDS: "as printed, with a few digits"}
        if self.digits is not None:
            facts[ROUNDED] = self.digits.to_json()
            branches = [each for _, node, _ in numbered(self.root) for each, _ in node.below]
            if self.digits.is_rounded(_number(each.value, each.line) for each in branches if each.relation in OTHER):
                facts[NOTES] = [self.digits.remark]
        for name, fact in further:
            facts[name] = [*facts[name], *fact] if name == NOTES and name in facts else fact
        return list(facts.items())

    def _leaf(self, node: Nested, counted: Callable[[Leaf], Leaf] | None) -> Leaf:
        found = self.leaf.fullmatch(node.leaf or "")
        if found is None:
            raise InputError(f"{shortened(node.leaf or '')} is no prediction of {self.program}", line=node.line)
        parts = found.groupdict()
        each = tuple(Fraction(_number(text, node.line)) for text in (parts.get("each") or "").split())
        n, wrong = (amount(parts.get(part), node.line) for part in ("n", "wrong"))
        leaf = Leaf(parts["label"], n, wrong, each)
        return leaf if counted is None else counted(leaf)

    def _classes(self, leaves: Iterable[Leaf]) -> list[str]:
        """The given classes, or else those that occur, by code point."""
        given, found = self.names.classes, {leaf.label for leaf in leaves}
        # A class that was not given would be one that no row can have.
        if strange := found - set(given or found):
            raise InputError(f"a leaf predicts {shortened(min(strange))}, and there are {listed(given)}")
        return list(given) or sorted(found)


def averaged(root: Nested, leaves: Mapping[int, Leaf]) -> tuple[dict[int, HeldNode], list[str]]:
    """The nodes of a regression tree, and which facts about them are not known."""
    found = {
        number: HeldNode({}, test_of(node, below))
        if below
        else HeldNode({"mean": str(amount(leaves[number].label, node.line))})
        for number, node, below in numbered(root)
    }
    return found, ["inner-labels", "counts", "missing"]


def text_of(value: object) -> str:
    """The text of a tree.

    Raises:
        InputError: the line is no branch.
    """
    if not isinstance(value, str):
        raise InputError(f"{shown(value)} is no text")
    return value
