"""What programs do otherwise than the books, in plain doubles: Quinlan's release 8 and Weka's J48, rpart, scikit-learn.

1. `C45Program` is C4.5 with cuts that are charged, another minimum, another average, and subtrees that are taken back.
2. `CARTProgram` is CART that asks `<`, that stops where nothing is gained, and that tries the cuts of an order alone.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tests.conformance.plain_doubles import formulas, trees
from tests.conformance.plain_doubles.growing import Learner
from tests.conformance.plain_doubles.planting import planted
from tests.conformance.plain_doubles.rows import NOISE, Data, Node, Question, Weighted, number, values_of
from tests.conformance.plain_doubles.searching import Optimal


def learner_of(name: str, options: Mapping[str, Any], data: Data) -> Learner:
    """The learner with these options."""
    kind: type[Learner] = Learner
    if name == "c45" and options["contenders"] == "near-average":
        kind = C45Program
    elif name == "cart":
        kind = CARTProgram
    elif name == "optimal":
        kind = Optimal
    return kind(name, options, data)


class C45Program(Learner):
    """C4.5 with the options of its programs."""

    def has(self, option: str, value: str) -> bool:
        """Whether an option has a value."""
        return bool(self.options[option] == value)

    @property
    def slack(self) -> float:
        """By how much a later question has to be better than an earlier one."""
        return number(self.options["slack"])

    # The questions about an attribute.

    def questions(self, rows: Sequence[Weighted], attribute: str) -> Iterator[Question]:
        """All of them; what a cut is charged depends on how many are tried."""
        found = list(super().questions(rows, attribute))
        if self.data.domains[attribute] is None and self.has("penalty", "log-of-tries"):
            tries = [one for one in found if one.barred is None or planted("every-gap-is-a-try")]
            weight = self.weight(self.count(rows))
            if planted("charged-by-the-known-weight") and found:
                weight = sum(map(self.weight, found[0].rows))
            charge = math.log2(max(1, len(tries) + planted("values-for-tries"))) / weight
            for one in found:
                if one.scores and not planted("nothing-is-charged"):
                    net = one.scores["gain"] - charge
                    ratio = net / one.scores["split_information"]
                    one.scores = {**one.scores, "penalty": charge, "net_gain": net, "ratio": ratio}
        yield from found

    def cuts(self, rows: Sequence[Weighted], attribute: str) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
        """Every cut; a threshold is the largest value of the whole table that is not above the midpoint."""
        for test, _ in super().cuts(rows, attribute):
            t = test["threshold"]
            if self.has("threshold", "observed-value") and not planted("midpoint-for-observed-value"):
                t = max((value for value in values_of(self.data.rows, attribute) if value <= t), default=t)
            yield {**test, "threshold": t}, [{"le": t}, {"gt": t}]

    def bars(self, question: Question) -> str | None:
        """The rule that excludes a question before it is measured."""
        weights = [self.weight(row) for row in question.rows]
        present = [w for w in weights if w > NOISE]
        if len(present) < 2:
            return "candidate"
        if "interval" in question.test:
            low, high = question.test["interval"]
            gap = -1.0 if planted("close-values-are-cut") else number(self.options["cut_gap"])
            if high - low <= gap + NOISE:
                return "cut-gap"
            if min(weights) < self.least_of_a_side(sum(weights)) - NOISE:
                return "min-samples-leaf"
        large = sum(w >= self.least - NOISE for w in present)
        every = self.has("branch_minimum", "every") or planted("every-branch-is-large")
        return None if large >= (len(present) if every else 2) else "min-samples-leaf"

    def least_of_a_side(self, known: float) -> float:
        """How much has to lie on each side of a cut: a tenth of what is known for each class, up to 25."""
        if self.has("cut_minimum", "same") or planted("any-side-will-do"):
            return self.least
        most = math.inf if planted("a-tenth-without-bound") else 25.0
        return max(self.least, min(known / 10 / len(self.classes or []), most))

    def scores(self, question: Question, of_node: Sequence[Weighted]) -> dict[str, float]:
        """The gain, what the cutting costs, and the ratio."""
        found = super().scores(question, of_node)
        sizes = [self.weight(row) for row in question.rows]
        if self.has("split_information", "with-unknown") and not planted("unknown-is-no-outcome"):
            sizes.append(self.weight(question.unknown))
        cost = formulas.entropy(sizes)
        return {"gain": found["gain"], "split_information": cost, "ratio": found["gain"] / cost}

    # The choice.

    def choose(self, by_attribute: list[list[Question]]) -> Question | None:
        """The question that wins."""
        standing = [found for questions in by_attribute if (found := self.stands(questions)) is not None]
        competing = self.near_average(standing)
        fit = [one for one in competing if self.unfit(one) is None]
        self.bars_of_choice = {self.unfit(one) for one in competing} or ({"average"} if standing else set[str | None]())
        return self.kept(fit, lambda one: one.scores["ratio"]) if fit else None

    def stands(self, questions: Sequence[Question]) -> Question | None:
        """The question that stands for an attribute: a cut by its gain, of which something is left that was charged."""
        free = [one for one in questions if one.barred is None]
        if not free:
            return None
        if "interval" not in free[0].test:
            return self.kept(free, lambda one: one.scores["ratio"])
        best = self.kept(free, net_gain)
        needs_gain = self.has("cut_gain", "positive") and not planted("cuts-may-gain-nothing")
        if needs_gain and net_gain(best) <= self.slack + NOISE:
            for one in free:
                one.barred = "zero-gain"
            return None
        return best

    def kept(self, questions: Sequence[Question], score: Callable[[Question], float]) -> Question:
        """What is left of a walk in which each has to beat the one before by more than the slack."""
        best = questions[0]
        for one in questions[1:]:
            if score(one) - score(best) > self.slack + NOISE:
                best = one
        return best

    def near_average(self, standing: list[Question]) -> list[Question]:
        """The questions whose gain is near the average, in which an attribute of many values does not count."""
        many = {
            name
            for name, values in self.data.domains.items()
            if name in self.data.names and values is not None and len(values) >= 0.3 * self.whole - NOISE
        }
        if len(many) == len(self.data.names) or planted("many-values-in-the-average"):
            many = set()
        averaged = [net_gain(one) for one in standing if one.test["attribute"] not in many]
        if not averaged:
            return []
        tolerance = 0.0 if planted("average-without-tolerance") else 0.001
        least = sum(averaged) / len(averaged) - tolerance - NOISE
        return [one for one in standing if net_gain(one) >= least]

    def unfit(self, question: Question) -> str | None:
        """The rule that keeps a question from winning."""
        least = number(self.options["least_split_information"])
        if least and question.scores["split_information"] <= least:
            return "no-candidates"
        stops = self.has("zero_gain", "stops") and not planted("nothing-gained-splits")
        return "zero-gain" if stops and question.scores["ratio"] <= self.slack + NOISE else None

    def nothing_to_ask(self, questions: Sequence[Question]) -> str:
        """Why no question may be asked."""
        bars = self.bars_of_choice or {one.barred for one in questions}
        return next((bar for bar in ("zero-gain", "average", "min-samples-leaf") if bar in bars), "no-candidates")

    # What is taken back.

    def grow(self) -> list[Node]:
        """The nodes in preorder, with a leaf in the place of every subtree that saves no error."""
        nodes = super().grow()
        if self.has("collapse", "never") or planted("nothing-collapses"):
            return nodes
        own, errors = [sum(node.total) - max(node.total) for node in nodes], dict[int, float]()
        for place in trees.postorder(nodes):
            errors[place] = sum(errors[below] for below in nodes[place].branches) if nodes[place].asks else own[place]
        tolerance = -0.001 if planted("collapses-only-what-is-worse") else 0.001
        cut = {place for place, node in enumerate(nodes) if node.asks and errors[place] >= own[place] - tolerance}
        return [replace(node, stop="collapsed") if node.stop == "pruned" else node for node in trees.left(nodes, cut)]


def net_gain(question: Question) -> float:
    """The gain of a question, less what it is charged."""
    return question.scores.get("net_gain", question.scores["gain"])


class CARTProgram(Learner):
    """CART with the options of its programs."""

    def cuts(self, rows: Sequence[Weighted], attribute: str) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
        """Whether a number is at most t, or below t."""
        for test, outcomes in super().cuts(rows, attribute):
            t = test["threshold"]
            yield test, [{"lt": t}, {"ge": t}] if self.options["threshold"] == "below" else outcomes

    def masks(self, rows: Sequence[Weighted], attribute: str, present: list[str]) -> Sequence[int]:
        """The sets of values that are tried: of two classes and of numbers those of an order alone, for rpart."""
        in_order = self.options["subsets"] == "ordered" and len(self.classes or []) <= 2
        if in_order and not planted("every-set-is-tried"):
            return self.prefixes(rows, attribute, present)
        return super().masks(rows, attribute, present)

    def bars(self, question: Question) -> str | None:
        """The rule that excludes a question; scikit-learn takes two values for one that float32 hardly tells apart."""
        found = super().bars(question)
        if found == "min-samples-leaf" and any(self.joined(question)):
            found = None
        if found is None and self.options["missing"] == "better-side" and "interval" in question.test:
            low, high = map(single, question.test["interval"])
            if high <= single(low + single(1e-7)) and not planted("values-of-one-float32-are-cut"):
                return "cut-gap"
        return found

    def joined(self, question: Question) -> Iterator[tuple[int, Question]]:
        """The sides on which scikit-learn counts rows without an answer in, where neither side is too small then."""
        if self.options["missing"] != "better-side" or not any(question.unknown):
            return
        for side in (0,) if planted("gaps-always-first") else (1, 0):
            rows = [list(row) for row in question.rows]
            rows[side] = [a + b for a, b in zip(rows[side], question.unknown, strict=True)]
            asked = replace(question, rows=rows, unknown=[0.0] * len(question.unknown))
            if super().bars(asked) is None:
                yield side, asked

    def scores(self, question: Question, of_node: Sequence[Weighted]) -> dict[str, float]:
        """As in the book; scikit-learn judges a question on the side for which it is better."""
        found = [(Learner.scores(self, asked, of_node), side) for side, asked in self.joined(question)]
        if not found:
            return super().scores(question, of_node)
        most = max(scores[self.by] for scores, _ in found)
        scores, question.side = next(one for one in found if one[0][self.by] >= most - NOISE)
        return scores

    def way(self, asks: Question, weights: list[float]) -> dict[str, Any] | None:
        """Where a row without an answer goes: to the side for which its question was judged."""
        return super().way(asks, weights) if asks.side is None else {"rule": "branch", "to": asks.side}

    def stops_after(self, best: Question, total: Sequence[float]) -> str | None:
        """As in the book; and where nothing is gained, if the options say so."""
        stop = super().stops_after(best, total)
        is_nothing = self.options["zero_gain"] == "stops" and best.scores[self.by] < NOISE
        if stop == "min-impurity-decrease" and is_nothing and planted("nothing-gained-comes-first"):
            stop = None
        return "zero-gain" if stop is None and is_nothing and not planted("nothing-gained-is-enough") else stop


def single(x: float) -> float:
    """The float32 nearest to a number."""
    return float(struct.unpack("f", struct.pack("f", x))[0])
