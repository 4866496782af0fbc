"""Cost-complexity pruning against the sequences of scikit-learn and rpart, on the trees that these programs grew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache

import pytest

import reference_tree as rt
from reference_tree.exact.log_sums import Number
from reference_tree.pruning.choosing_alpha import choose
from reference_tree.pruning.cost_complexity import Path, Step, pruning_path
from reference_tree.tree import Tree
from reference_tree.tree_document import from_json
from tests.peers import scikit_learn
from tests.peers.pruning_paths import CROSS_VALIDATED, FOLDS, PATHS, PathRecording, Row, absent, model_of, run

LARGE = "rpart/breast-cancer-wisconsin.cross-validation"
"""Five trees of 699 rows, which take seconds."""
RELATIVE = Fraction(1, 10**12)


def every(recordings: Sequence[PathRecording]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        "recording",
        [pytest.param(r, id=r.tree.name, marks=pytest.mark.slow if r.tree.name == LARGE else ()) for r in recordings],
    )


def near(theirs: float, ours: Number, scale: Number = Fraction(1, 100)) -> bool:
    """Whether a float is the exact number up to its rounding.

    A price is a difference of risks, and what is left of one is rounded as the risks were: so the measure is at least a
    hundredth of the root's risk.
    """
    return bool(abs(Fraction(theirs) - ours) <= RELATIVE * max(abs(ours), scale))


def questions(tree: Tree) -> int:
    return sum(1 for node in tree.nodes if node.test is not None)


def merged(rows: list[Row]) -> Iterator[Row]:
    """The rows, of those whose price is equal up to rounding the last one, which is the smallest tree."""
    for row, following in zip(rows, [*rows[1:], None], strict=True):
        if following is None or following[0] - row[0] > 1e-9 * following[0]:
            yield row


@pytest.mark.one_in(5)
@every([recording for recording in PATHS if recording.tree.program == "rpart"])
def test_rparts_table_of_prunings(recording: PathRecording) -> None:
    path = pruning_path(from_json(recording.tree.text()), "rpart")
    grown, *rest = recording.rows()  # the largest tree comes first, and its cp is the one that was asked for
    theirs = list(merged(rest))
    assert (questions(path.tree), near(grown[2], path.steps[0].risk)) == (grown[1], True)
    if theirs and abs(theirs[0][0]) < 1e-15:  # T(0) is smaller than the tree as grown
        assert theirs.pop(0)[1] == questions(path.at(path.steps[0])) < grown[1]
    else:
        assert len(path.at(path.steps[0]).nodes) == len(path.tree.nodes)
    ours = [(step.alpha, questions(path.at(step)), step.risk) for step in path.steps[1:]]
    assert [splits for _, splits, _ in theirs] == [splits for _, splits, _ in ours]
    for (cp, _, error), (alpha, _, risk) in zip(theirs, ours, strict=True):
        assert near(cp, alpha)
        assert near(error, risk)


def test_at_some_price_the_tree_of_one_pass_is_not_the_best_one() -> None:
    recording = next(r for r in PATHS if r.tree.name == "rpart/pima.gini")
    tree = from_json(recording.tree.text())
    book = pruning_path(tree)
    unit = book.steps[-1].risk  # of the root: rpart measures in it

    def cost(step: Step, alpha: Number) -> Number:
        return step.risk + alpha * step.leaves

    steps = [
        step._replace(alpha=step.alpha * unit, risk=step.risk * unit) for step in pruning_path(tree, "rpart").steps
    ]
    worse = [cost(step, step.alpha) - cost(book.step(step.alpha), step.alpha) for step in steps]
    assert min(worse) == 0 < max(worse)


@pytest.mark.one_in(3)
@pytest.mark.slow
@every(CROSS_VALIDATED)
def test_rparts_cross_validation(recording: PathRecording) -> None:
    """On the same folds the same trees are grown and pruned, and the same one is chosen."""
    table = rt.read(str(recording.tree.rows().path))
    held_out = [tuple(range(fold, len(table), FOLDS)) for fold in range(FOLDS)]
    choice = choose(rt.CART.like("rpart").grow, table, held_out, "rpart")
    unit = choice.path.steps[-1].risk  # of the root: rpart measures in it
    theirs = recording.rows()
    for (cp, splits, error, validated, deviation), found in zip(theirs, choice.estimates, strict=True):
        assert near(cp, found.step.alpha / unit)
        assert splits == questions(choice.path.at(found.step))
        assert near(error, found.step.risk / unit)
        assert near(validated, found.risk / unit)
        assert deviation**2 == pytest.approx(float(found.squared_standard_error / unit**2), rel=1e-9)
    limit = min(theirs, key=lambda row: (row[3], row[1]))
    assert theirs[choice.chosen] == [row for row in theirs if row[3] <= limit[3] + limit[4]][-1]


def path_of(recording: PathRecording) -> Path:
    criterion = recording.tree.arguments[0]
    return pruning_path(
        from_json(recording.tree.text()), "scikit-learn", None if criterion == "squared_error" else criterion
    )


@pytest.mark.one_in(1, 11)
@every([recording for recording in PATHS if recording.tree.program == "scikit-learn"])
def test_scikit_learns_path(recording: PathRecording) -> None:
    path = path_of(recording)
    theirs = list(merged(recording.rows()))
    root = path.tree.nodes[0]
    # Its variance is the mean of the squares less the square of the mean: both are rounded, the difference is not.
    scale = root.counts[2] / root.weight / 100 if recording.tree.setting == "squared-error" else Fraction(1, 100)
    assert [row[2] for row in theirs] == [step.leaves for step in path.steps]
    for (alpha, impurity, _), step in zip(theirs, path.steps, strict=True):
        assert near(alpha, step.alpha, scale)
        assert near(impurity, step.risk, scale)


@pytest.mark.oracles
@every([recording for recording in PATHS if recording.tree.program == "scikit-learn"])
def test_scikit_learn_prunes_to_the_same_trees(recording: PathRecording) -> None:
    if missing := absent(recording):
        pytest.skip(missing)
    path, data, criterion = path_of(recording), recording.tree.rows(), recording.tree.arguments[0]
    alphas = [float(step.alpha) for step in path.steps]
    pairs = list(zip(path.steps, alphas, [*alphas[1:], 2 * alphas[-1]], strict=True))
    for step, alpha, above in pairs[:: max(1, len(pairs) // 15)]:
        model, rows, target = model_of(data, criterion, (alpha + above) / 2)
        source = {"program": "scikit-learn"}
        theirs = from_json(scikit_learn.convert(model.fit(rows, target).tree_, data, source))
        ours = path.at(step)
        assert [(node.test, node.branches) for node in theirs.nodes] == [
            (node.test, node.branches) for node in ours.nodes
        ]


@cache
def today(program: str) -> dict[PathRecording, str]:
    return run([recording for recording in (*PATHS, *CROSS_VALIDATED) if recording.tree.program == program])


@pytest.mark.oracles
@every([*PATHS, *CROSS_VALIDATED])
def test_the_programs_still_say_what_is_recorded(recording: PathRecording) -> None:
    if missing := absent(recording):
        pytest.skip(missing)
    assert today(recording.tree.program)[recording] == recording.path.read_text(encoding="utf-8")
