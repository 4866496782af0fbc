"""Tables of rpart, written by the lines of R on the page."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.data.questions import Missing
from reference_tree.data.readers.rows import read_rows
from reference_tree.programs.reading import predictor_of_file, read_foreign
from reference_tree.tree import Tree
from reference_tree.tree_document import from_json, to_json
from tests.every import of_every
from tests.peers.data_sets import data_set
from tests.programs.documents import files, record_of, rows_of, tree_of
from tests.programs.recording import HERE

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
        (
            '"3","',
            '"7","',
            "'2' is absent|'3' is absent|a branch leads to node 3|node 13 has 6 rows, and the nodes below have 14"
            "|node 7 asks petal width",
        ),
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


# Columns and responses of every class, and prints beside the tables.

KINDS = HERE / "rpart-kinds"


@pytest.mark.filterwarnings("ignore:.*(thresholds are rounded|times of time are seconds|weighted by its priors)")
@pytest.mark.parametrize("ends", ["rpart", "txt"])
def test_columns_and_responses_of_every_class_answer_as_in_rpart(ends: str) -> None:
    files_read = sorted(KINDS.glob(f"*.{ends}"))
    assert len(files_read) == 18
    for path in files_read:
        if path.name == "three-digits.txt":
            continue  # all of its thresholds are 1.98e+04
        tree = predictor_of_file(path)
        rows = [row for _, row in read_rows(KINDS / "days.csv", tree.attributes)]
        for ours, theirs in zip(tree.predict(rows), path.with_suffix(".answers").read_text().split(), strict=True):
            assert ours == theirs if isinstance(ours, str) else abs(float(ours) - float(theirs)) < 1e-5, path.name


def test_a_date_is_days_and_a_time_seconds_in_every_form_of_rows() -> None:
    tree = predictor_of_file(KINDS / "date.rpart")
    days = ["2024-04-30", "2024-05-01", "1969-12-31", "2024-05-04"]
    answers = ["p", "q", "p", "q"]
    assert [tree.predict({"day": day}) for day in days] == answers
    assert tree.predict([{"day": day} for day in days]) == answers
    as_numbers = rt.Table.from_columns({"day": days, "class": answers}, target="class", continuous=["day"])
    assert as_numbers.columns["day"][0] == 20240430  # by its digits, until the tree asks
    assert tree.predict(as_numbers) == answers
    assert [tree.predict({"day": number}) for number in (19843, 19844, -1, 19847)] == answers


def test_a_date_that_no_question_asks_is_a_date_in_the_rows() -> None:
    tree = predictor_of_file(KINDS / "unasked-date.rpart")
    assert isinstance(tree, Tree)
    assert [test.attribute for test in (node.test for node in tree.nodes) if test is not None] == ["is"]
    assert tree.grower.options["texts"]["day"] == "days"
    assert [tree.predict({"is": is_late, "day": "2024-05-01"}) for is_late in (True, False)] == ["p", "q"]


def test_a_price_of_0_takes_back_a_split_that_takes_nothing_off_the_risk() -> None:
    """Mid or hi with p 2, q 4 is a leaf of two mistakes: mid with p 1, q 1 and hi with p 1, q 3 have two as well."""
    tree = predictor_of_file(KINDS / "no-gain.rpart")
    assert isinstance(tree, Tree)
    assert tree.grower.options["cp"] == "0"
    rows = dict(read_rows(KINDS / "days.csv", [*tree.attributes, tree.target]))
    table = rt.Table.from_rows(rows.values(), "class")
    found = rt.audit(tree, table, assume="none")
    assert [one.number for one in found.findings if one.excused] == [2]
    assert found.is_right
    assert "cp = 0 takes back a split that does not lower the risk" in str(found)
    root = replace(tree, nodes=(replace(tree.nodes[0], test=None, branches=(), stop="unknown", missing=Missing()),))
    assert [one.verdict for one in rt.audit(root, table).wrong] == ["stopped-early"]


def test_the_tables_say_how_the_tree_was_trained() -> None:
    told = predictor_of_file(KINDS / "losses.rpart").grower.options["told"]
    assert told == {
        "min_samples_split": "2", "min_samples_leaf": "1", "max_depth": 30, "max_surrogates": 5, "criterion": "gini",
        "loss": {"p": {"q": "1"}, "q": {"p": "3"}},
    }  # fmt: skip
    with pytest.warns(UserWarning, match="probabilities are weighted by its priors"):
        priors = predictor_of_file(KINDS / "priors.rpart").grower
    assert [float(Fraction(one)) for one in priors.options["told"]["priors"].values()] == [0.2, 0.8]
    assert priors.source["command"].startswith("rpart(formula = class ~ count, data = days, weights = c(1, 2,")
    assert predictor_of_file(KINDS / "costs.rpart").grower.options["unlike"] == ["cost = c(1, 2)"]
    assert predictor_of_file(KINDS / "one-leaf.rpart").grower.options["cp"] == "0.01"
    assert predictor_of_file(KINDS / "one-leaf.rpart").grower.options["told"]["pruned"] is True


def test_tables_that_earlier_lines_of_r_wrote_have_other_columns_for_dates() -> None:
    text = (KINDS / "date.rpart").read_text(encoding="utf-8").partition("# control")[0]
    (document,) = read_foreign(text.replace('"Date"', '"other"'))
    assert tree_of(document).predict({"day": "2024-04-30"}) == "p"


@pytest.mark.filterwarnings("ignore:.*(thresholds are rounded|times of time are seconds)")
@pytest.mark.parametrize(
    "name",
    [
        "date",
        "unasked-date",
        "logical-response",
        "time",
        "difference-of-times",
        "losses",
        "word-response",
        "no-gain",
    ],
)
def test_tables_are_audited_by_what_they_say_and_dates_are_days(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from reference_tree.cli import main

    tree = predictor_of_file(KINDS / f"{name}.rpart")
    header, *lines = (KINDS / "days.csv").read_text(encoding="utf-8").split("\n")
    wanted = [*(one.name for one in tree.attributes), tree.target.name]
    places = [header.replace('"', "").split(",").index(one) for one in wanted]
    rows = [",".join(line.replace('"', "").split(",")[place] for place in places) for line in lines if line]
    (tmp_path / "days.csv").write_text("\n".join([",".join(wanted), *rows]) + "\n", encoding="utf-8")
    assert main(["audit", str(KINDS / f"{name}.rpart"), str(tmp_path / "days.csv")]) == 0, capsys.readouterr().out
    assert " nodes are right" in capsys.readouterr().out


def test_rates_are_read_and_not_audited() -> None:
    """The rates of `poisson` are shrunk, and tests are judged by another deviance."""
    (document,) = read_foreign((HERE / "rpart-kinds" / "poisson.rpart").read_text(encoding="utf-8"))
    assert "method poisson" in document["learner"]["options"]["unlike"]
    (document,) = read_foreign((HERE / "rpart-kinds" / "date.rpart").read_text(encoding="utf-8"))
    assert not any("method" in one for one in document["learner"]["options"].get("unlike", ()))


def test_a_row_without_a_value_may_stay_between_two_equal_sides() -> None:
    """Rpart 4.1.19: x sends four rows to each side, w a ninth to the left; the tenth has neither, and stays."""
    path = HERE / "rpart-ties" / "sides.rpart"
    found = predictor_of_file(path)
    assert [found.predict({"x": x, "w": w, "z": 1}) for x, w in ((0, 0), (7, 0), (None, 0), (None, 1))] == list("pqpq")
    # The same counts where x sends five and three are no tie, and the tenth row would have gone to the left.
    text = path.read_text(encoding="utf-8").replace('"x","8","-1"', '"x","7","-1"')
    with pytest.raises(InputError, match="node 1 has 10 rows, and the nodes below have 9"):
        read_foreign(text, target="y")
