"""Fuzzing: tables and options are drawn that a program claims, and what it answers to them is judged.

Fixed cases find the mistakes that somebody thought of. Drawn ones find the others: each is a table of a few rows with
options of a learner that the program claims, handed over as a prompt, and judged as a golden of the suite is.

1. `Fuzzing` draws a number of cases, and gives each finding once.
2. A finding is shrunk: rows, attributes, weights, missing values and options are taken away as long as the program is
   still wrong in the same way. What is left is a golden, which `check` takes.
3. `drawn_case` is a case of the draws: a seed and a number give the same case everywhere.

Half of the columns of numbers have one digit, and half have numbers of several lengths and signs, such as 9, 10 and -1,
whose order as texts is another one. A quarter of the trees of C4.5 without gaps are of attributes whose gains are 0, g
and 2g, so that the average is a gain.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, NamedTuple

from reference_tree.auditing.reducing import left_out, smallest
from reference_tree.chance import Chance
from reference_tree.checking.check import judged_answer
from reference_tree.conformance.cases import Case, cases
from reference_tree.conformance.claims import ANY, PROFILE, Claims
from reference_tree.conformance.generated import TARGET, continuous, drawn_columns
from reference_tree.conformance.goldens import document, prompt
from reference_tree.data.errors import InputError
from reference_tree.findings_output import Judged
from reference_tree.learners.registry import LEARNERS

KINDS = ("tree", "predict", "prune")
"""The kinds of case that are drawn."""

_BATCH = 40
"""The number of prompts that a program is handed at once."""

_TOLD = 3
"""How often what looks like the same finding is shrunk, to see whether it is."""


class Broken(NamedTuple):
    """What a program gave in place of an answer."""

    reason: str


Answers = Callable[[Sequence[Mapping[str, Any]]], Mapping[str, Any]]
"""A program: prompts → the answers by the ids of their cases, or `Broken`; what it does not claim has no answer."""


class ShrunkFinding(NamedTuple):
    """A mistake of a program, in the smallest case that shows it."""

    case: Case
    judged: Judged
    drawn: str
    """The id of the case in which it was found."""


@dataclass
class Fuzzing:
    """The fuzzing of a program, and how far it came.

    Args:
        answers: the program.
        claims: what it claims.
        seed: the seed of the random draws.
    """

    answers: Answers
    claims: Claims
    seed: int = 0
    drawn: int = 0
    """The number of cases that were handed over."""

    def findings(self, cases: int, is_over: Callable[[], bool] = lambda: False) -> Iterator[ShrunkFinding]:
        """The findings, each once.

        Args:
            cases: the number of cases that are drawn.
            is_over: whether no more are to be drawn.
        """
        seen: Counter[tuple[str, ...]] = Counter()
        told: set[tuple[str, ...]] = set()
        numbers = iter(range(cases * _DRAWS))
        while self.drawn < cases and not is_over():
            # Prompts go out in batches, for a program may take long to start.
            batch = self._batch(numbers, min(_BATCH, cases - self.drawn))
            if not batch:
                return
            self.drawn += len(batch)
            for case, judged in self._judged(batch):
                # The same cause found again is shrunk a few times only: two mistakes may look alike before they are
                # small.
                if judged is None or seen[_cause(case, judged)] == _TOLD:
                    continue
                seen[_cause(case, judged)] += 1
                found = self._shrunk(case, judged)
                # What is small and alike in cause and traits is one finding.
                if (identity := (*_cause(found.case, found.judged), *_traits(found.case))) not in told:
                    told.add(identity)
                    yield found

    def _batch(self, numbers: Iterator[int], most: int) -> list[Case]:
        batch: list[Case] = []
        for number in numbers:
            case = drawn_case(self.claims, self.seed, number)
            if case is not None:
                batch.append(case)
            if len(batch) == most:
                break
        return batch

    def _judged(self, batch: Sequence[Case]) -> Iterator[tuple[Case, Judged | None]]:
        """Each case with the finding about its answer; None if it is right."""
        # The program is given prompts, which have no answers in them.
        goldens = {case.id: document(case) for case in batch}
        answers = self.answers([prompt(golden) for golden in goldens.values()])
        for case in batch:
            yield case, _finding(case, answers.get(case.id))

    def _shrunk(self, case: Case, judged: Judged) -> ShrunkFinding:
        """The smallest case found in which the program is wrong in the same way."""
        drawn, cause = case.id, _cause(case, judged)

        def first(candidates: Iterable[Case]) -> Case | None:
            nonlocal judged
            # Answers come by the ids of the cases, so that each reduction has one of its own.
            numbered = (replace(one, id=f"{drawn}/{number}") for number, one in enumerate(candidates))
            # The candidates stand in order of size; the first that is still wrong in the same way is the next step.
            while batch := list(islice(numbered, _BATCH)):
                for one, said in self._judged(batch):
                    if said is not None and _cause(one, said) == cause:
                        judged = replace(said, id=drawn)
                        return replace(one, id=drawn)
            return None

        case = smallest(case, lambda one: filter(self._is_claimed, reductions(one)), first)
        return ShrunkFinding(replace(case, title=f"{judged.verdict}: {judged.message}"), judged, drawn)

    def _is_claimed(self, case: Case) -> bool:
        golden = _document(case)
        return golden is not None and self.claims.cover(golden)


_DRAWS = 100
"""How many draws there are at most for each case: draws that are not claimed are not handed over."""


def _finding(case: Case, answer: Any) -> Judged | None:
    if answer is None:
        return Judged(case.id, "failed", "not-answered", "it is claimed")
    # A program that ends without an answer is wrong in a way of its own.
    if isinstance(answer, Broken):
        return Judged(case.id, "failed", "broken", answer.reason)
    judged = judged_answer(case, answer)
    return None if judged.status == "passed" else judged


def _cause(case: Case, judged: Judged) -> tuple[str, ...]:
    """What tells one mistake from another: the option with which the learner decides so; else what is wrong first."""
    mistakes = judged.details.get("mistakes", [{}])
    # The option with which the learner decides as the program did names the mistake better than its place does.
    likely = next((one["likely"] for one in mistakes if one.get("likely")), None)
    if likely is not None:
        return (case.kind, str((case.learner or {}).get("name")), likely)
    # Mistakes come in preorder, so that the first is the cause; numbers in its place differ from case to case.
    first = mistakes[0]
    what = (first.get("verdict", judged.message), first.get("rule", ""), re.sub("[0-9]+", "", first.get("member", "")))
    return (case.kind, str((case.learner or {}).get("name")), judged.verdict, *map(str, what))


def _traits(case: Case) -> tuple[str, ...]:
    """What a smallest case still has: the options that are set, and the kinds of its columns."""
    columns = case.data if isinstance(case.data, Mapping) else {}
    kinds = {"numbers" if name in case.continuous else "categories" for name in columns if name != TARGET}
    gaps = {"gaps"} if any("?" in cells for cells in columns.values()) else set()
    return (*sorted(map(str, (case.learner or {}).items())), *sorted(kinds | gaps))


# Draws.


def drawn_case(claims: Claims, seed: int, number: int) -> Case | None:
    """The case of a number; None if the draws give one that no learner takes, or that is not claimed.

    Args:
        claims: what the program claims.
        seed: the seed of all draws.
        number: the number of the case.

    Example:
        >>> claims = Claims("ours", kinds={"tree": []}, learners={"id3": {}})
        >>> case = drawn_case(claims, 0, 2)
        >>> case.kind, case.learner, len(case.table())
        ('tree', {'name': 'id3'}, 13)
    """
    # Every draw of a case comes from its own number, so that a case can be drawn alone.
    chance = Chance(seed, f"case {number}".encode())
    kinds = [kind for kind in KINDS if kind in claims.kinds]
    names = [name for name in LEARNERS if name in claims.learners]
    if not kinds or not names:
        raise InputError(f"a program is fuzzed that claims a kind of {', '.join(KINDS)}, and a learner of trees")
    kind, name = chance.choice(kinds), chance.choice(names)
    # Only what is claimed is drawn: regression, gaps, cuts and weights each where the program has them.
    needs = set(claims.kinds[kind])
    classes = 0 if "regression" in needs and chance.below(3) == 0 else 2 + chance.below(2)
    columns: dict[str, Any] = {
        "rows": 3 + chance.below(14),
        "categories": [2 + chance.below(3) for _ in range(chance.below(4))]
        if "categorical" in claims.attributes
        else [],
        "numbers": [2 + chance.below(5) for _ in range(chance.below(3))] if "cuts" in needs else [],
        "classes": classes,
        "gaps": 3 + chance.below(8) if "missing" in needs and chance.below(2) else 0,
    }
    if not columns["categories"] and not columns["numbers"]:
        return None
    # The same seed draws the same columns twice: first to see which are numbers, then to write these otherwise.
    own = int.from_bytes(f"{seed} {number}".encode(), "big")
    numerals = {name: _numerals(chance) for name in continuous(drawn_columns(own, **columns), classes)}
    data = _with_numerals(drawn_columns(own, **columns), numerals)
    more: dict[str, Any] = {}
    if "weights" in needs and chance.below(3) == 0:
        more["weights"] = tuple(chance.choice(_WEIGHTS) for _ in data[TARGET])
    # Rows to be predicted are of the same columns, drawn by another seed.
    if kind == "predict":
        asked = _with_numerals(drawn_columns(own + 1, **{**columns, "rows": 3}), numerals)
        more["ask"] = {name: cells for name, cells in asked.items() if name != TARGET}
        more["unseen"] = chance.choice(("majority", "missing")) if "unseen" in needs else "error"
    if kind == "prune":
        prunings = [case.prune for case in cases().values() if case.prune and case.prune["method"] in claims.prunings]
        if not prunings:
            return None
        more["prune"] = chance.choice(prunings)
        held_out = drawn_columns(own + 2, **{**columns, "rows": 2 + chance.below(8)})
        more["validation"] = _with_numerals(held_out, numerals)
        if more["prune"]["method"] not in _BY_VALIDATION:
            del more["validation"]
    # C4.5 compares gains with their average: a program that asks for more than the average is found only at equality.
    if (kind, name, columns["gaps"]) == ("tree", "c45", 0) and columns["categories"] and chance.below(4) == 0:
        data, classes, more = _around_the_average(chance), 4, {}
    case = Case(
        f"fuzz/{seed}-{number}",
        kind,  # type: ignore[arg-type]
        "",
        data=data,
        continuous=tuple(continuous(data, classes)),
        target=TARGET,
        learner={"name": name, **_options(claims, name, needs, chance)},
        **more,
    )
    golden = _document(case)
    return case if golden is not None and claims.cover(golden) else None


def _numerals(chance: Chance) -> Mapping[str, str]:
    """The numbers that stand for the digits of a column: themselves, or numbers of several lengths."""
    return dict(zip("0123456789", chance.shuffled(_LENGTHS), strict=False)) if chance.below(2) else {}


_LENGTHS = ("-10", "-1", "0", "9", "10", "100", "2.5e1", "1.50", "-0.5", "1000")
"""Numbers that texts have in another order: 10 before 9, and 1000 before 25."""


def _with_numerals(columns: Mapping[str, list[str]], numerals: Mapping[str, Mapping[str, str]]) -> dict[str, list[str]]:
    return {name: [numerals.get(name, {}).get(one, one) for one in cells] for name, cells in columns.items()}


def _around_the_average(chance: Chance) -> dict[str, list[str]]:
    """A table of four classes, whose attributes have gains of 2 bits, 1 bit (one or two of them) and 0 bits.

    Example:
        >>> sorted(map("".join, map(sorted, _around_the_average(Chance(1, b"case 1")).values())))
        ['aaaabbbb', 'aaaabbbb', 'abcdefgh', 'ppqqrrss']
    """
    attributes = ["abcdefgh", "aaaabbbb", "abababab", "aabbaabb"][: 3 + chance.below(2)]
    rows = chance.shuffled(range(8))
    columns = {f"a{place}": cells for place, cells in enumerate(chance.shuffled(attributes), start=1)}
    return {name: [cells[row] for row in rows] for name, cells in {**columns, TARGET: "ppqqrrss"}.items()}


_WEIGHTS = ("1", "1", "2", "3", "1/2")
_BY_VALIDATION = ("reduced-error",)


def _options(claims: Claims, name: str, needs: Collection[str], chance: Chance) -> dict[str, Any]:
    """The options of a learner: of those that are claimed, every other one has a claimed value.

    Of an option that is claimed with any value, the values are those that cases of the suite have.
    """
    options: dict[str, Any] = {}
    profiles = [need.partition(":")[2] for need in sorted(needs) if need.startswith("dialect:")]
    own = [profile for profile in profiles if profile in LEARNERS[name].profiles]
    # A profile is an option, too; where only profiles are claimed, one has to be taken.
    words = claims.learners[name].get(PROFILE)
    if words is not None:
        own = [word for word in words if word != "null"]
    if own and (words == own or chance.below(3) == 0):
        options["profile"] = chance.choice(own)
    of_the_suite = [case.learner for case in cases().values() if case.learner and case.learner["name"] == name]
    for option, words in claims.learners[name].items():
        if option == PROFILE:
            continue
        pool = [word for word in words if word != ANY]
        if ANY in words:
            # One that names columns or classes does not fit any table.
            pool += list(dict.fromkeys(one[option] for one in of_the_suite if isinstance(one.get(option), str | int)))
        if pool and chance.below(2):
            value = chance.choice(pool)
            options[option] = None if value == "null" else value
    return options


def _document(case: Case) -> Mapping[str, Any] | None:
    """The golden of a case; None if its options or its rows are refused."""
    try:
        return document(case)
    except (InputError, ValueError, TypeError):
        return None


# Reductions.


def reductions(case: Case) -> Iterator[Case]:
    """The cases that are a step smaller than a case, those with the fewest rows first."""
    columns = dict(case.data) if isinstance(case.data, Mapping) else {}
    # The largest reductions first: runs of rows, then attributes, options, weights, gaps and the rows that are asked.
    for run in left_out(len(columns[TARGET])):
        yield _without_rows(case, columns, range(run.start, run.start + run.step))
    for name in columns:
        if name != TARGET:
            yield _with_columns(case, {other: cells for other, cells in columns.items() if other != name})
    learner = dict(case.learner or {})
    for option in learner:
        if option != "name":
            yield replace(case, learner={name: value for name, value in learner.items() if name != option})
    if case.weights:
        yield replace(case, weights=())
    for name, cells in columns.items():
        if "?" in cells:
            # A gap is filled by the most frequent value of its column, so that no new value comes in.
            usual = Counter(cell for cell in cells if cell != "?").most_common(1)
            if usual:
                whole = [usual[0][0] if cell == "?" else cell for cell in cells]
                yield _with_columns(case, {**columns, name: whole})
    if case.ask is not None:
        asked = len(next(iter(case.ask.values()), []))
        for row in range(asked if asked > 1 else 0):
            yield replace(case, ask={name: [cells[row]] for name, cells in case.ask.items()})


def _without_rows(case: Case, columns: Mapping[str, list[str]], gone: range) -> Case:
    kept = [row for row in range(len(columns[TARGET])) if row not in gone]
    weights = tuple(case.weights[row] for row in kept) if case.weights else ()
    return replace(case, data={name: [cells[row] for row in kept] for name, cells in columns.items()}, weights=weights)


def _with_columns(case: Case, columns: Mapping[str, list[str]]) -> Case:
    """A case with other columns; the rows that are held out, or asked, lose those that are gone."""
    kept = tuple(name for name in case.continuous if name in columns)
    more: dict[str, Any] = {}
    if case.ask is not None:
        more["ask"] = {name: cells for name, cells in case.ask.items() if name in columns}
    if isinstance(case.validation, Mapping):
        more["validation"] = {name: cells for name, cells in case.validation.items() if name in columns}
    return replace(case, data=columns, continuous=kept, **more)
