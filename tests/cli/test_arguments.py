"""Arguments: what is no command and no option is reported in one line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.running import Run, refused


@pytest.mark.parametrize(
    "arguments",
    [
        ["--target", "nothing"],
        ["--learner", "oracle"],
        ["--format", "png"],
        ["--epsilon", "much"],
        ["--epsilon", "nan"],
        ["--epsilon", "1e401"],
        ["--epsilon", "1" * 401],
        ["--epsilon=-1"],
        ["--max-depth", "-1"],
        ["--max-depth", "1.5"],
        ["--without", "nothing"],
        ["--categorical", "nothing"],
        ["--frobnicate"],
    ],
)
def test_bad_options(run: Run, weather: Path, arguments: list[str]) -> None:
    refused(run, "grow", weather, *arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        ["help", "dance"],
        ["grow"],
        ["dance"],
        ["explain", "play-tennis", "--node", "/outlook=foggy"],
        ["explain", "play-tennis", "--node", "outlook"],
        ["explain", "play-tennis", "--no\nde"],
    ],
)
def test_bad_commands(run: Run, arguments: list[str]) -> None:
    refused(run, *arguments)


def test_help_is_shown_where_nothing_is_asked(run: Run) -> None:
    status, shown, err = run()
    assert (status, err) == (0, "")
    assert all(
        f"    {command} " in shown for command in ("grow", "explain", "predict", "prune", "select", "plot", "data")
    )
    assert run("help") == (0, shown, "")
    assert run("--help") == (0, shown, "")
    assert run("help", "grow") == run("grow", "--help")


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["gorw"], "grow"),
        (["help", "selct"], "select"),
        (["plot", "entorpy"], "entropy"),
        (["grow", "paly-tennis"], "play-tennis"),
        (["data", "Watermelon-2"], "watermelon-2.0"),
        (["grow", "play-tennis", "--lerner", "id3"], "--learner"),
        (["grow", "play-tennis", "--max_depth=3"], "--max-depth"),
        (["grow", "play-tennis", "--target", "plya"], "play"),
        (["grow", "play-tennis", "--without", "Winds"], "wind"),
        (["grow", "play-tennis", "--learner", "c4.5"], "c45"),
        (["grow", "play-tennis", "--format", "txt"], "text"),
        (["grow", "golf", "--learner", "cart", "--profile", "sklearn"], "scikit-learn"),
        (["grow", "golf", "--learner", "cart", "--criterion", "gin"], "gini"),
        (["explain", "weather.csv", "--target", "ply"], "play"),
    ],
)
def test_a_name_that_is_nearly_one_is_answered_with_it(
    run: Run, weather: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], meant: str
) -> None:
    monkeypatch.chdir(weather.parent)
    assert f"(did you mean {meant}?)" in refused(run, *arguments)


def test_a_name_that_is_like_no_other_has_no_suggestion(run: Run) -> None:
    line = refused(run, "dance")
    assert "did you mean" not in line
    assert re.search("choose from .*grow", line)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["fit", "iris"], "(did you mean grow?)"),
        (["grow", "iris", "--ensemble", "xgboost"], "(did you mean gradient?)"),
        (["grow", "iris", "--ensemble", "random-forest"], "(did you mean forest?)"),
        (["grow", "iris", "--learner", "J48"], "(did you mean c45?)"),
        (["grow", "play-tennis", "--without", "outlook,wind"], "(these are 2 names; give each by itself)"),
        (["grow", "play-tennis", "-o", "t.png"], "a drawing is written as .svg"),
    ],
)
def test_what_other_programs_call_it_is_understood_as_a_hint(run: Run, arguments: list[str], says: str) -> None:
    assert says in refused(run, *arguments)


@pytest.mark.parametrize("command", ["predict", "audit", "prune", "score"])
def test_files_in_the_wrong_order_are_told_apart(run: Run, tmp_path: Path, command: str) -> None:
    run("data", "play-tennis", "-o", tmp_path / "days.csv")
    run("grow", "play-tennis", "-o", tmp_path / "tree.json")
    error = refused(run, command, tmp_path / "days.csv", tmp_path / "tree.json")
    assert f"the tree comes first: {command} {tmp_path}/tree.json {tmp_path}/days.csv" in error


def test_a_single_class_is_remarked_upon(run: Run, tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("a,y\nu,x\nv,x\n", encoding="utf-8")
    status, _, err = run("grow", tmp_path / "one.csv")
    assert (status, "every row has one class of y" in err) == (0, True)
