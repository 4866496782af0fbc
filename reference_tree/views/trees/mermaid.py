r"""A tree as a flowchart of Mermaid, which Markdown on many sites draws.

A question is a stadium with its attribute, a leaf a rounded box with what it answers; below the name stands what
arrives. A leaf that no row reached is dashed. An edge carries the answer that leads along it. Nodes are numbered as in
the tree document, in preorder.

Mermaid reads Markdown, HTML, directives and brackets inside a text, so every character that could be one of these is
spelt by its number (`names.mermaid_name`). It draws no more than 500 edges and 50 000 characters unless it is told to
(`maxEdges`, `maxTextSize`).
"""

from __future__ import annotations

from collections.abc import Iterator

from reference_tree.node import Node
from reference_tree.tree import Tree
from reference_tree.views.figures import below, caption
from reference_tree.views.names import mermaid_name


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
    return "flowchart TD\n" + "".join(f"    {line}\n" for line in _statements(tree))


def _statements(tree: Tree) -> Iterator[str]:
    priors = []
    for number, node in enumerate(tree.nodes):
        yield f"n{number}{_node(tree, node)}"
        for branch, outcome in below(node):
            yield f'n{number} -->|"{_text(outcome.label)}"| n{branch}'
        if node.prior:
            priors.append(f"n{number}")
    if priors:
        yield "classDef prior stroke-dasharray: 4 3"
        yield f"class {','.join(priors)} prior"


def _node(tree: Tree, node: Node) -> str:
    label = "<br/>".join(map(_text, caption(tree, node)))
    return f'("{label}")' if node.test is None else f'(["{label}"])'


def _text(name: str) -> str:
    """A name in a label; a blank one is spelt too, as Mermaid takes none for an empty label."""
    return mermaid_name(name) if name.strip() else "".join(f"#{ord(c)};" for c in name) or "#8203;"
