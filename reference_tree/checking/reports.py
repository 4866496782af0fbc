"""Reports: what a check found, as a document that a project publishes.

A report names the program and its version, what it claims, the suite and the bytes of the goldens, and the outcome of
each case. So whoever has reports alone can make pages, badges and tables of them (`checking.report_pages`).

1. `report` is the report of a check.
2. `to_document` and `from_document` write and read it; `docs/schemas/report-1.schema.json` is its schema.
3. `read_report` reads a file strictly.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, get_args

from reference_tree.checking.check import Checked
from reference_tree.conformance import SUITE
from reference_tree.conformance.archive import digest
from reference_tree.conformance.cases import Kind
from reference_tree.conformance.claims import Claims, claims_from, claims_members
from reference_tree.conformance.goldens import document
from reference_tree.conformance.needs import learners_of
from reference_tree.data.errors import InputError, shown
from reference_tree.findings_output import Status
from reference_tree.tree_document.reading import content_of
from reference_tree.tree_document.strict import closed, flag, items, parsed, text

FORMAT = "reference-tree/report/1"


class CaseOutcome(NamedTuple):
    """What came of a case."""

    id: str
    """The case."""
    kind: str
    """Its kind."""
    learners: Sequence[str]
    """Its learner, and the learner of its trees, if there are any."""
    needs: Sequence[str]
    """What it needs."""
    claimed: bool
    """Whether the program claims it."""
    status: Status
    """Whether it is right."""
    verdict: str
    """What is wrong, in one word."""
    message: str
    """The same in a sentence."""

    @property
    def judged(self) -> bool:
        """Whether there is a verdict: it was answered, or had to be."""
        return self.status != "skipped"


@dataclass(frozen=True)
class Report:
    """What a check found.

    Args:
        claims: of the program; they have its name and its version.
        suite: the version of the suite.
        sha256: of the goldens, a line each, in the order of the archive.
        outcomes: of all cases that there are.
        stale: the expected failures that pass.
    """

    claims: Claims
    suite: str
    sha256: str
    outcomes: Sequence[CaseOutcome]
    stale: Sequence[str] = ()

    def count(self, status: Status) -> int:
        """The number of cases of a status."""
        return sum(one.status == status for one in self.outcomes)

    @property
    def passed(self) -> bool:
        """Whether nothing failed unexpectedly."""
        return not self.count("failed") and not self.stale


def report(checked: Checked, version: str | None = None) -> Report:
    """The report of a check.

    Args:
        checked: what was found.
        version: of the program; none: as the claims say.

    Raises:
        InputError: there are no claims, or no version.

    Example:
        >>> from reference_tree.checking.check import check
        >>> claims = Claims("ours", "1.2", kinds={"formula": []}, formulas=["measures.entropy.entropy"])
        >>> found = report(check({"formula/entropy-pure": 0}, claims=claims, kinds="formula"))
        >>> found.count("passed"), found.count("failed") > 0, found.passed
        (1, True, False)
    """
    if checked.claims is None:
        raise InputError("a report says what the program is and what it claims; say --claims FILE")
    # A version that is given goes before the one in the claims: the same claims serve many versions.
    claims = checked.claims if version is None else replace(checked.claims, version=version)
    if not claims.version:
        raise InputError("a report has the version of the program; say --program-version, or version in the claims")
    # The judged are the cases in their order, followed by the entries that are stale.
    goldens = list(map(document, checked.cases))
    outcomes = [
        CaseOutcome(
            golden["id"],
            golden["kind"],
            [learner["name"] for learner in learners_of(golden)] if "learner" in golden else [],
            golden["needs"],
            claims.cover(golden),
            one.status,
            one.verdict,
            one.message,
        )
        for golden, one in zip(goldens, checked.judged, strict=False)  # those that are stale come last
    ]
    # What follows the cases is stale: expected failures that pass.
    stale = [one.id for one in checked.judged[len(goldens) :]]
    return Report(claims, SUITE, digest(goldens), outcomes, stale)


def to_document(found: Report) -> dict[str, Any]:
    """The report as JSON."""
    return {
        "format": FORMAT,
        "program": {"name": found.claims.program, "version": found.claims.version},
        "suite": found.suite,
        "goldens": {"cases": len(found.outcomes), "sha256": found.sha256},
        "claims": claims_members(found.claims),
        "stale": list(found.stale),
        "cases": [one._asdict() for one in found.outcomes],
    }


def report_text(found: Report) -> str:
    """The report as the text of a file, a case on each line."""
    members = to_document(found)
    # One case on a line, so that two reports can be compared line by line.
    # The members before the cases stand in a line each, too.
    cases = ",\n".join(f"  {json.dumps(one, ensure_ascii=False)}" for one in members.pop("cases"))
    head = "".join(f" {json.dumps(name)}: {json.dumps(one, ensure_ascii=False)},\n" for name, one in members.items())
    return f'{{\n{head} "cases": [\n{cases}\n ]\n}}\n'


def read_report(path: str) -> Report:
    """The report in a file.

    Raises:
        InputError: it cannot be read, or is no report.
    """
    try:
        return from_document(parsed(content_of(path), "a report"))
    except InputError as error:
        raise InputError(error.message, path=path, line=error.line, column=error.column) from None
    except ValueError as error:
        raise InputError(f"is not a report: {error}", path=path) from None


def from_document(given: object) -> Report:
    """The report that a document holds.

    Raises:
        ValueError: it is no report; an InputError, if a name in it is not known.

    Example:
        >>> from_document({"format": FORMAT})
        Traceback (most recent call last):
        ValueError: 'program' is absent
    """
    # Another format has other members: it is named before any of them is missed.
    if isinstance(given, dict) and given.get("format", FORMAT) != FORMAT:
        raise ValueError(f"its format is {shown(given['format'])}, and {FORMAT} is read")
    found = closed(given, ["format", "program", "suite", "goldens", "claims", "stale", "cases"])
    program, goldens = closed(found["program"], ["name", "version"]), closed(found["goldens"], ["cases", "sha256"])
    if not isinstance(found["claims"], dict):
        raise ValueError("claims is no object")
    claims = claims_from({**found["claims"], "program": program["name"], "version": program["version"]})
    outcomes = list(map(_outcome, items(found["cases"])))
    # What the report says of itself has to agree with what it holds.
    if len({one.id for one in outcomes}) < len(outcomes):
        raise ValueError("a case stands twice in it")
    if goldens["cases"] != len(outcomes):
        raise ValueError(f"it has {len(outcomes)} cases, and says that there are {shown(goldens['cases'])}")
    return Report(
        claims, text(found["suite"]), text(goldens["sha256"]), outcomes, list(map(text, items(found["stale"])))
    )


def _outcome(given: object) -> CaseOutcome:
    found = closed(given, CaseOutcome._fields)
    # Words of a fixed list are checked here; texts and lists by the strict readers.
    for name, known in (("kind", get_args(Kind)), ("status", get_args(Status))):
        if found[name] not in known:
            raise ValueError(f"{name} of a case is one of {', '.join(known)}, and not {shown(found[name])}")
    texts = {name: text(found[name]) for name in ("id", "verdict", "message")}
    lists = {name: list(map(text, items(found[name]))) for name in ("learners", "needs")}
    return CaseOutcome(**{**found, **texts, **lists, "claimed": flag(found["claimed"])})
