"""Extended ID3: held against the book row by row, against CART with the same options, and Zhou's two trees by gain."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.conformance.cases import case
from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.cart import CART
from reference_tree.learners.extended_id3 import ExtendedID3
from reference_tree.learners.id3 import ID3
from reference_tree.tree import Tree
from reference_tree.views.derivation.explain import explain
from tests.c45_by_the_book import Book, Options, Question, Weighted
from tests.every import of_every
from tests.laws import LearnerLaws
from tests.learners.decisions import assert_as_in, at, names, scores
from tests.strategies import categorical_tables, tables_with_gaps


class TestLaws(LearnerLaws):
    def learner(self) -> ID3:
        return ID3.like("zhou")


class ByGain(Book):
    """The book's learner with the gain in the place of the ratio."""

    def winners(self, rows: Weighted, allowed: Sequence[Question]) -> tuple[dict[Question, Any], list[list[Question]]]:
        _, groups = super().winners(rows, allowed)
        return {question: self.gain_and_cost(rows, question)[0] for question in allowed}, groups


def assert_by_the_book(table: Table, **bounds: Any) -> None:
    assert_as_in(ByGain(table, Options(average=False, **bounds)), ExtendedID3(**bounds), table)


bounds = st.fixed_dictionaries(
    {
        "epsilon": st.sampled_from([Fraction(0), Fraction(1, 10), Fraction(1, 2), Fraction(1)]),
        "max_depth": st.one_of(st.none(), st.integers(0, 3)),
        "min_samples_split": st.integers(0, 4),
        "min_samples_leaf": st.sampled_from([Fraction(0), Fraction(1), Fraction(3, 2), Fraction(2)]),
    }
)
TABLES = [
    "golf", "loan", "loan-id", "play-tennis", "watermelon-2.0", "watermelon-2.0a", "watermelon-3.0", "watermelon-3.0a",
    "cats", "contact-lenses", "li-hang-8.1", "visitor",
]  # fmt: skip


@given(tables_with_gaps())
def test_by_the_book(table: Table) -> None:
    assert_by_the_book(table)


@given(tables_with_gaps(), bounds)
def test_by_the_book_with_bounds(table: Table, bounds: dict[str, Any]) -> None:
    assert_by_the_book(table, **bounds)


@pytest.mark.one_in(1, 6)
@pytest.mark.parametrize("name", TABLES)
def test_textbook_tables_by_the_book(name: str) -> None:
    assert_by_the_book(textbook(name))


def nodes(tree: Tree) -> list[Any]:
    return [(n.counts, n.label, n.test, n.branches, n.stop, n.tied, n.prior, n.missing.shares) for n in tree.nodes]


@given(tables_with_gaps())
def test_it_is_cart_with_entropy_a_branch_for_each_value_fractions_and_no_minimum(table: Table) -> None:
    cart = CART(criterion="entropy", branching="multiway", missing="fractions", min_samples_split=0, min_samples_leaf=0)
    assert nodes(cart.grow(table)) == nodes(ID3.like("zhou").grow(table))


@given(categorical_tables())
def test_of_categories_without_gaps_it_grows_the_tree_of_id3(table: Table) -> None:
    plain, extended = ID3().grow(table), ID3.like("zhou").grow(table)
    assert [node[:-1] for node in nodes(plain)] == [node[:-1] for node in nodes(extended)]


def test_questions_that_leave_too_small_a_branch_are_barred() -> None:
    table = Table.from_columns({"x": [1, 2, 3], "a": list("ppq"), "y": list("nyy")})
    decision = ExtendedID3(min_samples_leaf=2).decide(table.sample())
    assert {candidate.test.name: candidate.barred for candidate in decision.candidates} == {
        "x<=1.5": "min-samples-leaf", "x<=2.5": "min-samples-leaf", "a": "min-samples-leaf",
    }  # fmt: skip
    assert (decision.stop, decision.winners) == ("min-samples-leaf", ())


# ------------------------------------------------------------------------------------------ Zhou's figures 4.8 and 4.9


def questions(tree: Tree) -> dict[str, str]:
    """Path → the question asked there, or the class answered."""
    return {
        tree.path(number): str(node.label) if node.test is None else node.test.name
        for number, node in enumerate(tree.nodes)
    }


@pytest.mark.covers("N2 §4.1")
def test_figure_4_8() -> None:
    assert questions(ID3.like("zhou").grow(textbook("watermelon-3.0"))) == {
        "/": "纹理",
        "/纹理=模糊": "否",
        "/纹理=清晰": "密度<=0.3815",
        "/纹理=清晰/密度<=0.3815": "否",
        "/纹理=清晰/密度>0.3815": "是",
        "/纹理=稍糊": "触感",
        "/纹理=稍糊/触感=硬滑": "否",
        "/纹理=稍糊/触感=软粘": "是",
    }


def test_figure_4_9() -> None:
    assert questions(ID3.like("zhou").grow(textbook("watermelon-2.0a"))) == {
        "/": "纹理",
        "/纹理=模糊": "色泽",
        "/纹理=模糊/色泽=乌黑": "是",
        "/纹理=模糊/色泽=浅白": "否",
        "/纹理=模糊/色泽=青绿": "否",
        "/纹理=清晰": "根蒂",
        "/纹理=清晰/根蒂=硬挺": "否",
        "/纹理=清晰/根蒂=稍蜷": "色泽",
        "/纹理=清晰/根蒂=稍蜷/色泽=乌黑": "触感",
        "/纹理=清晰/根蒂=稍蜷/色泽=乌黑/触感=硬滑": "是",
        "/纹理=清晰/根蒂=稍蜷/色泽=乌黑/触感=软粘": "否",
        "/纹理=清晰/根蒂=稍蜷/色泽=浅白": "是",
        "/纹理=清晰/根蒂=稍蜷/色泽=青绿": "是",
        "/纹理=清晰/根蒂=蜷缩": "是",
        "/纹理=稍糊": "敲声",
        "/纹理=稍糊/敲声=沉闷": "否",
        "/纹理=稍糊/敲声=浊响": "脐部",
        "/纹理=稍糊/敲声=浊响/脐部=凹陷": "否",
        "/纹理=稍糊/敲声=浊响/脐部=平坦": "是",
        "/纹理=稍糊/敲声=浊响/脐部=稍凹": "是",
        "/纹理=稍糊/敲声=清脆": "否",
    }


def test_the_gains_that_zhou_prints() -> None:
    zhou = ExtendedID3()
    decision = at("watermelon-2.0a", learner=zhou)
    assert scores(decision, "gain") == {
        "色泽": "0.251966", "根蒂": "0.171178", "敲声": "0.144803",
        "纹理": "0.423560", "脐部": "0.288825", "触感": "0.005713",
    }  # fmt: skip
    numbers = scores(at("watermelon-3.0", learner=zhou), "gain")
    assert (numbers["密度<=0.3815"], numbers["含糖率<=0.126"]) == ("0.262439", "0.349294")
    assert names(at("watermelon-3.0", learner=zhou)) == ["纹理"]


def test_a_row_that_misses_two_answers_is_divided_twice() -> None:
    """Half of the last row goes to a = 1, where three of four rows took b = 1: 3/8 and 1/8 of it, not 3/4 and 1/4."""
    tree = ID3.like("zhou").grow(case("id3/two-answers-missing").table())
    assert {tree.path(number): node.counts for number, node in enumerate(tree.nodes)} == {
        "/": (5, 4),
        "/a=0": (4, Fraction(1, 2)),
        "/a=0/b=0": (2, Fraction(1, 4)),
        "/a=0/b=1": (2, Fraction(1, 4)),
        "/a=1": (1, Fraction(7, 2)),
        "/a=1/b=0": (1, Fraction(1, 8)),
        "/a=1/b=1": (0, Fraction(27, 8)),
    }


@pytest.mark.slow
def test_the_derivation_of_both_trees() -> None:
    tables = map(textbook, ("watermelon-2.0a", "watermelon-3.0"))
    missing, cut = (explain(ID3.like("zhou").grow(table), table, every=True) for table in tables)
    assert re.search(r"g\(D, 根蒂\) .*0\.387776\d* .*chosen", missing)
    assert re.search(r"g\(D, 纹理\) .*0\.38059\d* .*chosen", cut)
    assert re.search(r"g\(D, 密度<=0\.3815\) .*0\.76420\d* .*chosen", cut)


# ------------------------------------------------------------------------------------------------------- its documents


def test_the_documents_of_id3_have_no_more_options_than_before() -> None:
    assert set(ExtendedID3().grower().options) - set(ID3().grower().options) == {"missing"}


@of_every([ID3(), ExtendedID3(max_depth=2), ID3.like("zhou", epsilon=1)])
def test_a_document_leads_back_to_the_learner(learner: ID3) -> None:
    grower = learner.grower()
    found = ID3.of(grower.options, grower.profile)
    assert (type(found), found) == (type(learner), learner)


def test_an_option_of_no_learner_is_refused() -> None:
    with pytest.raises(InputError, match="there is no option 'often'"):
        ID3.of({**ID3().grower().options, "often": "1"})
    with pytest.raises(InputError, match="there is no 'surrogates'; there are fractions"):
        ID3.of({**ID3().grower().options, "missing": "surrogates"})


def test_id3_names_the_profile_that_has_a_rule() -> None:
    for name in ("watermelon-3.0", "watermelon-2.0a"):
        with pytest.raises(InputError, match=r"which ID3 has no rule for; say ID3\.like\('zhou'\)"):
            ID3().grow(textbook(name))
