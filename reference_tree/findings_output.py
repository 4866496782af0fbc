"""Findings as text: the results of a check or an audit, for a person, for a program, and for a test server.

1. `Judged` is the finding about one case or one node: its status, a verdict of one word, and a message.
2. `as_text` is for a person: the findings in their order without those that passed, and a last line with the counts.
   `as_json_lines` is one JSON object for each finding, passed ones included. `as_junit` is the XML that servers read.
3. `exit_status` is 1 if anything is wrong.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from xml.sax.saxutils import escape, quoteattr

from reference_tree.views.wording import one_line

Status = Literal["passed", "failed", "excused", "skipped"]
"""`excused`: it is wrong, as expected; `skipped`: it was not judged."""

_NAMED = 10
"""The largest number of skipped ones of one reason that are named for a person."""

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Judged:
    """The finding about one case or one node.

    Args:
        id: the id of the case, or the path of the node.
        status: whether it is right.
        verdict: the fault, in one word, as `wrong-counts`.
        message: the verdict in a sentence; empty if the word says all.
        lines: further lines for a person, causes before consequences.
        details: further values for a program: JSON, with names that are not those above.

    Example:
        >>> print(Judged("/", "failed", "wrong-counts", "no 4 for 5"))
        / wrong-counts: no 4 for 5
    """

    id: str
    status: Status
    verdict: str
    message: str = ""
    lines: Sequence[str] = ()
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def told(self) -> str:
        """The verdict and its message."""
        return f"{self.verdict}: {self.message}" if self.message else self.verdict

    def __str__(self) -> str:
        return "\n".join([one_line(f"{self.id} {self.told}"), *(f"  {one_line(line)}" for line in self.lines)])


def as_text(findings: Iterable[Judged], summary: str = "") -> str:
    """Findings for a person: those that are wrong, the skipped ones in a line for each reason, and the counts.

    Args:
        findings: the findings, in the order in which they are written.
        summary: the last line; if it is empty, the counts.

    Example:
        >>> right, wrong = Judged("/", "passed", "optimal"), Judged("/1", "failed", "wrong-leaf", "no", ["not yes"])
        >>> print(as_text([right, wrong]), end="")
        /1 wrong-leaf: no
          not yes
        1 passed, 1 failed
    """
    every = list(findings)
    shown = [f"{found}\n" for found in every if found.status not in ("passed", "skipped")]
    skipped: dict[str, list[str]] = {}
    for found in every:
        if found.status == "skipped":
            skipped.setdefault(found.told, []).append(found.id)
    for verdict, ids in skipped.items():
        more = [f"and {len(ids) - _NAMED} more"] if len(ids) > _NAMED else []
        shown.append(f"{verdict} ({len(ids)}): {one_line(', '.join([*ids[:_NAMED], *more]))}\n")
    return "".join(shown) + (one_line(summary) or counted(every)) + "\n"


def counted(findings: Iterable[Judged]) -> str:
    """The number of findings of each status, in words.

    Example:
        >>> counted([Judged("/", "passed", "optimal"), Judged("/1", "skipped", "pruned")])
        '1 passed, 0 failed, 1 skipped'
    """
    statuses = [found.status for found in findings]
    counts = {status: statuses.count(status) for status in ("passed", "failed", "excused", "skipped")}
    return ", ".join(f"{n} {status}" for status, n in counts.items() if n or status in ("passed", "failed"))


def as_json_lines(findings: Iterable[Judged], summary: str = "") -> str:
    """Findings for a program: one object to a line, passed ones included.

    Args:
        findings: the findings, in the order in which they are written.
        summary: for a person; it is not written.

    Example:
        >>> print(as_json_lines([Judged("/", "failed", "suboptimal", details={"rank": 2})]), end="")
        {"id": "/", "status": "failed", "verdict": "suboptimal", "message": "", "rank": 2}
    """
    return "".join(json.dumps(_object(found), ensure_ascii=False) + "\n" for found in findings)


def _object(found: Judged) -> dict[str, Any]:
    lines = {"lines": list(found.lines)} if found.lines else {}
    head = {"id": found.id, "status": found.status, "verdict": found.verdict, "message": found.message}
    return {**head, **lines, **found.details}


def as_junit(findings: Iterable[Judged], summary: str = "", suite: str = "reference-tree") -> str:
    """Findings as JUnit's XML, one test case for each. An excused one counts as skipped, with its reason.

    Args:
        findings: the findings, in the order in which they are written.
        summary: the output of the suite.
        suite: the name of the suite.

    Example:
        >>> print(as_junit([Judged("/", "passed", "optimal"), Judged("/1", "skipped", "below")], suite="audit"), end="")
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites>
        <testsuite name="audit" tests="2" failures="0" errors="0" skipped="1">
        <testcase classname="audit" name="/"/>
        <testcase classname="audit" name="/1"><skipped message="below"/></testcase>
        </testsuite>
        </testsuites>
    """
    every = list(findings)
    failures = sum(found.status == "failed" for found in every)
    skipped = sum(found.status in ("excused", "skipped") for found in every)
    output = f"<system-out>{_xml(summary)}</system-out>\n" if summary else ""
    name = _attribute(suite)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n'
        f'<testsuite name={name} tests="{len(every)}" failures="{failures}" errors="0" skipped="{skipped}">\n'
        + "".join(f"<testcase classname={name} name={_attribute(found.id)}{_outcome(found)}\n" for found in every)
        + f"{output}</testsuite>\n</testsuites>\n"
    )


def _outcome(found: Judged) -> str:
    """The end of a test case: closed at once, or with the reason that it failed or was skipped."""
    if found.status == "passed":
        return "/>"
    if found.status == "failed":
        attributes = f"type={_attribute(found.verdict)} message={_attribute(found.message)}"
        return f"><failure {attributes}>{_xml(str(found))}</failure></testcase>"
    return f"><skipped message={_attribute(found.told)}/></testcase>"


def _xml(text: str) -> str:
    """A text between tags; a character that XML has not is written as Python escapes it."""
    return escape(_NO_XML.sub(_spelt, text))


def _attribute(text: str) -> str:
    return quoteattr(_NO_XML.sub(_spelt, one_line(text)))


def _spelt(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape", "surrogatepass").decode("ascii")


FORMATS: Mapping[str, Callable[..., str]] = {"text": as_text, "jsonl": as_json_lines, "junit": as_junit}
"""The formats of findings."""


def exit_status(findings: Iterable[Judged]) -> int:
    """The exit status of a command: 1 if anything is wrong that was not expected to be, otherwise 0.

    Example:
        >>> exit_status([Judged("/", "passed", "optimal")]), exit_status([Judged("/", "failed", "wrong-leaf")])
        (0, 1)
    """
    return int(any(found.status == "failed" for found in findings))
