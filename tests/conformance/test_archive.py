"""The archive: the same bytes each time, every case once in its tier, and a manifest that fits them."""

from __future__ import annotations

import hashlib
import json
import zlib
from functools import cache
from hashlib import sha256
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.conformance import SUITE
from reference_tree.conformance.archive import TIERS, archive, deflated, packed
from reference_tree.conformance.goldens import FORMAT, prompt
from tests.conformance.test_goldens import IDS, load


@cache
def written() -> bytes:
    return archive(map(load, IDS))


def file(name: str, of: bytes | None = None) -> bytes:
    return ZipFile(BytesIO(of or written())).read(name)


def manifest() -> Any:
    return json.loads(file("manifest.json"))


def test_it_is_the_same_each_time_and_of_no_time_and_no_system() -> None:
    assert archive(map(load, IDS[::8])) == archive(map(load, IDS[::8]))
    for entry in ZipFile(BytesIO(written())).infolist():
        assert (entry.date_time, entry.create_system) == ((1980, 1, 1, 0, 0, 0), 3)


def test_every_golden_stands_in_it_once_as_it_is_committed() -> None:
    found = [json.loads(line) for tier in manifest()["tiers"] for line in file(tier["file"]).splitlines()]
    assert sorted(document["id"] for document in found) == sorted(IDS)
    assert all(document == load(document["id"]) for document in found)
    assert all(document["format"] == FORMAT for document in found)


def test_the_manifest_tells_what_each_case_is_and_needs_and_which_bytes() -> None:
    contents = manifest()
    assert (contents["suite"], FORMAT.rpartition("/")[2]) == (SUITE, SUITE.partition(".")[0])
    assert [tier["file"] for tier in contents["tiers"]] == [f"{tier}.jsonl" for tier in TIERS]
    lines = {json.loads(line)["id"]: line for tier in contents["tiers"] for line in file(tier["file"]).splitlines(True)}
    assert [case["id"] for case in contents["cases"]] == list(lines)
    for case in contents["cases"]:
        assert (case["kind"], case["needs"]) == (load(case["id"])["kind"], load(case["id"])["needs"])
        assert case["bytes"] == len(lines[case["id"]])
        assert case["sha256"] == hashlib.sha256(lines[case["id"]]).hexdigest()
    for part in (*contents["tiers"], contents["tolerances"]):
        assert part["sha256"] == hashlib.sha256(file(part["file"])).hexdigest()


def test_the_first_tiers_are_small() -> None:
    sizes = {tier["file"]: tier["bytes"] for tier in manifest()["tiers"]}
    assert sizes["formulas.jsonl"] <= 20_000
    assert sizes["splits.jsonl"] <= 100_000
    assert sum(sizes.values()) < 4_000_000
    assert len(written()) < 1_500_000


def test_a_prompt_has_no_answers() -> None:
    prompts = archive(prompt(load(name)) for name in IDS)
    for tier in TIERS:
        for line in file(f"{tier}.jsonl", prompts).splitlines():
            sent, golden = json.loads(line), load(json.loads(line)["id"])
            assert set(golden) - set(sent) == {"rules", "expected", "printed"}
            assert not {"winners", "chosen", "predictions", "ends"} & every_key(sent)


def every_key(part: Any) -> set[str]:
    inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    return {*(part if isinstance(part, dict) else ()), *(key for value in inner for key in every_key(value))}


# The form of a ZIP file.


def unpacked(text: bytes) -> bytes:
    return zlib.decompress(deflated(text), wbits=-15)


@given(st.binary(max_size=400), st.integers(0, 700))
def test_what_is_compressed_comes_back(text: bytes, times: int) -> None:
    assert unpacked(text) == text
    assert unpacked(text * times) == text * times


@pytest.mark.one_in(1, 5)
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
