"""scikit-learn: each node of the trees it recorded is one that the profile `scikit-learn` could have made."""

from __future__ import annotations

import importlib
from math import inf, isfinite
from random import Random

import pytest

from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.cart import CART
from reference_tree.tree_document import from_json
from tests.peers import scikit_learn
from tests.peers.conforming import differences, first_unlike, table_of
from tests.peers.recordings import RECORDINGS, Recording

CRITERIA = {"gini": "gini", "entropy": "entropy", "squared-error": "squared_error"}

SCIKIT_LEARN_TREES = [recording for recording in RECORDINGS if recording.program == "scikit-learn"]
each_recording = pytest.mark.parametrize("recording", SCIKIT_LEARN_TREES, ids=lambda recording: recording.name)

DRAWN = "of equal questions scikit-learn takes the one whose attribute it happens to draw first"


def learner_of(recording: Recording) -> CART:
    return CART.like("scikit-learn", criterion=CRITERIA[recording.setting])


def test_every_recorded_tree_of_scikit_learn_is_compared() -> None:
    assert len(SCIKIT_LEARN_TREES) == 11
    assert {recording.setting for recording in SCIKIT_LEARN_TREES} == CRITERIA.keys()


@pytest.mark.one_in(3, 12)
@each_recording
def test_each_node_of_scikit_learn_is_one_that_we_could_have_made(recording: Recording) -> None:
    """Its thresholds lie between numbers of 32 bits, and so in the gap between ours, if not in its middle."""
    assert differences(recording, learner_of(recording)) == []


@pytest.mark.one_in(3, 12)
@each_recording
def test_where_our_tree_is_another_a_tie_was_drawn(recording: Recording) -> None:
    """At the first node that differs, what scikit-learn asks is among our winners: the test above has seen to that."""
    table = table_of(recording)
    ours = learner_of(recording).grow(table)
    ours.check(table)
    found = first_unlike(from_json(recording.text()), ours, table)
    assert found is not None, DRAWN
    assert found.theirs.partition("<=")[0] != found.ours[0].partition("<=")[0]


@pytest.mark.oracles
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_without_ties_the_trees_are_the_same_live(criterion: str) -> None:
    """Grown now: as many nodes, and every row at a leaf of the same counts."""
    if missing := scikit_learn.absent():
        pytest.skip(missing)
    classifier = importlib.import_module("sklearn.tree").DecisionTreeClassifier
    table: Table = textbook("golf")
    rows = [{n: row[n] for n in ("temperature", "humidity", "play")} for row in table.rows()]
    numeric = Table.from_rows(rows, target="play")
    model = classifier(criterion=criterion, random_state=0).fit(
        [[float(row["temperature"] or 0), float(row["humidity"] or 0)] for row in rows], [row["play"] for row in rows]
    )
    tree = CART.like("scikit-learn", criterion=criterion).grow(numeric)
    predicted = model.predict([[float(row["temperature"] or 0), float(row["humidity"] or 0)] for row in rows])
    assert [tree.predict(row) for row in numeric.rows()] == list(predicted)


@pytest.mark.oracles
@pytest.mark.parametrize("lost", ["no", "yes"])
def test_rows_without_an_answer_go_to_the_better_side_as_there(lost: str) -> None:
    """Unless it parts them from all others, which is no question here."""
    if missing := scikit_learn.absent():
        pytest.skip(missing)
    classifier = importlib.import_module("sklearn.tree").DecisionTreeClassifier
    x, y = [1, 1, 1, 2, 2, 2, 2, None], ["no"] * 3 + ["yes"] * 4 + [lost]
    model = classifier(random_state=0).fit([[float("nan") if cell is None else float(cell)] for cell in x], y)
    decision = CART.like("scikit-learn").decide(Table.from_columns({"x": x, "y": y}).sample())
    assert decision.missing.to == (0 if model.tree_.missing_go_to_left[0] else 1)


@pytest.mark.oracles
def test_whether_a_value_is_known_is_a_question_there_alone() -> None:
    """The same rows with a column that says so have that question here too, and it is worth as much."""
    if missing := scikit_learn.absent():
        pytest.skip(missing)
    classifier = importlib.import_module("sklearn.tree").DecisionTreeClassifier
    x: list[float | None] = [30, 40, 50, 60, None, None, None]
    y = ["yes", "no", "yes", "yes", "no", "no", "no"]
    tree = classifier(max_depth=1).fit([[float("nan") if cell is None else cell] for cell in x], y).tree_
    assert tree.threshold[0] == inf
    assert not tree.missing_go_to_left[0]
    assert list(tree.n_node_samples[1:]) == [4, 3]
    theirs = tree.impurity[0] - sum(tree.n_node_samples[i] * tree.impurity[i] for i in (1, 2)) / 7
    learner, known = CART.like("scikit-learn"), ["no" if cell is None else "yes" for cell in x]
    without = learner.decide(Table.from_columns({"x": x, "y": y}).sample()).chosen
    within = learner.decide(Table.from_columns({"x": x, "known": known, "y": y}).sample()).chosen
    assert without is not None
    assert without.scores["gini_decrease"] < theirs
    assert within is not None
    assert within.test.attribute == "known"
    assert float(within.scores["gini_decrease"]) == pytest.approx(theirs, abs=1e-12)


@pytest.mark.oracles
@pytest.mark.parametrize("minimum", [1, 2, 3])
def test_gaps_and_small_branches_are_settled_as_there(minimum: int) -> None:
    """The decrease of the best cut, unless it parts those who answer from all others, which is no question here."""
    if missing := scikit_learn.absent():
        pytest.skip(missing)
    classifier = importlib.import_module("sklearn.tree").DecisionTreeClassifier
    chance, compared, cut = Random(5), 0, 0
    for _ in range(150):
        n = chance.randint(4, 8)
        a, y = [chance.choice([None, 0, 1, 2, 3, 4]) for _ in range(n)], [chance.choice("pq") for _ in range(n)]
        if len(set(y)) < 2 or all(cell is None for cell in a):
            continue
        cells = [[float("nan") if cell is None else float(cell)] for cell in a]
        tree = classifier(max_depth=1, min_samples_leaf=minimum).fit(cells, y).tree_
        if tree.node_count > 1 and not isfinite(tree.threshold[0]):
            continue
        below = sum(tree.n_node_samples[i] * tree.impurity[i] for i in range(1, tree.node_count)) / n
        theirs = tree.impurity[0] - below if tree.node_count > 1 else 0.0
        table = Table.from_columns({"a": a, "y": y}, continuous=["a"])
        decision = CART.like("scikit-learn", min_samples_leaf=minimum).decide(table.sample())
        ours = 0.0 if decision.chosen is None else float(decision.chosen.scores["gini_decrease"])
        assert abs(ours - theirs) < 1e-12, (a, y)
        compared, cut = compared + 1, cut + (theirs > 0)
    assert compared > 100
    assert cut > 20
