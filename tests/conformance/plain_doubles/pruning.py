"""Pruning in plain doubles: each method with its decisions.

A tree is given as nodes in preorder, and is pruned by saying which of its nodes become leaves. Error-based pruning,
which can also put a branch in the place of its node, is in `estimating`, pre-pruning in `pre_pruning`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.conformance.plain_doubles import formulas
from tests.conformance.plain_doubles.estimating import by_estimate
from tests.conformance.plain_doubles.planting import planted
from tests.conformance.plain_doubles.pre_pruning import PrePruned
from tests.conformance.plain_doubles.rows import NOISE, Data, Node, Weighted, divide, number
from tests.conformance.plain_doubles.trees import below, left, postorder, read, size

# By the cost function.


def leaf_cost(node: Node, alpha: float, whole: float) -> float:
    """N H + α; a leaf without rows is not counted."""
    if not size(node):
        return alpha if planted("empty-leaves-cost") else 0.0
    scale = 1 / whole if planted("cost-of-shares") else 1.0
    return size(node) * scale * formulas.entropy(node.total) + alpha


def by_cost(nodes: list[Node], setup: Mapping[str, Any], _: Data, __: Data | None) -> tuple[dict[str, Any], list[Node]]:
    """The cheapest pruning."""
    alpha, costs, cut = number(setup["alpha"]), dict[int, float](), set[int]()
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


def risks(nodes: Sequence[Node], data: Data) -> list[float]:
    """What each node costs as a leaf: a share of the rows that are wrong, or of the squared error."""
    whole = size(nodes[0])
    if data.domains[data.target] is not None:
        return [risk(node, whole) for node in nodes]
    found = [0.0] * len(nodes)
    pending: list[tuple[int, Sequence[Weighted]]] = [(0, data.rows)]
    while pending:
        place, rows = pending.pop()
        node = nodes[place]
        squares = sum(w * (float(row[data.target] or 0) - node.label) ** 2 for row, w in rows)
        found[place] = squares / (size(node) if planted("error-of-the-node-alone") else whole)
        if node.asks is not None:
            pending += zip(node.branches, divide(node.asks, rows, node), strict=True)
    return found


def risk(node: Node, whole: float) -> float:
    """The training rows that a leaf gets wrong, as a share of all."""
    if planted("risk-by-gini"):
        return size(node) / whole * formulas.gini(node.total) if size(node) else 0.0
    wrong = size(node) - max(node.total)
    return wrong / (1.0 if planted("risk-not-normalised") else whole)


def by_path(
    nodes: list[Node], setup: Mapping[str, Any], data: Data, _: Data | None
) -> tuple[dict[str, Any], list[Node]]:
    """The sequence of trees, all weakest links cut together, and the tree for one α."""
    costs, cut = risks(nodes, data), set[int]()
    sequence: list[dict[str, Any]] = []
    cuts: list[set[int]] = []
    alpha = 0.0
    while True:
        found = links(nodes, cut, costs)
        weakest = [one for one in found if one["g"] <= alpha + NOISE]
        if weakest or not sequence:
            if planted("one-link-at-a-time"):
                weakest = weakest[:1]
            cut = cut | {one["id"] for one in weakest}
            cut_places = [{"at": one["at"]} for one in weakest if not is_below(nodes, one["id"], cut)]
            leaves = [place for place in below(nodes, 0, cut) if size(nodes[place])]
            total = sum(costs[place] for place in leaves)
            shown = [{name: value for name, value in one.items() if name != "id"} for one in found]
            step = {"alpha": alpha, "links": shown, "cut": cut_places, "leaves": len(leaves), "risk": total}
            sequence.append(step)
            cuts.append(cut)
        remaining = links(nodes, cut, costs)
        if not remaining:
            break
        alpha = max(alpha, min(one["g"] for one in remaining))
    wanted = number(setup["alpha"])
    taken = max(n for n, step in enumerate(sequence) if step["alpha"] <= wanted + NOISE)
    if planted("alpha-strict"):
        taken = max([n for n, step in enumerate(sequence) if step["alpha"] < wanted - NOISE], default=0)
    return {"sequence": sequence, "taken": taken}, left(nodes, cuts[taken])


def links(nodes: Sequence[Node], cut: set[int], costs: Sequence[float]) -> list[dict[str, Any]]:
    """The price g of each node that still asks: what a leaf less costs."""
    found = []
    for place in postorder(nodes):
        if nodes[place].asks is None or place in cut or is_below(nodes, place, cut):
            continue
        leaves = [one for one in below(nodes, place, cut) if size(nodes[one])]
        subtree, leaf = sum(costs[one] for one in leaves), costs[place]
        saved = len(leaves) - 1
        per = len(leaves) if planted("price-by-leaves") else saved
        g = (leaf - subtree) / per if per else 0.0
        link = {"at": nodes[place].at, "as_leaf": leaf, "as_subtree": subtree, "saved": saved, "g": g}
        found.append({"id": place, **link})
    return found


def is_below(nodes: Sequence[Node], place: int, cut: set[int]) -> bool:
    """Whether a node lies below one that is cut."""
    return any(place != top and place in postorder(nodes, top) for top in cut)


# By validation rows.


def errors(nodes: Sequence[Node], data: Data) -> list[float]:
    """What the rows that reach each node get wrong if it is a leaf; a row without an answer counts in parts."""
    found = [0.0] * len(nodes)
    held: Sequence[Weighted] = data.rows
    if planted("validation-weights-ignored"):
        held = [(row, 1.0) for row, _ in held]

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
    nodes: list[Node], setup: Mapping[str, Any], _: Data, held: Data | None
) -> tuple[dict[str, Any], list[Node]]:
    """Reduced error, from below or best first."""
    assert held is not None
    wrong, whole = errors(nodes, held), sum(w for _, w in held.rows)
    ties = setup["on_equal"] == "prune"
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
    if setup["order"] == "bottom-up" and not planted("best-first-for-bottom-up"):
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


# By two figures of each node.


def wrong(node: Node) -> float:
    """What a node gets wrong of the rows that it was grown from."""
    return size(node) - max(node.total)


def by_pessimism(
    nodes: list[Node], _: Mapping[str, Any], __: Data, ___: Data | None
) -> tuple[dict[str, Any], list[Node]]:
    """Half an error for each leaf, from the root down."""
    decisions, cut, pending = [], set[int](), [0]
    while pending:
        place = pending.pop()
        node = nodes[place]
        if node.asks is None:
            continue
        leaves = [one for one in below(nodes, place, set()) if size(nodes[one])]
        corrected = sum(wrong(nodes[one]) + (0.0 if planted("no-correction-below") else 0.5) for one in leaves)
        allowed = (corrected * (size(node) - corrected) / size(node)) ** 0.5
        leaf, subtree = wrong(node) + 0.5, corrected + allowed
        is_pruned = leaf <= subtree + NOISE
        decisions.append({"at": node.at, "as_leaf": leaf, "as_subtree": subtree, "pruned": is_pruned})
        if is_pruned:
            cut.add(place)
        else:
            pending += node.branches[::-1]
    return {"order": "from-above", "decisions": decisions}, left(nodes, cut)


def by_expected_error(
    nodes: list[Node], setup: Mapping[str, Any], _: Data, __: Data | None
) -> tuple[dict[str, Any], list[Node]]:
    """The expected error of a leaf, backed up from below."""
    whole = nodes[0].total
    classes = 2.0 if planted("laplace-of-two-classes") else sum(1.0 for count in whole if count)
    added = number(setup["m"]) if "m" in setup else classes

    def leaf(node: Node) -> float:
        most = node.total.index(max(node.total))
        prior = whole[most] / sum(whole) if "m" in setup and not planted("m-with-equal-priors") else 1 / classes
        return (wrong(node) + (1 - prior) * added) / (size(node) + added)

    decisions, errors, cut = [], dict[int, float](), set[int]()
    for place in postorder(nodes):
        node = nodes[place]
        errors[place] = leaf(node) if size(node) else 0.0
        if node.asks is not None:
            subtree = sum(size(nodes[one]) / size(node) * errors[one] for one in node.branches)
            is_pruned = errors[place] <= subtree + NOISE
            decisions.append({"at": node.at, "as_leaf": errors[place], "as_subtree": subtree, "pruned": is_pruned})
            if is_pruned:
                cut.add(place)
            else:
                errors[place] = subtree
    return {"order": "from-below", "decisions": decisions}, left(nodes, cut)


SCORES: Mapping[str, Callable[[Sequence[Sequence[float]]], float]] = {
    "gain": formulas.gain,
    "ratio": formulas.gain_ratio,
    "gini_decrease": lambda rows: formulas.decrease(formulas.gini, rows),
}


def by_critical_value(
    nodes: list[Node], setup: Mapping[str, Any], _: Data, __: Data | None
) -> tuple[dict[str, Any], list[Node]]:
    """The best score from each node down, against the critical value."""
    critical, decisions, cut, best = number(setup["critical_value"]), [], set[int](), dict[int, float]()
    for place in postorder(nodes):
        node, best[place] = nodes[place], 0.0
        if node.asks is not None:
            score = SCORES[setup["measure"]]([nodes[one].total for one in node.branches])
            below_it = [] if planted("critical-value-of-the-node-alone") else [best[one] for one in node.branches]
            best[place] = max([score, *below_it])
            is_pruned = best[place] < critical - NOISE
            decisions.append({"at": node.at, "as_leaf": critical, "as_subtree": best[place], "pruned": is_pruned})
            if is_pruned:
                cut.add(place)
                best[place] = 0.0
    return {"order": "from-below", "decisions": decisions}, left(nodes, cut)


Method = Callable[[list[Node], Mapping[str, Any], Data, Data | None], tuple[dict[str, Any], list[Node]]]
METHODS: Mapping[str, Method] = {
    "cost-function": by_cost, "cost-complexity": by_path, "reduced-error": by_validation, "error-based": by_estimate,
    "pessimistic": by_pessimism, "minimum-error": by_expected_error, "critical-value": by_critical_value,
}  # fmt: skip


def pruned(golden: Mapping[str, Any], written: Callable[[Sequence[Node], Sequence[str] | None], Any]) -> Any:
    """The answer to a prune golden."""
    data = Data.read(golden["data"])
    held = Data.read(golden["validation"]) if golden["validation"] else None
    classes = data.domains[data.target]
    if golden["pruning"]["method"] == "pre-pruning":
        assert held is not None
        name, options = golden["learner"]["name"], golden["learner"]["options"]
        learner = PrePruned(name, options, data, held, golden["pruning"]["on_equal"])
        tree = learner.grow()
        return {"decisions": learner.decisions, "tree": written(tree, classes)}
    nodes = read(golden["grown"], classes)
    found, tree = METHODS[golden["pruning"]["method"]](nodes, golden["pruning"], data, held)
    return {**found, "tree": written(tree, classes)}
