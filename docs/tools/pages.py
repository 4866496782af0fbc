"""The pages of modules: one for each public module of the package, at the same place in `docs/`.

A thin page is a title and the module's own docstrings; whoever has more to say writes it between the two. This script
writes the thin pages that are missing, never touches one that exists, and names the pages that the `nav` of mkdocs.yml
still lacks (the strict build refuses them):

    python docs/tools/pages.py
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "reference_tree"


def public_modules() -> Iterator[Path]:
    """The modules that readers see, relative to the package: `measures/entropy.py`."""
    for path in sorted(PACKAGE.rglob("*.py")):
        module = path.relative_to(PACKAGE)
        if not any(part.startswith(("_", ".")) for part in module.parts):
            yield module


def page_of(module: Path) -> Path:
    """Where its page is: `docs/measures/entropy.md`."""
    return ROOT / "docs" / module.with_suffix(".md")


def directive_of(module: Path) -> str:
    """The line that puts its docstrings on a page: `::: reference_tree.measures.entropy`."""
    return "::: " + ".".join((PACKAGE.name, *module.with_suffix("").parts))


def title_of(module: Path) -> str:
    """What its docstring says before the colon of the first line; else its name."""
    docstring = ast.get_docstring(ast.parse((PACKAGE / module).read_text(encoding="utf-8"))) or ""
    first, colon, _ = docstring.partition("\n")[0].partition(":")
    return first if colon else module.stem.replace("_", " ").capitalize()


def thin_page(module: Path) -> str:
    """A title, and the module."""
    return f"# {title_of(module)}\n\n{directive_of(module)}\n"


def main() -> None:
    """Write the missing pages, and say what the navigation lacks."""
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for module in public_modules():
        page = page_of(module)
        if not page.exists():
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(thin_page(module), encoding="utf-8")
            print("written:", page.relative_to(ROOT).as_posix())
        name = module.with_suffix(".md").as_posix()
        if name not in nav:
            print("not in the nav of mkdocs.yml:", name)


if __name__ == "__main__":
    main()
