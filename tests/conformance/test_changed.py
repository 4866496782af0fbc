"""Faults by rule: the rules, the record of what notices each fault, and a sample planted anew."""

from __future__ import annotations

import ast
from itertools import islice

import pytest

from reference_tree.conformance.cases import cases
from tests.conformance.changed import matching, planting, record
from tests.conformance.changed.operators import OPERATORS, bare, changes
from tests.conformance.plain_doubles import answering, table

SOURCE = """\
def share(part, whole, least=0.5, names=None):
    if planted("all"):
        return 1.0
    noise = -NOISE if planted("noise") else NOISE
    order = sorted(names or ["a"])
    if whole and part * 2 < whole - noise:
        return max(order, key=len)
    return math.log2(part / whole) if whole >= least else -order[0]
"""


def test_planted_faults_are_taken_out_and_every_rule_changes_something() -> None:
    module = bare(SOURCE)
    assert "planted" not in ast.unparse(module)
    assert [(one.operator, one.text) for one in changes(module, "share.py")] == [
        ("bound", "0.5 → 0.0"),
        ("bound", "0.5 → 1.0"),
        ("noise", "NOISE → -NOISE"),
        ("order", "sorted(names or ['a']) → list(sorted(names or ['a']))[::-1]"),
        ("order", "sorted(names or ['a']) → list(names or ['a'])"),
        ("condition", "if whole and part * 2 < whole - NOISE: → if False:"),
        ("condition", "whole and part * 2 < whole - NOISE → part * 2 < whole - NOISE"),
        ("condition", "whole and part * 2 < whole - NOISE → whole"),
        ("weight", "part * 2 → part"),
        ("weight", "part * 2 → 2"),
        ("bound", "part * 2 → part * 3"),
        ("bound", "part * 2 → part * 1"),
        ("noise", "whole - NOISE → whole - -NOISE"),
        ("fold", "max(order, key=len) → min(order, key=len)"),
        ("tie", "max(order, key=len) → max(list(order)[::-1], key=len)"),
        ("condition", "math.log2(part / whole) if whole >= least else -order[0] → math.log2(part / whole)"),
        ("condition", "math.log2(part / whole) if whole >= least else -order[0] → -order[0]"),
        ("comparison", "whole >= least → whole > least"),
        ("base", "math.log2(part / whole) → math.log(part / whole)"),
        ("share", "part / whole → part"),
        ("sign", "-order[0] → order[0]"),
        ("tie", "order[0] → order[-1]"),
    ]


def test_each_rule_is_used_and_says_what_it_changes() -> None:
    assert {change.operator for change in planting.catalogue().values()} == set(OPERATORS)
    assert all(rule.__doc__ for rule in OPERATORS.values())


def test_each_fault_is_noticed_or_has_a_reason() -> None:
    """If not: `python -m tests.conformance.changed`, and a case or a reason for what it prints."""
    assert not record.noticed().keys() & record.reviewed().keys()
    assert {*record.noticed(), *record.reviewed()} == set(planting.catalogue())
    assert {told.case for told in record.noticed().values()} <= {record.ERROR, *cases()}
    assert all(planting.catalogue()[key].operator == told.operator for key, told in record.noticed().items())


def test_none_is_open() -> None:
    assert [key for key, why in record.reviewed().items() if not why.startswith(("equal: ", "free: "))] == []


def test_at_least_four_hundred_are_noticed() -> None:
    assert sum(told.case != record.ERROR for told in record.noticed().values()) > 1_000


SAMPLE = [key for key, told in record.noticed().items() if told.case != record.ERROR][::60]


@pytest.mark.one_in(4, 12)
@pytest.mark.parametrize("key", SAMPLE, ids=lambda key: key.module)
def test_what_is_recorded_notices_the_fault(key: planting.Key) -> None:
    assert matching.notices(record.noticed()[key].case, key)


@pytest.mark.slow
@pytest.mark.parametrize("key", list(record.reviewed())[::40], ids=lambda key: key.module)
def test_what_has_a_reason_is_noticed_by_no_small_case(key: planting.Key) -> None:
    small = islice(matching.coming_by(key), 10)
    assert [name for name in small if matching.notices(name, key) == "mistake"] == []


def test_a_fault_is_planted_for_a_while_and_an_endless_one_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    (key,) = [
        key
        for key in planting.catalogue()
        if key.change == "gini: 1 - sum(((c / n) ** 2 for c in counts)) → 1 + sum(((c / n) ** 2 for c in counts))"
    ]
    golden = table.golden("formula/gini-play-tennis")
    right = planting.answer(golden)
    with planting.planted(key):
        assert planting.answer(golden) != right
    assert planting.answer(golden) == right
    monkeypatch.setattr(planting, "SECONDS", 0.05)
    monkeypatch.setattr(answering, "answer", _forever)
    assert planting.answer(golden) is None


def _forever(_: object) -> None:
    while True:
        pass


def test_the_page_has_the_figures_of_the_record() -> None:
    assert table.PAGE.read_text(encoding="utf-8").endswith(record.section())
