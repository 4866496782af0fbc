"""The pages of modules: one for each public module of the package, at the same place in `docs/`.

A folder in `ONE_PAGE` has one page for all its modules; it shows those that readers call. A module in `TOGETHER` stands
on the page of another one.

A thin page is a title and the module's own docstrings; whoever has more to say writes it between the two. This script
writes the thin pages that are missing and puts them into the `nav` of mkdocs.yml, at the end of their section:

    python docs/tools/pages.py

It never touches a page that exists. The order within a section is the order of reading, and is arranged by hand.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "reference_tree"
CONFIGURATION = ROOT / "mkdocs.yml"

INSIDE = "  - Inside:"
"""The part of the navigation that shows what is neither learnt nor looked up. Its pages come last in the search."""

SECTIONS = {  # of this part, by folder or by module
    "exact": "Exact numbers",
    "chance": "Selection",
    "data": "Data",
    "measures": "Measures",
    "splitting": "Splitting",
    "node": "Trees",
    "invariants": "Trees",
    "predictor": "Trees",
    "tree": "Trees",
    "routing": "Trees",
    "subtrees": "Trees",
    "tree_document": "Trees",
    "learners": "Learners",
    "selection": "Selection",
    "pruning": "Pruning",
    "ensembles": "Ensembles",
    "attribution": "Attribution",
    "functions": "Whole models",
    "estimators": "Trees",
    "views": "Views",
    "conformance": "Conformance",
    "checking": "Conformance",
    "auditing": "Conformance",
    "findings_output": "Conformance",
    "programs": "Conformance",
    "cli": "Command line",
    "engine": "Engine",
    "stores": "Data",
    "twins": "Engine",
}

ONE_PAGE = frozenset(
    {"auditing", "checking", "cli", "engine", "estimators", "programs", "stores", "tree_document", "views"}
)
"""The folders that have one page for all their modules."""

CALLED = {"programs": "foreign"}
"""The pages of such folders that have another name: addresses do not change."""

BENEATH = "_more"
"""What the name of a page ends with that stands beneath a page of *Learn*: floats, other programs, proofs, modules."""

TOGETHER = {
    "attribution/covers.py": "attribution/attributions.md",
    "attribution/leaf_polynomials.py": "attribution/shapley.md",
    "attribution/summands.py": "attribution/attributions.md",
    "attribution/value_functions.py": "attribution/shapley.md",
    "conformance/given.py": "conformance/claims.md",
    "ensembles/derivatives.py": "ensembles/gradient_boosting.md",
    "ensembles/learner.py": "ensembles/ensemble.md",
    "ensembles/registry.py": "ensembles/ensemble.md",
    "learners/gradient_sums.py": "learners/gradient_tree.md",
    "predictor.py": "tree.md",
    "pruning/method.py": "pruning/comparing.md",
    "splitting/discretizers.py": "splitting/discretization.md",
    "programs/c45/profile.py": "dialects/c45_programs.md",
    "programs/c45_options.py": "dialects/c45_programs.md",
    "programs/weka/profile.py": "dialects/c45_programs.md",
    "programs/cart_options.py": "dialects/cart_programs.md",
    "programs/rpart/profile.py": "dialects/cart_programs.md",
    "programs/scikit_learn/profile.py": "dialects/cart_programs.md",
    "programs/spark/profile.py": "dialects/cart_programs.md",
    "programs/xgboost/bins.py": "dialects/xgboost.md",
    "programs/c45/release8.py": "dialects/c45_programs.md",
    "programs/rpart/rules.py": "dialects/cart_programs.md",
    "programs/scikit_learn/draws.py": "dialects/cart_programs.md",
    "programs/releases.py": "dialects/xgboost.md",
    "programs/boosters.py": "auditing.md",
    "programs/scikit_learn/faults.py": "auditing.md",
    "programs/scikit_learn/known_or_missing.py": "auditing.md",
    "programs/scikit_learn/row_weights.py": "auditing.md",
    "functions/answers.py": "functions/equivalence.md",
    "functions/boxes.py": "functions/steps.md",
    "functions/causes.py": "functions/equivalence.md",
    "functions/counterfactuals.py": "functions/questions.md",
    "functions/cells.py": "functions/steps.md",
    "functions/fingerprints.py": "functions/steps.md",
    "functions/searches.py": "functions/equivalence.md",
    "learners/least_cost.py": "learners/optimal.md",
    "learners/recorded.py": "learners/options.md",
    "learners/registry.py": "learners/options.md",
    "learners/stopping/bounds.py": "learners/stopping.md",
    "learners/stopping/chi_squared.py": "learners/stopping.md",
    "records.py": "measures/measure.md",
    "twins.py": "engine.md",
}
"""The modules that stand on the page of another one, which needs them to be understood."""


def public_modules() -> Iterator[Path]:
    """The modules that readers see, relative to the package: `measures/entropy.py`."""
    for path in sorted(PACKAGE.rglob("*.py")):
        module = path.relative_to(PACKAGE)
        if not any(part.startswith(("_", ".")) for part in module.parts):
            yield module


def page_of(module: Path) -> Path:
    """Where it is shown: `docs/measures/values.md`; `docs/views.md` for a module of a folder with one page.

    A page of *Learn* does not show its module, but the page beneath it: `docs/measures/entropy_more.md`.
    """
    folder = module.parts[0]
    place = Path(CALLED.get(folder, folder)) if folder in ONE_PAGE else module
    page = ROOT / "docs" / TOGETHER.get(module.as_posix(), place.with_suffix(".md"))
    return beneath(page) if beneath(page).exists() else page


def beneath(page: Path) -> Path:
    """The page that says more than a page of *Learn*."""
    return page.with_stem(page.stem + BENEATH)


def directive_of(module: Path) -> str:
    """The line that puts its docstrings on a page: `::: reference_tree.measures.entropy`."""
    return "::: " + ".".join((PACKAGE.name, *module.with_suffix("").parts))


def title_of(module: Path) -> str:
    """What its docstring says before the colon of the first line; else its name."""
    docstring = ast.get_docstring(ast.parse((PACKAGE / module).read_text(encoding="utf-8"))) or ""
    first, colon, _ = docstring.partition("\n")[0].partition(":")
    return first if colon else module.stem.replace("_", " ").capitalize()


def thin_page(module: Path) -> str:
    """A title, and the module, which the search finds after the pages that teach."""
    return f"---\nsearch:\n  boost: 0.2\n---\n\n# {title_of(module)}\n\n{directive_of(module)}\n"


def _header(section: str) -> str:
    return f"      - {section}:"


def _opened(nav: list[str], section: str) -> list[str]:
    """The navigation with a section, put before the first of *Inside* that comes after it in `SECTIONS`."""
    inside = nav.index(INSIDE) + 1
    if _header(section) in nav[inside:]:
        return nav
    sections = list(dict.fromkeys(SECTIONS.values()))
    later = [_header(name) for name in sections[sections.index(section) + 1 :]]
    end = next((number for number, line in enumerate(nav) if number >= inside and line.startswith("  - ")), len(nav))
    at = next((number for number in range(inside, end) if nav[number] in later), end)
    return [*nav[:at], _header(section), *nav[at:]]


def with_page(nav: list[str], module: Path) -> list[str]:
    """The lines of the navigation, with the page of a module: where it was put by hand, or else in *Inside*."""
    page = page_of(module).relative_to(ROOT / "docs").as_posix()
    if any(line.endswith(f" {page}") for line in nav):
        return nav
    section = SECTIONS[module.parts[0].removesuffix(".py")]
    nav = _opened(nav, section)
    end = nav.index(_header(section), nav.index(INSIDE)) + 1
    while end < len(nav) and nav[end].startswith("          - "):
        end += 1
    return [*nav[:end], f"          - {page}", *nav[end:]]


def main() -> None:
    """Write the pages that are missing, and complete the navigation."""
    settings, nav = CONFIGURATION.read_text(encoding="utf-8").split("\nnav:\n")
    for module in public_modules():
        page = page_of(module)
        if not page.exists():
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(thin_page(module), encoding="utf-8")
            print("written:", page.relative_to(ROOT).as_posix())
        nav = "\n".join([*with_page(nav.splitlines(), module), ""])
    CONFIGURATION.write_text(f"{settings}\nnav:\n{nav}", encoding="utf-8")


if __name__ == "__main__":
    main()
