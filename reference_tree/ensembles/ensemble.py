r"""The ensemble: several trees, and a rule that combines their predictions.

Each *member* is a tree with a weight. A row goes down every tree, and the leaves that it reaches are combined:

1. `vote`: each tree votes for its predicted class, with its weight. The class with the most votes is the prediction,
   the first in class order among equals.
   `samme` does the same, and computes the probabilities of AdaBoost from the votes.
2. `mean`: the weighted mean of the numbers that the trees predict; or for classes the weighted mean of the
   distributions P(Y|X) at their leaves; the class with the largest share is the prediction.
3. `sum`: the predictions are added to a start, and the sum is the predicted number. `exp`, `sigmoid`, `log1p-exp` and
   `signed-square` make the number from the sum (`LINKS`). `logistic` and `softmax` compute
   probabilities from such a sum, or from one for each class; `ova` computes each from the sum of its class alone, and
   `hinge` has no probabilities: the sign of the sum is the prediction. `shares` takes the sums of the classes for their
   probabilities, and `share` the one sum of two classes for that of the second.

Votes are counted and compared exactly, even if weights are logarithms, as in AdaBoost.

The number that a boosting program makes of the sum F of its trees is its *link*:

| link | predicted from F | objectives |
|:--|:--|:--|
| `exp` | e^F | Poisson, gamma and Tweedie regression; the hazard of Cox; accelerated failure times |
| `sigmoid` | 1/(1 + e^-F) | a probability that is a number of the data |
| `log1p-exp` | ln(1 + e^F) | LightGBM's `cross_entropy_lambda` |
| `signed-square` | F·abs(F) | LightGBM's regression with `reg_sqrt` |

Each is an exact real number, which is enclosed as narrowly as needed and rounded once, to the double or the float32
that is nearest to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from math import e
from typing import ClassVar, NamedTuple, TypeAlias

from reference_tree.data.asked import Cuts
from reference_tree.data.errors import InputError, no_such, number_of, shown
from reference_tree.data.frames import GivenRow
from reference_tree.data.held import Form, held
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.ensembles.derivatives import share_against
from reference_tree.exact.choosing import best
from reference_tree.exact.exponentials import exp_bounds
from reference_tree.exact.intervals import Interval, Refined
from reference_tree.exact.log_sums import log
from reference_tree.exact.rationals import Rational, decimal_text
from reference_tree.exact.reals import Number, Real, simplified
from reference_tree.node import Label
from reference_tree.predictor import Predictor
from reference_tree.routing import Ends, Unseen
from reference_tree.tree import Grower, Tree

Reached: TypeAlias = tuple[Ends, ...]
"""For each tree, the nodes where a row ends."""
Scores: TypeAlias = dict[str, Number]
"""Class → its votes, its probability or its margin. The class of the largest score is the prediction."""


class Member(NamedTuple):
    """A tree of an ensemble.

    Source:
        [N4 Using multiple decision trees: vote]
    """

    tree: Tree
    """The tree."""
    weight: Number = 1
    """The weight of its prediction: a whole number, a fraction, or a sum of logarithms."""
    drawn: tuple[int, ...] | None = None
    """How often each row of the table was drawn for it; None if it was grown from the table itself."""
    of: str | None = None
    """The class whose score it adds to; None if it predicts all classes."""


class Votes(NamedTuple):
    """The prediction of a row, and the votes that led to it."""

    answers: tuple[Label, ...]
    """The prediction of each tree."""
    scores: Scores
    """The score of each class; its votes, if the trees vote."""
    tied: tuple[str, ...]
    """The classes of the largest score, if there are several."""
    label: Label
    """The combined prediction."""


@dataclass(frozen=True, repr=False)
class Ensemble(Predictor[Reached, Number]):
    """Trees whose predictions are combined.

    Args:
        target: the attribute that is predicted.
        attributes: the attributes that may be tested, in table order.
        members: the trees, in the order in which they were grown.
        combine: the name of the rule that combines their predictions.
        grower: the learner that grew it.
        start: the start of the sums, if the rule adds predictions: one number, or one for each class.

    Raises:
        InputError: there is no tree, or no such rule; or the rule does not suit the target or the start, or a tree does
            not name the class whose score it adds to.

    Source:
        [N4 Tree ensembles], [N4 Using multiple decision trees: vote], [Breiman1996 §1]
    """

    called: ClassVar[str] = "ensemble"

    target: Attribute
    attributes: tuple[Attribute, ...]
    members: tuple[Member, ...]
    combine: str = "vote"
    grower: Grower = field(default_factory=Grower)
    start: tuple[Number, ...] = ()

    def __post_init__(self) -> None:
        """Refuse an ensemble that cannot predict."""
        if self.combine not in COMBINATIONS:
            raise InputError(no_such("rule that combines trees", self.combine, COMBINATIONS))
        if not self.members:
            raise InputError("an ensemble has at least one tree")
        # Trees of one program hold numbers in one form, so that the first tells for all.
        if (program := self.members[0].tree.program) is not None:
            object.__setattr__(self, "attributes", program.holding(self.attributes))
        if COMBINATIONS[self.combine].adds:
            self._check_sums()

    def _check_sums(self) -> None:
        """Refuse sums that do not suit the target: one for a number or for two classes, or one for each class."""
        # One sum serves a number, and two classes, as the margin of the second against the first; more classes need a
        # sum for each, and each tree names the one that it adds to.
        classes, suiting = len(self.target.values or ()), COMBINATIONS[self.combine].classes
        each = suiting is None
        if not classes if each else classes != suiting:
            raise InputError(f"{self.combine} does not suit {self.target.name}, which has {classes or 'no'} classes")
        if len(self.start) != (sums := classes if each else 1):
            raise InputError(f"{self.combine} starts from {sums} numbers here, not from {len(self.start)}")
        if any((member.of is not None) != (sums > 1) for member in self.members):
            raise InputError("each tree says which class it adds to if there is a sum for each, and only then")

    def __repr__(self) -> str:
        """One line of text, however many trees there are."""
        size = f"{number_of(len(self.members), 'tree')}, combined by {self.combine}"
        by = "" if self.grower == Grower() else f", grown by {self.grower.name}"
        return f"<Ensemble for {self.target.name}: {size}{by}>"

    @cached_property
    def cuts(self) -> Cuts:
        """The thresholds of all trees, by attribute."""
        cuts: dict[str, set[Rational] | None] = {}
        for member in self.members:
            for name, numbers in member.tree.cuts.items():
                # None wins: one of the trees tests the attribute otherwise than by thresholds.
                before = cuts.get(name, set())
                cuts[name] = None if before is None or numbers is None else before | set(numbers)
        return {name: None if numbers is None else sorted(numbers) for name, numbers in cuts.items()}

    def ends(self, row: GivenRow, unseen: Unseen = "error") -> Reached:
        """For each tree, the nodes where a row ends.

        Raises:
            InputError: as for `predict`.
        """
        row = self.reading(row)
        return tuple(member.tree.ends(row, unseen) for member in self.members)

    def ends_of(self, table: Table, unseen: Unseen = "error") -> Sequence[Reached]:
        """For each row of a table, and for each tree, the nodes where the row ends.

        Raises:
            InputError: as for `predict`.
        """
        table = self.seen(table)
        # Tree by tree, and then turned round: a tree sends all rows down at once.
        return list(zip(*(member.tree.ends_of(table, unseen) for member in self.members), strict=True))

    def answer(self, ends: Reached) -> Label:
        """The combined number, or the class of the largest score, the first in class order among equals."""
        combined = self.combined(ends)
        label: Label = best(combined, combined.__getitem__)[0] if isinstance(combined, dict) else combined
        return label

    def shares(self, ends: Reached) -> dict[str, Number]:
        """P(Y|X) by the rule of the ensemble.

        Raises:
            InputError: the rule has no probabilities.
        """
        return COMBINATIONS[self.combine].shares(self.combined(ends))

    def combined(self, ends: Reached) -> Number | Scores:
        """The combined prediction of the trees: a number, or the score of each class."""
        return COMBINATIONS[self.combine].combine(self, ends)

    def part(self, numbers: Iterable[int]) -> Ensemble:
        """Some of the trees, by their numbers from 0."""
        return replace(self, members=tuple(self.members[number] for number in numbers))

    def votes(self, row: GivenRow, unseen: Unseen = "error") -> Votes:
        """The prediction of a row, with the prediction of each tree, the score of each class, and the tied classes.

        Raises:
            InputError: as for `predict`.

        Example:
            >>> from reference_tree.data.textbook import textbook
            >>> from reference_tree.learners.id3 import ID3
            >>> days = textbook("play-tennis")
            >>> trees = [ID3(max_depth=depth).grow(days) for depth in (0, 1, 2, 3)]
            >>> both = Ensemble(days.schema.target, days.schema.attributes, tuple(map(Member, trees)))
            >>> both.votes({"outlook": "sunny", "humidity": "normal"})
            Votes(answers=('yes', 'no', 'yes', 'yes'), scores={'no': 1, 'yes': 3}, tied=(), label='yes')

        Source:
            [N4 Using multiple decision trees: vote]
        """
        ends = self.ends(row, unseen)
        answers = tuple(member.tree.answer(end) for member, end in zip(self.members, ends, strict=True))
        combined = self.combined(ends)
        if not isinstance(combined, dict):
            return Votes(answers, {}, (), combined)
        first, *others = best(combined, combined.__getitem__)
        return Votes(answers, combined, (first, *others) if others else (), first)


# The weights may be sums of logarithms, as those of AdaBoost are. Votes are added and compared as such: where two
# classes have equal votes, the tie is proved, and the first in class order wins.
def trees_of(predictor: Tree | Ensemble) -> list[Tree]:
    """The trees of a predictor: a tree is the only one of its own.

    Raises:
        InputError: it is neither a tree nor an ensemble.
    """
    if isinstance(predictor, Tree):
        return [predictor]
    if not isinstance(predictor, Ensemble):
        raise InputError(f"{shown(predictor)} is no tree and no ensemble; read_predictor and read_foreign read models")
    return [member.tree for member in predictor.members]


def vote(ensemble: Ensemble, ends: Reached) -> Scores:
    r"""The votes for each class.

    $$v(c) = \sum_{b=1}^{B} \alpha_b \, [h_b(x) = c]$$

    Args:
        ensemble: the trees h_b, with their weights α_b.
        ends: for each tree, the nodes where the row x ends.

    Raises:
        InputError: numbers are predicted, and trees vote only for classes.

    Source:
        [N4 Using multiple decision trees: vote], [N4 Random forest algorithm: bagging], [Breiman1996 §1]. N4 does not
        say what to do if two classes have equally many votes; here the first in class order wins. With more trees the
        error rate of a vote can rise [ProbstBoulesteix2018].
    """
    if ensemble.target.values is None:
        raise InputError(f"{ensemble.target.name} is a number, and trees vote for classes; combine them by mean")
    votes: Scores = dict.fromkeys(ensemble.target.domain, 0)
    for member, end in zip(ensemble.members, ends, strict=True):
        votes[str(member.tree.answer(end))] += member.weight
    return votes


# An average of distributions, and not of labels: a tree that is unsure has less to say. The shares are fractions, so
# that no float decides between classes.
def mean(ensemble: Ensemble, ends: Reached) -> Number | Scores:
    r"""The weighted mean of the numbers that the trees predict; for classes, of their distributions.

    $$\bar h(x) = \frac{\sum_b \alpha_b \, h_b(x)}{\sum_b \alpha_b} \qquad\text{or}\qquad
    P(c \mid x) = \frac{\sum_b \alpha_b \, P_b(c \mid x)}{\sum_b \alpha_b}$$

    Args:
        ensemble: the trees, with their weights α_b.
        ends: for each tree, the nodes where the row x ends.

    Source:
        [Breiman1996], [Breiman2001 §11]. For classes, it stands in place of a vote.
    """
    pairs = list(zip(ensemble.members, ends, strict=True))
    whole = sum(member.weight for member, _ in pairs)
    if ensemble.target.values is None:
        return simplified(sum(member.weight * Fraction(member.tree.answer(end)) for member, end in pairs) / whole)
    scores: Scores = dict.fromkeys(ensemble.target.domain, 0)
    for member, end in pairs:
        for label, share in member.tree.shares(end).items():
            scores[label] += member.weight * share
    return {label: score / whole for label, score in scores.items()}


def proportions(scores: Number | Scores) -> dict[str, Number]:
    """Each score as a share of their sum.

    Example:
        >>> proportions({"no": 1, "yes": 3})
        {'no': Fraction(1, 4), 'yes': Fraction(3, 4)}
    """
    whole = sum(scores.values())
    # A quotient of whole numbers would be a float.
    return {label: (Fraction(score) if isinstance(score, int) else score) / whole for label, score in scores.items()}


def margins(ensemble: Ensemble, ends: Reached) -> tuple[Number, ...]:
    r"""The margins: for each class, the start plus the values of the trees that add to its score.

    $$F_k(x) = F_{k0} + \sum_m w_{km}(x)$$

    They are exact; those of a program that adds up floats are rounded as it rounds them, after each tree.

    Source:
        [ChenGuestrin2016 §2.1 eq. (1)], [Friedman2001 §3 algorithm 1], [LiHang2019 §8.4.1]
    """
    program = ensemble.members[0].tree.program
    rounded = partial(_held, form="exact" if program is None else program.sums)
    sums = list(map(rounded, ensemble.start))
    for member, end in zip(ensemble.members, ends, strict=True):
        place = 0 if member.of is None else ensemble.target.domain.index(member.of)
        # A program that adds floats rounds after every tree, so the order of the trees matters, and is kept. Exact sums
        # are not rounded here at all.
        sums[place] = rounded(sums[place] + rounded(member.weight * Fraction(member.tree.answer(end))))
    return tuple(map(simplified, sums))


def _held(number: Number, form: Form) -> Number:
    """A sum in the form in which a program holds it."""
    if form == "exact":
        return number
    rounded: Rational = held(number if isinstance(number, int | Fraction) else float(number), form)
    return rounded


def added_up(ensemble: Ensemble, ends: Reached) -> Number | Scores:
    """The sum of the start and the values of the trees, if a number is predicted."""
    return margins(ensemble, ends)[0]


def linked_sum(ensemble: Ensemble, ends: Reached) -> Number | Scores:
    """The number that the link of the rule makes of the sum, rounded to the float in which it is predicted."""
    program = ensemble.members[0].tree.program
    return linked(ensemble.combine, margins(ensemble, ends)[0], "exact" if program is None else program.sums)


def log_odds(ensemble: Ensemble, ends: Reached) -> Number | Scores:
    """The scores of two classes: 0 for the first, and the margin for the second."""
    # Softmax looks at differences: with 0 for the first class, the second has the logistic probability.
    return dict(zip(ensemble.target.domain, (0, *margins(ensemble, ends)), strict=True))


def share_and_rest(ensemble: Ensemble, ends: Reached) -> Number | Scores:
    """The probabilities of two classes: the sum for the second, and what it lacks of 1 for the first."""
    program = ensemble.members[0].tree.program
    (share,) = margins(ensemble, ends)
    # The difference is rounded, too, as the program rounds it.
    rest = _held(1 - share, "exact" if program is None else program.sums)
    return dict(zip(ensemble.target.domain, (rest, share), strict=True))


def margins_by_class(ensemble: Ensemble, ends: Reached) -> Number | Scores:
    """The margin of each class."""
    return dict(zip(ensemble.target.domain, margins(ensemble, ends), strict=True))


def softmax(scores: Scores) -> dict[str, Number]:
    r"""The probability of each class from the margins; exact numbers that can be enclosed as narrowly as needed.

    $$p_k = \frac{e^{F_k}}{\sum_j e^{F_j}}$$

    Source:
        [Friedman2001 §4.6]. With the margins 0 and F it is the logistic function of F.
    """
    values = tuple(scores.values())
    # Relative to each class, so that equal margins are equal numbers, and no exponent is large without need.
    against = [tuple(other - own for j, other in enumerate(values) if j != k) for k, own in enumerate(values)]
    return {label: Refined(partial(share_against, others)) for label, others in zip(scores, against, strict=True)}


def separate(scores: Scores) -> dict[str, Number]:
    r"""The probability of each class against all others together, from its margin alone; they need not add up to 1.

    $$p_k = \frac{1}{1 + e^{-F_k}}$$

    Source:
        [FriedmanHastieTibshirani2000 §4]. LightGBM's `multiclassova` fits K models of two classes.
    """
    return {label: sigmoid(score) for label, score in scores.items()}


def by_sign(scores: Scores) -> dict[str, Number]:
    """All of the probability for the class of the answer: the hinge loss has no other.

    Example:
        >>> by_sign({"no": 0, "yes": 3}), by_sign({"no": 0, "yes": 0})
        ({'no': 0, 'yes': 1}, {'no': 1, 'yes': 0})
    """
    label = best(scores, scores.__getitem__)[0]
    return {each: int(each == label) for each in scores}


def shares_of_votes(scores: Scores) -> dict[str, Number]:
    r"""The probability of each class from its votes, as by the rule SAMME.

    $$P(c \mid x) \propto \exp\left(\frac{K}{(K - 1)^2} \, \frac{v(c)}{\sum_k v(k)}\right)$$

    Args:
        scores: class → its votes v(c); there are K classes.

    Example:
        >>> {label: float(share) for label, share in shares_of_votes({"no": 1, "yes": 3}).items()}
        {'no': 0.2689414213699951, 'yes': 0.7310585786300049}

    Source:
        [ZhuZouRossetHastie2009 SAMME]. A vote counts against the other classes there, which changes no share.
    """
    size, whole = len(scores), sum(scores.values())
    # A lone class has all of the probability, and no vote to be divided by 0.
    if size == 1:
        return dict.fromkeys(scores, 1)
    return softmax({label: score * Fraction(size, (size - 1) ** 2) / whole for label, score in scores.items()})


# Links: the number that a boosting program makes of the sum of its trees.


def exponential(f: Rational) -> Number:
    """e^F, as an exact number.

    Example:
        >>> exponential(0), float(exponential(1)), float(exponential(-1))
        (1, 2.718281828459045, 0.36787944117144233)

    Source:
        [Friedman2001 §4.6]
    """
    return Refined(partial(_exponential, f)) if f else 1


def _exponential(f: Rational, bits: int) -> Interval:
    # The bounds are of e^-|F|, which is at most 1, and e^F is its reciprocal. Its leading zeros cost precision: as log2
    # e < 3/2, so many bits more make up for them.
    most = f if f > 0 else -f
    spare = int(most * 3 // 2) + 2  # e^-F has so many zeros behind the point
    low, high = (Fraction(end, 1 << bits + spare) for end in exp_bounds(-most, bits + spare))
    return Interval(low, high) if f < 0 else 1 / Interval(low, high)


def sigmoid(f: Rational) -> Number:
    """1/(1 + e^-F), as an exact number.

    Example:
        >>> sigmoid(0), float(sigmoid(2))
        (Fraction(1, 2), 0.8807970779778824)

    Source:
        [FriedmanHastieTibshirani2000 §4]
    """
    return Refined(partial(share_against, (-f,))) if f else Fraction(1, 2)


def log1p_exp(f: Rational) -> Number:
    """ln(1 + e^F), as an exact number.

    Example:
        >>> float(log1p_exp(0)), float(log1p_exp(Fraction(-7, 2)))
        (0.6931471805599453, 0.029750418272620566)

    Source:
        [FriedmanHastieTibshirani2000 §4]
    """
    return Refined(partial(_log1p_exp, f)) if f else log(2, e)


def _log1p_exp(f: Rational, bits: int) -> Interval:
    inner = 1 + _exponential(f, bits)
    # The logarithm increases, so the ends of an interval give the ends.
    low, high = (log(Fraction(end), e).enclosure(bits) for end in (inner.low, inner.high))
    return Interval(Fraction(low[0], low[2]), Fraction(high[1], high[2]))


def signed_square(f: Rational) -> Number:
    """F·abs(F): the square, with the sign of F.

    Example:
        >>> signed_square(3), signed_square(Fraction(-1, 2))
        (9, Fraction(-1, 4))

    Source:
        [Friedman2001 §4.1]. The trees are grown for the root of the target.
    """
    # A square of a rational is one: this link alone needs no enclosure.
    return f * f if f > 0 else -f * f


LINKS: Mapping[str, Callable[[Rational], Number]] = {
    "exp": exponential,
    "sigmoid": sigmoid,
    "log1p-exp": log1p_exp,
    "signed-square": signed_square,
}
"""The links by the names that a document records as the rule of its sums."""


def linked(link: str, f: Rational, form: Form) -> Rational:
    """The number that a link makes of a sum, rounded to the float in which it is predicted.

    Args:
        link: the name of the link.
        f: the sum F.
        form: the form in which the program holds its sums; a double, unless that is `float32`.

    Raises:
        InputError: no float is as large.

    Example:
        >>> float(linked("exp", 1, "float32")), linked("signed-square", Fraction(1, 3), "exact")
        (2.7182817459106445, Fraction(1, 9))
    """
    number = LINKS[link](f)
    # An irrational number is rounded to a double; a rational one stays exact where exact numbers are wanted.
    if isinstance(number, Real):
        try:
            number = float(number)
        except OverflowError:
            raise InputError(f"the {link} of the sum {decimal_text(f)} is too large for a double") from None
    elif form == "exact":
        return Fraction(number)
    rounded: Rational = held(number, form if form in ("double", "float32") else "exact")
    return rounded


# The rules.


class Combination(NamedTuple):
    """A rule that combines the predictions of the trees."""

    combine: Callable[[Ensemble, Reached], Number | Scores]
    """Gives the number, or the score of each class."""
    shares: Callable[[Scores], dict[str, Number]]
    """Gives P(Y|X) from the score of each class."""
    adds: bool = False
    """Whether the trees have numbers that are added up, even if classes are predicted."""
    classes: int | None = 0
    """The number of classes that a rule which adds is for; 0 if it is for numbers, None for a sum for each class."""


COMBINATIONS: Mapping[str, Combination] = {
    "vote": Combination(vote, proportions),
    "mean": Combination(mean, proportions),
    "samme": Combination(vote, shares_of_votes),
    "sum": Combination(added_up, proportions, adds=True),
    **{link: Combination(linked_sum, proportions, adds=True) for link in LINKS},
    "logistic": Combination(log_odds, softmax, adds=True, classes=2),
    "hinge": Combination(log_odds, by_sign, adds=True, classes=2),
    "softmax": Combination(margins_by_class, softmax, adds=True, classes=None),
    "ova": Combination(margins_by_class, separate, adds=True, classes=None),
    "share": Combination(share_and_rest, dict, adds=True, classes=2),
    "shares": Combination(margins_by_class, dict, adds=True, classes=None),
}
"""The rules by the names that a document records."""
