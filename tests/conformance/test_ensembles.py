"""Goldens of ensembles: the draws by their specification, and the votes counted by another walk down the trees."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from hashlib import sha256
from math import isqrt
from pathlib import Path
from typing import Any

from reference_tree.chance import Chance
from reference_tree.conformance.cases import cases
from reference_tree.conformance.ensembles import attributes_shown, ensemble_json, ensemble_learner
from reference_tree.data.textbook import textbook
from reference_tree.ensembles.bagging import Bagging
from reference_tree.learners.id3 import ID3
from tests.every import of_every

GOLDENS = Path(__file__).parents[1] / "goldens"
NAMES = [name for name, case in cases().items() if case.kind == "ensemble"]
DRAWN = [name for name in NAMES if "bagging-of" in name or "forest-of" in name]


def load(name: str) -> Any:
    return json.loads((GOLDENS / f"{name}.json").read_text(encoding="utf-8"))


@of_every(DRAWN)
def test_the_rows_are_those_that_the_generator_draws(name: str) -> None:
    golden = load(name)
    m, seed = len(golden["data"]["rows"]), golden["learner"]["options"]["seed"]
    for number, tree in enumerate(golden["expected"]["trees"]):
        chance = Chance(seed, f"bootstrap {number}".encode())
        counted = Counter(chance.below(m) for _ in range(m))
        assert tree["drawn"] == (
            [counted[row] for row in range(m)] if golden["learner"]["options"]["resample"] else None
        )


def children(tree: Any, golden: Any) -> dict[int, tuple[bytes, list[str]]]:
    """For each node its key, and the attributes that it may test, in table order."""
    names = [c["name"] for c in golden["data"]["columns"] if c["name"] != golden["data"]["target"]]
    found = {0: (b"", names)}
    for node in tree["nodes"]:
        key, left = found[node["id"]]
        if "test" in node and node["test"]["kind"] == "multiway":
            left = [name for name in left if name != node["test"]["attribute"]]
        for branch, below in enumerate(node.get("branches", ())):
            found[below["to"]] = (sha256(key + branch.to_bytes(8, "big")).digest(), left)
    return found


HOW_MANY: Mapping[Any, Callable[[int], int]] = {
    "sqrt": isqrt, "log2": lambda n: max(1, n.bit_length() - 1), "log2-plus-1": lambda n: min(n, n.bit_length()),
    "third": lambda n: min(n, max(1, n // 3)), "all": lambda n: n,
}  # fmt: skip
"""The number of attributes that a node draws from n."""


@of_every([name for name in NAMES if (cases()[name].ensemble or {})["name"] == "forest"])
def test_the_attributes_are_those_that_the_generator_draws(name: str) -> None:
    golden = load(name)
    options, went_on = golden["learner"]["options"], 0
    for number, tree in enumerate(golden["expected"]["trees"]):
        assert len(tree["shown"]) == len(tree["nodes"])
        for node, (key, names) in sorted(children(tree, golden).items()):
            rule = options["attributes"]
            k = HOW_MANY[rule](len(names)) if rule in HOW_MANY else min(len(names), rule)
            order = Chance(options["seed"], b"forest %d " % number + key).shuffled(names)[::-1]
            shown = tree["shown"][node]
            assert set(shown) == set(order[: len(shown)])
            assert shown == [one for one in names if one in shown]
            assert len(shown) >= k
            went_on += len(shown) > k
    assert went_on == 0 or options["otherwise"] == "draw-on"
    assert went_on > 0 or name != "ensemble/forest-of-play-tennis"


HOLDS: Any = {
    "is": lambda cell, value: cell == value,
    "in": lambda cell, values: cell in values,
    "not_in": lambda cell, values: cell not in values,
    "le": lambda cell, bound: Fraction(cell) <= Fraction(bound),
    "gt": lambda cell, bound: Fraction(cell) > Fraction(bound),
    "lt": lambda cell, bound: Fraction(cell) < Fraction(bound),
    "ge": lambda cell, bound: Fraction(cell) >= Fraction(bound),
}


def answer(nodes: Any, row: dict[str, str]) -> str:
    node = nodes[0]
    while "test" in node:
        cell = row[node["test"]["attribute"]]
        if not cell:
            node = nodes[node["missing"]["to"]]
            continue
        (to,) = [
            b["to"] for b in node["branches"] for relation, value in b["when"].items() if HOLDS[relation](cell, value)
        ]
        node = nodes[to]
    return str(node.get("label", node.get("mean", node.get("value"))))


ADDED = [name for name in NAMES if (cases()[name].ensemble or {})["name"] == "gradient"]


@of_every(ADDED)
def test_what_boosted_trees_say_is_added_up(name: str) -> None:
    golden = load(name)
    names = [column["name"] for column in golden["data"]["columns"]]
    for cells, found in zip(golden["rows"], golden["expected"]["predictions"], strict=True):
        row = dict(zip(names, cells, strict=True))
        answers = [Fraction(answer(tree["nodes"], row)) for tree in golden["expected"]["trees"]]
        assert list(map(Fraction, found["answers"])) == answers
        start = list(map(Fraction, golden["expected"]["start"]))
        margins = [first + sum(answers[place :: len(start)]) for place, first in enumerate(start)]
        if not found["scores"]:
            assert Fraction(found["label"]) == margins[0]
            continue
        scores = [Fraction(score["exact"]) for score in found["scores"].values()]
        assert scores == (margins if len(margins) > 1 else [0, *margins])
        assert found["label"] == list(found["scores"])[scores.index(max(scores))]


@of_every(ADDED)
def test_each_leaf_is_the_nearest_multiple_of_the_grid(name: str) -> None:
    """Where derivatives are rational, so that its sums are written exactly."""
    golden = load(name)
    options = golden["learner"]["options"]["base"]["options"]
    penalty, rate = Fraction(options["reg_lambda"]), Fraction(options["rate"])
    for tree in golden["expected"]["trees"][: None if "li-hang" in name else 0]:
        for node in tree["nodes"]:
            value = -rate * Fraction(node["g"]) / (Fraction(node["h"]) + penalty)
            assert Fraction(node["value"]) == Fraction(round(value * 2**48), 2**48)


@of_every([name for name in NAMES if name not in ADDED])
def test_the_answers_are_those_of_the_trees(name: str) -> None:
    golden = load(name)
    names = [column["name"] for column in golden["data"]["columns"]]
    for cells, found in zip(golden["rows"], golden["expected"]["predictions"], strict=True):
        row = dict(zip(names, cells, strict=True))
        answers = [answer(tree["nodes"], row) for tree in golden["expected"]["trees"]]
        assert found["answers"] == answers
        if not found["scores"]:
            assert Fraction(found["label"]) == sum(map(Fraction, answers)) / len(answers)
            continue
        scores = {label: Fraction(score["exact"]) for label, score in found["scores"].items()}
        if golden["expected"]["combine"] == "vote":
            assert scores == {label: Counter(answers)[label] for label in scores}
        most = [label for label, score in scores.items() if score == max(scores.values())]
        assert found["label"] == most[0]
        assert (found["tied"] or [most[0]]) == most


def test_nothing_is_shown_where_nothing_is_drawn() -> None:
    table = textbook("play-tennis")
    learner = ensemble_learner({"name": "bagging", "trees": 2}, ID3())
    assert learner == Bagging(base=ID3(), trees=2)
    assert attributes_shown(ID3().grow(table), ID3(), table) == []
    assert ensemble_json(learner, table, [])["expected"]["trees"][0]["shown"] is None
