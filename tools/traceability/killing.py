"""Whether a test that is said to cover a passage notices a fault of the code that cites it.

    python -m tools.traceability.killing                # every passage; writes `killed.toml`
    python -m tools.traceability.killing "N4 XGBoost"   # those whose ids begin so; writes nothing
    python -m tools.traceability.killing --untested     # those of which none is recorded; adds what it finds

To enter the code of a passage is not to test it. So for each passage mutants of the functions that cite it are tried,
one after the other and with the engine off, until one is killed by a test with the mark `covers` for this passage: an
assertion fails. A mutant that only breaks off proves nothing. The first that is killed is recorded. A passage of which
no mutant is killed is not tested; it is shown. The mutants of `tools.mutation` come first, and then those with another
value or operand: many a book's rule is one call, in which no operator stands. Each passage has a process of its own,
for what the tests of others have computed would hide a mutant.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from functools import cache, partial
from itertools import chain, islice
from multiprocessing import get_context
from pathlib import Path
from types import CodeType, FunctionType

import pytest

from tools.mutation.__main__ import TERSE, _functions, forked, observe, replace_code, run_items
from tools.mutation.mutants import PACKAGE, Key, Mutant, Variants, keyed, operand_variants, variants
from tools.traceability.covering import KILLED, MARK, TESTS, Kill, code, code_of, coverings, kills
from tools.traceability.inventory import Item, items

TRIED = 60
"""The most mutants of each sort that are tried for a passage."""
SECONDS = 10
"""The CPU that a test may use beyond twice what it uses while the code is as it is."""


def cited(item: Item) -> Mapping[Path, Sequence[tuple[int, int]]]:
    """The lines of the functions that cite an item, by file."""
    found: dict[Path, list[tuple[int, int]]] = defaultdict(list)
    for one in code(item):
        for each in code_of(one):
            found[Path(each.co_filename)].append((each.co_firstlineno, _last_line(each)))
    return found


def _last_line(code: CodeType) -> int:
    inner = (_last_line(one) for one in code.co_consts if isinstance(one, CodeType))
    return max([code.co_firstlineno, *inner, *(line for *_, line in code.co_lines() if line)])


def mutants_of(item: Item) -> Iterator[tuple[Key, Mutant]]:
    """The mutants of the functions that cite an item."""
    return chain(_of_sort(item, variants), _of_sort(item, operand_variants))


def _of_sort(item: Item, sort: Variants) -> Iterator[tuple[Key, Mutant]]:
    for path, spans in sorted(cited(item).items()):
        for key, mutant in _keyed(path, sort):
            within = mutant.inside and any(first <= mutant.line <= last for first, last in spans)
            whole = key.mutation.startswith(f"{key.line} → ") and not key.line.startswith("return ")
            if within and not (whole and sort is operand_variants):  # a whole statement is a call that only checks
                yield key, mutant


@cache
def _keyed(path: Path, sort: Variants) -> Sequence[tuple[Key, Mutant]]:
    return list(keyed(path, sort)) if path.is_relative_to(PACKAGE) else []


class Killing:
    """In place of the tests of a session: the mutants of an item, until one is killed by a test of the item."""

    def __init__(self, item: Item) -> None:
        self.item = item
        self.kill: Kill | None = None
        self.asserted = True

    def pytest_runtest_makereport(self, call: pytest.CallInfo[None]) -> None:
        """Note whether a test fails by what it asserts."""
        if call.excinfo is not None:
            self.asserted = call.excinfo.errisinstance((AssertionError, pytest.fail.Exception))

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests of the item."""
        about = [test for test in session.items if any(self.item.id in mark.args for mark in test.iter_markers(MARK))]
        seen = sorted(observe(about, {test.path for test in about}), key=lambda one: one.seconds)
        seconds = int(2 * sum(one.seconds for one in seen)) + SECONDS
        self.kill = self._first([one.item for one in seen], cache(_functions), seconds)
        return True

    def _first(
        self, tests: list[pytest.Item], functions: Callable[[Path], list[FunctionType]], seconds: int
    ) -> Kill | None:
        tried = (islice(_of_sort(self.item, sort), TRIED) for sort in (variants, operand_variants))
        for key, mutant in chain.from_iterable(tried) if tests else ():
            of_file = functions(PACKAGE / key.module)
            ((_, outcome),) = forked([(key, partial(self._try, mutant, tests, of_file), seconds)], 1)
            if outcome == "killed":
                return Kill(self.item.id, *key)
        return None

    def _try(self, mutant: Mutant, tests: list[pytest.Item], functions: list[FunctionType]) -> int:
        replace_code(functions, mutant.code())
        code_of.cache_clear()  # what enters the mutant enters the code that cites the passage
        return 1 if any(run_items([test]) and self.asserted for test in tests) else 0


def kill_of(item: Item) -> Kill | None:
    """The first mutant that is killed, found in this process: nothing that other files of tests compute is there."""
    killing = Killing(item)
    files = sorted({str(TESTS / test.file) for test in coverings().get(item.id, ())})
    if files:
        with redirect_stdout(io.StringIO()):
            pytest.main(["-q", "-n", "0", "-p", "no:cacheprovider", "-m", MARK, *TERSE, *files], plugins=[killing])
    return killing.kill


def write(found: Sequence[Kill]) -> None:
    """The record, at once."""
    lines = ["# Written by `python -m tools.traceability.killing`: for each passage a mutant that its tests kill."]
    for kill in found:
        told = (f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in kill._asdict().items())
        lines += ["", "[[killed]]", *told]
    draft = KILLED.with_suffix(".new")
    draft.write_text("\n".join([*lines, ""]), encoding="utf-8")
    os.replace(draft, KILLED)


def main() -> int:
    """Try the mutants of the passages that the command line names, or of all."""
    os.environ.setdefault("REFERENCE_TREE_ENGINE", "off")
    untested = sys.argv[1:] == ["--untested"]
    asked = "" if untested else tuple(sys.argv[1:]) or ""
    found = dict(kills()) if untested else {}
    chosen = [item for item in items() if code(item) and item.id.startswith(asked) and item.id not in found]
    with ProcessPoolExecutor(mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        for item, kill in zip(chosen, pool.map(kill_of, chosen), strict=True):
            print(f"{item.id}: {json.dumps(kill, ensure_ascii=False) if kill else 'NO MUTANT IS KILLED'}", flush=True)
            found |= {item.id: kill} if kill else {}
            if kill and (untested or not sys.argv[1:]):
                write([found[one.id] for one in items() if one.id in found])
    print(f"{sum(item.id in found for item in chosen)} of {len(chosen)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
