"""Reading MathML back: as arithmetic that `tests.views.arithmetic` works out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element

ELEMENTS = {
    "math", "mfrac", "mi", "mn", "mo", "mover", "mrow", "mspace", "msqrt", "msub", "msubsup", "msup", "mtable", "mtd",
    "mtext", "mtr", "munder", "munderover",
}  # fmt: skip
"""What is used of MathML Core."""

CHILDREN = {"mfrac": 2, "mover": 2, "msub": 2, "msup": 2, "munder": 2, "msubsup": 3, "munderover": 3}
"""How many children an element has to have."""


def sides(row: Element) -> list[str]:
    """What stands between the signs of a row, as arithmetic."""
    found: list[list[Element]] = [[]]
    for part in row:
        if part.tag == "mo" and part.text in ("=", "≈"):
            found.append([])
        else:
            found[-1].append(part)
    return [joined(side) for side in found]


def joined(parts: Iterable[Element]) -> str:
    """Parts side by side; between two that are no signs a product is meant."""
    text = ""
    for part in parts:
        piece = spoken(part)
        if re.search(r"(log\d+|ln)$", text):
            text += f"({piece})"
        else:
            begins, ends = re.match(r"[\d√(l]", piece), re.search(r"[\d)]$", text)
            text += ("·" if begins and ends else "") + piece
    return text


def spoken(part: Element) -> str:
    """One element as arithmetic."""
    children = [spoken(child) for child in part]
    match part.tag:
        case "mn":
            return part.text or ""
        case "mo":
            return part.text or ""
        case "mfrac":
            return f"(({children[0]})/({children[1]}))"
        case "msup":
            return f"{children[0]}^({children[1]})"
        case "msub":
            return "".join(children)  # a logarithm and its base
        case "msqrt":
            return f"√({joined(part)})"
        case "mrow":
            return joined(part)
        case "mtext" | "mspace":
            return ""
    raise AssertionError(f"no arithmetic: {part.tag}")
