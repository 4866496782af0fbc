"""From options to a table and a tree: files, learners, profiles, and one clear line for what does not fit."""

from __future__ import annotations

import io
import json
import os
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from reference_tree.data.textbook import textbook
from reference_tree.ensembles.bagging import Bagging, bootstrap
from reference_tree.ensembles.gradient_boosting import GradientBoosting
from reference_tree.ensembles.random_forest import RandomForest
from reference_tree.learners.c45 import C45
from reference_tree.learners.gradient_tree import GradientTree
from reference_tree.learners.id3 import ID3
from reference_tree.learners.registry import LEARNERS
from reference_tree.tree_document import from_json, to_json
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


FOREST = ("--ensemble", "forest", "--trees", "3", "--seed", "7")


def test_a_forest_is_grown_as_in_python(run: Run) -> None:
    status, out, _ = run(
        "grow", "play-tennis", *FOREST, "--attributes", "2", "--max-depth", "2", "--ensemble-option", "otherwise",
        "leaf", "--format", "json",
    )  # fmt: skip
    learner = RandomForest(base=ID3(max_depth=2), trees=3, seed=7, attributes=2, otherwise="leaf")
    assert status == 0
    assert out == to_json(learner.grow(textbook("play-tennis")))


def test_the_options_of_a_learner_are_those_of_each_tree(run: Run) -> None:
    _, out, _ = run(
        "grow", "golf", "--ensemble", "bagging", "--trees", "2", "--learner", "c45", "--profile", "c45-r8", "--format",
        "json", "--ensemble-option", "resample", "false", "--jobs", "2",
    )  # fmt: skip
    assert out == to_json(Bagging(base=C45.like("c45-r8"), trees=2, resample=False).grow(textbook("golf")))


def test_one_of_the_trees_is_a_tree(run: Run) -> None:
    _, out, _ = run("grow", "play-tennis", *FOREST, "--round", "2", "--format", "json")
    expected = RandomForest(base=ID3(), trees=3, seed=7).grow(textbook("play-tennis")).members[1].tree
    assert from_json(out) == expected
    _, drawn, _ = run("grow", "play-tennis", *FOREST, "--round", "2", "--format", "dot")
    assert drawn.startswith("digraph")


@pytest.fixture
def document(run: Run, tmp_path: Path) -> Path:
    path = tmp_path / "forest.json"
    run("grow", "play-tennis", *FOREST, "--output", path)
    return path


def test_a_document_is_asked_as_that_of_a_tree(run: Run, document: Path) -> None:
    forest = RandomForest(base=ID3(), trees=3, seed=7).grow(textbook("play-tennis"))
    _, out, _ = run("predict", document, "play-tennis")
    assert out.split() == forest.predict(textbook("play-tennis"))
    _, out, _ = run("predict", document, "play-tennis", "--proba", "--exact")
    first = forest.distribution(next(textbook("play-tennis").rows()))
    assert out.splitlines()[:2] == ["no,yes", ",".join(map(str, first.values()))]
    _, out, _ = run("score", document, "play-tennis", "--format", "json")
    assert json.loads(out)["accuracy"] == str(forest.accuracy(textbook("play-tennis")))
    assert json.loads(out)["ensemble"] == str(document)


def test_an_ensemble_is_judged_by_rows_held_out(run: Run) -> None:
    status, out, _ = run("score", "play-tennis", *FOREST, "--folds", "2")
    assert status == 0
    assert "learner      forest of id3" in out


def test_rows_out_of_bag_judge_the_trees_they_were_not_drawn_for(run: Run) -> None:
    status, out, _ = run("score", "play-tennis", *FOREST, "--oob", "--format", "json")
    assert status == 0
    rows, learner = list(textbook("play-tennis").rows()), RandomForest(base=ID3(), trees=3, seed=7)
    trees = [member.tree for member in learner.grow(textbook("play-tennis")).members]
    drawn = [bootstrap(14, 7, number) for number in range(3)]
    counts = {"no": {"no": 0, "yes": 0}, "yes": {"no": 0, "yes": 0}}
    for place, row in enumerate(rows):
        votes = [tree.predict(row, "majority") for tree, times in zip(trees, drawn, strict=True) if not times[place]]
        if votes:
            counts[str(row["play"])][max(("no", "yes"), key=votes.count)] += 1
    assert json.loads(out)["confusion"] == [[str(n) for n in line.values()] for line in counts.values()]


def test_the_vote_of_a_row_is_counted(run: Run, document: Path) -> None:
    _, out, _ = run("explain", document, "play-tennis", "--predict", "1")
    forest = RandomForest(base=ID3(), trees=3, seed=7).grow(textbook("play-tennis"))
    votes = forest.votes(next(textbook("play-tennis").rows()))
    assert [line.split()[:2] for line in out.partition("at its leaf\n")[2].splitlines()[:3]] == [
        [str(number), answer] for number, answer in enumerate(votes.answers, start=1)
    ]
    assert f"Prediction: {votes.label}, the class with the highest score." in out
    assert run("explain", "play-tennis", *FOREST, "--predict", "1")[1] == out
    _, way, _ = run("explain", document, "play-tennis", "--predict", "1", "--round", "3")
    assert "The path of row 1 of play-tennis down the tree" in way


def test_a_round_is_derived_from_the_rows_that_were_drawn(run: Run) -> None:
    status, out, _ = run("explain", "play-tennis", *FOREST, "--round", "1", "--node", "/")
    assert status == 0
    drawn = bootstrap(14, 7, 0)
    classes = [
        row["play"] for row, times in zip(textbook("play-tennis").rows(), drawn, strict=True) for _ in range(times)
    ]
    assert f"no {classes.count('no')}, yes {classes.count('yes')}" in out.splitlines()[0]
    assert "Drawn: " in out
    _, whole, _ = run("explain", "play-tennis", *FOREST, "--round", "1")
    assert whole.startswith("Tree 1 of 3 on play-tennis")
    assert f"14 rows, {sum(map(bool, drawn))} different ones of 14" in whole


def test_a_bootstrap_sample_is_a_table(run: Run) -> None:
    _, out, _ = run("data", "play-tennis", "--bootstrap", "2", "--seed", "3")
    rows = [",".join(map(str, row.values())) for row in textbook("play-tennis").rows()]
    expected = [row for row, times in zip(rows, bootstrap(14, 3, 1), strict=True) for _ in range(times)]
    assert out.splitlines()[1:] == expected
    assert run("data", "play-tennis", "--bootstrap")[1] == run("data", "play-tennis", "--bootstrap", "1")[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("grow", "golf", "--trees", "3"), "--trees is for ensembles; say --ensemble, too"),
        (("grow", "golf", "--round", "3"), "--round is for ensembles"),
        (("score", "golf", "--jobs", "3"), "--jobs is for ensembles"),
        (("score", "play-tennis", *FOREST, "--oob", "--jobs", "0"), "at least one process"),
        (("score", "golf", "--oob"), "--oob is for ensembles; say --ensemble, too"),
        (("score", "golf", *FOREST, "--oob", "--folds", "3"), "--folds and --oob are two ways to divide the rows"),
        (("score", "li-hang-8.1", "--ensemble", "adaboost", "--oob"), "does not record what was drawn"),
        (("grow", "play-tennis", *FOREST, "--round", "4"), "--round 4: there is no such tree; there are 3"),
        (("grow", "golf", *FOREST, "--format", "dot"), "dot shows one tree; say --round M"),
        (("grow", "golf", *FOREST, "--jobs", "0"), "at least one process"),
        (("grow", "li-hang-8.1", "--ensemble", "adaboost", "--jobs", "0"), "at least one process"),
        (("grow", "golf", *FOREST, "--label", "/", "no"), "--label is for one tree"),
        (("grow", "golf", *FOREST, "--pre-prune", "golf"), "--pre-prune is for one tree"),
        (("grow", "golf", *FOREST, "--gradients", "humidity", "temperature"), "--gradients is for one tree"),
        (("grow", "golf", "--ensemble", "forest", "--trees", "0"), "--trees 0: it is a whole number from 1"),
        (("grow", "golf", "--ensemble", "bagging", "--attributes", "2"), "--attributes is no option of bagging"),
        (
            ("grow", "golf", *FOREST, "--ensemble-option", "base", "id3"),
            "--ensemble-option base is no option of forest",
        ),
        (("grow", "golf", *FOREST, "--ensemble-option", "trees", "3"), "trees is given by --trees, too"),
        (("grow", "golf", *FOREST, "--learner", "id3"), "golf: "),
        (("explain", "golf", *FOREST), "an ensemble has many trees; say --round M"),
        (("data", "golf", "--bootstrap", "0"), "the first is 1"),
        (("data", "golf", "--bootstrap", "--holdout", "1/3"), "two ways to draw rows"),
        (("data", "golf", "--seed", "1"), "--seed is for rows that are drawn"),
    ],
)
def test_what_does_not_fit_is_refused(run: Run, arguments: tuple[str, ...], message: str) -> None:
    assert message in refused(run, *arguments)


def test_a_document_is_not_grown_and_a_tree_has_no_rounds(run: Run, document: Path, tmp_path: Path) -> None:
    assert "holds a tree that is grown" in refused(run, "explain", document, "golf", "--predict", "1", *FOREST)
    tree = tmp_path / "tree.json"
    run("grow", "play-tennis", "--output", tree)
    message = refused(run, "explain", tree, "play-tennis", "--predict", "1", "--round", "1")
    assert "this is a single tree" in message


# Gradient boosting.

BOOSTED = ("--ensemble", "gradient", "--trees", "3", "--max-depth", "2", "--rate", "0.5")


def test_boosting_is_as_in_python(run: Run) -> None:
    _, out, err = run("grow", "golf", *BOOSTED, "--option", "gamma", "1/4", "--ensemble-option", "base_score", "1/2",
                      "--format", "json")  # fmt: skip
    half = Fraction(1, 2)
    base = GradientTree(max_depth=2, rate=half, gamma=Fraction(1, 4))
    assert out == to_json(GradientBoosting(base=base, trees=3, base_score=half).grow(textbook("golf")))
    assert err == ""  # no learner was named, and there is no other one


def test_a_boosted_document_is_asked(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "boosted.json"
    run("grow", "golf", *BOOSTED, "-o", path)
    boosted = GradientBoosting(base=GradientTree(max_depth=2, rate=Fraction(1, 2)), trees=3).grow(textbook("golf"))
    _, out, _ = run("predict", path, "golf")
    assert out.split() == boosted.predict(textbook("golf"))
    _, out, _ = run("predict", path, "golf", "--proba")
    first = list(map(float, boosted.distribution(textbook("golf"))[0].values()))
    assert list(map(float, out.splitlines()[1].split(","))) == pytest.approx(first, abs=1e-11)
    assert "irrational" in refused(run, "predict", path, "golf", "--proba", "--exact")
    status, out, _ = run("score", path, "golf")
    assert status == 0
    assert "accuracy" in out


def test_boosting_is_judged_and_explained(run: Run) -> None:
    status, out, _ = run("score", "golf", *BOOSTED, "--folds", "3")
    assert status == 0
    assert "gradient of gradient-tree" in out
    status, out, _ = run("explain", "golf", *BOOSTED, "--round", "2", "--node", "/")
    assert status == 0
    assert "has the largest gain, and is chosen" in out


def test_derivatives_stand_in_columns(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "dump.csv"
    path.write_text("x,g,h\n1,0.5,0.25\n2,0.25,0.25\n3,-0.5,0.25\n", encoding="utf-8")
    _, out, _ = run("grow", path, "--gradients", "g", "h", "--option", "min_child_weight", "0", "--format", "json")
    tree = from_json(out)
    expected = [round(Fraction(-3, 10) * g / (h + 1) * 2**48) for g, h in ((Fraction(1, 4), Fraction(3, 4)),
                (Fraction(3, 4), Fraction(1, 2)), (Fraction(-1, 2), Fraction(1, 4)))]  # fmt: skip
    assert [Fraction(node.label) * 2**48 for node in tree.nodes] == expected
    assert tree.nodes[0].counts == (3, Fraction(1, 4), Fraction(3, 4))
    assert "dump.csv" in refused(run, "grow", path, "--gradients", "d", "h")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("golf", *BOOSTED, "--learner", "c45"), "--ensemble gradient has trees of its own, and --learner c45"),
        (("golf", "--gradients", "temperature", "humidity", "--learner", "id3"), "--gradients has trees of its own"),
        (("golf", "--gradients", "outlook", "humidity"), "the column outlook holds a derivative for each row"),
        (("golf", "--rate", "0.5"), "--rate is an option of gradient-tree, not of cart"),
    ],
)
def test_what_does_not_go_together_with_boosting(run: Run, arguments: tuple[str, ...], message: str) -> None:
    status, _, err = run("grow", *arguments)
    assert status == 2
    assert message in err


@pytest.mark.parametrize("format", ["text", "rules", "dot", "mermaid", "svg", "python", "sql"])
def test_a_boosted_tree_can_be_shown_in_every_way(run: Run, format: str) -> None:
    status, out, _ = run("grow", "golf", *BOOSTED, "--round", "2", "--format", format)
    assert status == 0
    assert "humidity" in out or "outlook" in out or "temperature" in out
