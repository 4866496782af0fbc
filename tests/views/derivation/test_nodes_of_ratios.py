"""The derivation of gain ratios, cuts and missing values: every equation worked out again."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.dialects.c45_programs import ChargedCandidate
from reference_tree.dialects.collapsing import COLLAPSE
from reference_tree.learners.c45 import C45
from reference_tree.views.derivation.blocks import Equations, PartitionTable, Sentence
from reference_tree.views.derivation.explain import explain
from reference_tree.views.derivation.nodes import derive
from tests.strategies import tables_with_gaps
from tests.views.arithmetic import evaluated


def statements(text: str) -> list[tuple[str, list[str]]]:
    """Each equation and each last cell of a table's row: what it is about, and its sides."""
    found: list[tuple[str, list[str]]] = []
    for line in re.sub(r"\n\s+(?=[=≈+−] )", " ", text).splitlines():
        if equation := re.match(r"((?:ρ|H|g_R|g)\S*(?:\(.*?\))?) *= (.*)", line):
            found.append((equation[1], re.split(" [=≈] ", re.sub(" (bits|exactly)$", "", equation[2]))))
        elif line.startswith("  ") and re.search(" [=≈] ", last := re.split(" {3,}", line)[-1]):
            found.append(("H(D_i)", re.split(" [=≈] ", last)))
    return found


def tolerance(about: str, side: str) -> float:
    """How far figures of six decimals can lead astray: a ratio as far as its divisor is small."""
    if not re.search(r"\d+\.\d{6}", side):
        return 6e-7
    return 3e-6 / min(1.0, evaluated(side.rpartition(" / ")[2])) if about.startswith("g_R") else 3e-6


def assert_arithmetic(text: str) -> int:
    found = statements(text)
    for about, (first, *others) in found:
        for side in others:
            assert evaluated(side) == pytest.approx(evaluated(first), abs=tolerance(about, first)), f"{about}: {side}"
    return len(found)


@pytest.mark.parametrize("profile", ["zhou", "li-hang"])
@pytest.mark.parametrize("name", ["golf", "loan", "watermelon-2.0a", "watermelon-3.0", "play-tennis-id"])
def test_the_arithmetic_of_the_textbooks(name: str, profile: str) -> None:
    table = textbook(name)
    assert assert_arithmetic(explain(C45.like(profile).grow(table), table)) > 20


@given(tables_with_gaps(rows=6))
def test_the_arithmetic_of_any_table(table: Table) -> None:
    tree = C45(max_depth=2).grow(table)
    assert_arithmetic(explain(tree, table))
    explain(tree, table, format="markdown")


def test_arithmetic_that_is_wrong_is_found() -> None:
    root = explain(C45().grow(textbook("watermelon-2.0a")), textbook("watermelon-2.0a"), node="/")
    assert assert_arithmetic(root) > 40
    for right, wrong in (
        ("14/17·0.305958", "15/17·0.305958"),
        ("≈ 0.188759", "≈ 0.188859"),
        ("14/17 ≈ 0.8", "14/17 ≈ 0.9"),
    ):
        assert right in root
        with pytest.raises(AssertionError):
            assert_arithmetic(root.replace(right, wrong))


def test_the_root_of_the_melons_as_a_teacher_would_write_it() -> None:
    root = explain(C45().grow(textbook("watermelon-2.0a")), textbook("watermelon-2.0a"), node="/")
    lines = [
        "ρ            = 15/17 ≈ 0.882353",
        "g(D̃, 纹理)   = 0.996792 − 0.516757 ≈ 0.480035",
        "g(D, 纹理)   = 15/17·0.480035 ≈ 0.423560",
        "g_R(D, 纹理) = 0.423560 / 1.505823 ≈ 0.281282",
        "The average gain is 0.214341; 根蒂, 敲声, 触感 fall short of it.",
        "g_R(D, 纹理)   0.281282   chosen",
        "Split on 纹理, with a margin of 0.092522 over the next best, 脐部.",
    ]
    assert all(line in root for line in lines)


# The programs' rules.


@pytest.mark.parametrize("profile", ["c45-r8", "weka-j48"])
@pytest.mark.parametrize("name", ["golf", "iris", "watermelon-2.0a", "watermelon-3.0"])
def test_the_arithmetic_of_the_programs(name: str, profile: str) -> None:
    table = textbook(name)
    assert assert_arithmetic(explain(C45.like(profile).grow(table), table)) > 10


def test_the_charge_for_a_cut_is_worked_out() -> None:
    """log2 of the number of cuts that are tried, over the number of melons; the threshold is a value of the data."""
    table = textbook("watermelon-3.0")
    root = explain(C45.like("c45-r8").grow(table), table, node="/")
    tries = re.search(r"Of the (\d+) cuts of 含糖率 that are tried, the best one is shown", root)
    assert tries is not None
    assert re.search(rf"c\(D, 含糖率<=0\.103\) += log2\({tries[1]}\) / 17 ", root)
    assert "c(D, A)     what is charged for having chosen the cut among many" in explain(
        C45.like("c45-r8").grow(table), table
    )
    assert "Split on 纹理" in root


def test_a_threshold_that_is_moved_is_said_to_be() -> None:
    table = textbook("iris")
    text = explain(C45.like("weka-j48").grow(table), table, node="/")
    assert "The cut lies between 0.6 and 1; its threshold is put at 0.6, a value of the data, instead of the" in text
    assert "The cut lies" not in explain(C45().grow(table), table)


@pytest.mark.parametrize("profile", ["zhou", "c45-r8", "weka-j48"])
@pytest.mark.parametrize("name", ["golf", "iris", "watermelon-3.0", "watermelon-2.0a"])
def test_the_last_equation_of_a_candidate_is_its_ratio(name: str, profile: str) -> None:
    table, learner = textbook(name), C45.like(profile)
    tree = learner.grow(table)
    candidates = learner.decide(table.sample()).candidates
    ratios = {candidate.test.name: candidate.scores["ratio"] for candidate in candidates if candidate.scores}
    blocks = list(derive(tree, learner, table, 0))
    shown = [block.attribute for block in blocks if isinstance(block, PartitionTable) and block.impurities]
    last = [block.lines[-1].worked.value for block in blocks if isinstance(block, Equations)][-len(shown) :]
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
    assert (
        "Leaf: n, because the subtree that was grown here gets 1 of its rows wrong, and the leaf 1 (collapsed)." in text
    )


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
    assert "Of the 8 cuts of humidity that are tried, the best one is shown." in root


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
        "left out of it, and no other attribute can be asked."
    )
    assert "no attribute may compete by its ratio (average)" in sentences[-1]
