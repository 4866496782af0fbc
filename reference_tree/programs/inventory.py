"""Inventories: the members of a format, each used, without effect on an answer, or refused by name.

A file of another program is a list of members, and a reader that looks only for those it wants passes over all others:
over a weight that a new release has moved, or a rule for missing values. So a reader lists what it knows, and walks
over what is there:

1. `Inventory` is the record of one kind of object: its members, and the inventories of the objects inside.
2. `check` walks over an object, and refuses the first member that the inventory does not know.
3. `Ignored` are the members that the user said to pass over, although they are refused.

A member that is known to have no effect stands with the reason. If that is so for some of its values alone, these
stand beside it. The page of foreign trees shows all inventories (`rows`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from reference_tree.data.errors import InputError, listed, wording
from reference_tree.exact.rationals import shortened


class UnreadError(InputError):
    """A file is what it is taken for, and has a member that is not read."""


class Ignored:
    """The members that the user said to pass over, and those of them that a file has.

    Example:
        >>> ignored = Ignored(["colour"])
        >>> Inventory("a leaf", {"value": None}).check({"value": 1, "colour": "red"}, ignored)
        >>> ignored.remark
        'ignored, as told: colour'
    """

    def __init__(self, names: Collection[str] = ()) -> None:
        self.names = frozenset(names)
        self._met: dict[str, None] = {}

    def takes(self, name: str) -> bool:
        """Whether a member that is refused is passed over."""
        # A name counts as met only if it was refused: `check` then knows the names that were of no use.
        if name not in self.names:
            return False
        self._met[name] = None
        return True

    @property
    def met(self) -> list[str]:
        """The members that were passed over."""
        return list(self._met)

    @property
    def remark(self) -> str:
        """The remark on them, for every answer; empty if there are none."""
        return f"ignored, as told: {', '.join(self._met)}" if self._met else ""

    def check(self) -> None:
        """Refuse a name that no refused member has: it is misspelt, or not needed.

        Raises:
            InputError: there is such a name.

        Example:
            >>> Ignored(["colour"]).check()
            Traceback (most recent call last):
            reference_tree.data.errors.InputError: no member is refused under the name colour; ...
        """
        if unmet := sorted(self.names - self._met.keys()):
            flag = wording("ignore_members", "--ignore-member")
            raise InputError(f"no member is refused under the name {listed(unmet)}; leave it out of {flag}")


class Inventory(NamedTuple):
    """The members of one kind of object: an object of JSON, an element, the parameters of a model."""

    what: str
    """The kind of object, with its article: `a tree`."""
    used: Mapping[str, Inventory | None]
    """The members that are read; with the inventory of the objects inside, where these are checked by it."""
    no_effect: Mapping[str, str] = {}
    """The members without effect on an answer → the reason."""
    at: Mapping[str, tuple[Collection[Any], str]] = {}
    """The members without effect at some values alone → these values, and what to do about others."""
    refused: Mapping[str, str] = {}
    """The members that are known, and not read → what to do instead."""
    needed: Collection[str] = ()
    """The members that are always there: without one, the object is not whole, or of another form."""

    def check(self, value: Any, ignored: Ignored, *, whole: bool = True) -> None:
        """Refuse the first member that is neither used nor without effect, and an object that lacks what it needs.

        Lists are walked through, whatever they hold. Nothing recurses: a chain of nodes is an object like any other.

        Args:
            value: an object, or a list of such.
            ignored: what the user said to pass over.
            whole: whether what is needed has to be there; older releases may not write it.

        Raises:
            UnreadError: there is such a member, or none that is needed.

        Example:
            >>> leaf = Inventory("a leaf", {"value": None}, {"id": "its number"}, {"scale": ([1], "divide")})
            >>> leaf.check([{"value": 3, "id": 7}, {"scale": 1}], Ignored())
            >>> leaf.check({"valeu": 3}, Ignored())
            Traceback (most recent call last):
            reference_tree.programs.inventory.UnreadError: a leaf has a member 'valeu', which is not known here; ...
            >>> leaf.check({"scale": 2}, Ignored())
            Traceback (most recent call last):
            reference_tree.programs.inventory.UnreadError: a leaf has scale '2', which is not read; divide
        """
        # A stack in place of recursion: LightGBM nests a node in its parent, as deep as the tree is.
        pending: list[tuple[Inventory, Any]] = [(self, value)]
        while pending:
            inventory, held = pending.pop()
            # A list has no members of its own; each object in it is one of the same kind.
            if isinstance(held, list | tuple):
                pending += [(inventory, each) for each in reversed(held) if isinstance(each, list | tuple | dict)]
            # Two sides of a closed world: no member that is not known, and none absent that is needed.
            elif isinstance(held, Mapping):
                for name, inner in held.items():
                    inventory.check_member(name, inner, ignored)
                if whole and (absent := [name for name in inventory.needed if name not in held]):
                    raise UnreadError(f"{inventory.what} has no member '{absent[0]}', without which it is not read")
                # A used member without an inventory holds a plain value, and its reader checks it.
                below = [(inventory.used.get(name), inner) for name, inner in held.items()]
                pending += [(inner, each) for inner, each in reversed(below) if inner is not None]

    def check_member(self, name: str, value: Any, ignored: Ignored) -> None:
        """Refuse a member that is neither used nor without effect.

        Raises:
            UnreadError: it is so.
        """
        # Used, or without effect: always, or at the values that were looked into.
        if name in self.used or name in self.no_effect or (name in self.at and value in self.at[name][0]):
            return
        # The user takes the blame: the remark on every answer says so.
        if ignored.takes(name):
            return
        # The three refusals say whether the value, the member, or nothing is known of it.
        if name in self.at:
            text = shortened(str(value))
            raise UnreadError(f"{self.what} has {name} {text}, which is not read; {self.at[name][1]}")
        if name in self.refused:
            raise UnreadError(f"{self.what} has a member '{name}', which is not read; {self.refused[name]}")
        raise UnreadError(
            f"{self.what} has a member {shortened(name)}, which is not known here; if it has no effect on an "
            f"answer, {_to_ignore(name)} passes over it"
        )

    def rows(self) -> Iterator[tuple[str, str, str]]:
        """The kind of object, member, and what is made of it, for this inventory and those inside."""
        seen: dict[int, Inventory] = {}
        pending = [self]
        while pending:
            inventory = pending.pop()
            # An inventory can hold itself, as a node of a tree does: it is listed once.
            if id(inventory.used) in seen:
                continue
            seen[id(inventory.used)] = inventory
            yield from inventory._own_rows()
            pending += [inner for inner in reversed(list(inventory.used.values())) if inner is not None]

    def _own_rows(self) -> Iterator[tuple[str, str, str]]:
        yield from ((self.what, name, "used") for name in self.used)
        yield from ((self.what, name, f"no effect: {why}") for name, why in self.no_effect.items())
        for name, (values, what) in self.at.items():
            shown = " or ".join(repr(value) for value in values)
            yield self.what, name, f"no effect if it is {shown}; otherwise refused: {what}"
        yield from ((self.what, name, f"refused: {what}") for name, what in self.refused.items())


def _to_ignore(name: str) -> str:
    """The option by which the user passes over a member."""
    return wording(f"ignore_members=[{name!r}]", f"--ignore-member {name}")
