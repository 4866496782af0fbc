"""One judge: what asks a learner, and what asks bounds of derivatives, find the same at the same nodes."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import reference_tree as rt
from reference_tree.auditing.boosting import BoostedAudit
from reference_tree.data.questions import Threshold
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.node import Derivatives
from reference_tree.programs.boosters import BoosterParameters

Floats: dict[str, Any] = {"margins": "double", "targets": "double", "gains": "double"}
SAME = {"optimal-tied": "optimal", "within-rounding": "optimal"}


def in_doubles(model: Ensemble) -> Ensemble:
    """The model with leaves that are doubles, as a program has them."""

    def of(node: Any) -> Any:
        return replace(node, label=Fraction(float(node.label))) if node.test is None else node

    members = [one._replace(tree=replace(one.tree, nodes=tuple(map(of, one.tree.nodes)))) for one in model.members]
    return replace(model, members=tuple(members))


def with_root(model: Ensemble, threshold: Fraction, value: Fraction) -> Ensemble:
    """The model, whose first tree asks one question."""
    tree: Any = model.members[0].tree
    root = replace(tree.nodes[0], test=Threshold("x", threshold), branches=(1, 2))
    leaves = [replace(tree.nodes[-1], label=value, stop="unknown", test=None, branches=())] * 2
    other = replace(tree, nodes=tuple(replace(node, counts=Derivatives(0, 0, 0)) for node in (root, *leaves)))
    return replace(model, members=(model.members[0]._replace(tree=other),))


def test_both_judges_give_a_question_the_same_verdict() -> None:
    """With halves for derivatives, which a double holds exactly; the counts of the branches are not stated."""
    seen = Counter[str]()
    for seed in range(60):
        chance = Random(seed)
        table = rt.Table.from_columns(
            {"x": [chance.randrange(5) for _ in range(9)], "y": [chance.randrange(6) for _ in range(9)]}, "y"
        )
        base = rt.GradientTree(rate=1, max_depth=1, min_child_weight=3)
        grown = in_doubles(rt.GradientBoosting(trees=1, base_score=0, base=base).grow(table))
        if len(grown.members[0].tree.nodes) < 3:
            continue
        booster = BoosterParameters(loss="squared_error", rate=1, max_depth=1, min_child_weight=3, second=1, **Floats)
        for place in range(4):
            model = with_root(grown, place + Fraction(1, 2), Fraction(0))
            exact, enclosed = rt.audit(model, table), BoostedAudit(model, table, booster)
            kinds = [
                {SAME.get(one, one) for one in [found.verdict, *(fault.verdict for fault in found.faults)]}
                & {"suboptimal", "not-a-candidate", "optimal"}
                for found in (exact.findings[0], enclosed.findings[0])
            ]
            seen.update(kinds[0])
            assert kinds[0] == kinds[1], (seed, place)
    assert min(seen["suboptimal"], seen["not-a-candidate"]) > 3
