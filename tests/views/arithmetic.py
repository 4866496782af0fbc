"""Reading a derivation back: the arithmetic as text, and in TeX, worked out in floats by a parser of their own."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

_TOKEN = re.compile(r"log(\d+)|ln|\d+(?:\.\d+)?|[()|+−·/^√⁰¹²³⁴⁵⁶⁷⁸⁹]")
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"


def evaluated(text: str) -> float:
    """The value of a formula as text."""
    assert not _TOKEN.sub("", text).strip(), f"not arithmetic: {text}"
    return _Parser([match[0] for match in _TOKEN.finditer(text)]).value()


class _Parser:
    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens

    def value(self) -> float:
        result = self.sum()
        assert not self.tokens, f"left over: {self.tokens}"
        return result

    def peek(self) -> str:
        return self.tokens[0] if self.tokens else ""

    def sum(self) -> float:
        result = self.product()
        while self.peek() in ("+", "−"):
            result = result + self.product() if self.tokens.pop(0) == "+" else result - self.product()
        return result

    def product(self) -> float:
        result = self.power()
        while self.peek() in ("·", "/"):
            result = result * self.power() if self.tokens.pop(0) == "·" else result / self.power()
        return result

    def power(self) -> float:
        if self.peek() == "−":
            self.tokens.pop(0)
            return -self.power()
        result = self.atom()
        digits = ""
        while self.peek() and self.peek() in _RAISED:
            digits += str(_RAISED.index(self.tokens.pop(0)))
        if digits:
            result **= int(digits)
        if self.peek() == "^":
            self.tokens.pop(0)
            result **= self.atom()
        return result

    def atom(self) -> float:
        token = self.tokens.pop(0)
        if token == "(":
            result = self.sum()
            assert self.tokens.pop(0) == ")"
            return result
        if token == "√":
            return math.sqrt(self.atom())
        if token == "|":
            result = abs(self.sum())
            assert self.tokens.pop(0) == "|"
            return result
        if token.startswith("log"):
            return math.log(self.atom(), int(token[3:]))
        return math.log(self.atom()) if token == "ln" else float(token)


def evaluated_tex(tex: str) -> float:
    """The value of a formula in TeX, rewritten as text."""
    tex = tex.replace(r"\left", "").replace(r"\right", "").replace(r"\bigl", "").replace(r"\bigr", "")
    tex = tex.replace(r"\tfrac", r"\frac").replace(r"\lvert", "|").replace(r"\rvert", "|")
    tex = _groups(tex, r"\frac", 2, lambda groups: f"(({groups[0]})/({groups[1]}))")
    tex = _groups(tex, r"\sqrt", 1, lambda groups: f"√({groups[0]})")
    tex = re.sub(r"\^\{(\d+/[\d.]+)\}", r"^(\1)", tex)
    tex = re.sub(r"\\log_\{?(\d+)\}?", r"·log\1", tex).replace(r"\ln", "·ln").replace(r"\cdot", "·")
    tex = re.sub(r"(^|[(+\-/·])(\s*)·", r"\1\2", tex).replace("-", "−").replace("^2", "²")
    tex = re.sub(r"\)\s*\(", ")·(", tex)  # a fraction in front of a bracket
    return evaluated(tex)


def _groups(tex: str, macro: str, number: int, written: Callable[[list[str]], str]) -> str:
    """The text with each use of a macro replaced by what is written for its groups."""
    while (start := tex.find(macro)) >= 0:
        groups, end = [], start + len(macro)
        for _ in range(number):
            assert tex[end] == "{"
            begin, depth = end + 1, 0
            while True:
                depth += {"{": 1, "}": -1}.get(tex[end], 0)
                end += 1
                if not depth:
                    break
            groups.append(_groups(tex[begin : end - 1], macro, number, written))
        tex = tex[:start] + written(groups) + tex[end:]
    return tex
