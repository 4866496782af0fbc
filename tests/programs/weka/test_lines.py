"""Weka's lines: the options of its learners."""

from __future__ import annotations

import pytest

from reference_tree.data.errors import InputError
from reference_tree.programs.inventory import Ignored
from reference_tree.programs.weka.prints import scheme_of


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("-U -M 5", {}),
        ("-B -J -O -U", {"min_samples_leaf": "2", "branching": "one-vs-rest", "penalty": "none", "collapse": "never"}),
        ("-S -C 0.1 -B", {}),
        ("-J -M 3", {"min_samples_leaf": "3", "penalty": "none", "pruned": True}),
        ("-doNotMakeSplitPointActualValue -U", {"min_samples_leaf": "2", "threshold": "midpoint"}),
    ],
)
def test_options_of_j48_are_those_of_its_learner(options: str, told: dict[str, object]) -> None:
    found = scheme_of("J48", options, 1, Ignored())
    assert found.told == told
    assert found.command == f"weka.classifiers.trees.J48 {options}"


def test_options_about_the_pruning_are_kept_as_they_are_given() -> None:
    assert scheme_of("J48", "weka.classifiers.trees.J48  -R -N 4 -Q 1", 1, Ignored()).text == "-R -N 4 -Q 1"


def test_rep_tree_has_the_decimals_that_it_was_told() -> None:
    assert scheme_of("REPTree", "", 1, Ignored()).places == 2
    assert scheme_of("REPTree", "-S 3 -num-decimal-places 4", 1, Ignored()).places == 4
    assert scheme_of("J48", "-num-decimal-places 4", 1, Ignored()).places == 6


def test_an_option_that_is_not_known_is_refused_with_its_line() -> None:
    with pytest.raises(InputError, match="line 4: J48 has a member 'W', which is not known here"):
        scheme_of("J48", "-U -W", 4, Ignored())
