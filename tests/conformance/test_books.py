"""The ledger of the books: each figure once, with a place that exists, and goldens that show what it has."""

from __future__ import annotations

from collections import Counter

from reference_tree.conformance.books import PrintedFigure, beside, ledger
from reference_tree.conformance.cases import cases
from tools.traceability.inventory import DOCUMENTS, bibliography, items

WHAT = ("source", "case", "formula", "score", "node", "attribute", "test", "round", "of", "per")


def what(figure: PrintedFigure) -> tuple[object, ...]:
    """Which figure it is, whatever is printed."""
    return (*(getattr(figure, name) for name in WHAT), str(figure.arguments))


def test_a_figure_is_entered_once() -> None:
    twice = [key for key, times in Counter(map(what, ledger())).items() if times > 1]
    assert [key[0] for key in twice] == ["Zhou2016 §4.5"], "which prints 0.2045 both as 0.205 and as 0.204"


def test_a_figure_has_a_place_and_a_way_to_be_computed() -> None:
    works, parts = {reference.key for reference in bibliography()}, {item.id for item in items()}
    for figure in ledger():
        assert figure.book in works
        assert figure.source in parts or figure.book not in DOCUMENTS, figure.source
        assert figure.formula or figure.case in cases(), figure
        assert figure.of or figure.case, figure
        assert set(figure.also) <= set(cases())


def test_only_a_text_that_is_at_hand_is_said_to_be_read() -> None:
    assert {figure.book for figure in ledger() if figure.read == "text"} <= set(DOCUMENTS)


def test_a_case_shows_the_figures_of_the_ledger() -> None:
    shown = sum(len(case.printed) for case in cases().values())
    borrowed = sum(len(figure.also) for figure in ledger())
    assert shown == sum(figure.golden for figure in ledger()) + borrowed
    assert all(case.printed == beside(case.id) for case in cases().values())
