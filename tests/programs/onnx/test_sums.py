"""Sums of targets and classes: those that runtimes agree about, and those that are refused."""

from __future__ import annotations

from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.programs.onnx.sums import are_shares
from reference_tree.programs.reading import read_foreign
from tests.every import of_every
from tests.programs.onnx.files import operator_of, value_of, without_remarks

pytestmark = without_remarks


def test_sums_are_shares_if_nothing_is_negative_and_nothing_is_added_to_them() -> None:
    assert are_shares({(0, 1): {0: 0.0, 1: 0.5}}, [])
    assert not are_shares({(0, 1): {0: -0.5}}, [])
    assert not are_shares({(0, 1): {0: 0.5}}, [0.25])


@of_every(
    [
        ("forest-two-classes", {"class_ids": [0, 1, *[0] * 9]}, "2 classes with 2 sums"),
        ("forest-two-classes", {"classlabels_strings": ["a", "b"]}, "named by one of"),
        ("forest-two-classes", {"classlabels_int64s": [0, 2]}, "ZipMap names other classes"),
        ("forest-two-classes", {"base_values": [0.5]}, "its sums are no probabilities"),
        (
            "forest-two-classes",
            {"post_transform": "SOFTMAX"},
            "its post_transform is 'SOFTMAX', and NONE, LOGISTIC are",
        ),
    ]
)
def test_classes_that_runtimes_disagree_about_are_refused(case: tuple[str, dict[str, Any], str]) -> None:
    kind, change, message = case
    value = value_of(kind)
    operator_of(value).update(change)
    with pytest.raises(InputError, match=message):
        read_foreign(value)
