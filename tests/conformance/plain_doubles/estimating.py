"""Error-based pruning in plain doubles: the errors a leaf is expected to make, and branches that are raised."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from tests.conformance.plain_doubles.planting import planted
from tests.conformance.plain_doubles.rows import NOISE, Data, Node, Weighted, divide, number
from tests.conformance.plain_doubles.trees import left

DEVIATES = [
    (0.0, 4.0), (0.001, 3.09), (0.005, 2.58), (0.01, 2.33), (0.05, 1.65), (0.1, 1.28), (0.2, 0.84), (0.4, 0.25),
    (1.0, 0.0),
]  # fmt: skip
"""Confidences, and by how many standard deviations they are exceeded."""


def deviate(confidence: float) -> float:
    """C4.5's, between two points of its table."""
    if planted("two-sided-confidence"):
        confidence /= 2
    (x0, z0), (x1, z1) = next((low, high) for low, high in pairwise(DEVIATES) if low[0] < confidence <= high[0])
    return z0 + (z1 - z0) * (confidence - x0) / (x1 - x0)


def by_table(e: float, n: float, confidence: float) -> float:
    """Release 8."""
    none = n * (1 - math.pow(confidence, 1 / n))
    if e < 1e-6:
        return e + none
    if e < 0.9999:
        return e + none + e * (by_table(1, n, confidence) - 1 - none)
    if e + 0.5 >= n:
        return e + 0.67 * (n - e)
    z, seen = deviate(confidence), e + (0.0 if planted("no-correction-for-continuity") else 0.5)
    return n * (seen + z * z / 2 + math.sqrt(z * z * (seen * (1 - seen / n) + z * z / 4))) / (n + z * z)


def binomial(e: float, n: float, confidence: float) -> float:
    """The rate at which at most e errors among n are as unlikely as the confidence, by bisection."""
    if e >= n:
        return n
    low, high = e / n, 1.0
    for _ in range(100):
        p = (low + high) / 2
        likely = sum(math.comb(int(n), k) * p**k * (1 - p) ** (n - k) for k in range(int(e) + 1))
        low, high = (p, high) if likely > confidence else (low, p)
    return n * low


class Estimating:
    """Error-based pruning of a tree whose places keep their numbers while branches are raised."""

    def __init__(self, nodes: list[Node], options: Mapping[str, Any], data: Data) -> None:
        self.nodes, self.data = dict(enumerate(nodes)), data
        self.confidence, self.raising = number(options["confidence"]), options["raising"]
        self.limit: Callable[[float, float, float], float] = {"table": by_table, "binomial": binomial}[options["limit"]]
        self.at = [node.at for node in nodes]
        self.origin = {place: place for place in self.nodes}
        self.rows: dict[int, list[Weighted]] = {}
        self.decisions: list[dict[str, Any]] = []
        self.send(0, data.rows, nodes[0].label)

    def estimate(self, total: Sequence[float]) -> float:
        """The errors that a leaf is expected to make."""
        n = sum(total)
        return self.limit(n - max(total), n, self.confidence) if n > NOISE else 0.0

    def count(self, rows: Sequence[Weighted]) -> list[float]:
        """The weight of each class."""
        classes = self.data.domains[self.data.target] or []
        return [sum(w for row, w in rows if row[self.data.target] == label) for label in classes]

    def send(self, place: int, rows: list[Weighted], above: Any) -> None:
        """Send rows down, and count them everywhere."""
        old, classes = self.nodes[place], self.data.domains[self.data.target] or []
        total = self.count(rows)
        most = [label for label, w in zip(classes, total, strict=True) if abs(w - max(total)) < NOISE]
        label = above if not rows else old.label if old.label in most else most[0]
        node = Node(total, label, [], not rows, [], old.stop or ("empty" if not rows else None))
        self.nodes[place], self.rows[place] = node, rows
        if rows and old.asks is not None:
            node.asks, node.branches, node.shares = old.asks, old.branches, self.shared(old, rows)
            for branch, part in zip(node.branches, divide(old.asks, rows, node), strict=True):
                self.send(branch, part, label)

    def shared(self, node: Node, rows: list[Weighted]) -> list[float] | None:
        """The shares of the branches in these rows, as far as they answer."""
        assert node.asks is not None
        known = [(row, w) for row, w in rows if node.asks.branch(row) is not None]
        weights = [sum(self.count(part)) for part in divide(node.asks, known, node)]
        return [w / sum(weights) for w in weights] if node.shares is not None and known else node.shares

    def routed(self, place: int, rows: list[Weighted]) -> float:
        """The estimate of a subtree if these rows came to it."""
        node = self.nodes[place]
        if node.asks is None or not rows:
            return self.estimate(self.count(rows))
        anew = Node(node.total, node.label, [], False, [], None, node.asks, self.shared(node, rows))
        parts = divide(node.asks, rows, anew)
        return sum(self.routed(branch, part) for branch, part in zip(node.branches, parts, strict=True))

    def below(self, place: int) -> float:
        """The estimate of what is left below a node."""
        node = self.nodes[place]
        return self.estimate(node.total) if node.asks is None else sum(map(self.below, node.branches))

    def order(self, place: int) -> list[int]:
        """Each place after all those below it."""
        return [one for branch in self.nodes[place].branches for one in self.order(branch)] + [place]

    def prune(self) -> list[Node]:
        """Judge every node from below, a raised branch again."""
        pending = self.order(0)[::-1]
        while pending:
            place = pending.pop()
            if self.nodes[place].asks is not None and self.judge(place) == "raise":
                pending += self.order(place)[::-1]
        kept = [self.nodes[place] for place in sorted(self.nodes)]
        places = {place: n for n, place in enumerate(sorted(self.nodes))}
        for node in kept:
            node.branches = [places[branch] for branch in node.branches]
        return left(kept, set())

    def judge(self, place: int) -> str:
        """Compare the three estimates."""
        node, slack = self.nodes[place], 0.0 if planted("no-tenth-of-an-error") else 0.1
        leaf, subtree, raised, branch = self.estimate(node.total), self.below(place), math.inf, None
        if self.raising:
            assert node.asks is not None
            taken = [node.asks.branch(row) for row, _ in self.rows[place]]
            sizes = [
                sum(w for (_, w), one in zip(self.rows[place], taken, strict=True) if one == n)
                for n in range(len(node.branches))
            ]
            largest = node.branches[max(range(len(sizes)), key=lambda n: (sizes[n], n))]
            if planted("first-of-the-largest"):
                largest = node.branches[sizes.index(max(sizes))]
            raised = self.routed(largest, self.rows[largest if planted("raised-without-the-others") else place])
            branch = {"at": self.at[self.origin[largest]], "estimate": raised}
        rival = subtree if planted("leaf-without-the-branch") else min(subtree, raised)
        verdict = "leaf" if leaf <= rival + slack + NOISE else "keep"
        if verdict == "keep" and raised <= subtree + slack + NOISE:
            verdict = "raise"
        decision = {
            "at": self.at[self.origin[place]],
            "as_leaf": leaf,
            "as_subtree": subtree,
            "branch": branch,
            "verdict": verdict,
        }
        self.decisions.append(decision)
        if verdict == "raise":
            self.nodes[place], self.origin[place] = self.nodes[largest], self.origin[largest]
            self.send(place, self.rows[place], node.label)
        elif verdict == "leaf":
            self.nodes[place] = Node(node.total, node.label, [], False, [], "pruned")
        return verdict


def by_estimate(
    nodes: list[Node], setup: Mapping[str, Any], data: Data, _: Data | None
) -> tuple[dict[str, Any], list[Node]]:
    """Error-based pruning."""
    found = Estimating(nodes, setup, data)
    tree = found.prune()
    return {"decisions": found.decisions, "estimate": found.below(0)}, tree
