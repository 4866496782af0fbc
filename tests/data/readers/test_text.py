"""From bytes to characters, and what is no text."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError, InputWarning
from reference_tree.data.readers.text import PACKED, decode, read_bytes, read_text
from tests.every import of_every

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


@of_every(
    [
        (b"", "weather.csv: is empty; a header and at least one row are needed"),
        (b" \r\n\t\n", "weather.csv: is empty; a header and at least one row are needed"),
        (b"\xef\xbb\xbf", "weather.csv: is empty; a header and at least one row are needed"),
        (b"PK\3\4\x14\0", "weather.csv: is a workbook of Excel; end its name in .xlsx, or save the table as CSV"),
        (b"a,b\n\0\n", "weather.csv: is a binary file (a NUL at byte 4); a text in UTF-8 is needed"),
        (b"\x89PNG\r\n\x1a\n\0", "weather.csv: is a binary file (a NUL at byte 8); a text in UTF-8 is needed"),
        (WORDS.encode("utf-16") + b"a", "weather.csv, line 3: byte 18 (0x61) is not UTF-16; save the file as UTF-8"),
        (WORDS.encode("utf-32"), "weather.csv: is a binary file (it holds a NUL); a text in UTF-8 is needed"),
        (b"\xef\xbb\xbf\xe9\xa3\x8ea\n\xff", "weather.csv, line 2: byte 8 (0xff) is not UTF-8; save the file as UTF-8"),
        ("风风\n风".encode()[:-1], "weather.csv, line 2: byte 7 (0xe9) is not UTF-8; save the file as UTF-8"),
        (b"a\x81\n", "weather.csv, line 1: byte 1 (0x81) is not UTF-8; save the file as UTF-8, or say encoding='...'"),
    ]
)
def test_what_is_no_text_is_refused_in_one_line(content: bytes, message: str) -> None:
    with pytest.raises(InputError) as error:
        decode(content, "weather.csv")
    assert str(error.value).startswith(message)
    assert len(str(error.value).splitlines()) == 1


CHINESE = "城市,天气,温度\n北京,晴天,31.5\n哈尔滨,大雪,-20\n重庆,雾,18\n"
GERMAN = "Größe;Straße;Preis\n1,5;Königsallee;12 €\n2,5;Am Möhlgraben;7 €\n"
FRENCH = "prénom;âge;où\nZoé;31;Orléans\nFrançois;27;Sète\n"
SPANISH = "AÑO;REGIÓN\n2019;CATALUÑA\n2020;ARAGÓN\n"


@of_every(
    [
        (CHINESE, "gbk", "GB18030"),
        ("风,玩\n", "gbk", "GB18030"),
        (CHINESE + "㐀,𠀀,1\n", "gb18030", "GB18030"),
        (GERMAN, "windows-1252", "Windows-1252"),
        (FRENCH, "latin-1", "Windows-1252"),
        (SPANISH, "windows-1252", "Windows-1252"),
        ("GRÜßE;FÜR\n1;2\n", "windows-1252", "Windows-1252"),
        ("EDUCAÇÃO;PÄÄ\n1;2\n", "windows-1252", "Windows-1252"),
        ("天気,気温\n晴れ,カナダ\n", "shift-jis", "CP932"),
        ("天氣,溫度\n晴天,炎熱\n", "big5", "CP950"),
        ("날씨,온도\n맑음,더움\n", "euc-kr", "CP949"),
        ("Погода,Город\nснег,ТОМСК\n", "windows-1251", "Windows-1251"),
        ("погода\nснег\n", "windows-1251", "Windows-1251"),
        ("ПОГОДА\nСНЕГ\n", "windows-1251", "Windows-1251"),
        ("Погода,Город\nснег,Томск\n", "koi8-r", "KOI8-R"),
        (GERMAN, "utf-16-le", "UTF-16-LE"),
        (GERMAN, "utf-16-be", "UTF-16-BE"),
    ]
)
def test_an_encoding_is_guessed_and_said_and_can_be_stated(text: str, encoding: str, name: str) -> None:
    content = text.encode(encoding)
    with pytest.warns(InputWarning) as said:
        assert decode(content, "a.csv") == text
    assert str(said[0].message).startswith(f"a.csv: is not in UTF-8, and read as {name}, such as '")
    assert decode(content, "a.csv", encoding) == text


EUROPEAN = re.findall(
    r"\S+",
    "Größe FÜR GRÜßE öd ÄÄNI EDUCAÇÃO créée où à naïve RÉGION Åse smørrebrød año ¿Qué? 7€ 12°C m² „so“",
)


@given(st.lists(st.sampled_from(EUROPEAN), min_size=1, max_size=20))
def test_what_excel_writes_in_europe_is_read(words: list[str]) -> None:
    text = ";".join(["x", *words, "7"]) + "\n"
    with pytest.warns(InputWarning, match="read as Windows-1252"):
        assert decode(text.encode("windows-1252"), "a.csv") == text


@given(st.lists(st.sampled_from(re.findall(r"[^\x00-\x7f]+", CHINESE)), min_size=5, max_size=20, unique=True))
def test_what_excel_writes_in_china_is_read(words: list[str]) -> None:
    text = "地区\n" + "\n".join(words) + "\n"
    with pytest.warns(InputWarning, match="read as GB18030"):
        assert decode(text.encode("gb18030"), "a.csv") == text


def test_what_may_be_in_two_encodings_is_refused() -> None:
    content = "北京\n1\n".encode("gbk")
    with pytest.raises(InputError, match=r"^a\.csv: is not in UTF-8, and may be in ") as error:
        decode(content, "a.csv")
    assert "CP949, such as '굇쑴', or GB18030, such as '北京'" in str(error.value)
    assert "say encoding='...': utf-8, utf-16, windows-1252, " in str(error.value)
    assert decode(content, "a.csv", "gb18030") == "北京\n1\n"


def test_what_is_usual_in_no_encoding_is_refused() -> None:
    with pytest.raises(
        InputError, match=r"a.csv, line 1: byte 0 \(0xca\) is not UTF-8; save .* or say encoding='...': "
    ):
        decode("Κόσμος;Αφρική\n1;2\n".encode("windows-1253"), "a.csv")


def test_an_encoding_that_there_is_not_is_one_line() -> None:
    for name in ("klingon", "base64", "rot13", "\0"):
        with pytest.raises(InputError, match=r"there is no encoding .* of text; say utf-8, utf-16, windows-1252, "):
            decode(b"a", "a.csv", name)
    with pytest.raises(InputError, match=r"a.csv, line 2: byte 2 \(0xe9\) is not ascii"):
        decode(b"a\n\xe9", "a.csv", "ascii")


@pytest.mark.one_in(4)
@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz", ".zip"])
def test_what_a_packed_file_unpacks_to_is_bounded(tmp_path: Path, suffix: str) -> None:
    path, content = tmp_path / f"a.csv{suffix}", b"a,b\n" + b"1,2\n" * (1 << 20) * 3
    if suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("a.csv", content)
    else:
        with PACKED[suffix][1](path, "wb") as file:
            file.write(content)
    assert path.stat().st_size < 100_000
    with pytest.raises(InputError, match=r"unpacks to more than 8388608 bytes; say largest=\.\.\. if it is"):
        read_text(path)
    assert read_text(path, largest=len(content)).encode() == content
    with pytest.raises(InputError, match="unpacks to more than 100 bytes"):
        read_text(path, largest=100)
    assert len(read_bytes(io.BytesIO(path.read_bytes()), len(content))) == len(content), "its first bytes tell"


def test_an_archive_of_two_files_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.csv", "a,b\n")
        archive.writestr("b.csv", "a,b\n")
    with pytest.raises(InputError, match="is a zip archive of 2 files; unpack it, and name one of them"):
        read_text(path)


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
