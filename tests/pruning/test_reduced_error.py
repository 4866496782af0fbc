"""Reduced-error pruning: Zhou's example, every pruning of small trees, and where the greedy way goes wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.data.questions import Multiway
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.exact.rounding import decimal
from reference_tree.node import Node
from reference_tree.pruning.cutting import cut, shape
from reference_tree.pruning.reduced_error import OnEqual, Pruning, best_first, bottom_up, by_level
from reference_tree.selection.validation import node_errors
from reference_tree.tree import Tree
from tests import strategies
from tests.pruning.prunings import MOST, choices, how_many, structure

TRAINING, VALIDATION = rt.textbook("watermelon-2.0-train"), rt.textbook("watermelon-2.0-validation")
NODE_3, NODE_5, NODE_6 = "/脐部=稍凹", "/脐部=稍凹/根蒂=稍蜷", "/脐部=稍凹/根蒂=稍蜷/色泽=乌黑"
NODE_2 = "/脐部=凹陷"
ZHOU = rt.ID3(ties=rt.Ties(choose={"/": "脐部"}, label={"/": "是", NODE_3: "是", NODE_6: "是"}))
FIGURE_4_5 = ZHOU.grow(TRAINING)

both_rules = pytest.mark.parametrize("on_equal", ["prune", "keep"])
both_orders = pytest.mark.parametrize("prune", [bottom_up, best_first])


def percent(pruning: Pruning, errors: Any) -> str:
    return decimal(100 * (1 - pruning.rate(errors)), 1)


@pytest.mark.covers("N2 §3.2 definition", "N2 §3.2 step 2", "N2 §3.2 step 3", "N2 §3.2 step 4")
def test_zhou_figure_4_5_and_what_comes_of_it_step_by_step() -> None:
    """His nodes 6, 5, 2, 3, 1: 57.1, 57.1, 71.4, 71.4 and 42.9 %, of which the first and the third are pruned."""
    pruning = bottom_up(FIGURE_4_5, VALIDATION, "keep")
    found = [
        (FIGURE_4_5.path(one.step.number), percent(pruning, one.before), percent(pruning, one.after), one.step.done)
        for one in pruning.tree_steps(by_level(FIGURE_4_5))
    ]
    assert found == [
        (NODE_6, "42.9", "57.1", True),
        (NODE_5, "57.1", "57.1", False),
        (NODE_2, "57.1", "71.4", True),
        (NODE_3, "71.4", "71.4", False),
        ("/", "71.4", "42.9", False),
    ]


@pytest.mark.covers("N3 Avoiding Overfitting: post-pruning", "N3 Reduced-Error Pruning: one node")
def test_zhou_figure_4_7() -> None:
    pruned = bottom_up(FIGURE_4_5, VALIDATION, "keep").pruned
    leaves = {pruned.path(n): pruned.nodes[n].label for n in pruned.leaves()}
    assert leaves == {
        NODE_2: "是",
        "/脐部=平坦": "否",
        f"{NODE_3}/根蒂=硬挺": "是",
        f"{NODE_5}/色泽=乌黑": "是",
        f"{NODE_5}/色泽=浅白": "是",
        f"{NODE_5}/色泽=青绿": "是",
        f"{NODE_3}/根蒂=蜷缩": "否",
    }
    assert pruned.accuracy(VALIDATION) == Fraction(5, 7)
    assert [pruned.nodes[pruned.find(path)].stop for path in (NODE_2, NODE_6)] == ["pruned", "pruned"]
    pruned.check(TRAINING)


@both_orders
def test_pruning_on_ties_gives_the_stump_of_figure_4_6(prune: Any) -> None:
    pruned = prune(FIGURE_4_5, VALIDATION).pruned
    assert [(pruned.path(n), node.label) for n, node in enumerate(pruned.nodes)] == [
        ("/", "是"), (NODE_2, "是"), ("/脐部=平坦", "否"), (NODE_3, "是"),
    ]  # fmt: skip
    assert pruned.accuracy(VALIDATION) == Fraction(5, 7)


@pytest.mark.covers("N3 Reduced-Error Pruning: step 1", "N3 Reduced-Error Pruning: step 2")
def test_the_nodes_compared_at_a_step_are_those_that_are_left() -> None:
    """Best-first prunes nodes 6, 2, 5 and 3; then there is only the root, and before that 3 and the root."""
    pruning = best_first(FIGURE_4_5, VALIDATION)
    assert [FIGURE_4_5.path(number) for number in pruning.cut] == [NODE_6, NODE_2, NODE_5, NODE_3]
    compared = [
        [(FIGURE_4_5.path(c.number), c.before, c.after, c.done) for c in pruning.candidates(index)]
        for index in range(len(pruning.steps))
    ]
    assert compared[0] == [
        (NODE_2, 2, 1, False), (NODE_6, 2, 1, True), (NODE_5, 2, 1, False), (NODE_3, 2, 1, False), ("/", 4, 4, False),
    ]  # fmt: skip
    assert compared[3] == [(NODE_3, 1, 1, True), ("/", 2, 4, False)]
    assert compared[4] == [("/", 2, 4, False)]


@pytest.mark.covers("N2 §3.2 step 1")
def test_training_accuracy_as_n2_has_it_would_never_prune() -> None:
    assert bottom_up(FIGURE_4_5, TRAINING, "keep").cut == []
    assert FIGURE_4_5.accuracy(TRAINING) == 1


# -------------------------------------------------------------------------------------------- against every pruning


@st.composite
def trees_and_rows(draw: st.DrawFn, gaps: bool = False) -> tuple[Tree, Table]:
    """A small tree, and validation rows of the same columns, weights and gaps among them."""
    if gaps:
        table: Table = draw(strategies.tables_with_gaps())
        tree = rt.C45().grow(table)
        weights: st.SearchStrategy[Any] = strategies.weights
    else:
        table = draw(strategies.categorical_tables(rows=14))
        tree = rt.ID3().grow(table)
        weights = st.just(1)
    size = draw(st.integers(1, 10))

    def cells(attribute: Attribute, missing: bool) -> list[Any]:
        known: st.SearchStrategy[Any] = st.integers(-1, 4)
        if attribute.values is not None:  # a column without any value has nothing but gaps
            known = st.sampled_from(attribute.values) if attribute.values else st.none()
        return draw(st.lists(st.one_of(st.none(), known) if missing else known, min_size=size, max_size=size))

    columns = {attribute.name: cells(attribute, gaps) for attribute in tree.attributes}
    columns[tree.target.name] = cells(tree.target, False)
    columns["weight"] = draw(st.lists(weights, min_size=size, max_size=size))
    numbers = [attribute.name for attribute in tree.attributes if attribute.values is None]
    if how_many(tree) > MOST:
        tree = cut(tree, [n for n, depth in enumerate(tree.depths()) if depth == 2])
    return tree, Table.from_columns(columns, tree.target.name, weights="weight", categorical=["*"], continuous=numbers)


def wrong(tree: Tree, validation: Table) -> Fraction:
    """What is answered wrongly, row by row: a row that ends in several leaves counts in each to its share."""
    return sum(
        (
            Fraction(weight) * Fraction(share)
            for row, weight in zip(validation.rows(), validation.weighted(), strict=True)
            for number, share in tree.ends(row)
            if tree.nodes[number].label != row[tree.target.name]
        ),
        Fraction(0),
    )


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize("gaps", [False, True])
@given(data=st.data())
def test_bottom_up_is_the_one_smallest_or_largest_of_the_best_prunings(gaps: bool, data: st.DataObject) -> None:
    tree, validation = data.draw(trees_and_rows(gaps))
    everything = {chosen: cut(tree, chosen) for chosen in choices(tree)}
    errors = {chosen: wrong(pruned, validation) for chosen, pruned in everything.items()}
    least = min(errors.values())
    best = [everything[chosen] for chosen, found in errors.items() if found == least]
    sizes = sorted(len(pruned.leaves()) for pruned in best)
    for on_equal, size in (("prune", sizes[0]), ("keep", sizes[-1])):
        pruning = bottom_up(tree, validation, on_equal)  # type: ignore[arg-type]
        assert pruning.errors == (wrong(tree, validation), least)
        (one,) = [pruned for pruned in best if len(pruned.leaves()) == size]
        assert structure(pruning.pruned) == structure(one)


def greedy(tree: Tree, validation: Table, on_equal: OnEqual) -> list[int]:
    """Best-first by the book: try every node, count all rows anew, prune the best; all over again."""
    done: list[int] = []
    sizes = shape(tree).sizes
    while True:
        now = wrong(cut(tree, done), validation)
        below = {n for t in done for n in range(t, t + sizes[t])}
        asking = [n for n, node in enumerate(tree.nodes) if node.test is not None and n not in below]
        after = {n: wrong(cut(tree, [*done, n]), validation) for n in asking}
        if not after or min(after.values()) > now or (min(after.values()) == now and on_equal == "keep"):
            return done
        equal = [n for n in asking if after[n] == min(after.values())]
        deepest = [n for n in equal if tree.depths()[n] == max(tree.depths()[e] for e in equal)]
        done.append(min(deepest))  # of one depth, so the first in preorder is the first in postorder


@pytest.mark.one_in(1, 2)
@pytest.mark.covers("N3 Reduced-Error Pruning", "N3 Reduced-Error Pruning: one node", "N3 Reduced-Error Pruning: stop")
@both_rules
@pytest.mark.parametrize("gaps", [False, True])
@given(data=st.data())
def test_best_first_prunes_as_the_book_does_and_never_ends_worse(
    on_equal: OnEqual, gaps: bool, data: st.DataObject
) -> None:
    tree, validation = data.draw(trees_and_rows(gaps))
    pruning = best_first(tree, validation, on_equal)
    assert pruning.cut == greedy(tree, validation, on_equal)
    assert pruning.errors == (wrong(tree, validation), wrong(pruning.pruned, validation))
    assert bottom_up(tree, validation).errors[1] <= pruning.errors[1] <= pruning.errors[0]


@both_orders
@given(data=st.data())
def test_every_step_tells_the_errors_of_the_whole_tree(prune: Any, data: st.DataObject) -> None:
    tree, validation = data.draw(trees_and_rows())
    pruning = prune(tree, validation)
    done: list[int] = []
    for index, decided in enumerate(pruning.tree_steps()):
        assert decided.before == wrong(cut(tree, done), validation)
        assert decided.after == wrong(cut(tree, [*done, decided.step.number]), validation)
        compared = pruning.candidates(index)
        assert decided.step in compared
        assert max(one.before - one.after for one in compared) == decided.before - decided.after
        done += [decided.step.number] if decided.step.done else []
    assert structure(pruning.pruned) == structure(cut(tree, done))


@given(data=st.data())
def test_the_order_within_a_pass_is_no_matter(data: st.DataObject) -> None:
    """Postorder and level by level decide alike: what is decided at a node depends on nothing above or beside it."""
    tree, validation = data.draw(trees_and_rows())
    pruning = bottom_up(tree, validation)
    decided = list(pruning.tree_steps(by_level(tree)))
    assert {one.step for one in decided} == set(pruning.steps)
    ends = [one.after if one.step.done else one.before for one in decided]
    assert ends[-1:] in ([], [pruning.errors[1]])


# ----------------------------------------------------------------------------------------------- what is not optimal


def columns(rows: Sequence[tuple[str, int]]) -> dict[str, list[str]]:
    """Columns a, b and y, from texts such as `u s p` and how often each comes."""
    spread = [row.split() for row, times in rows for _ in range(times)]
    return {name: [row[at] for row in spread] for at, name in enumerate("aby")}


GREEDY_TRAINING = Table.from_columns(columns([("u s p", 3), ("u t q", 2), ("v s q", 3), ("v t p", 2)]))
GREEDY_VALIDATION = Table.from_columns(columns([("u t q", 3), ("u t p", 5), ("v s p", 1), ("v t p", 2), ("v t q", 4)]))


def test_best_first_is_not_optimal() -> None:
    """The full tree gets 10 wrong, its root as a leaf 7, its two children as leaves 3 and 3."""
    tree = rt.ID3().grow(GREEDY_TRAINING)
    found = node_errors(tree, GREEDY_VALIDATION)
    assert found.below(tree)[0] == 10
    assert [found.as_leaf[n] for n in (0, *tree.nodes[0].branches)] == [7, 3, 3]
    greedily, below = best_first(tree, GREEDY_VALIDATION), bottom_up(tree, GREEDY_VALIDATION)
    assert (greedily.errors[1], below.errors[1]) == (7, 6)
    assert (greedily.cut, below.cut) == ([0], list(tree.nodes[0].branches))
    assert [(c.number, c.before - c.after) for c in greedily.candidates(0)] == [(1, 2), (4, 2), (0, 3)]


# -------------------------------------------------------------------------------------------- numbers, chains, refusals


def test_the_tree_says_what_was_done_to_it() -> None:
    pruned = best_first(bottom_up(FIGURE_4_5, VALIDATION, "keep").pruned, VALIDATION).pruned
    assert pruned.grower.options["pruning"] == [
        {"method": "reduced-error", "order": "bottom-up", "on_equal": "keep"},
        {"method": "reduced-error", "order": "best-first", "on_equal": "prune"},
    ]
    assert rt.from_json(rt.to_json(pruned)) == pruned


@both_orders
def test_a_tree_of_numbers_is_pruned_by_its_squared_errors(prune: Any) -> None:
    """X in {u, v} answers 1 and 3 where the root would answer 2: two errors of 1/4 against two of 1/4 + 1."""
    test = Multiway("x", ("u", "v"))
    root = Node((4, 8, 20), 2, test, (1, 2))
    nodes = (root, Node((2, 2, 2), 1, stop="pure"), Node((2, 6, 18), 3, stop="pure"))
    tree = Tree(Attribute("y"), (Attribute("x", ("u", "v")),), nodes)
    good = Table.from_columns({"x": ["u", "v"], "y": [1.5, 2.5]}, "y")
    worse = Table.from_columns({"x": ["u", "v"], "y": [2, 3]}, "y")
    assert prune(tree, worse).errors == (1, 1)
    assert prune(tree, good).errors == (Fraction(1, 2), Fraction(1, 2))
    assert (prune(tree, worse).cut, prune(tree, worse, "keep").cut) == ([0], [])
    swapped = Table.from_columns({"x": ["u", "v"], "y": [3, 1]}, "y")
    assert prune(tree, swapped).errors == (8, 2)
    assert prune(tree, swapped).rate(8) == tree.mean_squared_error(swapped) == 4


@given(
    cells=st.lists(st.tuples(st.integers(0, 3), st.sampled_from("uvw"), st.integers(0, 6)), min_size=2, max_size=9),
    held=st.lists(st.tuples(st.integers(0, 3), st.sampled_from("uvw"), st.integers(0, 6)), min_size=1, max_size=6),
)
def test_of_numbers_too_the_best_of_all_prunings(cells: list[Any], held: list[Any]) -> None:
    """The mean squared error of every pruning of a regression tree, row by row."""
    training, validation = (
        Table.from_columns(
            dict(zip("xay", map(list, zip(*rows, strict=True)), strict=True)), "y", continuous=["x", "y"]
        )
        for rows in (cells, held)
    )
    full = rt.CART(max_depth=3).grow(training)
    if full.nodes[0].test is None or not {row[1] for row in held} <= {row[1] for row in cells}:
        return
    errors = {chosen: cut(full, chosen).mean_squared_error(validation) for chosen in choices(full)}
    pruning = bottom_up(full, validation)
    assert pruning.rate(pruning.errors[1]) == min(errors.values()) == pruning.pruned.mean_squared_error(validation)
    greedily = best_first(full, validation)
    assert greedily.rate(greedily.errors[1]) == greedily.pruned.mean_squared_error(validation)


def chain(length: int) -> Tree:
    """Each node asks one attribute, its first branch is a leaf, its second asks on."""
    test = Multiway("x", ("u", "v"))
    nodes = []
    for level in range(length):
        nodes += [Node((1, 1), "no", test, (2 * level + 1, 2 * level + 2)), Node((0, 1), "yes", stop="pure")]
    return Tree(Attribute("y", ("no", "yes")), (Attribute("x", ("u", "v")),), (*nodes, Node((1, 0), "no", stop="pure")))


@pytest.mark.slow
def test_a_chain_of_twenty_thousand_nodes() -> None:
    validation = Table.from_columns({"x": ["u", "v"], "y": ["no", "no"]})
    pruning = bottom_up(chain(10_000), validation)
    assert len(pruning.pruned.nodes) == 1
    assert pruning.errors == (1, 0)
    assert len(best_first(chain(300), validation).pruned.nodes) == 1


REFUSED: list[tuple[dict[str, list[Any]], str]] = [
    ({"a": ["u"], "b": ["s"], "z": ["p"]}, "the validation set has the target z; the tree predicts y"),
    ({"a": ["u"], "c": ["s"], "y": ["p"]}, "the validation set has no column 'b'; it has a, c"),
    ({"a": ["u"], "b": ["w"], "y": ["p"]}, "the validation set has the b 'w', which training has not; there are s, t"),
    ({"a": ["u"], "b": ["s"], "y": ["r"]}, "the validation set has the y 'r', which training has not; there are p, q"),
    ({"a": ["u", "v"], "b": ["s", "s"], "y": ["p", None]}, "the y of 1 row of the validation set is missing"),
    ({"a": [None], "b": ["s"], "y": ["p"]}, "the value of a is missing in the validation set"),
]


@both_orders
@pytest.mark.parametrize(("found", "message"), REFUSED)
def test_a_validation_set_that_cannot_answer_is_refused(prune: Any, found: Any, message: str) -> None:
    tree = rt.ID3().grow(GREEDY_TRAINING)
    with pytest.raises(InputError, match=message) as caught:
        prune(tree, Table.from_columns(found, categorical=["*"]))
    assert "\n" not in str(caught.value)


def test_a_column_of_another_kind_is_refused() -> None:
    tree = rt.ID3().grow(GREEDY_TRAINING)
    other = Table.from_columns({"a": [0, 1], "b": ["s", "t"], "y": ["p", "q"]})
    with pytest.raises(InputError, match="a is continuous in the validation set and categorical in training"):
        bottom_up(tree, other)


def test_a_value_that_is_declared_and_does_not_come_is_no_fault() -> None:
    tree = rt.ID3().grow(GREEDY_TRAINING)
    schema = GREEDY_VALIDATION.schema
    wider = tuple(replace(a, values=("s", "t", "w")) if a.name == "b" else a for a in schema.attributes)
    declared = replace(GREEDY_VALIDATION, schema=replace(schema, attributes=wider))
    assert bottom_up(tree, declared).cut == bottom_up(tree, GREEDY_VALIDATION).cut


def test_columns_that_are_not_asked_are_not_needed() -> None:
    tree = rt.ID3(max_depth=1).grow(GREEDY_TRAINING)
    assert bottom_up(tree, Table.from_columns({"a": ["u"], "y": ["p"]})).errors == (0, 0)


@pytest.mark.parametrize("method", [bottom_up, best_first])
def test_a_rule_for_equality_that_is_none_is_refused(method: Any) -> None:
    training, validation = rt.textbook("watermelon-2.0-train"), rt.textbook("watermelon-2.0-validation")
    with pytest.raises(InputError, match="there is a choice of prune, keep, not 'cut'"):
        method(rt.ID3().grow(training), validation, "cut")
