"""Parameters: what the arguments of estimators mean, one record each.

A parameter that a program has is one of three here. It *works*; it *steers* the machinery of the program, and is taken
without effect; or it would *change* the result in a way that this package has not, and is refused by name unless it
has a value that changes nothing.

1. `works`, `steers` and `changes` are fields of an estimator, which is a dataclass; its signature follows from them.
2. `check_parameters` refuses what cannot be had, when the estimator is fitted.
3. `seed_of` makes a seed of whatever scikit-learn takes for a random state.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import field, fields, is_dataclass
from math import ceil
from typing import Any, Literal, NamedTuple

from reference_tree.data.errors import InputError, shown
from reference_tree.learners.recorded import Option


class Parameter(NamedTuple):
    """The record of a parameter."""

    effect: Literal["works", "steers", "changes"]
    """Whether it works, steers machinery, or would change the result."""
    meaning: str
    """The meaning in a few words; for one that would change the result, what to do instead."""
    usual: Any = None
    """The value that None stands for."""
    plain: Sequence[Any] = ()
    """The values of one that would change the result at which it changes nothing."""


def works(default: Any, meaning: str = "", usual: Any = None, of: Option | None = None) -> Any:
    """A parameter that works as in the program.

    Args:
        default: the default, as the program has it.
        meaning: the meaning in a few words.
        usual: the value that None stands for.
        of: the option of a learner that it sets; the first sentence of its words comes first.
    """
    words = "; ".join(filter(None, ["" if of is None else of.words.partition(". ")[0], meaning]))
    kept = Parameter("works", words, default if usual is None else usual)
    return field(default=default, metadata={"parameter": kept})


def steers(meaning: str, default: Any = None) -> Any:
    """A parameter that steers machinery: any value is taken, and nothing depends on it."""
    return field(default=default, metadata={"parameter": Parameter("steers", meaning)})


def changes(instead: str, *plain: Any, default: Any = None) -> Any:
    """A parameter that would change the result, and is refused.

    Args:
        instead: what to do, or what is done here.
        plain: the values at which it changes nothing; None and the default are two of them.
        default: the default, as the program has it.
    """
    kept = Parameter("changes", instead, default, (None, default, *plain))
    return field(default=default, metadata={"parameter": kept})


def parameters_of(kind: type) -> dict[str, Parameter]:
    """The records of the parameters of an estimator, by name."""
    stated = fields(kind) if is_dataclass(kind) else ()
    return {one.name: one.metadata["parameter"] for one in stated if "parameter" in one.metadata}


def check_parameters(estimator: Any) -> None:
    """Refuse a parameter that would change the result.

    Raises:
        InputError: there is one; the message says what to do.
    """
    for name, record in parameters_of(type(estimator)).items():
        if record.effect == "changes":
            check_plain(name, getattr(estimator, name), record)


def check_plain(name: str, value: Any, record: Parameter) -> None:
    """Refuse a value that would change the result.

    Example:
        >>> check_plain("booster", "gbtree", Parameter("changes", "...", None, (None, "gbtree")))
        >>> check_plain("booster", "dart", Parameter("changes", "...", None, (None, "gbtree")))
        Traceback (most recent call last):
        reference_tree.data.errors.InputError: booster='dart' would change the result, and is not done here: ...
    """
    if not any(value is one or _equal(value, one) for one in record.plain):
        raise InputError(f"{name}={shown(value)} would change the result, and is not done here: {record.meaning}")


OF_FIT: Mapping[str, Parameter] = {
    name: Parameter("changes", instead, None, (None,))
    for name, instead in {
        "base_margin": "margins of single rows are not taken; base_score is for all",
        "base_margin_eval_set": "margins of single rows are not taken; base_score is for all",
        "xgb_model": "an ensemble is grown from the start; give n_estimators the sum of the rounds",
        "feature_weights": "all columns are drawn alike; leave it out",
    }.items()
}
"""The arguments of XGBoost's `fit` and `predict` that would change the result."""


def check_arguments(**given: Any) -> None:
    """Refuse arguments of `OF_FIT` that would change the result."""
    for name, value in given.items():
        check_plain(name, value, OF_FIT[name])


def _equal(one: Any, other: Any) -> bool:
    try:
        return bool(one == other)
    except (TypeError, ValueError):  # an array compares cell by cell
        return False


LARGEST_SEED = 2**31 - 1


def seed_of(random_state: Any) -> int:
    """The seed for a random state: a whole number, None, or a generator of numpy, from which one number is drawn.

    None stands for 0: the same call gives the same result each time.

    Raises:
        InputError: it is nothing of these.

    Example:
        >>> seed_of(None), seed_of(7)
        (0, 7)
    """
    if random_state is None:
        return 0
    draw = getattr(random_state, "integers", None) or getattr(random_state, "randint", None)
    try:
        return int(draw(LARGEST_SEED)) if callable(draw) else random_state.__index__()
    except (AttributeError, TypeError):
        raise InputError(f"random_state: a seed is a whole number, not {random_state!r}") from None


def jobs_of(n_jobs: Any) -> Any:
    """How many processes work at once: none is one, and -1 one on each processor.

    Example:
        >>> jobs_of(None), jobs_of(3), jobs_of(-1) >= 1
        (1, 3, True)
    """
    if n_jobs is None:
        return 1
    asked = n_jobs.item() if hasattr(n_jobs, "item") else n_jobs
    return max(1, (os.cpu_count() or 1) + 1 + asked) if isinstance(asked, int) and asked < 0 else asked


def count_of(given: Any, rows: int) -> Any:
    """How many rows a parameter means: a float below 1 is their share, rounded up.

    Example:
        >>> count_of(0.1, 15), count_of(3, 15), count_of(1.0, 15)
        (2, 3, 1.0)
    """
    return ceil(given * rows) if isinstance(given, float) and 0 < given < 1 else given


def table_of(kind: type) -> str:
    """The parameters of an estimator as a table of Markdown.

    Example:
        >>> from dataclasses import dataclass
        >>> @dataclass
        ... class Estimator:
        ...     rounds: int | None = works(None, "how many rounds", 100)
        ...     jobs: int | None = steers("trees are grown one after the other")
        >>> print(table_of(Estimator))
        | parameter | default | | meaning |
        |:--|:--|:--|:--|
        | `rounds` | 100 | works | how many rounds |
        | `jobs` | | without effect | trees are grown one after the other |
    """
    effects = {"works": "works", "steers": "without effect", "changes": "refused"}
    lines = ["| parameter | default | | meaning |", "|:--|:--|:--|:--|"]
    for name, record in parameters_of(kind).items():
        usual = "" if record.usual is None else f"{record.usual} "
        lines.append(f"| `{name}` | {usual}| {effects[record.effect]} | {record.meaning} |")
    return "\n".join(lines)


__all__ = [
    "Parameter",
    "changes",
    "check_arguments",
    "check_parameters",
    "count_of",
    "jobs_of",
    "parameters_of",
    "seed_of",
    "steers",
    "table_of",
    "works",
]
