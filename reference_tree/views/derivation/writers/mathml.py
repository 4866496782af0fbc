r"""MathML: the TeX of a derivation, converted to the form that browsers typeset without a script.

The TeX is the subset that this package writes. Anything else is an error, so that no formula is shown in part.

1. `mathml` is a formula within a line; `aligned` is several formulas below one another, aligned at their signs.
2. `_FormulaReader` reads the TeX once from left to right: an atom, the scripts after it, and so on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from reference_tree.views.wording import TEX, xml_name

_GREEK = {"alpha": "α", "eta": "η", "lambda": "λ", "rho": "ρ", "sigma": "σ", "varphi": "φ"}
_CAPITALS = {"Sigma": "Σ", "Delta": "Δ", "Phi": "Φ"}
_NAME = '<mo lspace="0.17em" rspace="0.17em"'
_ALONE = {
    **{name: f"<mi>{letter}</mi>" for name, letter in _GREEK.items()},
    **{name: f'<mi mathvariant="normal">{letter}</mi>' for name, letter in _CAPITALS.items()},
    **{name: f'<mspace width="{room}em"/>' for name, room in ((",", "0.17"), ("quad", "1"), ("qquad", "2"))},
    "sum": '<mo movablelimits="true">∑</mo>', "max": f'{_NAME} movablelimits="true">max</mo>',
    "log": f"{_NAME}>log</mo>", "ln": f"{_NAME}>ln</mo>",
}  # fmt: skip
"""Commands without arguments."""
_SIGNS = {
    "cdot": "·", "approx": "≈", "leq": "≤", "geq": "≥", "neq": "≠", "mid": "|", "setminus": "∖", "lvert": "|",
    "rvert": "|", "-": "−", "<": "&lt;", ">": "&gt;",
}  # fmt: skip
_ACCENTS = {"tilde": "~", "hat": "^", "bar": "¯"}
_SIGN = "+-=<>()[]/|,:"

_PRESENTED: Mapping[str, str] = {
    "/": ' lspace="0" rspace="0"',
    "mid": ' lspace="0.28em" rspace="0.28em"',
    "lvert": ' form="prefix" stretchy="false"',
    "rvert": ' form="postfix" stretchy="false"',
    **dict.fromkeys("()[]|", ' stretchy="false"'),
}
"""The attributes of a sign in MathML: brackets grow only where the TeX says so."""

_RIGHT = r"\right"
_OPEN = re.compile(r"<mo[^<]*[^)\]|]</mo>$")
"""A sign after which a minus is the sign of the number that follows."""

_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_COMMAND = re.compile(r"\\(?:[A-Za-z]+|.)")
_TEXT = re.compile(r"\\(?:[A-Za-z]+\{\}|.)|-\{\}|[^{}\\]")
_PLAIN = {**{written: character for character, written in TEX.items()}, "-{}": "-"}


def mathml(tex: str) -> str:
    r"""A formula within a line.

    Raises:
        ValueError: it is not in the TeX that this package writes.

    Example:
        >>> print(mathml(r"p_k^2"))
        <math><msubsup><mi>p</mi><mi>k</mi><mn>2</mn></msubsup></math>
        >>> print(mathml(r"\frac{1}{2} \text{<b>}"))
        <math><mfrac><mn>1</mn><mn>2</mn></mfrac><mtext>&lt;b&gt;</mtext></math>
    """
    return f"<math>{_FormulaReader(tex).formula()}</math>"


def aligned(rows: Iterable[tuple[str, str]]) -> str:
    """Formulas below one another, each as the pair of its parts left and right of the alignment."""
    lines = "".join(
        f"<mtr>{''.join(f'<mtd>{_FormulaReader(side).formula()}</mtd>' for side in row)}</mtr>\n" for row in rows
    )
    return f'<math display="block"><mtable displaystyle="true">\n{lines}</mtable></math>'


class _FormulaReader:
    """A formula and the position up to which it is read."""

    def __init__(self, tex: str) -> None:
        self.tex, self.at = tex, 0

    def formula(self) -> str:
        """The whole formula."""
        found = "".join(self.row())
        if self.at < len(self.tex):
            raise ValueError(f"this TeX cannot be read from place {self.at} on: {self.tex}")
        return found

    def row(self) -> list[str]:
        r"""The elements side by side, up to a closing brace, a `\right`, or the end."""
        parts: list[str] = []
        while self.skip() and self.tex[self.at] != "}" and not self.tex.startswith(_RIGHT, self.at):
            part = self.scripted()
            if part == _sign("-") and (not parts or _OPEN.search(parts[-1])):
                part = part.replace("<mo>", '<mo form="prefix">')  # as in -3, not as in 5 - 3
            parts.append(part)
        return parts

    def scripted(self) -> str:
        """An atom with its subscript and superscript."""
        atom, below, above = self.atom(), "", ""
        while self.skip() and self.tex[self.at] in "_^'":
            mark = self.tex[self.at]
            self.at += 1
            if mark == "_":
                below = self.group()
            else:
                above += "<mo>′</mo>" if mark == "'" else self.group()
        if not below and not above:
            return atom
        low, high = ("under", "over") if 'movablelimits="true"' in atom else ("sub", "sup")
        name = f"m{low if below else ''}{high if above else ''}"
        return f"<{name}>{atom}{below}{above}</{name}>"

    def atom(self) -> str:
        """One element: a number, a letter, a sign, a group, or a command with its arguments."""
        if not self.skip():
            raise ValueError(f"something is missing at the end of this TeX: {self.tex}")
        if self.tex[self.at] == "{":
            return self.group()
        if number := _NUMBER.match(self.tex, self.at):
            self.at = number.end()
            return f"<mn>{number[0]}</mn>"
        if command := _COMMAND.match(self.tex, self.at):
            self.at = command.end()
            return self.command(command[0][1:])
        letter = self.tex[self.at]
        self.at += 1
        if letter in _SIGN:
            return _sign(letter)
        if letter.isascii() and letter.isalpha():
            return f"<mi>{letter}</mi>"
        raise ValueError(f"{letter!r} is not read in this TeX: {self.tex}")

    def command(self, name: str) -> str:
        r"""The element of a command with its arguments; `\left`, `\bigl` and the like precede a bracket."""
        if name in _ALONE:
            return _ALONE[name]
        if name in _SIGNS:
            return _sign(name)
        if name in _ACCENTS:
            return f'<mover accent="true">{self.group()}<mo stretchy="false">{_ACCENTS[name]}</mo></mover>'
        if name in ("frac", "tfrac"):
            style = ' displaystyle="false"' if name == "tfrac" else ""
            return f"<mfrac{style}>{self.group()}{self.group()}</mfrac>"
        if name == "binom":
            return f'<mrow><mo>(</mo><mfrac linethickness="0">{self.group()}{self.group()}</mfrac><mo>)</mo></mrow>'
        if name == "sqrt":
            return f"<msqrt>{self.group()}</msqrt>"
        if name in ("text", "mathrm"):
            return self.words("mtext" if name == "text" else 'mi mathvariant="normal"')
        if name == "left":
            return f"<mrow>{self.bracket()}{''.join(self.row())}{self.bracket(_RIGHT)}</mrow>"
        if name in ("bigl", "bigr", "Big"):
            return self.bracket()
        raise ValueError(f"\\{name} is not read in this TeX: {self.tex}")

    def group(self) -> str:
        """The content of braces, or the single atom that follows: always one element."""
        self.skip()
        if not self.tex.startswith("{", self.at):
            digit = self.tex[self.at : self.at + 1]
            if digit.isdecimal():
                self.at += 1
                return f"<mn>{digit}</mn>"
            return self.atom()
        self.at += 1
        row = self.row()
        self.expect("}")
        return row[0] if len(row) == 1 else f"<mrow>{''.join(row)}</mrow>"

    def words(self, element: str) -> str:
        """A text in braces; its outer blanks are kept."""
        self.expect("{")
        text = ""
        while piece := _TEXT.match(self.tex, self.at):
            text += _PLAIN.get(piece[0], piece[0])
            self.at = piece.end()
        self.expect("}")
        inner = text.strip(" ")
        before, after = (len(text) - len(cut) for cut in (text.lstrip(" "), text.rstrip(" ")))
        return f"<{element}>{'&#160;' * before}{xml_name(inner)}{'&#160;' * after}</{element.split()[0]}>"

    def bracket(self, before: str = "") -> str:
        """A bracket as high as its content."""
        self.expect(before)
        self.skip()
        sign = _COMMAND.match(self.tex, self.at)
        name = sign[0] if sign else self.tex[self.at : self.at + 1]
        self.at += len(name)
        form = "postfix" if name in (")", r"\rvert") else "prefix"
        return f'<mo form="{form}" stretchy="true">{_SIGNS.get(name[1:], name)}</mo>'

    def expect(self, text: str) -> None:
        """Pass over a text that must follow here."""
        if not self.tex.startswith(text, self.at):
            raise ValueError(f"{text!r} is missing at place {self.at} of this TeX: {self.tex}")
        self.at += len(text)

    def skip(self) -> bool:
        """Pass over blanks, and return whether anything is left."""
        while self.tex.startswith(" ", self.at):
            self.at += 1
        return self.at < len(self.tex)


def _sign(name: str) -> str:
    return f"<mo{_PRESENTED.get(name, '')}>{_SIGNS.get(name, name)}</mo>"
