"""The search for hypotheses: their order, what supports one, and what is only named."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

import reference_tree as rt
from reference_tree.auditing.explaining import Search, asked_for, may_be_supposed
from reference_tree.auditing.finding import Finding
from reference_tree.auditing.hypotheses import HYPOTHESES, NOTHING, Seen, page_table
from reference_tree.programs.practices import NONE, PRACTICES
from tests.auditing.test_hypotheses import DEPTH_3, IRIS, read
from tests.every import of_every

pytestmark = pytest.mark.filterwarnings("ignore:thresholds are rounded")


def test_hypotheses_are_named() -> None:
    with pytest.raises(rt.InputError, match="there is no hypothesis 'depth'"):
        asked_for("depth")
    assert asked_for("none") == []
    assert {name for one in (NONE, *PRACTICES.values()) for names in one.order for name in names} <= {*HYPOTHESES}


@of_every(sorted(HYPOTHESES))
def test_every_hypothesis_is_on_the_page(name: str) -> None:
    assert f"`{name}`" in page_table()


def test_nothing_is_supposed_of_a_tree_of_this_package() -> None:
    assert not may_be_supposed(rt.CART().grow(IRIS), rt.CART())
    assert may_be_supposed(read(DEPTH_3, IRIS), rt.CART())


def test_two_options_do_not_explain_one_wrong_node() -> None:
    cut = Finding(3, "stopped-early", 10, "p")
    seen = cast(Seen, SimpleNamespace(blamed={3: cut}, has_counts=True))
    both = NOTHING.also("class_weight", "", told={"class_weight": "balanced"}).also("max_leaf_nodes", "", max_leaves=5)
    assert not Search(seen, lambda _: None)._is_supported(both, both.names, {})


def test_a_question_alone_is_not_explained_by_a_bound() -> None:
    moved = DEPTH_3.replace("1.75", "1.55")
    found = rt.audit(read(moved, IRIS), IRIS)
    assert [one.number for one in found.wrong if one.cause is None] == [2]
