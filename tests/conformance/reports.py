"""The reports of the programs in `docs/examples`: their answers to the goldens, checked by their claims.

`python -m tests.conformance.reports` runs those whose language and program are installed here, and writes
`docs/conformance/reports/NAME.json`, of which the page of programs is made.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from reference_tree import __version__
from reference_tree.checking.check import Checked, check
from reference_tree.checking.reports import Report, report, report_text
from reference_tree.cli.fuzzing import Implementation
from reference_tree.conformance.claims import Claims, read_claims
from reference_tree.conformance.goldens import prompt
from reference_tree.tree_document.files import deliver_all
from tests.checking.answering import kept
from tests.conformance.test_goldens import IDS
from tests.peers import rpart, scikit_learn, weka

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs/examples"
REPORTS = ROOT / "docs/conformance/reports"
TIMEOUT = 600


class Example(NamedTuple):
    """A program of `docs/examples`.

    Args:
        name: as the page has it.
        command: what runs it; `{folder}` is one for what is compiled.
        claims: the file.
        absent: what is not installed, if anything is not.
        version: of the program.
        build: what compiles it.
    """

    name: str
    command: list[str]
    claims: str
    absent: Callable[[], str | None]
    version: Callable[[], str]
    build: tuple[str, ...] = ()

    def claimed(self) -> Claims:
        """Its claims, with its name and version."""
        return replace(read_claims(EXAMPLES / self.claims), program=self.name, version=self.version())

    def program(self, folder: str) -> Implementation:
        """The program, compiled if it has to be."""
        if self.build:
            subprocess.run([part.format(folder=folder) for part in self.build], check=True, timeout=TIMEOUT)
        os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        return Implementation([part.format(folder=folder) for part in self.command], TIMEOUT)


def _tool(*names: str) -> Callable[[], str | None]:
    return lambda: None if any(map(shutil.which, names)) else f"there is no {names[0]}"


def _same() -> str:
    return __version__


def _adapter(name: str) -> list[str]:
    return [sys.executable, str(EXAMPLES / "adapters" / name)]


def _printed(*command: str) -> str:
    return subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout.split()[0]


COMPILER = next(filter(shutil.which, ("c++", "g++", "clang++")), "c++")
SMALLEST, CLAIMS = EXAMPLES / "smallest", "smallest/claims.toml"
PROGRAMS: Mapping[str, Example] = {
    "javascript": Example(
        "the learner in JavaScript",
        ["node", str(EXAMPLES / "javascript/run.mjs")],
        "javascript/claims.toml",
        _tool("node"),
        _same,
    ),
    "rust": Example(
        "the learner in Rust",
        ["{folder}/learner"],
        "rust/claims.toml",
        _tool("rustc"),
        _same,
        (
            "rustc",
            "--edition",
            "2021",
            "-C",
            "overflow-checks=on",
            "-o",
            "{folder}/learner",
            str(EXAMPLES / "rust/main.rs"),
        ),
    ),
    "go": Example(
        "the learner in Go",
        ["{folder}/learner"],
        "go/claims.toml",
        _tool("go"),
        _same,
        ("go", "build", "-o", "{folder}/learner", *map(str, sorted((EXAMPLES / "go").glob("*.go")))),
    ),
    "smallest-python": Example(
        "the smallest ID3 in Python", [sys.executable, str(SMALLEST / "id3.py")], CLAIMS, lambda: None, _same
    ),
    "smallest-javascript": Example(
        "the smallest ID3 in JavaScript", ["node", str(SMALLEST / "id3.mjs")], CLAIMS, _tool("node"), _same
    ),
    "smallest-cpp": Example(
        "the smallest ID3 in C++",
        ["{folder}/id3"],
        CLAIMS,
        _tool("c++", "g++", "clang++"),
        _same,
        (COMPILER, "-std=c++17", "-o", "{folder}/id3", str(SMALLEST / "id3.cpp")),
    ),
    "scikit-learn": Example(
        "scikit-learn",
        _adapter("scikit_learn.py"),
        "adapters/scikit_learn.toml",
        scikit_learn.absent,
        lambda: metadata.version("scikit-learn"),
    ),
    "rpart": Example(
        "rpart",
        _adapter("rpart.py"),
        "adapters/rpart.toml",
        rpart.absent,
        lambda: _printed("Rscript", "-e", 'cat(format(packageVersion("rpart")))'),
    ),
    "j48": Example(
        "Weka J48",
        _adapter("j48.py"),
        "adapters/j48.toml",
        weka.absent,
        lambda: _printed("java", "-cp", str(weka.JAR), "weka.core.Version"),
    ),
}
"""The programs by the names of their reports."""


@cache
def prompts() -> list[dict[str, object]]:
    """All prompts."""
    return [prompt(kept(name)) for name in IDS]


def checked(program: Implementation, claims: Claims) -> Checked:
    """What a check finds in the answers of a program to what it claims."""
    return check(program([one for one in prompts() if claims.cover(one)]), claims=claims)


def reported(name: str) -> Report:
    """The report of a program, made now."""
    example = PROGRAMS[name]
    with TemporaryDirectory() as folder:
        return report(checked(example.program(folder), example.claimed()))


def main() -> None:
    """Write the reports of the programs that are here."""
    for name, example in PROGRAMS.items():
        if missing := example.absent():
            print(f"{name}: {missing}")
            continue
        found = reported(name)
        REPORTS.mkdir(exist_ok=True)
        deliver_all({str(REPORTS / f"{name}.json"): report_text(found)})
        print(f"{name}: {found.count('passed')} passed, {found.count('failed')} failed")


if __name__ == "__main__":
    main()
