"""The pages in Chinese: each quotes its English counterpart, and has a picture, exercises, and its language."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from docs.assets.playground.chinese import in_chinese
from docs.tools import pages, quotes
from docs.tools.blocks import DOCS, ROOT, blocks, prints, readable
from docs.tools.quotes import English, in_the_original, picture, pictures, translated
from tests.every import of_every

SITE = ROOT / "site"
CHINESE = sorted((DOCS / "zh").rglob("*.md"))
LOOKED_UP = {"glossary.md", "sheets.md", "slips.md", "tasks.md"}
LESSONS = [
    page for page in CHINESE if page.name not in {"index.md", "story.md", "check.md", "playground.md", *LOOKED_UP}
]
HAN = re.compile(r"[\u4e00-\u9fff]")
EXERCISE = re.compile(r"^\*\*\d\.\*\* .+?^```python exec=\"on\"[^\n]*\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)


def name_of(page: Path) -> str:
    """`measures/entropy`, of the page in Chinese and of the one in English."""
    return page.relative_to(DOCS / "zh").with_suffix("").as_posix()


every_page = pytest.mark.parametrize("page", CHINESE, ids=name_of)


@of_every(CHINESE)
def test_it_has_an_english_counterpart_and_is_in_the_navigation(page: Path) -> None:
    assert (DOCS / f"{name_of(page)}.md").exists()
    nav = pages.CONFIGURATION.read_text(encoding="utf-8").partition("\n  - 中文:\n")[2]
    assert f"      - zh/{name_of(page)}.md\n" in nav


@of_every(LESSONS)
def test_it_shows_what_its_counterpart_computes(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert f'English("{name_of(page)}")' in text
    assert "english.quote(" in text


@of_every([page for page in CHINESE if page.name not in LOOKED_UP])
def test_it_has_a_picture(page: Path) -> None:
    drawn = [block.code for block in blocks(page) if block.options.get("html") == "on"]
    assert any(re.search(r"picture|english\.quote\(|page\(wheel\(|story\(", code) for code in drawn)


@of_every(LESSONS)
def test_it_has_three_exercises_with_computed_answers(page: Path) -> None:
    exercises = list(
        EXERCISE.finditer(page.read_text(encoding="utf-8").partition("\n## 习题 {data-search-exclude}\n")[2])
    )
    assert len(exercises) == 3
    assert all('"Answer": "答案"' in found["code"] or "print(answer(" in found["code"] for found in exercises)


@of_every(CHINESE)
def test_a_paragraph_is_one_line_since_a_line_break_is_a_space(page: Path) -> None:
    prose = re.sub(r"```.*?^ *```$|\$\$.*?\$\$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    assert not re.search(r"[\u4e00-\u9fff，。；：]\n[\u4e00-\u9fff]", prose)


@of_every(["measures/entropy", "measures/gini_index", "pruning/reduced_error"])
def test_a_block_that_is_quoted_has_the_numbers_of_the_english_page(name: str) -> None:
    page = DOCS / f"{name}.md"
    shown = dict(re.findall(r"^--- block (\d+)\n(.*?)(?=^--- block|\Z)", prints(page), re.MULTILINE | re.DOTALL))
    english = English(name)
    for number, block in enumerate(blocks(page), 1):
        said = readable(block, english.quote(in_the_original(block.code)))
        assert quotes.NUMBER.findall(said) == quotes.NUMBER.findall(shown.get(str(number), ""))


def test_the_glossary_has_the_terms_of_the_english_one() -> None:
    tables = [DOCS.joinpath(place, "glossary.md").read_text(encoding="utf-8") for place in ("", "zh")]
    english, chinese = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", table) for table in tables)
    terms = [term for cell in re.findall(r"^\|[^|]*\| ([^|]+) \|", english, re.MULTILINE) for term in cell.split(", ")]
    named = [term for term in terms if HAN.match(term)]
    assert len(named) > 50
    assert [term for term in named if term not in chinese] == []


def test_the_slips_are_those_of_the_english_page() -> None:
    figures = [
        re.findall(
            r'^show\(("[^"]+", "[^"]+")', DOCS.joinpath(place, "slips.md").read_text(encoding="utf-8"), re.MULTILINE
        )
        for place in ("", "zh")
    ]
    assert len(figures[0]) == 10
    assert figures[0] == figures[1]


def test_the_tasks_have_the_commands_of_the_english_page() -> None:
    english, chinese = (
        re.findall(r"^```(?!text).*?^```$", (DOCS / place / "howto/tasks.md").read_text(encoding="utf-8"), re.M | re.S)
        for place in ("", "zh")
    )
    assert len(english) > 30
    assert english == chinese


def test_a_translation_changes_whole_words() -> None:
    assert translated("gain, again, gain ratio", {"gain": "增益", "gain ratio": "增益率"}) == "增益, again, 增益率"
    with pytest.raises(ValueError, match=r"does not say \['loss'\]"):
        translated("gain", {"loss": "损失"})


def test_a_translation_changes_no_number() -> None:
    with pytest.raises(ValueError, match="changes no number"):
        English("measures/entropy").quote("def derivation(", {"bits": "2 进制的位"})


def test_a_block_is_named_by_what_stands_in_no_other() -> None:
    with pytest.raises(ValueError, match="one is meant"):
        English("measures/entropy").quote("import")


def test_a_chinese_page_has_the_originals_of_the_tables() -> None:
    code = 'rt.textbook("loan-en"), "/texture=slightly blurred/navel=flat", ["yes"], f"watermelon-2.0-{name}-en"'
    said = 'rt.textbook("loan"), "/纹理=稍糊/脐部=平坦", ["是"], f"watermelon-2.0-{name}"'
    assert in_the_original(code) == said
    for other in ('{"play": "yes"}', "clear, flat", 'rt.textbook("golf")'):
        assert in_the_original(other) == other


def test_a_drawing_speaks_chinese_and_keeps_the_words_of_the_data() -> None:
    drawing = (
        '<svg width="9"><desc>if a=and then b=of (1 of 2)</desc><text>not round 3</text><text>gain ratio</text></svg>'
    )
    told = in_chinese(f"gain {drawing}")
    assert told.startswith("gain <svg")
    assert "<text>not round 3</text><text>增益率</text>" in told
    assert "增益率" in picture(drawing, "图")
    assert pictures({"一": drawing, "二": drawing}).count("增益率") == 2


def test_chinese_signs_follow_chinese_words() -> None:
    said = English("measures/information_gain").quote(
        "g_wind =", {"before": "划分前", "afterwards": "划分后", "bits": "比特"}
    )
    assert re.search(r"比特：划分前 [\d.]+，划分后 ", said)


# ------------------------------------------------------------------------------------------------------ the built site


@pytest.fixture
def site() -> Path:
    if not (SITE / "index.html").exists():
        (pytest.fail if os.environ.get("SITE") == "required" else pytest.skip)("the site is not built")
    return SITE


def _head(page: Path) -> str:
    return page.read_text(encoding="utf-8").partition("</head>")[0]


@pytest.mark.site
@every_page
def test_the_two_pages_name_each_other(page: Path, site: Path) -> None:
    at = "" if name_of(page) == "index" else name_of(page)
    for lang, here, other in (("zh", f"zh/{at}", at), ("en", at, f"zh/{at}")):
        built = site / here / "index.html"
        assert f'<html lang="{lang}"' in _head(built)
        found = re.findall(r'<link rel="alternate " href="(.*?)" hreflang="(\w+)"', _head(built))
        links = {tongue: link for link, tongue in found}
        assert set(links) == {"en", "zh"}
        towards = links["en" if lang == "zh" else "zh"]
        assert (built.parent / towards).resolve() == (site / other).resolve()


@pytest.mark.site
def test_a_page_that_is_not_there_in_chinese_leads_to_the_first_one(site: Path) -> None:
    assert 'href="../zh/" hreflang="zh"' in _head(site / "cli" / "index.html")


@pytest.mark.site
def test_the_search_tells_chinese_words_apart(site: Path) -> None:
    entries = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))["docs"]
    titles = {entry["location"]: entry["title"] for entry in entries}
    apart = "提升\u200b：AdaBoost"
    assert titles["zh/ensembles/adaboost/"] == apart, "install jieba (of the extra docs), and build again"
    assert titles["zh/measures/information_gain/"] == "信息增益"
