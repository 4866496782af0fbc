"""The pages generated from the inventory: traceability, the errata of the sources, and the bibliography.

1. `page`, `errata_page` and `bibliography_page` are Markdown texts, the same for the same checkout.
2. `generated` says which file holds which; `write` brings the files up to date, each of them at once.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from docs.tools.pages import page_of
from reference_tree.conformance.books import ledger
from reference_tree.conformance.cases import cases
from reference_tree.data.textbook import describe, names
from reference_tree.exact.rounding import significant
from tools.traceability.calculations import about, agrees, calculation, exact
from tools.traceability.covering import (
    DOCS,
    STATES,
    anchor_of,
    code,
    coverings,
    open_items,
    page_of_item,
    parts,
    state,
)
from tools.traceability.inventory import (
    DOCUMENTS,
    PACKAGE,
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

COMMAND = "`python -m tools.traceability.inventory` writes this page"
SEVERITIES = {
    "wrong": "gives a wrong result if it is followed",
    "notation": "is a slip of the pen, or a sign with two meanings",
    "gap": "leaves open what a program has to settle",
}

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
        f"{COMMAND} from the docstrings of the package, the marks of the tests, and the lists in `tools/traceability`.",
        "A part of a source document is covered when",
        "1. a docstring cites it in its `Source:` section;\n"
        "2. a test is about it, and says so with the mark `covers`; while this test runs, it enters that code, or it "
        "fails;\n"
        "3. it is discussed on a page: a remark in a paragraph of its own, anything else beside its code.",
        "How far it is covered has a word:",
        "\n".join(f"- *{name}*: {meaning};" for name, meaning in STATES.items()).removesuffix(";") + ".",
        "`python -m tools.traceability.killing` tries the mutants, and records for each part the first that is killed. "
        "A section without code of its own is covered by its parts. What is there for speed alone counts for nothing. "
        f"[Faults](errata.md) stand below a part, and the {_link('conformance/goldens.md', 'goldens')} that come from "
        "it below its tests. The other works that are cited are in the [bibliography](bibliography.md).",
        _table(("document", "parts", *STATES), _totals()),
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
        f"{COMMAND} from the ledger of the books and from `tools/traceability/errata.toml`.",
        "## Figures in books {data-search-exclude}",
        "Each figure that the cited sections print for a table or for counts of this project stands once in a ledger, "
        "`reference_tree/conformance/books.toml`, with what computes it exactly. It agrees if it is the exact value, "
        "rounded. A figure that does not agree is explained if a calculation was found that gives it, the "
        "simplest first. The texts of N0 to N4 are at hand. No book was at hand in print: figures were "
        "looked up in public copies, or not looked up again.",
        _table(("source", "figures", "agree", "explained", "unexplained", "not looked up again"), _by_book()),
        "These figures of books do not agree. No tree changes by any of them. Ten of them have a "
        f"{_link('slips.md', 'page with pictures')}.",
        _table(("where", "of", "printed", "exactly, to ten digits", "the calculation that gives it"), _misprints()),
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
        f"{COMMAND} from `tools/traceability/bibliography.toml`.",
        *(block for reference in works for block in (f"## {reference.key}", _work(reference))),
    )


@cache
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
    """How many there are, and how many are in each state."""
    found = Counter(map(state, those))
    return map(str, (len(those), *(found[name] for name in STATES)))


def _tests(item: Item) -> Collection[str]:
    return [f"`{file}`<br>`{test}`" for file, test in coverings().get(item.id, ())]


def _open(item: Item) -> Iterable[str]:
    return (f"`{item.id}`<br>{item.kind}: {item.title}", ", ".join(open_items()[item]), f"`{item.chapter}`")


def _document(document: Document) -> Iterator[str]:
    yield f"## {document.key}"
    yield f"{document.title}, `{document.file}`"
    yield '<details class="abstract" markdown="1"><summary>Each item</summary>'
    yield _table(
        ("item", "code and page", "tests and goldens"),
        map(_row, (item for item in items() if item.document == document.key)),
    )
    yield "</details>"


def _row(item: Item) -> Iterable[str]:
    goldens = (f"`{case.id}`" for case in cases().values() if item.id in case.sources)
    what = (f"`{item.id}`", f"{item.kind}: {item.title}", f"*{state(item)}*", *_faults_of(item))
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
    """The figures of books that are not the rounded ones, each with the calculation that gives it."""
    for figure in ledger():
        if figure.book not in DOCUMENTS and not agrees(figure):
            why = calculation(figure) or "no calculation is known that gives it"
            digits = significant(exact(figure), 10)
            where = f"[{figure.source}](bibliography.md#{figure.book.lower()})"
            yield where, *map(_plain, (about(figure), figure.value, digits, why))


def _by_book() -> Iterator[Iterable[str]]:
    """How many figures each work prints, and how many agree, are explained, and are not."""
    for book in (*dict.fromkeys(figure.book for figure in ledger()), "all"):
        those = [figure for figure in ledger() if book in (figure.book, "all")]
        off = [figure for figure in those if not agrees(figure)]
        explained = sum(calculation(figure) is not None for figure in off)
        unseen = sum(figure.read == "unseen" for figure in those)
        counts = len(those), len(those) - len(off), explained, len(off) - explained, unseen
        yield book if book == "all" else _linked(book), *map(str, counts)


def _linked(book: str) -> str:
    return f"[{book}](bibliography.md#{book.lower()})"


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
    told = [f"Cited by {', '.join(who)}."] if who else []
    told += [f"The source of {', '.join(tables)}."] if tables else []
    return f"\n\n{' '.join(told)}\n{{ data-search-exclude }}" if told else ""  # names of functions are no prose


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
