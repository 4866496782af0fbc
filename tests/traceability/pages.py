"""The pages generated from the inventory: traceability, the errata of the sources, and the bibliography.

1. `page`, `errata_page` and `bibliography_page` are Markdown texts, the same for the same checkout.
2. `generated` says which file holds which; `write` brings the files up to date, each of them at once.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from docs.tools.pages import page_of
from reference_tree.conformance.cases import cases
from reference_tree.data.textbook import describe, names
from reference_tree.exact.rounding import decimal, significant
from reference_tree.measures.conditional_entropy import by_class, conditional_entropy
from reference_tree.measures.entropy import entropy
from tests.traceability.covering import DOCS, anchor_of, code, coverings, lacking, open_items, page_of_item, parts
from tests.traceability.inventory import (
    DOCUMENTS,
    PACKAGE,
    ROOT,
    Document,
    Documented,
    Erratum,
    Item,
    Reference,
    bibliography,
    citers,
    documents,
    errata,
    items,
)

COMMAND = "`python -m tests.traceability.inventory` writes this page"
SEVERITIES = {
    "wrong": "gives a wrong result if it is followed",
    "notation": "is a slip of the pen, or a sign with two meanings",
    "gap": "leaves open what a program has to settle",
}

GOLDENS = ROOT / "tests" / "goldens"
BESIDE = {"id3/watermelon-3.0"}
"""Goldens whose printed figures stand beside the first cut of an attribute, not beside the one that the book means."""

SURPRISES = (
    (
        "C4.5, release 8",
        "adds weights as 32-bit floats, so that with missing values the order of the rows tells in the last digits",
        "order.rows",
    ),
    (
        "scikit-learn",
        "draws the order of the columns even if all are used: fifty seeds gave eight trees of the irises",
        "order.rows",
    ),
    ("J48", "keeps the first of all candidates within 0.000001 of the best, which may be a worse one", "ties.split"),
)


def page() -> str:
    """The traceability page: each part of each source document, and what answers to it."""
    return _text(
        "---\nsearch:\n  exclude: true\n---",
        "# Traceability",
        f"{COMMAND} from the docstrings of the package, the marks of the tests, and the lists in `tests/traceability`.",
        "A part of a source document is covered when",
        "1. a docstring cites it in its `Source:` section;\n"
        "2. a test is about it, and says so with the mark `covers`; while this test runs, it enters that code, or it "
        "fails;\n"
        "3. it is discussed on a page: a remark in a paragraph of its own, anything else beside its code.",
        "A section without code of its own is covered by its parts. What is there for speed alone counts for nothing. "
        f"[Faults](errata.md) stand below a part, and the {_link('conformance/goldens.md', 'goldens')} that come from "
        "it below its tests. The other works that are cited are in the [bibliography](bibliography.md).",
        _table(("document", "parts", "with code", "with a test", "with a page", "covered", "open"), _totals()),
        "## Open",
        _table(("item", "lacks", "chapter"), map(_open, open_items())) if open_items() else "Nothing.",
        *(block for document in documents() for block in _document(document)),
    )


def errata_page() -> str:
    """The page of what is wrong in books and programs and, in an appendix, in the source documents."""
    meanings = "; ".join(f"**{severity}** {meaning}" for severity, meaning in SEVERITIES.items())
    return _text(
        "---\nsearch:\n  boost: 0.5\n---",
        "# Errata of books and programs",
        f"{COMMAND} from the goldens and from `tests/traceability/errata.toml`.",
        "## Figures in books",
        "Each figure that a book prints for one of the tables here was computed anew, exactly. These are the ones that "
        "are not the rounded value: most were computed from figures that had been rounded before, some are cut off. No "
        "tree changes by any of them.",
        _table(("where", "of", "printed", "exactly, to ten digits", "why"), _misprints()),
        "## Programs",
        "What a program does otherwise than its books is a [rule with a name](dialects/c45_programs.md), and no fault. "
        "These are results that depend on what no book speaks of.",
        _table(("program", "what happens", "decision"), _surprises()),
        "## Appendix: the source documents",
        "The source documents are study notes, and each of their formulas was held against the literature. What is "
        f"marked {meanings}. Where a choice had to be made, it has an id among the "
        f"{_link('decisions.md', 'decisions')}.",
        _table(("document", *SEVERITIES), map(_severities, documents())),
        *(block for document in documents() for block in _faults(document)),
    )


def bibliography_page() -> str:
    """The page of the literature, each work with the functions that cite it."""
    works = sorted(bibliography(), key=lambda reference: reference.key.casefold())
    return _text(
        "---\nsearch:\n  boost: 0.2\n---",
        "# Bibliography",
        f"{COMMAND} from `tests/traceability/bibliography.toml`.",
        *(block for reference in works for block in (f"## {reference.key}", _work(reference))),
    )


def generated() -> Mapping[Path, str]:
    """The generated files and what they ought to hold."""
    pages: Mapping[str, Callable[[], str]] = {
        "traceability.md": page,
        "errata.md": errata_page,
        "bibliography.md": bibliography_page,
    }
    return {DOCS / name: text() for name, text in pages.items()}


def write() -> None:
    """Brings the generated files up to date. A reader never meets half a page."""
    for path, text in generated().items():
        draft = path.with_name(f"{path.name}.new")
        draft.write_text(text, encoding="utf-8")
        os.replace(draft, path)


# -------------------------------------------------------------------------------------------------------- traceability


def _totals() -> Iterator[Iterable[str]]:
    for document in documents():
        yield _jump(document), *_counted([item for item in items() if item.document == document.key])
    yield "all", *_counted(items())


def _counted(those: Collection[Item]) -> Iterator[str]:
    """How many there are, have code, a test, a page, are covered, and are open."""
    having = [sum(not _lacks(item, what) for item in those) for what in ("code", "a test", "a page")]
    left = sum(item in open_items() for item in those)
    return map(str, (len(those), *having, len(those) - left, left))


def _lacks(item: Item, what: str) -> bool:
    """Whether an item lacks something, or a part of it does."""
    return any(_lacks(part, what) for part in parts(item)) or what in lacking(item)


def _tests(item: Item) -> Collection[str]:
    return [f"`{file}`<br>`{test}`" for file, test in coverings().get(item.id, ())]


def _open(item: Item) -> Iterable[str]:
    return (f"`{item.id}`<br>{item.kind}: {item.title}", ", ".join(open_items()[item]), f"`{item.chapter}`")


def _document(document: Document) -> Iterator[str]:
    yield f"## {document.key}"
    yield f"{document.title}, `{document.file}`"
    yield _table(
        ("item", "code and page", "tests and goldens"),
        map(_row, (item for item in items() if item.document == document.key)),
    )


def _row(item: Item) -> Iterable[str]:
    goldens = (f"`{case.id}`" for case in cases().values() if item.id in case.sources)
    what = (f"`{item.id}`", f"{item.kind}: {item.title}", *_faults_of(item))
    where = [*map(_shown, code(item)), *_discussed(item)] or ["in its parts" if parts(item) else "open"]
    return (_lines(what), _lines(where), _lines([*_tests(item), *goldens]))


def _faults_of(item: Item) -> Iterator[str]:
    if item.errata:
        yield "faults: " + ", ".join(f"[{fault}](errata.md#{fault.lower()})" for fault in item.errata)


def _discussed(item: Item) -> Iterator[str]:
    """The paragraph of a remark."""
    if item.kind == "remark" and (path := page_of_item(item)):
        yield f"[discussed]({path.relative_to(DOCS).as_posix()}#{anchor_of(item.id)})"


def _shown(one: Documented) -> str:
    """Something that cites, by the name it has in its module, with a link to its place on the site."""
    page, anchor = page_of(Path(f"{_mirror(one.module)}.py")), f"#{one.module}.{one.name}" if one.name else ""
    name = f"`{one.name or one.module.rpartition('.')[2]}`"
    return f"[{name}]({page.relative_to(DOCS).as_posix()}{anchor})" if page.exists() else name


def _mirror(module: str) -> str:
    """Where a module stands: `measures/entropy`."""
    return module.removeprefix(f"{PACKAGE}.").replace(".", "/")


# -------------------------------------------------------------------------------------------------------------- errata


def _misprints() -> Iterator[Iterable[str]]:
    """The figures of books that are not the rounded ones."""
    for golden in sorted(GOLDENS.rglob("*.json")):
        case = json.loads(golden.read_text(encoding="utf-8"))
        for figure in case["printed"]:
            if (
                figure["agrees"] != "rounded"
                and figure["source"].split()[0] not in DOCUMENTS
                and case["id"] not in BESIDE
            ):
                about = figure.get("attribute") or figure.get("test") or (f"round {figure['round']}")
                score = f"leaf {figure['score']}" if figure["score"].isdigit() else figure["score"]
                exact = significant(Fraction(figure["ours"]), 10)
                why = figure.get("note") or calculation(case, figure)
                yield (
                    f"[{figure['source']}](bibliography.md#{figure['source'].split()[0].lower()})",
                    *map(_plain, (f"{score} of {about}", figure["value"], exact, why)),
                )


def calculation(case: Mapping[str, Any], figure: Mapping[str, str]) -> str:
    """The calculation that gives a printed figure which is not the rounded one, found by trying.

    Authors who subtract by hand round the operands first: 0.246 is 0.940 − 0.694.
    """
    if figure["score"] == "gain" and "attribute" in figure:
        decision = next(one for one in case["expected"]["decisions"] if one["node"] == figure["node"])
        asked = next(one for one in decision["candidates"] if one["test"].get("attribute") == figure["attribute"])
        rows = [[Fraction(cell) for cell in row] for row in asked["table"]["rows"]]
        places = len(figure["value"].partition(".")[2])
        whole, left = (decimal(one, places) for one in (entropy(by_class(rows)), conditional_entropy(rows)))
        if Fraction(whole) - Fraction(left) == Fraction(figure["value"]):
            return f"{whole} − {left}, entropies that were rounded before they were subtracted"
    return "cut off, not rounded" if figure["agrees"] == "cut off" else "no calculation is known that gives it"


def _plain(text: str) -> str:
    return text.replace("_", " ").replace("<", "&lt;").replace("|", "\\|")


def _surprises() -> Iterator[Iterable[str]]:
    """What programs do, each with the decision under which it is told."""
    for program, what, decision in SURPRISES:
        yield program, what, f"[`{decision}`](decisions.md#{decision})"


def _severities(document: Document) -> Iterable[str]:
    count = Counter(erratum.severity for erratum in errata() if erratum.source == document.key)
    return (_jump(document), *(str(count[severity]) for severity in SEVERITIES))


def _faults(document: Document) -> Iterator[str]:
    yield f"## {document.key}"
    yield f"{document.title}, `{document.file}`"
    for erratum in errata():
        if erratum.source == document.key:
            yield f"### {erratum.id}"
            yield "\n".join(_fault(erratum))


def _fault(erratum: Erratum) -> Iterator[str]:
    where = ", ".join(f"`{item.id}`" for item in items() if erratum.id in item.errata)
    lines = f"line{'s' if erratum.also else ''} {', '.join(map(str, sorted(erratum.lines)))}"
    yield f"- **{erratum.severity}** in {where}, {lines}"
    yield f"- says: {erratum.says}"
    yield f"- should: {erratum.should}"
    if erratum.settled_by:
        yield f"- settled by {', '.join(f'[`{decision}`](decisions.md#{decision})' for decision in erratum.settled_by)}"


# -------------------------------------------------------------------------------------------------------- bibliography


def _work(reference: Reference) -> str:
    authors = "; ".join(reference.authors)
    year = f" ({reference.year})" if reference.year else ""
    number = f" [doi:{reference.doi}](https://doi.org/{reference.doi})" if reference.doi else ""
    number += f" ISBN {reference.isbn}" if reference.isbn else ""
    return f"{authors}{year}. *{reference.title}*. {reference.venue}.{number}{_cited_by(reference)}"


def _cited_by(reference: Reference) -> str:
    if reference.key in {document.key for document in documents()}:
        return f" What cites it: [traceability](traceability.md#{reference.key.lower()})."
    who = dict.fromkeys(f"`{one.path}`" for one in _citing(reference))
    tables = [f"`{name}`" for name in names() if reference.key in {s.split()[0] for s in describe(name).sources}]
    return (f" Cited by {', '.join(who)}." if who else "") + (f" The source of {', '.join(tables)}." if tables else "")


def _citing(reference: Reference) -> Iterator[Documented]:
    return (one for citation, who in citers().items() if citation.split()[0] == reference.key for one in who)


# ------------------------------------------------------------------------------------------------------------ Markdown


def _text(*blocks: str) -> str:
    return "\n\n".join(blocks) + "\n"


def _table(head: Collection[str], rows: Iterable[Iterable[str]]) -> str:
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows))


def _lines(cells: Iterable[str]) -> str:
    return "<br>".join(cells)


def _jump(document: Document) -> str:
    return f"[{document.key}](#{document.key.lower()})"


def _link(page: str, title: str) -> str:
    """A link to a page of the site; while the page is to come, only its name."""
    return f"[{title}]({page})" if (DOCS / page).exists() else title
