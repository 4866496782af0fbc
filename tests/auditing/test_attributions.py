"""The audit of attributions: what five explainers said of small models is right, and planted wrongs are named.

`recorded/attributions.json` has the models, the rows, and the values that each program gave, with its version.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.attribution.attributions import masses_of
from reference_tree.attribution.covers import covers_of
from reference_tree.auditing.attributions import AttributionAudit, audit_attributions, read_values
from reference_tree.data.errors import InputError
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.tree import Tree

RECORDED = json.loads((Path(__file__).parent / "recorded" / "attributions.json").read_text(encoding="utf-8"))
CASES = RECORDED["cases"]
RIGHT = [name for name, case in CASES.items() if "cause" not in case]


@cache
def _model(name: str) -> Tree | Ensemble:
    (document,) = rt.read_foreign(CASES[name]["model"])
    return rt.predictor_from_json(json.dumps(document))


def _rows(name: str, which: str = "rows") -> list[dict[str, Any]]:
    start = CASES[name]["names"]
    return [{f"{start}{place}": cell for place, cell in enumerate(row)} for row in RECORDED[which]]


def _audit(name: str, given: Any = None, **more: Any) -> AttributionAudit:
    case = CASES[name]
    background = _rows(name, "background") if case.get("background") else None
    told = case["given"] if given is None else given
    return audit_attributions(
        _model(name), _rows(name), told, background=background, **{"values": case["values"], **more}
    )


@pytest.mark.parametrize("name", RIGHT)
def test_what_the_programs_say_is_right_to_rounding(name: str) -> None:
    audit = _audit(name)
    assert [one.status for one in audit.judged] == ["passed"] * len(RECORDED["rows"])
    assert audit.is_right
    assert audit.worst < 40
    assert audit.summary.startswith("8 rows: right to rounding; the largest error is ")


@pytest.mark.parametrize("name", RIGHT)
def test_the_values_are_near_those_of_the_program(name: str) -> None:
    """By the differences alone, as anybody would compare them."""
    case = CASES[name]
    background = _rows(name, "background") if case.get("background") else None
    found = rt.shapley_values(_model(name), _rows(name), background=background, values=case["values"])
    for each, given in zip(found.floats, case["given"], strict=True):
        assert list(each.values()) == pytest.approx(given[: len(each)], abs=2e-6)
        assert not given[len(each) :] or float(found.expected_value) == pytest.approx(given[-1], abs=2e-6)


def test_interventional_values_of_shap_are_right_to_the_rounding_of_float32_and_the_audit_says_so() -> None:
    assert _audit("shap interventional").form == "float32"
    assert _audit("shap of XGBoost").form == "double"
    assert _audit("XGBoost pred_contribs reg:squarederror").form == "float32"


def test_the_parts_of_the_paths_are_told_from_shapley_values() -> None:
    audit = _audit("XGBoost approx_contribs")
    assert not audit.is_right
    assert audit.cause == "they are the parts of the paths, and no Shapley values"


def test_another_cover_is_named() -> None:
    name = "LightGBM pred_contrib"
    audit = _audit(name, cover="sum_hessian")
    assert audit.cause == "they are path-dependent values, weighed by the cover weights"
    given = rt.shapley_values(_model(name), _rows(name), cover="sum_hessian")
    assert _audit(name, given).cause == "they are path-dependent values, weighed by the cover sum_hessian"


def test_interventional_values_in_the_place_of_path_dependent_ones_are_wrong() -> None:
    assert not _audit("shap interventional for path-dependent").is_right
    name = "shap of a forest"
    given = rt.shapley_values(_model(name), _rows(name), background=_rows(name), values="2")
    assert "interventional values, with the rows themselves as background" in _audit(name, given).summary
    given = rt.shapley_values(_model(name), _rows(name), background=_rows(name, "background"), values="2")
    assert audit_attributions(
        _model(name), _rows(name), given, background=_rows(name, "background"), values="2"
    ).is_right


def test_the_values_of_the_other_class_are_named() -> None:
    golf = rt.textbook("golf")
    tree = rt.CART().grow(golf)
    audit = rt.audit_attributions(tree, golf, rt.shapley_values(tree, golf, values="no").values, values="yes")
    assert audit.cause == "they are those of the other class"


@pytest.mark.parametrize("row", [0, 7])
@pytest.mark.parametrize("place", [0, 3])
def test_a_wrong_value_is_named_with_its_attribute_and_row(row: int, place: int) -> None:
    name = "shap of a weighted tree"
    given = [list(each) for each in CASES[name]["given"]]
    given[row][place] += 1e-9
    audit = _audit(name, given)
    (wrong,) = [one for one in audit.judged if one.status == "failed"]
    assert (wrong.id, wrong.message.split(" is ")[0]) == (str(row + 1), f"x{place}")
    assert audit.cause == ""
    assert "1 of 8 rows wrong; no other value function or cover explains them" in audit.summary


def _single(value: float) -> float:
    return struct.unpack("<f", struct.pack("<f", value))[0]  # type: ignore[no-any-return]


def _branch_over_another(tree: Tree) -> int:
    """A node below the root that asks about another attribute than the one above it."""
    return next(
        below
        for node in tree.nodes
        for below in node.branches
        if node.test and (test := tree.nodes[below].test) and test.attribute != node.test.attribute
    )


@pytest.mark.parametrize("name", [name for name in RIGHT if not CASES[name].get("background")])
def test_a_cover_that_is_one_row_too_large_is_found(name: str) -> None:
    model = _model(name)
    covers = [list(each) for each in covers_of(model)]
    trees = [model] if isinstance(model, Tree) else [member.tree for member in model.members]
    number = next(number for number, tree in enumerate(trees) if _places(tree))
    covers[number][_branch_over_another(trees[number])] += 1
    found = rt.shapley_values(model, _rows(name), cover=covers, values=CASES[name]["values"]).floats
    form = _single if name.startswith("XGBoost") else float
    given = [[form(value) for value in each.values()] for each in found]
    assert not _audit(name, given).is_right


def _places(tree: Tree) -> bool:
    return any(
        node.test and (test := tree.nodes[below].test) and test.attribute != node.test.attribute
        for node in tree.nodes
        for below in node.branches
    )


@pytest.mark.parametrize("name", ["shap of XGBoost", "LightGBM pred_contrib", "shap of a weighted tree"])
def test_a_leaf_that_is_wrong_by_a_millionth_is_found_in_doubles(name: str) -> None:
    model = _model(name)
    tree = model if isinstance(model, Tree) else model.members[0].tree
    leaf = next(number for number, node in enumerate(tree.nodes) if node.test is None and node.label)
    nodes = list(tree.nodes)
    nodes[leaf] = replace(nodes[leaf], label=Fraction(nodes[leaf].label) * (1 + Fraction(1, 10**6)))
    changed = replace(tree, nodes=tuple(nodes))
    if isinstance(model, Ensemble):
        other: Any = replace(model, members=(model.members[0]._replace(tree=changed), *model.members[1:]))
    else:
        other = changed
    assert not _audit(name, rt.shapley_values(other, _rows(name), cover=covers_of(model))).is_right


def test_the_expected_value_is_judged_too() -> None:
    name = "LightGBM pred_contrib"
    given = [list(each) for each in CASES[name]["given"]]
    given[3][-1] += 1e-9
    (wrong,) = [one for one in _audit(name, given).judged if one.status == "failed"]
    assert (wrong.id, wrong.message[:18]) == ("4", "the expected value")


def test_between_right_and_wrong_it_is_not_told() -> None:
    name = "shap of a weighted tree"
    exact = rt.shapley_values(_model(name), _rows(name))
    given = [list(each.values()) for each in exact.floats]
    given[0][0] += float(masses_of(exact)[0]["x0"] * 400 / 2**53)
    audit = _audit(name, given)
    assert [one.status for one in audit.judged] == ["skipped", *["passed"] * 7]
    assert audit.is_right
    assert "8 rows: right to rounding; 1 row not told" in audit.summary


def _forms(names: Sequence[str], rows: Sequence[Sequence[float]]) -> dict[str, Any]:
    columns = {name: [row[place] for row in rows] for place, name in enumerate(names)}
    return {
        "rows": rows,
        "mappings": [dict(zip(names, row, strict=True)) for row in rows],
        "columns": columns,
        "texts": {name: list(map(repr, cells)) for name, cells in columns.items()},
        "an explanation": SimpleNamespace(values=rows, base_values=0.5),
    }


@pytest.mark.parametrize("form", ["rows", "mappings", "columns", "texts", "an explanation"])
def test_values_come_in_many_forms(form: str) -> None:
    names, rows = ["a", "b"], [[0.1, -0.25], [3.0, 0.0]]
    found = read_values(_forms(names, rows)[form], names)
    assert [[float(value) for value in each.values()] for each in found.values] == rows
    assert (found.expected is None) == (form != "an explanation")
    assert found.form == ("float32" if form == "texts" else "double")  # 0.1 may stand for the float32


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "no attributions"),
        ([[1, 2, 3, 4]], "row 1 has 4 values, and the model 2 attributes"),
        ([{"a": 1}], "row 1: there is no value for b"),
        ([["x", 1]], "row 1"),
        ([[float("nan"), 1]], "row 1"),
        ([[1, 2], [1, 2, 3]], "some rows have an expected value"),
        ("text", "rows of numbers"),
        (7, "rows of numbers"),
    ],
)
def test_what_is_not_understood_is_refused(given: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_values(given, ["a", "b"])


def test_there_are_as_many_rows_as_attributions() -> None:
    with pytest.raises(InputError, match="there are 8 rows and 1 of attributions"):
        _audit("LightGBM pred_contrib", [[0, 0, 0, 0]])
