"""Line by line and member by member: what programs print and write is used, without effect, or refused by name.

Each line of a real print, each column of a table and each member of a payload is taken away, renamed, doubled by one
that nobody knows, and changed. Then the document is another one, or the text is refused in one line; or the line stands
among those without effect, with the reason. Nothing else.
"""

from __future__ import annotations

import csv
import io
import json
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.programs.c45 import prints as c45
from reference_tree.programs.inventory import Inventory
from reference_tree.programs.printouts import Printout
from reference_tree.programs.reader import readers
from reference_tree.programs.reading import read_foreign
from reference_tree.programs.rpart import prints as rpart_print
from reference_tree.programs.rpart.tables import PARTS
from reference_tree.programs.scikit_learn import export_text
from reference_tree.programs.spark import payloads as spark
from reference_tree.programs.weka import prints as weka_prints
from tests.programs.c45.test_prints import GOLF, SPLIT
from tests.programs.recording import HERE
from tests.programs.scikit_learn.test_export_text import IRIS, MEANS

Outcome = str
"""`refused`, `another` or `same`."""

CHECKS = {"Number of Leaves", "n", "node), split, n", "a class", "C4.5", "Decision Tree", "Scheme", "Size of the tree"}
"""Lines that may be missing from an excerpt, in which the tree stands all the same."""


def read(text: str) -> Any:
    """The documents of a text."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return read_foreign(text)


def outcome(text: str, right: Any) -> Outcome:
    """What becomes of a text that was changed."""
    try:
        return "same" if read(text) == right else "another"
    except InputError:
        return "refused"


def prints() -> Iterator[Any]:
    """Real prints: the reader's list of lines, and the text."""
    for folder in ("weka", "prints"):
        for path in sorted((HERE / folder).glob("*.txt")):
            yield pytest.param(weka_prints.PRINTOUT, path.read_text(encoding="utf-8"), id=path.stem)
    for path in sorted((HERE / "rpart-kinds").glob("*.txt")):
        yield pytest.param(rpart_print.PRINTOUT, path.read_text(encoding="utf-8"), id=f"rpart-{path.stem}")
    yield pytest.param(c45.PRINTOUT, GOLF, id="c45-golf")
    yield pytest.param(c45.PRINTOUT, SPLIT, id="c45-split")
    yield pytest.param(None, IRIS, id="export_text-iris")
    yield pytest.param(None, MEANS, id="export_text-means")


REASONS: Sequence[tuple[str, str]] = (
    (r"^\s*(\|\s*)*.* : .*\(\d.*", "a leaf of REPTree: its rows are not read"),
    (
        r"^\s*(\|\s*)*.*\(\d*\.\d*[1-9]\d*(/.*)?\)$|^.*\(\d+\.\d+/\d+\.\d*[1-9]\d*\)$",
        "weights that are no whole numbers",
    ),
    (r"^ *\d+\) .*[^*]$", "a node of rpart that asks: its answer is not read"),
    (r"^ *\d+\) \S.* \d\S* +\S+ +-?[\d.]+(e[+-]\d+)? \*$", "a mean of rpart: its deviance and rows are not read"),
    (r"^C4\.5 \[release \d+\].*", "the date above a printout of C4.5"),
)
"""Lines of a tree with numbers that are not read."""


_WEIGHTS = r"^.* ?\([\d./]+\)( \[[\d./]+\])?$"


def no_effect(known: Printout | None, line: str, how: str, right: Any) -> bool:
    """Whether a line is listed as without effect; weights have none where the document knows no counts."""
    if how == "changed" and "counts" in right[0]["program"].get("silent", ()) and re.fullmatch(_WEIGHTS, line.rstrip()):
        return True
    if known is not None:
        for each in known.lines:
            is_listed = each.no_effect or (how == "removed" and each.name in CHECKS)
            if is_listed and re.fullmatch(each.pattern, line.strip()):
                return True
    return how == "changed" and any(re.fullmatch(pattern, line.rstrip()) for pattern, _ in REASONS)


def changed(line: str) -> Iterator[tuple[str, str]]:
    """A line in other forms: how, and the line, which may be none or two."""
    yield "removed", ""
    yield "added", f"{line}\nColour of the tree: 3"
    word = re.search(r"[A-Za-z][A-Za-z-]+", line)
    if word is not None:
        yield "renamed", f"{line[: word.start()]}{word[0][::-1].swapcase()}x{line[word.end() :]}"
    if numbers := list(re.finditer(r"(?<![A-Za-z\d])\d", line)):
        at = numbers[-1].start()
        yield "changed", f"{line[:at]}{(int(line[at]) + 1) % 10}{line[at + 1 :]}"


@pytest.mark.parametrize(("known", "text"), list(prints()))
def test_each_line_of_a_print_is_used_or_listed_or_refused(known: Printout | None, text: str) -> None:
    right, lines, silent = read(text), text.split("\n"), list[str]()
    outcomes = {"refused": 0, "another": 0, "same": 0}
    for place, line in enumerate(lines):
        if not line.strip(" \t-="):
            continue
        for how, other in changed(line):
            found = outcome("\n".join([*lines[:place], *([other] if other else []), *lines[place + 1 :]]), right)
            outcomes[found] += 1
            if found == "same" and not (how != "added" and no_effect(known, line, how, right)):
                silent.append(f"{how}: {line}")
    assert not silent
    assert outcomes["refused"] > len([line for line in lines if line.strip()])


def test_a_line_that_is_not_known_is_passed_over_if_told() -> None:
    text = (HERE / "weka" / "j48-iris.txt").read_text(encoding="utf-8")
    other = text.replace("Size of the tree", "Colour : \tred\nSize of the tree")
    with pytest.raises(InputError, match=r"line 1\d: .*a line 'Colour', which is not known here; if it has no effect"):
        read_foreign(other)
    with pytest.warns(UserWarning, match="ignored, as told: Colour"):
        (document,) = read_foreign(other, ignore_members=["Colour"])
    assert document["nodes"] == read(text)[0]["nodes"]


def explorer(learner: str, options: str, *, spaced: bool = True) -> str:
    """A printout of the Explorer, around the tree of the command line."""
    tree = (HERE / "weka" / "j48-iris.txt").read_text(encoding="utf-8").partition("\nTime taken")[0]
    gap = " " * 7 if spaced else ""
    return (
        f"=== Run information ===\n\nScheme:{gap}{learner} {options}\nRelation:{' ' * 5 * spaced}iris\n"
        f"Instances:    150\nAttributes:   5\n{' ' * 14}sepal length\n{' ' * 14}sepal width\n{' ' * 14}petal length\n"
        f"{' ' * 14}petal width\n{' ' * 14}class\nTest mode:    10-fold cross-validation\n\n"
        f"=== Classifier model (full training set) ===\n{tree}\n\nTime taken to build model: 0.01 seconds\n\n"
        "=== Stratified cross-validation ===\n=== Summary ===\n\n"
        "Correctly Classified Instances         144               96      %\n"
    )


@pytest.mark.parametrize("spaced", [True, False])
def test_the_explorer_says_how_a_tree_was_grown(spaced: bool) -> None:
    (document,) = read(explorer("weka.classifiers.trees.J48", "-S -C 0.1 -M 5", spaced=spaced))
    assert document["learner"]["options"]["scheme"] == "J48 pruned tree -S -C 0.1 -M 5"
    assert document["learner"]["source"]["command"] == "weka.classifiers.trees.J48 -S -C 0.1 -M 5"


@pytest.mark.parametrize(
    ("learner", "options", "message"),
    [
        ("weka.classifiers.trees.J48", "-Z 3", "line 3: a tree of Weka: J48 has a member 'Z', which is not known here"),
        (
            "weka.classifiers.meta.Bagging",
            "-I 10",
            "the scheme is weka.classifiers.meta.Bagging, and the tree is one of J48",
        ),
        ("weka.classifiers.trees.HoeffdingTree", "-L 2", "the scheme is weka.classifiers.trees.HoeffdingTree"),
    ],
)
def test_a_scheme_that_is_not_known_is_refused(learner: str, options: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(explorer(learner, options))


OTHER_TREES: Mapping[str, str] = {
    "LMT": "\nLogistic model tree \n------------------\n: LM_1:18/18 (150)\n\nNumber of Leaves  : \t1\n",
    "M5P": "\nM5 pruned model tree:\n(using smoothed linear models)\n\nMMAX <= 14000 : LM1 (141/2.365%)\n",
    "RandomTree": "\n\nRandomTree\n==========\n\npetal length < 2.45 : setosa (50/0)\n",
    "DecisionStump": "\nDecision Stump\n\nClassifications\n\npetal length <= 2.45 : setosa\n",
    "ADTree": "\nAlternating decision tree:\n\n: -0.255\n|  (1)outlook = overcast: -1.049\n",
    "NBTree": "\nNBTree\n------------------\n\nsepal width <= 3.35: NB 3\n",
    "FT": "\nFT tree \n------------------\n: FT_1:15/15 (150)\n",
    "BFTree": "\nBest-First Decision Tree\n\npetal length < 2.45: setosa(50.0/0.0)\n",
    "J48graft": "\nJ48graft pruned tree\n------------------\n\npetal width <= 0.6: setosa (50.0)\n",
    "LADTree": "\nweka.classifiers.trees.LADTree:\n\n: 0,0,0\n|  (1)petal width < 0.8: 2,-1,-1\n",
    "RandomForest": "\nRandomForest\n\nBagging with 100 iterations and base learner\n",
}
"""What other trees of Weka print (3.6.14 and 3.9.7), as far as their first lines."""


@pytest.mark.parametrize("learner", OTHER_TREES)
def test_other_trees_of_weka_are_refused_by_name(learner: str) -> None:
    with pytest.raises(InputError, match=f"its tree is one of {learner}, which is not read; grow the tree with J48"):
        read(OTHER_TREES[learner])


# Tables of rpart.

TABLE_CHECKS = {"frame": {"wt", "dev", "ncompete"}, "splits": {"improve"}}
"""Columns whose numbers are used by some methods alone, or of surrogates alone."""


def tables(text: str) -> dict[str, list[list[str]]]:
    """The tables of rpart by name, each as rows of cells, the head first."""
    _, *found = re.split(r"(?m)^# (\w+) *$", text)
    return {
        name: list(csv.reader(io.StringIO(body.strip("\n"))))
        for name, body in zip(found[::2], found[1::2], strict=True)
    }


def written(found: Mapping[str, Sequence[Sequence[str]]]) -> str:
    """The text of tables."""
    return "".join(
        f"# {name} \n"
        + "".join(",".join('"{}"'.format(cell.replace('"', '""')) for cell in row) + "\n" for row in rows)
        for name, rows in found.items()
    )


def other_tables(found: dict[str, list[list[str]]]) -> Iterator[tuple[str, str, str, dict[str, list[list[str]]]]]:
    """The tables with a column taken away, renamed, added or changed, or a table renamed, or added."""
    for name, rows in found.items():
        yield name, "", "renamed", {(f"x{key}" if key == name else key): value for key, value in found.items()}
        for place, column in enumerate(rows[0]):
            yield name, column, "removed", {**found, name: [[*row[:place], *row[place + 1 :]] for row in rows]}
            head = [*rows[0][:place], f"x{column}", *rows[0][place + 1 :]]
            yield name, column, "renamed", {**found, name: [head, *rows[1:]]}
            cells = [[*row[:place], _other(row[place]), *row[place + 1 :]] for row in rows[1:]]
            if cells:
                yield name, column, "changed", {**found, name: [rows[0], *cells]}
        yield name, "colour", "added", {**found, name: [[*row, "colour" if row is rows[0] else "3"] for row in rows]}
    yield "colours", "", "added", {**found, "colours": [["colour"], ["3"]]}


def _other(cell: str) -> str:
    try:
        return format(float(cell) + 1, ".17g")
    except ValueError:
        return f"{cell}x"


def _has_no_part(path: Path, column: str) -> bool:
    """Columns that have no part in these trees: rows below, and probabilities that are no shares anyway."""
    return (path.stem == "one-leaf" and column in ("n", "nsurrogate")) or (
        path.stem == "priors" and column in ("yval2.V4", "yval2.V5")
    )


def listed(inventory: Inventory, name: str, column: str) -> bool:
    """Whether a column is listed as without effect."""
    inner = inventory.used.get(name)
    return inner is not None and column in inner.no_effect


@pytest.mark.parametrize(
    "path",
    [*sorted((HERE / "rpart-kinds").glob("*.rpart")), *sorted((HERE / "rpart").glob("*.rpart"))],
    ids=lambda path: path.stem,
)
def test_each_column_of_the_tables_of_rpart_is_used_or_listed_or_refused(path: Path) -> None:
    found = tables(path.read_text(encoding="utf-8"))
    right, silent, refused = read(written(found)), list[str](), 0
    for name, column, how, other in other_tables(found):
        became = outcome(written(other), right)
        refused += became == "refused"
        is_known = listed(PARTS, name, column) or (how == "changed" and column in TABLE_CHECKS.get(name, ()))
        is_known |= how == "changed" and (name == "csplit" or _has_no_part(path, column))
        if became == "same" and not (how in ("changed", "removed") and is_known):
            silent.append(f"{how}: {name}.{column}")
    assert not silent
    assert refused > 10


# Payloads of Spark.


def members(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all members of objects."""
    for name, inner in value.items():
        yield (*path, name)
        if isinstance(inner, dict):
            yield from members(inner, (*path, name))


def with_member(value: Any, path: Sequence[Any], change: Callable[[dict[str, Any], str], None]) -> Any:
    """A value with one of its members changed."""
    copy = json.loads(json.dumps(value))
    holder = copy
    for name in path[:-1]:
        holder = holder[name]
    change(holder, path[-1])
    return copy


def _remove(holder: dict[str, Any], name: str) -> None:
    del holder[name]


def _rename(holder: dict[str, Any], name: str) -> None:
    holder[f"{name}x"] = holder.pop(name)


def _add(holder: dict[str, Any], name: str) -> None:
    holder["colour"] = 3


def _change(holder: dict[str, Any], name: str) -> None:
    value = holder[name]
    if isinstance(value, bool):
        holder[name] = not value
    elif isinstance(value, int | float):
        holder[name] = value + 1
    elif isinstance(value, str):
        holder[name] = f"{value}x"
    elif isinstance(value, list):
        holder[name] = [each + 1 if isinstance(each, int | float) else each for each in value] or [1]
    else:
        holder[name] = {}


CHANGES = {"removed": _remove, "renamed": _rename, "added": _add, "changed": _change}


@pytest.mark.parametrize("path", sorted((HERE / "spark").glob("*.json")), ids=lambda path: path.stem)
def test_each_member_of_a_payload_of_spark_is_used_or_listed_or_refused(path: Path) -> None:
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    right, silent = read("\n".join(map(json.dumps, lines))), set[str]()
    plain = {**spark.METADATA.no_effect, **spark.PARAMETERS.no_effect, **spark.NODES.no_effect}
    for place, line in enumerate(lines[:6]):
        for at in members(line):
            for how, change in CHANGES.items():
                other = [*lines[:place], with_member(line, at, change), *lines[place + 1 :]]
                became = outcome("\n".join(map(json.dumps, other)), right)
                if (
                    became == "same"
                    and not (at[-1] in plain and how != "added")
                    and not _is_check(line, at, how, right)
                ):
                    silent.add(f"{how}: {'.'.join(at)}")
    assert not silent


def _is_check(line: Mapping[str, Any], at: Sequence[str], how: str, right: Any) -> bool:
    """Members that are compared with the others, or that others take the place of."""
    held = line.get("nodeData", line)
    if "split" in at:  # a leaf has a split that asks nothing
        return held["leftChild"] == spark.LEAF and how in ("changed", "removed")
    if at[0] == "defaultParamMap" and len(at) > 1:
        return at[-1] in line["paramMap"] or (how in ("changed", "removed") and at[-1] in {*TRAINED_AS_USUAL})
    if at[0] == "paramMap":
        told = line["paramMap"] if len(at) == 1 else {at[-1]: line["paramMap"][at[-1]]}
        usual = line["defaultParamMap"]
        plain = [name for name in told if usual.get(name) == told[name] or name in spark.PARAMETERS.no_effect]
        if how in ("changed", "removed") and len(plain) == len(told):
            return how == "removed" or len(at) == 1
    if at[-1] == "numFeatures":
        return True  # a bound, which no feature of these trees reaches
    return how == "removed" and at[-1] in ("numTrees", "numFeatures", "numClasses", "class", *TRAINED_AS_USUAL)


TRAINED_AS_USUAL = ("minWeightFractionPerNode", "featureSubsetStrategy", "subsamplingRate", "bootstrap", "numTrees")
"""Parameters whose default is what is assumed without them."""


def test_thresholds_of_a_classifier_are_refused_unless_equal() -> None:
    text = (HERE / "spark" / "pure.json").read_text(encoding="utf-8")
    first, _, rest = text.partition("\n")
    metadata = json.loads(first)

    def with_thresholds(*thresholds: float) -> str:
        told = {**metadata, "paramMap": {**metadata["paramMap"], "thresholds": list(thresholds)}}
        return f"{json.dumps(told)}\n{rest}"

    with pytest.raises(InputError, match=r"its thresholds are \[0.9, 0.1\], by which it answers otherwise"):
        read(with_thresholds(0.9, 0.1))
    assert read(with_thresholds(0.5, 0.5)) == read(text)


def test_a_pipeline_of_spark_is_refused_by_name() -> None:
    text = (HERE / "spark" / "pure.json").read_text(encoding="utf-8")
    with pytest.raises(InputError, match="it is a 'PipelineModel'; DecisionTree, RandomForest and GBT models are read"):
        read(re.sub(r"org\.apache\.spark\.ml\.\w+\.\w+Model", "PipelineModel", text))


def test_the_readers_of_prints_state_their_lines() -> None:
    for name in ("weka", "c45", "rpart_print", "export_text", "rpart", "spark"):
        rows = [row for inventory in readers()[name].inventories for row in inventory.rows()]
        assert len({each for _, each, _ in rows}) > 3
    assert "truncated branch" in export_text.LINES.refused
