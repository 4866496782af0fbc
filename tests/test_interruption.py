"""Interrupted at any moment, the command line ends with status 130 and without a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT between processes")


def interrupted(arguments: list[str], after: float) -> tuple[int, str]:
    """The status of a command that is interrupted so many seconds after the package was imported, and what it said."""
    script = (
        "import signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a shell lets its background ignore it
        "sys.argv[0] = '-m'\n"
        "import reference_tree\n"
        "print(flush=True)\n"
        "from reference_tree.cli import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    command = [sys.executable, "-c", script, *arguments]
    run = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert run.stdout is not None
    run.stdout.readline()
    time.sleep(after)
    run.send_signal(signal.SIGINT)
    return run.wait(60), run.communicate()[1]


@pytest.mark.slow
def test_interrupted_while_it_imports() -> None:
    """The signal is raised by the first module that the package imports, so that the moment is certain."""
    script = (
        "import os, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == {name!r}:\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "sys.argv = ['-m']\n"
        "import reference_tree.cli\n"
    )
    for name in ("reference_tree.programs", "reference_tree.tree", "reference_tree.views.trees.svg"):
        run = subprocess.run(
            [sys.executable, "-c", script.format(name=name)], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert (run.returncode, run.stderr) == (130, "")


def test_a_library_is_interrupted_as_any_other() -> None:
    script = (
        "import signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "import reference_tree\n"
        "assert signal.getsignal(signal.SIGINT) is signal.default_int_handler\n"
    )
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True)


@pytest.mark.slow
@pytest.mark.parametrize("after", [0, 0.01, 0.05, 0.2, 0.6])
def test_interrupted_at_any_moment(after: float) -> None:
    status, told = interrupted(["select", "iris", "--max-depth", "0-200", "--folds", "50"], after)
    assert "Traceback" not in told
    assert status == 130
