r"""Critical-value pruning: tests whose scores do not reach a critical value are taken back.

A learner stops early if it asks for a high score before each split, and then misses tests that become good only
below a weak one. This method grows the tree first. It then looks at the score that each test has under the measure
of growing, and makes a leaf of a node if neither its own score nor any below it reaches the critical value c:

$$\max_{s \in T_t} g(s) < c$$

The larger c, the smaller the tree.

1. `score` is the score of a node's test, from the counts of its branches.
2. `CRITICAL_VALUE` is the record of the method.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from reference_tree.data.errors import InputError, listed, no_such, wording
from reference_tree.exact.choosing import best
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import exact_text, rational
from reference_tree.learners.criteria import CRITERIA, USUAL
from reference_tree.learners.recorded import AMOUNT, Option, word
from reference_tree.measures.measure import Quantity, measures
from reference_tree.pruning.comparing import Comparison, Here, comparing
from reference_tree.pruning.method import Given, Record
from reference_tree.splitting.candidate import MEASURES
from reference_tree.tree import Tree

OF_LEARNERS: Mapping[str, str] = {"id3": "gain", "c45": "ratio"}
"""The scores by which learners without a criterion choose."""


def score(here: Here, measure: str) -> Number:
    """The score of a node's test.

    The sample partition is that of the branches' rows: rows without the value count as the tree has sent them down, and
    rows that stay at the node as unknown.

    Args:
        here: the node.
        measure: the name of the score.

    Example:
        >>> from reference_tree.data.sample import Partition
        >>> table = Partition((), ((3, 0), (0, 3)), (0, 0))
        >>> score(Here(6, 3, 3, 0, (3, 3), table=table), "gain") == 1
        True

    Source:
        [Mingers1987], [Esposito1997]
    """
    return MEASURES[measure](here.table)


def _figures(record: Record) -> Comparison:
    critical, name = Fraction(rational(record["critical_value"])), record["measure"]
    _check_measure(name)
    measure = measures()[name]

    # The largest score of what is left below: a subtree that was cut has left the figure of a leaf, and saves its node
    # no more.
    def largest(here: Here) -> Number:
        return best([score(here, name), *(part.figure for part in here.parts)], lambda figure: figure)[0]

    return Comparison(
        steps=(Quantity("g(t)", f"the {measure.called} of the test of node t", lambda here: score(here, name)),),
        leaf=Quantity("c", "the critical value, which a test has to reach", lambda here: critical),
        below=Quantity("max g(T_t)", "the largest g of the tests of t and of what is left below it", largest),
        # A leaf has no test. Its figure is 0, which reaches no critical value above 0, and no score is below it.
        end=lambda here: 0,
        is_reached=True,
        words=("no test from here down reaches c, and the node becomes a leaf", "the subtree stays"),
    )


def _record(tree: Tree, given: Given) -> dict[str, Any]:
    criterion = str(tree.grower.options.get("criterion"))
    criterion = USUAL[tree.target.kind] if criterion == "auto" else criterion
    # CART names its measure among its options; the other learners have one measure each.
    own = CRITERIA[criterion].name if criterion in CRITERIA else OF_LEARNERS.get(tree.grower.name)
    name = given.get("measure") or own
    if name is None:
        wanted = wording("measure=...", "--measure NAME")
        raise InputError(
            f"the tree does not say by which measure it was grown; say {wanted}, {listed(MEASURES_OF_CLASSES)}"
        )
    _check_measure(name)
    if "critical_value" not in given:
        wanted = wording("critical_value=...", "--critical-value NUMBER")
        raise InputError(f"critical-value needs the score that a test has to reach: {wanted}")
    return {"critical_value": exact_text(given["critical_value"]), "measure": name}


def _check_measure(name: object) -> None:
    if name not in MEASURES_OF_CLASSES:
        raise InputError(no_such("measure of classes", str(name), MEASURES_OF_CLASSES))


# The nodes are compared by their class counts. Without a name for sentences (`called`) a measure is no score of its
# own, but a quantity beside one, as the split information is.
MEASURES_OF_CLASSES = tuple(name for name, one in measures().items() if one.counted == "classes" and one.called)
"""The measures that can be named."""

CRITICAL_VALUE = comparing(
    _figures,
    name="critical-value",
    called="a critical value",
    options={
        "critical_value": Option(None, AMOUNT, "the score that the test of a node has to reach"),
        "measure": Option(None, word(MEASURES_OF_CLASSES), "the measure of the score (default: that of growing)"),
    },
    record=_record,
    rules=("critical-value.reached",),
)
