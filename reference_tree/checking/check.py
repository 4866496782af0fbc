"""Check: a program's answers are compared with the goldens.

1. `check` takes answers and reports for each case whether it passes, and if not, every decision that is wrong.
2. What is known to fail can be listed with the reason (`Expected`). A case that fails as expected is excused; an entry
   of the list that excuses nothing any more is a failure, so that the list does not go stale.
3. Cases without an answer are counted and named, and are no failure: a program may compute measures alone. A case that
   is claimed or required and not answered is one, so that a program that falls silent does not pass. A check that
   judges nothing at all is refused: a mistyped kind would otherwise pass for ever.
4. `read_answers` reads a file of answers strictly and a line at a time: `{"id": CASE, "answer": {...}}`. A number is a
   double, and is taken for exactly that double. What cannot be read ends the check with one line that says where: text
   that is not UTF-8 or not JSON, a line without an id or with one that no case has, an id that occurs twice. What is
   *wrong* in an answer does not: NaN, or a number beyond the largest double, spoils its own answer alone.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, get_args

from reference_tree.checking.kinds import mistakes_of
from reference_tree.checking.mistakes import Mistake
from reference_tree.conformance.cases import Case, Kind, cases, cases_like
from reference_tree.conformance.claims import Claims, read_claims
from reference_tree.conformance.given import cases_in
from reference_tree.conformance.goldens import document
from reference_tree.conformance.needs import NEEDS, dialects
from reference_tree.data.errors import InputError, hint, no_such, number_of, shown
from reference_tree.exact.rationals import shortened
from reference_tree.findings_output import FORMATS, Judged
from reference_tree.tree_document.strict import closed, parsed, text

Answers = str | Path | Mapping[str, Any]
"""A file of answers, or the answers by the ids of their cases."""

_MANY = 20
"""The largest number of mistakes of one case that is listed for a person."""


class Expected(NamedTuple):
    """A failure that is expected."""

    pattern: str
    """The id of a case; `*` and `?` stand for anything, as in `c45/*`."""
    reason: str
    """Why the program fails there."""


@dataclass(frozen=True)
class Checked:
    """The result of a check.

    Args:
        judged: each case, and each entry of the list of expected failures that excuses nothing.
        cases: those that were judged, or left out.
        claims: what the program claims, if that is known.
    """

    judged: Sequence[Judged]
    cases: Sequence[Case] = ()
    claims: Claims | None = None

    @property
    def failed(self) -> list[Judged]:
        """The cases that failed unexpectedly."""
        return [one for one in self.judged if one.status == "failed"]

    @property
    def passed(self) -> bool:
        """Whether nothing failed unexpectedly."""
        return not self.failed

    def write(self, form: str = "text") -> str:
        """The result as text, JSON lines (`jsonl`) or JUnit's XML (`junit`)."""
        return FORMATS[form](self.judged)

    def __str__(self) -> str:
        return self.write()


def check(
    answers: Answers,
    *,
    expected_failures: str | Path | Iterable[tuple[str, str]] = (),
    kinds: Collection[str] = (),
    needs: Collection[str] | None = None,
    required: Collection[str] = (),
    claims: str | Path | Claims | None = None,
    goldens: Collection[str] = (),
) -> Checked:
    """Compare a program's answers with the goldens.

    Args:
        answers: a file of JSON lines, `{"id": CASE, "answer": ...}`, or the answers by the ids of their cases. An
            answer has the form of what is `expected` in the golden. A number may be a JSON number or a Python float,
            which is taken for exactly that double, a double in hexadecimal, or an exact number as a text.
        expected_failures: pairs of a pattern and a reason, or a file with such a pair on each line.
        kinds: the kinds of case that are judged, or one of them; None for all.
        needs: judge the cases alone that need nothing but these (`reference_tree.conformance.needs.NEEDS`), or nothing
            but this one; none: all.
        required: the ids of cases, or patterns, that have to be answered, as far as they are judged.
        claims: what the program claims, or a file that says so (`reference_tree.conformance.claims`): a case that it
            claims has to be answered, and its expected failures are expected.
        goldens: files of goldens, whose cases are judged instead of those of the suite.

    Raises:
        InputError: a file cannot be read, or names a case or a kind that does not exist; or nothing is judged: no case
            that is answered, claimed or required is among those that `kinds` and `needs` leave.

    Example:
        >>> print(*check({"formula/entropy-play-tennis": 0.9403}).failed)
        formula/entropy-play-tennis fails: 1 mistake
          wrong-number: expected 0.94028595867063104, came 0.94030000000000002, off by 1.4e-05 where 8.88e-16 is allowed
    """
    # Files of goldens replace the suite: only their cases have names then.
    known = cases_in([goldens] if isinstance(goldens, str) else goldens) if goldens else cases()
    kinds = [kinds] if isinstance(kinds, str) else kinds
    needs = [needs] if isinstance(needs, str) else needs
    # A mistyped kind or need would leave nothing to judge, and pass: so each has to exist.
    for what, words, there_are in (("kind", kinds, get_args(Kind)), ("need", needs or (), [*NEEDS, *dialects()])):
        if strange := [word for word in words if word not in there_are]:
            raise InputError(no_such(what, strange[0], there_are, of="cases"))
    if not isinstance(answers, str | Path | Mapping):
        raise InputError(f"{shown(answers)} is no file of answers, and no mapping of the ids of cases to answers")
    # A file is read strictly; a mapping comes from Python, and its values are taken as they are.
    given = answers if isinstance(answers, Mapping) else read_answers(str(answers), known)
    for name in given:
        if name not in known:
            raise InputError(no_such("case", name, known))
    # What is not chosen is not judged at all, whoever answered it.
    chosen = [case for case in known.values() if not kinds or case.kind in kinds]
    if needs is not None:
        chosen = [case for case in chosen if set(document(case)["needs"]) <= set(needs)]
    # Claims say two things: which cases have to be answered, and which of them are known to fail.
    claimed = read_claims(claims) if isinstance(claims, str | Path) else claims
    expected = _expected(expected_failures, known)
    expected += [] if claimed is None else _expected(claimed.expected, known)
    patterns = [required] if isinstance(required, str) else list(required)
    _check_required(patterns, chosen, known)
    # A program that falls silent about a claim does not pass.
    must = {case.id: "an answer is required" for case in cases_like(patterns, known)} if patterns else {}
    if claimed is not None:
        must |= {
            case.id: "it is claimed"
            for case in chosen
            if _may_be_claimed(case, claimed) and claimed.cover(document(case))
        }
        _check_formulas(claimed, known.values())
    silence = "not-answered" if claimed is None else "not-claimed"
    judged = [_judged(case, given, expected, must.get(case.id), silence) for case in chosen]
    # A check that judges nothing says nothing about the program.
    if all(one.status == "skipped" for one in judged):
        raise InputError(_nothing_judged(given, kinds, needs))
    return Checked([*judged, *_stale(expected, judged)], chosen, claimed)


def _check_required(patterns: Iterable[str], chosen: Sequence[Case], known: Mapping[str, Case]) -> None:
    """Refuse a pattern of required cases if none of them is judged."""
    judged = {case.id for case in chosen}
    for pattern in patterns:
        if judged.isdisjoint(case.id for case in cases_like([pattern], known)):
            raise InputError(f"no case like {shortened(pattern)}, which is required, is among those that are judged")


def _check_formulas(claimed: Claims, known: Iterable[Case]) -> None:
    """Refuse a pattern of claimed formulas if it fits none of them: its cases would be left out without a word."""
    # A pattern that fits no formula would leave its cases out without a word.
    there_are = {case.formula for case in known if case.kind == "formula"}
    for pattern in claimed.formulas if "formula" in claimed.kinds and there_are else ():
        if not any(fnmatchcase(formula, pattern) for formula in there_are):
            raise InputError(f"the claims have {shortened(pattern)}, and no case is of such a formula")


def _nothing_judged(given: Collection[str], kinds: Iterable[str], needs: Iterable[str] | None) -> str:
    """The message of a check in which every case is skipped."""
    of_kind = [f"of the kind {' or '.join(kinds)}"] if kinds else []
    needing = [f"without other needs than {', '.join(sorted(needs)) or 'none'}"] if needs is not None else []
    answers = "there are no answers" if not given else f"none of {number_of(len(given), 'answer')} is to a case"
    return f"nothing is judged: {' '.join([answers, *of_kind, *needing])}; golden --list names the cases of a kind"


def _may_be_claimed(case: Case, claims: Claims) -> bool:
    """Whether the kind of a case is claimed, and the learners that have to decide: its golden says whether it is."""
    learners = {one["name"] for one in (case.ensemble, case.learner) if one and case.kind not in ("predict", "prune")}
    return case.kind in claims.kinds and learners <= claims.learners.keys()


def _judged(
    case: Case, given: Mapping[str, Any], expected: Sequence[Expected], must: str | None, silence: str
) -> Judged:
    """The finding about a case; `must` says why it has to be answered, if it has to be."""
    # Silence where an answer has to be is a failure, which may be an expected one.
    if case.id not in given and must is not None:
        reason = next((one.reason for one in expected if fnmatchcase(case.id, one.pattern)), None)
        if reason is not None:
            return Judged(case.id, "excused", "not-answered", f"as expected: {reason}")
        return Judged(case.id, "failed", "not-answered", must)
    if case.id not in given:
        return Judged(case.id, "skipped", silence)
    return judged_answer(case, given[case.id], expected)


def judged_answer(case: Case, answer: Any, expected: Sequence[Expected] = ()) -> Judged:
    """The finding about the answer to a case; one that has not the form of an answer is `malformed`."""
    # One part without the form of an answer makes the whole answer malformed.
    mistakes = list(mistakes_of(case, answer))
    if not mistakes:
        return Judged(case.id, "passed", "passes", details={"kind": case.kind})
    # Programs are given every mistake; people the first ones.
    details = {"kind": case.kind, "mistakes": [mistake.details() for mistake in mistakes]}
    verdict = "malformed" if any(mistake.verdict == "malformed" for mistake in mistakes) else "fails"
    how_many = number_of(len(mistakes), "mistake")
    if reason := next((one.reason for one in expected if fnmatchcase(case.id, one.pattern)), None):
        return Judged(case.id, "excused", verdict, f"{how_many}, as expected: {reason}", details=details)
    return Judged(case.id, "failed", verdict, how_many, list(_lines(mistakes)), details)


def _lines(mistakes: Sequence[Mistake]) -> Iterator[str]:
    yield from map(str, mistakes[:_MANY])
    if len(mistakes) > _MANY:
        yield f"and {len(mistakes) - _MANY} more"


def _stale(expected: Iterable[Expected], judged: Sequence[Judged]) -> Iterator[Judged]:
    """The entries that excuse nothing: their cases were answered, and pass."""
    for one in expected:
        # An entry is stale only if all cases that it means were answered, and pass.
        meant = [found for found in judged if fnmatchcase(found.id, one.pattern) and found.status != "skipped"]
        if meant and all(found.status == "passed" for found in meant):
            message = f"it was expected to fail ({one.reason}); take it off the list"
            yield Judged(one.pattern, "failed", "passes", message)


def _expected(given: str | Path | Iterable[tuple[str, str]], known: Collection[str]) -> list[Expected]:
    if not isinstance(given, str | Path):
        return [_expected_pair(pair, known) for pair in given]
    path = str(given)
    try:
        lines = Path(given).read_bytes().decode().splitlines()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from None
    except UnicodeDecodeError:
        raise InputError("is not UTF-8", path=path) from None
    found = []
    for number, line in enumerate(lines, start=1):
        # A line is a pattern and a reason; blank lines and comments are skipped.
        pattern, _, reason = line.strip().partition(" ")
        if not pattern or pattern.startswith("#"):
            continue
        if not reason.strip():
            raise InputError(f"{shortened(pattern)} has no reason; a line is PATTERN REASON", path=path, line=number)
        try:
            found.append(_expected_pair((pattern, reason.strip()), known))
        except InputError as error:
            raise InputError(error.message, path=path, line=number) from None
    return found


def _expected_pair(pair: tuple[str, str], known: Collection[str]) -> Expected:
    given: object = pair
    if not isinstance(given, tuple | list) or len(given) != 2 or not all(isinstance(part, str) for part in given):
        raise InputError(f"{shown(given)} is no pair of a pattern and a reason")
    # A pattern that fits no case would excuse nothing, and never be missed.
    if not any(fnmatchcase(name, pair[0]) for name in known):
        raise InputError(f"no case is named like {shortened(pair[0])}")
    return Expected(*pair)


# Answers.

LONGEST = 1 << 24
"""The largest number of bytes of a line; no golden has a twentieth of it."""


def read_answers(source: str, known: Collection[str]) -> dict[str, Any]:
    """The answers of a file by the ids of their cases.

    Args:
        source: the name of a file, or `-` for standard input.
        known: the ids of all cases.

    Raises:
        InputError: the file cannot be read, or is no file of answers.
    """
    if source == "-":
        return _collected(sys.stdin.buffer, "standard input", known)
    try:
        with open(source, "rb") as file:
            return _collected(file, source, known)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=source) from None


def _collected(file: BinaryIO, path: str, known: Collection[str]) -> dict[str, Any]:
    answers: dict[str, Any] = {}
    lines: dict[str, int] = {}
    # A line at a time: the text of a whole file is never held.
    for number, line in _read_lines(file, path):
        try:
            fields = _fields(line)
            name = text(fields["id"])
            if name not in known:
                raise InputError(f"there is no case {shortened(name)}{hint(name, known)}; golden --list names them")
            # Two answers to one case would leave open which is meant.
            if name in answers:
                raise InputError(f"the case {name} was answered in line {lines[name]} already; leave one of them out")
        except InputError as error:
            raise InputError(error.message, path=path, line=number, column=error.column) from None
        except ValueError as error:
            raise InputError(f'{error}; a line is {{"id": CASE, "answer": ...}}', path=path, line=number) from None
        answers[name], lines[name] = fields["answer"], number
    if not answers:
        raise InputError('holds no answers; each is a line, {"id": CASE, "answer": ...}', path=path)
    return answers


def _read_lines(file: BinaryIO, path: str) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, each with its number."""
    number = 0
    while line := file.readline(LONGEST + 1):
        number += 1
        # Reading one byte more than is allowed shows that a line is too long, without reading all of it.
        if len(line) > LONGEST:
            raise InputError(f"is longer than {LONGEST} bytes", path=path, line=number)
        if stripped := line.strip():
            yield number, stripped


def _fields(line: bytes) -> Mapping[str, Any]:
    try:
        written = line.decode()
    except UnicodeDecodeError as error:
        raise InputError("is not UTF-8", column=error.start + 1) from None
    # A constant such as NaN is read as a float, so that it spoils its own answer and not the file.
    return closed(parsed(written.removeprefix("\ufeff"), "an answer", constant=float), ["id", "answer"])
