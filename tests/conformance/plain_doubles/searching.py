"""The best of all trees in plain doubles: for each question the cheapest tree that begins with it.

A tree costs what its leaves get wrong, and α for each leaf that some row reaches. The best tree for some rows is a
leaf, or a question with the best trees for its branches (`Optimal.best_tree`); a set of rows is worked out once,
whichever questions led to it. Of trees that cost the same the one with fewer leaves is better.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from tests.conformance.plain_doubles import formulas
from tests.conformance.plain_doubles.growing import Learner
from tests.conformance.plain_doubles.planting import planted
from tests.conformance.plain_doubles.rows import NOISE, Data, Node, Question, Weighted, branch, number

Rows = Sequence[Weighted]


class Worth(NamedTuple):
    """What a tree costs, and how many leaves it has."""

    cost: float
    leaves: int

    @property
    def rank(self) -> tuple[float, int]:
        """The smaller, the better."""
        if planted("any-of-equal-costs"):
            return round(self.cost, 9), 0
        return round(self.cost, 9), -self.leaves if planted("most-leaves-of-equal-costs") else self.leaves


class Optimal(Learner):
    """The learner of the tree that costs least."""

    def __init__(self, name: str, options: Mapping[str, Any], data: Data) -> None:
        super().__init__(name, options, data)
        if options["criterion"] == "auto" and self.classes:
            self.criterion = "misclassification"
        self.by, self.alpha, self.limit = "saving", number(options["alpha"]), options["max_depth"]
        self.depth, self.solved = 0, dict[Any, Worth]()

    # What trees cost.

    def risk(self, rows: Rows) -> float:
        """What a leaf gets wrong of its rows."""
        total = self.count([(row, 1.0) for row, _ in rows] if planted("risk-of-rows-not-weights") else rows)
        n = self.weight(total)
        if self.criterion == "squared_error":
            mean_risk = formulas.squared_error(total) / n
        elif self.criterion == "misclassification" and planted("leaf-says-the-majority-of-all"):
            whole = self.count(self.data.rows)
            mean_risk = 1 - total[whole.index(max(whole))] / n
        else:
            mean_risk = getattr(formulas, self.criterion)(total)
        if planted("risk-without-its-rows"):
            return mean_risk
        return n * mean_risk / (self.whole if planted("risk-as-a-share-of-all") else 1.0)

    def leaf(self, rows: Rows) -> Worth:
        """A leaf with these rows."""
        return Worth(self.risk(rows) + (0.0 if planted("questions-are-priced") else self.alpha), 1)

    def together(self, parts: Sequence[Rows], left: list[str], depth: int) -> Worth:
        """A question with the best trees for its branches."""
        below = [self.worth(part, left, depth) for part in parts if part]
        if planted("empty-leaves-are-priced"):
            below += [Worth(self.alpha, 1) for part in parts if not part]
        cost, leaves = sum(one.cost for one in below), sum(one.leaves for one in below)
        if planted("levels-for-leaves") or planted("levels-are-priced"):
            leaves = 1 + max(one.leaves for one in below)
        if planted("questions-are-priced") or planted("every-node-is-priced"):
            cost += self.alpha
        if planted("levels-are-priced"):
            cost = sum(one.cost - self.alpha * one.leaves for one in below) + self.alpha * leaves
        return Worth(cost, leaves)

    # The search.

    def worth(self, rows: Rows, left: list[str], depth: int) -> Worth:
        """The best tree for some rows that arrive at a depth, worked out once."""
        arrives = 0 if self.limit is None or planted("solved-whatever-the-depth") else depth
        key = tuple(id(row) for row, _ in rows), tuple(left), arrives
        if key not in self.solved:
            self.solved[key] = self.best_tree(rows, left, depth)
        return self.solved[key]

    def best_tree(self, rows: Rows, left: list[str], depth: int) -> Worth:
        """The recurrence: a leaf, or the best question with the best trees for its branches."""
        leaf = self.leaf(rows)
        splits = [] if self.is_settled(rows, depth) else list(self.splits(rows, left))
        if planted("greedy-below-the-first-question"):
            splits = sorted(splits, key=lambda split: sum(self.risk(part) for part in split[0] if part))[:1]
        if planted("only-what-helps-at-once"):
            whole = self.risk(rows) - NOISE
            splits = [split for split in splits if sum(self.risk(part) for part in split[0] if part) < whole]
        trees = [self.together(parts, remaining, depth + 1) for parts, remaining in splits]
        tree = min(trees, key=lambda one: one.rank, default=leaf)
        least = 0.0 if planted("epsilon-of-the-node-alone") else self.epsilon
        slack = -NOISE if planted("equal-costs-split") else NOISE
        return tree if leaf.cost - tree.cost > max(least - NOISE, slack) else leaf

    def is_settled(self, rows: Rows, depth: int) -> bool:
        """Whether no question may be asked of some rows, or none can help."""
        total, limit = self.count(rows), self.limit
        if limit is not None and planted("a-level-too-many"):
            limit += 1
        if planted("depth-of-the-node-alone"):
            limit = None
        if planted("one-question-ahead") or planted("two-questions-ahead"):
            limit = self.depth + (1 if planted("one-question-ahead") else 2)
        is_small = self.weight(total) < self.smallest - NOISE and not planted("small-sets-are-searched")
        return (limit is not None and depth >= limit) or is_small or self.is_pure(rows, total)

    def splits(self, rows: Rows, left: list[str]) -> Iterator[tuple[list[Rows], list[str]]]:
        """What each question makes of some rows, and the attributes that may be asked below it."""
        for name in left:
            domain = self.data.domains[name]
            for asks in self.cuts(rows, name) if domain is None else self.parted(rows, name, domain):
                parts = parts_of(*asks, rows)
                weights = [self.weight(self.count(part)) for part in parts if part]
                is_small = min(weights) < self.least - NOISE and not planted("small-branches-are-searched")
                if len(weights) > 1 and not is_small:
                    yield parts, [one for one in left if one != name or not planted("attribute-searched-once")]

    def cuts(self, rows: Rows, attribute: str) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
        """Every cut, also those between two rows of one class."""
        for test, outcomes in super().cuts(rows, attribute):
            beside = {row[self.data.target] for row, _ in rows if row[attribute] in test["interval"]}
            if len(beside) > 1 or not planted("cuts-between-classes-alone"):
                yield test, outcomes

    # The decision.

    def decided(self, node: Node, rows: list[Weighted], left: list[str]) -> tuple[list[Question], Question | None]:
        """As of any learner; the search has to know how deep the node lies."""
        self.depth = len(node.at)
        return super().decided(node, rows, left)

    def scores(self, question: Question, of_node: Rows) -> dict[str, float]:
        """The cost and the leaves of the best tree that begins with a question, and what it saves."""
        parts = parts_of(question.test, question.outcomes, of_node)
        tree = self.together(parts, self.data.names, self.depth + 1)
        leaf = self.leaf(of_node).cost - (self.alpha if planted("leaf-at-no-price") else 0.0)
        return {"cost": tree.cost, "leaves": tree.leaves, "saving": leaf - tree.cost}

    def choose(self, by_attribute: list[list[Question]]) -> Question | None:
        """The question of the cheapest tree; of as cheap ones those with more leaves are barred."""
        able = [one for one in chain(*by_attribute) if one.barred is None]
        most = max((one.scores["saving"] for one in able), default=0.0)
        cheapest = {id(one): worth_of(one).rank for one in able if one.scores["saving"] > most - NOISE}
        for one in able:
            if cheapest.get(id(one), (0.0, 0))[1] > min(rank[1] for rank in cheapest.values()):
                one.barred = "more-leaves"
        return super().choose(by_attribute)

    def stops_after(self, best: Question, total: Sequence[float]) -> str | None:
        """The reason to stop because no tree saves enough."""
        is_nothing = best.scores["saving"] < (-NOISE if planted("equal-costs-split") else NOISE)
        return "zero-gain" if is_nothing else super().stops_after(best, total)


def worth_of(question: Question) -> Worth:
    """The best tree that begins with a question."""
    return Worth(question.scores["cost"], int(question.scores["leaves"]))


def parts_of(test: Mapping[str, Any], outcomes: Sequence[Mapping[str, Any]], rows: Rows) -> list[Rows]:
    """The rows that give each answer."""
    taken = [branch(test, outcomes, row) for row, _ in rows]
    return [[row for row, place in zip(rows, taken, strict=True) if place == one] for one in range(len(outcomes))]
