"""Inventories: no member of a format is passed over in silence."""

from __future__ import annotations

import pytest

from reference_tree.data.errors import InputError
from reference_tree.programs.documents import reading
from reference_tree.programs.inventory import Ignored, Inventory, UnreadError

LEAF = Inventory("a leaf", {"value": None}, {"id": "a number of the program"}, {"scale": ([1, "1"], "divide it")})
TREE = Inventory("a tree", {"leaves": LEAF, "name": None}, refused={"links": "write it without links"})


def test_members_inside_lists_of_lists_are_walked() -> None:
    TREE.check({"leaves": [[{"value": 1}], [{"value": 2, "id": 3}]]}, Ignored())
    with pytest.raises(UnreadError, match="a leaf has a member 'depth', which is not known here"):
        TREE.check({"leaves": [[{"value": 1}], [{"value": 2, "depth": 3}]]}, Ignored())


def test_a_member_that_is_known_and_not_read_says_what_to_do() -> None:
    with pytest.raises(UnreadError, match="a tree has a member 'links', which is not read; write it without links"):
        TREE.check({"links": []}, Ignored())


@pytest.mark.parametrize("scale", [2, "2", None, [1]])
def test_a_member_without_effect_at_some_values_is_refused_at_others(scale: object) -> None:
    LEAF.check([{"scale": 1}, {"scale": "1"}], Ignored())
    with pytest.raises(UnreadError, match=r"a leaf has scale .*, which is not read; divide it"):
        LEAF.check({"scale": scale}, Ignored())


def test_what_is_ignored_is_remembered_once() -> None:
    ignored = Ignored(["depth"])
    TREE.check({"leaves": [{"depth": 1}, {"depth": 2}]}, ignored)
    ignored.check()
    assert ignored.met == ["depth"]


@pytest.mark.parametrize("name", ["value", "id", "leafs"])
def test_a_name_that_ignores_nothing_is_refused(name: str) -> None:
    ignored = Ignored([name])
    TREE.check({"leaves": [{"value": 1, "id": 2}]}, ignored)
    with pytest.raises(InputError, match=f"no member is refused under the name {name}"):
        ignored.check()


def test_a_chain_of_objects_is_walked_without_recursion() -> None:
    chain = Inventory("a node", below := {"value": None})
    below["below"] = chain  # type: ignore[assignment]
    node: dict[str, object] = {"value": 0, "stray": 1}
    for value in range(5000):
        node = {"value": value, "below": node}
    with pytest.raises(UnreadError, match="stray"):
        chain.check(node, Ignored())


def test_a_refused_member_does_not_say_that_the_file_is_no_model() -> None:
    with pytest.raises(UnreadError, match=r"^a model: a tree has a member 'x'"), reading("a model"):
        TREE.check({"x": 1}, Ignored())


def test_rows_tell_what_is_made_of_each_member() -> None:
    told = {(what, name): how for what, name, how in TREE.rows()}
    assert told["a leaf", "value"] == "used"
    assert told["a leaf", "id"] == "no effect: a number of the program"
    assert told["a leaf", "scale"] == "no effect if it is 1 or '1'; otherwise refused: divide it"
    assert told["a tree", "links"] == "refused: write it without links"
