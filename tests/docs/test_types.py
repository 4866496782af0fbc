"""The Python sessions of the README and of the pages pass `mypy --strict`, as a user's own code would."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from tests.docs.test_examples import PAGES, ROOT, blocks

UNTYPED = ("docs/data/frames.md", "docs/engine.md")
"""Pages whose sessions define something in three lines, without types."""


def session(page: Path) -> str:
    """What is typed at the prompt on a page, as a module."""
    parser = doctest.DocTestParser()
    examples = [example for _, text in blocks(page, "pycon") for example in parser.get_examples(text)]
    return "".join(example.source for example in examples if not example.exc_msg)


@pytest.mark.slow
def test_sessions_pass_strict_types(tmp_path: Path) -> None:
    api = pytest.importorskip("mypy.api")
    found = {page.relative_to(ROOT).as_posix(): session(page) for page in PAGES}
    assert "rt.cross_validate" in found["README.md"]
    for name, code in found.items():
        if code and name not in UNTYPED:
            (tmp_path / (name.replace("/", "_").removesuffix(".md") + ".py")).write_text(code, encoding="utf-8")
    told, _, status = api.run(["--strict", "--config-file=", "--no-error-summary", str(tmp_path)])
    assert status == 0, told
