"""Text: a file's content as lines of characters, the same from every platform.

1. A file that is packed is unpacked: by gzip, bzip2 or xz, or a zip archive of one file. A few kilobytes may unpack to
   gigabytes, so there is a bound.
2. The encoding is the one that is stated, or UTF-8, or UTF-16 if a byte order mark or its NULs say so. What is neither
   is read as GB18030 or as Windows-1252, in which Excel writes in China and in Europe, with a warning that says so.
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
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any, TypeAlias

from reference_tree.data.errors import InputError, InputWarning, shown, wording

Source: TypeAlias = str | os.PathLike[str] | IO[Any]
"""A path, or an open file of text or bytes."""

PACKED: Mapping[str, tuple[bytes, Callable[..., Any]]] = {
    ".gz": (b"\x1f\x8b", gzip.open),
    ".bz2": (b"BZh", bz2.open),
    ".xz": (b"\xfd7zXZ\0", lzma.open),
}
"""The suffix of a packed file → how it begins, and what opens it."""

UNPACKED, TIMES = 1 << 23, 100
"""A packed file may unpack to so many bytes, or to so many times its own size, if the caller does not say more."""


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
    """What was unpacked, if it is no more than it may be.

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
            known = "utf-8, utf-16, gb18030, windows-1252, shift-jis"
            raise InputError(f"there is no encoding {encoding!r} of text; {known} are some", path=path) from None
        line = content.count(b"\n", 0, error.start) + 1
        name = {"utf-8": "UTF-8", "utf-16": "UTF-16"}.get(encoding, encoding)
        found = f"byte {error.start} (0x{content[error.start]:02x}) is not {name}"
        raise InputError(f"{found}; save the file as UTF-8, or say {_stating()}", path=path, line=line) from None


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
        if (encoding := guess(content)) is None:
            return _decoded(content, "utf-8", path)
        return _remarked(content.decode(encoding), encoding, path)


_PAIR = re.compile(rb"[\x81-\xfe]([\x40-\x7e\x80-\xfe])")
_WORD = re.compile(r"\w*[^\x00-\x7f]\w*")


def guess(content: bytes) -> str | None:
    """The encoding that a text which is not in UTF-8 probably has; None if it is UTF-8 but for a few bytes.

    In GB18030 a Chinese character has two bytes, of which the second is nearly always a high one, too. A letter with an
    accent in Windows-1252 has one byte, and a plain letter or a sign after it.

    Example:
        >>> guess("风,玩".encode("gbk")), guess("café,thé".encode("latin-1")), guess("风风风".encode() + bytes([0xff]))
        ('GB18030', 'Windows-1252', None)
    """
    found = content.decode("utf-8", "replace")
    wrong, plain = found.count("\ufffd"), len(found.encode("ascii", "ignore"))
    if len(found) - plain - wrong > wrong:
        return None
    seconds = _PAIR.findall(content)
    encodings = ["GB18030"] if 3 * sum(second >= b"\xa1" for second in seconds) >= 2 * len(seconds) else []
    for encoding in (*encodings, "Windows-1252"):
        try:
            content.decode(encoding)
        except UnicodeDecodeError:
            continue
        return encoding
    return None


def _remarked(text: str, encoding: str, path: str) -> str:
    """The same text; what it was read as is said, with a word that shows whether that is right."""
    word = _WORD.search(text)
    such = f", such as {word[0][:20]!r}" if word else ""
    message = f"is not in UTF-8, and read as {encoding}{such} (say {_stating()} if it is another)"
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
