"""A tree as PMML: an interpreter that knows the specification alone answers as the tree does."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.held import Form, held
from reference_tree.data.questions import Missing, Multiway, SeenSubset, Subset, Threshold
from reference_tree.tree import Node, Tree
from reference_tree.views.trees.pmml import to_pmml
from tests import strategies
from tests.every import of_every
from tests.pmml import Model
from tests.views.chains import chain

LEARNERS = {
    "C4.5": rt.C45(max_depth=3),
    "Weka": rt.C45.like("weka-j48"),
    "CART": rt.CART(),
    "stay": rt.CART(missing="stay"),
    "branch": rt.CART(missing="branch"),
    "surrogates": rt.CART(always_surrogates=True),
    "rpart": rt.CART.like("rpart", min_samples_split=2, min_samples_leaf=1),
    "rest": rt.CART(branching="one-vs-rest"),
    "multiway": rt.CART(branching="multiway"),
    "absolute": rt.CART(criterion="gini", max_depth=2),
}


SMALL = Fraction(1, 10**14)
"""How far numbers may lie from one another that are written with 17 digits."""


def expected(tree: Tree, row: Any) -> Any:
    """What the tree says; none where it refuses the row."""
    try:
        return tree.predict(row)
    except rt.InputError:
        return None


def check(tree: Tree, rows: list[Any]) -> None:
    """Hold the document against its structure and, row by row, against the tree."""
    model = Model(to_pmml(tree))
    model.check()
    for row in rows:
        wanted, (found, shares) = expected(tree, row), model.answer(row)
        if wanted is None:
            assert found is None
            continue
        if tree.target.values is None:
            assert abs(Fraction(wanted) - found) <= abs(Fraction(wanted)) * SMALL
            continue
        exact = tree.distribution(row)
        assert all(abs(exact[value] - share) < SMALL for value, share in shares.items())
        assert set(shares) == set(exact)
        assert found == wanted or exact[wanted] - exact[found] < SMALL, "an exact tie may be a near one in 17 digits"


@pytest.mark.one_in(3, 12)
@pytest.mark.parametrize("name", LEARNERS)
@given(table=strategies.tables_with_gaps(), data=st.data())
def test_pmml_answers_as_the_tree(name: str, table: rt.Table, data: Any) -> None:
    tree = LEARNERS[name].grow(table)
    rows = [*table.rows()]
    others = [{**row, **{name: data.draw(st.sampled_from(rows))[name] for name in row}} for row in rows[:3]]
    check(tree, rows + others)


@pytest.mark.parametrize("name", ["play-tennis", "golf", "watermelon-3.0", "cats", "iris", "li-hang-5.2"])
def test_the_textbooks(name: str) -> None:
    table = rt.textbook(name)
    rows = [*table.rows()]
    names = [attribute.name for attribute in table.schema.attributes]
    check(rt.CART().grow(table), [*rows, *({**rows[0], gone: None} for gone in names), {**rows[0], names[0]: None}])


def test_rows_without_an_answer_are_divided_as_by_the_tree() -> None:
    table = rt.textbook("watermelon-2.0a")
    tree = rt.C45().grow(table)
    names = [attribute.name for attribute in table.schema.attributes]
    rows = [{**row, gone: None, names[-1]: None} for row in table.rows() for gone in names]
    check(tree, [*table.rows(), *rows])
    assert Model(to_pmml(tree)).strategy == "weightedConfidence"


def test_priors_and_losses_are_in_the_answer_and_the_shares() -> None:
    table = rt.textbook("golf")
    check(rt.CART(max_depth=1, priors={"no": 1, "yes": 4}).grow(table), [*table.rows()])
    check(rt.CART(max_depth=1, loss={"yes": {"no": 5}}, losses="generalized-gini").grow(table), [*table.rows()])


def test_any_name_survives() -> None:
    columns: dict[str, Any] = {
        "<a'b\"&c\\": ["x'y", 'z"w', "a\nb", "]]>"],
        "y": ["n'", 'y"', "<script>", "\t &#10;"],
    }
    table = rt.Table.from_columns(columns)
    check(rt.ID3().grow(table), [*table.rows()])


def seen(missing: Missing) -> Tree:
    """A tree whose questions say nothing of some values."""
    a, b = rt.Attribute("a", ("p", "q", "r")), rt.Attribute("b", ("s", "t", "u"))
    nodes = (
        Node((3, 2), "no", SeenSubset("a", ("p",), ("r",)), (1, 2), missing=missing),
        Node((3, 0), "no", stop="pure"),
        Node((0, 2), "yes", stop="pure"),
    )
    return Tree(rt.Attribute("y", ("no", "yes")), (a, b, rt.Attribute("x")), nodes)


def test_values_that_count_as_missing_ask_the_surrogates_too() -> None:
    from reference_tree.data.questions import Surrogate

    surrogates = (
        Surrogate(SeenSubset("b", ("s",), ("u",)), (1, 0), 1),
        Surrogate(Threshold("x", Fraction(1, 2)), (0, 1), 1),
    )
    rows = [
        {"a": a, "b": b, "x": x} for a in ("p", "q", "r", None) for b in ("s", "t", "u", None) for x in (0, 1, None)
    ]
    check(seen(Missing(stays=True)), rows)
    check(seen(Missing(surrogates=surrogates, stays=True)), rows)
    check(seen(Missing(surrogates=surrogates[:1], stays=True)), rows)
    check(seen(Missing()), rows)
    for to in (0, 1):
        check(seen(Missing(to=to)), rows)
        check(seen(Missing(surrogates=surrogates, to=to)), rows)
        check(seen(Missing(surrogates=surrogates[:1], to=to)), rows)


@of_every(
    [
        (seen(Missing(shares=(Fraction(3, 5), Fraction(2, 5)))), "cannot say of a value in a test"),
        (rt.CART(branching="linear", max_depth=1).grow(rt.textbook("watermelon-3.0a")), "no linear tests"),
        (
            rt.CART(missing="fractions").grow(rt.textbook("li-hang-5.2")),
            "only where the prediction is the most likely class",
        ),
        (
            Tree(
                rt.Attribute("y", ("n", "y")),
                (rt.Attribute("a", ("p", "q")),),
                (
                    Node((1, 1), "n", Multiway("a", ("p", "q")), (1, 2), missing=Missing(shares=(1, 0))),
                    Node((1, 0), "n", stop="pure"),
                    Node((0, 1), "y", stop="pure"),
                ),
            ),
            "by the weights of the branches, and this tree does not",
        ),
        (
            Tree(
                rt.Attribute("y", ("n", "y")),
                (rt.Attribute("a", ("p", "q")), rt.Attribute("x")),
                (
                    Node((2, 1), "n", Subset("a", ("p",)), (1, 4)),
                    Node((1, 1), "n", Threshold("x", 1), (2, 3), missing=Missing(stays=True)),
                    Node((1, 0), "n", stop="pure"),
                    Node((0, 1), "y", stop="pure"),
                    Node((1, 0), "n", stop="pure"),
                ),
            ),
            "one rule for missing values in all of a tree, and this one has error and stay",
        ),
        (rt.ID3().grow(rt.Table.from_columns({"a": ["\x1b", "b"], "y": ["n", "y"]})), "which XML has no way to write"),
    ]
)
def test_what_pmml_cannot_say_is_refused_in_a_line(tree: Tree, says: str) -> None:
    with pytest.raises(rt.InputError, match=says) as error:
        to_pmml(tree)
    assert "\n" not in str(error.value)


def test_numbers_are_written_as_they_are() -> None:
    text = to_pmml(rt.CART(missing="error").grow(rt.Table.from_columns({"x": [Fraction(1, 10), 2], "y": ["n", "y"]})))
    assert 'value="1.05"' in text
    assert 'recordCount="1"' in text
    columns: dict[str, Any] = {"x": [10**300, 10**300 + 2], "y": [Fraction(1, 3), Fraction(10**30, 7)]}
    text = to_pmml(rt.CART(missing="error").grow(rt.Table.from_columns(columns)))
    assert 'value="1.0000000000000000E+300"' in text
    assert 'score="0.33333333333333333"' in text


@pytest.mark.one_in(1, 4)
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("form", ["written", "exact", "double", "float32"])
def test_a_program_that_reads_doubles_answers_as_the_tree(form: Form, strict: bool) -> None:
    labels = ("low", "high")
    for tenths in range(1, 60):
        threshold = Fraction(held(Fraction(tenths, 10), form))
        root = Node((1, 1), "low", Threshold("x", threshold, strict=strict), (1, 2))
        leaves = [Node((1, 0), "low", stop="pure"), Node((0, 1), "high", stop="pure")]
        tree = Tree(rt.Attribute("y", labels), (rt.Attribute("x", held=form),), (root, *leaves))
        text = to_pmml(tree)
        below, above = (float(found) for found in re.findall('operator="[a-z]+(?:Than|OrEqual)" value="([^"]+)"', text))
        assert below == above
        nearest = [float(threshold), tenths / 10]
        for number in [*nearest, *(math.nextafter(each, end) for each in nearest for end in (-math.inf, math.inf))]:
            is_low = number < below if strict else number <= below
            assert tree.predict({"x": number}) == ("low" if is_low else "high")


@pytest.mark.slow
def test_a_deep_tree_needs_no_recursion() -> None:
    text = to_pmml(chain(3000))
    assert text.count("<Node ") == text.count("</Node>") == 6001
