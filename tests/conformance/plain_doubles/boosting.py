"""Boosting: the rounds of AdaBoost and of a boosting tree.

Trees are grown in plain doubles. Between the rounds weights are fractions, for rows are drawn by them, and they are
put on a grid once their common denominator is too long.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any

from tests.conformance.plain_doubles import predicting
from tests.conformance.plain_doubles.drawing import Generator
from tests.conformance.plain_doubles.growing import Learner
from tests.conformance.plain_doubles.planting import planted
from tests.conformance.plain_doubles.programs import learner_of
from tests.conformance.plain_doubles.rows import Case, Data, Node, number


def grown(golden: Mapping[str, Any], data: Data) -> tuple[Learner, list[Node]]:
    """A tree of a round."""
    base = golden["learner"]["options"]["base"]
    learner = learner_of(base["name"], base["options"], data)
    return learner, learner.grow()


def answers(nodes: Sequence[Node], data: Data) -> list[Any]:
    """What a tree says of each row."""
    classes = data.domains[data.target]
    return [predicting.answer(nodes, row, classes)["label"] for row, _ in data.rows]


def weighted(data: Data, weights: Sequence[Fraction | int]) -> Data:
    """The rows with other weights, without those that weigh nothing."""
    rows = [(row, float(weight)) for (row, _), weight in zip(data.rows, weights, strict=True) if weight]
    return Data(data.names, data.domains, data.target, rows)


# AdaBoost.


def drawn_by(weights: Sequence[Fraction], seed: int, round_of: int) -> list[int]:
    """How often each row is drawn."""
    if planted("the-same-draws-each-round"):
        round_of = 1
    key = f"adaboost {round_of}".encode()
    common = math.lcm(*(weight.denominator for weight in weights))
    ends, found = list(accumulate(int(weight * common) for weight in weights)), [0] * len(weights)
    generator = Generator(seed, key)
    for _ in weights:
        found[
            generator.below(len(weights)) if planted("drawn-evenly") else bisect_right(ends, generator.below(common))
        ] += 1
    return found


def vote_of(error: Fraction, algorithm: str, classes: int) -> float:
    """How much a tree counts."""
    found = math.log((1 - error) / error)
    if planted("odds-for-votes"):
        return float((1 - error) / error)
    if planted("accuracies-for-votes"):
        return float(1 - error)
    if algorithm == "samme":
        return found + (0.0 if planted("samme-without-its-classes") else math.log(classes - 1))
    return found if planted("votes-twice-as-large") else found / 2


def reweighted(weights: Sequence[Fraction], is_missed: Sequence[bool], error: Fraction, classes: int) -> list[Fraction]:
    """The weights of the next round: what was missed weighs as much as chance would miss."""
    up, down = (classes - 1) / (classes * error), 1 / (classes * (1 - error))
    if planted("right-answers-keep-their-weight"):
        down = Fraction(1)
    if planted("weights-of-two-classes"):
        up, down = 1 / (2 * error), 1 / (2 * (1 - error))
    if planted("missed-rows-weigh-less"):
        up, down = down, up
    return [weight * (up if miss else down) for weight, miss in zip(weights, is_missed, strict=True)]


def on_grid(weights: Sequence[Fraction], bits: int | None) -> list[Fraction]:
    """Weights on a grid, where they are too long."""
    if bits is None or planted("no-grid") or math.lcm(*(weight.denominator for weight in weights)) <= 1 << bits:
        return list(weights)
    units = [max(1, round(weight * (1 << bits))) for weight in weights]
    total = 1 << bits if planted("grid-without-its-sum") else sum(units)
    return [Fraction(unit, total) for unit in units]


def ends(error: Fraction, chance: Fraction) -> str | None:
    """Why there is no other round."""
    if error == 0:
        return "perfect"
    is_chance = error > chance if planted("chance-goes-on") else error >= chance
    return "chance" if is_chance else None


def rounds(golden: Mapping[str, Any], nodes_json: Any) -> dict[str, Any]:
    """AdaBoost, round by round."""
    options, data = golden["learner"]["options"], Data.read(golden["data"])
    labels = [row[data.target] for row, _ in data.rows]
    classes = 2 if options["algorithm"] == "m1" else len(set(labels))
    weights, size = [Fraction(1, len(labels))] * len(labels), len(labels)
    found: list[dict[str, Any]] = []
    trees: list[list[Any]] = []
    while len(found) < options["trees"]:
        times = drawn_by(weights, options["seed"], len(found) + 1) if options["resample"] else None
        learnt = [weight * size for weight in weights] if times is None else times
        if planted("trees-without-weights"):
            learnt = [Fraction(1)] * size
        learner, nodes = grown(golden, weighted(data, learnt))
        predicted = answers(nodes, data)
        is_missed = [one != label for one, label in zip(predicted, labels, strict=True)]
        error = sum((weight for weight, miss in zip(weights, is_missed, strict=True) if miss), Fraction(0))
        if planted("error-without-weights"):
            error = Fraction(sum(is_missed), size)
        if planted("error-of-the-drawn-rows") and times is not None:
            error = Fraction(sum(n for n, miss in zip(times, is_missed, strict=True) if miss), size)
        chance = Fraction(1, 2) if planted("half-is-chance") else 1 - Fraction(1, classes)
        end = ends(error, chance)
        found.append(
            {
                "round": len(found) + 1,
                "weights": list(map(str, weights)),
                "drawn": times,
                "missed": [place for place, miss in enumerate(is_missed, start=1) if miss],
                "error": float(error),
                "ends": end,
                "vote": None if end else vote_of(error, options["algorithm"], classes),
                "decisions": [node.decision for node in nodes],
                "tree": nodes_json(nodes, learner.classes),
            }
        )
        trees.append(predicted)
        if end:
            break
        weights = on_grid(reweighted(weights, is_missed, error, classes), options["bits"])
    return {"rounds": found, "answers": voted(found, trees, data)}


def voted(found: Sequence[Mapping[str, Any]], trees: Sequence[Sequence[Any]], data: Data) -> list[str]:
    """What the trees answer together."""
    end = found[-1]["ends"]
    kept = list(zip([1.0 if one["vote"] is None else one["vote"] for one in found], trees, strict=True))
    if end == "perfect" and not planted("perfect-tree-votes-as-others"):
        kept = kept[-1:]
    elif end == "chance" and len(kept) > 1 and not planted("tree-of-chance-votes"):
        del kept[-1]
    if planted("votes-of-equal-weight"):
        kept = [(1.0, tree) for _, tree in kept]
    classes = data.domains[data.target] or []
    return [
        max(classes, key=lambda one: sum(vote for vote, tree in kept if tree[n] == one)) for n in range(len(data.rows))
    ]


# A boosting tree.


def residual_rounds(golden: Mapping[str, Any], nodes_json: Any) -> dict[str, Any]:
    """Li Hang's boosting tree, round by round."""
    options, data = golden["learner"]["options"], Data.read(golden["data"])
    numbers = [float(row[data.target] or 0) for row, _ in data.rows]
    left, total, found = list(numbers), [0.0] * len(numbers), list[dict[str, Any]]()
    if planted("starts-from-the-mean"):
        left = [y - sum(numbers) / len(numbers) for y in numbers]
    while len(found) < options["trees"]:
        rows: list[tuple[Case, float]] = [
            ({**row, data.target: residual}, weight) for (row, weight), residual in zip(data.rows, left, strict=True)
        ]
        fitted = Data(data.names, data.domains, data.target, rows)
        learner, nodes = grown(golden, fitted)
        predicted = answers(nodes, fitted)
        total = [one + other for one, other in zip(total, predicted, strict=True)]
        before = left
        basis = numbers if planted("residuals-of-the-last-tree-alone") else left
        left = [y - one for y, one in zip(basis, predicted, strict=True)]
        loss = sum(one * one for one in left)
        if planted("loss-a-row"):
            loss /= len(left)
        found.append(
            {
                "round": len(found) + 1,
                "residuals": before,
                "left": left,
                "loss": loss,
                "decisions": [node.decision for node in nodes],
                "tree": nodes_json(nodes, learner.classes),
            }
        )
        if loss <= number(options["loss"]):
            break
    return {"rounds": found, "answers": total}
