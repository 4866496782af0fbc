"""Error-based pruning: the recorded trees of J48, and the method written down once more, recursively."""

from __future__ import annotations

import struct
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.exact.log_sums import UndecidedError
from reference_tree.learners.c45 import C45
from reference_tree.learners.growing import grow
from reference_tree.learners.id3 import ID3
from reference_tree.node import Node
from reference_tree.pruning.cutting import cut
from reference_tree.pruning.error_based import PROFILES, ErrorBased, at_most, at_most_nearly, error_based
from reference_tree.pruning.error_limits import binomial, normal, table
from reference_tree.tree import Tree
from reference_tree.tree_document import from_json
from tests.every import of_every
from tests.peers import weka
from tests.peers.data_sets import data_set
from tests.peers.recordings import CLASSIFICATION, RECORDINGS
from tests.pruning.prunings import recount, structure
from tests.strategies import categorical_tables, tables_with_gaps

every_profile = pytest.mark.parametrize("profile", PROFILES)


def asked(tree: Tree) -> list[object]:
    """What a tree asks and answers; of counts, which J48 has in doubles, nothing."""
    return [(node.test, node.branches, node.label) for node in tree.nodes]


# Weka.


def recorded(name: str, setting: str) -> Tree:
    recording = next(r for r in RECORDINGS if (r.program, r.data, r.setting) == ("weka-j48", name, setting))
    return from_json(recording.text())


def rows_of(name: str) -> Table:
    return rt.read(str(data_set(name).path))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", CLASSIFICATION)
def test_j48_prunes_the_same(name: str) -> None:
    pruning = error_based(recorded(name, "unpruned"), rows_of(name), ErrorBased.like("weka-j48"))
    assert asked(pruning.tree) == asked(recorded(name, "pruned"))


OTHER_OPTIONS = [
    (name, options)
    for name in ("labor", "vote", "soybean", "pima", "glass", "weather-numeric")
    for options in ("-C 0.05", "-C 0.4", "-C 0.5 -S", "-C 0.25 -S", "-C 0.01")
]


@cache
def grown_today() -> dict[tuple[str, str], str]:
    jobs = [("J48", data_set(name), f"{options} -M 2") for name, options in OTHER_OPTIONS]
    return dict(zip(OTHER_OPTIONS, weka.grow(jobs), strict=True))


@pytest.mark.oracles
@pytest.mark.parametrize(("name", "options"), OTHER_OPTIONS)
def test_j48_prunes_the_same_under_other_options(name: str, options: str) -> None:
    if missing := weka.absent():
        pytest.skip(missing)
    theirs = from_json(grown_today()[name, options])
    confidence = Fraction(struct.unpack("f", struct.pack("f", float(options.split()[1])))[0])  # the program's own float
    rules = ErrorBased.like("weka-j48", confidence=confidence, raising="-S" not in options)
    assert asked(error_based(recorded(name, "unpruned"), rows_of(name), rules).tree) == asked(theirs)


def test_c45s_table_and_the_normal_quantile_give_different_trees() -> None:
    tree, rows = recorded("pima", "unpruned"), rows_of("pima")
    sizes = {profile: len(error_based(tree, rows, ErrorBased.like(profile)).tree.nodes) for profile in PROFILES}
    assert sizes == {"c45-r8": 43, "weka-j48": 39}


# The method, once more.


Rows: TypeAlias = list[tuple[dict[str, Any], Fraction]]


class Mutable:
    """A subtree as an object, and its rows as lists of (row, weight): nothing in common with the package."""

    def __init__(self, tree: Tree, number: int) -> None:
        node = tree.nodes[number]
        self.test, self.label = node.test, node.label
        self.below = [Mutable(tree, branch) for branch in node.branches]
        self.rows: Rows = []

    def divided(self, rows: Rows) -> list[Rows]:
        assert self.test is not None
        parts: list[Rows] = [[] for _ in self.below]
        unknown = []
        for row, weight in rows:
            branch = self.test.branch(row)
            if branch is None:
                unknown.append((row, weight))
            else:
                parts[branch].append((row, weight))
        sums = [sum((weight for _, weight in part), Fraction(0)) for part in parts]
        for row, weight in unknown:
            for part, known in zip(parts, sums, strict=True):
                if known:
                    part.append((row, weight * known / sum(sums)))
        return parts

    def send(self, rows: Rows) -> None:
        self.rows = rows
        if self.test is not None:
            for branch, part in zip(self.below, self.divided(rows), strict=True):
                branch.send(part)


def weights(rows: Rows, target: str) -> dict[object, Fraction]:
    found: dict[object, Fraction] = {}
    for row, weight in rows:
        found[row[target]] = found.get(row[target], Fraction(0)) + weight
    return found


def estimated(node: Mutable, rows: Rows, rules: ErrorBased, target: str) -> Any:
    if node.test is None:
        found = list(weights(rows, target).values())
        return rules.limit(sum(found) - max(found), sum(found), Fraction(rules.confidence)) if found else 0
    parts = zip(node.below, node.divided(rows), strict=True)
    return sum((estimated(branch, part, rules, target) for branch, part in parts), 0)


def pruned(node: Mutable, rules: ErrorBased, target: str) -> None:
    """Quinlan's procedure, as he tells it."""
    if node.test is None:
        return
    for branch in node.below:
        pruned(branch, rules, target)
    took = [(node.test.branch(row), weight) for row, weight in node.rows]
    known = [sum((weight for taken, weight in took if taken == b), Fraction(0)) for b in range(len(node.below))]
    largest = max(b for b, weight in enumerate(known) if weight == max(known))
    found = list(weights(node.rows, target).values())
    as_leaf = rules.limit(sum(found) - max(found), sum(found), Fraction(rules.confidence))
    as_tree = estimated(node, node.rows, rules, target)
    as_branch = estimated(node.below[largest], node.rows, rules, target) if rules.raising else None
    if rules.comparison(as_leaf, as_tree) and (as_branch is None or rules.comparison(as_leaf, as_branch)):
        node.test, node.below = None, []
    elif as_branch is not None and rules.comparison(as_branch, as_tree):
        raised = node.below[largest]
        node.test, node.below, node.label = raised.test, raised.below, raised.label
        node.send(node.rows)
        pruned(node, rules, target)


def written(node: Mutable, above: object, target: str, classes: tuple[str, ...]) -> list[object]:
    found = weights(node.rows, target)
    counts = tuple(found.get(label, Fraction(0)) for label in classes)
    return [
        (node.test, counts),
        *(line for branch in node.below for line in written(branch, node.label, target, classes)),
    ]


@every_profile
@given(categorical_tables(rows=16), st.sampled_from([Fraction(1, 4), Fraction(1, 20), Fraction(9, 20)]), st.booleans())
def test_the_procedure(profile: str, data: Table, confidence: Fraction, raising: bool) -> None:
    _same_as_by_the_book(profile, data, confidence, raising)


@pytest.mark.one_in(1, 2)
@every_profile
@given(tables_with_gaps(), st.sampled_from([Fraction(1, 4), Fraction(1, 20), Fraction(9, 20)]), st.booleans())
def test_the_procedure_with_gaps(profile: str, data: Table, confidence: Fraction, raising: bool) -> None:
    _same_as_by_the_book(profile, data, confidence, raising)


def _same_as_by_the_book(profile: str, data: Table, confidence: Fraction, raising: bool) -> None:
    tree = grow(C45(), data)
    rules = ErrorBased.like(profile, confidence=confidence, raising=raising)
    mutable, target = Mutable(tree, 0), tree.target.name
    mutable.send([(row, Fraction(weight)) for row, weight in zip(data.rows(), data.weighted(), strict=True)])
    pruned(mutable, rules, target)
    pruning = error_based(tree, data, rules)
    ours = [(node.test, node.counts) for node in pruning.tree.nodes]
    assert ours == written(mutable, None, target, tree.target.domain)
    assert recount(pruning.tree, data).nodes == pruning.tree.nodes


# What it says of itself.


@pytest.mark.one_in(1, 2)
@every_profile
@given(tables_with_gaps())
def test_every_judgement_follows_from_its_figures(profile: str, data: Table) -> None:
    rules = ErrorBased.like(profile)
    tree = grow(C45(), data)
    pruning = error_based(tree, data, rules)
    for node, leaf, subtree, branch, largest, verdict, *_ in pruning.judgements:
        assert branch is not None
        assert tree.nodes[node].test is not None
        assert largest is not None
        expected = "raise" if rules.comparison(branch, subtree) else "keep"
        is_leaf = rules.comparison(leaf, subtree) and rules.comparison(leaf, branch)
        assert verdict == ("leaf" if is_leaf else expected)
    leaves = [rules.estimate(pruning.tree.nodes[number].counts) for number in pruning.tree.leaves()]
    assert pruning.estimate == sum(leaves, 0)


@given(categorical_tables(rows=16))
def test_without_raising_no_rows_are_needed(data: Table) -> None:
    tree, rules = grow(ID3(), data), ErrorBased(raising=False)
    pruning = error_based(tree, rules=rules)
    assert structure(pruning.tree) == structure(error_based(tree, data, rules).tree)
    assert structure(pruning.tree) == structure(cut(tree, [j.node for j in pruning.judgements if j.verdict == "leaf"]))


def test_a_branch_is_raised_and_pruned_again() -> None:
    """The labor contracts: a branch takes the place of the root's."""
    pruning = error_based(recorded("labor", "unpruned"), rows_of("labor"), ErrorBased.like("weka-j48"))
    raised = [j for j in pruning.judgements if j.verdict == "raise"]
    assert len(raised) == 1
    assert raised[0].branch is not None
    again = [j.node for j in pruning.judgements if j.node == raised[0].largest]
    assert len(again) == 2
    assert pruning.tree.grower.options["pruning"] == [
        {"method": "error-based", "profile": "weka-j48", "confidence": "1/4", "limit": "normal", "raising": True}
    ]


def test_every_question_of_a_raised_branch_is_judged_again_from_below() -> None:
    columns = {
        "p": [*"acaaccbccb"],
        "q": [*"xyyxyxxyxy"],
        "r": [*"yxyyxxxyxx"],
        "s": [*"xyxxyxxyyx"],
        "y": [*"yynyynyynn"],
    }
    table = Table.from_columns(columns, target="y")
    tree = C45().grow(table)
    judged = error_based(tree, table).judgements
    at = next(place for place, one in enumerate(judged) if one.verdict == "raise")
    assert [one.node for one in judged[:at]] == [2, 6, 1, 12, 10]
    assert (judged[at].node, judged[at].largest) == (0, 1)
    assert [one.node for one in judged[at + 1 :]] == [2, 6, 1]
    assert tree.nodes[1].branches == (2, 6)


def test_of_equally_large_branches_the_last_is_tried() -> None:
    days = rt.textbook("play-tennis")  # five rainy days, and five sunny ones
    tree = rt.ID3().grow(days)
    root = error_based(tree, days).judgements[-1]
    assert (root.node, root.largest) == (0, tree.find("/outlook=sunny"))


def test_a_class_stays_while_it_is_one_of_the_largest_but_not_in_j48() -> None:
    """The rows of p are y, n, y; once their node stands in the place of the root, it has three rows of each class."""
    rows = Table.from_columns({"a": [*"ppprqq"], "b": [*"stsstt"], "y": [*"ynynyn"]})
    tree = rt.ID3().grow(rows)
    for rules, label in ((ErrorBased(), "y"), (ErrorBased.like("weka-j48"), "n")):
        pruning = error_based(tree, rows, rules)
        assert [judged.verdict for judged in pruning.judgements] == ["keep", "raise", "keep"]
        assert (pruning.tree.nodes[0].counts, pruning.tree.nodes[0].label) == ((3, 3), label)


@pytest.mark.slow
def test_a_small_confidence_prunes_more() -> None:
    tree, rows = recorded("credit-g", "unpruned"), rows_of("credit-g")
    sizes = [
        len(error_based(tree, rows, ErrorBased(limit=table, confidence=Fraction(text), raising=False)).tree.nodes)
        for text in ("0.01", "0.1", "0.25", "0.5")
    ]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


def test_the_margin_is_decided_exactly() -> None:
    nearly = 1 + Fraction(1, 10) + Fraction(1, 10**6)
    assert at_most(Fraction(11, 10), 1)
    assert not at_most(Fraction(11, 10) + Fraction(1, 10**40), 1)
    assert at_most_nearly(nearly - Fraction(1, 10**40), 1)
    assert not at_most_nearly(nearly, 1)


@given(st.lists(st.integers(1, 30), min_size=2, max_size=6))
def test_two_pure_leaves_of_one_class_become_one(sizes: list[int]) -> None:
    """N(1 - CF^(1/N)) grows with N, but less than N does: to divide what is pure never helps."""
    for limit in (binomial, table, normal):
        parts = sum((limit(0, size, Fraction(1, 4)) for size in sizes), 0)
        assert limit(0, sum(sizes), Fraction(1, 4)) < parts


def test_what_cannot_be_pruned_is_refused() -> None:
    tree = rt.ID3().grow(rt.textbook("play-tennis"))
    with pytest.raises(InputError, match="to raise a branch, the rows that the tree was grown from are needed"):
        error_based(tree)
    with pytest.raises(InputError, match="a table with other columns"):
        error_based(tree, rt.textbook("golf"))
    part = Table.from_rows(list(rt.textbook("play-tennis").rows())[1:], target="play")
    with pytest.raises(InputError, match="grown from other rows"):
        error_based(tree, part)
    nodes = tuple(Node((0, 0), node.label, stop="unknown") for node in cut(tree, [0]).nodes)
    with pytest.raises(InputError, match="records no counts"):
        error_based(Tree(tree.target, tree.attributes, nodes), rules=ErrorBased(raising=False))


@of_every([(normal, "0.6", "1/2"), (table, "1", 1), (binomial, "0", 1), (binomial, "-1", 1)])
def test_a_confidence_is_a_probability(limit: object, confidence: str, most: object) -> None:
    with pytest.raises(InputError, match=f"the confidence lies between 0 and {most}, not at"):
        ErrorBased(limit=limit, confidence=Fraction(confidence))  # type: ignore[arg-type]


def test_at_a_confidence_of_one_half_the_normal_limit_is_half_an_error_more() -> None:
    """The quantile of one half is 0, and what is left of the formula is the correction for continuity."""
    assert ErrorBased(limit=normal, confidence=Fraction(1, 2)).estimate((2, 6)) == Fraction(5, 2)


def test_there_is_no_such_profile() -> None:
    with pytest.raises(
        InputError, match="there is no profile 'c50' of error-based pruning; there are c45-r8, weka-j48"
    ):
        ErrorBased.like("c50")
    assert issubclass(UndecidedError, ArithmeticError)


def test_trees_with_priors_or_losses_are_refused() -> None:
    data = Table.from_columns({"x": list(range(1, 11)), "y": list("nnnnnnpnpn")}, target="y")
    for options in ({"loss": {"p": {"n": 5}}}, {"priors": {"n": 1, "p": 1}}):
        with pytest.raises(InputError, match="weighs all errors alike, and this tree was grown with priors or losses"):
            error_based(rt.CART(**options).grow(data), data)


@of_every(["pnp", "ppp", "nnn"])
def test_rows_that_stay_at_a_node_have_its_error_rate(staying: str) -> None:
    columns: dict[str, list[object]] = {"x": [1, 2, 3, 4, None, None, None], "y": list("nnpp" + staying)}
    data = Table.from_columns(columns, target="y")
    tree = rt.CART(missing="stay").grow(data)
    rules = ErrorBased()
    expected = rules.estimate((2, 0)) + rules.estimate((0, 2)) + rules.estimate(data.sample().total()) * Fraction(3, 7)
    judged = error_based(tree, rules=ErrorBased(raising=False)).judgements[0]
    assert judged.subtree == expected
    assert [part.is_leaf for part in judged.parts] == [True, True, False]
    assert error_based(tree, data).judgements[0].subtree == expected


@of_every([float("nan"), float("inf"), "low", None])
def test_a_confidence_that_is_no_number_is_refused(confidence: Any) -> None:
    with pytest.raises(InputError, match="the confidence lies between 0 and 1"):
        ErrorBased(confidence=confidence)


def test_a_limit_without_a_name_is_refused() -> None:
    with pytest.raises(InputError, match="a limit is one of binomial, table, normal"):
        ErrorBased(limit=lambda errors, rows, confidence: rows)


@of_every(["golf", "watermelon-3.0", "contact-lenses", "iris"])
def test_the_leaves_of_a_raised_branch_are_those_to_which_all_rows_of_the_node_come(name: str) -> None:
    """Every row of the node is at one of them, and each is estimated by itself; the sum is that of the branch."""
    table, rules = rt.textbook(name), ErrorBased.like("c45-r8")
    asked = 0
    for one in error_based(rt.C45().grow(table), table, rules).judgements:
        assert sum(sum(part.counts) * times for part, times in one.raised) == sum(one.counts)
        assert sum(rules.estimate(part.counts) * times for part, times in one.raised) == one.branch
        asked += sum(times for _, times in one.raised) > 1
        assert all(part.is_leaf and any(part.counts) and times > 0 for part, times in one.raised)
        kinds = [(sum(part.counts), max(part.counts)) for part, _ in one.raised]
        assert all(first > then for first, then in pairwise(kinds)), "the largest first, of these those of least errors"
    assert asked or name == "contact-lenses"


@pytest.mark.parametrize("words", [("high", "normal"), ("normal", "high")])
def test_of_leaves_of_one_size_the_one_of_least_errors_comes_first(words: tuple[str, str]) -> None:
    """Sunny days are raised: to each humidity come seven days, of which one and three are wrong, whatever its name."""
    named = dict(zip(("high", "normal"), words, strict=True))
    days = Table.from_rows(
        [{**row, "humidity": named[str(row["humidity"])]} for row in rt.textbook("play-tennis").rows()]
    )
    root = error_based(rt.ID3().grow(days), days).judgements[-1]
    assert [part.counts for part, _ in root.raised] == [(1, 6), (4, 3)]


def test_rows_that_stay_on_the_way_are_rows_of_a_raised_branch_too() -> None:
    columns: dict[str, list[object]] = {"x": [1, 2, 3, 4, 5, 6, 7, 8, 9, None, None], "y": list("nnppnnppp" + "pp")}
    table = Table.from_columns(columns, target="y")
    tree = rt.CART(missing="stay").grow(table)
    judged = error_based(tree, table, ErrorBased.like("c45-r8")).judgements
    assert any(not part.is_leaf for one in judged for part, _ in one.raised)
    for one in judged:
        assert sum(sum(part.counts) * times for part, times in one.raised) == sum(one.counts)
