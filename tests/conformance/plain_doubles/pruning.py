"""Pruning in plain doubles: each method with its decisions.

A tree is given as nodes in preorder, and is pruned by saying which of its nodes become leaves; error-based pruning can
also put a branch in the place of its node.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from tests.conformance.plain_doubles import formulas
from tests.conformance.plain_doubles.planting import planted
from tests.conformance.plain_doubles.pre_pruning import PrePruned
from tests.conformance.plain_doubles.rows import NOISE, Data, Node, Question, Weighted, divide, number


def read(nodes: Sequence[Mapping[str, Any]], classes: Sequence[str] | None) -> list[Node]:
    """The nodes of a tree document, of which only questions about one attribute are understood."""
    found: list[Node] = []
    for one in nodes:
        if classes is None:
            total = [number(one["n"])]
            node = Node(total, number(one["mean"]), [], False, [number(one["mean"])])
        else:
            total = [number(one["counts"][label]) for label in classes]
            share_of = [w / sum(total) if sum(total) else 0.0 for w in total]
            node = Node(total, one["label"], one.get("tied", []), one.get("prior", False), share_of, one.get("stop"))
        if "test" in one:
            node.asks = Question(one["test"], [branch["when"] for branch in one["branches"]], [], [])
            node.branches, node.missing = [branch["to"] for branch in one["branches"]], one.get("missing")
            if node.missing is not None and "to" in node.missing:
                node.missing = {**node.missing, "to": node.branches.index(node.missing["to"])}
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
        new = Node(old.total, old.label, old.tied, old.prior, old.share_of, old.stop)
        found.append(new)
        if top in cut:
            new.stop = "pruned"
        elif old.asks is not None:
            new.asks, new.shares, new.stop = old.asks, old.shares, None
            new.branches = [copy(branch) for branch in old.branches]
        return place

    copy(0)
    return found


def size(node: Node) -> float:
    """The weight of a node."""
    return sum(node.total)


# By the cost function.


def leaf_cost(node: Node, alpha: float, whole: float) -> float:
    """N H + α; a leaf without rows is not counted."""
    if not size(node):
        return alpha if planted("empty-leaves-cost") else 0.0
    scale = 1 / whole if planted("cost-of-shares") else 1.0
    return size(node) * scale * formulas.entropy(node.total) + alpha


def by_cost(nodes: list[Node], told: Mapping[str, Any], _: Data, __: Data | None) -> tuple[dict[str, Any], list[Node]]:
    """The cheapest pruning."""
    alpha, costs, cut = number(told["alpha"]), dict[int, float](), set[int]()
    decisions = []
    for place in postorder(nodes):
        node = nodes[place]
        costs[place] = leaf_cost(node, alpha, size(nodes[0]))
        if node.asks is not None:
            subtree = sum(costs[branch] for branch in node.branches)
            if planted("cost-of-every-node"):
                subtree += alpha
            is_pruned = costs[place] < subtree - NOISE if planted("cost-strict") else costs[place] <= subtree + NOISE
            decisions.append({"at": node.at, "as_leaf": costs[place], "as_subtree": subtree, "pruned": is_pruned})
            if is_pruned:
                cut.add(place)
            costs[place] = costs[place] if is_pruned else subtree
    return {"decisions": decisions, "cost": costs[0]}, left(nodes, cut)


# By cost-complexity.


def risk(node: Node, whole: float) -> float:
    """The training rows that a leaf gets wrong, as a share of all."""
    if planted("risk-by-gini"):
        return size(node) / whole * formulas.gini(node.total) if size(node) else 0.0
    wrong = size(node) - max(node.total)
    return wrong / (1.0 if planted("risk-not-normalised") else whole)


def by_path(nodes: list[Node], told: Mapping[str, Any], _: Data, __: Data | None) -> tuple[dict[str, Any], list[Node]]:
    """The sequence of trees, all weakest links cut together, and the tree for one α."""
    whole, cut = size(nodes[0]), set[int]()
    sequence: list[dict[str, Any]] = []
    cuts: list[set[int]] = []
    alpha = 0.0
    while True:
        found = links(nodes, cut, whole)
        weakest = [one for one in found if one["g"] <= alpha + NOISE]
        if weakest or not sequence:
            if planted("one-link-at-a-time"):
                weakest = weakest[:1]
            cut = cut | {one["id"] for one in weakest}
            told_cut = [{"at": one["at"]} for one in weakest if not is_below(nodes, one["id"], cut)]
            leaves = [place for place in below(nodes, 0, cut) if size(nodes[place])]
            total = sum(risk(nodes[place], whole) for place in leaves)
            shown = [{name: value for name, value in one.items() if name != "id"} for one in found]
            step = {"alpha": alpha, "links": shown, "cut": told_cut, "leaves": len(leaves), "risk": total}
            sequence.append(step)
            cuts.append(cut)
        remaining = links(nodes, cut, whole)
        if not remaining:
            break
        alpha = max(alpha, min(one["g"] for one in remaining))
    asked = number(told["alpha"])
    taken = max(n for n, step in enumerate(sequence) if step["alpha"] <= asked + NOISE)
    if planted("alpha-strict"):
        taken = max([n for n, step in enumerate(sequence) if step["alpha"] < asked - NOISE], default=0)
    return {"sequence": sequence, "taken": taken}, left(nodes, cuts[taken])


def links(nodes: Sequence[Node], cut: set[int], whole: float) -> list[dict[str, Any]]:
    """G of each node that still asks: what a leaf less costs."""
    found = []
    for place in postorder(nodes):
        if nodes[place].asks is None or place in cut or is_below(nodes, place, cut):
            continue
        leaves = [one for one in below(nodes, place, cut) if size(nodes[one])]
        subtree, leaf = sum(risk(nodes[one], whole) for one in leaves), risk(nodes[place], whole)
        saved = len(leaves) - 1
        per = len(leaves) if planted("price-by-leaves") else saved
        g = (leaf - subtree) / per if per else 0.0
        told = {"at": nodes[place].at, "as_leaf": leaf, "as_subtree": subtree, "saved": saved, "g": g}
        found.append({"id": place, **told})
    return found


def is_below(nodes: Sequence[Node], place: int, cut: set[int]) -> bool:
    """Whether a node lies below one that is cut."""
    return any(place != top and place in postorder(nodes, top) for top in cut)


# By validation rows.


def errors(nodes: Sequence[Node], data: Data) -> list[float]:
    """What the rows that reach each node get wrong if it is a leaf; a row without an answer counts in parts."""
    found = [0.0] * len(nodes)
    held: Sequence[Weighted] = data.rows

    def send(place: int, rows: Sequence[Weighted]) -> None:
        node = nodes[place]
        labels = [row[data.target] for row, _ in rows]
        label = node.label
        if planted("label-of-the-validation-rows") and labels:
            label = max(sorted(map(str, set(labels))), key=labels.count)
        found[place] = sum(w for row, w in rows if row[data.target] != label)
        if node.asks is not None:
            for branch, part in zip(node.branches, divide(node.asks, rows, node), strict=True):
                send(branch, part)

    send(0, held)
    return found


def by_validation(
    nodes: list[Node], told: Mapping[str, Any], _: Data, held: Data | None
) -> tuple[dict[str, Any], list[Node]]:
    """Reduced error, from below or best first."""
    assert held is not None
    wrong, whole = errors(nodes, held), sum(w for _, w in held.rows)
    ties = told["on_equal"] == "prune"
    if planted("equal-errors-the-other-way"):
        ties = not ties
    cut = set[int]()

    def as_it_is(place: int) -> float:
        return sum(wrong[one] for one in below(nodes, place, cut))

    def step(place: int, is_pruned: bool) -> dict[str, Any]:
        before, after, overall = as_it_is(place), wrong[place], as_it_is(0)
        accuracy = {"accuracy_before": 1 - overall / whole, "accuracy_after": 1 - (overall - before + after) / whole}
        return {"at": nodes[place].at, "wrong_before": before, "wrong_after": after, **accuracy, "pruned": is_pruned}

    decisions = []
    asking = [place for place in postorder(nodes) if nodes[place].asks is not None]
    if told["order"] == "bottom-up" and not planted("best-first-for-bottom-up"):
        order = sorted(asking, key=lambda place: (-len(nodes[place].at), place))
        for place in order[::-1] if planted("top-down") else order:
            saved = as_it_is(place) - wrong[place]
            decisions.append(step(place, saved > NOISE or (ties and saved > -NOISE)))
            if decisions[-1]["pruned"]:
                cut.add(place)
        return {"decisions": decisions}, left(nodes, cut)
    while asking:
        compared = [
            {"at": nodes[place].at, "wrong_before": as_it_is(place), "wrong_after": wrong[place]} for place in asking
        ]
        sign = -1 if planted("shallowest-first") else 1
        rank = {place: (as_it_is(place) - wrong[place], sign * len(nodes[place].at)) for place in asking}
        most = max(asking, key=lambda place: rank[place])
        saved = rank[most][0]
        decisions.append({**step(most, saved > NOISE or (ties and saved > -NOISE)), "compared": compared})
        if not decisions[-1]["pruned"]:
            break
        cut.add(most)
        asking = [place for place in asking if place not in set(postorder(nodes, most))]
    return {"decisions": decisions}, left(nodes, cut)


# By an estimate of errors.

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

    def __init__(self, nodes: list[Node], told: Mapping[str, Any], data: Data) -> None:
        self.nodes, self.data = dict(enumerate(nodes)), data
        self.confidence, self.raising = number(told["confidence"]), told["raising"]
        self.limit: Callable[[float, float, float], float] = {"table": by_table, "binomial": binomial}[told["limit"]]
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
        verdict = "leaf" if leaf <= min(subtree, raised) + slack + NOISE else "keep"
        if verdict == "keep" and raised <= subtree + slack + NOISE:
            verdict = "raise"
        told = {
            "at": self.at[self.origin[place]],
            "as_leaf": leaf,
            "as_subtree": subtree,
            "branch": branch,
            "verdict": verdict,
        }
        self.decisions.append(told)
        if verdict == "raise":
            self.nodes[place], self.origin[place] = self.nodes[largest], self.origin[largest]
            self.send(place, self.rows[place], node.label)
        elif verdict == "leaf":
            self.nodes[place] = Node(node.total, node.label, [], False, [], "pruned")
        return verdict


def by_estimate(
    nodes: list[Node], told: Mapping[str, Any], data: Data, _: Data | None
) -> tuple[dict[str, Any], list[Node]]:
    """Error-based pruning."""
    found = Estimating(nodes, told, data)
    tree = found.prune()
    return {"decisions": found.decisions, "estimate": found.below(0)}, tree


Method = Callable[[list[Node], Mapping[str, Any], Data, Data | None], tuple[dict[str, Any], list[Node]]]
METHODS: Mapping[str, Method] = {
    "cost-function": by_cost, "cost-complexity": by_path, "reduced-error": by_validation, "error-based": by_estimate,
}  # fmt: skip


def pruned(golden: Mapping[str, Any], written: Callable[[Sequence[Node], Sequence[str] | None], Any]) -> Any:
    """The answer to a prune golden."""
    data = Data.read(golden["data"])
    held = Data.read(golden["validation"]) if golden["validation"] else None
    classes = data.domains[data.target] or []
    if golden["pruning"]["method"] == "pre-pruning":
        assert held is not None
        name, options = golden["learner"]["name"], golden["learner"]["options"]
        learner = PrePruned(name, options, data, held, golden["pruning"]["on_equal"])
        tree = learner.grow()
        return {"decisions": learner.told_of, "tree": written(tree, classes)}
    nodes = read(golden["grown"], classes)
    found, tree = METHODS[golden["pruning"]["method"]](nodes, golden["pruning"], data, held)
    return {**found, "tree": written(tree, classes)}
