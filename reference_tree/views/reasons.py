"""Reasons: what a leaf answers, and why it is one.

`leaf` is the sentence; `REASONS` has the words for each rule that can make a leaf.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import rational
from reference_tree.exact.rounding import decimal
from reference_tree.learners.growing import Visit
from reference_tree.learners.place import Answer
from reference_tree.views.arrivals import weight_text
from reference_tree.views.lesson import Lesson
from reference_tree.views.names import answer_text, one_line
from reference_tree.views.notation import PLACES, decimal_of, rational_value, value_text
from reference_tree.views.verdicts import Given

REASONS: Mapping[str, str] = {
    "pure": "all rows have one {answer}",
    "empty": "no row arrives, and the {answer_above} of the node above stands",
    "no-attributes": "every attribute has been used on the way",
    "no-candidates": "{nothing} separates its rows",
    "average": "no attribute may compete by its ratio",
    "epsilon": "the best {score} falls short: {comparison}",
    "min-impurity-decrease": "the best {score}, weighed by the node's share of the sample, falls short: {comparison}",
    "max-depth": "its children would lie at depth {below}, and {max_depth} is the deepest allowed",
    "min-samples-split": "it has {arrives}, and a split needs {min_samples_split}",
    "min-samples-leaf": "every split leaves a branch {too_small}",
    "collapsed": "the subtree that was grown here gets {below_wrong} of its rows wrong, and the leaf {wrong}",
}
"""Why a leaf is a leaf; in braces, what is known of the node and the learner's options."""


def leaf(given: Given, visit: Visit, lesson: Lesson, share: Fraction) -> str:
    """What a leaf answers, and why it is one.

    Args:
        given: what is given.
        visit: of the leaf.
        lesson: of the score.
        share: of the whole sample that reaches it, as the learner weighs it.
    """
    node = given.tree.nodes[visit.number]
    decision, numbers = visit.decision, given.tree.target.values is None
    assert node.stop is not None
    below_wrong, wrong = given.errors.get(visit.number, (0, 0))
    known = {
        **given.options,
        "answer": "number" if numbers else "class",
        "answer_above": "answer" if numbers else "majority",
        "below": visit.place.depth + 1,
        "arrives": given.amount(node.weight),
        "score": lesson.called,
        "comparison": _comparison(given, visit, share),
        "below_wrong": weight_text(below_wrong),
        "wrong": weight_text(wrong),
        "too_small": _too_small(given),
        "nothing": "no line that the search looks at" if _searches_lines(given) else "no attribute",
    }
    because = f"because {REASONS[node.stop].format_map(known)} ({node.stop})"
    return f"Leaf: {answer_text(node.label)}, {because}{_equal_majorities(decision.answer)}."


def _searches_lines(given: Given) -> bool:
    """Whether questions are looked for, so that there may be some that nobody has seen."""
    return given.options.get("branching") == "linear" and given.options.get("search") != "exhaustive"


def _too_small(given: Given) -> str:
    """What is too small for a branch, where one number says so for all."""
    rules = (given.options.get("cut_minimum", "same"), given.options.get("branch_minimum", "every"))
    one_number = rules == ("same", "every")
    return f"of less than {given.options['min_samples_leaf']}" if one_number else "that is too small"


def _equal_majorities(answer: Answer) -> str:
    if not answer.tied:
        return ""
    first = answer.label == answer.tied[0]
    by = "is the first in class order" if first else "is what the learner is told to answer here"
    return f"; {' and '.join(map(one_line, answer.tied))} are equally common, and {answer_text(answer.label)} {by}"


def _comparison(given: Given, visit: Visit, share: Fraction) -> str:
    """The figure that was too small, against the bound, with as many decimals as it takes to see the difference."""
    decision = visit.decision
    if decision.stop not in ("epsilon", "min-impurity-decrease"):
        return ""
    score = decision.winners[0].scores[decision.judged_by]
    if decision.stop == "epsilon":
        bound = given.options["epsilon"]
        return f"{_below(score, bound)} < ε = {bound}" if score < rational(bound) else f"it is {value_text(score)}"
    bound = given.options["min_impurity_decrease"]
    return f"{share}·{decimal_of(score)} = {_below(share * score, bound)} < {bound}"


def _below(number: Number, bound: str) -> str:
    places = PLACES
    while decimal(number, places) == decimal(rational(bound), places):
        places *= 2
    return value_text(number) if rational_value(number) is not None else decimal(number, places)
