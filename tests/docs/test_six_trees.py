"""One table, six trees: what the page says of eight dialects, and of a changed cell, also in a browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import TYPE_CHECKING

import pytest

import reference_tree as rt
from docs.assets.playground import six_trees_zh
from docs.assets.playground.playground import State, cells_of
from docs.assets.playground.rows import table_html
from docs.assets.playground.six_trees import DIALECTS, PAIRS, RULES, grown, letters, page, parting, question, view
from reference_tree.data.errors import InputError
from tests.docs.test_browser import SCREENS
from tests.every import of_every

if TYPE_CHECKING:
    from reference_tree.tree import Tree
    from tests.docs.test_playground import Visitor

GOLF = rt.textbook("golf")
LATIN = re.compile(r"[A-Za-z][a-z]+")
PROGRAMS = {"Quinlan", "Weka", "Breiman", "rpart", "scikit", "learn", "Python"}
"""Words of other languages that a page in Chinese has."""

KNOWN = ("5,1,overcast", "3,5,no", "12,2,60")
"""Cells that a visitor may change."""


def text(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def test_eight_dialects_grow_six_trees() -> None:
    leaves = dict(
        zip(letters(grown(GOLF)).values(), (len(tree.leaves()) for tree in grown(GOLF).values()), strict=True)
    )
    assert leaves == {"A": 5, "B": 10, "C": 5, "D": 5, "E": 1, "F": 6}


def _asked_of(tree: Tree, path: str) -> str | None:
    """What a tree asks at a path, found by following the path."""
    return next(question(tree, number) for number in range(len(tree.nodes)) if tree.path(number) == path)


@of_every(["1,1,sunny", *KNOWN])
def test_two_trees_are_alike_above_where_they_part(edit: str) -> None:
    row, column, value = edit.split(",")
    names = list(next(iter(GOLF.rows())))
    rows = [dict(one) for one in GOLF.rows()]
    rows[int(row) - 1][names[int(column) - 1]] = int(value) if value.isdigit() else value
    table = rt.Table.from_rows(rows, target="play")
    trees = grown(table)
    for one, other in PAIRS:
        at = parting(trees[one], trees[other])
        if at is None:
            assert [node.test for node in trees[one].nodes] == [node.test for node in trees[other].nodes]
            continue
        path = trees[one].path(at[0])
        assert _asked_of(trees[one], path) != question(trees[other], at[1])
        above = [path[: place.start()] or "/" for place in re.finditer("/", path)] if path != "/" else []
        for prefix in above:
            assert _asked_of(trees[one], prefix) == _asked_of(trees[other], prefix) is not None


def test_the_sentence_names_the_rule() -> None:
    said = text(view(State())["html"]["partings"])
    assert "At / the first asks for outlook , the second asks for temperature<=84 . The rule: contenders" in said
    assert (
        "At /outlook=sunny the first asks for humidity<=77.5 , the second asks for humidity<=75 . The rule: threshold"
        in said
    )
    assert "So would another rule alone: min_samples_leaf" in said


@pytest.mark.slow
def test_a_changed_cell_changes_trees_and_sentences() -> None:
    # Day 1 is the only one above 84 degrees: played, it is cut off no longer.
    before, after = view(State())["html"], view(State(edits=("1,5,yes",)))["html"]
    assert before["count"] == "The eight dialects grow six different trees from these rows."
    assert after["trees"] != before["trees"]
    assert after["partings"] != before["partings"]
    rows = [dict(row) for row in GOLF.rows()]
    rows[0]["play"] = "yes"
    root = DIALECTS["C4.5 by Li Hang 2019"].grow(rt.Table.from_rows(rows, target="play"))
    assert f"C4.5 by Li Hang 2019 {question(root, 0)}" in text(after["dialects"])
    assert "C4.5 by Li Hang 2019 temperature<=84" in text(before["dialects"])


def test_a_cell_that_cannot_be_read() -> None:
    with pytest.raises(InputError, match=r"golf\.csv, line 2, column humidity: 'wet' is not a number"):
        view(State(edits=("1,3,wet",)))


def test_its_rows_are_fixed() -> None:
    cells = cells_of(State(table="golf"))
    assert "<button" not in "".join(table_html(cells, GOLF, fixed=True))
    assert "<button" in "".join(table_html(cells, GOLF))


# In Chinese.


@pytest.mark.slow
@pytest.mark.parametrize("edits", [(), *((edit,) for edit in KNOWN), tuple(f"{row},5,no" for row in range(1, 15))])
def test_it_says_the_same_in_chinese(edits: tuple[str, ...]) -> None:
    translated = six_trees_zh.view(State(edits=edits))["html"]
    for name, english in view(State(edits=edits))["html"].items():
        chinese = translated[name]
        assert figures(chinese) == figures(english)
        assert (
            set(LATIN.findall(text(re.sub(r"<svg.*?</svg>|<code>.*?</code>", "", chinese, flags=re.DOTALL))))
            <= PROGRAMS
        )
        assert re.findall(r"<code>.*?</code>", chinese) == re.findall(r"<code>.*?</code>", english)


def figures(html: str) -> list[str]:
    """The numbers that a reader sees, but for those in words."""
    return re.findall(r"\d+(?:\.\d+)?", text(html))


def test_every_rule_is_told_in_chinese() -> None:
    assert set(six_trees_zh.RULES) == set(RULES)


@pytest.mark.slow
def test_what_stands_there_in_chinese_is_what_the_worker_says() -> None:
    built, said = six_trees_zh.page("x.whl"), six_trees_zh.view(State())["html"]
    assert all(piece in built for piece in said.values())
    assert 'data-modules="remarks,rows,playground,six_trees,chinese,six_trees_zh"' in built
    assert figures(built) == figures(page("x.whl"))
    rest = re.sub(r"<svg.*?</svg>|<code>.*?</code>", "", built, flags=re.DOTALL)
    assert set(LATIN.findall(text(rest))) <= PROGRAMS | {one.name for one in GOLF.schema.attributes} | {"play"}


@pytest.mark.slow
def test_a_value_that_is_an_english_word_stays_as_it_is() -> None:
    said = six_trees_zh.view(State(edits=tuple(f"{row},1,tree" for row in (3, 7, 12, 13))))["html"]
    assert "<code>outlook=tree</code>" in said["dialects"]


# In the browser.


@pytest.mark.one_in(3)
@pytest.mark.browser
@pytest.mark.parametrize(
    ("screen", "place"), [(screen, "six_trees/") for screen in SCREENS] + [("desk", "zh/six_trees/")]
)
def test_a_touched_cell_grows_the_trees_anew(visitor: Callable[..., Visitor], screen: str, place: str) -> None:
    one = visitor(screen)
    one.url = one.url.partition("/playground/")[0].partition("/six_trees/")[0].removesuffix("/zh") + f"/{place}"
    one.open(fresh=True)
    answer = (six_trees_zh.view if "zh/" in place else view)(State(edits=("1,5,yes",)))["html"]
    built = (six_trees_zh.view if "zh/" in place else view)(State())["html"]
    one.shows("[data-shows=count]", built["count"])
    loaded = "performance.getEntriesByType('resource').map(entry => entry.name).join()"
    cell = one.tab.locator('[data-cell="1,5"]')
    cell.focus()
    assert "pyodide" not in one.tab.evaluate(loaded), "Python is loaded before a cell is changed"
    cell.press("ControlOrMeta+a")
    cell.press_sequentially("yes")
    cell.press("Tab")  # by the keyboard alone
    one.shows("[data-shows=partings]", first_parting(answer))
    assert one.tab.locator(".changed").count() == 1
    assert one.tab.url.endswith("#edits=1%2C5%2Cyes")
    assert one.tab.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
    broken = one.tab.locator('[data-cell="2,3"]')
    broken.fill("wet")
    broken.press("Tab")
    one.shows(".six .error", "'wet' is not a number")
    one.shows("[data-shows=count]", answer["count"])  # what was there stays
    one.tab.go_back()
    one.tab.wait_for_function("() => !document.querySelector('.six .error').textContent")
    assert broken.input_value() == "90"
    one.tab.locator(".six .anew").press("Enter")
    one.shows("[data-shows=partings]", first_parting(built))
    assert one.tab.locator(".changed").count() == 0
    assert "#" not in one.tab.url


def first_parting(html: dict[str, str]) -> str:
    return unescape(re.sub(r"<[^>]+>", "", re.findall(r"<p>.*?</p>", html["partings"])[0]))


@pytest.mark.more
@pytest.mark.browser
def test_a_link_restores_the_changes(visitor: Callable[..., Visitor]) -> None:
    one = visitor()
    one.url = one.url.partition("/playground/")[0].partition("/six_trees/")[0].removesuffix("/zh") + "/six_trees/"
    one.open(fresh=True, edits=["1,5,yes", "3,1,sunny, warm"])
    after = view(State(edits=("1,5,yes", "3,1,sunny, warm")))["html"]
    one.shows("[data-shows=partings]", first_parting(after))
    assert one.tab.locator('[data-cell="3,1"]').input_value() == "sunny, warm"
    assert one.tab.locator(".changed").count() == 2
    one.tab.goto("about:blank")
    one.open(fresh=True, edits="99,1,sunny")
    one.shows(".six .error", "no row, column and value of this table")
