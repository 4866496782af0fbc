"""A price for each leaf: what each pruning costs at it, and the tree that is cheapest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import sqrt

import reference_tree as rt
from docs.assets.playground.chinese import in_chinese
from docs.tools.played.figure import STEPS, Play, says, slot
from reference_tree.exact.rounding import decimal
from reference_tree.pruning.cost_complexity import pruning_path

Steps = Sequence[Mapping[str, object]]


def of_table(name: str, at: str, language: str = "en") -> str:
    """The figure of a tree that CART grows of a textbook's table, at a price."""
    tree = rt.CART().grow(rt.textbook(name))
    path = pruning_path(tree)
    drawings = [rt.to_svg(tree, pruned=path.at(step)) for step in path.steps]
    shown = drawings if language == "en" else [in_chinese(drawing) for drawing in drawings]
    return price(path.as_data(), at, str(Fraction(6, 5) * Fraction(path.steps[-1].alpha)), shown, language)


def price(steps: Steps, at: str, most: str, drawings: Sequence[str], language: str = "en") -> str:
    """The figure.

    Args:
        steps: the sequence of prunings, as `Path.as_data` has it.
        at: the price of a leaf.
        most: the largest price.
        drawings: the trees.
        language: the language of the words.
    """
    play, alpha, end = Play("price", language), Fraction(at), Fraction(most)
    risks, leaves = [Fraction(str(step["risk"])) for step in steps], [int(str(step["leaves"])) for step in steps]
    costs = [risk + alpha * count for risk, count in zip(risks, leaves, strict=True)]
    cheapest = [number for number, cost in enumerate(costs) if cost == min(costs)]
    rows = []
    for number, (risk, cost) in enumerate(zip(risks, costs, strict=True)):
        mark = "" if number not in cheapest else "best tie" if len(cheapest) > 1 else "best"
        parts = "".join(
            f'<b class="{of}" data-share="{of}{number}" style="--share:{float(part):.4f}"></b>'
            for of, part in (("r", risk), ("p", cost - risk))
        )
        rows.append(
            f'<tr data-mark="s{number}" class="{mark}"><th scope="row" class="name">{leaves[number]}</th>'
            f'<td class="r">{risk}</td>'
            f'<td class="wide"><span class="track parts" aria-hidden="true">{parts}</span></td>'
            f"{slot(f'c{number}', decimal(cost, 4), 'td', 'r')}</tr>"
        )
    trees = "".join(
        f'<div data-mark="t{number}" class="{"pruned on" if number == cheapest[-1] else "pruned"}">{drawing}</div>'
        for number, drawing in enumerate(drawings)
    )
    word = "tied" if len(cheapest) > 1 else "leaf" if leaves[cheapest[0]] == 1 else "cheapest"
    shown = str(alpha) if alpha.denominator < 10000 else decimal(alpha, 6)
    return play.figure(
        {"steps": steps, "at": at, "most": most},
        f'<p class="knob">α = {slot("at", shown)} ≈ {slot("decimal", decimal(alpha, 6))}</p>',
        play.slider(round(sqrt(alpha / end) * STEPS), "handle"),
        play.table(["leaves", "risk>", "parts", "cost>"], rows),
        says(play.say(word, leaves=leaves[cheapest[-1]], more=leaves[cheapest[0]])),
        f'<div class="trees">{trees}</div>',
        play.tools(),
    )
