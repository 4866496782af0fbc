"""What a database is asked of the nodes of a boosted tree."""

from __future__ import annotations

import sqlite3
from fractions import Fraction

import pytest

import reference_tree as rt
from reference_tree.auditing import stored_nodes
from reference_tree.auditing.boosters import Booster
from reference_tree.auditing.stored_nodes import Key, StoredEnclosures, Totals
from reference_tree.data.questions import Threshold


@pytest.fixture(name="judge")
def _judge() -> StoredEnclosures:
    """Six rows, x of which is missing once, with g = ±1 and h = 1."""
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE t (x REAL, gl, gh, hl, hh, y)")
    cells = [(1, -1), (2, -1), (3, 1), (4, 1), (5, 1), (None, -1)]
    database.executemany("INSERT INTO t VALUES (?, ?, ?, 1, 1, 0)", [(x, g, g) for x, g in cells])
    there = rt.sql(database, "t", "y", without=["gl", "gh", "hl", "hh"])
    keys = {"x": Key.of("x", there.stored["x"], None)}
    of = Totals(scale=1, most=1, n=6, alike=True)
    judge = StoredEnclosures(
        Booster(reg_lambda=1, min_child_weight=0), of, (Fraction(0),) * 2, there.database, "t", keys, {}
    )
    (judge._counted[()],) = judge._sums_of([()])
    return judge


def test_cuts_come_with_the_sums_of_their_left_side(judge: StoredEnclosures) -> None:
    root = judge.root()
    found = {(cut.rows, cut.takes_unknown): tuple(cut.sums) for cut in judge.cuts(root, "x")}
    assert found[2, False] == (-2, -2, 2, 2)
    assert found[2, True] == (-3, -3, 3, 3)
    assert (5, False) in found, "one side has the row without a value alone"
    assert (5, True) not in found
    best = [cut for cut in judge.cuts(root, "x", Fraction(4)) if (cut.rows, cut.takes_unknown) == (2, True)]
    assert judge.ends(root, best[0]) == [2, 3]
    assert len(list(judge.matching(root, "x", 2, None))) == 2


def test_the_best_question_that_is_allowed_comes_back_however_many_are_better(
    judge: StoredEnclosures, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = judge.root()
    every = max(low for low, _, barred, cut in judge.scored(root) if cut.is_edge and not barred)
    judge._cuts.clear()
    monkeypatch.setattr(stored_nodes, "MOST", 1)
    assert max(low for low, _, barred, cut in judge.scored(root) if cut.is_edge and not barred) == every
    judge._cuts.clear()
    monkeypatch.setattr(judge, "_bounded", lambda at, cut: (0, 0, True))  # as where no question certainly is allowed
    assert len(list(judge.cuts(root, "x"))) == 9, "the others were asked for"
    assert not judge._others


def test_every_cut_that_matches_comes_back_in_the_order_of_memory(
    judge: StoredEnclosures, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = judge.root()
    every = list(judge.matching(root, "x", None, (Fraction(1), Fraction(5))))
    monkeypatch.setattr(stored_nodes, "MOST", 1)
    assert list(judge.matching(root, "x", None, (Fraction(1), Fraction(5)))) == every
    assert [(cut.takes_unknown, cut.rows) for cut in every] == [
        *((False, n) for n in range(1, 6)),
        *((True, n) for n in range(1, 5)),
    ]


def test_rows_are_the_same_whichever_way_they_are_asked_for(judge: StoredEnclosures) -> None:
    root = judge.root()
    (cut,) = [one for one in judge.cuts(root, "x") if (one.rows, one.takes_unknown) == (2, True)]
    left = judge.left(root, Threshold("x", Fraction(5, 2)), 0)
    assert root.side(cut) == left
    assert root.rest(left) != left
    assert len(root.rest(left)) == 3
    assert judge.left(root, Threshold("x", Fraction(5, 2)), 1) != left
