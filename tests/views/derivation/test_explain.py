"""Explaining a tree: from what is given to the tree, in one text."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import chain
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.exact.rationals import rational
from reference_tree.learners.id3 import ID3
from reference_tree.learners.place import Ties
from reference_tree.pruning.record import perform
from reference_tree.splitting.discretizers import bins_of
from reference_tree.tree import Grower, Tree
from reference_tree.tree_document import from_json, to_json
from reference_tree.views.derivation.explain import changed, explain, explain_discretization
from reference_tree.views.trees.text import to_text
from reference_tree.views.wording import width
from tests.every import of_every
from tests.views.calculator import check

HEAD = """\
ID3 on play-tennis
══════════════════

learner   ID3 with epsilon = 0.1, max_depth = 2
data      14 rows
target    play: no, yes

D, D_i, |D|                  the rows at a node; those with outcome i of a test A; their number or weight
"""


def explained(table: Table, learner: ID3 | None = None, **options: str) -> str:
    return explain((learner or ID3()).grow(table), table, **options)  # type: ignore[arg-type]


def test_it_begins_with_what_is_given_and_ends_with_the_tree() -> None:
    table, learner = textbook("play-tennis"), ID3(epsilon=rational("0.1"), max_depth=2)
    text = explained(table, learner)
    assert text.startswith(HEAD)
    assert text.endswith(f"\nThe tree\n────────\n\n{to_text(learner.grow(table))}")


def test_play_tennis() -> None:
    text = explained(textbook("play-tennis"))
    for gain in ("0.246750", "0.029223", "0.151836", "0.048127"):
        assert f" ≈ {gain} bits\n" in text
    assert "Split on outlook, with a margin of 0.094914 bits over the next best, humidity." in text
    assert text.count("\nLeaf: ") == 5
    assert "learner   ID3, every option at its default" in text


def test_rows_left_out_and_weights_are_told() -> None:
    cells: dict[str, list[Any]] = {
        "a": ["p", "q", "q", "p"],
        "y": ["no", "yes", None, "yes"],
        "w": ["0.5", "1", "1", "2"],
    }
    table = Table.from_columns(cells, target="y", weights="w", continuous=["w"])
    assert "data      3 rows with a weight of 3.5; 1 row without a target left out\n" in explained(table)
    assert "the data\n" not in explained(table)


def test_one_node() -> None:
    table = textbook("play-tennis")
    alone = explained(table, node="/outlook=rainy/wind=weak")
    assert alone == (
        "/outlook=rainy/wind=weak   3 rows: no 0, yes 3\n"
        "──────────────────────────────────────────────\n\n"
        "Leaf: yes, because all rows have one class (pure).\n"
    )
    assert explained(table, node="/1/1") == alone
    heading, legend, derivation = explained(table, node="/outlook=sunny").split("\n\n", 2)
    assert f"{heading}\n\n{derivation}" in explained(table)  # whose legend is that of all nodes, above
    assert legend in explained(table)


def test_the_nodes_are_those_of_the_tree_in_preorder() -> None:
    table = textbook("watermelon-2.0")
    tree = ID3().grow(table)
    headings = re.findall(r"^(/\S*)   \d+ rows?: ", explain(tree, table), re.MULTILINE)
    assert headings == [tree.path(number) for number in range(len(tree.nodes))]


@pytest.mark.slow
def test_a_tree_from_its_document_is_explained_alike() -> None:
    table = textbook("watermelon-2.0")
    tree = ID3(ties=Ties(choose={"/纹理=清晰": "触感"})).grow(table)
    assert explain(from_json(to_json(tree)), table) == explain(tree, table)
    assert "ID3 with ties at /纹理=清晰 choose = 触感" in explain(tree, table)


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize("format", ["text", "markdown"])
def test_it_is_the_same_whatever_the_order_of_the_rows(format: str) -> None:
    table = textbook("contact-lenses")
    rows = list(table.rows())
    turned = Table.from_rows(rows[::-1], name="contact-lenses")
    assert explained(turned, format=format) == explained(Table.from_rows(rows, name="contact-lenses"), format=format)


def test_what_cannot_be_explained_is_refused_in_a_line() -> None:
    table = textbook("play-tennis")
    tree = ID3().grow(table)
    with pytest.raises(InputError, match="no learner 'unknown'"):
        explain(Tree(tree.target, tree.attributes, tree.nodes, Grower()), table)
    with pytest.raises(InputError, match="other columns or values"):
        explain(tree, textbook("contact-lenses"))
    with pytest.raises(InputError, match="no node at '/outlook=foggy'"):
        explain(tree, table, node="/outlook=foggy")


@of_every(
    [
        ({"a": "1", "b": None}, []),
        ({"a": "2", "b": 3}, ["a = 2", "b = 3"]),
        ({"a": "1", "b": {"c": {"d": "x"}}}, ["b c d = x"]),
        ({"new": Fraction(1, 2)}, ["new = 1/2"]),
    ]
)
def test_changed_options(options: dict[str, object], expected: list[str]) -> None:
    assert changed(options, {"a": "1", "b": None}) == expected


SYMBOL = re.compile(r"^([^\s(]+(?:\([^)]*\))?) +[=≈] [\d(√]", re.MULTILINE)
"""What stands to the left of an equation, its name up to the bracket."""


@of_every(
    [
        ("play-tennis", rt.ID3(), "/outlook=sunny"),
        ("golf", rt.C45(), "/outlook=rainy"),
        ("watermelon-2.0a", rt.C45.like("c45-r8"), "/"),
        ("loan", rt.CART(), "/"),
        ("cats", rt.CART(criterion="absolute_error"), "/"),
        ("golf", rt.CART(branching="linear", max_depth=1), "/"),
    ]
)
def test_one_node_says_what_its_letters_mean(name: str, learner: Any, node: str) -> None:
    table = rt.textbook(name)
    if name == "cats":
        table = table.predicting("weight")
    if getattr(learner, "branching", "") == "linear":
        table = table.without(["outlook", "windy"])
    legend, _, derivation = explain(learner.grow(table), table, node=node).split("\n\n", 1)[1].partition("\n\n")
    assert "≈ " in legend
    for symbol in {match[1] for match in SYMBOL.finditer(derivation)}:
        assert symbol.partition("(")[0].partition("_")[0].replace("\u0303", "") in legend, symbol


def test_a_node_that_is_a_leaf_by_its_counts_has_no_letters() -> None:
    days = rt.textbook("play-tennis")
    text = explain(rt.ID3().grow(days), days, node="/outlook=overcast")
    assert text.count("\n\n") == 1


def test_one_node_of_a_pruning_says_what_its_letters_mean() -> None:
    golf = rt.textbook("golf")
    tree = perform(rt.C45().grow(golf), {"method": "cost-complexity", "profile": "cart-1984", "alpha": "1/100"}).after
    text = explain(tree, golf, node="/outlook=rainy")
    assert text.index("R(T_t) = Σ_l R(l)") < text.index("g(/outlook=rainy)")


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_the_overview_of_a_regression_has_a_line_for_each_node(criterion: Any) -> None:
    cats = rt.textbook("cats").predicting("weight")
    tree = rt.CART(criterion=criterion).grow(cats)
    overview = explain(tree, cats).partition("The nodes")[2].partition("\n\n")[2].partition("\n\n")[0].splitlines()
    assert len(overview) == 1 + len(tree.nodes)
    assert max(map(width, overview)) <= 110
    for line, node in zip(overview[1:], tree.nodes, strict=True):
        assert f"  {node.weight}, " in line


# The intervals of a discretization.

IRIS = rt.textbook("iris")


def intervals(page: str) -> list[str]:
    """The first cells of the last table of a page."""
    return re.findall(r"^  ([\[(].*?[\])])  ", page.rpartition("\n\n")[2], re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["entropy", "equal-width:4", "5, 11/2"])
@pytest.mark.parametrize("attribute", ["petal length", "sepal width"])
def test_a_calculator_comes_to_every_figure(how: str, attribute: str) -> None:
    for exact in (False, True):
        page = explain_discretization(IRIS, attribute, how, exact=exact)
        assert check(page) >= {"entropy": 12, "equal-width:4": 3}.get(how, 0)
        assert intervals(page) == [one.name for one in bins_of(IRIS, attribute, how)[0]]


@given(st.lists(st.tuples(st.sampled_from([None, 1, 2, 3, 5, 8]), st.sampled_from("abc")), min_size=2, max_size=40))
def test_every_interval_is_worked_out_once(rows: list[tuple[int | None, str]]) -> None:
    if not any(x is not None for x, _ in rows):
        rows = [(1, "a"), *rows]
    table = rt.Table.from_columns({"x": [x for x, _ in rows], "y": [label for _, label in rows]})
    if table.schema.attribute("x").kind != "continuous":
        return
    page = explain_discretization(table, "x", "entropy", every=True)
    check(page)
    cuts = [re.findall("[0-9.]+", said) for said in re.findall("^Cut at (.*): ", page, re.MULTILINE)]
    found = intervals(page)
    assert len([*chain(*cuts)]) == len(found) - 1
    assert len(re.findall("^No cut: ", page, re.MULTILINE)) == len(found)
    for one in found:
        assert len(re.findall(rf"^{re.escape(one)}   \d+ rows?", page, re.MULTILINE)) == 1


def test_the_cost_is_compared_with_the_gain_of_the_best_cut() -> None:
    page = explain_discretization(rt.textbook("golf"), "temperature", "entropy")
    assert "H(D)" in page
    assert "  84   83 and 85       4        9      1       0   0.113401   the best\n" in page
    assert "g(D, temperature<=84) = 0.940286 − 0.826885 ≈ 0.113401 bits\n" in page
    assert re.search(r"^C\(D, temperature<=84\) = \(log2\(14 − 1\) .* / 14 ≈ 0.457729 bits$", page, re.MULTILINE)
    assert "\nNo cut: the gain is not larger than the cost.\n" in page


def test_a_numeric_target_has_its_moments() -> None:
    page = explain_discretization(rt.textbook("li-hang-5.2"), "x", "equal-width:3")
    assert "[1, 10]   10 rows: mean 6.618, sse 27.63236\n" in page
    assert "  (-inf, 4]   4    19.5    95.4362\n" in page


def test_a_target_is_cut_without_a_table_of_itself() -> None:
    table = rt.Table.from_columns({"wind": ["weak", "strong", "weak"], "degrees": [64, 70, 85]})
    page = explain_discretization(table, "degrees", "equal-width:3")
    assert page.endswith("Cut at 71, 78: 3 parts have equal width.\n")


def test_what_is_no_table_is_refused() -> None:
    with pytest.raises(InputError, match="is no table"):
        explain_discretization([1], "x", "entropy")  # type: ignore[arg-type]
