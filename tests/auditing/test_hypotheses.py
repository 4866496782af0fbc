"""Hypotheses: what prints leave out is inferred and said, and no fault is hidden by it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.auditing.hypotheses import NOTHING
from reference_tree.data.questions import Threshold
from reference_tree.programs.reading import read_foreign
from reference_tree.tree import Program, Tree
from reference_tree.tree_document import predictor_from_json
from tests.auditing import planted_prints, right_trees
from tests.every import of_every

pytestmark = pytest.mark.filterwarnings("ignore:thresholds are rounded")

RECORDED = Path(__file__).parent / "recorded"

DEPTH_3 = """\
|--- petal length <= 2.45
|   |--- class: setosa
|--- petal length >  2.45
|   |--- petal width <= 1.75
|   |   |--- petal length <= 4.95
|   |   |   |--- class: versicolor
|   |   |--- petal length >  4.95
|   |   |   |--- class: virginica
|   |--- petal width >  1.75
|   |   |--- petal length <= 4.85
|   |   |   |--- class: virginica
|   |   |--- petal length >  4.85
|   |   |   |--- class: virginica
"""
"""`export_text` of `DecisionTreeClassifier(max_depth=3, random_state=0)` on iris, by scikit-learn 1.9."""

HEAVIER = """\
|--- petal width <= 0.80
|   |--- weights: [50.00, 0.00, 0.00] class: setosa
|--- petal width >  0.80
|   |--- petal width <= 1.75
|   |   |--- petal length <= 5.35
|   |   |   |--- weights: [0.00, 98.00, 3.00] class: versicolor
|   |   |--- petal length >  5.35
|   |   |   |--- weights: [0.00, 0.00, 2.00] class: virginica
|   |--- petal width >  1.75
|   |   |--- petal length <= 4.85
|   |   |   |--- weights: [0.00, 2.00, 2.00] class: versicolor
|   |   |--- petal length >  4.85
|   |   |   |--- weights: [0.00, 0.00, 43.00] class: virginica
"""
"""`export_text` of the same with `class_weight`, where versicolor weighs 2 and the others 1, by scikit-learn 1.9.1."""

WITHOUT_COUNTS = re.sub(r"weights: \[.*?\] ", "", HEAVIER)
"""The same without `show_weights`."""

RPART = """\
n= 150

node), split, n, loss, yval, (yprob)
      * denotes terminal node

1) root 150 100 setosa (0.33333333 0.33333333 0.33333333)
  2) petal length< 2.45 50   0 setosa (1.00000000 0.00000000 0.00000000) *
  3) petal length>=2.45 100  50 versicolor (0.00000000 0.50000000 0.50000000)
    6) petal width< 1.75 54   5 versicolor (0.00000000 0.90740741 0.09259259) *
    7) petal width>=1.75 46   1 virginica (0.00000000 0.02173913 0.97826087) *
"""
"""`print(rpart(species ~ ., iris))` of rpart 4.1.19."""

GAPS = """\
n= 8

node), split, n, loss, yval, (yprob)
      * denotes terminal node

1) root 8 4 p (0.5 0.5)
  2) a< 3.5 5 1 p (0.8 0.2) *
  3) a>=3.5 3 0 q (0.0 1.0) *
"""
"""rpart's tree of eight rows, two of which lack `a` and go by `b`."""

EIGHT: dict[str, list[object]] = {
    "a": [1, 2, 3, 4, 5, 6, None, None],
    "b": [1, 2, 3, 4, 5, 6, 1, 2],
    "y": [*"pppqqqpq"],
}


def read(text: str, table: rt.Table) -> Tree:
    """The tree of a print."""
    schema = table.schema
    (document,) = read_foreign(
        text, target=schema.target.name, attributes=schema.attributes, classes=schema.target.values or ()
    )
    tree = predictor_from_json(json.dumps(document))
    assert isinstance(tree, Tree)
    return tree


def with_test(tree: Tree, number: int, **changes: Any) -> Tree:
    """The tree with another question at a node."""
    nodes, test = list(tree.nodes), tree.nodes[number].test
    assert isinstance(test, Threshold)
    nodes[number] = replace(nodes[number], test=replace(test, interval=None, **changes))
    return replace(tree, nodes=tuple(nodes))


IRIS = rt.textbook("iris")


def test_a_depth_that_leaves_reach_is_supposed_and_said() -> None:
    found = rt.audit(read(DEPTH_3, IRIS), IRIS)
    assert found.is_right
    assert "this looks like max_depth=3" in found.summary
    strict = rt.audit(read(DEPTH_3, IRIS), IRIS, assume="none")
    assert [one.verdict for one in strict.wrong] == ["stopped-early"] * 3
    assert "looks like" not in strict.summary


@of_every([{"threshold": rt.Table.from_columns({"x": [1]}).columns["x"][0]}, {"attribute": "sepal length"}])
def test_a_wrong_question_is_named_beside_a_supposed_depth(changes: Any) -> None:
    found = rt.audit(with_test(read(DEPTH_3, IRIS), 2, **changes), IRIS)
    assert [one.number for one in found.wrong if one.cause is None] == [2]
    assert "no hypothesis explains every node" in found.summary


def test_a_wrong_answer_is_named_beside_a_supposed_depth() -> None:
    tree = read(DEPTH_3, IRIS)
    nodes = list(tree.nodes)
    nodes[1] = replace(nodes[1], label="virginica")
    found = rt.audit(replace(tree, nodes=tuple(nodes)), IRIS)
    assert [(one.number, one.verdict) for one in found.wrong] == [(1, "wrong-leaf")]


PRIORS = """\
n= 12

node), split, n, loss, yval, (yprob)
      * denotes terminal node

 1) root 12 3.6 q (0.3000000 0.7000000)
   2) b>=3.5 4 1.4 p (0.5625000 0.4375000)
     4) a>=2 1 0.0 p (1.0000000 0.0000000) *
     5) a< 2 3 1.2 q (0.4615385 0.5384615) *
   3) b< 3.5 8 1.8 q (0.2045455 0.7954545)
     6) b< 1.5 4 1.4 p (0.5625000 0.4375000)
      12) a>=4 2 0.0 p (1.0000000 0.0000000) *
      13) a< 4 2 0.6 q (0.3000000 0.7000000) *
     7) b>=1.5 4 0.0 q (0.0000000 1.0000000) *
"""
"""`print(rpart(y ~ ., parms = list(prior = c(.3, .7)), cp = 0, minsplit = 4))` of rpart 4.1.19."""

TWELVE: dict[str, list[object]] = {
    "a": [5, 1, 5, 1, 4, 5, 1, 2, 3, 1, 3, 2],
    "b": [3, 1, 1, 4, 3, 1, 5, 3, 1, 5, 5, 2],
    "y": [*"qpppqpqqqppq"],
}

LOSSES = """\
n= 12

node), split, n, loss, yval, (yprob)
      * denotes terminal node

 1) root 12 6 p (0.5000000 0.5000000)
   2) a< 1.5 4 1 p (0.7500000 0.2500000) *
   3) a>=1.5 8 5 p (0.3750000 0.6250000)
     6) a>=2.5 6 3 p (0.5000000 0.5000000)
      12) b>=4 1 0 p (1.0000000 0.0000000) *
      13) b< 4 5 3 p (0.4000000 0.6000000)
        26) a>=4.5 3 1 p (0.6666667 0.3333333) *
        27) a< 4.5 2 0 q (0.0000000 1.0000000) *
     7) a< 2.5 2 0 q (0.0000000 1.0000000) *
"""
"""rpart 4.1.19 with `parms = list(loss = matrix(c(0, 3, 1, 0), 2, byrow = TRUE)), cp = 0, minsplit = 4`.

No node shows that q for p costs 3.
"""

LOSSES_OF_THREE = """\
n= 150

node), split, n, loss, yval, (yprob)
      * denotes terminal node

 1) root 150 75.0 versicolor (0.33333333 0.33333333 0.33333333)
   2) petal length< 2.45 50  0.0 setosa (1.00000000 0.00000000 0.00000000) *
   3) petal length>=2.45 100 25.0 versicolor (0.00000000 0.50000000 0.50000000)
     6) petal width< 1.75 54  2.5 versicolor (0.00000000 0.90740741 0.09259259) *
     7) petal width>=1.75 46  6.0 virginica (0.00000000 0.02173913 0.97826087)
      14) petal length< 4.85 3  1.0 versicolor (0.00000000 0.33333333 0.66666667) *
      15) petal length>=4.85 43  0.0 virginica (0.00000000 0.00000000 1.00000000) *
"""
"""The same of iris, where virginica for versicolor costs 6, versicolor for virginica 1/2, and other errors 1."""

MEDIANS = """\
|--- x <= 5.50
|   |--- x <= 1.50
|   |   |--- value: [2.00]
|   |--- x >  1.50
|   |   |--- value: [0.00]
|--- x >  5.50
|   |--- x <= 8.50
|   |   |--- value: [7.00]
|   |--- x >  8.50
|   |   |--- value: [3.00]
"""
"""`export_text` of `DecisionTreeRegressor(criterion="absolute_error", max_depth=2)`, by scikit-learn 1.9.1."""


@pytest.mark.filterwarnings("ignore:thresholds are rounded")
def test_medians_show_the_absolute_error() -> None:
    table = rt.Table.from_columns({"x": [*range(1, 10)], "y": [2, 0, 0, 5, 0, 9, 7, 7, 3]}, "y")
    found = rt.audit(read(MEDIANS, table), table)
    assert found.is_right, str(found)
    assert "this looks like criterion='absolute_error'" in found.summary
    assert not rt.audit(read(MEDIANS, table), table, assume="none").is_right


@of_every([HEAVIER, WITHOUT_COUNTS])
def test_weights_of_classes_are_read_off_the_counts_or_supposed(text: str) -> None:
    found = rt.audit(read(text, IRIS), IRIS)
    assert found.is_right, found.summary
    assert "this looks like class_weight setosa: 1, versicolor: 2, virginica: 1" in found.summary
    assert not rt.audit(read(text, IRIS), IRIS, assume="none").is_right


@of_every([("5.35", "5.05"), ("1.75", "1.35"), ("43.00", "44.00")])
def test_no_weights_of_classes_hide_a_fault(before: str, after: str) -> None:
    for text in (HEAVIER, WITHOUT_COUNTS)[: 1 + (before in WITHOUT_COUNTS)]:
        assert not rt.audit(read(text.replace(before, after), IRIS), IRIS).is_right


@of_every([4, 5])
def test_a_wrong_answer_is_named_below_a_test_that_only_weights_explain(number: int) -> None:
    """Without weights it seems to follow from the test above; with them, it is wrong alone."""
    tree = read(WITHOUT_COUNTS, IRIS)
    nodes = list(tree.nodes)
    nodes[number] = replace(nodes[number], label="setosa", tied=())
    found = {one.number: one for one in rt.audit(replace(tree, nodes=tuple(nodes)), IRIS).wrong}
    assert found[number].cause is None
    assert "class_weight setosa: 1, versicolor: 2, virginica: 1" in found[number].note


def test_a_cap_on_leaves_hides_no_leaf_that_takes_more_than_others() -> None:
    """A leaf in the place of the largest subtree: neither a cap nor a price explains it, nor both together."""
    text = """\
|--- petal width <= 0.80
|   |--- class: setosa
|--- petal width >  0.80
|   |--- petal width <= 1.75
|   |   |--- class: versicolor
|   |--- petal width >  1.75
|   |   |--- petal length <= 4.85
|   |   |   |--- sepal width <= 3.10
|   |   |   |   |--- class: virginica
|   |   |   |--- sepal width >  3.10
|   |   |   |   |--- class: versicolor
|   |   |--- petal length >  4.85
|   |   |   |--- class: virginica
"""
    tree = read(text, IRIS)
    found = rt.audit(tree, IRIS)
    number = next(place for place, node in enumerate(tree.nodes) if node.label == "versicolor")
    assert number in [one.number for one in found.wrong], found.summary


def test_the_price_of_rpart_is_found() -> None:
    found = rt.audit(read(RPART, IRIS), IRIS)
    assert found.is_right
    assert "this looks like cp=0.01" in found.summary
    assert not rt.audit(read(RPART, IRIS), IRIS, assume="criterion").is_right


def test_the_priors_of_rpart_are_those_of_its_root() -> None:
    table = rt.Table.from_columns(TWELVE, "y")
    found = rt.audit(read(PRIORS, table), table)
    assert found.is_right, str(found)
    assert "the root has the priors p 0.3, q 0.7" in found.summary
    assert not rt.audit(read(PRIORS.replace("b>=3.5", "b>=2.5").replace("b< 3.5", "b< 2.5"), table), table).is_right
    assert not rt.audit(read(PRIORS, table), table, assume="none").is_right


@of_every(
    [
        (
            LOSSES,
            rt.Table.from_columns(TWELVE, "y"),
            "p for q costs 1; other errors are taken to cost 2",
            "b>=4",
            "b>=2",
        ),
        (LOSSES_OF_THREE, IRIS, "virginica for versicolor costs 6, versicolor for virginica costs 0.5", "1.75", "1.65"),
    ]
)
def test_the_losses_of_rpart_are_those_of_its_nodes(
    text: str, table: rt.Table, words: str, before: str, after: str
) -> None:
    found = rt.audit(read(text, table), table)
    assert found.is_right, str(found)
    assert words in found.summary
    assert not rt.audit(read(text, table), table, assume="none").is_right
    wrong = text.replace(before, after).replace(before.replace(">=", "< "), after.replace(">=", "< "))
    assert not rt.audit(read(wrong, table), table).is_right


def test_surrogates_that_are_not_printed_are_searched() -> None:
    table = rt.Table.from_columns(EIGHT, "y")
    found = rt.audit(read(GAPS, table), table)
    assert found.is_right
    assert "surrogates are not printed" in found.summary
    wrong = read(GAPS.replace("5 1 p (0.8 0.2)", "4 1 p (0.8 0.2)"), table)
    assert not rt.audit(wrong, table).is_right


BUCKET = """\
n= 120

node), split, n, loss, yval, (yprob)
      * denotes terminal node

1) root 120 17 q (0.141666666666667 0.858333333333333)
  2) b< 24.5 62 17 q (0.274193548387097 0.725806451612903)
    4) a< 14 21  9 p (0.571428571428572 0.428571428571429) *
    5) a>=14 41  5 q (0.121951219512195 0.878048780487805) *
  3) b>=24.5 58  0 q (0.000000000000000 1.000000000000000) *
"""
"""`print(rpart(y ~ ., control = rpart.control(minbucket = 20)), digits = 15)` of rpart 4.1.19, on rows with gaps.

Of the 62 rows of node 2, 58 have a value of `a`, and of these 20 are below 14; one more row goes there by a surrogate.
"""


def test_a_bound_on_branches_counts_the_rows_with_a_value() -> None:
    table = right_trees.made(31002, gaps=True)
    found = rt.audit(read(BUCKET, table), table)
    assert found.is_right, found.summary
    assert "minbucket=20" in found.summary
    assert rt.audit(read(BUCKET, table), table, minbucket=20, minsplit=60).is_right
    assert not rt.audit(read(BUCKET, table), table, minbucket=21, minsplit=60).is_right
    assert not rt.audit(read(BUCKET.replace("a< 14", "a< 15.5").replace("a>=14", "a>=15.5"), table), table).is_right


@of_every([*product(sorted(path.name for path in RECORDED.glob("j48*.txt")), (True, False))])
def test_j48_is_followed_by_its_printed_options_or_without_them(name: str, has_options: bool) -> None:
    table = rt.read(RECORDED / "titanic.arff")
    text = (RECORDED / name).read_text(encoding="utf-8")
    text = text if has_options else text[text.index("J48 ") :]
    tree = read(text, table)
    found = rt.audit(tree, table)
    assert found.is_right, found.summary
    if has_options and name != "j48.txt":
        assert "as J48 prints its options: -" in found.summary
    else:
        assert "this looks like" in found.summary


def test_a_wrong_branch_of_a_tree_that_j48_pruned_is_named() -> None:
    table = rt.read(RECORDED / "titanic.arff")
    tree = read((RECORDED / "j48.txt").read_text(encoding="utf-8"), table)
    number = next(place for place, node in enumerate(tree.nodes) if isinstance(node.test, Threshold))
    found = rt.audit(with_test(tree, number, threshold=100), table)
    assert number in [one.number for one in found.wrong if one.cause is None]


def test_nothing_is_supposed_of_a_tree_that_says_how_it_was_grown() -> None:
    tree = rt.CART().grow(IRIS)
    other = rt.CART(max_depth=2).grow(IRIS)
    lying = replace(other, grower=tree.grower)
    assert not rt.audit(lying, IRIS).is_right


@pytest.mark.oracles
@pytest.mark.filterwarnings("ignore")  # remarks on priors, rounding and the Laplace estimate
@pytest.mark.parametrize("program", ["scikit-learn", "rpart", "J48", "LightGBM", "XGBoost"])
def test_right_trees_are_not_blamed(program: str) -> None:
    if why := right_trees.absent(program):
        pytest.skip(why)
    told: list[str] = []
    assert (
        sum(one.blamed for one in right_trees.counted(right_trees.PROGRAMS[program]([4]), told.append).values()) == 0
    ), told


@pytest.mark.oracles
@pytest.mark.filterwarnings("ignore")
def test_planted_faults_of_prints_are_named() -> None:
    pytest.importorskip("sklearn")
    assert (
        planted_prints.main(
            ["--programs", "scikit-learn", "--tables", "1", "--first", "961", "--rows", "300", "--share", "0.15"]
        )
        == 0
    )


# What is supposed changes the learner, the rows, and what is told, and nothing else.

ID3_TREE = rt.ID3().grow(rt.textbook("play-tennis"))


def test_nothing_changes_nothing() -> None:
    assert NOTHING.learner(rt.ID3()) == rt.ID3()
    assert NOTHING.tree(ID3_TREE) == ID3_TREE


def test_suppositions_add_up() -> None:
    both = NOTHING.also("a", "one", options={"max_depth": 1}).also("b", "two", options={"epsilon": 2}, max_leaves=3)
    assert (both.names, both.words, both.max_leaves) == (("a", "b"), ("one", "two"), 3)
    assert both.learner(rt.ID3()) == rt.ID3(max_depth=1, epsilon=2)


def test_what_is_told_and_what_is_not_judged_stand_in_the_tree() -> None:
    grower = replace(ID3_TREE.grower, name="unknown")
    foreign = replace(ID3_TREE, grower=grower, program=Program("a program", silent=frozenset({"labels"})))
    found = NOTHING._replace(told={"class_weight": "balanced"}, silent=frozenset({"counts"})).tree(foreign)
    assert found.grower.options["told"] == {"class_weight": "balanced"}
    assert found.silent == {"labels", "counts"}


def test_an_early_leaf_with_a_wrong_answer_shows_weights_of_classes() -> None:
    """scikit-learn 1.9.1 with class_weight {"p": 1, "q": 2} and max_depth 4, on 300 drawn rows."""
    here = Path(__file__).parent / "recorded"
    table = rt.read(str(here / "weighted-classes.csv"), target="y")
    text = (here / "weighted-classes.txt").read_text(encoding="utf-8")
    (document,) = read_foreign(text, target="y", classes=table.schema.target.domain)
    found: Any = rt.audit(predictor_from_json(json.dumps(document)), table)
    assert found.is_right
    assert "this looks like class_weight p: 1, q: 2" in str(found)


@pytest.mark.parametrize(
    ("recorded", "words"),
    [
        # -B on 60 drawn rows: `c <= 5` was chosen below a test of k, and raised.
        ("pruned-binary", "this looks like binary splits (-B), with tests of categories that were pruned away"),
        # -M 5 on 40 drawn rows: no test is left; a test of k has branches of 4, 6, 3 and 6 rows, of which two keep it.
        ("one-leaf", "this looks like -M="),
        ("two-large-branches", "this looks like -M=5,"),
    ],
)  # fmt: skip
def test_what_the_print_of_a_right_tree_does_not_show_is_supposed(recorded: str, words: str) -> None:
    """J48 of Weka 3.6.14."""
    here = Path(__file__).parent / "recorded"
    table = rt.read(str(here / f"{recorded}.arff"))
    (document,) = read_foreign(
        (here / f"{recorded}.txt").read_text(encoding="utf-8"),
        target="y", attributes=table.schema.attributes, classes=table.schema.target.domain,
    )  # fmt: skip
    found: Any = rt.audit(predictor_from_json(json.dumps(document)), table)
    assert found.is_right
    assert words in str(found)
    assert rt.audit(predictor_from_json(json.dumps(document)), table, assume="none").wrong
