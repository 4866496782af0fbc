"""Missing answers: the ways on for a row, and for a set of rows."""

from __future__ import annotations

from fractions import Fraction

import pytest

from reference_tree.data.errors import InputError
from reference_tree.data.missing import REFUSED, Missing, Surrogate
from reference_tree.data.questions import Test, Threshold

QUESTION = Threshold("x", 2)
INSTEAD = (Surrogate(Threshold("b", 0), (1, 0), Fraction(1)), Surrogate(Threshold("c", 0), (0, 1), Fraction(1)))
RULES = {
    "fractions": Missing(shares=(Fraction(1, 3), Fraction(2, 3))),
    "surrogates": Missing(surrogates=INSTEAD, to=0),
    "branch": Missing(to=1),
    "stay": Missing(stays=True),
    "error": REFUSED,
}


@pytest.mark.parametrize("name", RULES)
def test_a_rule_has_a_name(name: str) -> None:
    assert RULES[name].rule == name


@pytest.mark.parametrize("name", RULES)
def test_an_answer_is_followed_under_every_rule(name: str) -> None:
    assert RULES[name].ways(QUESTION, {"x": 2}) == [(0, 1)]
    assert RULES[name].ways(QUESTION, {"x": 3}) == [(1, 1)]


def test_where_a_row_without_an_answer_goes() -> None:
    assert RULES["fractions"].ways(QUESTION, {"x": None}) == [(0, Fraction(1, 3)), (1, Fraction(2, 3))]
    assert RULES["branch"].ways(QUESTION, {"x": None}) == [(1, 1)]
    assert RULES["stay"].ways(QUESTION, {"x": None}) == [(None, 1)]
    with pytest.raises(InputError, match="the value of x is missing"):
        REFUSED.ways(QUESTION, {"x": None})


def test_surrogates_are_asked_in_turn() -> None:
    """The first is turned round; one that the row does not know at all is passed over."""
    rule = RULES["surrogates"]
    assert rule.ways(QUESTION, {"x": None, "b": 0, "c": 9}) == [(1, 1)]
    assert rule.ways(QUESTION, {"x": None, "b": None, "c": 9}) == [(1, 1)]
    assert rule.ways(QUESTION, {"x": None, "c": -1}) == [(0, 1)]
    assert rule.ways(QUESTION, {"x": None, "b": None, "c": None}) == [(0, 1)]


def test_a_set_of_rows_goes_where_its_rows_go() -> None:
    rows = [{"x": None, "b": b, "c": c} for b in (None, 0, 1) for c in (None, 0, 1)]

    def answers(test: Test, among: list[int]) -> list[list[int]]:
        branches = [test.branch(rows[row]) for row in among]
        return [[row for row, to in zip(among, branches, strict=True) if to == branch] for branch in (0, 1, None)]

    for rule in RULES.values():
        found: dict[int, list[tuple[int, object]]] = {row: [] for row in range(len(rows))}
        for branch, groups in enumerate(rule.routes(list(range(len(rows))), 2, answers)):
            for group, share in groups:
                for row in group:
                    found[row].append((branch, share))
        for row, ways in found.items():
            expected = [] if rule.rule == "error" else rule.ways(QUESTION, rows[row])
            assert ways == [way for way in expected if way[0] is not None]
