"""The other learners of Weka, and what all of them share. Id3 and SimpleCart are part of release 3.6 alone."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

from tests.peers import weka as grown_by_weka
from tests.peers.seen.quinlan import TWO, arff, column, j48, java, weka, weka_release
from tests.peers.seen.record import RELEASES, says


def _release_3_6() -> str | None:
    found = weka_release()
    return found if found is not None and found.startswith("3.6") else None


RELEASES["Weka's Id3 and SimpleCart"] = RELEASES["Weka's pruning by held-out rows"] = _release_3_6


def _tree(learner: str, *table: Any, options: str = "") -> list[str]:
    """The lines of a tree that Id3, SimpleCart or REPTree prints."""
    printed = weka(f"trees.{learner}", arff(*table), options)
    if "Time taken" not in printed:
        return [printed]
    body = re.split(
        r"Size of the|Number of Leaf|Time taken", re.split(r"\nId3\n|CART Decision Tree|=====\n", printed)[-1]
    )[0]
    return [re.sub(r"[|\s]+", " ", line).strip() for line in body.splitlines() if line.strip()]


# Id3.

XOR = {"a": [*"ppqq"], "b": [*"rsrs"], "y": [*"nyyn"]}


@says(
    "Weka's Id3 and SimpleCart",
    "decisions: | Id3 | leaves out classes without rows |",
    "decisions: | Id3 | a branch for each value |",
    "splitting/multiway: Weka's Id3 and J48 and C4.5 make a branch for each value, as here.",
)
def _id3_has_a_branch_for_each_value() -> bool:
    return _tree("Id3", {"x": column(p=2, q=1, r=2), "y": column(a=2, b=3)}) == ["x = p: a", "x = q: b", "x = r: b"]


@says(
    "Weka's Id3 and SimpleCart",
    "decisions: | Id3 | first attribute |",
    "decisions: | Id3 | information gain |",
    "decisions: | J48, Id3 | the order of the ARFF header |",
    "decisions: | C4.5, J48, Id3, scikit-learn | the first class |",
)
def _id3_takes_the_first_of_the_largest_gain() -> bool:
    y = column(a=3, b=3)
    equal, tied = {"b": column(p=3, q=3), "a": column(p=3, q=3), "y": y}, {"x": column(p=2), "y": [*"ab"]}
    # The ratio would prefer b, which gains less.
    gains = {"a": column(r=1, s=1, t=1, u=1, v=1, w=1), "b": column(p=2, q=4), "y": y}
    labels = [_tree("Id3", tied, {"y": order})[0] for order in ("ab", "ba")]
    return (
        _tree("Id3", equal)[0][0] == "b"
        and _tree("Id3", gains)[0][0] == "a"
        and [one[-1] for one in labels] == ["a", "b"]
    )


@says(
    "Weka's Id3 and SimpleCart",
    "decisions: | Id3 | no rule, but no split without gain either |",
    "decisions: | J48, Id3, rpart | do not |",
    "decisions: | J48, Id3 | no rule, but below a branch only one value is left, which makes no split |",
)
def _id3_does_not_split_without_gain() -> bool:
    return len(_tree("Id3", XOR)) == 1 and len(_tree("Id3", {"x": column(p=2, q=2), "y": [*"abab"]})) == 1


@says(
    "Weka's Id3 and SimpleCart",
    "learners/id3_more: Weka's Id3 counts a gain within 10⁻⁶ of 0 as 0, and then makes a leaf.",
    "measures/entropy_more: which rounding may keep from 0 on a pure node; a gain within 10⁻⁶ of 0 counts as 0 |",
)
def _id3_counts_a_small_gain_as_none() -> bool:
    def leaves(more: int) -> int:
        table = {"x": column(p=1000, q=1000), "y": [*column(a=500, b=500), *column(a=500 + more, b=500 - more)]}
        return len(_tree("Id3", table))

    return [leaves(1), leaves(10)] == [1, 2]


@says("Weka's Id3 and SimpleCart", "decisions: | Id3 | no answer: `null` |")
def _an_empty_branch_of_id3_has_no_answer() -> bool:
    return _tree("Id3", {"x": column(p=2, q=2), "y": column(a=2, b=2)}, {"x": "pqr"})[-1] == "x = r: null"


@says(
    "Weka's Id3 and SimpleCart",
    "decisions: | Id3 | refuses missing values |",
    "decisions: | C4.5, J48, Id3 | classes; Id3 also refuses numeric attributes and missing values |",
    "decisions: | J48, Id3, rpart | left out |",
    "decisions: | J48, Id3 | a value has to stand in the header of the file |",
    "splitting/missing_values_more: | Id3 (Weka) | an error | |",
)
def _id3_refuses_numbers_and_gaps() -> bool:
    y = column(a=2, b=2)
    refused = [
        ({"x": [*"ppq", None], "y": y}, {}, "Cannot handle missing values!"),
        ({"x": [1, 2, 3, 4], "y": y}, {}, "Cannot handle numeric attributes!"),
        ({"x": [*"ppqz"], "y": y}, {"x": "pq"}, "nominal value not declared in header"),
    ]
    without_class = _tree("Id3", {"x": [*"pqr"], "y": [*"ab", None]}, {"y": "ab"})
    return (
        all(words in _tree("Id3", table, domains)[0] for table, domains, words in refused)
        and without_class[-1] == "x = r: null"
    )


@says("Weka", "decisions: | C4.5, J48, Id3 | classes; Id3 also refuses numeric attributes and missing values |")
def _j48_predicts_classes() -> bool:
    return "Cannot handle numeric class!" in j48({"x": [1, 2], "y": [1, 2]})[0]


# SimpleCart.


def _simple_cart(table: Any, options: str) -> list[str]:
    return _tree("SimpleCart", table, options=f"-U -H {options}")


@says(
    "Weka's Id3 and SimpleCart",
    "learners/cart_more: | SimpleCart | midpoints, $<$ | first attribute, lowest cut | stops, if it is 0 in doubles |",
    "foreign: | Weka | as printed | J48 `<=`; the others `<` |",
)
def _simple_cart_asks_below_the_middle() -> bool:
    y = column(a=2, b=2)
    table = {"b": [1, 2, 5, 6], "a": [1, 2, 5, 6], "y": y}
    xor = {"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "y": [*"nyyn"]}
    sizes = [len(_simple_cart(few, "-M 2")) for few in ({"x": [1, 2, 3], "y": [*"aab"]}, TWO)]
    return (
        _simple_cart(table, "-M 1")[0].startswith("b < 3.5") and len(_simple_cart(xor, "-M 1")) == 1 and sizes == [1, 2]
    )


@says(
    "Weka's Id3 and SimpleCart",
    "learners/cart_more: fractions, which also count in the score |",
    "decisions: | SimpleCart | fractions |",
    "dialects/cart_programs: SimpleCart divides the others over the branches (`spread`);",
    "splitting/surrogates: | C4.5, SimpleCart | nothing: the row goes down every branch | | | |",
)
def _simple_cart_divides_a_row() -> bool:
    lines = _simple_cart({"x": [1, 2, 5, 6, None], "y": [*"aabbb"]}, "-M 1")
    return any(re.search(r"\((?:\d+\.5/0\.0|2\.0/0\.5)\)", line) for line in lines)


@says(
    "Weka's Id3 and SimpleCart",
    "dialects/cart_programs: rpart and SimpleCart do not look for it",
    r"learners/cart_more: | `subset` | $2^{q-1} - 1$ | Breiman et al., rpart, SimpleCart |",
    "splitting/ordered_subsets: rpart and SimpleCart take the short cut also where a minimum bars some cuts of the",
)
def _simple_cart_cuts_the_order_alone() -> bool:
    # In the order of the shares both cuts leave a branch of one row; {p, r} against {q} gains, and has two.
    table = {"x": column(p=1, q=8, r=1), "y": [*"a", *column(a=5, b=3), *"b"]}
    return [len(_simple_cart(table, f"-M {least}")) > 1 for least in (2, 1)] == [False, True]


# REPTree, and pruning by rows that are held out.


@says(
    "Weka",
    "foreign: REPTree prints two decimals, unless `-num-decimal-places` says otherwise (3.9).",
    "foreign: | Weka | as printed | J48 `<=`; the others `<` |",
)
def _rep_tree_prints_two_decimals() -> bool:
    table = {"x": [0.001, 0.002, 0.007, 0.008] * 9, "y": column(a=2, b=2) * 9}
    told = _tree("REPTree", table, options="-num-decimal-places 4") if str(weka_release()) > "3.9" else ["x < 0.0045"]
    return _tree("REPTree", table)[0].startswith("x < 0 :") and told[0].startswith("x < 0.0045")


def _sizes(program: str, hold: Sequence[str]) -> list[int]:
    """The nodes before and after pruning; of every three rows the third is held out, as `hold` has it."""
    grow = [*("p,a",) * 8, *("q,b",) * 6]
    rows = [row for place, kept in enumerate(hold) for row in (*grow[2 * place : 2 * place + 2], kept)]
    with tempfile.TemporaryDirectory() as folder:
        (path := Path(folder) / "t.arff").write_text(
            "\n".join(["@relation t", "@attribute x {p,q}", "@attribute y {a,b}", "@data", *rows, ""])
        )
        jobs: Any = [
            (f"{program}-held-out", SimpleNamespace(path=path), f"-M 2 -N 3 -H 2{flag}") for flag in (" -U", "")
        ]
        return [len(json.loads(line)["nodes"]) for line in grown_by_weka.run(jobs)]


TIE = ["p,a", "p,a", "p,a", "p,a", "p,a", "q,a", "q,b"]
"""The tree makes one mistake, and so does a leaf."""


@says(
    "Weka's pruning by held-out rows",
    "decisions: | J48 with `-R` | prune, and up to 10⁻⁶ beyond |",
    "decisions: | REPTree | prune; sums of doubles decide, so that with missing values an exact tie can be kept |",
    "pruning/reduced_error_more: | J48 with `-R`, REPTree | bottom-up | prunes |",
)
def _a_tie_is_pruned() -> bool:
    near = [*TIE[:-1], "q,b, {1.0000005}"]
    return [_sizes(program, rows) for program in ("J48", "REPTree") for rows in (TIE, near)] == [
        [3, 1],
        [3, 1],
        [3, 1],
        [3, 3],
    ]


@says(
    "Weka's pruning by held-out rows",
    "decisions: | J48 with `-R`, REPTree | in parts, by the shares of the training rows |",
)
def _a_held_out_row_with_a_gap_counts_in_parts() -> bool:
    # Of a held-out row without x, 6/14 are b in the tree, and all is a at a leaf: one b more than a decides.
    return [_sizes(program, [*TIE[:-2], "?,b", "q,b"]) for program in ("J48", "REPTree")] == [[3, 3]] * 2


# Forests, bags, bins, folds.

TEN: dict[str, Any] = {f"x{place}": [Random(place * 30 + row).random() for row in range(30)] for place in range(9)}
TEN["y"] = [*"ab"] * 15


@says(
    "Weka",
    r"decisions: | Weka's RandomForest | $\lfloor\log_2 n\rfloor + 1$ |",
    r"ensembles/random_forest_more: | Weka's RandomForest | with replacement | $\lfloor\log_2 n\rfloor + 1$ at each",
    "ensembles/random_forest_more: | Weka; Breiman has one less if n is a power of 2 |",
)
def _random_forests_draw_log2_plus_1() -> bool:
    eight = {name: TEN[name] for name in list(TEN)[1:]}
    asked = [weka("trees.RandomForest", arff(eight), f"-I 5 -S 1 -K {most}") for most in (0, 4, 3)]
    numbers = [re.findall(r"Root mean.*|considering \d+", one) for one in asked]
    return numbers[0] == numbers[1] != numbers[2]


@says(
    "Weka",
    "decisions: | Weka's RandomForest | goes on until a question gains |",
    "ensembles/random_forest_more: drawing goes on until a question gains |",
)
def _random_forests_draw_until_a_question_gains() -> bool:
    constant = {f"c{place}": [0] * 20 for place in range(9)}
    printed = weka("trees.RandomForest", arff({**constant, "x": range(20), "y": column(a=10, b=10)}), "-I 5 -K 1 -S 1")
    return re.search(r"Correctly Classified Instances +20 ", printed) is not None


MEANS = """
import weka.classifiers.*; import weka.classifiers.meta.*; import weka.classifiers.trees.*; import weka.core.*;
public class Means {
    static Object field(Object of, String name) throws Exception {
        for (Class<?> kind = of.getClass(); ; kind = kind.getSuperclass()) try {
            java.lang.reflect.Field found = kind.getDeclaredField(name); found.setAccessible(true);
            return found.get(of);
        } catch (NoSuchFieldException above) { }
    }
    static boolean isMean(Object bag, Instance row, double[] answer) throws Exception {
        Classifier[] each = (Classifier[]) field(bag, "m_Classifiers");
        double sum = 0;
        for (Classifier one : each) sum += one.distributionForInstance(row)[0];
        boolean isMean = Math.abs(sum / each.length - answer[0]) < 1e-9;
        return isMean && answer[0] > 0.01 && answer[0] < 0.99 && answer[0] * 7 % 1 > 0.01;
    }
    public static void main(String[] given) throws Exception {
        Instances rows = new Instances(new java.io.FileReader(given[0])); rows.setClassIndex(rows.numAttributes() - 1);
        Bagging bag = new Bagging();
        bag.setOptions(new String[] {"-I", "7", "-W", "weka.classifiers.trees.J48", "--", "-M", "5"});
        bag.buildClassifier(rows);
        RandomForest forest = new RandomForest();
        forest.setOptions(new String[] {"-I", "7", "-depth", "1"}); forest.buildClassifier(rows);
        Object inner = Bagging.class.isInstance(forest) ? forest : field(forest, "m_bagger");
        boolean bags = false, forests = false;
        for (int i = 0; i < rows.numInstances(); i++) {
            bags |= isMean(bag, rows.instance(i), bag.distributionForInstance(rows.instance(i)));
            forests |= isMean(inner, rows.instance(i), forest.distributionForInstance(rows.instance(i)));
        }
        System.out.println(bags + " " + forests + " " + (bag.getBagSizePercent() == 100));
        Instances.class.getMethod("randomize", java.util.Random.class);
        long seed = (42L ^ 0x5DEECE66DL) * 0x5DEECE66DL + 11 & (1L << 48) - 1;
        System.out.println(new java.util.Random(42).nextInt() == (int) (seed >> 16));
    }
}
"""


@cache
def _means() -> list[str]:
    """Whether bags and forests answer by means, bags are as large as the table, and the generator is Java's."""
    with tempfile.TemporaryDirectory() as folder:
        source, path = Path(folder) / "Means.java", Path(folder) / "t.arff"
        source.write_text(MEANS, encoding="utf-8")
        path.write_text(arff(TEN), encoding="utf-8")
        return java(str(source), str(path)).split()


@says(
    "Weka",
    "ensembles/bagging_more: | Weka's Bagging | the same, or a share (`-P`) | the mean of the distributions at the",
    "ensembles/ensemble: | Weka's Bagging and RandomForest | `mean` |",
)
def _bags_and_forests_take_the_mean() -> bool:
    return _means()[:3] == ["true"] * 3


@says(
    "Weka",
    "chance: | Weka | `java.util.Random`, a linear congruential generator of 48 bits that Java's documentation",
)
def _rows_are_drawn_by_the_generator_of_java() -> bool:
    return _means()[3] == "true"


def _binned(kind: str, xs: Sequence[float], y: Sequence[object], options: str = "") -> str:
    with tempfile.TemporaryDirectory() as folder:
        (path := Path(folder) / "t.arff").write_text(arff({"x": xs, "y": y}), encoding="utf-8")
        return java(f"weka.filters.{kind}.attribute.Discretize", *options.split(), "-i", str(path))


@says(
    "Weka",
    "decisions: | Weka's `Discretize` | the least description; with `-E`, the number of candidate cuts in the place",
    r"splitting/discretization: | Weka's `Discretize` | the same; with `-E`, $\log_2$ of the number of candidate cuts",
)
def _what_a_cut_costs() -> bool:
    def is_cut(times: int, options: str) -> bool:
        # Both sides have three rows of one class to one of the other. A cut of 8 rows saves 1.51 bits, and costs 4.05
        # and a logarithm: of the number of rows but one, or with `-E` of 1, as there is one cut.
        y = [*column(a=3 * times, b=times), *column(a=times, b=3 * times)]
        return "(-inf-1.5]" in _binned("supervised", [1] * 4 * times + [2] * 4 * times, y, f"{options} -c last")

    plain, encoded = ([is_cut(times, options) for times in (2, 3, 6, 7)] for options in ("", "-E"))
    widths = _binned("unsupervised", [0, 1, 2, 10], [*"abab"], "-B 2")
    return plain == [False, False, False, True] and encoded == [False, True, True, True] and "(-inf-5]" in widths


@says("Weka", "selection/cross_validation_more: | Weka | ten, stratified |")
def _ten_folds() -> bool:
    printed = weka("trees.J48", arff({"x": range(40), "y": [*"ab"] * 20}), "-U", "")
    return "Stratified cross-validation" in printed and printed.count("Instances") >= 4
