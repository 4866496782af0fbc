"""Chance: the same bits from another hand, and no outcome favoured."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from math import factorial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.chance import Chance
from tests.every import of_every

seeds = st.integers(-(10**30), 10**30)
keys = st.binary(max_size=40)


# The specification once more, in texts of bits instead of numbers; nothing of the module is used.


def bits(seed: int, key: bytes) -> Iterator[str]:
    """The blocks, each as a text of 256 noughts and ones."""
    number = 0
    while True:
        message = bytearray(str(seed), "ascii")
        message.append(0)
        message.extend(key)
        message.append(0)
        message.extend(number >> shift & 255 for shift in (56, 48, 40, 32, 24, 16, 8, 0))
        yield "".join(f"{int(digit, 16):04b}" for digit in hashlib.new("sha256", message).hexdigest())
        number += 1


def drawn(blocks: Iterator[str], n: int) -> int:
    width = len(f"{n - 1:b}") if n > 1 else 0
    return next(x for x in (int("0" + block[:width], 2) for block in blocks) if x < n)


def shuffled(blocks: Iterator[str], items: list[int]) -> list[int]:
    place = len(items) - 1
    while place > 0:
        other = drawn(blocks, place + 1)
        items[place], items[other] = items[other], items[place]
        place -= 1
    return items


@given(seeds, keys, st.lists(st.one_of(st.integers(1, 20), st.integers(1, 2**256)), max_size=12))
def test_draws_are_those_of_the_specification(seed: int, key: bytes, ranges: list[int]) -> None:
    chance, blocks = Chance(seed, key), bits(seed, key)
    assert [chance.below(n) for n in ranges] == [drawn(blocks, n) for n in ranges]


@given(seeds, keys, st.integers(0, 40))
def test_shuffles_are_those_of_the_specification(seed: int, key: bytes, size: int) -> None:
    assert Chance(seed, key).shuffled(range(size)) == shuffled(bits(seed, key), list(range(size)))


@given(seeds, keys, st.lists(st.text(max_size=2), min_size=1, max_size=9))
def test_a_choice_is_a_draw_of_the_place(seed: int, key: bytes, items: list[str]) -> None:
    assert Chance(seed, key).choice(items) == items[Chance(seed, key).below(len(items))]


def test_draws_that_will_never_change() -> None:
    """The goldens: whoever repeats the generator in another language can begin here."""
    digits = Chance(0)
    assert [digits.below(10) for _ in range(20)] == [8, 6, 2, 0, 2, 8, 2, 1, 2, 4, 8, 4, 2, 5, 9, 0, 1, 3, 0, 5]
    assert f"{Chance(1).block():064x}" == "41611d6334db5c6493a3a1dca3809d1f4be4737438666b585b3d6803e6f647a2"
    assert f"{Chance(-7, b'key').block():064x}" == "f87acb433ad0ffe872ea7336295a5a1dd419d3ebfa651cc1d4df1afa75f1b2b4"
    assert Chance(42, b"holdout").shuffled(range(10)) == [7, 4, 1, 5, 9, 2, 6, 8, 3, 0]
    whole = 13391017134146573273011002761783598243765882337975206299906320412618297004354
    assert Chance(2**64, "节点".encode()).below(2**256) == whole
    rejecting = Chance(3)
    assert [rejecting.below(129) for _ in range(5)] == [65, 50, 37, 114, 72], "three of eight blocks are rejected"


PAGE = Path(__file__).parents[1] / "docs" / "chance.md"


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_the_other_language_on_the_page_draws_the_same() -> None:
    """The page shows the generator in JavaScript: it is run here as it stands there."""
    (script,) = re.findall(r"^```js\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    draws = """
      const one = new Chance(0n, ""), two = new Chance(-12345678901234567890n, "节点");
      console.log(JSON.stringify([Array.from({length: 50}, () => Number(one.below(7n))),
        two.shuffled([...Array(30).keys()]), String(two.below(1n << 256n))]));"""
    run = subprocess.run(["node", "-e", script + draws], capture_output=True, check=True, encoding="utf-8")
    one, two = Chance(0), Chance(-12345678901234567890, "节点".encode())
    assert json.loads(run.stdout) == [
        [one.below(7) for _ in range(50)],
        two.shuffled(range(30)),
        str(two.below(2**256)),
    ]


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="sha256sum is not installed")
def test_a_block_can_be_checked_at_the_prompt() -> None:
    message = b"1\0\0" + bytes(8)
    printed = subprocess.run(["sha256sum"], input=message, capture_output=True, check=True).stdout.decode()
    assert printed.split()[0] == f"{Chance(1).block():064x}"


def test_zero_is_a_seed() -> None:
    assert Chance(0).block() != Chance(1).block()
    assert Chance(0).block() == Chance(0).block()


def test_seed_key_and_number_cannot_be_mistaken_for_one_another() -> None:
    """Each pair would have one message if its parts were just written one after another."""
    pairs = [
        ((1, b"2"), (12, b"")),
        ((1, b""), (1, b"\0")),
        ((1, b"\0" + bytes(8)), (1, b"")),
        ((-1, b""), (1, b"-")),
    ]
    for one, other in pairs:
        first, second = Chance(*one), Chance(*other)
        assert not {first.block() for _ in range(20)} & {second.block() for _ in range(20)}


def test_a_draw_that_is_out_of_range_is_rejected_and_not_folded_back() -> None:
    """Nine outcomes need four bits: seven of sixteen numbers are refused."""
    chance, blocks = Chance(5, b"nine"), bits(5, b"nine")
    tops = [int(next(blocks)[:4], 2) for _ in range(200)]
    kept = [top for top in tops if top < 9]
    assert len(kept) < 140
    assert [chance.below(9) for _ in kept] == kept


@pytest.mark.one_in(1, 6)
@pytest.mark.parametrize("n", [2, 3, 5, 6, 9, 17])
def test_every_outcome_is_about_equally_common(n: int) -> None:
    """Pearson's statistic of 3000 n draws; its mean is n-1 and its variance 2(n-1)."""
    chance, times = Chance(11, b"uniform"), 3000
    counts = Counter(chance.below(n) for _ in range(times * n))
    assert set(counts) == set(range(n))
    statistic = sum((count - times) ** 2 for count in counts.values()) / times
    assert statistic < (n - 1) + 4 * (2 * (n - 1)) ** 0.5


def test_every_order_is_about_equally_common() -> None:
    """A shuffle that draws each j from all places favours some of the 24 orders by a half; this one none."""
    chance, times = Chance(11, b"orders"), 600
    counts = Counter(tuple(chance.shuffled(range(4))) for _ in range(times * factorial(4)))
    assert set(counts) == set(permutations(range(4)))
    statistic = sum((count - times) ** 2 for count in counts.values()) / times
    assert statistic < 23 + 4 * 46**0.5


@of_every([0, -1, 2**256 + 1])
def test_a_range_that_cannot_be_drawn_from_is_refused(n: int) -> None:
    with pytest.raises(ValueError, match="a draw is from 1 to 2\\^256 outcomes"):
        Chance(1).below(n)


def test_what_cannot_be_a_seed_is_refused() -> None:
    with pytest.raises(ValueError, match="a seed is a whole number"):
        Chance(1.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="a draw is from 1"):
        Chance(1).choice([])


def test_what_is_shuffled_stays_as_it_is() -> None:
    items = [3, 1, 2]
    assert sorted(Chance(8).shuffled(items)) == [1, 2, 3]
    assert items == [3, 1, 2]
