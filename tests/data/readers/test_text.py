"""From bytes to characters, and what is no text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.readers.text import decode, read_text

WORDS = "风,玩\n弱,是\n"


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "weather.csv"
    path.write_bytes(WORDS.encode())
    assert read_text(path) == read_text(str(path)) == WORDS


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_every_platform_writes_the_same_table(end: str, mark: str) -> None:
    assert decode((mark + WORDS.replace("\n", end)).encode(), "weather.csv") == WORDS


def test_only_a_byte_order_mark_at_the_start_is_dropped() -> None:
    assert decode("\ufeffa\n\ufeffb".encode(), "weather.csv") == "a\n\ufeffb"


@given(st.text(st.characters(exclude_characters="\0\r\ufeff", exclude_categories=["Cs"])))
def test_every_text_is_read(text: str) -> None:
    if text.strip():
        assert decode(text.encode(), "weather.csv") == text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "weather.csv: is empty; a header and at least one row are needed"),
        (b" \r\n\t\n", "weather.csv: is empty; a header and at least one row are needed"),
        (b"\xef\xbb\xbf", "weather.csv: is empty; a header and at least one row are needed"),
        (b"PK\3\4\x14\0", "weather.csv: is a zip archive, as workbooks of Excel are; save the table as CSV"),
        (b"a,b\n\0\n", "weather.csv: is a binary file (a NUL at byte 4); a text in UTF-8 is needed"),
        (b"\x89PNG\r\n\x1a\n\0", "weather.csv: is a binary file (a NUL at byte 8); a text in UTF-8 is needed"),
        (WORDS.encode("utf-16") + b"a", "weather.csv: byte 18 is not UTF-16; save the file as UTF-8"),
        (WORDS.encode("utf-32"), "weather.csv: is a binary file (it holds a NUL); a text in UTF-8 is needed"),
        (WORDS.encode("utf-16-be"), "weather.csv: is a binary file (a NUL at byte 2); a text in UTF-8 is needed"),
        (b"a,b\ncaf\xe9,1\n", "weather.csv, line 2: byte 7 (0xe9) is not UTF-8; save the file as UTF-8"),
        ("风,玩\n".encode("gbk"), "weather.csv, line 1: byte 0 (0xb7) is not UTF-8; save the file as UTF-8"),
        (b"\xef\xbb\xbfa\n\xff", "weather.csv, line 2: byte 5 (0xff) is not UTF-8; save the file as UTF-8"),
        ("a\n风".encode()[:-1], "weather.csv, line 2: byte 2 (0xe9) is not UTF-8; save the file as UTF-8"),
    ],
)
def test_what_is_no_text_is_refused_in_one_line(content: bytes, message: str) -> None:
    with pytest.raises(InputError) as error:
        decode(content, "weather.csv")
    assert str(error.value).startswith(message)
    assert len(str(error.value).splitlines()) == 1


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"weather.csv: there is no such file$"):
        read_text(tmp_path / "weather.csv")


def test_a_directory(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a directory; name a file in it"):
        read_text(tmp_path)


def test_a_file_taken_for_a_directory(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a")
    with pytest.raises(InputError, match="there is no such file"):
        read_text(tmp_path / "a.csv" / "b.csv")


def test_an_unreadable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "weather.csv"
    path.write_text("a")

    def refuse(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(InputError, match=r"weather.csv: cannot be read: Permission denied$"):
        read_text(path)


def test_a_path_that_no_file_can_have() -> None:
    with pytest.raises(InputError, match="there is no such file") as error:
        read_text("a\0b.csv")
    assert str(error.value).isprintable()
