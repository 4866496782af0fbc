"""Fingerprints: what they depend on, and what not."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.programs.reading import predictor_of_file
from tests.functions.test_cells import stump

RECORDED = Path(__file__).parents[1] / "programs" / "recorded"
IRIS = rt.textbook("iris")


def test_trees_in_another_order_have_one_fingerprint() -> None:
    forest = rt.RandomForest(trees=6, seed=1).grow(IRIS)
    turned = replace(forest, members=forest.members[::-1])
    halves = replace(
        forest, members=tuple(one._replace(weight=Fraction(1, 2)) for one in (*turned.members, *forest.members))
    )
    assert rt.fingerprint(forest) == rt.fingerprint(turned) == rt.fingerprint(halves)
    assert rt.fingerprint(forest) != rt.fingerprint(forest.part(range(5)))


def test_the_domain_and_the_link_are_part_of_it() -> None:
    tree = stump(1)
    more = replace(tree, attributes=(*tree.attributes, *rt.ID3().grow(rt.textbook("play-tennis")).attributes))
    turned = replace(more, attributes=more.attributes[::-1])
    assert rt.fingerprint(tree) != rt.fingerprint(more) == rt.fingerprint(turned)
    boosted = rt.BoostingTree(trees=2).grow(rt.textbook("li-hang-8.2"))
    assert rt.fingerprint(boosted) != rt.fingerprint(replace(boosted, combine="exp"))


def test_float32_alone() -> None:
    near = [stump(Fraction(number), held="double") for number in (0.1, 0.10000000000000002)]
    assert len({rt.fingerprint(each) for each in near}) == 2
    assert len({rt.fingerprint(each, inputs="float32") for each in near}) == 1


def test_it_never_changes() -> None:
    """A fingerprint may stand in a paper: it is the same in each release."""
    assert rt.fingerprint(stump(1)) == "bb2cfc3b2a368ce935cc6107dcc6ebac"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cars", "iris", "labor", "pima", "vote"])
def test_two_files_of_one_model_have_one_fingerprint(name: str) -> None:
    """LightGBM writes a model as text and as JSON."""
    files = [RECORDED / "lightgbm" / f"{name}{end}" for end in (".txt", ".dump.json")]
    models = [predictor_of_file(file) for file in files]
    assert rt.equivalent(*models).verdict == "same answers"
    assert rt.fingerprint(models[0]) == rt.fingerprint(models[1])


@pytest.mark.more
def test_models_of_all_programs_are_taken_or_refused_by_name() -> None:
    taken = 0
    for file in sorted(RECORDED.rglob("*")):
        if file.suffix not in (".txt", ".json", ".pmml") or file.name.endswith("answers.json"):
            continue
        try:
            model = predictor_of_file(file)
        except InputError:
            continue
        try:
            assert rt.equivalent(model, model).verdict == "same answers"
            assert len(rt.fingerprint(model)) == 32
            taken += 1
        except InputError as error:
            if "treated before a test sees them" not in str(error):
                raise
    assert taken > 160
