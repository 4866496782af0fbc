"""The path of a row down a tree: what is shown is where the row goes, and leads to what it is answered."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.programs.reading import read_foreign
from reference_tree.tree_document import from_json
from reference_tree.views.derivation.blocks import Equations, NodeHeading, path_of
from reference_tree.views.derivation.prediction import derive_prediction, explain_prediction
from tests.every import of_every
from tests.strategies import mixed_tables
from tests.views.checked import contradictions, relations

MELONS = rt.textbook("watermelon-2.0a")
ROWS = list(MELONS.rows())
C45 = rt.C45().grow(MELONS)
CART = rt.CART(missing="surrogates").grow(MELONS)


def by_hand(tree: rt.Tree, row: dict[str, Any], number: int = 0, share: Fraction = Fraction(1)) -> dict[int, Fraction]:
    """The leaves of a tree of fractions where a row ends, found from its document alone."""
    node = json.loads(rt.to_json(tree))["nodes"][number]
    if "test" not in node:
        return {number: share}
    found: dict[int, Fraction] = {}
    value = row[node["test"]["attribute"]]
    for branch in node["branches"]:
        part = Fraction(branch["share"]) if value is None else Fraction(branch["when"]["is"] == value)
        if part:
            found |= by_hand(tree, row, branch["to"], share * part)
    return found


@of_every(range(17))
def test_the_nodes_that_are_shown_are_those_where_the_row_goes(number: int) -> None:
    row = ROWS[number]
    ends = by_hand(C45, row)
    page = explain_prediction(C45, row)
    for end, share in ends.items():
        assert re.search(rf"^{re.escape(C45.path(end))}   ", page, re.MULTILINE)
        if len(ends) > 1:
            assert f"w_t      {'0.2' if share == Fraction(1, 5) else share}\nleaf     {C45.nodes[end].label}" in page
    assert len(re.findall("^leaf ", page, re.MULTILINE)) == len(ends)
    assert f"Prediction: {C45.predict(row)}" in page


@of_every([{}, {"纹理": "清晰"}, {"纹理": "稍糊", "敲声": "浊响"}])
def test_the_mixture_is_the_sum_over_the_leaves(given_: dict[str, str]) -> None:
    row = {attribute.name: given_.get(attribute.name) for attribute in C45.attributes}
    page = explain_prediction(C45, row)
    ends = by_hand(C45, row)
    assert sum(ends.values()) == 1
    for place, label in enumerate(C45.target.domain):
        expected = sum(
            share * Fraction(C45.nodes[end].counts[place]) / Fraction(sum(C45.nodes[end].counts))
            for end, share in ends.items()
        )
        last = page[page.index(f"P({label}|X) = ") :]
        last = re.split(r"\nP\(|\n\n", last)[0]
        assert last.count("·") == len(ends)
        written = f"{float(expected):.6f}".rstrip("0").rstrip(".")
        assert re.findall(r"[=≈] ([\d./]+)\s*$", last, re.MULTILINE)[-1] == written
    assert not contradictions(page)


def test_parts_of_a_row_multiply_on_the_way_down() -> None:
    row = {attribute.name: None for attribute in C45.attributes}
    blocks = derive_prediction(C45, row)
    weights = {line.symbol.text: line.worked.value for b in blocks if isinstance(b, Equations) for line in b.lines}
    ends = by_hand(C45, row)
    assert len(ends) > 10
    assert all(weights[f"w({C45.path(end)})"] == share for end, share in ends.items())


@pytest.mark.slow
@given(mixed_tables(), st.data())
@settings(max_examples=3 * settings().max_examples)
def test_no_line_is_contradicted_by_a_calculator(table: rt.Table, data: st.DataObject) -> None:
    tree = data.draw(
        st.sampled_from(
            [rt.C45(), rt.CART(missing="fractions"), rt.CART(missing="surrogates"), rt.CART(missing="stay")]
        )
    ).grow(table)
    row = dict(data.draw(st.sampled_from(list(table.rows()))))
    for attribute in tree.attributes:
        if data.draw(st.booleans()):
            row[attribute.name] = None
    page = explain_prediction(tree, row)
    assert not contradictions(page)
    blocks = list(derive_prediction(tree, row))
    assert [block.path for block in blocks if isinstance(block, NodeHeading)] == [
        path_of(tree, stage.number) for stage in tree.way(row)
    ]
    lines = [line for block in blocks if isinstance(block, Equations) for line in block.lines]
    weights = {f"w({path_of(tree, stage.number)})": stage.share for stage in tree.way(row)}
    assert all(line.worked.value == weights.get(line.symbol.text, line.worked.value) for line in lines)
    ends = tree.ends(row)
    if len(ends) > 1:
        *_, last = (block for block in blocks if isinstance(block, Equations))
        found = {line.symbol.text: line.worked.value for line in last.lines}
        assert found == {f"P({label}|X)": share for label, share in tree.distribution(row).items()}
        assert list(relations(page))
    assert "$$" not in page
    assert explain_prediction(tree, row, format="markdown").count("$$") % 2 == 0


def test_a_surrogate_is_named_with_its_answer() -> None:
    page = explain_prediction(CART, ROWS[7])
    assert "value       纹理 is missing\ninstead     脐部=凹陷, which agrees with it in 11/13" in page
    assert "its value   稍凹\ngoes        to 纹理≠清晰, for which 脐部≠凹陷 stands" in page
    nothing = explain_prediction(CART, {attribute.name: None for attribute in CART.attributes})
    assert "where rows go if no surrogate has an outcome" in nothing


def test_rows_that_stay_are_answered_by_the_node() -> None:
    tree = rt.CART(missing="stay").grow(MELONS)
    page = explain_prediction(tree, {attribute.name: None for attribute in tree.attributes})
    assert (
        "goes       nowhere: such a row stays, and the node predicts\npredicts   否\nP(c|t)     否 9/17, 是 8/17"
        in page
    )


def test_a_value_that_was_not_seen() -> None:
    tree = rt.ID3().grow(rt.textbook("play-tennis"))
    with pytest.raises(InputError, match="the value 'foggy' of outlook was not seen in training"):
        explain_prediction(tree, {"outlook": "foggy"})
    page = explain_prediction(tree, {"outlook": "foggy"}, unseen="majority")
    assert "value      foggy\ngoes       nowhere: there is no branch for this value, and the node predicts" in page
    assert page.endswith("Prediction: yes.\n")


def test_a_leaf_that_no_row_reached_speaks_for_the_node_above() -> None:
    tree = rt.ID3().grow(rt.textbook("watermelon-2.0-train"))
    empty = next(number for number, node in enumerate(tree.nodes) if node.prior)
    row = {test.attribute: test.values[branch] for test, branch in tree.conditions(empty)}  # type: ignore[union-attr]
    above = tree.path(tree.parents[empty][0])
    assert f", as at {above}: no training row came here" in explain_prediction(tree, row)


def test_a_number_is_the_mean_of_the_leaves() -> None:
    """By hand: of four rows one is missing x, and goes down both branches, 2/3 and 1/3 of it; the means are 2 and 9."""
    table = rt.Table.from_columns({"x": ["a", "a", "b"], "y": [1, 3, 9]})
    tree = rt.CART(missing="fractions", max_depth=1).grow(table)
    page = explain_prediction(tree, {"x": None})
    assert "ŷ = 2/3·2 + 1/3·9 = 13/3 ≈ 4.333333\n" in page
    assert page.endswith("weighed by their parts of the row.\n")
    assert explain_prediction(tree, {"x": "b"}).endswith("Prediction: 9.\n")


def test_what_mistakes_cost_can_outweigh_what_is_likely() -> None:
    """By hand: 2/3 of the row are a u, 1/3 is a v, where all are no; to miss a yes costs 5."""
    table = rt.Table.from_columns({"x": ["u", "u", "v"], "y": ["no", "yes", "no"]})
    tree = rt.CART(missing="fractions", loss={"yes": {"no": 5}}, max_depth=1).grow(table)
    page = explain_prediction(tree, {"x": None})
    assert "P(yes|X) = 2/3·(1/2) + 1/3·0 = 1/3 ≈ 0.333333\n" in page
    assert "R(no)  = 0·(2/3) + 5·(1/3) = 5/3 ≈ 1.666667\n" in page
    assert page.endswith("Prediction: yes, the class that costs least.\n")


def test_priors_say_what_a_row_counts() -> None:
    tree = rt.CART(missing="fractions", priors={"是": Fraction(3, 4), "否": Fraction(1, 4)}).grow(MELONS)
    page = explain_prediction(tree, {attribute.name: None for attribute in tree.attributes})
    assert "as a row of each class counts by the priors: 否 8, 是 27" in page
    assert not contradictions(page)


def test_a_linear_test_shows_its_sum() -> None:
    table = rt.textbook("watermelon-3.0a")
    tree = rt.CART(branching="linear", max_depth=1).grow(table)
    page = explain_prediction(tree, dict(next(iter(table.rows()))))
    assert not contradictions(page)
    test = tree.nodes[0].test
    assert test is not None
    assert re.search(rf"^{re.escape(test.attribute)}\n?\s+= .*·0\.697", page, re.MULTILINE)


def test_equals_go_to_the_first_in_class_order() -> None:
    table = rt.Table.from_columns({"x": ["u", "v"], "y": ["no", "yes"]})
    tree = rt.CART(missing="fractions").grow(table)
    assert explain_prediction(tree, {"x": None}).endswith(
        "Prediction: no, the most likely class, of equals the first in class order.\n"
    )


def test_a_name_of_the_data_breaks_no_page() -> None:
    table = rt.Table.from_columns({"a|b": ["x\n1", "y"], "c$": ["no", "<b>"]})
    page = explain_prediction(rt.ID3().grow(table), {"a|b": "x\n1"}, format="markdown", name="row `1`")
    assert r"# The path of row \`1\` down the tree" in page
    assert "\n1\n" not in page


def test_a_format_that_there_is_not_is_named() -> None:
    with pytest.raises(InputError, match="there is no format 'pdf'"):
        explain_prediction(C45, ROWS[0], format="pdf")  # type: ignore[arg-type]


@pytest.mark.filterwarnings("ignore:thresholds are rounded")
@of_every([("class: a", "class: b", "leaf   b"), ("value: [1.00]", "value: [2.00]", "leaf   2")])
def test_a_print_without_counts_has_a_path(first: str, second: str, leaf: str) -> None:
    text = f"|--- x <= 0.50\n|   |--- {first}\n|--- x >  0.50\n|   |--- {second}\n"
    (document,) = read_foreign(text)
    told = explain_prediction(from_json(json.dumps(document)), {"x": 1})
    assert leaf in told
    assert told.count("rows: not stated") == 2
    assert "P(c|t)" not in told
    assert "0 rows" not in told
