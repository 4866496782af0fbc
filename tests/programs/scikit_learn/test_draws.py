"""The draws of scikit-learn: a learner that replays them grows the same trees, node by node and bit by bit."""

from __future__ import annotations

from typing import Any

import pytest

import reference_tree as rt
from reference_tree.data.questions import Threshold
from reference_tree.learners.growing import grow
from reference_tree.learners.place import Place
from reference_tree.learners.registry import learner_named
from reference_tree.programs.scikit_learn.draws import DrawnByProgram, Draws, Shifts, Span, Splitter

TABLES = {"iris": False, "wine": False, "diabetes": True}


def rows(name: str) -> tuple[Any, Any, rt.Table]:
    """The numbers and the target of a table of scikit-learn, and the same as the program holds them."""
    X, y = getattr(pytest.importorskip("sklearn.datasets"), f"load_{name}")(return_X_y=True)
    columns = {f"x{place}": X[:, place].tolist() for place in range(X.shape[1])}
    target = y.tolist() if TABLES[name] else [str(one) for one in y]
    table = rt.Table.from_columns({**columns, "y": target}, "y", categorical=[] if TABLES[name] else ["y"])
    return X, y, table.rounded("float32")


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("splitter", ["best", "random"])
@pytest.mark.parametrize(
    "options", [{"max_features": "sqrt"}, {"max_features": 1, "min_samples_leaf": 3}, {"max_depth": 4}]
)
def test_the_same_tree_is_grown(name: str, splitter: str, options: dict[str, Any]) -> None:
    trees = pytest.importorskip("sklearn.tree")
    X, y, table = rows(name)
    kind = trees.DecisionTreeRegressor if TABLES[name] else trees.DecisionTreeClassifier
    bounds = {option: value for option, value in options.items() if option != "max_features"}
    base: Any = learner_named("cart", profile="scikit-learn", **bounds)
    for seed in range(2):
        model = kind(splitter=splitter, random_state=seed, **options).fit(X, y)
        draws = Draws(seed, model.max_features_, splitter == "random")
        found = grow(DrawnByProgram(base, tuple(f"x{place}" for place in range(X.shape[1])), draws), table)
        theirs = model.tree_
        asked = [
            (node.test.attribute, float(node.test.threshold)) if isinstance(node.test, Threshold) else None
            for node in found.nodes
        ]
        assert asked == [
            None if feature < 0 else (f"x{feature}", threshold)
            for feature, threshold in zip(theirs.feature, theirs.threshold, strict=True)
        ]


def test_an_attribute_that_was_constant_above_is_not_looked_at_again() -> None:
    looked: list[str] = []

    def span(name: str) -> Span | None:
        looked.append(name)
        return None if name in "abc" else Span(0, 1, False)

    splitter = Splitter(Shifts.of(3), "abcde", 5, at_random=False)
    above = splitter.draw(0, span)
    assert (above.constants, sorted(above.attributes), sorted(looked)) == (3, ["d", "e"], list("abcde"))
    looked.clear()
    below = splitter.draw(above.constants, span)
    assert (below.constants, sorted(below.attributes), sorted(looked)) == (3, ["d", "e"], ["d", "e"])


def test_where_all_is_constant_nothing_is_drawn() -> None:
    assert Splitter(Shifts.of(0), "ab", 1, at_random=True).draw(0, lambda name: None).attributes == ()


def test_the_side_of_the_gaps_is_drawn_with_a_threshold() -> None:
    sides = {
        Splitter(Shifts.of(seed), "a", 1, at_random=True).draw(0, lambda _: Span(0, 1, True)).gaps["a"]
        for seed in range(20)
    }
    assert sides == {0, 1}


def test_what_was_not_drawn_is_barred() -> None:
    _, _, table = rows("iris")
    learner = DrawnByProgram(rt.CART.like("scikit-learn"), ("x0", "x1", "x2", "x3"), Draws(0, 1, at_random=True))
    sample = table.sample()
    chosen = learner.decide(sample).chosen
    assert chosen is not None
    (name,) = chosen.test.attributes
    other = next(one for one in learner.offered if one != name)
    place = Place.root(sample)
    assert learner.judge_one(sample, place, chosen.test).barred is None
    assert learner.judge_one(sample, place, Threshold(name, 1)).barred == "threshold-not-drawn"
    assert learner.judge_one(sample, place, Threshold(other, 1)).barred == "not-drawn"


def test_before_1_8_an_attribute_of_one_known_value_is_constant() -> None:
    """So another attribute is drawn in its place."""
    table = rt.Table.from_columns({"a": [1, 1, None, None], "b": [1, 2, 3, 4], "y": [*"nnyy"]})
    for vary in (True, False):
        drawn = set[tuple[str, ...]]()
        for seed in range(8):
            learner = DrawnByProgram(rt.CART.like("scikit-learn"), ("a", "b"), Draws(seed, 1, gaps_vary=vary))
            found, _ = learner.looked_at(table.sample(), Place.root(table.sample()))
            assert found is not None
            drawn.add(found.attributes)
        assert drawn == ({("a",), ("b",)} if vary else {("b",)})
