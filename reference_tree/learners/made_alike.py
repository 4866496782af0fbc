r"""Made alike: how it is proved that two gains are equal though neither is rational.

The derivatives of a case are rationals, and rationals times one probability (`data.targets.Term`), which is a rational
function of some e^x. Enclosures tell two different gains apart, sooner or later. They never show that two are the same;
for that it takes what they are made of.

1. `made_of_gain` is what a gain is made of, such that gains made alike are equal.
2. `made_of_h` is the same for the H of a side.

Not every equality is found so. One that is not found ends as an error, as nothing is guessed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from fractions import Fraction

from reference_tree.data.sample import Counts
from reference_tree.data.targets import Term
from reference_tree.exact.rationals import Rational
from reference_tree.measures.gradient_gain import gradient_gain, structure_score


def _at(counts: Counts, terms: Sequence[Term], p: Rational) -> list[Rational]:
    """n, G and H, from the weight of each case and the value of the only symbol."""
    found = [(n, *(n * each for each in term.at(p))) for n, term in zip(counts, terms, strict=True) if n]
    return [Fraction(sum(column)) for column in zip(*found, strict=True)]


def _symbols(counts: Counts, terms: Sequence[Term]) -> set[Hashable]:
    return {term.symbol for n, term in zip(counts, terms, strict=True) if n} - {None}


def made_of_gain(rows: Sequence[Counts], terms: Sequence[Term], reg_lambda: Rational) -> Hashable:
    """What a gain is made of, such that gains made alike are equal; or the gain itself, if it is rational.

    Without a symbol it is rational. With one it is a quotient of polynomials of it. Two such gains are equal if they
    are for nine values of the symbol, for the numerator of their difference has a degree of at most eight.

    With several it is a sum of quotients G²/(H + λ), those of the sides less that of the node. Quotients are the same
    where G and H have the same of each symbol, but for the sign of G; and where λ is 0, those of multiples are
    multiples.

    Args:
        rows: of either side the weight of each case.
        terms: what the derivatives of each case are made of.
        reg_lambda: λ.
    """
    whole = tuple(map(sum, zip(*rows, strict=True)))
    if len(symbols := _symbols(whole, terms)) < 2:
        points = [Fraction(k, 10) for k in range(1, 10)]
        gains = [gradient_gain([_at(row, terms, p) for row in rows], reg_lambda) for p in points]
        return gains[0] if len(set(gains)) == 1 else (*symbols, *gains)
    found = defaultdict[Hashable, Rational](int)
    for times, row in ((1, rows[0]), (1, rows[1]), (-1, whole)):
        if _symbols(row, terms):
            quotient, size = _quotient(row, terms, scaled=not reg_lambda)
            found[quotient] += times * size
        else:
            found[None] += times * structure_score(_at(row, terms, Fraction(0)), reg_lambda)
    made = frozenset((quotient, size) for quotient, size in found.items() if quotient and size)
    return (found[None], made) if made else found[None]


def _quotient(counts: Counts, terms: Sequence[Term], *, scaled: bool) -> tuple[Hashable, Rational]:
    """How much G and H have of each symbol, whatever the sign of G; if scaled, as a multiple. Nothing, if G is 0."""
    g, h = defaultdict[Hashable, Rational](int), defaultdict[Hashable, Rational](int)
    for n, term in zip(counts, terms, strict=True):
        g[None] += n * term.constant
        g[term.symbol] += n * term.coefficient
        h[term.symbol] += n * term.h
    size = sum(h.values()) if scaled else 1
    parts = [frozenset((symbol, Fraction(c) / size) for symbol, c in each.items() if c) for each in (g, h)]
    turned = frozenset((symbol, -c) for symbol, c in parts[0])
    return (frozenset((parts[0], turned)), parts[1]) if parts[0] else (), size


def made_of_h(place: int, rows: Sequence[Counts], terms: Sequence[Term]) -> Hashable:
    """The H of a side, if there is no symbol in it; none if there is: it varies with some e^x, and is not rational.

    Args:
        place: of the side.
        rows: of either side the weight of each case.
        terms: what the derivatives of each case are made of.
    """
    return None if _symbols(rows[place], terms) else _at(rows[place], terms, Fraction(0))[2]
