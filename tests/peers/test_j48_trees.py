"""J48: the profile `weka-j48` grows the trees that Weka recorded, node by node, thresholds included."""

from __future__ import annotations

from typing import Any

import pytest

from reference_tree.data.questions import Threshold
from reference_tree.learners.c45 import C45
from reference_tree.programs.c45.release8 import kept_whole
from reference_tree.tree_document import from_json
from tests.peers.conforming import first_unlike, table_of
from tests.peers.recordings import RECORDINGS, Recording, each

SETTINGS: dict[str, dict[str, Any]] = {
    "unpruned": {},
    "uncollapsed": {"collapse": kept_whole},
    "binary": {"branching": "one-vs-rest"},
}
"""What each recorded setting of J48 is here. What `pruned` does is no matter of growing."""

UNLIKE: dict[str, Any] = {}
"""Recording → its first node that differs, and why. There is none: the slack of 1e-6 with which J48 compares is wider
than the rounding of its doubles, and no recorded tree has two ratios or gains whose difference comes near the slack."""

J48_TREES = [recording for recording in RECORDINGS if recording.program == "weka-j48" and recording.setting in SETTINGS]
each_recording = each(J48_TREES)


def learner_of(recording: Recording) -> C45:
    return C45.like("weka-j48", **SETTINGS[recording.setting])


def test_every_recorded_tree_of_j48_is_compared_but_the_pruned_ones() -> None:
    assert len(J48_TREES) == 2 * 12 + 6
    assert {r.setting for r in RECORDINGS if r.program == "weka-j48"} == {*SETTINGS, "pruned"}


@pytest.mark.one_in(12)
@each_recording
def test_our_tree_is_that_of_j48(recording: Recording) -> None:
    table, learner = table_of(recording), learner_of(recording)
    ours, theirs = learner.grow(table), from_json(recording.text())
    ours.check(table)
    assert first_unlike(theirs, ours, table) == UNLIKE.get(recording.name)
    assert len(ours.nodes) == len(theirs.nodes)
    # Not only the interval: the very value at which J48 puts the threshold.
    thresholds = [(node.test.threshold, its.test.threshold) for node, its in zip(ours.nodes, theirs.nodes, strict=True)
                  if isinstance(node.test, Threshold) and isinstance(its.test, Threshold)]  # fmt: skip
    assert all(mine == its for mine, its in thresholds)
