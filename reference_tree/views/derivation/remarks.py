"""Remarks: the sentences of a derivation.

1. `barred` says why one test may not compete, `barred_together` why many tests of one attribute may not.
2. `ranked` has the outcome for each competitor, `split` the sentence below.
3. `without_answer` and `surrogates` say where a row without an answer goes.
4. `leaf` says what a leaf answers and why it is one; `REASONS` has the words for each rule that can make a leaf.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from reference_tree.data.points import Points
from reference_tree.data.questions import Linear, Missing, Test, Threshold
from reference_tree.data.sample import Sample
from reference_tree.data.schema import Attribute
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import decimal_text, rational
from reference_tree.exact.worked import Worked, work
from reference_tree.learners.decision import Decision
from reference_tree.learners.stopping.bounds import rules
from reference_tree.programs.c45.release8 import MANY_VALUES
from reference_tree.splitting.binary_subsets import partition_of_present
from reference_tree.splitting.candidate import Candidate
from reference_tree.splitting.continuous_bisection import midpoint
from reference_tree.splitting.multivariate_nodes import LinearCandidate
from reference_tree.views.derivation.blocks import Ranked
from reference_tree.views.derivation.notation import chain, in_enough_digits, text
from reference_tree.views.derivation.numerals import USUAL, NumberFormat, decimal_of, places_apart, value_text
from reference_tree.views.derivation.worked_nodes import WorkedNode
from reference_tree.views.plots.plane import LETTERS
from reference_tree.views.wording import answer_text, answers, asked, is_rounded, one_line, step_of, weight_text

BARRED: Mapping[str, str] = {
    "candidate": "all rows with a known value have one outcome",
    "min-samples-leaf": "a branch is too small",
    "cut-gap": "the values lie too close together",
    "not-binned": "no bin ends between the values",
    "zero-gain": "no gain is left",
    "more-leaves": "the best tree that begins with it saves as much with more leaves",
    "split-information": "the split information is too small to divide by",
}
"""Why a test may not compete, by the rule that bars it."""

REASONS: Mapping[str, str] = {rule.name: rule.words for rule in rules().values() if rule.words}
"""Why a node is a leaf; the braces stand for facts of the node and the learner's options."""


# Candidates that may not compete.


def without_question(sample: Sample, attribute: Attribute) -> str:
    """Why there is no test of an attribute: all its values are equal, or missing."""
    if attribute.values is None:
        numbers, _, unknown = sample.ordered(attribute.name)
        values, gaps = list(map(decimal_text, numbers)), any(unknown)
    else:
        table = partition_of_present(sample, attribute)
        values = [outcome.written for outcome in table.outcomes]
        gaps = any(table.unknown)
    return _no_candidate(attribute.name, [f"{attribute.name}={value}" for value in values], gaps=gaps)


def _no_candidate(name: str, answers: Sequence[str], *, gaps: bool) -> str:
    rows = "all rows with a value" if gaps else "all rows"
    same = f"{rows} have {one_line(answers[0])}" if answers else "no row has a value"
    return f"{one_line(name)} is no candidate: {same}."


def barred(node: WorkedNode, candidate: Candidate) -> str:
    """Why a test may not compete."""
    rule, name, weights = str(candidate.barred), asked(candidate.test), node.weights(candidate.table.rows)
    if rule == "candidate":
        same = [step_of(candidate.test, branch) for branch, weight in enumerate(weights) if weight]
        return _no_candidate(name, same, gaps=any(candidate.table.unknown))
    why = BARRED[rule]
    if rule == "min-samples-leaf":
        smallest = min(weight for weight in weights if weight)
        least, answer = node.given.options["min_samples_leaf"], answers(candidate.test)[weights.index(smallest)]
        needed = f"a branch needs {least}" if smallest < rational(least) else "that is too few here"
        why = f"{answer} has {node.given.amount(smallest)}, and {needed}"
    return f"{name} is no candidate: {why} ({rule})."


def barred_together(name: str, bar: str, number: int, questions: Sequence[Candidate]) -> str:
    """Why some of many tests of an attribute may not compete."""
    if number == len(questions):
        return f"{one_line(name)} is no candidate: {BARRED[bar]}, wherever it is parted ({bar})."
    are = "is no candidate" if number == 1 else "are no candidates"
    return f"Of the {len(questions)} {kind(questions)} of {one_line(name)}, {number} {are}: {BARRED[bar]} ({bar})."


def kind(questions: Sequence[Candidate]) -> str:
    """The name for tests of one attribute."""
    if isinstance(questions[0], LinearCandidate):
        return "linear tests"
    return "cuts" if isinstance(questions[0].test, Threshold) else "ways to part the values"


def best_listed(name: str, cuts: int) -> str:
    """The remark that a number has too many cuts for all of them to be listed.

    Example:
        >>> best_listed("price", 98214)
        'Of the 98214 cuts of price, the best and the next best are listed, as the store found them.'
    """
    return f"Of the {cuts} cuts of {one_line(name)}, the best and the next best are listed, as the store found them."


def listed_in_part(name: str, values: int, tests: int, *, planes: bool = False) -> str:
    """The remark that an attribute has too many values for every way to part them to be tried.

    Args:
        name: the name of the attribute.
        values: the number of values that are present.
        tests: the number of those that are tried.
        planes: whether these are the sides of planes, as for three classes and more.

    Example:
        >>> listed_in_part("postcode", 20, 19)
        'Of the 524287 ways to part the 20 values of postcode, 19 are tried; the best of all is among them.'
    """
    are = "one is" if tests == 1 else f"{tests} are"
    if planes:
        are = f"the {tests} that are sides of planes through 0 (a value is the point of its counts) are"
    ways = f"Of the {2 ** (values - 1) - 1} ways to part the {values} values of {one_line(name)}"
    return f"{ways}, {are} tried; the best of all is {'this one' if tests == 1 else 'among them'}."


def below_average(node: WorkedNode) -> str:
    """The candidates that may not compete by their ratio."""
    below = [asked(candidate.test) for candidate in node.decision.candidates if candidate.barred == "average"]
    bar = "ḡ − 0.001" if node.given.options.get("contenders") == "near-average" else "ḡ"
    if not below:
        return f"No gain is below {bar}, so every attribute may win by its ratio."
    if len(below) == 1:
        return f"The gain of {below[0]} is below {bar}: it may not win."
    return f"The gains of {_together(below)} are below {bar}: they may not win."


def no_average(decision: Decision) -> str:
    """Why no attribute may compete if no gain counts for the average."""
    names = list(dict.fromkeys(one_line(c.test.attribute) for c in decision.candidates if c.barred == "average"))
    have, their = ("has", "its gain is") if len(names) == 1 else ("have", "their gains are")
    many = f"{', '.join(names)} {have} very many values, at least {MANY_VALUES} of the weight of the table"
    return f"There is no average gain: {many}, so {their} left out of it, and no other attribute can be tested."


# The winner and its margin.


def ranked(decision: Decision, candidates: Sequence[Candidate], digits: NumberFormat = USUAL) -> Iterator[Ranked]:
    """Candidates by their score, the best first, and the outcome for each.

    The scores have enough digits for a calculator to reproduce the printed differences.
    """
    can_win = {winner.key for winner in decision.winners}
    ahead = best_score(decision)
    equal = [c for c in candidates if c.key in can_win and score_of(c, decision) == ahead]
    scores = [score_of(candidate, decision) for candidate in candidates]
    shown = apart(scores, [ahead] * len(scores), digits)
    order = sorted(range(len(scores)), key=scores.__getitem__, reverse=True)
    for candidate, score, written in ((candidates[n], scores[n], shown[n]) for n in order):
        first, last, word = (score, ahead, "ahead") if score > ahead else (ahead, score, "behind")
        by = f"{word} by {decimal_of(first - last, digits.places)}"
        if candidate.key in {one.key for one in equal}:
            chosen = decision.chosen is not None and candidate.key == decision.chosen.key
            fate = _how_chosen(decision, equal) if chosen else "exact tie" if len(equal) > 1 else "the best"
        elif candidate.barred == "average":
            fate = "excluded: its gain is below the average"
        elif candidate.key in can_win:
            fate = f"{by}; would be chosen if an equal cut stood for its attribute"
        else:
            fate = by
        yield Ranked(asked(candidate.test), written, fate)


def apart(scores: Sequence[Number], others: Sequence[Number], digits: NumberFormat) -> list[str]:
    """Scores with enough digits for a calculator to reproduce the difference of each from the other score beside it."""
    pairs = [(work(other) - work(score), other - score) for score, other in zip(scores, others, strict=True)]
    return [str(one.operands[1].name) for one in in_enough_digits(pairs, digits._replace(exact=False, terms=0))]


def score_of(candidate: Candidate, decision: Decision) -> Number:
    """The score that a candidate is judged by."""
    return candidate.scores[decision.judged_by]


def best_score(decision: Decision) -> Number:
    """The score of the chosen candidate; at a leaf, of the first winner."""
    return score_of(decision.chosen or decision.winners[0], decision)


def tied_with(decision: Decision) -> list[Candidate]:
    """The winners whose score equals that of the chosen one; a cut that won by its gain may have a larger ratio."""
    if (chosen := decision.chosen) is None:
        return []
    others = [winner for winner in decision.winners if winner.key != chosen.key]
    return [winner for winner in others if winner.score == chosen.score]  # they are compared, and not shown


def _how_chosen(decision: Decision, equal: Sequence[Candidate]) -> str:
    chosen = decision.chosen
    assert chosen is not None
    if chosen is not decision.winners[0]:
        return f"chosen{_of_ties(equal)}: the override of ties names it here"
    if len(equal) == 1:
        return "chosen"
    if isinstance(chosen, LinearCandidate):
        return f"chosen{_of_ties(equal)}: of those with the fewest coordinates the first"
    same = [one for one in equal if one.test.attribute == chosen.test.attribute]
    rules = [] if len(same) == len(equal) or chosen.key != equal[0].key else ["the first attribute in table order"]
    if len(same) > 1 or not rules:
        rules.append("the lowest threshold" if isinstance(chosen.test, Threshold) else "the first set of values")
    return f"chosen{_of_ties(equal)}: {', and '.join(rules)}"


def _of_ties(equal: Sequence[Candidate]) -> str:
    return f" of {len(equal)} exact ties" if len(equal) > 1 else ""


def split(node: WorkedNode) -> str:
    """The test of a node and its margin over the next best candidate, or all candidates that tie."""
    decision = node.decision
    assert decision.chosen is not None
    second, name = decision.next_best, asked(decision.chosen.test)
    # A test that was not tried could be the second best, so no margin is stated.
    if decision.listed_in_part:
        names = ", ".join(map(one_line, decision.listed_in_part))
        return f"Split on {name}; the margin is not known, for of {names} not every way to part the values is tried."
    tied = [asked(winner.test) for winner in tied_with(decision)]
    if not second:
        beside = f" with the {len(tied) + 1} winners" if tied else ""
        return f"Split on {name}: nothing else competes{beside}."
    margin = node.in_units(best_score(decision) - score_of(second[0], decision))
    next_best = _together(list(map(asked, (one.test for one in second))))
    are, equal = ("is", "") if len(second) == 1 else ("are", ", which are exactly equal")
    if tied:
        others = tied[0] if len(tied) == 1 else f"{len(tied)} others"
        return f"Split on {name}, tied exactly with {others}; the next best, {next_best}, {are} behind by {margin}."
    return f"Split on {name}, with a margin of {margin} over the next best, {next_best}{equal}."


def _together(names: Sequence[str]) -> str:
    """Names in a list, the last one after `and`."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def regret(node: WorkedNode) -> str:
    """The amount by which a linear test that was searched for falls short of the best one."""
    short = node.decision.evidence["regret"]
    return f"The best linear test of all is better by {node.in_units(short)}." if short else "No linear test is better."


def plane(test: Linear, points: Points, classes: Sequence[str]) -> str:
    """The description of the plane of a linear test; without classes, all rows have one mark."""
    numbers = zip(points.coordinates, zip(*points.values, strict=True), strict=True)
    across, up = (f"{one_line(c.name)} from {decimal_text(min(of))} to {decimal_text(max(of))}" for c, of in numbers)
    marks = [f"{LETTERS[code % len(LETTERS)]} is {one_line(label)}" for code, label in enumerate(classes)]
    marks += ["& are several at one place"] if classes else [f"{LETTERS[0]} is a row"]
    axes = f"{across} across and {up} upwards"
    return f"The rows in the plane, {axes}: {', '.join(marks)}; dotted where {asked(test)}."


def moved(test: Test) -> str | None:
    """The remark that a threshold is not halfway between the values that it parts, or that a line is rounded.

    Example:
        >>> moved(Threshold("humidity", 80, (80, 85)))
        'The cut lies between 80 and 85; its threshold is put at 80, a value of the data, instead of the middle 82.5.'
    """
    if is_rounded(test):
        return f"In full, without rounding, the test is {step_of(test, 0)}."
    if not isinstance(test, Threshold) or test.interval is None or test.threshold == midpoint(*test.interval):
        return None
    low, high = map(decimal_text, test.interval)
    at, middle = decimal_text(test.threshold), decimal_text(midpoint(*test.interval))
    where = f"its threshold is put at {at}, a value of the data, instead of the middle {middle}"
    return f"The cut lies between {low} and {high}; {where}."


# Rows without an answer.


def without_answer(chosen: Candidate, missing: Missing, unknown: str, digits: NumberFormat = USUAL) -> str:
    """The fate of the rows without an outcome of the test of a node."""
    labels = answers(chosen.test)
    to = "nowhere" if missing.to is None else f"to {labels[missing.to]}"
    pairs = zip(labels, missing.shares, strict=False)
    ways = {
        "fractions": "go down every branch, by the shares r̃_i: "
        + ", ".join(f"{label} {value_text(share, digits)}" for label, share in pairs),
        "surrogates": f"are sent by the surrogate tests below; if none has an outcome, they go {to}",
        "branch": f"go {to}",
        "stay": "go nowhere, and get the prediction of this node",
        "error": "are refused",
    }
    return f"Rows without an outcome of {asked(chosen.test)} ({unknown}) {ways[missing.rule]}."


def surrogates(chosen: Candidate, missing: Missing) -> Iterator[tuple[str, str]]:
    """The surrogate tests, the best one first: their agreement, and the branch for each of their outcomes."""
    labels = answers(chosen.test)
    for surrogate in missing.surrogates:
        means = "; ".join(
            f"{answer} → {labels[to]}" for answer, to in zip(answers(surrogate.test), surrogate.branches, strict=True)
        )
        share = Fraction(surrogate.agreement)
        *_, last = chain(work(share.numerator) / work(share.denominator)).values
        agrees = f"{share} {' '.join(last)}" if share.denominator > 1 else str(share)
        yield one_line(surrogate.test.attribute), f"agrees in {agrees}: {means}"


# Why a node is a leaf.


def becomes(pruned: bool) -> str:
    """The outcome for a node that a pruning has judged."""
    return "becomes a leaf" if pruned else "stays"


def leaf(worked: WorkedNode) -> str:
    """The answer of a leaf, and why it is one."""
    node, given, decision, options = worked.node, worked.given, worked.decision, worked.given.options
    assert node.stop is not None
    numbers = given.tree.target.values is None
    below_wrong, wrong = given.errors.get(worked.visit.number, (0, 0))
    one_minimum = (options.get("cut_minimum", "same"), options.get("branch_minimum", "every")) == ("same", "every")
    searches = worked.is_linear and options.get("search") != "exhaustive"
    known = {
        **options,
        "answer": "number" if numbers else "class",
        "answer_above": "answer" if numbers else "majority",
        "below": worked.visit.place.depth + 1,
        "arrives": given.amount(node.weight),
        "score": worked.formulas.called,
        "comparison": _comparison(worked),
        "below_wrong": weight_text(below_wrong),
        "wrong": weight_text(wrong),
        "too_small": f"of less than {options['min_samples_leaf']}" if one_minimum else "that is too small",
        **_facts(worked),
        "nothing": "no line that the search looks at" if searches else "no attribute",
    }
    answer, because = given.answer(node.label), f"because {REASONS[node.stop].format_map(known)} ({node.stop})"
    if not decision.answer.tied:
        return f"Leaf: {answer}, {because}."
    equal = f"{_together(list(map(one_line, decision.answer.tied)))} are equally common"
    # Without an override the first class in class order wins; so another label shows that an override did.
    first = decision.answer.label == decision.answer.tied[0]
    by = "is the first in class order" if first else "is named here by the override of ties"
    return f"Leaf: {answer}, {because}; {equal}, and {answer_text(decision.answer.label)} {by}."


def _facts(node: WorkedNode) -> Mapping[str, str]:
    """The figures of the best test for the stopping rule."""
    stopped, digits = rules().get(str(node.decision.stop)), node.given.digits
    if stopped is None or not node.decision.winners:
        return {}
    facts = stopped.facts(node.decision.winners[0])
    return {name: fact if isinstance(fact, str) else value_text(fact, digits) for name, fact in facts.items()}


def _comparison(node: WorkedNode) -> str:
    """The figure that was too small against its bound, with enough decimals to see the difference."""
    winner, digits = next(iter(node.decision.winners), None), node.given.digits
    rule = rules().get(str(node.decision.stop))
    if rule is None or rule.figure is None or winner is None:
        return ""
    bound, figure = node.given.options[rule.option], rule.figure(winner, best_score(node.decision), work(node.share()))
    value = figure.value if isinstance(figure, Worked) else figure
    digits = digits._replace(places=places_apart(value, rational(bound), digits.places))
    if not isinstance(figure, Worked):
        return f"{value_text(value, digits)} < {rule.symbol}{bound}"
    expression, values = chain(figure, digits)
    sign, right = values[-1]
    return f"{'' if expression is None else f'{text(expression)} {sign} '}{right} < {rule.symbol}{bound}"
