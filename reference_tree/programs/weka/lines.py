"""Weka's lines: what is known of the text around a tree that Weka prints, and of the options of its learners.

1. `PRINTOUT` is the record of the lines, from the command line and from the Explorer of releases 3.6 and 3.9.
2. `OTHERS` are the trees of Weka that are not read.
3. `scheme_of` reads the options of a learner: `weka.classifiers.trees.J48 -C 0.25 -M 2`, or `Options: -U`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from reference_tree.exact.rationals import decimal_text, rational
from reference_tree.programs.inventory import Ignored, Inventory, UnreadError
from reference_tree.programs.printouts import Known, Printout

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
_SECTION = (
    r"=== (?:Error on (?:training data|test data|test split)|(?:Stratified c|C)ross-validation|Summary|"
    r"Evaluation on (?:training set|test set|test split)|Classifier model(?: \(full training set\))?) ==="
)

PRINTOUT = Printout(
    "a printout of Weka",
    [
        Known("Options", r"Options: ?(.*)"),
        Known("Scheme", r"Scheme: *(\S+.*)"),
        Known(_RUN, _RUN, "it is a title"),
        Known("Relation", r"Relation: *.*", _ROWS),
        Known("Instances", r"Instances: *\d+", _ROWS),
        Known(_ATTRIBUTES, r"Attributes: *\d+", _ROWS),
        Known("Test mode", r"Test mode: *.*", _EVALUATION),
        Known("a title", _SECTION, "it is a title"),
        Known("Number of Leaves", r"Number of Lea(?:ves|f Nodes) *: *\t?(\d+)"),
        Known("Size of the tree", r"Size of the [Tt]ree *: *\t?(\d+)"),
        Known("Time taken", r"Time taken\b.*", "it is of the clock"),
        Known("a figure", rf"(?:{_FIGURES})(?: +{_NUMBER}(?: *(?:%|bits|bits/instance))?)+", _EVALUATION),
        Known(_CLASSES, _CLASSES, "it is a title"),
        Known("the head of the accuracies", r"TP Rate .*Class", _EVALUATION, _CLASSES),
        Known("an accuracy", rf"(?:Weighted Avg\.)?(?: *{_NUMBER}){{5,8}}(?: +.+)?", _EVALUATION, _CLASSES),
        Known(_MATRIX, _MATRIX, "it is a title"),
        Known("the head of the matrix", r"(?:[a-z]+ +)+ *<-- classified as", "it is a title", _MATRIX),
        Known("a class", r"[ \d.]+\| +\S+ = (.+)", under=_MATRIX),
        Known(_PREDICTIONS, r"=== Predictions (?:on|under) .*===", "it is a title"),
        Known("the head of the predictions", r"inst#[ ,].*", "it is a title", _PREDICTIONS),
        Known("a prediction", rf"\d+ +\S+ +\S+ .*|\d+,.*|\d+(?: +{_NUMBER})+.*", _EVALUATION, _PREDICTIONS),
        Known("a name of an attribute", r"(?!===).+", _ROWS, _ATTRIBUTES),
    ],
    {
        r"FilteredClassifier using .*|Filtered Header": "the rows are filtered before the tree asks, so print the tree "
        "of the filtered rows",
        r"All the base classifiers:|.*Base classifiers.*|.*with \d+ iterations and base learner": "it is of several "
        "trees, which are not read together; print one tree alone",
        r"=== Classifier model for (?:fold|training split).*": "it has several trees; print one tree alone",
    },
)  # fmt: skip
"""What is known of the lines around a tree."""

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
        """The training parameters of J48, by the names of an audit, if it has options that change its questions.

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
