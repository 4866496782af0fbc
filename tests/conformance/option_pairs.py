"""Pairs of values of options: cases in which they are set together.

`python -m tests.conformance.option_pairs --seed N` adds to `cases/pairs.toml`: for each pair that no case sets a case
with as many new pairs as the learner takes together, on a table of a few rows. Pairs that a learner refuses are left
out, whatever else is set. The cases that are there stay as they are.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

from reference_tree.chance import Chance
from reference_tree.conformance.cases import Case, cases
from reference_tree.conformance.generated import TARGET, continuous, drawn_columns
from reference_tree.conformance.goldens import document
from reference_tree.data.errors import InputError
from reference_tree.ensembles.registry import RECORDED
from tests.conformance.test_option_values import NOT_SET, OTHER, learners, wanted

FILE = Path(__file__).parents[2] / "reference_tree" / "conformance" / "cases" / "pairs.toml"

_ALONE = ("base", "ties", "trees")
"""Options without pairs: learners and nodes by name, and how often a round is repeated, usually 100 times."""

Value = tuple[str, str]
"""An option and one of its values, as JSON; `other` is any number or map but the usual one."""
Pair = tuple[Value, Value]


@cache
def values(name: str) -> Mapping[str, Sequence[str]]:
    """The values of each option of a learner, the usual one first."""
    found = {}
    for each, option in RECORDED[name].of_dialects().items():
        if each not in _ALONE and (name, each) not in NOT_SET:
            usual = json.dumps(option.usual)
            found[each] = [usual, *sorted(wanted(option) - {usual})]
    return found


def pairs(name: str) -> list[Pair]:
    """All pairs of values of two options of a learner."""
    every = [[(each, one) for one in listed] for each, listed in values(name).items()]
    return [(a, b) for first, second in combinations(every, 2) for a in first for b in second]


def set_together(name: str, options: Mapping[str, Any]) -> set[Pair]:
    """The pairs that a learner sets; an option that is not spelled out has its usual value."""
    found = []
    for each, listed in values(name).items():
        told = json.dumps(options[each]) if each in options else listed[0]
        found.append((each, told if told in listed else OTHER))
    return set(combinations(found, 2))


def covered(name: str, documents: Sequence[Mapping[str, Any]]) -> set[Pair]:
    """The pairs that goldens set."""
    told = [part for one in documents if "learner" in one for part in learners(one["learner"]) if part["name"] == name]
    return {pair for part in told for pair in set_together(name, part["options"])}


# Cases.


@cache
def numbers_in_use(name: str) -> Mapping[str, Sequence[Any]]:
    """Of each option the values other than the words that cases have."""
    told = [one for case in cases().values() for one in (case.learner, case.ensemble) if one and one["name"] == name]
    found: dict[str, list[Any]] = {}
    for each, listed in values(name).items():
        plain = [one[each] for one in told if type(one.get(each)) in (int, str)]
        others = {str(one): one for one in plain if json.dumps(one) not in listed and one != "null"}
        found[each] = [others[text] for text in sorted(others)]
    return found


def as_told(name: str, value: Value, classes: int) -> Any:
    """A value of an option, as a case tells it."""
    each, told = value
    if told != OTHER:
        return "null" if told == "null" else json.loads(told)
    labels = "pqr"[: max(2, classes)]
    if each == "priors":
        return {one: "1/2" if one == "p" else f"1/{2 * (len(labels) - 1)}" for one in labels}
    if each == "loss":
        return {one: {other: "3" if one == "p" else "1" for other in labels if other != one} for one in labels}
    if each == "cuts":
        return {"x1": ["1", "2"]}
    return numbers_in_use(name)[each][0] if numbers_in_use(name)[each] else "1"


def case_of(name: str, number: int, chosen: Mapping[str, str], drawn: Mapping[str, Any]) -> Case:
    """The case of a learner with some options, on a table that is drawn."""
    told = {each: as_told(name, (each, one), drawn["classes"]) for each, one in chosen.items()}
    options = {"name": name, **{each: None if one == "null" else one for each, one in told.items()}}
    columns = drawn_columns(**drawn)
    more: dict[str, Any] = {"learner": options, "kind": "tree"}
    if name == "gradient-tree":
        more = {"learner": options, "ensemble": {"name": "gradient", "trees": 2}, "kind": "ensemble", "rows": (1, 2)}
    elif name in ("bagging", "forest", "gradient"):
        base = {"name": "gradient-tree" if name == "gradient" else "cart", "max_depth": 2}
        more = {"learner": base, "ensemble": {"trees": 2, **options}, "kind": "ensemble", "rows": (1, 2)}
    elif name in ("adaboost", "boosting-tree"):
        more = {"ensemble": {"trees": 2, **options}, "kind": "rounds"}
    return Case(
        f"pairs/{name}-{number}", title="", data=columns, target=TARGET,
        continuous=tuple(continuous(columns, drawn["classes"])), **more,
    )  # fmt: skip


def tables(seed: int) -> Iterator[dict[str, Any]]:
    """Tables of a few rows: two classes, three, or numbers; with gaps and without."""
    for number in range(10):
        for classes in (2, 0, 3):
            for numbers in ([3 + number % 2], []):
                shape = {"rows": 6 + 2 * number, "categories": [2 + number % 2], "numbers": numbers}
                yield {"seed": 1000 * seed + number, **shape, "classes": classes, "gaps": 4 * (number % 2)}


def written(name: str, number: int, chosen: Mapping[str, str], seed: int) -> tuple[dict[str, Any], Any] | None:
    """The first table on which a learner takes some options and splits, with its golden; one without a split else."""
    leaf = None
    for drawn in tables(seed):
        golden = _golden(case_of(name, number, chosen, drawn))
        if golden is not None:
            if '"branches"' in json.dumps(golden["expected"]):
                return drawn, golden
            leaf = leaf or (drawn, golden)
    return leaf


def _golden(case: Case) -> Any:
    try:
        return document(case)
    except (InputError, ValueError, TypeError, ArithmeticError):
        return None


def is_taken(name: str, chosen: Mapping[str, str]) -> bool:
    """Whether a learner takes some options on some table of two classes, three, or numbers."""
    few = [{"seed": 1, "rows": 6, "categories": [2], "numbers": numbers, "classes": classes, "gaps": gaps}
           for classes in (2, 0, 3) for gaps in (0, 3) for numbers in ([3], [])]  # fmt: skip
    return any(_golden(case_of(name, 0, chosen, drawn)) is not None for drawn in few)


def together(name: str, pair: Pair, known: Collection[Pair], chance: Chance) -> dict[str, str] | None:
    """Options with a pair, and as many new pairs besides as the learner takes; None if it refuses the pair."""
    chosen = dict(pair)
    if not is_taken(name, chosen):
        companions = [(each, one) for each, listed in values(name).items() if each not in chosen for one in listed[1:]]
        chosen = next((more for one in companions if is_taken(name, more := {**chosen, one[0]: one[1]})), {})
        if not chosen:
            return None
    for place in chance.shuffled(list(values(name))):
        if place in chosen:
            continue

        def gain(one: str, each: str = place) -> int:
            return sum(_ordered(name, (each, one), other) not in known for other in chosen.items())

        best = max(values(name)[place], key=gain)
        if best != values(name)[place][0] and gain(best) and is_taken(name, {**chosen, place: best}):
            chosen[place] = best
    return chosen


def _ordered(name: str, a: Value, b: Value) -> Pair:
    places = list(values(name))
    return (a, b) if places.index(a[0]) < places.index(b[0]) else (b, a)


def last_number(name: str, goldens: Sequence[Mapping[str, Any]]) -> int:
    """The number of the last case of pairs of a learner."""
    ids = (golden["id"].rpartition("-") for golden in goldens)
    return max((int(number) for of, _, number in ids if of == f"pairs/{name}"), default=0)


def missing_cases(name: str, goldens: Sequence[Mapping[str, Any]], seed: int) -> Iterator[tuple[Case, dict[str, Any]]]:
    """Cases for the pairs that no golden sets; their numbers follow those of the goldens."""
    known, number = covered(name, goldens), last_number(name, goldens)
    chance = Chance(seed, name.encode())
    for pair in pairs(name):
        if pair in known:
            continue
        chosen = together(name, pair, known, chance)
        while chosen is not None:
            found = written(name, number + 1, chosen, seed)
            if found is None:
                if len(chosen) <= 3:
                    break
                extra = [each for each in chosen if each not in dict(pair)]
                chosen = {each: one for each, one in chosen.items() if each not in extra[len(extra) // 2 :]}
                continue
            drawn, golden = found
            number += 1
            known |= covered(name, [golden])
            yield case_of(name, number, chosen, drawn), drawn
            break


# The file.


_SOURCES = {
    "id3": "Quinlan1986", "c45": "Quinlan1993", "cart": "Breiman1984", "optimal": "HyafilRivest1976",
    "gradient-tree": "ChenGuestrin2016", "bagging": "Breiman1996", "forest": "Breiman2001",
    "adaboost": "FreundSchapire1996", "boosting-tree": "LiHang2019", "gradient": "ChenGuestrin2016",
}  # fmt: skip
"""Where each learner is from."""


def toml(value: Any) -> str:
    """A value as a file of cases has it."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {toml(one)}" for name, one in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml, value)) + "]"
    return '"null"' if value is None else json.dumps(value, ensure_ascii=False)


def entry(case: Case, drawn: Mapping[str, Any]) -> str:
    """A case as the file has it."""
    is_plain = case.ensemble is None or len(case.ensemble) == 2  # with a name and a number of trees alone
    options = case.learner if is_plain else case.ensemble
    named = [each for each in options or {} if each not in ("name", "trees")]
    lines = [
        "[[case]]", f'id = "{case.id}"', f'kind = "{case.kind}"',
        f'title = "options together: {", ".join(named[:2])}{f" and {len(named) - 2} more" if len(named) > 2 else ""}"',
        f'sources = ["{_SOURCES[case.id.partition("/")[2].rpartition("-")[0]]}"]', f"drawn = {toml(dict(drawn))}",
    ]  # fmt: skip
    lines += [f"learner = {toml(dict(case.learner))}"] if case.learner else []
    lines += [f"ensemble = {toml(dict(case.ensemble))}"] if case.ensemble else []
    return "\n".join([*lines, *([f"rows = {toml(list(case.rows))}"] if case.rows else [])])


def main() -> None:
    """Add the cases that are missing to the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0, help="of the tables and of the order of options (0)")
    seed = parser.parse_args().seed
    goldens = list(map(document, cases().values()))
    entries = [entry(*one) for name in RECORDED for one in missing_cases(name, goldens, seed)]
    with FILE.open("a", encoding="utf-8") as file:
        file.writelines(f"\n{one}\n" for one in entries)
    print(f"{len(entries)} cases added")


if __name__ == "__main__":
    main()
