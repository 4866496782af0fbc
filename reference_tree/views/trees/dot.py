r"""A tree as a graph in Graphviz's DOT language.

A question is a box with its attribute, a leaf a rounded one with its class; below the name stands the weight of each
class that arrives. A leaf that no row reached is dashed. An edge carries the answer that leads along it. Nodes are
numbered as in the tree document, in preorder, so the same tree is the same text everywhere.

    dot -Tsvg tree.dot > tree.svg
"""

from __future__ import annotations

from collections.abc import Iterator

from reference_tree.node import Node
from reference_tree.tree import Tree
from reference_tree.views.figures import below, caption
from reference_tree.views.names import dot_name

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
    return HEAD + "".join(f"    {line}\n" for line in _statements(tree)) + "}\n"


def _statements(tree: Tree) -> Iterator[str]:
    for number, node in enumerate(tree.nodes):
        yield f"n{number} [{_node(tree, node)}]"
        for branch, outcome in below(node):
            yield f'n{number} -> n{branch} [label=" {dot_name(outcome.label)} "]'


def _node(tree: Tree, node: Node) -> str:
    label = 'label="' + r"\n".join(map(dot_name, caption(tree, node))) + '"'
    if node.test is not None:
        return label
    return f'{label}, style="rounded,{"dashed" if node.prior else "filled"}", fillcolor="#e8eee9"'
