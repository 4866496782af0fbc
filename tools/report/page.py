"""The page: programs, what an audit finds in their trees, and what is not audited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from reference_tree.auditing.finding import RIGHT, VERDICTS
from tools.report.boosters import COLUMNS as BOOSTED
from tools.report.boosters import NOTES, Boosted
from tools.report.programs import Program
from tools.report.runs import ROOT, Audited

PAGE = ROOT / "docs" / "conformance" / "report.md"
COMMAND = "`python -m tools.report` writes this page"
BOOSTED_FUNCTION = "reference_tree.auditing.boosting.BoostedAudit"
WRONG = VERDICTS[len(RIGHT) :]


def page(
    audited: Sequence[tuple[Program, Sequence[Audited]]],
    boosted: Sequence[Boosted],
    absent: Mapping[str, str],
    left_out: Iterable[tuple[str, str]],
) -> str:
    """The page.

    Args:
        audited: each program with what was found in its trees.
        boosted: what was found in boosted trees.
        absent: programs that did not run, and why.
        left_out: what is not audited, and why.
    """
    ran = [(program, found) for program, found in audited if found]
    return _text(
        "---\nsearch:\n  exclude: true\n---",
        "# What an audit finds in other programs",
        f"{COMMAND}: it runs the programs on public tables, and audits every tree that they grow, node by node, by the "
        "[profile](../auditing.md) that is the dialect of the program. It runs once a week; the page is as it was "
        "written last, with the versions below.",
        "A node is *optimal* if the learner would have made it of the rows that arrive there. It is *tied* if other "
        "questions are exactly as good. It is *excused* if the program takes back in the end what the learner would "
        "split there. Whatever else is wrong is told, also where it is the profile that does not know what the program "
        "does. A verdict that no node has got has no column.",
        "## Programs",
        _table(
            *_told(("program", "version", "trees", "nodes"), ("optimal", "tied", "excused", *WRONG), map(_program, ran))
        ),
        _absent(absent),
        "## Rules",
        "By which rule nodes are wrong, consequences of a fault above left out. A rule that is in no program's "
        "column is broken by none.",
        _rules(ran),
        *(block for program, found in ran for block in _details(program, found)),
        *_boosted(boosted),
        "## What is not audited, and why",
        "\n".join(f"- **{what}**: {why}" for what, why in left_out),
    )


def _text(*blocks: str) -> str:
    return "\n\n".join(block for block in blocks if block) + "\n"


def _table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    heads = list(head)
    marks = [":--" if place < 2 else "--:" for place in range(len(heads))]
    lines = [heads, marks, *(list(map(_cell, row)) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _told(
    heads: Sequence[str], counted: Sequence[str], rows: Iterable[Sequence[object]]
) -> tuple[list[str], list[list[object]]]:
    """A table whose last columns count something, without those that are 0 throughout."""
    found = list(rows)
    whole = [*heads, *counted]
    kept = [place for place in range(len(whole)) if place < len(heads) or any(row[place] for row in found)]
    return [whole[place] for place in kept], [[row[place] for place in kept] for row in found]


def _cell(value: object) -> str:
    return str(value).replace("|", "\\|")


def _counts(audited: Iterable[Audited]) -> Counter[str]:
    total: Counter[str] = Counter()
    for one in audited:
        total.update(one.counts)
    return total


def _program(row: tuple[Program, Sequence[Audited]]) -> list[object]:
    program, found = row
    counts = _counts(found)
    version = ", ".join(sorted({one.run.version for one in found}))
    trees = sum(not one.refused for one in found)
    sums = [counts.total(), counts["optimal"], counts["optimal-tied"], counts["excused"]]
    return [f"[{program.name}](#{_anchor(program.name)})", version, trees, *sums, *(counts[one] for one in WRONG)]


def _anchor(name: str) -> str:
    return name.lower().replace(" ", "-").replace(".", "")


def _absent(absent: Mapping[str, str]) -> str:
    return "\n".join(f"- {name} did not run: {why}." for name, why in absent.items())


def _rules(ran: Sequence[tuple[Program, Sequence[Audited]]]) -> str:
    broken = {program.name: Counter[str]() for program, _ in ran}
    for program, found in ran:
        for one in found:
            broken[program.name].update(one.rules)
    rules = sorted({rule for counts in broken.values() for rule in counts})
    if not rules:
        return "No program breaks any."
    names = [name for name, counts in broken.items() if counts]
    return _table(("rule", *names), ([f"`{rule}`", *(broken[name][rule] or "" for name in names)] for rule in rules))


def _details(program: Program, found: Sequence[Audited]) -> Iterator[str]:
    yield f"## {program.name}"
    yield f"Audited by {program.dialect}"
    alone = len({one.run.setting for one in found}) == 1
    if alone:
        yield f"Every tree is grown with `{found[0].run.setting}`."
    heads = ("table", *("setting",) * (not alone), "nodes")
    yield _table(*_told(heads, ("optimal", "tied", "excused", "wrong"), (_tree(one, alone) for one in found)))
    for one in found:
        if one.refused:
            yield f"{one.run.data} is not audited: {one.refused}"
    first = next((one for one in found if one.first), None)
    if first is not None:
        yield f"The first finding is in {first.run.data} ({first.run.setting}), {first.first}."
        yield f"```text\n{first.command}\n```"
    if program.because and any(one.first for one in found):
        yield program.because


def _tree(one: Audited, alone: bool) -> list[object]:
    """A row; without the setting where there is one alone."""
    counts = one.counts
    right = [counts.get(verdict, 0) for verdict in ("optimal", "optimal-tied", "excused")]
    setting = [] if alone else [f"`{one.run.setting}`"]
    return [one.run.data, *setting, one.nodes, *right, one.wrong]


def _boosted(boosted: Sequence[Boosted]) -> Iterator[str]:
    if not boosted:
        return
    yield "## Boosted trees"
    yield (
        f"`{BOOSTED_FUNCTION}` judges them, by the derivatives that the program had. Squared error is exact in the "
        "first tree; "
        "later margins are replayed, addition by addition, in the program's own floats. Derivatives and gains that a "
        "program rounded are enclosed, with all the rounding that there may have been: a node is proved *optimal* if "
        "its question is best whatever the roundings were, *suboptimal* if another one is better whatever they were, "
        "and *within rounding* otherwise. A learner of histograms is judged twice: among its own bins, to see whether "
        "it was right, and among all gaps, to see what binning cost. `python -m tools.report` repeats it."
    )
    rows = ([one.name, one.version, one.among, one.trees, *one.splits, *one.leaves] for one in boosted)
    yield _table(*_told(("model", "version", "among", "trees"), (*BOOSTED, "leaves right", "leaves wrong"), rows))
    for one in boosted:
        if one.first:
            yield f"{one.name}, among {one.among}: {one.first}."
    yield NOTES


def written(text: str, path: Path = PAGE) -> None:
    """Writes the page. A reader never meets half of it."""
    draft = path.with_name(f"{path.name}.new")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)
