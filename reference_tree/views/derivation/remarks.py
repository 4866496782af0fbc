"""Remarks: the sentences of a derivation.

1. `barred` says of one question why it may not compete, `barred_together` of many about the same attribute.
2. `ranked` is what became of each that did, `split` the sentence below.
3. `without_answer` and `surrogates` say where a row goes that does not answer.
4. `leaf` says what a leaf answers and why it is one; `REASONS` has the words for each rule that can make a leaf.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from reference_tree.data.missing import Missing
from reference_tree.data.questions import Multiway, Test, Threshold
from reference_tree.data.sample import Sample
from reference_tree.data.schema import Attribute
from reference_tree.dialects.release8 import MANY_VALUES, TOLERANCE
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational, decimal_text, rational
from reference_tree.exact.rounding import decimal
from reference_tree.learners.decision import Decision
from reference_tree.learners.growing import Visit
from reference_tree.splitting.candidate import Candidate
from reference_tree.splitting.continuous_bisection import midpoint
from reference_tree.splitting.multivariate_nodes import LinearCandidate
from reference_tree.tree import Tree
from reference_tree.views.derivation.blocks import Ranked
from reference_tree.views.derivation.notation import decimal_of, places_apart, rational_value, value_text
from reference_tree.views.derivation.scores import Formulas
from reference_tree.views.figures import amount, weight_text
from reference_tree.views.names import answer_text, one_line

BARRED: Mapping[str, str] = {
    "candidate": "all rows that answer give one answer",
    "min-samples-leaf": "a branch is too small",
    "cut-gap": "the values lie too close together",
    "zero-gain": "no gain is left",
    "split-information": "the split information is too small to divide by",
}
"""Why a question may not compete, by the rule that bars it."""

NOT_TRIED = frozenset({"candidate", "min-samples-leaf", "cut-gap"})
"""Those of these rules that bar a question before it has any score."""

REASONS: Mapping[str, str] = {
    "pure": "all rows have one {answer}",
    "empty": "no row arrives, and the {answer_above} of the node above stands",
    "no-attributes": "every attribute has been used on the way",
    "no-candidates": "{nothing} separates its rows",
    "average": "no attribute may compete by its ratio",
    "epsilon": "the best {score} falls short: {comparison}",
    "zero-gain": "no question has a {score} above 0",
    "min-impurity-decrease": "the best {score}, weighed by the node's share of the sample, falls short: {comparison}",
    "max-depth": "its children would lie at depth {below}, and {max_depth} is the deepest allowed",
    "min-samples-split": "it has {arrives}, and a split needs {min_samples_split}",
    "min-samples-leaf": "every split leaves a branch {too_small}",
    "collapsed": "the subtree that was grown here gets {below_wrong} of its rows wrong, and the leaf {wrong}",
}
"""Why a leaf is a leaf; in braces, what is known of the node and the learner's options."""


@dataclass(frozen=True)
class Given:
    """What is given for all nodes of a derivation.

    Args:
        tree: the tree.
        options: of the learner, as it records them.
        weighted: whether some row counts for more or less than one.
        errors: for each node that was split and then collapsed, what its leaves and it itself get wrong.
    """

    tree: Tree
    options: Mapping[str, Any]
    weighted: bool
    errors: Mapping[int, tuple[Rational, Rational]]

    def amount(self, weight: Rational) -> str:
        """How much data there is, in words."""
        return amount(weight, weighted=self.weighted)


# Who may not compete.


def without_question(sample: Sample, attribute: Attribute) -> str:
    """Why there is no question about an attribute: its rows have one value, or none."""
    if attribute.values is None:
        numbers, _, unknown = sample.ordered(attribute.name)
        values, gaps = list(map(decimal_text, numbers)), any(unknown)
    else:
        table = sample.partition(Multiway.on(attribute))
        values = [outcome.written for outcome, row in zip(table.outcomes, table.rows, strict=True) if any(row)]
        gaps = any(table.unknown)
    return _no_candidate(attribute.name, [f"{attribute.name}={value}" for value in values], gaps=gaps)


def _no_candidate(name: str, answers: Sequence[str], *, gaps: bool) -> str:
    rows = "all rows with a value" if gaps else "all rows"
    same = f"{rows} have {one_line(answers[0])}" if answers else "no row has a value"
    return f"{one_line(name)} is no candidate: {same}."


def barred(candidate: Candidate, weights: Sequence[Rational], given: Given) -> str:
    """Why a question may not compete, by the weights of its branches."""
    name = one_line(candidate.test.name)
    if candidate.barred == "candidate":
        answers = [candidate.test.step(branch) for branch, weight in enumerate(weights) if weight]
        return _no_candidate(name, answers, gaps=any(candidate.table.unknown))
    if candidate.barred == "min-samples-leaf":
        smallest = min(weight for weight in weights if weight)
        outcome = candidate.test.outcomes[list(weights).index(smallest)]
        least = given.options["min_samples_leaf"]
        needed = f"a branch needs {least}" if smallest < rational(least) else "that is too few here"
        few = f"{one_line(outcome.label)} has {given.amount(smallest)}, and {needed}"
        return f"{name} is no candidate: {few} ({candidate.barred})."
    return f"{name} is no candidate: {BARRED[str(candidate.barred)]} ({candidate.barred})."


def barred_together(name: str, bar: str, number: int, questions: Sequence[Candidate]) -> str:
    """Why some of many questions about an attribute may not compete."""
    if number == len(questions):
        return f"{one_line(name)} is no candidate: {BARRED[bar]}, wherever it is parted ({bar})."
    are = "is no candidate" if number == 1 else "are no candidates"
    return f"Of the {len(questions)} {_kind(questions)} of {one_line(name)}, {number} {are}: {BARRED[bar]} ({bar})."


def best_shown(name: str, shown: int, tries: int, questions: Sequence[Candidate]) -> str:
    """That of many questions about an attribute only the best are shown."""
    which = "the best one is shown" if shown == 1 else f"{shown} of the best are shown"
    return f"Of the {tries} {_kind(questions)} of {one_line(name)} that are tried, {which}."


def _kind(questions: Sequence[Candidate]) -> str:
    if isinstance(questions[0], LinearCandidate):
        return "linear tests"
    return "cuts" if isinstance(questions[0].test, Threshold) else "ways to part the values"


def listed_in_part(name: str, values: int, questions: int) -> str:
    """That an attribute has too many values to try every way to part them.

    Example:
        >>> listed_in_part("postcode", 20, 19)
        'Of the 524287 ways to part the 20 values of postcode, 19 are tried; the best of all is among them.'
    """
    are = "one is" if questions == 1 else f"{questions} are"
    ways = f"Of the {2 ** (values - 1) - 1} ways to part the {values} values of {one_line(name)}"
    return f"{ways}, {are} tried; the best of all is {'this one' if questions == 1 else 'among them'}."


def average(given: Given, decision: Decision) -> str:
    """Who is let through to compete by the ratio."""
    below = [one_line(candidate.test.name) for candidate in decision.candidates if candidate.barred == "average"]
    less = " less 0.001" if given.options.get("contenders") == "near-average" else ""
    said = f"The average gain{less} is {decimal_of(decision.evidence['average'] - (TOLERANCE if less else 0))}"
    if not below:
        return f"{said}; nobody falls short of it."
    return f"{said}; {', '.join(below)} {'falls' if len(below) == 1 else 'fall'} short of it."


def no_average(decision: Decision) -> str:
    """Why no attribute may compete where no gain counts for the average."""
    names = list(dict.fromkeys(one_line(c.test.attribute) for c in decision.candidates if c.barred == "average"))
    have, their = ("has", "its gain is") if len(names) == 1 else ("have", "their gains are")
    many = f"{', '.join(names)} {have} very many values, at least {MANY_VALUES} of the weight of the table"
    return f"There is no average gain: {many}, so {their} left out of it, and no other attribute can be asked."


# Who wins, and by how much.


def ranked(decision: Decision, candidates: Iterable[Candidate]) -> Iterator[Ranked]:
    """Candidates by their score, the best first, and what became of each."""
    equal, can_win = _equal_winners(decision), {winner.key for winner in decision.winners}
    for candidate in sorted(candidates, key=lambda c: _score(c, decision), reverse=True):  # exact; stable for equals
        if candidate.key in equal:
            chosen = decision.chosen is not None and candidate.key == decision.chosen.key
            fate = _how_chosen(decision, equal) if chosen else "exact tie" if len(equal) > 1 else "the best"
        else:
            fate = _apart(candidate, decision, can_win=candidate.key in can_win)
        yield Ranked(one_line(candidate.test.name), _score(candidate, decision), fate)


def _score(candidate: Candidate, decision: Decision) -> Number:
    return candidate.scores[decision.judged_by]


def _best_score(decision: Decision) -> Number:
    """The score of the chosen one; of a leaf, of the first winner."""
    return _score(decision.chosen or decision.winners[0], decision)


def _equal_winners(decision: Decision) -> list[Hashable]:
    """The keys of the winners with that score, in table order."""
    best = _best_score(decision)
    winners = {winner.key for winner in decision.winners if _score(winner, decision) == best}
    return [candidate.key for candidate in decision.candidates if candidate.key in winners]


def _apart(candidate: Candidate, decision: Decision, *, can_win: bool) -> str:
    score, best = _score(candidate, decision), _best_score(decision)
    apart = f"ahead by {decimal_of(score - best)}" if score > best else f"behind by {decimal_of(best - score)}"
    return f"{apart}; would be chosen if an equal cut stood for its attribute" if can_win else apart


def _how_chosen(decision: Decision, equal: Sequence[Hashable]) -> str:
    assert decision.chosen is not None
    chosen = f"chosen of {len(equal)} exact ties" if len(equal) > 1 else "chosen"
    if decision.chosen is not decision.winners[0]:
        return f"{chosen}: the learner is told to take it here"
    if len(equal) == 1:
        return chosen
    if isinstance(decision.chosen, LinearCandidate):
        return f"{chosen}: of those with the fewest coordinates the first"
    if decision.chosen.key == equal[0]:
        return f"{chosen}: the first in table order"
    return f"{chosen}: the lowest cut of its attribute"


def split(decision: Decision, second: Candidate | None, formulas: Formulas) -> str:
    """On what a node splits, and how clearly.

    Args:
        decision: what is decided there.
        second: the runner-up; none: nothing else competes, or it is not known.
        formulas: of the score.
    """
    assert decision.chosen is not None
    name = one_line(decision.chosen.test.name)
    if second is None and decision.listed_in_part:
        names = ", ".join(map(one_line, decision.listed_in_part))
        return f"Split on {name}; the margin is not known, for of {names} not every way to part the values is tried."
    if second is None:
        beside = f" with the {len(decision.winners)} winners" if len(decision.winners) > 1 else ""
        return f"Split on {name}: nothing else competes{beside}."
    margin = _best_score(decision) - _score(second, decision)
    ahead = f"{decimal_of(margin)} {formulas.unit}".rstrip()
    return f"Split on {name}, with a margin of {ahead} over the next best, {one_line(second.test.name)}."


def regret(decision: Decision, formulas: Formulas) -> str:
    """By how much a linear test that was searched for falls short of the best one."""
    short = decision.evidence["regret"]
    if not short:
        return "No linear test is better."
    return f"The best linear test of all is better by {decimal_of(short)} {formulas.unit}".rstrip() + "."


def moved(test: Test) -> str | None:
    """That a threshold stands elsewhere than halfway between the two values that it parts; none if it does not.

    Example:
        >>> moved(Threshold("humidity", 80, (80, 85)))
        'The cut lies between 80 and 85; its threshold is put at 80, a value of the data, instead of the middle 82.5.'
    """
    if not isinstance(test, Threshold) or test.interval is None or test.threshold == midpoint(*test.interval):
        return None
    low, high = map(decimal_text, test.interval)
    at, middle = decimal_text(test.threshold), decimal_text(midpoint(*test.interval))
    where = f"its threshold is put at {at}, a value of the data, instead of the middle {middle}"
    return f"The cut lies between {low} and {high}; {where}."


# Where a row goes that does not answer.


def without_answer(chosen: Candidate, missing: Missing, unknown: str) -> str:
    """What becomes of the rows that do not answer the question of a node.

    Args:
        chosen: the question.
        missing: the rule.
        unknown: how many they are, in words.
    """
    to = "nowhere" if missing.to is None else f"to {one_line(chosen.test.outcomes[missing.to].label)}"
    ways = {
        "fractions": "down every branch, by the shares " + ", ".join(map(weight_text, missing.shares)),
        "surrogates": f"asked the questions below instead; if they answer none of them, {to}",
        "branch": to,
        "stay": "nowhere, and answered here",
        "error": "refused",
    }
    return f"Without an answer to {one_line(chosen.test.name)} ({unknown}): {ways[missing.rule]}."


def surrogates(chosen: Candidate, missing: Missing) -> Iterator[tuple[str, str]]:
    """The questions that are asked instead, the best one first: how often they agree, and what their answers mean."""
    labels = [one_line(outcome.label) for outcome in chosen.test.outcomes]
    for surrogate in missing.surrogates:
        answers = [one_line(outcome.label) for outcome in surrogate.test.outcomes]
        means = "; ".join(f"{answer} → {labels[to]}" for answer, to in zip(answers, surrogate.branches, strict=True))
        share, decimals = surrogate.agreement, decimal_of(surrogate.agreement)
        sign = "=" if Fraction(decimals) == share else "≈"
        agrees = f"agrees in {share}" if str(share) == decimals else f"agrees in {share} {sign} {decimals}"
        yield one_line(surrogate.test.attribute), f"{agrees}: {means}"


# Why a leaf is one.


def becomes(pruned: bool) -> str:
    """What becomes of a node when a pruning has judged it."""
    return "becomes a leaf" if pruned else "stays"


def leaf(given: Given, visit: Visit, formulas: Formulas, share: Fraction) -> str:
    """What a leaf answers, and why it is one.

    Args:
        given: what is given.
        visit: of the leaf.
        formulas: of the score.
        share: of the whole sample that reaches it, as the learner weighs it.
    """
    node = given.tree.nodes[visit.number]
    decision, numbers, options = visit.decision, given.tree.target.values is None, given.options
    assert node.stop is not None
    below_wrong, wrong = given.errors.get(visit.number, (0, 0))
    one_minimum = (options.get("cut_minimum", "same"), options.get("branch_minimum", "every")) == ("same", "every")
    searches = options.get("branching") == "linear" and options.get("search") != "exhaustive"
    known = {
        **options,
        "answer": "number" if numbers else "class",
        "answer_above": "answer" if numbers else "majority",
        "below": visit.place.depth + 1,
        "arrives": given.amount(node.weight),
        "score": formulas.called,
        "comparison": _comparison(given, decision, share),
        "below_wrong": weight_text(below_wrong),
        "wrong": weight_text(wrong),
        "too_small": f"of less than {options['min_samples_leaf']}" if one_minimum else "that is too small",
        "nothing": "no line that the search looks at" if searches else "no attribute",
    }
    answer, because = answer_text(node.label), f"because {REASONS[node.stop].format_map(known)} ({node.stop})"
    if not decision.answer.tied:
        return f"Leaf: {answer}, {because}."
    equal = f"{' and '.join(map(one_line, decision.answer.tied))} are equally common"
    first = decision.answer.label == decision.answer.tied[0]
    by = "is the first in class order" if first else "is what the learner is told to answer here"
    return f"Leaf: {answer}, {because}; {equal}, and {answer_text(decision.answer.label)} {by}."


def _comparison(given: Given, decision: Decision, share: Fraction) -> str:
    """The figure that was too small, against the bound, with as many decimals as it takes to see the difference."""
    if decision.stop not in ("epsilon", "min-impurity-decrease"):
        return ""
    score = _score(decision.winners[0], decision)
    if decision.stop == "epsilon":
        bound = given.options["epsilon"]
        return f"{_below(score, bound)} < ε = {bound}"
    bound = given.options["min_impurity_decrease"]
    return f"{share}·{decimal_of(score)} = {_below(share * score, bound)} < {bound}"


def _below(number: Number, bound: str) -> str:
    if rational_value(number) is not None:
        return value_text(number)
    return decimal(number, places_apart(number, rational(bound)))
