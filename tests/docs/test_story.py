"""The story: what it tells is so, it is short, and it goes on whatever a reader does."""

from __future__ import annotations

import gzip
import re
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import log2
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

import reference_tree as rt
from docs.tools.played.figure import WORDS
from docs.tools.played.story import facts, steps, story
from docs.tools.played.story_facts import ACROSS, COUNTED, TREES, UP, Area, areas, cells
from docs.tools.played.story_plane import PLANE
from tests.docs.test_accessibility import AXE, FINDINGS
from tests.docs.test_browser import SCREENS, SITE, _absent
from tests.docs.test_site import _weight, at_once

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

PLACES = {"en": "story/", "zh": "zh/story/"}


def told(language: str = "en") -> str:
    """What the steps say, without their pictures."""
    return re.sub(r"<[^>]+>", " ", re.sub(r"<svg.*?</svg>", " ", story(language=language).partition("<ol>")[2]))


def test_it_is_short_and_has_as_many_steps_in_both_languages() -> None:
    assert 12 <= len(steps()) <= 16
    assert len(re.findall(r"[^\W\d_][\w'’-]*", told())) < 900
    figures = [Counter(re.findall(r"\d+(?:\.\d+)?(?:/\d+)?", told(language))) for language in PLACES]
    assert figures[0] == figures[1]


def test_no_number_is_typed() -> None:
    assert not [name for name, said in WORDS["story"].items() if re.search(r"\d", "".join(said))]


def test_the_flowers_are_those_of_the_table() -> None:
    rows = [row for row in rt.textbook("iris").rows() if row["species"] != "setosa"]
    assert [(flower.x, flower.y) for flower in facts().flowers] == [(row[ACROSS], row[UP]) for row in rows]
    assert sorted([*facts().trained, *facts().held]) == list(range(len(rows)))


def test_the_line_that_slides_reads_the_gain() -> None:
    def bits(counts: list[int]) -> float:
        return sum(-n / sum(counts) * log2(n / sum(counts)) for n in counts if n)

    story = facts()
    grown = [story.flowers[row] for row in story.trained]
    for cut in story.cuts:
        sides = [[flower.kind for flower in grown if (flower.x <= cut.t) == is_low] for is_low in (True, False)]
        counts = [[side.count(kind) for kind in story.kinds] for side in sides]
        assert counts == [cut.low, cut.high]
        left = sum(len(side) / len(grown) * bits(row) for side, row in zip(sides, counts, strict=True))
        assert abs(bits([sum(column) for column in zip(*counts, strict=True)]) - left - float(cut.gain)) < 1e-12


def test_a_flower_is_red_if_the_ground_has_another_colour() -> None:
    """Each tree is told by its parts of the plane alone."""
    story, path = facts(), steps()[9]
    boxes = areas(story.tree, PLANE)
    for scene, pruned in zip(path.scenes, story.prunings, strict=True):
        ends, reached = [], [0]
        while reached:
            number = reached.pop()
            branches = story.tree.nodes[number].branches if number in scene.asking else ()
            reached += branches
            ends += [number] * (not branches)
        wrong = set()
        for row, flower in enumerate(story.flowers):
            (end,) = (n for n in ends if _lies(flower.x, flower.y, boxes[n]))
            wrong |= {row} if story.tree.nodes[end].label != story.classes[flower.kind] else set()
        assert wrong == scene.wrong == {*pruned.trained, *pruned.held}
        assert len(ends) == pruned.step.leaves


def _lies(x: Fraction, y: Fraction, area: Area) -> bool:
    """Whether a place is in a part of the plane; a place on a cut is to its left, or below it."""
    left, bottom, right, top = area
    return left < x <= right and bottom < y <= top


def test_the_shades_are_the_votes() -> None:
    story = facts()
    bagged = rt.Bagging(base=story.learner, trees=TREES, seed=1).grow(story.training)
    second, rows = story.classes[story.kinds[1]], list(story.table.rows())
    found = list(cells(story.forest, PLANE, second))
    for row, flower in enumerate(story.flowers):
        (votes,) = (n for area, n in found if _lies(flower.x, flower.y, area))
        answers = bagged.votes(rows[row]).answers
        assert votes == answers.count(second) == story.votes[row][-1]
    assert [row for row in story.held if bagged.predict(rows[row]) != rows[row]["species"]] == story.outvoted(
        TREES, story.held
    )


def test_an_exchange_keeps_the_number_of_rows() -> None:
    story = facts()
    for change in story.changes:
        assert len({*change.gone} & {*story.trained}) == len({*change.come} & {*story.held}) == len(story.trained) // 20
    assert {scene.tree for scene in steps()[10].scenes} == {0, 1, 2}
    assert steps()[11].scenes[-1].trees == COUNTED[-1]


# The built page.


@pytest.mark.site
def test_the_first_screen_is_light() -> None:
    if not (SITE / "index.html").exists():
        _absent("the site is not built")
    for place in PLACES.values():
        page = SITE / place / "index.html"
        scripts = [SITE / "assets" / "play" / name for name in ("play.mjs", "story.mjs")]
        assert _weight(page) + sum(map(_weight, {*at_once(page), *scripts})) < 250_000
        assert len(gzip.compress((SITE / "assets/play/story.mjs").read_bytes())) < 4_000


@pytest.mark.site
def test_it_is_the_first_thing_of_the_site() -> None:
    if not (SITE / "index.html").exists():
        _absent("the site is not built")
    for place, first in PLACES.items():
        home = SITE / ("" if place == "en" else "zh") / "index.html"
        text = home.read_text(encoding="utf-8")
        assert re.search(r'<link rel="prev" href="(?:\./)?story/"', text), first
        assert 'href="story/"' in text.partition("<article")[2].partition("</article>")[0]


# In the browser.


@pytest.fixture
def reader(screens: dict[str, BrowserContext], address: str) -> Iterator[Callable[..., Page]]:
    """Opens the story for a reader of some kind, and at the end asks for complaints."""
    browser: Browser | None = screens["desk"].browser
    assert browser is not None
    contexts, complaints = [], list[str]()

    def opened(language: str = "en", screen: str = "phone", **other: Any) -> Page:
        contexts.append(context := browser.new_context(**(SCREENS[screen] | other)))
        tab = context.new_page()
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.on("console", lambda said: complaints.append(said.text) if said.type in {"error", "warning"} else None)
        tab.on("request", lambda asked: complaints.extend([asked.url] * (not asked.url.startswith(address))))
        tab.goto(f"{address}/{PLACES[language]}")
        if other.get("java_script_enabled", True):
            tab.wait_for_selector(".tale.alive")
        return tab

    yield opened
    for context in contexts:
        context.close()
    assert not complaints


OVERFLOW = "document.documentElement.scrollWidth - window.innerWidth"


@pytest.mark.browser
@pytest.mark.parametrize("screen", SCREENS)
def test_a_hundred_random_acts(reader: Callable[..., Page], screen: str) -> None:
    chance = Random(41)
    tab = reader("zh" if screen == "phone" else "en", screen, has_touch=True)
    keys = ["ArrowRight", "ArrowLeft", "PageDown", "PageUp", "Home", "End", "ArrowDown", "Tab"]
    wide, high = (int(side) for side in SCREENS[screen]["viewport"].values())
    inputs = tab.locator(".tale input")
    acts: list[Callable[[], object]] = [
        lambda: tab.keyboard.press(chance.choice(keys)),
        lambda: tab.mouse.wheel(0, chance.randint(-1500, 2500)),
        lambda: tab.locator(".tale [data-does^=go]").nth(chance.randint(0, 1)).click(),
        lambda: inputs.nth(chance.randrange(inputs.count())).evaluate(
            "(one, share) => { one.value = Math.round(one.max * share); one.dispatchEvent(new Event('input')); }",
            chance.random(),
        ),
        lambda: inputs.nth(chance.randrange(inputs.count())).press(chance.choice(["ArrowLeft", "ArrowRight"])),
        lambda: tab.set_viewport_size({"width": chance.choice([wide, 390, 768, 1440]), "height": high}),
        lambda: tab.touchscreen.tap(chance.randrange(20, wide - 20), high // 3),
    ]
    for _ in range(100):
        chance.choice(acts)()
    assert tab.evaluate(OVERFLOW) <= 0
    place = tab.locator("[data-is=place]").inner_text()
    assert re.fullmatch(rf"\d+ / {len(steps())}", place)


@pytest.mark.browser
def test_keys_go_through_it_and_the_picture_rests_at_once_for_who_wants_no_motion(reader: Callable[..., Page]) -> None:
    tab = reader(screen="desk", reduced_motion="reduce")
    for number, step in enumerate(steps(), 1):
        assert tab.locator("[data-is=place]").inner_text() == f"{number} / {len(steps())}"
        scene = step.scenes[step.rest]
        asked = tab.locator(".shown > .boughs > .query:not(.later)").count()
        assert asked == (0 if scene.tree else len(scene.asking))
        assert tab.locator(".shown > .field .cross:not(.later)").count() == len(scene.wrong)
        tab.keyboard.press("ArrowRight")
        tab.wait_for_timeout(60)
    handle = tab.locator("[data-value=slide]")
    handle.focus()
    handle.press("ArrowRight")
    best = steps()[2].rest
    assert tab.locator("[data-is=slide-gain]").inner_text() == steps()[2].readings[best + 1]["gain"]
    tab.keyboard.press("ArrowLeft")
    assert handle.get_attribute("aria-valuetext") == "; ".join(steps()[2].readings[best].values())


@pytest.mark.browser
def test_a_step_plays_its_frames(reader: Callable[..., Page]) -> None:
    tab = reader()
    for _ in range(2):
        tab.locator("[data-does='go 1']").click()
    gain = tab.locator("[data-is=slide-gain]")
    tab.wait_for_function(
        "text => document.querySelector('[data-is=slide-gain]').textContent === text",
        arg=steps()[2].readings[steps()[2].rest]["gain"],
    )
    tab.locator("[data-step='9']").evaluate("one => one.scrollIntoView()")
    tab.wait_for_function("document.querySelector('[data-is=place]').textContent.startsWith('10 ')")
    assert gain.inner_text() == steps()[2].readings[steps()[2].rest]["gain"]


@pytest.mark.browser
def test_without_script_it_is_a_column_of_pictures(reader: Callable[..., Page]) -> None:
    tab = reader(java_script_enabled=False)
    assert tab.locator(".still:visible").count() == len(steps())
    assert tab.locator(".shown:visible, .tale input:visible").count() == 0


@pytest.mark.browser
def test_on_paper_it_has_two_pages(reader: Callable[..., Page]) -> None:
    tab = reader(screen="desk", reduced_motion="reduce")
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b", tab.pdf(format="A4"))) <= 2
    tab.emulate_media(media="print")
    assert tab.locator(".still:visible").count() == len(steps())


@pytest.mark.browser
def test_axe_finds_nothing_at_any_step(reader: Callable[..., Page]) -> None:
    if not AXE.exists():
        _absent("axe is not installed")
    for screen in SCREENS:
        tab = reader(screen=screen, reduced_motion="reduce")
        tab.add_script_tag(path=AXE)
        for _ in range(3):
            assert tab.evaluate(FINDINGS) == []
            for _ in range(6):
                tab.keyboard.press("ArrowRight")
                tab.wait_for_timeout(30)
