"""Tables whose columns are held in every form of number, and the queries that a store is asked."""

from __future__ import annotations

from random import Random
from typing import Any

import reference_tree as rt
from reference_tree.stores.engines import Asked


def of_all_numbers(chance: Random, *, is_class: bool) -> rt.Table:
    """Ninety rows: doubles, gaps, few values, integers beyond doubles, a column of gaps alone."""
    held: dict[str, Any] = {
        "a": [chance.randrange(-41, 40, 2) / 8 for _ in range(90)],
        "b": [chance.choice([None, chance.randrange(-4001, 4000, 2) / 8]) for _ in range(90)],
        "few": [chance.choice([0.5, 1.5, None]) for _ in range(90)],
        "whole": [chance.choice([2**61 + 1, -(2**61) - 1, chance.randrange(99)]) for _ in range(90)],
        "none": [None] * 90,
        "c": [chance.randrange(1, 10**6, 2) / 8 for _ in range(90)],
    }
    held["y"] = [(a > 0) * 2 + chance.randrange(3) for a in held["a"]]
    kinds: dict[str, Any] = {"categorical": ["y"]} if is_class else {}
    return rt.Table.from_columns(held, "y", continuous=["few", "none", *([] if is_class else ["y"])], **kinds)


def noted(there: Any) -> list[str]:
    """The queries that a store is asked from now on."""
    asked, ask = list[str](), there.database.asked

    def asking(query: Asked) -> Any:
        asked.append(query.sql)
        return ask(query)

    there.database.asked = asking
    return asked
