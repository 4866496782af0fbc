"""Terms n·log2 n as integers: each held against the number itself, to 250 digits."""

from __future__ import annotations

import random
import sys
from fractions import Fraction
from threading import Thread
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.engine import terms
from reference_tree.engine.terms import BITS, LIMIT, PLACES, IntegerBounds, estimated, n_log_n, short_terms, x_log_x
from tests import oracles
from tests.every import of_every
from tests.oracles import real
from tests.strategies import fractions


def holds(bounds: IntegerBounds, value: Any) -> bool:
    """Whether the value lies in the bounds, in their unit."""
    with mpmath.workdps(oracles.DIGITS):
        return bool(bounds.low <= value * 2**BITS < bounds.high)


def from_below(n: int) -> None:
    with mpmath.workdps(oracles.DIGITS):
        exact = n * mpmath.log(n, 2) * 2**BITS if n else mpmath.mpf(0)
        assert n_log_n(n) <= exact + mpmath.mpf(10) ** -100
        assert exact < n_log_n(n) + 2


@of_every([*range(70), 255, 256, 99_999, LIMIT, 2**40, 2**40 + 1, 3**80])
def test_a_term_from_below(n: int) -> None:
    from_below(n)


@pytest.mark.slow
def test_the_last_terms_of_the_table_from_below() -> None:
    for n in (10**6 - 1, LIMIT - 1):
        from_below(n)


def test_terms_of_long_numbers() -> None:
    chance = random.Random(1)
    for _ in range(60):
        from_below(chance.getrandbits(chance.randint(8, 400)))


def test_the_term_of_every_small_number() -> None:
    for n in range(1, 3000):
        from_below(n)


def test_terms_of_powers_of_2_are_exact() -> None:
    assert [n_log_n(2**k) for k in range(60)] == [(k * 2**k) << BITS for k in range(60)]


def test_the_table_does_not_depend_on_how_it_grew(monkeypatch: pytest.MonkeyPatch) -> None:
    before = [n_log_n(n) for n in range(5000)]
    for sizes in ([4999], [3, 70, 71, 500, 4999]):
        monkeypatch.setattr(terms, "_logs", [0, 0])
        monkeypatch.setattr(terms, "_terms", [0, 0])
        for size in sizes:
            n_log_n(size)
        assert [n_log_n(n) for n in range(5000)] == before


def test_the_table_is_lengthened_by_one_thread_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    before = [n_log_n(n) for n in range(5000)]
    monkeypatch.setattr(terms, "_logs", [0, 0])
    monkeypatch.setattr(terms, "_terms", [0, 0])
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [Thread(target=n_log_n, args=(n,)) for n in (2500, 2400, 2300, 2450)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert [n_log_n(n) for n in range(5000)] == before


lengthy = st.one_of(
    st.integers(0, 10**6),
    st.integers(2**63, 2**90),
    fractions(0, 50),
    st.builds(Fraction, st.integers(0, 3**400), st.integers(2**400, 2**700)),
)


@given(lengthy)
def test_a_term_of_any_weight_lies_within_its_bounds(x: Fraction) -> None:
    with mpmath.workdps(oracles.DIGITS):
        value = real(x) * mpmath.log(real(x), 2) if x else mpmath.mpf(0)
        assert holds(x_log_x(x), value)


@pytest.mark.parametrize(
    "x",
    [1, 2, 2**64, 2**64 + 1, 2**96, Fraction(1, 2**64), Fraction(1, 2**65), Fraction(1, 3**200), Fraction(2**70, 3)],
)
def test_where_the_cut_to_size_begins_and_ends(x: Fraction) -> None:
    test_a_term_of_any_weight_lies_within_its_bounds.hypothesis.inner_test(x)  # type: ignore[attr-defined]


def test_bounds_of_a_usual_weight_are_narrow() -> None:
    for x in (7, 10**6, Fraction(7, 3), Fraction(3**300, 2**470)):
        low, high = x_log_x(x)
        assert high - low < 8 + 4 * x


@of_every([0, 1, 2, 3, 1023, 1024, 5000])
def test_short_terms_from_below(n: int) -> None:
    found = short_terms(n)
    assert len(found) > n
    with mpmath.workdps(40):
        for k in range(1, n + 1, max(1, n // 100)):
            exact = k * mpmath.log(k, 2) * 2**PLACES
            assert found[k] <= exact + 1e-9
            assert exact < found[k] + 2


@pytest.mark.parametrize("n", [0, 1, 2, 4095, 8191, 8192, 8193, 2**37 - 1, 2**37, 3**90, 2**200 - 1])
def test_an_estimated_term_from_below(n: int) -> None:
    with mpmath.workdps(oracles.DIGITS):
        exact = n * mpmath.log(n, 2) * 2**PLACES if n else mpmath.mpf(0)
        assert estimated(n) <= exact + mpmath.mpf(10) ** -100
        assert exact < estimated(n) + (2 if n < 2**13 else n * 2**7)


def test_estimated_terms_at_random() -> None:
    chance = random.Random(3)
    for _ in range(200):
        test_an_estimated_term_from_below(chance.getrandbits(chance.randint(13, 120)))
