"""Every example of the README and of the pages runs, and prints what the page says it prints.

Three kinds of fenced blocks are examples: `pycon`, a session at the Python prompt, one page long; `console`, commands
after a `$` with what they print, where `...` stands for anything; and `sh`, commands of which only those of the package
are run, and need but succeed. A block with a title is a file that commands may name. Blocks with `exec="on"` are run
by the site itself.
"""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from reference_tree.cli import main
from tests.checking.answering import kept

ROOT = Path(__file__).parents[2]
PAGES = [
    page
    for page in sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
    if (ROOT / "docs" / "tools") not in page.parents
]
COMMANDS = (["python3", "-m", "reference_tree"], ["reference-tree"])


def blocks(page: Path, language: str) -> Iterator[tuple[int, str]]:
    """The fenced blocks of a page in one language, each with the number of its first line, from 0."""
    text = page.read_text(encoding="utf-8")
    for match in re.finditer(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield text.count("\n", 0, match.start(1)), match[1]


def write_files(page: Path, folder: Path) -> None:
    """Write the blocks of a page that are files, as their titles say."""
    text = page.read_text(encoding="utf-8")
    for match in re.finditer(r'^```\w+ title="([\w.-]+)"\n(.*?)^```$', text, re.MULTILINE | re.DOTALL):
        (folder / match[1]).write_text(match[2], encoding="utf-8")


def every_page(language: str) -> pytest.MarkDecorator:
    """A test of each page that has a block in a language."""
    pages = [page for page in PAGES if any(blocks(page, language))]
    return pytest.mark.parametrize("page", pages, ids=lambda page: page.relative_to(ROOT).as_posix())


def commands(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with what it prints."""
    for command_and_output in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = command_and_output.partition("\n")
        yield command, output


def run(command: str, folder: Path) -> str:
    """What a command of the package prints."""
    words = shlex.split(command)
    assert program_of(words), f"a console block holds commands of the package, not: {command}"
    return executed(words, folder)[1]


def program_of(words: list[str]) -> list[str] | None:
    """How the package is called by a command, if it is."""
    return next((known for known in COMMANDS if words[: len(known)] == known), None)


def executed(words: list[str], folder: Path) -> tuple[int, str]:
    """The exit status of a command of the package, and what it prints."""
    printed, status = StringIO(), 0
    with chdir(folder), redirect_stdout(printed), redirect_stderr(printed):
        try:
            status = main(words[len(program_of(words) or ()) :])
        except SystemExit as ended:
            status = int(ended.code or 0)
    return status, printed.getvalue()


@every_page("pycon")
def test_python_sessions(page: Path) -> None:
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    names: dict[str, object] = {}
    complaints: list[str] = []
    for line, text in blocks(page, "pycon"):
        session = parser.get_doctest(text, names, page.name, str(page), line)
        session.globs = names  # one page is one session
        runner.run(session, out=complaints.append, clear_globs=False)
    assert not complaints, "".join(complaints)


@pytest.mark.one_in(3, 6)
@every_page("console")
def test_console_sessions(page: Path, tmp_path: Path) -> None:
    write_files(page, tmp_path)
    for _, text in blocks(page, "console"):
        for command, expected in commands(text):
            printed = run(command, tmp_path)
            assert doctest.OutputChecker().check_output(expected, printed, doctest.ELLIPSIS), f"{command}\n{printed}"


@pytest.mark.one_in(3, 9)
@every_page("sh")
def test_commands_without_output(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Goldens are not worked out, but those that are kept, which other tests compare with what is worked out."""
    monkeypatch.setattr("reference_tree.cli.goldens.document", lambda case: kept(case.id))
    for name in ("FILE.csv", "FILE", "exercise.csv"):
        (tmp_path / name).write_text("outlook,wind,play\nsunny,5,no\nrain,20,yes\nrain,30,no\n", encoding="utf-8")
    for _, text in blocks(page, "sh"):
        for command in text.replace("\\\n", " ").splitlines():
            words = shlex.split(command, comments=True)
            if program_of(words) and "--to" not in words:  # every golden is written, by tests of their own
                status, printed = executed(words, tmp_path)
                assert status == 0, f"{command}\n{printed}"
