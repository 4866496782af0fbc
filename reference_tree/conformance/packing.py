"""Packing: files as one ZIP file, compressed, and the same bytes on every platform.

What `zlib` makes of a text depends on its version, so that two machines would write two archives of the same goldens.
Here the text is compressed by a fixed procedure, in the form of RFC 1951, which any program for ZIP files unpacks.

1. `deflated` goes from the first byte to the last. Where the next eight bytes have come before, a pair tells how far
   back and how many bytes are repeated, as long as they are equal; otherwise the byte stands for itself.
2. Bytes and pairs are written in the fixed code of the format.
3. `packed` puts the parts into a ZIP file, dated 1980 and as on Unix, whatever writes it.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from functools import cache
from zlib import crc32

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
