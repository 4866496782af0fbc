"""The predicates of PMML: three-valued logic, whichever field is given first."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import pytest

from reference_tree.programs.pmml.predicates import Absent, Among, Compared, Compound, Predicate, given, words

STATES: dict[str, tuple[Any, ...]] = {"x": (None, 0, 2, 5), "k": (None, "a", "b", False), "z": (None, 1)}
ATOMS: list[Predicate] = [
    Compared("x", "lessThan", 2), Compared("x", "greaterOrEqual", 2), Among("k", ("a",), True),
    Among("k", ("a", "b"), False), Absent("z", True), Absent("x", False), True, False, None,
]  # fmt: skip


def truth(predicate: Predicate, row: dict[str, Any]) -> bool | None:
    """The truth of a predicate, by the tables of the specification."""
    if predicate is None or isinstance(predicate, bool):
        return predicate
    if isinstance(predicate, Absent):
        return (row[predicate.field] is None) == predicate.missing
    if isinstance(predicate, Compound):
        found = [truth(part, row) for part in predicate.parts]
        if predicate.operator == "surrogate":
            return next((one for one in found if one is not None), None)
        if predicate.operator == "xor":
            return None if None in found else sum(map(bool, found)) % 2 == 1
        decides = predicate.operator == "or"
        return decides if decides in found else None if None in found else not decides
    value = row[predicate.field]
    if value is None:
        return None
    if isinstance(predicate, Among):
        return (value in predicate.values) == predicate.within
    return bool(value < predicate.value) == (predicate.relation == "lessThan")


@pytest.mark.parametrize("operator", ["and", "or", "xor", "surrogate"])
def test_predicates_are_true_false_or_unknown(operator: str) -> None:
    for parts in product(ATOMS, repeat=2):
        inner = Compound("or", (parts[0], ATOMS[2]))
        predicate = Compound(operator, (*parts, inner))
        for values in product(*STATES.values()):
            row = dict(zip(STATES, values, strict=True))
            expected = truth(predicate, row)
            for order in permutations(STATES):
                found: Predicate = predicate
                for field in order:
                    found = given(found, field, row[field])
                assert found is expected, (predicate, row, order)


def test_words_of_an_array() -> None:
    assert words("1 2.5  three") == ("1", "2.5", "three")
    assert words('"" "a b"') == ("", "a b")
