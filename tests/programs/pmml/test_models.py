"""Models that sklearn2pmml and nyoka wrote: each row has the answer and the probabilities that JPMML-Evaluator gives.

The versions stand in `recorded/pmml/answers.json`.
"""

from __future__ import annotations

import json
import math
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.programs.reading import predictor_of_file, read_foreign
from reference_tree.tree_document.reading import predictor_from_json
from reference_tree.tree_document.writing import to_json
from tests.programs.pmml_mutations import CHAIN

HERE = Path(__file__).parents[1] / "recorded" / "pmml"
ANSWERS = json.loads((HERE / "answers.json").read_text(encoding="utf-8"))


@cache
def model(name: str) -> Any:
    """A recorded model."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return predictor_of_file(HERE / f"{name}.pmml")


def predictor_of(document: Any) -> Any:
    """The predictor of a document."""
    return predictor_from_json(json.dumps(document))


def asked(name: str) -> tuple[list[dict[str, Any]], list[Any]]:
    """The rows and what was answered."""
    said = ANSWERS["answers"][name]
    return ANSWERS["rows"][said["rows"]], said["says"]


@pytest.mark.parametrize("name", ANSWERS["answers"])
def test_answers_are_those_of_the_evaluator(name: str) -> None:
    found, (rows, says) = model(name), asked(name)
    again = predictor_from_json(to_json(found))
    for row, (label, shares) in zip(rows, says, strict=True):
        if label is None:
            with pytest.raises(InputError):
                found.predict(row)
            continue
        answer = found.predict(row)
        assert again.predict(row) == answer
        if found.target.values is None:
            assert float(answer) == pytest.approx(label, abs=5e-7 * max(1, abs(label)))
        else:
            assert str(answer) == str(label)
            if any(shares):
                assert list(map(float, found.distribution(row).values())) == pytest.approx(shares, abs=2e-7)


@pytest.mark.parametrize("name", ["xgr_c", "gbc_c", "rfc_c", "lgk_c"])
def test_many_rows_are_answered_as_each_alone(name: str) -> None:
    found, (rows, _) = model(name), asked(name)
    columns = {key: [row[key] for row in rows] for key in rows[0]}
    table = Table.from_columns({**columns, "y": [0.5] * len(rows)}, target="y", continuous=list(columns))
    assert found.predict(table) == [found.predict(row) for row in rows] == found.predict(rows)


def test_compact_and_full_files_are_one_function() -> None:
    rows, _ = asked("xgr_c")
    assert [model("xgr_c").predict(row) for row in rows] == [model("xgr_f").predict(row) for row in rows]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("weightedAverage", "median", "there is no way to combine models that is read 'median'"),
        ('"logit"', '"probit"', "there is no normalizationMethod that is read 'probit'"),
        ('<Target rescaleFactor="0.5"', '<Target castInteger="round"', "min, max or castInteger"),
        ('name="sum" coefficient', 'name="other" coefficient', "'other', which is no sum of trees"),
        ('intercept="0" ', 'intercept="1" ', "the second of two tables"),
        (
            "<True/><TreeModel",
            '<SimplePredicate field="age" operator="lessThan" value="1"/><TreeModel',
            "for some rows alone",
        ),
        ('weight="2"', 'weight="-2"', "the weight of a Segment is negative"),
    ],
)
def test_what_is_no_sum_of_trees_is_refused(old: str, new: str, message: str) -> None:
    assert old in CHAIN
    with pytest.raises(InputError, match=message):
        read_foreign(CHAIN.replace(old, new))


def test_an_output_of_a_sum_may_be_a_line() -> None:
    line = """<OutputField name="sum" optype="continuous" dataType="double" feature="transformedValue">
    <Apply function="-"><Apply function="*"><Constant>2</Constant><FieldRef field="raw"/></Apply>
    <Constant>0.5</Constant></Apply></OutputField>"""
    changed = CHAIN.replace('name="sum" optype="continuous" dataType="double" feature="predictedValue"',
                            'name="raw" optype="continuous" dataType="double" feature="predictedValue"').replace(
                            "</Output>\n<Targets>", f"{line}</Output>\n<Targets>")  # fmt: skip
    assert line in changed
    before, after = (read_foreign(text)[0] for text in (CHAIN, changed))
    row = {"age": 30}
    first, second = (predictor_from_json(json.dumps(one)).distribution({**row, "sex": "male", "fare": 1})
                     for one in (before, after))  # fmt: skip
    # a = 1.5·s + 0.5 before, and 1.5·(2·s - 0.5) + 0.5 after
    import math

    odds = [math.log(float(one["lives"]) / float(one["dies"])) for one in (first, second)]
    assert odds[1] == pytest.approx(2 * (odds[0] - 0.5) + 0.5 - 0.75)
    with pytest.raises(InputError, match="made by 'pow' in a way that is not read"):
        read_foreign(changed.replace('function="*"', 'function="pow"'))


def test_a_tree_of_a_mean_has_a_target_of_its_own() -> None:
    """JPMML-Evaluator 1.7.7 rescales what the tree predicts, and then takes the mean."""
    text = (HERE / "rfr_c.pmml").read_text(encoding="utf-8")
    inner = "</MiningSchema>\n  <Node"
    assert text.count(inner) == text.count("<TreeModel")
    scaled = text.replace(inner, f'</MiningSchema><Targets><Target rescaleFactor="4"/></Targets>{inner[15:]}')
    (plain,), (fourfold,) = map(read_foreign, (text, scaled))
    rows, _ = asked("rfr_c")
    for row in rows:
        assert predictor_of(fourfold).predict(row) == 4 * predictor_of(plain).predict(row)


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("rfr_c", '<TreeModel functionName="regression"', '<TreeModel functionName="classification"',
         "a tree of a model of regression has the function classification"),
        ("rfr_c", "<MiningModel ", '<MiningModel x-mathContext="float" ', "averaged in float32"),
        ("gbc_c", 'isFinalResult="false"', 'isFinalResult="false" segmentId="1"', "is that of one Segment"),
    ],
)  # fmt: skip
def test_what_would_be_another_model_is_refused(name: str, old: str, new: str, message: str) -> None:
    text = (HERE / f"{name}.pmml").read_text(encoding="utf-8")
    assert old in text
    with pytest.raises(InputError, match=message):
        read_foreign(text.replace(old, new, 1))


def test_a_row_stays_in_one_tree_of_a_sum_and_has_its_score() -> None:
    """One tree has lastPrediction, one none: the scores -1.5 and 0.25 of the roots, of weights 2 and 1."""
    text = CHAIN.replace('missingValueReplacement="30"\nmissingValueTreatment="asMean"', "")
    first, second, third = text.split('missingValueStrategy="none"')
    text = f'{first}missingValueStrategy="none"{second}missingValueStrategy="lastPrediction"{third}'
    (document,) = read_foreign(text)
    odds = (2 * -1.5 + 0.25) / 3 * 0.5 + 0.25
    share = predictor_of(document).distribution({"sex": "male", "age": None, "fare": 8.0})["lives"]
    assert float(share) == pytest.approx(1 / (1 + math.exp(-1.5 * odds - 0.5)), abs=1e-12)
