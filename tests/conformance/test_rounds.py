"""Rounds in goldens: each follows from the one before, worked out again from the document alone."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath

from reference_tree.conformance.cases import cases
from tests.conformance.test_goldens import answer_to, high, high_precision, load
from tests.every import of_every

IN_ROUNDS = [name for name, case in cases().items() if case.kind == "rounds"]
ADABOOST = [name for name in IN_ROUNDS if (cases()[name].ensemble or {})["name"] == "adaboost"]
BOOSTING_TREES = [name for name in IN_ROUNDS if name not in ADABOOST]
TINY = mpmath.mpf(10) ** -50


def rows_of(document: dict[str, Any]) -> Iterator[dict[str, str]]:
    """The rows of a golden, column by name."""
    names = [column["name"] for column in document["data"]["columns"]]
    return (dict(zip(names, row, strict=True)) for row in document["data"]["rows"])


def leaf_of(nodes: list[dict[str, Any]], row: dict[str, str]) -> str:
    """What a tree answers to a row whose values are all known."""
    node = nodes[0]
    while "branches" in node:
        cell = row[node["test"]["attribute"]]
        node = nodes[next(branch["to"] for branch in node["branches"] if answer_to(branch["when"], cell))]
    return str(node.get("label", node.get("mean")))


def test_there_are_some() -> None:
    assert len(ADABOOST) >= 6
    assert len(BOOSTING_TREES) >= 1


@of_every(ADABOOST)
def test_error_and_vote_follow_from_the_weights_and_the_tree(name: str) -> None:
    document = load(name)
    target, options = document["data"]["target"], document["learner"]["options"]
    rows = list(rows_of(document))
    classes = 2 if options["algorithm"] == "m1" else len({row[target] for row in rows})
    for found in document["expected"]["rounds"]:
        weights = [Fraction(weight) for weight in found["weights"]]
        assert sum(weights) == 1
        missed = [i for i, row in enumerate(rows, start=1) if leaf_of(found["tree"], row) != row[target]]
        assert found["missed"] == missed
        error = sum((weights[i - 1] for i in missed), Fraction(0))
        assert Fraction(found["error"]["exact"]) == error
        ends = "perfect" if not error else "chance" if error >= 1 - Fraction(1, classes) else None
        assert found["ends"] == ends
        assert (found["vote"] is None) == (ends is not None)
        if ends is None:
            with mpmath.workdps(60):
                odds = mpmath.log((1 - high(error)) / high(error))
                alpha = odds / 2 if options["algorithm"] == "m1" else odds + mpmath.log(classes - 1)
                alpha *= high(Fraction(options.get("rate", "1")))
                assert abs(high_precision(found["vote"]["exact"]) - alpha) < TINY


@of_every(ADABOOST)
def test_the_weights_of_a_round_follow_from_the_one_before(name: str) -> None:
    """By exponentials of the vote, divided by their sum; or each the nearest number of units, at least one."""
    document, gridded = load(name), list[str]()
    options = document["learner"]["options"]
    for before, after in pairwise(document["expected"]["rounds"]):
        with mpmath.workdps(60):
            alpha = high_precision(before["vote"]["exact"]) * (2 if options["algorithm"] == "m1" else 1)
            raised = [
                high(Fraction(weight)) * (mpmath.exp(alpha) if i in before["missed"] else 1)
                for i, weight in enumerate(before["weights"], start=1)
            ]
            expected = [one / mpmath.fsum(raised) for one in raised]
            found = [Fraction(weight) for weight in after["weights"]]
            if any(abs(high(one) - weight) > TINY for one, weight in zip(found, expected, strict=True)):
                units = [max(1, int(mpmath.nint(weight * 2 ** options["bits"]))) for weight in expected]
                assert found == [Fraction(unit, sum(units)) for unit in units]
                gridded.append(name)
    assert bool(gridded) == ("grid" in name) or name.startswith("pairs/")  # cases of pairs are not named for it


@of_every(IN_ROUNDS)
def test_each_tree_is_grown_from_what_the_round_gives_it(name: str) -> None:
    """The weight of each class at its root, of all rows by their weights or of those drawn; or its moments."""
    document = load(name)
    target = next(c for c in document["data"]["columns"] if c["name"] == document["data"]["target"])
    rows = list(rows_of(document))
    for found in document["expected"]["rounds"]:
        total = list(map(Fraction, found["decisions"][0]["total"]))
        if name in BOOSTING_TREES:
            residuals = list(map(Fraction, found["residuals"]))
            assert total == [len(rows), sum(residuals), sum(r * r for r in residuals)]
            continue
        counted = found["drawn"] or [Fraction(weight) * len(rows) for weight in found["weights"]]
        assert sum(counted) == len(rows)
        for label, weight in zip(target["values"], total, strict=True):
            assert weight == sum(
                (Fraction(n) for n, row in zip(counted, rows, strict=True) if row[target["name"]] == label), Fraction(0)
            )


@of_every(BOOSTING_TREES)
def test_residuals_are_what_the_trees_before_leave(name: str) -> None:
    document = load(name)
    rows, target = list(rows_of(document)), document["data"]["target"]
    left = [Fraction(row[target]) for row in rows]
    for found in document["expected"]["rounds"]:
        assert [Fraction(r) for r in found["residuals"]] == left
        left = [r - Fraction(leaf_of(found["tree"], row)) for r, row in zip(left, rows, strict=True)]
        assert [Fraction(r) for r in found["left"]] == left
        assert Fraction(found["loss"]["exact"]) == sum(r * r for r in left)
    answers = [Fraction(answer) for answer in document["expected"]["answers"]]
    assert [Fraction(row[target]) - answer for row, answer in zip(rows, answers, strict=True)] == left


@of_every(ADABOOST)
def test_the_answers_are_those_of_most_votes(name: str) -> None:
    document = load(name)
    classes = next(c for c in document["data"]["columns"] if c["name"] == document["data"]["target"])["values"]
    rounds = document["expected"]["rounds"]
    if rounds[-1]["ends"] == "perfect":
        rounds = rounds[-1:]
    elif rounds[-1]["ends"] == "chance":
        rounds = rounds[:-1] or rounds
    with mpmath.workdps(60):
        alphas = [mpmath.mpf(1) if r["vote"] is None else high_precision(r["vote"]["exact"]) for r in rounds]
        for row, answer in zip(rows_of(document), document["expected"]["answers"], strict=True):
            votes = dict.fromkeys(classes, mpmath.mpf(0))
            for found, alpha in zip(rounds, alphas, strict=True):
                votes[leaf_of(found["tree"], row)] += alpha
            most = max(votes.values())
            assert answer == next(label for label in classes if votes[label] > most - TINY)
