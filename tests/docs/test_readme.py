"""The README: each claim of it is tested here, or by the test that is named for it."""

from __future__ import annotations

import re
from pathlib import Path

import reference_tree as rt
from reference_tree import programs  # noqa: F401  (they add their profiles)
from reference_tree.cli.commands import FORMATS
from reference_tree.ensembles.registry import ENSEMBLES
from reference_tree.learners.registry import LEARNERS
from reference_tree.pruning.method import methods
from tests.docs.test_site import part
from tests.every import of_every

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PLAIN = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", re.sub(r"\s+", " ", README))
NUMBERS = {"eight": 8, "ten": 10, "thirty": 30, "Two": 2, "seven": 7}

TESTED = {
    "Python that decides without rounding": "tests/exact/test_log_sums.py::",
    "says of any tree, whoever grew it, which node is wrong and why": "tests/auditing/test_planted_faults.py::",
    "A clone needs Python 3.11 or newer and nothing else": "tests/test_package.py::test_an_old_python_is_told",
    "No float chooses a split": "tests/exact/test_choosing.py::",
    "Every tie is listed": "tests/conformance/test_goldens.py::",
    "the package imports the standard library alone": "tools/test_architecture.py::test_only_the_standard_library",
    "in every order of the rows": "tests/laws.py::",
    "are recorded, and change only as a version number says": "tools/test_surface.py::test_the_surface_is",
    "Documents and goldens of version 0.1.0 are read for ever": "tools/test_surface.py::test_a_document_of_0_1_0",
    "Each formula cites its source": "tools/traceability/",
    "each decision has an id": "tests/docs/test_decisions.py::test_a_section_gives_its_id",
    "notices every planted fault": "tests/conformance/test_faults.py::",
    "keeps the smallest rows that show it": "tests/cli/test_auditing.py::test_the_smallest_rows_are_written",
    "reduces what it gets wrong to a table of a few rows": "tests/checking/test_fuzzing.py::test_a_mistake_is_found",
    "writes the report, with the smallest table that shows it": "tests/cli/test_reporting.py::",
    "Every tree, tie and golden stays the same": "tests/test_without_engine.py::",
    "grows, explains and audits trees in SQLite, DuckDB, PostgreSQL and Spark": "tests/stores/",
    "every argument of XGBoost 3 works, or steers machinery": "tests/estimators/",
}
"""Words of the README → the test that checks them: a file, and how the name of a function in it begins."""


@of_every(TESTED)
def test_a_claim_stands_there_and_its_test_is_there(words: str) -> None:
    assert words in PLAIN.replace("**", "")
    path, _, name = TESTED[words].partition("::")
    assert (ROOT / path).exists()
    assert not name or f"def {name}" in (ROOT / path).read_text(encoding="utf-8")


def test_it_begins_with_a_sentence_a_picture_and_three_doors() -> None:
    _, sentence, picture, doors, commands = README.split("\n\n")[:5]
    assert sentence.count(". ") == 0
    assert sentence.endswith(".**")
    assert picture.startswith("[![")
    assert len(doors.splitlines()) == 2 + 3
    assert commands == "## Two commands"


def test_the_picture_is_the_one_that_the_package_draws() -> None:
    drawn = rt.to_svg(rt.ID3().grow(rt.textbook("play-tennis")))
    (path,) = re.findall(r"!\[[^]]*\]\((.*?)\)", README)
    assert (ROOT / path).read_text(encoding="utf-8") == drawn


def test_every_link_leads_somewhere() -> None:
    headings = {
        re.sub(r"[^\w -]", "", one).strip().lower().replace(" ", "-") for one in re.findall("^#+ (.*)$", README, re.M)
    }
    for link in re.findall(r"\]\((?!!)([^)\s]+)\)", README):
        file, _, anchor = link.partition("#")
        assert (ROOT / file).exists() if file else anchor in headings, link


def test_what_is_listed_is_all_there_is() -> None:
    def listed(words: str) -> set[str]:
        return set(re.findall(r"`(?:--\w+ )?([\w.-]+)`", words))

    (formats,) = re.findall(r"`--format` has (.*?);", PLAIN)
    assert listed(formats) == set(FORMATS)
    (ensembles,) = re.findall(r"`--ensemble` has (.*?)\. ", PLAIN)
    assert listed(ensembles) == set(ENSEMBLES)
    (profiles,) = re.findall(r"Other profiles follow the dialect of a program \((.*?)\)", PLAIN)
    assert listed(profiles) <= {profile for learner in LEARNERS.values() for profile in learner.profiles}
    assert {f"--learner {name}" in README for name in LEARNERS} == {True}


def test_its_numbers_are_counted() -> None:
    assert NUMBERS[re.findall(r"(\w+) ways to prune", PLAIN)[0]] == len(methods()) + 1  # and pre-pruning
    assert NUMBERS[re.findall(r"the first of (\w+) pages", PLAIN)[0]] == len(part("Learn"))
    report = (ROOT / "docs" / "conformance" / "report.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[?(\w[^|]*?)\]?(?:\(#[^)]*\))? \|", report, re.MULTILINE)
    assert NUMBERS[re.findall(r"report on (\w+) of them", PLAIN)[0]] <= len(rows)


def test_the_layers_are_the_folders() -> None:
    (block,) = re.findall(r"^```\n(the numbers\n.*?)^```$", README, re.MULTILINE | re.DOTALL)
    named = {line.split()[0].rstrip("/") for line in block.splitlines() if line.startswith("  ")}
    folders = {
        path.name for path in (ROOT / "reference_tree").iterdir() if path.is_dir() and path.name != "__pycache__"
    }
    assert folders <= named
    assert all((ROOT / "reference_tree" / name).exists() for name in named)
