"""Printouts: the lines around a printed tree, each used, without effect on an answer, or refused by name.

A program prints more than its tree: its options, counts, an evaluation. A line of these is a member of the printout as
a key is one of an object, so each kind of line stands in the record of its program, and a line that no record knows is
refused with its number. The lines of the tree itself are read by `indented`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from reference_tree.data.errors import InputError, wording
from reference_tree.exact.rationals import shortened
from reference_tree.programs.inventory import Ignored, Inventory, UnreadError

Line: TypeAlias = tuple[int, str]
"""A line with its number."""


class Known(NamedTuple):
    """A kind of line."""

    name: str
    """Its first words, or what it is, in words."""
    pattern: str
    """The pattern of the whole line, without blanks at its ends."""
    no_effect: str = ""
    """Why it has no effect on an answer; empty if it is used."""
    under: str = ""
    """The name of the line above all lines of this kind; empty if they may stand anywhere."""


class Printout(NamedTuple):
    """What is known of the lines around a tree."""

    what: str
    """The printout, with its article: `a printout of Weka`."""
    lines: Sequence[Known]
    refused: Mapping[str, str] = {}
    """The pattern of a line that is known and not read → what to do instead."""

    @property
    def inventory(self) -> Inventory:
        """Its lines as members."""
        used = dict.fromkeys(each.name for each in self.lines if not each.no_effect)
        return Inventory(self.what, used, {each.name: each.no_effect for each in self.lines if each.no_effect})

    def read(self, lines: Iterable[Line], ignored: Ignored) -> Iterator[tuple[str, int, re.Match[str]]]:
        r"""The lines that are used: the name of each, its number, and what its pattern matches.

        Args:
            lines: the lines around the tree.
            ignored: what the user said to pass over: the name of a line is its text before a colon or two blanks.

        Raises:
            UnreadError: a line is not known.

        Example:
            >>> known = Printout("a note", [Known("Size", r"Size: (\d+)"), Known("Time", "Time: .*", "of the clock")])
            >>> [(name, found[1]) for name, _, found in known.read([(1, "Size: 3"), (2, "Time: 9")], Ignored())]
            [('Size', '3')]
            >>> list(known.read([(7, "Sise: 3")], Ignored()))
            Traceback (most recent call last):
            reference_tree.programs.inventory.UnreadError: line 7: a note has a line 'Sise', which is not known ...
        """
        above = ""
        heads = {each.under for each in self.lines}
        for number, line in lines:
            text = line.strip()
            if not text.strip("-="):
                continue
            each, found = self._known(text, above)
            if each is None or found is None:
                self._refuse(text, number, ignored)
                continue
            above = each.name if each.name in heads or not each.under else above
            if not each.no_effect:
                yield each.name, number, found

    def _known(self, text: str, above: str) -> tuple[Known | None, re.Match[str] | None]:
        for each in self.lines:
            if each.under in ("", above) and (found := re.fullmatch(each.pattern, text)) is not None:
                return each, found
        return None, None

    def _refuse(self, text: str, number: int, ignored: Ignored) -> None:
        """Refuse a line that is not known.

        Raises:
            UnreadError: it is not passed over either.
        """
        name = re.split(r"\s{2,}|\t|:", text)[0].strip() or text
        if ignored.takes(name):
            return
        for pattern, instead in self.refused.items():
            if re.fullmatch(pattern, text):
                raise UnreadError(
                    f"{self.what} has a line {shortened(name)}, which is not read; {instead}", line=number
                )
        flag = wording(f"ignore_members=[{name!r}]", f'--ignore-member "{name}"')
        raise UnreadError(
            f"{self.what} has a line {shortened(name)}, which is not known here; if it has no effect on an answer, "
            f"{flag} passes over it",
            line=number,
        )


def check_number(found: re.Match[str], line: int, has: int, what: str, told: str) -> None:
    """Refuse a printout that tells another number than there is: a part of it is missing.

    Args:
        found: the line, whose first group is the number.
        line: the number of the line.
        has: the number that is there.
        what: what is counted, in the plural.
        told: what the line calls it.

    Raises:
        InputError: it does.
    """
    if int(found[1]) != has:
        raise InputError(f"{has} {what} are there, and the {told} is {int(found[1])}; the text is not whole", line=line)
