"""The drawing: it is XML, every node and answer is in it, and nothing lies on anything else."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given

from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.c45 import C45
from reference_tree.learners.id3 import ID3
from reference_tree.tree import Tree
from reference_tree.tree_document import read_tree
from reference_tree.views.plots.classes import COLOURS
from reference_tree.views.trees.svg import COLUMN, MOST, PAGE, RULES, carried, to_svg
from reference_tree.views.trees.text import to_rules
from reference_tree.views.wording import answer_text
from tests.strategies import at_most, categorical_tables
from tests.views.chains import chain
from tests.views.regression import regression_tree

SVG = "{http://www.w3.org/2000/svg}"
RECORDED = Path(__file__).parents[2] / "recorded"


def drawn(tree: Tree, **options: Any) -> ElementTree.Element:
    return ElementTree.fromstring(to_svg(tree, **options))


def shapes(root: ElementTree.Element) -> ElementTree.Element:
    """The group that holds branches and nodes."""
    group = root.find(f"{SVG}g/{SVG}g")
    assert group is not None
    return group


def texts(part: ElementTree.Element) -> list[str]:
    """What can be read, in the order of the nodes; of what is cut, the whole."""
    found = []
    for text in part.iter(f"{SVG}text"):
        title = text.find(f"{SVG}title")
        found.append("".join(text.itertext()) if title is None else str(title.text))
    return found


def boxes(root: ElementTree.Element) -> list[tuple[float, float, float, float]]:
    """Left, top, right and bottom of the boxes of the nodes."""
    found = []
    for rect in shapes(root).iter(f"{SVG}rect"):
        if rect.get("rx") in ("3", "11"):
            x, y, width, height = (float(rect.get(name, "")) for name in ("x", "y", "width", "height"))
            found.append((x, y, x + width, y + height))
    return found


@given(categorical_tables())
def test_each_node_is_a_group_that_has_its_path(table: Table) -> None:
    tree = ID3().grow(table)
    groups = {
        str(group.get("data-path")): group
        for group in shapes(drawn(tree)).iter(f"{SVG}g")
        if "data-path" in group.attrib
    }
    assert list(groups) == [tree.path(number) for number in range(len(tree.nodes))]
    for number, node in enumerate(tree.nodes):
        name = node.test.attribute if node.test else answer_text(node.label)
        assert texts(groups[tree.path(number)])[0] == name


def test_play_tennis_in_full() -> None:
    tree = ID3().grow(textbook("play-tennis"))
    root = drawn(tree)
    assert texts(root) == [
        "play:", "no", "yes",
        "overcast", "rainy", "sunny", "strong", "weak", "high", "normal",
        "outlook", "no 5, yes 9", "yes", "yes 4", "wind", "no 2, yes 3", "no", "no 2", "yes", "yes 3",
        "humidity", "no 3, yes 2", "no", "no 3", "yes", "yes 2",
    ]  # fmt: skip
    assert root.findtext(f"{SVG}title") == "A decision tree for play"
    assert root.findtext(f"{SVG}desc") == "; ".join(to_rules(tree).splitlines())


@pytest.mark.parametrize("direction", ["down", "right"])
@given(categorical_tables())
@at_most(25)
def test_every_name_and_answer_is_there_and_no_box_lies_on_another(direction: Any, table: Table) -> None:
    tree = ID3().grow(table)
    root = drawn(tree, direction=direction)
    found = boxes(root)
    assert len(found) == len(tree.nodes)
    for (x, y, right, bottom), (other_x, other_y, other_right, other_bottom) in combinations(found, 2):
        assert right <= other_x or other_right <= x or bottom <= other_y or other_bottom <= y
    width, height = (float(root.get(side, "")) for side in ("width", "height"))
    assert all(0 <= x < right <= width and 0 <= y < bottom <= height for x, y, right, bottom in found)
    labels = texts(shapes(root))
    answers = [outcome.label for node in tree.nodes if node.test for outcome in node.test.outcomes]
    assert labels[: len(answers)] == answers
    names = [node.test.attribute if node.test else answer_text(node.label) for node in tree.nodes]
    assert [text for text in labels[len(answers) :] if text in {*names}] == names


def test_the_parts_of_a_bar_are_the_shares_of_the_classes() -> None:
    tree = ID3().grow(textbook("watermelon-2.0"))
    bars: list[list[tuple[float, str]]] = []
    end = 0.0
    for rect in shapes(drawn(tree)).iter(f"{SVG}rect"):
        title = rect.find(f"{SVG}title")
        if rect.get("rx"):
            bars.append([])
        elif title is not None:
            start, width = float(rect.get("x", "")), float(rect.get("width", ""))
            assert not bars[-1] or start == pytest.approx(end, abs=0.02)
            end = start + width
            bars[-1].append((width, str(title.text)))
    for node, bar in zip(tree.nodes, bars, strict=True):
        counts = [(f"{name} {count}", count) for name, count in zip(tree.target.domain, node.counts, strict=True)]
        assert [text for _, text in bar] == [text for text, count in counts if count]
        whole, length = sum(node.counts), sum(width for width, _ in bar)
        for (width, _), count in zip(bar, (count for _, count in counts if count), strict=True):
            assert width == pytest.approx(length * int(count) / int(whole), abs=0.02)


def test_a_branch_is_as_strong_as_its_share() -> None:
    tree = ID3().grow(textbook("play-tennis"))
    strengths = [
        path.get("stroke-width") for path in shapes(drawn(tree)).iter(f"{SVG}path") if path.get("stroke-width")
    ]
    assert strengths == ["2.14", "2.43", "2.43", "1.57", "1.86", "1.86", "1.57"]  # 1 + 4·(4, 5, 5, 2, 3, 3, 2)/14


def test_a_leaf_without_rows_is_dashed_and_ties_are_named() -> None:
    tree = ID3().grow(textbook("watermelon-2.0"))
    dashed = [rect for rect in drawn(tree).iter(f"{SVG}rect") if rect.get("stroke-dasharray")]
    assert len(dashed) == sum(node.prior for node in tree.nodes) == 1
    table = Table.from_columns({"a": ["0", "0"], "y": ["n", "p"]}, categorical=["*"])
    assert texts(shapes(drawn(ID3().grow(table)))) == ["n", "n 1, p 1, a tie"]


def test_a_regression_tree_shows_numbers_and_no_bars() -> None:
    root = drawn(regression_tree())
    labels = texts(root)
    assert labels[:8] == [
        "pointy", "≠pointy", "round", "≠round", "≤ 2.5", "> 2.5", "round",
        "≠round",
    ]  # fmt: skip
    assert labels[8:11] == ["ear", "n 10, mean 11.54,", "sse 184.564"]
    assert "8.35" in labels
    assert "17.6667" in labels
    assert "no row" in labels
    assert len(list(root.iter(f"{SVG}rect"))) == len(regression_tree().nodes)


def test_a_tree_of_sixty_leaves_is_lines_below_one_another() -> None:
    tree = read_tree(RECORDED / "weka-j48" / "soybean.pruned.json")
    assert len(tree.leaves()) == 61
    root = drawn(tree)
    found = [box for box, node in zip(boxes(root), tree.nodes, strict=True) if node.test is None]
    tops = [top for _, top, _, _ in found]
    assert tops == sorted(tops)
    assert all(bottom <= top for (*_, bottom), (_, top, _, _) in pairwise(found))
    assert float(root.get("height", "")) < 61 * 40
    assert "16 more" in " ".join(texts(shapes(root)))  # of nineteen classes at the root


def test_a_small_tree_goes_down_and_a_large_one_right() -> None:
    small, large = ID3().grow(textbook("play-tennis")), C45().grow(textbook("watermelon-2.0a"))
    assert to_svg(small) == to_svg(small, "down") != to_svg(small, "right")
    assert int(drawn(large, direction="down").get("width", "")) > PAGE
    assert to_svg(large) == to_svg(large, "right")


NAMES = ['say "so" & <b>', "纹理" * 40, "two\nlines", "x" * 300, "\x00\x1b\ufffe", "]]>", " ", "'"]


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
@pytest.mark.parametrize("direction", ["down", "right"])
def test_any_name_is_there_in_full(name: str, direction: Any) -> None:
    table = Table.from_columns({name: [f"{name}!", "other"], "y": [f"{name}?", "z"]}, categorical=["*"])
    tree = ID3().grow(table)
    root = drawn(tree, direction=direction)
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in name)
    labels = texts(root)
    for wanted in (shown, f"{shown}!", f"{shown}?"):
        assert wanted in labels
    for text in root.iter(f"{SVG}text"):
        title = text.find(f"{SVG}title")
        visible = "".join(text.itertext()) if title is None else str(title.tail)
        columns = sum(2 if "\u2e80" <= c <= "\uffdc" else 1 for c in visible)
        assert columns <= 52
        assert title is None or columns * COLUMN < float(root.get("width", ""))


def test_a_tree_without_counts_is_drawn() -> None:
    tree = ID3().grow(textbook("play-tennis"))
    bare = Tree(tree.target, tree.attributes, tuple(node.__class__((0, 0), node.label, node.test, node.branches)
                for node in tree.nodes))  # fmt: skip
    root = drawn(bare)
    assert "outlook" in texts(root)
    assert {path.get("stroke-width") for path in shapes(root).iter(f"{SVG}path")} == {"1"}


def test_a_part_of_a_bar_and_the_legend_have_the_shape_of_the_class() -> None:
    root = drawn(ID3().grow(textbook("play-tennis")))
    marks = [one for one in root.iter() if one.get("fill") == "#fff"]
    parts = [one for one in root.iter(f"{SVG}rect") if one.get("fill") in COLOURS]
    assert [one.tag == f"{SVG}circle" for one in marks] == [one.get("fill") == COLOURS[0] for one in parts]
    legend = [one for one in root.iter() if one.get("fill") in COLOURS and one.tag != f"{SVG}rect"]
    assert [(one.tag.removeprefix(SVG), one.get("fill")) for one in legend] == [
        ("circle", COLOURS[0]),
        ("path", COLOURS[1]),
    ]


@pytest.mark.slow
def test_too_large_a_tree_is_refused_in_a_line() -> None:
    with pytest.raises(InputError, match=f"has 100001 nodes, and a drawing at most {MOST}"):
        to_svg(chain(50_000))
    root = drawn(chain(MOST // 2 - 1))
    assert len(boxes(root)) == MOST - 1


def test_it_is_the_same_whatever_the_order_of_the_rows_and_holds_no_float_noise() -> None:
    rows = list(textbook("contact-lenses").rows())
    text = to_svg(ID3().grow(Table.from_rows(rows)))
    assert text == to_svg(ID3().grow(Table.from_rows(rows[::-1])))
    assert not re.search(r"\d\.\d{3}", text)


def faint(root: ElementTree.Element) -> list[str]:
    """What can be read of what is hardly seen."""
    return [text for group in root.iter(f"{SVG}g") if group.get("opacity") for text in texts(group)]


def test_what_is_cut_off_is_faint_and_the_node_above_it_a_leaf() -> None:
    days = textbook("play-tennis")
    root = drawn(ID3().grow(days), pruned=ID3(max_depth=1).grow(days))
    assert sorted(faint(root)) == sorted(
        ["strong", "weak", "high", "normal", "no", "no 2", "yes", "yes 3", "no", "no 3", "yes", "yes 2"]
    )
    rounded = [rect for rect in shapes(root).iter(f"{SVG}rect") if rect.get("rx") == "11"]
    assert len(rounded) == 7, "four that are cut off, and the three that are left"
    assert "wind" not in texts(root)
    assert (root.findtext(f"{SVG}desc") or "").count("then play=") == 3, "the rules of what is left"
    alone = drawn(ID3().grow(days), pruned=ID3(max_depth=0).grow(days))
    groups = [group for group in alone.iter(f"{SVG}g") if group.get("opacity")]
    assert len(groups) == 2 * 7, "the branch and the box of every node below the root, however deep"
    with pytest.raises(InputError, match="at / the other tree has another test"):
        drawn(ID3(max_depth=1).grow(days), pruned=ID3().grow(textbook("contact-lenses")))


def test_a_row_without_an_answer_goes_in_parts() -> None:
    melons = textbook("watermelon-2.0a")
    tree = C45().grow(melons)
    row = next(number for number, row in enumerate(melons.rows()) if row["纹理"] is None)
    ends = dict(tree.ends(list(melons.rows())[row]))
    followed = carried(tree, melons.take([row]))
    for number, node in enumerate(followed.nodes):
        if node.test is None:
            assert sum(node.counts) == ends.get(number, 0)
    reached = [number for number, node in enumerate(followed.nodes) if sum(node.counts)]
    root = drawn(tree, rows=melons.take([row]))
    groups = [group for group in root.iter(f"{SVG}g") if group.get("opacity")]
    assert len(groups) == 2 * (len(tree.nodes) - len(reached)), "the branch and the box of each other node"
    assert carried(tree, melons).nodes[0].counts == tree.nodes[0].counts
    with pytest.raises(InputError, match="a tree of classes"):
        carried(regression_tree(), textbook("cats-regression"))


def test_of_many_rules_the_first_are_told() -> None:
    tree = read_tree(RECORDED / "weka-j48" / "soybean.pruned.json")
    description = drawn(tree).findtext(f"{SVG}desc") or ""
    assert description.count("then class=") == RULES
    assert description.endswith(f"and {61 - RULES} more rules")
