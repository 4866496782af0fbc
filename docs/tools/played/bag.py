"""A bag of dots: how surprising each class is, and the average of that, the entropy."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from html import escape

from docs.tools.played.figure import Play, dots, says, slot, track, written
from reference_tree.exact.log_sums import Number, log
from reference_tree.exact.rounding import decimal
from reference_tree.measures.entropy import entropy, self_information


def bag(counts: Sequence[int], names: Sequence[str], language: str = "en") -> str:
    """A bag of dots: how surprising each class is, and the average of that, the entropy."""
    play, n, h = Play("bag", language), sum(counts), entropy([*filter(None, counts)])
    kinds = sum(map(bool, counts))
    word = "sure" if kinds == 1 else "even" if h == log(kinds) else "mixed"
    rows = (_class(play, k, name, count, n) for k, (name, count) in enumerate(zip(names, counts, strict=True)))
    foot = f'<tr><th scope="row">{play.words["entropy"]}</th>{slot("all", n, "td")}<td></td><td></td>'
    foot = f"<tfoot>{foot}{slot('entropy', decimal(h), 'td', 'r')}</tr></tfoot>"
    evenly = " ".join("5" for _ in counts)
    return play.figure(
        {"counts": list(counts)},
        f'<div class="halves"><div class="bag">{dots("bag", counts, "put {} -1")}</div>',
        play.table(["class", "dots", "p>", "surprise>", "product>"], rows, foot) + "</div>",
        f'<div class="meter">{track("entropy", float(h / log(len(counts))))}',
        slot("exact", written(h), of="exact") + "</div>",
        says(play.say(word, kinds=kinds, entropy=decimal(h))),
        play.tools(
            play.button("set 12 0 0", "alike"), play.button(f"set {evenly}", "evenly"), play.button("set 4 2 2", "tail")
        ),
    )


def _class(play: Play, k: int, name: str, count: int, n: int) -> str:
    share = Fraction(count, n)
    surprise: Number = self_information(share) if count else 0
    figures = {
        "p": share,
        "s": decimal(surprise, 4) if count else "–",
        "w": decimal(surprise * share, 4) if count else 0,
    }
    less = play.button(f"put {k} -1", "less", shows="−", name=name)
    more = play.button(f"put {k} 1", "more", shows="+", name=name)
    return (
        f'<tr><th scope="row"><span class="dots" aria-hidden="true"><i class="k{k}"></i></span> {escape(name)}</th>'
        f'<td><span class="steps">{less}{slot(f"n{k}", count, "output")}{more}</span></td>'
        f"{''.join(slot(f'{of}{k}', figure, 'td', 'r') for of, figure in figures.items())}</tr>"
    )
