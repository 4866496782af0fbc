"""rpart: the tables of a fitted object, as the lines of R on the page of foreign trees write them.

    # frame
    "node","var","n","wt","dev","yval","complexity","ncompete","nsurrogate","yval2.V1",...
    "1","Start","81","81","17","1",...

1. `frame` has a row a node; the nodes below node n are 2n and 2n + 1. `yval2` has the label and the weight of each
   class.
2. `splits` has for each node that asks its test, the competitors, which are not read, and the surrogates.
3. `csplit` says of the categories of a test which go left (1), which right (3), and which there were none of (2).
4. `control`, `parms` and `arguments` are how the tree was trained. Tables that were written without them are read, too.

Numbers are written with 17 digits, so that they are read as the doubles that they are. rpart asks `<`, and calls the
side of the lower answer left; here the smaller numbers come first. A row without a value asks the surrogates, best
first; then it goes to the side of more rows, or stays, as `usesurrogate` has it.

To rpart a date is the number of days, and a time that of seconds, since 1970-01-01, and a truth value 1 or 0; a tree
says which of a column's texts are so (`texts`). A logical or numeric response is fitted by `anova`, whose answer is a
number. So are the rates of `poisson` and `exp`, and the answers of a method of the user.

How the tree was trained is in three tables:

    # control
    "minsplit","minbucket","cp","maxcompete","maxsurrogate","usesurrogate","surrogatestyle","maxdepth","xval"
    "20","7","0.01","4","5","2","0","30","10"
    # parms
    "name","value"
    "prior1","0.79012345679012341"
    "split","1"
    # arguments
    "name","value"
    "formula","play ~ ."

rpart does not split where the best split gains less than `cp` of the error of the root, and takes back splits as
cost-complexity pruning does.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from reference_tree.data.errors import InputError, no_such
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import decimal_text, rational, simplest
from reference_tree.programs.documents import (
    NOTES,
    HeldNode,
    HeldTest,
    Json,
    StandIn,
    TreeOrigin,
    classified,
    data_value,
    document,
    double_of,
    exact,
    finite,
    item,
    refuse_many,
    subset,
    threshold,
    whole_of,
)
from reference_tree.programs.indented import text_of
from reference_tree.programs.inventory import Ignored, Inventory, UnreadError
from reference_tree.programs.reader import GivenNames, ProgramReader, Training, double, remarks
from reference_tree.tree import TEXTS, Program

Rows: TypeAlias = Sequence[Mapping[str, str]]

TRAINING = Training(
    {
        "minsplit": ("min_samples_split", lambda text: double(rational(text))),
        "minbucket": ("min_samples_leaf", lambda text: double(rational(text))),
        "maxdepth": ("max_depth", lambda text: int(rational(text))),
        "maxsurrogate": ("max_surrogates", lambda text: int(rational(text))),
    },
    {"surrogatestyle": 0},
)
"""The training parameters."""

CRITERIA = {"1": "gini", "2": "entropy"}
"""The numbers of `split` in `parms`."""

UNLIKE = ("cost", "subset")
"""The arguments whose effect cannot be repeated: what a test costs, and which rows there are."""


def training(parts: Mapping[str, Rows], target: Attribute, unlike: Sequence[str]) -> list[tuple[str, Any]]:
    """The facts about the training.

    Args:
        parts: the tables.
        target: the target.
        unlike: what else cannot be repeated.

    Raises:
        InputError: a number of a table is none.
    """
    given = dict(next(iter(parts.get("control", ())), {}))
    # Parameters, then the criterion, priors and losses, by the names of an audit.
    told = TRAINING.told(given) | dict(_parms(parts, target))
    # A cp above 0 takes splits back, so the tree is a pruned one.
    if "cp" in given and rational(given["cp"]) > 0:
        told["pruned"] = True
    # Tables written before these lines of R were longer have no such table.
    arguments = _pairs(parts.get("arguments", ()))
    others = [f"{name} = {arguments[name]}" for name in UNLIKE if name in arguments]
    # cp is a fact of its own: an audit needs the number itself.
    price = [("cp", decimal_text(rational(given["cp"])))] if "cp" in given else []
    return [*remarks(told, [*unlike, *TRAINING.unlike(given), *others]), *price]


def command_of(parts: Mapping[str, Rows]) -> str | None:
    """The call, as R has it; None if it is not told."""
    arguments = _pairs(parts.get("arguments", ()))
    return f"rpart({', '.join(f'{name} = {value}' for name, value in arguments.items())})" if arguments else None


def _pairs(rows: Rows) -> dict[str, str]:
    return {row["name"]: row["value"] for row in rows}


def _parms(parts: Mapping[str, Rows], target: Attribute) -> Iterator[tuple[str, Any]]:
    """The criterion, the priors that are not the shares of the rows, and the losses that are not all 1."""
    held, classes = _pairs(parts.get("parms", ())), target.values
    # A tree of numbers has neither priors nor losses.
    if classes is None or not held:
        return
    numbers = {name: finite(double_of(text)) for name, text in held.items()}
    places = range(1, len(classes) + 1)
    # As many priors as classes, and as many losses as pairs of them; anything else is no parms of this tree.
    if unknown := held.keys() - {
        "split",
        *(f"prior{k}" for k in places),
        *(f"loss{k}" for k in range(1, len(classes) ** 2 + 1)),
    }:
        raise InputError(f"the table parms has {min(unknown)}, which is not known for {len(classes)} classes")
    if held.get("split") in CRITERIA:
        yield "criterion", CRITERIA[held["split"]]
    # rpart's default priors are the shares of the rows at the root; they change nothing, and are not told.
    root = parts["frame"][0]
    weights = [double_of(root[f"yval2.V{place + 1}"]) for place in places]
    priors = [numbers[f"prior{place}"] for place in places]
    if any(abs(weight / sum(weights) - prior) > 1e-9 for weight, prior in zip(weights, priors, strict=True)):
        yield "priors", {name: exact(prior) for name, prior in zip(classes, priors, strict=True)}
    # R stores a matrix by columns: the column is the class that is answered.
    losses = {
        (true, said): numbers[f"loss{place + len(classes) * other + 1}"]
        for place, true in enumerate(classes)
        for other, said in enumerate(classes)
        if true != said
    }
    if any(loss != 1 for loss in losses.values()):
        yield "loss", {true: {said: exact(losses[true, said]) for said in classes if said != true} for true in classes}


LEFT, NOWHERE, RIGHT = "1", "2", "3"
"""The codes of the sides in `csplit`."""

METHODS = ("class", "anova", "poisson", "exp", "user")
"""The methods; all but the first answer with numbers."""

KINDS = {
    "numeric": False, "factor": True, "ordered": True, "logical": True, "character": True,
    "Date": False, "POSIXct": False, "difftime": False, "other": False,
}  # fmt: skip
"""The classes of columns in R: whether they have categories. `other` is a date, a time, or a difference of times."""

# A print does not say what a column was, so the size of its thresholds has to.
DAYS, SECONDS = 10**6, 10**8
"""Thresholds below the first may be days since 1970-01-01, from the second on seconds. Between them are numbers like
20240501, of which no program but this one makes dates."""

PARTS = Inventory(
    "the tables of rpart",
    {
        "program": Inventory("the table program", dict.fromkeys(["rpart", "fit.method", "fit.control.usesurrogate"])),
        "columns": Inventory("the table columns", dict.fromkeys(["names.classes.", "classes"])),
        "levels": Inventory("the table levels", dict.fromkeys(["value", "column"])),
        "frame": Inventory(
            "the table frame",
            dict.fromkeys(["node", "var", "n", "wt", "dev", "yval", "ncompete", "nsurrogate", "yval2.V2 ..."]),
            {
                "complexity": "it says what pruning would cut", "yval2.V1": "it is yval",
                "yval2.nodeprob": "it is the share of the rows", "yval2.1": "it is yval", "yval2.2": "it is a sum",
            },
        ),
        "splits": Inventory(
            "the table splits", dict.fromkeys(["variable", "ncat", "improve", "index"]),
            {"count": "it is a number of rows", "adj": "it is another agreement of a surrogate"},
        ),
        "csplit": Inventory("the table csplit", {"V1 ...": None}),
        "control": Inventory(
            "the table control",
            dict.fromkeys(["minsplit", "minbucket", "cp", "maxsurrogate", "surrogatestyle", "maxdepth"]),
            {
                "maxcompete": "competitors are not read", "xval": "it is about the evaluation",
                "usesurrogate": "it stands in the table program",
            },
        ),
        "parms": Inventory("the table parms", dict.fromkeys(["name", "value"])),
        "arguments": Inventory("the table arguments", dict.fromkeys(["name", "value"])),
    },
)  # fmt: skip
"""The tables, with their columns."""
_PART = re.compile(r"^# (\w+) *\r?$", re.MULTILINE)


class _Fit(NamedTuple):
    """The parts of a fitted object that are read."""

    columns: Mapping[str, Attribute]
    target: Attribute
    size: Mapping[int, int]
    """The number of rows at each node."""
    splits: Mapping[int, Rows]
    """For each inner node, its test and its surrogates."""
    csplit: Rows
    surrogates: str
    """`usesurrogate`: 0, 1 or 2."""


def documents(value: Any, names: GivenNames) -> list[dict[str, Any]]:
    """The document of the tree in a text; rpart states all names.

    Raises:
        InputError: the text holds no such tables, or one of them is incomplete.
        UnreadError: a table, or a column of a table, is not known.
    """
    # Names and bodies of the tables, in turn.
    before, *found = _PART.split(text_of(value))
    tables = dict(zip(found[::2], found[1::2], strict=True))
    if before.strip() or len(tables) < len(found) // 2:
        raise InputError("a table occurs twice, or lines stand above the first one")
    # A table that is not known may hold what decides an answer.
    for name, body in tables.items():
        PARTS.check_member(name, body, names.ignored)
    read = {name: _rows(name, body, names.ignored) for name, body in tables.items() if name in PARTS.used}
    parts: dict[str, Rows] = {"splits": [], "csplit": [], **read}
    (program,) = parts["program"]
    version, method, surrogates = program.values()
    # A method decides what yval means, and usesurrogate where a row without a value goes.
    if method not in METHODS or surrogates not in ("0", "1", "2"):
        raise InputError(f"there is no method {method} with usesurrogate {surrogates}")
    frame = parts["frame"]
    kinds = {row["names.classes."]: row["classes"] for row in parts["columns"]}
    fit = _fit(parts, frame, method, surrogates)
    # The sizes are kept by node, so a node that stands there twice has one entry.
    if len(fit.size) < len(frame):
        raise InputError("a node occurs twice in the table frame")
    nodes = {whole_of(row["node"]): _held(row, method, fit) for row in frame}
    # Rates and answers of the user's own method say nothing of the numbers of rows.
    silent = frozenset[str]() if method in ("class", "anova") else frozenset({"counts"})
    attributes = list(fit.columns.values())
    # The tree has sets of an ordered factor; its order, and so its cuts, an audit does not repeat.
    ordered = [f"{name}, an ordered factor" for name in fit.columns if kinds[name] == "ordered"]
    other = [] if method in ("class", "anova") else [f"method {method}"]
    facts = training(parts, fit.target, [*other, *ordered])
    facts += (said := texts(attributes, fit.target, nodes.values(), kinds))
    places = range(len(fit.target.values or ()) if method == "class" else 0)
    # yval2 has weights and probabilities of the classes; where they differ, priors or losses are between them.
    if is_weighted := any(_are_weighted(row, places) for row in frame):
        root = next(row for row in frame if row["node"] == "1")
        facts.append((PRIORS, [root[f"yval2.V{place + 2 + len(places)}"] for place in places]))
    if notes := [*_notes(dict(said).get(TEXTS, {}), is_weighted=is_weighted)]:
        facts.append((NOTES, notes))
    source = TreeOrigin(Program("rpart", version, "double", silent), command_of(parts), facts)
    return [document(source, fit.target, attributes, nodes, 1)]


READER = ProgramReader(
    "rpart", "a tree of rpart", documents, re.compile(r"(?m)\A# program *\r?$"), inventories=(PARTS,)
)


def _check_columns(name: str, head: Sequence[str], ignored: Ignored) -> None:
    """Refuse a column that is not known, and a table without one that is used; weights of classes are numbered.

    Raises:
        UnreadError: there is such a column.
        InputError: a column is not there, or is there twice.
    """
    inventory = PARTS.used[name]
    # Every table has an inventory of its own.
    assert inventory is not None
    # The columns V1, V2, ... are counted, and their number depends on the classes.
    for column in head:
        if not (name in ("frame", "csplit") and re.fullmatch(r"(?:yval2\.)?V\d+", column)):
            inventory.check_member(column, None, ignored)
    for column in inventory.used:
        if column not in head and not column.endswith("..."):
            raise InputError(f"the table {name} has no column {column}")
    if len(set(head)) < len(head):
        raise InputError(f"the table {name} has a column twice")


def texts(
    attributes: Sequence[Attribute], target: Attribute, nodes: Iterable[HeldNode], kinds: Mapping[str, str]
) -> list[tuple[str, Any]]:
    """The numbers that the texts of columns stand for, by the classes of columns or the size of thresholds.

    Args:
        attributes: the attributes.
        target: the target.
        nodes: the nodes.
        kinds: the classes of columns in R, as far as they are known.

    Example:
        >>> from reference_tree.programs.documents import threshold
        >>> texts([Attribute("day")], Attribute("y"), [HeldNode({}, threshold("day", "19846.5", (2, 3)))], {})
        [('texts', {'day': 'days'})]
    """
    asked: dict[str, list[Fraction]] = {}
    # Tests and surrogates alike compare a column with a number, and the text has to be converted for either.
    for node in nodes:
        tests = [] if node.test is None else [node.test, *(one.test for one in node.test.surrogates)]
        for form in (test.form for test in tests):
            if "threshold" in form:
                asked.setdefault(form["attribute"], []).append(abs(Fraction(rational(form["threshold"]))))
    # The class of a column decides, where it is known.
    known = {"Date": "days", "POSIXct": "seconds", "difftime": "numbers"}
    found = {}
    for one in attributes:
        if one.values is None and (said := known.get(kinds.get(one.name, ""))):  # asked or not: an audit asks it
            found[one.name] = said
        elif one.values is None and one.name in asked:
            # A print has no classes of columns: thresholds of tens of thousands may be days, those beyond 10^8 seconds.
            most, least = max(asked[one.name]), min(asked[one.name])
            found[one.name] = "days" if most < DAYS else "seconds" if least >= SECONDS else "numbers"
    # rpart fits TRUE and FALSE as 1 and 0 by anova.
    if kinds.get(target.name) == "logical" and target.values is None:
        found[target.name] = "numbers"
    return [(TEXTS, found)] if found else []


LOSSES = "losses of the nodes"
"""The key of a fact about a print: for each node its answer, its loss, and its rows of each class, as texts."""

PRIORS = "probabilities of the root"
"""The fact of a document that has them: the priors of the classes, in the order of the program."""


def _notes(read: Mapping[str, str], *, is_weighted: bool) -> Iterator[str]:
    """The remarks that belong to every answer."""
    for name in (name for name, texts_of in read.items() if texts_of == "seconds"):
        yield f"times of {name} are seconds since 1970-01-01 in universal time; R may have read them in another zone"
    if is_weighted:
        yield "rpart's probabilities are weighted by its priors; here they are shares of the rows"


def _are_weighted(row: Mapping[str, str], places: range) -> bool:
    """Whether the probabilities of a node are no shares of its rows."""
    # R writes a factor with 17 digits; only a real difference counts, and not one of rounding.
    weights = [Fraction(double_of(row[f"yval2.V{place + 2}"])) for place in places]
    shares = [double_of(row[f"yval2.V{place + 2 + len(places)}"]) for place in places]
    whole = sum(weights)
    return bool(whole) and any(abs(float(a / whole) - b) > 1e-9 for a, b in zip(weights, shares, strict=True))


def _rows(name: str, body: str, ignored: Ignored) -> list[dict[str, str]]:
    # Line ends inside quotes belong to a value, so they are kept for the parser.
    lines = body.strip("\r\n").splitlines(keepends=True)
    if name == "frame":
        refuse_many(len(lines) - 1)
    try:
        table = csv.DictReader(lines, strict=True)
        rows = list(table)
    except csv.Error as error:
        raise InputError(f"the table {name} is not whole: {error}") from None
    # DictReader fills a short row and a long one with None.
    if any(None in row or None in row.values() for row in rows):
        raise InputError(f"a row of the table {name} is not whole")
    _check_columns(name, table.fieldnames or [], ignored)
    return rows


def _fit(parts: Mapping[str, Rows], frame: Rows, method: str, surrogates: str) -> _Fit:
    # The column of weights is called (weights), and is no attribute.
    classes = [tuple(row.values()) for row in parts["columns"] if not next(iter(row.values())).startswith("(")]
    levels: dict[str, list[str]] = {}
    for row in parts["levels"]:
        levels.setdefault(row["column"], []).append(row["value"])
    # The response stands first among the terms of a model in R.
    (answered, _), *others = classes
    target = Attribute(answered, tuple(levels[answered]) if method == "class" else None)
    size = {whole_of(row["node"]): whole_of(row["n"]) for row in frame}
    splits = dict(_splits(frame, parts["splits"]))
    weights = {whole_of(row["node"]): row["wt"] for row in frame}
    for node, (first, *_) in splits.items():
        below = [size[one] for one in (2 * node, 2 * node + 1) if one in size]
        if len(below) != 2:
            continue
        # Rows that neither the test nor a surrogate sends anywhere go to the side with more of the rows that the test
        # sends; of two equal sides they stay at the node. Of weights the tables do not tell whether sides are equal.
        known = whole_of(first["count"])
        is_weighed = Fraction(rational(weights[node])) != size[node]
        may_tie = is_weighed or (known % 2 == 0 and 2 * min(below) >= known)
        is_settled = surrogates == "2" and not may_tie
        if sum(below) > size[node] or (is_settled and sum(below) < size[node]):
            raise InputError(f"node {node} has {size[node]} rows, and the nodes below have {sum(below)}")
    # csplit has a column for each value of the largest factor.
    columns = {name: _column(name, kind, levels) for name, kind in others}
    most = max((len(levels.get(name, ())) for name in columns), default=0)
    if any(len(row) != most for row in parts["csplit"]):
        raise InputError(f"the table csplit has not {most} columns, as many as a column has values")
    return _Fit(columns, target, size, splits, parts["csplit"], surrogates)


def _column(name: str, kind: str, levels: Mapping[str, Sequence[str]]) -> Attribute:
    # A matrix is several columns under one name.
    if kind.startswith("nmatrix") or kind == "matrix":
        raise UnreadError(
            f"{name} is a matrix, which is not read; grow the tree from its columns as columns of their own"
        )
    if kind not in KINDS:
        raise InputError(f"{name}: {no_such('class of columns', kind, KINDS)}")
    if not KINDS[kind]:
        return Attribute(name)
    # R sorts the two, and names them in capitals.
    return Attribute(name, ("FALSE", "TRUE") if kind == "logical" else tuple(levels[name]))


def _splits(frame: Rows, splits: Rows) -> Iterator[tuple[int, Rows]]:
    place = 0
    for row in frame:
        if row["var"] != "<leaf>":
            # splits has for each inner node in turn: the split, its competitors, its surrogates.
            others, size = whole_of(row["ncompete"]), whole_of(row["nsurrogate"])
            # The two tables tell of the same test; if they do not, one of them is another tree's.
            if splits[place]["variable"] != row["var"]:
                told = f"it is about {splits[place]['variable']} in the table splits"
                raise InputError(f"node {row['node']} asks {row['var']} in the table frame, and {told}")
            yield whole_of(row["node"]), [splits[place], *splits[place + 1 + others : place + 1 + others + size]]
            place += 1 + others + size
    # All rows of splits are accounted for.
    if place != len(splits):
        raise InputError(f"there are {len(splits)} splits, and the nodes tell of {place}")


# Nodes.


def _held(row: Mapping[str, str], method: str, fit: _Fit) -> HeldNode:
    number = whole_of(row["node"])
    answer = _answer(row, method, fit.target)
    if number not in fit.splits:
        return HeldNode(answer)
    first, *others = fit.splits[number]
    test = _test(first, number, fit)
    # usesurrogate 0: a row without a value stays, and the node answers.
    if fit.surrogates == "0":
        return HeldNode(answer, replace(test, missing="stay"))
    stand_ins = [_stand_in(each, number, fit) for each in others]
    left, right = 2 * number, 2 * number + 1
    balance = fit.size[left] - fit.size[right]
    # usesurrogate 2: the side of more rows, if no surrogate knows; with equal sides the row stays.
    default = None if fit.surrogates == "1" or balance == 0 else left if balance > 0 else right
    return HeldNode(answer, replace(test, missing="surrogates", surrogates=stand_ins, default=default))


def _answer(row: Mapping[str, str], method: str, target: Attribute) -> Json:
    # The deviance of anova is the sum of squares, which rounding may put a little below 0.
    if method == "anova":
        n, mean, sse = (finite(double_of(row[name])) for name in ("wt", "yval", "dev"))
        return {"n": exact(n), "mean": exact(mean), "sse": exact(max(0.0, sse))}
    # Of a rate the answer is yval; its deviance is no sum of squares.
    if method != "class":
        return {"mean": exact(finite(double_of(row["yval"])))}
    weights = [simplest(Fraction(finite(double_of(row[f"yval2.V{place + 2}"])))) for place in range(len(target.domain))]
    return classified(dict(zip(target.domain, weights, strict=True)), item(target.domain, whole_of(row["yval"]) - 1))


def _test(split: Mapping[str, str], number: int, fit: _Fit) -> HeldTest:
    # ncat: -1 and 1 are the two directions of a cut, a larger number is that of a factor's levels.
    name, categories, to = split["variable"], whole_of(split["ncat"]), (2 * number, 2 * number + 1)
    attribute = fit.columns[name]
    if categories not in (-1, 1, len(attribute.values or "-")):
        raise InputError(f"a split by {name} has ncat {categories}, and there are {len(attribute.values or ())} values")
    # `index` is then the row of csplit that has the sides.
    if abs(categories) >= 2:
        sides = _sides(split, fit)
        return subset(name, [value for value, side in zip(attribute.domain, sides, strict=True) if side == LEFT], to)
    # ncat -1: values below the threshold go left; 1: right.
    at, below = finite(double_of(split["index"])), to if categories < 0 else to[::-1]
    if attribute.values is None:
        return threshold(name, data_value(at), below, strict=True)
    # R numbers the levels of a factor from 1, and counts FALSE as 0.
    first = 0 if attribute.values == ("FALSE", "TRUE") else 1  # the codes of categories that have an order
    return subset(name, [value for code, value in enumerate(attribute.values, start=first) if code < at], below)


def _sides(split: Mapping[str, str], fit: _Fit) -> list[str]:
    """The side of each category."""
    size = len(fit.columns[split["variable"]].domain)
    sides = [side.partition(".")[0] for side in item(fit.csplit, whole_of(split["index"]) - 1).values()]
    # A side that is not one of the three would be taken for the right one.
    if strange := set(sides) - {LEFT, NOWHERE, RIGHT}:
        raise InputError(f"the table csplit has a side {min(strange)}; there are 1, 2 and 3")
    return sides[:size]


def _stand_in(split: Mapping[str, str], number: int, fit: _Fit) -> StandIn:
    # A level that the node's rows lack takes neither side, and the next surrogate is asked.
    values = fit.columns[split["variable"]].values or ()
    sides = _sides(split, fit) if whole_of(split["ncat"]) >= 2 else []
    unseen = [value for value, side in zip(values, sides, strict=False) if side not in (LEFT, RIGHT)]
    return StandIn(_test(split, number, fit), exact(finite(double_of(split["improve"]))), unseen)
