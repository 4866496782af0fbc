r"""Gradient sums: numbers that are computed from the sums G and H of some rows.

They are rational if the derivatives are. Otherwise each derivative is computed from rational numbers and one
probability (`data.targets.DerivativeTerm`), which is a rational function of some e^x. A number computed from
their sums is then enclosed in an interval that is as narrow as needed.

1. `of_rows` is a number computed from the rows of a node.
2. `Sides` are the rows on either side of a test, with their `gain` and the `h` of each side.
3. `made_of_gain` and `made_of_h` are keys of these numbers: numbers with equal keys are equal. Enclosures show sooner
   or later that two numbers differ, but they never show that two numbers are equal.

Not every equality is found so. If one is not found, the comparison ends with an error; nothing is guessed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, partial

from reference_tree.data.questions import Test
from reference_tree.data.sample import Counts, Partition, Sample
from reference_tree.data.targets import Classes, DerivativeTerm, Gradients
from reference_tree.exact.intervals import Interval, Refined
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.measures.gradient_gain import gradient_gain, structure_score
from reference_tree.splitting.missing_rules import sent


def of_rows(sample: Sample, formula: Callable[[Sequence[Number]], Number]) -> Number:
    """A number that is computed from all rows of a node.

    Args:
        sample: the rows, counted by `Gradients`.
        formula: computes the number from n, G and H.
    """
    target = _gradients(sample)
    if not target.off:
        return formula(sample.total())
    # The sums are lower bounds, additive over rows; their enclosure is as wide as their weight times the width of one
    # derivative. A narrower one needs finer derivatives, and so the rows counted again.
    return Refined(lambda bits: formula(target.at(bits).enclosed(_counted(sample, bits).total())))


def _gradients(sample: Sample) -> Gradients:
    """The target of a sample as derivatives; the learner counts nothing else."""
    target = sample.target
    assert isinstance(target, Gradients)
    return target


def _counted(sample: Sample, bits: int) -> Sample:
    """The same rows, with derivatives of this many bits."""
    target = _gradients(sample)
    # The first enclosure uses the derivatives that the sample has already: rows are counted again only where that does
    # not decide.
    finer = target.at(bits)
    return sample if finer is target else sample.against(finer)


@dataclass(frozen=True, eq=False)
class Sides:
    """The rows on either side of a test.

    Args:
        sample: the rows, counted by `Gradients`.
        test: the test.
        parted: its partition.
        side: the side of the rows without the value, `LEFT` or `RIGHT`.
    """

    sample: Sample
    test: Test
    parted: Partition
    side: int

    @cached_property
    def table(self) -> Partition:
        """The partition, with the rows without the value on their side."""
        return sent(self.parted, self.side)

    def gain(self, reg_lambda: Rational, reg_alpha: Rational = 0) -> Number:
        """The gain of the test: `gradient_gain`.

        Args:
            reg_lambda: λ.
            reg_alpha: α.
        """
        return self._made(
            lambda rows: gradient_gain(rows, reg_lambda, reg_alpha),
            lambda rows, terms: made_of_gain(rows, terms, reg_lambda, reg_alpha, partial(self._vanishes, reg_alpha)),
        )

    def _vanishes(self, reg_alpha: Rational, row: Counts) -> bool:
        """Whether the G of some rows, from the weight of each case, is surely shrunk to 0 by α."""
        target = _gradients(self.sample)
        # From the enclosure, without refining: a G that is surely within α of 0 is shrunk to 0 exactly, whatever it is.
        # If the enclosure does not show that, the key is made of G as it stands.
        low = sum(n * target.g[case] for n, case in zip(row, self.sample.schema.target.domain, strict=True))
        return -reg_alpha <= low and low + sum(row) * target.off <= reg_alpha

    def h(self, side: int) -> Number:
        """The sum of the second derivatives of the rows on a side."""
        return self._made(lambda rows: rows[side][2], partial(made_of_h, side))

    def _made(
        self,
        formula: Callable[[Sequence[Sequence[Number]]], Number],
        made: Callable[[Sequence[Counts], Sequence[DerivativeTerm]], Hashable],
    ) -> Number:
        """The number that a formula computes from the sums of both sides; `made` computes its key."""
        target = _gradients(self.sample)
        if not target.off:
            return formula(self.table.rows)

        def narrow(bits: int) -> Interval:
            counted = _counted(self.sample, bits)
            rows = self.table.rows if counted is self.sample else self._rows(counted)
            enclosed: Interval = formula([target.at(bits).enclosed(row) for row in rows])
            return enclosed

        def made_so() -> Hashable:
            # Keys are made of weights of cases, as exact as the rows: no derivative is rounded in a key.
            cases = self.sample.schema.target.domain
            return made(self._rows(self.sample.against(Classes(cases))), [target.terms[case] for case in cases])

        return Refined(narrow, made_so)

    def _rows(self, sample: Sample) -> Sequence[Counts]:
        """Both rows of the partition, counted by another sample of the same rows."""
        return sent(sample.partition(self.test), self.side).rows


def _symbols(counts: Counts, terms: Sequence[DerivativeTerm]) -> Iterator[Hashable]:
    return (term.symbol for n, term in zip(counts, terms, strict=True) if n and term.symbol is not None)


def made_of_gain(
    rows: Sequence[Counts],
    terms: Sequence[DerivativeTerm],
    reg_lambda: Rational,
    reg_alpha: Rational = 0,
    vanishes: Callable[[Counts], bool] = lambda row: False,
) -> Hashable:
    """A key of a gain: gains with equal keys are equal. If the gain is rational, the key is the gain itself.

    Without a symbol the gain is rational. With one symbol it is a quotient of two polynomials in the symbol. Two such
    gains are equal if they are equal at nine values of the symbol, because the numerator of their difference has a
    degree of at most eight.

    With several symbols it is a sum of quotients G²/(H + λ): those of the two sides, minus that of the node. Two
    quotients are equal if G and H have the same coefficients of each symbol; the sign of G does not matter. If λ is 0,
    G and H multiplied by a number give the quotient multiplied by that number. With α, G is shrunk, and only its
    coefficients tell that two quotients are equal.

    Args:
        rows: the weight of each case on each side.
        terms: the terms of the derivatives of each case.
        reg_lambda: λ.
        reg_alpha: α.
        vanishes: whether the G of some rows is surely shrunk to 0, so that they have no quotient.
    """
    # With α the gain is a quotient of polynomials only piece by piece, and agreement at nine values proves nothing. So
    # rational gains alone are compared by them there.
    whole = tuple(map(sum, zip(*rows, strict=True)))
    if len(symbols := set(_symbols(whole, terms))) < (1 if reg_alpha else 2):
        gains = _nine_gains(tuple(sorted(_added(row, terms) for row in rows)), reg_lambda, reg_alpha)
        return gains[0] if len(set(gains)) == 1 else (*symbols, *gains)
    found = defaultdict[Hashable, Rational](int)
    for times, row in ((1, rows[0]), (1, rows[1]), (-1, whole)):
        if reg_alpha and vanishes(row):
            continue
        if next(_symbols(row, terms), None) is not None:
            quotient, size = _quotient(row, terms, scaled=not (reg_lambda or reg_alpha))
            found[quotient] += times * size
        else:
            term, h = _added(row, terms)
            found[None] += times * structure_score((0, term.constant, h), reg_lambda, reg_alpha)
    made = frozenset((quotient, size) for quotient, size in found.items() if quotient and size)
    return (found[None], made) if made else found[None]


def _added(counts: Counts, terms: Sequence[DerivativeTerm]) -> tuple[DerivativeTerm, Rational]:
    """The terms of some rows of one symbol as one term, from the weight of each case; the H of those without it."""
    constant: Rational = 0
    coefficient, of_symbol, known = constant, constant, constant
    for n, term in zip(counts, terms, strict=True):
        if n:
            constant += n * term.constant
            if term.symbol is None:
                known += n * term.h
            else:
                coefficient, of_symbol = coefficient + n * term.coefficient, of_symbol + n * term.h
    return DerivativeTerm(
        constant, coefficient, of_symbol, "p"
    ), known  # not the symbol itself, since its hash takes long


@lru_cache(maxsize=1 << 10)  # many tests divide the rows of a node alike
def _nine_gains(
    sides: Sequence[tuple[DerivativeTerm, Rational]], reg_lambda: Rational, reg_alpha: Rational
) -> Sequence[Number]:
    """The gain of a test at nine values of the symbol, from the terms of both sides."""
    # Between 0 and 1, where p(1 - p) and so every H with a row is positive. A quotient of a side is G²/(H + λ), of
    # degree 2 over 2; two tests of one node share the quotient of the whole. So the numerator of the difference of
    # their gains has the degree 8 at most, and nine zeros are more than it can have.
    points = [Fraction(k, 10) for k in range(1, 10)]
    rows = ([(0, g, h + known) for term, known in sides for g, h in [term.at(p)]] for p in points)
    return [gradient_gain(row, reg_lambda, reg_alpha) for row in rows]


def _quotient(counts: Counts, terms: Sequence[DerivativeTerm], *, scaled: bool) -> tuple[Hashable, Rational]:
    """A key of a quotient, and a factor: the coefficients in G (up to sign) and H, over the factor; () if G is 0."""
    found: dict[Hashable, list[Rational]] = {None: [0, 0]}
    for n, term in zip(counts, terms, strict=True):
        if n:
            of_symbol = found.setdefault(term.symbol, [0, 0])  # once a case, since the hash of a symbol takes long
            found[None][0] += n * term.constant
            of_symbol[0] += n * term.coefficient
            of_symbol[1] += n * term.h
    size = sum(h for _, h in found.values()) if scaled else 1
    parts = [frozenset((symbol, Fraction(c[of]) / size) for symbol, c in found.items() if c[of]) for of in (0, 1)]
    # G² does not tell G from -G, so both signs are one key.
    turned = frozenset((symbol, -c) for symbol, c in parts[0])
    return (frozenset((parts[0], turned)), parts[1]) if parts[0] else (), size


def made_of_h(place: int, rows: Sequence[Counts], terms: Sequence[DerivativeTerm]) -> Hashable:
    """The H of a side if it has no symbol; otherwise None, as it then varies with some e^x, and is not rational.

    Args:
        place: the number of the side.
        rows: the weight of each case on each side.
        terms: the terms of the derivatives of each case.
    """
    return _added(rows[place], terms)[1] if next(_symbols(rows[place], terms), None) is None else None
