"""Trees that are given, in plain doubles: their nodes in preorder, and what is left of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tests.conformance.plain_doubles.rows import Node, Question, number


def read(nodes: Sequence[Mapping[str, Any]], classes: Sequence[str] | None) -> list[Node]:
    """The nodes of a tree document, of which only questions about one attribute are understood."""
    found: list[Node] = []
    for one in nodes:
        if classes is None:
            total = [number(one["n"])]
            node = Node(total, number(one["mean"]), [], False, [number(one["mean"])], one.get("stop"))
        else:
            total = [number(one["counts"][label]) for label in classes]
            share_of = [w / sum(total) if sum(total) else 0.0 for w in total]
            node = Node(total, one["label"], one.get("tied", []), one.get("prior", False), share_of, one.get("stop"))
        if "test" in one:
            node.asks = Question(one["test"], [branch["when"] for branch in one["branches"]], [], [])
            node.branches, node.missing = [branch["to"] for branch in one["branches"]], one.get("missing")
            if node.missing is not None and "to" in node.missing:
                node.missing = {**node.missing, "to": node.branches.index(node.missing["to"])}
            for other in one.get("surrogates", []):
                asks = Question(other["test"], [branch["when"] for branch in other["branches"]], [], [])
                asks.scores = {"agreement": number(other["agreement"])}
                node.surrogates.append((asks, [node.branches.index(branch["to"]) for branch in other["branches"]]))
            if "share" in one["branches"][0]:
                node.shares = [number(branch["share"]) for branch in one["branches"]]
        found.append(node)
    for above in found:
        for place, branch in enumerate(above.branches):
            found[branch].at = [*above.at, place]
            if not any(found[branch].total):
                found[branch].share_of = above.share_of
    return found


def postorder(nodes: Sequence[Node], top: int = 0) -> Iterator[int]:
    """Each node after all those below it."""
    for below in nodes[top].branches:
        yield from postorder(nodes, below)
    yield top


def below(nodes: Sequence[Node], top: int, cut: set[int]) -> Iterator[int]:
    """The leaves below a node, when some nodes are cut."""
    if top in cut or nodes[top].asks is None:
        yield top
    else:
        for branch in nodes[top].branches:
            yield from below(nodes, branch, cut)


def left(nodes: Sequence[Node], cut: set[int]) -> list[Node]:
    """The tree without what lies below the nodes that are cut, numbered anew."""
    found: list[Node] = []

    def copy(top: int) -> int:
        old, place = nodes[top], len(found)
        new = replace(old, branches=[])
        found.append(new)
        if top in cut:
            new.stop, new.asks = "pruned", None
        elif old.asks is not None:
            new.stop, new.branches = None, [copy(branch) for branch in old.branches]
        return place

    copy(0)
    return found


def size(node: Node) -> float:
    """The weight of a node."""
    return sum(node.total)
