"""The core of the pages that are played, in JavaScript: it decides as the package does, ties included.

It is held against every golden of a formula or a tree that it claims, against the package on tables that are drawn with
many ties, and on sums of logarithms that are equal or nearly so.
"""

from __future__ import annotations

import gzip
import json
import random
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.chance import Chance
from reference_tree.conformance.cases import cases
from reference_tree.conformance.generated import TARGET, continuous, drawn_columns
from reference_tree.conformance.goldens import golden_of, prompt
from reference_tree.ensembles.bagging import bootstrap
from reference_tree.exact.log_sums import log
from reference_tree.exact.rounding import decimal
from tests.checking.answering import kept

HERE = Path(__file__).parent
CORE = HERE.parents[1] / "docs" / "assets" / "play"
NODE = shutil.which("node")

with_node = pytest.mark.skipif(NODE is None, reason="node is not here")


def answers(prompts: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """What the core answers, by the ids of the prompts."""
    assert NODE is not None
    told = "\n".join(map(json.dumps, prompts))
    run = subprocess.run(
        [NODE, str(HERE / "core.mjs")], input=told, capture_output=True, encoding="utf-8", timeout=120, check=False
    )
    assert not run.returncode, run.stderr
    return {line["id"]: line["answer"] for line in map(json.loads, run.stdout.splitlines())}


def number(written: Any) -> Any:
    if isinstance(written, str):
        return log(2) * Fraction(written)
    if "numerator" in written:
        return number(written["numerator"]) / number(written["denominator"])
    return value((int(n), Fraction(c) / int(written["over"])) for n, c in written["log2"].items())


def value(terms: Iterable[tuple[int, Fraction | int]]) -> Any:
    """A sum of logarithms."""
    return sum((log(n) * Fraction(c) for n, c in terms), start=log(3) * 0)


def numbers(written: Any) -> Iterator[Any]:
    """The exact numbers of an answer or a golden, wherever they stand."""
    if isinstance(written, dict) and "exact" in written:
        yield number(written["exact"])
    elif isinstance(written, dict | list):
        for part in written.values() if isinstance(written, dict) else written:
            yield from numbers(part)


@pytest.mark.slow
@with_node
def test_it_passes_every_golden_it_claims() -> None:
    given = answers(prompt(kept(name)) for name, case in cases().items() if case.kind in {"formula", "split", "tree"})
    checked = rt.check(given)
    assert checked.passed, str(checked)
    claimed = Counter(cases()[name].kind for name in given)
    assert claimed["formula"] >= 20
    assert claimed["split"] >= 8
    assert claimed["tree"] >= 80
    assert sum("ties.split" in kept(name)["rules"] for name in given) >= 20


@with_node
def test_its_numbers_are_exact_and_not_only_near() -> None:
    names = [name for name, case in cases().items() if case.kind == "split"]
    given = answers(prompt(kept(name)) for name in names)
    for name, answer in given.items():
        for mine, theirs in zip(answer["decisions"], kept(name)["expected"]["decisions"], strict=False):
            ours, known = ([one["scores"] for one in found["candidates"]] for found in (mine, theirs))
            assert list(numbers(ours)) == list(numbers(known)), name


# Tables that are drawn: few rows and few values, so that ties are frequent.

SHAPES: list[dict[str, Any]] = [
    {"rows": 8, "categories": [2, 2, 3]},
    {"rows": 12, "categories": [3, 4], "numbers": [4], "classes": 3},
    {"rows": 10, "categories": [2, 2], "numbers": [6], "gaps": 6},
    {"rows": 9, "numbers": [5, 9], "classes": 0},
]


def drawn(seed: int) -> Iterator[dict[str, Any]]:
    """What the learners of the package decide on a table, as goldens."""
    shape = SHAPES[seed % len(SHAPES)]
    columns = drawn_columns(seed, **shape)
    names = continuous(columns, shape.get("classes", 2))
    kinds = {name: "continuous" if name in names else "categorical" for name in columns}
    rows = [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    read = [
        {name: None if cell == "?" else int(cell) if name in names else cell for name, cell in row.items()}
        for row in rows
    ]
    table = rt.Table.from_rows(
        read, target=TARGET, categorical=[name for name, kind in kinds.items() if kind == "categorical"]
    )
    learners: list[Any] = [rt.CART(max_depth=2)] if shape.get("classes") == 0 else [rt.C45(max_depth=2)]
    if shape.get("classes") != 0 and "gaps" not in shape:
        learners += [rt.CART(max_depth=2)]
        learners += [] if "numbers" in shape else [rt.ID3(max_depth=2)]
    for learner in learners:
        yield {**json.loads(golden_of(learner, table)), "id": f"{learner.grower().name}, {seed}"}


@pytest.mark.slow
@with_node
def test_it_decides_as_the_package_does_on_tables_that_are_drawn() -> None:
    goldens = {one["id"]: one for seed in range(36) for one in drawn(seed)}
    given = answers(map(prompt, goldens.values()))
    assert given.keys() == goldens.keys()
    tied = 0
    for name, answer in given.items():
        for mine, theirs in zip(answer["decisions"], goldens[name]["expected"]["decisions"], strict=True):
            for part in ("at", "total", "answer", "stop", "winners", "chosen"):
                assert mine[part] == theirs[part], f"{name}, {theirs['node']}, {part}"
            tied += len(theirs["winners"]) > 1
            ours, known = ([one["scores"] for one in found["candidates"]] for found in (mine, theirs))
            assert list(numbers(ours)) == list(numbers(known)), f"{name}, {theirs['node']}"
    assert tied >= 12


# Sums of logarithms.


def near_zero(steps: int) -> Iterator[list[tuple[int, int]]]:
    """Differences p - q·log2 3, with fractions p/q ever nearer to log2 3."""
    (p, q), (before, last) = (1, 0), (0, 1)
    for whole in [1, 1, 1, 2, 2, 3, 1, 5, 2, 23, 2, 2, 1, 1, 55][:steps]:  # its continued fraction
        p, q, before, last = whole * p + before, whole * q + last, p, q
        yield [(2, p), (3, -q)]


SUMS = [
    [(6, 1), (3, -1), (2, -1)],
    [(12, 1), (18, 1), (6, -3)],
    [(10**40 + 1, 1), (10**40, -1)],
    [(15, 3), (21, -2), (35, 1), (5, -4), (7, 1), (3, -1)],
    *near_zero(15),
]


@with_node
def test_the_sign_of_a_sum_is_proved() -> None:
    chance = random.Random(7)
    sums = [*SUMS, *([(chance.randint(2, 40), chance.randint(-6, 6)) for _ in range(5)] for _ in range(60))]
    told = answers(
        {"id": str(at), "kind": "sum", "given": [list(map(str, term)) for term in one]} for at, one in enumerate(sums)
    )
    for at, one in enumerate(sums):
        exact = value(one)
        assert told[str(at)] == {"sign": (exact > 0) - (exact < 0), "decimal": decimal(exact, 12)}, one
    assert [told[str(at)]["sign"] for at in range(4)] == [0, 0, 1, 0]


RATIOS = [
    [[(9, 1)], [(3, 1)], [(25, 1)], [(5, 1)]],  # 2 and 2
    [[(3, 1)], [(7, 1)], [(9, 1)], [(49, 1)]],  # proportional
    [[(3, 1)], [(2, 1)], [(5, 2)], [(3, 1)]],
    [[(6, 1), (2, -1)], [(5, 1)], [(3, 2)], [(25, 1)]],
]


@with_node
def test_ratios_compare_and_tie() -> None:
    told = answers(
        {"id": str(at), "kind": "ratios", "given": [[list(map(str, term)) for term in part] for part in one]}
        for at, one in enumerate(RATIOS)
    )
    for at, (g1, s1, g2, s2) in enumerate(RATIOS):
        one, other = value(g1) / value(s1), value(g2) / value(s2)
        assert told[str(at)] == {"order": (one > other) - (one < other), "decimal": decimal(one, 12)}
    assert [told[str(at)]["order"] for at in range(4)] == [0, 0, -1, 0]


@with_node
def test_it_draws_as_the_package_does() -> None:
    given = {str(at): (7 * at - 20, "key " * (at % 40), 1 + at % 23) for at in range(60)}
    told = answers({"id": name, "kind": "draws", "given": one} for name, one in given.items())
    for name, (seed, key, n) in given.items():
        chance = Chance(seed, key.encode())
        below = [chance.below(n) for _ in range(20)]
        expected = {"below": below, "shuffled": chance.shuffled(range(n)), "drawn": list(bootstrap(n, seed, n))}
        assert told[name] == expected


def test_all_of_it_is_light() -> None:
    # The story is a page by itself, and is weighed there.
    files = [file for file in CORE.iterdir() if file.suffix in {".mjs", ".css"} and file.stem != "story"]
    assert sum(len(gzip.compress(file.read_bytes(), 6)) for file in files) < 40_000
