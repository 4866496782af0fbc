"""The records of parameters, and what is refused."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.estimators.parameters import parameters_of, seed_of, table_of


@pytest.mark.parametrize("kind", [rt.XGBClassifier, rt.XGBRegressor])
def test_each_argument_has_a_record_and_a_row(kind: Any) -> None:
    names = list(inspect.signature(kind).parameters)
    assert names == list(parameters_of(kind)) == list(kind().get_params())
    rows = table_of(kind).splitlines()[2:]
    assert [row.split("`")[1] for row in rows] == names
    assert all(record.meaning for record in parameters_of(kind).values())


@pytest.mark.parametrize("random_state", [1.5, "a", [1]])
def test_a_seed_is_a_whole_number(random_state: Any) -> None:
    with pytest.raises(rt.InputError, match="random_state"):
        seed_of(random_state)


def test_a_generator_gives_a_seed() -> None:
    numpy = pytest.importorskip("numpy")
    for make in (numpy.random.RandomState, numpy.random.default_rng):
        assert seed_of(make(3)) == seed_of(make(3)) != seed_of(make(4))
    assert seed_of(numpy.int64(5)) == 5


def test_without_a_seed_the_result_is_the_same_each_time() -> None:
    rows, numbers = [[x] for x in range(20)], [x * x % 7 for x in range(20)]
    one, other = (
        rt.XGBRegressor(n_estimators=2, subsample=0.5, random_state=seed).fit(rows, numbers) for seed in (None, 0)
    )
    assert one.tree_ == other.tree_
