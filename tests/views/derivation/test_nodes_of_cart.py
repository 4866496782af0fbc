"""The derivation of CART: every equation in the text worked out again, and the sentences about cuts, gaps and stops."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.cart import CART
from reference_tree.views.derivation import nodes
from reference_tree.views.derivation.blocks import (
    Block,
    DecisionTable,
    Equations,
    Facts,
    Legend,
    NodeHeading,
    PartitionTable,
    Ranking,
    Scope,
    Sentence,
)
from reference_tree.views.derivation.explain import explain
from reference_tree.views.derivation.nodes import derive
from reference_tree.views.derivation.writers import text as text_writer
from reference_tree.views.derivation.writers.pages import markdown
from reference_tree.views.wording import asked
from tests.every import of_every
from tests.strategies import at_most, tables_with_gaps
from tests.views.calculator import check


def derived(learner: CART, table: Table, path: str | None = None) -> list[Block]:
    """The blocks of a tree, or of one node."""
    tree = learner.grow(table)
    return list(derive(tree, learner, table, Scope(path)))


def written(learner: CART, table: Table, path: str | None = None) -> str:
    return "\n".join(text_writer.write(derived(learner, table, path)))


def remarks(learner: CART, table: Table, path: str = "/") -> list[str]:
    return [block.text for block in derived(learner, table, path) if isinstance(block, Sentence)]


def numbers() -> Table:
    """Melons 3.0α with a number to predict."""
    rows = list(textbook("watermelon-3.0a").rows())
    return Table.from_rows(rows, target="含糖率", continuous=["含糖率", "密度"], name="sugar")


GOLF = ("outlook", "temperature", "humidity", "windy")
LOSS = {"yes": {"no": 5}}
LEARNERS = [
    CART(),
    CART(criterion="entropy"),
    CART(branching="one-vs-rest"),
    CART(branching="multiway"),
    CART(priors={"no": 1, "yes": 1}),
    CART(loss=LOSS),
    CART(loss=LOSS, losses="generalized-gini"),
    CART.with_options(threshold="below", max_depth=2, min_samples_leaf=3),
]


@pytest.mark.one_in(5, 10)
@pytest.mark.parametrize("learner", LEARNERS, ids=range(len(LEARNERS)))
@pytest.mark.parametrize("name", ["golf", "play-tennis"])
def test_the_arithmetic_of_classes(name: str, learner: CART) -> None:
    assert check(written(learner, textbook(name))) > 10


@pytest.mark.one_in(1, 3)
@pytest.mark.parametrize("criterion", ["squared_error", "variance_n_minus_1", "absolute_error"])
@pytest.mark.parametrize("name", ["li-hang-5.2", "li-hang-8.2", "sugar"])
def test_the_arithmetic_of_numbers(name: str, criterion: Any) -> None:
    table = numbers() if name == "sugar" else textbook(name)
    assert check(written(CART(criterion=criterion, max_depth=2), table)) > 4


@pytest.mark.one_in(5, 10)
@pytest.mark.parametrize("missing", ["surrogates", "fractions", "spread", "better-side", "branch", "stay"])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "misclassification"])
def test_the_arithmetic_where_answers_are_missing(missing: Any, criterion: Any) -> None:
    learner = CART(missing=missing, criterion=criterion, max_depth=2)
    assert check(written(learner, textbook("watermelon-2.0a"))) > 20


@given(tables_with_gaps(rows=6))
@at_most(25)
def test_the_arithmetic_of_any_table(table: Table) -> None:
    for learner in (CART(max_depth=2), CART(max_depth=2, missing="better-side")):
        blocks = derived(learner, table)
        check("\n".join(text_writer.write(blocks)))
        list(markdown(blocks))


@pytest.mark.one_in(1, 4)
@pytest.mark.parametrize("learner", LEARNERS, ids=range(len(LEARNERS)))
def test_the_last_equation_of_a_candidate_is_its_score(learner: CART) -> None:
    table = textbook("golf")
    decision = learner.decide(table.sample())
    scores = {candidate.test.name: candidate.scores[decision.judged_by] for candidate in decision.candidates
              if candidate.barred is None}  # fmt: skip
    blocks = derived(learner, table, "/")
    last = {block.lines[-1].worked.value for block in blocks if isinstance(block, Equations)}
    best = [
        max(score for name, score in scores.items() if name.startswith(of))
        for of in ("outlook", "temperature", "humidity", "windy")
    ]
    assert len(best) == 4
    assert set(best) <= last


@of_every(["squared_error", "variance_n_minus_1", "absolute_error"])
def test_the_last_equation_of_a_cut_is_its_score(criterion: Any) -> None:
    learner, table = CART(criterion=criterion), textbook("li-hang-5.2")
    decision = learner.decide(table.sample())
    assert decision.chosen is not None
    (equations,) = [block for block in derived(learner, table, "/") if isinstance(block, Equations)][1:]
    assert equations.lines[-1].worked.value == decision.chosen.scores[decision.judged_by]


def test_absolute_errors_are_worked_out_from_the_numbers() -> None:
    """N4's cats: the middle of ten weights lies halfway between 9.2 and 10.2, and 33 kg away from them in all."""
    text = written(CART(criterion="absolute_error", max_depth=1), textbook("cats").predicting("weight"), "/")
    assert "ỹ(D)   = 19.4/2 = 9.7\n" in text
    assert "SAD(D) = |7.2 − 9.7| + |7.6 − 9.7| + |8.4 − 9.7| + |8.8 − 9.7| + |9.2 − 9.7| + |10.2 − 9.7|" in text
    assert "    SAD(D_i) = |7.2 − 8.6| + |8.4 − 8.6| + |8.8 − 8.6| + |9.2 − 8.6| = 2.4\n" in text
    assert "ΔSAD(D, cat=no) = (33 − (17.8 + 4.2)) / 10 = 1.1\n" in text
    assert all(line.count("|") % 2 == 0 for line in text.splitlines()), "a line ends between bars"


@given(tables_with_gaps(rows=6), st.sampled_from(["surrogates", "fractions", "better-side"]))
@at_most(25)
def test_absolute_errors_of_any_table(table: Table, missing: Any) -> None:
    rows = [{**row, "y": len(str(row["y"])) + 2 * number} for number, row in enumerate(table.rows())]
    found = Table.from_rows(rows, target="y")
    learner = CART(criterion="absolute_error", missing=missing, max_depth=1)
    decision = learner.decide(found.sample())
    scores = {asked(one.test): one.scores["absolute_error_reduction"] for one in decision.candidates if not one.barred}
    blocks = derived(learner, found, "/")
    check("\n".join(text_writer.write(blocks)))
    tables = [block.attribute for block in blocks if isinstance(block, PartitionTable) and block.impurities]
    last = [block.lines[-1].worked.value for block in blocks if isinstance(block, Equations)][-len(tables) :]
    assert [scores[name] for name in tables] == (last if tables else [])


# What is shown of many questions.


def test_of_many_cuts_the_best_one_is_shown() -> None:
    """Li Hang's exercise 5.2: nine cuts, of which 5.5 leaves the least error, and 6.5 comes next."""
    blocks = derived(CART(), textbook("li-hang-5.2"), "/")
    assert [block.attribute for block in blocks if isinstance(block, PartitionTable)] == ["x<=5.5"]
    (listed,) = (block for block in blocks if isinstance(block, DecisionTable))
    assert [row[:2] for row in listed.rows[:2]] == [("1.5", "1 and 2"), ("2.5", "2 and 3")]
    assert [row[0] for row in listed.rows if row[-1] == "the best"] == ["5.5"]
    assert len(listed.rows) == 9
    (ranking,) = (block for block in blocks if isinstance(block, Ranking))
    assert [(line.name, line.fate) for line in ranking.lines] == [
        ("x<=5.5", "chosen"),
        ("x<=6.5", "behind by 0.171524"),
    ]


def test_questions_about_one_attribute_stand_in_a_table() -> None:
    blocks = derived(CART(branching="one-vs-rest"), textbook("play-tennis"), "/")
    (outlook, *_) = (block for block in blocks if isinstance(block, DecisionTable))
    assert [row[0] for row in outlook.rows] == ["outlook=overcast", "outlook=rainy", "outlook=sunny"]
    assert [row[1:5] for row in outlook.rows] == [("0", "4", "5", "5"), ("2", "3", "3", "6"), ("3", "2", "2", "7")]
    assert [row[-1] for row in outlook.rows] == ["the best", "", ""]


def test_of_very_many_cuts_those_around_the_best_are_listed() -> None:
    """Iris: of the 42 cuts of the petals' length the best is at 2.45, the sixth; one node alone has all of them."""
    table, learner = textbook("iris"), CART(max_depth=1)
    tree = learner.grow(table)
    for only, number in ((None, 10), ("/", 42)):
        blocks = list(derive(tree, learner, table, Scope(only, every=False)))
        (found,) = [one for one in blocks if isinstance(one, DecisionTable) and one.title.startswith("petal length")]
        assert len(found.rows) == number
        assert [row[0] for row in found.rows if row[-1]] == ["2.45"]


def test_a_large_tree_is_told_in_a_table_and_its_root_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nodes, "SMALL", 5)
    table = textbook("watermelon-2.0a")
    tree = CART().grow(table)
    blocks = list(derive(tree, CART(), table, Scope(every=False)))
    (overview, *_) = (block for block in blocks if isinstance(block, DecisionTable))
    assert len(overview.rows) == len(tree.nodes) > 5
    assert [tree.find(row[0]) for row in overview.rows] == list(range(len(tree.nodes)))
    assert [block.path for block in blocks if isinstance(block, NodeHeading)] == ["/"]
    assert len([block for block in derive(tree, CART(), table) if isinstance(block, NodeHeading)]) == len(tree.nodes)


def test_cuts_that_are_too_small_are_counted() -> None:
    sentences = remarks(CART(min_samples_leaf=4), textbook("li-hang-5.2"))
    assert "Of the 9 cuts of x, 6 are no candidates: a branch is too small (min-samples-leaf)." in sentences


def test_what_has_one_value_is_no_candidate_and_that_is_said() -> None:
    cells: dict[str, list[Any]] = {
        "number": ["5", "5", None, "5"],
        "word": ["p", "p", "p", "p"],
        "gap": [None] * 4,
        "x": ["1", "2", "3", "4"],
        "y": ["n", "n", "y", "y"],
    }
    table = Table.from_columns(cells, continuous=["gap"])
    assert remarks(CART(), table)[:3] == [
        "number is no candidate: all rows with a value have number=5.",
        "word is no candidate: all rows have word=p.",
        "gap is no candidate: no row has a value.",
    ]


# Rows with a missing value.


def test_surrogates_are_shown_with_their_agreement() -> None:
    learner, table = CART(max_depth=1), textbook("watermelon-2.0a")
    decision = learner.decide(table.sample())
    (facts,) = (block for block in derived(learner, table, "/") if isinstance(block, Facts))
    assert [word for word, _ in facts.lines] == [one.test.attribute for one in decision.missing.surrogates]
    for (_, text), surrogate in zip(facts.lines, decision.missing.surrogates, strict=True):
        assert text.startswith(f"agrees in {surrogate.agreement}")
    (sentence,) = (text for text in remarks(learner, table) if text.startswith("Rows without an outcome"))
    assert "(2 rows) are sent by the surrogate tests below; if none has an outcome, they go to " in sentence


@pytest.mark.parametrize(
    ("missing", "way"),
    [
        ("fractions", "go down every branch, by the shares r̃_i: 清晰 7/15, ≠清晰 8/15."),
        ("branch", "go to ≠清晰."),
        ("stay", "go nowhere, and get the prediction of this node."),
    ],
)
def test_where_a_row_without_an_answer_goes(missing: Any, way: str) -> None:
    (sentence,) = (
        text
        for text in remarks(CART(max_depth=1, missing=missing), textbook("watermelon-2.0a"))
        if text.startswith("Rows without an outcome")
    )
    assert sentence == f"Rows without an outcome of 纹理=清晰 (2 rows) {way}"


def test_rows_that_are_counted_in_are_named() -> None:
    assert "Counted in: 2 rows with a missing value." in remarks(
        CART(missing="better-side"), textbook("watermelon-2.0a")
    )


# Priors, and why a leaf is one.


def test_what_a_row_counts_is_said() -> None:
    (legend,) = (b for b in derived(CART(priors={"no": 1, "yes": 1}), textbook("golf")) if isinstance(b, Legend))
    assert "no 9, yes 5" in {symbol.text: meaning for symbol, meaning in legend.lines}["w_j"]


def test_a_decrease_that_is_too_small_for_the_tree() -> None:
    learner = CART(min_impurity_decrease=Fraction(1, 10))
    sentence = remarks(learner, textbook("golf"), "/1")[-1]
    match = re.search(r"falls short: (\S+)·(\S+) [=≈] (\S+) < 0.1 \(min-impurity-decrease\)", sentence)
    assert match is not None
    share, score, product = match.groups()
    assert Fraction(share) == Fraction(10, 14)
    assert float(Fraction(product)) == pytest.approx(float(Fraction(share)) * float(score), abs=1e-5)


def test_a_split_that_gains_nothing_is_refused_in_words() -> None:
    table = Table.from_columns({"a": [*"0011"], "b": [*"0101"], "y": [*"nppn"]}, categorical=["*"])
    assert remarks(CART.with_options(zero_gain="stops"), table)[-1].startswith(
        "Leaf: n, because no test has a Gini decrease above 0 (zero-gain)"
    )


def test_numbers_that_are_all_the_same() -> None:
    table = Table.from_columns({"x": ["1", "2", "3"], "y": ["4", "4", "5"]}, continuous=["y"])
    assert remarks(CART(), table, "/0") == ["Leaf: 4, because all rows have one number (pure)."]


def test_what_the_rows_that_answer_have_is_derived_before_it_is_used() -> None:
    """Every left operand of a decrease stands in the text as a result of its own."""
    classes = Table.from_columns({"a": [1, 2, 3, 4, None, 6, 7], "y": list("ppqqqpq")})
    assert "Gini(D̃)          = 1 − ((3/6)² + (3/6)²) = 1/2 = 0.5" in written(CART(), classes, "/")
    dear = written(CART(loss={"p": {"q": 2}}, losses="generalized-gini"), classes, "/")
    assert "Gini_C(D̃)          = 1·(3/6)·(3/6) + 2·(3/6)·(3/6) = 3/4 = 0.75" in dear
    numeric = Table.from_columns({"a": [1, 2, 3, 4, None, 6], "y": [1, 1, 2, 2, 2, 7]})
    assert "SSE(D̃)       = 59 − 13² / 5 = 25.2\nσ²(D̃)        = 25.2/5 = 5.04\n" in explain(
        CART().grow(numeric), numeric
    )


def test_of_several_next_best_all_are_named_and_ranked() -> None:
    """Whether somebody has work, and what their credit is, is worth 0.16 at the root of the loans."""
    loans = textbook("loan")
    assert remarks(CART(), loans)[0] == (
        "Split on 有自己的房子=否, with a margin of 0.053333 over the next best, 有工作=否 and 信贷情况=一般, "
        "which are exactly equal."
    )
    cuts = Table.from_columns({"a": [1, 2, 3, 4, 5, 6], "y": list("pqqqpq")})
    text = written(CART(), cuts, "/")
    behind = re.findall(r"^ΔGini\(D, (.*?)\) +[\d.]+   behind", text, re.MULTILINE)
    (named,) = re.findall(r"over the next best, (.*?)(?:, which are exactly equal)?\.$", text, re.MULTILINE)
    assert set(re.split(", | and ", named)) <= set(behind)


def test_of_too_many_values_the_margin_is_not_known() -> None:
    table = Table.from_columns({"a": [f"v{n:02}" for n in range(20)], "y": list("nyynnnynny" * 2)})
    *_, listed, last = remarks(CART(), table)
    assert listed == "Of the 524287 ways to part the 20 values of a, one is tried; the best of all is this one."
    assert last.endswith("; the margin is not known, for of a not every way to part the values is tried.")


def test_priors_as_text_are_derived_as_numbers() -> None:
    table = Table.from_columns({"a": [1, 2, 3, 4], "y": list("pqqq")})
    as_text: Any = {"p": "1/3", "q": "2/3"}
    text = written(CART(priors=as_text), table)
    assert text == written(CART(priors={"p": Fraction(1, 3), "q": Fraction(2, 3)}), table)
    assert "the weight of a row of each class in the tables and formulas: p 3, q 2" in " ".join(text.split())
    assert "Gini(D) = 1 − ((3/9)² + (6/9)²) = 4/9 ≈ 0.444444" in text


@of_every([CART(priors={"p": 1}), CART(loss={"p": {}}), CART(priors={"p": 1}, criterion="entropy")])
def test_a_single_class_in_which_no_mistake_costs_anything(learner: CART) -> None:
    table = Table.from_columns({"a": list("uvu"), "y": list("ppp")})
    assert remarks(learner, table) == ["Leaf: p, because all rows have one class (pure)."]


def test_the_variance_over_n_minus_1_where_answers_are_missing() -> None:
    """By hand: of 1, 1, 2, 2, 7 the sum is 13, that of the squares 59, so s² = (59 − 169/5) / 4 = 6.3."""
    numeric = Table.from_columns({"a": [1, 2, 3, 4, None, 6], "y": [1, 1, 2, 2, 2, 7]})
    learner = CART(criterion="variance_n_minus_1", max_depth=1)
    text = explain(learner.grow(numeric), numeric, node="/")
    assert "SSE(D̃)       = 59 − 13² / 5 = 25.2\ns²(D̃)        = 25.2 / (5 − 1) = 6.3" in text
    assert "Δs²(D, a<=5)" in text
    assert check(text) > 4
    assert "$$" in "\n".join(markdown(derived(learner, numeric, "/")))
