"""The practice of a tree is that of its program, and a profile leads to the same record."""

from __future__ import annotations

from dataclasses import replace

import reference_tree as rt
from reference_tree.learners.registry import learner_named
from reference_tree.programs.practices import NONE, PRACTICES, practice_like, practice_of
from reference_tree.tree import Program
from tests.every import of_every

TREE = rt.CART().grow(rt.textbook("golf"))


@of_every(sorted(PRACTICES))
def test_a_program_and_its_profile_lead_to_one_record(name: str) -> None:
    found = PRACTICES[name]
    assert practice_of(replace(TREE, program=Program(name))) is found
    if found.learner:
        assert practice_like(found.profile) is found
        assert learner_named(found.learner, profile=found.profile).grower().profile == found.profile


def test_a_program_that_is_not_known_has_none() -> None:
    assert practice_of(TREE) is practice_of(replace(TREE, program=Program("a program"))) is NONE
    assert practice_like(None) is practice_like("") is practice_like("li-hang") is NONE
