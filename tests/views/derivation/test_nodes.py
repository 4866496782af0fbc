"""The derivation: what is shown of each node, held against the decision and against the rows."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given

from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.id3 import ID3
from reference_tree.learners.place import Ties
from reference_tree.views.derivation.blocks import Block, Equations, Legend, PartitionTable, Ranking, Scope, Sentence
from reference_tree.views.derivation.formulas import FORMULAS
from reference_tree.views.derivation.nodes import derive
from reference_tree.views.derivation.remarks import REASONS
from tests.every import of_every
from tests.oracles import exact_value, purity
from tests.strategies import categorical_tables


def categories(columns: dict[str, Any]) -> Table:
    """A table in which digits are names."""
    return Table.from_columns(columns, categorical=["*"])


def derived(table: Table, learner: ID3 | None = None, path: str = "/") -> list[Block]:
    """The blocks of one node."""
    learner = learner or ID3()
    tree = learner.grow(table)
    return list(derive(tree, learner, table, Scope(path)))


def remarks(table: Table, learner: ID3 | None = None, path: str = "/") -> list[str]:
    """The sentences of one node."""
    return [block.text for block in derived(table, learner, path) if isinstance(block, Sentence)]


def fates(table: Table, learner: ID3 | None = None, path: str = "/") -> list[tuple[str, str]]:
    """What became of each candidate."""
    (ranking,) = (block for block in derived(table, learner, path) if isinstance(block, Ranking))
    return [(line.name, line.fate) for line in ranking.lines]


XOR = categories({"a": ["0", "0", "1", "1"], "b": ["0", "1", "0", "1"], "c": ["z"] * 4, "y": list("nppn")})


@given(categorical_tables())
def test_tables_rankings_and_margins_are_those_of_the_decision(table: Table) -> None:
    decision, blocks = ID3().decide(table.sample()), derived(table)
    allowed = [candidate for candidate in decision.candidates if not candidate.barred]
    shown = [block for block in blocks if isinstance(block, PartitionTable)]
    assert [(block.attribute, block.rows) for block in shown] == [(c.test.name, c.table.rows) for c in allowed]
    for ranking in (block for block in blocks if isinstance(block, Ranking)):
        scores = sorted((exact_value(candidate.scores["gain"]) for candidate in allowed), reverse=True)
        best = scores[0]
        assert [float(line.score) for line in ranking.lines] == pytest.approx([float(one) for one in scores], abs=1e-6)
        assert len(ranking.lines) == len(allowed)
        for line, score in zip(ranking.lines, scores, strict=True):
            if match := re.fullmatch(r"behind by ([\d.]+)", line.fate):
                assert abs(float(match[1]) - (best - score)) <= max(5.1e-7, 0.006 * (best - score))
            else:
                assert abs(best - score) < 1e-200


@given(categorical_tables())
def test_the_winners_of_the_ranking_are_the_purest_partitions(table: Table) -> None:
    if ID3().decide(table.sample()).stop is None:
        rows: dict[str, Any] = {
            candidate.test.name: candidate.table.rows for candidate in ID3().decide(table.sample()).candidates
        }
        ahead = {name for name, fate in fates(table) if "behind" not in fate}
        top = max(purity(rows[name]) for name, _ in fates(table))
        assert ahead == {name for name, _ in fates(table) if purity(rows[name]) == top}


@given(categorical_tables(rows=8))
def test_one_equation_leads_to_each_score(table: Table) -> None:
    blocks = derived(table)
    rankings = [block for block in blocks if isinstance(block, Ranking)]
    scores = {one.test.name: one.scores["gain"] for one in ID3().decide(table.sample()).candidates if not one.barred}
    assert {line.name for ranking in rankings for line in ranking.lines} == set(scores)
    equations = [block.lines[-1] for block in blocks if isinstance(block, Equations)][1:]
    assert [equation.symbol.text for equation in equations] == [f"g(D, {name})" for name in sorted(scores)]
    for equation in equations:
        assert equation.worked.value == scores[equation.symbol.text[5:-1]]


# Winners, ties, margins.


def test_an_exact_tie_is_listed_with_the_rule_that_settles_it() -> None:
    assert fates(textbook("watermelon-2.0"), path="/纹理=清晰")[:4] == [
        ("根蒂", "chosen of 3 exact ties: the first attribute in table order"),
        ("脐部", "exact tie"),
        ("触感", "exact tie"),
        ("敲声", "behind by 0.127250"),
    ]
    assert remarks(textbook("watermelon-2.0"), path="/纹理=清晰") == [
        "Split on 根蒂, tied exactly with 2 others; the next best, 敲声, is behind by 0.127250 bits."
    ]


def test_an_override_is_named_as_the_rule() -> None:
    learner = ID3(ties=Ties(choose={"/纹理=清晰": "脐部"}))
    assert fates(textbook("watermelon-2.0"), learner, "/纹理=清晰")[:3] == [
        ("根蒂", "exact tie"),
        ("脐部", "chosen of 3 exact ties: the override of ties names it here"),
        ("触感", "exact tie"),
    ]


def test_a_lone_candidate_has_no_margin() -> None:
    table = categories({"a": ["0", "1"], "y": ["n", "p"]})
    assert remarks(table) == ["Split on a: nothing else competes."]


def test_exclusive_or_ties_at_a_gain_of_nothing() -> None:
    assert remarks(XOR) == [
        "c is no candidate: all rows have c=z.",
        "Split on a: nothing else competes with the 2 winners.",
    ]
    (ranking,) = (block for block in derived(XOR) if isinstance(block, Ranking))
    assert [line.score for line in ranking.lines] == ["0", "0"]


def test_a_margin_smaller_than_six_decimals_is_still_a_margin() -> None:
    """Two attributes that differ in one row of very many, whose gains differ in the seventh decimal."""
    halves = ["0"] * 2000 + ["1"] * 2000
    nearly = ["0"] * 1001 + ["1"] * 999 + ["0"] * 1000 + ["1"] * 1000
    evenly = ["0"] * 1000 + ["1"] * 1000 + ["0"] * 1000 + ["1"] * 1000
    table = categories({"a": evenly, "b": nearly, "y": halves})
    (winner, fate), (_, behind) = fates(table)
    assert (winner, fate) == ("b", "chosen")
    assert 0 < float(behind.removeprefix("behind by ")) < 5e-7


# Leaves.


@of_every(
    [
        (ID3(), "/outlook=overcast", "Leaf: yes, because all rows have one class (pure)."),
        (ID3(max_depth=0), "/", "its children would lie at depth 1, and 0 is the deepest allowed (max-depth)."),
        (ID3(min_samples_split=6), "/outlook=sunny", "it has 5 rows, and a split needs 6 (min-samples-split)."),
        (ID3(min_samples_leaf=8), "/", "every split leaves a branch of less than 8 (min-samples-leaf)."),
        (ID3(epsilon=Fraction(1, 4)), "/", "the best gain falls short: 0.246750 < ε = 0.25 (epsilon)."),
        # Rounded to six decimals, both would be 0.246750.
        (ID3(epsilon=Fraction(24675, 10**5)), "/", "falls short: 0.246749819774 < ε = 0.24675 (epsilon)."),
    ]
)
def test_a_leaf_has_its_reason(learner: ID3, path: str, expected: str) -> None:
    assert remarks(textbook("play-tennis"), learner, path)[-1].endswith(expected)


def test_a_gain_just_below_a_threshold_is_seen_to_be_below() -> None:
    table = categories({"a": ["0", "1"], "y": ["n", "p"]})
    learner = ID3(epsilon=1 + Fraction(1, 10**19))
    assert remarks(table, learner)[0].startswith(
        "Leaf: n, because the best gain falls short: 1 < ε = 1.0000000000000000001 (epsilon); "
    )
    assert fates(table, learner) == [("a", "the best")]
    assert remarks(table, ID3(epsilon=1)) == ["Split on a: nothing else competes."]


def test_an_empty_branch_and_an_exhausted_one() -> None:
    table = categories({"a": [*"222222011"], "b": [*"000111222"], "y": [*"nnnpppnnp"]})
    (empty,) = remarks(table, path="/b=2/a=2")
    (exhausted,) = remarks(table, path="/b=2/a=1")
    assert empty == "Leaf: n, because no row arrives, and the majority of the node above stands (empty)."
    assert exhausted.startswith(
        "Leaf: n, because every attribute has been used on the way (no-attributes); n and p are"
    )


def test_an_equal_majority_names_the_rule() -> None:
    stump = ID3(max_depth=0)
    assert remarks(XOR, stump)[0].endswith("; n and p are equally common, and n is the first in class order.")
    labelled = ID3(max_depth=0, ties=Ties(label={"/": "p"}))
    assert remarks(XOR, labelled)[0].startswith("Leaf: p, because")
    assert remarks(XOR, labelled)[0].endswith("and p is named here by the override of ties.")


def test_equal_rows_are_no_candidates() -> None:
    table = categories({"a": ["0", "0"], "b": ["1", "1"], "y": ["n", "p"]})
    assert remarks(table)[:2] == ["a is no candidate: all rows have a=0.", "b is no candidate: all rows have b=1."]
    assert "no attribute separates its rows (no-candidates)" in remarks(table)[2]
    assert not any(isinstance(block, Equations | PartitionTable | Ranking) for block in derived(table))


def test_a_candidate_with_a_small_branch_is_barred_by_name() -> None:
    sentences = remarks(textbook("play-tennis"), ID3(min_samples_leaf=5))
    assert sentences[0] == "outlook is no candidate: overcast has 4 rows, and a branch needs 5 (min-samples-leaf)."
    assert sentences[-1].startswith("Split on humidity, with a margin of")


def test_every_reason_a_learner_here_can_give_has_its_words() -> None:
    stops = {
        "pure",
        "empty",
        "no-attributes",
        "no-candidates",
        "epsilon",
        "zero-gain",
        "max-depth",
        "min-samples-split",
        "min-samples-leaf",
        "min-child-weight",
        "min-impurity-decrease",
        "chi-squared",
        "average",
        "collapsed",
    }
    assert stops == REASONS.keys()
    assert ID3().decide(XOR.sample()).judged_by in FORMULAS


# All together.


def test_the_letters_are_explained_once() -> None:
    table = textbook("play-tennis")
    tree = ID3().grow(table)
    assert [type(block) for block in derive(tree, ID3(), table)].count(Legend) == 1
    assert [type(block) for block in derive(tree, ID3(), table, Scope("/"))].count(Legend) == 1
    assert Legend not in map(type, derive(tree, ID3(), table, Scope("/outlook=overcast")))  # a leaf without figures


@pytest.mark.parametrize(
    "other",
    [
        {"wind": ["weak", "strong", "weak"], "play": ["yes", "no", "no"]},
        {"wind": ["weak", "strong", "strong"], "play": ["yes", "no", "yes"]},
    ],
)
def test_a_tree_from_other_rows_is_refused(other: dict[str, Any]) -> None:
    table = categories({"wind": ["weak", "strong", "weak"], "play": ["yes", "no", "yes"]})
    with pytest.raises(InputError, match=r"not grown from this table .* at /"):
        list(derive(ID3().grow(table), ID3(), categories(other)))


def test_a_tree_under_other_options_is_refused() -> None:
    table = textbook("play-tennis")
    with pytest.raises(InputError, match="at / they differ"):
        list(derive(ID3().grow(table), ID3(max_depth=0), table))


def test_names_stay_on_their_line() -> None:
    table = categories({"a\nb": ["0\n", "1"], "y": ["n\r", "p"]})
    for block in derived(table):
        texts = [str(part) for part in block if isinstance(part, str)]
        assert all(text.isprintable() for text in texts)
