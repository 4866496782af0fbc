"""Attributes that become known, in every order: what each adds, and the mean, which is its Shapley value."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from html import escape
from itertools import permutations

import reference_tree as rt
from docs.tools.played.figure import Play, brief, says, slot
from reference_tree.attribution.shapley import value_function
from reference_tree.attribution.summands import summed

Days = Sequence[tuple[str, Sequence[str]]]
"""What each day is called, and what is expected for each set of known attributes, by the bits of the set."""


def orders(names: Sequence[str], days: Days, day: int, known: Sequence[int], language: str = "en") -> str:
    """The figure.

    Args:
        names: three attributes.
        days: the rows that can be explained.
        day: the place of the one that is.
        known: 1 for each attribute that is known, 0 for the others.
        language: the language of the words.
    """
    play, v = Play("orders", language), [Fraction(text) for text in days[day][1]]
    bits = sum(1 << i for i, one in enumerate(known) if one)
    switches = "".join(
        f'<button type="button" disabled data-does="switch {i}" data-mark="s{i}" class="value{" on" * one}"'
        f' aria-pressed="{"true" if one else "false"}">{escape(name)}</button>'
        for i, (name, one) in enumerate(zip(names, known, strict=True))
    )
    each = [_added(v, order) for order in permutations(range(len(names)))]
    rows = "".join(
        f'<tr data-mark="o{place}" class="{_mark(order, bits)}"><th scope="row" class="name">'
        f"{escape(', '.join(names[i] for i in order))}</th>"
        f"{''.join(slot(f'a{place}.{i}', brief(added[i]), 'td', 'r') for i in range(len(names)))}</tr>"
        for place, (order, added) in enumerate(zip(permutations(range(len(names))), each, strict=True))
    )
    means = [sum((added[i] for added in each), Fraction(0)) / len(each) for i in range(len(names))]
    foot = "".join(slot(f"m{i}", brief(mean), "td", "r") for i, mean in enumerate(means))
    heads = "".join(f'<th scope="col" class="r">{escape(name)}</th>' for name in names)
    told = ", ".join(name for name, one in zip(names, known, strict=True) if one) or play.words["nothing"]
    return play.figure(
        {
            "names": list(names),
            "days": [[name, list(values)] for name, values in days],
            "day": day,
            "known": list(known),
        },
        f'<p class="knob">{play.words["day"]} <strong>{slot("day", days[day][0])}</strong></p>',
        f'<div class="chips values" data-arrows="{len(names)}">{switches}</div>',
        f'<table class="slots"><thead><tr><th scope="col">{play.words["order"]}</th>{heads}</tr></thead>',
        f'<tbody>{rows}</tbody><tfoot><tr><th scope="row">{play.words["mean"]}</th>{foot}</tr></tfoot></table>',
        says(play.say("expected", known=told, value=brief(v[bits]), start=brief(v[0]), end=brief(v[-1]))),
        play.tools(play.button("next", "next")),
    )


def three_tests(language: str = "en") -> str:
    """Three days of play tennis, by the tree of ID3."""
    words, table = Play("days", language).words, rt.textbook("play-tennis")
    (term,) = summed(rt.ID3().grow(table)).summands
    names = ["outlook", "humidity", "wind"]
    days = []
    for row in ({"outlook": "sunny", "humidity": "normal", "wind": "weak"},
                {"outlook": "rainy", "humidity": "high", "wind": "strong"},
                {"outlook": "overcast", "humidity": "high", "wind": "weak"}):  # fmt: skip
        v = value_function(term, row)
        sets = [frozenset(name for i, name in enumerate(names) if bits >> i & 1) for bits in range(8)]
        days.append((", ".join(words[value] for value in row.values()), [str(v(known)) for known in sets]))
    return orders([words[name] for name in names], days, 0, [0, 0, 0], language)


def _added(v: Sequence[Fraction], order: Sequence[int]) -> dict[int, Fraction]:
    """What each attribute adds to those before it."""
    found, bits = {}, 0
    for i in order:
        found[i] = v[bits | 1 << i] - v[bits]
        bits |= 1 << i
    return found


def _mark(order: Sequence[int], bits: int) -> str:
    """Whether an order begins with the attributes that are known."""
    return "best" if bits in [sum(1 << i for i in order[:size]) for size in range(1, len(order))] else ""
