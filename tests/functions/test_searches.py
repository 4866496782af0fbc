"""Searches: the largest value, and rows of two classes, against every cell."""

from __future__ import annotations

import itertools
from fractions import Fraction
from random import Random

from reference_tree.functions.boxes import added, sums_of, value_at
from reference_tree.functions.cells import InputDomain
from reference_tree.functions.searches import largest, other_class, summed_trees, whole_region
from tests.functions.drawn_pairs import changed, drawn_model, restructured


def every_cell(domain: InputDomain) -> list[tuple[int, ...]]:
    return list(
        itertools.product(*(
            [cell for cell in range(one.all.bit_length()) if one.all >> cell & 1] for one in domain.attributes
        ))
    )  # fmt: skip


def test_the_largest_value() -> None:
    chance = Random(5)
    tried = 0
    while tried < 30:
        model = drawn_model(chance, "sum")
        domain = InputDomain.of([model])
        sums = sums_of(model, domain)
        if sums.divided:
            continue
        tried += 1
        boxes, unit = added([(1, sums.scores[""])])
        values = [value_at(boxes, at) for at in every_cell(domain)]
        trees, whole = summed_trees([(1, sums.scores[""])], domain)
        found = largest(trees, whole_region(domain), whole=whole)
        assert found.value == found.bound == Fraction(max(values), unit)
        assert found.proved
        assert found.at is not None
        assert value_at(boxes, found.at) == max(values)
        few = largest(trees, whole_region(domain), whole=whole, steps=1)
        assert few.bound >= found.bound


def test_a_row_of_two_classes_or_the_proof_that_there_is_none() -> None:
    chance = Random(6)
    verdicts = set()
    for number in range(40):
        target = ("vote", "mean", "logistic", "classes")[number % 4]
        one = drawn_model(chance, target)
        other = changed(chance, restructured(chance, one))
        domain = InputDomain.of([one, other])
        first, second = sums_of(one, domain), sums_of(other, domain)
        found = other_class(first, second, domain)
        rows = [domain.row(at) for at in every_cell(domain)]
        differ = [row for row in rows if one.predict(row) != other.predict(row)]
        assert found.proved
        assert (found.at is None) == (not differ)
        assert found.at is None or domain.row(found.at) in differ
        verdicts.add(found.at is None)
        assert not other_class(first, second, domain, steps=0).proved
    assert verdicts == {True, False}
