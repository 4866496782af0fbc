"""scikit-learn's AdaBoost: each of its stumps is one that we could have grown from its own weights.

Its weights are doubles, and a double is an exact number. So each round is asked on the very weights that it had: its
threshold has to be that of a winner, and its error and its vote those of ours, but for what doubles round.
"""

from __future__ import annotations

import importlib
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.ensembles.adaboost import (
    AdaBoost,
    coefficient_of_classes,
    reweighted,
    training_rows,
    weighted_error,
)
from reference_tree.exact.rationals import Rational
from reference_tree.learners.cart import CART
from tests.peers import scikit_learn

pytestmark = pytest.mark.oracles

STUMP = CART.like("scikit-learn", max_depth=1, min_samples_split=0, min_samples_leaf=0)
ROUNDS = 12
NEAR = 1e-9


class Fitted:
    """A model of scikit-learn, with the weights that each of its stumps was given."""

    def __init__(self, x: list[list[float]], y: list[str]) -> None:
        trees = importlib.import_module("sklearn.tree")
        given: list[list[float]] = []

        class Watched(trees.DecisionTreeClassifier):  # type: ignore[name-defined,misc]
            def fit(self, x: Any, y: Any, sample_weight: Any = None) -> Any:
                given.append([float(weight) for weight in sample_weight])
                return super().fit(x, y, sample_weight=sample_weight)

        ensemble = importlib.import_module("sklearn.ensemble")
        watched = Watched(max_depth=1)
        self.model = ensemble.AdaBoostClassifier(watched, n_estimators=ROUNDS, random_state=0).fit(x, y)
        self.weights = given
        self.errors = [float(error) for error in self.model.estimator_errors_]
        self.votes = [float(vote) for vote in self.model.estimator_weights_]

    def stump(self, m: int) -> tuple[int, float]:
        """The feature and the threshold of a round."""
        tree = self.model.estimators_[m].tree_
        return int(tree.feature[0]), float(tree.threshold[0])


def noise(seed: int, rows: int = 60, columns: int = 4, classes: int = 2) -> Table:
    """Numbers of few digits, which 32 bits tell apart, and classes that follow them with some noise."""
    chance = Random(seed)
    cells: dict[str, list[Any]] = {
        f"x{c}": [Fraction(chance.randrange(64), 4) for _ in range(rows)] for c in range(columns)
    }
    score = [cells["x0"][row] + cells["x1"][row] / 2 + chance.randrange(12) for row in range(rows)]
    bounds = [sorted(score)[rows * k // classes] for k in range(1, classes)]
    cells["y"] = [f"c{sum(one >= bound for bound in bounds)}" for one in score]
    return Table.from_columns(cells, target="y")


TABLES = {
    "iris": textbook("iris"),
    "two classes": noise(1),
    "more rows": noise(2, rows=200),
    "three classes": noise(3, rows=120, classes=3),
    "four classes": noise(4, rows=120, classes=4),
}
each_table = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)


def rows_of(table: Table) -> tuple[list[list[float]], list[str]]:
    """The numbers and the classes, as scikit-learn takes them."""
    names, rows = [attribute.name for attribute in table.schema.attributes], list(table.rows())
    return [[float(row[name] or 0) for name in names] for row in rows], [
        str(row[table.schema.target.name]) for row in rows
    ]


def fitted(table: Table) -> Fitted:
    if missing := scikit_learn.absent():
        pytest.skip(missing)
    return Fitted(*rows_of(table))


def is_asked(test: Any, name: str, threshold: float) -> bool:
    """Whether a question is whether the attribute is at most such a threshold."""
    low, high = test.interval
    return bool(test.attribute == name and low <= threshold < high)


@each_table
def test_each_stump_is_a_winner_on_its_own_weights(table: Table) -> None:
    theirs = fitted(table)
    names = [attribute.name for attribute in table.schema.attributes]
    for m, weights in enumerate(theirs.weights[: len(theirs.votes)]):
        exact = [Fraction(weight) for weight in weights]
        rows = training_rows(table, [weight / sum(exact) for weight in exact])
        feature, threshold = theirs.stump(m)
        decision = STUMP.decide(rows.sample())
        (found,) = (c for c in decision.candidates if is_asked(c.test, names[feature], threshold))
        assert float(decision.winners[0].score - found.score) <= 1e-15, f"round {m + 1} is no tie"


@each_table
def test_errors_votes_and_weights_are_ours_but_for_rounding(table: Table) -> None:
    """From its stumps' own answers: e, α and the next weights by our formulas, each from the round before."""
    theirs = fitted(table)
    x, truth = rows_of(table)
    classes = len(set(truth))
    for m, (error, vote) in enumerate(zip(theirs.errors, theirs.votes, strict=True)):
        exact = [Fraction(weight) for weight in theirs.weights[m]]
        weights: list[Rational] = [weight / sum(exact) for weight in exact]
        missed = [said != true for said, true in zip(theirs.model.estimators_[m].predict(x), truth, strict=True)]
        found = weighted_error(weights, missed)
        assert float(found) == pytest.approx(error, abs=NEAR)
        assert float(coefficient_of_classes(found, classes)) == pytest.approx(vote, abs=NEAR)
        if m + 1 < len(theirs.votes):
            after = theirs.weights[m + 1]
            ours = reweighted(weights, missed, classes)
            assert [float(w) for w in ours] == pytest.approx([w / sum(after) for w in after], abs=NEAR)


@pytest.mark.parametrize("name", ["two classes", "more rows", "three classes"])
def test_without_ties_the_whole_ensemble_is_the_same(name: str) -> None:
    """Up to the first round in which several questions are equally good, or so nearly that doubles cannot tell."""
    table = TABLES[name]
    theirs = fitted(table)
    names = [attribute.name for attribute in table.schema.attributes]
    same = 0
    for m, found in enumerate(AdaBoost(base=STUMP, algorithm="samme", trees=len(theirs.votes)).rounds(table)):
        decision = STUMP.decide(training_rows(table, found.weights).sample())
        if len(decision.winners) > 1 or float(decision.margin or 1) < NEAR:
            break
        feature, threshold = theirs.stump(m)
        test: Any = found.tree.nodes[0].test
        assert test.attribute == names[feature]
        assert float(test.threshold) == pytest.approx(threshold, abs=1e-6)
        assert float(found.error) == pytest.approx(theirs.errors[m], abs=NEAR)
        same += 1
    assert same >= 3
