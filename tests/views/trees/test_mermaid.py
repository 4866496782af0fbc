"""Mermaid: every statement is one of a small grammar, every name comes out as it went in, and N4's tree is drawn."""

from __future__ import annotations

import html
import os
import re
from typing import Any

import pytest

from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.c45 import C45
from reference_tree.learners.id3 import ID3
from reference_tree.views.trees.mermaid import to_mermaid
from tests.views.chains import chain
from tests.views.regression import regression_tree

# What a label may hold without being anything to Mermaid: letters, digits, blanks, `,`, `=`, `.` and `-` inside a word,
# characters by their number, and line breaks. The ligature ﬂ is none of them: Mermaid marks with it what it has read.
LABEL = r'"((?:[^\W_\ufb02]|[ ,=]|(?<=\w)[.-](?=\w)|#\d+;|<br/>)+)"'
QUESTION = re.compile(rf"n(\d+)\(\[{LABEL}\]\)")
LEAF = re.compile(rf"n(\d+)\({LABEL}\)")
EDGE = re.compile(rf"n(\d+) -->\|{LABEL}\| n(\d+)")
STYLES = re.compile(r"classDef prior stroke-dasharray: 4 3|class n\d+(?:,n\d+)* prior")


def decoded(label: str) -> list[str]:
    """The lines of a label as they are shown."""
    return [html.unescape(line.replace("#", "&#")).replace("\u2060", "") for line in label.split("<br/>")]


def parsed(text: str) -> tuple[dict[int, list[str]], dict[tuple[int, int], str]]:
    """The lines of each node, and the answer on each edge."""
    head, *statements = text.splitlines()
    assert head == "flowchart TD"
    nodes: dict[int, list[str]] = {}
    edges: dict[tuple[int, int], str] = {}
    for statement in map(str.strip, statements):
        if found := QUESTION.fullmatch(statement) or LEAF.fullmatch(statement):
            nodes[int(found[1])] = decoded(found[2])
        elif edge := EDGE.fullmatch(statement):
            edges[int(edge[1]), int(edge[3])] = decoded(edge[2])[0]
        else:
            assert STYLES.fullmatch(statement), statement
    assert {number for edge in edges for number in edge} <= set(nodes)
    return nodes, edges


N4 = """\
A([Ear shape])
B([Face shape])
C([Whiskers])
D(Cat)
E(Not cat)
F(Cat)
G(Not cat)
A -->|Pointy| B
A -->|Floppy| C
B -->|Round| D
B -->|Not round| E
C -->|Present| F
C -->|Absent| G
"""
"""The tree that N4 draws; what it is called there, and on our table."""
OURS = {
    "Ear shape": "ear", "Face shape": "face", "Whiskers": "whiskers", "Cat": "yes", "Not cat": "no",
}  # fmt: skip


def test_n4_draws_what_id3_grows_on_its_cats() -> None:
    names = dict(re.findall(r"^(\w)\(\[?(.*?)\]?\)$", N4, re.MULTILINE))
    theirs = {
        (OURS[names[a]], answer.lower(), OURS[names[b]])
        for a, answer, b in re.findall(r"^(\w) -->\|(.*)\| (\w)$", N4, re.MULTILINE)
    }
    nodes, edges = parsed(to_mermaid(ID3().grow(textbook("cats").without(["weight"]))))
    assert {(nodes[a][0], answer, nodes[b][0]) for (a, b), answer in edges.items()} == theirs
    assert len(nodes) == len(names)


@pytest.mark.parametrize(
    ("learner", "name"),
    [(ID3(), "watermelon-2.0"), (C45(), "iris"), (C45(), "watermelon-2.0a")],
    ids=["watermelon", "iris", "missing"],
)
def test_every_node_and_branch_is_drawn(learner: ID3 | C45, name: str) -> None:
    tree = learner.grow(textbook(name))
    nodes, edges = parsed(to_mermaid(tree))
    assert list(nodes) == list(range(len(tree.nodes)))
    expected = {
        (number, below): outcome.label
        for number, node in enumerate(tree.nodes)
        if node.test
        for below, outcome in zip(node.branches, node.test.outcomes, strict=True)
    }
    assert edges == expected
    for number, node in enumerate(tree.nodes):
        assert nodes[number][0] == (node.test.attribute if node.test else node.label)
        assert (nodes[number][1] == "no row") == node.prior


NAMES = [
    'say "so"', "back\\slash", "ends in \\", "two\nlines", "tab\t", "纹理", "&amp; &lt;b&gt;", "<b>bold</b>", "<br/>",
    "{a|b}", "a --> b; c", "ünï", "%% no comment", "%%{init: {}}%%", "-", "- item", "1. item", "1) item", "# head",
    "`code`", '"`**bold**`"', "*a* _b_ c_d", "ﬂ°°35¶ß", "#35;", "&#35;", "end", "graph", "click", "style x", "$$x^2$$",
    "fa:fa-car", "a@b", "http://a.b", "['", "-5", "1.5e-7", "\x00\x07", " ", "🙂", "a.b-c", "\u202eabc",
]  # fmt: skip


def table_of(name: str) -> Table:
    return Table.from_columns({name: [f"{name}!", "other"], "y": [name, "z"]}, categorical=["*"])


def shown(name: str) -> str:
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in name)


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_any_name_comes_out_as_it_went_in(name: str) -> None:
    nodes, edges = parsed(to_mermaid(ID3().grow(table_of(name))))
    assert nodes[0][0] == shown(name)
    assert shown(name) in (nodes[1][0], nodes[2][0])
    assert f"{shown(name)}!" in edges.values()


def test_numbers_are_shown_with_their_size_and_error() -> None:
    nodes, _ = parsed(to_mermaid(regression_tree()))
    assert nodes[0] == ["ear", "n 10, mean 11.54, sse 184.564"]
    assert nodes[2] == ["8.35", "n 4, sse 5.31"]
    assert nodes[8] == ["14.56", "no row"]


@pytest.mark.slow
def test_a_chain_of_fifty_thousand_questions() -> None:
    text = to_mermaid(chain(50_000))
    assert text.count("-->") == 100_000


@pytest.fixture(scope="module")
def render() -> Any:
    """What Mermaid itself writes into the nodes and edges of a drawing."""
    script = os.environ.get("MERMAID")
    if script is None:
        pytest.skip("MERMAID DOES NOT READ OUR TEXT HERE: set MERMAID to the path of mermaid.min.js to let it")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as p:
        browser = p.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page()
        page.set_content("<html><body></body></html>")
        page.add_script_tag(path=script)
        page.evaluate("mermaid.initialize({startOnLoad: false})")
        yield lambda text: page.evaluate(
            """async (text) => {
                const {svg} = await mermaid.render('drawing', text);
                const inside = document.createElement('div');
                inside.innerHTML = svg;
                const lines = (part) => part.innerHTML.replace(/<br ?[/]?>/g, '\\n').replace(/<[^>]*>/g, '');
                return [...inside.querySelectorAll('.nodeLabel, .edgeLabel .edgeLabel')].map(lines);
            }""",
            text,
        )
        browser.close()


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_mermaid_itself_shows_any_name(name: str, render: Any) -> None:
    found = [html.unescape(label).replace("\u2060", "") for label in render(to_mermaid(ID3().grow(table_of(name))))]
    first_lines = {" ".join(label.split("\n")[0].split()) for label in found}
    assert {" ".join(shown(name).split()), " ".join(f"{shown(name)}!".split())} <= first_lines
