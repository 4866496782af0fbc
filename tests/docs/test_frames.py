"""Tables in their frames: verdicts first, and fit for a phone."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from docs.tools.lesson import tabulated

markdown = pytest.importorskip("markdown")
frames = pytest.importorskip("docs.tools.frames")
framed = frames.framed


def html(head: Sequence[object], body: Sequence[Sequence[object]]) -> str:
    return str(framed(markdown.markdown(tabulated(head, body), extensions=["tables"])))


def cells(table: str) -> list[list[str]]:
    """The text of each cell."""
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall(r"(?s)<tr>(.*?)</tr>", table)]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (["question", "gain", "ratio", ""], [["question", "", "gain", "ratio"], ["1", "4", "2", "3"]]),
        (["question", "gain", "ratio", "wins"], [["question", "gain", "ratio", "wins"], ["1", "2", "3", "4"]]),
        (["", "a", "b", ""], [["", "a", "b", ""], ["1", "2", "3", "4"]]),
        (["question", ""], [["question", ""], ["1", "2"]]),
    ],
)
def test_what_was_decided_stands_behind_the_first_column(head: list[str], expected: list[list[str]]) -> None:
    assert cells(html(head, [range(1, len(head) + 1)])) == expected


def test_a_small_table_stays_as_it_is() -> None:
    assert '<table class="rows">' in html(["day", "play"], [[1, "yes"]])


def test_heads_that_are_too_wide_are_turned() -> None:
    table = html(["day", "temperature", "humidity", "probability", "information"], [["all", 2, 3, 4, 5]])
    assert '<table class="rows turned">' in table
    assert cells(table)[0] == [
        "day",
        *(f"<span>{name}</span>" for name in ("temperature", "humidity", "probability", "information")),
    ]


def test_rows_that_are_too_wide_become_cards() -> None:
    long = "a sentence about things that are not short"
    table = html(["name", "a *b*", "c"], [["x", long, "short"], ["unpronounceable-unpronounceable", "", ""]])
    assert '<table class="rows stacks">' not in table, "lines can be broken"
    table = html(["name", "a *b*", "c"], [["unpronounceable" * 2, long, "short"], ["x", "", ""]])
    assert '<table class="rows stacks">' in table
    assert table.count('data-head="a b"') == table.count('data-head="c"') == 2
    assert table.count('class="long"') == 4, "the first column and the second have a line of the card to themselves"


def test_a_head_that_is_a_formula_is_repeated() -> None:
    table = framed(
        r"<table><tr><th>name</th><th><span>\(R(t)\)</span></th><th>c</th></tr><tr><td>"
        + "x" * 50
        + "</td><td>1</td><td>2</td></tr></table>"
    )
    assert r'<td><span class="head" data-search-exclude><span>\(R(t)\)</span></span> 1</td>' in table


def test_what_a_card_holds_alone_needs_no_name() -> None:
    table = html(["name", "what it shows"], [["unpronounceable" * 2, "unpronounceable" * 2]])
    assert "stacks" in table
    assert "data-head" not in table


def test_a_table_with_a_caption_is_framed_and_no_more() -> None:
    assert "<caption>a</caption><tr><td>1</td></tr>" in framed("<table><caption>a</caption><tr><td>1</td></tr></table>")


def test_a_table_that_is_too_wide_for_a_desk_is_tight() -> None:
    table = html([f"a long heading {number}-suboptimal" for number in range(14)], [range(14)])
    assert '<table class="rows stacks tight">' in table
    assert "<span>a long heading 3-suboptimal</span>" in table
    assert '<table class="rows tight">' in html(["name", "code"], [["x", "`" + "a b " * 40 + "`"]])


def test_a_short_name_in_code_is_not_broken_and_a_path_may_be() -> None:
    table = html(["kind", "what"], [["`formula`", "`/outlook=sunny/humidity<=77.5`"], ["`a/b`", "x"]])
    assert '<code class="word">formula</code>' in table
    assert table.count('class="word"') == 1


def test_rows_answers_and_examples_that_are_folded_are_not_searched() -> None:
    folds = "".join(f'<details class="{kind}"></details>' for kind in ("abstract", "success answer", "note"))
    told = frames.FramesPostprocessor().run(folds)
    assert re.findall(r'class="([\w ]+)" data-search-exclude', told) == ["abstract", "success answer"]


def test_members_constants_and_what_a_class_derives_from_are_not_searched() -> None:
    named = {
        "Tree": "class",
        "Tree.nodes": "attribute",
        "Tree.predict": "function",
        "SHORT": "attribute",
        "grown": "function",
    }
    heading = (
        '<h3 id="reference_tree.tree.{}" class="doc doc-heading">\n <span class="doc doc-object-name doc-{}-name">'
    )
    headings = "".join(heading.format(name, kind) for name, kind in named.items())
    told = frames.FramesPostprocessor().run(headings + '<p class="doc doc-class-bases">')
    assert re.findall(r'reference_tree\.tree\.([\w.]+)" class="[\w -]+" data-search-exclude', told) == [
        "Tree.nodes",
        "Tree.predict",
        "SHORT",
    ]
    assert '<p class="doc doc-class-bases" data-search-exclude' in told
    assert frames.FramesPostprocessor().run(told) == told


def test_the_releases_of_a_page_are_not_searched() -> None:
    told = "<p><em>Programs observed: rpart 4.1.19.</em></p><p><em>Programs</em> differ.</p>"
    assert frames.FramesPostprocessor().run(told).count("data-search-exclude") == 1
