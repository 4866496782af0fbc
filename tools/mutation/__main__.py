"""Which mutants no test notices.

    python -m tools.mutation measures                               # every mutant of every module of a folder
    python -m tools.mutation splitting --sample 200 --seed 1        # some of them
    python -m tools.mutation pruning/risks.py --jobs 4

A module is tested by its examples, by the tests that mirror it and by the goldens that enter it, a learner by those of
its dialects too, with the engine off, so that the textbook function is the one that answers. They are collected once,
and run once to see how long each takes: what is quick goes first. For each mutant the process forks: the child puts the
mutant's code into the functions that are there (or imports everything anew and runs all goldens, where the change is
not inside a function), and runs the tests until one fails. A child that takes far longer than the code as it is has
failed too.

`reviewed.toml` lists the mutants that may survive, with the reason. What survives besides is printed; the status is 1.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import resource
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryFile
from time import process_time
from types import CodeType, FrameType, FunctionType
from typing import NamedTuple, TextIO

import pytest
from _pytest.runner import runtestprotocol

from tools.mutation.mutants import PACKAGE, Key, Mutant, keyed, reviewed

ROOT = Path(__file__).parents[2]
GOLDENS = "tests/conformance/test_goldens.py::test_the_committed_golden_is_what_the_package_writes"
QUICK = ["-m", "golden or not (slow or more or oracles)", "-k", "not chain and not by-day-subsets"]
OPTIONS = ["-q", "-x", "-p", "no:cacheprovider", *QUICK]
"""Without those that take the book alone minutes: chains of hundreds of nodes, and all subsets of fourteen values."""

TERSE = ["--assert=plain", "--tb=line", "--hypothesis-profile=mutation"]
"""That a test fails is enough: why it does, and the smallest example of it, take most of the time."""

OUTCOMES = {0: "survived", 1: "killed"}
HOUR = 3600


def mirrors(path: Path) -> list[Path]:
    """The files with the examples and the tests of a module."""
    folder = ROOT / "tests" / path.relative_to(PACKAGE).parent
    return [path, *sorted(folder.glob(f"test_{path.stem}*.py"))]


def besides(path: Path) -> list[Path]:
    """The files of which the tests that enter a module are run, too: for a learner those of its dialects."""
    return sorted((ROOT / "tests" / "programs").rglob("test_*profiles.py")) if path.parent.name == "learners" else []


# ------------------------------------------------------------------------------------------------- one mutant, one fork


def forked(tasks: Iterable[tuple[Key, Callable[[], int], int]], jobs: int) -> Iterator[tuple[Key, str]]:
    """What becomes of each task in a process of its own, which has so many seconds of CPU."""
    running: dict[int, Key] = {}

    def ended() -> tuple[Key, str]:
        pid, status = os.wait()
        code = os.waitstatus_to_exitcode(status)
        return running.pop(pid), "killed, out of time" if code < 0 else OUTCOMES.get(code, "error")

    for key, task, seconds in tasks:
        if len(running) == jobs:
            yield ended()
        if pid := os.fork():
            running[pid] = key
        else:
            _run(task, seconds)
    while running:
        yield ended()


def _run(task: Callable[[], int], seconds: int) -> None:
    """Be the child: run the task in silence and end with its status."""
    status = 3
    try:
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        status = task()
    finally:
        os._exit(status)


def run_items(items: list[pytest.Item]) -> int:
    """Run tests until one fails: 1 then, 0 if none does."""
    for item, following in zip(items, [*items[1:], None], strict=True):
        if any(report.failed for report in runtestprotocol(item, log=False, nextitem=following)):
            return 1
    return 0


class Observed(NamedTuple):
    """What a test does while the code is as it is."""

    item: pytest.Item
    seconds: float
    """Of CPU."""
    files: list[str]
    """Those whose functions it enters; none for the tests and the examples of a module, which are for it anyway."""


def observe(items: list[pytest.Item], own: set[Path]) -> list[Observed]:
    """Run tests once, in a fork, so that nothing stays computed here."""
    with TemporaryFile("w+", encoding="utf-8") as written:
        ((_, outcome),) = forked([(Key("", "", ""), partial(_observe, items, own, written), HOUR)], 1)
        written.seek(0)
        found = [Observed(item, *json.loads(line)) for item, line in zip(items, written, strict=False)]
    if outcome != "survived":
        sys.exit(f"{items[len(found)].nodeid} fails as it is")
    return found


def is_about(test: Observed, path: Path) -> bool:
    """Whether a test is run for the mutants of a module: it is one of its own, or a golden or such that enters it."""
    if test.item.path in mirrors(path):
        return True
    return str(path) in test.files and (test.item.path in besides(path) or test.item.nodeid.startswith(GOLDENS))


def _observe(items: list[pytest.Item], own: set[Path], written: TextIO) -> int:
    for item in items:
        codes, start = set[CodeType](), process_time()
        if item.path not in own:
            sys.setprofile(partial(_note, codes))
        status = run_items([item])
        sys.setprofile(None)
        if status:
            return status
        seconds = process_time() - start
        print(json.dumps([seconds, sorted({code.co_filename for code in codes})]), file=written, flush=True)
    return 0


def _note(codes: set[CodeType], frame: FrameType, *_: object) -> None:
    codes.add(frame.f_code)


def replace_code(functions: list[FunctionType], code: CodeType) -> None:
    """Put the code of a mutant into the functions of the module."""
    fresh = {(part.co_qualname, part.co_firstlineno): part for part in _codes(code)}
    for function in functions:
        function.__code__ = fresh[function.__code__.co_qualname, function.__code__.co_firstlineno]


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def import_anew(path: Path, code: CodeType, arguments: list[str]) -> int:
    """Import everything anew, this module as the mutant, and run the tests: 1 if one fails or cannot be collected."""
    wanted = f"reference_tree.{'.'.join(path.relative_to(PACKAGE).with_suffix('').parts)}".removesuffix(".__init__")

    class Loader(SourceFileLoader):
        def get_code(self, fullname: str) -> CodeType:
            return code

    class Finder(MetaPathFinder):
        def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
            if fullname != wanted:
                return None
            return spec_from_file_location(fullname, path, loader=Loader(fullname, str(path)))

        def pytest_sessionstart(self) -> None:
            sys.meta_path.insert(0, self)  # before pytest's own, which takes the files that it was given
            import_module(wanted)  # with the package: pytest would make a second module of one that this imports

    for name in [name for name in sys.modules if name.split(".")[0] in ("reference_tree", "tests", "tools")]:
        del sys.modules[name]
    return min(1, pytest.main(arguments, plugins=[Finder()]))


# ------------------------------------------------------------------------------------------------------------- the run


class Mutating:
    """In place of the tests of a session: those of a module, for each of its mutants."""

    def __init__(self, chosen: Mapping[Path, list[tuple[Key, Mutant]]], jobs: int) -> None:
        self.chosen, self.jobs = chosen, jobs
        self.found: Counter[str] = Counter()

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests of each mutant; of the code as it is first, to know how long they take."""
        own = {file for path in self.chosen for file in mirrors(path)}
        observed = sorted(observe(session.items, own), key=attrgetter("seconds"))  # what is quick is asked first
        for path, listed in self.chosen.items():
            tests = [test for test in observed if is_about(test, path)]
            items, functions = [test.item for test in tests], _functions(path)
            # What is not inside of a function is tried by all goldens, and has the time that they take.
            limits = [int(2 * sum(test.seconds for test in some)) + 10 for some in (observed, tests)]
            if not all(mutant.inside for _, mutant in listed):
                _survives_as_it_is(path, limits[False])
            tasks = [(k, partial(_try, mutant, path, items, functions), limits[mutant.inside]) for k, mutant in listed]
            found = Counter[str]()
            for key, outcome in forked(tasks, self.jobs):
                found[outcome] += 1
                if not outcome.startswith("killed"):
                    print(f"{outcome}: {key.module}: {key.line}\n    {key.mutation}", flush=True)
            found["reviewed"] = sum(PACKAGE / key.module == path for key in reviewed())
            print(f"{path.relative_to(PACKAGE)}: {_counts(found)}", flush=True)
            self.found += found
        return True


def _survives_as_it_is(path: Path, seconds: int) -> None:
    """Check that tests fail for what is changed, and not because everything is imported anew."""
    as_it_is = partial(import_anew, path, compile(path.read_text(encoding="utf-8"), path, "exec"), _anew(path))
    ((key, outcome),) = forked([(Key(str(path), "", ""), as_it_is, seconds)], 1)
    if outcome != "survived":
        sys.exit(f"a test of {key.module} fails as it is, once everything is imported anew")


def _anew(path: Path) -> list[str]:
    """With what arguments the tests of a module, but for the goldens, are collected anew."""
    return [*OPTIONS, *TERSE, "-n", "0", *map(str, [*mirrors(path), *besides(path)])]


def _counts(found: Counter[str]) -> str:
    return ", ".join(f"{count} {outcome}" for outcome, count in found.most_common())


def _functions(path: Path) -> list[FunctionType]:
    """All functions that were written in a file, wherever they are kept."""
    gc.unfreeze()  # what was collected with the tests is no longer passed over
    functions = (thing for thing in gc.get_objects() if isinstance(thing, FunctionType))
    return [function for function in functions if function.__code__.co_filename == str(path)]


def _try(mutant: Mutant, path: Path, items: list[pytest.Item], functions: list[FunctionType]) -> int:
    if not mutant.inside:
        return import_anew(path, mutant.code(), [*_anew(path), GOLDENS])
    replace_code(functions, mutant.code())
    return run_items(items)


def choose(paths: list[Path], sample: int | None, seed: int) -> dict[Path, list[tuple[Key, Mutant]]]:
    """The mutants of some modules that nobody has reviewed, or a sample of them."""
    known = reviewed()
    found = [(path, pair) for path in paths for pair in keyed(path) if pair[0] not in known]
    if sample is not None and sample < len(found):
        found = [found[place] for place in sorted(random.Random(seed).sample(range(len(found)), sample))]
    chosen: dict[Path, list[tuple[Key, Mutant]]] = {}
    for path, pair in found:
        chosen.setdefault(path, []).append(pair)
    return chosen


def main() -> int:
    """Run the mutants that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("where", nargs="+", help="folders and modules of the package")
    parser.add_argument("--sample", type=int, metavar="N", help="so many mutants of them, drawn at random")
    parser.add_argument("--seed", type=int, default=0, help="of the draw (0)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="how many run at once")
    told = parser.parse_args()
    paths = [path for name in told.where for path in sorted((PACKAGE / name).rglob("*.py")) or [PACKAGE / name]]
    chosen = choose(paths, told.sample, told.seed)
    os.environ["REFERENCE_TREE_ENGINE"] = "off"
    mutating = Mutating(chosen, told.jobs)
    files = [str(file) for path in chosen for file in [*mirrors(path), *besides(path)]]
    pytest.main([*OPTIONS, *TERSE, "-n", "0", *files, GOLDENS], plugins=[mutating])
    print(_counts(mutating.found))
    return int(bool(mutating.found["survived"] or mutating.found["error"]))


if __name__ == "__main__":
    sys.exit(main())
