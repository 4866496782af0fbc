"""Twins: textbook functions in whose place a faster form may answer.

The book is complete without its engine. A few of its functions take nearly all of the time that growing a tree takes;
these are marked here, and the engine, if it is installed, has a *fast form* of each: the same arguments, the same
answer, ties included. Nothing else in the book depends on the engine.

1. `twin` marks a textbook function. Called, it is the textbook function itself unless a fast form is known.
2. `fast_form_of` is how the engine brings one.
3. `by_the_book` turns all fast forms off for a while: to step through an algorithm in a debugger, or to compare.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

ENGINE_IS_ON = os.environ.get("REFERENCE_TREE_ENGINE") != "off"
"""Whether fast forms are used in this process."""

FAST_FORMS: dict[str, Callable[..., Any]] = {}
"""The name of a textbook function → its fast form. Empty where there is no engine."""


def twin(textbook: Callable[P, R]) -> Callable[P, R]:
    """Mark a textbook function in whose place a fast form may answer.

    Example:
        >>> @twin
        ... def double(n: int) -> int:
        ...     return n + n
        >>> double(4)
        8
    """

    @wraps(textbook)
    def either(*args: P.args, **kwargs: P.kwargs) -> R:
        answer: R = FAST_FORMS.get(textbook.__name__, textbook)(*args, **kwargs)
        return answer

    return either


def fast_form_of(marked: Callable[P, R]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Bring a function in the place of one that `twin` marked: same arguments, same answer."""

    def bring(fast: Callable[P, R]) -> Callable[P, R]:
        if ENGINE_IS_ON:
            FAST_FORMS[marked.__name__] = fast
        return fast

    return bring


@contextmanager
def by_the_book() -> Iterator[None]:
    """Let the textbook functions themselves answer, for as long as the block lasts. It is for the whole process.

    Example:
        >>> import reference_tree as rt
        >>> with by_the_book():
        ...     tree = rt.ID3().grow(rt.textbook("play-tennis"))
        >>> len(tree.nodes)
        8
    """
    fast_forms = dict(FAST_FORMS)
    FAST_FORMS.clear()
    try:
        yield
    finally:
        FAST_FORMS.update(fast_forms)
