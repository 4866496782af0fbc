"""The derivation of gain ratios, cuts and missing values: every equation worked out again."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.c45 import C45
from reference_tree.programs.c45.release8 import COLLAPSE
from reference_tree.programs.c45_options import ChargedCandidate
from reference_tree.views.derivation.blocks import Equations, PartitionTable, Scope, Sentence
from reference_tree.views.derivation.explain import explain
from reference_tree.views.derivation.nodes import derive
from tests.strategies import tables_with_gaps
from tests.views.calculator import check


@pytest.mark.slow
@given(tables_with_gaps(rows=6))
def test_the_arithmetic_of_any_table(table: Table) -> None:
    tree = C45(max_depth=2).grow(table)
    check(explain(tree, table))
    explain(tree, table, format="markdown")


def test_the_root_of_the_melons_as_a_teacher_would_write_it() -> None:
    root = explain(C45().grow(textbook("watermelon-2.0a")), textbook("watermelon-2.0a"), node="/")
    lines = [
        "ρ            = 15/17 ≈ 0.882353",
        "  清晰    1    6   7/15   1/7·log2(7/1) + 6/7·log2(7/6) ≈ 0.591673",
        "  ?       1    1",
        "g(D̃, 纹理)   = 0.996792 − 0.516757 ≈ 0.480035 bits",
        "g(D, 纹理)   = 15/17·0.480035 ≈ 0.423560 bits",
        "g_R(D, 纹理) = 0.4235603 / 1.5058231 ≈ 0.281282",
        "ḡ = (0.251966 + 0.171178 + 0.144803 + 0.423560 + 0.288825 + 0.005713) / 6 ≈ 0.214341 bits",
        "The gains of 根蒂, 敲声 and 触感 are below ḡ: they may not win.",
        "Split on 纹理, with a margin of 0.092522 over the next best, 脐部.",
    ]
    assert [line for line in lines if line not in root] == []
    assert not re.search(r"^H\(D\) += \d", root, re.MULTILINE)  # no question is answered by all rows, and none needs it
    assert re.search(r"g_R\(D, 触感\) +0\.0062\d+   excluded: its gain is below the average", root)


# The programs' rules.


@pytest.mark.slow
def test_the_charge_for_a_cut_is_worked_out() -> None:
    """log2 of the number of cuts that are tried, over the number of melons; the threshold is a value of the data."""
    table = textbook("watermelon-3.0")
    root = explain(C45.like("c45-r8").grow(table), table, node="/")
    tries = re.search(r"含糖率: the (\d+) cuts", root)
    assert tries is not None
    assert re.search(rf"c\(D, 含糖率<=0\.103\) += log2\({tries[1]}\) / 17 ", root)
    assert "c(D, A) = log2(N) / |D| " in explain(C45.like("c45-r8").grow(table), table)
    assert "Split on 纹理" in root


@pytest.mark.slow
def test_a_threshold_that_is_moved_is_said_to_be() -> None:
    table = textbook("iris")
    text = explain(C45.like("weka-j48").grow(table), table, node="/")
    assert "The cut lies between 0.6 and 1; its threshold is put at 0.6, a value of the data, instead of the" in text
    assert "The cut lies" not in explain(C45().grow(table), table)


@pytest.mark.one_in(5, 10)
@pytest.mark.parametrize("profile", ["zhou", "c45-r8", "weka-j48"])
@pytest.mark.parametrize("name", ["golf", "iris", "watermelon-3.0", "watermelon-2.0a"])
def test_the_last_equation_of_a_candidate_is_its_ratio(name: str, profile: str) -> None:
    table, learner = textbook(name), C45.like(profile)
    tree = learner.grow(table)
    candidates = learner.decide(table.sample()).candidates
    ratios = {candidate.test.name: candidate.scores["ratio"] for candidate in candidates if candidate.scores}
    blocks = list(derive(tree, learner, table, Scope("/")))
    shown = [block.attribute for block in blocks if isinstance(block, PartitionTable) and block.impurities]
    equations = [block.lines[-1] for block in blocks if isinstance(block, Equations)]
    last = [one.worked.value for one in equations if one.symbol.text.startswith("g_R(")]
    assert shown
    for candidate, value in zip(shown, last, strict=True):
        assert value == ratios[candidate]


def test_a_collapsed_node_shows_what_it_would_have_asked_and_why_it_does_not() -> None:
    table = Table.from_columns({"a": list("ppppqqqq"), "y": list("nnnnnnny")})
    learner = C45.with_options(collapse=COLLAPSE["no-fewer-errors"])
    tree = learner.grow(table)
    assert [node.stop for node in tree.nodes] == ["collapsed"]
    text = explain(tree, table)
    assert "g_R(D, a)   " in text
    reason = "the subtree that was grown here misclassifies 1 of its rows, and the leaf 1 (collapsed)"
    assert f"Leaf: n, because {reason}." in text


def test_a_collapsed_node_deep_in_a_tree() -> None:
    table = textbook("iris")
    learner = C45.with_options(collapse=COLLAPSE["no-fewer-errors"])
    tree = learner.grow(table)
    whole = C45().grow(table)
    collapsed = [number for number, node in enumerate(tree.nodes) if node.stop == "collapsed"]
    for number in collapsed:
        node = whole.nodes[whole.find(tree.path(number))]
        wrong = sum(node.counts) - max(node.counts)
        assert f"and the leaf {wrong} (collapsed)" in explain(tree, table, node=tree.path(number))


def test_a_constant_number_is_no_candidate() -> None:
    table = Table.from_columns({"x": ["5", "5", "5"], "a": ["p", "q", "q"], "y": ["n", "y", "y"]})
    assert "x is no candidate: all rows have x=5.\n" in explain(C45().grow(table), table)


def test_the_learner_is_called_as_people_call_it_and_its_profile_is_no_list_of_options() -> None:
    table = textbook("golf")
    assert explain(C45().grow(table), table).startswith("C4.5 on golf\n")
    text = explain(C45.like("c45-r8", max_depth=1).grow(table), table)
    assert "learner   C4.5, profile c45-r8, with max_depth = 1\n" in text


def test_the_best_cut_of_many_is_that_of_largest_gain() -> None:
    """By ratio, 67.5 and 95.5 would be the best cuts of the humidity."""
    root = explain(C45().grow(textbook("golf")), textbook("golf"), node="/")
    assert "humidity<=82.5   no" in root
    assert "humidity: the 8 cuts" in root
    assert "82.5   80 and 85       2        7      3       2   0.102244   the best by gain" in root


@pytest.mark.slow
def test_a_chain_of_cuts_is_explained_in_time_that_grows_with_what_is_tried() -> None:
    """Every node has one row less than the one above; the figures of its cuts are not worked out over and over."""
    cells = {"x": [str(i) for i in range(60)], "y": ["ab"[i % 2] for i in range(60)]}
    table = Table.from_columns(cells)
    tree = C45().grow(table)
    calls = 0
    scores = ChargedCandidate.scores.func  # type: ignore[attr-defined]

    def counted(contender: ChargedCandidate) -> object:
        nonlocal calls
        calls += 1
        return scores(contender)

    ChargedCandidate.scores.func = counted  # type: ignore[attr-defined]
    try:
        explain(tree, table)
    finally:
        ChargedCandidate.scores.func = scores  # type: ignore[attr-defined]
    assert calls < 30 * len(tree.nodes)


@pytest.mark.parametrize("profile", ["c45-r8", "weka-j48"])
def test_where_nobody_counts_for_the_average_it_is_said(profile: str) -> None:
    table = Table.from_columns({"b": list("abcdefgh"), "c": [1] * 8, "y": list("ppqqppqq")})
    learner = C45.like(profile, min_samples_leaf=1)
    sentences = [block.text for block in derive(learner.grow(table), learner, table) if isinstance(block, Sentence)]
    assert sentences[-2] == (
        "There is no average gain: b has very many values, at least 3/10 of the weight of the table, so its gain is "
        "left out of it, and no other attribute can be tested."
    )
    assert "no attribute may compete by its ratio (average)" in sentences[-1]
