"""C4.5 and Weka's J48: small tables, and the trees that the programs print.

Nobody may pass on C4.5, so its runs need a program of one's own, which the variable `C45` names; it was built from the
sources of release 8 as Quinlan published them.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TypeAlias

from tests.peers.seen.record import RELEASES, says

JAR = Path(os.environ.get("WEKA_JAR", "/usr/share/java/weka.jar"))
C45 = os.environ.get("C45", "c4.5")

Columns: TypeAlias = Mapping[str, Sequence[object]]
"""Texts are categories, in the order in which they come first; the last column is the class; None is missing."""
Grow: TypeAlias = Callable[..., list[str]]
"""The lines of the tree that a program prints for columns and options, without indentation."""


def java(*arguments: str) -> str:
    """What a class of Weka prints."""
    opened = ["--add-opens", "java.base/java.lang=ALL-UNNAMED"]
    run = subprocess.run(
        ["java", *opened, "-cp", str(JAR), *arguments], capture_output=True, encoding="utf-8", check=False
    )
    return run.stdout + run.stderr


@cache
def weka_release() -> str | None:
    """The release of Weka that is installed."""
    if not (JAR.exists() and shutil.which("java")):
        return None
    return next((line for line in java("weka.core.Version").splitlines() if re.fullmatch(r"[\d.]+", line)), None)


@cache
def c45_release() -> str | None:
    """`release 8`, if the program is here."""
    if not shutil.which(C45):
        return None
    found = re.search(
        r"\[(release \d+)\]", subprocess.run([C45, "-f", "/"], capture_output=True, text=True, check=False).stdout
    )
    return found and found[1]


RELEASES["C4.5"], RELEASES["Weka"] = c45_release, weka_release


def values(column: Sequence[object]) -> list[str] | None:
    """The categories of a column; none if it has numbers."""
    known = [cell for cell in column if cell is not None]
    return list(dict.fromkeys(map(str, known))) if any(isinstance(cell, str) for cell in known) else None


def arff(columns: Columns, domains: Mapping[str, Sequence[str]] | None = None, weights: Sequence[float] = ()) -> str:
    """The table as Weka reads it; `domains` declares values in another order, or that no row has."""
    kinds = {name: (domains or {}).get(name, values(column)) for name, column in columns.items()}
    head = [
        f"@attribute {name} {'numeric' if kind is None else '{' + ','.join(kind) + '}'}" for name, kind in kinds.items()
    ]
    rows = [",".join("?" if cell is None else str(cell) for cell in row) for row in zip(*columns.values(), strict=True)]
    rows = [f"{row}, {{{weight}}}" for row, weight in zip(rows, weights, strict=True)] if weights else rows
    return "\n".join(["@relation t", *head, "@data", *rows, ""])


def weka(learner: str, text: str, options: str = "", last: str = "-no-cv") -> str:
    """What a learner of Weka prints of an ARFF file."""
    with tempfile.TemporaryDirectory() as folder:
        (path := Path(folder) / "t.arff").write_text(text, encoding="utf-8")
        return java(f"weka.classifiers.{learner}", *options.split(), *last.split(), "-t", str(path))


def _lines(printed: str) -> list[str]:
    """The lines of a tree: indentation and blanks taken away."""
    found = [re.sub(r"\s+", " ", line.replace("|", "")).strip().replace(" :", ":") for line in printed.splitlines()]
    return [line for line in found if line]


def j48(
    columns: Columns,
    options: str = "-U",
    domains: Mapping[str, Sequence[str]] | None = None,
    weights: Sequence[float] = (),
) -> list[str]:
    """J48's tree."""
    printed = weka("trees.J48", arff(columns, domains, weights), options)
    return (
        _lines(re.split(r"Number of Leaves", printed.split("------\n", 1)[-1])[0])
        if "------\n" in printed
        else [printed]
    )


def c45(columns: Columns, options: str = "", domains: Mapping[str, Sequence[str]] | None = None) -> list[str]:
    """C4.5's tree before pruning, which is what it prints first."""
    return _lines(
        c45_print(columns, options, domains).split("Decision Tree:", 1)[1].split("Tree saved")[0].split("Simplified")[0]
    )


def c45_print(columns: Columns, options: str = "", domains: Mapping[str, Sequence[str]] | None = None) -> str:
    """All that C4.5 prints."""
    *attributes, target = columns
    kinds = {name: (domains or {}).get(name, values(column)) for name, column in columns.items()}
    names = [", ".join(kinds[target] or ()) + "."]
    names += [f"{name}: {'continuous' if (kind := kinds[name]) is None else ', '.join(kind)}." for name in attributes]
    rows = [
        ", ".join("?" if cell is None else str(cell) for cell in row) for row in zip(*columns.values(), strict=True)
    ]
    with tempfile.TemporaryDirectory() as folder:
        stem = Path(folder) / "t"
        stem.with_suffix(".names").write_text("\n".join([*names, ""]), encoding="utf-8")
        stem.with_suffix(".data").write_text("\n".join([*rows, ""]), encoding="utf-8")
        run = subprocess.run(
            [C45, "-f", str(stem), *options.split()], capture_output=True, encoding="latin-1", check=False
        )
    return run.stdout + run.stderr


def _of_both(*sentences: str) -> Callable[[Callable[[Grow], bool]], Callable[[Grow], bool]]:
    """A run by which sentences about C4.5 or J48 are seen, each by its own program; of `stop.` by both."""

    def record(run: Callable[[Grow], bool]) -> Callable[[Grow], bool]:
        for program, grow, names in (("C4.5", c45, r"C4\.5|[Rr]elease 8|Quinlan"), ("Weka", j48, "J48|Weka")):
            said = [sentence for sentence in sentences if re.search(rf"{names}|stop\.", sentence.partition(": ")[2])]
            says(program, *said, run=run.__name__.strip("_"))(partial(run, grow))
        return run

    return record


def column(**counts: int) -> list[object]:
    """`column(a=2, b=1)` is a, a, b."""
    return [name for name, count in counts.items() for _ in range(count)]


TWO: dict[str, Sequence[object]] = {"x": [1, 2, 5, 6], "y": column(a=2, b=2)}


@_of_both(
    "decisions: | C4.5 | its logarithm of 0 is 0 |",
    r"decisions: | J48 | $x \ln x$ is 0 for $x \le 0$ |",
    "decisions: | C4.5, J48 | search midpoints, then store the largest training value not above the best one, `<=`;",
    "foreign: | C4.5 | as printed | `<=` |",
    "foreign: | Weka | as printed | J48 `<=`; the others `<` |",
)
def _a_pure_branch_adds_nothing_and_the_threshold_is_a_value(grow: Grow) -> bool:
    return grow(TWO) == ["x <= 2: a (2.0)", "x > 2: b (2.0)"]


@_of_both(
    "decisions: | C4.5, J48 | search midpoints, then store the largest training value not above the best one, `<=`;"
)
def _no_cut_between_near_values(grow: Grow) -> bool:
    sizes = [len(grow({"x": [1, 1, 1 + gap, 1 + gap], "y": column(a=2, b=2)})) for gap in (0.000005, 0.00003)]
    return sizes == [1, 2]


@_of_both(
    "decisions: | C4.5 | first attribute in file order, lowest cut;",
    "decisions: | C4.5, J48 | the largest gain, less a penalty for the number of cuts tried; the first of equals |",
)
def _of_equals_the_first(grow: Grow) -> bool:
    attribute = grow({"b": [1, 2, 3, 4], "a": [1, 2, 3, 4], "y": column(a=2, b=2)})
    cut = grow({"x": [1, 1, 1, 2, 2, 2, 3, 3, 3], "y": [*"aaabbbaaa"]})
    return attribute[0].startswith("b <=") and cut[0].startswith("x <= 1")


@_of_both(
    "decisions: | C4.5, J48, Id3, scikit-learn | the first class |",
    "decisions: | C4.5 | the order of the `.names` file; a value of a `discrete` attribute, when it first comes |",
    "decisions: | J48, Id3 | the order of the ARFF header |",
)
def _of_equal_classes_the_first_that_is_declared(grow: Grow) -> bool:
    tied = {"x": [1, 1, 1, 1], "y": [*"abab"]}
    orders = [("a", "b"), ("b", "a")]
    return [grow(tied, domains={"y": order})[0].strip(": ")[0] for order in orders] == ["a", "b"]


@_of_both(
    "decisions: | C4.5, J48 | at least *two* branches with a weight of at least 2; each side of a cut, at least a",
    "learners/c45_more: Quinlan's program avoids the ID by another rule: [two branches must have a weight of at least",
)
def _how_small_a_branch_may_be(grow: Grow) -> bool:
    def cut(rows: int, of_a: int) -> str:
        return grow({"x": range(rows), "y": column(a=of_a, b=rows - of_a)})[0]

    one_is_large = grow({"x": column(p=1, q=1, r=6), "y": column(a=2, b=6)})
    two_are_large = grow({"x": column(p=2, q=1, r=6), "y": column(a=3, b=6)})
    # Of 100 rows of two classes each side has 5; of 600 it has 25, and not 30.
    cuts = [re.findall(r"\d+", cut(rows, 4))[0] for rows in (100, 600)]
    return len(one_is_large) == 1 and len(two_are_large) == 3 and cuts == ["4", "24"]


@_of_both(
    "decisions: | C4.5, J48 | gain ratio among those of at least average gain |",
    "decisions: | `stop.average`{#stop.average} |",
    "learners/c45_more: | C4.5 release 8 | gain at least the average less 0.001,",
    "decisions: | C4.5, J48 | at least the average less 0.001; the average leaves out attributes that fail",
    "learners/c45_more: | J48 | as C4.5, and a later one has to be better by more than 10⁻⁶ | as C4.5 | as C4.5 |",
)
def _the_ratio_decides_among_those_of_average_gain(grow: Grow) -> bool:
    # a gains 0.108 with a ratio of 0.23, and b 0.119 with one of 0.12; the average is 0.113.
    a, b = column(p=2, q=18), [*column(r=2), *column(r=5, s=3), *column(r=3, s=7)]
    y = column(a=10, b=10)
    return grow({"a": a, "b": b, "y": y})[0].startswith("b =") and grow({"a": a, "y": y})[0].startswith("a =")


@_of_both(
    "decisions: | C4.5, J48 | at least the average less 0.001; the average leaves out attributes that fail the rule",
    "learners/c45_more: | C4.5 release 8 | gain at least the average less 0.001, an average that leaves out",
)
def _an_attribute_of_very_many_values_is_not_in_the_average(grow: Grow) -> bool:
    # Of 20 rows, six values are very many. b gains 0.40, and a gains 1, so b is below an average that counts a.
    six, five = column(p=4, q=4, r=2, s=4, t=4, u=2), column(p=4, q=4, r=2, s=4, t=6)
    b, y = [*column(g=6, h=4), *column(h=10)], column(a=10, b=10)
    return [grow({"a": a, "b": b, "y": y})[0][0] for a in (six, five)] == ["b", "a"]


@_of_both("decisions: | C4.5, J48 | at least the average less 0.001;")
def _a_gain_may_be_a_thousandth_below_the_average(grow: Grow) -> bool:
    def root(errors: int) -> str:
        # a gains 0.0203 with the larger ratio; b gains about a thousandth more, or six thousandths.
        r = column(r=500 - errors, s=errors)
        return grow(
            {
                "a": [*column(p=20, q=980)],
                "b": [*reversed(r), *column(r=errors, s=500 - errors)],
                "y": column(a=500, b=500),
            }
        )[0][0]

    return [root(207), root(202)] == ["a", "b"]


@_of_both(
    "decisions: | C4.5, J48 | the largest gain, less a penalty for the number of cuts tried; the first of equals |",
    'learners/c45_more: | largest gain, less a penalty for the number of cuts | "unknown"',
    "learners/c45_more: | J48 | as C4.5,",
)
def _a_cut_pays_for_the_others_that_were_tried(grow: Grow) -> bool:
    y, small = [*"aabababb"], "-m 1" if grow is c45 else "-U -M 1"
    return [len(grow({"x": x, "y": y}, small)) for x in (range(8), [1] * 4 + [2] * 4)] == [1, 2]


@_of_both(
    "decisions: | C4.5 | a discrete attribute once, a continuous one again |",
    "decisions: | J48, Id3 | no rule, but below a branch only one value is left, which makes no split |",
    "decisions: | C4.5, J48 | a branch for each value; a number is cut in two |",
    "splitting/one_hot_encoding: | ID3, C4.5, J48 | no: a branch for each value |",
)
def _a_branch_for_each_value_and_a_number_again(grow: Grow) -> bool:
    y = column(a=2, b=2) + column(a=2)
    names = [line.split(" ")[0] for line in grow({"x": [1, 1, 2, 2, 3, 3], "y": y})]
    return len(grow({"x": column(p=2, q=2, r=2), "y": y})) == 3 and names == ["x"] * 4


@_of_both(
    "decisions: | C4.5, J48 | a leaf below twice the minimum weight of a branch |",
    "decisions: | C4.5, J48, rpart, scikit-learn, XGBoost | a greedy search alone |",
    "pruning/pre_pruning_more: | C4.5, J48, rpart, scikit-learn | sizes, depths and thresholds on the training rows;",
)
def _below_twice_the_minimum_there_is_a_leaf(grow: Grow) -> bool:
    xor = {"a": [0, 0, 1, 1] * 2, "b": [0, 1, 0, 1] * 2, "y": [*"nyyn"] * 2}  # and nothing looks two questions ahead
    return len(grow({"x": [1, 2, 3], "y": [*"aab"]})) == 1 and len(grow(TWO)) == 2 and len(grow(xor)) == 1


@_of_both(
    "decisions: | `stop.zero-gain`{#stop.zero-gain} |",
    "decisions: | C4.5 | splits (with `-m 1`), and afterwards collapses a subtree whose errors do not fall |",
    "decisions: | J48, Id3, rpart | do not |",
    "dialects/c45_programs: Release 8 still splits if the attributes are categorical, because no rule forbids it; a",
    "dialects/c45_programs: J48 stops in either case (`zero_gain`, `cut_gain`):",
)
def _what_gains_nothing(grow: Grow) -> bool:
    xor = {"a": [*"ppqq"] * 2, "b": [*"pqpq"] * 2, "y": [*"nyyn"] * 2}
    numbers = {name: cells if name == "y" else [int(cell == "q") for cell in cells] for name, cells in xor.items()}
    return [len(grow(table)) for table in (xor, numbers)] == ([6, 1] if grow is c45 else [1, 1])


@_of_both(
    "decisions: | C4.5 | splits (with `-m 1`), and afterwards collapses a subtree whose errors do not fall |",
    "decisions: | `stop.collapsed`{#stop.collapsed} |",
    "dialects/c45_programs: | C4.5 release 8 | always, as soon as all below a node is grown |",
    "dialects/c45_programs: | J48 | always in 3.6.14; later versions have `-O` to leave it out |",
    'dialects/c45_programs: J48 also collapses under its option `-U` ("unpruned"), so an unpruned tree of J48 is not',
    "dialects/c45_programs: Quinlan's program goes from the leaves up, and J48 from the root down.",
)
def _what_makes_no_fewer_errors_collapses(grow: Grow) -> bool:
    table = {"x": column(p=10, q=10), "y": column(a=16, b=4)}
    is_option = grow is j48 and str(weka_release()) > "3.7"
    return len(grow(table)) == 1 and (not is_option or len(grow(table, "-U -O")) == 2)


@_of_both("decisions: | C4.5, J48 | the parent's majority |")
def _an_empty_branch_answers_as_its_parent(grow: Grow) -> bool:
    return grow({"x": column(p=3, q=2), "y": column(a=3, b=2)}, domains={"x": [*"pqr"]})[-1] == "x = r: a (0.0)"


@_of_both(
    "decisions: | C4.5, scikit-learn, XGBoost | 32-bit floats |",
    "decisions: | J48, rpart | 64-bit floats |",
    "dialects/c45_programs: - Release 8 keeps gains, weights and thresholds as 32-bit floats.",
    "dialects/c45_programs: J48 compares doubles.",
    r"measures/entropy_more: | C4.5 | base 2 | stored as 32-bit floats | from sums of $c \log_2 c$ |",
    r"measures/entropy_more: | J48 | base 2 | 64-bit floats | from sums of $c \ln c$;",
    "pruning/error_based_more: | C4.5, release 8 | the rules above with the table; all weights in 32-bit floats |",
)
def _how_many_bits_a_number_has(grow: Grow) -> bool:
    near = {"x": [2**24] * 2 + [2**24 + 1] * 2, "y": column(a=2, b=2)}
    return len(grow(near)) == (1 if grow is c45 else 2)


@_of_both(
    r"decisions: | C4.5, J48 | ρ times the gain; \"unknown\" is one more outcome of the split information |".replace(
        "\\", ""
    ),
    r"splitting/missing_values_more: C4.5 and J48 treat \"unknown\" as one more outcome and divide by".replace(
        "\\", ""
    ),
    r"splitting/missing_values_more: | C4.5, J48 | $\rho$ times the gain on the known;",
    'learners/c45_more: | "unknown" is one more outcome of the split information |',
    "learners/c45_more: | J48 | as C4.5,",
)
def _what_is_unknown_counts_as_an_outcome(grow: Grow) -> bool:
    # x is known in half of the rows, and there perfect: 0.5 of gain, 1.5 of information. z has a ratio of 0.41 or so.
    x = [*column(p=5, q=5), *[None] * 10]
    z = [*column(k=4, m=1), *column(l=4, m=1), *column(k=4, m=1), *column(l=4, m=1)]
    table = {"x": x, "z": z, "w": [*"uv"] * 10, "y": [*column(a=5, b=5), *column(a=5, b=5)]}
    return grow(table)[0].startswith("z =")


@_of_both(
    "decisions: | Zhou, C4.5, J48 | multiplied |",
    "splitting/missing_values_more: | down all branches, by their shares of the known |",
    "splitting/surrogates: | C4.5, SimpleCart | nothing: the row goes down every branch | | | |",
)
def _shares_are_multiplied(grow: Grow) -> bool:
    # Of the last row 6/12 go to x = p, and half of that to each side of z.
    x, z = [*column(p=6, q=6), None], [1, 1, 1, 2, 2, 2, *[1] * 6, None]
    lines = grow({"x": x, "z": z, "y": [*"aaabbb", *"ccccccc"]})
    return sum(line[-9:] in {"3.2/0.2)", "3.25/0.25)"} or "(3.2" in line for line in lines) == 2


def _weights_of_leaves(lines: Sequence[str]) -> float:
    return sum(float(found) for found in re.findall(r"\(([\d.]+)", " ".join(lines)))


@_of_both(
    "decisions: | C4.5, J48, Id3 | classes; Id3 also refuses numeric attributes and missing values |",
    "decisions: | C4.5 | reports an error, and takes the row as one of the first class |",
    "decisions: | J48, Id3, rpart | left out |",
)
def _a_row_without_a_class(grow: Grow) -> bool:
    table, domains = {"x": [1, 2, 5, 6], "y": [*"bba", None]}, {"y": [*"ab"]}
    rows = _weights_of_leaves(grow(table, domains=domains))
    if grow is j48:
        return rows == 3
    return (
        rows == 4
        and "ERROR:  case 4's class of '?' is illegal" in c45_print(table, domains=domains)
        and len(grow(table, domains=domains)) == 2
    )


@_of_both(
    "decisions: | C4.5 | reports an error, and takes the value as missing |",
    "decisions: | J48, Id3 | a value has to stand in the header of the file |",
)
def _a_value_that_is_not_declared(grow: Grow) -> bool:
    table, domains = {"x": [*column(p=4, q=2), "z"], "y": column(a=4, b=3)}, {"x": [*"pq"]}
    if grow is j48:
        return "nominal value not declared in header" in j48(table, domains=domains)[0]
    return (
        "value of 'z' for attribute x is illegal" in c45_print(table, domains=domains)
        and "(4.7/0.7)" in c45(table, domains=domains)[0]
    )


@says("C4.5", "dialects/c45_programs: Release 8 also requires a split information above 1/1000.")
def _a_split_information_of_a_thousandth() -> bool:
    # Two rows of 20 000 have 0.0015 bits, and two of 40 000 have 0.0008.
    sizes = [len(c45({"x": column(p=2, q=rows - 2), "y": column(a=2, b=rows - 2)})) for rows in (20_000, 40_000)]
    return sizes == [2, 1]


# How many errors are expected.


def _estimate(rows: int, errors: int) -> float:
    """The errors that C4.5 expects at a leaf: it prints them in per cent of the rows."""
    printed = c45_print({"x": [1] * rows, "y": column(a=rows - errors, b=errors)})
    return float(re.findall(r"\(([\d. ]+)%\)", printed)[-1]) * rows / 100


def _near(rows: int, errors: int, expected: float) -> bool:
    return abs(_estimate(rows, errors) - expected) <= rows * 0.00051


def _normal(rows: int, errors: int, z: float) -> float:
    """The upper limit by the normal distribution, corrected by one half."""
    e = errors + 0.5
    return float(rows * (e + z * z / 2 + z * (e * (1 - e / rows) + z * z / 4) ** 0.5) / (rows + z * z))


@says(
    "C4.5",
    "decisions: | C4.5 | interpolates the deviate in nine points, then an approximation with a correction for",
    "pruning/error_limits: The program C4.5 solves this equation only for leaves without an error.",
    "pruning/error_limits: | C4.5, release 8 | the same, up to 10⁻⁶ errors | linear between none and one, up to",
    "pruning/error_based_more: | C4.5, release 8 | the rules above with the table;",
    "pruning/cost_function_more: | C4.5, J48 | [error-based pruning](error_based.md) |",
    "decisions: | C4.5, J48 | no such method |",
)
def _the_limits_of_release_8() -> bool:
    z = 0.84 + (0.25 - 0.84) * (0.25 - 0.2) / (0.4 - 0.2)  # between the deviates of 0.2 and 0.4
    none = 20 * (1 - 0.25 ** (1 / 20))
    return _near(20, 0, none) and _near(20, 3, _normal(20, 3, z)) and not _near(1000, 300, _normal(1000, 300, 0.6745))


LIMITS = """
import weka.classifiers.trees.j48.*;
public class Limits {
    public static void main(String[] given) throws Exception {
        for (double e : new double[] {0, 0.5, 1, 3, 19.6}) System.out.println(e + Stats.addErrs(20, e, 0.25f));
        System.out.println(new Distribution(new double[][] {{3, 0}, {0, 3}, {1, 0}}).maxBag());
    }
}
"""


@cache
def _limits() -> list[float]:
    """The errors that J48 expects of 20 rows with 0, 1/2, 1, 3 and 19.6 wrong; the branch that it would raise."""
    with tempfile.TemporaryDirectory() as folder:
        (path := Path(folder) / "Limits.java").write_text(LIMITS, encoding="utf-8")
        return [float(line) for line in java(str(path)).splitlines()]


@says(
    "Weka",
    "decisions: | J48 | the same with the normal quantile itself |",
    "decisions: These approximations are rules with names: Quinlan's table of nine points, and Weka's normal quantile.",
    "pruning/error_limits: J48 computes the deviate itself.",
    "pruning/error_limits: | J48 | the same | linear between none and one | normal, continuity 1/2 | $N$ |",
    "pruning/error_based_more: | J48 | the rules above with the normal quantile;",
    "pruning/cost_function_more: | C4.5, J48 | [error-based pruning](error_based.md) |",
    "decisions: | C4.5, J48 | no such method |",
)
def _the_limits_of_j48() -> bool:
    none, half, one, three, all_wrong, _ = _limits()
    expected = [20 * (1 - 0.25 ** (1 / 20)), (none + one) / 2, _normal(20, 1, 0.6744897), _normal(20, 3, 0.6744897), 20]
    return all(abs(x - y) < 1e-4 for x, y in zip((none, half, one, three, all_wrong), expected, strict=True))


@says("C4.5", "decisions: | C4.5, J48 | found to take the last |")
def _of_equal_branches_the_last_is_raised_by_release_8() -> bool:
    # `-v 1` names the branch that would take the place of a node.
    table = {"x": column(p=10, q=10), "z": [*"uuuuuvvvvv"] * 2, "y": [*"aaaabbbbbb", *"bbbbbaaaaa"]}
    return set(re.findall(r"br\[(\d+)\]", c45_print(table, "-v 1"))) == {"2"}


@says("Weka", "decisions: | C4.5, J48 | found to take the last |")
def _of_equal_branches_the_last_is_raised_by_j48() -> bool:
    return _limits()[-1] == 1


# What J48 alone does.


@says(
    "Weka",
    "decisions: | J48 | a later attribute has to be better by more than 10⁻⁶ |",
    "measures/entropy_more: a winner has to win by more than 10⁻⁶ |",
    "dialects/c45_programs: - J48 has its slack of 0.000001 in every comparison, also of weights with minimum sizes.",
    "dialects/c45_programs: The candidate that J48 keeps may then be slightly worse than the best.",
    "pruning/error_based_more: a slack of 10⁻⁶ in each comparison;",
)
def _a_later_attribute_has_to_be_better_by_a_millionth() -> bool:
    def root(weight: float) -> str:
        # The last row, of this weight, is on the wrong side of a.
        table = {"a": [*"pppqqq", "p"], "b": [*"pppqqq", "q"], "y": [*"aaabbb", "b"]}
        return j48(table, weights=[1, 1, 1, 1, 1, 1, weight])[0][0]

    return [root(1e-9), root(0.5)] == ["a", "b"]


@says("Weka", "dialects/c45_programs: Where each side of a cut needs more than 25, J48 accepts exactly 25.")
def _exactly_25_rows_are_enough_for_j48() -> bool:
    return [len(j48({"x": range(50), "y": column(a=25, b=25)}, f"-U -M {most}")) for most in (25, 26)] == [2, 1]


@says(
    "Weka",
    "pruning/error_based_more: `-S` does not raise |",
    "auditing: J48 may also raise a branch; so its tree is grown anew, pruned, and compared node by node.",
)
def _a_branch_is_raised_unless_told_otherwise() -> bool:
    text = (Path(__file__).parents[3] / "tests/recorded/data/credit-g.arff").read_text(encoding="utf-8")
    return len({weka("trees.J48", text, options).split("Time taken")[0] for options in ("", "-S")}) == 2


@says(
    "Weka",
    "foreign: - **J48** of release 3.6 sends a value to the lower side of a threshold if it is above it by less than",
)
def _a_value_just_above_the_threshold() -> bool:
    with tempfile.TemporaryDirectory() as folder:
        (path := Path(folder) / "later.arff").write_text(
            arff({**TWO, "x": [2.0000005] * 4}, {"y": [*"ab"]}), encoding="utf-8"
        )
        answers = re.findall(r"\d:[ab] +\d:([ab])", weka("trees.J48", arff(TWO), "-U", f"-p 0 -T {path}"))
    return answers == ["a" if str(weka_release()) < "3.7" else "b"] * 4


@says("Weka", "decisions: | C4.5, J48 | the mixture |")
def _a_row_with_a_gap_is_answered_by_the_mixture() -> bool:
    table = {"x": column(p=8, q=4), "y": column(a=8, b=4)}
    with tempfile.TemporaryDirectory() as folder:
        (path := Path(folder) / "later.arff").write_text(
            arff({"x": [None], "y": ["a"]}, {"x": [*"pq"], "y": [*"ab"]}), encoding="utf-8"
        )
        printed = weka("trees.J48", arff(table), "-U", f"-p 0 -distribution -T {path}")
    return re.search(r"\*?0\.667,0\.333", printed) is not None


@says("C4.5", "decisions: | C4.5, J48 | the mixture |")
def _a_row_with_a_gap_is_answered_by_the_mixture_of_release_8() -> bool:
    # Both branches say c of a little less than half of their rows, so that together c is the most frequent class.
    x, y = [*column(p=90, q=90), *[None] * 6], [*column(a=50, c=40), *column(b=50, c=40), *column(c=6)]
    return re.search(r"\s80\(", c45_print({"x": x, "y": y})) is not None


@says(
    "Weka",
    "auditing: Under `-R`, J48 grows from all folds but the last (release 3.9.7 ends with an error:",
    "pruning/reduced_error_more: | J48 with `-R`, REPTree | bottom-up | prunes |",
    "selection/holdout_more: | REPTree, J48 with `-R` | stratified folds, one of which is held out: a third (`-N 3`);",
)
def _a_third_is_held_out() -> bool:
    table = {"x": [1, 2] * 45, "y": [*"ab"] * 45}
    if str(weka_release()) > "3.7":
        return "Model selection method not implemented" in j48(table, "-R")[0]
    return _weights_of_leaves(j48(table, "-R")) == 60 and _weights_of_leaves(j48(table, "-R -N 9")) == 80


@says(
    "Weka",
    "auditing: Where J48 printed `Options:` or `Scheme:`, these hold",
    "foreign: its `Scheme:` line, or the `Options:` of the command line, says how J48 was trained",
)
def _j48_prints_its_options() -> bool:
    return re.search(r"^Options: -U", weka("trees.J48", arff(TWO), "-U"), re.MULTILINE) is not None


@says("Weka", "foreign: thresholds and weights beyond the digits that are printed")
def _j48_prints_weights_of_two_digits() -> bool:
    return j48({"x": [*"pppp", *"qq", None], "y": column(a=4, b=3)}) == ["x = p: a (4.67/0.67)", "x = q: b (2.33)"]
