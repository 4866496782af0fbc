r"""A tree as a graph that other programs draw: Graphviz from its DOT language, and Mermaid, which many sites draw.

A question is a box with its attribute (in Mermaid a stadium), a leaf a rounded one with what it answers; below the name
stands what arrives. A leaf that no row reached is dashed. An edge carries the answer that leads along it. Nodes are
numbered as in the tree document, in preorder, so the same tree is the same text everywhere.

    dot -Tsvg tree.dot > tree.svg

Mermaid reads Markdown, HTML, directives and brackets inside a text, so every character that could be one of these is
spelt by its number (`names.mermaid_name`). It draws no more than 500 edges and 50 000 characters unless it is told to
(`maxEdges`, `maxTextSize`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from reference_tree.node import Node
from reference_tree.tree import Tree
from reference_tree.views.figures import below, caption
from reference_tree.views.names import dot_name, mermaid_name

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
        [N4 figure: cats tree]. N4's drawing is what ID3 grows on the cats, by ear, face and whiskers.
    """

    def box(node: Node) -> str:
        label = "<br/>".join(map(_label, caption(tree, node)))
        return f'("{label}")' if node.test is None else f'(["{label}"])'

    lines = [*_statements(tree, box, lambda answer, to: f' -->|"{_label(answer)}"| {to}')]
    if priors := [f"n{number}" for number, node in enumerate(tree.nodes) if node.prior]:
        lines += ["classDef prior stroke-dasharray: 4 3", f"class {','.join(priors)} prior"]
    return "flowchart TD\n" + "".join(f"    {line}\n" for line in lines)


def _label(name: str) -> str:
    """A name in Mermaid; a blank one is spelt too, as Mermaid takes none for an empty label."""
    return mermaid_name(name) if name.strip() else "".join(f"#{ord(c)};" for c in name) or "#8203;"


def _statements(tree: Tree, box: Callable[[Node], str], edge: Callable[[str, str], str]) -> Iterator[str]:
    """Each node, followed by the edges to those below it."""
    for number, node in enumerate(tree.nodes):
        yield f"n{number}{box(node)}"
        for branch, outcome in below(node):
            yield f"n{number}{edge(outcome.label, f'n{branch}')}"
