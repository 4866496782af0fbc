r"""Corner subsets: the best set of values for three or more classes, without trying every set.

For two classes the values have an order, and a winner cuts it (`splitting.ordered_subsets`). For k classes a value is
a point with k coordinates, its counts, and there is no order. What remains of it is this: a winner is the side of a
*plane* through 0. With q values there are 2^(q-1) - 1 sets, and at most sums of binomials of planes,

$$\sum_{i=0}^{k-1} \binom{q-1}{i}$$

about q^(k-1) for a fixed k: of forty values and three classes 781 sets, not half a billion.

1. `corners` lists the sets of vectors that a plane through 0 separates from the others.
2. `corner_subsets` are the tests that name these sets of values; `corners_hold` says where no winner is lost.
3. `steps` is the work, by which a learner chooses between these sets and all sets.

Source:
    [Breiman1984 §4.2] for k = 2; [Cover1965] counts the sets; [BurshteinEtAl1992] has planes for k classes
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd, lcm, perm

from reference_tree.data.sample import Partition
from reference_tree.exact.rationals import Rational
from reference_tree.measures.measure import measures
from reference_tree.splitting.binary_subsets import (
    LIMIT,
    Grouping,
    Side,
    all_subsets,
    groupings,
    one_vs_rest,
    values_of,
)
from reference_tree.twins import twin

STRICTLY_CONCAVE = frozenset(name for name, measure in measures().items() if measure.strictly_concave)
"""The measures with a strictly concave impurity: no two samples of other shares are as impure as their mixture."""

MOST_STEPS = 1_000_000
"""The most steps that are taken for one attribute at one node."""

Vector = tuple[int, ...]


@twin
def corners(vectors: Sequence[Vector]) -> set[int]:
    """The sets of vectors that lie on one side of a plane through 0, none of the vectors on the plane.

    Args:
        vectors: integer vectors of one length, none of them 0.

    Returns:
        Bit masks of the sets, the first vector being the lowest bit; of each set and its complement at least one.

    Example:
        >>> sorted({min(mask, 7 - mask) for mask in corners([(1, 0), (1, 1), (0, 1)])})   # the middle one is not alone
        [0, 1, 3]

    Source:
        [Cover1965]
    """
    # Turn a plane until it meets one of the vectors, n: its normal is then orthogonal to n, and on which side each
    # other vector lies is told by projections along n, in one dimension less. Turned a little further to
    # either side, n lies on the one or on the other, and with it all multiples of n. If all vectors are multiples of
    # one another, no plane tells more than which of them point the same way.
    lines = lines_of(vectors)
    if len(lines) == 1:
        return set(*lines.values())
    found = set[int]()
    for n, (along, against) in lines.items():
        others = [place for place in range(len(vectors)) if not (along | against) >> place & 1]
        for mask in corners.__wrapped__([projected(vectors[place], n) for place in others]):  # type: ignore[attr-defined]
            rest = sum(1 << place for bit, place in enumerate(others) if mask >> bit & 1)
            found |= {rest | along, rest | against}
    return found


def lines_of(vectors: Sequence[Vector]) -> dict[Vector, tuple[int, int]]:
    """The lines through 0 on which vectors lie: the shortest vector → masks of those along it, and against it."""
    lines: dict[Vector, tuple[int, int]] = {}
    for place, vector in enumerate(vectors):
        divisor = gcd(*vector)
        is_along = next(c for c in vector if c) > 0
        line = tuple(c // divisor if is_along else -c // divisor for c in vector)
        along, against = lines.get(line, (0, 0))
        lines[line] = (along | 1 << place, against) if is_along else (along, against | 1 << place)
    return lines


def projected(vector: Vector, n: Vector) -> Vector:
    """A vector without its part along n, by leaving out a coordinate in which n is positive.

    If u is orthogonal to n, u·x has the sign of u'·x', where x' is this vector and u' is u without the coordinate.
    """
    at = next(place for place, c in enumerate(n) if c)
    return tuple(c * n[at] - n[place] * vector[at] for place, c in enumerate(vector) if place != at)


def corner_subsets(attribute: str, table: Partition) -> Iterator[Grouping]:
    """The tests whose named values a plane through 0 separates from the others.

    Args:
        attribute: the name of the attribute.
        table: its multiway sample partition, of class counts.

    Returns:
        Tests in the order of their bit masks. Where `corners_hold`, all winners among `all_subsets` are here. If
        the shares of all values are equal, no test is better than another: then all of them, or beyond `LIMIT`
        values those of `one_vs_rest`.

    Example:
        >>> from reference_tree.data.outcomes import Outcome
        >>> outcomes = tuple(Outcome("is", value) for value in "abcd")
        >>> parts = Partition(outcomes, ((3, 0, 0), (2, 0, 1), (1, 0, 2), (0, 3, 0)), unknown=(0, 0, 0))
        >>> [test.name for test, _ in corner_subsets("x", parts)]      # b is between a and c, and never alone
        ['x in {a}', 'x in {a, b}', 'x in {c}', 'x in {b, c}', 'x in {a, b, c}']

    Source:
        [BurshteinEtAl1992]
    """
    values = values_of(table)
    vectors = [_whole(row) for _, row in values]
    if len(lines_of(vectors)) < 2:
        return all_subsets(attribute, table) if len(values) <= LIMIT else one_vs_rest(attribute, table)
    all_of_them, last = (1 << len(values)) - 1, 1 << len(values) - 1
    masks = {mask ^ all_of_them if mask & last else mask for mask in corners(vectors)}
    sides = []
    for mask in sorted(masks - {0}):
        rows = [row for bit, row in values if mask & bit]
        sides.append(Side(mask, tuple(map(sum, zip(*rows, strict=True)))))
    return groupings(attribute, table, sides)


def _whole(row: Sequence[Rational]) -> Vector:
    """An integer vector in the direction of some weights, which alone tells on which side of a plane it lies."""
    unit = lcm(*(Fraction(weight).denominator for weight in row))
    return tuple(int(weight * unit) for weight in row)


def corners_hold(table: Partition, measure: str, minimum: Rational = 1) -> bool:
    """Whether every winner among all subsets is one of `corner_subsets`, and these are found in fewer steps.

    The conditions are those of `splitting.ordered_subsets.ordering_holds`, but for the number of classes: a strictly
    concave impurity, and no value too light for a branch of its own.

    Args:
        table: the multiway sample partition of an attribute, of class counts.
        measure: the measure that scores the tests, as candidates name it.
        minimum: the least weight of a branch.

    Example:
        >>> parts = Partition((), ((3, 0, 0), (2, 0, 1), (1, 0, 2), (0, 3, 0)) * 4, unknown=(0, 0, 0))
        >>> corners_hold(parts, "gini_decrease"), corners_hold(parts, "gini_decrease", minimum=4)
        (True, False)

    Source:
        [BurshteinEtAl1992]
    """
    # Proof. A value is the vector x_v of its counts, a side the sum x of its values, so all sides lie in the polytope
    # Z = {Σ t_v·x_v : 0 ≤ t_v ≤ 1}. By weight the impurity falls by d(x) = f(X) - f(x) - f(X - x), where
    # f(x) = |x|·φ(x/|x|). As φ is strictly concave, f is linear along a line through 0 and strictly concave along any
    # other; so d is convex, and strictly so along every line but the one through 0 and X, where it is 0. A winner with
    # a positive score is a maximum of d over Z, and lies inside no segment of Z: it is a corner. (For the ratio,
    # d - r·s takes the place of d, as in `ordering_holds`. Twoing is the largest d of two groups of classes; there the
    # plane of the groups is one for all classes.)
    #
    # A corner of Z is where some linear function u·x is largest, and nowhere else in Z: then t_v is 1 for the values
    # with u·x_v > 0, and 0 for those with u·x_v < 0, and there are no others, for their t_v could be anything. So the
    # values inside lie on one side of the plane u·x = 0, and those outside on the other.
    #
    # If the best score is 0, so is that of each value against the rest, and all values have the same shares.
    rows = [row for row in table.rows if any(row)]
    classes = sum(map(any, zip(*rows, strict=True)))
    if measure not in STRICTLY_CONCAVE or any(sum(row) < minimum for row in rows):
        return False
    lines = len(lines_of(list(map(_whole, rows))))
    return lines < 2 or steps(lines, classes) < min(MOST_STEPS, 1 << len(rows) - 1)


def steps(values: int, classes: int) -> int:
    """The steps that `corners` takes in the worst case: one for each choice of the vectors that a plane meets.

    Example:
        >>> steps(40, 3), steps(16, 4), steps(10, 8)
        (1560, 3360, 604800)
    """
    return perm(values, min(values, classes) - 1)


def most_values(classes: int) -> int:
    """The most values of an attribute that are sure to be parted, by planes or by trying every set.

    Args:
        classes: the number of classes, at least three.

    Example:
        >>> most_values(3), most_values(4), most_values(9)
        (1000, 101, 16)
    """
    values = LIMIT
    while steps(values + 1, classes) < MOST_STEPS:
        values += 1
    return values
