"""Likely mistakes: the option with which a wrong choice would be right is named."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.conformance.cases import cases
from reference_tree.conformance.goldens import document
from tests.checking.answering import judged


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("name", "mistaken", "named"),
    [
        ("c45/loan-by-id", {"contenders": "everyone"}, "contenders = everyone"),
        ("id3/play-tennis-one-level", {"max_depth": 2}, "max_depth = 2"),
        ("stops/fewer-rows-than-a-branch-needs", {"min_samples_leaf": "1"}, "min_samples_leaf = "),
        ("cart/play-tennis", {"branching": "multiway"}, "branching = multiway"),
    ],
)
def test_the_option_of_a_mistaken_program_is_named(name: str, mistaken: dict[str, Any], named: str) -> None:
    case = cases()[name]
    other = replace(case, learner={**(case.learner or {}), **mistaken})
    told = [mistake.likely for mistake in judged(name, document(other)["expected"]) if mistake.likely]
    assert named in told[0]


def test_a_number_in_nats_is_named() -> None:
    (one,) = rt.check({"formula/entropy-play-tennis": 0.9402859586706311 * 0.6931471805599453}).failed
    assert "it is in nats, not in bits" in str(one)
    (one,) = rt.check({"formula/entropy-play-tennis": -0.9402859586706311}).failed
    assert "it has the other sign" in str(one)
