"""The addresses that a release states.

The project has none of its own; the builder of a release tells them:

    REPOSITORY_URL=https://... SITE_URL=https://... python -m build

Then the metadata has the addresses, and the links of the README lead to the files of the release's tag. Without
REPOSITORY_URL the README stays as it is. Hatchling calls this (`[tool.hatch.metadata.hooks.custom]` of pyproject.toml).
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PATH = re.compile(r"(?<=\]\()(?![a-z]+:|#)")
"""Where the link of a Markdown text names a file by its path."""

PICTURE = re.compile(r"(!\[[^\]]*\]\()(?![a-z]+:)")
"""Where a picture does: a page about a file is no picture."""


def urls(repository: str, site: str, tag: str) -> dict[str, str]:
    """The addresses, by the names that a package index knows; those that are not told are left out."""
    known = {"Documentation": site}
    if repository:
        known |= {
            "Repository": repository,
            "Issues": f"{repository}/issues",
            "Changelog": f"{repository}/blob/{tag}/CHANGELOG.md",
        }
    return {name: url for name, url in known.items() if url}


def absolute(text: str, repository: str, tag: str) -> str:
    """A Markdown text of the top folder, whose links to files lead to those of a tag, and whose pictures are these."""
    if repository:
        text = PICTURE.sub(rf"\g<1>{repository}/raw/{tag}/", text)
    return PATH.sub(f"{repository}/blob/{tag}/", text) if repository else text


class Addresses(MetadataHookInterface):
    """What hatchling asks for the fields that pyproject.toml calls dynamic."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in the README and the addresses."""
        repository, site = (os.environ.get(name, "").rstrip("/") for name in ("REPOSITORY_URL", "SITE_URL"))
        tag = f"v{metadata['version']}"
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": absolute(readme, repository, tag)}
        metadata["urls"] = urls(repository, site, tag)
