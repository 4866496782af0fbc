r"""Random forests: bagging, with a random choice of attributes at each node.

Trees that are grown from samples of one table still have similar tests near the root. They differ more if a node may
not test every attribute:

1. Of the n attributes that a node may still test, k are drawn (`HOW_MANY` has the rules for k).
2. The learner of the trees decides among these. Any learner serves, as it does not see the draw (`DrawnAttributes`).
3. If no test about them can split the node, the option `otherwise` decides: either further attributes are drawn,
   one after another, until one can; or the node is a leaf. If a test can split but gains too little, the node is
   always a leaf.

The draws depend only on the seed, the number of the tree and the path from the root to the node (`Place.key`). So they
depend neither on the order in which nodes are grown nor on how many trees grow at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from math import isqrt
from typing import Any, ClassVar, Literal, TypeAlias

from reference_tree.chance import Chance
from reference_tree.data.questions import Test
from reference_tree.data.sample import Sample
from reference_tree.data.schema import Kind
from reference_tree.ensembles.bagging import Bagging
from reference_tree.learners.decision import Deciding, Decision, Learner
from reference_tree.learners.place import Place, Ties
from reference_tree.learners.recorded import Domain, described, word
from reference_tree.splitting.candidate import Candidate
from reference_tree.tree import Grower, Tree

OPTION = "forest"
"""The name by which the grower of a tree records the drawing of attributes."""

# Not those by which a learner stops although a test would split: drawing on is for attributes that are constant here.
CANNOT_SPLIT = frozenset({"no-candidates", "min-samples-leaf"})
"""The reasons of a leaf whose rows no test can split."""


def square_root(n: int) -> int:
    r"""$k = \lfloor \sqrt{n} \rfloor$.

    Example:
        >>> [square_root(n) for n in (1, 3, 4, 10, 100)]
        [1, 1, 2, 3, 10]

    Source:
        [N4 Random forest algorithm: k], [Breiman2001 §4]. N4 has k = √n without a word on rounding, for any target; it
        is a rule of thumb for classes.
    """
    return isqrt(n)


def logarithm(n: int) -> int:
    r"""$k = \lfloor \log_2 n \rfloor$, and 1 for one attribute.

    Source:
        [Zhou2016 §8.3.2]
    """
    # The length of a binary number is ⌊log2 n⌋ + 1: no logarithm is rounded.
    return max(1, n.bit_length() - 1)


def logarithm_and_one(n: int) -> int:
    r"""$k = \lfloor \log_2 n \rfloor + 1$.

    Source:
        [Breiman2001 §4]. Breiman takes the first integer below log2 n + 1, which is one less if n is a power of 2.
    """
    return n.bit_length()


def third(n: int) -> int:
    r"""$k = \lfloor n / 3 \rfloor$, at least 1: the usual rule for numeric targets.

    Source:
        [LiawWiener2002]
    """
    return max(1, n // 3)


def every(n: int) -> int:
    """All attributes, which is bagging."""
    return n


HOW_MANY: Mapping[str, Callable[[int], int]] = {
    "sqrt": square_root, "log2": logarithm, "log2-plus-1": logarithm_and_one, "third": third, "all": every,
}  # fmt: skip
"""The rules for the number of attributes drawn from n, by the names that a document records."""


def _how_many(value: Any) -> str | int:
    if type(value) is int and value > 0:
        return value
    if not isinstance(value, str) or value not in HOW_MANY:
        raise ValueError(f"of the attributes {', '.join(HOW_MANY)} or a number from 1 are drawn, not {value!r}")
    return value


NUMBER_DRAWN = Domain(_how_many, _how_many, _how_many, f"{word(HOW_MANY).listed}, or a whole number from 1")
"""Numbers of attributes: a rule by its name, or the number itself."""

IfNone: TypeAlias = Literal["draw-on", "leaf"]


@dataclass(frozen=True, kw_only=True)
class RandomForest(Bagging):
    """The learner.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> forest = RandomForest(trees=25, seed=1).grow(textbook("golf"))
        >>> forest.predict({"outlook": "sunny", "temperature": 70, "humidity": 70, "windy": "false"})
        'yes'

    Source:
        [N4 Random forest algorithm: random features], [N4 Random forest algorithm: similar trees], [Breiman2001 §1],
        [Zhou2016 §8.3.2]. Breiman draws as many at every node; Zhou, as here, counts those that the node may test.
    """

    name: ClassVar[str] = "forest"

    seed: int = described(0, words="the seed of all draws, of rows and of attributes")
    attributes: str | int = described(
        "sqrt",
        NUMBER_DRAWN,
        f"the number of attributes drawn at each node: {', '.join(f'`{name}`' for name in HOW_MANY)}, or a number",
        unit="number",
        flag=True,
    )
    otherwise: IfNone = described("draw-on", word(IfNone), "what is done if none of them can split the node")

    def learner(self, number: int) -> Learner:
        """The learner of one of the trees."""
        return DrawnAttributes(self, number)


# A learner around a learner: it narrows the place, and lets the other one decide. Nothing of the tree's learner knows
# that it grows in a forest.
@dataclass(frozen=True)
class DrawnAttributes:
    """A learner that considers only some of the attributes, drawn again at each node.

    Args:
        forest: the forest, with the learner that decides, the number of attributes drawn, and the seed.
        number: the number of the tree.
    """

    forest: RandomForest
    number: int

    def decide(self, sample: Sample, place: Place | None = None) -> Decision:
        """The decision at a node: that of the forest's base learner among the drawn attributes.

        The place itself does not change: the nodes below draw from all attributes that they may still test.

        Source:
            [N4 Random forest algorithm: random features], [Breiman2001 §4]
        """
        return self.looked_at(sample, place or Place.root(sample))[1]

    def judge_one(self, sample: Sample, place: Place, test: Test) -> Candidate:
        """One test as a candidate; the rule `not-drawn` bars it if one of its attributes was not drawn."""
        # The decision is made to know how many attributes were drawn in the end.
        seen, _ = self.looked_at(sample, place)
        candidate = self.forest.base.judge_one(sample, seen, test)
        return candidate if seen.available >= {*test.attributes} else replace(candidate, barred="not-drawn")

    # Drawing on adds one attribute at a time, and decides anew: the first that can split is enough. The draws that are
    # not needed are never made.
    def looked_at(self, sample: Sample, place: Place, decide: Deciding | None = None) -> tuple[Place, Decision]:
        """The place with only the drawn attributes, as the learner sees it, and the decision there.

        Args:
            sample: the rows.
            place: the place.
            decide: decides as the learner does.
        """
        decide = decide or self.base.decide
        seen, in_turn = self.draws(sample, place)
        decision = decide(sample, seen)
        while decision.stop in CANNOT_SPLIT and self.forest.otherwise == "draw-on":
            if (further := next(in_turn, None)) is None:
                break
            seen = place._replace(available=seen.available | {further})
            decision = decide(sample, seen)
        return seen, decision

    def seen(self, sample: Sample, place: Place) -> Place:
        """The place with only the drawn attributes."""
        return self.draws(sample, place)[0]

    def draws(self, sample: Sample, place: Place) -> tuple[Place, Iterator[str]]:
        """The place with only the drawn attributes, and the others in the order in which they are drawn if need be."""
        # In table order before they are drawn: the draw of a node does not depend on how the set of names is stored.
        names = [attribute.name for attribute in place.attributes(sample.schema)]
        in_turn = Chance(self.forest.seed, self.key(place)).one_by_one(names)
        return place._replace(available=frozenset(islice(in_turn, self.how_many(len(names))))), in_turn

    def how_many(self, n: int) -> int:
        """The number of attributes drawn from n: at most n."""
        rule = self.forest.attributes
        return min(n, rule if isinstance(rule, int) else HOW_MANY[rule](n))

    def key(self, place: Place) -> bytes:
        """The key of the draws at a place."""
        # The tree and the path, and no counter of draws: nodes may be grown in any order.
        return f"forest {self.number} ".encode("ascii") + place.key

    def finish(self, tree: Tree) -> Tree:
        """The tree after the last step of the learner, which follows growing."""
        return self.forest.base.finish(tree)

    def grower(self) -> Grower:
        """The learner of the trees, with one more option: the drawing of attributes."""
        grower = self.forest.base.grower()
        # The number of the tree is recorded with it: a single tree can be explained without its forest.
        drawn = {
            "tree": self.number,
            **{name: getattr(self.forest, name) for name in ("seed", "attributes", "otherwise")},
        }
        return replace(grower, options={**grower.options, OPTION: drawn})

    @property
    def base(self) -> Learner:
        """The learner that decides."""
        return self.forest.base

    @property
    def predicts(self) -> frozenset[Kind]:
        """The kinds of target that it can predict."""
        return self.forest.base.predicts

    @property
    def ties(self) -> Ties:
        """The overrides of ties."""
        return self.forest.base.ties
