"""The table of options: a line for every option that a golden spells out, and values that the learner takes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from reference_tree.conformance.cases import cases
from reference_tree.ensembles.registry import RECORDED
from reference_tree.learners.recorded import Option
from reference_tree.pruning.pre_pruning import OPTION
from tests.conformance.test_goldens import IDS, load
from tests.every import of_every


def learners(part: Any) -> Iterator[dict[str, Any]]:
    """A learner, and those of its trees."""
    yield part
    if "base" in part["options"]:
        yield from learners(part["options"]["base"])


@of_every([name for name in IDS if cases()[name].kind not in ("formula", "bins", "draws", "attribution")])
def test_every_option_of_a_golden_has_a_line_that_allows_its_value(name: str) -> None:
    for learner in learners(load(name)["learner"]):
        lines = RECORDED[learner["name"]].of_dialects()
        for option, value in learner["options"].items():
            if option == OPTION:  # what is asked of validation rows is no option of the learner
                continue
            words = re.findall(r"`([^`]*)`", lines[option].domain.listed)
            if isinstance(value, str) and value[:1].isalpha():
                assert value in words, option
            assert value is not None or "null" in words, option


@of_every(RECORDED)
def test_each_line_says_what_an_option_means_and_can_be(name: str) -> None:
    for option in RECORDED[name].of_dialects().values():
        assert option.words
        assert not option.words.endswith(".")
        assert option.domain.listed
        assert option.domain.read(json.loads(json.dumps(option.usual))) == option.default


NOT_SET: Mapping[tuple[str, str], str] = {
    ("gradient-tree", "seed"): "gradient boosting tells its own to each tree",
    ("gradient-tree", "tree"): "gradient boosting numbers its trees",
}
"""Options that no case sets, with the reason."""


OTHER = "other"
"""Stands for any number or map besides the usual one."""


def set_by_goldens(name: str) -> dict[str, set[str]]:
    """The values of each option of a learner that goldens set, as JSON; one that is not spelled out is the usual."""
    usual = {each: json.dumps(option.usual) for each, option in RECORDED[name].of_dialects().items()}
    told = [part["options"] for one in IDS if "learner" in load(one) for part in learners(load(one)["learner"])
            if part["name"] == name]  # fmt: skip
    return {key: {json.dumps(one[key]) if key in one else value for one in told} for key, value in usual.items()}


def wanted(option: Option) -> set[str]:
    """The values that goldens have to set: each word, and one number or map that is not the usual."""
    words = set(re.findall(r"`([^`]*)`", option.domain.listed))
    found = {word if word in ("null", "true", "false") else json.dumps(word) for word in words}
    is_other = not words or any(word in option.domain.listed for word in ("number", "list", "→"))
    return found | {OTHER} if is_other else found


@of_every(RECORDED)
def test_every_value_of_an_option_is_set_by_some_golden(name: str) -> None:
    found = set_by_goldens(name)
    for each, option in RECORDED[name].of_dialects().items():
        if each in ("base", "ties") or (name, each) in NOT_SET:
            continue
        words, came = wanted(option), found[each]
        others = {OTHER} if came - words - {json.dumps(option.usual)} else set()
        assert words - came - others == set(), each
