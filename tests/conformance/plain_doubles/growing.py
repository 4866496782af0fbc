"""Growing a tree in plain doubles: ID3, extended ID3, C4.5 without its refinements, and CART.

`Learner.grow` goes from the root down. At each node it counts (`count`), asks whether to stop at once (`stops_before`),
judges the questions about each attribute (`questions`), chooses one of the best (`choose`), asks once more whether to
stop (`stops_after`), and divides the rows (`branch_out`). Each node keeps its decision as JSON (`decision_json`).

A score is a difference of doubles, so two are equal if they differ by less than `NOISE`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any

from tests.conformance.plain_doubles import formulas, slanted, standing_in
from tests.conformance.plain_doubles.planting import planted
from tests.conformance.plain_doubles.rows import (
    NOISE,
    Data,
    Node,
    Question,
    Weighted,
    branch,
    divide,
    number,
    path,
    shares,
    values_of,
)

JUDGED_BY = {
    "entropy": "gain",
    "gini": "gini_decrease",
    "misclassification": "misclassification_decrease",
    "twoing": "twoing",
    "mantaras": "mantaras_similarity",
    "squared_error": "variance_reduction",
    "variance_n_minus_1": "sample_variance_reduction",
    "absolute_error": "absolute_error_reduction",
}
"""The score that decides, by the criterion."""


class Learner:
    """A learner with its options, as a golden spells them out.

    Args:
        name: id3, c45 or cart.
        options: all of them.
        data: the rows to grow from.
    """

    def __init__(self, name: str, options: Mapping[str, Any], data: Data) -> None:
        self.name, self.options, self.data = name, options, data
        self.classes = data.domains[data.target]
        criterion = options.get("criterion", "entropy")
        self.criterion = ("gini" if self.classes else "squared_error") if criterion == "auto" else criterion
        self.priors, self.loss = options.get("priors"), options.get("loss") or {}
        self.of_class = self.weights_of_classes(data.rows)
        self.numbers = sorted(values_of(data.rows, data.target)) if self.classes is None else []
        self.by = "ratio" if name == "c45" else JUDGED_BY[self.criterion]
        self.epsilon, self.decrease = number(options["epsilon"]), number(options.get("min_impurity_decrease", "0"))
        self.confidence = number(options.get("chi_squared", "0"))
        self.smallest, self.least = number(options["min_samples_split"]), number(options["min_samples_leaf"])
        self.overrides = options["ties"]["at"]
        self.whole = self.weight(self.count(data.rows))
        self.nodes: list[Node] = []

    # Counting.

    def count(self, rows: Sequence[Weighted], by_values: bool = False) -> list[float]:
        """The weight of each class, or the moments of the numbers, or the weight of each number."""
        found = [(row[self.data.target], w) for row, w in rows]
        if self.classes is not None:
            return [sum(w for label, w in found if label == one) for one in self.classes]
        if by_values:
            return [sum(w for y, w in found if y == one) for one in self.numbers]
        return [sum(w * float(y or 0) ** power for y, w in found) for power in (0, 1, 2)]

    def weight(self, row: Sequence[float]) -> float:
        """What a row of a table weighs."""
        return row[0] if self.classes is None and len(row) == 3 and self.criterion != "absolute_error" else sum(row)

    def counted(self, test: dict[str, Any], outcomes: list[dict[str, Any]], rows: Sequence[Weighted]) -> Question:
        """A question with its table."""
        parts: list[list[Weighted]] = [[] for _ in outcomes]
        unknown: list[Weighted] = []
        for row in rows:
            place = branch(test, outcomes, row[0])
            (unknown if place is None else parts[place]).append(row)
        by_values = self.criterion == "absolute_error"
        return Question(test, outcomes, [self.count(part, by_values) for part in parts], self.count(unknown, by_values))

    # Priors and losses.

    def cost(self, label: str, truth: str) -> float:
        """What it costs to say a class where another one is true; a mistake costs 1 if no loss is given."""
        if label == truth:
            return 0.0
        if planted("losses-transposed"):
            label, truth = truth, label
        return number(self.loss.get(truth, {}).get(label, "1"))

    def weights_of_classes(self, rows: Sequence[Weighted], of_questions: bool = True) -> list[float]:
        """By what the count of each class is multiplied: π / N, times what its mistakes cost, for questions."""
        classes = self.classes or []
        if self.priors is None and not self.loss:
            return [1.0] * len(classes)
        total = self.count(rows)
        priors = [
            number((self.priors or {}).get(label, "1")) / (n or 1) for label, n in zip(classes, total, strict=True)
        ]
        if self.priors is None or planted("priors-ignored"):
            priors = [1.0] * len(classes)
        elif planted("priors-for-weights"):
            priors = [number(self.priors.get(label, "1")) for label in classes]
        if not of_questions or planted("losses-for-labels-alone"):
            return priors
        added = max if planted("largest-loss-of-a-class") else sum
        costs = [added([self.cost(label, truth) for label in classes]) for truth in classes]
        return [prior * cost for prior, cost in zip(priors, costs, strict=True)]

    def weighed(self, row: Sequence[float], rows: Sequence[Weighted] | None = None) -> list[float]:
        """Counts, each multiplied by what its class weighs."""
        weights = self.of_class
        if planted("priors-of-the-node") and rows is not None:
            weights = self.weights_of_classes(rows)
        return [n * weight for n, weight in zip(row, weights, strict=True)] if self.classes else list(row)

    def speaks(self, total: Sequence[float]) -> list[float]:
        """What speaks for each class: the less it costs to say it, the more."""
        classes = self.classes or []
        weights = self.weights_of_classes(self.data.rows, of_questions=False)
        if planted("priors-for-questions-alone"):
            weights = [1.0] * len(classes)
        counts = [n * weight for n, weight in zip(total, weights, strict=True)]
        if planted("losses-for-questions-alone"):
            return counts
        return [-sum(self.cost(one, truth) * n for truth, n in zip(classes, counts, strict=True)) for one in classes]

    # The questions about an attribute.

    def questions(self, rows: Sequence[Weighted], attribute: str) -> Iterator[Question]:
        """All of them, with their scores or with the rule that bars them."""
        domain = self.data.domains[attribute]
        for test, outcomes in self.cuts(rows, attribute) if domain is None else self.parted(rows, attribute, domain):
            yield self.judged(test, outcomes, rows)

    def judged(self, test: dict[str, Any], outcomes: list[dict[str, Any]], rows: Sequence[Weighted]) -> Question:
        """A question with its scores, or with the rule that bars it."""
        question = self.counted(test, outcomes, rows)
        question.barred = self.bars(question)
        if question.barred is None:
            question.scores = self.scores(question, rows)
        return question

    def cuts(self, rows: Sequence[Weighted], attribute: str) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
        """Whether a number is at most t, for each t halfway between two neighbouring values."""
        places = list(pairwise(sorted(values_of(rows, attribute))))
        if planted("numbers-sorted-as-texts"):
            places = list(pairwise(sorted(values_of(rows, attribute), key="{:g}".format)))
        if planted("last-cut-missed"):
            places = places[:-1]
        for low, high in places:
            t = high if planted("upper-value-as-threshold") else (low + high) / 2
            if planted("threshold-rounded"):
                t = round(t)
            if planted("lower-value-as-threshold"):
                t = low
            test = {"kind": "threshold", "attribute": attribute, "threshold": t, "interval": [low, high]}
            yield test, [{"le": t}, {"gt": t}]

    def parted(
        self, rows: Sequence[Weighted], attribute: str, domain: list[str]
    ) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
        """A branch for each value, one value against the rest, or a set of values against the others."""
        branching = self.options.get("branching", "multiway")
        present = [value for value in domain if any(row[attribute] == value for row, _ in rows)]
        if planted("multiway-for-binary"):
            branching = "multiway"
        if branching == "multiway":
            values = present if planted("no-empty-leaves") else domain
            yield {"kind": "multiway", "attribute": attribute}, [{"is": value} for value in values]
            return
        for mask in self.masks(rows, attribute, present):
            inside = [value for place, value in enumerate(present) if mask >> place & 1]
            yield {"kind": "subset", "attribute": attribute}, [{"in": inside}, {"not_in": inside}]

    def masks(self, rows: Sequence[Weighted], attribute: str, present: list[str]) -> Sequence[int]:
        """The sets of values that are tried, as bits."""
        one_value = self.options["branching"] == "one-vs-rest" and not planted("subsets-for-one-against-the-rest")
        one_value = one_value or planted("one-against-the-rest-for-subsets")
        if one_value:
            return [2**place for place in range(len(present) if len(present) > 2 else len(present) - 1)]
        if planted("subsets-in-the-order-of-one-class"):
            return self.prefixes(rows, attribute, present)
        return range(1, 2 ** len(present) // 2)

    def prefixes(self, rows: Sequence[Weighted], attribute: str, present: list[str]) -> list[int]:
        """The sets of values that are tried in the order of a class: enough of two classes, and of two alone."""

        def share(value: str) -> float:
            total = self.count([row for row in rows if row[0][attribute] == value])
            return formulas.mean(total) if self.classes is None else total[0] / sum(total)

        masks, mask, last = list[int](), 0, 2 ** len(present) // 2
        for value in sorted(present, key=share)[:-1]:
            mask |= 1 << present.index(value)
            masks.append(mask if not mask & last else 2 ** len(present) - 1 - mask)
        return sorted(masks)

    def bars(self, question: Question) -> str | None:
        """The rule that excludes a question before it is measured."""
        weights = [self.weight(row) for row in question.rows]
        if planted("divided-rows-count-for-a-branch") and (known := sum(weights)):
            weights = [w * (1 + self.weight(question.unknown) / known) for w in weights]
        present = [w for w in weights if w > NOISE]
        if len(present) < 2 and not (planted("constant-competes") and present):
            return "candidate"
        checked = weights if planted("empty-branches-are-small") else present
        least = max(self.least, 1 if self.criterion == "variance_n_minus_1" else 0)
        if planted("min-samples-leaf-ignored"):
            return None
        noise = -NOISE if planted("min-samples-leaf-off-by-one") else NOISE
        return "min-samples-leaf" if any(w < least - noise for w in checked) else None

    def scores(self, question: Question, of_node: Sequence[Weighted]) -> dict[str, float]:
        """Every score that a golden has of a question; the last one decides."""
        rows, unknown = question.rows, self.weight(question.unknown)
        if self.classes and self.name == "cart":
            rows, unknown = [self.weighed(row, of_node) for row in rows], sum(self.weighed(question.unknown, of_node))
        known = sum(map(self.weight, rows))
        forgets = planted("rho-forgotten") or (planted("rho-forgotten-of-numbers") and self.classes is None)
        rho = 1.0 if forgets else known / (known + unknown)
        if self.by == "gini_decrease":
            return {
                "gini_index": formulas.remaining(formulas.gini, rows),
                self.by: rho * formulas.decrease(formulas.gini, rows),
            }
        if self.by == "twoing":
            return {self.by: rho * formulas.twoing(rows)}
        if self.by == "misclassification_decrease":
            return {
                "misclassification_rate": formulas.remaining(formulas.misclassification, rows),
                self.by: rho * formulas.decrease(formulas.misclassification, rows),
            }
        if self.by == "variance_reduction":
            left = sum(map(formulas.squared_error, rows))
            return {"split_error": left, self.by: rho * formulas.variance_reduction(rows)}
        if self.by == "sample_variance_reduction":
            return {self.by: rho * formulas.variance_reduction(rows, unbiased=True)}
        if self.by == "absolute_error_reduction":
            return {self.by: rho * formulas.absolute_error_reduction(rows, self.numbers)}
        gain = rho * formulas.gain(rows)
        if planted("missing-rows-in-the-entropy"):
            before = formulas.entropy([a + b for a, b in zip(formulas.columns(rows), question.unknown, strict=True)])
            gain = before - rho * formulas.remaining(formulas.entropy, rows)
        if self.by == "gain":
            return {"gain": gain}
        if self.by == "mantaras_similarity":
            return {self.by: gain / formulas.entropy([n for row in rows for n in row])}
        sizes = [sum(row) for row in rows]
        if planted("unknown-in-the-split-information") and unknown:
            sizes.append(unknown)
        cost = formulas.entropy(sizes)
        if planted("gain-over-entropy"):
            cost = formulas.entropy(formulas.columns(rows))
        return {"gain": gain, "split_information": cost, "ratio": gain / cost if cost else 0.0}

    # The decision.

    def label(self, total: Sequence[float], above: Node | None) -> tuple[Any, list[str], bool, list[float]]:
        """What a node answers, the classes it might answer as well, whether it is its parent's answer, and P(Y|X)."""
        if not self.weight(total) > NOISE:
            if planted("empty-leaf-says-the-first-class") and self.classes:
                return self.classes[0], [], True, [1 / len(self.classes)] * len(self.classes)
            assert above is not None
            return above.label, above.tied, True, above.share_of
        if self.classes is None:
            return formulas.mean(total), [], False, [formulas.mean(total)]
        speaks = self.speaks(total)
        most = max(speaks)
        tied = [label for label, w in zip(self.classes, speaks, strict=True) if abs(w - most) < NOISE]
        first = tied[-1] if planted("last-of-equal-classes") else tied[0]
        return first, tied if len(tied) > 1 else [], False, [w / sum(total) for w in total]

    def is_pure(self, rows: Sequence[Weighted], total: Sequence[float]) -> bool:
        """Whether all rows agree."""
        if planted("pure-by-entropy") and self.classes:
            n = sum(total)
            return formulas.log(n) - sum(w * formulas.log(w) for w in total if w) / n == 0
        if planted("pure-from-95-percent") and self.classes:
            return max(total) >= 0.95 * sum(total)
        return len({row[self.data.target] for row, w in rows if w > 0}) == 1

    def stops_before(self, rows: Sequence[Weighted], total: Sequence[float], left: list[str], depth: int) -> str | None:
        """The reason to stop before any question is looked at."""
        weight = float(len(rows)) if planted("rows-for-weight") else self.weight(total)
        if planted("weight-rounded-up"):
            weight = math.ceil(weight - NOISE)
        limit = self.options["max_depth"]
        if planted("max-depth-off-by-one") and limit is not None:
            limit -= 1
        small = weight <= self.smallest if planted("min-samples-split-off-by-one") else weight < self.smallest - NOISE
        reasons = {
            "pure": bool(rows) and self.is_pure(rows, total),
            "no-attributes": not left,
            "max-depth": limit is not None and depth + 1 > limit,
            "min-samples-split": small and not planted("min-samples-split-ignored"),
        }
        if planted("depth-before-purity"):
            reasons = dict(reversed(reasons.items()))
        return "empty" if not rows else next((reason for reason, holds in reasons.items() if holds), None)

    def share(self, total: Sequence[float]) -> float:
        """The share of a node in all rows; by priors and losses where there are some."""
        if self.name == "cart" and self.classes and not planted("decrease-of-plain-weights"):
            return sum(self.weighed(total)) / sum(self.weighed(self.count(self.data.rows)))
        return self.weight(total) / self.whole

    def stops_after(self, best: Question, total: Sequence[float]) -> str | None:
        """The reason to stop because the best question takes too little away."""
        score = best.scores["gain" if planted("epsilon-for-the-gain") and self.name == "c45" else self.by]
        noise = 0.0 if planted("gains-in-floats") else NOISE
        short = score <= self.epsilon + noise if planted("epsilon-strict") else score < self.epsilon - noise
        if planted("zero-gain-stops") and score < NOISE:
            short = True
        if short and not planted("epsilon-ignored"):
            return "epsilon"
        part = 1.0 if planted("decrease-of-the-node") else self.share(total)
        if planted("decrease-not-asked-at-the-root") and total == self.count(self.data.rows):
            return None
        noise = -NOISE if planted("decrease-strict") else NOISE
        if self.decrease and part * score < self.decrease - noise:
            return "min-impurity-decrease"
        if planted("irrelevant-questions-asked") or not self.confidence:
            return None
        return "chi-squared" if formulas.chi_squared_confidence(best.rows) < self.confidence else None

    def best(self, questions: list[Question], score: str) -> Question:
        """The first of the largest."""
        most = max(question.scores[score] for question in questions)
        equal = [question for question in questions if question.scores[score] >= most - NOISE]
        return equal[-1 if planted("last-of-equal-questions") else 0]

    def choose(self, by_attribute: list[list[Question]]) -> Question | None:
        """The question that wins; what may not compete is marked."""
        able = [[one for one in questions if one.barred is None] for questions in by_attribute]
        able = [questions for questions in able if questions]
        if self.name != "c45":
            return self.best(list(chain(*able)), self.by) if able else None
        within = "ratio" if planted("cut-by-ratio") else "gain"
        standing = [self.best(questions, within) for questions in able]
        for questions, best in zip(able, standing, strict=True):
            for one in questions:
                if one is not best and one.scores["gain"] < best.scores["gain"] - NOISE:
                    one.barred = "not-best"
        competing = self.competing(standing, able, by_attribute)
        return self.best(competing, "ratio") if competing else None

    def competing(
        self, standing: list[Question], able: list[list[Question]], by_attribute: list[list[Question]]
    ) -> list[Question]:
        """The questions whose gain is at least the average, if the options ask for it."""
        if self.options["contenders"] == "everyone" or planted("no-average") or not standing:
            return standing
        averaged = [one.scores["gain"] for one in standing]
        if planted("average-of-all-cuts"):
            averaged = [one.scores["gain"] for questions in able for one in questions]
        if planted("average-with-the-barred"):
            averaged += [0.0] * (len(by_attribute) - len(able))
        average = sum(averaged) / len(averaged)
        slack = -NOISE if planted("above-the-average") else NOISE
        found = [one for one in standing if one.scores["gain"] > average - slack]
        if planted("above-the-average-unless-none-is"):
            found = [one for one in standing if one.scores["gain"] > average + NOISE] or standing
        for one in standing:
            if one not in found:
                one.barred = "average"
        return found

    # The tree.

    def grow(self) -> list[Node]:
        """The nodes in preorder."""
        self.below(self.data.rows, self.data.names, None, "/", [])
        return self.nodes

    def below(self, rows: list[Weighted], left: list[str], above: Node | None, named: str, at: list[int]) -> int:
        """Grow the subtree of these rows; its number."""
        total = self.count(rows)
        label, tied, prior, share_of = self.label(total, above)
        override = self.overrides.get(named, {})
        node = Node(total, override.get("label", label), tied, prior, share_of, at=at)
        if self.criterion == "absolute_error" and rows:
            counts = self.count(rows, by_values=True)
            node.label = formulas.median(counts, self.numbers)
            node.total = [sum(counts), node.label, formulas.absolute_deviation(counts, self.numbers)]
        number = len(self.nodes)
        self.nodes.append(node)
        questions, best = self.decided(node, rows, left)
        if best is not None and "choose" in override:
            best = next(one for one in questions if one.test["attribute"] == override["choose"])
        node.decision = self.decision_json(node, questions, best)
        if best is not None and node.stop is None:
            node.asks = best
            self.branch_out(node, rows, left, named)
        return number

    def decided(self, node: Node, rows: list[Weighted], left: list[str]) -> tuple[list[Question], Question | None]:
        """All that can be asked about some attributes, and the best of it; the node gets its reason to be a leaf."""
        total = self.count(rows)
        node.stop = self.stops_before(rows, total, left, len(node.at))
        if node.stop is not None:
            return [], None
        by_attribute = self.all_questions(rows, left)
        best, questions = self.choose(by_attribute), list(chain(*by_attribute))
        node.stop = self.nothing_to_ask(questions) if best is None else self.stops_after(best, total)
        return questions, best

    def all_questions(self, rows: Sequence[Weighted], left: list[str]) -> list[list[Question]]:
        """The questions about each attribute."""
        if self.options.get("branching") == "linear":
            return [[self.judged(*asking, rows) for asking in slanted.sums(rows, self.data)]]
        return [list(self.questions(rows, attribute)) for attribute in left]

    def nothing_to_ask(self, questions: Sequence[Question]) -> str:
        """Why no question may be asked."""
        return "min-samples-leaf" if any(one.barred == "min-samples-leaf" for one in questions) else "no-candidates"

    def branch_out(self, node: Node, rows: list[Weighted], left: list[str], named: str) -> None:
        """Divide the rows among the branches, and grow each."""
        assert node.asks is not None
        asks, attribute = node.asks, node.asks.test.get("attribute", "")
        is_used = asks.test["kind"] == "multiway" and not planted("attribute-used-again")
        is_used = is_used or (planted("cut-used-once") and asks.test["kind"] == "threshold")
        remaining = [name for name in left if name != attribute] if is_used else left
        if planted("weighted-sum-used-once") and asks.test["kind"] == "linear":
            remaining = [name for name in left if name not in asks.test["weights"]]
        if self.options.get("missing") == "fractions":
            node.shares = shares(asks, rows, [self.weight(row) for row in asks.rows])
        else:
            if self.options.get("missing") == "surrogates":
                node.surrogates = standing_in.found(asks, rows, self.data, self.options)
            node.missing = self.way(asks, [self.weight(row) for row in asks.rows])
            node.decision["missing"] = missing_json(node)
        for place, (outcome, part) in enumerate(zip(asks.outcomes, divide(asks, rows, node), strict=True)):
            below = path(named, outcome, attribute)
            node.branches.append(self.below(part, remaining, node, below, [*node.at, place]))

    def way(self, asks: Question, weights: list[float]) -> dict[str, Any] | None:
        """Where a row without an answer goes, if it is not divided: to the larger branch."""
        if self.name != "cart":
            return None
        rule, most = self.options["missing"], max(weights)
        are_equal = weights.count(most) > 1 and not planted("equal-sides-take-the-first")
        if rule == "stay" or (rule == "surrogates" and are_equal):
            return {"rule": "stay"}
        last = planted("last-of-equal-branches") and rule == "branch"
        return {"rule": "branch", "to": len(weights) - 1 - weights[::-1].index(most) if last else weights.index(most)}

    def decision_json(self, node: Node, tried: list[Question], best: Question | None) -> dict[str, Any]:
        """The decision, as a golden has it; of the winners only the one that was taken."""
        chosen = None if best is None or node.stop is not None else next(n for n, q in enumerate(tried) if q is best)
        candidates = [
            {
                "test": one.test,
                "outcomes": one.outcomes,
                "table": {"rows": one.rows, "unknown": one.unknown},
                "barred": one.barred,
                "scores": one.scores,
            }
            for one in tried
        ]
        return {
            "at": node.at,
            "total": node.total,
            "answer": {"label": node.label, "tied": node.tied, "prior": node.prior},
            "stop": node.stop,
            "judged_by": self.by if tried else None,
            "candidates": candidates,
            "chosen": chosen,
        }


def missing_json(node: Node) -> dict[str, Any] | None:
    """Where rows without an answer go, as a golden has it."""
    if node.missing is None or not node.surrogates:
        return node.missing
    listed = [
        {"test": asks.test, "outcomes": asks.outcomes, "branches": means, "agreement": asks.scores["agreement"]}
        for asks, means in node.surrogates
    ]
    return {**node.missing, "rule": "surrogates", "surrogates": listed}
