"""Boosted trees of other programs: verdicts that are proved, whatever the program rounded."""

from __future__ import annotations

import importlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.auditing.boosting import BoostedAudit
from reference_tree.auditing.program_derivatives import derivatives, rounded
from reference_tree.data.errors import InputError
from reference_tree.data.questions import Threshold
from reference_tree.ensembles.ensemble import Ensemble, Member
from reference_tree.programs.boosters import BoosterParameters, booster_of
from reference_tree.programs.reading import read_foreign
from reference_tree.programs.releases import numbers_of
from reference_tree.tree_document import predictor_from_json
from tests.every import of_every
from tests.peers import xgboost_trees

RECORDED = Path(__file__).parents[1] / "programs" / "recorded"
EXACT = BoosterParameters(loss="squared_error", rate=1, reg_lambda=1, min_child_weight=1, max_depth=1)


def stump(table: rt.Table, attribute: str, threshold: Fraction, values: Sequence[Fraction]) -> Ensemble:
    """A model of one tree that asks once."""
    nodes = (
        rt.Node((0, 0, 0), 0, Threshold(attribute, threshold), (1, 2)),
        rt.Node((0, 0, 0), values[0], stop="unknown"),
        rt.Node((0, 0, 0), values[1], stop="unknown"),
    )
    tree = rt.Tree(table.schema.target, table.schema.attributes, nodes)
    return Ensemble(table.schema.target, table.schema.attributes, (Member(tree),), "sum", start=(0,))


def added(numbers: list[Fraction]) -> Fraction:
    return sum(numbers, Fraction(0))


def gains(columns: dict[str, list[int]], g: list[Fraction], h: list[Fraction]) -> dict[tuple[str, Fraction], Fraction]:
    """Every cut with its S, row by row: by brute force."""
    found = {}
    for name, column in columns.items():
        for value in sorted(set(column))[:-1]:
            total = Fraction(0)
            for side in (True, False):
                rows = [place for place, one in enumerate(column) if (one <= value) == side]
                total += added([g[place] for place in rows]) ** 2 / (added([h[place] for place in rows]) + 1)
            found[name, Fraction(value)] = total
    return found


@of_every(range(12))
def test_of_given_derivatives_the_best_questions_are_optimal_and_no_other(seed: int) -> None:
    chance = Random(seed)
    columns = {name: [chance.randrange(4) for _ in range(9)] for name in "ab"}
    table = rt.Table.from_columns({**columns, "y": [0] * 9}, "y", continuous=["a", "b"])
    g = [Fraction(chance.randrange(-6, 7), chance.choice([1, 2, 3, 7])) for _ in range(9)]
    h = [Fraction(chance.randrange(7, 14), 7) for _ in range(9)]
    found = gains(columns, g, h)
    for (name, value), gain in found.items():
        rows = [one <= value for one in columns[name]]
        values = []
        for side in (True, False):
            there = [place for place, one in enumerate(rows) if one == side]
            values.append(-added([g[place] for place in there]) / (added([h[place] for place in there]) + 1))
        model = stump(table, name, value, values)
        root, *leaves = BoostedAudit(model, table, EXACT, given=[list(zip(g, h, strict=True))])
        assert root.verdict == ("optimal" if gain == max(found.values()) else "suboptimal")
        assert [leaf.verdict for leaf in leaves] == ["optimal", "optimal"]


def test_a_wrong_leaf_and_a_leaf_too_early() -> None:
    table = rt.Table.from_columns({"x": [1, 2, 3, 4], "y": [0, 0, 6, 8]})
    booster = BoosterParameters(loss="squared_error", rate=1, reg_lambda=0, max_depth=2)
    model = stump(table, "x", Fraction(5, 2), [Fraction(0), Fraction(9)])
    root, first, second = BoostedAudit(model, table, booster)
    assert (root.verdict, first.verdict, second.verdict) == ("optimal", "optimal", "stopped-early")
    assert [fault.verdict for fault in second.faults] == ["stopped-early", "wrong-leaf"]
    root, first, second = BoostedAudit(stump(table, "x", Fraction(5, 2), [Fraction(0), Fraction(7)]), table, booster)
    assert (first.verdict, second.verdict) == ("optimal", "stopped-early")
    capped = replace(booster, max_leaves=2)
    model = stump(table, "x", Fraction(5, 2), [Fraction(0), Fraction(7)])
    assert [one.verdict for one in BoostedAudit(model, table, capped)] == 3 * ["optimal"]


def test_among_bins_a_question_may_be_best_that_is_not_among_all_gaps() -> None:
    table = rt.Table.from_columns({"x": [1, 2, 3, 4], "y": [-6, 2, 2, 2]}, continuous=["y"])
    model = stump(table, "x", Fraction(5, 2), [Fraction(-4, 3), Fraction(4, 3)])
    booster = BoosterParameters(loss="squared_error", rate=1, reg_lambda=1, max_depth=1)
    assert next(iter(BoostedAudit(model, table, booster))).verdict == "suboptimal"
    assert next(iter(BoostedAudit(model, table, booster, bins={"x": [0, 0, 1, 1]}))).verdict == "optimal"


def test_a_question_is_asked_too_far_down_or_gains_too_little() -> None:
    table = rt.Table.from_columns({"x": [1, 2, 3, 4], "y": [-6, 2, 2, 2]}, continuous=["y"])
    model = stump(table, "x", Fraction(3, 2), [Fraction(-3), Fraction(3, 2)])  # it gains 36/2 + 36/4
    for bound, verdict in (
        ({"gamma": 26}, "optimal"),
        ({"gamma": 28}, "split-too-far"),
        ({"max_depth": 0}, "split-too-far"),
    ):
        assert BoostedAudit(model, table, replace(EXACT, **bound)).at(0).verdict == verdict  # type: ignore[arg-type]
    lies = rt.Table.from_columns(
        {"x": [1, 2, 3, 4], "y": [0, 8, 8, 8]}, continuous=["y"]
    )  # where λ makes a question worse than none
    model = stump(lies, "x", Fraction(5, 2), [Fraction(8, 3), Fraction(16, 3)])
    booster = BoosterParameters(loss="squared_error", rate=1, max_depth=1)
    assert BoostedAudit(model, lies, booster, bins={"x": [0, 0, 1, 1]}).at(0).verdict == "split-too-far"


def test_a_bound_forbids_a_question() -> None:
    table = rt.Table.from_columns({"x": [1, 2, 3, 4], "y": [0, 8, 8, 8]}, continuous=["y"])
    model = stump(table, "x", Fraction(3, 2), [Fraction(0), Fraction(6)])
    for bound in ({"min_samples_leaf": 2}, {"min_child_weight": 2}):
        booster = replace(EXACT, **bound)  # type: ignore[arg-type]
        assert next(iter(BoostedAudit(model, table, booster))).verdict == "not-a-candidate"
    other = stump(table, "x", Fraction(7, 2), [Fraction(4), Fraction(4)])  # the second side has too little
    found = BoostedAudit(other, table, replace(EXACT, min_child_weight=2)).at(0)
    assert (found.verdict, found.faults[0].message) == (
        "not-a-candidate",
        "x<=3.5 leaves an H of 1, and min_child_weight is more",
    )
    with pytest.raises(InputError, match="has to be above 0"):
        next(iter(BoostedAudit(model, table, replace(EXACT, reg_lambda=0, min_child_weight=0))))


@pytest.mark.oracles
@pytest.mark.parametrize("seed", range(4))
def test_enclosures_hold_what_a_program_in_float32_works_out(seed: int) -> None:
    """NumPy's float32 stands for the program: an exponential, a sum, a quotient, each rounded."""
    numpy: Any = importlib.import_module("numpy")
    chance = numpy.random.default_rng(seed)
    margins = (chance.normal(0, 4, 200)).astype("float32")
    y = chance.integers(0, 2, 200)
    p = (1 / (1 + numpy.exp(-margins))).astype("float32")
    g, h = p - y.astype("float32"), p * (numpy.float32(1) - p)
    assert g.dtype == h.dtype == numpy.float32
    ends = [((Fraction(float(margin)),) * 2,) for margin in margins]
    known = derivatives(BoosterParameters(loss="logistic"), list(map(int, y)), ends)
    for numbers, enclosed in ((g, known.g), (h, known.h)):
        for number, (low, high) in zip(numbers, enclosed, strict=True):
            assert low <= Fraction(float(number)) * known.scale <= high
            assert high - low <= Fraction(1, 10**5) * known.scale


@pytest.mark.oracles
def test_a_sum_is_rounded_as_numpy_does_it() -> None:
    numpy: Any = importlib.import_module("numpy")
    for one, other in numpy.random.default_rng(1).normal(0, 1, (300, 2)).astype("float32"):
        exact = Fraction(float(one)) + Fraction(float(other))
        assert rounded(exact, "float32") == Fraction(float(one + other))


def cancer() -> tuple[Ensemble, rt.Table]:
    """XGBoost's first five trees on breast cancer, and the table."""
    if missing := xgboost_trees.absent():
        pytest.skip(missing)
    X, y = importlib.import_module("sklearn.datasets").load_breast_cancer(return_X_y=True)
    booster = xgboost_trees.train(X, y, 5, objective="binary:logistic", max_depth=3, eta=0.3)
    (document,) = read_foreign(bytes(booster.save_raw("json")).decode(), target="y")
    model = predictor_from_json(json.dumps(document))
    assert isinstance(model, Ensemble)
    columns: dict[str, list[Any]] = {f"f{place}": column.tolist() for place, column in enumerate(X.T)}
    columns["y"] = [str(label) for label in y]
    return model, rt.Table.from_columns(columns, "y", categorical=["y"])


BOOSTER = BoosterParameters(loss="logistic", max_depth=3)


@pytest.mark.oracles
def test_xgboost_on_breast_cancer() -> None:
    """Nearly all splits are proved optimal, the others are within rounding; and a planted fault is proved."""
    model, table = cancer()
    found = list(BoostedAudit(model, table, BOOSTER))
    splits = Counter(one.verdict for one in found if "<" in one.said)
    assert splits.keys() <= {"optimal", "within-rounding"}
    assert splits["optimal"] >= 0.8 * splits.total() > 25
    assert {one.verdict for one in found if "<" not in one.said} == {"optimal"}
    for number in (0, 2):  # the root asks a worse question, in a tree of exact derivatives and in later ones
        member = model.members[number]
        root = replace(member.tree.nodes[0], test=Threshold("f9", Fraction(0.06), strict=True))
        spoilt = member._replace(tree=replace(member.tree, nodes=(root, *member.tree.nodes[1:])))
        members = (*model.members[:number], spoilt, *model.members[number + 1 :])
        again = BoostedAudit(replace(model, members=members), table, BOOSTER)
        assert next(one for one in again if (one.tree, one.number) == (number, 0)).verdict == "wrong-threshold"


def test_a_difference_that_rounding_may_hide_is_within_rounding() -> None:
    """The better of two questions that differ by 2^-30 is proved optimal; the other one is not proved worse."""
    columns = {"a": [0, 0, 1, 1, 1], "b": [0, 1, 0, 1, 1]}
    table = rt.Table.from_columns({**columns, "y": [0] * 5}, "y", continuous=["a", "b"])
    g = [Fraction(-3), Fraction(-1), -1 - Fraction(1, 2**30), Fraction(2), Fraction(3)]
    for name, verdict in (("a", "within-rounding"), ("b", "optimal")):
        model = stump(table, name, Fraction(1, 2), [Fraction(0), Fraction(0)])
        root = next(iter(BoostedAudit(model, table, EXACT, given=[[(one, Fraction(1)) for one in g]])))
        assert (root.verdict, root.is_right) == (verdict, True)
    doubles = replace(EXACT, gains="double")
    model = stump(table, "a", Fraction(1, 2), [Fraction(0), Fraction(0)])
    found = BoostedAudit(model, table, doubles, given=[[(one, Fraction(1)) for one in g]])
    assert found.at(0).verdict == "suboptimal"


def test_a_light_root_of_xgboost_adds_nothing() -> None:
    """H is 4 at the root, and min_child_weight is more; another program gives the rows their value even so."""
    table = rt.Table.from_columns({"x": [1, 2, 3, 4], "y": [0, 0, 6, 8]})
    root = rt.Tree(table.schema.target, table.schema.attributes, (rt.Node((0, 0, 0), Fraction(0), stop="unknown"),))
    model = Ensemble(table.schema.target, table.schema.attributes, (Member(root),), "sum", start=(0,))
    for weight, is_light, verdict in ((5, True, "optimal"), (5, False, "wrong-leaf"), (4, True, "wrong-leaf")):
        booster = replace(EXACT, min_child_weight=weight, light_is_idle=is_light, max_depth=0)
        assert BoostedAudit(model, table, booster).at(0).verdict == verdict


def test_the_value_of_a_light_root_is_that_of_its_own_h() -> None:
    """G is -14, H is 4 and λ is 1; what a side needs, 5, has no part in it."""
    table = rt.Table.from_columns({"x": [1, 2, 3, 4], "y": [0, 0, 6, 8]})
    for value, verdict in ((Fraction(14, 5), "optimal"), (Fraction(14, 6), "wrong-leaf")):
        root = rt.Tree(table.schema.target, table.schema.attributes, (rt.Node((0, 0, 0), value, stop="unknown"),))
        model = Ensemble(table.schema.target, table.schema.attributes, (Member(root),), "sum", start=(0,))
        booster = replace(EXACT, min_child_weight=5, max_depth=0)
        assert BoostedAudit(model, table, booster).at(0).verdict == verdict


@pytest.mark.oracles
def test_xgboost_leaves_a_light_root_at_0_before_its_release_3_4() -> None:
    """Seen in 3.2.0 and 3.3.0, which do, and in 3.4.1, which gives the rows their value."""
    xgboost: Any = pytest.importorskip("xgboost")
    numpy: Any = importlib.import_module("numpy")
    matrix = xgboost.DMatrix(numpy.array([[1.0], [2.0], [3.0]]), label=[0, 1, 5])
    is_early = (numbers_of(xgboost.__version__) or ()) < (3, 4)
    for method in ("exact", "hist", "approx"):
        for weight in (2, 4):
            given = {"min_child_weight": weight, "base_score": 0, "eta": 1, "lambda": 0, "tree_method": method}
            booster = xgboost.train(given, matrix, 1)
            assert booster.predict(matrix)[0] == (0 if is_early and weight > 3 else 2)


def test_an_audit_knows_the_releases_in_which_a_light_root_is_idle() -> None:
    model = read_foreign((RECORDED / "xgboost" / "pima.json").read_text(encoding="utf-8"))[0]
    for version, is_light in (("3.2.0", True), ("3.3.0", True), ("3.4.1", False), (None, True)):
        found: Any = predictor_from_json(json.dumps(model))
        tree = found.members[0].tree
        tree = replace(tree, program=tree.program._replace(version=version))
        changed = replace(found, members=(found.members[0]._replace(tree=tree), *found.members[1:]))
        assert booster_of(changed, {})[0].light_is_idle == is_light
