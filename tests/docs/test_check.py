"""Check my tree: what the page says of trees that programs printed, right ones and others, also in a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import unescape
from urllib.parse import urlencode

import pytest

import reference_tree as rt
from docs.assets.playground import check, check_zh
from docs.assets.playground.check import EXAMPLES, GOLF, IRIS, RPART, State, edit, view
from docs.assets.playground.check_audit import completed
from docs.tools.rules import rules
from reference_tree.data.errors import InputError
from reference_tree.tree_document import to_json
from tests.docs.test_browser import SCREENS
from tests.docs.test_playground import Visitor
from tests.every import of_every
from tests.programs.recording import HERE

SAID = json.dumps(rules())
FIGURE = re.compile(r"\d+(?:\.\d+)?")


def text(html: str) -> str:
    """What can be read of HTML, drawings left out."""
    bare = re.sub(r"<svg.*?</svg>|<script.*?</script>|<textarea.*?</textarea>", "", html, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", bare)).split())


def shown(state: State) -> dict[str, str]:
    return {name: text(piece) for name, piece in view(state, SAID)["html"].items()}


@of_every(
    [
        ("a wrong tree", "This tree is wrong. ✓ 7 right , ✗ 1 wrong", "At /outlook=sunny : wrong"),
        ("a right tree", "This tree is right. ✓ 8 right", "At / : right"),
        ("a tied tree", "This tree is right. ✓ 4 right , = 1 tied", "Exactly as good: petal length<=2.45"),
        ("a tree that rpart printed", "✓ 2 right , = 1 tied , – 2 excused", "Exactly as good: petal width<0.8"),
        ("a tree drawn by hand", "✗ 1 wrong , ↓ 2 follows", "Better: wind , gain 0.970951, in place of 0.0199731"),
    ]
)
def test_an_example_says_what_it_is_for(name: str, summary: str, node: str) -> None:
    found = shown(EXAMPLES[name])
    assert summary in found["summary"]
    assert node in found["node"]


def test_a_fault_comes_with_the_better_question_and_the_sentence_of_the_rule() -> None:
    node = shown(EXAMPLES["a wrong tree"])["node"]
    assert "temperature<=75 may not compete (average)" in node
    assert "The rule: c45.average . Who may compete by the gain ratio? An attribute whose gain is at least" in node
    assert "Better: humidity<=75 , ratio 0.794016, in place of 0.226554. This loses 0.567462 for each row" in node


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["right", "tied", "wrong", "follows", "excused"])
def test_every_node_of_the_drawing_has_its_mark(kind: str) -> None:
    drawings = {name: view(state)["html"]["tree"] for name, state in EXAMPLES.items()}
    assert any(f'class="{kind}"' in drawing for drawing in drawings.values())
    for name, state in EXAMPLES.items():
        listed = len(re.findall(rf'<li class="{kind}">', view(state)["html"]["list"]))
        assert len(re.findall(rf'<g data-path="[^"]*" class="{kind}"', drawings[name])) == listed


GROWN = {
    "our JSON": State(tree=to_json(rt.C45().grow(rt.textbook("golf")))),
    "J48, whole": State(tree=f"J48 pruned tree\n------------------\n\n{GOLF}\nSize of the tree : \t8\n"),
    "C4.5": State(tree="Decision Tree:\n\n" + re.sub(r"(?m)(rainy|sunny)$", r"\1:", GOLF.replace(": ", " : "))),
    "names by place": State("iris", tree=IRIS.replace("petal width (cm)", "feature_3"), options="max_depth=2"),
    "rpart's own bound": State("iris", tree=RPART, options="max_depth=2"),
}  # fmt: skip


@of_every(GROWN)
def test_what_a_program_printed_is_right(name: str) -> None:
    assert shown(GROWN[name])["summary"].startswith("This tree is right.")


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize(
    ("program", "file", "data"), [("xgboost", "iris.json", "iris"), ("lightgbm", "iris.txt", "iris")]
)
def test_a_boosted_model_is_shown_tree_by_tree(program: str, file: str, data: str) -> None:
    model = (HERE / program / file).read_text(encoding="utf-8")
    first = view(State(data, tree=model, round="2"))
    assert first["trees"] > 2
    assert first["round"] == "2"
    assert "This tree is" in first["html"]["summary"]


@pytest.mark.parametrize(
    ("state", "english", "chinese"),
    [
        (State(), "there is no tree yet: paste one", "还没有树：请粘贴一棵"),
        (State(tree="hello\nworld"), "tree.txt, line 1: is no tree of a program that is read here",
         "树，第 1 行：不是可以读取的程序输出"),
        (State(tree="hello"), "a leaf predicts 'hello', and there are no, yes",
         "叶结点回答 'hello'，而类别只有 no, yes"),
        (State(tree=GOLF.replace("windy = true", "wind = true")), "tree.txt, line 3: the branches beside it",
         "树，第 3 行：并列的分支用的是另一个属性"),
        (State(tree=GOLF.replace("|   windy = true: no (2.0)\n", "")), "asks for windy, and has no branch for true",
         "windy 的划分没有 true 这个分支"),
        (State(tree=GOLF.replace("windy = true:", "windy true:")), "line 4: '|   windy true: no (2.0)' is no branch of",
         "树，第 4 行：'|   windy true: no (2.0)' 不是树的分支"),
        (State("mine.csv", "a,b\n1,2,3\n", GOLF), "table.csv, line 2: the row has 3 values for 2 columns",
         "数据，第 2 行：这一行有 3 个值，而列有 2 个"),
        (State(tree=GOLF, options="foo=3"), "foo is no option of any learner", "没有 foo 这个选项"),
        (State(tree=GOLF, options="max_depth=x"), "max_depth: 'x' is not a depth", "max_depth"),
        (State("mine.csv", RPART, GOLF), "table.csv: this is a tree", "数据：这是一棵树"),
        (State("iris", tree=IRIS.replace("petal width", "stalk")), "stalk (cm)", "stalk (cm)"),
        (State(tree='{"a":'), "tree.txt, line 1, column 6: is not JSON", "树，第 1 行：不是合法的 JSON"),
    ],
)  # fmt: skip
def test_a_readable_error(state: State, english: str, chinese: str) -> None:
    for room, said in ((check, english), (check_zh, chinese)):
        with pytest.raises(InputError) as error:
            room.view(state)
        assert said in str(error.value)
        assert "\n" not in str(error.value)
        assert "--" not in str(error.value)


def test_the_lines_of_a_tree_alone_are_completed() -> None:
    assert completed(GOLF)[0].splitlines()[-1] == "Size of the tree : 8"
    assert completed("a = b: c\na = d: e")[0].startswith("Id3\n")
    assert completed(RPART) == (RPART, 0)


def test_a_tree_is_built_question_by_question() -> None:
    days = State("play-tennis", node="/")
    days = days._replace(tree=edit(days, '{"begin": ""}'))
    assert days.tree == "yes"
    for path, ask in (("/", "outlook"), ("/outlook=sunny", "humidity"), ("/outlook=rainy", "wind")):
        assert not shown(days)["summary"].startswith("This tree is right.")
        days = days._replace(tree=edit(days._replace(node=path), json.dumps({"ask": ask})))
    assert shown(days)["summary"].startswith("This tree is right. ✓ 8 right")
    spoilt = days._replace(tree=edit(days._replace(node="/outlook=sunny"), '{"label": "no"}'), node="")
    assert "At /outlook=sunny : wrong" in shown(spoilt)["node"]


@pytest.mark.one_in(1, 3)
@pytest.mark.parametrize("table", ["golf", "iris", "watermelon-3.0"])
def test_what_is_built_by_its_own_best_questions_is_right(table: str) -> None:
    state = State(table, learner="cart", options="max_depth=2", node="/")
    state = state._replace(tree=edit(state, '{"begin": ""}'))
    tree = rt.CART(max_depth=2).grow(rt.textbook(table))
    for number, node in enumerate(tree.nodes):
        if node.test is not None:
            state = state._replace(
                tree=edit(state._replace(node=tree.path(number)), json.dumps({"ask": node.test.name}))
            )
    assert shown(state)["summary"].startswith("This tree is right.")


# In Chinese.


@pytest.mark.one_in(1, 3)
@pytest.mark.parametrize("name", EXAMPLES)
def test_it_says_the_same_in_chinese(name: str) -> None:
    english, chinese = view(EXAMPLES[name], SAID)["html"], check_zh.view(EXAMPLES[name], SAID)["html"]
    for part in ("summary", "list", "tree"):
        assert FIGURE.findall(text(chinese[part])) == FIGURE.findall(text(english[part]))
    data = re.sub(r"<(code|option|span class=\"name\")[^>]*>.*?</", "</", chinese["node"], flags=re.DOTALL)
    without = text(re.sub(r"<p class=said>.*?</p>", "", data))
    assert re.findall(r"[a-z]{2,}", without) == []


def test_a_sentence_without_a_pattern_says_that_it_is_english() -> None:
    assert check_zh.chinese("<p class=said>of no pattern</p>") == "<p class=said lang=en>of no pattern</p>"


def test_the_page_in_chinese_lies_one_folder_deeper() -> None:
    built = check_zh.page("x.whl", rules())
    assert 'data-modules="remarks,rows,playground,check_audit,check_edit,check,chinese,check_zh"' in built
    assert 'src="../../assets/playground/check.js"' in built
    assert set(re.findall(r"[A-Za-z]{4,}", text(built).partition("树：程序")[0].partition("自己的数据")[0])) <= {
        "rpart"
    }


# In the browser.


@pytest.mark.one_in(3)
@pytest.mark.browser
@pytest.mark.parametrize(("screen", "place"), [(screen, "check/") for screen in SCREENS] + [("desk", "zh/check/")])
def test_a_tree_is_pasted_and_judged(visitor: Callable[..., Visitor], screen: str, place: str) -> None:
    one = visitor(screen)
    one.url = one.url.partition("/playground/")[0].partition("/check/")[0].removesuffix("/zh") + f"/{place}"
    is_chinese = place.startswith("zh")
    one.open(fresh=True)
    one.shows("[data-shows=summary]", "这棵树有错误" if is_chinese else "This tree is wrong.")  # before any script
    one.tab.locator("[name=tree]").fill(GOLF)
    one.tab.locator(".primary").click()
    one.shows("[data-shows=summary]", "这棵树正确" if is_chinese else "This tree is right.")
    link = one.tab.url
    assert "tree=outlook" in link
    one.tab.locator("[name=tree]").fill(GOLF.replace("yes (4.0)", "no (4.0)"))
    one.tab.locator(".primary").click()
    one.shows("[data-shows=node]", "/outlook=overcast")
    one.tab.locator("[name=tree]").fill("outlook = sunny; no\nx")
    one.tab.locator(".primary").click()
    one.shows(".error", "第 2 行" if is_chinese else "tree.txt, line 2")
    assert one.tab.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
    one.open(fresh=True, **dict(EXAMPLES["a tied tree"]._asdict()))
    one.shows("[data-shows=summary]", "并列" if is_chinese else "tied")
    one.tab.locator('[data-shows=tree] [data-path="/petal width>0.8"]').press("Enter")
    one.shows("[data-shows=node]", "/petal width>0.8")
    one.tab.locator(".begin").click()
    one.shows("[data-shows=summary]", "✗ 1")
    one.tab.locator("[data-edit=ask]").select_option(label="petal width<=0.8")
    one.shows("[data-shows=tree]", "petal width")
    assert one.tab.locator("[name=tree]").input_value().startswith("petal width <= 0.8: setosa\n")
    one.tab.go_back()
    assert urlencode({"table": "iris"}) in one.tab.url
