"""Graphs: what Mermaid and Graphviz read is the tree, whatever its names hold."""

from __future__ import annotations

import html
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.c45 import C45
from reference_tree.learners.id3 import ID3
from reference_tree.tree import Tree
from reference_tree.views.trees.text import to_dot, to_mermaid
from tests.every import of_every
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


@pytest.mark.covers("N4 figure: cats tree")
def test_n4_draws_what_id3_grows_on_its_cats() -> None:
    names = dict(re.findall(r"^(\w)\(\[?(.*?)\]?\)$", N4, re.MULTILINE))
    theirs = {
        (OURS[names[a]], answer.lower(), OURS[names[b]])
        for a, answer, b in re.findall(r"^(\w) -->\|(.*)\| (\w)$", N4, re.MULTILINE)
    }
    nodes, edges = parsed(to_mermaid(ID3().grow(textbook("cats").without(["weight"]))))
    assert {(nodes[a][0], answer, nodes[b][0]) for (a, b), answer in edges.items()} == theirs
    assert len(nodes) == len(names)


@of_every([(ID3(), "watermelon-2.0"), (C45(), "iris"), (C45(), "watermelon-2.0a")])
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


@of_every(NAMES)
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


# Graphviz.


SVG = "{http://www.w3.org/2000/svg}"

Drawn = Callable[[Tree], dict[str, list[str]]]


@pytest.fixture
def drawn() -> Drawn:
    """What Graphviz writes into each node and edge of a tree: its lines of text."""
    program = shutil.which("dot")
    if program is None:
        pytest.skip("GRAPHVIZ IS NOT INSTALLED: no one checks that it reads our DOT (apt-get install graphviz)")

    def draw(tree: Tree) -> dict[str, list[str]]:
        run = subprocess.run([program, "-Tsvg"], input=to_dot(tree), capture_output=True, encoding="utf-8", check=True)
        assert not run.stderr
        found = {}
        for group in ElementTree.fromstring(run.stdout).iter(f"{SVG}g"):
            title = group.find(f"{SVG}title")
            if group.get("class") in ("node", "edge") and title is not None:
                texts = ("".join(text.itertext()) for text in group.iter(f"{SVG}text"))
                found[str(title.text)] = [text.replace("\xa0", " ").strip() for text in texts]
        return found

    return draw


def test_graphviz_draws_every_node_and_branch(drawn: Drawn) -> None:
    tree = ID3().grow(textbook("watermelon-2.0"))
    found = drawn(tree)
    assert found["n0"] == ["纹理", "否 9, 是 8"]
    assert found["n1"] == ["否", "否 3"]
    assert found[f"n{tree.find('/纹理=清晰/根蒂=稍蜷/色泽=浅白')}"] == ["是", "no row"]
    for number, node in enumerate(tree.nodes):
        assert found[f"n{number}"][0] == (node.test.attribute if node.test else node.label)
        for below, outcome in zip(node.branches, node.test.outcomes if node.test else (), strict=True):
            assert found[f"n{number}->n{below}"] == [outcome.label]
    assert len(found) == 2 * len(tree.nodes) - 1


QUOTED = [
    'say "so"', "back\\slash", "ends in \\", "\\N \\G \\l", "two\nlines", "tab\t", "纹理", "&amp; &lt;b&gt;",
    "<b>bold</b>", "{a|b}", "a -> b; c", "ünï", "/* no comment */", "-", "'", "#fff", "\x00\x07",
]  # fmt: skip


@pytest.mark.one_in(1, 6)
@pytest.mark.parametrize("name", QUOTED, ids=range(len(QUOTED)))
def test_graphviz_shows_any_name(name: str, drawn: Drawn) -> None:
    table = Table.from_columns({name: [f"{name}!", "other"], "y": [name, "z"]}, categorical=["*"])
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in name)
    found = drawn(ID3().grow(table))
    label = " ".join(shown.split())  # SVG folds blanks
    assert found["n0"][0] == label
    assert found["n1"][0] in (label, "z")
    assert f"{label}!" in {*found["n0->n1"], *found["n0->n2"]}


def test_questions_and_leaves_look_different() -> None:
    text = to_dot(ID3().grow(textbook("watermelon-2.0")))
    nodes = re.findall(r"^    n\d+ \[(.*)\]$", text, re.MULTILINE)
    assert {"rounded" in node for node in nodes if "->" not in node} == {True, False}
    assert [node for node in nodes if "dashed" in node] == [node for node in nodes if "no row" in node]


def test_thirty_classes_are_broken_into_lines() -> None:
    cells = {"a": [str(i % 3) for i in range(60)], "y": [f"class{i % 30:02}" for i in range(60)]}
    text = to_dot(ID3().grow(Table.from_columns(cells, categorical=["*"])))
    (label,) = re.findall(r'n0 \[label="(.*)"\]', text)
    assert max(map(len, label.split(r"\n"))) <= 32
    assert label.count("class") == 30


def test_a_box_has_the_size_and_error_of_numbers() -> None:
    text = to_dot(regression_tree())
    assert r'n0 [label="ear\nn 10, mean 11.54, sse 184.564"]' in text
    assert r'n2 [label="8.35\nn 4, sse 5.31", style="rounded,filled"' in text
    assert r'n8 [label="14.56\nno row", style="rounded,dashed"' in text


def test_the_same_tree_is_the_same_text() -> None:
    rows = list(textbook("contact-lenses").rows())
    assert to_dot(ID3().grow(Table.from_rows(rows))) == to_dot(ID3().grow(Table.from_rows(rows[::-1])))


@pytest.mark.slow
def test_a_chain_of_fifty_thousand_boxes() -> None:
    text = to_dot(chain(50_000))
    assert text.count("->") == 100_000
    assert text.count("rounded") == 50_001


def test_a_chain_is_drawn(drawn: Drawn) -> None:
    assert drawn(chain(40))["n78->n80"] == [">39"]
