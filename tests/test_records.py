"""Records: all of a folder, in order."""

from __future__ import annotations

from typing import Any

from reference_tree.learners.stopping.rule import StoppingRule
from reference_tree.measures.measure import Measure
from reference_tree.pruning.method import PruningMethod
from reference_tree.records import records


def test_a_folder_has_records_of_its_kind_alone() -> None:
    kinds: list[type[Any]] = [Measure, PruningMethod, StoppingRule]
    for kind in kinds:
        found = records(kind)
        assert found
        assert all(isinstance(record, kind) for record in found)
        assert len({record.name for record in found}) == len({id(record) for record in found})


def test_the_first_module_comes_first() -> None:
    found = [record.name for record in records(StoppingRule, first="bounds")]
    assert found[:2] == ["empty", "pure"]
