"""Packing: whatever is packed is unpacked by zlib and zipfile, and the bytes depend on nothing else."""

from __future__ import annotations

import zlib
from hashlib import sha256
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.conformance.packing import deflated, packed


def unpacked(text: bytes) -> bytes:
    return zlib.decompress(deflated(text), wbits=-15)


@given(st.binary(max_size=400), st.integers(0, 700))
def test_what_is_compressed_comes_back(text: bytes, times: int) -> None:
    assert unpacked(text) == text
    assert unpacked(text * times) == text * times


@pytest.mark.parametrize("apart", [8, 257, 258, 259, 32_759, 32_760, 32_767, 32_768, 32_769, 40_000])
def test_repetitions_from_afar_and_at_the_end(apart: int) -> None:
    noise = b"".join(sha256(b"%d" % n).digest() for n in range(apart // 32 + 1))[:apart]
    for text in (noise * 2, noise + noise[:8], noise[:-1] + noise[:300], b"a" * apart + noise):
        assert unpacked(text) == text


def test_the_bytes_are_those_of_this_procedure() -> None:
    text = b"".join(b"%d,%d\n" % (n, n * n % 97) for n in range(5_000))
    assert sha256(deflated(text)).hexdigest() == "abd51534f189073f998a160d1f3b3928521a0417ab8c7b57994329c615fe8445"


def test_a_zip_file_says_what_is_in_it() -> None:
    files = {"b.txt": "sunny,hot,high,no\n" * 40, "a.txt": "", "wetter.txt": "schön"}
    with ZipFile(BytesIO(packed(files))) as zipped:
        assert zipped.testzip() is None
        assert {name: zipped.read(name).decode() for name in zipped.namelist()} == files
        assert [entry.compress_type for entry in zipped.infolist()] == [ZIP_DEFLATED] * 3
