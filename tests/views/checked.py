"""A pocket calculator beside a derivation: each printed line is worked out anew from the figures that are printed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.views.arithmetic import evaluated

_SIGNS = re.compile(r"(?<=\S) ([=≈<>≤≥]) (?=\S)")
_FORMULA = r"(?:log\d+|ln|[\d.()|+−·/√^²³⁴⁵⁶⁷⁸⁹⁰¹ ])+"
_GOES_ON = re.compile(r"\s+[=≈+−·]")


def relations(page: str) -> Iterator[tuple[str, str, str]]:
    """What stands on both sides of each sign between figures; what has letters in it says nothing of figures."""
    for line in _lines(page):
        parts = re.split(_SIGNS, line)
        for at in range(0, len(parts) - 2, 2):
            left, right = (
                re.search(rf"(?:^|[=≈:;,]|\band|  )({_FORMULA})$", parts[at]),
                re.match(_FORMULA, parts[at + 2]),
            )
            if left and right and all(map(_is_whole, (one := left[1].strip(), other := right[0].strip(" .(")))):
                yield one, parts[at + 1], other


def _is_whole(formula: str) -> bool:
    """Whether it has figures, and is no piece that letters have cut off."""
    return any(map(str.isdecimal, formula)) and formula.count("(") == formula.count(")")


def _lines(page: str) -> Iterator[str]:
    """The lines, each with what goes on below it."""
    held = ""
    for line in page.splitlines():
        if held and not (_GOES_ON.match(line) and "   " not in line.strip()):  # the cells of a table stand apart
            yield held
            held = ""
        held = f"{held} {line.strip()}" if held else line
    yield held


def contradictions(page: str) -> list[str]:
    """The relations that a calculator does not confirm."""
    return [f"{left} {sign} {right}" for left, sign, right in relations(page) if not _holds(left, sign, right)]


def _holds(left: str, sign: str, right: str) -> bool:
    one, other = evaluated(left), evaluated(right)
    if sign == "≈":  # as many decimals as are printed, so that half of the last one is allowed
        return abs(one - other) <= 0.5 * 0.1 ** len(right.partition(".")[2]) * (1 + 1e-6)
    confirmed: bool = {
        "=": abs(one - other) <= 1e-9 * max(1, abs(one)),
        "<": one < other,
        ">": one > other,
        "≤": one <= other,
        "≥": one >= other,
    }[sign]
    return confirmed
