"""Attribution cases: a right program passes them all, and each planted fault is noticed by at least one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.attribution.attributions import Attributions
from reference_tree.attribution.importances import path_values
from reference_tree.attribution.leaf_polynomials import NoProductError, leaf_values, parts_at
from reference_tree.attribution.shapley import values_of
from reference_tree.attribution.summands import Summand
from reference_tree.conformance.cases import Case, cases
from reference_tree.conformance.decisions import rows_of
from reference_tree.conformance.ensembles import ensemble_learner
from reference_tree.conformance.numbers import number_json
from reference_tree.data.errors import InputError
from reference_tree.exact.reals import Real
from reference_tree.learners.growing import grow
from tests.conformance.test_goldens import load
from tests.every import of_every

CASES = [name for name, case in cases().items() if case.kind == "attribution"]
Faulty = Callable[[Summand, Any, Attributions], dict[str, Any]]


def _found(case: Case) -> Attributions:
    table, base = case.table(), case.base() if case.learner else None
    model = grow(case.base(), table) if case.ensemble is None else ensemble_learner(case.ensemble, base).grow(table)
    rows = list(rows_of(table, case.rows_to_predict()))
    background = [row for number, row in enumerate(table.rows(), start=1) if number in case.background]
    return rt.shapley_values(model, rows, background=background or None, cover=case.cover, values=case.values)


def _paths(term: Summand, row: Any, found: Attributions) -> dict[str, Any]:
    """The parts of the path, which add up as well."""
    return path_values(term, row) if term.cover else values_of(term, [row], found.background)[0]


def _counted(term: Summand, row: Any, found: Attributions) -> dict[str, Any]:
    """The cover is the number of the leaves below a node."""
    if not term.cover:
        return values_of(term, [row], found.background)[0]
    leaves = [0] * len(term.values)
    for number in range(len(leaves) - 1, -1, -1):
        leaves[number] = sum(leaves[below] for below in term.tree.nodes[number].branches) or 1
    return values_of(term._replace(cover=leaves), [row])[0]


def _not_unwound(term: Summand, row: Any, found: Attributions) -> dict[str, Any]:
    """Each test is a player of its own; what an attribute is given is added up at the end."""
    total = dict.fromkeys(term.names, Fraction(0))
    others = [None] if found.background is None else found.background
    for other in others:
        for value, pairs in _by_test(term, row, other):
            for test, each in leaf_values(value, pairs).items():
                total[test[0]] += each / len(others)
    return total


def _by_test(term: Summand, row: Any, other: Any) -> Iterator[tuple[Fraction, Any]]:
    pending: list[tuple[int, dict[Any, Any]]] = [(0, {})]
    while pending:
        number, pairs = pending.pop()
        node = term.tree.nodes[number]
        if node.test is None:
            yield term.values[number], pairs
            continue
        on = parts_at(term, number, row)
        off = dict(term.shares(number)) if other is None else parts_at(term, number, other)
        for branch in {**on, **off}:
            pair = off.get(branch, 0), on.get(branch, 0)
            if any(pair):
                below = {**pairs, (node.test.attribute, number): pair}
                if branch is None:
                    yield term.values[number], below
                else:
                    pending.append((node.branches[branch], below))


def _averaged(term: Summand, row: Any, found: Attributions) -> dict[str, Any]:
    """The background rows are averaged first; of categories the first is taken."""
    if found.background is None:
        return values_of(term, [row])[0]
    mean: dict[str, Any] = {}
    for name in found.names:
        cells: list[Any] = [one[name] for one in found.background if one[name] is not None]
        mean[name] = cells[0] if isinstance(cells[0], str) else sum(map(Fraction, cells)) / len(cells)
    return values_of(term, [row], [mean])[0]


FAULTS: dict[str, Faulty] = {
    "the parts of the path": _paths,
    "a cover of counts": _counted,
    "an attribute met twice is not unwound": _not_unwound,
    "the background is averaged first": _averaged,
}


def _answer(name: str, fault: Faulty | None) -> Any:
    found, golden = _found(cases()[name]), load(name)["expected"]
    told = []
    for row, right in zip(found.rows, golden["attributions"], strict=True):
        total: dict[str, Any] = dict.fromkeys(found.names, Fraction(0))
        for term in found.explained.summands:
            each = values_of(term, [row], found.background)[0] if fault is None else fault(term, row, found)
            for attribute, value in each.items():
                total[attribute] += term.weight * value
        told.append({"values": [number_json(value) for value in total.values()], "prediction": right["prediction"]})
    return {"expected_value": golden["expected_value"], "attributions": told}


def _passes(name: str, fault: Faulty | None = None) -> bool:
    return rt.check({name: _answer(name, fault)}).passed


def test_there_are_thirty_of_them() -> None:
    assert len(CASES) >= 30


@of_every(CASES)
def test_the_values_add_up_and_the_rounded_ones_are_right(name: str) -> None:
    expected = load(name)["expected"]
    for one in expected["attributions"]:
        parts = [float.fromhex(each["double"]) for each in (expected["expected_value"], *one["values"])]
        assert sum(parts) == pytest.approx(float.fromhex(one["prediction"]["double"]), abs=1e-12)
        if all(isinstance(each["exact"], str) for each in (expected["expected_value"], *one["values"])):
            total = sum(Fraction(each["exact"]) for each in (expected["expected_value"], *one["values"]))
            assert total == Fraction(one["prediction"]["exact"])
        for row, value in zip(one.get("interactions", ()), one["values"], strict=False):
            assert sum(Fraction(each["exact"]) for each in row) == Fraction(value["exact"])


@of_every(CASES)
def test_what_is_computed_tree_by_tree_passes(name: str) -> None:
    assert _passes(name)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_noticed(fault: str) -> None:
    noticed = []
    for name in CASES:
        found = _found(cases()[name])
        if any(isinstance(term.weight, Real) for term in found.explained.summands):
            continue
        try:
            if not _passes(name, FAULTS[fault]):
                noticed.append(name)
        except (InputError, NoProductError):
            continue
    assert noticed
    meant = {
        "the parts of the path": "attribution/exclusive-or",
        "a cover of counts": "attribution/weighted-rows",
        "an attribute met twice is not unwound": "attribution/tested-twice",
        "the background is averaged first": "attribution/background-is-not-averaged",
    }
    assert meant[fault] in noticed
