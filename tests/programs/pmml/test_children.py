"""The questions of PMML: sixty random models of all kinds of predicates and treatments, as JPMML-Evaluator answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.programs.reading import read_foreign
from tests.every import of_every
from tests.programs.documents import tree_of
from tests.programs.pmml.test_files import among, either, model, simple

RANDOM = json.loads((Path(__file__).parents[1] / "recorded" / "pmml" / "random.json").read_text(encoding="utf-8"))
HEAD = '<PMML version="4.4" xmlns="http://www.dmg.org/PMML-4_4"><Header/>'


def is_refused(tree: Any, row: dict[str, Any]) -> str:
    """Why a row has no answer; empty if it has one."""
    try:
        tree.predict(row)
    except InputError as error:
        return str(error)
    return ""


@of_every(range(len(RANDOM["models"])))
def test_random_models_answer_as_the_evaluator(number: int) -> None:
    written = RANDOM["models"][number]
    try:
        (document,) = read_foreign(f"{HEAD}{written['document']}</PMML>")
    except InputError as error:
        assert "no answer for" in str(error) or "not read" in str(error)  # noqa: PT017
        return
    tree = tree_of(document)
    answered = []
    for row, said in zip(RANDOM["rows"], written["says"], strict=True):
        why = is_refused(tree, row)
        if why:  # the evaluator answers if no question of the path asks for the invalid value
            assert said in (None, "refused") or "is invalid for this model" in why, (row, said, why)
            continue
        answer = tree.predict(row)
        assert answer == said if isinstance(answer, str) else float(answer) == pytest.approx(float(said)), (row, said)
        answered.append((row, answer))
    if answered:
        columns = {name: [row[name] for row, _ in answered] for name in RANDOM["rows"][0]}
        goal = {"y": [1] * len(answered) if tree.target.values is None else ["no"] * len(answered)}
        table = Table.from_columns({**columns, **goal}, target="y", categorical=["k", "m"], continuous=["x", "z"])
        assert tree.predict(table) == [answer for _, answer in answered]


MISSING = '<SimplePredicate field="{0}" operator="{1}"/>'


@of_every(
    [
        (MISSING.format("x", "isMissing"), "<True/>", [(None, "no"), ("1e300", "yes")]),
        (MISSING.format("x", "isNotMissing"), "<True/>", [(None, "yes"), ("-1", "no")]),
        (either(simple("x", "lessThan", "1"), MISSING.format("x", "isMissing")), "<True/>",
         [(None, "no"), ("0", "no"), ("1", "yes")]),
        (simple("x", "equal", "2"), "<True/>", [("2", "no"), ("3", "yes"), ("1", "yes"), (None, "yes")]),
    ]
)  # fmt: skip
def test_whether_a_value_is_there_is_a_question(first: str, second: str, rows: list[Any]) -> None:
    (document,) = read_foreign(model(first, second))
    tree = tree_of(document)
    for value, label in rows:
        assert tree.predict({"x": value, "sky": "grey"}) == label, (value, label)


def test_a_chain_of_fields_is_one_question_after_the_other() -> None:
    nested = model(simple("x", "lessThan", "1"), among("isIn", "grey"), 'noTrueChildStrategy="returnLastPrediction"')
    tree = tree_of(read_foreign(nested)[0])
    for x, sky, label in ((0, "sunny", "no"), (1, "grey", "yes"), (1, "dark", "yes"), (None, "grey", "yes")):
        assert tree.predict({"x": x, "sky": sky}) == label


def test_rows_are_not_divided_among_children_that_are_no_branches() -> None:
    text = model(simple("x", "lessThan", "1"), among("isIn", "grey"), 'missingValueStrategy="aggregateNodes" '
                 'noTrueChildStrategy="returnLastPrediction"')  # fmt: skip
    with pytest.raises(InputError, match=r"divided among them \(aggregateNodes\), which is not read"):
        read_foreign(text)
