"""C4.5 release 8: the output of `c4.5`.

    Decision Tree:

    outlook = overcast: Play (4.0)
    outlook = sunny:
    |   humidity <= 75 : Play (2.0)
    |   humidity > 75 : Don't Play (3.0)

A line ends with a colon where the node below asks. A set of values stands in braces, and may go on in the next lines. A
part that is too deep for the page stands below, as `Subtree [S1]`. Behind a leaf stand its rows and those of other
classes; in the tree that is `Simplified`, an estimate of the latter, which is no count.

Weights have one digit behind the point, and thresholds about six, as printed. A row without a value goes down every
branch, in shares that are known where all weights are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from reference_tree.data.errors import InputError
from reference_tree.foreign import indented
from reference_tree.foreign.indented import Leaf, Line, Nested
from reference_tree.foreign.programs import Names, Reader

_TREE = re.compile(r"(?m)^(Simplified )?Decision Tree:[ \t]*\r?$")
_SUBTREE = re.compile(r"Subtree (\[S\d+\])[ \t]*")
_END = re.compile(r"(?m)^(?:Tree saved|Evaluation on|Trial|(?:Simplified )?Decision Tree:)")
_LEAF = re.compile(r"(?P<label>.+?) \((?P<n>[\d.]+)(?:/(?P<wrong>[\d.]+))?\)")
_VERSION = re.compile(r"(?m)^C4\.5 \[(release \d+)\]")
_HEAD = re.compile(rf"{_VERSION.pattern}|{_TREE.pattern.removeprefix('(?m)')}")


def documents(value: Any, names: Names) -> list[dict[str, Any]]:
    """The documents of the tree and, if it was pruned, of the simplified one.

    Raises:
        InputError: the text holds no such tree, or only a part of it.
    """
    text = indented.text_of(value)
    found = [_document(text, head, names) for head in _TREE.finditer(text)]
    if not found:
        raise InputError("there is no line 'Decision Tree:'")
    return found


READER = Reader("a tree of C4.5", documents, _HEAD, target="class")


def _document(text: str, head: re.Match[str], names: Names) -> dict[str, Any]:
    simplified, first = head[1] is not None, text.count("\n", 0, head.end()) + 2
    body = _END.split(text[head.end() :], maxsplit=1)[0]
    blocks = _blocks(indented.lines_of(body, first))
    root = _grafted({name: indented.tree_of(lines, first, ends=":") for name, lines in blocks.items()})
    version = _VERSION.search(text)
    tree = indented.Printed("C4.5", root, _LEAF, names, version and version[1])
    remark = ("tree", "simplified" if simplified else "as grown")
    return tree.document((lambda leaf: Leaf(leaf.label)) if simplified else None, [remark])


def _blocks(lines: Sequence[Line]) -> dict[str, list[Line]]:
    """The lines of the tree, and of each subtree by its name; sets of values that go on are put together."""
    found: dict[str, list[Line]] = {"": []}
    block = found[""]
    for number, line in lines:
        if named := _SUBTREE.fullmatch(line):
            block = found.setdefault(named[1], [])
            if block:
                raise InputError(f"the subtree {named[1]} occurs twice", line=number)
        elif block and block[-1][1].count("{") > block[-1][1].count("}"):
            block[-1] = (block[-1][0], block[-1][1].rstrip() + line.lstrip(" \t|"))
        else:
            block.append((number, line))
    return found


def _grafted(trees: Mapping[str, Nested]) -> Nested:
    """The tree with each subtree in its place."""
    pending, used = [trees[""]], {""}
    while pending:
        node = pending.pop()
        if node.leaf in trees and node.leaf is not None:
            if node.leaf in used:
                raise InputError(f"the subtree {node.leaf} is named twice, or within itself", line=node.line)
            used.add(node.leaf)
            below = trees[node.leaf]
            node.leaf, node.below = below.leaf, below.below
        pending += [child for _, child in node.below]
    if unused := trees.keys() - used:
        raise InputError(f"the subtree {min(unused)} is nowhere named")
    return trees[""]
