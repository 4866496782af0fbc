"""Gradient boosting in plain doubles, as XGBoost has it: trees that are fitted to the derivatives of a loss.

Of a row its first and second derivative are known, g and h; of rows their number n and the sums G and H. A question is
worth G²/(H + λ) on either side less that of the node, and a leaf adds -η·G/(H + λ).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import pairwise
from statistics import mean
from typing import Any, NamedTuple

from tests.conformance.plain_doubles.bagging import winner
from tests.conformance.plain_doubles.drawing import Generator
from tests.conformance.plain_doubles.planting import planted
from tests.conformance.plain_doubles.rows import NOISE, Case, Data, holds, number, values_of

LEFT, RIGHT = 0, 1


class Row(NamedTuple):
    """A row, and the derivatives of its loss."""

    case: Case
    g: float
    h: float


class Sums(NamedTuple):
    """What is known of rows."""

    n: float
    g: float
    h: float


def sums(rows: Sequence[Row]) -> Sums:
    """How many rows there are, and the sums of their derivatives."""
    return Sums(len(rows), math.fsum(row.g for row in rows), math.fsum(row.h for row in rows))


@dataclass
class Split:
    """A question with the rows of either side; those that do not answer are on one of them."""

    test: dict[str, Any]
    outcomes: list[dict[str, Any]]
    side: int
    parts: tuple[list[Row], list[Row]]
    barred: str | None = None
    gain: float = 0.0

    def way(self, case: Case) -> int:
        """The side that a row takes."""
        cell = case[self.test["attribute"]]
        return self.side if cell is None else LEFT if holds(self.outcomes[LEFT], cell) else RIGHT


@dataclass
class Leaf:
    """A node; one that asks has branches."""

    sums: Sums
    value: float
    at: tuple[int, ...]
    stop: str | None = None
    asks: Split | None = None
    branches: list[int] = field(default_factory=list)


class GradientTree:
    """One of the trees.

    Args:
        options: of the tree.
        data: says which columns there are.
        seed: of the draws.
        number: of the tree.
    """

    def __init__(self, options: Mapping[str, Any], data: Data, seed: int, number: int) -> None:
        self.options, self.data, self.seed, self.number = options, data, seed, number
        self.nodes: list[Leaf] = []

    def option(self, name: str) -> float:
        """An option that is a number."""
        return number(self.options[name])

    # Its measures.

    def penalty(self, of_leaves: bool) -> float:
        """λ."""
        forgotten = planted("lambda-in-gains-alone") if of_leaves else planted("lambda-in-leaves-alone")
        return 0.0 if forgotten else self.option("reg_lambda")

    def score(self, found: Sums) -> float:
        """G²/(H + λ)."""
        return found.g**2 / (found.h + self.penalty(of_leaves=False))

    def gain(self, parts: Sequence[Sequence[Row]], whole: Sums) -> float:
        """What a question is worth: XGBoost leaves the ½ of the paper out."""
        sides = sum(self.score(sums(part)) for part in parts)
        before = 0.0 if planted("gain-without-the-node") else self.score(whole)
        return (sides - before) / (2 if planted("half-of-the-gain") else 1)

    def value(self, found: Sums) -> float:
        """What a leaf adds to the sum."""
        below = found.h + self.penalty(of_leaves=True)
        rate = 1.0 if planted("rate-forgotten") else self.option("rate")
        return -rate * found.g / below if below else 0.0

    # Its questions.

    def questions(self, rows: Sequence[Row], attribute: str) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
        """One value against the rest, every cut, and at last whether there is a value at all."""
        domain = self.data.domains[attribute]
        if domain is not None:
            present = [value for value in domain if any(row.case[attribute] == value for row in rows)]
            for value in present if len(present) > 2 else present[:-1]:
                yield {"kind": "subset", "attribute": attribute}, [{"in": [value]}, {"not_in": [value]}]
            return
        values = sorted(values_of([(row.case, 1.0) for row in rows], attribute))
        cuts: list[tuple[float, list[float] | None]] = [
            ((low + high) / 2, [low, high]) for low, high in pairwise(values)
        ]
        if values and any(row.case[attribute] is None for row in rows):
            cuts.append((values[-1], None))
        for t, interval in cuts:
            test = {"kind": "threshold", "attribute": attribute, "threshold": t}
            yield {**test, **({"interval": interval} if interval else {})}, [{"le": t}, {"gt": t}]

    def splits(self, rows: Sequence[Row], attributes: Sequence[str]) -> Iterator[Split]:
        """The questions, each with the rows that do not answer on the side for which it is worth more."""
        whole = sums(rows)
        for attribute in attributes:
            for test, outcomes in self.questions(rows, attribute):
                has_gaps = any(row.case[attribute] is None for row in rows)
                found = [
                    self.split(rows, whole, test, outcomes, side) for side in self.sides(rows, attribute, has_gaps)
                ]
                free = [one for one in found if one.barred is None]
                best = max((one.gain for one in free), default=0.0)
                yield next((one for one in free if one.gain >= best - NOISE), found[0])

    def sides(self, rows: Sequence[Row], attribute: str, has_gaps: bool) -> list[int]:
        """The sides that rows without an answer may take: both, of which the right one is the first of equals."""
        if not has_gaps or planted("gaps-to-the-left"):
            return [LEFT]
        return [RIGHT] if planted("gaps-to-the-right") else [RIGHT, LEFT]

    def split(
        self, rows: Sequence[Row], whole: Sums, test: dict[str, Any], outcomes: list[dict[str, Any]], side: int
    ) -> Split:
        """A question, judged with the rows that do not answer on one side."""
        found = Split(test, outcomes, side, ([], []))
        for row in rows:
            found.parts[found.way(row.case)].append(row)
        judged = [
            [row for row in part if row.case[test["attribute"]] is not None or not planted("gaps-left-out")]
            for part in found.parts
        ]
        weights = [len(row) if planted("child-weight-counts-rows") else sums(row).h for row in judged]
        least = 0.0 if planted("child-weight-ignored") else self.option("min_child_weight")
        if not all(judged):
            found.barred = "candidate"
        elif min(weights) < least - (-NOISE if planted("child-weight-strict") else NOISE):
            found.barred = "min-child-weight"
        else:
            found.gain = self.gain(judged, whole)
        return found

    # The tree.

    def grow(self, rows: Sequence[Row]) -> list[Leaf]:
        """The nodes in preorder."""
        self.below(list(rows), ())
        return self.nodes if planted("gamma-forgotten") else self.pruned()

    def below(self, rows: list[Row], at: tuple[int, ...]) -> int:
        """Grow the subtree of these rows; its number."""
        found, place = sums(rows), len(self.nodes)
        node = Leaf(found, self.value(found), at)
        self.nodes.append(node)
        best = self.decide(node, rows)
        if best is not None:
            node.asks = best
            node.branches = [self.below(part, (*at, side)) for side, part in enumerate(best.parts)]
        return place

    def decide(self, node: Leaf, rows: Sequence[Row]) -> Split | None:
        """The best question, or why the node is a leaf."""
        if self.options["max_depth"] is not None and len(node.at) >= self.options["max_depth"]:
            node.stop = "max-depth"
            return None
        splits = list(self.splits(rows, self.attributes(node)))
        free = [one for one in splits if one.barred is None]
        if not free:
            node.stop = next((one.barred for one in splits if one.barred == "min-child-weight"), "no-candidates")
            return None
        most = max(one.gain for one in free)
        best = next(one for one in free if one.gain >= most - NOISE)
        least = self.option("gamma") if planted("gamma-before-the-branches") else self.option("epsilon")
        if best.gain <= least + (-NOISE if planted("no-gain-is-enough") else NOISE):
            node.stop = "epsilon"
            return None
        return best

    def attributes(self, node: Leaf) -> list[str]:
        """The columns that a node may ask: drawn for the tree, for the level, and for the node."""
        key, found = b"", self.data.names
        for branch in node.at:
            key = sha256(key + branch.to_bytes(8, "big")).digest()
        draws = {"bytree": b"tree", "bylevel": b"level %d" % len(node.at), "bynode": b"node " + key}
        for name, what in draws.items():
            part = self.option(f"colsample_{name}")
            if name != "bytree" and planted("columns-drawn-for-the-tree-alone"):
                part = 1.0
            if part != 1:
                places = drawn(len(found), part, self.seed, b"columns of tree %d, " % self.number + what)
                found = [column for place, column in enumerate(found) if place in places]
        return found

    def pruned(self) -> list[Leaf]:
        """The tree without the splits that gain less than γ, from below, as far as nothing below them stays."""
        leaves = {place for place, node in enumerate(self.nodes) if node.asks is None}
        for place, node in reversed(list(enumerate(self.nodes))):
            is_last = leaves.issuperset(node.branches) or planted("gamma-from-the-root")
            if node.asks is not None and is_last and node.asks.gain < self.option("gamma") - NOISE:
                node.stop, node.asks = "pruned", None
                leaves.add(place)
        found: list[Leaf] = []

        def copy(top: int) -> int:
            place = len(found)
            found.append(self.nodes[top])
            branches = self.nodes[top].branches if self.nodes[top].asks is not None else []
            self.nodes[top].branches = [copy(branch) for branch in branches]
            return place

        copy(0)
        return found


def drawn(n: int, part: float, seed: int, key: bytes) -> set[int]:
    """A share of n places, rounded down, but at least one."""
    count = max(1, math.floor(part * n))
    generator = Generator(seed, key)
    if planted("shares-drawn-with-replacement"):
        return {generator.below(n) for _ in range(count)}
    return set(generator.shuffled(n)[::-1][:count])


def leaf_of(nodes: Sequence[Leaf], case: Case) -> float:
    """What a tree adds to the sum of a row."""
    node = nodes[0]
    while node.asks is not None:
        node = nodes[node.branches[node.asks.way(case)]]
    return node.value


# Losses.


def squared_error(y: float, margins: Sequence[float], of: int) -> tuple[float, float]:
    """Of (F - y)²/2."""
    return margins[0] - y, 1.0


def logistic(y: float, margins: Sequence[float], of: int) -> tuple[float, float]:
    """Of the second of two classes."""
    p = 1 / (1 + math.exp(-margins[0]))
    return p - y, 1.0 if planted("second-derivative-of-1") else p * (1 - p)


def softmax(y: float, margins: Sequence[float], of: int) -> tuple[float, float]:
    """Of one of several classes, with the second derivative of XGBoost, which is twice that of the loss."""
    p = math.exp(margins[of]) / math.fsum(map(math.exp, margins))
    return p - (y == of), p * (1 - p) * (1 if planted("second-derivative-not-doubled") else 2)


# Rounds.


def ensemble(golden: Mapping[str, Any]) -> dict[str, Any]:
    """The trees, round by round, and what they add up to."""
    options, data = golden["learner"]["options"], Data.read(golden["data"])
    classes, cases = data.domains[data.target], [row for row, _ in data.rows]
    right = [
        float(case[data.target] or 0) if classes is None else classes.index(str(case[data.target])) for case in cases
    ]
    several = classes is not None and len(classes) > 2
    loss = squared_error if classes is None else softmax if several else logistic
    start = starts(options["base_score"], right, classes)
    margins = [list(start) for _ in cases]
    trees, grown = list[dict[str, Any]](), list[list[Leaf]]()
    for place in range(options["trees"] * len(start)):
        of = place % len(start)
        if of == 0 or planted("classes-one-after-another"):
            before = [tuple(row) for row in margins]
        part = rows_of(options["subsample"], len(cases), options["seed"], place)
        rows = [
            Row(case, *loss(y, row, of))
            for at, (case, y, row) in enumerate(zip(cases, right, before, strict=True))
            if part is None or part[at]
        ]
        nodes = GradientTree(options["base"]["options"], data, options["seed"], place).grow(rows)
        grown.append(nodes)
        name = classes[of] if several and classes is not None else None
        trees.append({"weight": "1", "drawn": part, "of": name, "nodes": nodes_json(nodes)})
        for row, case in zip(margins, cases, strict=True):
            row[of] += leaf_of(nodes, case)
    to_predict = [data.row(data.domains, row) for row in golden["rows"]]
    return {"start": start, "trees": trees, "predictions": [together(grown, row, classes, start) for row in to_predict]}


def starts(base_score: str | None, right: Sequence[float], classes: Sequence[str] | None) -> list[float]:
    """The margins of every row at first: the mean, the log odds, or 0 for each class."""
    if classes is not None and len(classes) > 2:
        return [0.0] * len(classes)
    score = mean(right) if base_score is None else number(base_score)
    if planted("start-of-nothing"):
        return [0.0]
    if classes is None or planted("start-of-the-share"):
        return [score]
    return [math.log(score / (1 - score))]


def rows_of(subsample: str, m: int, seed: int, tree: int) -> list[int] | None:
    """Which of m rows a tree is grown from; none: from all."""
    if number(subsample) == 1:
        return None
    places = drawn(m, number(subsample), seed, b"rows of tree %d" % tree)
    return [int(row in places) for row in range(m)]


def nodes_json(nodes: Sequence[Leaf]) -> list[dict[str, Any]]:
    """The nodes as a tree document has them."""
    found = []
    for place, node in enumerate(nodes):
        one: dict[str, Any] = {"id": place, "n": node.sums.n, "g": node.sums.g, "h": node.sums.h, "value": node.value}
        if node.asks is None:
            found.append({**one, "stop": node.stop})
            continue
        branches = [{"when": when, "to": to} for when, to in zip(node.asks.outcomes, node.branches, strict=True)]
        way = {"rule": "branch", "to": node.branches[node.asks.side]}
        found.append({**one, "test": node.asks.test, "branches": branches, "missing": way})
    return found


def together(
    trees: Sequence[Sequence[Leaf]], case: Case, classes: Sequence[str] | None, start: Sequence[float]
) -> dict[str, Any]:
    """What the trees add up to: a number, the margin of the second class, or one for each."""
    answers = [leaf_of(nodes, case) for nodes in trees]
    if planted("start-left-out-of-the-sum"):
        start = [0.0] * len(start)
    sums_of = [first + sum(answers[of :: len(start)]) for of, first in enumerate(start)]
    if classes is None:
        return {"answers": answers, "label": sums_of[0]}
    scores = dict(zip(classes, sums_of if len(classes) > 2 else [0.0, *sums_of], strict=True))
    return {"answers": answers, "scores": scores, **winner(scores)}
