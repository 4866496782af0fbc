"""The options of C4.5: documents and profiles know each of them. What they do is in test_c45_profiles."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.learners.c45 import C45
from reference_tree.learners.c45_options import PROFILES, C45Options
from reference_tree.learners.c45_rules import two_large_branches
from reference_tree.learners.options import Options


def test_every_option_is_described() -> None:
    described = f"{C45Options.__doc__}{Options.__doc__}"
    for option in fields(C45Options):
        assert f"        {option.name}: " in described or not option.init


def test_profiles_differ_from_the_defaults_in_options_that_there_are() -> None:
    names = {option.name for option in fields(C45Options)}
    for options in PROFILES.values():
        assert set(options) <= names


def test_the_two_programs_differ_in_three_options() -> None:
    release_8, j48 = C45.like("c45-r8").grower().options, C45.like("weka-j48").grower().options
    assert {name: (release_8[name], j48[name]) for name in release_8 if release_8[name] != j48[name]} == {
        "zero_gain": ("splits", "stops"),
        "least_split_information": ("0.001", "0"),
        "slack": ("0", "0.000001"),
    }


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_a_document_spells_out_every_option(profile: str) -> None:
    learner = C45.like(profile, cut_gap=Fraction(1, 3), branching="one-vs-rest", branch_minimum=two_large_branches)
    written = learner.grower().options
    assert set(written) == {option.name for option in fields(C45)} - {"profile"}
    assert C45.of(written, profile) == learner
    assert (written["cut_gap"], written["branch_minimum"]) == ("1/3", "two")


@pytest.mark.parametrize(
    "options",
    [
        {"branching": "subset"}, {"zero_gain": "perhaps"}, {"cut_gain": 1}, {"slack": float("inf")},
        {"penalty": lambda tries, weight: None}, {"threshold": "midpoint"}, {"collapse": None}, {"missing": "branch"},
    ],
)  # fmt: skip
def test_what_is_no_value_of_an_option_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises((ValueError, TypeError, InputError)):
        C45(**options)
