"""One row as the command line names it, and what `explain --predict` makes of it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import reference_tree as rt
from reference_tree.cli.commands import row_named
from reference_tree.data.errors import InputError
from reference_tree.data.questions import Row
from reference_tree.data.schema import Attribute
from tests.cli.running import Run, refused
from tests.every import of_every

WIND, SPEED, ODD = Attribute("wind", ("weak", "strong")), Attribute("speed"), Attribute("a,b=c", ("x=1,y",))
THREE: list[tuple[int, Row]] = [(2, {"wind": "weak"}), (4, {"wind": "strong"}), (5, {"wind": None})]


@of_every(
    [
        ("2", {"wind": "strong"}),
        (" 3 ", {"wind": None}),
        ("wind=weak", {"wind": "weak"}),
        ("wind = weak , speed=-7.5", {"wind": "weak", "speed": Fraction(-15, 2)}),
        ("wind=?,speed=", {"wind": None, "speed": None}),
        (r"a\,b\=c=x=1\,y", {"a,b=c": "x=1,y"}),
        ("wind=gale", {"wind": "gale"}),  # whether there is a branch for it, the tree says
    ]
)
def test_rows(text: str, row: dict[str, object]) -> None:
    assert row_named(text, [WIND, SPEED, ODD], lambda: iter(THREE)) == row


def test_what_is_missing_can_be_said() -> None:
    assert row_named("wind=NA", [WIND], lambda: iter(()), ["NA"]) == {"wind": None}
    assert row_named("wind=?", [WIND], lambda: iter(()), ["NA"]) == {"wind": "?"}


@of_every(
    [
        ("0", "no such row; there are 3"),
        ("4", "no such row; there are 3"),
        ("9" * 5000, "no such row; there are 3"),
        ("wind", "'wind' is no name=value"),
        ("=weak", "'=weak' is no name=value"),
        ("", "is the number of a row"),
        (",,", "is the number of a row"),
        ("wnd=weak", "the tree knows no 'wnd'; it knows wind, speed, a,b=c"),
        ("wind=weak,wind=strong", "wind is given twice"),
        ("speed=fast", "speed is a number: 'fast' is not a number"),
        ("speed=1e999999", "speed is a number"),
        ("-1", "'-1' is no name=value"),
        ("٣", "'٣' is no name=value"),
    ]
)
def test_what_is_no_row(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        row_named(text, [WIND, SPEED, ODD], lambda: iter(THREE))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


# As a command.


def test_a_row_of_the_data_goes_down_the_tree_that_is_grown(run: Run) -> None:
    status, out, err = run("explain", "watermelon-2.0a", "--learner", "c45", "--predict", "8")
    assert (status, err) == (0, "")
    table = rt.textbook("watermelon-2.0a")
    row = list(table.rows())[7]
    assert out == rt.explain_prediction(rt.C45().grow(table), row, name="row 8 of watermelon-2.0a")
    assert "P(是|X) = 1/5·1 + 7/15·1 + 1/3·1 = 1\n" in out
    assert "$$" in run("explain", "watermelon-2.0a", "--learner", "c45", "--predict", "8", "--format", "markdown")[1]


def test_rows_are_numbered_as_the_file_has_them(run: Run, tmp_path: Path) -> None:
    """The second row has no target, and is left out of growing."""
    (tmp_path / "days.csv").write_text("wind,play\nweak,yes\nstrong,\nstrong,no\n", encoding="utf-8")
    status, out, err = run("explain", tmp_path / "days.csv", "--predict", "2")
    assert status == 0
    assert "left out without a target: 1 row" in err
    assert "The path of row 2 of days down the tree" in out
    assert "value   strong\n" in out
    assert "no such row; there are 3" in run("explain", tmp_path / "days.csv", "--predict", "4")[2]


def test_a_tree_document_needs_no_data_for_a_row_in_words(run: Run, tmp_path: Path) -> None:
    document = tmp_path / "tree.json"
    run("grow", "play-tennis", "--format", "json", "--output", document)
    status, out, _ = run("explain", document, "--predict", "outlook=sunny,humidity=high")
    assert status == 0
    assert out.endswith("Prediction: no.\n")
    assert out == run("explain", "play-tennis", "--predict", "outlook=sunny,humidity=high")[1]
    assert run("explain", document, "play-tennis", "--predict", "1")[1].endswith("Prediction: no.\n")
    assert "say which, too" in refused(run, "explain", document, "--predict", "1")
    assert "--max-depth is for growing" in refused(run, "explain", document, "--predict", "1", "--max-depth", "2")
    assert "--learner is for growing" in refused(run, "explain", document, "--predict", "1", "--learner", "c45")
    assert "--choose is for growing" in refused(run, "explain", document, "--predict", "1", "--choose", "/", "wind")


def test_what_a_tree_cannot_answer_is_one_line(run: Run) -> None:
    golf = ("explain", "golf", "--learner", "c45", "--predict")
    assert "no value for humidity" in refused(run, *golf, "outlook=sunny")
    assert "'foggy' of outlook was not seen" in refused(run, *golf, "outlook=foggy")
    assert run(*golf, "outlook=foggy", "--unseen", "majority")[0] == 0
    assert "leave one out" in refused(run, *golf, "1", "--node", "/")


def test_what_is_for_a_row_only_is_refused_without_one(run: Run) -> None:
    assert "--unseen is for the path of a row" in refused(run, "explain", "golf", "--unseen", "majority")
    assert "is for the path of a row" in refused(run, "explain", "golf", "golf")


def test_figures_are_rounded_as_asked(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "ensemble.json"
    run("grow", "play-tennis", "--ensemble", "adaboost", "--trees", "3", "-o", path)
    asked = ["explain", path, "play-tennis", "--predict", "1"]
    texts = [run(*asked, *more)[1] for more in ([], ["--digits", "6"], ["--digits", "2"])]
    assert texts[0] == texts[1]
    assert "0.647012" in texts[0]
    assert "0.65" in texts[2]
    assert "0.647" not in texts[2]
    assert "--exact is for one tree" in refused(run, *asked, "--exact")
    assert "--all every one; leave one out" in refused(run, *asked, "--all")


def test_a_derivation_begins_with_the_data(run: Run, tmp_path: Path) -> None:
    document = tmp_path / "tree.json"
    run("grow", "play-tennis", "-o", document)
    message = refused(run, "explain", document)
    assert message.endswith("holds a tree, and a derivation begins with its data; --predict ROW goes down the tree\n")
