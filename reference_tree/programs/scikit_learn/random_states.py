r"""The generators of scikit-learn: numpy's `RandomState`, and the small one that a tree draws from.

1. `RandomState` is the Mersenne Twister MT19937 with numpy's older way of seeding: a word follows from the one before.
   A draw below n takes as many bits of a word as n - 1 has, and words that are too large are rejected.
2. `Shifts` is an xorshift generator of 32 bits. A tree of scikit-learn seeds it with one draw of its `RandomState`.

Both are specified to the bit, so what a program drew can be worked out from its seed.

Source:
    [MatsumotoNishimura1998], [Marsaglia2003]
"""

from __future__ import annotations

from fractions import Fraction

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
        found ^= found >> 11
        found ^= found << 7 & 0x9D2C5680
        found ^= found << 15 & 0xEFC60000
        return found ^ found >> 18

    def _twist(self) -> None:
        """Make the next state of all words."""
        state = self._state
        for place in range(WORDS):
            both = state[place] & 0x80000000 | state[(place + 1) % WORDS] & LARGEST
            state[place] = state[(place + MIDDLE) % WORDS] ^ both >> 1 ^ (0x9908B0DF if both & 1 else 0)

    def below(self, n: int) -> int:
        """One of 0, ..., n - 1: numpy's `randint(n)`, for n of at most 32 bits."""
        mask = (1 << (n - 1).bit_length()) - 1
        while n > 1:
            if (found := self.word() & mask) < n:
                return found
        return 0

    def share(self) -> Fraction:
        """A number from 0 to less than 1: numpy's `random_sample()`, of 53 bits."""
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
        state ^= state << 13 & MASK
        state ^= state >> 17
        state ^= state << 5 & MASK
        self._state = state
        return state % (LARGEST + 1)

    def within(self, low: int, high: int) -> int:
        """One of low, ..., high - 1."""
        return low + self.number() % (high - low)
