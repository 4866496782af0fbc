"""Text: a file's content as lines of characters, the same from every platform.

1. A file that is packed is unpacked: by gzip, bzip2 or xz, or a zip archive of one file. A few kilobytes may unpack to
   gigabytes, so there is a bound.
2. The encoding is the one that is stated, or UTF-8, or UTF-16 if a byte order mark or its NULs say so. What is neither
   is read in the encoding of Excel in which it looks most usual, with a warning that says so; if two of these are
   hardly apart, it is refused.
3. The mark is dropped, and every line ends in one line feed: a file from Windows gives the same table.

Content that is no text is refused here, and the message names the first byte that shows it.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import re
import warnings
import zipfile
import zlib
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeAlias

from reference_tree.data.errors import InputError, InputWarning, shown, wording

Source: TypeAlias = str | os.PathLike[str] | IO[Any]
"""A path, or an open file of text or bytes."""

PACKED: Mapping[str, tuple[bytes, Callable[..., Any]]] = {
    ".gz": (b"\x1f\x8b", gzip.open),
    ".bz2": (b"BZh", bz2.open),
    ".xz": (b"\xfd7zXZ\0", lzma.open),
}
"""The suffix of a packed file → its first bytes, and its opener."""

UNPACKED, TIMES = 1 << 23, 100
"""The bytes that a packed file may unpack to, and the multiple of its own size, unless the caller allows more."""


def name_of(source: Source) -> str:
    """The name of a source in messages.

    Example:
        >>> import io
        >>> name_of("weather.csv"), name_of(io.StringIO("wind,play"))
        ('weather.csv', 'the open file')
    """
    if isinstance(source, str | os.PathLike):
        return os.fspath(source)
    if not hasattr(source, "read"):
        made = "; Table.from_frame makes a table of a frame" if hasattr(type(source), "columns") else ""
        raise InputError(f"{shown(source)} is no path, and no file that is open{made}")
    name = getattr(source, "name", None)
    return "standard input" if name == "<stdin>" else name if isinstance(name, str) else "the open file"


def format_of(name: str) -> str:
    """The suffix of a file's name that tells its format.

    Example:
        >>> format_of("weather.CSV"), format_of("weather.csv.gz"), format_of("weather")
        ('.csv', '.csv', '')
    """
    return Path(_without_packing(name)).suffix.lower()


def title_of(name: str) -> str:
    """A file's name without its folder and its suffixes.

    Example:
        >>> title_of("data/weather.csv.gz"), title_of("standard input")
        ('weather', 'standard input')
    """
    return Path(_without_packing(name)).stem


def _without_packing(name: str) -> str:
    path = Path(name)
    return path.stem if path.suffix.lower() in (*PACKED, ".zip") else path.name


def read_text(source: Source, encoding: str | None = None, largest: int | None = None) -> str:
    """The content of a text file, unpacked if it is packed.

    Args:
        source: the file.
        encoding: the encoding of its text; None to find out.
        largest: the most bytes that it may unpack to; None for `UNPACKED`, or `TIMES` times its size.

    Raises:
        InputError: there is no such file, it cannot be opened or unpacked, or see `decode`.
    """
    return decode(read_bytes(source, largest), name_of(source), encoding)


def read_bytes(source: Source, largest: int | None = None) -> bytes:
    """The content of a file, unpacked if its name or its first bytes say that it is packed.

    Raises:
        InputError: as for `read_text`.
    """
    name = name_of(source)
    if isinstance(source, str | os.PathLike):
        content = _content_of(source)
    else:
        found = source.read()
        content = found if isinstance(found, bytes) else found.encode("utf-8", "surrogatepass")
    most = max(UNPACKED, TIMES * len(content)) if largest is None else largest
    for suffix, (begins, opener) in PACKED.items():
        if name.lower().endswith(suffix) or content.startswith(begins):
            return _unpacked(opener, content, name, most)
    return _from_archive(content, name, most) if content.startswith(b"PK\3\4") else content


def _unpacked(opener: Callable[[Any], Any], content: bytes, path: str, most: int) -> bytes:
    try:
        with opener(io.BytesIO(content)) as file:
            found: bytes = file.read(most + 1)
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        raise InputError(f"cannot be unpacked by {opener.__module__}: {error}", path=path) from None
    return within(found, most, path)


def within(found: bytes, most: int, path: str) -> bytes:
    """The unpacked bytes, if they are no more than allowed.

    Raises:
        InputError: it is more.
    """
    if len(found) > most:
        raise too_large(most, path)
    return found


def too_large(most: int, path: str) -> InputError:
    """The error for a file that unpacks to more than it may."""
    more = wording("largest=...", "--largest BYTES")
    return InputError(f"unpacks to more than {most} bytes; say {more} if it is to be unpacked all the same", path=path)


def _from_archive(content: bytes, path: str, most: int) -> bytes:
    """The only file of a zip archive."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = [one.filename for one in archive.infolist() if not one.is_dir() and "__MACOSX" not in one.filename]
            if "xl/workbook.xml" in names:
                return content
            if len(names) != 1:
                raise InputError(f"is a zip archive of {len(names)} files; unpack it, and name one of them", path=path)
            with archive.open(names[0]) as file:
                return within(file.read(most + 1), most, path)
    except (OSError, EOFError, zlib.error, NotImplementedError, RuntimeError, zipfile.BadZipFile) as error:
        raise InputError(f"cannot be unpacked by zip: {error}", path=path) from None


def decode(content: bytes, path: str, encoding: str | None = None) -> str:
    r"""The characters of a file.

    Args:
        content: its bytes.
        path: its name, for messages.
        encoding: its encoding; None to find out.

    Raises:
        InputError: the file is empty or binary, or not in the encoding that is stated, or in none that is found.

    Warns:
        InputWarning: the encoding is guessed.

    Example:
        >>> decode(b"\xef\xbb\xbfwind,play\r\nweak,yes\r\n", "weather.csv")
        'wind,play\nweak,yes\n'
        >>> decode(b"caf\xe9,play\r\n1,yes\r\n", "weather.csv", "windows-1252")
        'café,play\n1,yes\n'
    """
    if encoding is not None:
        text = _decoded(content, encoding, path)
    elif content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        text = _decoded(content, "utf-16", path)
        if "\0" in text:  # UTF-32, whose byte order mark begins as that of UTF-16 does
            raise InputError("is a binary file (it holds a NUL); a text in UTF-8 is needed", path=path)
    elif content.startswith(b"PK\3\4"):
        raise InputError("is a workbook of Excel; end its name in .xlsx, or save the table as CSV", path=path)
    elif b"\0" in content:
        text = _without_mark(content, path)
    else:
        text = _utf_8(content, path)
    return _lines(text.removeprefix("\ufeff"), path)


def _lines(text: str, path: str) -> str:
    """A text with each line ended by one line feed."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise InputError("is empty; a header and at least one row are needed", path=path)
    return text


def _decoded(content: bytes, encoding: str, path: str) -> str:
    try:
        return content.decode(encoding)
    except (LookupError, ValueError) as error:
        if not isinstance(error, UnicodeDecodeError):
            raise InputError(f"there is no encoding {encoding!r} of text; say {KNOWN}", path=path) from None
        line = content.count(b"\n", 0, error.start) + 1
        name = {"utf-8": "UTF-8", "utf-16": "UTF-16"}.get(encoding, encoding)
        found = f"byte {error.start} (0x{content[error.start]:02x}) is not {name}"
        raise InputError(
            f"{found}; save the file as UTF-8, or say {_stating()}: {KNOWN}", path=path, line=line
        ) from None


def _stating() -> str:
    return wording("encoding='...'", "--encoding NAME")


def _without_mark(content: bytes, path: str) -> str:
    """A text in UTF-16 without a byte order mark: a quarter of its bytes are NULs, all in odd or all in even places."""
    for encoding, place in (("utf-16-le", 1), ("utf-16-be", 0)):
        nuls = content.count(b"\0")
        if len(content) % 2 == 0 and nuls == content[place::2].count(b"\0") and 4 * nuls >= len(content):
            return _remarked(_decoded(content, encoding, path), encoding.upper(), path)
    offset = content.index(b"\0")
    raise InputError(f"is a binary file (a NUL at byte {offset}); a text in UTF-8 is needed", path=path)


def _utf_8(content: bytes, path: str) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        if (encoding := guess(content, path)) is None:
            return _decoded(content, "utf-8", path)
        return _remarked(content.decode(encoding), encoding, path)


_LETTERS = "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜŒŠŽ"
_LATIN = f"{_LETTERS}{_LETTERS.lower()}ßÿ"
_SIGNS = "§°±µ·«»“”„–—…’‘²³€£№¿¡ºª\xa0"
_LONE = r"(?<![^\0-\x7f])[{}](?![^\0-\x7f])"
_CYRILLIC = rf"{_LONE.format(_SIGNS)}|\b(?:[А-ЯЁІЇЄ]?[а-яёіїє]+|[А-ЯЁІЇЄ]+)(?<!\b.)\b"
_HIGH = range(0xA1, 0xFF)


class Reading(NamedTuple):
    """The usual characters in a text of some encoding."""

    bits: int
    """The cost of a usual character, in bits: there are about 2 to this power of them."""
    unusual: int
    """The cost of any other character beyond ASCII: 12 bits for each of its bytes."""
    usual: str | tuple[Sequence[int], Sequence[int]]
    """A pattern of usual characters; or their first and their second bytes, if they stand beside no plain letter."""


READINGS: Mapping[str, Reading] = {
    "Windows-1252": Reading(4, 12, rf"{_LONE.format(_LATIN + _SIGNS)}|(?<=[A-Za-z])[{_LATIN}]|[{_LATIN}](?=[A-Za-z])"),
    "Windows-1251": Reading(5, 12, _CYRILLIC),
    "KOI8-R": Reading(6, 12, _CYRILLIC),
    "GB18030": Reading(12, 24, ([*range(0xA1, 0xA4), *range(0xB0, 0xD8)], _HIGH)),
    "CP932": Reading(11, 24, ([*range(0x81, 0x84), *range(0x88, 0x98)], range(0x40, 0xFD))),
    "CP950": Reading(13, 24, (range(0xA1, 0xC7), [*range(0x40, 0x7F), *_HIGH])),
    "CP949": Reading(11, 24, ([*range(0xA1, 0xA4), *range(0xB0, 0xC9)], _HIGH)),
}
"""The encodings that Excel writes in Europe, China, Japan (Shift-JIS), Taiwan (Big5) and Korea (EUC-KR); and KOI8-R, in
which small letters stand where Windows-1251 has capitals, so that a text in one case is the more usual one. Usual are
letters with an accent beside plain ones, lone signs, words of Cyrillic letters, and the first level of the standards of
East Asia."""

KNOWN = f"utf-8, utf-16, {', '.join(READINGS).lower()}, or another"
"""The encodings that messages name."""

_WORD = re.compile(r"\w*[^\x00-\x7f]\w*")
_ASCII, _CLEARLY, _SAMPLE = 5, 4, 1 << 16
"""The bits of a character of ASCII; by how many the shortest reading is clear; the bytes that are looked at."""


@cache
def _usual(encoding: str) -> re.Pattern[str]:
    usual = READINGS[encoding].usual
    if isinstance(usual, str):
        return re.compile(usual)
    found = (bytes(pair).decode(encoding, "replace") for pair in product(*usual))
    return re.compile(f"(?<![A-Za-z])[{''.join(one for one in found if len(one) == 1)}]+(?![A-Za-z])")


def _weighed(text: str, encoding: str) -> tuple[int, bool]:
    """The bits that a text takes in an encoding, and whether most of its characters beyond ASCII are usual there."""
    plain, usual = len(text.encode("ascii", "ignore")), len("".join(_usual(encoding).findall(text)))
    others, reading = len(text) - plain - usual, READINGS[encoding]
    return _ASCII * plain + reading.bits * usual + reading.unusual * others, usual > others


def guess(content: bytes, path: str) -> str | None:
    """The encoding that a text which is not in UTF-8 probably has; None if it is UTF-8 but for a few bytes.

    It is the one of `READINGS` in which the text takes the fewest bits; None as well if most characters are unusual.

    Raises:
        InputError: another reading takes hardly more bits.

    Example:
        >>> texts = {"gbk": "风,玩", "latin-1": "GRÜßE", "cp932": "気温"}
        >>> [guess(text.encode(encoding), "") for encoding, text in texts.items()]
        ['GB18030', 'Windows-1252', 'CP932']
        >>> guess("风风风".encode() + bytes([0xff]), "")
    """
    found = content.decode("utf-8", "replace")
    wrong, plain = found.count("\ufffd"), len(found.encode("ascii", "ignore"))
    if len(found) - plain - wrong > wrong:
        return None
    if not (shortest := _readings(content)) or not shortest[0][3]:
        return None
    near = {encoding: text for bits, encoding, text, _ in shortest if bits < shortest[0][0] + _CLEARLY}
    if len(near) > 1:
        may_be = ", or ".join(encoding + _such(text) for encoding, text in near.items())
        raise InputError(f"is not in UTF-8, and may be in {may_be}; say {_stating()}: {KNOWN}", path=path)
    return shortest[0][1]


def _readings(content: bytes) -> list[tuple[int, str, str, bool]]:
    """The bits that a text takes in each encoding that it can have, ascending, and its lines that are not in ASCII."""
    sample = b""
    for line in io.BytesIO(content):
        sample += b"" if line.isascii() else line
        if len(sample) > _SAMPLE:
            break
    found: dict[str, tuple[int, str, str, bool]] = {}
    for encoding in READINGS:
        try:
            content.decode(encoding)
            text = sample.decode(encoding)
        except UnicodeDecodeError:
            continue
        bits, is_usual = _weighed(text, encoding)
        found.setdefault(text, (bits, encoding, text, is_usual))
    return sorted(found.values())


def _such(text: str) -> str:
    """A word of a text that shows in which encoding it was read."""
    word = _WORD.search(text)
    return f", such as {word[0][:20]!r}" if word else ""


def _remarked(text: str, encoding: str, path: str) -> str:
    """The text itself; its encoding is reported, with a word that shows whether that is right."""
    message = f"is not in UTF-8, and read as {encoding}{_such(text)} (say {_stating()} if it is another)"
    warnings.warn(InputWarning(f"{path}: {message}"), stacklevel=2)
    return text


def check_file(path: str | os.PathLike[str]) -> None:
    """Check that there is such a file.

    Raises:
        InputError: there is none, or it is a directory.
    """
    if not os.path.exists(path):
        raise InputError("there is no such file", path=os.fspath(path))
    if os.path.isdir(path):
        raise InputError("is a directory; name a file in it", path=os.fspath(path))


def _content_of(path: str | os.PathLike[str]) -> bytes:
    check_file(path)
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=os.fspath(path)) from None
