"""Every example of the README and of the pages runs, and prints what the page says it prints.

Two kinds of fenced blocks are examples: `pycon`, a session at the Python prompt, one page long; and `console`, commands
after a `$` with what they print, where `...` stands for anything. Blocks with `exec="on"` are run by the site itself.
"""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path

import pytest

from reference_tree.cli import main

ROOT = Path(__file__).parents[2]
PAGES = [
    page
    for page in sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
    if (ROOT / "docs" / "tools") not in page.parents
]
COMMANDS = (["python3", "-m", "reference_tree"], ["reference-tree"])
every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())


def blocks(page: Path, language: str) -> Iterator[tuple[int, str]]:
    """The fenced blocks of a page in one language, each with the number of its first line, from 0."""
    text = page.read_text(encoding="utf-8")
    for match in re.finditer(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield text.count("\n", 0, match.start(1)), match[1]


def commands(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with what it prints."""
    for command_and_output in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = command_and_output.partition("\n")
        yield command, output


def run(command: str, folder: Path) -> str:
    """What a command of the package prints."""
    words = shlex.split(command)
    program = next((known for known in COMMANDS if words[: len(known)] == known), None)
    assert program, f"a console block holds commands of the package, not: {command}"
    printed = StringIO()
    with chdir(folder), redirect_stdout(printed), redirect_stderr(printed), suppress(SystemExit):
        main(words[len(program) :])
    return printed.getvalue()


@every_page
def test_python_sessions(page: Path) -> None:
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    names: dict[str, object] = {}
    complaints: list[str] = []
    for line, text in blocks(page, "pycon"):
        session = parser.get_doctest(text, names, page.name, str(page), line)
        session.globs = names  # one page is one session
        runner.run(session, out=complaints.append, clear_globs=False)
    assert not complaints, "".join(complaints)


@every_page
def test_console_sessions(page: Path, tmp_path: Path) -> None:
    for _, text in blocks(page, "console"):
        for command, expected in commands(text):
            printed = run(command, tmp_path)
            assert doctest.OutputChecker().check_output(expected, printed, doctest.ELLIPSIS), f"{command}\n{printed}"
