"""Weka: the output of J48, REPTree, SimpleCart and Id3.

| learner | asks | a leaf says |
| --- | --- | --- |
| J48 | `<=`, every value, or one value against the others | label, its rows, and those of other classes |
| REPTree | `<`, every value | label or mean, and its rows when grown and when pruned, which are not read |
| SimpleCart | `<`, some values against the others | label, its rows, and beside them those of other classes |
| Id3 | every value | label, or `null`: a row there has no answer |

J48 prints thresholds with six decimals, REPTree with two unless told (`PrintedDigits`), SimpleCart with all digits.
Weights have two digits, and are taken as printed. The classes stand in their order in the confusion matrix, if there is
one; otherwise those are known that a leaf answers with. All other lines are listed in `PRINTOUT`, and a line that is
not there is refused.

J48 of release 3.6 sends a value that is above the threshold by less than 10^-6 to the lower side, of release 3.9 to the
upper one; the text does not say which release it is of, so such rows are remarked upon.

A row without a value goes down every branch, in shares that are known where all weights are.

1. `PRINTOUT` is the record of the lines, from the command line and from the Explorer of releases 3.6 and 3.9.
2. `OTHERS` are the trees of Weka that are not read.
3. `scheme_of` reads the options of a learner: `weka.classifiers.trees.J48 -C 0.25 -M 2`, or `Options: -U`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from reference_tree.data.errors import InputError
from reference_tree.exact.rationals import decimal_text, rational
from reference_tree.programs import indented
from reference_tree.programs.documents import NOTES
from reference_tree.programs.indented import Leaf, Nested
from reference_tree.programs.inventory import Ignored, Inventory, UnreadError
from reference_tree.programs.printouts import KnownLine, Line, PrintedDigits, Printout, check_number
from reference_tree.programs.reader import GivenNames, ProgramReader, remarks

_RUN, _MATRIX, _CLASSES = "=== Run information ===", "=== Confusion Matrix ===", "=== Detailed Accuracy By Class ==="
_PREDICTIONS, _ATTRIBUTES = "=== Predictions ===", "Attributes"
_EVALUATION = "it is about the evaluation, not the tree"
_ROWS = "it is about the rows; the tree names what it asks"
_NUMBER = r"(?:-?[\d.,]+(?:E-?\d+)?|NaN|\?|-?∞|-?Infinity)"
_FIGURES = "|".join(
    [
        "(?:Correctly|Incorrectly) Classified Instances", "Kappa statistic", "Mean absolute error", "K&B .+? Score",
        "Root mean squared error", "Relative absolute error", "Root relative squared error", "Total Cost",
        "Average Cost", "Total Number of Instances", r"(?:Ignored Class Unknown|UnClassified) Instances",
        "Correlation coefficient", r"Coverage of cases \(.+?\)", r"(?:Mean|Total) rel\. region size \(.+?\)",
        r"Class complexity \| (?:order 0|scheme)", r"Complexity improvement +\(Sf\)",
    ]
)  # fmt: skip
# The titles of 3.6 and 3.9 differ; these are those of both.
# The titles of 3.6 and of 3.9, from the command line and from the Explorer.
_SECTION = (
    r"=== (?:Error on (?:training data|test data|test split)|(?:Stratified c|C)ross-validation|Summary|"
    r"Evaluation on (?:training set|test set|test split)|Classifier model(?: \(full training set\))?) ==="
)

PRINTOUT = Printout(
    "a printout of Weka",
    [
        KnownLine("Options", r"Options: ?(.*)"),
        KnownLine("Scheme", r"Scheme: *(\S+.*)"),
        KnownLine(_RUN, _RUN, "it is a title"),
        KnownLine("Relation", r"Relation: *.*", _ROWS),
        KnownLine("Instances", r"Instances: *\d+", _ROWS),
        KnownLine(_ATTRIBUTES, r"Attributes: *\d+", _ROWS),
        KnownLine("Test mode", r"Test mode: *.*", _EVALUATION),
        KnownLine("a title", _SECTION, "it is a title"),
        KnownLine("Number of Leaves", r"Number of Lea(?:ves|f Nodes) *: *\t?(\d+)"),
        KnownLine("Size of the tree", r"Size of the [Tt]ree *: *\t?(\d+)"),
        KnownLine("Time taken", r"Time taken\b.*", "it is of the clock"),
        KnownLine("a figure", rf"(?:{_FIGURES})(?: +{_NUMBER}(?: *(?:%|bits|bits/instance))?)+", _EVALUATION),
        KnownLine(_CLASSES, _CLASSES, "it is a title"),
        KnownLine("the head of the accuracies", r"TP Rate .*Class", _EVALUATION, _CLASSES),
        KnownLine("an accuracy", rf"(?:Weighted Avg\.)?(?: *{_NUMBER}){{5,8}}(?: +.+)?", _EVALUATION, _CLASSES),
        KnownLine(_MATRIX, _MATRIX, "it is a title"),
        KnownLine("the head of the matrix", r"(?:[a-z]+ +)+ *<-- classified as", "it is a title", _MATRIX),
        KnownLine("a class", r"[ \d.]+\| +\S+ = (.+)", under=_MATRIX),
        KnownLine(_PREDICTIONS, r"=== Predictions (?:on|under) .*===", "it is a title"),
        KnownLine("the head of the predictions", r"inst#[ ,].*", "it is a title", _PREDICTIONS),
        KnownLine("a prediction", rf"\d+ +\S+ +\S+ .*|\d+,.*|\d+(?: +{_NUMBER})+.*", _EVALUATION, _PREDICTIONS),
        KnownLine("a name of an attribute", r"(?!===).+", _ROWS, _ATTRIBUTES),
    ],
    {
        r"FilteredClassifier using .*|Filtered Header": "the rows are filtered before the tree asks, so print the tree "
        "of the filtered rows",
        r"All the base classifiers:|.*Base classifiers.*|.*with \d+ iterations and base learner": "it is of several "
        "trees, which are not read together; print one tree alone",
        r"=== Classifier model for (?:fold|training split).*": "it has several trees; print one tree alone",
    },
)  # fmt: skip
"""The record of the lines around a tree."""

OTHERS: Mapping[str, str] = {
    "ADTree": "Alternating decision tree:", "BFTree": "Best-First Decision Tree", "DecisionStump": "Decision Stump",
    "FT": "FT [Tt]ree", "J48graft": "J48graft (?:un)?pruned tree", "LADTree": r"weka\.classifiers\.trees\.LADTree:",
    "LMT": "Logistic model tree", "M5P": "M5 (?:un)?pruned (?:model|regression) (?:tree|rules)(?: ?:)?",
    "NBTree": "NBTree", "RandomForest": r"RandomForest|Random forest of \d+ trees,.*", "RandomTree": "RandomTree",
    "REPTree (pruned away)": "REPTree: No model built yet.",
}  # fmt: skip
"""The trees that are not read → the line above each."""

INSTEAD = "grow the tree with J48, REPTree, SimpleCart or Id3, which are read"


class Scheme(NamedTuple):
    """A learner of Weka with its options."""

    learner: str
    options: Mapping[str, str]
    """The options, without their dash; those without a value have an empty one."""

    @property
    def text(self) -> str:
        """The options, as they are given."""
        return " ".join(f"-{name} {value}".rstrip() for name, value in self.options.items())

    @property
    def command(self) -> str:
        """It, as Weka writes it."""
        return f"weka.classifiers.trees.{self.learner} {self.text}".rstrip()

    @property
    def places(self) -> int:
        """The digits behind the point of a threshold: J48 always has 6, and REPTree 2 unless told."""
        return 6 if self.learner == "J48" else int(self.options.get("num-decimal-places", 2))

    @property
    def told(self) -> dict[str, Any]:
        """The training parameters of J48, by the names of an audit, if it has options that change its tests.

        An audit reads -C, -M, -B, -S, -U and -R from the scheme, and supposes others where it has none.
        """
        further = {ours: value for name, (ours, value) in _J48.items() if name in self.options}
        if self.learner != "J48" or not further.keys() - {"branching"}:
            return {}
        pruned = {} if "U" in self.options else {"pruned": True}
        return {"min_samples_leaf": _number(self.options.get("M", "2")), **further, **pruned}


_J48: Mapping[str, tuple[str, str]] = {
    "B": ("branching", "one-vs-rest"), "J": ("penalty", "none"), "O": ("collapse", "never"),
    "doNotMakeSplitPointActualValue": ("threshold", "midpoint"),
}  # fmt: skip
"""The options of J48 without a value → the name of the parameter in an audit, and its value."""

_ANY = {
    "output-debug-info": "it is about messages", "D": "it is about messages",
    "do-not-check-capabilities": "it is about checks before the training", "batch-size": "it is about how rows come",
}  # fmt: skip
_SHAPE = "the tree is printed as it is"

OPTIONS: Mapping[str, Inventory] = {
    "J48": Inventory(
        "J48",
        dict.fromkeys(["U", "C", "M", "R", "B", "S", "A", *_J48]),
        {**_ANY, "L": _SHAPE, "N": _SHAPE, "Q": _SHAPE, "num-decimal-places": "J48 prints thresholds with 6 decimals"},
    ),
    "REPTree": Inventory(
        "REPTree", {"num-decimal-places": None},
        {**_ANY, **dict.fromkeys("MVNSPLIR", _SHAPE)},
    ),
    "SimpleCart": Inventory(
        "SimpleCart", {}, {**_ANY, **dict.fromkeys("SMNUHAC", _SHAPE), "num-decimal-places": "it prints all digits"}
    ),
    "Id3": Inventory("Id3", {}, {**_ANY, "num-decimal-places": "there are no numbers"}),
}  # fmt: skip
"""The options of each learner."""

_WITH_VALUE = {"C", "M", "N", "Q", "V", "S", "L", "I", "num-decimal-places", "batch-size"}
_FLAGS = {"J48": {"S", "L"}, "SimpleCart": {"A"}}
"""The options of a learner that have no value, although they have one elsewhere."""


def scheme_of(learner: str, text: str, line: int, ignored: Ignored) -> Scheme:
    """A learner with the options that a line states.

    Args:
        learner: the learner whose tree is printed.
        text: the options, or the name of the learner's class and its options.
        line: the number of the line.
        ignored: what the user said to pass over.

    Raises:
        UnreadError: an option is not known, or the class is of another learner.

    Example:
        >>> scheme_of("J48", "weka.classifiers.trees.J48 -C 0.1 -M 5", 1, Ignored()).text
        '-C 0.1 -M 5'
    """
    words = text.split()
    if words and words[0].startswith("weka."):
        if words[0].rpartition(".")[2] != learner:
            raise UnreadError(f"the scheme is {words[0]}, and the tree is one of {learner}; {INSTEAD}", line=line)
        del words[0]
    options = dict(_options(learner, words))
    try:
        OPTIONS[learner].check(options, ignored)
    except UnreadError as error:
        raise UnreadError(error.message, line=line) from None
    return Scheme(learner, options)


def _options(learner: str, words: Iterable[str]) -> Iterable[tuple[str, str]]:
    rest = iter(words)
    for word in rest:
        name = word.removeprefix("-")
        has_value = name in _WITH_VALUE - _FLAGS.get(learner, set())
        yield name, next(rest, "") if has_value else ""


def _number(text: str) -> str:
    return decimal_text(rational(text))


LEARNERS = {"J48": "J48 (?:un)?pruned tree", "REPTree": "REPTree", "SimpleCart": "CART Decision Tree", "Id3": "Id3"}
"""The learners, and the line above a tree of each."""

# Trees that are not read have heads, too: they are named in the refusal.
_HEADS = {**LEARNERS, **OTHERS}
_HEAD = re.compile(rf"(?m)^(?:{'|'.join(f'({head})' for head in _HEADS.values())})[ \t]*\r?$")
_LINE = rf"(?:{'|'.join(_HEADS.values())})[ \t]*\r?"
# "REPTree" alone might be the head of a table, so a line above or below it has to follow.
_BEGINS = re.compile(
    rf"(?m)(?<=\n){_LINE}$|^{_LINE}\n|^Scheme: *weka\.|^=== Classifier model \(full training set\) ==="
)
"""The line above a tree, with a line before or behind it; or what the Explorer prints above it."""
# J48 ends with its sizes, an evaluation with a title.
_END = re.compile(r"\n(?=Number of Lea|Size of the [Tt]ree|Time taken|=== )")
_CART_TEST = re.compile(r"(\S.*?)(!=(?=\()|=(?=\()| < | >= )(.+)")
# REPTree's figures in brackets are of the rows when grown and when pruned, and say nothing of classes.
_LEAF = {
    "J48": re.compile(r"(?P<label>.+?) \((?P<n>[\d.]+)(?:/(?P<wrong>[\d.]+))?\)"),
    "REPTree": re.compile(r"(?P<label>.+?) \([^()]*\)(?: \[[^\[\]]*\])?"),
    "SimpleCart": re.compile(r"(?P<label>.+?)\((?P<n>[\d.]+)/(?P<wrong>[\d.]+)\)"),
    "Id3": re.compile(r"(?P<label>.+)"),
}
"""The text of a leaf, by learner. SimpleCart prints the rows that are right, not all rows, before the slash."""
_MEAN = re.compile(r"-?\d+(?:\.\d+)?(?:E-?\d+)?")
"""A mean as Weka prints it."""
# This is of prediction, in 3.6; the slack of growing has a place of its own (`profile`).
SLACK = Fraction(1, 1_000_000)
"""The distance above a threshold within which J48 of release 3.6 sends a value to the lower side."""
SMOOTHED = "probabilities are smoothed by the Laplace estimate in Weka (-A), and are shares of rows here"


def documents(value: Any, names: GivenNames) -> list[dict[str, Any]]:
    """The document of the tree in a printout; the classes are those of the confusion matrix, or those that occur.

    Raises:
        InputError: the text holds no such tree, or only a part of it.
        UnreadError: the tree is of a learner that is not read, or a line around it is not known.
    """
    found = _printed(indented.text_of(value), names)
    # The matrix lists every class in order; without it, only those that leaves answer with are known.
    learner, names = found.learner, names._replace(classes=names.classes or list(dict.fromkeys(found.classes)))
    tree = indented.PrintedTree(
        f"Weka {learner}", found.root, _LEAF[learner], names, digits=_digits(found.scheme), command=found.command
    )
    # Without a scheme the printout may come from the menu, and its options are not known.
    facts = remarks(found.scheme.told if found.is_told else {}, [])
    # An audit reads the options of J48 from this fact.
    if learner == "J48":
        facts.append(("scheme", found.said))
    # -A changes the probabilities alone; the class of a leaf stays.
    if "A" in found.scheme.options and learner == "J48":
        facts.append((NOTES, [SMOOTHED]))
    # Of these learners REPTree alone predicts numbers; named classes mean that it does not here.
    means = learner == "REPTree" and not names.classes
    # SimpleCart's first figure is of the rows that are right.
    counted = _right_and_wrong if learner == "SimpleCart" else None
    return [tree.document(counted, facts, _MEAN if means else None)]


READER = ProgramReader(
    "weka", "a tree of Weka", documents, _BEGINS, inventories=(PRINTOUT.inventory, *OPTIONS.values()), target="class"
)


class _Found(NamedTuple):
    """The parts of a printout."""

    learner: str
    root: Nested
    scheme: Scheme
    is_told: bool
    """Whether the printout has the options, or would have them."""
    head: str
    """The line above the tree."""
    classes: Sequence[str]
    """The classes of the confusion matrix."""

    @property
    def command(self) -> str | None:
        """The command, if it is stated."""
        return self.scheme.command if self.is_told else None

    @property
    def said(self) -> str:
        """The record of a run of J48: the line above its tree, and the options that are printed before it."""
        return f"{self.head} {self.scheme.text}".rstrip()


def _printed(text: str, names: GivenNames) -> _Found:
    """The tree of a printout, and what stands around it."""
    # Which group of the pattern matched says whose head it is.
    head = _HEAD.search(text)
    learner = "" if head is None else list(_HEADS)[(head.lastindex or 1) - 1]
    if head is None or learner in OTHERS:
        what = (
            f"its tree is one of {learner}"
            if learner
            else "there is no line J48, REPTree, SimpleCart or Id3 above a tree"
        )
        raise UnreadError(f"{what}, which is not read; {INSTEAD}" if learner else f"{what}; {INSTEAD}")
    # Lines keep the numbers of the file, for messages.
    first = text.count("\n", 0, head.end()) + 1
    body, *behind = _END.split(text[head.end() :], maxsplit=1)
    last = first + body.count("\n") + 1
    # Everything but the tree itself has to be a line that is known.
    root = _root(learner, indented.lines_of(body, first + 1))
    around = [*_numbered(text[: head.start()], 1), *_numbered("".join(behind), last)]
    scheme, classes, is_told, sized = Scheme(learner, {}), list[str](), any("=== " in line for _, line in around), False
    for name, line, found in PRINTOUT.read(around, names.ignored):
        # The command line writes Options, the Explorer Scheme.
        if name in ("Options", "Scheme"):
            scheme, is_told = scheme_of(learner, found[1], line, names.ignored), True
        elif name == "a class":
            classes.append(found[1])
        else:
            # The two counts are checked against the tree that was read.
            sized |= name == "Size of the tree"
            leaves = sum(not below for _, _, below in indented.numbered(root))
            nodes = sum(1 for _ in indented.numbered(root))
            is_size = name == "Size of the tree"
            told = (nodes, "nodes", "size of the tree") if is_size else (leaves, "leaves", "number of leaves")
            check_number(found, line, *told)
    # Id3 prints no size; of the others its absence shows that the text was cut.
    if not sized and learner != "Id3":
        raise InputError("there is no line 'Size of the tree' below a tree; the text is not whole")
    if learner == "Id3":  # an empty leaf has no answer: a row with such a value has no branch
        for _, node, _ in list(indented.numbered(root)):
            node.below[:] = [each for each in node.below if each[1].leaf != "null"]
    return _Found(learner, root, scheme, is_told, head[0].strip(), classes)


def _root(learner: str, lines: Sequence[Line]) -> Nested:
    pattern = _CART_TEST if learner == "SimpleCart" else indented.TEST
    # REPTree puts a blank before the colon.
    return indented.tree_of(lines, lines[0][0] if lines else 1, pattern, " : " if learner == "REPTree" else ": ")


def _numbered(text: str, first: int) -> Iterator[Line]:
    return enumerate(text.split("\n"), start=first)


def _digits(scheme: Scheme) -> PrintedDigits | None:
    """The digits of the thresholds; SimpleCart prints all of them."""
    if scheme.learner == "J48":
        # J48 puts a threshold at a value of the data unless this option says otherwise: then a printed value is exact
        # for its row.
        is_midpoint = "doNotMakeSplitPointActualValue" in scheme.options
        return PrintedDigits(places=6, are_values=not is_midpoint, slack=SLACK)
    # Id3 has no numbers, and SimpleCart prints all digits.
    return PrintedDigits(places=scheme.places) if scheme.learner == "REPTree" else None


def _right_and_wrong(leaf: Leaf) -> Leaf:
    """A leaf of SimpleCart, which prints the rows that are right beside those that are wrong."""
    return leaf if leaf.n is None else leaf._replace(n=leaf.n + (leaf.wrong or 0))
