"""Mistakes: the errors of an answer, with their place and size.

A mistake says at which node it is, which member of the answer holds it, what was expected and what came, and the rule
of the [decisions](decisions.md) that it is about. Mistakes come in preorder, so a cause stands before what follows
from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from reference_tree.exact.rationals import shortened


class Mistake(NamedTuple):
    """One error in an answer."""

    verdict: str
    """The kind of mistake, one word."""
    message: str
    """The mistake in a sentence."""
    member: str = ""
    """The place in the answer, such as `decisions[2].total`."""
    at: tuple[int, ...] | None = None
    """The node: the numbers of the branches from the root, from 0; None if it is about no node."""
    path: str = ""
    """The path of conditions to the same node."""
    rule: str = ""
    """The id of the rule."""
    likely: str = ""
    """What the program may have taken otherwise."""

    def __str__(self) -> str:
        """The mistake in one line.

        Example:
            >>> print(Mistake("wrong-leaf", "expected no, came yes", "label", (2, 0), "/outlook=sunny/windy=true"))
            /2/0 (/outlook=sunny/windy=true) label: wrong-leaf: expected no, came yes
        """
        # Programs find a node by its branches, people by its conditions: both are shown.
        place = "" if self.at is None else "/" + "/".join(map(str, self.at))
        named = f" ({self.path})" if self.path not in ("", "/") else ""
        where = " ".join(part for part in (place + named, self.member) if part)
        rule = f" [{self.rule}]" if self.rule else ""
        told = f"{self.verdict}: {self.message}{f'; {self.likely}' if self.likely else ''}{rule}"
        return f"{where}: {told}" if where else told

    def details(self) -> dict[str, Any]:
        """The mistake as JSON."""
        # What is not known is left out; the root is the empty list, and stays.
        members = {name: value for name, value in self._asdict().items() if value not in ("", None)}
        return {**members, "at": list(self.at)} if self.at is not None else members


class Malformed(ValueError):  # noqa: N818  (it is what an answer is, and never leaves this folder)
    """An answer, or a part of it, does not have the required form."""


def differs(verdict: str, expected: object, came: object, member: str = "") -> Iterator[Mistake]:
    """A mistake if two things are not the same, and otherwise none.

    Example:
        >>> [str(mistake) for mistake in differs("wrong-leaf", "no", "yes", "label")]
        ['label: wrong-leaf: expected no, came yes']
    """
    if not is_same(expected, came):
        yield Mistake(verdict, f"expected {text(expected)}, came {text(came)}", member)


def is_same(expected: object, came: object) -> bool:
    """Whether two values of JSON are the same; True is not 1 here."""
    # Python takes True for 1, and JSON does not.
    return expected == came and isinstance(expected, bool) == isinstance(came, bool)


def text(thing: object) -> str:
    """A value of JSON as text for a message."""
    if thing is None:
        return "nothing"
    if isinstance(thing, bool):
        return str(thing).lower()
    if isinstance(thing, str) and thing.isprintable() and 0 < len(thing) <= 60:
        return thing
    return shortened(thing) if isinstance(thing, str) else shortened(str(thing))[1:-1]


def within(mistakes: Iterable[Mistake], member: str) -> Iterator[Mistake]:
    """The mistakes of a part of an answer, with their places in the whole."""
    for mistake in mistakes:
        inner = mistake.member
        # The place of a part in the whole: `a` and `[2].b` give `a[2].b`, and `a` and `b` give `a.b`.
        joined = member + inner if inner.startswith("[") or not inner else f"{member}.{inner}"
        yield mistake._replace(member=joined)
