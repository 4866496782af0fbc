r"""Error-based pruning worked out: the upper confidence limit U of each leaf, and the decisions from it.

1. `preface` has the equation that U solves, its closed solution if there is one, and the deviate z.
2. `estimates` has for each node U with its N, E and CF inserted, N·U of the leaf, the sum over the remaining leaves
   below, and the comparisons that decide; `estimate_table` has the same as one line for each node.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import comb

from reference_tree.data.sample import Counts
from reference_tree.exact.binomial_limits import upper_limit
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational, decimal_text
from reference_tree.exact.rounding import decimal
from reference_tree.exact.worked import Worked, work
from reference_tree.pruning.error_based import (
    MARGIN,
    ErrorBased,
    ErrorPruning,
    EstimatedPart,
    Judgement,
    at_most_nearly,
    rules_of,
)
from reference_tree.pruning.error_limits import between, binomial, neighbours, normal_deviate, rate_without_error, table
from reference_tree.tree import Tree
from reference_tree.views.derivation.blocks import (
    Block,
    Decided,
    DecisionTable,
    Equation,
    Equations,
    Legend,
    PruningView,
    Sentence,
    Symbol,
    heading,
    meanings,
    path_of,
    symbol,
)
from reference_tree.views.derivation.notation import EXPONENTS, one_figure, opened
from reference_tree.views.derivation.numerals import PLACES, figure, places_apart, rational_value
from reference_tree.views.derivation.remarks import becomes
from reference_tree.views.wording import weight_text

FEW = 2
"""The number of errors up to which the binomial equation is written term by term."""

LEAF = symbol("e(t)")
BELOW = symbol("e(T_t)")
BRANCH = symbol("e(B_t)")

NODE = symbol("N, E"), "the rows of a node, and the number of errors among them if it is a leaf"
SOLVED_BY = {
    True: (
        Symbol("Σ_{k≤E} C(N, k)·U^k·(1 − U)^(N − k) = CF", r"\sum_{k=0}^{E} \binom{N}{k} U^k (1 - U)^{N - k} = CF"),
        "the equation of the upper confidence limit U(E, N): at this rate of errors, E or fewer are as unlikely as CF;"
        " C(N, k) is the number of ways to take k of N rows",
    ),
    False: (
        symbol("F = N·U − z·√(N·U·(1 − U))"),
        "the equation of the upper confidence limit U(E, N): F = E + 1/2 lies z standard deviations below N·U",
    ),
}
"""The equation of U, by whether it is the binomial equation."""
SOLUTION = (
    Symbol(
        "U(E, N) = (F + z²/2 + √(z²·(F·(1 − F/N) + z²/4))) / (N + z²)",
        r"U(E, N) = \frac{F + \frac{z^2}{2} + \sqrt{z^2 \left(F \left(1 - \frac{F}{N}\right)"
        r" + \frac{z^2}{4}\right)}}{N + z^2}",
    ),
    "its solution",
)
NO_ERROR = symbol("U(0, N) = 1 − CF^(1/N)"), "where no row is wrong, so that (1 − U)^N = CF"
EXPECTED = meanings({
    "e(t) = N·U(E, N)": "the expected number of errors of node t as a leaf",
    "e(T_t) = Σ_b e(b)": "the same of the subtree below it, over its branches b",
})  # fmt: skip
RAISED = (
    symbol("e(B_t) = Σ_l e(l)"),
    "the same of its largest branch (of equals the last), over its leaves l, if all rows of t go down there",
)
SLACK = {
    False: (symbol("0.1"), "the number of expected errors by which a smaller tree may be worse"),
    True: (symbol("0.100001"), "the same, with a slack of 0.000001"),
}
"""The margin, by whether it includes the slack of a comparison of floats."""
PART_OF_ONE = (
    symbol("N·U(E, N) = E + a_0 + E·(a_1 − a_0)"),
    "for 0 < E < 1: the expected errors beyond no error, a_0 = N·U(0, N), and beyond one, a_1 = N·U(1, N) − 1",
)
AT_TOP = {
    True: "E + 0.67·(N − E) errors are expected of a leaf",
    False: "all N rows of a leaf are expected to be wrong",
}
"""The rule near E = N, by whether it is C4.5's."""


def preface(found: ErrorPruning, rules: ErrorBased) -> Iterator[Block]:
    """The meaning of the symbols under some rules, and the origin of z."""
    is_binomial, judgements = rules.limit is binomial, found.judgements
    reached = [counts for one in judgements for counts in (one.counts, *(part.counts for part in one.parts))]
    judged = list(map(_errors_and_rows, reached))
    lines = [NODE, (Symbol(f"CF = {rules.confidence}", f"CF = {rules.confidence}"), "the confidence")]
    lines += [SOLVED_BY[is_binomial], *([] if is_binomial else [SOLUTION]), NO_ERROR]
    if any(0 < errors < 1 for errors, _ in judged):
        lines.append(PART_OF_ONE)
    if not is_binomial and any(errors and max(errors, 1) + Fraction(1, 2) >= rows for errors, rows in judged):
        lines.append((symbol("F ≥ N"), AT_TOP[rules.limit is table]))
    yield Legend((*lines, *EXPECTED, *([RAISED] if rules.raising else []), SLACK[rules.comparison is at_most_nearly]))
    if is_binomial:
        return
    if rules.limit is table:
        low, high = (f"{decimal_text(z)} for {figure(given)}" for given, z in neighbours(Fraction(rules.confidence)))
        yield Sentence(f"z is on the straight line between C4.5's values, {low} and {high}.")
    yield Equations((Equation(symbol("z"), _deviate(rules)),))
    if rules.limit is not table:
        yield Sentence("z is the number that a standard normal variable exceeds with the probability CF.")


def _deviate(rules: ErrorBased) -> Worked:
    """The deviate z, worked out if it is interpolated."""
    if rules.limit is table:
        return one_figure(between(work(rules.confidence), *work(neighbours(Fraction(rules.confidence)))))
    return one_figure(normal_deviate(rules.confidence))


def estimate_table(tree: Tree, found: ErrorPruning) -> DecisionTable:
    """The decisions of error-based pruning: the estimates as a leaf, as a subtree, and as the largest branch alone."""
    fates = {"leaf": becomes(True), "keep": becomes(False), "raise": "gives way to that branch"}
    rows = []
    for one in found.judgements:
        errors = ("-" if each is None else decimal(each, PLACES) for each in (one.leaf, one.subtree, one.branch))
        rows.append((path_of(tree, one.node), *errors, fates[one.verdict]))
    head = ("node", "as a leaf", "as it stands", "largest branch", "")
    return DecisionTable("The estimated errors of each node, from below", head, "lrrrl", rows)


def estimates(tree: Tree, found: ErrorPruning, rules: ErrorBased) -> Iterator[Decided]:
    """The decisions of error-based pruning.

    Source:
        [Quinlan1993 §4.2]
    """
    ends = {number for number, node in enumerate(tree.nodes) if node.test is None}  # the present leaves
    for one in found.judgements:
        parts = (*one.parts, *(part for part, _ in one.raised))
        leaves = [one.counts, *(part.counts for part in parts if part.is_leaf)]
        alike = dict.fromkeys(map(_errors_and_rows, leaves))
        terms = [_term(rules, part) for part in one.parts]
        lines = [equation for errors, rows in alike for equation in _limit(rules, errors, rows)]
        lines.append(Equation(LEAF, _as_a_leaf(rules, one.counts)))
        lines.append(Equation(BELOW, work(sum(terms))))
        sentences = [Sentence(_taken(one, rules))]
        if one.branch is not None and one.largest is not None:
            lines.append(Equation(BRANCH, _raised(rules, one)))
            anew = "its leaves counted anew with all rows of t"
            what = "a leaf; with all rows of t, e(B_t) = e(t)" if one.largest in ends else anew
            sentences.insert(0, Sentence(f"B_t is {path_of(tree, one.largest)}, {what}."))
        node = tree.nodes[one.node]
        head = heading(tree, one.node, replace(node, counts=one.counts))
        if one.counts != node.counts:  # rows have come with a raised branch
            head = head._replace(arrives=f"{head.arrives} by now")
        yield Decided(frozenset({one.node}), (head, Equations(tuple(lines)), *sentences))
        ends |= {one.node} if one.verdict == "leaf" else set()


# U of one leaf.


def _errors_and_rows(counts: Counts) -> tuple[Rational, Rational]:
    return sum(counts) - max(counts), sum(counts)


def _expected(rules: ErrorBased, errors: Rational, rows: Rational) -> Worked:
    """The expected errors of a leaf, by the rule that decides."""
    if not rows:
        expected = work(0)
    elif rules.limit is binomial:
        expected = work(rows) * _binomial_rate(rules, errors, rows)
    else:
        expected = rules.limit(work(errors), work(rows), work(rules.confidence), _deviate(rules))  # type: ignore[call-arg]
    return expected  # type: ignore[no-any-return]


def _binomial_rate(rules: ErrorBased, errors: Rational, rows: Rational) -> Worked:
    """U; if no row is wrong, with the formula that it follows from."""
    limit = upper_limit(int(errors), int(rows), rules.confidence)
    if errors:
        return one_figure(limit)
    solution = opened(rate_without_error(work(rows), work(rules.confidence)))
    value = rational_value(solution.value)  # so that 1 - √(1/4) is shown as 0.5
    return Worked(limit if value is None else value, "quantity", (solution,), "rate_without_error")


def _raised(rules: ErrorBased, one: Judgement) -> Worked:
    """The sum over the leaves of the largest branch; leaves that are alike form one term."""
    if sum(times for _, times in one.raised) == 1:
        return _as_a_leaf(rules, one.counts)
    terms = [_term(rules, part) if times == 1 else work(times) * _term(rules, part) for part, times in one.raised]
    return work(sum(terms))  # type: ignore[no-any-return]


def _term(rules: ErrorBased, part: EstimatedPart) -> Worked:
    """The term of a part in a sum: N·U of a leaf, or one figure for another part."""
    if not part.is_leaf:
        return one_figure(part.estimate)
    return opened(_as_a_leaf(rules, part.counts))


def _as_a_leaf(rules: ErrorBased, counts: Counts) -> Worked:
    """N·U of a leaf; for less than one error, a line above works it out, and it is one figure here."""
    expected = _expected(rules, *_errors_and_rows(counts))
    return expected if opened(expected).operation == "*" else one_figure(expected.value)


def _limit(rules: ErrorBased, errors: Rational, rows: Rational) -> Iterator[Equation]:
    """U(E, N): the equation that it solves, or its solution, with N, E and CF inserted; nothing if no U is used."""
    expected = _expected(rules, errors, rows)
    count, size = (weight_text(one).removeprefix("≈ ") for one in (errors, rows))
    pair = f"{count}, {size}"
    product = opened(expected)
    if product.operation == "*":
        if rules.limit is binomial and 0 < errors < rows:
            yield Equation(_solved(int(errors), int(rows)), work(rules.confidence))
        yield Equation(Symbol(f"U({pair})", f"U({pair})"), product.operands[1])
    elif errors:
        if errors < 1:
            # Below one error, U is interpolated between no error and one: both ends are shown.
            for few in (0, 1):
                yield from _limit(rules, few, rows)
                if opened(_expected(rules, few, rows)).operation == "*":
                    name = Symbol(f"N·U({few}, {size})", rf"N \cdot U({few}, {size})")
                    yield Equation(name, _expected(rules, few, rows))
        yield Equation(Symbol(f"N·U({pair})", rf"N \cdot U({pair})"), expected)


def _solved(errors: int, rows: int) -> Symbol:
    r"""The left side of the binomial equation with E and N inserted, term by term for few errors.

    Example:
        >>> print(_solved(1, 4).text, "  ", _solved(5, 9).text)
        (1 − U)⁴ + 4·U·(1 − U)³    Σ_{k≤5} C(9, k)·U^k·(1 − U)^(9 − k)
        >>> print(_solved(1, 4).tex)
        (1 - U)^{4} + 4 U (1 - U)^{3}
    """
    if errors > FEW:
        text = f"Σ_{{k≤{errors}}} C({rows}, k)·U^k·(1 − U)^({rows} − k)"
        return Symbol(text, rf"\sum_{{k=0}}^{{{errors}}} \binom{{{rows}}}{{k}} U^k (1 - U)^{{{rows} - k}}")
    texts, texes = [], []
    for k in range(errors + 1):
        powers = [(name, power) for name, power in (("U", k), ("(1 − U)", rows - k)) if power]
        ways = [str(comb(rows, k))] * (comb(rows, k) > 1)
        raised = [name + (str(power).translate(EXPONENTS) if power > 1 else "") for name, power in powers]
        texts.append("·".join([*ways, *raised]))
        marked = [name.replace("−", "-") + (f"^{{{power}}}" if power > 1 else "") for name, power in powers]
        texes.append(" ".join([*ways, *marked]))
    return Symbol(" + ".join(texts), " + ".join(texes))


def _taken(one: Judgement, rules: ErrorBased) -> str:
    """Which of the three is chosen, by the comparisons that decide it."""
    leaf, subtree = (LEAF, one.leaf), (BELOW, one.subtree)
    others = [subtree] if one.branch is None else [subtree, (BRANCH, one.branch)]
    if one.verdict == "leaf":
        return f"{'; '.join(_within(leaf, other, rules) for other in others)}, so it becomes a leaf."
    failed = next(_within(leaf, other, rules) for other in others if not rules.comparison(one.leaf, other[1]))
    if one.branch is None:
        return f"{failed}, so it stays."
    taken = "the branch takes its place" if one.verdict == "raise" else "it stays"
    return f"{failed}, so no leaf; {_within((BRANCH, one.branch), subtree, rules)}, so {taken}."


def _within(left: tuple[Symbol, Number], right: tuple[Symbol, Number], rules: ErrorBased) -> str:
    """Whether an estimate is at most another one plus the margin, with enough decimals to see it."""
    (name, estimate), (than, other) = left, right
    strict = rules.comparison is at_most_nearly
    margin = MARGIN + (Fraction(1, 10**6) if strict else 0)
    holds = rules.comparison(estimate, other)
    sign = ("<" if strict else "≤") if holds else ("≥" if strict else ">")
    places = places_apart(estimate, other + margin)
    more = decimal(margin, PLACES).rstrip("0")
    figures = f"{decimal(estimate, places)} {sign} {decimal(other, places)} + {more}"
    return f"{figures}: {name.text} {sign} {than.text} + {more}"


VIEW = PruningView(
    ErrorPruning,
    lambda act, found: [estimate_table(act.before, found)],
    lambda act, found: preface(found, rules_of(act.record)),
    lambda act, found: estimates(act.before, found, rules_of(act.record)),
)
