"""XGBoost, node by node: the same splits where none tie, gains and leaves as near as float32 has them.

Twice: once as it comes, round after round from our own margins; once each round with the derivatives that XGBoost has
itself at the margins it printed, which are given then, and exact.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.data.questions import Missing, Threshold
from reference_tree.data.sample import Sample
from reference_tree.ensembles.derivatives import DerivativeTable, given
from reference_tree.ensembles.gradient_boosting import GradientBoosting
from reference_tree.learners.gradient_sums import Sides
from reference_tree.learners.gradient_tree import GradientTree
from reference_tree.learners.place import Place
from reference_tree.splitting.missing_rules import splits
from tests.peers import xgboost_trees
from tests.peers.xgboost_trees import Node, exact

pytestmark = pytest.mark.oracles

ROUNDS = 3
CASES = [(data, gaps) for data in ("breast_cancer", "diabetes", "wine") for gaps in (False, True)]
OBJECTIVES = {"breast_cancer": "binary:logistic", "diabetes": "reg:squarederror", "wine": "multi:softprob"}
NEAR = 2e-5
"""How near float32 comes in sums of hundreds of terms, relatively."""


def table_of(data: str, gaps: bool) -> tuple[Any, Any, rt.Table]:
    """A table of scikit-learn's as XGBoost sees it: every value as its float32."""
    if missing := xgboost_trees.absent():
        pytest.skip(missing)
    numpy, datasets = (importlib.import_module(name) for name in ("numpy", "sklearn.datasets"))
    X, y = getattr(datasets, f"load_{data}")(return_X_y=True)
    X = X.astype(numpy.float32)
    if gaps:
        X[numpy.random.default_rng(0).random(X.shape) < 0.1] = numpy.nan
    return X, y, seen(X, y, is_number=data == "diabetes")


def seen(X: Any, y: Any, *, is_number: bool = False) -> rt.Table:
    """The table of an array of float32."""
    columns: dict[str, list[Any]] = {f"f{place}": list(map(exact, column)) for place, column in enumerate(X.T)}
    columns["y"] = [Fraction(float(one)) if is_number else str(one) for one in y]
    return rt.Table.from_columns(columns, target="y", categorical=[] if is_number else ["y"])


def learner(depth: int = 3) -> GradientTree:
    return GradientTree.like("xgboost", max_depth=depth, reg_lambda=1)


def options(data: str, classes: int) -> dict[str, Any]:
    several = {"num_class": classes} if data == "wine" else {}
    return {"objective": OBJECTIVES[data], "max_depth": 3, "eta": 0.3, "lambda": 1, **several}


def visits(base: GradientTree, data: DerivativeTable, theirs: list[Node]) -> Iterator[tuple[Node, Sample, Any]]:
    """Each node of XGBoost's tree with our rows there, and what we decide."""
    pending = [(0, data.sample(), Place.root(data.sample()))]
    while pending:
        number, sample, place = pending.pop()
        node, decision = theirs[number], base.decide(sample, place)
        yield node, sample, decision
        if node.feature is not None:
            candidate = asked(base, sample, node)
            way = Missing(to=node.default)
            below = place.children(sample, candidate.test, decision.answer, way)
            pending += [(branch, part, child) for branch, (child, part) in zip(node.below, below, strict=True)]


def asked(base: GradientTree, sample: Sample, node: Node) -> Any:
    """The question of XGBoost's node among ours: its threshold lies in the interval (a, b] of one of them."""
    attribute = sample.schema.attribute(f"f{node.feature}")
    threshold = Fraction(node.number)
    for test, table in splits(sample, attribute):
        assert isinstance(test, Threshold)
        low, high = test.interval or (test.threshold, threshold)
        if low < threshold <= high:
            return base.candidate(sample, test, table)
    raise AssertionError(f"no question of ours has the threshold {node}")


def check(base: GradientTree, data: DerivativeTable, theirs: list[Node]) -> int:
    """Holds a tree of theirs against what we decide at each of its nodes; how many of them split."""
    count = 0
    for node, sample, decision in visits(base, data, theirs):
        assert float(decision.total[2]) == pytest.approx(node.h, rel=NEAR)
        if node.feature is None:
            assert decision.chosen is None
            assert float(decision.answer.label) == pytest.approx(node.number, rel=1e-4, abs=1e-6)
            continue
        count += 1
        mine = asked(base, sample, node)
        best = decision.winners[0]
        assert decision.stop is None
        assert float(best.score) == pytest.approx(node.gain, rel=1e-4)
        if mine.test not in [winner.test for winner in decision.winners]:  # by no more than its rounding
            assert float(best.score) - float(mine.score) <= 1e-4 * float(best.score)
        elif any(mine.table.unknown):
            assert node.default == base.sides(sample, mine.test, mine.table).side or ties(base, sample, mine)
    return count


def ties(base: GradientTree, sample: Sample, candidate: Any) -> bool:
    gains = [Sides(sample, candidate.test, candidate.table, side).gain(base.reg_lambda) for side in (0, 1)]
    return abs(float(gains[0]) - float(gains[1])) <= 1e-4 * float(gains[0])


@pytest.mark.parametrize(("data", "gaps"), CASES)
def test_three_rounds_from_the_table_alone(data: str, gaps: bool) -> None:
    X, y, table = table_of(data, gaps)
    classes = len(table.schema.target.values or ())
    booster = xgboost_trees.train(X, y, ROUNDS, **options(data, classes))
    start = None if data == "wine" else Fraction(1, 2)
    boosting = GradientBoosting(base=learner(), trees=ROUNDS, base_score=start)
    ensemble = boosting.grow(table)
    theirs = xgboost_trees.trees(booster)
    assert len(theirs) == len(ensemble.members)
    for tree, (by, rows) in zip(theirs, boosting.decided(ensemble, table), strict=True):
        assert check(by, rows, tree) > 0
    margins = importlib.import_module("xgboost").DMatrix(X)
    found = booster.predict(margins, output_margin=True)
    ours: list[Any] = [ensemble.combined(ends) for ends in ensemble.ends_of(table)]
    if data != "wine":
        ours = [one["1"] if isinstance(one, dict) else one for one in ours]
        assert [float(one) for one in ours] == pytest.approx(found.tolist(), rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("seed", range(4))
def test_a_table_of_few_values_many_ties_and_many_gaps(seed: int) -> None:
    if missing := xgboost_trees.absent():
        pytest.skip(missing)
    draw = importlib.import_module("numpy").random.default_rng(seed)
    X = draw.integers(0, 4, (120, 5)).astype("float32")
    X[:, 4] = 3 - X[:, 0]  # whatever the first column gains, the last one does
    y = ((X[:, 0] > 1) ^ (X[:, 1] > 2) ^ (draw.random(120) < 0.2)).astype(int)
    X[draw.random(X.shape) < 0.25] = float("nan")
    theirs = xgboost_trees.trees(xgboost_trees.train(X, y, ROUNDS, **options("breast_cancer", 2)))
    table, boosting = seen(X, y), GradientBoosting(base=learner(), trees=ROUNDS, base_score=Fraction(1, 2))
    ensemble = boosting.grow(table)
    for tree, (by, rows) in zip(theirs, boosting.decided(ensemble, table), strict=True):
        assert check(by, rows, tree) > 0


def test_two_of_the_three_wines() -> None:
    X, y, _ = table_of("wine", gaps=True)
    X, y = X[y < 2], y[y < 2]
    theirs = xgboost_trees.trees(xgboost_trees.train(X, y, ROUNDS, **options("breast_cancer", 2)))
    table, boosting = seen(X, y), GradientBoosting(base=learner(), trees=ROUNDS, base_score=Fraction(1, 2))
    ensemble = boosting.grow(table)
    for tree, (by, rows) in zip(theirs, boosting.decided(ensemble, table), strict=True):
        assert check(by, rows, tree) > 0


@pytest.mark.parametrize(("data", "gaps"), CASES)
def test_each_round_from_the_derivatives_that_xgboost_had(data: str, gaps: bool) -> None:
    X, y, table = table_of(data, gaps)
    numpy, xgboost = (importlib.import_module(name) for name in ("numpy", "xgboost"))
    classes = len(table.schema.target.values or ())
    kept: list[tuple[Any, Any]] = []
    link: Any = {
        "breast_cancer": lambda m: 1 / (1 + numpy.exp(-m)),
        "diabetes": lambda m: m,
        "wine": lambda m: numpy.exp(m) / numpy.exp(m).sum(axis=1, keepdims=True),
    }[data]

    def objective(margins: Any, rows: Any) -> tuple[Any, Any]:
        """The derivatives as float32, handed to XGBoost and kept."""
        p = link(margins.astype(float))
        if data == "diabetes":
            g, h = p - y, numpy.ones_like(p)
        else:
            truth = y if data == "breast_cancer" else numpy.eye(classes)[y]
            g, h = p - truth, (1 if data == "breast_cancer" else 2) * p * (1 - p)
        kept.append((g.astype(numpy.float32), h.astype(numpy.float32)))
        return kept[-1]

    told = {name: value for name, value in options(data, classes).items() if name != "objective"}
    rows = xgboost.DMatrix(X, y)
    booster = xgboost.train({**xgboost_trees.DEFAULTS, **told}, rows, ROUNDS, obj=objective)
    theirs = xgboost_trees.trees(booster)
    splits_seen = 0
    for number, tree in enumerate(theirs):
        per_round = len(theirs) // ROUNDS
        g, h = (each if each.ndim == 1 else each[:, number % per_round] for each in kept[number // per_round])
        columns = dict(table.columns)
        names = {**columns, "g": list(map(exact, g)), "h": list(map(exact, h))}
        beside = rt.Table.from_columns(
            {name: list(cells) for name, cells in names.items() if name != "y"} | {"y": [0] * len(table)}, target="y"
        )
        splits_seen += check(learner(), given(beside, "g", "h"), tree)
    assert splits_seen >= 4 * len(theirs)
