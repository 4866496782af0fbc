"""Places: a way back to the root that costs nothing but memory."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.questions import Multiway, Test, Threshold, parse_path
from reference_tree.data.table import Table
from reference_tree.learners.place import Answer, Place, path_text
from tests import strategies

TABLE = Table.from_columns({"a/b": ["x", "y", "x"], "c": ["u", "u", "v"], "d": [1, 2, 3], "y": ["no", "yes", "yes"]})
ANSWER = Answer("yes", (1, 2))
AB, C, D = Multiway("a/b", ("x", "y")), Multiway("c", ("u", "v")), Threshold("d", 2)


def child(place: Place, test: Test, branch: int) -> Place:
    """The place below a test, whatever rows reach it."""
    return place.children(TABLE.sample(), test, ANSWER)[branch][0]


def test_the_root() -> None:
    root = Place.root(TABLE.sample())
    assert (root.depth, root.parent, root.inherited) == (0, None, None)
    assert root.available == {"a/b", "c", "d"}
    assert path_text(root) == "/"
    assert root.is_at(())
    assert not root.is_at(("0",))


@pytest.mark.covers("N0 EN §3.1 step (6)", "N1 §1.4 step 6")
def test_a_multiway_question_is_used_up_and_a_threshold_is_not() -> None:
    root = Place.root(TABLE.sample())
    below = child(root, AB, 1)
    assert (below.depth, below.parent, below.branch, below.inherited) == (1, root, 1, ANSWER)
    assert below.available == {"c", "d"}
    assert child(below, D, 0).available == {"c", "d"}
    assert child(child(below, D, 0), C, 0).available == {"d"}


def test_paths_lead_to_their_place_and_no_other() -> None:
    root = Place.root(TABLE.sample())
    place = child(child(root, AB, 1), D, 0)
    assert path_text(place) == r"/a\/b=y/d<=2"
    assert place.steps() == [(1, r"a\/b=y"), (0, "d<=2")]
    for path in (path_text(place), r"/1/0", r"/a\/b=y/0", "/1/d<=2"):
        assert place.is_at(parse_path(path))
    for path in ("/", "/1", r"/a\/b=x/0", "/1/1", "/1/0/0", "/0/1"):
        assert not place.is_at(parse_path(path))


@given(strategies.categorical_tables(), st.integers(0, 3))
def test_children_are_the_parts_of_the_sample(table: Table, index: int) -> None:
    sample = table.sample()
    test = Multiway.on(table.schema.attributes[index % len(table.schema.attributes)])
    children = Place.root(sample).children(sample, test, ANSWER)
    assert [place.branch for place, _ in children] == list(range(len(test.values)))
    assert [part.total() for _, part in children] == list(sample.partition(test).rows)


def test_a_chain_of_places_can_be_walked_and_forgotten() -> None:
    """Fifty thousand deep: neither the way back nor the end of the chain recurs."""
    place = Place.root(TABLE.sample())
    for _ in range(50_000):
        place = place._replace(parent=place, test=D, branch=1, depth=place.depth + 1)
    assert len(place.steps()) == place.depth == 50_000
    assert place.is_at(("1",) * 50_000)
    del place


def test_an_answer_is_that_of_the_node_itself_unless_told() -> None:
    assert Answer("no", (5, 5)) == Answer("no", (5, 5), (), prior=False)
