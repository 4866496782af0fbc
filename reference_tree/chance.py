"""Chance: one generator of random draws, specified to the bit, so that any program in any language can repeat it.

Folds, hold-out sets, bootstrap samples and forests draw at random. A library's own generator would tie them to that
library, and often to its version; this one needs only SHA-256 and whole numbers.

1. A *block* is 256 bits: the SHA-256 digest of a message made of the seed, the key and the number of the block.
   The message is the seed in decimal digits, a zero byte, the key, a zero byte, and the number of the block in eight
   bytes, the highest first. A generator takes the blocks 0, 1, 2, ... in turn.
2. `Chance.below` draws from 0, ..., n-1. It takes a block and of that the first (highest) b bits, where b is the
   number of binary digits of n-1. As a number they are the draw if they are below n. Otherwise the block is *rejected*,
   and the next one is taken. So every outcome is equally likely, unlike with the remainder of a division.
3. `Chance.shuffled` is the shuffle of Fisher and Yates: for i = n-1, n-2, ..., 1 it draws j from 0, ..., i and
   exchanges the items at the places i and j. `Chance.one_by_one` yields each item when a step has put it in its place.
4. `Chance.choice` is the item at a drawn place.

The *key* separates draws for different purposes: two generators with the same seed and different keys are independent.
The seed is the user's, the key the program's. Nodes of a forest draw from keys of their own, so that their draws do
not depend on the order in which nodes are grown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from numbers import Integral
from typing import TypeVar

Item = TypeVar("Item")

BLOCK_BITS = 256
"""The bits of a block."""


class Chance:
    """A generator of draws.

    Args:
        seed: any whole number; it selects one of all possible series of draws. 0 is a seed like any other.
        key: the purpose of the draws.

    Raises:
        ValueError: the seed is no whole number.

    Example:
        >>> dice = Chance(seed=1)
        >>> [dice.below(6) + 1 for _ in range(10)]
        [3, 2, 1, 3, 6, 1, 1, 6, 3, 6]
        >>> Chance(seed=1, key=b"another end").shuffled("abcdef")
        ['d', 'f', 'e', 'b', 'a', 'c']
    """

    __slots__ = ("_block", "_prefix")

    def __init__(self, seed: int, key: bytes = b"") -> None:
        given: object = seed
        if not isinstance(given, Integral):
            raise ValueError(f"a seed is a whole number, not {seed!r}")
        # No digit is a zero byte, and the last nine bytes of a message are a zero byte and the block's number. So two
        # messages are equal only if seed, key and number are.
        self._prefix = f"{int(seed):d}".encode("ascii") + b"\0" + key + b"\0"
        self._block = 0

    def block(self) -> int:
        """The next block, as a number of 256 bits, the first byte of the digest highest.

        Example:
            >>> f"{Chance(seed=1).block():064x}"
            '41611d6334db5c6493a3a1dca3809d1f4be4737438666b585b3d6803e6f647a2'
        """
        digest = sha256(self._prefix + self._block.to_bytes(8, "big")).digest()
        self._block += 1
        return int.from_bytes(digest, "big")

    def below(self, n: int) -> int:
        """One of 0, ..., n-1, each equally likely.

        A block is rejected with a probability below 1/2, so fewer than two are taken on average.

        Args:
            n: the number of outcomes.

        Raises:
            ValueError: there is no outcome, or more than a block can distinguish.
        """
        if not 1 <= n <= 1 << BLOCK_BITS:
            raise ValueError(f"a draw is from 1 to 2^{BLOCK_BITS} outcomes, not from {n}")
        rest = BLOCK_BITS - (n - 1).bit_length()
        while (drawn := self.block() >> rest) >= n:
            pass
        return drawn

    def shuffled(self, items: Iterable[Item]) -> list[Item]:
        """The items in a drawn order, each order equally likely; the given items are not changed."""
        return list(self.one_by_one(items))[::-1]

    def one_by_one(self, items: Iterable[Item]) -> Iterator[Item]:
        """The items one after another, each remaining item equally likely each time; nothing is drawn before its turn.

        They come in the order in which the steps of the shuffle put them in their places, from the last place down.

        Example:
            >>> drawn = Chance(seed=1).one_by_one("abcdef")
            >>> next(drawn), next(drawn)
            ('c', 'b')
            >>> Chance(seed=1).shuffled("abcdef")
            ['e', 'f', 'a', 'd', 'b', 'c']
        """
        left = list(items)
        while len(left) > 1:
            j = self.below(len(left))
            left[-1], left[j] = left[j], left[-1]
            yield left.pop()
        yield from left

    def choice(self, items: Sequence[Item]) -> Item:
        """One of the items, each equally likely.

        Raises:
            ValueError: there are no items.
        """
        return items[self.below(len(items))]
