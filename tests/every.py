"""One test of many small things: a test of its own for each takes longer to hand out than to run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from inspect import signature
from typing import cast

import pytest


def of_every(things: Collection[object]) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Make a test of one thing a test of all of them, which fails with every thing that fails.

    A thing is a tuple where the test has several parameters.

    Example:
        >>> @of_every([2, 3, 4])
        ... def test_it_is_even(number):
        ...     assert number % 2 == 0
        >>> test_it_is_even()
        Traceback (most recent call last):
        ExceptionGroup: 1 of 3 fail (1 sub-exception)

        To skip one would skip all behind it:

        >>> of_every([(2, 4), (3, 9)])(lambda number, square: pytest.skip("it is even"))()
        Traceback (most recent call last):
        AssertionError: skipped at (2, 4), and with it all that are to come
    """

    def made_one(test: Callable[..., None]) -> Callable[[], None]:
        is_one = len(signature(test).parameters) == 1

        def of_all() -> None:
            assert things, "there is nothing to test"
            failures = []
            for thing in things:
                try:
                    test(thing) if is_one else test(*cast("Iterable[object]", thing))
                except pytest.skip.Exception as skip:
                    raise AssertionError(f"skipped at {thing}, and with it all that are to come") from skip
                except Exception as error:
                    error.add_note(f"of {thing}")
                    failures.append(error)
            if failures:
                raise ExceptionGroup(f"{len(failures)} of {len(things)} fail", failures)

        of_all.__name__, of_all.__doc__, of_all.__module__ = test.__name__, test.__doc__, test.__module__
        return of_all

    return made_one
