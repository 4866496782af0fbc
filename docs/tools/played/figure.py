"""The frame of a figure that can be played with: its words, its slots, its buttons, and what its script is told.

`words.json` has whatever such a figure says, in English and in Chinese, for the page and for the script.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import Any

from docs.tools.classes import legend
from reference_tree.data.questions import Threshold
from reference_tree.exact.reals import Number
from reference_tree.exact.rounding import decimal
from reference_tree.tree import Tree

WORDS: dict[str, dict[str, tuple[str, str]]] = json.loads(
    Path(__file__).with_name("words.json").read_text(encoding="utf-8")
)
"""Kind of figure → name → what is said in English and in Chinese."""

LANGUAGES = ("en", "zh")
ROOTS = {"en": "../../", "zh": "../../../"}
"""How a page of Learn leads to the first page of the site."""

LESS = "\\u003c"
"""How JSON in a page writes the sign that would begin a tag."""

STEPS = 400
"""So many places a slider has."""


class Play:
    """A figure of one kind, in one language: its words, its slots, its frame."""

    def __init__(self, kind: str, language: str = "en", root: str = "") -> None:
        self.kind, self.language, self.root = kind, language, root or ROOTS[language]
        self.words = {name: said[LANGUAGES.index(language)] for name, said in (WORDS["every"] | WORDS[kind]).items()}

    def say(self, word: str, /, **values: object) -> str:
        """Some words, with what they are about."""
        return self.words[word].format(**values)

    def button(self, does: str, word: str, /, shows: str = "", **values: object) -> str:
        """A button that waits for the script; its words are its label, if it shows something else."""
        said = escape(self.say(word, **values))
        label = f' aria-label="{said}"' if shows else ""
        return f'<button type="button" disabled data-does="{does}"{label}>{shows or said}</button>'

    def tools(self, *buttons: str) -> str:
        """The buttons below a figure."""
        return f'<div class="tools">{"".join(buttons)}{self.button("again", "again")}</div>'

    def table(self, heads: Sequence[str], rows: Iterable[str], foot: str = "") -> str:
        """A table; a head that ends in `>` is above numbers."""
        head = "".join(f'<th scope="col"{_right(name)}>{escape(self.words[name.rstrip(">")])}</th>' for name in heads)
        return f'<table class="slots"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody>{foot}</table>'

    def slider(self, step: int, word: str, name: str = "at", /, **values: object) -> str:
        """A handle on a line of `STEPS` steps, and the name of what it moves."""
        return (
            f'<input type="range" disabled min="0" max="{STEPS}" value="{step}" data-value="{name}"'
            f' aria-label="{escape(self.say(word, **values))}">'
        )

    def figure(self, state: Mapping[str, Any], *parts: str, classes: Sequence[str] = ()) -> str:
        """The figure, with what its script needs, and the marks of its classes."""
        root, known = self.root, json.dumps({"state": state, "words": self.words}, ensure_ascii=False)
        invites = f'<p class="invites">{escape(self.words["invites"])}</p>'
        return (
            f'<link rel="stylesheet" href="{root}assets/play/play.css">'
            f'<figure class="play" data-play="{self.kind}" data-search-exclude>'
            f'<script type="application/json">{known.replace("<", LESS)}</script>'
            f"{invites}{legend(classes) if classes else ''}{''.join(parts)}"
            f'</figure><script type="module" src="{root}assets/play/play.mjs"></script>\n'
        )


def _right(name: str) -> str:
    return ' class="r"' if name.endswith(">") else ""


def slot(name: str, text: object, tag: str = "span", of: str = "") -> str:
    """A text that the script may change."""
    return f'<{tag} data-is="{name}"{f" class={of}" if of else ""}>{escape(str(text))}</{tag}>'


def dots(name: str, counts: Sequence[int], does: str = "") -> str:
    """A dot for each row, in the colour of its class."""
    each = f' data-each="{does}"' if does else ""
    drawn = "".join(f'<i class="k{k}"></i>' * count for k, count in enumerate(counts))
    return f'<span class="dots" data-dots="{name}"{each} aria-hidden="true">{drawn}</span>'


def dot(name: str, k: int) -> str:
    """A dot in the colour of a class; of the class -1 there is none."""
    return dots(name, [int(k == other) for other in range(max(2, k + 1))])


def stacked(name: str, number: Fraction) -> str:
    """A fraction with its numerator above its denominator, in decimals if it is long."""
    above, below = (short(number), "") if number.denominator > 99999 else str(number).partition("/")[::2]
    return f'<span class="stacked">{slot(name, above)}{slot(f"{name}d", below)}</span>'


def brief(number: Fraction) -> str:
    """A fraction, in decimals if it is long.

    Example:
        >>> brief(Fraction(7, 36)), brief(Fraction(12345, 123456))
        ('7/36', '0.0999965')
    """
    return str(number) if number.denominator < 10000 else decimal(number, 7)


def threshold_of(tree: Tree) -> Fraction | None:
    """The threshold that the root of a tree asks for, if it asks."""
    test = tree.nodes[0].test
    return Fraction(test.threshold) if isinstance(test, Threshold) else None


def track(name: str, share: float) -> str:
    """A bar."""
    return f'<span class="track" aria-hidden="true"><b data-share="{name}" style="--share:{share:.4f}"></b></span>'


def says(text: str) -> str:
    """The sentence of a figure, which is read aloud when it changes."""
    return f'<p class="says" data-is="says" aria-live="polite">{escape(text)}</p>'


def short(number: Number) -> str:
    """A number in at most three decimals.

    Example:
        >>> short(Fraction(9)), short(Fraction(1, 8)), short(Fraction(2, 3))
        ('9', '0.125', '0.667')
    """
    return decimal(number, 3).rstrip("0").removesuffix(".")


def written(number: Number) -> str:
    """An exact number in logarithms of primes, so that equal numbers look alike.

    Example:
        >>> written(log(14) - Fraction(5, 14) * log(5)), written(Fraction(2, 3))
        ('1 + log₂7 − 5/14·log₂5', '2/3')
    """
    terms: dict[int, Fraction] = getattr(number, "terms", {})
    constant: Any = getattr(number, "constant", number)
    found: dict[int, Fraction] = {1: Fraction(constant)}
    for n, c in terms.items():
        for prime in _primes(n):
            place = 1 if prime == 2 else prime
            found[place] = found.get(place, Fraction(0)) + c
    ordered = sorted(((n, c) for n, c in found.items() if c), key=lambda term: (term[1] < 0, term[0] != 1, -term[0]))
    text = "".join(f" {'−' if c < 0 else '+'} {_factor(n, abs(c))}" for n, c in ordered)
    return (
        text.removeprefix(" + ").replace(" − ", "−", 1) if text.startswith(" − ") else text.removeprefix(" + ") or "0"
    )


def _factor(n: int, size: Fraction) -> str:
    return str(size) if n == 1 else f"log₂{n}" if size == 1 else f"{size}·log₂{n}"


def _primes(n: int) -> Iterable[int]:
    divisor = 2
    while n > 1:
        if n % divisor:
            divisor += 1
        else:
            n //= divisor
            yield divisor
