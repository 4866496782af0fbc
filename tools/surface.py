"""The public surface: what others may rely on, a line each. `python -m tools.surface` writes the record anew.

The record stands in `tools/recorded/surface/`, a file for each part; `released/` has that of the last release. What was
added or changed since is to be named in `[Unreleased]` of `CHANGELOG.md`: `untold` lists what is not.
"""

from __future__ import annotations

import argparse
import inspect
import json
import re
import sys
import tempfile
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import reference_tree as rt
from docs.tools.pages import beneath
from reference_tree import _offered
from reference_tree.auditing.finding import BARS, STOPS
from reference_tree.auditing.verdicts import TABLE
from reference_tree.cli import main as command_line
from reference_tree.cli import parser
from reference_tree.conformance.archive import archive
from reference_tree.conformance.cases import case, cases
from reference_tree.conformance.goldens import RULES, document
from reference_tree.data.sample import Sample

ROOT = Path(__file__).parents[1]
GOLDENS = ROOT / "tests" / "goldens"
RECORD = ROOT / "tools" / "recorded" / "surface"
RELEASED = RECORD / "released"
PART = ("formats", "rules", "door", "commands", "names", "cases", "pages")


# Formats: what the schemas of documents, goldens and archives say.


def formats() -> Iterator[str]:
    """The members of each format, the words that a member may be, and the files of an archive."""
    for path in sorted((ROOT / "docs" / "schemas").glob("*.json")):
        name = path.name.removesuffix(".schema.json")
        yield from sorted({f"{name} {line}" for line in _members(json.loads(path.read_text(encoding="utf-8")))})
    zipped = ZipFile(BytesIO(archive([document(case("formula/entropy-pure"))])))
    yield from (f"golden-archive-1 file {name}" for name in zipped.namelist())


def _members(schema: Any, at: str = "") -> Iterator[str]:
    if isinstance(schema, Sequence) and not isinstance(schema, str):
        for one in schema:
            yield from _members(one, at)
    if not isinstance(schema, Mapping):
        return
    for name, inner in schema.items():
        if name in ("properties", "$defs"):
            for member, one in inner.items():
                here = f"{at}{member}" if name == "properties" else f"{member}"
                if name == "properties":
                    yield here
                yield from _members(one, f"{here}.")
        elif name == "required":
            yield from (f"{at}{member} required" for member in inner)
        elif name in ("enum", "const"):
            yield from (f"{at[:-1]} = {json.dumps(word)}" for word in (inner if name == "enum" else [inner]))
        else:
            yield from _members(inner, at)


# Rules, the door, cases.


def rules() -> Iterator[str]:
    """The verdicts, by who gives them, and the ids of rules."""
    yield from (f"verdict {one.name} {by}" for one in TABLE for by in one.by)
    found = {*RULES, *(one.id for one in (*BARS.values(), *STOPS.values())), *(one.rule for one in TABLE)} - {""}
    yield from (f"rule {name}" for name in sorted(found))


def door() -> Iterator[str]:
    """The questions of a sample."""
    for name, value in vars(Sample).items():
        if not name.startswith("_"):
            yield f"Sample.{name}{'' if isinstance(value, property) else _signature(value)}"


def golden_digests() -> Iterator[str]:
    """The ids of the cases, which are permanent, each with a digest of its golden: a change of what it holds shows."""
    for name in sorted(cases()):
        yield f"{name} {sha256((GOLDENS / f'{name}.json').read_bytes()).hexdigest()[:12]}"


# Commands.

SAID: Mapping[str, Sequence[str]] = {
    "audit jsonl": ["audit", "{tree}", "play-tennis", "--learner", "id3", "--max-depth", "0", "--format", "jsonl"],
    "check jsonl": ["check", "{answers}", "--format", "jsonl"],
    "prune path json": ["prune", "{tree}", "play-tennis", "--method", "cost-complexity", "--path", "--format", "json"],
    "score json": ["score", "play-tennis", "--learner", "id3", "--folds", "2", "--format", "json"],
    "select json": ["select", "play-tennis", "--learner", "id3", "--max-depth", "0-1", "--format", "json"],
    "score importance json": ["score", "{tree}", "play-tennis", "--importance", "impurity", "--format", "json"],
}  # fmt: skip
"""What programs read of a command → a command that prints it."""


def commands() -> Iterator[str]:
    """The commands with their exit statuses, arguments, options, and the words of these; and what programs read."""
    yield from _options(parser(), "")
    yield "status 130: interrupted"


def _options(of: argparse.ArgumentParser, name: str) -> Iterator[str]:
    run = of.get_default("run")
    if name and run is not None:
        can_fail = getattr(run, "__annotations__", {}).get("return") == "int"
        yield f"{name} status {'0 1 2' if can_fail else '0 2'}"
    for action in of._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner, command in action.choices.items():
                yield from _options(command, f"{name} {inner}".strip())
            continue
        called = max(action.option_strings, key=len, default=action.metavar or action.dest)
        yield f"{name} {called}".strip()
        yield from (f"{name} {called} {word}" for word in action.choices or ())


def machine_formats(folder: Path) -> Iterator[str]:
    """The members of what commands print for programs."""
    tree, answers = folder / "tree.json", folder / "answers.jsonl"
    command_line(["grow", "play-tennis", "--learner", "id3", "--format", "json", "-o", str(tree)])
    answers.write_text('{"id": "formula/entropy-pure", "answer": 1}\n', encoding="utf-8")
    for name, words in SAID.items():
        out = folder / "out"
        status = command_line([*(word.format(tree=tree, answers=answers) for word in words), "-o", str(out)])
        if status not in (0, 1):
            raise RuntimeError(f"{' '.join(words)} ends with {status}")
        text = out.read_text(encoding="utf-8")
        lines = text.splitlines() if "jsonl" in name else [text]
        yield from sorted({f"{name}: {path}" for line in lines for path in _paths(json.loads(line))})


def _paths(value: Any, at: str = "") -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield f"{at}{name}"
            yield from _paths(inner, f"{at}{name}.")
    if isinstance(value, list):
        for inner in value:
            yield from _paths(inner, at)


# Names of Python.


def names() -> Iterator[str]:
    """What `import reference_tree as rt` offers, with its parameters, and the public members of its classes."""
    for name in sorted(_offered.__all__):
        value = getattr(rt, name)
        yield f"rt.{name}{_signature(value)}"
        if inspect.isclass(value):
            yield from _attributes(name, value)


def _attributes(name: str, value: type) -> Iterator[str]:
    for member in sorted({one for base in value.__mro__ for one in vars(base)}):
        owner = next(base for base in value.__mro__ if member in vars(base))
        if member.startswith("_") or not owner.__module__.startswith("reference_tree"):
            continue
        found = vars(owner)[member]
        found = found.__func__ if isinstance(found, classmethod | staticmethod) else found
        yield f"rt.{name}.{member}{_signature(found) if inspect.isfunction(found) else ''}"


def _signature(value: Any) -> str:
    """The parameters: their names, kinds and defaults; types may become wider."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    parameters = [one for one in signature.parameters.values() if one.name not in ("self", "cls")]
    plain = [one.replace(annotation=one.empty) for one in parameters]
    return re.sub(r" at 0x[0-9a-f]+", "", str(inspect.Signature(plain)))


# Pages.


def pages() -> Iterator[str]:
    """The addresses of pages, and the anchors of their headings and of what is marked in them."""
    docs = ROOT / "docs"
    for page in sorted(docs.rglob("*.md")):
        if page.relative_to(docs).parts[0] != "tools":
            address = re.sub(r"(^|/)index/$", r"\1", f"{page.relative_to(docs).with_suffix('').as_posix()}/")
            yield f"/{address}"
            anchors = {*_anchors(page.read_text(encoding="utf-8"))}
            if (below := beneath(page)).exists():  # where the script of the page leads to what now stands there
                anchors |= {*_anchors(below.read_text(encoding="utf-8"))}
            yield from (f"/{address}#{anchor}" for anchor in sorted(anchors))


def _anchors(text: str) -> Iterator[str]:
    text = re.sub(r"^( *)(`{3,}).*?^\1\2$", "", text, flags=re.MULTILINE | re.DOTALL)
    yield from re.findall(r'<a id="([^"]+)"', text)
    yield from re.findall(r"\{#([^}\s]+)\}", text)
    for heading in re.findall(r"^#{1,6} (.*)$", text, re.MULTILINE):
        if "{#" not in heading and (slug := _slug(re.sub(r"[`*$]|\]\([^)]*\)|\[| *\{[^}]*\}$", "", heading))):
            yield slug


def _slug(heading: str) -> str:
    """As the `toc` of Markdown makes it; empty for a heading in Chinese, which has only a number there."""
    text = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", text).strip().lower())


# The record.


def surface(folder: Path) -> dict[str, list[str]]:
    """Every part of the surface; the folder is for what commands write."""
    return {
        "formats": [*formats(), *machine_formats(folder)],
        "rules": [*rules()],
        "door": [*door()],
        "commands": [*commands()],
        "names": [*names()],
        "cases": [*golden_digests()],
        "pages": [*pages()],
    }


def recorded(folder: Path = RECORD) -> dict[str, list[str]]:
    """The record, by its parts."""
    return {part: (folder / f"{part}.txt").read_text(encoding="utf-8").splitlines() for part in PART}


def untold(now: Mapping[str, Sequence[str]], before: Mapping[str, Sequence[str]], unreleased: str) -> list[str]:
    """The differences that `[Unreleased]` does not name: lines behind + or -.

    A line is named by what it begins with, in backticks: `rt.reduce`, `tree-1 node.leaf`, `audit --reduce`; by one word
    only if it ends there or at a bracket, or if no line began with it before, as those of a new command. A word that
    begins with `--` names an option of any command, and a pattern whole lines: `cases id3/*`. A new anchor need not be
    named.
    """
    told = re.findall(r"`([^`\n]+)`", unreleased)
    found = []
    for part in PART:
        for sign, lines, others in (("+", now[part], before[part]), ("-", before[part], now[part])):
            families = {line.partition(" ")[0] for line in others}
            for line in lines:
                is_free = line in set(others) or (part == "pages" and "#" in line and sign == "+")
                if not is_free and not any(_names(word, part, line, families) for word in told):
                    found.append(f"{sign} {part} {line}")
    return found


def _names(word: str, part: str, line: str, families: Collection[str]) -> bool:
    if fnmatchcase(f"{part} {line}", word) or fnmatchcase(line, word):
        return True
    ends = r"[(=:]|$" if " " not in word and word in families else r"[\s(=:]|$"
    return re.match(f"{re.escape(word)}(?={ends})", line) is not None or (
        word.startswith("--") and word in line.split()
    )


def unreleased() -> str:
    """The part of the changelog about what is not released."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(r"^## \[Unreleased\]\n(.*?)(?=^## \[|\Z)", text, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def write(parts: Mapping[str, Sequence[str]], folder: Path = RECORD) -> None:
    """Write a record."""
    folder.mkdir(parents=True, exist_ok=True)
    for part, lines in parts.items():
        (folder / f"{part}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def counted() -> str:
    """The surface of the last release in numbers, as a table of Markdown."""
    lines = recorded(RELEASED)
    about = {
        "formats": "members and words of the [formats](../tree_document/), and of what commands print for programs",
        "rules": "[verdicts](../auditing/#the-verdicts) and ids of [rules](../decisions/)",
        "door": "[questions of the door](../data/sample/), its schema and its target included",
        "commands": "[commands](../cli/), their exit statuses, arguments, options, and the words of these",
        "names": "names of `import reference_tree as rt`, with parameters, and members of its classes",
        "cases": "ids of [cases](../conformance/cases/), each with a digest of its golden",
        "pages": "addresses of pages and anchors",
    }
    rows = [f"| `{part}.txt` | {about[part]} | {len(lines[part])} |" for part in PART]
    return "\n".join(["| record | what is frozen | lines |", "|:--|:--|--:|", *rows])


def main() -> None:
    """Write the record, and print what the changelog does not name yet."""
    with tempfile.TemporaryDirectory() as folder:
        now = surface(Path(folder))
    write(now)
    if "--released" in sys.argv[1:]:
        write(now, RELEASED)
    for line in untold(now, recorded(RELEASED), unreleased()):
        print(line)


if __name__ == "__main__":
    main()
