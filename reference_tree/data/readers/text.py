"""Text: a file's content as lines of characters, whatever platform wrote it.

The formats are texts in UTF-8. A byte order mark at the start is dropped, and every line ends in one line feed: a file
from Windows reads as the same table. What cannot be a text is refused here, with the byte at which that shows.
"""

from __future__ import annotations

import os
from pathlib import Path

from reference_tree.data.errors import InputError


def read_text(path: str | os.PathLike[str]) -> str:
    """The content of a text file.

    Raises:
        InputError: there is no such file, it cannot be opened, or see `decode`.
    """
    return decode(_read_bytes(path), os.fspath(path))


def decode(content: bytes, path: str) -> str:
    r"""The characters of a file.

    Args:
        content: its bytes.
        path: its name, for messages.

    Raises:
        InputError: the file is empty or binary, or its encoding is not UTF-8.

    Example:
        >>> decode(b"\xef\xbb\xbfwind,play\r\nweak,yes\r\n", "weather.csv")
        'wind,play\nweak,yes\n'
    """
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError("is encoded as UTF-16; save it as UTF-8", path=path)
    if b"\0" in content:
        offset = content.index(b"\0")
        raise InputError(f"is a binary file (a NUL at byte {offset}); a text in UTF-8 is needed", path=path)
    text = _utf_8(content, path).removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
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


def check_file(path: str | os.PathLike[str]) -> None:
    """Asserts that there is such a file.

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
