"""The wheel of the package, which the playground runs in a reader's browser.

It is built anew whenever mkdocs starts, by the same code that pip asks, so that the playground always runs what the
pages show. This Markdown extension does so before mkdocs looks for the files of the site. The wheel is not committed.
"""

from __future__ import annotations

import os
from contextlib import chdir
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from markdown import Markdown
from markdown.extensions import Extension

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "assets" / "playground"


@cache
def wheel() -> str:
    """The name of the wheel, once it stands in `FOLDER`, and no older one beside it.

    Raises:
        ModuleNotFoundError: hatchling is not installed, which comes with the extra `docs`.
    """
    from hatchling.build import build_wheel

    with TemporaryDirectory(dir=ROOT / "docs" / "tools") as folder, chdir(ROOT):
        name = build_wheel(folder)
        built, kept = Path(folder) / name, FOLDER / name
        for other in set(FOLDER.glob("*.whl")) - {kept}:
            other.unlink()
        if not kept.exists() or kept.read_bytes() != built.read_bytes():  # mkdocs serve watches this folder
            os.replace(built, kept)
    return name


class WheelExtension(Extension):
    """The extension `docs.tools.wheel` of mkdocs.yml."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  (Python-Markdown's name)
        """Have the wheel built; pages stay as they are."""
        wheel()


def makeExtension(**options: object) -> WheelExtension:  # noqa: N802  (Python-Markdown's name)
    """What Python-Markdown calls to load the extension."""
    return WheelExtension(**options)
