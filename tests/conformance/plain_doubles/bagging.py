"""Bags and forests: trees of rows that are drawn, of attributes that are drawn, and their votes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from statistics import mean, median
from typing import Any

from tests.conformance.plain_doubles import predicting
from tests.conformance.plain_doubles.drawing import Generator
from tests.conformance.plain_doubles.growing import Learner
from tests.conformance.plain_doubles.planting import planted
from tests.conformance.plain_doubles.programs import learner_of
from tests.conformance.plain_doubles.rows import Case, Data, Node, Question, Weighted

CANNOT_SPLIT = ("no-candidates", "min-samples-leaf")
"""Why a node is a leaf of which no question can split the rows."""


def bootstrap(m: int, seed: int, tree: int) -> list[int]:
    """How often each row is drawn for a tree."""
    if planted("the-same-rows-for-each-tree"):
        tree = 0
    generator, drawn = Generator(seed, f"bootstrap {tree}".encode()), [0] * m
    if planted("rows-drawn-without-replacement"):
        chosen = generator.shuffled(m)[: math.ceil(m * 0.632)]
        return [int(row in chosen) for row in range(m)]
    for _ in range(m):
        drawn[generator.below(m)] += 1
    return drawn


def resampled(data: Data, drawn: Sequence[int]) -> Data:
    """The rows that were drawn, each as heavy as it was drawn often."""
    times = [min(n, 1) for n in drawn] if planted("drawn-rows-count-once") else drawn
    rows = [(row, weight * n) for (row, weight), n in zip(data.rows, times, strict=True) if n]
    return Data(data.names, data.domains, data.target, rows)


class Drawing(Learner):
    """A learner that looks at some of the attributes, drawn at each node anew.

    Args:
        forest: its options.
        tree: the number of the tree.
        data: the rows that were drawn for it.
    """

    def __init__(self, forest: Mapping[str, Any], tree: int, data: Data) -> None:
        super().__init__(forest["base"]["name"], forest["base"]["options"], data)
        self.forest, self.tree, self.shown = forest, tree, list[list[str]]()

    def decided(self, node: Node, rows: list[Weighted], left: list[str]) -> tuple[list[Question], Question | None]:
        """What a node decides that sees some attributes alone; further ones are drawn while none can split it."""
        if planted("attributes-drawn-once-a-tree") and self.shown:
            left = [name for name in left if name in self.shown[0]]
        if planted("attributes-that-can-split"):
            left = [name for name in left if any(one.barred is None for one in self.questions(rows, name))]
        in_turn = self.in_turn(node, left)
        number, goes_on = self.how_many(len(left)), self.forest["otherwise"] == "draw-on"
        while True:
            seen = sorted(in_turn[:number], key=self.data.names.index)
            found = super().decided(node, rows, seen)
            if planted("the-other-way-where-none-can-split"):
                goes_on = self.forest["otherwise"] != "draw-on"
            if node.stop not in CANNOT_SPLIT or not goes_on or number >= len(left):
                self.shown.append(seen)
                return found
            number += 1

    def in_turn(self, node: Node, left: list[str]) -> list[str]:
        """The attributes in the order in which they are drawn."""
        key = b""
        for branch in node.at:
            key = sha256(key + branch.to_bytes(8, "big")).digest()
        if planted("draws-of-the-first-tree"):
            self.tree = 0
        generator = Generator(self.forest["seed"], f"forest {self.tree} ".encode() + key)
        return [left[place] for place in generator.shuffled(len(left))[::-1]]

    def how_many(self, n: int) -> int:
        """How many of n attributes are drawn."""
        if planted("root-of-all-attributes"):
            n = len(self.data.names)
        rule = self.forest["attributes"]
        if rule == "sqrt":
            return math.ceil(math.sqrt(n)) if planted("root-rounded-up") else math.isqrt(n)
        named = {"log2": n.bit_length() - 1, "log2-plus-1": n.bit_length(), "third": n // 3, "all": n}
        return min(n, max(1, named[rule] if rule in named else int(rule)))


def ensemble(golden: Mapping[str, Any], nodes_json: Any) -> dict[str, Any]:
    """The trees of a bag or a forest, and how they answer together."""
    options, data = golden["learner"]["options"], Data.read(golden["data"])
    trees, grown = list[dict[str, Any]](), list[list[Node]]()
    for number in range(options["trees"]):
        drawn = bootstrap(len(data.rows), options["seed"], number) if options["resample"] else None
        part = data if drawn is None or planted("rows-not-drawn") else resampled(data, drawn)
        is_forest = golden["learner"]["name"] == "forest"
        learner = (
            Drawing(options, number, part)
            if is_forest
            else learner_of(options["base"]["name"], options["base"]["options"], part)
        )
        grown.append(learner.grow())
        nodes = nodes_json(grown[-1], learner.classes)
        shown = learner.shown if isinstance(learner, Drawing) else None
        trees.append({"weight": "1", "drawn": drawn, "of": None, "shown": shown, "nodes": nodes})
    classes = data.domains[data.target]
    rows = [data.row(data.domains, row) for row in golden["rows"]]
    combine = options["combine"] if classes else "mean"
    return {"combine": combine, "trees": trees, "predictions": [together(grown, row, classes, combine) for row in rows]}


def together(trees: Sequence[Sequence[Node]], row: Case, classes: Sequence[str] | None, combine: str) -> dict[str, Any]:
    """What the trees answer together: by votes, or by the mean."""
    predictions = [predicting.answer(nodes, row, classes) for nodes in trees]
    answers = [one["label"] for one in predictions]
    if classes is None:
        middle = median if planted("median-of-the-trees") else mean
        return {"answers": answers, "label": middle(answers)}
    if planted("means-for-votes"):
        combine = "mean"
    if planted("votes-for-means"):
        combine = "vote"
    if combine == "vote":
        scores = {label: float(answers.count(label)) for label in classes}
    else:
        scores = {label: mean(one["distribution"][label] for one in predictions) for label in classes}
    return {"answers": answers, "scores": scores, **winner(scores)}


def winner(scores: Mapping[str, float]) -> dict[str, Any]:
    """The class that most speaks for, and those that as much speaks for."""
    equal = list(most(scores))
    label = equal[-1] if planted("last-of-equal-votes") else equal[0]
    if planted("every-largest-share-is-alone"):
        equal = equal[:1]
    return {"tied": equal if len(equal) > 1 else [], "label": label}


def most(scores: Mapping[str, float]) -> Iterator[str]:
    """The classes of the largest score."""
    largest = max(scores.values())
    return (label for label, score in scores.items() if score > largest - 1e-10)
