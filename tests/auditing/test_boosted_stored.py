"""Boosted models audited where the rows are: the findings are those in memory, of right and of spoilt models."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.auditing.boosters import Booster
from reference_tree.auditing.boosting import BoostedAudit, audit_boosted
from reference_tree.auditing.finding import Finding
from reference_tree.data.questions import Threshold
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.exact.rationals import Rational
from reference_tree.tree_document import predictor_from_json
from tests.programs.boosted_faults import CASES, KINDS, LGB, XGB, trained
from tests.stores.databases import stored, written

Floats: dict[str, Any] = {"margins": "double", "targets": "double", "gains": "double"}


def table_of(chance: Random, task: str, rows: int = 40) -> rt.Table:
    """A table of three numbers, the second with gaps, and one category."""
    x = [[chance.randrange(12) / 4 for _ in range(rows)] for _ in range(3)]
    y: list[Any] = [2 * a + b * c + chance.randrange(3) for a, b, c in zip(*x, strict=True)]
    gaps = [None if not chance.randrange(8) else value for value in x[1]]
    if task != "number":
        limits = sorted(y)
        y = ["abc"[(value > limits[rows // 3]) + (value > limits[rows // 2]) * (task == "three")] for value in y]
    columns: dict[str, Any] = {"a": x[0], "b": gaps, "c": x[2], "y": y}
    weights: dict[str, Any] = {"w": [chance.randrange(1, 4) for _ in range(rows)]} if chance.randrange(2) else {}
    return rt.Table.from_columns({**columns, **weights}, "y", weights="w" if weights else None)


def spoilt(model: Ensemble, chance: Random) -> Ensemble:
    """A model with another threshold, or another leaf, in one of its trees."""
    place = chance.randrange(len(model.members))
    member = model.members[place]
    number = chance.randrange(len(member.tree.nodes))
    node: Any = member.tree.nodes[number]
    if isinstance(node.test, Threshold):
        node = replace(node, test=Threshold(node.test.attribute, node.test.threshold + Fraction(1, 2)))
    else:
        node = replace(node, label=Fraction(node.label) * 2 + Fraction(1, 8))
    nodes = (*member.tree.nodes[:number], node, *member.tree.nodes[number + 1 :])
    members = list(model.members)
    members[place] = member._replace(tree=replace(member.tree, nodes=nodes))
    return replace(model, members=tuple(members))


def in_doubles(model: Ensemble) -> Ensemble:
    """The model with leaves that are doubles, as a program has them."""

    def of(node: Any) -> Any:
        return replace(node, label=Fraction(float(node.label))) if node.test is None else node

    members = [one._replace(tree=replace(one.tree, nodes=tuple(map(of, one.tree.nodes)))) for one in model.members]
    return replace(model, members=tuple(members))


def judged(found: Finding) -> tuple[Any, ...]:
    """A finding without the bounds that it prints, which are a little wider in a database."""
    return found.tree, found.number, found.verdict, found.rows, found.cause, [one.verdict for one in found.faults]


@pytest.mark.one_in(12, 36)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("task", "loss"), [("number", "squared_error"), ("two", "logistic"), ("three", "softmax")])
@pytest.mark.parametrize("twice", [False, True])
def test_the_findings_are_those_in_memory(task: str, loss: Any, seed: int, twice: bool) -> None:
    chance = Random(f"{seed} {task}")
    table = table_of(chance, task)
    base = rt.GradientTree(rate=Fraction(1, 2), max_depth=2)
    scores: dict[str, Any] = {"number": 0, "two": Fraction(1, 2), "three": None}
    right = in_doubles(rt.GradientBoosting(trees=2, base_score=scores[task], loss=loss, base=base).grow(table))
    booster = Booster(loss=loss, rate=Fraction(1, 2), max_depth=2, second=1, **Floats)
    there = stored(table)
    for model in (right, spoilt(right, chance), spoilt(right, chance)):
        expected = BoostedAudit(model, table, booster, twice=twice).findings
        found = BoostedAudit(model, there, booster, twice=twice).findings
        assert list(map(judged, found)) == list(map(judged, expected))
    left = there.database.connection.execute("SELECT COUNT(*) FROM sqlite_temp_master").fetchone()
    assert left == (0,), "temporary tables are removed"


def test_what_an_engine_cannot_do_is_one_line_and_nothing_is_left() -> None:
    table = table_of(Random(1), "number")
    model = in_doubles(rt.GradientBoosting(trees=1, base_score=0, base=rt.GradientTree(max_depth=1)).grow(table))
    there = stored(table)
    with pytest.raises(rt.InputError, match="float32, which this engine lacks"):
        _ = BoostedAudit(model, there, Booster(loss="squared_error")).findings
    with pytest.raises(rt.InputError, match="without second derivatives"):
        _ = BoostedAudit(model, there, Booster(loss="squared_error", newton=False, **Floats)).findings
    exact: Sequence[Sequence[tuple[Rational, Rational]]] = [[(0, 1)] * len(table)]
    with pytest.raises(rt.InputError, match="given derivatives are by row"):
        _ = BoostedAudit(model, there, Booster(loss="squared_error", **Floats), given=exact).findings


def test_no_right_to_make_temporary_tables_is_one_line() -> None:
    table = table_of(Random(2), "number")
    model = in_doubles(rt.GradientBoosting(trees=1, base_score=0, base=rt.GradientTree(max_depth=1)).grow(table))
    connection = written(table)

    def refused(action: int, *_: Any) -> int:
        return sqlite3.SQLITE_DENY if action == sqlite3.SQLITE_CREATE_TEMP_TABLE else sqlite3.SQLITE_OK

    there = rt.sql(connection, "cells", "y", without=["w"], continuous=["y"])
    connection.set_authorizer(refused)
    with pytest.raises(rt.InputError, match="cells: sqlite3 says: not authorized"):
        _ = BoostedAudit(model, there, Booster(loss="squared_error", **Floats)).findings


@pytest.mark.one_in(3)
@pytest.mark.oracles
@pytest.mark.parametrize(
    "case", [one for one in CASES if one.program in (XGB, LGB)][::7], ids=lambda one: f"{one.program} {one.task}"
)
def test_models_of_programs_with_and_without_faults(case: Any) -> None:
    duckdb: Any = pytest.importorskip("duckdb")
    pytest.importorskip("xgboost" if case.program == XGB else "lightgbm")
    model = trained(case, 1, rows=200, rounds=2)
    there = stored(model.table, duckdb.connect(), types=("DOUBLE", "TEXT"))
    told = {"max_depth": None} if case.options.get("max_depth") == 0 else {}
    planted = (plant(model, Random(3)) for plant in KINDS.values())
    for document in (model.document, *(one.document for one in planted if one is not None)):
        read: Any = predictor_from_json(json.dumps(document))
        found, expected = (audit_boosted(read, data, told).findings for data in (there, model.table))
        assert list(map(judged, found)) == list(map(judged, expected))
