"""`docs/` and `tests/` mirror the package: whoever knows where a module is knows where its page and its test are."""

from __future__ import annotations

import re
from pathlib import Path

from docs.tools import pages
from tests.every import of_every

MODULES = list(pages.public_modules())
every_module = of_every(MODULES)


@every_module
def test_every_module_has_a_page_that_shows_it(module: Path) -> None:
    page = pages.page_of(module)
    assert page.exists(), f"write it with: python docs/tools/pages.py  ({page.relative_to(pages.ROOT)})"
    if module.parts[0] not in pages.ONE_PAGE:
        assert pages.directive_of(module) in page.read_text(encoding="utf-8").splitlines()


@of_every(sorted(pages.ONE_PAGE))
def test_a_folder_with_one_page_shows_what_readers_call(folder: str) -> None:
    page = pages.page_of(Path(folder))
    modules = [module for module in MODULES if pages.page_of(module) == page]
    shown = {line for line in page.read_text(encoding="utf-8").splitlines() if line[:4] == "::: "}
    assert shown
    assert shown <= {f"::: reference_tree.{folder}", *map(pages.directive_of, modules)}
    assert not (pages.ROOT / "docs" / folder).exists(), "one page, and no folder of pages"


@every_module
def test_every_module_has_a_test(module: Path) -> None:
    test = pages.ROOT / "tests" / module.parent / f"test_{module.name}"
    assert test.exists(), test.relative_to(pages.ROOT)


@every_module
def test_every_page_is_in_the_navigation(module: Path) -> None:
    nav = pages.CONFIGURATION.read_text(encoding="utf-8").splitlines()
    assert pages.with_page(nav, module) == nav, "add it with: python docs/tools/pages.py"


def test_a_thin_page_is_a_title_and_the_module() -> None:
    page = pages.thin_page(Path("measures/gini_index.py"))
    assert page.startswith("---\nsearch:\n  boost: 0.2\n---\n\n# ")
    assert page.endswith("\n\n::: reference_tree.measures.gini_index\n")


def test_a_new_page_comes_last_in_its_section_of_inside() -> None:
    learn = ["  - Learn:", "      - measures/twoing.md", "      - Data:"]
    nav = [*learn, "  - Inside:", "      - Data:", "          - data/table.md", "      - Engine:"]
    for module in ("data/schema.py", "measures/values.py", "measures/twoing.py"):
        nav = pages.with_page(nav, Path(module))
    assert nav == [
        *learn,
        "  - Inside:",
        "      - Data:",
        "          - data/table.md",
        "          - data/schema.md",
        "      - Measures:",
        "          - measures/values.md",
        "      - Engine:",
    ]


def _inside() -> list[Path]:
    nav = pages.CONFIGURATION.read_text(encoding="utf-8").partition(f"\n{pages.INSIDE}\n")[2].partition("\n  - ")[0]
    return [pages.ROOT / "docs" / page for page in re.findall(r"([\w/]+\.md)$", nav, re.MULTILINE)]


@of_every(_inside())
def test_what_is_inside_comes_last_in_the_search(page: Path) -> None:
    assert page.read_text(encoding="utf-8").startswith("---\nsearch:\n  boost: 0.2\n---\n")
