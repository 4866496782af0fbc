"""What is supposed changes the learner, the rows, and what is told, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import reference_tree as rt
from reference_tree.auditing.supposed import NOTHING
from reference_tree.tree import Program

DAYS = rt.textbook("play-tennis")
TREE = rt.ID3().grow(DAYS)


def test_nothing_changes_nothing() -> None:
    assert NOTHING.learner(rt.ID3()) == rt.ID3()
    assert NOTHING.tree(TREE) == TREE


def test_suppositions_add_up() -> None:
    both = NOTHING.also("a", "one", options={"max_depth": 1}).also("b", "two", options={"epsilon": 2}, max_leaves=3)
    assert (both.names, both.words, both.max_leaves) == (("a", "b"), ("one", "two"), 3)
    assert both.learner(rt.ID3()) == rt.ID3(max_depth=1, epsilon=2)


def test_what_is_told_and_what_is_not_judged_stand_in_the_tree() -> None:
    grower = replace(TREE.grower, name="unknown")
    foreign = replace(TREE, grower=grower, program=Program("a program", silent=frozenset({"labels"})))
    found = NOTHING._replace(told={"class_weight": "balanced"}, silent=frozenset({"counts"})).tree(foreign)
    assert found.grower.options["told"] == {"class_weight": "balanced"}
    assert found.silent == {"labels", "counts"}
