"""AdaBoost round by round: the weights as the size of dots, what each stump gets wrong, and the votes summed."""

from __future__ import annotations

from fractions import Fraction
from html import escape
from math import sqrt

import reference_tree as rt
from docs.tools.played.cut import Points
from docs.tools.played.figure import Play, brief, dot, dots, says, short, slot, stacked, threshold_of
from reference_tree.ensembles.adaboost import WeightedRound, coefficient

MOST = 6
"""So many rounds there are room for."""


def adaboost(points: Points, of: str, at: int, language: str = "en") -> str:
    """The figure.

    Args:
        points: a number and the place of a class for each row, in the order of the numbers.
        of: the name of the numbers.
        at: how many rounds are shown.
        language: the language of the words.
    """
    play = Play("adaboost", language)
    table = rt.Table.from_columns({of: [Fraction(x) for x, _ in points], "": [str(k) for _, k in points]}, "")
    learner = rt.AdaBoost(trees=at, bits=None)
    rounds = list(learner.rounds(table))
    ensemble, shown = learner.grow(table), rounds[-1]
    voted = [int(str(ensemble.predict(row))) for row in table.rows()]
    wrong = [i for i, (_, k) in enumerate(points) if voted[i] != k]
    said = [k if not missed else 1 - k for (_, k), missed in zip(points, shown.missed, strict=True)]
    cells = {
        "of": "".join(f'<th scope="col">{short(Fraction(x))}</th>' for x, _ in points),
        "row": "".join(_point(play, i, of, x, k, shown) for i, (x, k) in enumerate(points)),
        "weight": "".join(f"<td>{stacked(f'w{i}', Fraction(weight))}</td>" for i, weight in enumerate(shown.weights)),
        "tree": "".join(_verdict(f"t{i}", k, shown.missed[i]) for i, k in enumerate(said)),
        "vote": "".join(_verdict(f"v{i}", k, i in wrong) for i, k in enumerate(voted)),
    }
    heads = {name: escape(of if name == "of" else play.words[name]) for name in cells}
    lines = [f'<tr class="of-{name}"><th scope="row">{heads[name]}</th>{line}</tr>' for name, line in cells.items()]
    missed = ", ".join(short(Fraction(x)) for (x, _), miss in zip(points, shown.missed, strict=True) if miss)
    word = "perfect" if shown.is_perfect else "chance" if shown.is_chance else "missed"
    told = play.say(word, missed=missed, error=brief(Fraction(shown.error)), round=len(rounds))
    counted = play.say("all_right" if not wrong else "votes", wrong=len(wrong), rows=len(points))
    return play.figure(
        {"points": points, "of": of, "at": at},
        f'<table class="slots across"><thead>{lines[0]}</thead><tbody>{"".join(lines[1:])}</tbody></table>',
        says(f"{told} {counted}"),
        play.tools(play.button("next", "next"), play.button("back", "back")),
        play.table(
            ["round", "question", "error", "alpha>"],
            (_round(of, m, rounds[m] if m < len(rounds) else None) for m in range(MOST)),
        ),
        classes=("-1", "1"),
    )


def ten_rows(language: str = "en") -> str:
    """Table 8.1 of Li Hang, after one round."""
    table = rt.textbook("li-hang-8.1")
    return adaboost([(str(row["x"]), int(row["y"] == "-1")) for row in table.rows()], "x", 1, language)


def _point(play: Play, i: int, of: str, x: str, k: int, shown: WeightedRound) -> str:
    threshold = threshold_of(shown.tree)
    inside = threshold is not None and Fraction(x) <= threshold
    mark = " ".join(name for name, holds in (("low", inside), ("wrong", shown.missed[i])) if holds)
    label = escape(play.say("point", of=of, value=short(Fraction(x))))
    weight = f'<span data-share="s{i}" style="--share:{sqrt(shown.weights[i]):.4f}">'
    return (
        f'<td data-mark="m{i}" class="{mark}"><button type="button" disabled data-does="flip {i}" aria-label="{label}">'
        f"{weight}{dots(f'p{i}', [int(k == 0), int(k == 1)])}</span></button></td>"
    )


def _verdict(name: str, k: int, wrong: bool) -> str:
    return f"<td>{dot(name, k)}{slot(f'{name}x', '✗' if wrong else '')}</td>"


def _round(of: str, m: int, found: WeightedRound | None) -> str:
    if found is None:
        texts, sides, mark = ["", "", "", ""], [-1, -1], "later"
    else:
        threshold = threshold_of(found.tree)
        asks = "–" if threshold is None else f"{of} ≤ {short(threshold)}"
        error = Fraction(found.error)
        votes = "∞" if not error else f"½ ln {brief((1 - error) / error)} ≈ {float(coefficient(error)):.4f}"
        texts, mark = [str(m + 1), asks, brief(error), votes], "grown"
        sides = [int(str(found.tree.nodes[n].label)) for n in ((0, 0) if threshold is None else (1, 2))]
    left, right = (dot(f"{name}{m}", k) for name, k in zip("lr", sides, strict=True))
    return (
        f'<tr data-mark="r{m}" class="{mark}">{slot(f"n{m}", texts[0], "td")}'
        f"<td>{slot(f'q{m}', texts[1])} {left} {right}</td>"
        f"{slot(f'e{m}', texts[2], 'td')}{slot(f'a{m}', texts[3], 'td', 'r')}</tr>"
    )
