"""From options to a table and a tree: files, learners, profiles, and one clear line for what does not fit."""

from __future__ import annotations

import io
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from reference_tree.learners.registry import LEARNERS
from tests.cli.running import WEATHER, Run, refused


def test_the_order_of_rows_does_not_matter(run: Run, tmp_path: Path) -> None:
    head, *rows = WEATHER.splitlines()
    trees = set()
    for seed in range(6):
        random.Random(seed).shuffle(rows)
        path = tmp_path / f"{seed}.csv"
        path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
        trees.add(run("grow", path, "--format", "json")[1])
    assert len(trees) == 1


@pytest.mark.slow
def test_the_same_bytes_under_any_hash_seed(weather: Path) -> None:
    printed = set()
    for seed in ("0", "1", "12345"):
        command = [sys.executable, "-m", "reference_tree", "explain", str(weather)]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        printed.add(
            subprocess.run(
                command, cwd=Path(__file__).parents[2], env=environment, capture_output=True, check=True
            ).stdout
        )
    assert len(printed) == 1


def test_a_gain_of_exactly_one_bit_passes_a_threshold_of_one(run: Run) -> None:
    assert json.loads(run("grow", "visitor", "--epsilon", "1", "--format", "json")[1])["nodes"][0].get("test")
    above = json.loads(run("grow", "visitor", "--epsilon", "1.0000000000000000001", "--format", "json")[1])
    assert [node["stop"] for node in above["nodes"]] == ["epsilon"]


def test_numbers_can_be_read_as_categories(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "codes.csv"
    path.write_text("a,y\n1,0\n2,1\n1,0\n", encoding="utf-8")
    assert "--categorical a" in refused(run, "grow", path, "--learner", "id3")
    assert run("grow", path, "--categorical", "*")[0] == 0
    assert run("grow", path, "--categorical", "a", "--categorical", "y")[0] == 0


def test_a_learner_of_classes_takes_few_whole_numbers_as_classes(run: Run, tmp_path: Path) -> None:
    path, tree = tmp_path / "few.csv", tmp_path / "few.json"
    path.write_text("a,y\n" + "".join(f"{n * 7 % 12},{n % 3 + 4}\n" for n in range(12)), encoding="utf-8")
    status, _, err = run("grow", path, "--learner", "c45", "--output", tree)
    assert (status, err) == (
        0,
        "reference-tree: c45 predicts classes: the y of 4, 5, 6 is read as classes, not as a number\n",
    )
    assert json.loads(tree.read_text("utf-8"))["target"]["classes"] == ["4", "5", "6"]
    assert run("audit", tree, path)[0] == run("score", tree, path)[0] == 0
    assert run("explain", path, "--profile", "weka-j48")[0] == 0
    assert "say --categorical" in refused(run, "grow", path, "--learner", "id3", "--continuous", "y")
    path.write_text("a,y\n" + "".join(f"{n * 7 % 12},{n}.5\n" for n in range(12)), encoding="utf-8")
    assert "say --categorical" in refused(run, "grow", path, "--learner", "c45"), "what is measured is no class"


def test_few_whole_numbers_that_are_predicted_as_numbers_are_said(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "few.csv"
    path.write_text("a,y\n" + "".join(f"{n * 7 % 12},{n % 3 + 4}\n" for n in range(12)), encoding="utf-8")
    said = "y is predicted as a number; if its 3 whole numbers are classes, say --categorical y\n"
    assert said in run("grow", path)[2]
    assert said in run("score", path, "--learner", "cart", "--folds", "2")[2]
    assert said not in run("grow", path, "--continuous", "y")[2]
    assert said not in run("grow", path, "--categorical", "y")[2]


def test_a_target_of_two_numbers_is_one_of_classes(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "two.csv"
    path.write_text("a,y\n5,0\n7,1\n6,0\n", encoding="utf-8")
    _, out, err = run("grow", path, "--format", "json")
    assert json.loads(out)["target"]["classes"] == ["0", "1"]
    assert "column y: its two values, 0 and 1, are read as classes (say --continuous y to predict a number)" in err
    _, out, err = run("grow", path, "--format", "json", "--continuous", "y")
    assert "classes" not in json.loads(out)["target"]
    assert "two values" not in err


def test_rows_without_a_target_are_left_out_and_counted(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "gaps.csv"
    path.write_text("a,y\nx,yes\nz,?\nw,no\n", encoding="utf-8")
    status, out, err = run("grow", path, "--format", "json")
    assert status == 0
    assert json.loads(out)["nodes"][0]["counts"] == {"no": "1", "yes": "1"}
    assert "1 row" in err


def test_a_separator_is_advised_where_there_are_some(run: Run, tmp_path: Path) -> None:
    for name, text, advised in [("a.csv", "y\n1\n2\n", True), ("a.json", '[{"y": 1}, {"y": 2}]', False)]:
        (tmp_path / name).write_text(text, encoding="utf-8")
        _, _, err = run("grow", tmp_path / name)
        assert "there is one column alone, and no attribute" in err
        assert ("--separator" in err) == advised


def test_weights_count(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "weighted.csv"
    path.write_text("a,w,y\nx,1/3,yes\nx,2,no\nz,0.5,no\n", encoding="utf-8")
    tree = json.loads(run("grow", path, "--weights", "w", "--format", "json")[1])
    assert tree["nodes"][0]["counts"] == {"no": "5/2", "yes": "1/3"}


def test_a_tie_can_be_resolved_otherwise_and_is_recorded(run: Run) -> None:
    tree = json.loads(
        run("grow", "watermelon-2.0-train", "--choose", "/", "脐部", "--label", "/", "是", "--format", "json")[1]
    )
    assert tree["nodes"][0]["test"]["attribute"] == "脐部"
    assert tree["nodes"][0]["label"] == "是"
    assert tree["learner"]["options"]["ties"]["at"] == {"/": {"choose": "脐部", "label": "是"}}
    assert "no exact winner" in refused(run, "grow", "watermelon-2.0-train", "--choose", "/", "触感")
    assert "no majority" in refused(run, "grow", "play-tennis", "--label", "/", "no")
    assert "there is no node" in refused(run, "grow", "play-tennis", "--label", "/outlook=foggy", "no")


def test_a_profile_sets_the_options_and_is_recorded(run: Run) -> None:
    def document(*arguments: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(run("grow", "golf", "--learner", "c45", *arguments, "--format", "json")[1])
        return found

    plain, zhou, li_hang = document(), document("--profile", "zhou"), document("--profile", "li-hang")
    assert [tree["learner"]["profile"] for tree in (plain, zhou, li_hang)] == [None, "zhou", "li-hang"]
    assert plain["learner"]["options"] == zhou["learner"]["options"]
    assert plain["nodes"] == zhou["nodes"] != li_hang["nodes"]
    assert li_hang["learner"]["options"]["contenders"] == "everyone"
    assert li_hang["nodes"][0]["test"]["interval"] == ["83", "85"]
    stump = document("--profile", "li-hang", "--max-depth", "1")
    assert [node.get("stop") for node in stump["nodes"]] == [None, "max-depth", "pure"]


BY_GAIN = ("grow", "watermelon-2.0a", "--learner", "cart", "--criterion", "entropy", "--branching", "multiway")
"""The tree by gain as CART spells it; rows with a missing value are divided."""


def test_minimal_weights_that_bear_on_parts_of_rows_are_said(run: Run) -> None:
    fractions = (*BY_GAIN, "--missing", "fractions")
    _, barred, message = run(*fractions)
    assert message == (
        "reference-tree: rows are divided, and --min-samples-leaf 1 bars branches and --min-samples-split 2 stops "
        "nodes of less weight; say 0 to lift that\n"
    )
    status, lifted, nothing = run(*fractions, "--min-samples-leaf", "0", "--min-samples-split", "0")
    assert (status, nothing) == (0, "")
    assert barred != lifted == run("grow", "watermelon-2.0a", "--profile", "zhou")[1]
    assert "--min-samples-split 2 stops" in run(*fractions, "--min-samples-leaf", "1")[2]


@pytest.mark.parametrize(
    "silent",
    [BY_GAIN, ("grow", "watermelon-2.0", *BY_GAIN[2:], "--missing", "fractions"), (*BY_GAIN[:2], "--learner", "c45")],
)
def test_where_no_row_is_divided_or_no_minimum_bears_nothing_is_said(run: Run, silent: tuple[str, ...]) -> None:
    assert run(*silent)[2] == ""


def test_a_profile_belongs_to_a_learner(run: Run) -> None:
    assert "there are zhou, " in refused(run, "grow", "golf", "--learner", "c45", "--profile", "j48")
    assert "no profile 'rpart' of id3" in refused(run, "grow", "play-tennis", "--learner", "id3", "--profile", "rpart")


def test_an_equal_cut_can_be_asked_for_by_its_condition(run: Run) -> None:
    out = run("grow", "cats", "--learner", "c45", "--choose", "/", "weight<=10.6")[1]
    assert out.startswith("weight <= 10.6\n")
    line = refused(run, "grow", "cats", "--learner", "c45", "--choose", "/", "weight<=8")
    assert "the winners are weight<=9, weight<=10.6" in line


def test_a_missing_file_a_directory_an_empty_file(run: Run, tmp_path: Path) -> None:
    assert "there is no such file" in refused(run, "grow", tmp_path / "nothing.csv")
    assert "play-tennis" in refused(run, "grow", "play-tenis")
    (tmp_path / "folder.csv").mkdir()
    assert "folder" in refused(run, "grow", tmp_path / "folder.csv")
    (tmp_path / "empty.csv").write_bytes(b"")
    assert "empty" in refused(run, "grow", tmp_path / "empty.csv")


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("header.csv", b"a,y\n", "no rows"),
        ("ragged.csv", b"a,y\n1,x\n2\n", "line 3"),
        ("twice.csv", b"a,a,y\n1,1,x\n", "column a"),
        ("binary.csv", b"a,y\n\x00\x01,x\n", "binary"),
        ("latin.csv", b"a,y\n\x81,x\n", "byte 4"),
        ("nan.csv", b"a,y\n1,x\nnan,z\n", "line 3, column a"),
        ("inf.csv", b"a,y\n1,x\n-inf,z\n", "line 3, column a"),
        ("gone.csv", b"a,y\n1,?\n2,\n", "column y"),
        ("lonely.names", b"yes, no.\n\na: x, z.\n", "lonely.data"),
    ],
)
def test_bad_files(run: Run, tmp_path: Path, name: str, content: bytes, says: str) -> None:
    (tmp_path / name).write_bytes(content)
    line = refused(run, "grow", tmp_path / name)
    assert says in line
    assert name in line


def test_a_value_outside_its_declared_domain(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "weather.arff"
    path.write_text("@relation w\n@attribute a {x, z}\n@attribute y {no, yes}\n@data\nx,no\nq,yes\n", encoding="utf-8")
    line = refused(run, "grow", path, "--learner", "id3")
    assert "line 6" in line
    assert "column a" in line
    assert "'q'" in line


def test_what_id3_has_no_rule_for_is_named(run: Run) -> None:
    assert "golf: the attributes temperature, humidity are continuous" in refused(
        run, "grow", "golf", "--learner", "id3"
    )
    assert "watermelon-2.0a: the attributes 色泽, 根蒂, 敲声" in refused(
        run, "grow", "watermelon-2.0a", "--learner", "id3"
    )


def test_numbers_of_a_textbook_can_be_read_as_categories(run: Run, tmp_path: Path) -> None:
    tree = tmp_path / "tree.json"
    assert run("grow", "watermelon-3.0", "--categorical", "*", "--format", "json", "--output", tree)[0] == 0
    labels = run("predict", tree, "watermelon-3.0")[1].split()
    assert labels == ["是"] * 8 + ["否"] * 9
    assert "zzz" in refused(run, "grow", "golf", "--categorical", "zzz")
    assert "--na" in refused(run, "grow", "play-tennis", "--na", "sunny")
    assert "--weights" in refused(run, "grow", "play-tennis", "--weights", "play")


def test_a_tie_is_resolved_once(run: Run) -> None:
    twice = ["--choose", "/", "脐部", "--choose", "/", "色泽"]
    assert "--choose / is given twice: 脐部 and 色泽" in refused(run, "grow", "watermelon-2.0-train", *twice)
    named = ["--label", "/脐部=平坦", "否", "--label", "/1", "否"]
    assert "these are one node" in refused(run, "grow", "watermelon-2.0-train", "--choose", "/", "脐部", *named)


# The options of learners.


def options(run: Run, *arguments: object) -> dict[str, Any]:
    """The options that a tree records."""
    found: dict[str, Any] = json.loads(run("grow", *arguments, "--format", "json")[1])["learner"]["options"]
    return found


def test_an_option_that_is_not_given_is_not_passed(run: Run) -> None:
    for learner, known in LEARNERS.items():
        assert options(run, "play-tennis", "--learner", learner) == known().grower().options
        for profile in known.profiles:
            given = options(run, "play-tennis", "--learner", learner, "--profile", profile)
            assert given == known.like(profile).grower().options


def test_an_option_of_another_learner_is_told_from_one_of_none(run: Run) -> None:
    line = refused(run, "grow", "golf", "--learner", "id3", "--option", "contenders", "everyone")
    assert "--option contenders is an option of c45, not of id3; id3 has epsilon, max_depth, " in line
    line = refused(run, "grow", "golf", "--learner", "c45", "--option", "colour", "red")
    assert "--option colour is no option of any learner; c45 has " in line
    assert "--option ties is no option of any learner" in refused(run, "grow", "golf", "--option", "ties", "{}")


def test_cart_has_options_that_others_have_not(run: Run) -> None:
    cart = ["--learner", "cart", "--criterion", "entropy", "--branching", "one-vs-rest", "--missing", "fractions"]
    found = options(run, "golf", *cart, "--min-impurity-decrease", "1/99", "--option", "max_surrogates", "3")
    assert {name: found[name] for name in ("criterion", "branching", "missing", "min_impurity_decrease")} == {
        "criterion": "entropy", "branching": "one-vs-rest", "missing": "fractions", "min_impurity_decrease": "1/99",
    }  # fmt: skip
    assert str(found["max_surrogates"]) == "3"
    line = refused(run, "grow", "golf", "--learner", "id3", "--criterion", "gini")
    assert "--criterion is an option of cart, optimal, not of id3" in line
    assert "--min-impurity-decrease is an option of" in refused(
        run, "grow", "golf", "--learner", "id3", "--min-impurity-decrease", "0"
    )
    line = refused(run, "grow", "golf", "--learner", "cart", "--criterion", "oracle")
    assert "--criterion oracle: there is no 'oracle'; there are " in line
    assert "gini" in line


@pytest.mark.slow
def test_a_search_for_lines_has_a_name_and_a_seed(run: Run) -> None:
    found = options(
        run, "watermelon-3.0a", "--learner", "cart", "--branching", "linear", "--search", "oc1", "--seed", "3"
    )
    assert (found["branching"], found["search"], found["seed"]) == ("linear", "oc1", 3)
    assert "--search is an option of cart, not of id3" in refused(
        run, "grow", "golf", "--learner", "id3", "--search", "oc1"
    )
    line = refused(run, "grow", "golf", "--learner", "cart", "--search", "oracle")
    assert "there are exhaustive, cart-lc, oc1, lda" in line
    line = refused(run, "grow", "golf", "--learner", "cart", "--search", "oc1")
    assert "--search oc1 is for linear tests; say --branching linear, too" in line


def test_priors_and_losses_are_given_as_json(run: Run) -> None:
    """Their numbers may stand as numbers: they are read as they are written, and not by way of floats."""
    costs = ["--option", "priors", '{"no": 0.1, "yes": "1/3"}', "--option", "loss", '{"no": {"yes": 5}}']
    found = options(run, "golf", "--learner", "cart", *costs)
    assert found["priors"] == {"no": "0.1", "yes": "1/3"}
    assert found["loss"] == {"no": {"yes": "5"}}


def test_any_option_can_be_given_by_its_name(run: Run) -> None:
    everyone = options(run, "golf", "--learner", "c45", "--option", "contenders", "everyone")
    assert everyone["contenders"] == "everyone"
    assert options(run, "play-tennis", "--option", "max_depth", "2")["max_depth"] == 2
    assert options(run, "play-tennis", "--option", "epsilon", "1/7")["epsilon"] == "1/7"
    assert "--option max_depth -1: " in refused(run, "grow", "play-tennis", "--option", "max_depth", "-1")
    twice = ["--epsilon", "0", "--option", "epsilon", "1"]
    assert "--option epsilon is given by --epsilon, too; give it once" in refused(run, "grow", "play-tennis", *twice)
    twice = ["--option", "epsilon", "0", "--option", "epsilon", "1"]
    assert "--option epsilon is given twice: 0 and 1" in refused(run, "grow", "play-tennis", *twice)


def test_a_learner_that_predicts_classes_refuses_numbers(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "sizes.csv"
    path.write_text("a,y\nx,1\nz,2\n", encoding="utf-8")
    line = refused(run, "grow", path, "--learner", "id3")
    assert "sizes.csv: the target y is continuous" in line
    assert json.loads(run("grow", path, "--learner", "cart", "--format", "json")[1])["nodes"][0]["mean"] == "3/2"


def test_the_help_names_the_profiles_of_each_learner(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "10000")
    out = run("grow", "--help")[1]
    for learner, known in LEARNERS.items():
        assert not known.profiles or f"{learner} has {', '.join(known.profiles)}" in out


def test_another_column_of_a_textbook_can_be_predicted(run: Run) -> None:
    arguments = ["cats", "--learner", "cart", "--target", "weight", "--without", "cat", "--format", "json"]
    root = json.loads(run("grow", *arguments)[1])["nodes"][0]
    assert (root["n"], root["mean"]) == ("10", "577/50")
    assert "there is no attribute 'mass'" in refused(run, "grow", "cats", "--target", "mass")
    assert "cats: the target weight is continuous" in refused(
        run, "grow", "cats", "--learner", "id3", "--target", "weight"
    )


@pytest.mark.parametrize(
    ("learner", "option"),
    [("c45", ["--option", "penalty", "log-of-tries"]), ("cart", ["--option", "zero_gain", "stops"])],
)
def test_an_option_of_the_programs_needs_no_profile(learner: str, option: list[str], run: Run) -> None:
    status, printed, _ = run("grow", "golf", "--learner", learner, *option, "--format", "json")
    _, name, value = option
    assert status == 0
    assert json.loads(printed)["learner"]["options"][name] == value


@pytest.mark.parametrize(
    ("data", "learner", "reason"),
    [
        ("play-tennis", "id3", None),
        ("golf", "cart", "temperature is a number"),
        ("cats", "cart", "weight is a number"),
        ("watermelon-2.0a", "cart", "色泽 has gaps"),
    ],
)
def test_a_learner_that_is_not_named_is_chosen_by_the_columns(
    run: Run, data: str, learner: str, reason: str | None
) -> None:
    status, out, err = run("grow", data, "--format", "json")
    assert (status, json.loads(out)["learner"]["name"]) == (0, learner)
    assert err == ("" if reason is None else f"reference-tree: no learner is named: --learner cart, as {reason}\n")


def test_a_profile_names_its_learner(run: Run) -> None:
    for profile, learner in (("c45-r8", "c45"), ("rpart", "cart"), ("zhou", "id3")):
        status, out, err = run("grow", "golf", "--profile", profile, "--format", "json")
        assert (status, json.loads(out)["learner"]["name"], err) == (0, learner, "")
    assert "there is no profile 'nix'; there are zhou, " in refused(run, "grow", "golf", "--profile", "nix")


def test_many_values_are_asked_one_by_one_where_no_learner_is_named(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "many.csv"
    rows = [f"v{place % 20},{place},{'abcdefgh'[place * 7 // 5 % 8]}" for place in range(160)]
    path.write_text("\n".join(["v,x,y", *rows]) + "\n", encoding="utf-8")
    status, out, err = run("grow", path, "--continuous", "x", "--format", "json")
    assert (status, json.loads(out)["learner"]["options"]["branching"]) == (0, "one-vs-rest")
    assert "as x is a number, with --branching one-vs-rest, as v has more than 16 values" in err
    few = ["grow", path, "--continuous", "x", "--learner", "cart", "--min-samples-leaf", "9"]
    assert "too many to try each subset" in refused(run, *few)


def test_many_values_of_three_classes_are_parted_by_planes(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "many.csv"
    rows = [f"v{place % 20},{place},{'abc'[place * 7 // 5 % 3]}" for place in range(60)]
    path.write_text("\n".join(["v,x,y", *rows]) + "\n", encoding="utf-8")
    status, out, err = run("grow", path, "--continuous", "x", "--format", "json")
    assert (status, json.loads(out)["learner"]["options"]["branching"]) == (0, "subset")
    assert "one-vs-rest" not in err


def test_a_file_is_read_as_it_is_written(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "days.txt"
    path.write_bytes(WEATHER.replace(",", ":").encode())
    printed = run("grow", path, "--separator", ":")[1]
    assert printed.startswith("outlook = overcast")
    headless = tmp_path / "days.data"
    headless.write_text(WEATHER.split("\n", 1)[1].replace(",", "\t"), encoding="utf-8")
    assert run("grow", headless, "--no-header", "--separator", "tab")[1] == printed.replace("outlook", "c1").replace(
        "windy", "c2"
    )
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(WEATHER.encode())))
    assert run("grow", "-") == (0, printed, "")
    assert "--separator is for files; golf is a textbook" in refused(run, "grow", "golf", "--separator", ";")
    assert "--no-header is for files" in refused(run, "grow", "golf", "--no-header")


def test_the_end_of_a_files_name_says_how_it_is_written(run: Run, tmp_path: Path) -> None:
    for end, beginning in {
        ".svg": "<svg",
        ".json": "{",
        ".dot": "digraph",
        ".mmd": "flowchart",
        ".txt": "outlook",
    }.items():
        path = tmp_path / f"tree{end}"
        assert run("grow", "play-tennis", "-o", path) == (0, "", "")
        assert path.read_text(encoding="utf-8").startswith(beginning)
    path = tmp_path / "tree.svg"
    assert run("grow", "play-tennis", "-o", path, "--format", "text")[0] == 0
    assert path.read_text(encoding="utf-8").startswith("outlook")
    line = refused(run, "explain", "play-tennis", "-o", tmp_path / "steps.svg")
    assert "steps.svg: svg is not written here; end the name in .txt, .md, .html, .htm, or say --format text, " in line
    line = refused(run, "grow", "play-tennis", "-o", tmp_path / "tree.pdf")
    assert "tree.pdf: '.pdf' is not written here; end the name in .txt, .json, .dot, .gv, .mmd, .svg, .py," in line
    assert "'.png' is not written here; end the name in .svg" in refused(
        run, "plot", "entropy", "-o", tmp_path / "a.png"
    )
    assert not list(tmp_path.glob("*.p*"))
    assert run("grow", "play-tennis", "-o", tmp_path / "tree") == (0, "", "")
    assert run("grow", "play-tennis", "-o", "-")[1].startswith("outlook")
    assert not Path("-").exists()
