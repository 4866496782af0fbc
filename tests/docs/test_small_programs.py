"""The smallest whole programs, and other programs by adapters: they answer what they claim, and fuzz finds nothing."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import reference_tree as rt
from reference_tree.checking.fuzzing import Fuzzing
from reference_tree.cli.fuzzing import Program
from reference_tree.conformance.cases import cases
from reference_tree.conformance.claims import Claims, read_claims
from reference_tree.conformance.goldens import prompt
from tests.checking.answering import kept
from tests.conformance.reports import PROGRAMS

EXAMPLES = Path(__file__).parents[2] / "docs/examples"
SMALLEST = EXAMPLES / "smallest"
CASES = 20


def command(name: str, folder: Path) -> list[str]:
    """How a program is run; what has to be compiled is."""
    if name == "id3.py":
        return [sys.executable, str(SMALLEST / name)]
    if name == "id3.mjs":
        node = shutil.which("node")
        return [node, str(SMALLEST / name)] if node else pytest.skip("node is not here")
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("no compiler of C++ is here")
    built = folder / "id3"
    subprocess.run([compiler, "-std=c++17", "-o", built, SMALLEST / name], check=True, timeout=300)
    return [str(built)]


def answers_what_it_claims(program: Program, claims: Claims) -> None:
    claimed = [golden for golden in map(kept, cases()) if claims.cover(golden)]
    answers = program([prompt(golden) for golden in claimed])
    checked = rt.check(answers, claims=claims, kinds=["tree"])
    assert checked.passed, str(checked)
    assert sum(one.status == "passed" for one in checked.judged) == len(claimed) > 0
    fuzzing = Fuzzing(program, claims, seed=1)
    assert [str(found.judged) for found in fuzzing.findings(CASES)] == []
    assert fuzzing.drawn == CASES


@pytest.mark.parametrize("name", ["id3.py", "id3.mjs", "id3.cpp"])
def test_the_smallest_programs(name: str, tmp_path: Path) -> None:
    answers_what_it_claims(Program(command(name, tmp_path), 60), read_claims(SMALLEST / "claims.toml"))


def test_they_are_small() -> None:
    lines = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in SMALLEST.glob("id3.*")}
    assert lines.keys() == {"id3.py", "id3.mjs", "id3.cpp"}
    assert max(lines["id3.py"], lines["id3.mjs"]) <= 80
    assert lines["id3.cpp"] <= 160


@pytest.mark.oracles
@pytest.mark.parametrize("name", ["scikit-learn", "rpart", "j48"])
def test_other_programs_by_their_adapters(name: str, tmp_path: Path) -> None:
    if missing := PROGRAMS[name].absent():
        pytest.skip(missing)
    claims = read_claims(EXAMPLES / PROGRAMS[name].claims)
    answers_what_it_claims(PROGRAMS[name].program(str(tmp_path)), claims)
