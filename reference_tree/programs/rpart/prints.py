"""rpart: what `print` shows of a tree.

    n= 81

    node), split, n, loss, yval, (yprob)
          * denotes terminal node

     1) root 81 17 absent (0.79012346 0.20987654)
       2) Start>=8.5 62  6 absent (0.90322581 0.09677419) *
       3) Start< 8.5 19  8 present (0.42105263 0.57894737) *

The nodes below node n are 2n and 2n + 1; a leaf has a star. Numbers have seven digits if nothing else is said
(`PrintedDigits`). What the surrogates are is not printed. Under priors or losses `loss` is no count of rows, and n is
none of weights: the counts are known only where the probabilities agree with them.
`reference_tree.programs.rpart.tables` reads all of a tree, from its tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import decimal_text, rational, shortened
from reference_tree.programs import indented
from reference_tree.programs.documents import HeldNode
from reference_tree.programs.indented import ENDS
from reference_tree.programs.printouts import KnownLine, Line, PrintedDigits, Printout, check_number
from reference_tree.programs.reader import GivenNames, ProgramReader
from reference_tree.programs.rpart.tables import LOSSES, PRIORS, texts

_HEAD = re.compile(r"(?m)^node\), split, n, (?:(loss), yval, \(yprob\)|deviance, yval)[ \t]*\r?$")
_AT = r"-?[\d.]+(?:e[+-]?\d+)?"
# A split may hold blanks and brackets, since names and levels may; the numbers behind it end it.
_NODE = rf" *(?P<node>\d+)\) (?P<split>.+?(?:<|>=) *{_AT}|.+?=.+?|root) +(?P<n>\d\S*) +(?P<loss>-?\d\S*) +"
_CLASS = re.compile(_NODE + r"(?P<label>.+?) +\((?P<shares>[\d.e+ -]+)\) *(?P<leaf>\*)?")
_MEAN = re.compile(_NODE + r"(?P<label>-?\d\S*) *(?P<leaf>\*)?")
_BEGINS = re.compile(r" *\d+\) ")
_SPLIT = re.compile(rf"(.+?)(?:(<|>=) *({_AT})|=(.+))")
_ANSWER = re.compile(r"\[(?P<each>[^\]]*)\] (?:\((?P<n>[^()/ ]+)/(?P<wrong>[^()/ ]+)\) )?(?P<label>.+)")
_NUMBER = re.compile(r"(?P<label>.+)")
USUAL = 7
"""The digits that R prints, unless told otherwise."""
_MANY = 3
"""So many numbers with as many digits as any, and fewer than usual, show that fewer were told."""

PRINTOUT = Printout(
    "a print of rpart",
    [
        KnownLine("n", r"n= ?(\d+) *(?:\(.+ observations? deleted due to missingness\))?"),
        KnownLine("node), split, n", r"node\), split, n, .*"),
        KnownLine("* denotes terminal node", r"\* denotes terminal node", "it is a title"),
        KnownLine("a line of the console", r">( .*)?", "it is what was typed"),
    ],
    {
        r"Call:|rpart\(.*|Node number \d+:.*": "it is of summary(fit); print(fit) shows the tree",
        r"Variables actually used in tree construction:|Root node error:.*|"
        r"(?:Classification|(?:Rates |Survival )?[Rr]egression) tree:": "it is of printcp(fit); print(fit) is read",
    },
)
"""The record of the lines around the tree."""


def documents(value: Any, names: GivenNames) -> list[dict[str, Any]]:
    """The document of the tree in a text.

    Raises:
        InputError: the text holds no such tree, or only a part of it.
        UnreadError: a line around the tree is not known.
    """
    # The console's lines, the title and the count may stand above or below.
    text = indented.text_of(value)
    head = _HEAD.search(text)
    if head is None:
        raise InputError("there is no line 'node), split, n, ...' above a tree")
    first, is_class = text.count("\n", 0, head.end()) + 1, head[1] is not None
    lines = [(number, line.rstrip("\r")) for number, line in enumerate(text.split("\n"), start=1)]
    found = [_node(number, line, is_class=is_class) for number, line in lines if number > first and _BEGINS.match(line)]
    around = [(number, line) for number, line in lines if number <= first or not _BEGINS.match(line)]
    # The first count is of the rows at the root: it shows whether the nodes belong to this head.
    for name, line, told in PRINTOUT.read(around, names.ignored):
        if name == "n" and found:
            check_number(told, line, int(rational(found[0][1]["n"])), "rows", "number of rows")
    # The tree is in the numbers of the nodes; the indentation only repeats it.
    _check_numbers(found)
    root = indented.tree_of(list(_lines(found)), first + 1, ends=ENDS)
    # rpart prints the side of the lower prediction first; a document has the branch of the smaller numbers first
    # `<` sorts before `>=`, as False before True.
    for _, node, _ in list(indented.numbered(root)):
        node.below.sort(key=lambda each: each[0].relation == ">=")
    digits = PrintedDigits(figures=figures_of([match for _, match in found]))
    tree = indented.PrintedTree("rpart", root, _ANSWER if is_class else _NUMBER, names, digits=digits)
    asked = [HeldNode({}, indented.test_of(node, below)) for _, node, below in indented.numbered(root) if below]
    attributes = [each for each in indented.attributes_of(root, names.attributes) if each.values is None]
    target = Attribute(names.target, names.classes if is_class else None)  # type: ignore[arg-type]
    # Classes TRUE and FALSE given for a tree of numbers say that the response was logical.
    kinds = {} if is_class or set(names.classes) - {"TRUE", "FALSE"} else {names.target: "logical"}
    facts = [*texts(attributes, target, asked, kinds), *_priors(found)]
    return [tree.document(None, facts, None if is_class else re.compile(".+"))]


READER = ProgramReader("rpart_print", "a tree that rpart prints", documents, _HEAD, inventories=(PRINTOUT.inventory,))


def _node(number: int, line: str, *, is_class: bool) -> tuple[int, re.Match[str]]:
    """A line as a node.

    Raises:
        InputError: it is none.
    """
    found = (_CLASS if is_class else _MEAN).fullmatch(line.rstrip())
    if found is None:
        raise InputError(f"{shortened(line.strip())} is no node of rpart", line=number)
    return number, found


def _check_numbers(found: Sequence[tuple[int, re.Match[str]]]) -> None:
    """Refuse nodes that are not numbered in preorder, each below the one of half its number.

    Raises:
        InputError: there is such a node.
    """
    path: list[int] = []
    seen = {0}
    for line, each in found:
        node = int(each["node"])
        # Up to the parent: node n has the number of its parent twice, and perhaps one more.
        while path and path[-1] != node // 2:
            path.pop()
        # The root is node 1 and the only node without a parent.
        if node in seen or (node > 1 and not path) or (node == 1) == bool(path):
            raise InputError(f"node {node} does not stand below node {node // 2}", line=line)
        seen.add(node)
        path.append(node)


def figures_of(nodes: Sequence[re.Match[str]]) -> int:
    """The digits to which the thresholds of a print are rounded: seven, unless its other numbers show others.

    R gives probabilities as many decimals as the smallest one needs, and at least as many as it was told digits.
    """
    # print() takes a number of digits, which it does not print.
    parts = [each.groupdict() for each in nodes]
    cuts = [found[3] for each in parts if (found := _SPLIT.fullmatch(each["split"] or "")) and found[3]]
    shares = [text.partition(".")[2] for each in parts for text in (each.get("shares") or "").split()]
    decimals = max(map(len, shares), default=0)
    # R shows all shares of a column with as many decimals as the one that needs most.
    if decimals:
        least = decimals - max((len(text) - len(text.lstrip("0")) for text in shares if text.strip("0")), default=0)
        told = USUAL if least <= USUAL <= decimals else least
        return max([told, *map(_figures, cuts)])
    # Of means, the number with the most digits tells how many were asked for.
    numbers = {*cuts, *(each[part] or "" for each in parts for part in ("label", "loss"))}
    most = max(map(_figures, numbers), default=USUAL)
    # Few digits prove nothing by themselves: short numbers are printed short.
    is_told = most > USUAL or (most > 1 and sum(_figures(text) == most for text in numbers) >= _MANY)
    return most if is_told else USUAL


def _figures(number: str) -> int:
    """The digits of a number but for zeros at its ends."""
    return len(re.sub(r"e.*|[.-]", "", number).strip("0"))


def _lines(found: Sequence[tuple[int, re.Match[str]]]) -> Iterator[Line]:
    """The lines of the branches, with the answers of the leaves."""
    # The lines of `indented`: bars for the level, and the answer behind a tab.
    for number, each in found:
        depth, answer = int(each["node"]).bit_length() - 2, _answer(each.groupdict(), number)
        if depth >= 0:
            told = f"{ENDS}{answer}" if each["leaf"] else ""
            yield number, f"{'|   ' * depth}{_test(each['split'], number)}{told}"
        elif each["leaf"]:
            yield number, answer


_DECIMALS = 15
"""The decimals of a probability that R computes; the last one of 16 may be a zero that fills the column."""


def _answer(node: Mapping[str, str], line: int) -> str:
    """An answer; the weights of the classes, and those of all rows and of other classes, as far as they are counts.

    A probability times n is a whole number within the digits that are printed, if rows have no weights and classes no
    priors.

    Raises:
        InputError: the probabilities do not add up.
    """
    if "shares" not in node:
        return node["label"]
    # Under a loss matrix the second figure is a cost, and no number of rows.
    loss, weights = rational(node["loss"]), _rows_of_classes(node, line)
    n = sum(weights)
    if n - loss != max(weights, default=None):  # without costs, the answer is the largest class
        return f"[] {node['label']}"
    return f"[{' '.join(map(str, weights))}] ({decimal_text(n)}/{decimal_text(loss)}) {node['label']}"


def _rows_of_classes(node: Mapping[str, str], line: int) -> list[int]:
    """The rows of each class; empty where the probabilities are no shares of the rows.

    Raises:
        InputError: the probabilities do not add up.
    """
    # The shares have few digits, so a product is near a whole number if they are shares of rows.
    n = rational(node["n"])
    shares = [Fraction(rational(text)) for text in node["shares"].split()]
    decimals = min(len(text.partition(".")[2]) for text in node["shares"].split())
    unit = Fraction(1, 10 ** min(decimals, _DECIMALS))
    if abs(sum(shares, Fraction(0)) - 1) > len(shares) * unit:
        raise InputError(f"the probabilities {node['shares']} do not add up to 1", line=line)
    # Only if every product is whole within the printed digits are these the rows.
    weights = [round(n * share) for share in shares]
    near = all(abs(n * share - weight) <= n * unit for share, weight in zip(shares, weights, strict=True))
    return weights if near and sum(weights) == n else []


def _priors(nodes: Sequence[tuple[int, re.Match[str]]]) -> list[tuple[str, Any]]:
    """The priors or the losses as facts, if the loss of some node is no number of its rows.

    The priors are the probabilities of the root. If all probabilities are shares of the rows, errors differ in cost.
    """
    found = [(line, each.groupdict()) for line, each in nodes]
    # Every node's answer and loss agree with its rows: nothing was weighted.
    if all("shares" not in node or not _answer(node, line).startswith("[] ") for line, node in found):
        return []
    facts: list[tuple[str, Any]] = [(PRIORS, found[0][1]["shares"].split())]
    rows = [_rows_of_classes(node, line) for line, node in found]
    if all(rows):  # the probabilities are shares of the rows, so that an error costs other than 1
        told = [[node["label"], node["loss"], *map(str, own)] for (_, node), own in zip(found, rows, strict=True)]
        facts.append((LOSSES, told))
    return facts


def _test(split: str, line: int) -> str:
    found = _SPLIT.fullmatch(split)
    if found is None:
        raise InputError(f"{shortened(split)} is no test of rpart", line=line)
    attribute, relation, at, values = found.groups()
    return f"{attribute} {relation} {at}" if values is None else f"{attribute} in {{{values}}}"
