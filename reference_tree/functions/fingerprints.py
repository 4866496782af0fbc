r"""Fingerprints: the polynomial of a model at one point.

A model with many attributes on its paths may have $2^{\text{attributes}}$ products a leaf. Then its polynomial is not
expanded, but evaluated, leaf by leaf, modulo the prime $p = 2^{521} - 1$, at a point that hashes choose: for each step
the SHA-512 of its attribute and cut. Two models that are the same function have the same value. Others have it with a
chance of about $k / p$, for k attributes [Schwartz1980]: the polynomial of their difference has no higher degree, and
at most that share of all points are its zeros; the hashes stand for a point drawn at random, and know nothing of the
models.

As the point depends on nothing but names, cuts and categories, the value does on nothing but the function. So it is a
**fingerprint of the function**: trees shuffled, split, merged, restructured, `<` for `<=`, a file saved anew, all have
the same. The domain belongs to a function, and so to its fingerprint: the attributes with their categories, sorted, and
whether a missing value is refused. A row with a category that the model does not name is no part of it. What is shown
are 128 bits of a hash of it all: two functions share them with a chance of about $2^{-128}$.

1. `point` is a sum of boxes at the point.
2. `nonzero` finds a row where a sum is not 0, one attribute after the other.
3. `fingerprint` is that of a model.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.functions.boxes import Sums, Whole, added, own_labels, states_no_shares, sums_of
from reference_tree.functions.cells import Box, InputCells, InputDomain, Inputs
from reference_tree.tree import Tree

PRIME = 2**521 - 1
"""A Mersenne prime, so large that no chance remains; it is larger than any denominator's factor that a double has."""
VERSION = "reference-tree/function/1"


def hashed(cells: InputCells, step: int) -> int:
    """The number that stands for a step."""
    text = f"{VERSION}\0{cells.name}\0{cells.step_name(step)}".encode()
    # Two digests are 1024 bits, so that the remainder is as good as evenly spread.
    return int.from_bytes(hashlib.sha512(text).digest() + hashlib.sha512(b"+" + text).digest(), "big") % PRIME


def _factors(domain: InputDomain) -> Callable[[int, int], int]:
    """The function that gives a set of cells at the point."""
    steps: dict[tuple[int, int], int] = {}
    sets: dict[tuple[int, int], int] = {}

    def factor(place: int, cells: int) -> int:
        if (place, cells) not in sets:
            # The steps of an attribute are few; its sets of cells, many.
            value = 0
            for step, sign in domain.attributes[place].coordinates(cells).items():
                if step >= 0 and (place, step) not in steps:
                    steps[place, step] = hashed(domain.attributes[place], step)
                value += sign * (1 if step < 0 else steps[place, step])
            sets[place, cells] = value % PRIME
        return sets[place, cells]

    return factor


def point(boxes: Whole, domain: InputDomain) -> int:
    """The polynomial of a sum of boxes at the point that hashes choose, modulo the prime."""
    factor, total = _factors(domain), 0
    # Paths share their beginnings, and so boxes the products over their first attributes.
    products: dict[Box, int] = {(): 1}

    def product(box: Box) -> int:
        known = len(box)
        while box[:known] not in products:
            known -= 1
        value = products[box[:known]]
        for end in range(known, len(box)):
            value = products[box[: end + 1]] = value * factor(*box[end]) % PRIME
        return value

    for box, number in boxes.items():
        total += number * product(box)
    return total % PRIME


def coefficients(boxes: Mapping[Box, int], domain: InputDomain, places: Sequence[int]) -> dict[tuple[int, ...], int]:
    """The coefficients of the products of steps of some attributes, with all others at the point, modulo the prime.

    Args:
        boxes: the boxes of a sum.
        domain: the cells.
        places: the places of the attributes.

    Returns:
        For each product its steps, -1 for none, and its coefficient, if it is not 0.
    """
    factor = _factors(domain)
    terms: dict[tuple[int, ...], int] = {}
    for box, number in boxes.items():
        value, own = number, [{-1: 1} for _ in places]
        for place, among in box:
            if place in places:
                own[places.index(place)] = domain.attributes[place].coordinates(among)
            else:
                value = value * factor(place, among) % PRIME
        # A box is a product, so its coefficients are products of those of its sides.
        for steps in itertools.product(*own):
            signed = value * math.prod(signs[step] for signs, step in zip(own, steps, strict=True))
            terms[steps] = (terms.get(steps, 0) + signed) % PRIME
    return {steps: value for steps, value in terms.items() if value}


def nonzero(boxes: Whole, domain: InputDomain) -> list[int]:
    """Cells where a sum of boxes is not 0, if it is not 0 at the point.

    Attribute by attribute the cell is fixed where what is left is not 0 at the point of the others. There is one: the
    value at the point is a sum of these values. It is exact, as a sum that is not 0 modulo the prime is not 0.
    """
    at = list[int]()
    left: dict[Box, int] = dict(boxes)
    # What is fixed is no longer in the boxes: they lose the attribute, and those outside vanish.
    for place, cells in enumerate(domain.attributes):
        # The function of this attribute alone, in its coordinates.
        terms = {step: value for (step,), value in coefficients(left, domain, (place,)).items()}
        cell = _cell(terms, cells)
        at.append(cell)
        narrower: dict[Box, int] = {}
        for box, number in left.items():
            rest = tuple(pair for pair in box if pair[0] != place)
            if len(rest) == len(box) or dict(box)[place] >> cell & 1:
                narrower[rest] = narrower.get(rest, 0) + number
        left = narrower
    return at


def _cell(terms: dict[int, int], cells: InputCells) -> int:
    """A cell where a function in coordinates is not 0."""
    value = terms.get(-1, 0)
    if value:
        return cells.base
    if cells.values is not None:
        return next(step for step, each in terms.items() if each)
    if terms.get(cells.plain):
        return cells.plain
    return max(step for step, each in terms.items() if each)  # below the last step that is not 0, all larger ones are


def fingerprint(model: Tree | Ensemble, *, inputs: Inputs = "double", complete: bool = False) -> str:
    """The fingerprint of a model as a function of its rows.

    Args:
        model: the tree or the ensemble.
        inputs: the numbers that rows can hold: `double`, or `float32`, where thresholds between the same two float32
            are the same function.
        complete: whether it is that of rows without a missing value alone, which every model takes.

    Returns:
        32 hexadecimal digits: equal for equal exact scores over equal domains; P(Y|X) of a tree of classes that states
        no counts is 1 for the class of the leaf. Forests whose classes have other orders, which break ties otherwise,
        have equal scores; `equivalent` tells them apart.

    Raises:
        InputError: a test is of several attributes; numbers are treated before a test sees them; or the answer is no
            rational sum over the trees.

    Example:
        >>> import reference_tree as rt
        >>> days = rt.textbook("play-tennis")
        >>> id3, cart = rt.ID3().grow(days), rt.CART().grow(days)  # many branches, and two
        >>> rt.fingerprint(id3, complete=True) == rt.fingerprint(cart, complete=True)
        True

    Source:
        [Schwartz1980]
    """
    domain = InputDomain.of([model], inputs, others=False, gaps=not complete)
    sums = sums_of(model, domain, labels=states_no_shares(model))
    # All that makes two functions comparable stands before their values.
    facts = [VERSION, inputs, sums.family, sums.link, *_domain_of(model, domain, gaps=not complete)]
    # One margin speaks for the second of two classes, and against the first.
    facts += sums.classes if sums.family == "number" else ()
    facts += _points(sums, domain)
    if own_labels(model, domain):  # the classes are not told by the shares, and those of divided rows by them alone
        domain = InputDomain.of([model], inputs, others=False, gaps=not complete and not sums.divided)
        facts += ["labels", *_points(sums_of(model, domain, labels=True), domain)]
    return hashlib.sha256("\0".join(facts).encode()).hexdigest()[:32]


def _points(sums: Sums, domain: InputDomain) -> Iterator[str]:
    """The names of the scores, each with its value at the point."""
    for name, score in sorted(sums.scores.items()):
        boxes, whole = added([(1, score)])
        yield from (name, f"{point(boxes, domain) * pow(whole, -1, PRIME) % PRIME:x}")


def _domain_of(model: Tree | Ensemble, domain: InputDomain, *, gaps: bool) -> list[str]:
    """The attributes of a model, sorted, with their categories and what is refused."""
    asked = {cells.name: cells for cells in domain.attributes}
    texts = []
    for one in model.attributes:
        values = None if one.values is None else tuple(sorted(one.values))
        untested = InputCells(one.name, values=values)
        untested = replace(untested, refused=untested.outer(others=False, gaps=gaps))
        texts.append(asked.get(one.name, untested).text)
    return sorted(texts)
