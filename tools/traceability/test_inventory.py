"""Nothing in the source documents is without a row, and nothing in the package cites what does not exist."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from inspect import unwrap
from pathlib import Path

import pytest

from reference_tree.conformance.books import ledger
from reference_tree.data.textbook import describe
from reference_tree.data.textbook import names as textbooks
from reference_tree.learners.id3 import ID3
from reference_tree.measures.entropy import entropy
from reference_tree.measures.gain_ratio import gain_ratio
from reference_tree.measures.information_gain import information_gain
from tests.every import of_every
from tools.traceability.covering import (
    DOCS,
    anchor_of,
    code,
    code_of,
    coverings,
    kills,
    of_the_book,
    open_items,
    paragraphs,
    watched,
)
from tools.traceability.inventory import (
    DOCUMENTS,
    ROOT,
    Document,
    Documented,
    Item,
    bibliography,
    citations,
    citers,
    documented,
    documents,
    due,
    errata,
    items,
    public_functions,
    unknown,
)
from tools.traceability.killing import mutants_of
from tools.traceability.pages import SEVERITIES, generated

KINDS = {"section", "equation", "algorithm", "step", "example", "figure", "table", "remark", "definition"}

CITED_ELSEWHERE = {  # in the design of the project, so these ids have to stay
    *("N0 CN §3", "N0 CN §5", "N0 EN §1", "N0 EN §2 eq. (1)", "N0 EN §3.1", "N0 EN §3.2", "N0 EN §4 eq. (5)"),
    *("N1 §1.1 (1)", "N1 §1.3 eq. (4)", "N1 §1.4", "N1 §1.5", "N2 §1 case 3", "N2 §2.1", "N2 §4.1"),
    *("N2 §4.2 problem a", "N2 §4.2 summary step 7", "N4 Continuous valued features", "N4 figure: one-hot"),
}

every_document = pytest.mark.parametrize("document", documents(), ids=lambda document: document.key)


def _repeated(names: Iterable[str]) -> list[str]:
    return [name for name, times in Counter(names).items() if times > 1]


# ------------------------------------------------------------------------------------------------ the lists themselves


def test_ids_are_unique() -> None:
    assert not _repeated(item.id for item in items())
    assert not _repeated(erratum.id for erratum in errata())


def test_ids_that_are_cited_elsewhere_stay() -> None:
    assert {item.id for item in items()} >= CITED_ELSEWHERE


@of_every(items())
def test_an_item_is_well_formed(item: Item) -> None:
    assert item.kind in KINDS
    assert item.document in DOCUMENTS
    assert item.id.startswith(("N0 CN §", "N0 EN §")) or item.document != "N0"
    assert not set("|[]`") & set(item.id + item.title), "they would break a table or a citation"


@every_document
def test_items_are_in_the_order_of_their_document(document: Document) -> None:
    lines = [item.line for item in items() if item.document == document.key]
    assert lines == sorted(lines)
    assert 1 <= lines[0] <= lines[-1] <= document.lines


@every_document
def test_errata_are_numbered_without_gaps(document: Document) -> None:
    ids = [erratum.id for erratum in errata() if erratum.source == document.key]
    assert ids == [f"{document.key}-{number}" for number in range(1, len(ids) + 1)]


def test_errata_point_into_their_documents() -> None:
    length = {document.key: document.lines for document in documents()}
    for erratum in errata():
        assert erratum.severity in SEVERITIES
        assert all(1 <= line <= length[erratum.source] for line in erratum.lines), erratum.id


def test_every_erratum_belongs_to_an_item_of_its_document_and_every_item_knows_its_errata() -> None:
    attached = {(fault, item.document) for item in items() for fault in item.errata}
    assert attached == {(erratum.id, erratum.source) for erratum in errata()}


def test_errata_are_settled_by_known_decisions() -> None:
    text = (DOCS / "decisions.md").read_text(encoding="utf-8")
    assert not {decision for erratum in errata() for decision in erratum.settled_by if decision not in text}


def test_every_source_document_is_in_the_bibliography() -> None:
    titles = {reference.key: reference.title for reference in bibliography()}
    assert {document.key: document.title for document in documents()}.items() <= titles.items()


def test_a_key_ends_with_its_year() -> None:
    for reference in bibliography():
        if reference.key not in DOCUMENTS:
            assert reference.key.endswith(str(reference.year)), reference.key


@every_document
def test_the_document_is_the_one_that_was_read(document: Document) -> None:
    folder = os.environ.get("REFERENCE_TREE_SOURCES")
    if not folder:
        pytest.skip("REFERENCE_TREE_SOURCES does not name the folder of the source documents")
    data = (Path(folder) / document.file).read_bytes()
    assert hashlib.sha256(data).hexdigest() == document.sha256
    lines = data.decode("utf-8").splitlines()
    assert len(lines) == document.lines
    pointed_at = {item.line for item in items() if item.document == document.key}
    pointed_at |= {line for erratum in errata() if erratum.source == document.key for line in erratum.lines}
    assert not [line for line in pointed_at if not lines[line - 1].strip()]


# ----------------------------------------------------------------------------------------------- the tools of the lint


@of_every(
    [
        ("No source.", ()),
        ("One line.\n\n    Source:\n        [N1 §1.6], [Shannon1948 §6].\n    ", ("N1 §1.6", "Shannon1948 §6")),
        ("First.\n\nSource:\n    [N1 §1.4\n    step 3]. In [0, 1].\n\n    [N2 §1].\n", ("N1 §1.4 step 3", "N2 §1")),
        ("First.\n\nArgs:\n    x: see [N1 §1.4].\n\nSource:\n    [N2 §2.1]\nNote:\n    not [N2 §2.2].\n", ("N2 §2.1",)),
        ("A [Source: of trouble].", ()),
    ]
)
def test_citations_are_those_of_the_source_section(docstring: str, expected: tuple[str, ...]) -> None:
    assert citations(docstring) == expected


@of_every(["N0 EN §2 eq. (1)", "N1 §1.4", "Quinlan1986", "Quinlan1986 §4"])
def test_a_citation_is_known(citation: str) -> None:
    assert not unknown(citation)


@of_every(["N0", "N0 EN §2 eq. (6)", "N1 §1.4, §1.5", "N5 §1", "Quinlan86", "Quinlan §4"])
def test_a_citation_is_unknown(citation: str) -> None:
    assert unknown(citation)


def test_a_section_contains_what_continues_its_id() -> None:
    by_id = {item.id: item for item in items()}
    assert by_id["N2 §2"].contains(by_id["N2 §2.1 step 4"])
    assert by_id["N4 XGBoost"].contains(by_id["N4 XGBoost: regression"])
    assert not by_id["N2 §2.1"].contains(by_id["N2 §2.1"])
    assert not by_id["N1 §1.4 step 1"].contains(by_id["N1 §1.5 step 1"])


def test_functions_classes_and_methods_are_found_where_they_are_defined() -> None:
    found = {one.path for one in public_functions()}
    assert {"measures.entropy.entropy", "tree.Tree"} <= found
    assert len(found) == len(list(public_functions())), "something is found twice"
    assert not [path for path in found if "._" in path]


# --------------------------------------------------------------------------------------------------- what it is all for


def _listed(problems: Iterable[tuple[str, str]]) -> str:
    grouped = defaultdict(list)
    for where, what in problems:
        grouped[where].append(what)
    return "\n".join(f"{where}: {', '.join(grouped[where])}" for where in sorted(grouped))


def test_every_citation_names_something_that_exists() -> None:
    wrong = {citation: who for citation, who in citers().items() if unknown(citation)}
    places = _listed((one.path, f"[{citation}]") for citation, who in wrong.items() for one in who)
    assert not wrong, f"unknown citations (the ids are in tools/traceability/*.toml)\n{places}"


def _states_a_formula(one: Documented) -> bool:
    return bool(one.name) and "$$" in one.docstring


def test_every_formula_has_a_source() -> None:
    bare = [one.path for one in documented() if _states_a_formula(one) and not citations(one.docstring)]
    assert not bare, f"a display formula without a citation in a `Source:` section: {', '.join(bare)}"


def test_every_work_of_the_bibliography_is_cited() -> None:
    """By a docstring, by a figure of the ledger, or as where a table of the textbooks comes from."""
    cited = {citation.split()[0] for citation in citers()} | {figure.book for figure in ledger()}
    cited |= {source.split()[0] for name in textbooks() for source in describe(name).sources}
    assert not {reference.key for reference in bibliography()} - cited


def test_every_item_is_covered_once_its_module_exists() -> None:
    """By code that cites it, a test that is about it and enters that code, and a page; see `covering.py`."""
    missing = _listed((", ".join(lacks), f"[{item.id}]") for item, lacks in open_items().items() if due(item))
    assert not missing, f"what items of the sources lack\n{missing}"


@pytest.mark.slow
def test_what_is_tested_has_a_mutant_of_its_code() -> None:
    """It is there as it was when it was killed; `python -m tools.traceability.killing` finds another, or says none."""
    by_id = {item.id: item for item in items()}
    assert kills().keys() <= by_id.keys()
    gone = [kill.id for kill in kills().values() if kill.key not in {key for key, _ in mutants_of(by_id[kill.id])}]
    assert not gone, "the code has changed: run python -m tools.traceability.killing"


@pytest.mark.slow
def test_a_passage_is_tested_by_what_kills_a_mutant() -> None:
    """The formula of entropy is; the qualities of XGBoost as N4 lists them are arguments of a constructor here."""
    told = [sys.executable, "-m", "tools.traceability.killing", "N0 EN §2 eq. (1)", "N4 XGBoost: qualities"]
    found = subprocess.run(told, capture_output=True, text=True, cwd=ROOT, timeout=600, check=True).stdout
    assert 'N0 EN §2 eq. (1): ["N0 EN §2 eq. (1)", "measures/entropy.py"' in found
    assert "N4 XGBoost: qualities: NO MUTANT IS KILLED" in found


def test_no_module_is_still_to_come() -> None:
    """The name of a module that is misspelt would excuse its items."""
    assert not {item.chapter for item in items() if not due(item)}


def test_a_mark_names_items() -> None:
    known = {item.id for item in items()}
    assert not {id_: tests for id_, tests in coverings().items() if id_ not in known}


def test_an_anchor_names_one_item() -> None:
    anchors = [anchor_of(item.id) for item in items()]
    assert not _repeated(anchors)
    assert set(paragraphs()) <= {anchor_of(item.id) for item in items() if item.kind == "remark"}


# ------------------------------------------------------------------------------------------------ how a test is watched


def test_a_test_that_does_not_enter_what_it_covers_fails() -> None:
    with watched(["N0 EN §2 eq. (3)"]):
        information_gain([[1, 0], [0, 1]])
    with pytest.raises(AssertionError, match=r"is said to cover N0 EN §2 eq. \(4\), and enters no function"):  # noqa: SIM117
        with watched(["N0 EN §2 eq. (3)", "N0 EN §2 eq. (4)"]):
            information_gain([[1, 0], [0, 1]])


def test_a_fast_form_covers_nothing() -> None:
    (engine,) = (one for one in citers()["N0 EN §2 eq. (3)"] if not of_the_book(one))
    assert engine.module == "reference_tree.engine.enclosed_scores"
    assert engine not in code(next(item for item in items() if item.id == "N0 EN §2 eq. (3)"))


def test_what_fails_is_not_hidden_by_what_is_not_covered() -> None:
    with pytest.raises(ZeroDivisionError), watched(["N0 EN §2 eq. (4)"]):
        gain_ratio([[1, 1]])
    assert sys.getprofile() is None


def test_a_class_is_covered_by_its_methods_and_a_module_by_its_functions() -> None:
    found = {one.path: code_of(one) for one in documented()}
    assert unwrap(ID3.decide).__code__ in found["learners.id3.ID3"]
    assert unwrap(information_gain).__code__ in found["measures.information_gain"]
    assert unwrap(entropy).__code__ not in found["measures.information_gain"], "it is imported there"


NOT_RUN = """
import pytest

@pytest.mark.covers("N1 §1.4")
@pytest.mark.skip
def test_marked(): ...

@pytest.mark.covers("N1 §1.4")
def test_in_its_body():
    pytest.skip("not here")

@pytest.mark.covers("N1 §1.4")
@pytest.mark.xfail
def test_expected_to_fail():
    raise AssertionError

@pytest.mark.skip
def test_of_something_else(): ...
"""


@pytest.mark.slow
def test_a_covering_test_that_does_not_run_fails(tmp_path: Path) -> None:
    shutil.copy(ROOT / "conftest.py", tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = covers", encoding="utf-8")
    (tmp_path / "test_it.py").write_text(NOT_RUN, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    paths = {**os.environ, "PYTHONPATH": str(ROOT)}
    found = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=paths, timeout=120).stdout
    assert "2 failed, 1 skipped" in found
    assert "1 error" in found, "a mark skips a test before it is called"
    assert found.count("\nskipped, and said to cover N1 §1.4\n") == 3


@pytest.mark.parametrize("name", ["traceability.md", "errata.md", "bibliography.md"])
def test_a_generated_page_is_up_to_date(name: str) -> None:
    path = DOCS / name
    stands = path.read_text(encoding="utf-8") if path.exists() else ""
    assert stands == generated()[path], "run: python -m tools.traceability.inventory"
