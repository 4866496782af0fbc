"""Twins: textbook functions that a faster form may replace.

The textbook part is complete without its engine. A few of its functions take nearly all of the time of growing a tree;
these are marked here, and the engine, if it is installed, has a *fast form* of each: the same arguments, the same
answer, ties included. Nothing else in the textbook part depends on the engine.

1. `twin` marks a textbook function. A call runs the textbook function itself unless a fast form is known.
2. `fast_form_of` registers a fast form, of the engine or of a store.
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
"""The name of a textbook function → its fast form. Empty without an engine."""

OF_STORES: dict[str, list[tuple[type, Callable[..., Any]]]] = {}
"""The name of a textbook function → the forms of stores, each for the samples of one type."""


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
        name = textbook.__name__
        form: Callable[P, R] = FAST_FORMS.get(name, textbook)
        for kind, of_store in OF_STORES.get(name, ()):
            if any(isinstance(one, kind) for one in args):
                form = of_store
                break
        return form(*args, **kwargs)

    return either


def fast_form_of(marked: Callable[..., R], of: type | None = None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Register a function in place of one that `twin` marked: same arguments, same answer.

    Args:
        marked: the textbook function.
        of: the type of the samples of a store that has a form of its own; None for all others.
    """

    def bring(fast: Callable[P, R]) -> Callable[P, R]:
        if ENGINE_IS_ON and of is not None:
            OF_STORES.setdefault(marked.__name__, []).append((of, fast))
        elif ENGINE_IS_ON:
            FAST_FORMS[marked.__name__] = fast
        return fast

    return bring


@contextmanager
def by_the_book() -> Iterator[None]:
    """Run the textbook functions themselves for the duration of the block, in the whole process.

    Example:
        >>> import reference_tree as rt
        >>> with by_the_book():
        ...     tree = rt.ID3().grow(rt.textbook("play-tennis"))
        >>> len(tree.nodes)
        8
    """
    fast_forms, of_stores = dict(FAST_FORMS), dict(OF_STORES)
    FAST_FORMS.clear()
    OF_STORES.clear()
    try:
        yield
    finally:
        FAST_FORMS.update(fast_forms)
        OF_STORES.update(of_stores)
