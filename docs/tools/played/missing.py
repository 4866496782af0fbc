"""Cells that are erased: a row without an answer goes down every branch, a fraction of it in each."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from html import escape
from math import sqrt

from docs.tools.played.figure import Play, dots, says, slot, written
from docs.tools.played.gain import days
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rounding import decimal
from reference_tree.splitting.missing_values import branch_shares, gain_with_missing, known_fraction

Counts = Sequence[Sequence[int]]


def missing(
    values: Sequence[str], labels: Sequence[str], rows: Counts, erased: Sequence[int], language: str = "en"
) -> str:
    """The figure.

    Args:
        values: the values of an attribute.
        labels: the classes.
        rows: for each row the places of its value and of its class.
        erased: the rows whose value is erased.
        language: the language of the words.
    """
    play = Play("missing", language)
    kept = [row for number, row in enumerate(rows) if number not in erased]
    table = [[sum(list(row) == [v, k] for row in kept) for k in range(len(labels))] for v in range(len(values))]
    unknown = [sum(rows[number][1] == k for number in erased) for k in range(len(labels))]
    chips = "".join(
        f'<button type="button" disabled data-does="erase {number}" data-mark="m{number}"'
        f' class="{"chip gone" if number in erased else "chip"}">{number + 1}. '
        f"{slot(f'v{number}', '?' if number in erased else values[v])}"
        f' <span class="dots"><i class="k{k}"></i></span></button>'
        for number, (v, k) in enumerate(rows)
    )
    shares = [Fraction(share) for share in branch_shares(table)]
    branches = [
        _branch(v, name, known, unknown, share)
        for v, (name, known, share) in enumerate(zip(values, table, shares, strict=True))
    ]
    gain: Number = gain_with_missing(table, unknown) if sum(map(any, table)) > 1 else 0
    rho = Fraction(known_fraction(table, unknown))
    head = "".join(f'<th scope="col" class="r">{escape(label)}</th>' for label in labels)
    heads = "".join(f'<th scope="col">{play.words[name]}</th>' for name in ("branch", "rows", "share"))
    return play.figure(
        {"values": values, "labels": labels, "rows": rows, "erased": erased},
        f'<div class="chips" data-arrows="1">{chips}</div>',
        f'<table class="slots"><thead><tr>{heads}{head}</tr></thead><tbody>{"".join(branches)}</tbody></table>',
        f'<p class="knob">{play.words["gain"]} = {slot("rho", rho)} × {slot("known", decimal(gain / rho))} = ',
        f"<strong>{slot('gain', decimal(gain))}</strong></p><p>{slot('exact', written(gain), of='exact')}</p>",
        says(play.say("some" if erased else "none", erased=len(erased))),
        play.tools(),
        classes=labels,
    )


def outlook(language: str = "en") -> str:
    """The outlook of the fourteen days; that of day 12 is erased."""
    columns, rows = days(language)
    (_, values), (_, labels) = columns[0], columns[-1]
    return missing(values, labels, [(values.index(row[0]), labels.index(row[-1])) for row in rows], [11], language)


def _branch(v: int, name: str, known: Sequence[int], unknown: Sequence[int], share: Fraction) -> str:
    weights = [here + share * away for here, away in zip(known, unknown, strict=True)]
    parts = dots(f"f{v}", unknown if share else [0 for _ in unknown])
    return (
        f'<tr><th scope="row">{escape(name)}</th><td>{dots(f"k{v}", known)} '
        f'<span class="parts-of" data-share="z{v}" style="--share:{sqrt(share):.4f}">{parts}</span></td>'
        f"{slot(f's{v}', share, 'td')}"
        f"{''.join(slot(f'w{v}.{k}', weight, 'td', 'r') for k, weight in enumerate(weights))}</tr>"
    )
