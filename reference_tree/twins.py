"""Twins: textbook functions that a faster form may replace.

The package is complete without its engine. A few textbook functions take nearly all of the time of growing a tree.
These are marked here, and the engine, if it is installed, has a *fast form* of each, with the same arguments and the
same result, ties included. Nothing else in the package depends on the engine.

1. `twin` marks a textbook function. A call runs the fast form if there is one, otherwise the function itself.
2. `fast_form_of` registers a fast form.
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
"""The name of a textbook function → its fast form. Empty without the engine."""


def twin(textbook: Callable[P, R]) -> Callable[P, R]:
    """Mark a textbook function that a fast form may replace.

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
    """Register a function as the fast form of one that `twin` marked: same arguments, same result."""

    def bring(fast: Callable[P, R]) -> Callable[P, R]:
        if ENGINE_IS_ON:
            FAST_FORMS[marked.__name__] = fast
        return fast

    return bring


@contextmanager
def by_the_book() -> Iterator[None]:
    """Run the textbook functions themselves within the block, in the whole process.

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
