"""CART as programs have it: documents and profiles know each option, and rules for categories ask what they say."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.sample import Partition
from reference_tree.data.textbook import textbook
from reference_tree.learners.cart import CART
from reference_tree.learners.registry import learner_of
from reference_tree.measures.gini_index import gini_decrease
from reference_tree.programs.cart_options import ProgramCART, merged
from reference_tree.programs.rpart.rules import program_subsets
from reference_tree.splitting.branching import of_one_attribute
from reference_tree.splitting.candidate import Asking
from reference_tree.splitting.ordered_subsets import listed_subsets, subset_splits
from tests.every import of_every
from tests.splitting.subsets import Rows, partition, two_classes


@pytest.mark.parametrize("profile", CART.profiles)
def test_a_document_spells_out_every_option(profile: str) -> None:
    learner = CART.like(profile, epsilon=Fraction(1, 3), branching="subset", priors={"no": 1, "yes": Fraction(1, 2)})
    written = learner.grower().options
    at_first = {name for name, option in ProgramCART.options().items() if not option.since}
    assert set(written) == at_first | ({"merge_leaves"} if profile == "spark" else set())
    assert CART.of(written, profile) == learner
    assert (written["epsilon"], written["branching"]) == ("1/3", "subset")


@pytest.mark.parametrize("profile", CART.profiles)
def test_a_profile_is_its_options_and_a_name(profile: str) -> None:
    profiled, plain = CART.like(profile).grower(), CART().grower()
    assert profiled.profile == profile
    differing = {name for name in profiled.options if profiled.options[name] != plain.options.get(name)}
    assert differing == set(CART.profiles[profile].options)


@of_every(
    [
        {"always_surrogates": 1},
        {"criterion": "Gini"},
        {"branching": "binary"},
        {"missing": "skip"},
        {"max_surrogates": -1},
        {"threshold": "above"},
        {"surrogate_unseen": "left"},
    ]
)
def test_what_an_option_cannot_be_is_refused(option: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"either true or false|there is no|a whole number"):
        CART.with_options(**option)


# ------------------------------------------------------------------------------------------- how a category is asked


def test_a_category_is_asked_as_the_rule_says() -> None:
    table = textbook("play-tennis")
    outlook = table.schema.attribute("outlook")

    def search(attribute: str, table: Partition) -> Iterable[Asking]:
        return subset_splits(attribute, table, "gini_decrease")

    asked = {
        name: [test.name for test, _ in rule.askings(outlook, table.sample(), search)]
        for name, rule in of_one_attribute().items()
    }
    assert asked == {
        "subset": ["outlook in {overcast}", "outlook in {overcast, rainy}"],  # yes: 2/5 sunny, 3/5 rainy, 1 overcast
        "one-vs-rest": ["outlook in {overcast}", "outlook in {rainy}", "outlook in {sunny}"],
        "multiway": ["outlook"],
    }


@given(two_classes(st.integers(0, 3)))
def test_what_is_tried_is_listed_and_the_best_is_the_same(rows: Rows) -> None:
    for searched, every in ((subset_splits, listed_subsets), (program_subsets, program_subsets)):
        tried, listed = (list(search("x", partition(rows), "gini_decrease")) for search in (searched, every))
        assert {test for test, _ in tried} <= {test for test, _ in listed}
        best = [max(gini_decrease(table.rows) for _, table in found) for found in (tried, listed)]
        assert best[0] == best[1]


# ------------------------------------------------------------------------------------------------------- Spark's trees


def test_categories_are_ordered_by_the_weight_of_the_second_class() -> None:
    # of a one in one is "y", of b four in eight, of c two in ten: by shares a, b, c; by weights a, c, b
    columns = {"c": [*"a", *"b" * 8, *"c" * 10], "y": [*"y", *"yyyynnnn", *"yy", *"n" * 8]}
    sample = rt.Table.from_columns(columns).sample()
    asked = {
        subsets: {one.test.name for one in CART.with_options(subsets=subsets).decide(sample).considered()}
        for subsets in ("ordered", "by-weight")
    }
    assert asked == {"ordered": {"c in {a}", "c in {a, b}"}, "by-weight": {"c in {a}", "c in {b}"}}


def test_leaves_are_merged_from_below() -> None:
    table = rt.Table.from_columns({"x": [1, 1, 2, 2, 2, 3], "y": [*"aaaabb"]})
    tree = CART.like("spark", merge_leaves=False).grow(table)
    assert [node.label for node in tree.nodes] == ["a", "a", "a", "a", "b"]
    assert [node.label for node in merged(tree).nodes] == ["a", "a", "b"]


@of_every([[1], "x", {"x": ["one"]}, {"x": [None]}])
def test_what_no_cuts_are_is_refused(cuts: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        CART.like("spark", cuts=cuts)


def test_given_cuts_are_recorded() -> None:
    table = rt.Table.from_columns({"x": [1, 2, 3, 4], "y": [*"aaba"]})
    tree = CART.like("spark", cuts={"x": [3, 1]}).grow(table)
    assert tree.grower.options["cuts"] == {"x": ["1", "3"]}
    assert learner_of(tree.grower) == CART.like("spark", cuts={"x": (1, 3)})
    assert rt.audit(rt.from_json(rt.to_json(tree)), table).is_right
