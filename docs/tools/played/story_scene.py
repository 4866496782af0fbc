"""A scene of the story: what is to be seen at a frame, and how a part of the picture looks at it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from reference_tree.tree import Tree

WIDE, HIGH = 320, 240
"""Of the plane, and of the tree beside it."""


class Scene(NamedTuple):
    """What is to be seen at a frame."""

    tree: int = 0
    """0: the tree; 1, 2, ...: what it becomes when rows are exchanged; -1: many trees."""
    asking: frozenset[int] = frozenset()
    new: frozenset[int] = frozenset()
    held: bool = False
    wrong: frozenset[int] = frozenset()
    gone: frozenset[int] = frozenset()
    come: frozenset[int] = frozenset()
    faint: frozenset[int] = frozenset()
    ringed: tuple[int, ...] = ()
    guess: bool = True
    """Whether the ground has the colour of what the tree says there."""
    gains: bool = False
    slides: bool = False
    trees: int = 0
    """So many trees of the forest are there."""
    votes: bool = False


Look = Callable[[Scene], str]
"""The class of a part at a scene; `later` if it is not there."""


class Part(NamedTuple):
    """A part of the picture: what is drawn, with `{}` for its class, and the class at a scene."""

    name: str
    element: str
    look: Look
    shared: str = ""
    """What stands in its place in a still picture, if it is drawn once for all of them."""


def there(when: Callable[[Scene], bool], kind: str = "") -> Look:
    """The look of a part that is there in some scenes."""
    return lambda scene: kind if when(scene) else f"{kind} later".strip()


def of_tree(place: int) -> Look:
    """The look of what belongs to one of the changed trees."""
    return there(lambda scene: scene.tree == place)


def of_forest(trees: int, kind: str = "", voting: bool = True) -> Look:
    """The look of what comes with so many trees of the forest; and whether it stays while they vote."""
    return there(lambda scene: scene.trees >= trees and (voting or not scene.votes), kind)


def of_votes(trees: int) -> Look:
    """The look of what exactly so many trees say."""
    return there(lambda scene: scene.votes and scene.trees == trees)


def of_wrong(row: int) -> Look:
    """The look of the cross of a flower."""
    return there(lambda scene: row in scene.wrong, "cross")


def of_leaf(tree: Tree, number: int, kind: str, guessed: bool = False) -> Look:
    """The look of a node of the first tree while it is a leaf; or of its ground, where that is shown."""
    return there(lambda scene: (scene.guess or not guessed) and number in leaves_at(tree, scene), kind)


def leaves_at(tree: Tree, scene: Scene) -> set[int]:
    """The nodes that are leaves at a scene of the first tree."""
    if scene.tree:
        return set()
    reached, found = [0], set()
    while reached:
        number = reached.pop()
        if number in scene.asking:
            reached += tree.nodes[number].branches
        else:
            found.add(number)
    return found


def asking(number: int, kind: str) -> Look:
    """The look of what belongs to a node that asks."""

    def look(scene: Scene) -> str:
        if scene.tree or number not in scene.asking:
            return f"{kind} later"
        return f"{kind} now" if number in scene.new else kind

    return look
