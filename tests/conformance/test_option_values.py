"""The table of options: a line for every option that a golden spells out, and values that the learner takes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from reference_tree.conformance.option_values import RECORDED, options_of
from reference_tree.pruning.pre_pruning import OPTION
from tests.conformance.test_goldens import IDS, load
from tests.every import of_every


def learners(part: Any) -> Iterator[dict[str, Any]]:
    """A learner, and those of its trees."""
    yield part
    if "base" in part["options"]:
        yield from learners(part["options"]["base"])


@of_every([name for name in IDS if "learner" in load(name)])
def test_every_option_of_a_golden_has_a_line_that_allows_its_value(name: str) -> None:
    for learner in learners(load(name)["learner"]):
        lines = {option.name: option for option in options_of(learner["name"])}
        for option, value in learner["options"].items():
            if option == OPTION:  # what is asked of validation rows is no option of the learner
                continue
            words = re.findall(r"`([^`]*)`", lines[option].values)
            if isinstance(value, str) and value[:1].isalpha():
                assert value in words, option
            assert value is not None or "null" in words, option


@pytest.mark.parametrize("name", RECORDED)
def test_each_line_says_what_an_option_means_and_can_be(name: str) -> None:
    for option in options_of(name):
        assert option.meaning.endswith(".")
        assert option.values
        json.loads(option.usual)
