"""The closed world of PMML: whatever is changed in a file, the answers are a real evaluator's, or the file is refused.

Every element and attribute is removed, renamed, added to and changed.

JPMML-Evaluator 1.7.7 answered every row for every changed file, or refused it: `recorded/pmml/changed.json` for three
files by hand, and `recorded/pmml/real.json` for files that sklearn2pmml 0.133.1 and nyoka 5.5.0 wrote of models of
scikit-learn 1.9.0, XGBoost 3.2.0 and LightGBM 4.7.0, which were fitted to invented rows.
"""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.programs.pmml.members import MEMBERS
from reference_tree.programs.reader import readers
from reference_tree.programs.reading import read_foreign
from reference_tree.tree_document.reading import predictor_from_json
from tests.programs.pmml_mutations import FILES, ROWS, changes_of, mutations

RECORDED = Path(__file__).parents[1] / "recorded" / "pmml" / "changed.json"

REAL = json.loads(RECORDED.with_name("real.json").read_text(encoding="utf-8"))
"""The answers to changed files of converters."""

LENIENT = {
    "numberOfFields=": "a count that nobody needs", "importance=": "a measure of training",
    "recordCount=": "shown alone", "exponent=": "1 in other words", "n=": "an array is counted",
    " type": "the type of the field decides", " id": "a name, which the evaluator wants to be there, and once",
    "Node score removed": "the class with the largest count, as PMML4S says",
    "DataField optype=ordinal": "an order of the classes, which no tree asks for",
    "OutputField": "an output is no prediction",
    "DataField dataType=integer": "a mean of whole numbers need be none; the evaluator refuses the row",
    "MiningField removed": "of the target; the evaluator answers under no name", "MiningField usageType": "likewise",
    "InlineTable": "rows with their predictions, for a test", "row renamed": "one of these rows",
    "SimplePredicate removed": "a compound of one part is this part",
}  # fmt: skip
"""Changes that the evaluator refuses, and that have no effect here: a part of their names → the reason."""

OUTPUTS = {"classes": "22 OutputField", "numbers": "no output", "chain": "57 OutputField"}
"""The outputs of the last model, which are no predictions: further answers under further names."""


@cache
def recorded() -> Any:
    """The answers of the evaluator."""
    return json.loads(RECORDED.read_text(encoding="utf-8"))["answers"]


def answers(text: str, rows: Sequence[Mapping[str, Any]] = ROWS) -> list[Any] | str:
    """The answer to each row, with P(Y|X) of the last class; `refused` for a row, or for the file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            (document,) = read_foreign(text)
        except InputError as error:
            return str(error)
    model = predictor_from_json(json.dumps(document))
    found: list[Any] = []
    for row in rows:
        try:
            label = model.predict(row)
            shares = [] if model.target.values is None else [*map(float, model.distribution(row).values())]
            is_tied = len(shares) > 1 and sorted(shares)[-2] > max(shares) - 1e-9
            found.append([label if isinstance(label, str) else float(label), shares[-1] if shares else None, is_tied])
        except InputError:
            found.append("refused")
    return found


def agrees(ours: Any, said: Any, near: float) -> bool:
    """Whether an answer is that of the evaluator; a refusal is never silent."""
    if ours == "refused":
        return True
    if said == "error" or said[0] is None:
        return False
    if isinstance(ours[0], str) and isinstance(said[0], str):
        same = ours[0] == said[0]
    else:  # in a field of doubles, the class 1 is the class 1.0
        same = math.isclose(float(ours[0]), float(said[0]), rel_tol=near, abs_tol=near)
    same = same or ours[2]  # of equal probabilities, no rule says which comes first
    return same and (said[1] is None or ours[1] is None or abs(ours[1] - said[1]) < 1e-6)


def has_no_effect(label: str) -> bool:
    """Whether a change is of an attribute that is listed as without effect."""
    _, element, what = label.split(" ", 2)
    return element in MEMBERS and what.lstrip("+").partition("=")[0].split(" ")[0] in MEMBERS[element].no_effect


def differences(
    changes: Iterable[tuple[str, str]], said: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], outputs: str = "?"
) -> list[tuple[str, object]]:
    """The changes of a file that are passed over in silence, with what is answered.

    Args:
        changes: the changed files, each under its name.
        said: the answers of the evaluator by these names, `refused`, or `as it is`.
        rows: the rows.
        outputs: how the names of changes begin that are about outputs.
    """
    found: list[tuple[str, object]] = []
    plain: Any = None
    for label, text in changes:
        ours = answers(text, rows)
        plain = plain or ours
        expected = said["as it is" if said.get(label, "as it is") == "as it is" else label]
        if isinstance(ours, str) or label.startswith(outputs) or 'usageType="target"' not in text:
            continue  # without a target the evaluator answers under no name
        if expected == "refused":
            expected = ["error"] * len(rows)
        in_floats = 'x-mathContext="float"' in text or "dataType=float" in label
        near = 2e-6 if in_floats else 1e-9  # each evaluator rounds to floats in its own order
        wrong = [pair for pair in zip(ours, expected, strict=True) if not agrees(*pair, near)]
        is_lenient = has_no_effect(label) or any(part in label for part in LENIENT)
        is_kept = ours == plain or "Simple" in label
        is_known = is_lenient and is_kept and all(one in ("error", [None, None]) for _, one in wrong)
        if wrong and not is_known:
            found.append((label, wrong[:2]))
    return found


@pytest.mark.parametrize("name", FILES)
def test_nothing_is_passed_over(name: str) -> None:
    found = answers(FILES[name])
    assert not isinstance(found, str), found
    assert sum(one == "refused" for one in found) < len(ROWS) // 2
    silent = differences(mutations(FILES[name]), recorded()[name], ROWS, OUTPUTS[name])
    assert not silent, "\n".join(map(str, silent[:40]))


@pytest.mark.parametrize("name", REAL["answers"])
def test_nothing_of_a_real_file_is_passed_over(name: str) -> None:
    said, rows = REAL["answers"][name], REAL["rows"][name]
    text = (RECORDED.parent / f"{name}.pmml").read_text(encoding="utf-8")
    expected = {"as it is": said["as it is"], **dict.fromkeys(said["refused"], "refused"), **said["changed"]}
    silent = differences(changes_of(text), expected, rows)
    assert not silent, "\n".join(map(str, silent[:40]))


@pytest.mark.parametrize("name", FILES)
def test_a_member_that_nobody_knows_is_refused_by_its_name(name: str) -> None:
    for label, text in mutations(FILES[name]):
        what = label.split()[-1]
        if what not in ("renamed", "+strange", "+Strange") or label.endswith("Extension renamed"):
            continue
        found = answers(text)
        assert isinstance(found, str), label
        named = ("strange", "Strange", "Other")
        assert any(one in found for one in named), (label, found)


def test_a_member_that_is_refused_is_passed_over_if_the_user_says_so() -> None:
    changed = FILES["classes"].replace('optype="continuous"', 'optype="continuous" colour="red"', 1)
    with pytest.raises(InputError, match="colour"):
        read_foreign(changed)
    with pytest.warns(UserWarning, match="ignored, as told: colour"):
        (document,) = read_foreign(changed, ignore_members=["colour"])
    assert document["nodes"] == read_foreign(FILES["classes"])[0]["nodes"]


def test_each_element_has_a_record_and_a_reason() -> None:
    assert readers()["pmml"].inventories == tuple(MEMBERS.values())
    rows: Sequence[tuple[str, str, str]] = [row for one in MEMBERS.values() for row in one.rows()]
    assert len(rows) > 200
    assert all(made for _, _, made in rows)
    inside = {name for one in MEMBERS.values() for name in one.used if name[0].isupper()}
    assert inside <= MEMBERS.keys()
