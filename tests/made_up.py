"""The package with one more file: whoever adds a record writes one module, and changes no other.

1. `House` is a folder of the package, with a module that is made up beside those that are there.
2. `House.commands` runs commands of that package in one process: to start one takes longer than most of them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]

BESIDE = """
import sys
from importlib.machinery import PathFinder

class Beside:
    def find_spec(name, path=None, target=None):
        if name == {package!r}:
            found = PathFinder.find_spec(name, path)
            found.submodule_search_locations.append({folder!r})
            return found

sys.meta_path.insert(0, Beside)
"""

COMMANDS = """
import json
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from reference_tree.cli import main

def done(command):
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        try:
            status = main(command)
        except SystemExit as stopped:
            status = stopped.code
    return status, out.getvalue(), err.getvalue()

print(json.dumps([done(command) for command in json.load(sys.stdin)]))
"""


class Done(NamedTuple):
    """What a command did."""

    status: int
    out: str
    err: str


class House(NamedTuple):
    """A package that has one more module, which stands in a folder of its own."""

    package: str
    folder: Path

    @classmethod
    def with_module(cls, package: str, text: str, folder: Path) -> House:
        """The house in which a package has a module `made_up`."""
        (folder / "made_up.py").write_text(text, encoding="utf-8")
        return cls(package, folder)

    def python(self, script: str, given: str = "") -> str:
        """What a script prints."""
        beside = BESIDE.format(package=self.package, folder=str(self.folder))
        command = [sys.executable, "-c", beside + script]
        done = subprocess.run(command, cwd=ROOT, input=given, capture_output=True, encoding="utf-8")
        assert done.returncode == 0, done.stderr
        return done.stdout

    def commands(self, *commands: Sequence[str]) -> list[Done]:
        """What commands do, one after the other; a name that ends in .json is a file of the folder."""
        placed = [[str(self.folder / one) if one.endswith(".json") else one for one in each] for each in commands]
        return [Done(*done) for done in json.loads(self.python(COMMANDS, json.dumps(placed)))]
