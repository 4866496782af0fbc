"""The archive: the goldens as plain data, for programs that do not use this package.

It is a ZIP file of a manifest, the tolerances, and one file of JSON lines for each tier, a golden a line. A program
takes the tiers it is up to, from the first on: formulas, then the splits of one node and the cuts of one column, then
whole trees. The manifest says of each case what it needs and which bytes it is made of.

The same goldens make the same bytes on every platform: `packing` compresses by a fixed procedure, and leaves out the
time.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from reference_tree.conformance import SUITE
from reference_tree.conformance.cases import Kind
from reference_tree.conformance.packing import packed
from reference_tree.conformance.tolerances import tolerances

FORMAT = "reference-tree/golden-archive/1"

LICENCE = "MIT, copyright 2026 the reference_tree contributors; tables come from the sources that a case names"

TIERS: Mapping[str, tuple[Kind, ...]] = {
    "formulas": ("formula",),
    "splits": ("split", "bins"),
    "trees": ("tree",),
    "predictions": ("predict",),
    "prunings": ("prune",),
    "draws": ("draws",),
    "boosting": ("ensemble", "rounds"),
}
"""The kinds of case in each tier, from the least demanding tier on."""


def archive(documents: Iterable[Mapping[str, Any]]) -> bytes:
    """The archive of some goldens, or of prompts.

    Example:
        >>> from io import BytesIO
        >>> from zipfile import ZipFile
        >>> from reference_tree.conformance.cases import case
        >>> from reference_tree.conformance.goldens import document
        >>> ZipFile(BytesIO(archive([document(case("formula/entropy-pure"))]))).namelist()
        ['manifest.json', 'tolerances.json', 'formulas.jsonl']
    """
    found = list(documents)
    bounds = {name: {"bound": str(found.bound), "times": found.times} for name, found in tolerances().items()}
    files, tiers, listed = {"tolerances.json": json.dumps(bounds, indent=1) + "\n"}, [], []
    for tier, kinds in TIERS.items():
        chosen = _of(found, kinds)
        lines = [line(document) for document in chosen]
        if lines:
            files[f"{tier}.jsonl"] = "".join(lines)
            tiers.append({"file": f"{tier}.jsonl", "kinds": list(kinds), **_measured(files[f"{tier}.jsonl"])})
        for document, text in zip(chosen, lines, strict=True):
            entry = {"id": document["id"], "kind": document["kind"], "needs": document["needs"]}
            listed.append({**entry, "file": f"{tier}.jsonl", **_measured(text)})
    manifest = {
        "format": FORMAT,
        "suite": SUITE,
        "licence": LICENCE,
        "tolerances": {"file": "tolerances.json", **_measured(files["tolerances.json"])},
        "tiers": tiers,
        "cases": listed,
    }
    return packed({"manifest.json": json.dumps(manifest, ensure_ascii=False, indent=1) + "\n", **files})


def digest(documents: Iterable[Mapping[str, Any]]) -> str:
    """The sha256 of goldens, which is that of their files in an archive, one after the other."""
    found = list(documents)
    lines = [line(document) for kinds in TIERS.values() for document in _of(found, kinds)]
    return str(_measured("".join(lines))["sha256"])


def _of(documents: Sequence[Mapping[str, Any]], kinds: Collection[str]) -> list[Mapping[str, Any]]:
    return [document for document in documents if document["kind"] in kinds]


def line(document: Mapping[str, Any]) -> str:
    """A golden as a line of JSON."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n"


def _measured(text: str) -> dict[str, Any]:
    encoded = text.encode()
    return {"bytes": len(encoded), "sha256": sha256(encoded).hexdigest()}
