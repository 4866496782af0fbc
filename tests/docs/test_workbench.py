"""The playground as a workbench: a tree pruned, two learners beside each other, an ensemble; in English and in Chinese.

What is shown is held against the package. In a browser the form is used as a reader uses it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import reference_tree as rt
from docs.assets.playground import workbench, workbench_page, workbench_zh
from docs.assets.playground.chinese import TITLES
from docs.assets.playground.playground import State
from docs.assets.playground.remarks import in_form
from docs.assets.playground.workbench import view
from reference_tree.data.errors import InputError
from reference_tree.data.textbook import describe, names
from reference_tree.ensembles.random_forest import RandomForest
from reference_tree.pruning.prune import prune
from reference_tree.selection.holdout import holdout
from tests.docs.test_playground import text
from tests.every import of_every

if TYPE_CHECKING:
    from playwright.sync_api import Page

FOLDER = Path(workbench.__file__).parent
CHINESE = re.compile(r"[\u4e00-\u9fff]")


def without_drawings(html: str) -> str:
    return text(re.sub(r"<svg.*?</svg>", "", html, flags=re.DOTALL))


def piece(name: str, state: State) -> str:
    return without_drawings(view(state)["html"][name])


def test_nothing_is_shown_that_is_not_asked_for() -> None:
    html = view(State())["html"]
    assert [html[name] for name in ("pruned", "beside", "ensemble")] == ["", "", ""]


# Pruning.


@pytest.mark.slow
def test_a_tree_is_pruned_against_the_rows_held_out() -> None:
    iris = rt.textbook("iris")
    split = holdout(iris, 0, Fraction(3, 10))
    tree = rt.CART().grow(split.training)
    cut = prune(tree, "reduced-error", validation=split.validation)
    said = piece("pruned", State("iris", learner="cart", held="0.3", prune="reduced-error"))
    assert f"{len(tree.leaves())} leaves before, {len(cut.leaves())} after" in said
    assert f"of {len(split.validation)} right" in said
    with pytest.raises(InputError, match="give a share of the rows"):
        view(State("iris", prune="reduced-error"))


@of_every(["0", "0.01", "1/50", "1"])
def test_the_price_of_a_leaf_is_exact(alpha: str) -> None:
    tree = rt.CART().grow(rt.textbook("golf"))
    cut = prune(tree, "cost-complexity", alpha=Fraction(alpha))
    said = piece("pruned", State("golf", learner="cart", prune="cost-complexity", alpha=alpha))
    assert f"{len(tree.leaves())} leaves before, {len(cut.leaves())} after" in said


@pytest.mark.slow
def test_a_tree_is_pruned_by_its_estimated_errors() -> None:
    iris = rt.textbook("iris")
    tree = rt.C45().grow(iris)
    said = piece("pruned", State("iris", learner="c45", prune="error-based"))
    assert f"{len(prune(tree, 'error-based', iris).leaves())} after" in said


# Two learners.


def test_two_dialects_are_parted_by_their_rule() -> None:
    said = piece("beside", State("golf", learner="c45/zhou", beside="c45/li-hang"))
    assert "C4.5: li-hang" in said
    assert "The rule: contenders" in said


def test_two_kinds_of_learners_part_and_their_decisions_stand_beside_each_other() -> None:
    said = piece("beside", State(learner="id3", beside="cart"))
    assert "They part at /" in said
    assert "ID3 compares gains" in said
    assert "CART compares the decrease of an impurity" in said
    assert "outlook=overcast" in said
    assert piece("beside", State(learner="id3", beside="c45")).endswith("Both ask the same questions of these rows.")


# Ensembles.


def test_a_forest_is_the_forest_of_the_package() -> None:
    golf = rt.textbook("golf")
    forest = RandomForest(trees=5).grow(golf)
    said = piece("ensemble", State("golf", ensemble="forest", trees="5"))
    assert said.endswith(f"{int(forest.accuracy(golf) * len(golf))} of 14 right")
    assert len(list(workbench.errors_so_far(forest, golf))) == 5


@pytest.mark.slow
def test_rounds_have_their_weights_and_a_row_gets_its_votes() -> None:
    said = piece("ensemble", State("golf", ensemble="adaboost", trees="3", row=("outlook=sunny", "humidity=80")))
    assert "its weight" in said
    assert "0.4581" in said
    assert re.search(r"play: (yes|no)", said)
    assert "mean squared error" in piece("ensemble", State("cats-regression", ensemble="boosting-tree", trees="3"))
    assert "missing" in piece("ensemble", State(ensemble="bagging", row=("outlook=sunny",)))


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (State(ensemble="wood"), "there is no ensemble wood"),
        (State(ensemble="bagging", trees="0"), "1 to 100 trees"),
        (State(ensemble="boosting-tree"), "a boosting tree is for numbers"),
        (State(prune="cost-complexity", alpha="much"), "such as 0.01"),
        (State(prune="shears"), "there is no pruning shears"),
        (State(beside="oak"), "there is no learner 'oak'"),
    ],
)
def test_a_readable_error(state: State, said: str) -> None:
    with pytest.raises(InputError, match=re.escape(said)):
        view(state)


# What a reader decides, and what the package advises.


def test_the_derivation_says_that_the_tree_asks_something_else() -> None:
    said = text(view(State(asks=("/@humidity",)))["html"]["derivation"])
    assert said.startswith("Your choice. The tree asks humidity here.")
    assert "it would ask outlook" in said
    below = text(view(State(asks=("/@humidity",), node="/humidity=high"))["html"]["derivation"])
    assert "Your choice" not in below


ADVISED = "a,zip,id,y\nx,01234,1,0\ny,01235,2,1\nx,01236,3,0\ny,01237,4,1\n"


def test_remarks_speak_the_words_of_the_form() -> None:
    said = piece("remarks", State("x.csv", csv=ADVISED))
    assert "press 123 above the column zip" in said
    assert "press abc above the column y" in said
    assert "write id into “Leave out”" in said
    assert not re.search(r"say |=\[", said)
    assert in_form("name missing values by missing=['?']") == "empty the cell"
    with pytest.raises(InputError, match="press 123 above the column y"):
        view(State("x.csv", csv="a,y\n1,0\n2,1\n", learner="c45", kinds=("continuous@y",)))


def test_full_width_commas_part_columns() -> None:
    assert view(State("x.csv", csv="天气，风，打球\n晴，大，是\n雨，小，否\n"))["targets"] == ["天气", "风", "打球"]


# In Chinese.

KEPT = {"JavaScript", "AdaBoost", "CART", "outlook", "humidity", "wind"}
STATES = [
    State(),
    State(asks=("/@humidity",)),
    State("watermelon-2.0", node="/纹理=清晰"),
    State("golf", learner="cart", prune="cost-complexity", alpha="1/10", beside="c45/weka-j48", ensemble="adaboost"),
    State("golf", learner="c45/zhou", beside="c45/li-hang", held="0.3"),
    State("x.csv", csv=ADVISED),
]


@pytest.mark.one_in(1, 6)
@pytest.mark.parametrize("state", STATES)
def test_the_chinese_page_has_the_same_numbers(state: State) -> None:
    shown = workbench.view(state)
    english, chinese = shown["html"], workbench_zh.view(state)["html"]
    cells = re.findall(r'value="([^"]*)"', english["table"])
    for name in ("table", "tree", "node", "pruned", "beside", "ensemble", "quality"):
        numbers = [sorted(re.findall(r"\d+\.\d+|\d+", without_drawings(html[name]))) for html in (english, chinese)]
        assert numbers[0] == numbers[1], name
        left = re.sub(r"[\w.]*-?j48|li-hang|zhou|AdaBoost|CART|Quinlan|contenders", "", without_drawings(chinese[name]))
        words = set(re.findall(r"[A-Za-z]{4,}", left))
        assert words <= set(re.findall(r"[A-Za-z]{4,}", f"{shown['targets']} {cells}")), name
    assert not chinese["remarks"] or CHINESE.search(chinese["remarks"])


@pytest.mark.slow
def test_titles_and_derivations_are_whole_in_chinese() -> None:
    assert set(TITLES) == {describe(name).title for name in names()}
    for table, learner in (
        ("golf", "c45"),
        ("golf", "cart/rpart"),
        ("watermelon-2.0a", "c45"),
        ("cats-regression", "cart"),
    ):
        html = workbench_zh.view(State(table, learner=learner))["html"]
        assert not [
            said for piece in html.values() for said in re.findall(r">([^<>]*[a-z]{3,} [a-z]+ [a-z]+[^<>]*)<", piece)
        ]


@pytest.mark.slow
def test_reasons_to_stop_are_whole_in_chinese() -> None:
    rainy = ("max_depth=1", "min_samples_leaf=3", "min_samples_split=6")
    states = [
        *(State(options=options, node="/outlook=rainy") for options in rainy),
        State(node="/outlook=overcast"),
        State(options="epsilon=0.3"),
        State("watermelon-2.0", node="/纹理=清晰/根蒂=稍蜷/色泽=浅白"),
        State("three-and-three"),
        State("golf", learner="cart", options="min_impurity_decrease=0.3"),
    ]
    for state in states:
        assert "叶结点：" in (derived := workbench_zh.view(state)["html"]["derivation"])
        assert not re.findall(r"(because|equally|short|Leaf|allowed)", derived)


def test_the_form_is_whole_in_chinese() -> None:
    html = workbench_zh.page("x.whl")
    data = r"<svg.*?</svg>|<math.*?</math>|<textarea.*?</textarea>|<option.*?</option>|<table.*?</table>"
    form = re.sub(data, "", html.partition('<div data-shows="node">')[0], flags=re.DOTALL)
    assert set(re.findall(r">[^<>]*?([A-Za-z]{4,})[^<>]*<", form)) <= KEPT
    for name in workbench_page.SAID:
        (said,) = re.findall(rf'data-{name}="([^"]*)"', html)
        assert CHINESE.search(said), name
    modules = re.findall(r'data-modules="([^"]*)"', html)[0].split(",")
    assert modules[-1] == "workbench_zh"
    assert "../../assets/playground/playground.js" in html


def test_errors_are_said_in_chinese() -> None:
    for state in (State(prune="reduced-error"), State(ensemble="bagging", trees="0"), State(ensemble="boosting-tree")):
        with pytest.raises(InputError, match=CHINESE):
            workbench_zh.view(state)


def test_each_module_is_fetched_before_it_is_needed() -> None:
    folder = "docs.assets.playground."
    for page, room in ((workbench_page.page("x"), workbench), (workbench_zh.page("x"), workbench_zh)):
        listed = re.findall(r'data-modules="([^"]*)"', page)[0].split(",")
        for name in listed:
            source = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
            asked = re.findall(rf"^from {re.escape(folder)}(\w+) import", source, re.MULTILINE)
            asked += re.findall(r"^from docs\.assets\.playground import (.+)$", source, re.MULTILINE)
            assert {one.strip() for names in asked for one in names.split(",")} <= set(listed), name
        assert room.__name__ == folder + listed[-1]


# In the browser.


@pytest.mark.browser
@pytest.mark.one_in(2)
@pytest.mark.parametrize("screen", ["phone", "desk"])
def test_a_tree_is_pruned_and_set_beside_another_by_the_form(opened: Callable[..., Page], screen: str) -> None:
    tab = opened("playground/", screen)
    tab.locator(".further summary").click()
    tab.locator("[name=prune]").select_option("cost-complexity")
    tab.locator("[data-shows=pruned] h2").wait_for()
    tab.locator("[name=alpha]").fill("1")
    tab.keyboard.press("Enter")
    tab.locator("[data-shows=pruned]", has_text="5 leaves before, 1 after").wait_for()
    tab.locator("[name=beside]").select_option("cart")
    tab.locator("[data-shows=beside]", has_text="They part at /").wait_for()
    assert "beside=cart" in tab.url
    tab.reload()
    tab.locator("[data-shows=beside]", has_text="They part at /").wait_for()
    assert tab.locator("[name=prune]").input_value() == "cost-complexity"
    assert tab.locator("[name=prune]").is_visible()
    assert tab.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0


@pytest.mark.browser
def test_the_chinese_playground_answers_in_chinese(opened: Callable[..., Page]) -> None:
    tab = opened("zh/playground/")
    tab.locator(".further summary").click()
    tab.locator("[name=ensemble]").select_option("adaboost")
    tab.locator("[data-shows=ensemble]", has_text="根结点的划分").wait_for()
    tab.locator("[name=prune]").select_option("reduced-error")
    tab.locator(".error", has_text="降低错误剪枝需要留出的样本").wait_for()
