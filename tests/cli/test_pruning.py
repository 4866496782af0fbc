"""Pruning as its user types it: Zhou's figures, other programs' sequences, and one clear line for what does not fit."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from reference_tree.data.textbook import textbook
from reference_tree.learners.cart import CART
from reference_tree.pruning.choosing_alpha import choose
from reference_tree.selection.cross_validation import folds
from reference_tree.views.plots.curves import choice_curve
from tests.cli.running import Run, refused

RECORDED = Path(__file__).parents[1] / "recorded"

NODE_2, NODE_3, NODE_5 = "/脐部=凹陷", "/脐部=稍凹", "/脐部=稍凹/根蒂=稍蜷"
NODE_6 = f"{NODE_5}/色泽=乌黑"
ZHOU = ["--choose", "/", "脐部", "--label", "/", "是", "--label", NODE_3, "是"]

FIGURE_4_5 = """\
脐部 = 凹陷
|   色泽 = 乌黑: 是 (是 2)
|   色泽 = 浅白: 否 (否 1)
|   色泽 = 青绿: 是 (是 1)
脐部 = 平坦: 否 (否 2)
脐部 = 稍凹
|   根蒂 = 硬挺: 是 (no row; as above)
|   根蒂 = 稍蜷
|   |   色泽 = 乌黑
|   |   |   纹理 = 模糊: 是 (no row; as above)
|   |   |   纹理 = 清晰: 否 (否 1)
|   |   |   纹理 = 稍糊: 是 (是 1)
|   |   色泽 = 浅白: 是 (no row; as above)
|   |   色泽 = 青绿: 是 (是 1)
|   根蒂 = 蜷缩: 否 (否 1)
"""
FIGURE_4_6 = """\
脐部 = 凹陷: 是 (否 1, 是 3)
脐部 = 平坦: 否 (否 2)
脐部 = 稍凹: 是 (否 2, 是 2; a tie)
"""
FIGURE_4_7 = """\
脐部 = 凹陷: 是 (否 1, 是 3)
脐部 = 平坦: 否 (否 2)
脐部 = 稍凹
|   根蒂 = 硬挺: 是 (no row; as above)
|   根蒂 = 稍蜷
|   |   色泽 = 乌黑: 是 (否 1, 是 1; a tie)
|   |   色泽 = 浅白: 是 (no row; as above)
|   |   色泽 = 青绿: 是 (是 1)
|   根蒂 = 蜷缩: 否 (否 1)
"""


@pytest.fixture
def zhou(run: Run, tmp_path: Path) -> Path:
    """Zhou's unpruned tree."""
    path = tmp_path / "zhou.json"
    arguments = [*ZHOU, "--label", NODE_6, "是", "--format", "json", "--output", path]
    assert run("grow", "watermelon-2.0-train", *arguments) == (0, "", "")
    return path


@pytest.fixture
def iris(run: Run, tmp_path: Path) -> Path:
    """A full tree for iris."""
    path = tmp_path / "iris.json"
    assert run("grow", "iris", "--learner", "cart", "--format", "json", "--output", path) == (0, "", "")
    return path


def record(run: Run, *arguments: object) -> list[dict[str, Any]]:
    """What a pruned tree says of its pruning."""
    found: list[dict[str, Any]] = json.loads(run("prune", *arguments, "--format", "json")[1])["learner"]["options"][
        "pruning"
    ]
    return found


# Zhou's example.


def test_figure_4_5_and_4_7_with_their_percentages(run: Run, zhou: Path) -> None:
    """As printed: 42.9 % before; 57.1 % without node 6, 71.4 % without node 2 also; 5, 3 and 1 stay."""
    given = [zhou, "watermelon-2.0-train", "--method", "reduced-error", "--validation", "watermelon-2.0-validation"]
    assert run("prune", zhou, "watermelon-2.0-train", "--method", "cost-function", "--alpha", "0")[1] == FIGURE_4_5
    assert run("prune", *given, "--ties", "keep") == (0, FIGURE_4_7, "")
    assert run("prune", *given, "--ties", "prune") == run("prune", *given) == (0, FIGURE_4_6, "")
    out = run("prune", *given, "--ties", "keep", "--show")[1]
    assert out.endswith(FIGURE_4_7)
    shown = re.findall(r"^(/\S*) +(\d) +(\d) +([\d.]+) % +([\d.]+) % +(.*)$", out, re.MULTILINE)
    assert shown == [
        (NODE_2, "2", "1", "42.9", "57.1", "becomes a leaf"),
        (NODE_6, "2", "1", "57.1", "71.4", "becomes a leaf"),
        (NODE_5, "1", "1", "71.4", "71.4", "stays"),
        (NODE_3, "1", "1", "71.4", "71.4", "stays"),
        ("/", "2", "4", "71.4", "42.9", "stays"),
    ]


def test_figure_4_6_is_pre_pruned(run: Run) -> None:
    """As printed: 42.9 %, then 71.4 %; 57.1 % with 色泽, and 71.4 % with 根蒂, which is no gain."""
    given = ["watermelon-2.0-train", *ZHOU, "--pre-prune", "watermelon-2.0-validation"]
    assert run("grow", *given) == (0, FIGURE_4_6, "")
    assert run("grow", *given, "--on-equal", "stop") == (0, FIGURE_4_6, "")
    assert run("grow", *given, "--on-equal", "split")[1].count("\n") == 9
    document = json.loads(run("grow", *given, "--format", "json")[1])
    assert [node.get("stop") for node in document["nodes"]] == [None, "pre-pruned", "pure", "pre-pruned"]
    assert document["learner"]["options"]["pre_pruning"] == {"on_equal": "stop"}
    status, out, err = run("explain", *given)
    assert (status, err) == (0, "")
    assert re.findall(r"a\(T.*\) += \(7 − .*\) / 7 = (\d/7)", out) == ["3/7", "5/7", "5/7", "4/7", "5/7", "5/7"]
    assert out.count("\nSplit on ") == 3
    assert out.count("(pre-pruned)") == 2
    assert out.endswith(FIGURE_4_6)
    node = run("explain", *given, "--node", NODE_2)[1]
    assert node.startswith(NODE_2)
    assert "2 > 1: of the 7 validation rows, more are wrong after the split" in node


def test_best_first_goes_step_by_step(run: Run, zhou: Path) -> None:
    given = ["--method", "reduced-error", "--validation", "watermelon-2.0-validation", "--order", "best-first"]
    status, out, err = run("prune", zhou, "watermelon-2.0-train", *given, "--show")
    assert (status, err) == (0, "")
    assert out.endswith(FIGURE_4_6)
    assert re.findall(r"^(\S+) .*helps most: becomes a leaf", out, re.MULTILINE) == [NODE_6, NODE_2, NODE_5, NODE_3]
    assert re.findall(r"^Step \d, accuracy ([\d.]+) %", out, re.MULTILINE) == ["42.9", "57.1", "71.4", "71.4", "71.4"]


# The sequence of α.


def test_the_sequence_of_a_tree_of_scikit_learn_is_its_own(run: Run) -> None:
    """Its cost_complexity_pruning_path, figure by figure, where it cuts equal links one at a time the last of them."""
    for name, risk in (("iris.gini", "gini"), ("wine.gini", "gini")):
        data = RECORDED / "data" / f"{name.split('.')[0]}.arff"
        tree = RECORDED / "scikit-learn" / f"{name}.json"
        given = [
            "--method",
            "cost-complexity",
            "--profile",
            "scikit-learn",
            "--risk",
            risk,
            "--path",
            "--format",
            "json",
        ]
        status, out, err = run("prune", tree, data, *given)
        assert (status, err) == (0, "")
        ours = [(Fraction(s["alpha"]), Fraction(s["risk"]), s["leaves"]) for s in json.loads(out)]
        rows = json.loads((RECORDED / "scikit-learn-paths" / f"{name}.json").read_text(encoding="utf-8"))["rows"]
        theirs = {round(alpha, 12): (alpha, impurity, leaves) for alpha, impurity, leaves in rows}
        assert len(ours) == len(theirs)
        for mine, other in zip(ours, theirs.values(), strict=True):
            assert mine[2] == other[2]
            assert [float(one) for one in mine[:2]] == pytest.approx(other[:2], rel=1e-12, abs=1e-15)


def test_a_tree_of_the_sequence_is_what_its_alpha_gives(run: Run, iris: Path) -> None:
    given = [iris, "iris", "--method", "cost-complexity"]
    steps = json.loads(run("prune", *given, "--path", "--format", "json")[1])
    assert {"alpha": "1/150", "leaves": 4, "risk": "2/75"} in steps
    for step in steps:
        tree = json.loads(run("prune", *given, "--alpha", step["alpha"], "--format", "json")[1])
        leaves = [node for node in tree["nodes"] if "stop" in node]
        wrong = sum(sum(map(int, leaf["counts"].values())) - int(leaf["counts"][leaf["label"]]) for leaf in leaves)
        assert (len(leaves), Fraction(wrong, 150)) == (step["leaves"], Fraction(step["risk"]))
        assert tree["learner"]["options"]["pruning"] == [
            {"method": "cost-complexity", "profile": "cart-1984", "alpha": step["alpha"]}
        ]
    text = run("prune", *given, "--path")[1]
    assert text.startswith("α        the price of a leaf; ")
    assert [line.split() for line in text.partition("R(T)\n")[2].splitlines()] == [
        [step["alpha"], str(step["leaves"]), step["risk"]] for step in steps
    ]


def test_alpha_is_chosen_by_cross_validation_and_recorded(run: Run, iris: Path) -> None:
    given = [iris, "iris", "--method", "cost-complexity", "--folds", "5", "--seed", "1"]
    steps = json.loads(run("prune", *given, "--path", "--format", "json")[1])
    least = min(Fraction(step["cross_validated"]) for step in steps)
    best = max(n for n, step in enumerate(steps) if Fraction(step["cross_validated"]) == least)
    allowed = Fraction(steps[best]["squared_standard_error"])
    near = [n for n, step in enumerate(steps) if (Fraction(step["cross_validated"]) - least) ** 2 <= allowed]
    assert [step["chosen"] for step in steps].index(True) == max(near) != best
    chosen, simplest = record(run, *given, "--standard-errors", "0"), record(run, *given)
    assert chosen[0]["alpha"] == steps[best]["alpha"]
    assert simplest == [
        {
            "method": "cost-complexity", "profile": "cart-1984", "alpha": steps[max(near)]["alpha"],
            "folds": 5, "seed": 1, "standard_errors": "1",
        }
    ]  # fmt: skip
    assert re.search(r"^ +1/150 .* chosen$", run("prune", *given, "--show")[1], re.MULTILINE)
    assert record(run, *given[:-1], "0")[0]["seed"] == 0


def test_rparts_price_is_relative_to_the_root(run: Run, iris: Path) -> None:
    given = [iris, "iris", "--method", "cost-complexity", "--profile", "rpart"]
    steps = json.loads(run("prune", *given, "--path", "--format", "json")[1])
    assert (steps[-1]["alpha"], steps[-1]["risk"]) == ("1/2", "1")
    out = run("prune", *given, "--alpha", "0.01", "--show")[1]
    assert re.findall(r"^(/\S*) +(\S+) +stays$", out, re.MULTILINE)[0] == ("/", "1/2")
    folded = record(run, *given, "--folds", "5", "--seed", "1")[0]
    assert folded["alpha"] in {step["alpha"] for step in steps}


# Without a method.


@pytest.mark.parametrize(
    ("learner", "usual"),
    [
        ("cart", ["--method", "cost-complexity", "--folds", "10"]),
        ("c45", ["--method", "error-based"]),
        ("id3", ["--method", "cost-complexity", "--folds", "10"]),
    ],
)
def test_a_tree_has_a_usual_method(run: Run, tmp_path: Path, learner: str, usual: list[str]) -> None:
    tree, data = tmp_path / "tree.json", "loan"
    run("grow", data, "--learner", learner, "--output", str(tree))
    status, out, error = run("prune", str(tree), data)
    assert (status, out) == run("prune", str(tree), data, *usual)[:2]
    assert error == f"reference-tree: no method is named: {' '.join(usual)}\n"


@pytest.mark.parametrize(
    ("data", "options", "usual"),
    [
        ("watermelon-2.0a", [], ["--limit", "table"]),  # rows are divided, and the binomial limit counts whole ones
        ("watermelon-2.0a", ["--profile", "weka-j48"], ["--profile", "weka-j48"]),
        ("golf", ["--profile", "c45-r8"], ["--profile", "c45-r8"]),
        ("weighted.csv", ["--weights", "w"], ["--limit", "table"]),
    ],
)
def test_a_tree_of_c45_has_a_usual_limit(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: str, options: list[str], usual: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("weighted.csv").write_text("a,w,y\nu,1/2,no\nv,1,yes\nv,3/2,yes\n", encoding="utf-8")
    run("grow", data, "--learner", "c45", *options, "--output", "tree.json")
    weights = options if "--weights" in options else []
    status, out, error = run("prune", "tree.json", data, *weights)
    assert (status, error) == (0, f"reference-tree: no method is named: --method error-based {' '.join(usual)}\n")
    assert out == run("prune", "tree.json", data, *weights, "--method", "error-based", *usual)[1]


def test_rows_may_be_divided_when_a_branch_is_raised(run: Run, tmp_path: Path) -> None:
    """The row with a missing value to b comes to that question only with the branch that is raised."""
    rows, tree = tmp_path / "rows.csv", tmp_path / "tree.json"
    rows.write_text("a,b,y\nv,x,yes\nu,z,yes\nu,x,no\nv,?,yes\nu,x,no\n", encoding="utf-8")
    run("grow", str(rows), "--learner", "c45", "--output", str(tree))
    assert "." not in run("grow", str(rows), "--learner", "c45")[1]
    assert run("prune", str(tree), str(rows))[2].endswith(" --method error-based --limit table\n")


def test_a_tree_whose_learner_is_not_known_needs_a_method(run: Run) -> None:
    tree, data = RECORDED / "weka-j48" / "labor.unpruned.json", RECORDED / "data" / "labor.arff"
    assert refused(run, "prune", tree, data).endswith("; say --method\n")
    assert refused(run, "prune", tree, data, "--folds", "3").endswith("; there are id3, c45, cart, optimal\n")


def test_the_columns_that_there_are_are_named(run: Run, iris: Path, tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text("x,species\n1,setosa\n", encoding="utf-8")
    for command in ("prune", "audit"):
        message = refused(run, command, iris, rows)
        assert message.endswith("there is no column 'sepal length'; there are x, species\n")


def test_the_binomial_limit_names_what_takes_divided_rows(run: Run, tmp_path: Path) -> None:
    tree = tmp_path / "tree.json"
    run("grow", "watermelon-2.0a", "--learner", "c45", "--output", str(tree))
    message = refused(run, "prune", str(tree), "watermelon-2.0a", "--method", "error-based")
    assert message.endswith("; say --limit table, or --profile c45-r8\n")


def test_an_option_of_one_method_names_it(run: Run, tmp_path: Path) -> None:
    tree = tmp_path / "tree.json"
    run("grow", "golf", "--learner", "c45", "--output", str(tree))
    pruned = run("prune", str(tree), "golf", "--confidence", "0.01")
    assert pruned == run("prune", str(tree), "golf", "--method", "error-based", "--confidence", "0.01")
    message = "say whose option --alpha is: --method cost-complexity or cost-function"
    assert message in refused(run, "prune", str(tree), "golf", "--alpha", "1")


# The other methods, and what is printed.


def test_the_cost_function_shows_both_costs(run: Run, tmp_path: Path) -> None:
    tree = tmp_path / "tree.json"
    run("grow", "play-tennis", "--format", "json", "--output", tree)
    out = run("prune", tree, "play-tennis", "--method", "cost-function", "--alpha", "4", "--explain")[1]
    assert "C_α(t)   = 14·(5/14·log2(14/5) + 9/14·log2(14/9)) + 4 ≈ 17.164003 bits" in out
    assert "17.164003 < 20: the leaf costs less" in out
    assert record(run, tree, "play-tennis", "--method", "cost-function", "--alpha", "0.5")[0]["alpha"] == "1/2"


def test_error_based_pruning_takes_its_rules_from_a_profile_or_one_by_one(run: Run) -> None:
    tree, data = RECORDED / "weka-j48" / "labor.unpruned.json", RECORDED / "data" / "labor.arff"
    given = [tree, data, "--method", "error-based"]
    pruned = json.loads(run("prune", *given, "--profile", "weka-j48", "--format", "json")[1])
    recorded = json.loads((RECORDED / "weka-j48" / "labor.pruned.json").read_text(encoding="utf-8"))
    assert [node.get("test") for node in pruned["nodes"]] == [node.get("test") for node in recorded["nodes"]]
    assert record(run, *given, "--limit", "normal", "--confidence", "0.1", "--no-raising") == [
        {"method": "error-based", "profile": None, "confidence": "1/10", "limit": "normal", "raising": False}
    ]
    assert "gives way to that branch" in run("prune", *given, "--profile", "weka-j48", "--show")[1]


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    "method",
    [
        ["cost-function", "--alpha", "7/5"],
        ["cost-complexity", "--alpha", "1/20"],
        ["cost-complexity", "--alpha", "1/20", "--risk", "entropy"],
        ["cost-complexity", "--folds", "10", "--risk", "entropy"],
        ["reduced-error", "--validation", "watermelon-2.0-validation"],
        ["reduced-error", "--validation", "watermelon-2.0-validation", "--order", "best-first", "--ties", "keep"],
        ["error-based", "--profile", "c45-r8"],
        ["error-based", "--no-raising"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("flag", ["--show", "--explain"])
@pytest.mark.parametrize("form", ["text", "markdown"])
def test_every_method_tells_its_decisions(run: Run, zhou: Path, method: list[str], flag: str, form: str) -> None:
    given = ["prune", zhou, "watermelon-2.0-train", "--method", *method]
    status, out, err = run(*given, flag, "--format", form)
    assert (status, err) == (0, "")
    assert run(*given)[1] in out
    assert method[0] in out


def test_each_format_of_grow_prints_the_pruned_tree(run: Run, zhou: Path, tmp_path: Path) -> None:
    given = [zhou, "watermelon-2.0-train", "--method", "error-based"]
    for form in ("text", "rules", "json", "dot", "mermaid", "svg"):
        assert "脐部" in run("prune", *given, "--format", form)[1]
    again = tmp_path / "again.json"
    assert run("prune", *given, "--format", "json", "--output", again) == (0, "", "")
    more = record(run, again, "watermelon-2.0-train", "--method", "cost-function", "--alpha", "2")
    assert [one["method"] for one in more] == ["error-based", "cost-function"]


def test_rows_without_a_target_are_counted(run: Run, tmp_path: Path) -> None:
    data, tree = tmp_path / "gaps.csv", tmp_path / "tree.json"
    data.write_text("a,y\nx,yes\nz,no\nz,?\n", encoding="utf-8")
    run("grow", data, "--format", "json", "--output", tree)
    status, out, err = run("prune", tree, data, "--method", "cost-function", "--alpha", "0")
    assert (status, out, err) == (
        0,
        "a = x: yes (yes 1)\na = z: no (no 1)\n",
        "reference-tree: left out without a target: 1 row\n",
    )


def test_the_curve_of_the_sequence_is_the_choice(run: Run, iris: Path) -> None:
    given = [iris, "iris", "--method", "cost-complexity"]
    table = textbook("iris")
    drawn = choice_curve(choose(CART().grow, table, folds(table, 5, 0)))
    assert run("prune", *given, "--path", "--folds", "5", "--format", "svg") == (0, drawn, "")
    assert "say --folds K" in refused(run, "prune", *given, "--path", "--format", "svg")


# What does not fit.


@pytest.mark.one_in(1, 4)
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["cost-function"], "needs the price of a leaf in bits: --alpha NUMBER"),
        (["cost-function", "--alpha", "-1"], "it is a number from 0, not -1"),
        (
            ["cost-function", "--alpha", "1", "--profile", "rpart"],
            "--profile is an option of cost-complexity, error-bas",
        ),
        (["cost-function", "--alpha", "0", "--path"], "--path is an option of cost-complexity, not of cost-function"),
        (["cost-complexity"], "needs --alpha NUMBER, --folds N to choose it, or --path"),
        (
            ["cost-complexity", "--alpha", "0", "--folds", "2"],
            "--alpha says which tree to take, and --folds looks at all",
        ),
        (["cost-complexity", "--alpha", "0", "--path"], "--alpha says which tree to take, and --path looks at all"),
        (
            ["cost-complexity", "--alpha", "0", "--seed", "0"],
            "--seed is for choosing α by cross-validation; say --folds",
        ),
        (["cost-complexity", "--path", "--standard-errors", "0"], "--standard-errors is for choosing"),
        (["cost-complexity", "--folds", "1"], "10 rows can be dealt into 2 to 10 folds, not into 1"),
        (["cost-complexity", "--folds", "two"], "'two' is not a whole number"),
        (["cost-complexity", "--alpha", "0", "--profile", "cart"], "there is no profile 'cart' of cost-complexity"),
        (
            ["cost-complexity", "--path", "--format", "dot"],
            "with --path, the format is text, markdown, html, json or svg, not dot",
        ),
        (["cost-complexity", "--path", "--show"], "--path and --show print different things"),
        (["cost-complexity", "--alpha", "0", "--raising"], "--raising is an option of error-based"),
        (["reduced-error"], "needs rows that the tree was not grown from: --validation FILE"),
        (["reduced-error", "--validation", "nothing.csv"], "nothing.csv: there is no such file"),
        (["reduced-error", "--validation", "loan"], "loan: there is no column '好瓜'"),
        (
            ["reduced-error", "--alpha", "0"],
            "--alpha is an option of cost-complexity, cost-function, not of reduced-error",
        ),
        (["error-based", "--confidence", "0"], "the confidence lies between 0 and 1, not at 0"),
        (["error-based", "--limit", "normal", "--confidence", "3/4"], "between 0 and 1/2"),
        (
            ["error-based", "--profile", "c45"],
            "there is no profile 'c45' of error-based pruning (did you mean c45-r8?); there are c45-r8",
        ),
        (
            ["error-based", "--order", "best-first"],
            "--order is an option of reduced-error, not of error-based, which has",
        ),
        (["error-based", "--no-raising", "--validation", "iris"], "--validation is an option of reduced-error"),
        (["error-based", "--format", "markdown"], "a tree is not printed as markdown"),
        (["error-based", "--show", "--format", "json"], "with --show, the format is text, markdown or html, not json"),
        (["error-based", "--show", "--explain"], "--show and --explain print different things"),
        (["by-hand"], "invalid choice: 'by-hand'"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, list) else "",
)
def test_an_option_that_does_not_fit(run: Run, zhou: Path, arguments: list[str], says: str) -> None:
    assert says in refused(run, "prune", zhou, "watermelon-2.0-train", "--method", *arguments)


@pytest.mark.parametrize("data", ["watermelon-2.0", "watermelon-2.0-validation", "loan", "nothing.csv"])
def test_other_rows_than_those_of_the_tree(run: Run, zhou: Path, data: str) -> None:
    assert data in refused(run, "prune", zhou, data, "--method", "cost-function", "--alpha", "1")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("outlook,windy,play\nfoggy,true,no\n", "line 2, column outlook: 'foggy' is not among the declared values"),
        ("outlook,windy,play\nsunny,true,no\nsunny,true,?\n", "validation set is missing"),
        ("outlook,windy,play\nsunny,true,maybe\n", "line 2, column play: 'maybe' is not among the declared values"),
        ("outlook,windy,play\n", "there are no rows"),
        ("", "is empty"),
        ("outlook,play\nsunny,no\n", "the validation set has no column 'windy'; it has outlook"),
        ("outlook,windy\nsunny,true\n", "there is no column 'play'; there are outlook, windy"),
        ("outlook,windy,play\nsunny,true\n", "line 2: the row has 2 values for 3 columns"),
    ],
)
def test_validation_rows_that_cannot_answer(run: Run, weather: Path, tmp_path: Path, content: str, says: str) -> None:
    tree, rows = tmp_path / "tree.json", tmp_path / "held-out.csv"
    rows.write_text(content, encoding="utf-8")
    assert run("grow", weather, "--format", "json", "--output", tree)[0] == 0
    line = refused(run, "prune", tree, weather, "--method", "reduced-error", "--validation", rows)
    assert "held-out.csv" in line
    assert says in line
    line = refused(run, "grow", weather, "--pre-prune", rows)
    assert "held-out.csv" in line
    assert says in line


def test_a_missing_value_without_a_rule_for_it(run: Run, weather: Path, tmp_path: Path) -> None:
    tree, rows = tmp_path / "tree.json", tmp_path / "held-out.csv"
    rows.write_text("outlook,windy,play\nrainy,?,no\n", encoding="utf-8")
    run("grow", weather, "--format", "json", "--output", tree)
    line = refused(run, "prune", tree, weather, "--method", "reduced-error", "--validation", rows)
    assert "held-out.csv: the value of windy is missing in the validation set, and this tree has no rule" in line


def test_other_columns_in_the_validation_rows_do_not_matter(run: Run, weather: Path, tmp_path: Path) -> None:
    tree, rows = tmp_path / "tree.json", tmp_path / "held-out.csv"
    rows.write_text("id,play,windy,outlook\n1,no,false,rainy\n2,no,true,rainy\n", encoding="utf-8")
    run("grow", weather, "--format", "json", "--output", tree)
    given = ["--method", "reduced-error", "--validation", rows, "--ties", "keep"]
    assert "outlook = rainy: no (no 1, yes 1; a tie)" in run("prune", tree, weather, *given)[1]


def test_a_rule_for_ties_without_pre_pruning(run: Run) -> None:
    line = refused(run, "grow", "play-tennis", "--on-equal", "split")
    assert "--on-equal is for pre-pruning; say --pre-prune VALIDATION, too" in line


def test_alpha_is_chosen_only_for_trees_that_can_be_grown_again(run: Run, zhou: Path, tmp_path: Path) -> None:
    foreign = RECORDED / "scikit-learn" / "iris.gini.json"
    line = refused(run, "prune", foreign, "iris", "--method", "cost-complexity", "--folds", "3")
    assert "--folds grows the tree anew, and there is no learner 'unknown'" in line
    pruned = tmp_path / "pruned.json"
    given = ["--method", "cost-function", "--alpha", "7/5", "--format", "json", "--output", pruned]
    assert run("prune", zhou, "watermelon-2.0-train", *given)[0] == 0
    line = refused(run, "prune", pruned, "watermelon-2.0-train", "--method", "cost-complexity", "--folds", "3")
    assert "another one comes of these rows" in line
