"""The sentences of the pages that say something about another program.

A sentence does if it is a row of a table whose first cell names a program, or another cell nothing but programs, or
if a program is its subject: the name, and then a verb. What only has the name somewhere ("as in scikit-learn") says
nothing about the program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PAGES = Path(__file__).parents[3] / "docs"

NAMES = {
    "C4.5": r"C4\.5,? release 8|[Rr]elease 8|Quinlan's (?:own )?program|The program C4\.5",
    "rpart": r"rpart",
    "Weka": r"J48|REPTree|SimpleCart|Id3|Weka",
    "scikit-learn": r"scikit-learn",
    "XGBoost": r"XGBoost",
    "LightGBM": r"LightGBM",
    "Spark": r"Spark(?: MLlib)?",
    "R": r"R's randomForest|R(?= \|)",
    "pandas": r"pandas",
    "Orange": r"Orange",
    "DuckDB": r"DuckDB",
    "SQLite": r"SQLite",
    "PostgreSQL": r"PostgreSQL",
    "MariaDB": r"MariaDB",
    "JPMML-Evaluator": r"JPMML-Evaluator",
    "pypmml": r"pypmml|PMML4S",
    "sklearn2pmml": r"sklearn2pmml",
    "nyoka": r"nyoka",
}
"""Program → its names. C4.5 is also the name of a method, so in a sentence the program has to be meant."""

IN_TABLES = {**NAMES, "C4.5": r"C4\.5"}

GENERATED = ("benchmark", "bibliography", "errata", "traceability", "conformance/")
"""Pages that are made from runs, and state their releases; and lists of sources."""

NO_VERB = "and|or|of|in|on|with|as|at|by|for|from|to|than|but|the|that|alone|itself|which|who|where|when|does not tell"


@dataclass(frozen=True)
class Sentence:
    """A sentence, or a row of a table: the page, and the programs of which it says something."""

    page: str
    text: str
    programs: frozenset[str]


def sentences() -> Iterator[Sentence]:
    """Those about programs, on the pages in English; the pages in Chinese say the same."""
    for path in sorted(PAGES.rglob("*.md")):
        page = path.relative_to(PAGES).with_suffix("").as_posix()
        if not page.startswith((*GENERATED, "zh/")):
            for text in _parts(path.read_text(encoding="utf-8")):
                if found := said_by(text):
                    yield Sentence(page, text, frozenset(found))


def _parts(text: str) -> Iterator[str]:
    """Sentences and rows of tables, each on one line."""
    text = re.sub(r"(?ms)^ *(```+).*?^ *\1 *$", "\n\n", text)
    text = re.sub(r"(?m)^:::.*\n( +.*\n)*", "\n", text)
    for block in re.split(r"\n\s*\n|\n(?=\s*\|)|\n(?=\s*[-*] )|\n(?=\d+\. )", text):
        line = " ".join(block.split())
        if line.startswith(("#", "*Programs observed")):  # a heading, or the line of the page
            continue
        yield from [line] if line.startswith("|") else re.split(r"(?<=[.!?]) (?=[A-Z`*\[(]|scikit|rpart)", line)


def said_by(text: str) -> set[str]:
    """The programs of which a sentence, or a row of a table, says something."""
    if text.startswith("|"):
        first, *cells = text.strip("| ").split(" | ")
        alone = {part.strip() for cell in cells for part in re.split(r"[,;]| and ", cell)}
        return {
            program
            for program, name in IN_TABLES.items()
            if re.search(rf"\b(?:{name})\b", first) or any(re.fullmatch(name, part) for part in alone)
        }
    return {program for program, name in NAMES.items() if _is_subject(name, text)}


def _is_subject(name: str, text: str) -> bool:
    every = "|".join(NAMES.values())
    what = rf"(?<![`\w-])(?:{name})(?:'s)?\b(?:'s)?(?: `\w+`)?(?: \([^)]*\))?(?:(?:, | and | or ){{1}}(?:{every}))*,?"
    return re.search(rf"{what} (?!(?:{NO_VERB})\b)[a-z]+\b", text) is not None
