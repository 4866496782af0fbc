"""One-hot encoding: an attribute of k values as k attributes of two values each.

A learner of binary tests only has no test "which ear shape?". It has "pointy, or not?", so the attribute
is replaced by a new one for each of its values, which is 1 where the attribute has that value and 0 elsewhere: in each
row one of them is hot.

A learner with a branch for each value does not need this, and it changes the tree that it grows: each test now
separates one value from the rest, and another value of the same attribute can be tested further down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace

from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute, Codes, Schema
from reference_tree.data.table import Table

COLD_HOT = ("0", "1")
"""The two values of each new attribute."""


def indicator(attribute: str, value: str) -> str:
    """The name of the attribute that says whether another one has a value.

    Example:
        >>> indicator("ear", "pointy")
        'ear=pointy'
    """
    return f"{attribute}={value}"


# New attributes stand where the old one stood, in the order of its values: ties between attributes fall as close to the
# original as they can.
def one_hot(table: Table, attributes: Collection[str] | None = None) -> Table:
    """The same table with k binary attributes in the place of each categorical one of k values.

    Args:
        table: the rows.
        attributes: the attributes to encode; None for every categorical attribute but the target.

    Returns:
        A new table. The k attributes take the place of the one, in the order of its values; where its value is missing,
        all k are missing.

    Raises:
        InputError: an attribute does not exist, is the target or is continuous; or a new name is taken already.

    Example:
        >>> cats = Table.from_columns({"ear": ["pointy", "oval", "floppy", None], "cat": ["yes", "yes", "no", "no"]})
        >>> for row in one_hot(cats).rows():
        ...     print(*row.values())
        0 0 1 yes
        0 1 0 yes
        1 0 0 no
        None None None no

    Source:
        [N4 One-hot encoding: more than two values], [N4 One-hot encoding: k features], [N4 figure: one-hot], [N4
        One-hot encoding: ear shape], [Ng2022]. N4 has it that more than two values ask for it: only a learner of binary
        tests does. Its n is a threshold here and a number of features there; k is the number of values.
    """
    made = {name: _indicators(table, name) for name in _encodable(table.schema, attributes)}
    found = [
        new
        for old in table.schema.attributes
        for new in ([Attribute(name, COLD_HOT) for name in made[old.name]] if old.name in made else [old])
    ]
    for name, times in Counter(attribute.name for attribute in (*found, table.schema.target)).items():
        if times > 1:
            raise InputError(f"the encoding needs the name {name!r}, which is taken; rename that column")
    columns = {name: cells for name, cells in table.columns.items() if name not in made}
    for codes in made.values():
        columns |= codes
    return replace(table, schema=replace(table.schema, attributes=tuple(found)), columns=columns)


def _indicators(table: Table, attribute: str) -> dict[str, Codes]:
    """The new columns that replace a categorical one, with the code 1, hot, in the rows that have their value."""
    codes = table.columns[attribute]
    return {
        # A missing value is missing in all of the new columns: 0 in each would say that it is none of the values.
        indicator(attribute, value): [None if code is None else int(code == place) for code in codes]
        for place, value in enumerate(table.schema.attribute(attribute).domain)
    }


def _encodable(schema: Schema, attributes: Collection[str] | None) -> list[str]:
    if attributes is None:
        return [attribute.name for attribute in schema.attributes if attribute.kind == "categorical"]
    for name in attributes:
        if schema.attribute(name) == schema.target:
            raise InputError(f"{name} is the target and cannot be encoded; name the attributes that are to be")
        if schema.attribute(name).kind == "continuous":
            raise InputError(f"{name} is continuous, and only a categorical attribute can be encoded")
    return list(attributes)
