"""What can be played with on the pages of Learn: the script says what the package says, before and after each change.

The figures are built by Python, and changed by JavaScript. In node both are compared without a browser: what the script
puts into the slots after some buttons is what Python builds from the state after them.
"""

from __future__ import annotations

import json
import re
import shutil
import string
import subprocess
from collections.abc import Callable, Iterator
from fractions import Fraction
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

import reference_tree as rt
from docs.tools.played import figure
from docs.tools.played.adaboost import adaboost, ten_rows
from docs.tools.played.bag import bag
from docs.tools.played.bagging import bagging, ten_cats
from docs.tools.played.boosting import boosting, ten_points
from docs.tools.played.build import build, table_of, three_questions
from docs.tools.played.cut import cut, points_of
from docs.tools.played.gain import TIE, days, gain
from docs.tools.played.grows import grows, melons
from docs.tools.played.line import line
from docs.tools.played.line import melons as melons_in_a_plane
from docs.tools.played.missing import missing, outlook
from docs.tools.played.orders import orders, three_tests
from docs.tools.played.price import of_table, price
from docs.tools.played.pruning import dealt_days, pruning
from docs.tools.played.ratio import by_outlook, ratio
from docs.tools.played.sets import sets, weather
from docs.tools.played.story import story
from reference_tree.exact.rounding import decimal
from reference_tree.learners.growing import revisit
from reference_tree.measures.entropy import entropy
from tests.docs.test_browser import SCREENS

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

HERE = Path(__file__).parent
NODE = shutil.which("node")
SLOT = re.compile(r'<\w+ [^>]*?data-is="([^"]+)"[^>]*>([^<]*)<')
MARK = re.compile(r'data-mark="([^"]+)"[^>]*? class="([^"]*)"')
DOTS = re.compile(r'data-dots="([^"]+)"[^>]*>(.*?)</span>')


def known(html: str) -> dict[str, Any]:
    """What the script is told."""
    (found,) = re.findall(r'<script type="application/json">(.*?)</script>', html)
    told: dict[str, Any] = json.loads(found)
    return told


class Kind(NamedTuple):
    """A kind of figure: how it is built from a state, what can be done to it, and where it stands."""

    built: Callable[[Any], str]
    acts: list[str]
    page: str


DAYS = json.loads(json.dumps(days()))
NAMES = ["no", "yes", "maybe"]
KINDS = {
    "bag": Kind(
        lambda state: bag(state["counts"], NAMES),
        ["put 0 1", "put 1 -1", "put 2 1", "put 2 1", "set 12 0 0", "put 0 -1", "set 4 2 2", "put 1 1", "set 5 5 0"],
        "measures/entropy",
    ),
    "gain": Kind(
        lambda state: gain(state["columns"], state["rows"]),
        [
            "turn 2 0",
            "turn 2 0",
            "turn 2 0",
            "turn 0 4",
            f"put {TIE}",
            "turn 13 2",
            "turn 13 4",
            *(f"put {row} 4 1" for row in range(14)),
        ],
        "measures/information_gain",
    ),
}


class First(dict[str, Any]):
    """The first state of each kind of figure; what has to be worked out is when it is asked for."""

    def __missing__(self, kind: str) -> Any:
        self[kind] = known(STARTS[kind]())["state"]
        return self[kind]


STARTS: dict[str, Callable[[], str]] = {}
FIRST = First()
FIRST |= {
    "bag": {"counts": [5, 9, 0]},
    "gain": {"columns": [list(column) for column in DAYS[0]], "rows": DAYS[1]},
}
FIRST["cut"] = {
    "points": [list(point) for point in points_of(rt.textbook("cats"), "weight")],
    "names": ["dog", "cat"],
    "of": "weight",
    "at": "97/10",
}
KINDS["cut"] = Kind(
    lambda state: cut(state["points"], state["names"], state["of"], state["at"]),
    [
        "step 1",
        "flip 3",
        "best",
        "to 0",
        "to 400",
        "to 137",
        "step -1",
        "flip 0",
        "flip 5",
        *(f"flip {i}" for i in range(10)),
    ],
    "splitting/continuous_bisection",
)
STARTS["ratio"] = by_outlook
KINDS["ratio"] = Kind(
    lambda state: ratio(state["classes"], state["walls"], state["first"]),
    ["wall 2", "wall 4", "wall 7", "every", "wall 1", "wall 13", "again", "wall 4", "wall 9"],
    "measures/gain_ratio",
)
STARTS["price"] = lambda: of_table("iris", "1/100")
KINDS["price"] = Kind(
    lambda state: price(state["steps"], state["at"], state["most"], [""] * len(state["steps"])),
    ["step 1", "step 1", "step 1", "to 400", "to 137", "step -1", "step -1", "to 0", "to 390"],
    "pruning/cost_complexity",
)
STARTS["missing"] = outlook
KINDS["missing"] = Kind(
    lambda state: missing(state["values"], state["labels"], state["rows"], state["erased"]),
    [
        "erase 11",
        "erase 0",
        "erase 3",
        *(f"erase {row}" for row in (2, 6, 11, 12)),
        *(f"erase {row}" for row in range(7)),
    ],
    "splitting/missing_values",
)
STARTS["sets"] = weather
KINDS["sets"] = Kind(
    lambda state: sets([str(v) for v in range(len(state["counts"]))], state["counts"], state["right"]),
    ["move 1", "move 0", "best", "move 5", "move 3", "move 4", "best", *(f"move {v}" for v in (3, 4, 5))],
    "learners/cart",
)
STARTS["adaboost"] = ten_rows
KINDS["adaboost"] = Kind(
    lambda state: adaboost(state["points"], state["of"], state["at"]),
    [
        "next",
        "next",
        "flip 4",
        "next",
        "flip 0",
        "next",
        "next",
        "next",
        "back",
        *(f"flip {i}" for i in range(10)),
        "next",
        "flip 3",
        "flip 4",
        *(f"flip {i}" for i in (1, 2, 6, 8, 9)),
        "back",
    ],
    "ensembles/adaboost",
)
STARTS["boosting"] = ten_points
KINDS["boosting"] = Kind(
    lambda state: boosting(state["points"], state["of"], state["rate"], state["at"]),
    ["next", "next", "next", "next", "next", "next", "rate 1/10", "back", "rate 1/2"],
    "ensembles/boosting_tree",
)
STARTS["grows"] = melons
MELONS = {name: name for name in ("密度", "含糖率", "是", "否")}
KINDS["grows"] = Kind(
    lambda state: grows(rt.textbook("watermelon-3.0a"), MELONS, state["at"]),
    ["go 1", "go 1", "go -1", "to 4", "go 1", "go 1", "to 0", "go -1", "go 1"],
    "learn/what_is_a_tree",
)
STARTS["bagging"] = ten_cats
KINDS["bagging"] = Kind(
    lambda state: bagging(state["columns"], state["rows"], state["seed"], state["trees"], state["most"]),
    ["next", "next", "all", "seed", "seed", "back", "seed", *["seed"] * 6, "most 1", "seed", "most 2", *["seed"] * 6],
    "ensembles/bagging",
)
STARTS["pruning"] = dealt_days
KINDS["pruning"] = Kind(
    lambda state: pruning(state["columns"], state["rows"], state["seed"], state["done"], state["equal"]),
    ["next", "next", "next", "equal keep", *["seed"] * 5, "all", *["seed"] * 12, "equal prune", *["seed"] * 4, "next"],
    "pruning/reduced_error",
)
STARTS["line"] = melons_in_a_plane
KINDS["line"] = Kind(
    line,
    ["step 1 turn", "step -1 shift", "best", "to 20 turn", "to 390 shift", "step 1 shift", "both 0 9", "to 400 turn"],
    "splitting/multivariate_nodes",
)
STARTS["orders"] = three_tests
KINDS["orders"] = Kind(
    lambda state: orders(**state),
    ["switch 0", "switch 2", "next", "switch 1", "switch 0", "switch 2", "switch 1", "next", "switch 1", "next"],
    "attribution/shapley",
)
STARTS["build"] = three_questions
KINDS["build"] = Kind(
    lambda state: build(**state),
    [
        *(
            "check",
            "say 3",
            "check",
            "say 0",
            "check",
            "at 0",
            "say 2",
            "check",
            "say 1",
            "check",
            "at 1",
            "say 0",
            "check",
        ),
        *(
            "another",
            "check",
            "say 1",
            "say 4",
            "say 4",
            "check",
            "at 2",
            "say 0",
            "check",
            "say 3",
            "at 4",
            "say 2",
            "check",
        ),
    ],
    "learners/id3",
)
STARTS["story"] = story
KINDS["story"] = Kind(
    lambda state: story(state["at"]),
    [
        "go 1",
        "go 1",
        "step 1 slide",
        "to 20 slide",
        "go 1",
        "to 2 price",
        "step -1 vote",
        "go -1",
        "go 5",
        "to 1 change",
    ],
    "story",
)
every_kind = pytest.mark.parametrize("kind", KINDS)


def slots(html: str) -> tuple[dict[str, str], dict[str, str], dict[str, list[int]]]:
    """The texts, the marks and the dots that stand in a figure."""
    dots = {name: [int(k) for k in re.findall(r'class="k(\d)', drawn)] for name, drawn in DOTS.findall(html)}
    return {name: unescape(text) for name, text in SLOT.findall(html)}, dict(MARK.findall(html)), dots


def shown(kind: str, html: str, acts: list[list[str]]) -> Iterator[dict[str, Any]]:
    """What the script shows after buttons of a figure, for several lists of them."""
    assert NODE is not None
    told = "\n".join(json.dumps({"kind": kind, "known": known(html), "acts": one}) for one in acts)
    run = subprocess.run(
        [NODE, str(HERE / "played.mjs")], input=told, capture_output=True, encoding="utf-8", timeout=60, check=False
    )
    assert not run.returncode, run.stderr
    yield from map(json.loads, run.stdout.splitlines())


@pytest.mark.one_in(7, 21)
@pytest.mark.skipif(NODE is None, reason="node is not here")
@every_kind
def test_the_script_shows_what_the_package_says(kind: str) -> None:
    built, acts, _ = KINDS[kind]
    first = built(FIRST[kind])
    assert known(first)["state"] == FIRST[kind]
    tried = [acts[:length] for length in range(len(acts) + 1)]
    for done, after in zip(tried, shown(kind, first, tried), strict=True):
        texts, marks, dots = slots(built(after["state"]))
        assert after["texts"] == texts, done
        assert after["marks"] == marks, done
        drawn = {name: [k for k, n in enumerate(of) for _ in range(n)] for name, of in after["counts"].items()}
        assert dots.items() >= drawn.items(), done
    assert after["state"] != FIRST[kind]


@every_kind
def test_each_word_is_said_in_both_languages(kind: str) -> None:
    for name, (english, chinese) in figure.WORDS[kind].items():
        fields = ({field for _, field, *_ in string.Formatter().parse(text) if field} for text in (english, chinese))
        assert len({frozenset(found) for found in fields}) == 1, name
        assert not re.search(r"[A-Za-z]{4,}", re.sub(r"\{\w+\}", "", chinese)), name


@every_kind
def test_it_stands_on_its_page_in_both_languages(kind: str) -> None:
    for place in ("", "zh/"):
        page = HERE.parents[1] / "docs" / f"{place}{KINDS[kind].page}.md"
        assert re.search(f"docs.tools.played.{kind} import", page.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "some", [slice(0, 6, 2), pytest.param(slice(None), marks=pytest.mark.slow)], ids=["few", "all"]
)
def test_the_tree_of_id3_is_right_and_the_node_of_any_other_is_named(some: slice) -> None:
    columns, tasks = FIRST["build"]["columns"], FIRST["build"]["tasks"][some]
    names, mistakes = [name for name, _ in columns], set()
    for at, one in enumerate(tasks):
        table = table_of(columns, one["rows"])
        says, place = {}, {}
        for visit in revisit(rt.ID3().grow(table), rt.ID3(), table):
            node, chosen = "".join(str(branch) for branch, _ in visit.place.steps()), visit.decision.chosen
            label = 3 + int(str(visit.decision.answer.label))
            says[node] = names.index(chosen.test.attributes[0]) if chosen else label
            steps = [(step.partition("=")[0], branch) for branch, step in visit.place.steps()]
            place[node] = ", ".join(f"{name} = {dict(columns)[name][branch]}" for name, branch in steps)
        assert told(columns, tasks, at, says) == f"Right: each of the {len(says)} nodes is as ID3 makes it."
        for node, option in says.items():
            for other in {*range(5)} - {option, *(says[node[:depth]] for depth in range(len(node)))}:
                said = told(columns, tasks, at, {**says, node: other})
                assert said.startswith(f"Wrong at {place[node] or 'the root'}:")
                mistakes |= {name for name, text in figure.WORDS["build"].items() if fits(text[0], said)}
    assert mistakes >= {"early", "minority", "pure", "same", "all_rows", "less"}


def told(columns: Any, tasks: Any, at: int, says: dict[str, int]) -> str:
    """What is said of a tree that has been built."""
    return slots(build(columns, tasks, at, says, "", told=True))[0]["verdict"]


def fits(text: str, said: str) -> bool:
    """Whether something is said by these words."""
    return re.fullmatch(".+".join(map(re.escape, re.split(r"\{\w+\}", text))), said) is not None


def test_equal_numbers_are_written_alike() -> None:
    assert figure.written(entropy([9, 5])) == "1 + log₂7 − 5/14·log₂5 − 9/7·log₂3"
    assert figure.written(entropy([18, 10])) == figure.written(entropy([9, 5]))
    assert [figure.written(one) for one in (Fraction(2, 3), entropy([7]), entropy([1, 2]))] == [
        "2/3",
        "0",
        "log₂3 − 2/3",
    ]


# In the browser.


@pytest.fixture(scope="module")
def play(screens: dict[str, BrowserContext], address: str) -> Iterator[Callable[..., Page]]:
    tabs = {name: screen.new_page() for name, screen in screens.items()}

    def opened(kind: str, language: str = "", screen: str = "phone") -> Page:
        tab = tabs[screen]
        tab.goto(f"{address}/{language}{KINDS[kind].page}/")
        tab.wait_for_selector(f"[data-play={kind}].alive")
        return tab

    yield opened
    for tab in tabs.values():
        tab.close()


@pytest.mark.browser
def test_a_dot_is_put_in_by_the_keyboard_and_taken_out_by_a_touch(play: Callable[..., Page]) -> None:
    tab = play("bag")
    more = tab.locator("[data-does='put 0 1']")
    more.focus()
    for _ in range(4):
        tab.keyboard.press("Enter")
    assert tab.locator("[data-is=entropy]").inner_text() == "1.000000"
    assert "equally common" in tab.locator("[data-is=says]").inner_text()
    tab.locator(".bag .k0").first.click()
    assert tab.locator("[data-is=n0]").inner_text() == "8"
    tab.locator("[data-does=again]").press("Enter")
    assert tab.locator("[data-is=entropy]").inner_text() == "0.940286"


@pytest.mark.browser
def test_a_cell_is_changed_by_the_keyboard_and_two_questions_tie(play: Callable[..., Page]) -> None:
    tab = play("gain")
    tab.locator("[data-play=gain] .cells button").first.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowLeft", "Enter"):  # day 3 was overcast
        tab.keyboard.press(key)
    assert tab.locator("[data-is='c2.0']").inner_text() == "rainy"
    assert tab.locator(".cells button[tabindex='0']").count() == 1
    tab.locator("[data-does^=put]").press("Enter")
    tab.locator("[data-does=again]").press("Space")
    tab.locator("[data-does^=put]").press("Space")
    assert tab.locator("[data-play=gain] tr.tie th").all_inner_texts() == ["humidity", "wind"]
    assert "humidity and wind are the same number" in tab.locator("[data-is=says]").inner_text()


@pytest.mark.browser
def test_a_cut_is_moved_by_the_keyboard_and_dragged(play: Callable[..., Page]) -> None:
    tab = play("cut")
    handle = tab.locator("[data-play=cut] input")
    handle.focus()
    tab.keyboard.press("ArrowRight")
    assert tab.locator("[data-is=low]").inner_text() == "weight ≤ 9.7"
    assert "more" in tab.locator("[data-is=says]").inner_text()
    tab.locator("[data-does=best]").press("Enter")
    assert tab.locator("[data-is=low]").inner_text() == "weight ≤ 9"
    assert (handle.get_attribute("aria-valuetext") or "").startswith("weight ≤ 9: 0.609987")
    box = handle.bounding_box()
    assert box is not None
    tab.mouse.click(box["x"] + box["width"] - 1, box["y"] + box["height"] / 2)
    assert tab.locator("[data-is=gain]").inner_text() == "–"
    point = tab.locator("[data-does='flip 3']")
    point.press("Enter")
    assert point.locator("i").get_attribute("class") == "k0"


@pytest.mark.browser
def test_a_wall_is_put_up_by_the_keyboard(play: Callable[..., Page]) -> None:
    tab = play("ratio")
    tab.locator("[data-play=ratio] .wall").first.focus()
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("Space")
    wall = tab.locator("[data-does='wall 2']")
    assert wall.get_attribute("aria-pressed") == "true"
    assert (
        tab.locator("[data-play=ratio] [data-is=says]").inner_text()
        == "The gain is as it was, and the ratio has fallen."
    )
    tab.locator("[data-does=every]").press("Enter")
    assert tab.locator("[data-is=answers]").inner_text() == "14"
    assert tab.locator("[data-is=gain]").inner_text() == "0.940286"


@pytest.mark.browser
def test_the_arrow_keys_go_to_the_prices_at_which_a_tree_takes_over(play: Callable[..., Page]) -> None:
    tab = play("price")
    tab.locator("[data-play=price] input").focus()
    tab.keyboard.press("ArrowRight")
    assert tab.locator("[data-is=at]").inner_text() == "1/75"
    assert tab.locator("[data-play=price] tr.tie th").all_inner_texts() == ["4", "3"]
    assert tab.locator(".pruned:visible").count() == 1
    for _ in range(5):
        tab.keyboard.press("ArrowRight")
    assert "a single leaf" in tab.locator("[data-is=says]").inner_text()


@pytest.mark.browser
def test_a_cell_is_erased_by_the_keyboard_and_its_row_is_divided(play: Callable[..., Page]) -> None:
    tab = play("missing")
    figure = tab.locator("[data-play=missing]")
    assert [figure.locator(f"[data-is=s{v}]").inner_text() for v in range(3)] == ["3/13", "5/13", "5/13"]
    figure.locator(".chip").first.focus()
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("Enter")
    assert figure.locator("[data-is=v1]").inner_text() == "?"
    assert figure.locator("[data-is=rho]").inner_text() == "6/7"
    figure.locator("[data-does='erase 1']").click()
    figure.locator("[data-does='erase 11']").click()
    assert figure.locator("[data-is=gain]").inner_text() == "0.246750"


@pytest.mark.browser
def test_a_value_is_moved_to_the_other_side_by_the_keyboard(play: Callable[..., Page]) -> None:
    tab = play("sets")
    figure = tab.locator("[data-play=sets]")
    figure.locator("[data-does=best]").press("Enter")
    assert re.search("Of all 31 ways|A tie", figure.locator("[data-is=says]").inner_text())
    best = figure.locator("[data-is=index]").inner_text()
    value = figure.locator(".value").first
    value.focus()
    was = value.get_attribute("aria-pressed")
    tab.keyboard.press("Space")
    assert value.get_attribute("aria-pressed") != was
    assert figure.locator("[data-is=index]").inner_text() != best


def test_the_losses_are_those_of_the_boosting_tree() -> None:
    table, state = rt.textbook("li-hang-8.2"), FIRST["boosting"]
    losses = [decimal(one.loss, 4) for one in rt.BoostingTree(trees=6).rounds(table)]
    texts, *_ = slots(boosting(state["points"], "x", "1", 6))
    assert [texts[f"z{m}"] for m in range(6)] == losses
    for rate in ("1/2", "1/10"):
        stumps = rt.GradientTree(max_depth=1, reg_lambda=0, rate=Fraction(rate), grid=None)
        boosted = rt.GradientBoosting(base=stumps, trees=6, base_score=0).grow(table)
        texts, *_ = slots(boosting(state["points"], "x", rate, 6))
        assert texts["z5"] == decimal(10 * boosted.mean_squared_error(table), 4)


@pytest.mark.browser
def test_the_next_stump_is_grown_by_the_keyboard_and_its_mistakes_gain_weight(play: Callable[..., Page]) -> None:
    tab = play("adaboost")
    figure = tab.locator("[data-play=adaboost]")
    assert figure.locator(".wrong").count() == 3
    figure.locator("[data-does=next]").press("Enter")
    assert [figure.locator(f"[data-is={name}]").inner_text() for name in ("w6", "w6d", "e1")] == ["1", "6", "3/14"]
    figure.locator("[data-does=next]").press("Space")
    assert "all 10 rows right" in figure.locator("[data-is=says]").inner_text()
    figure.locator("[data-does='flip 9']").click()
    figure.locator("[data-does=back]").click()
    assert figure.locator("tr.grown").count() == 2


@pytest.mark.browser
def test_the_next_tree_is_fitted_to_the_bars(play: Callable[..., Page]) -> None:
    tab = play("boosting")
    figure = tab.locator("[data-play=boosting]")
    before = figure.locator(".bar").first.bounding_box()
    figure.locator("[data-does=next]").press("Enter")
    assert figure.locator("[data-is=z1]").inner_text() == "0.8007"
    assert figure.locator(".bar").first.bounding_box() != before
    rate = figure.locator("[data-does='rate 1/10']")
    rate.press("Space")
    assert rate.get_attribute("aria-pressed") == "true"
    assert float(figure.locator("[data-is=z1]").inner_text()) > 100
    figure.locator("[data-does=again]").click()
    assert figure.locator("tr.grown").count() == 1


def test_each_question_of_the_tree_that_grows_has_its_reason() -> None:
    learner, table = rt.CART(criterion="entropy"), rt.textbook("watermelon-3.0a")
    told = re.findall(r'<li data-step="\d"><p class="asked">(.*?)</p><p>(.*?)</p>', melons())
    visits = [visit for visit in revisit(learner.grow(table), learner, table) if visit.decision.chosen]
    assert len(told) == len(visits)
    for (_, reason), visit in zip(told, visits, strict=True):
        chosen = visit.decision.chosen
        assert chosen
        assert f"= {decimal(chosen.scores['gain'])} bits" in reason
        assert ("A tie" in reason) == (len(visit.decision.winners) > 1)


@pytest.mark.browser
def test_a_tree_grows_as_one_scrolls(play: Callable[..., Page]) -> None:
    for screen in SCREENS:
        tab = play("grows", screen=screen)
        picture = tab.locator("[data-play=grows] .moving")
        there = picture.locator(".query:not(.later)")
        tab.locator("[data-step='2']").evaluate("one => one.scrollIntoView({block: 'center'})")
        tab.wait_for_function("document.querySelectorAll('.moving .query:not(.later)').length === 2")
        box = picture.bounding_box()
        assert box is not None
        assert 0 <= box["y"] < SCREENS[screen]["viewport"]["height"] / 4
        picture.locator("[data-does='go 1']").press("Enter")
        tab.wait_for_function("document.querySelectorAll('.moving .query:not(.later)').length === 3")
        assert there.last.text_content() == "sugar ≤ 0.2045"
        assert tab.locator(".still:visible").count() == 0


@pytest.mark.browser
def test_without_script_the_tree_that_grows_is_a_series_of_pictures(
    screens: dict[str, BrowserContext],
    address: str,
) -> None:
    browser = screens["phone"].browser
    assert browser
    tab = browser.new_context(java_script_enabled=False, viewport=SCREENS["phone"]["viewport"]).new_page()
    tab.goto(f"{address}/learn/what_is_a_tree/")
    assert tab.locator(".still:visible").count() == 6
    assert tab.locator(".moving:visible").count() == 0
    tab.context.close()


@pytest.mark.browser
def test_rows_are_drawn_and_votes_are_counted_tree_by_tree(play: Callable[..., Page]) -> None:
    tab = play("bagging")
    figure = tab.locator("[data-play=bagging]")
    assert figure.locator(".tree").count() == 3
    figure.locator("[data-does=next]").press("Enter")
    assert figure.locator(".tree").count() == 4
    figure.locator("[data-does=all]").press("Space")
    votes = [sum(map(int, text.split(":"))) for text in figure.locator("[data-is^=v]").all_inner_texts()]
    assert votes == [9] * 10
    assert tab.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
    before = figure.locator("tbody").inner_text()
    figure.locator("[data-does=seed]").click()
    assert figure.locator("tbody").inner_text() != before
    assert figure.locator("[data-is=seed]").inner_text() == "seed 2"


@pytest.mark.browser
def test_days_are_dealt_anew_and_each_decision_is_taken(play: Callable[..., Page]) -> None:
    tab = play("pruning")
    figure = tab.locator("[data-play=pruning]")
    held = figure.locator(".held").all_inner_texts()
    assert figure.locator("tr.cut").count() == 1
    figure.locator("[data-does=next]").press("Enter")
    assert "Decisions: 0" in figure.locator("[data-is=says]").inner_text()
    for _ in range(3):
        figure.locator("[data-does=next]").press("Space")
    assert figure.locator("tr.cut").count() == 1
    figure.locator("[data-does=seed]").click()
    assert figure.locator(".held").all_inner_texts() != held
    decisions = figure.locator("[data-is^=d]")
    assert [text for text in decisions.all_inner_texts() if text] == ["pruned"] * 3
    figure.locator("[data-does='equal keep']").press("Enter")
    assert [text for text in decisions.all_inner_texts() if text] == ["stays"] * 3


def test_the_best_line_is_the_best_of_the_package() -> None:
    table, state = rt.textbook("watermelon-3.0a"), FIRST["line"]
    turn, shift = state["best"]
    texts, *_ = slots(line({**state, "turn": turn, "shift": shift}))
    tree = rt.CART(criterion="entropy", branching="linear", max_depth=1).grow(table)
    (visit, *_) = revisit(tree, rt.CART(criterion="entropy", branching="linear"), table)
    assert visit.decision.chosen
    assert texts["gain"] == decimal(visit.decision.chosen.scores["gain"])
    assert texts["says"].endswith("None gains more.")


@pytest.mark.browser
def test_a_tree_is_built_by_the_keyboard_and_its_wrong_node_is_named(play: Callable[..., Page]) -> None:
    for screen in SCREENS:
        tab = play("build", screen=screen)
        figure = tab.locator("[data-play=build]")
        said, check = figure.locator("[data-is=verdict]"), figure.locator("[data-does=check]")
        figure.locator("[data-does='say 0']").press("Enter")
        check.press("Space")
        assert said.inner_text().startswith("Wrong at the root: outlook gains ")
        assert figure.locator("tr.bad").count() == 1
        for place, option in ((0, 1), (1, 0), (1, 0), (2, 3), (3, 3), (4, 2), (5, 3), (6, 4), (7, 4)):
            figure.locator(f"[data-does='at {place}']").click()
            figure.locator(f"[data-does='say {option}']").click()
        assert tab.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
        figure.locator("[data-does=another]").press("Enter")
        assert said.inner_text() == ""
        assert figure.locator("tr[class*=deep]").count() == 1


@pytest.mark.browser
def test_a_line_is_turned_and_shifted(play: Callable[..., Page]) -> None:
    tab = play("line", screen="desk")
    figure = tab.locator("[data-play=line]")
    asked, gained = figure.locator("[data-is=question]"), figure.locator("[data-is=gain]")
    before = asked.inner_text()
    figure.locator("[data-value=turn]").press("ArrowRight")
    assert asked.inner_text() != before
    assert (figure.locator("[data-value=shift]").get_attribute("aria-valuetext") or "").startswith(asked.inner_text())
    figure.locator("[data-does=again]").press("Enter")
    box = figure.locator(".plane").bounding_box()
    assert box is not None
    x, y, side = box["x"], box["y"], box["width"]
    tab.mouse.move(x + side / 2, y + side / 4)  # on the line: it is shifted out of the points
    tab.mouse.down()
    tab.mouse.move(x + side - 2, y + side / 4, steps=4)
    tab.mouse.up()
    tab.mouse.move(x + side / 5, y + side / 2)  # beside it: it is turned
    tab.mouse.down()
    tab.mouse.move(x + side / 5, y + side / 4, steps=4)
    tab.mouse.up()
    assert asked.inner_text() != before
    figure.locator("[data-does=best]").press("Enter")
    assert "None gains more" in figure.locator("[data-is=says]").inner_text()
    assert float(gained.inner_text()) > 0.34
