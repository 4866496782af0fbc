"""What the pages say of other programs: a claim is a sentence, and a run of the program that holds exactly if it is so.

1. `says` puts a claim on record, with the run, in the modules of this package: one module a program.
2. `release` is the release of a program that is installed here; `recorded` has those in which all claims held.
3. `line` is what a page says of that: `python -m tests.programs.seen pages` writes it there.
4. `no_longer` lists the claims that do not hold in the releases that are installed.
"""

from __future__ import annotations

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


def says(
    program: str, *sentences: str, run: str | None = None
) -> Callable[[Callable[[], bool]], Callable[[], bool]]:
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


def no_sayings() -> dict[str, list[str]]:
    """Page → how the sentences begin that have a program as their subject, and say nothing about it."""
    found: dict[str, list[str]] = tomllib.loads(RECORD.read_text(encoding="utf-8"))["no_claims"]
    return found


def no_longer() -> Iterator[Claim]:
    """The claims that do not hold in the releases that are installed."""
    for claim in CLAIMS:
        if release(claim.program) is not None and not claim.holds():
            yield claim


def listed(words: Sequence[str], last: str = " and ") -> str:
    """`a, b and c`."""
    return last.join(filter(None, [", ".join(words[:-1]), words[-1]]))


def line(page: str) -> str | None:
    """In which releases the claims of a page were seen; none if it has no claims."""
    programs = {claim.program for claim in CLAIMS if claim.page == page.removeprefix("zh/")}
    seen = [f"{program} {listed(releases)}" for program, releases in recorded().items() if program in programs]
    if not seen:
        return None
    return f"*所见版本：{'、'.join(seen)}。*" if page.startswith("zh/") else f"*Seen in {', '.join(seen)}.*"
