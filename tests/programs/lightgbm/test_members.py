"""The members of LightGBM's files: what is tried on real ones stands in `test_closed_world`."""

from __future__ import annotations

import pytest

from reference_tree.data.errors import InputError
from reference_tree.programs.lightgbm import models as lightgbm
from reference_tree.programs.lightgbm.members import AUDITED, HEAD, JSON, OTHERS, PARAMETERS, TREE
from reference_tree.programs.reader import readers
from reference_tree.programs.reading import read_foreign
from tests.every import of_every
from tests.programs.recording import HERE

TEXT = (HERE / "lightgbm-kinds" / "squared-4.7.0.txt").read_text(encoding="utf-8")


def test_the_reader_names_them() -> None:
    assert readers()["lightgbm"].inventories == (HEAD, TREE, PARAMETERS, JSON)


def test_the_parameters_of_an_audit_are_those_that_are_read() -> None:
    read = {*lightgbm.TRAINING.parameters, *lightgbm.TRAINING.plain, "boost_from_average"}
    assert set(AUDITED) == read
    assert not read & set(OTHERS)


@of_every(
    [
        ("version=v4", "version=v4\nnew_key=1", "the head of a model has a member 'new_key', which is not known here"),
        ("version=v4", "version=v4\nversion=v4", "'version' is there twice"),
        ("version=v4", "version=v4\nnew_word", "the line 'new_word' is not known here"),
        ("shrinkage=1", "shrinkage=1\nnew_key=1", "a tree has a member 'new_key'"),
        (
            "[max_bin: 255]",
            "[max_bin: 255]\n[new_parameter: 1]",
            "the parameters of a model has a member 'new_parameter'",
        ),
        ("parameters:", "more:", "the line 'more:' below the trees is not known here"),
        ("num_leaves=4", "num_leaves=5", "num_leaves or num_cat says otherwise"),
        (
            "objective=regression",
            "objective=regression squared",
            "its objective is regression squared, which is not read",
        ),
        ("objective=regression", "objective=multiclass num_class:3", "it adds up 1 sums for 1 classes"),
        ("num_tree_per_iteration=1", "num_tree_per_iteration=3", "which are no rounds of 3"),
    ]
)
def test_what_is_not_known_is_refused_by_name(old: str, new: str, message: str) -> None:
    assert old in TEXT
    with pytest.raises(InputError, match=message):
        read_foreign(TEXT.replace(old, new, 1))


def test_a_model_without_an_objective_is_a_sum_and_says_so() -> None:
    with pytest.warns(match="the model names no objective; the sum of its trees is the answer"):
        (document,) = read_foreign(HERE / "lightgbm-kinds" / "no-objective-4.7.0.txt")
    assert document["combine"] == "sum"
