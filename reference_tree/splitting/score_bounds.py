r"""Bounds of scores: integers between which the exact score of a table lies.

`table_bounds` is for every kind of question, so that multiway splits, subsets and cuts can be compared before an exact
score is computed for any of them. The unit is the same for all questions of one sample and one measure, and means
nothing beyond that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from reference_tree.data.sample import Partition, multiples
from reference_tree.exact.choosing import ESTIMATE_BITS, Bounds
from reference_tree.exact.rationals import Rational
from reference_tree.splitting.ratio_bounds import gain_bounds


def table_bounds(table: Partition, measure: str, scale: Sequence[int] | None = None) -> Bounds:
    r"""Between which integers the score of a question lies, times the weight of the sample.

    Where answers are missing, the score is the share of the known rows, ρ, times the score on these:
    $|D| \cdot \rho \cdot \mathrm{score} = |\tilde D| \cdot \mathrm{score}$.

    Args:
        table: the sample partition; of a numeric target, of moments.
        measure: `gain`, `gini_decrease` or `variance_reduction`.
        scale: a positive integer for each class, by which its column is multiplied first (altered priors).

    Returns:
        In units of 2^-64 bits, of 2^-64, or, for squared errors, of the 2^-64th part of that of the sample.

    Raises:
        ValueError: there is no such measure.

    Example:
        >>> outlook = Partition((), ((0, 4), (2, 3), (3, 2)), (0, 0))
        >>> [f"{table_bounds(outlook, measure).low / 2**64 / 14:.6f}" for measure in ("gain", "gini_decrease")]
        ['0.246750', '0.116327']
        >>> halves = Partition((), ((2, 3, 5), (2, 9, 41)), (0, 0, 0))      # of 1, 2 | 4, 5
        >>> f"{table_bounds(halves, 'variance_reduction').low / 2**64:.6f}"
        '0.900000'
    """
    if measure == "variance_reduction":
        return _variance_bounds(table)
    if scale is not None:
        rows = tuple(tuple(f * cell for f, cell in zip(scale, row, strict=True)) for row in table.rows)
        table = table._replace(rows=rows)  # the rows without an answer only count in |D|, which is the same for all
    if measure == "gain":
        return gain_bounds(table)
    if measure == "gini_decrease":
        return _gini_bounds(table)
    raise ValueError(f"there are no bounds for the measure {measure!r}")


def _gini_bounds(table: Partition) -> Bounds:
    r"""$2^{64}\,|\tilde D|$ times the decrease of Gini: $\sum_i \sum_j s_{ij}^2 / s_{i\cdot} - \sum_j c_j^2 / n$."""
    rows = [row for row in table.rows if any(row)]
    if not rows:
        return Bounds(0, 1)
    cells, unit = multiples([cell for row in rows for cell in row])
    width = len(rows[0])
    whole = [cells[start : start + width] for start in range(0, len(cells), width)]
    classes = list(map(sum, zip(*whole, strict=True)))
    return _times(_difference(((_squares(row), sum(row)) for row in whole), (_squares(classes), sum(classes))), unit)


def _variance_bounds(table: Partition) -> Bounds:
    r"""$2^{64}\,|\tilde D|$ times the reduction of the variance, over |D| times the variance of the whole sample.

    $$\frac{\sum_i (wy)_i^2 / w_i - (wy)^2 / w}{\mathrm{SSE}(D)}$$
    """
    rows = [row for row in table.rows if row[0]]
    w, wy, wyy = (sum(column) for column in zip(*table.rows, table.unknown, strict=True))
    error = w * wyy - wy * wy
    if not error or not rows:
        return Bounds(0, 1)
    weights, unit = multiples([row[0] for row in rows])
    sums, grain = multiples([row[1] for row in rows])
    squares = ((s * s, weight) for s, weight in zip(sums, weights, strict=True))
    # The error of the sample may be small beside a unit of grain²/unit: so much finer are the quotients.
    factor = Fraction(grain * grain * w) / (unit * error)
    extra = max(0, factor.numerator.bit_length() - factor.denominator.bit_length() + 1)
    return _times(_difference(squares, (sum(sums) ** 2, sum(weights)), extra), factor / (1 << extra))


def _difference(parts: Iterable[tuple[int, int]], whole: tuple[int, int], extra: int = 0) -> Bounds:
    """A sum of quotients less another quotient, in units of 2^-(64 + extra); each is cut to an integer from below."""
    bits = ESTIMATE_BITS + extra
    quotients = [(top << bits) // bottom for top, bottom in parts]
    of_whole = (whole[0] << bits) // whole[1]
    return Bounds(sum(quotients) - of_whole - 1, sum(quotients) + len(quotients) - of_whole)


def _times(bounds: Bounds, factor: Rational) -> Bounds:
    """What encloses the number times a positive factor."""
    top, bottom = factor.numerator, factor.denominator
    return Bounds(bounds.low * top // bottom, -(-bounds.high * top // bottom))


def _squares(row: Iterable[int]) -> int:
    return sum(cell * cell for cell in row)
