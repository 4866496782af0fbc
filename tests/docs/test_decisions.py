"""Every decision that is cited has its place on the page of decisions, under its own anchor."""

from __future__ import annotations

import json
import re
from pathlib import Path

from reference_tree.conformance.goldens import RULES
from tests.every import of_every
from tools.traceability.inventory import errata

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "decisions.md").read_text(encoding="utf-8")
ANCHORS = re.findall(r"\{#([^}\s]+)\}", PAGE)
SECTIONS = {found[1]: found[0] for found in re.finditer(r"^## .*? \{#(\S+)\}$(?:\n(?!## ).*)*", PAGE, re.MULTILINE)}
GOLDENS = sorted((ROOT / "tests" / "goldens").rglob("*.json"))


def test_an_anchor_stands_once() -> None:
    assert len(ANCHORS) == len(set(ANCHORS))


def test_every_fault_of_a_source_is_settled_by_a_decision_on_the_page() -> None:
    assert not {decision for fault in errata() for decision in fault.settled_by} - set(ANCHORS)


def test_every_rule_of_the_goldens_is_on_the_page() -> None:
    assert not set(RULES) - set(ANCHORS)


def test_every_reason_to_stop_on_the_page_is_a_rule() -> None:
    assert not {anchor for anchor in ANCHORS if anchor.startswith("stop.") and anchor != "stop.bounds"} - set(RULES)


def test_there_are_goldens() -> None:
    assert GOLDENS


@of_every(GOLDENS)
def test_the_rules_of_a_golden_are_on_the_page(golden: Path) -> None:
    assert not set(json.loads(golden.read_text(encoding="utf-8"))["rules"]) - set(ANCHORS)


@of_every(SECTIONS)
def test_a_section_gives_its_id_its_choice_and_what_others_do(decision: str) -> None:
    section = SECTIONS[decision]
    assert f"\n**`{decision}`** " in section
    assert "\n| who | what they do |\n" in section


SPEAK = {
    "attribute.reuse": {"N0": "taken out", "N1": "taken out", "N2": "case 2"},
    "cost.function": {"N0": "silent on equal", "N1": "no formula"},
}
"""Decision → what a document says of it, where that was once overlooked or overstated."""


@of_every([(d, document) for d, said in SPEAK.items() for document in said])
def test_what_a_document_says_of_a_decision_is_told(decision: str, document: str) -> None:
    sources = re.findall(r"^Source: (.*)\.$", SECTIONS[decision], re.MULTILINE)
    parts = [part for source in sources for part in re.split(r"; (?=N\d)", source)]
    [said] = [what for who, _, what in (part.partition(": ") for part in parts) if document in re.findall(r"N\d", who)]
    assert SPEAK[decision][document] in said


def test_links_to_decisions_lead_somewhere() -> None:
    pages = [page for page in (ROOT / "docs").rglob("*.md") if "tools" not in page.parts]
    linked = {found for page in pages for found in re.findall(r"decisions\.md#([\w.-]+)", page.read_text("utf-8"))}
    assert linked <= set(ANCHORS)
