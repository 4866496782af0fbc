"""The closed world of PMML: whatever is changed in a file, the answers are a real evaluator's, or the file is refused.

Every element and attribute is removed, renamed, added to and changed.

JPMML-Evaluator 1.7.7 answered every row for every changed file, or refused it: `recorded/pmml/changed.json`.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.foreign import read_foreign
from reference_tree.foreign.pmml_members import MEMBERS
from reference_tree.foreign.programs import readers
from reference_tree.tree_document.reading import predictor_from_json
from tests.foreign.pmml_mutations import FILES, ROWS, mutations

RECORDED = Path(__file__).parent / "recorded" / "pmml" / "changed.json"

LENIENT = {
    "numberOfFields=": "a count that nobody needs", "importance=": "a measure of training",
    "recordCount=": "shown alone", "exponent=": "1 in other words", "n=": "an array is counted",
    " type": "the type of the field decides", " id": "a name, which the evaluator wants to be there, and once",
    "Node score removed": "the class with the largest count, as PMML4S says",
    "SimplePredicate removed": "a compound of one part is this part",
}  # fmt: skip
"""Changes that the evaluator refuses, and that have no effect here: a part of their names → the reason."""

OUTPUTS = {"classes": "22 OutputField", "numbers": "no output", "chain": "57 OutputField"}
"""The outputs of the last model, which are no predictions: further answers under further names."""


@cache
def recorded() -> Any:
    """The answers of the evaluator."""
    return json.loads(RECORDED.read_text(encoding="utf-8"))["answers"]


def answers(text: str) -> list[Any] | str:
    """The answer to each row, with P(Y|X) of the second class; `refused` for a row, or for the file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            (document,) = read_foreign(text)
        except InputError as error:
            return str(error)
    model = predictor_from_json(json.dumps(document))
    found: list[Any] = []
    for row in ROWS:
        try:
            label = model.predict(row)
            share = None if model.target.values is None else float([*model.distribution(row).values()][-1])
            found.append([label if isinstance(label, str) else float(label), share])
        except InputError:
            found.append("refused")
    return found


def agrees(ours: Any, said: Any) -> bool:
    """Whether an answer is that of the evaluator; a refusal is never silent."""
    if ours == "refused" or ours[1] == 0.5:  # of equal probabilities, no rule says which comes first
        return True
    if said == "error" or said[0] is None:
        return False
    same = ours[0] == said[0] if isinstance(ours[0], str) else abs(ours[0] - float(said[0])) < 1e-9
    return same and (said[1] is None or ours[1] is None or abs(ours[1] - said[1]) < 1e-6)


def differences(name: str) -> list[tuple[str, object]]:
    """The changes of a file that are passed over in silence, with what is answered."""
    found: list[tuple[str, object]] = []
    for label, text in mutations(FILES[name]):
        ours = answers(text)
        expected = recorded()[name]["as it is" if recorded()[name][label] == "as it is" else label]
        if isinstance(ours, str) or label.startswith(OUTPUTS[name]) or 'usageType="target"' not in text:
            continue  # without a target the evaluator answers under no name
        if expected == "refused":
            expected = ["error"] * len(ROWS)
        wrong = [pair for pair in zip(ours, expected, strict=True) if not agrees(*pair)]
        is_known = any(part in label for part in LENIENT) and all(said in ("error", [None, None]) for _, said in wrong)
        if wrong and not is_known:
            found.append((label, wrong[:2]))
    return found


@pytest.mark.parametrize("name", FILES)
def test_nothing_is_passed_over(name: str) -> None:
    found = answers(FILES[name])
    assert not isinstance(found, str), found
    assert sum(one == "refused" for one in found) < len(ROWS) // 2
    silent = differences(name)
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
