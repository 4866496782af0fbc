"""Weka: the output of J48, REPTree, SimpleCart and Id3.

| learner | asks | a leaf says |
| --- | --- | --- |
| J48 | `<=`, every value, or one value against the others | label, its rows, and those of other classes |
| REPTree | `<`, every value | label or mean, and its rows when grown and when pruned, which are not read |
| SimpleCart | `<`, some values against the others | label, its rows, and beside them those of other classes |
| Id3 | every value | label, or `null`: a row there has no answer |

Weka prints weights with two digits and thresholds of J48 with about six; both are taken as printed. The classes stand
in their order in the confusion matrix, if there is one; otherwise those are known that a leaf answers with.

A row without a value goes down every branch, in shares that are known where all weights are.
"""

from __future__ import annotations

import re
from typing import Any

from reference_tree.data.errors import InputError
from reference_tree.foreign import indented
from reference_tree.foreign.indented import Leaf, Nested
from reference_tree.foreign.programs import Names, Reader

LEARNERS = {"J48": "J48 (?:un)?pruned tree", "REPTree": "REPTree", "SimpleCart": "CART Decision Tree", "Id3": "Id3"}
"""The learners, and the line above a tree of each."""

_HEAD = re.compile(rf"(?m)^(?:{'|'.join(f'(?P<{name}>{head})' for name, head in LEARNERS.items())})[ \t]*\r?$")
_LINE = rf"(?:{'|'.join(LEARNERS.values())})[ \t]*\r?"
_BEGINS = re.compile(rf"(?m)(?<=\n){_LINE}$|^{_LINE}\n")
"""The line above a tree, with a line before or behind it."""
_END = re.compile(r"\n(?:Number of Lea|Size of the [Tt]ree|Time taken|=== )")
_CART_QUESTION = re.compile(r"(\S.*?)(!=(?=\()|=(?=\()| < | >= )(.+)")
_SIZE = re.compile(r"(?m)^Size of the [Tt]ree[ \t]*:[ \t]*(\d+)")
_LEAF = {
    "J48": re.compile(r"(?P<label>.+?) \((?P<n>[\d.]+)(?:/(?P<wrong>[\d.]+))?\)"),
    "REPTree": re.compile(r"(?P<label>.+?) \([^()]*\)(?: \[[^\[\]]*\])?"),
    "SimpleCart": re.compile(r"(?P<label>.+?)\((?P<n>[\d.]+)/(?P<wrong>[\d.]+)\)"),
    "Id3": re.compile(r"(?P<label>.+)"),
}
"""The text of a leaf, by learner. SimpleCart prints the rows that are right, not all rows, before the slash."""
_MATRIX = re.compile(r"(?m)^[ \d.]+\| +\S+ = (.+?)[ \t]*\r?$")
_MEAN = re.compile(r"-?\d+(?:\.\d+)?(?:E-?\d+)?")
"""A mean as Weka prints it."""


def documents(value: Any, names: Names) -> list[dict[str, Any]]:
    """The document of the tree in a printout; the classes are those of the confusion matrix, or those that occur.

    Raises:
        InputError: the text holds no such tree, or only a part of it.
    """
    text = indented.text_of(value)
    learner, root = _printed(text)
    listed = list(dict.fromkeys(_MATRIX.findall(text.partition("=== Confusion Matrix ===")[2])))
    tree = indented.Printed(f"Weka {learner}", root, _LEAF[learner], names._replace(classes=names.classes or listed))
    means = learner == "REPTree" and not tree.names.classes
    further = [("scheme", scheme_of(text))] if learner == "J48" else []
    return [tree.document(_right_and_wrong if learner == "SimpleCart" else None, further, _MEAN if means else None)]


READER = Reader("a tree of Weka", documents, _BEGINS, target="class")


def _printed(text: str) -> tuple[str, Nested]:
    """The learner of a printed tree, and the tree."""
    head = _HEAD.search(text)
    if head is None:
        raise InputError(f"there is no line {' and no line '.join(LEARNERS)} above a tree")
    learner, first = str(head.lastgroup), text.count("\n", 0, head.end()) + 2
    size = _SIZE.search(text, head.end())
    if size is None and learner != "Id3":
        raise InputError("there is no line 'Size of the tree' below a tree; the text is not whole")
    lines = indented.lines_of(_END.split(text[head.end() :], maxsplit=1)[0], first)
    pattern, ends = (
        (_CART_QUESTION if learner == "SimpleCart" else indented.QUESTION),
        " : " if learner == "REPTree" else ": ",
    )
    root = indented.tree_of(lines, first, pattern, ends)
    if size is not None and (found := sum(1 for _ in indented.numbered(root))) != int(size[1]):
        raise InputError(f"{found} nodes are there, and the size of the tree is {int(size[1])}; the text is not whole")
    if learner == "Id3":  # an empty leaf has no answer: a row with such a value has no branch
        for _, node, _ in list(indented.numbered(root)):
            node.below[:] = [each for each in node.below if each[1].leaf != "null"]
    return learner, root


_OPTIONS = re.compile(r"(?m)^(?:Options:|Scheme:[ \t]*\S+)[ \t]*(-[^\r\n]*?)[ \t]*\r?$")
"""The options above a tree: of a command, or of a run of the Explorer."""


def scheme_of(text: str) -> str:
    r"""How J48 says that it was run: the line above its tree, and the options that are printed before it.

    Example:
        >>> scheme_of("Options: -C 0.1 -M 5 \n\nJ48 pruned tree\n------\n")
        'J48 pruned tree -C 0.1 -M 5'
        >>> scheme_of("J48 unpruned tree\n------\n")
        'J48 unpruned tree'
    """
    head = _HEAD.search(text)
    if head is None:
        return ""
    options = _OPTIONS.findall(text[: head.start()])
    return " ".join([head[0].strip(), *options[-1:]])


def _right_and_wrong(leaf: Leaf) -> Leaf:
    """A leaf of SimpleCart, which prints the rows that are right beside those that are wrong."""
    return leaf if leaf.n is None else leaf._replace(n=leaf.n + (leaf.wrong or 0))
