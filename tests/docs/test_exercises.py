"""The exercises of Learn: right is right, each classic mistake is named, and sheets for print have their solutions.

Python computes the answers and what each mistake leads to; the script compares. Both are tried in node, too.
"""

from __future__ import annotations

import json
import re
import shutil
import string
import subprocess
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from docs.tools.played.exercise import ON_A_SHEET, SAID, SEEDS, SHEETS, exercise, sheets, task, worked
from docs.tools.played.exercises import EXERCISES
from docs.tools.played.figure import LANGUAGES, Play
from reference_tree.exact.rounding import decimal
from tests.every import of_every

if TYPE_CHECKING:
    from playwright.sync_api import Page

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs"
NODE = shutil.which("node")
every_kind = pytest.mark.parametrize("kind", EXERCISES)
in_node = pytest.mark.skipif(NODE is None, reason="node is not here")


def judged(tasks: Sequence[tuple[dict[str, Any], list[str]]]) -> Iterator[list[str]]:
    """The words with which tasks answer what is typed."""
    assert NODE is not None
    told = "\n".join(json.dumps({"task": one, "typed": typed}) for one, typed in tasks)
    run = subprocess.run(
        [NODE, str(HERE / "exercises.mjs")], input=told, capture_output=True, encoding="utf-8", timeout=60, check=False
    )
    assert not run.returncode, run.stderr
    yield from map(json.loads, run.stdout.splitlines())


@pytest.mark.one_in(3, 9)
@in_node
@every_kind
def test_the_answer_is_right_and_each_mistake_is_named(kind: str) -> None:
    tasks = [(task(kind, seed, language), seed) for language in LANGUAGES for seed in range(1, SEEDS + 1)]
    typed = [(one, [one["right"], *one["wrong"].values()]) for one, _ in tasks]
    for (one, seed), (right, *words) in zip(tasks, judged(typed), strict=True):
        assert right == "right", one
        wrong = worked(kind, seed).wrong
        for name, word in zip(one["wrong"], words, strict=True):  # two mistakes may lead to the same number
            assert one["options"] or _digits(wrong[word.removeprefix("wrong_")]) == _digits(wrong[name]), one
            assert not one["options"] or one["wrong"][word.removeprefix("wrong_")] == one["wrong"][name], one


def _digits(number: Any) -> str:
    return decimal(number, 20)


@pytest.mark.one_in(3, 9)
@in_node
@every_kind
def test_decimals_are_judged_as_they_are_rounded(kind: str) -> None:
    tasks = [task(kind, seed) for seed in range(1, SEEDS + 1)]
    if tasks[0]["options"]:
        return
    exact = [worked(kind, seed)[:2] for seed in range(1, SEEDS + 1)]
    typed = [
        [decimal(right, 3), decimal(right, 7), *(decimal(wrong[name], 4) for name in one["wrong"])]
        for one, (right, wrong) in zip(tasks, exact, strict=True)
    ]
    for one, tried, (three, seven, *wrong) in zip(
        tasks, typed, judged(list(zip(tasks, typed, strict=True))), strict=True
    ):
        assert (three, seven) == ("right", "right"), (one, tried)
        assert all(word.startswith("wrong_") for word in wrong), (one, tried, wrong)


@in_node
def test_what_can_be_typed() -> None:
    half = {"right": "1/2", "wrong": {"weights": "1/4"}, "options": []}
    bits = {"right": "1 + log₂7 − 5/14·log₂5 − 9/7·log₂3", "wrong": {"base_e": "0.651756561172650868"}, "options": []}
    halves = [
        "0.5",
        ".5",
        "0,5",
        "50%",
        "2/4",
        "１／２",
        "(1+1)/4",
        "1 - 1/2",
        "",
        "half",
        "1/0",
        "(1",
        "1 2",
        "0.504",
        "3",
    ]
    formulas = [
        "5/14*log2(14/5) + 9/14*log2(14/9)",
        "0.940286",
        "0.94",
        "0.941",
        "0.6518",
        "log2(log2(4))",
        "-0.94",
        "2*log2",
    ]
    said, told = judged([(half, halves), (bits, formulas)])
    assert said == ["right"] * 8 + ["unread"] * 5 + ["near", "wrong"]
    assert told == ["right", "right", "short", "near", "wrong_base_e", "unread", "wrong", "unread"]


@of_every(EXERCISES)
def test_each_word_is_said_in_both_languages(kind: str) -> None:
    for said in (*SAID["exercises"][kind].values(), *(SAID["mistakes"][name] for name in EXERCISES[kind].wrong)):
        fields = ({field for _, field, *_ in string.Formatter().parse(text) if field} for text in said)
        assert len({frozenset(found) for found in fields}) == 1, said
        assert not re.search(r"[A-Za-z]{5,}", re.sub(r"\{\w+\}|AdaBoost", "", said[1])), said


@pytest.mark.one_in(1, 3)
@every_kind
def test_each_word_has_its_number(kind: str) -> None:
    for one in (task(kind, seed, language) for language in LANGUAGES for seed in range(1, SEEDS + 1)):
        assert not re.search(r"\{\w{2,}\}", json.dumps(one)), one


def test_no_word_is_left_over() -> None:
    assert set(SAID["exercises"]) == set(EXERCISES)
    assert set(SAID["mistakes"]) == {name for one in EXERCISES.values() for name in one.wrong}


@pytest.mark.one_in(1, 3)
@every_kind
def test_an_exercise_can_be_told_from_its_mistakes(kind: str) -> None:
    tasks = [task(kind, seed) for seed in range(1, SEEDS + 1)]
    assert len({json.dumps(one) for one in tasks}) >= min(SEEDS, 4)
    found = {name for one in tasks for name in one["wrong"]}
    assert found == set(EXERCISES[kind].wrong), "each mistake can be made"


def test_it_stands_on_a_page_in_both_languages() -> None:
    pages = {page.relative_to(DOCS): page.read_text(encoding="utf-8") for page in DOCS.rglob("*.md")}
    for is_chinese, said in ((False, ""), (True, ', "zh"')):
        text = "".join(text for page, text in pages.items() if ("zh" in page.parts) == is_chinese)
        assert [kind for kind in EXERCISES if f'exercise("{kind}"{said}' not in text] == []


def test_it_is_whole_without_a_script() -> None:
    html = exercise("gain")
    assert task("gain", 1)["ask"] in html
    assert (
        f'<details class="success answer"><summary>Answer</summary><p><span data-is="steps">{task("gain", 1)["steps"]}'
        in html
    )


@pytest.mark.slow
def test_twenty_sheets_are_different_and_have_their_solutions() -> None:
    for language in LANGUAGES:
        asked = "".join(sheets(language))
        drawn = [[task(kind, seed, language) for kind in ON_A_SHEET] for seed in range(1, SHEETS + 1)]
        assert len({json.dumps(tasks) for tasks in drawn}) == SHEETS
        assert asked.count('class="sheet"') == SHEETS + 1
        solutions = asked.partition('id="solutions"')[2]
        assert solutions.count("<li>") == SHEETS * len(ON_A_SHEET)
        words = Play("exercise", language).words
        assert words["sheet"].format(seed=SHEETS) in solutions


@pytest.mark.slow
def test_on_half_of_the_sheets_the_ratio_decides_among_attributes_that_gain_the_average() -> None:
    decided = [task("c45", seed) for seed in range(1, SHEETS + 1)]
    gains = [[float(row[1]) for row in one["cells"][1:]] for one in decided]
    able = [sum(gain >= sum(known) / len(known) for gain in known) for known in gains]
    chosen = [one["right"] != one["wrong"].get("by_gain", one["right"]) for one in decided]
    assert [count > 1 for count, is_other in zip(able, chosen, strict=True) if is_other] == [True] * sum(chosen)
    assert SHEETS // 2 <= sum(chosen) < SHEETS, "it is not to be guessed either"


def test_a_sheet_has_been_drawn_by_its_seed_alone() -> None:
    assert task("gini", 7) == task("gini", 7)
    assert Fraction(task("gini", 7)["right"]) != Fraction(task("gini", 8)["right"])


# In the browser.


@pytest.mark.browser
@pytest.mark.parametrize("screen", ["phone", "desk"])
def test_a_number_is_typed_and_the_step_that_is_wrong_is_named(opened: Callable[..., Page], screen: str) -> None:
    tab = opened("measures/information_gain/", screen)
    figure = tab.locator("[data-play=exercise].alive")
    one = task("gain", 1)
    field = figure.locator("input")
    field.fill(one["wrong"]["weights"])
    tab.keyboard.press("Enter")
    assert figure.locator("[data-is=told]").inner_text() == SAID["mistakes"]["weights"][0]
    field.fill(one["right"])
    figure.locator("[type=submit]").click()
    assert figure.locator("[data-is=told]").inner_text() == "Right."
    figure.locator("[data-does=another]").press("Enter")
    assert figure.locator("[data-is=told]").inner_text() == ""
    assert field.input_value() == ""
    cells = [cell for row in task("gain", 2)["cells"] for cell in row]
    assert figure.locator(".given [data-is]").all_inner_texts() == cells
    assert tab.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0


@pytest.mark.browser
def test_an_option_is_chosen_in_chinese(opened: Callable[..., Page]) -> None:
    tab = opened("zh/learners/c45/")
    figure = tab.locator("[data-play=exercise].alive")
    one = task("c45", 1, "zh")
    figure.locator("button", has_text=re.compile(f"^{one['wrong']['average_rule']}$")).press("Enter")
    assert figure.locator("[data-is=told]").inner_text() == SAID["mistakes"]["average_rule"][1]
    figure.locator("button", has_text=re.compile(f"^{one['right']}$")).click()
    assert figure.locator("[data-is=told]").inner_text() == "正确。"
    assert figure.locator(".choices [aria-pressed=true]").count() == 1


CUT = """() => [...document.querySelectorAll("pre > code, .drawn, [data-shows=tree]")]
    .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.innerText.slice(0, 60))"""


@pytest.mark.browser
@pytest.mark.parametrize("page", ["playground", "learners/cart_more", "cli"])
def test_paper_cuts_no_code_and_no_drawing(opened: Callable[..., Page], page: str) -> None:
    tab = opened(f"{page}/")
    tab.emulate_media(media="print")
    assert tab.evaluate(CUT) == []
