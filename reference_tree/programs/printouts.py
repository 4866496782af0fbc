"""Printouts: the lines around a printed tree, each used, without effect on an answer, or refused by name.

A program prints more than its tree: its options, counts, an evaluation. A line of these is a member of the printout as
a key is one of an object, so each kind of line stands in the record of its program, and a line that no record knows is
refused with its number. The lines of the tree itself are read by `indented`.

**Printed digits** tell how far the numbers of a printed tree may lie from those that the program has. A program prints
a threshold with some digits behind the point, or with some digits in all, and compares rows with the threshold that it
holds. So a row near a printed threshold may go to the other side there. The document of a printed tree says to which
digits its thresholds are rounded; then

1. `PrintedDigits.between` are the numbers that are printed alike: an audit takes whichever divides the rows best;
2. `PrintedDigits.doubts` is whether a value may lie on the other side, and `is_in_doubt` whether a row may end in
   another leaf: whoever predicts such a row on the command line is told so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from reference_tree.data.errors import InputError, number_of, wording
from reference_tree.data.frames import GivenRow
from reference_tree.data.questions import Threshold
from reference_tree.exact.rationals import Rational, exact_text, rational, shortened
from reference_tree.programs.inventory import Ignored, Inventory, UnreadError
from reference_tree.routing import Unseen
from reference_tree.tree import Tree

Line: TypeAlias = tuple[int, str]
"""A line with its number."""


class KnownLine(NamedTuple):
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
    """The record of the lines around a tree."""

    what: str
    """The printout, with its article: `a printout of Weka`."""
    lines: Sequence[KnownLine]
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
            >>> known = Printout("a note", [KnownLine("Size", r"Size: (\d+)"), KnownLine("Time", "Time: .*", "idle")])
            >>> [(name, found[1]) for name, _, found in known.read([(1, "Size: 3"), (2, "Time: 9")], Ignored())]
            [('Size', '3')]
            >>> list(known.read([(7, "Sise: 3")], Ignored()))
            Traceback (most recent call last):
            reference_tree.programs.inventory.UnreadError: line 7: a note has a line 'Sise', which is not known ...
        """
        # Lines such as those of a matrix are known only below their title: elsewhere they could be anything.
        above = ""
        heads = {each.under for each in self.lines}
        for number, line in lines:
            text = line.strip()
            # A ruler is no member.
            if not text.strip("-="):
                continue
            each, found = self._known(text, above)
            if each is None or found is None:
                self._refuse(text, number, ignored)
                continue
            # A title opens its part, a line known anywhere closes it, and a line of the part leaves it open.
            above = each.name if each.name in heads or not each.under else above
            if not each.no_effect:
                yield each.name, number, found

    def _known(self, text: str, above: str) -> tuple[KnownLine | None, re.Match[str] | None]:
        for each in self.lines:
            if each.under in ("", above) and (found := re.fullmatch(each.pattern, text)) is not None:
                return each, found
        return None, None

    def _refuse(self, text: str, number: int, ignored: Ignored) -> None:
        """Refuse a line that is not known.

        Raises:
            UnreadError: it is not passed over either.
        """
        # The user names a line by its words before the figures, which differ from run to run.
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
    # The count that the program prints is the only proof that no line of the tree was lost.
    if int(found[1]) != has:
        raise InputError(f"{has} {what} are there, and the {told} is {int(found[1])}; the text is not whole", line=line)


ROUNDED = "rounded"
"""The key of the options of a document with the digits of its thresholds."""

# A rule of thumb, and it only narrows what an audit tries: 0.8 with six decimals is taken for 0.8 itself.
NEVER_BY_CHANCE = 3
"""So many zeros at the end of a number with `ENOUGH` digits are no chance: the number has only the others."""
ENOUGH = 6


class PrintedDigits(NamedTuple):
    """The digits of the thresholds that a program prints: behind the point, or in all."""

    places: int | None = None
    """The most digits behind the point."""
    figures: int | None = None
    """The most digits but for zeros at the beginning; used if `places` is None."""
    are_values: bool = False
    """Whether a threshold is a value of the data, so that a row with the printed value is on its lower side."""
    slack: Rational = 0
    """Some releases send values above a threshold to its lower side, if they are above it by less than this."""

    def half_a_unit(self, threshold: Rational) -> Fraction:
        """Half a unit of the last digit.

        Example:
            >>> PrintedDigits(places=2).half_a_unit(7), PrintedDigits(figures=3).half_a_unit(Fraction("17.5"))
            (Fraction(1, 200), Fraction(1, 20))
        """
        # Digits behind the point: the unit is the same for all numbers.
        if self.places is not None:
            return Fraction(1, 2 * 10**self.places)
        # Zero is printed as it is.
        if not threshold or self.figures is None:
            return Fraction(0)
        # Digits in all: the unit depends on the size of the number.
        places = self.figures - 1 - _magnitude(threshold)
        unit = Fraction(1, 10**places) if places >= 0 else Fraction(10**-places)
        return unit / 2

    def between(self, threshold: Rational) -> tuple[Fraction, Fraction]:
        """The least and the largest number that is printed like this one.

        Example:
            >>> PrintedDigits(places=2).between(Fraction("0.8"))
            (Fraction(159, 200), Fraction(161, 200))
            >>> PrintedDigits(places=10).between(Fraction("0.8"))  # the others of its ten digits are zeros
            (Fraction(4, 5), Fraction(4, 5))
        """
        at, half = Fraction(threshold), self.half_a_unit(threshold)
        digits = self.places if self.places is not None else self.figures or 0
        # A number that ends in three zeros of its printed digits is taken to be exact.
        if at and digits >= ENOUGH and (at / (half * 2 * 10**NEVER_BY_CHANCE)).denominator == 1:
            half = Fraction(0)
        return at - half, at + half

    def is_rounded(self, thresholds: Iterable[Rational]) -> bool:
        """Whether one of the thresholds may be another number in the program."""
        return any(low < high for low, high in map(self.between, thresholds))

    def doubts(self, value: Rational, threshold: Rational) -> bool:
        """Whether a value may lie on the other side of the threshold that the program has.

        Example:
            >>> two = PrintedDigits(places=2)
            >>> [two.doubts(Fraction(value), Fraction("0.8")) for value in ("0.79", "0.796", "0.8", "0.81")]
            [False, True, True, False]
        """
        low, high = self.between(threshold)
        # At the printed number itself there is no doubt if the program has this number, or a value of the data.
        if value == threshold and (low == high or self.are_values):
            return False
        # In doubt is the interval that rounds to the printed number, and what a slack lets through.
        return low <= value <= high or threshold < value < threshold + self.slack

    @property
    def remark(self) -> str:
        """The sentence on it, for every answer.

        Example:
            >>> PrintedDigits(places=2).remark
            'thresholds are rounded to 2 decimals, as printed; a row nearer to one than half a unit of its last digit
            may go the other way in the program'
        """
        digits = number_of(self.places, "decimal") if self.places is not None else f"{self.figures} digits"
        near = "a row nearer to one than half a unit of its last digit may go the other way in the program"
        return f"thresholds are rounded to {digits}, as printed; {near}"

    def to_json(self) -> dict[str, Any]:
        """It, as a document has it.

        Example:
            >>> PrintedDigits(places=2).to_json()
            {'places': 2}
        """
        told: dict[str, Any] = {"figures": self.figures} if self.places is None else {"places": self.places}
        if self.are_values:
            told["are_values"] = True
        return {**told, "slack": exact_text(self.slack)} if self.slack else told

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> PrintedDigits | None:
        """The digits of a tree, by the options of its document; None if the tree is not printed.

        Example:
            >>> PrintedDigits.of({"rounded": {"places": 6, "slack": "1/1000000"}}).slack
            Fraction(1, 1000000)
        """
        stated = options.get(ROUNDED)
        # Options of a document may be anything; those of another shape are not about printed digits.
        if not isinstance(stated, Mapping) or not stated.keys() <= set(cls._fields):
            return None
        return cls(**{**stated, "slack": rational(str(stated.get("slack", 0)))})


def is_in_doubt(tree: Tree, row: GivenRow, unseen: Unseen = "error") -> bool:
    """Whether a row may end in another leaf of the program's tree, because the thresholds were printed with few digits.

    Args:
        tree: a tree.
        row: a row that the tree can predict.
        unseen: as for `Tree.predict`.
    """
    digits = PrintedDigits.of(tree.grower.options)
    if digits is None:
        return False
    asked = tree.reading(row)
    # One doubtful test on the row's path is enough to end in another leaf.
    for number, _, _ in tree.way(asked, unseen):
        test = tree.nodes[number].test
        value = asked[test.attribute] if isinstance(test, Threshold) else None
        if isinstance(test, Threshold) and value is not None:
            exact = rational(value) if isinstance(value, str) else value
            if digits.doubts(exact, test.threshold):
                return True
    return False


def _magnitude(number: Rational) -> int:
    """The exponent of the first digit: 0 for 7, 1 for 17.5, -2 for 0.03."""
    # Exact division by ten: a logarithm in floats could miss a power of ten.
    size, found = abs(Fraction(number)), 0
    while size >= 10:
        size, found = size / 10, found + 1
    while size < 1:
        size, found = size * 10, found - 1
    return found
