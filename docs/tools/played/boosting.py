"""A boosting tree round by round: the sum of the trees through the points, the residuals as bars, and the loss."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from html import escape

import reference_tree as rt
from docs.tools.played.figure import Play, says, short, slot, threshold_of
from reference_tree.exact.rounding import decimal
from reference_tree.tree import Tree

MOST = 6
"""So many rounds there are room for."""
RATES = ("1", "1/2", "1/10")


def boosting(points: Sequence[tuple[str, str]], of: str, rate: str, at: int, language: str = "en") -> str:
    """The figure.

    Args:
        points: two numbers for each row: the one that is asked for, in order, and the one that is predicted.
        of: the name of the first.
        rate: how much of each tree is added.
        at: how many rounds are shown.
        language: the language of the words.
    """
    play = Play("boosting", language)
    xs, ys = ([Fraction(point[place]) for point in points] for place in (0, 1))
    sums, rounds = [Fraction(0)] * len(points), []
    for _ in range(at):
        left = [y - f for y, f in zip(ys, sums, strict=True)]
        tree = rt.CART(max_depth=1).grow(rt.Table.from_columns({of: xs, "": left}, continuous=["", of]))
        sums = [f + Fraction(rate) * Fraction(tree.predict({of: x})) for x, f in zip(xs, sums, strict=True)]
        rounds.append((tree, _loss(ys, sums)))
    left = [y - f for y, f in zip(ys, sums, strict=True)]
    widest, high = max(map(abs, left)) or 1, max(ys) or 1
    plot = "".join(
        f'<div><b class="sum" data-share="f{i}" style="--share:{float(f / high):.4f}"></b>'
        f'<b class="ring" data-share="y{i}" style="--share:{float(y / high):.4f}"></b></div>'
        for i, (y, f) in enumerate(zip(ys, sums, strict=True))
    )
    bars = "".join(
        f'<div><b data-mark="b{i}" class="{"bar less" if r < 0 else "bar"}" data-share="r{i}"'
        f' style="--share:{float(abs(r) / widest):.4f}"></b></div>'
        for i, r in enumerate(left)
    )
    numbers = "".join(slot(f"r{i}", _brief(r)) for i, r in enumerate(left))
    names = "".join(f"<span>{short(x)}</span>" for x in xs)
    rows = [_round(of, m, rounds[m] if m < len(rounds) else None) for m in range(MOST)]
    return play.figure(
        {"points": points, "of": of, "rate": rate, "at": at},
        f'<p class="label">{play.words["sum"]}</p><div class="columns plot" aria-hidden="true">{plot}</div>',
        f'<p class="label">{slot("scale", play.say("scale", most=_brief(Fraction(widest))))}</p>',
        f'<div class="columns residuals" aria-hidden="true">{bars}</div>',
        f'<div class="columns numbers">{numbers}</div>',
        f'<div class="columns numbers names"><i>{escape(of)}</i>{names}</div>',
        says(_told(play, rounds, _loss(ys, [Fraction(0)] * len(ys)))),
        play.tools(play.button("next", "next"), play.button("back", "back"), *_rates(play, rate)),
        play.table(["round", "question", "left>", "right>", "loss>"], rows),
    )


def ten_points(rate: str = "1", language: str = "en") -> str:
    """Table 8.2 of Li Hang, after one round."""
    points = [(str(row["x"]), str(Fraction(str(row["y"])))) for row in rt.textbook("li-hang-8.2").rows()]
    return boosting(points, "x", rate, 1, language)


def _rates(play: Play, rate: str) -> list[str]:
    """A button for each rate."""
    pressed = {one: ("on", "true") if one == rate else ("", "false") for one in RATES}
    return [
        f'<button type="button" disabled data-does="rate {one}" data-mark="rate{one}" class="{mark}"'
        f' aria-pressed="{is_on}">{escape(play.say("rate", rate=one))}</button>'
        for one, (mark, is_on) in pressed.items()
    ]


def _loss(ys: Sequence[Fraction], sums: Sequence[Fraction]) -> Fraction:
    return sum(((y - f) ** 2 for y, f in zip(ys, sums, strict=True)), start=Fraction(0))


def _brief(number: Fraction) -> str:
    return decimal(number, 2)


def _told(play: Play, rounds: Sequence[tuple[Tree, Fraction]], first: Fraction) -> str:
    before = rounds[-2][1] if len(rounds) > 1 else first
    loss = rounds[-1][1]
    return play.say(
        "done" if not loss else "fitted", round=len(rounds), before=decimal(before, 4), loss=decimal(loss, 4)
    )


def _round(of: str, m: int, found: tuple[Tree, Fraction] | None) -> str:
    texts = [""] * 5
    if found is not None:
        root, *below = found[0].nodes
        threshold = threshold_of(found[0])
        asks = "–" if threshold is None else f"{of} ≤ {short(threshold)}"
        answers = [decimal(Fraction(node.label), 4) for node in below or (root, root)]
        texts = [str(m + 1), asks, *answers, decimal(found[1], 4)]
    cells = "".join(
        slot(f"{name}{m}", text, "td", "r" if name in "acz" else "")
        for name, text in zip(("n", "q", "a", "c", "z"), texts, strict=True)
    )
    return f'<tr data-mark="r{m}" class="{"grown" if found else "later"}">{cells}</tr>'
