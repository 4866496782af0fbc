"""Draws: the generator as its page describes it, bit by bit."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from tests.conformance.plain_doubles.planting import planted

BITS = 256


class Generator:
    """Blocks of 256 bits, and what is drawn from them."""

    def __init__(self, seed: int, key: bytes) -> None:
        if planted("seed-of-64-bits"):
            seed &= (1 << 64) - 1
        key = b"" if planted("key-ignored") else key
        self.start, self.number = str(seed).encode() + b"\0" + key + b"\0", 0

    def block(self) -> bytes:
        """The next one."""
        order: Any = "little" if planted("block-number-lowest-byte-first") else "big"
        self.number += 1
        return sha256(self.start + (self.number - 1).to_bytes(8, order)).digest()

    def below(self, n: int) -> int:
        """One of 0, ..., n - 1: the highest bits of a block, if they are below n."""
        bits = n.bit_length() if planted("a-bit-too-many") else (n - 1).bit_length()
        while True:
            whole = int.from_bytes(self.block(), "little" if planted("digest-lowest-byte-first") else "big")
            if planted("remainder-for-rejection"):
                return whole % n
            drawn = whole & ((1 << bits) - 1) if planted("lowest-bits") else whole >> max(0, BITS - bits)
            if drawn < n:
                return drawn

    def shuffled(self, n: int) -> list[int]:
        """The places 0, ..., n - 1, exchanged from the last one down."""
        places = list(range(n))
        for i in range(n - 1, 0, -1) if not planted("shuffled-from-the-front") else range(1, n):
            j = self.below(n) if planted("shuffled-with-every-place") else self.below(i + 1)
            places[i], places[j] = places[j], places[i]
        return places


def drawn(golden: Mapping[str, Any]) -> list[str]:
    """The answer to a golden of draws."""
    draw = golden["draw"]
    generator, n = Generator(int(draw["seed"]), bytes.fromhex(draw["key"])), int(draw.get("n", "0"))
    if draw["kind"] == "shuffled":
        return list(map(str, generator.shuffled(n)))
    if draw["kind"] == "block":
        return [generator.block().hex() for _ in range(draw["times"])]
    return [str(generator.below(n)) for _ in range(draw["times"])]
