"""Stores: tables of all kinds, and what any store of samples has to answer about them, all the way down.

A store is held against another one, question by question: the total, the partitions of tests of every kind, the orders,
the points, the parts under every rule for missing answers, and all of that against other targets. `Counted` of the
oracles counts in dictionaries and knows none of the package's ways; the stores are also held against one another, to
the types of the numbers.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from reference_tree.data.questions import (
    Coordinate,
    Linear,
    Missing,
    Multiway,
    SeenSubset,
    Subset,
    Surrogate,
    Test,
    Threshold,
)
from reference_tree.data.sample import Sample
from reference_tree.data.table import Table
from reference_tree.data.targets import Branches, Classes, Moments, Target, Values
from tests import strategies

close = st.sampled_from([2**53, 2**53 + 1, Fraction(10**17 + 1, 10**17), 1, Fraction(1, 3), -5])
"""Numbers that floats cannot tell apart."""
decimals = st.decimals(-2, 2, places=1)
floats = st.sampled_from([0.1, 0.2, 0.30000000000000004, 0.3, -1.5, 2.0])


@st.composite
def tables(draw: st.DrawFn, rows: int = 14) -> Table:
    """Small tables with a target of either kind, of categories and numbers, with gaps and weights of every kind."""
    size = draw(st.integers(1, rows))

    def column(cells: st.SearchStrategy[Any], gaps: bool = True) -> list[Any]:
        return draw(st.lists(st.one_of(st.none(), cells) if gaps else cells, min_size=size, max_size=size))

    numeric = draw(st.booleans())
    weights = draw(st.sampled_from([st.just(1), st.integers(1, 3), strategies.weights, st.sampled_from([0.1, 0.5, 3])]))
    columns: dict[str, Sequence[object]] = {
        "colour": column(st.sampled_from("rgb")),
        "mark": column(st.sampled_from("st"), gaps=draw(st.booleans())),
        "x": column(st.integers(0, 5), gaps=draw(st.booleans())),
        "z": column(draw(st.sampled_from([close, decimals, floats]))),
        "w": column(weights, gaps=False),
        "y": column(draw(st.sampled_from([close, decimals, floats])) if numeric else st.sampled_from("abcde"), False),
    }
    continuous = ["x", "z", *(["y"] if numeric else [])]
    left_out = draw(st.sets(st.sampled_from(["colour", "mark", "x", "z"]), max_size=2))
    columns = {name: cells for name, cells in columns.items() if name not in left_out}
    return Table.from_columns(
        columns,
        target="y",
        weights="w",
        continuous=[name for name in continuous if name in columns],
        categorical=[name for name in columns if name not in (*continuous, "w")],
    )


def large_table(seed: int, size: int, numeric: bool, weights: Sequence[Any] = (1,), missing: float = 0.1) -> Table:
    """Some hundred rows, with an ID of numbers and many categories."""
    chance = random.Random(seed)

    def cell(value: Any) -> Any:
        return None if chance.random() < missing else value

    columns: dict[str, list[Any]] = {
        "colour": [cell(chance.choice("rgb")) for _ in range(size)],
        "many": [cell(f"v{chance.randrange(300)}") for _ in range(size)],
        "x": [cell(chance.randrange(12)) for _ in range(size)],
        "z": [cell(Fraction(chance.randrange(3 * 10**4), 1000)) for _ in range(size)],
        "all": [Fraction(place * 7919 % size, 3) for place in range(size)],
        "w": [chance.choice(weights) for _ in range(size)],
        "y": [Fraction(chance.randrange(40), 8) if numeric else f"c{chance.randrange(20)}" for _ in range(size)],
    }
    continuous = ["x", "z", "all", *(["y"] if numeric else [])]
    return Table.from_columns(columns, target="y", weights="w", continuous=continuous)


def questions(table: Table) -> list[Test]:
    """A question of each kind about each attribute."""
    found: list[Test] = []
    names = [attribute.name for attribute in table.schema.attributes]
    for attribute in table.schema.attributes:
        if attribute.values is None:
            numbers = table.schema.numbers[attribute.name] or (0,)
            found.append(Threshold(attribute.name, numbers[len(numbers) // 2], strict=True))
            found.append(Threshold(attribute.name, Fraction(sum(numbers)) / len(numbers)))
        else:
            values = attribute.values
            found.append(Multiway.on(attribute))
            found.append(Multiway(attribute.name, values[::-1]))
            found.append(Multiway(attribute.name, values[::-1][:1]))
            found.append(Subset(attribute.name, values[:1]))
            found.append(SeenSubset(attribute.name, values[:1], values[1:2]))
    if {"x", "z"} <= {*names}:
        found.append(Linear.of({Coordinate("x"): 2, Coordinate("z"): -1}, Fraction(1, 2)))
    if {"x", "colour"} <= {*names}:
        found.append(Linear.of({Coordinate("x"): 1, Coordinate("colour", "r"): Fraction(3, 2)}, 2))
    return found


def targets(table: Table, tests: Sequence[Test], chance: random.Random) -> list[Target]:
    """Other things to count."""
    found: list[Target] = [Branches(chance.choice(tests))] if tests else []
    target = table.schema.target
    if target.values is None:
        numbers = table.schema.numbers[target.name]
        found += [Moments(), Values(numbers), Values(tuple(sorted(chance.sample(numbers, (len(numbers) + 1) // 2))))]
    else:
        found += [Classes(target.values), Classes(target.values[::-1]), Classes(target.values[:1])]
    return chance.sample(found, len(found))


def rule(test: Test, tests: Sequence[Test], chance: random.Random) -> Missing:
    """Where rows go that do not answer: each of the rules there are."""
    branches = len(test.outcomes)
    kind = chance.choice(["fractions", "surrogates", "branch", "stay", "none"]) if branches else "none"
    if kind == "fractions":
        return Missing(shares=tuple(Fraction(chance.randrange(5), 6) for _ in range(branches)))
    if kind == "surrogates":
        asked = [one for one in tests if len(one.outcomes) == 2]
        chosen = [
            Surrogate(one, (chance.randrange(branches), chance.randrange(branches)), 1)
            for one in chance.sample(asked, min(2, len(asked)))
        ]
        return Missing(surrogates=tuple(chosen), to=chance.choice([None, branches - 1]))
    return {"branch": Missing(to=0), "stay": Missing(stays=True), "none": Missing()}[kind]


def typed(answer: Any) -> Any:
    """An answer with the types of its numbers: whether each is an integer."""
    if isinstance(answer, tuple | list):
        return tuple(map(typed, answer))
    return (isinstance(answer, int), answer) if isinstance(answer, int | Fraction) else answer


def answers(sample: Sample, tests: Sequence[Test]) -> dict[Any, Any]:
    """What a sample says to all questions."""
    found: dict[Any, Any] = {"total": sample.total(), "target": sample.target, "schema": sample.schema}
    for test in tests:
        outcomes, rows, unknown = sample.partition(test)
        found["partition", test] = outcomes, tuple(rows), unknown
    names = [attribute.name for attribute in sample.schema.attributes]
    for attribute in sample.schema.attributes:
        if attribute.values is None:
            values, rows, unknown = sample.ordered(attribute.name)
            found["ordered", attribute.name] = (list(values), list(rows), unknown)
    for asked in ([], names[:1], names):
        found["points", tuple(asked)] = tuple(sample.points(asked))
    return found


def assert_alike(one: Sample, other: Sample, tests: Sequence[Test], types: bool = False) -> None:
    """Both say the same to every question."""
    found, expected = answers(one, tests), answers(other, tests)
    assert found.keys() == expected.keys()
    for question, answer in expected.items():
        mine, its = (typed(found[question]), typed(answer)) if types else (found[question], answer)
        assert mine == its, question


Stored = Callable[[Table], Sample]


def assert_alike_all_the_way_down(
    table: Table, one: Stored, other: Stored, seed: int, depth: int = 3, types: bool = False
) -> None:
    """The same for the parts, the parts of the parts, and so on, and for other targets."""
    chance = random.Random(seed)
    tests = questions(table)
    pending: list[tuple[Sample, Sample, int]] = [(one(table), other(table), depth)]
    while pending:
        mine, its, more = pending.pop()
        assert_alike(mine, its, tests, types)
        for target in targets(table, tests, chance):
            assert_alike(mine.against(target), its.against(target), tests, types)
        if more and tests:
            test = chance.choice(tests)
            missing = rule(test, tests, chance)
            both = list(zip(mine.split(test, missing), its.split(test, missing), strict=True))
            pending += [(part, others, more - 1) for part, others in both[:3]]
            if both:
                target = targets(table, tests, chance)[0]
                part, others = chance.choice(both)
                assert_alike(part.against(target), others.against(target), tests, types)
