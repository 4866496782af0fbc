r"""The draws of scikit-learn: which attributes, and which thresholds, a node of its trees may choose from.

A forest draws some attributes for each node; an extremely randomized tree also draws one threshold for each of them.
All draws of a tree follow from its `random_state`, from its data, and from the order in which its nodes are made. So
they can be replayed:

1. `Splitter` shuffles the attributes of a node until enough have been drawn, and at least one that is not constant. An
   attribute that is constant at a node is also constant below it, and is not looked at there again.
2. A drawn threshold is uniform between the least and the largest value at the node.
3. `DrawnByProgram` is the learner whose decision at a node is the best one among what was drawn.
4. `RowBounds` count rows, whatever they weigh. A row that was drawn several times counts once.

A node draws if it may be split, whether or not a split is found. Nodes are made in preorder; under a cap on leaves, in
the order of their numbers, and then nothing is known of constants above. Where a decision ties, the program takes the
attribute that it drew first.

There are two generators, numpy's and the small one that a tree draws from:

1. `RandomState` is the Mersenne Twister MT19937 with numpy's older way of seeding: a word follows from the one before.
   A draw below n takes as many bits of a word as n - 1 has, and words that are too large are rejected.
2. `Shifts` is an xorshift generator of 32 bits. A tree of scikit-learn seeds it with one draw of its `RandomState`.

Both are specified to the bit, so what a program drew can be worked out from its seed.

Source:
    [Breiman2001 §4], [GeurtsErnstWehenkel2006], [MatsumotoNishimura1998], [Marsaglia2003]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from operator import attrgetter
from typing import NamedTuple

from reference_tree.data.questions import Missing, Test, Threshold
from reference_tree.data.sample import Partition, Sample
from reference_tree.data.schema import Kind
from reference_tree.data.targets import plus
from reference_tree.exact.choosing import best
from reference_tree.exact.rationals import Rational, simplest
from reference_tree.exact.rounding import nearest_double
from reference_tree.learners.cart import CART
from reference_tree.learners.decision import Decision
from reference_tree.learners.place import Place, Ties
from reference_tree.learners.stopping.bounds import is_deepest, is_pure
from reference_tree.programs.scikit_learn.profile import too_close
from reference_tree.splitting.candidate import Candidate
from reference_tree.splitting.missing_rules import LEFT, RIGHT, sent
from reference_tree.tree import Grower, Tree

WORDS, MIDDLE = 624, 397
"""The words of the state, and the distance of the two that are combined."""

MASK = 0xFFFFFFFF
"""The bits of a word."""

LARGEST = 2**31 - 1
"""scikit-learn's `RAND_R_MAX`, the largest number that its own generator gives."""


class RandomState:
    """numpy's generator of the same name.

    Args:
        seed: a whole number of 32 bits.

    Raises:
        ValueError: the seed is negative or larger.

    Example:
        >>> state = RandomState(0)
        >>> [state.below(6) for _ in range(8)], float(state.share())
        ([4, 5, 0, 3, 3, 3, 1, 3], 0.6458941130666561)

    Source:
        [MatsumotoNishimura1998]
    """

    def __init__(self, seed: int) -> None:
        if not 0 <= seed <= MASK:
            raise ValueError(f"a seed of numpy lies between 0 and {MASK}, unlike {seed}")
        # init_genrand of MT19937: each word follows from the one before.
        self._state = [seed]
        for place in range(1, WORDS):
            last = self._state[-1]
            self._state.append((1812433253 * (last ^ last >> 30) + place) & MASK)
        self._next = WORDS

    def word(self) -> int:
        """The next 32 bits."""
        if self._next == WORDS:
            self._twist()
            self._next = 0
        found = self._state[self._next]
        self._next += 1
        # The tempering of MT19937.
        found ^= found >> 11
        found ^= found << 7 & 0x9D2C5680
        found ^= found << 15 & 0xEFC60000
        return found ^ found >> 18

    def _twist(self) -> None:
        """Make the next state of all words."""
        state = self._state
        for place in range(WORDS):
            # The highest bit of one word, and the others of the next.
            both = state[place] & 0x80000000 | state[(place + 1) % WORDS] & LARGEST
            state[place] = state[(place + MIDDLE) % WORDS] ^ both >> 1 ^ (0x9908B0DF if both & 1 else 0)

    def below(self, n: int) -> int:
        """One of 0, ..., n - 1: numpy's `randint(n)`, for n of at most 32 bits."""
        # Rejection: words above n − 1 are drawn again, so that all numbers are equally likely.
        mask = (1 << (n - 1).bit_length()) - 1
        while n > 1:
            if (found := self.word() & mask) < n:
                return found
        return 0

    def share(self) -> Fraction:
        """A number from 0 to less than 1: numpy's `random_sample()`, of 53 bits."""
        # 27 and 26 bits of two words make the 53 of a double.
        high, low = self.word() >> 5, self.word() >> 6
        return Fraction(high << 26 | low, 1 << 53)


class Shifts:
    """The generator from which a tree of scikit-learn draws.

    Args:
        seed: its state; 0 counts as 1.

    Example:
        >>> shifts = Shifts(1)
        >>> [shifts.number() for _ in range(3)]
        [270369, 67634689, 499951813]

    Source:
        [Marsaglia2003]
    """

    def __init__(self, seed: int) -> None:
        self._state = seed or 1

    @classmethod
    def of(cls, random_state: int) -> Shifts:
        """The generator of a tree with this `random_state`."""
        return cls(RandomState(random_state).below(LARGEST))

    def number(self) -> int:
        """The next number, from 0 to `LARGEST`."""
        state = self._state
        # The shifts of our_rand_r: 13, 17, 5.
        state ^= state << 13 & MASK
        state ^= state >> 17
        state ^= state << 5 & MASK
        self._state = state
        # RAND_R_MAX is 2^31 − 1, so the highest bit falls away.
        return state % (LARGEST + 1)

    def within(self, low: int, high: int) -> int:
        """One of low, ..., high - 1."""
        # The program takes the remainder, with its small bias.
        return low + self.number() % (high - low)


class Span(NamedTuple):
    """The least and the largest value of an attribute that is not constant at a node."""

    low: Rational
    high: Rational
    has_gaps: bool
    """Whether some row has no value."""


class Drawn(NamedTuple):
    """The draws for a node."""

    attributes: tuple[str, ...]
    """The attributes that it may ask, in the order of the draws."""
    constants: int
    """The number of attributes that are known to be constant there, and so below."""
    thresholds: Mapping[str, Rational] = {}
    """The threshold that was drawn for each, if thresholds are drawn."""
    gaps: Mapping[str, int] = {}
    """The branch that was drawn for the rows without a value, if there are such rows."""


class Splitter:
    """The draws of one tree, node by node.

    Args:
        shifts: the generator of the tree.
        attributes: the attributes in the order of the program; one may come twice.
        most: how many are drawn for a node, if they are not constant.
        at_random: whether thresholds are drawn, too.

    Example:
        >>> splitter = Splitter(Shifts.of(0), ["a", "b", "c", "d"], 2, at_random=True)
        >>> drawn = splitter.draw(0, lambda name: None if name == "a" else Span(0, 8, False))
        >>> drawn.attributes, [float(one) for one in drawn.thresholds.values()], drawn.constants
        (('b',), [0.36406976746584746], 1)
    """

    def __init__(self, shifts: Shifts, attributes: Sequence[str], most: int, at_random: bool) -> None:
        self.shifts, self.attributes, self.most, self.at_random = shifts, attributes, most, at_random
        self._order = list(range(len(attributes)))
        self._constant = list(range(len(attributes)))

    def draw(self, known: int, span: Callable[[str], Span | None]) -> Drawn:
        """The draws for the next node.

        Args:
            known: how many attributes are known to be constant from the node above.
            span: gives the span of an attribute; None if it is constant.

        Source:
            [Breiman2001 §4], [GeurtsErnstWehenkel2006]
        """
        # As the program's splitters do: drawn constants are swapped to the front, drawn others to the end.
        order, left, visited, again, found = self._order, len(self._order), 0, 0, 0
        drawn, thresholds, gaps = list[str](), dict[str, Rational](), dict[str, int]()
        # Enough features, and at least one that is not constant.
        while left > known + found and (visited < self.most or visited <= found + again):
            visited += 1
            place = self.shifts.within(again, left - found)
            if place < known:  # an attribute that was constant above: drawn, and of no use
                order[again], order[place] = order[place], order[again]
                again += 1
                continue
            place += found
            name = self.attributes[order[place]]
            # Constant here, and so below: it moves behind those that are known to be constant.
            if (there := span(name)) is None:
                order[place], order[known + found] = order[known + found], order[place]
                found += 1
                continue
            left -= 1
            order[left], order[place] = order[place], order[left]
            drawn.append(name)
            if self.at_random:
                # A threshold between two numbers, each step of which is rounded to a double, as in the program.
                low, width = Fraction(there.low), _double(Fraction(there.high) - Fraction(there.low))
                at = _double(_double(_double(width * self.shifts.number()) / LARGEST) + low)
                thresholds[name] = simplest(low if at == there.high else at)
                if there.has_gaps:
                    gaps[name] = 1 - self.shifts.within(0, 2)
        # The program restores the constants of the node above, in the order in which it knew them.
        order[:known] = self._constant[:known]
        self._constant[known : known + found] = order[known : known + found]
        return Drawn(tuple(dict.fromkeys(drawn)), known + found, thresholds, gaps)


def _double(number: Fraction) -> Fraction:
    return Fraction(nearest_double(number))


class Draws(NamedTuple):
    """The facts about the draws of a tree."""

    seed: int
    """Its `random_state`."""
    most: int
    """The number of attributes that are drawn for a node."""
    at_random: bool = False
    """Whether thresholds are drawn, too."""
    best_first: bool = False
    """Whether the nodes were made best first, and not in preorder."""
    made: tuple[int, ...] = ()
    """For each node of the tree, in preorder, when it was made."""
    impure: frozenset[int] = frozenset()
    """The nodes whose rows have one class, and where the program found an impurity by rounding."""
    gaps_vary: bool = True
    """Whether an attribute with one known value varies where some rows have none; before version 1.8 it is constant."""


class RowBounds(NamedTuple):
    """The bounds that count rows, and not weights."""

    split: Rational = 2
    """A node with fewer rows is a leaf."""
    leaf: Rational = 1
    """The least number of rows of a branch."""


PLAIN = RowBounds()
"""The least bounds, which forbid nothing."""


@dataclass(frozen=True)
class DrawnByProgram:
    """The learner of a tree whose draws are replayed, and whose rows are counted.

    The draws depend on those before them. So the places of a tree have to be decided in the order in which the program
    made its nodes; what was drawn for a place is kept. One such learner serves one tree of one table.

    Args:
        base: decides among what was drawn.
        offered: the attributes of the tree, in the order of the program.
        draws: what is drawn; None if a node may ask all that are offered.
        bounds: the bounds on rows, which are the holdout of a place; those of `base` count weights.
        tries: overrules, for the key of a place, whether the program tries to split it.

    Example:
        >>> from reference_tree.data.table import Table
        >>> table = Table.from_columns({"a": [1, 2, 3, 4], "b": [4, 1, 3, 2], "y": [*"nyny"]})
        >>> learner = DrawnByProgram(CART.like("scikit-learn"), ("a", "b"), Draws(seed=1, most=1))
        >>> learner.decide(table.sample()).chosen.test.name, learner.judge_one(
        ...     table.sample(), Place.root(table.sample()), Threshold("a", 2)).barred
        ('b<=2.5', 'not-drawn')

    Source:
        [Breiman2001 §4], [GeurtsErnstWehenkel2006]
    """

    base: CART
    offered: tuple[str, ...]
    draws: Draws | None = None
    bounds: RowBounds = PLAIN
    tries: dict[bytes, bool] = field(default_factory=dict, compare=False, repr=False)
    _seen: dict[bytes, Drawn] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def _splitter(self) -> Splitter:
        assert self.draws is not None, "something is drawn"
        return Splitter(Shifts.of(self.draws.seed), self.offered, self.draws.most, self.draws.at_random)

    def decide(self, sample: Sample, place: Place | None = None) -> Decision:
        """The decision at a node: the best among what was drawn for it.

        Source:
            [Breiman2001 §4], [GeurtsErnstWehenkel2006]
        """
        # The base decides among what was drawn, and ties go to what was drawn first.
        place = place or Place.root(sample)
        drawn, seen = self.looked_at(sample, place)
        if drawn is not None and self.draws is not None and self.draws.at_random:
            return self._among_thresholds(sample, seen, drawn)
        decision = self._within_bounds(sample, seen, self.base.decide(sample, seen))
        if drawn is None or decision.chosen is None or len(decision.winners) == 1:
            return decision
        chosen = min(decision.winners, key=lambda winner: drawn.attributes.index(winner.test.attributes[0]))
        if chosen is decision.chosen:
            return decision
        return replace(decision, chosen=chosen, missing=self.base.way(self.base.node_criterion(sample, seen), chosen))

    def looked_at(self, sample: Sample, place: Place) -> tuple[Drawn | None, Place]:
        """The draws for a place, None if there are none; and the place with only the attributes that may be asked."""
        offered = place._replace(available=place.available & frozenset(self.offered))
        if self.draws is None or not self._is_tried(sample, offered):
            return None, offered
        # A draw advances the generator, so each place draws once.
        if place.key not in self._seen:
            # Best first the program keeps no constants from above.
            above = None if place.parent is None or self.draws.best_first else self._seen.get(place.parent.key)
            known = 0 if above is None else above.constants
            vary = self.draws.gaps_vary
            self._seen[place.key] = self._splitter.draw(known, lambda name: _span(sample, name, gaps_vary=vary))
        drawn = self._seen[place.key]
        return drawn, offered._replace(available=offered.available & frozenset(drawn.attributes))

    def assume(self, place: Place, test: Test | None) -> None:
        """Draw nothing for a place, since the draws before it are not known: its test counts as drawn."""
        if test is None:
            self.tries.setdefault(place.key, False)
            return
        at_random = self.draws is not None and self.draws.at_random and isinstance(test, Threshold)
        thresholds = {test.attribute: test.threshold} if at_random and isinstance(test, Threshold) else {}
        self._seen.setdefault(place.key, Drawn(test.attributes, 0, thresholds))

    def forget(self, place: Place) -> None:
        """Forget what was drawn for a place."""
        self._seen.pop(place.key, None)

    def _is_tried(self, sample: Sample, place: Place) -> bool:
        """Whether the program tries to split a node: no bound forbids it, and it found some impurity."""
        # Bounds of rows are bounds of rows, however often each was drawn.
        counted = sample if place.holdout is None else place.holdout
        rows, weight, base = counted.target.weight(counted.total()), sample.target.weight(sample.total()), self.base
        if rows < max(2, self.bounds.split, 2 * self.bounds.leaf):
            return False
        if is_deepest(place, base.max_depth) or weight < max(base.min_samples_split, 2 * base.min_samples_leaf):
            return False
        return self.tries.get(place.key, not is_pure(sample.target, sample.total()))

    def _within_bounds(self, sample: Sample, place: Place, decision: Decision) -> Decision:
        """The decision among the tests that leave enough rows in each branch."""
        # Without bounds on rows the base has decided already.
        if self.bounds == PLAIN or place.holdout is None or not decision.winners:
            return decision
        if place.holdout.target.weight(place.holdout.total()) < self.bounds.split:
            return replace(self.base.decide(sample, place._replace(available=frozenset())), stop="min-samples-split")
        criterion, considered = self.base.node_criterion(sample, place), decision.considered
        bounded, top = partial(self.bounded, place), decision.winners[0].score
        # If a winner falls to the bound, any other candidate may come next: all are judged again.
        winners = [one for one in map(bounded, decision.winners) if one.barred is None and one.score == top]
        if not winners:
            found = map(bounded, self.base.questions(criterion, place).candidates())
            winners = list(best([one for one in found if one.barred is None], attrgetter("score")))
        decision = replace(
            decision,
            considered=lambda: map(bounded, considered()),
            beside=None,
            winners=tuple(winners),
            chosen=None,
        )
        if not winners:
            return replace(decision, stop="min-samples-leaf")
        stop = self.base.stops.after(winners[0], *map(criterion.weight, (sample.total(), place.everyone)))
        chosen = None if stop else winners[0]
        way = decision.missing if chosen is None else self.base.way(criterion, chosen)
        return replace(decision, stop=stop, chosen=chosen, missing=way)

    def bounded(self, place: Place, one: Candidate, to: int | None = None) -> Candidate:
        """A candidate under the bound on rows; those without a value may then take one side alone.

        Args:
            place: the place of the node, whose holdout are its rows, each counted once.
            one: the candidate.
            to: the branch that was drawn for the rows without a value; None if the better one is taken.
        """
        if self.bounds.leaf <= 1 or place.holdout is None or one.barred is not None:
            return one
        weigh = place.holdout.target.weight

        # Rows without a value may be the ones that keep a side large enough.
        def keeps(parts: Partition, side: int, least: Rational) -> bool:
            known, unknown = [weigh(row) for row in parts.rows], weigh(parts.unknown)
            return min(known[side] + unknown, known[1 - side]) >= least

        rows, weights = place.holdout.partition(one.test), one.table
        sides = [
            side
            for side in ((LEFT, RIGHT) if to is None else (to,))
            if keeps(rows, side, self.bounds.leaf) and keeps(weights, side, self.base.min_samples_leaf)
        ]
        if not sides:
            return replace(one, barred="min-samples-leaf")
        return one if to is not None or len(sides) == 2 else replace(one, counted_in=sent(one.table, sides[0]))

    def _among_thresholds(self, sample: Sample, place: Place, drawn: Drawn) -> Decision:
        """The decision among the tests with the drawn thresholds."""
        decision = self.base.decide(sample, place._replace(available=frozenset()))
        if decision.stop != "no-attributes":
            return decision
        criterion = self.base.node_criterion(sample, place)
        # At the root, the rule for missing values checks the table once.
        if place.parent is None:
            criterion.rule.check(sample)
        found = [self._drawn_candidate(sample, place, drawn, name) for name in drawn.attributes]
        winners = best([one for one in found if one.barred is None], attrgetter("score"))
        decision = replace(
            decision, stop="no-candidates", considered=lambda: found, beside=None, winners=tuple(winners)
        )
        if not winners:
            return decision
        chosen = winners[0]
        stop = self.base.stops.after(chosen, *map(criterion.weight, (sample.total(), place.everyone)))
        to = drawn.gaps.get(chosen.test.attributes[0])
        way = self.base.way(criterion, chosen) if to is None else Missing(to=to)
        return replace(decision, stop=stop, chosen=None if stop else chosen, missing=way)

    def _drawn_candidate(self, sample: Sample, place: Place, drawn: Drawn, name: str) -> Candidate:
        """The test about an attribute with its drawn threshold; rows without a value take their drawn branch."""
        criterion = self.base.node_criterion(sample, place)
        test = Threshold(name, drawn.thresholds[name])
        table = criterion.sample.partition(test)
        if name in drawn.gaps:
            rows, to = list(table.rows), drawn.gaps[name]
            rows[to] = plus(rows[to], table.unknown)
            table = Partition(table.outcomes, tuple(rows), (0,) * len(table.unknown))
        return self.bounded(place, criterion.candidate(test, table), drawn.gaps.get(name))

    def judge_one(self, sample: Sample, place: Place, test: Test) -> Candidate:
        """One test as a candidate; a rule bars it if its attribute, or its threshold, was not drawn."""
        drawn, seen = self.looked_at(sample, place)
        if drawn is None or not isinstance(test, Threshold) or test.attribute not in drawn.attributes:
            found = self.bounded(place, self.base.judge_one(sample, seen, test))
            return found if seen.available >= {*test.attributes} else replace(found, barred="not-drawn")
        if test.attribute not in drawn.thresholds:
            return self.bounded(place, self.base.judge_one(sample, seen, test))
        if test.threshold == drawn.thresholds[test.attribute]:
            return self._drawn_candidate(sample, seen, drawn, test.attribute)
        return replace(self.base.judge_one(sample, seen, test), barred="threshold-not-drawn")

    def finish(self, tree: Tree) -> Tree:
        """The tree after the last step of the learner, which follows growing."""
        return self.base.finish(tree)

    def grower(self) -> Grower:
        """The learner that decides among what was drawn."""
        base, (split, leaf) = self.base, self.bounds
        is_counted = self.bounds != PLAIN
        return (replace(base, min_samples_split=split, min_samples_leaf=leaf) if is_counted else base).grower()

    @property
    def predicts(self) -> frozenset[Kind]:
        """The kinds of target that it can predict."""
        return self.base.predicts

    @property
    def ties(self) -> Ties:
        """The overrides of ties."""
        return self.base.ties


def _span(sample: Sample, name: str, *, gaps_vary: bool = True) -> Span | None:
    """The span of an attribute; None if it is constant: the program knows no two values that differ, and no gap."""
    values, _, unknown = sample.ordered(name)
    if not values or (not (gaps_vary and any(unknown)) and too_close(values[0], values[-1])):
        return None
    return Span(values[0], values[-1], any(unknown))
