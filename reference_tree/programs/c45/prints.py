"""C4.5 release 8: the output of `c4.5`.

    Decision Tree:

    outlook = overcast: Play (4.0)
    outlook = sunny:
    |   humidity <= 75 : Play (2.0)
    |   humidity > 75 : Don't Play (3.0)

A line ends with a colon where the node below asks. A set of values stands in braces, and may go on in the next lines. A
part that is too deep for the page stands below, as `Subtree [S1]`. Behind a leaf stand its rows and those of other
classes; in the tree that is `Simplified`, an estimate of the latter, which is no count.

Weights have one digit behind the point, as printed, and thresholds six in all (`PrintedDigits`). A row without a value
goes down every branch, in shares that are known where all weights are. The lines around the trees are listed, among
them the options; a line that is not listed is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from reference_tree.data.errors import InputError
from reference_tree.exact.rationals import decimal_text, rational
from reference_tree.programs import indented
from reference_tree.programs.indented import Leaf, Nested
from reference_tree.programs.inventory import Ignored
from reference_tree.programs.printouts import KnownLine, Line, PrintedDigits, Printout
from reference_tree.programs.reader import GivenNames, ProgramReader, remarks

_TREE = re.compile(r"(?m)^(Simplified )?Decision Tree:[ \t]*\r?$")
_SUBTREE = re.compile(r"Subtree (\[S\d+\])[ \t]*")
# What may follow a tree: its own end is not marked.
# The end of a tree is not marked: it is where something else begins.
_END = re.compile(r"(?m)^(?=Tree saved|Evaluation on|Trial|-{5,}|(?:Simplified )?Decision Tree:)")
# The rows of a leaf, and behind the slash those of other classes; a leaf without errors has no slash.
# Behind the slash stand the rows of other classes; a leaf without errors has no slash.
_LEAF = re.compile(r"(?P<label>.+?) \((?P<n>[\d.]+)(?:/(?P<wrong>[\d.]+))?\)")
_VERSION = re.compile(r"(?m)^C4\.5 \[(release \d+)\]")
_HEAD = re.compile(rf"{_VERSION.pattern}|{_TREE.pattern.removeprefix('(?m)')}")
_NO_PART = "they are no part of a tree"
_ERRORS = r"\d+ +\d+ ?\( *[\d.]+%\)"

PRINTOUT = Printout(
    "a printout of C4.5",
    [
        KnownLine("C4.5", r"C4\.5 \[(release \d+)\] decision tree generator\b.*"),
        KnownLine("Options", "Options:", "it is a title"),
        KnownLine("File stem", "File stem <.*>", "it is about files"),
        KnownLine("Trees evaluated on unseen cases", "Trees evaluated on unseen cases", "it is about the evaluation"),
        KnownLine("Windowing disabled", r"Windowing disabled.*", "it is so unless told otherwise"),
        KnownLine("Pruning confidence level", r"Pruning confidence level ([\d.]+)%"),
        KnownLine("Sensible test requires", r"Sensible test requires 2 branches with >= ?([\d.]+) cases"),
        KnownLine("Gain criterion used", "Gain criterion used"),
        KnownLine("Tests on discrete attribute groups", "Tests on discrete attribute groups"),
        KnownLine("Verbosity level", r"Verbosity level \d+", "it is about messages"),
        KnownLine("Read", r"Read \d+ cases \(\d+ attributes\) from .*", "it is about the rows"),
        KnownLine("Decision Tree", "(?:Simplified )?Decision Tree:"),
        KnownLine("Tree saved", "Tree saved", "it is about files"),
        KnownLine("Evaluation", r"Evaluation on (?:training|test) data \(\d+ items\):", "it is a title"),
        KnownLine("Before Pruning", r"Before Pruning\s+After Pruning", "it is a title", "Evaluation"),
        KnownLine("Size", r"Size\s+Errors(?:\s+Size\s+Errors\s+Estimate)?", "it is a title", "Evaluation"),
        KnownLine(
            "the errors", rf"{_ERRORS}(?:\s+{_ERRORS}\s+\( *[\d.]+%\))?(?:\s+<<)?", _NO_PART, "Evaluation"
        ),
        KnownLine("the head of the matrix", r"(?:\([a-z]+\)\s+)+<-classified as|[-\s]+", "it is a title", "Evaluation"),
        KnownLine("a class of the matrix", r"[\d\s]*\([a-z]+\): class .*", "it is of the evaluation", "Evaluation"),
    ],
    {
        "Probability thresholds used": "rows near a threshold go both ways; grow the tree without -p",
        r"Trial \d+|Windowing enabled.*|Initial window size.*|Maximum window increment.*": "the best of several "
        "trees is printed; grow one tree, without -t",
    },
)  # fmt: skip
"""The record of the lines around the trees."""


def documents(value: Any, names: GivenNames) -> list[dict[str, Any]]:
    """The documents of the tree and, if it was pruned, of the simplified one.

    Raises:
        InputError: the text holds no such tree, or only a part of it.
        UnreadError: a line around the trees is not known.
    """
    text = indented.text_of(value)
    # The tree as grown comes first, and the simplified one after it, if it was pruned.
    heads = list(_TREE.finditer(text))
    if not heads:
        raise InputError("there is no line 'Decision Tree:'")
    options = _options(text, heads, names.ignored)
    return [_document(text, head, names, options) for head in heads]


READER = ProgramReader("c45", "a tree of C4.5", documents, _HEAD, inventories=(PRINTOUT.inventory,), target="class")


def _options(text: str, heads: Sequence[re.Match[str]], ignored: Ignored) -> Mapping[str, str]:
    """The facts in the lines around the trees; the lines of the trees are left out."""
    # Lines of trees are emptied, not removed, so that the others keep their numbers.
    kept = text.split("\n")
    for head in heads:
        first = text.count("\n", 0, head.end()) + 1
        size = _END.split(text[head.end() :], maxsplit=1)[0].count("\n")
        kept[first : first + size] = [""] * size
    known = PRINTOUT.read(enumerate(kept, start=1), ignored)
    return {name: found[1] if found.re.groups else "" for name, _, found in known}


def _facts(options: Mapping[str, str], *, simplified: bool) -> list[tuple[str, Any]]:
    """The training parameters, if the printout has its head."""
    # Without the head, no option is known, not even a default.
    if "C4.5" not in options:
        return []
    told: dict[str, Any] = {}
    if "Sensible test requires" in options:
        # Release 8 prints the line where -m was given; without it nothing is told of the bound.
        told = {
            "min_samples_leaf": _decimal(options["Sensible test requires"]),
            **({"pruned": True} if simplified else {}),
        }
    # 25 % is the default of release 8, and is not printed then.
    confidence = decimal_text(Fraction(rational(options.get("Pruning confidence level", "25"))) / 100)
    # Both change which test wins, and an audit repeats neither.
    unlike = {"Gain criterion used": "-g, the gain alone", "Tests on discrete attribute groups": "-s, groups of values"}
    facts = remarks(told, [how for name, how in unlike.items() if name in options])
    return [*facts, ("confidence", confidence)] if simplified else facts


def _decimal(text: str) -> str:
    return decimal_text(rational(text))


def _document(text: str, head: re.Match[str], names: GivenNames, options: Mapping[str, str]) -> dict[str, Any]:
    simplified, first = head[1] is not None, text.count("\n", 0, head.end()) + 2
    body = _END.split(text[head.end() :], maxsplit=1)[0]
    # A deep part is printed below as a block of its own, and put back into its place.
    blocks = _blocks(indented.lines_of(body, first))
    root = _grafted({name: indented.tree_of(lines, first, ends=":") for name, lines in blocks.items()})
    version = _VERSION.search(text)
    # `%g` prints six digits. A threshold of release 8 is a value of the data.
    digits = PrintedDigits(figures=6, are_values=True)
    tree = indented.PrintedTree("C4.5", root, _LEAF, names, version and version[1], digits)
    facts = [("tree", "simplified" if simplified else "as grown"), *_facts(options, simplified=simplified)]
    # In the simplified tree the second figure is an estimate, so no weight of it is taken.
    return tree.document((lambda leaf: Leaf(leaf.label)) if simplified else None, facts)


def _blocks(lines: Sequence[Line]) -> dict[str, list[Line]]:
    """The lines of the tree, and of each subtree by its name; sets of values that go on are put together."""
    found: dict[str, list[Line]] = {"": []}
    block = found[""]
    for number, line in lines:
        if named := _SUBTREE.fullmatch(line):
            block = found.setdefault(named[1], [])
            if block:
                raise InputError(f"the subtree {named[1]} occurs twice", line=number)
        # An open brace: the set of values goes on in this line.
        elif block and block[-1][1].count("{") > block[-1][1].count("}"):
            block[-1] = (block[-1][0], block[-1][1].rstrip() + line.lstrip(" \t|"))
        else:
            block.append((number, line))
    return found


def _grafted(trees: Mapping[str, Nested]) -> Nested:
    """The tree with each subtree in its place."""
    # A subtree may hold the name of another one; each name has to be met once.
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
    # A block that nothing leads to would be lost.
    if unused := trees.keys() - used:
        raise InputError(f"the subtree {min(unused)} is nowhere named")
    return trees[""]
