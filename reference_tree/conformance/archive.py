"""The archive: the goldens as plain data, for programs that do not use this package.

It is a ZIP file of a manifest, the tolerances, and one file of JSON lines for each tier, a golden a line. A program
takes the tiers it is up to, from the first on: formulas, then the splits of one node and the cuts of one column, then
whole trees. The manifest says of each case what it needs and which bytes it is made of.

The same goldens make the same bytes on every platform. What `zlib` makes of a text depends on its version, so the text
is compressed by a fixed procedure, in the form of RFC 1951, which any program for ZIP files unpacks.

1. `deflated` goes from the first byte to the last. Where the next eight bytes have come before, a pair tells how far
   back and how many bytes are repeated, as long as they are equal; otherwise the byte stands for itself.
2. Bytes and pairs are written in the fixed code of the format.
3. `packed` puts the parts into a ZIP file, dated 1980 and as on Unix, whatever writes it.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import Any
from zlib import crc32

from reference_tree.conformance import SUITE
from reference_tree.conformance.cases import Kind
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
    "attributions": ("attribution",),
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


# The form of a ZIP file.

_KEY = 8
"""The number of bytes that are looked up."""

_FAR = 32768
"""How far back a repetition may lie."""

_LONG = 258
"""The length of the longest repetition."""

_YEAR_1980 = 0x21
"""The first of January, as MS-DOS counts the days."""

Bits = tuple[int, int]
"""A code and how many bits it has, the first bit the lowest."""


def _reversed(code: int, bits: int) -> Bits:
    return int(f"{code:0{bits}b}"[::-1], 2), bits


@cache
def _symbols() -> list[Bits]:
    """The fixed code of bytes, of the end (256), and of lengths (257, ...)."""
    return (
        [_reversed(0x30 + n, 8) for n in range(144)]
        + [_reversed(0x190 + n, 9) for n in range(112)]
        + [_reversed(n, 7) for n in range(24)]
        + [_reversed(0xC0 + n, 8) for n in range(8)]
    )


@cache
def _lengths() -> list[Bits]:
    """The code of each length from 3 on."""
    found: list[Bits] = []
    for symbol in range(257, 285):
        extra = max(0, (symbol - 261) // 4)
        code, bits = _symbols()[symbol]
        found += [(code | more << bits, bits + extra) for more in range(1 << extra)]
    return [*found[: _LONG - 3], _symbols()[285]]


@cache
def _distances() -> list[Bits]:
    """The code of each distance from 1 on."""
    found: list[Bits] = []
    for symbol in range(30):
        extra = max(0, symbol // 2 - 1)
        code, bits = _reversed(symbol, 5)
        found += [(code | more << bits, bits + extra) for more in range(1 << extra)]
    return found


def deflated(text: bytes) -> bytes:
    """A text, compressed.

    Example:
        >>> import zlib
        >>> text = b"sunny,hot,high,no " * 50
        >>> zlib.decompress(deflated(text), wbits=-15) == text, len(deflated(text))
        (True, 30)
    """
    symbols, lengths, distances = _symbols(), _lengths(), _distances()
    last: dict[bytes, int] = {}
    written, held, bits, at = bytearray(), 0b011, 3, 0  # the last part of the text, in the fixed code
    while at < len(text):
        key = text[at : at + _KEY]
        before = last.get(key, -_FAR)
        last[key] = at
        if at - before < _FAR and len(key) == _KEY:
            length = _repeated(text, before, at)
            for code, more in (lengths[length - 3], distances[at - before - 1]):
                held |= code << bits
                bits += more
            for inside in range(at + 1, at + length, 4):
                last[text[inside : inside + _KEY]] = inside
            at += length
        else:
            code, more = symbols[text[at]]
            held |= code << bits
            bits, at = bits + more, at + 1
        whole = bits // 8
        written += (held & ((1 << 8 * whole) - 1)).to_bytes(whole, "little")
        held, bits = held >> 8 * whole, bits % 8
    held |= symbols[256][0] << bits
    return bytes(written) + held.to_bytes((bits + symbols[256][1] + 7) // 8, "little")


def _repeated(text: bytes, before: int, at: int) -> int:
    """How many bytes from one place are those from an earlier one."""
    most = min(_LONG, len(text) - at)
    length = _KEY
    while length < most and text[before + length] == text[at + length]:
        length += 1
    return length


def packed(files: Mapping[str, str]) -> bytes:
    """A ZIP file.

    Example:
        >>> from io import BytesIO
        >>> from zipfile import ZipFile
        >>> ZipFile(BytesIO(packed({"a.txt": "one", "b.txt": "two"}))).read("b.txt")
        b'two'
    """
    written, listed = bytearray(), bytearray()
    for name, content in files.items():
        text = content.encode()
        inner, short = deflated(text), name.encode()
        about = struct.pack("<5H3L2H", 20, 0, 8, 0, _YEAR_1980, crc32(text), len(inner), len(text), len(short), 0)
        listed += struct.pack("<4sH", b"PK\1\2", 3 << 8 | 20) + about
        listed += struct.pack("<3H2L", 0, 0, 0, 0o100644 << 16, len(written)) + short
        written += b"PK\3\4" + about + short + inner
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, len(files), len(files), len(listed), len(written), 0)
    return bytes(written + listed + end)
