r"""A tree in lines: as text, as if-then rules, and as a graph that other programs draw.

Text has one line for each branch, rules one for each path from the root to a leaf. Graphs are drawn by Graphviz from
its DOT language, and by Mermaid on many sites.

A line of text is the condition of a branch. If the branch ends in a leaf, its class follows, and in brackets the
weight of each class at the leaf; classes of weight 0 are left out. A regression tree answers with a number, and in
brackets are the number of rows at the leaf and its error on them. A leaf at which several classes are equally common
is marked as a tie, and one that no row reached repeats the answer above it. Beyond `DEEPEST` levels the indentation
grows no further, and the level is given as a number.

The rules of a tree exclude one another and leave nothing out: exactly one of them fits each row, so their order does
not matter. Each is followed by its *coverage*: how many of the training rows that meet its conditions have the class,
and how many meet them; for a number, how many rows there are and its error on them.

In a graph a test is a box with its attribute (in Mermaid a stadium), a leaf a rounded one with its answer; below
the name are the figures of the node. A leaf that no row reached is dashed. An edge carries the answer that leads along
it. Nodes are numbered as in the tree document, in preorder, so the same tree is the same text everywhere.

    dot -Tsvg tree.dot > tree.svg

Mermaid reads Markdown, HTML, directives and brackets inside a text, so every character that could be one of these is
written by its number (`names.mermaid_name`). It draws no more than 500 edges and 50 000 characters unless its options
(`maxEdges`, `maxTextSize`) allow more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from reference_tree.data.errors import InputError
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.exact.rounding import significant
from reference_tree.node import Node
from reference_tree.tree import Rule, Tree, check_tree
from reference_tree.views.wording import (
    answer_text,
    arrived,
    below,
    caption,
    dot_name,
    label_of,
    mermaid_name,
    name_of,
    one_line,
    spread_of,
    step_of,
    weight_text,
    written,
)

DEEPEST = 40
"""The deepest level that is shown by indentation."""

MOST = 5_000_000
"""The most conditions of rules that are written: the rules of a chain of n tests have n²/2 of them."""


def to_text(tree: Tree) -> str:
    """A tree as text.

    Example:
        >>> from reference_tree.data.table import Table
        >>> from reference_tree.learners.id3 import ID3
        >>> table = Table.from_columns({"wind": ["weak", "strong", "weak"], "play": ["yes", "no", "yes"]})
        >>> print(to_text(ID3().grow(table)), end="")
        wind = strong: no (no 1)
        wind = weak: yes (yes 2)
    """
    check_tree(tree)
    return "".join(f"{line}\n" for line in lines(tree))


def to_texts(ensemble: Ensemble) -> str:
    """The trees of an ensemble as text, one after another, each with its number from 1 and its weight.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> from reference_tree.ensembles.bagging import Bagging
        >>> from reference_tree.learners.id3 import ID3
        >>> print(to_texts(Bagging(base=ID3(max_depth=1), trees=2).grow(textbook("play-tennis"))), end="")
        tree 1
          temperature = cool: yes (yes 4)
          temperature = hot: no (no 2, yes 1)
          temperature = mild: yes (no 2, yes 5)
        <BLANKLINE>
        tree 2
          wind = strong: no (no 4, yes 1)
          wind = weak: yes (no 2, yes 7)
    """
    found: list[str] = []
    for number, member in enumerate(ensemble.members, start=1):
        weight = "" if member.weight == 1 else f", weight {significant(member.weight, 6)}"
        of = "" if member.of is None else f", of {one_line(member.of)}"
        found += [f"tree {number}{of}{weight}", *(f"  {line}" for line in lines(member.tree)), ""]
    return "\n".join(found)


def lines(tree: Tree) -> Iterator[str]:
    """The lines of the text, in preorder: one for each branch, or one for a tree that is a single leaf."""
    if tree.nodes[0].test is None:
        yield _leaf(tree, tree.nodes[0])
    conditions = [""] * len(tree.nodes)
    for number, (node, depth) in enumerate(zip(tree.nodes, tree.depths(), strict=True)):
        for branch, outcome in below(node):
            conditions[branch] = one_line(f"{name_of(node)} {outcome.sign.strip()} {written(outcome)}")
        if number:
            level = depth - 1
            indentation = "|   " * min(level, DEEPEST) + (f"[{level}] " if level > DEEPEST else "")
            ending = f": {_leaf(tree, node)}" if node.test is None else ""
            yield indentation + conditions[number] + ending


def _leaf(tree: Tree, node: Node) -> str:
    remarks = ["no row; as above"] if node.prior else [", ".join(arrived(tree, node)), "a tie" if node.tied else ""]
    remark = "; ".join(filter(None, remarks))
    return f"{answer_text(node.label)} ({remark})" if remark else answer_text(node.label)


def to_rules(tree: Tree) -> str:
    """A tree as if-then rules, one to a line, in the order of the leaves.

    Raises:
        InputError: the tree is so deep that its rules have too many conditions to be written.

    Example:
        >>> from reference_tree.data.table import Table
        >>> from reference_tree.learners.id3 import ID3
        >>> table = Table.from_columns({"wind": ["weak", "strong", "weak"], "play": ["yes", "no", "yes"]})
        >>> print(to_rules(ID3().grow(table)), end="")
        if wind=strong then play=no (1 of 1)
        if wind=weak then play=yes (2 of 2)

    Source:
        [N1 §1.1 (1)]. N1 has a set of rules; one that comes from a tree has exactly one rule for each row.
    """
    check_tree(tree)
    conditions = sum(depth for depth, node in zip(tree.depths(), tree.nodes, strict=True) if node.test is None)
    if conditions > MOST:
        raise InputError(
            f"the rules of this tree have {conditions} conditions, and {MOST} can be written; take the text"
        )
    return "".join(f"{line}\n" for line in rules(tree))


def rules(tree: Tree) -> Iterator[str]:
    """The rules, generated one after another."""
    leaves = (number for number, node in enumerate(tree.nodes) if node.test is None)
    for number, rule in zip(leaves, tree.rules(), strict=True):
        conditions = " and ".join(step_of(test, branch) for test, branch in tree.conditions(number))
        when = f"if {conditions}" if conditions else "always"
        then = f"then {one_line(tree.target.name)}={answer_text(rule.label)}"
        yield f"{when} {then} ({_coverage(tree, rule)})"


def _coverage(tree: Tree, rule: Rule) -> str:
    """The coverage of a rule: how many of its rows have its class."""
    if not any(rule.counts):
        return "no row"
    if isinstance(rule.label, str):
        right = rule.counts[tree.target.domain.index(rule.label)]
        return f"{weight_text(right)} of {weight_text(sum(rule.counts))}"
    return ", ".join(spread_of(Node(rule.counts, rule.label)))


# A graph.

HEAD = """\
digraph tree {
    graph [bgcolor=transparent, ranksep=0.5, nodesep=0.25]
    node [shape=box, fontname="Helvetica,Arial,sans-serif", fontsize=12, height=0.3, margin="0.15,0.07"]
    edge [fontname="Helvetica,Arial,sans-serif", fontsize=11, arrowsize=0.6]
"""


def to_dot(tree: Tree) -> str:
    r"""A tree in the DOT language.

    Example:
        >>> from reference_tree.data.table import Table
        >>> from reference_tree.learners.id3 import ID3
        >>> table = Table.from_columns({"wind": ["weak", "strong", "weak"], "play": ["yes", "no", "yes"]})
        >>> print("\n".join(to_dot(ID3().grow(table)).splitlines()[4:]))
            n0 [label="wind\nno 1, yes 2"]
            n0 -> n1 [label=" strong "]
            n0 -> n2 [label=" weak "]
            n1 [label="no\nno 1", style="rounded,filled", fillcolor="#e8eee9"]
            n2 [label="yes\nyes 2", style="rounded,filled", fillcolor="#e8eee9"]
        }
    """
    check_tree(tree)

    def box(node: Node) -> str:
        look = f', style="rounded,{"dashed" if node.prior else "filled"}", fillcolor="#e8eee9"'
        label = r"\n".join(map(dot_name, caption(tree, node)))
        return f' [label="{label}"{look if node.test is None else ""}]'

    edges = _statements(tree, box, lambda answer, to: f' -> {to} [label=" {dot_name(answer)} "]')
    return HEAD + "".join(f"    {line}\n" for line in edges) + "}\n"


def to_mermaid(tree: Tree) -> str:
    """A tree as a flowchart of Mermaid, from the top down.

    Example:
        >>> from reference_tree.data.table import Table
        >>> from reference_tree.learners.id3 import ID3
        >>> table = Table.from_columns({"wind": ["weak", "strong", "weak"], "play": ["yes", "no", "yes"]})
        >>> print(to_mermaid(ID3().grow(table)), end="")
        flowchart TD
            n0(["wind<br/>no 1, yes 2"])
            n0 -->|"strong"| n1
            n0 -->|"weak"| n2
            n1("no<br/>no 1")
            n2("yes<br/>yes 2")

    Source:
        [N4 figure: cats tree]. N4's drawing is the tree of ID3 on the cats, by ear, face and whiskers.
    """
    check_tree(tree)

    def box(node: Node) -> str:
        label = "<br/>".join(map(_label, caption(tree, node)))
        return f'("{label}")' if node.test is None else f'(["{label}"])'

    lines = [*_statements(tree, box, lambda answer, to: f' -->|"{_label(answer)}"| {to}')]
    if priors := [f"n{number}" for number, node in enumerate(tree.nodes) if node.prior]:
        lines += ["classDef prior stroke-dasharray: 4 3", f"class {','.join(priors)} prior"]
    return "flowchart TD\n" + "".join(f"    {line}\n" for line in lines)


def _label(name: str) -> str:
    """A name in Mermaid; a blank one is written by numbers too, since Mermaid accepts no empty label."""
    return mermaid_name(name) if name.strip() else "".join(f"#{ord(c)};" for c in name) or "#8203;"


def _statements(tree: Tree, box: Callable[[Node], str], edge: Callable[[str, str], str]) -> Iterator[str]:
    """Each node, followed by the edges to its children."""
    for number, node in enumerate(tree.nodes):
        yield f"n{number}{box(node)}"
        for branch, outcome in below(node):
            yield f"n{number}{edge(label_of(outcome), f'n{branch}')}"
