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
from collections.abc import Sequence
from typing import Any

from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import shortened
from reference_tree.foreign import indented
from reference_tree.foreign.documents import Source, document, reading
from reference_tree.foreign.indented import Leaf, Nested
from reference_tree.tree import Program

LEARNERS = {"J48": "J48 (?:un)?pruned tree", "REPTree": "REPTree", "SimpleCart": "CART Decision Tree", "Id3": "Id3"}
"""The learners, and the line above a tree of each."""

_HEAD = re.compile(rf"(?m)^(?:{'|'.join(f'(?P<{name}>{head})' for name, head in LEARNERS.items())})[ \t]*\r?$")
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


def begins(head: str) -> bool:
    """Whether a text begins as one of Weka."""
    return _HEAD.search(head) is not None and "\n" in head


def recognises(value: object) -> bool:
    """Whether a text holds a tree of Weka."""
    return isinstance(value, str) and begins(value)


def documents(
    value: Any, *, target: str = "class", attributes: Sequence[str | Attribute] = (), classes: Sequence[str] = ()
) -> list[dict[str, Any]]:
    r"""The document of the tree in a printout.

    Args:
        value: the text.
        target: the name of the target, which the text does not state.
        attributes: names, or attributes with all of their values; by default, the attributes that are asked.
        classes: the classes in order; by default, those of the confusion matrix, or those that occur.

    Raises:
        InputError: the text holds no such tree, or only a part of it.

    Example:
        >>> text = "Id3\n\n\nwindy = TRUE: no\nwindy = FALSE: yes\n"
        >>> [node.get("label") for node in documents(text)[0]["nodes"]]
        [None, 'no', 'yes']
    """
    with reading("a tree of Weka"):
        text = indented.text_of(value)
        learner, root = _printed(text)
        leaves = {number: _leaf(learner, node) for number, node, below in indented.numbered(root) if not below}
        listed = classes or list(dict.fromkeys(_MATRIX.findall(text.partition("=== Confusion Matrix ===")[2])))
        if learner == "REPTree" and not listed and all(_MEAN.fullmatch(leaf.label) for leaf in leaves.values()):
            goal = Attribute(target)
            nodes, silent = indented.averaged(root, leaves)
        else:
            goal = Attribute(target, tuple(indented.classes_of(leaves.values(), listed)))
            nodes, silent = indented.held(root, leaves, goal.domain)
        program = Program(f"Weka {learner}", None, "exact", frozenset(silent))
        source = Source(program, remarks=[("thresholds", "as printed, with a few digits")])
        return [document(source, goal, indented.attributes_of(root, attributes), nodes, 0)]


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
    return learner, root if learner != "Id3" else _without_null(root)


def _without_null(root: Nested) -> Nested:
    """The tree without the empty leaves of Id3, which have no answer; a row with such a value has no branch."""
    for _, node, _ in list(indented.numbered(root)):
        node.below[:] = [each for each in node.below if each[1].leaf != "null"]
    return root


def _leaf(learner: str, node: Nested) -> Leaf:
    found = _LEAF[learner].fullmatch(node.leaf or "")
    if found is None:
        raise InputError(f"{shortened(node.leaf or '')} is no answer of {learner}", line=node.line)
    parts = found.groupdict()
    n, wrong = (indented.amount(parts.get(part), node.line) for part in ("n", "wrong"))
    if learner == "SimpleCart" and n is not None:  # it prints the right rows and the wrong rows
        n += wrong or 0
    return Leaf(parts["label"], n, wrong)
