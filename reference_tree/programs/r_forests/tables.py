"""ranger, randomForest and gbm: the tables of their trees, as the lines of R on the page of foreign trees write them.

    # forest
    "package","version","kind","start","corrected","equal"
    "ranger","0.14.1","Regression","0",FALSE,TRUE
    # columns
    "column","factor"
    # tree 1
    "node","nodeID","leftChild","rightChild","splitvarID","splitvarName","splitval","terminal","prediction"

1. `forest` says what the model predicts, `columns` and `classes` have the names.
2. Each `tree` is what `treeInfo`, `getTree` or `pretty.gbm.tree` shows, with 17 digits, so that numbers are read as the
   doubles that they are. `PACKAGES` has what each calls the parts of a node.

| package | asks | answers |
|:--|:--|:--|
| ranger | `<=` | the mean of the trees; with `probability` of their shares; otherwise the class of most trees |
| randomForest | `<=` | the mean of the trees, or the class of most trees |
| gbm | `<` | the start plus the trees, and what `distribution` makes of it: see `DISTRIBUTIONS` |

Where classes have equally many votes, ranger and randomForest draw one by lot; here it is the first. The first two have
no rule for a missing value; gbm gives a row without a value a number of its own (`MissingNode`). `treeInfo` of ranger
0.14.1 names classes wrongly where the rows do not begin with the first one (`findings/ranger_tree_info.sh`), so the
lines of R take them from the forest. Factors are refused by name.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from reference_tree.data.errors import InputError, listed, shown
from reference_tree.data.schema import Attribute
from reference_tree.programs.boosted import Grown, SumRule
from reference_tree.programs.boosted import documents as boosted
from reference_tree.programs.documents import (
    NOTES,
    HeldNode,
    Json,
    TreeOrigin,
    classified,
    double_of,
    ensemble,
    exact,
    finite,
    item,
    numbered,
    refuse_many,
    whole_of,
)
from reference_tree.programs.indented import text_of
from reference_tree.programs.inventory import Ignored, Inventory, UnreadError
from reference_tree.programs.r_forests.members import CLASSES, COLUMNS, FOREST, PACKAGES, Package
from reference_tree.programs.reader import GivenNames, ProgramReader, asked
from reference_tree.programs.releases import newer
from reference_tree.tree import Program

Rows: TypeAlias = Sequence[Mapping[str, str]]

DISTRIBUTIONS: Mapping[str, str] = {
    **dict.fromkeys(("gaussian", "laplace", "tdist", "quantile", "coxph", "pairwise"), "sum"),
    "bernoulli": "logistic", "adaboost": "logistic", "poisson": "exp",
}  # fmt: skip
"""The distribution of gbm → the rule that makes an answer of the sum; of adaboost it is of twice the sum."""

VOTE, MEAN, SHARES, SUM = "vote", "mean", "shares", "sum"
NOWHERE = ("NA", "0", "-1")
"""What stands in place of a number where a leaf has no node below."""
KINDS: Mapping[tuple[str, str], str] = {
    ("ranger", "Regression"): MEAN, ("ranger", "Classification"): VOTE, ("ranger", "Probability estimation"): SHARES,
    ("randomForest", "regression"): MEAN, ("randomForest", "classification"): VOTE,
}  # fmt: skip
"""Package and kind of forest → how its trees answer together."""

_PART = re.compile(r"^# (\w+(?: \d+)?) *\r?$", re.MULTILINE)


def documents(value: Any, names: GivenNames) -> list[dict[str, Any]]:
    """The document of the ensemble.

    Raises:
        InputError: the text holds no such tables, or one of them is not whole.
        UnreadError: it has a kind of forest, a column or a factor that is not read.
    """
    before, *found = _PART.split(text_of(value))
    parts = dict(zip(found[::2], found[1::2], strict=True))
    if before.strip() or len(parts) < len(found) // 2:
        raise InputError("a table occurs twice, or lines stand above the first one")
    (forest,) = _rows("forest", parts.pop("forest"), FOREST, names.ignored)
    columns = [row["column"] for row in _rows("columns", parts.pop("columns"), COLUMNS, names.ignored)]
    classes = [row["class"] for row in _rows("classes", parts.pop("classes", ""), CLASSES, names.ignored)]
    package, kind = forest["package"], forest["kind"]
    if package not in PACKAGES or ((package, kind) not in KINDS and kind not in DISTRIBUTIONS):
        raise UnreadError(f"it is of {package}, and its kind is {shown(kind)}, which is not read")
    # Trees are numbered from 1; a table of another name is not known.
    if list(parts) != [f"tree {number}" for number in range(1, len(parts) + 1)] or not parts:
        raise InputError(f"its tables are {listed(list(parts))}, and not trees from 1 on")
    of = PACKAGES[package]
    how = KINDS.get((package, kind), SUM)
    # The answers of leaves are in one column, or in one for each class.
    answers = [f"pred.{_name(each)}" for each in classes] if how == SHARES else [of.answer]
    # R numbers columns of one name, and which class has which number is not written.
    if len({*answers}) < len(answers):
        raise UnreadError("two of its classes have one name as columns of R; name them otherwise")
    trees = [_rows(name, body, of.columns, names.ignored, answers) for name, body in parts.items()]
    refuse_many(sum(map(len, trees)))
    features = list(map(Attribute, names.features(len(columns), columns)))
    notes = [(NOTES, [text]) for text in [newer(package, forest["version"])] if text]
    source = TreeOrigin(
        Program(package, forest["version"], "double", frozenset({"counts", "inner-labels"})), None,
        [("objective", kind), *notes],
    )  # fmt: skip
    if package == "gbm":
        return _sum(forest, trees, features, source, names)
    labels = names.labels(len(classes), classes) if classes else []
    if (how == MEAN) != (not labels):
        raise InputError(f"its kind is {kind}, and it has {len(labels)} classes")
    leaves = _Leaves(how, classes, labels, are_counted=package == "randomForest")
    held = [dict(_nodes(tree, of, features, leaves)) for tree in trees]
    members: list[tuple[Json, list[dict[str, Any]]]] = [
        ({"weight": "1"}, numbered(nodes, whole_of(of.root))) for nodes in held
    ]
    if how == SHARES:
        silent = frozenset({"inner-labels", "inner-counts", "weights"})
        source = source._replace(program=source.program._replace(silent=silent))
    target = Attribute(names.target, tuple(labels) or None)
    return [ensemble(source, target, features, VOTE if how == VOTE else MEAN, (), members)]


READER = ProgramReader(
    "r_forests", "a forest of R", documents, re.compile(r"(?m)\A# forest *\r?$"),
    inventories=(FOREST, COLUMNS, CLASSES, *(package.columns for package in PACKAGES.values())),
)  # fmt: skip


def _rows(
    name: str, body: str, inventory: Inventory, ignored: Ignored, answers: Sequence[str] = ()
) -> list[dict[str, str]]:
    """The rows of a table, of which some columns are answers: one, or one for each class."""
    try:
        table = csv.DictReader(body.strip("\r\n").splitlines(keepends=True), strict=True)
        rows = list(table)
    except csv.Error as error:
        raise InputError(f"the table {name} is not whole: {error}") from None
    # DictReader fills a short row and a long one with None.
    if any(None in row or None in row.values() for row in rows) or len({*(table.fieldnames or ())}) < len(
        table.fieldnames or ()
    ):
        raise InputError(f"a row of the table {name} is not whole, or a column is there twice")
    for row in rows:
        inventory.check(
            {key: cell for key, cell in row.items() if key not in answers or key in inventory.used}, ignored
        )
    return rows


class _Leaves(NamedTuple):
    """How the leaves of a forest answer."""

    how: str
    """`mean`, `vote` or `shares`; `sum`, if they are added up."""
    own: Sequence[str] = ()
    """The classes in the order of the package."""
    labels: Sequence[str] = ()
    """Their names here."""
    are_counted: bool = False
    """Whether a leaf has the number of its class, from 1; otherwise its name."""

    def of(self, row: Mapping[str, str], column: str) -> Json:
        """The answer of a leaf."""
        if self.how == SHARES:
            shares = [Fraction(finite(double_of(row[f"pred.{_name(name)}"]))) for name in self.own]
            held = dict(zip(self.labels, shares, strict=True))
            return classified(held, item(self.labels, shares.index(max(shares))))
        # Names may be numbers themselves: randomForest says 1 of the first class, even if it is called 0.
        if self.how == VOTE:
            place = whole_of(row[column]) - 1 if self.are_counted else self.own.index(row[column])
            return {"label": item(self.labels, place)}
        return {"value" if self.how == SUM else "mean": exact(finite(double_of(row[column])))}


def _name(text: str) -> str:
    """A name as R makes it of a text for a column: dots for what is neither a letter, nor a digit, nor a dot."""
    return re.sub(r"[^\w.]", ".", text)


def _nodes(rows: Rows, of: Package, features: Sequence[Attribute], leaves: _Leaves) -> Iterator[tuple[int, HeldNode]]:
    """The nodes of a tree by the numbers of its package."""
    by_number = {row[of.number]: row for row in rows}
    if len(by_number) < len(rows):
        raise InputError("a node is there twice")
    inner = [row for row in rows if row[of.left] not in NOWHERE]
    # gbm has a node of its own for the rows without a value.
    aside = {row[of.missing]: row for row in inner if of.missing}
    for number, row in by_number.items():
        if row[of.left] in NOWHERE:
            if number not in aside:
                yield whole_of(number), HeldNode(leaves.of(row, of.answer))
            continue
        if number in aside:
            raise UnreadError("rows without a value are divided by further tests, which is not read; fill them in R")
        to = whole_of(row[of.left]), whole_of(row[of.right])
        at, place = finite(double_of(row[of.at])), whole_of(row[of.feature]) - of.first
        test = asked(features, place, at, to, is_strict=of.is_strict)
        # Such rows stay at the node here, whose own answer nobody else gets.
        stays = leaves.of(by_number[row[of.missing]], of.answer) if of.missing else {}
        yield whole_of(number), HeldNode(stays, replace(test, missing="stay") if of.missing else test)


def _sum(
    forest: Mapping[str, str],
    trees: Sequence[Rows],
    features: Sequence[Attribute],
    source: TreeOrigin,
    names: GivenNames,
) -> list[dict[str, Any]]:
    """The document of the trees of gbm, which are added up in doubles, beginning with the start."""
    kind = forest["kind"]
    rule = DISTRIBUTIONS[kind]
    # Twice the sum is rounded as the sum is.
    factor = 2 if kind == "adaboost" else 1
    grown = [Grown(dict(_nodes(rows, PACKAGES["gbm"], features, _Leaves(SUM))), 0, factor) for rows in trees]
    start = [factor * Fraction(finite(double_of(forest["start"])))]
    # The number of a row without a value is stated at the node where it stays.
    program = source.program._replace(silent=frozenset({"counts"}), sums="double")
    sums = SumRule(rule, start, 2 if rule == "logistic" else 0)
    return boosted(source._replace(program=program), names.target, features, grown, sums, names.classes)
