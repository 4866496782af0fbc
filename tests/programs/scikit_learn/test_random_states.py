"""The generators of scikit-learn, beside numpy's and beside the numbers that the algorithms state."""

from __future__ import annotations

import pytest

from reference_tree.programs.scikit_learn.draws import LARGEST, RandomState, Shifts


@pytest.mark.parametrize("seed", [0, 1, 42, 12345, 2**32 - 1])
def test_numpy_draws_the_same(seed: int) -> None:
    theirs, ours = pytest.importorskip("numpy").random.RandomState(seed), RandomState(seed)
    for n in (6, LARGEST, 1, 1000, 17, 2**20 + 1, 2**32):
        assert [ours.below(n) for _ in range(300)] == theirs.randint(0, n, 300, dtype="int64").tolist()
    assert [float(ours.share()) for _ in range(700)] == theirs.random_sample(700).tolist()


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_a_seed_has_32_bits(seed: int) -> None:
    with pytest.raises(ValueError, match="lies between 0 and 4294967295"):
        RandomState(seed)


def test_the_shifts_are_those_of_marsaglia() -> None:
    """The triple 13, 17, 5 from the seed of his paper; his numbers are of 32 bits, these of 31."""
    assert Shifts(2463534242).number() == 723471715 % (LARGEST + 1)
    assert Shifts(0).number() == Shifts(1).number() == 270369
    assert all(3 <= Shifts(seed).within(3, 7) < 7 for seed in range(50))
