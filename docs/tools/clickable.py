"""A tree whose questions are links, for the first page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from reference_tree.tree import Tree
from reference_tree.views.trees.svg import to_svg

QUESTION = re.compile(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" fill-opacity="0.04"[^>]*/>')
"""The box of a question in a drawing."""


def linked(tree: Tree, anchors: Sequence[str]) -> str:
    """The drawing of a tree with a link on each question: one anchor for each, in preorder."""
    drawing = to_svg(tree)
    boxes = list(QUESTION.finditer(drawing))
    assert len(boxes) == len(anchors), "one anchor for each question"
    names = [node.test.name for node in tree.nodes if node.test]
    links = "".join(
        f'<a href="#{anchor}" aria-label="The candidates at {escape(name)}"><rect class="asks" x="{box[1]}" '
        f'y="{box[2]}" width="{box[3]}" height="{box[4]}" rx="3"/></a>'
        for box, anchor, name in zip(boxes, anchors, names, strict=True)
    )
    at = drawing.rindex("</g>\n</g>")
    return drawing[:at].replace('role="img"', 'role="group"', 1) + links + drawing[at:]
