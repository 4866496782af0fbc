"""Logarithms in whole numbers: against powers, against high precision, and by the laws of a coprime base."""

from __future__ import annotations

import math
import random
from itertools import combinations

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.exact.logarithms import check_base, coprime_base, log2_floor
from tests.every import of_every


@given(st.integers(1, 2**64), st.integers(0, 10))
def test_the_logarithm_from_below_in_whole_numbers(n: int, bits: int) -> None:
    """L ≤ 2^bits·log2 n < L + 2 says 2^L ≤ n^(2^bits) < 2^(L+2)."""
    floor = log2_floor(n, bits)
    power = n ** (1 << bits)
    assert 1 << floor <= power < 1 << floor + 2


@of_every(range(11))
def test_the_logarithm_from_below_of_all_small_numbers(bits: int) -> None:
    for n in range(1, 300):
        floor = log2_floor(n, bits)
        assert 1 << floor <= n ** (1 << bits) < 1 << floor + 2


@of_every(range(40))
def test_the_logarithm_from_below_of_long_numbers(seed: int) -> None:
    chance = random.Random(seed)
    n, bits = chance.getrandbits(chance.randint(1, 3000)) + 1, chance.randint(1, 600)
    n = chance.choice([n, 1 << n.bit_length(), (1 << n.bit_length()) - 1, (1 << n.bit_length()) + 1])
    with mpmath.workprec(4000):
        scaled = mpmath.log(n, 2) * 2**bits
        floor = log2_floor(n, bits)
        assert floor <= scaled + mpmath.mpf(2) ** -500
        assert scaled < floor + 2


# The coprime base.


@given(st.lists(st.one_of(st.integers(1, 60), st.integers(1, 10**12)), max_size=8))
def test_a_coprime_base_is_coprime_and_generates(numbers: list[int]) -> None:
    base = coprime_base(numbers)
    assert all(b > 1 for b in base)
    assert all(math.gcd(a, b) == 1 for a, b in combinations(base, 2))
    for n in numbers:
        for b in base:
            while n % b == 0:
                n //= b
        assert n == 1


def test_bases() -> None:
    assert check_base(2) == 2
    assert check_base(math.e) == math.e
    for base in (1, 0, -3, 2.5, True):
        with pytest.raises(ValueError, match="the base of a logarithm"):
            check_base(base)
