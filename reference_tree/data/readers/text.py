"""Text: a file's content as lines of characters, the same from every platform.

The formats are texts in UTF-8, or in UTF-16 if a byte order mark says so, as Excel writes it. The mark is dropped, and
every line ends in one line feed: a file from Windows gives the same table. Content that is no text is refused here, and
the message names the first byte that shows it.
"""

from __future__ import annotations

import gzip
import os
import zlib
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path
from typing import IO, Any, TypeAlias

from reference_tree.data.errors import InputError, shown

Source: TypeAlias = str | os.PathLike[str] | IO[Any]
"""A path, or an open file of text or bytes."""


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
    path = Path(name)
    return Path(path.stem).suffix.lower() if path.suffix.lower() == ".gz" else path.suffix.lower()


def title_of(name: str) -> str:
    """A file's name without its folder and its suffixes.

    Example:
        >>> title_of("data/weather.csv.gz"), title_of("standard input")
        ('weather', 'standard input')
    """
    path = Path(name)
    return Path(path.stem).stem if path.suffix.lower() == ".gz" else path.stem


def read_text(source: Source) -> str:
    """The content of a text file; unpacked, if its name ends in `.gz` or its content begins as gzip does.

    Raises:
        InputError: there is no such file, it cannot be opened or unpacked, or see `decode`.
    """
    name = name_of(source)
    if isinstance(source, str | os.PathLike):
        content = _read_bytes(source)
    else:
        found = source.read()
        content = found if isinstance(found, bytes) else found.encode("utf-8", "surrogatepass")
    packed = name.lower().endswith(".gz") or content.startswith(b"\x1f\x8b")
    return decode(_unpacked(content, name) if packed else content, name)


def _unpacked(content: bytes, path: str) -> bytes:
    try:
        return gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"cannot be unpacked by gzip: {error}", path=path) from None


def decode(content: bytes, path: str) -> str:
    r"""The characters of a file.

    Args:
        content: its bytes.
        path: its name, for messages.

    Raises:
        InputError: the file is empty or binary, or its encoding is neither UTF-8 nor UTF-16.

    Example:
        >>> decode(b"\xef\xbb\xbfwind,play\r\nweak,yes\r\n", "weather.csv")
        'wind,play\nweak,yes\n'
    """
    if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return _lines(_utf_16(content, path), path)
    if content.startswith(b"PK\3\4"):
        raise InputError("is a zip archive, as workbooks of Excel are; save the table as CSV", path=path)
    if b"\0" in content:
        offset = content.index(b"\0")
        raise InputError(f"is a binary file (a NUL at byte {offset}); a text in UTF-8 is needed", path=path)
    return _lines(_utf_8(content, path).removeprefix("\ufeff"), path)


def _lines(text: str, path: str) -> str:
    """A text with each line ended by one line feed."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise InputError("is empty; a header and at least one row are needed", path=path)
    return text


def _utf_8(content: bytes, path: str) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"byte {error.start} (0x{content[error.start]:02x}) is not UTF-8; save the file as UTF-8"
        raise InputError(message, path=path, line=line) from None


def _utf_16(content: bytes, path: str) -> str:
    try:
        text = content.decode("utf-16")
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start} is not UTF-16; save the file as UTF-8", path=path) from None
    if "\0" in text:  # UTF-32, whose byte order mark begins as that of UTF-16 does
        raise InputError("is a binary file (it holds a NUL); a text in UTF-8 is needed", path=path)
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


def _read_bytes(path: str | os.PathLike[str]) -> bytes:
    check_file(path)
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=os.fspath(path)) from None
