"""The members of XGBoost's files: what is tried on real ones stands in `test_closed_world`."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.programs.inventory import Ignored
from reference_tree.programs.reader import readers
from reference_tree.programs.reading import read_foreign
from reference_tree.programs.xgboost.members import CONFIGURATION, DUMPED, MODEL
from reference_tree.programs.xgboost.models import configured
from tests.programs.recording import HERE


def test_the_reader_names_them() -> None:
    assert readers()["xgboost"].inventories == (MODEL, CONFIGURATION, DUMPED)


def test_each_kind_of_object_and_member_is_listed_once() -> None:
    for inventory in (MODEL, CONFIGURATION, DUMPED):
        rows = [row[:2] for row in inventory.rows()]
        assert len(rows) == len(set(rows))


def test_a_dump_of_any_depth_is_walked_through() -> None:
    node: dict[str, Any] = {"nodeid": 0, "leaf": 1}
    for _ in range(5000):
        node = {"nodeid": 0, "children": [node]}
    DUMPED.check(node, Ignored())


def test_a_parameter_of_a_later_release_is_refused_in_a_configuration() -> None:
    value = {"learner": {"gradient_booster": {"tree_train_param": {"eta": "1", "a_new_penalty": "2"}}}}
    with pytest.raises(InputError, match="the parameters of growing has a member 'a_new_penalty'"):
        CONFIGURATION.check(value, Ignored())
    with pytest.raises(InputError, match="a_new_penalty"):
        configured(value)


def test_ignored_members_are_told_in_each_document() -> None:
    value = json.loads((HERE / "xgboost-kinds" / "targets-3.4.1.json").read_text(encoding="utf-8"))
    value["learner"]["gradient_booster"]["model"]["trees"][0]["a_colour"] = [1]
    reader = readers()["xgboost"]
    assert reader.holds(value)

    with pytest.raises(InputError, match="a tree of XGBoost has a member 'a_colour', which is not known here"):
        read_foreign(value)
    with pytest.warns(match="ignored, as told: a_colour"):
        documents = read_foreign(value, ignore_members=["a_colour"])
    assert [each["learner"]["options"]["remarks"] for each in documents] == [["ignored, as told: a_colour"]] * 2
