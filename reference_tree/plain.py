r"""ID3, C4.5 and CART, each whole on one screen: the book's procedure on plain rows, with the book's formulas.

Read this first. A row is a dictionary. A sample is a list of rows, and counting is a loop over it. A tree is a class,
which is a leaf, or a pair of a test and a dictionary from each outcome to the tree below it. Nothing is optional here:
no bounds, no missing values, no weights, and of equally good tests the first is taken. The numbers are exact, as
everywhere in this package, so ties are ties.

1. `id3` chooses the attribute of largest information gain, with a branch for each of its values.
2. `c45` chooses the attribute of largest gain ratio among those of at least average gain, and cuts numbers in two.
3. `cart` chooses the test of two outcomes that decreases the Gini value most.

The learners of `learners/` are these three, with every choice of the sources as an option, every tie listed, and no
recursion; the tests hold them against this page. A tree that is some hundreds of tests deep is for them.

Source:
    [N0 EN §3.1], [N0 EN §3.2], [N2 §4.1], [Quinlan1986 §4], [Quinlan1993 §2], [Breiman1984 §2.4]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any, TypeAlias

from reference_tree.measures.gain_ratio import gain_ratio
from reference_tree.measures.gini_index import gini_decrease
from reference_tree.measures.information_gain import information_gain

Row: TypeAlias = Mapping[str, Any]
Rows: TypeAlias = Sequence[Row]
Domains: TypeAlias = Mapping[str, Sequence[str] | None]
"""The attributes that may be tested, each with its values; None if it is a number."""
Tree: TypeAlias = "str | tuple[Any, dict[Any, Tree]]"
"""A class, or a test and the tree below each of its outcomes."""


def majority(rows: Rows, target: str, classes: Sequence[str]) -> str:
    """The most common class; of equals the first in class order.

    Source:
        [N0 EN §3.1 step (1)]
    """
    return max(classes, key=lambda c: sum(row[target] == c for row in rows))


def table(parts: Sequence[Rows], target: str, classes: Sequence[str]) -> list[list[int]]:
    """The sample partition s_ij: a row for each outcome, a column for each class.

    Source:
        [N0 EN §1]
    """
    return [[sum(row[target] == c for row in part) for c in classes] for part in parts]


def id3(rows: Rows, domains: Domains, target: str, classes: Sequence[str], above: str = "") -> Tree:
    """ID3 with ε = 0: a branch for each value of the attribute of largest information gain.

    Args:
        rows: the rows at this node.
        domains: the attributes that may still be tested; all are categories.
        target: the name of the class column.
        classes: the classes, in their order.
        above: the majority of the node above.

    Example:
        >>> days = [{"wind": "weak", "play": "yes"}, {"wind": "strong", "play": "no"}]
        >>> id3(days, {"wind": ["strong", "weak"]}, "play", ["no", "yes"])
        ('wind', {'strong': 'no', 'weak': 'yes'})

    Source:
        [N0 EN §3.1], [N1 §1.5], [Quinlan1986 §4]
    """
    # An empty branch has the majority of the node above [N2 §1 case 3].
    if not rows:
        return above
    leaf = majority(rows, target, classes)
    # Steps 1 and 2: all rows have one class, or no attribute is left.
    if len({row[target] for row in rows}) == 1 or not domains:
        return leaf
    # Step 3: the gain of each attribute that divides the rows; one that does not can split nothing.
    parts = {a: [[row for row in rows if row[a] == v] for v in values or ()] for a, values in domains.items()}
    gains = {a: information_gain(table(p, target, classes)) for a, p in parts.items() if sum(map(bool, p)) > 1}
    if not gains:
        return leaf
    best = max(gains, key=gains.__getitem__)
    # Steps 4 to 6: a branch for each value, and below it the other attributes.
    rest = {a: values for a, values in domains.items() if a != best}
    branches = zip(domains[best] or (), parts[best], strict=True)
    return best, {v: id3(part, rest, target, classes, leaf) for v, part in branches}


def cuts(rows: Rows, attribute: str) -> Iterator[tuple[Fraction, list[Rows]]]:
    """Every cut of a number: the midpoint of two neighbouring values, and the rows on either side of it.

    Source:
        [N2 §4.1], [Quinlan1993 §2.4]
    """
    for low, high in pairwise(sorted({row[attribute] for row in rows})):
        t = (Fraction(low) + Fraction(high)) / 2
        yield t, [[row for row in rows if row[attribute] <= t], [row for row in rows if row[attribute] > t]]


def c45(rows: Rows, domains: Domains, target: str, classes: Sequence[str], above: str = "") -> Tree:
    """C4.5: the largest gain ratio among the attributes of at least average gain; numbers are cut in two.

    The test of a category is `(attribute, None)`, that of a number `(attribute, threshold)` with the outcomes `<=` and
    `>`. Arguments as for `id3`, but the domain of a number is None.

    Example:
        >>> days = [{"humidity": h, "play": p} for h, p in ((70, "yes"), (75, "yes"), (80, "no"))]
        >>> c45(days, {"humidity": None}, "play", ["no", "yes"])
        (('humidity', Fraction(155, 2)), {'<=': 'yes', '>': 'no'})

    Source:
        [N0 EN §3.2], [N2 §4.1], [Quinlan1993 §2]
    """
    if not rows:
        return above
    leaf = majority(rows, target, classes)
    if len({row[target] for row in rows}) == 1:
        return leaf
    # For each attribute its test of largest gain; of a number that is one cut, the lowest of equals.
    tests: list[tuple[tuple[str, Fraction | None], list[Rows]]] = []
    for a, values in domains.items():
        split: list[tuple[tuple[str, Fraction | None], list[Rows]]]
        if values is None:
            split = [((a, t), parts) for t, parts in cuts(rows, a)]
        else:
            split = [((a, None), [[row for row in rows if row[a] == v] for v in values])]
        if split := [(test, parts) for test, parts in split if sum(map(bool, parts)) > 1]:
            tests.append(max(split, key=lambda each: information_gain(table(each[1], target, classes))))
    if not tests:
        return leaf
    # The ratio alone prefers lopsided splits, so only a gain of at least the average may win by it.
    gains = [information_gain(table(parts, target, classes)) for _, parts in tests]
    average = sum(gains) * Fraction(1, len(gains))
    eligible = [each for each, gain in zip(tests, gains, strict=True) if gain >= average]
    (a, t), parts = max(eligible, key=lambda each: gain_ratio(table(each[1], target, classes)))
    # A category is tested once on a path; a number can be cut again.
    rest = domains if t is not None else {b: values for b, values in domains.items() if b != a}
    outcomes = ("<=", ">") if t is not None else domains[a] or ()
    return (a, t), {v: c45(part, rest, target, classes, leaf) for v, part in zip(outcomes, parts, strict=True)}


def cart(rows: Rows, domains: Domains, target: str, classes: Sequence[str]) -> Tree:
    """CART for classes: the test of two outcomes that decreases the Gini value most.

    The test of a number is `(attribute, threshold)`, true at most there; that of a category is `(attribute, values)`,
    true for these values. Arguments as for `id3`, but the domain of a number is None.

    Example:
        >>> days = [{"sky": s, "play": p} for s, p in (("clear", "yes"), ("cloud", "yes"), ("rain", "no"))]
        >>> cart(days, {"sky": ["clear", "cloud", "rain"]}, "play", ["no", "yes"])
        (('sky', ('clear', 'cloud')), {True: 'yes', False: 'no'})

    Source:
        [Breiman1984 §2.4]
    """
    leaf = majority(rows, target, classes)
    if len({row[target] for row in rows}) == 1:
        return leaf
    tests: list[tuple[Any, list[Rows]]] = []
    for a, values in domains.items():
        if values is None:
            tests += [((a, t), parts) for t, parts in cuts(rows, a)]
        else:
            there = [v for v in values if any(row[a] == v for row in rows)]
            # Each division once: the set without the last value, in the order of bit masks.
            sets = [s for size in range(1, len(there)) for s in combinations(there[:-1], size)]
            for s in sorted(sets, key=lambda s: sum(1 << there.index(v) for v in s)):
                tests.append(((a, s), [[r for r in rows if r[a] in s], [r for r in rows if r[a] not in s]]))
    if not tests:
        return leaf
    test, (yes, no) = max(tests, key=lambda each: gini_decrease(table(each[1], target, classes)))
    return test, {True: cart(yes, domains, target, classes), False: cart(no, domains, target, classes)}
