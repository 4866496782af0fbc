"""Learners of ensembles: side by side as one after another, and every option in the document."""

from __future__ import annotations

import multiprocessing
import os
from pathlib import Path

import pytest

from reference_tree.data.errors import InputError
from reference_tree.data.textbook import textbook
from reference_tree.ensembles.bagging import Bagging
from reference_tree.ensembles.learner import EnsembleLearner, side_by_side
from reference_tree.ensembles.random_forest import RandomForest
from reference_tree.ensembles.registry import ENSEMBLES
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.id3 import ID3
from reference_tree.tree_document import to_json
from tests.every import of_every


@pytest.mark.one_in(1, 3)
@pytest.mark.parametrize(
    "learner",
    [
        Bagging(base=ID3(), trees=5, seed=3),
        RandomForest(base=C45.like("weka-j48"), trees=5, seed=3),
        RandomForest(base=CART(missing="surrogates"), trees=5, seed=3, attributes=1),
    ],
    ids=lambda learner: f"{learner.name} of {learner.base.name}",
)
def test_two_processes_grow_what_one_does(learner: EnsembleLearner) -> None:
    """To the byte."""
    table = textbook("play-tennis")
    counts: list[int] = []
    together = learner.grow(table, counts.append, jobs=2)
    assert to_json(together) == to_json(learner.grow(table))
    assert counts == [1, 2, 3, 4, 5]


@pytest.mark.slow
def test_a_process_that_is_started_anew_grows_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where processes are not copies of this one, as on Windows, the table is sent to them."""
    table, learner = textbook("golf"), RandomForest(base=C45(), trees=3)
    expected = learner.grow(table)
    default = multiprocessing.get_start_method()
    multiprocessing.set_start_method("spawn", force=True)
    try:
        assert learner.grow(table, jobs=2) == expected
    finally:
        multiprocessing.set_start_method(default, force=True)


def squared(number: int) -> int:
    return number * number


def refusing(number: int) -> int:
    raise InputError("is nothing that could be grown", path=f"{number}.csv", line=3)


def ending(number: int) -> int:
    os._exit(number + 1)


@of_every([1, 2, 3])
def test_they_come_in_order(jobs: int) -> None:
    assert list(side_by_side(squared, 7, jobs)) == [0, 1, 4, 9, 16, 25, 36]
    assert list(side_by_side(squared, 1, jobs)) == [0]


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_refused_is_told_in_one_line(jobs: int) -> None:
    with pytest.raises(InputError) as refused:
        list(side_by_side(refusing, 3, jobs))
    assert str(refused.value) == "0.csv, line 3: is nothing that could be grown"


def test_a_process_that_ends_is_told() -> None:
    with pytest.raises(InputError, match="a process ended before its tree was grown"):
        list(side_by_side(ending, 3, 2))


def test_no_process_is_none() -> None:
    with pytest.raises(InputError, match="at least one process"):
        list(side_by_side(squared, 3, 0))


def test_every_option_of_the_base_is_recorded(tmp_path: Path) -> None:
    learner = Bagging(base=C45.like("c45-r8", max_depth=3), trees=7, seed=5, combine="mean")
    grower = learner.grower()
    assert grower.options["base"]["profile"] == "c45-r8"
    assert grower.options["base"]["options"] == C45.like("c45-r8", max_depth=3).grower().options
    assert Bagging.of(grower.options) == learner
    with pytest.raises(InputError, match="there is no option 'tress'"):
        Bagging.of({**grower.options, "tress": 3})
    with pytest.raises(InputError, match="a learner of trees has a name"):
        Bagging.of({**grower.options, "base": {"name": "id3"}})


@of_every(ENSEMBLES.values())
def test_what_is_no_table_is_told(kind: type[EnsembleLearner]) -> None:
    with pytest.raises(InputError, match="'golf' is no table; read, textbook"):
        kind().grow("golf")  # type: ignore[arg-type]
