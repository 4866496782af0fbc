"""Graphviz: the text is what its own program reads, and every name comes out as it went in."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from xml.etree import ElementTree

import pytest

from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.id3 import ID3
from reference_tree.tree import Tree
from reference_tree.views.trees.dot import to_dot
from tests.views.chains import chain
from tests.views.regression import regression_tree

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


def test_every_node_and_branch_is_drawn(drawn: Drawn) -> None:
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


NAMES = [
    'say "so"', "back\\slash", "ends in \\", "\\N \\G \\l", "two\nlines", "tab\t", "纹理", "&amp; &lt;b&gt;",
    "<b>bold</b>", "{a|b}", "a -> b; c", "ünï", "/* no comment */", "-", "'", "#fff", "\x00\x07",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_any_name_comes_out_as_it_went_in(name: str, drawn: Drawn) -> None:
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


def test_numbers_are_shown_with_their_size_and_error() -> None:
    text = to_dot(regression_tree())
    assert r'n0 [label="ear\nn 10, mean 11.54, sse 184.564"]' in text
    assert r'n2 [label="8.35\nn 4, sse 5.31", style="rounded,filled"' in text
    assert r'n8 [label="14.56\nno row", style="rounded,dashed"' in text


def test_the_same_tree_is_the_same_text() -> None:
    rows = list(textbook("contact-lenses").rows())
    assert to_dot(ID3().grow(Table.from_rows(rows))) == to_dot(ID3().grow(Table.from_rows(rows[::-1])))


@pytest.mark.slow
def test_a_chain_of_fifty_thousand_questions() -> None:
    text = to_dot(chain(50_000))
    assert text.count("->") == 100_000
    assert text.count("rounded") == 50_001


def test_a_chain_is_drawn(drawn: Drawn) -> None:
    assert drawn(chain(40))["n78->n80"] == [">39"]
