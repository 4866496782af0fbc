"""Each kind of value holds what it names, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from reference_tree.programs.inventory import UnreadError
from reference_tree.programs.scikit_learn.members import KINDS, KNOWN, check_value, is_finite, is_list, is_whole


@pytest.mark.parametrize(
    ("name", "held", "others"),
    [
        ("n_features_in_", [3, 0], [-1, 2.5, True, None, "3"]),
        ("max_depth", [None, 3], [-1, "3", [3]]),
        ("min_samples_leaf", [1, 0.25], [True, None, float("nan"), float("inf")]),
        ("max_samples", [None, 0.5, 7], ["all"]),
        ("max_features", [None, 0.5, "sqrt"], [[1], object()]),
        ("bootstrap", [True, False], [1, None, "True"]),
        ("criterion", ["gini"], [None, 1]),
        ("classes_", [["a"], ("a",)], ["ab", None, {"a": 1}]),
        ("_sample_weight", [None, [1.0]], [1.0, "1"]),
        ("class_weight", [None, "balanced", {"a": 2}], ["even", {"a": "2"}, [1], 5]),
        ("monotonic_cst", [None, [0, 1], {"x": 1}, "pairwise"], [5, object()]),
    ],
)
def test_a_member_has_values_of_one_kind(name: str, held: list[Any], others: list[Any]) -> None:
    for value in held:
        check_value("a tree", name, value)
    for value in others:
        with pytest.raises(UnreadError, match=f"a tree has {name} .*, which is not "):
            check_value("a tree", name, value)


def test_numbers_and_arrays_of_numpy_are_held() -> None:
    np: Any = pytest.importorskip("numpy")
    assert is_whole(np.int32(3))
    assert is_finite(np.float32(0.5))
    assert is_list(np.array([1]))
    assert not is_list(np.float64(1))
    check_value("a forest", "bootstrap", np.True_)


def test_every_kind_is_that_of_a_member_that_is_used() -> None:
    used = {name for one in KNOWN.values() for name in one.members.used}
    assert not KINDS.keys() - used
    assert not {"tree_", "init_", "_loss", "random_state"} & KINDS.keys()
