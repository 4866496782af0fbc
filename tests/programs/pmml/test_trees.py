"""The trees of PMML: counts, shares in their place, and the strategies that use them."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from reference_tree.auditing.audit import audit
from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.learners.cart import CART
from reference_tree.programs.reading import read_foreign
from reference_tree.tree_document.reading import from_json
from reference_tree.tree_document.writing import to_json
from reference_tree.views.derivation.prediction import explain_prediction
from reference_tree.views.trees.pmml import to_pmml
from tests.programs.documents import tree_of
from tests.programs.pmml.test_files import HEAD, simple


def tree_text(strategy: str, leaves: list[tuple[str, str, list[str], str]]) -> str:
    """A model of a root and leaves: predicate, score, counts of no and yes, and the number of rows."""
    nodes = "".join(
        f'<Node score="{score}" recordCount="{rows}">{predicate}'
        + "".join(f'<ScoreDistribution value="{value}" recordCount="{count}"/>'
                  for value, count in zip(("no", "yes"), counts, strict=True)) + "</Node>"
        for predicate, score, counts, rows in leaves
    )  # fmt: skip
    attrib = f'missingValueStrategy="{strategy}"'
    return f'{HEAD.format(type="double", attrib=attrib)}<Node score="no"><True/>{nodes}</Node></TreeModel></PMML>'


SIDES = simple("x", "lessThan", "1"), simple("x", "greaterOrEqual", "1")


def test_the_counts_of_all_leaves_that_are_reached_are_added_up() -> None:
    text = tree_text("aggregateNodes", [(SIDES[0], "yes", ["0", "2"], "2"), (SIDES[1], "no", ["5", "1"], "6")])
    of_root = '<ScoreDistribution value="no" recordCount="5"/><ScoreDistribution value="yes" recordCount="3"/>'
    text = text.replace('<Node score="no"><True/>', f'<Node score="no"><True/>{of_root}')
    tree = tree_of(read_foreign(text)[0])
    lacking = {"x": None, "sky": "grey"}
    assert tree.distribution(lacking) == {"no": Fraction(5, 8), "yes": Fraction(3, 8)}
    assert tree.predict(lacking) == "no"
    weighted = tree_of(read_foreign(text.replace("aggregateNodes", "weightedConfidence"))[0])
    assert weighted.distribution(lacking) == tree.distribution(lacking)  # the weights are the numbers of rows
    table = Table.from_columns(
        {"x": [None, 0, 3, None], "sky": ["grey"] * 4, "y": ["no"] * 4}, target="y", continuous=["x"]
    )
    assert tree.predict(table) == ["no", "yes", "no", "no"]
    again = from_json(to_json(tree))
    assert again == tree
    assert '"rule": "aggregate"' in to_json(tree)
    assert 'missingValueStrategy="aggregateNodes"' in to_pmml(tree)
    with pytest.raises(InputError, match="added up, which is not derived here"):
        explain_prediction(tree, lacking)


def test_weighted_confidence_weighs_the_numbers_of_rows_that_are_stated() -> None:
    text = tree_text("weightedConfidence", [(SIDES[0], "yes", ["0", "2"], "6"), (SIDES[1], "no", ["5", "1"], "6")])
    tree = tree_of(read_foreign(text)[0])
    assert tree.distribution({"x": None})["yes"] == (Fraction(1) + Fraction(1, 6)) / 2


def test_shares_are_counts_if_the_node_says_how_many_rows_it_has() -> None:
    text = tree_text("none", [(SIDES[0], "yes", ["0.3333333333333333", "0.6666666666666667"], "12"),
                              (SIDES[1], "no", ["1.0", "0.0"], "5")])  # fmt: skip
    (document,) = read_foreign(text)
    assert [node.get("counts") for node in document["nodes"]] == [None, {"no": "4", "yes": "8"}, {"no": "5"}]
    assert "remarks" not in document["learner"]["options"]


def test_shares_alone_are_said_to_be_shares() -> None:
    text = tree_text("none", [(SIDES[0], "yes", ["0.25", "0.75"], "1"), (SIDES[1], "no", ["1", "0"], "1")])
    with pytest.warns(UserWarning, match="its counts are shares of 1"):
        (document,) = read_foreign(text)
    assert tree_of(document).distribution({"x": 0}) == {"no": Fraction(1, 4), "yes": Fraction(3, 4)}
    assert json.loads(to_json(tree_of(document)))["learner"]["options"]["remarks"]


def test_probabilities_that_are_no_shares_of_the_counts_are_used() -> None:
    text = tree_text("none", [(SIDES[0], "yes", ["1", "3"], "4"), (SIDES[1], "no", ["5", "1"], "6")])
    changed = text.replace('value="no" recordCount="1"', 'value="no" recordCount="1" probability="0.4"').replace(
        'value="yes" recordCount="3"', 'value="yes" recordCount="3" probability="0.6"')  # fmt: skip
    found = tree_of(read_foreign(changed)[0])
    assert found.distribution({"x": 0}) == {"no": Fraction(2, 5), "yes": Fraction(3, 5)}


def test_a_distribution_that_is_half_stated_is_refused() -> None:
    text = tree_text("none", [(SIDES[0], "yes", ["1", "3"], "4"), (SIDES[1], "no", ["5", "1"], "6")])
    with pytest.raises(InputError, match="states the recordCount of some classes alone"):
        read_foreign(text.replace('value="no" recordCount="5"', 'value="no"'))
    with pytest.raises(InputError, match="a recordCount is negative"):
        read_foreign(text.replace('recordCount="5"', 'recordCount="-5"'))


def test_an_audit_judges_shares_as_shares() -> None:
    table = Table.from_columns(
        {"x": [0, 0, 0, 0, 3, 3], "sky": ["grey"] * 6, "play": ["no", "yes", "yes", "yes", "no", "no"]}
    )
    for first, expected in (("0.25", 0), ("0.5", 1)):
        share = "0.75" if first == "0.25" else "0.5"
        text = tree_text("none", [(simple("x", "lessOrEqual", "1.5"), "yes", [first, share], "1"),
                                  (simple("x", "greaterThan", "1.5"), "no", ["1", "0"], "1")])  # fmt: skip
        with pytest.warns(UserWarning, match="shares of 1"):
            (document,) = read_foreign(text)
        assert "weights" in document["program"]["silent"]
        report = audit(tree_of(document), table, CART(max_depth=1))
        wrong = [finding.verdict for finding in report.findings if finding.verdict == "wrong-counts"]
        assert len(wrong) == expected
