"""Error-based pruning: U and what follows from it are worked out as they were found."""

from __future__ import annotations

import re
from fractions import Fraction
from math import comb, sqrt
from pathlib import Path
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.pruning.error_based import ErrorBased, error_based
from reference_tree.pruning.error_limits import LIMITS
from reference_tree.tree import Tree
from reference_tree.tree_document import read_tree
from reference_tree.views.derivation.blocks import Decided, Equations, NodeHeading, Sentence
from reference_tree.views.derivation.error_pruning import estimates, preface
from reference_tree.views.derivation.notation import opened, tex
from reference_tree.views.derivation.writers.text import write
from tests.every import of_every
from tests.views.arithmetic import evaluated, evaluated_tex
from tests.views.calculator import check
from tests.views.checked import contradictions, relations
from tests.views.pruned import FULL, TRAINING

RECORDED = Path(__file__).parents[2] / "recorded"
LABOR = read_tree(RECORDED / "weka-j48" / "labor.unpruned.json")
CONTRACTS = rt.read(RECORDED / "data" / "labor.arff")


def lines_of(part: Decided) -> dict[str, Any]:
    """The lines of a decision by their symbols."""
    return {
        one.symbol.text: one.worked.value
        for block in part.blocks
        if isinstance(block, Equations)
        for one in block.lines
    }


def sentences(part: Decided) -> str:
    return " ".join(block.text for block in part.blocks if isinstance(block, Sentence))


@pytest.mark.slow
@pytest.mark.parametrize("raising", [True, False])
@pytest.mark.parametrize("profile", ["weka-j48", "c45-r8"])
def test_estimates_are_those_that_decided(profile: str, raising: bool) -> None:
    rules = ErrorBased.like(profile, raising=raising)
    found = error_based(LABOR, CONTRACTS, rules)
    for part, one in zip(estimates(LABOR, found, rules), found.judgements, strict=True):
        lines = lines_of(part)
        assert lines["e(t)"] == one.leaf
        assert lines["e(T_t)"] == one.subtree
        assert lines.get("e(B_t)") == one.branch
        assert ("B_t is " in sentences(part)) == rules.raising
        ends = {"leaf": "it becomes a leaf.", "keep": "it stays.", "raise": "the branch takes its place."}
        assert sentences(part).endswith(ends[one.verdict])
        page = "\n".join(write(part.blocks))
        assert not contradictions(page)
        assert len(list(relations(page))) >= 3


def test_the_binomial_equation_is_solved_by_the_u_that_is_shown() -> None:
    """Each left side, with U put in as it is printed, comes to CF as nearly as six decimals say."""
    rules = ErrorBased(confidence=Fraction(1, 10))
    iris = rt.textbook("iris")
    tree = rt.C45().grow(iris)
    for known, rows in ((tree, iris), (FULL, TRAINING)):
        found = error_based(known, rows, rules)
        page = "\n".join(line for part in estimates(known, found, rules) for line in (*write(part.blocks), ""))
        pairs = re.findall(r"^(\S.*U.*?)\s+= (?:1/10 = )?0\.1\nU\((\d+), (\d+)\)\s+≈ (\S+)$", page, re.MULTILINE)
        assert pairs
        for left, errors, n, u in pairs:
            e, rows_of_it, rate = int(errors), int(n), float(u)
            exact = sum(comb(rows_of_it, k) * rate**k * (1 - rate) ** (rows_of_it - k) for k in range(e + 1))
            assert exact == pytest.approx(0.1, abs=1e-5 * rows_of_it)
            if "Σ" not in left:
                assert evaluated(left.replace("U", u)) == pytest.approx(exact, abs=1e-12)
        assert not contradictions(page)


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize("limit", ["table", "normal"])
def test_the_normal_equation_is_solved_by_the_u_that_is_shown(limit: str) -> None:
    """E + 1/2 = N·U - z·√(N·U·(1 - U)), by floats."""
    rules = ErrorBased(limit=LIMITS[limit])
    found = error_based(FULL, TRAINING, rules)
    z = {"table": 0.6925, "normal": 0.67448975}[limit]
    page = "\n".join(line for part in estimates(FULL, found, rules) for line in (*write(part.blocks), ""))
    shown = re.findall(r"^U\((\d+), (\d+)\) += (?:(?!\n\S)[^≈])* ≈ (\S+)$", page, re.MULTILINE)
    assert len(shown) >= 5
    for e, n, u in ((int(e), int(n), float(u)) for e, n, u in shown):
        assert e + 0.5 == pytest.approx(n * u - z * sqrt(n * u * (1 - u)), abs=1e-4)
    zeros = re.findall(r"^U\(0, (\d+)\) += .*?= (\S+)$", page, re.MULTILINE)
    assert zeros
    assert all((1 - float(u)) ** int(n) == pytest.approx(0.25, abs=1e-5) for n, u in zeros)


@of_every(["binomial", "table", "normal"])
def test_the_same_stands_in_tex(limit: str) -> None:
    rules = ErrorBased(limit=LIMITS[limit])
    found = error_based(FULL, TRAINING, rules)
    blocks = [block for part in estimates(FULL, found, rules) for block in part.blocks if isinstance(block, Equations)]
    lines = [one for block in blocks for one in block.lines if opened(one.worked).operation != "number"]
    assert len(lines) > 10
    for one in lines:
        assert evaluated_tex(tex(opened(one.worked))) == pytest.approx(float(one.worked.value), abs=1e-5)


def test_z_is_derived_where_it_comes_from_a_table() -> None:
    rules = ErrorBased.like("c45-r8")
    page = "\n".join(write(preface(error_based(FULL, TRAINING, rules), rules)))
    assert "z = 0.84 + (0.25 − 0.84)·(0.25 − 0.2) / (0.4 − 0.2) = 0.6925" in page
    assert "0.84 for 1/5 and 0.25 for 2/5" in page.partition("\nz = ")[0]
    assert not contradictions(page)
    assert "z ≈ 0.674490\n" in "\n".join(write(preface(error_based(LABOR, CONTRACTS, J48), J48)))


J48 = ErrorBased.like("weka-j48")


def test_the_legend_has_what_the_lines_use_and_no_more() -> None:
    small = error_based(FULL, TRAINING, ErrorBased())
    page = "\n".join(write(preface(small, ErrorBased())))
    assert "Σ_{k≤E} C(N, k)·U^k·(1 − U)^(N − k) = CF" in page
    assert "z" not in page.replace("size", "")
    assert "a_0" not in page
    assert "a_0" in "\n".join(write(preface(error_based(LABOR, CONTRACTS, J48), J48)))
    without = ErrorBased(raising=False)
    assert "B_t" not in "\n".join(write(preface(error_based(FULL, rules=without), without)))


def test_less_than_one_error_lies_on_a_straight_line() -> None:
    """By hand: N·U(1/2, N) is halfway between N·U(0, N) and N·U(1, N) less 1, and half an error more."""
    rules = ErrorBased.like("c45-r8")
    table = rt.Table.from_columns({"x": ["u", "u", "v", "v", None], "y": ["no", "no", "yes", "yes", "no"]})
    tree = rt.C45().grow(table)
    (part,) = estimates(tree, error_based(tree, table, rules), rules)
    page = "\n".join(write(part.blocks))
    none, one = rules.limit(0, Fraction(5, 2), Fraction(1, 4)), rules.limit(1, Fraction(5, 2), Fraction(1, 4))
    shown = re.search(r"N·U\(0\.5, 2\.5\) = 0\.5 \+ .* ≈ (\S+)", page)
    assert shown
    assert float(shown[1]) == pytest.approx(0.5 + (float(none) + float(one) - 1) / 2, abs=1e-6)
    assert not contradictions(page)


@pytest.mark.parametrize(
    ("profile", "expected"), [("c45-r8", "1 \\+ 0.67·\\(1.5 − 1\\) ="), ("weka-j48", "(3/2 = )?1.5\\n")]
)
def test_near_n_each_program_has_a_rule_of_its_own(profile: str, expected: str) -> None:
    """By hand: of u come half a p, half a q and half an r; as a leaf it gets E = 1 of N = 1.5 wrong."""
    columns = {"x": list("uuuvv"), "y": list("pqrpp"), "w": ["0.5"] * 3 + ["1"] * 2}
    table = rt.Table.from_columns(columns, target="y", weights="w", continuous=["w"])
    tree, rules = rt.C45().grow(table), ErrorBased.like(profile)
    found = error_based(tree, table, rules)
    (part,) = estimates(tree, found, rules)
    page = "\n".join(write(part.blocks))
    assert re.search(rf"^N·U\(1, 1\.5\) += {expected}", page, re.MULTILINE)
    assert not contradictions(page)
    legend = "\n".join(write(preface(found, rules)))
    assert ("E + 0.67·(N − E)" if profile == "c45-r8" else "all N rows") in legend


def test_a_raised_branch_has_other_rows_from_then_on() -> None:
    found = error_based(LABOR, CONTRACTS, J48)
    raised = [one.node for one in found.judgements if one.verdict == "raise"]
    assert raised
    again = [
        part
        for part, one in zip(estimates(LABOR, found, J48), found.judgements, strict=True)
        if one.counts != LABOR.nodes[one.node].counts
    ]
    heads = [block.arrives for part in again for block in part.blocks if isinstance(block, NodeHeading)]
    assert heads
    assert all(arrives.endswith(" by now") for arrives in heads)


def test_the_signs_are_those_of_the_comparisons() -> None:
    """With Weka's addErrs by hand: 16·U(1, 16) = 2.475715 for z = 0.674490, and 2.506894 for z = 0.6925."""
    votes = {"education": ["n"] * 6 + ["y"] * 9 + ["u"], "party": ["democrat"] * 15 + ["republican"]}
    data = rt.Table.from_columns(votes, target="party")
    tree = rt.C45().grow(data)
    for profile, shown in (
        ("c45-r8", ("2.506894 ≤ 3.272601 + 0.1", "2.506894 ≤ 2.506894 + 0.1", "≤ {} + 0.1")),
        ("weka-j48", ("2.475715 < 3.272601 + 0.100001", "2.475715 < 2.475715 + 0.100001", "< {} + 0.100001")),
    ):
        rules = ErrorBased.like(profile)
        (part,) = estimates(tree, error_based(tree, data, rules), rules)
        below, branch, other = shown
        assert sentences(part) == (
            "B_t is /education=y, a leaf; with all rows of t, e(B_t) = e(t). "
            f"{below}: e(t) {other.format('e(T_t)')}; {branch}: e(t) {other.format('e(B_t)')}, so it becomes a leaf."
        )


@pytest.mark.slow
@pytest.mark.parametrize(("tree", "data"), [(FULL, TRAINING), (LABOR, CONTRACTS)])
@pytest.mark.parametrize("profile", ["weka-j48", "c45-r8"])
def test_a_branch_that_has_become_a_leaf_is_called_one(tree: Tree, data: rt.Table, profile: str) -> None:
    rules = ErrorBased.like(profile)
    found = error_based(tree, data, rules)
    gone = set[int]()
    for part, one in zip(estimates(tree, found, rules), found.judgements, strict=True):
        assert one.largest is not None
        is_leaf = tree.nodes[one.largest].test is None or one.largest in gone
        assert (", a leaf; " in sentences(part)) == is_leaf
        assert one.branch == one.leaf or not is_leaf
        gone |= {one.node} if one.verdict == "leaf" else set()
    assert gone & {one.largest for one in found.judgements}


def test_each_side_of_a_comparison_has_its_name() -> None:
    tree, rules = rt.ID3().grow(TRAINING), ErrorBased.like("c45-r8")
    *_, root = estimates(tree, error_based(tree, TRAINING, rules), rules)
    assert sentences(root) == (
        "B_t is /色泽=青绿, its leaves counted anew with all rows of t. "
        "6.541596 > 5.689388 + 0.1: e(t) > e(T_t) + 0.1, so no leaf; "
        "6.149451 > 5.689388 + 0.1: e(B_t) > e(T_t) + 0.1, so it stays."
    )


def test_of_equally_large_branches_the_last_is_tried_as_the_legend_says() -> None:
    """By hand: u and v have two rows each."""
    data = rt.Table.from_columns({"x": list("uuvv"), "y": ["no", "no", "yes", "yes"]})
    tree, rules = rt.C45().grow(data), ErrorBased.like("c45-r8")
    found = error_based(tree, data, rules)
    (part,) = estimates(tree, found, rules)
    assert "B_t is /x=v, " in sentences(part)
    assert "largest branch (of equals the last)" in " ".join("\n".join(write(preface(found, rules))).split())


def test_rows_that_stay_are_a_part_of_the_sum() -> None:
    """By hand: of 5 rows one has no x and stays; its part of the node's own errors is a fifth."""
    table = rt.Table.from_columns({"x": ["u", "u", "v", "v", None], "y": ["no", "no", "yes", "yes", "yes"]})
    tree = rt.CART(missing="stay").grow(table)
    rules = ErrorBased(raising=False)
    found = error_based(tree, rules=rules)
    (part,) = estimates(tree, found, rules)
    assert float(lines_of(part)["e(T_t)"]) == pytest.approx(float(found.judgements[0].subtree))
    assert not contradictions("\n".join(write(part.blocks)))


@pytest.mark.parametrize("name", ["golf", "watermelon-3.0"])
def test_the_estimate_of_a_raised_branch_is_the_sum_over_its_leaves(name: str) -> None:
    """With all rows of the node: each is at one leaf, and U is what a formula of floats says."""
    table, rules = rt.textbook(name), ErrorBased.like("c45-r8")
    tree = rt.C45().grow(table)
    several = 0
    for part in estimates(tree, error_based(tree, table, rules), rules):
        page = "\n".join(write(part.blocks))
        limits = {match[1]: match[2] for match in re.finditer(r"^U\((.*?)\) .* ([\d.]+)$", page, re.MULTILINE)}
        assert all(float(u) == pytest.approx(_u(*pair.split(", ")), abs=1e-6) for pair, u in limits.items())
        (formula,) = re.findall(r"^e\(B_t\) +[=≈] ([^=≈\n]*)", page, re.MULTILINE)
        (rows,) = re.findall(r"^/.*?   (\d+) rows?", page, re.MULTILINE)
        terms = re.findall(r"(?:(\d+)·\()?(\d+)·([\d.]+)", formula)
        assert sum(int(times or 1) * int(n) for times, n, _ in terms) == int(rows)
        for _, n, u in terms:
            known = [float(found) for pair, found in limits.items() if pair.endswith(f", {n}")]
            assert any(float(u) == pytest.approx(found, abs=1e-6) for found in known)
        several += len(terms) > 1
    assert several


def _u(errors: str, rows: str) -> float:
    e, n, z = float(errors), float(rows), 0.6925
    if not e:
        return float(1 - 0.25 ** (1 / n))
    return (e + 0.5 + z * z / 2 + sqrt(z * z * ((e + 0.5) * (1 - (e + 0.5) / n) + z * z / 4))) / (n + z * z)


@pytest.mark.parametrize("limit", ["table", pytest.param("normal", marks=pytest.mark.slow)])
def test_a_calculator_comes_from_z_to_u(limit: str) -> None:
    """With z to six decimals, U(2, 5) came out as 0.644395 and stood as 0.644394."""
    rules = ErrorBased(limit=LIMITS[limit])
    found = 0
    for rows in range(2, 10):
        columns = {"x": ["a"] * rows + ["b"] * rows, "y": [*["no"] * rows, *["yes"] * rows]}
        for errors in range(rows // 2 + 1):
            columns["y"][:errors] = ["yes"] * errors
            table = rt.Table.from_columns(columns, target="y")
            tree = rt.ID3().grow(table)
            for part in estimates(tree, error_based(tree, table, rules), rules):
                found += check("\n".join(write(part.blocks)))
    assert found > 100
