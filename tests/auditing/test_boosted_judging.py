"""Judging a node of a boosted tree: each figure that is stated has to follow from the bounds of its rows."""

from __future__ import annotations

from fractions import Fraction

import reference_tree as rt
from reference_tree.auditing.boosted_judging import EnclosedJudge
from reference_tree.auditing.boosted_nodes import Enclosures, columns_of
from reference_tree.auditing.program_derivatives import EnclosedDerivatives
from reference_tree.auditing.stated import Stated
from reference_tree.data.questions import Threshold
from reference_tree.programs.boosters import BoosterParameters
from tests.every import of_every

TABLE = rt.Table.from_columns({"x": [1, 2, 3, 4], "y": [0, 0, 6, 8]})
ASKS = Threshold("x", Fraction(5, 2))


def judge(**parameters: object) -> EnclosedJudge:
    """The judge of a stump; g is the number less, and h is 1."""
    booster = BoosterParameters(loss="squared_error", rate=1, reg_lambda=0, min_child_weight=1, **parameters)  # type: ignore[arg-type]
    nodes = (
        rt.Node((4,), 0, ASKS, (1, 2)),
        rt.Node((2,), 0, stop="unknown"),
        rt.Node((2,), 7, stop="unknown"),
    )
    tree = rt.Tree(TABLE.schema.target, TABLE.schema.attributes, nodes)
    known = EnclosedDerivatives([(0, 0), (0, 0), (-6, -6), (-8, -8)], [(1, 1)] * 4, 1)
    return EnclosedJudge(tree, {}, Enclosures(booster, columns_of(TABLE), known, (Fraction(0), Fraction(0))))


@of_every(
    [
        ({"h": 4, "weight": Fraction(7, 2), "value": Fraction(7, 2), "gain": 49}, []),  # 14²/2 − 14²/4
        ({"h": 5}, ["wrong-counts"]),
        ({"weight": 3}, ["wrong-counts"]),
        ({"gain": 50}, ["wrong-counts"]),
    ]
)
def test_figures_of_a_question(figures: dict[str, int], verdicts: list[str]) -> None:
    one = judge()
    root = one.by.root()
    at = root._replace(left=frozenset([0, 1]), own=one.by.known.sums([0, 1]))
    found = one.judge(at, Stated((4,), test=ASKS, figures={name: Fraction(n) for name, n in figures.items()}))
    assert [fault.verdict for fault in found.faults] == verdicts
    other = root._replace(left=frozenset([0]), own=one.by.known.sums([0]))
    judged = one.judge(other, Stated((4,), test=Threshold("x", Fraction(3, 2))))
    assert judged.choice is not None
    assert judged.choice.message == "x cut above 2 gains at least 32.6667 more"  # 14²/2 − 14²/3


def test_a_leaf_is_one_where_nothing_may_be_asked() -> None:
    one = judge()
    at = one.by.root()
    found = one.judge(at, Stated((5,), Fraction(7, 2)))
    assert [fault.verdict for fault in found.faults] == ["wrong-counts", "stopped-early"]
    assert found.gain == 49
    wrong = one.judge(at, Stated((4,), Fraction(3))).faults[-1]
    assert wrong.message == "it adds 3; its rows give 3.49999833 to 3.50000167"
    capped = judge(max_leaves=2)
    assert capped.judge(capped.by.root(), Stated((4,), Fraction(7, 2))) == ("optimal", (), None, None, None, "")
