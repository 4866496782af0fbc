"""The schema of tree documents: it says the same as the reader, and what it accepts and refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import jsonschema
import pytest

import reference_tree as rt
from reference_tree.chance import Chance
from reference_tree.tree_document.form import FOREIGN, FORMAT, RULES, STOPS
from reference_tree.tree_document.silence import NUMBERS, SILENCES
from reference_tree.tree_document.strict import NUMBER
from tests.every import of_every
from tests.tree_document.documents import HUSHES, SCHEMA, VALIDATOR, assert_valid, document, hushed, regression


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    leaf = SCHEMA["$defs"]["leaf_or_split"]["oneOf"][0]
    assert sorted(leaf["properties"]["stop"]["enum"]) == sorted(STOPS)
    assert SCHEMA["properties"]["format"]["const"] == FORMAT
    assert tuple(SCHEMA["$defs"]["missing"]["properties"]["rule"]["enum"]) == RULES
    assert SCHEMA["$defs"]["learner"]["if"]["properties"]["name"]["const"] == FOREIGN
    program = SCHEMA["$defs"]["program"]["properties"]
    assert (program["silent"]["items"]["enum"], program["numbers"]["enum"]) == ([*SILENCES], [*NUMBERS])


@of_every([document(), regression(), regression(median=True)])
def test_a_document_of_ours_is_valid(whole: Any) -> None:
    assert_valid(whole)


def foreign(*nodes: Any, target: Any = None) -> Any:
    """A document of somebody else's tree."""
    return {
        "format": FORMAT,
        "target": target or {"name": "y", "kind": "continuous"},
        "attributes": [{"name": "a", "kind": "continuous"}, {"name": "b", "kind": "categorical", "values": ["u", "v"]}],
        "learner": {"name": "unknown", "source": {"program": "a program"}},
        "nodes": list(nodes),
    }


LEAF = {"id": 1, "mean": "2/3", "stop": "unknown"}
BELOW_AND_ABOVE = [{"when": {"lt": "0.5"}, "to": 1}, {"when": {"ge": "0.5"}, "to": 2}]
THRESHOLD = {"kind": "threshold", "attribute": "a", "threshold": "0.5", "interval": ["0", "1"]}
SURROGATE = {
    "test": {"kind": "subset", "attribute": "b"},
    "branches": [{"when": {"in": ["u"]}, "to": 1}, {"when": {"not_in": ["u"]}, "to": 2}],
    "agreement": "5/13",
}
PLAIN = {"id": 0, "n": "17", "mean": "1/2", "sse": "3", "test": THRESHOLD, "branches": BELOW_AND_ABOVE}
ROOT = {**PLAIN, "missing": {"rule": "surrogates", "to": 2}, "surrogates": [SURROGATE]}
LINEAR = {"kind": "linear", "weights": {"a": "2", "c": "-1/3", "b": {"u": "1"}}, "threshold": "0.5"}
SHARED = [{**branch, "share": "1/2"} for branch in BELOW_AND_ABOVE]
GOOD: dict[str, Any] = {
    "regression": foreign(ROOT, LEAF, LEAF),
    "median": foreign({"id": 0, "n": "3", "median": "-2", "sad": "7", "stop": "pure"}),
    "boosted": foreign({"id": 0, "n": "3", "g": "-2", "h": "3/2", "value": "4/3", "stop": "max-depth"}),
    "linear": foreign({**PLAIN, "test": LINEAR}, LEAF, LEAF),
    "shares": foreign({**PLAIN, "branches": SHARED}, LEAF, LEAF),
    "shares and their rule": foreign({**PLAIN, "branches": SHARED, "missing": {"rule": "fractions"}}, LEAF, LEAF),
    "surrogates that keep the rest": foreign({**ROOT, "missing": {"rule": "surrogates"}}, LEAF, LEAF),
    "a branch for all": foreign({**PLAIN, "missing": {"rule": "branch", "to": 2}}, LEAF, LEAF),
    "decimals": foreign({"id": 0, "n": "2.5", "mean": "1e5", "sse": "1.1E-16", "stop": "unknown"}),
    "numbers of JSON": foreign(
        {
            "id": 0,
            "n": 2.5,
            "mean": -0.1,
            "sse": 1e-16,
            "test": {**LINEAR, "weights": {"a": 2, "c": 0.1}, "threshold": 0.5, "interval": [0, 1]},
            "branches": [{"when": {"le": 0.5}, "to": 1, "share": 0.4}, {"when": {"gt": 0.5}, "to": 2, "share": 0.6}],
        },
        LEAF,
        LEAF,
    ),
    **{
        f"missing: {rule}": foreign({**PLAIN, "missing": {"rule": rule}}, LEAF, LEAF)
        for rule in ("surrogates", "stay", "error")
    },
}
BAD: dict[str, Any] = {
    "branch without its node": foreign({**PLAIN, "missing": {"rule": "branch"}}, LEAF, LEAF),
    "a node to stay at": foreign({**PLAIN, "missing": {"rule": "stay", "to": 2}}, LEAF, LEAF),
    "unknown rule": foreign({**PLAIN, "missing": {"rule": "guess"}}, LEAF, LEAF),
    "surrogates of another rule": foreign({**ROOT, "missing": {"rule": "branch", "to": 2}}, LEAF, LEAF),
    "surrogates without a rule": foreign({**PLAIN, "surrogates": [SURROGATE]}, LEAF, LEAF),
    "shares of another rule": foreign({**PLAIN, "branches": SHARED, "missing": {"rule": "stay"}}, LEAF, LEAF),
    "a label for a number": foreign({"id": 0, "label": "no", "stop": "pure"}),
    "no answer": foreign({"id": 0, "stop": "pure"}),
    "two answers": foreign({"id": 0, "mean": "1", "median": "1", "stop": "pure"}),
    "an answer that is none": foreign({"id": 0, "mean": True, "stop": "pure"}),
    "a negative weight": foreign({"id": 0, "n": -1, "mean": 1, "sse": 0, "stop": "pure"}),
    "half of the moments": foreign({"id": 0, "mean": "1", "sse": "2", "stop": "pure"}),
    "a whole fraction": foreign({"id": 0, "mean": "3/1", "stop": "pure"}),
    "a leaf that asks": foreign({**ROOT, "stop": "pure"}, LEAF, LEAF),
    "a leaf without a reason": foreign({"id": 0, "mean": "1"}),
    "an unknown reason": foreign({"id": 0, "mean": "1", "stop": "tired"}),
    "a typing error": foreign({"id": 0, "mean": "1", "stop": "pure", "priro": True}),
    "an empty node list": foreign(),
    "a threshold that is linear": foreign({**ROOT, "test": {**THRESHOLD, "kind": "linear"}}, LEAF, LEAF),
    "a threshold with many branches": foreign({**ROOT, "branches": [*BELOW_AND_ABOVE, BELOW_AND_ABOVE[1]]}, LEAF, LEAF),
    "a threshold upside down": foreign({**ROOT, "branches": BELOW_AND_ABOVE[::-1]}, LEAF, LEAF),
    "a threshold of two relations": foreign(
        {**ROOT, "branches": [{"when": {"le": "1"}, "to": 1}, BELOW_AND_ABOVE[1]]}, LEAF, LEAF
    ),
    "an interval of three": foreign({**ROOT, "test": {**THRESHOLD, "interval": ["0", "1", "2"]}}, LEAF, LEAF),
    "a surrogate without its agreement": foreign(
        {**ROOT, "surrogates": [{k: v for k, v in SURROGATE.items() if k != "agreement"}]}, LEAF, LEAF
    ),
    "no classes": foreign({"id": 0, "label": "no", "stop": "pure"}, target={"name": "y", "kind": "categorical"}),
    "classes for a number": foreign(LEAF, target={"name": "y", "kind": "continuous", "classes": ["no"]}),
    "our own tree without counts": {**foreign(LEAF), "learner": {"name": "cart", "profile": None, "options": {}}},
    "our own tree without options": {
        **foreign({**LEAF, "n": "1", "sse": "0"}),
        "learner": {"name": "cart", "profile": None},
    },
    "another format": {**foreign(LEAF), "format": "reference-tree/tree/2"},
    "something more": {**foreign(LEAF), "comment": "hello"},
}


@of_every(GOOD.values())
def test_what_the_schema_accepts(good: Any) -> None:
    assert_valid(good)


@of_every(BAD.values())
def test_what_the_schema_refuses(bad: Any) -> None:
    assert not VALIDATOR.is_valid(bad)


def test_numbers_are_written_in_one_way() -> None:
    patterns = {name: SCHEMA["$defs"][name]["oneOf"][0]["pattern"] for name in ("number", "weight")}
    assert patterns == {"number": f"^{NUMBER.pattern}$", "weight": f"^{NUMBER.pattern.removeprefix('-?')}$"}


SEEDS = [
    *(text for text in GOOD.values() if "value" not in text["nodes"][0]),
    document(),
    regression(),
    regression(median=True),
    *(hushed(document(), *words) for words in HUSHES),
    *(hushed(regression(), *words) for words in HUSHES),
    json.loads(rt.to_json(rt.ID3().grow(rt.textbook("play-tennis")))),
    json.loads(rt.to_json(rt.CART(max_depth=2).grow(rt.Table.from_columns({"x": [0.1, 0.2], "y": ["n", "y"]})))),
]
"""Documents that both accept."""

VALUES: list[Any] = [
    None, True, False, 0, 1, 2, -1, "", "0", "1", "-1", "+1", "01", "1.", ".5", "0.5", "1/2", "2/4", "1/1", "1/0", "-0",
    "1e5", "1e400", " 1", "1_0", "\u0661", "x", "u", "v", "no", "yes", "unknown", "cart", "pure", "empty", "exact",
    "categorical", "continuous", "multiway", "threshold", "linear", "fractions", "stay", "error", [], ["u"], ["u", "u"],
    ["no", "yes"], ["labels"], ["inner-labels"], ["counts"],
    ["inner-counts"], ["errors"], ["missing"], {}, {"u": "1"}, {"rule": "stay"}, {"rule": "branch", "to": 1},
    {"in": ["u"]}, {"le": "0.5"},
]  # fmt: skip
NAMES = [
    "label", "counts", "tied", "n", "mean", "sse", "median", "sad", "stop", "prior", "test", "branches", "missing",
    "surrogates", "share", "to", "unseen", "interval", "threshold", "weights", "floats", "classes", "values", "profile",
    "options", "source", "program", "silent", "numbers", "name", "kind", "id", "priro",
]  # fmt: skip

BEYOND = (
    "leads to no node behind", "out of preorder", "was to come", "no branch leads to", "the id is", "occurs twice",
    "has no value", "there is no attribute", "cannot have a", "the conditions on the branches", "lies outside",
    "no part of a tie", "although nothing reaches", "no parts of 1", "agreement is more", "has no shares", "is absent",
    "not with both", "weight of a linear test", "weights of a linear test", "denominator", "shares of the branches",
    "only a subset test leaves", "there is no key", "the first branch of", "has two ends", "half of a surrogate",
    "the same text twice", "there is no option",
)  # fmt: skip
"""What a schema cannot say: how parts of a document fit one another, and what a number comes to."""


def places(part: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a document: a container, and a key or an index of it."""
    pending = [part]
    while pending:
        container = pending.pop()
        keys = list(container) if isinstance(container, dict) else range(len(container))
        for key in keys:
            yield container, key
            if isinstance(container[key], dict | list):
                pending.append(container[key])


def spoilt(chance: Chance) -> Any:
    """A document with one or two small changes."""
    found = deepcopy(chance.choice(SEEDS))
    for _ in range(1 + chance.below(2)):
        spots = list(places(found))
        container, key = chance.choice(spots)
        match chance.below(4):
            case 0:
                del container[key]
            case 1 if isinstance(container, dict):
                container[chance.choice(NAMES)] = deepcopy(chance.choice(VALUES))
            case 2:
                other, place = chance.choice(spots)
                container[key] = deepcopy(other[place])
            case _:
                container[key] = deepcopy(chance.choice(VALUES))
    return found


@pytest.mark.slow
def test_the_reader_and_the_schema_say_the_same() -> None:
    chance, accepted, count = Chance(1, b"documents"), 0, 800
    for _ in range(count):
        whole = spoilt(chance)
        valid, message = VALIDATOR.is_valid(whole), ""
        try:
            rt.from_json(json.dumps(whole))
            accepted += 1
        except rt.InputError as refused:
            message = str(refused)
        if valid and message:
            assert any(reason in message for reason in BEYOND), (message, whole)
        assert valid or message, (next(VALIDATOR.iter_errors(whole)).message, whole)
    assert accepted > count // 50, "most changes spoil a document, but not all"
