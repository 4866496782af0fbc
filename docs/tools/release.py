"""A release: what states a version is checked, moved on, and committed under a tag; what was built is compared.

    python docs/tools/release.py cut 1.1.0 2027-01-31      set the version and the date, record the surface, commit, tag
    python docs/tools/release.py check v1.1.0              everything that states the version agrees
    python docs/tools/release.py notes                     what the changelog says of the version
    python docs/tools/release.py digests dist other        the digests of what was built; twice, and it has to be alike

The version stands in `reference_tree/__init__.py`. `CITATION.cff` repeats it with its date, the changelog has a heading
for it, and `tools/recorded/surface/released/` has the surface of it. Nothing but the standard library is needed.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import date as day
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[2]
STATED = "reference_tree/__init__.py"
VERSION = re.compile(r'^__version__ = "(.*)"$', re.MULTILINE)
UNRELEASED = "## [Unreleased]"
SURFACE = "tools/recorded/surface"


def version_of(root: Path) -> str:
    """The version that the package states."""
    found = VERSION.search((root / STATED).read_text(encoding="utf-8"))
    if found is None:
        raise SystemExit(f"{STATED} states no version")
    return found[1]


def section(root: Path, version: str) -> tuple[str, str]:
    """The date of a version, and what the changelog says of it; empty if it has no heading."""
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    heading = rf"^## \[{re.escape(version)}\](?: - (\S+))?\n(.*?)(?=^## \[|\Z)"
    found = re.search(heading, text, re.MULTILINE | re.DOTALL)
    return ("", "") if found is None else (found[1] or "", found[2].strip())


def faults(root: Path, tag: str = "") -> Iterator[str]:
    """What does not agree.

    Args:
        root: the repository.
        tag: the tag of the release; empty while there is none: then what is not released may be listed.
    """
    version = version_of(root)
    citation = (root / "CITATION.cff").read_text(encoding="utf-8")
    cited = dict(re.findall(r'^(version|date-released|title|license): "?(.*?)"?$', citation, re.MULTILINE))
    if cited.get("version") != version:
        yield f"CITATION.cff has version {cited.get('version')}, and {STATED} {version}"
    zenodo = json.loads((root / ".zenodo.json").read_text(encoding="utf-8"))
    for member, name in (("title", "title"), ("license", "license")):
        if zenodo.get(member) != cited.get(name):
            yield f".zenodo.json has {member} {zenodo.get(member)!r}, and CITATION.cff {cited.get(name)!r}"
    status = "5 - Production/Stable" if int(version.partition(".")[0]) else "3 - Alpha"
    if f'"Development Status :: {status}"' not in (root / "pyproject.toml").read_text(encoding="utf-8"):
        yield f"pyproject.toml does not have the status {status} of version {version}"
    if tag:
        yield from _of_tag(root, tag, version, cited.get("date-released", ""))


def _of_tag(root: Path, tag: str, version: str, date: str) -> Iterator[str]:
    if tag != f"v{version}":
        yield f"the tag is {tag}, and {STATED} has version {version}"
    dated, text = section(root, version)
    if not text:
        yield f"CHANGELOG.md says nothing of version {version}"
    if dated != date or not re.fullmatch(r"\d{4}-\d\d-\d\d", date):
        yield f"CHANGELOG.md dates version {version} {dated or 'nowhere'}, and CITATION.cff {date or 'nowhere'}"
    if section(root, "Unreleased")[1]:
        yield "CHANGELOG.md lists changes that are not released"
    for now in sorted((root / SURFACE).glob("*.txt")):
        released = root / SURFACE / "released" / now.name
        if not released.exists() or released.read_bytes() != now.read_bytes():
            yield f"{SURFACE}/released/{now.name} is not the surface of version {version}"


def _numbers(version: str) -> list[int]:
    return list(map(int, version.split(".")))


KINDS = ("patch", "minor", "major")
"""The kinds of a version, each with more that it may change: docs/frozen.md."""


def needed(root: Path) -> tuple[int, str]:
    """The least kind of version that may have the surface of today, by its place in `KINDS`; a line that asks for it.

    What is gone asks for a major version. What is new, or has other parameters, asks for a minor one; a new anchor or
    another golden of a case does not.
    """
    found = (0, "")
    for now in sorted((root / SURFACE).glob("*.txt")):
        files = (now, root / SURFACE / "released" / now.name)
        new, old = (dict.fromkeys(file.read_text(encoding="utf-8").splitlines()) for file in files)
        names, before = ({_name(line, now.stem) for line in lines} for lines in (new, old))
        gone = [(2, f"- {line}") for line in old if _name(line, now.stem) not in names]
        other = [
            line for line in new if line not in old and not (now.stem == "cases" and _name(line, "cases") in before)
        ]
        added = [(1, f"+ {line}") for line in other if "#" not in line]
        found = max([found, *gone, *added], key=lambda one: one[0])
    return found


def _name(line: str, part: str) -> str:
    return line.partition(" ")[0] if part == "cases" else re.split(r"[(=]", line)[0]


def moved_on(root: Path, version: str, date: str) -> None:
    """Set the version and its date wherever they stand, and record the surface as released."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version) or not re.fullmatch(r"\d{4}-\d\d-\d\d", date):
        raise SystemExit("a version is MAJOR.MINOR.PATCH, and a date YYYY-MM-DD")
    try:
        day.fromisoformat(date)
    except ValueError as error:
        raise SystemExit(f"{date} is no date: {error}") from None
    if _numbers(version) < _numbers(before := version_of(root)):
        raise SystemExit(f"{version} is before {before}, the version that {STATED} has")
    if not section(root, "Unreleased")[1]:
        raise SystemExit("CHANGELOG.md lists nothing that is not released")
    pairs = zip(_numbers(version), _numbers(before), strict=True)
    kind = next((2 - place for place, (one, other) in enumerate(pairs) if one != other), 0)
    least, line = needed(root)
    if section(root, before)[1] and kind < least:  # the present version is released
        raise SystemExit(
            f"{version} is a {KINDS[kind]} version, and what has changed needs a {KINDS[least]} one: {line}"
        )
    major = int(version.partition(".")[0])
    changes = {
        STATED: (VERSION, f'__version__ = "{version}"'),
        "CITATION.cff": (
            re.compile(r"^version: .*\n(?:date-released: .*\n)?", re.MULTILINE),
            f"version: {version}\ndate-released: {date}\n",
        ),
        "CHANGELOG.md": (
            re.compile(rf"^{re.escape(UNRELEASED)}\n", re.MULTILINE),
            f"{UNRELEASED}\n\n## [{version}] - {date}\n",
        ),
        "pyproject.toml": (
            re.compile(r'"Development Status :: .*"'),
            f'"Development Status :: {"5 - Production/Stable" if major else "3 - Alpha"}"',
        ),
    }
    for name, (pattern, new) in changes.items():
        text, found = pattern.subn(new.replace("\\", r"\\"), (root / name).read_text(encoding="utf-8"), count=1)
        if not found:
            raise SystemExit(f"{name} has no place for the version")
        (root / name).write_text(text, encoding="utf-8")
    for now in (root / SURFACE).glob("*.txt"):
        (root / SURFACE / "released").mkdir(exist_ok=True)
        shutil.copyfile(now, root / SURFACE / "released" / now.name)


def cut(root: Path, version: str, date: str) -> None:
    """Make the commit and the tag of a release. Nothing is pushed."""
    if subprocess.run(["git", "status", "--porcelain"], cwd=root, capture_output=True, text=True, check=True).stdout:
        raise SystemExit("commit what has changed first")
    moved_on(root, version, date)
    checked(root, f"v{version}")
    said = ["-m", f"Version {version}"]
    for words in (["add", "-A"], ["commit", "-q", *said], ["tag", "-a", f"v{version}", *said]):
        subprocess.run(["git", *words], cwd=root, check=True)
    print(f"v{version} is tagged; publish it by: git push --follow-tags")


def checked(root: Path, tag: str = "") -> None:
    """End with what does not agree, if anything does not."""
    if found := list(faults(root, tag)):
        raise SystemExit("\n".join(found))


def digests(*folders: Path) -> str:
    """The digests of the files of a folder, as `sha256sum` prints them.

    Raises:
        SystemExit: another folder does not hold the same bytes under the same names.
    """
    each = [
        {path.name: sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir()) if path.is_file()}
        for folder in folders
    ]
    if differ := [name for other in each[1:] for name in each[0] | other if each[0].get(name) != other.get(name)]:
        raise SystemExit(f"built twice, and not alike: {', '.join(dict.fromkeys(differ))}")
    return "".join(f"{digest}  {name}\n" for name, digest in each[0].items())


def main(words: list[str]) -> None:
    """Do what is asked for."""
    match words:
        case ["cut", version, date]:
            cut(ROOT, version, date)
        case ["check", *tag] if len(tag) < 2:
            checked(ROOT, "".join(tag))
        case ["notes"]:
            print(section(ROOT, version_of(ROOT))[1])
        case ["digests", folder, *others]:
            print(digests(Path(folder), *map(Path, others)), end="")
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
