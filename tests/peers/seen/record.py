"""What the pages say of other programs: a claim is a sentence, and a run of the program that holds exactly if it is so.

1. `says` puts a claim on record, with the run, in the modules of this package: one module a program.
2. `release` is the release of a program that is installed here; `recorded` has those in which all claims held.
3. `line` is what a page says of that: `python -m tests.peers.seen pages` writes it there.
4. `no_longer` lists the claims that do not hold in the releases that are installed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOT = Path(__file__).parents[3]
RECORD = ROOT / "tests" / "recorded" / "seen.toml"
PAGES = ROOT / "docs"


@dataclass(frozen=True)
class Claim:
    """A sentence about a program, and the run that sees whether it is so.

    Args:
        program: as `RELEASES` has it.
        page: its path below `docs`, without `.md`.
        words: of the sentence.
        holds: the run.
        run: its name, which is the id of the claim.
    """

    program: str
    page: str
    words: str
    holds: Callable[[], bool]
    run: str


CLAIMS: list[Claim] = []
RELEASES: dict[str, Callable[[], str | None]] = {}
"""Program → its release that is installed; none if it is not."""


def says(program: str, *sentences: str, run: str | None = None) -> Callable[[Callable[[], bool]], Callable[[], bool]]:
    """A function that sees whether sentences are so, each written as `page: some words of it`."""

    def record(holds: Callable[[], bool]) -> Callable[[], bool]:
        for sentence in sentences:
            page, _, words = sentence.partition(": ")
            CLAIMS.append(Claim(program, page, words, holds, run or holds.__name__.strip("_")))
        return holds

    return record


def package(*names: str) -> Callable[[], str | None]:
    """The release of a package of Python, by the first of its names that is installed."""

    def found() -> str | None:
        for name in names:
            try:
                return version(name)
            except PackageNotFoundError:
                continue
        return None

    return found


def release(program: str) -> str | None:
    """The release of a program that is installed; None if it is not."""
    return RELEASES[program]()


def recorded() -> dict[str, list[str]]:
    """Program → the releases in which all claims about it were seen to hold."""
    found: dict[str, list[str]] = tomllib.loads(RECORD.read_text(encoding="utf-8"))["releases"]
    return found


def read_in_sources() -> list[dict[str, str]]:
    """Claims that no run sees: the program, the page, the words, and where in its source it was read."""
    found: list[dict[str, str]] = tomllib.loads(RECORD.read_text(encoding="utf-8"))["read"]
    return found


def no_claims() -> dict[str, list[str]]:
    """Page → words of the sentences that have a program as their subject, and say nothing about what it does."""
    found: dict[str, list[str]] = tomllib.loads(RECORD.read_text(encoding="utf-8"))["no_claims"]
    return found


def in_chinese() -> dict[str, list[str]]:
    """Page in Chinese → the programs of which it says what is on record for a page in English."""
    found: dict[str, list[str]] = tomllib.loads(RECORD.read_text(encoding="utf-8"))["zh"]
    return found


def no_longer() -> Iterator[Claim]:
    """The claims that do not hold in the releases that are installed."""
    held: dict[tuple[str, str], bool] = {}
    for claim in CLAIMS:
        if release(claim.program) is None:
            continue
        key = claim.program, claim.run
        held[key] = held[key] if key in held else claim.holds()
        if not held[key]:
            yield claim


def tried() -> tuple[list[str], bool]:
    """What became of the claims, a line a program and a line a claim that does not hold; whether all hold."""
    gone, lines = list(no_longer()), []
    for program, releases in recorded().items():
        claims = [claim for claim in CLAIMS if claim.program == program]
        here, failed = release(program), sum(claim.program == program for claim in gone)
        found = "none tried, as it is not here" if here is None else f"of which {len(claims) - failed} hold in {here}"
        lines.append(f"{program}, seen in {listed(releases)}: {len(claims)} statements, {found}")
    lines += [f"no longer so of {one.program}: {one.page}: {one.words} ({one.run})" for one in gone]
    return lines, not gone


def listed(words: Sequence[str], last: str = " and ") -> str:
    """`a, b and c`."""
    return last.join(filter(None, [", ".join(words[:-1]), words[-1]]))


SEEN = re.compile(r"^\*(?:Programs observed: |所见程序：).*\*$", re.MULTILINE)
"""The line of a page."""


def line(page: str) -> str | None:
    """In which releases the claims of a page were seen; none if it has no claims."""
    if page.startswith("zh/"):
        programs = set(in_chinese().get(page.removeprefix("zh/"), ()))
    else:
        programs = {claim.program for claim in CLAIMS if claim.page == page}
    seen = [f"{program} {listed(releases)}" for program, releases in recorded().items() if program in programs]
    if not seen:
        return None
    chinese = f"*所见程序：{'、'.join(seen).replace(' and ', '、')}。*"
    return chinese if page.startswith("zh/") else f"*Programs observed: {', '.join(seen)}.*"


def write_lines() -> None:
    """Write the line of each page that has one anew; where there is none yet, below the block of most claims."""
    for page in (*sorted({claim.page for claim in CLAIMS}), *(f"zh/{page}" for page in in_chinese())):
        path = PAGES / f"{page}.md"
        text, new = path.read_text(encoding="utf-8"), line(page) or ""
        if SEEN.search(text):
            text = SEEN.sub(new, text)
        else:
            ends = [text.find("\n\n", _place(text, claim.words)) for claim in CLAIMS if claim.page == page]
            most = max(sorted(set(ends)), key=ends.count)
            text = f"{text[:most]}\n\n{new}{text[most:]}"
        path.write_text(text, encoding="utf-8")


def _place(text: str, words: str) -> int:
    """Where words stand in a text, wherever its lines end."""
    found = re.search(r"\s+".join(map(re.escape, words.split())), text)
    return found.start() if found else 0
