"""rpart: what `print` shows of a tree.

    node), split, n, loss, yval, (yprob)
          * denotes terminal node

     1) root 81 17 absent (0.79012346 0.20987654)
       2) Start>=8.5 62  6 absent (0.90322581 0.09677419) *
       3) Start< 8.5 19  8 present (0.42105263 0.57894737) *

The nodes below node n are 2n and 2n + 1; a leaf has a star. Numbers have seven digits if nothing else is said. What the
surrogates are is not printed. `reference_tree.foreign.rpart` reads all of a tree, from its tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from reference_tree.data.errors import InputError
from reference_tree.exact.rationals import shortened
from reference_tree.foreign import indented
from reference_tree.foreign.indented import ENDS, Line
from reference_tree.foreign.programs import Names, Reader

_HEAD = re.compile(r"(?m)^node\), split, n, (?:(loss), yval, \(yprob\)|deviance, yval)[ \t]*\r?$")
_AT = r"-?[\d.]+(?:e[+-]?\d+)?"
_NODE = rf" *(?P<node>\d+)\) (?P<split>.+?(?:<|>=) *{_AT}|.+?=.+?|root) +(?P<n>\d\S*) +(?P<loss>\d\S*) +"
_CLASS = re.compile(_NODE + r"(?P<label>.+?) +\([\d.e+ -]+\) *(?P<leaf>\*)?")
_MEAN = re.compile(_NODE + r"(?P<label>-?\d\S*) *(?P<leaf>\*)?")
_SPLIT = re.compile(rf"(.+?)(?:(<|>=) *({_AT})|=(.+))")
_ANSWER = re.compile(r"(?P<label>.+?) \((?P<n>[^()/ ]+)/(?P<wrong>[^()/ ]+)\)")
_NUMBER = re.compile(r"(?P<label>.+)")


def documents(value: Any, names: Names) -> list[dict[str, Any]]:
    """The document of the tree in a text.

    Raises:
        InputError: the text holds no such tree, or only a part of it.
    """
    text = indented.text_of(value)
    head = _HEAD.search(text)
    if head is None:
        raise InputError("there is no line 'node), split, n, ...' above a tree")
    first, is_class = text.count("\n", 0, head.end()) + 2, head[1] is not None
    lines = [line for line in indented.lines_of(text[head.end() :], first) if "* denotes" not in line[1]]
    root = indented.tree_of(list(_lines(lines, is_class=is_class)), first, ends=ENDS)
    # rpart prints the side of the lower prediction first; a document has the branch of the smaller numbers first
    for _, node, _ in list(indented.numbered(root)):
        node.below.sort(key=lambda each: each[0].relation == ">=")
    tree = indented.Printed("rpart", root, _ANSWER if is_class else _NUMBER, names)
    return [tree.document(means=None if is_class else re.compile(".+"))]


READER = Reader("a tree that rpart prints", documents, _HEAD)


def _lines(lines: Sequence[Line], *, is_class: bool) -> Iterator[Line]:
    """The lines of the branches, with the answers of the leaves."""
    for number, line in lines:
        found = (_CLASS if is_class else _MEAN).fullmatch(line.rstrip())
        if found is None:
            raise InputError(f"{shortened(line.strip())} is no node of rpart", line=number)
        answer = f"{found['label']} ({found['n']}/{found['loss']})" if is_class else found["label"]
        depth = int(found["node"]).bit_length() - 2
        if depth >= 0:
            answer = f"{ENDS}{answer}" if found["leaf"] else ""
            yield number, f"{'|   ' * depth}{_question(found['split'], number)}{answer}"
        elif found["leaf"]:
            yield number, answer


def _question(split: str, line: int) -> str:
    found = _SPLIT.fullmatch(split)
    if found is None:
        raise InputError(f"{shortened(split)} is no test of rpart", line=line)
    attribute, relation, at, values = found.groups()
    return f"{attribute} {relation} {at}" if values is None else f"{attribute} in {{{values}}}"
