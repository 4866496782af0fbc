"""Weka: the output of J48, REPTree, SimpleCart and Id3.

| learner | asks | a leaf says |
| --- | --- | --- |
| J48 | `<=`, every value, or one value against the others | label, its rows, and those of other classes |
| REPTree | `<`, every value | label or mean, and its rows when grown and when pruned, which are not read |
| SimpleCart | `<`, some values against the others | label, its rows, and beside them those of other classes |
| Id3 | every value | label, or `null`: a row there has no answer |

J48 prints thresholds with six decimals, REPTree with two unless told (`printed_digits`), SimpleCart with all digits.
Weights have two digits, and are taken as printed. The classes stand in their order in the confusion matrix, if there is
one; otherwise those are known that a leaf answers with. All other lines are listed in `weka_lines`, and a line that is
not there is refused.

J48 of release 3.6 sends a value that is above the threshold by less than 10^-6 to the lower side, of release 3.9 to the
upper one; the text does not say which release it is of, so such rows are remarked upon.

A row without a value goes down every branch, in shares that are known where all weights are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from reference_tree.data.errors import InputError
from reference_tree.programs import indented
from reference_tree.programs.documents import NOTES
from reference_tree.programs.indented import Leaf, Nested
from reference_tree.programs.inventory import UnreadError
from reference_tree.programs.printed_digits import PrintedDigits
from reference_tree.programs.printouts import Line, check_number
from reference_tree.programs.reader import Names, Reader, remarks
from reference_tree.programs.weka.lines import INSTEAD, OPTIONS, OTHERS, PRINTOUT, Scheme, scheme_of

LEARNERS = {"J48": "J48 (?:un)?pruned tree", "REPTree": "REPTree", "SimpleCart": "CART Decision Tree", "Id3": "Id3"}
"""The learners, and the line above a tree of each."""

_HEADS = {**LEARNERS, **OTHERS}
_HEAD = re.compile(rf"(?m)^(?:{'|'.join(f'({head})' for head in _HEADS.values())})[ \t]*\r?$")
_LINE = rf"(?:{'|'.join(_HEADS.values())})[ \t]*\r?"
_BEGINS = re.compile(
    rf"(?m)(?<=\n){_LINE}$|^{_LINE}\n|^Scheme: *weka\.|^=== Classifier model \(full training set\) ==="
)
"""The line above a tree, with a line before or behind it; or what the Explorer prints above it."""
_END = re.compile(r"\n(?=Number of Lea|Size of the [Tt]ree|Time taken|=== )")
_CART_QUESTION = re.compile(r"(\S.*?)(!=(?=\()|=(?=\()| < | >= )(.+)")
_LEAF = {
    "J48": re.compile(r"(?P<label>.+?) \((?P<n>[\d.]+)(?:/(?P<wrong>[\d.]+))?\)"),
    "REPTree": re.compile(r"(?P<label>.+?) \([^()]*\)(?: \[[^\[\]]*\])?"),
    "SimpleCart": re.compile(r"(?P<label>.+?)\((?P<n>[\d.]+)/(?P<wrong>[\d.]+)\)"),
    "Id3": re.compile(r"(?P<label>.+)"),
}
"""The text of a leaf, by learner. SimpleCart prints the rows that are right, not all rows, before the slash."""
_MEAN = re.compile(r"-?\d+(?:\.\d+)?(?:E-?\d+)?")
"""A mean as Weka prints it."""
SLACK = Fraction(1, 1_000_000)
"""How far above a threshold J48 of release 3.6 sends a value to its lower side."""
SMOOTHED = "probabilities are smoothed by the Laplace estimate in Weka (-A), and are shares of rows here"


def documents(value: Any, names: Names) -> list[dict[str, Any]]:
    """The document of the tree in a printout; the classes are those of the confusion matrix, or those that occur.

    Raises:
        InputError: the text holds no such tree, or only a part of it.
        UnreadError: the tree is of a learner that is not read, or a line around it is not known.
    """
    found = _printed(indented.text_of(value), names)
    learner, names = found.learner, names._replace(classes=names.classes or list(dict.fromkeys(found.classes)))
    tree = indented.Printed(
        f"Weka {learner}", found.root, _LEAF[learner], names, digits=_digits(found.scheme), command=found.command
    )
    facts = remarks(found.scheme.told if found.is_told else {}, [])
    if learner == "J48":
        facts.append(("scheme", found.said))
    if "A" in found.scheme.options and learner == "J48":
        facts.append((NOTES, [SMOOTHED]))
    means = learner == "REPTree" and not names.classes
    counted = _right_and_wrong if learner == "SimpleCart" else None
    return [tree.document(counted, facts, _MEAN if means else None)]


READER = Reader(
    "weka", "a tree of Weka", documents, _BEGINS, inventories=(PRINTOUT.inventory, *OPTIONS.values()), target="class"
)


class _Found(NamedTuple):
    """What a printout holds."""

    learner: str
    root: Nested
    scheme: Scheme
    is_told: bool
    """Whether the printout has the options, or would have them."""
    head: str
    """The line above the tree."""
    classes: Sequence[str]
    """The classes of the confusion matrix."""

    @property
    def command(self) -> str | None:
        """The command, if it is stated."""
        return self.scheme.command if self.is_told else None

    @property
    def said(self) -> str:
        """How J48 says that it was run: the line above its tree, and the options that are printed before it."""
        return f"{self.head} {self.scheme.text}".rstrip()


def _printed(text: str, names: Names) -> _Found:
    """The tree of a printout, and what stands around it."""
    head = _HEAD.search(text)
    learner = "" if head is None else list(_HEADS)[(head.lastindex or 1) - 1]
    if head is None or learner in OTHERS:
        what = (
            f"its tree is one of {learner}"
            if learner
            else "there is no line J48, REPTree, SimpleCart or Id3 above a tree"
        )
        raise UnreadError(f"{what}, which is not read; {INSTEAD}" if learner else f"{what}; {INSTEAD}")
    first = text.count("\n", 0, head.end()) + 1
    body, *behind = _END.split(text[head.end() :], maxsplit=1)
    last = first + body.count("\n") + 1
    root = _root(learner, indented.lines_of(body, first + 1))
    around = [*_numbered(text[: head.start()], 1), *_numbered("".join(behind), last)]
    scheme, classes, is_told, sized = Scheme(learner, {}), list[str](), any("=== " in line for _, line in around), False
    for name, line, found in PRINTOUT.read(around, names.ignored):
        if name in ("Options", "Scheme"):
            scheme, is_told = scheme_of(learner, found[1], line, names.ignored), True
        elif name == "a class":
            classes.append(found[1])
        else:
            sized |= name == "Size of the tree"
            leaves = sum(not below for _, _, below in indented.numbered(root))
            nodes = sum(1 for _ in indented.numbered(root))
            is_size = name == "Size of the tree"
            told = (nodes, "nodes", "size of the tree") if is_size else (leaves, "leaves", "number of leaves")
            check_number(found, line, *told)
    if not sized and learner != "Id3":
        raise InputError("there is no line 'Size of the tree' below a tree; the text is not whole")
    if learner == "Id3":  # an empty leaf has no answer: a row with such a value has no branch
        for _, node, _ in list(indented.numbered(root)):
            node.below[:] = [each for each in node.below if each[1].leaf != "null"]
    return _Found(learner, root, scheme, is_told, head[0].strip(), classes)


def _root(learner: str, lines: Sequence[Line]) -> Nested:
    pattern = _CART_QUESTION if learner == "SimpleCart" else indented.QUESTION
    return indented.tree_of(lines, lines[0][0] if lines else 1, pattern, " : " if learner == "REPTree" else ": ")


def _numbered(text: str, first: int) -> Iterator[Line]:
    return enumerate(text.split("\n"), start=first)


def _digits(scheme: Scheme) -> PrintedDigits | None:
    """The digits of the thresholds; SimpleCart prints all of them."""
    if scheme.learner == "J48":
        is_midpoint = "doNotMakeSplitPointActualValue" in scheme.options
        return PrintedDigits(places=6, are_values=not is_midpoint, slack=SLACK)
    return PrintedDigits(places=scheme.places) if scheme.learner == "REPTree" else None


def _right_and_wrong(leaf: Leaf) -> Leaf:
    """A leaf of SimpleCart, which prints the rows that are right beside those that are wrong."""
    return leaf if leaf.n is None else leaf._replace(n=leaf.n + (leaf.wrong or 0))
