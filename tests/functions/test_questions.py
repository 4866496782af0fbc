"""Questions about whole models, against every row."""

from __future__ import annotations

import itertools
from dataclasses import replace
from random import Random
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.data.questions import Missing, Threshold
from reference_tree.functions import questions
from reference_tree.functions.cells import InputDomain
from tests.functions.drawn_pairs import drawn_model, joined, rows, scores
from tests.functions.test_cells import stump
from tests.functions.test_searches import every_cell

Keyed = dict[tuple[Any, ...], Any]


def answers(model: Any) -> tuple[list[str], Keyed]:
    """The names of the tested attributes, and the scores of all rows by their values."""
    domain = InputDomain.of([model])
    names = sorted(model.cuts)
    return names, {
        tuple(row[name] for name in names): scores(model, row) for row in rows("double", domain.outside, [model])
    }


def plain(score: Any) -> tuple[Any, ...]:
    return tuple(score.values()) if isinstance(score, dict) else (score,)


def differences(one: Any, other: Any) -> tuple[Any, ...]:
    return tuple(first - second for first, second in zip(plain(one), plain(other), strict=True))


def brute_dependence(names: list[str], said: Keyed) -> list[str]:
    found = set()
    for one, other in itertools.combinations(said, 2):
        changed = [place for place in range(len(names)) if one[place] != other[place]]
        if len(changed) == 1 and said[one] != said[other]:
            found.add(names[changed[0]])
    return sorted(found)


def brute_interactions(names: list[str], said: Keyed) -> list[tuple[str, str]]:
    """A pair interacts if a change of both is not the sum of the changes."""
    found = set()
    for one, other in itertools.combinations(said, 2):
        changed = [place for place in range(len(names)) if one[place] != other[place]]
        if len(changed) == 2:
            mixed = [tuple(other[at] if at == place else one[at] for at in range(len(names))) for place in changed]
            left, right = differences(said[one], said[mixed[0]]), differences(said[mixed[1]], said[other])
            if left != right:
                found.add((names[changed[0]], names[changed[1]]))
    return sorted(found)


@pytest.mark.parametrize("long", [False, True])
def test_dependence_and_interactions(long: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if long:
        monkeypatch.setattr(questions, "polynomial", lambda boxes, domain: None)
    chance = Random(8)
    for target in ("sum", "mean", "classes", "sum") * (2 if long else 4):
        model = drawn_model(chance, target)
        names, said = answers(model)
        if len(said) < 160:
            assert rt.depends_on(model) == brute_dependence(names, said)
            assert rt.interactions(model) == brute_interactions(names, said)


def test_what_no_row_needs() -> None:
    tree = stump(1)
    assert rt.unreachable(tree) == rt.Unreachable([], [])
    below = replace(tree, nodes=tuple(joined(Threshold("x", 0), Missing(to=0), list(tree.nodes), list(tree.nodes))))
    assert rt.unreachable(below) == rt.Unreachable([(1, 3)], [(1, 1)])
    forest = rt.RandomForest(trees=2, seed=1).grow(rt.textbook("golf"))
    assert rt.unreachable(forest) == rt.Unreachable([], [])


def test_monotonic() -> None:
    chance = Random(9)
    seen = set[bool]()
    while len(seen) < 2 or chance.random() < 0.95:
        model = drawn_model(chance, "sum")
        names, said = answers(model)
        if "a" not in names or any(node.missing.shares for one in model.members for node in one.tree.nodes):  # type: ignore[union-attr]
            continue
        found = rt.is_monotonic(model, "a")
        falls = any(
            one[1:] == other[1:] and None not in (one[0], other[0]) and one[0] < other[0] and said[one] > said[other]
            for one, other in itertools.permutations(said, 2)
        )
        assert found.holds == (not falls)
        assert found.proved
        if found.rows is not None:
            low, high = found.rows
            assert low | {"a": 0} == high | {"a": 0}
            assert low["a"] < high["a"]
            assert scores(model, low) > scores(model, high)
        seen.add(falls)


def test_monotonic_is_asked_of_numbers() -> None:
    tree = rt.ID3().grow(rt.textbook("play-tennis"))
    with pytest.raises(InputError, match="outlook is categorical"):
        rt.is_monotonic(tree, "outlook")
    with pytest.raises(InputError, match="there is no attribute 'rain'"):
        rt.is_monotonic(tree, "rain")
    assert rt.is_monotonic(tree, "temperature").holds
    iris = rt.CART().grow(rt.textbook("iris"))
    with pytest.raises(InputError, match="name the class whose score is meant"):
        rt.output_range(iris)
    assert rt.output_range(iris, score="setosa").high == 1


def test_the_range_of_a_forest_encloses_all_rows() -> None:
    chance = Random(10)
    for _ in range(10):
        model = drawn_model(chance, "mean")
        domain = InputDomain.of([model])
        said = [scores(model, domain.row(at))["x"] for at in every_cell(domain)]
        found = rt.output_range(model, score="x")
        assert (found.low, found.high, found.proved) == (min(said), max(said), True)
        assert found.low_row is not None
        assert scores(model, found.low_row)["x"] == found.low
        few = rt.output_range(model, score="x", max_steps=0)
        assert few.low_bound <= min(said) <= max(said) <= few.high_bound


def test_divided_rows_are_not_searched() -> None:
    tree = rt.C45.like("zhou").grow(rt.textbook("watermelon-2.0a"))
    with pytest.raises(InputError, match="such a model is not searched"):
        rt.output_range(tree)
