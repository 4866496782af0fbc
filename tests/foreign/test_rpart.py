"""Tables of rpart, written by the lines of R on the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from reference_tree.data.errors import InputError
from reference_tree.foreign import predictor_of_file, read_foreign
from reference_tree.tree import Tree
from reference_tree.tree_document import from_json, to_json
from tests.every import of_every
from tests.foreign.documents import files, record_of, rows_of
from tests.foreign.recording import HERE
from tests.programs.data_sets import data_set

IRIS = (HERE / "rpart" / "iris.rpart").read_text(encoding="utf-8")


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize("path", files("rpart"))
def test_a_tree_of_rpart_answers_as_it_did(path: Path) -> None:
    record, found = record_of(path), predictor_of_file(path)
    assert isinstance(found, Tree)
    data = data_set(record["data"])
    answers = found.predict(rows_of(data, found))
    if data.target.values is not None:
        assert answers == record["answers"]
    else:
        assert list(map(float, answers)) == list(map(float, record["answers"]))
    assert from_json(to_json(found)) == found


@of_every(
    [
        ('"numeric"', '"list"', "there is no class of columns 'list'"),
        ('"2","<leaf>"', '"1","<leaf>"', "a node occurs twice in the table frame"),
        ('"3","', '"7","', "'2' is absent|'3' is absent|a branch leads to node 3|node 7 asks petal width"),
        ('"50","50","0","1","0",', '"50","50","0","0","0",', "an entry has the number -1"),
        ('"1","petal length","150"', '"1","petal length","x"', "invalid literal"),
        ("# splits", "# columns", "is not a tree of rpart: a table occurs twice"),
        ("# frame", "# nodes", "a tree of rpart: the tables of rpart has a member 'nodes', which is not known here"),
        ('"petal width","numeric"', '"petal width","nmatrix.2"', "petal width is a matrix, which is not read"),
        ('"1","petal length","150"', '"1","petal width","150"', "node 1 asks petal width in the table frame"),
    ]
)
def test_tables_that_are_no_tree_are_refused(old: str, new: str, message: str) -> None:
    assert old in IRIS
    with pytest.raises(InputError, match=message):
        read_foreign(IRIS.replace(old, new))


def test_rows_that_do_not_answer_are_sent_by_the_program_s_rule() -> None:
    text = (HERE / "rpart" / "labor.rpart").read_text(encoding="utf-8")
    two, one, none = (read_foreign(text.replace('"class","2"', f'"class","{each}"')) for each in "210")
    assert two[0]["nodes"][0]["missing"] == {"rule": "surrogates", "to": two[0]["nodes"][0]["branches"][1]["to"]}
    assert one[0]["nodes"][0]["missing"] == {"rule": "surrogates"}
    assert none[0]["nodes"][0]["missing"] == {"rule": "stay"}


def test_an_ordered_factor_is_no_set_of_values_to_an_audit() -> None:
    text = (HERE / "rpart" / "labor.rpart").read_text(encoding="utf-8")
    (document,) = read_foreign(text.replace('"pension","factor"', '"pension","ordered"'))
    assert document["learner"]["options"]["unlike"] == ["pension, an ordered factor"]
