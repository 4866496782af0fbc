"""scikit-learn's ensembles, tree by tree: each node is audited on the sample that scikit-learn drew for its tree.

Its bootstrap samples are known, so the rows are ours with the draws for weights. Which attributes a node of its forests
drew is not known: there a question has to be the best about its own attribute, and a leaf has to be one that no
attribute can split, since it draws on until one can.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from reference_tree.data.readers import read
from reference_tree.data.table import Table
from reference_tree.ensembles.bagging import out_of_bag, resampled
from reference_tree.ensembles.ensemble import Ensemble, Member
from reference_tree.ensembles.importance import impurity_importance
from reference_tree.learners.cart import CART
from reference_tree.tree import Tree
from reference_tree.tree_document import from_json
from tests.peers import scikit_learn
from tests.peers.conforming import is_same, unlike, visits
from tests.peers.data_sets import DataSet, data_set
from tests.peers.documents import decimal

pytestmark = pytest.mark.oracles

TREES = 12


@pytest.fixture(autouse=True)
def installed() -> None:
    """Without scikit-learn there is nothing to ask."""
    if missing := scikit_learn.absent():
        pytest.skip(missing)


def fitted(data: DataSet, name: str, **options: Any) -> Any:
    """An ensemble of scikit-learn for a table."""
    *columns, target = zip(*data.numbers(), strict=True)
    model = getattr(importlib.import_module("sklearn.ensemble"), name)(n_estimators=TREES, random_state=3, **options)
    return model.fit([list(row) for row in zip(*columns, strict=True)], target)


def trees(model: Any, data: DataSet) -> Iterator[tuple[Tree, Table, tuple[int, ...]]]:
    """Each tree as ours, with the rows that were drawn for it, and how often each was."""
    table = read(str(data.path))
    for tree, sample in zip(model.estimators_, model.estimators_samples_, strict=True):
        counted = Counter(map(int, sample))
        drawn = tuple(counted[row] for row in range(len(table)))
        assert sum(drawn) == len(table)
        found = from_json(scikit_learn.convert(tree.tree_, data, {"program": "scikit-learn"}))
        yield found, resampled(table, drawn), drawn


@pytest.mark.parametrize(
    ("name", "kind"), [("iris", "BaggingClassifier"), ("wine", "BaggingClassifier"), ("diabetes", "BaggingRegressor")]
)
def test_each_node_of_a_bagged_tree_is_one_that_we_could_have_made(name: str, kind: str) -> None:
    data, judged = data_set(name), 0
    for tree, table, _ in trees(fitted(data, kind), data):
        assert unlike(tree, CART.like("scikit-learn"), table) == []
        judged += len(tree.nodes)
    assert judged > 10 * TREES


@pytest.mark.parametrize(("name", "kind"), [("iris", "RandomForestClassifier"), ("diabetes", "RandomForestRegressor")])
def test_each_node_of_a_forest_asks_the_best_question_about_its_attribute(name: str, kind: str) -> None:
    data, asked, passed_over = data_set(name), 0, 0
    learner = CART.like("scikit-learn")
    for tree, table, _ in trees(fitted(data, kind, max_features="sqrt"), data):
        for number, place, sample in visits(tree, table):
            test = tree.nodes[number].test
            if test is None:
                assert learner.decide(sample, place).chosen is None, tree.path(number)
                continue
            (attribute,) = test.attributes
            decision = learner.decide(sample, place._replace(available=frozenset({attribute})))
            assert any(is_same(test, winner.test, sample) for winner in decision.winners), tree.path(number)
            whole = learner.decide(sample, place)
            asked, passed_over = asked + 1, passed_over + all(w.test.attribute != attribute for w in whole.winners)
    assert asked > 5 * TREES
    assert 0 < passed_over < asked, "a better attribute was not drawn"


def in_32_bits(data: DataSet) -> Table:
    """The rows as scikit-learn compares them with thresholds, which a row that was not drawn may lie at.

    Doubles are written as the document of a tree has its thresholds.
    """
    single = importlib.import_module("numpy").float32
    table = read(str(data.path))
    columns: dict[str, Any] = {
        attribute.name: [Decimal(decimal(float(single(row[place])))) for row in data.numbers()]
        for place, attribute in enumerate(data.attributes)
    }
    name = data.target.name
    return Table.from_columns({**columns, name: [row[name] for row in table.rows()]}, name)


def test_their_trees_together_are_their_forest() -> None:
    """The mean of the distributions is what it predicts, and its importance is that of our formula, tree by tree."""
    data = data_set("iris")
    model = fitted(data, "RandomForestClassifier")
    members = tuple(Member(tree, drawn=drawn) for tree, _, drawn in trees(model, data))
    forest = Ensemble(data.target, data.attributes, members, "mean")
    ours = [[float(share) for share in row.values()] for row in forest.distribution(in_32_bits(data))]
    theirs = model.predict_proba([row[:-1] for row in data.numbers()])
    assert ours == [pytest.approx(list(row)) for row in theirs]
    shares = [impurity_importance(member.tree, normalised=True) for member in members]
    mean = [sum(float(one[attribute.name]) for one in shares) / TREES for attribute in data.attributes]
    assert mean == pytest.approx(list(model.feature_importances_))


def test_the_estimate_out_of_bag_is_theirs() -> None:
    data = data_set("diabetes")
    model = fitted(data, "RandomForestRegressor", oob_score=True)
    members = tuple(Member(tree, drawn=drawn) for tree, _, drawn in trees(model, data))
    found = out_of_bag(Ensemble(data.target, data.attributes, members, "mean"), in_32_bits(data)).answers
    known = [row for row, answer in enumerate(found) if answer is not None]
    assert len(known) > 400
    assert [float(found[row] or 0) for row in known] == pytest.approx([float(model.oob_prediction_[r]) for r in known])
