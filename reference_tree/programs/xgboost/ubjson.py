"""UBJSON: the binary form of JSON in which XGBoost saves a model whose name ends in `.ubj`.

A value is a letter and what follows it. Numbers are big-endian. An array of numbers may state their type and their
count once, before all of them; an array or an object that states its count has no bracket at its end.
"""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

from reference_tree.data.errors import InputError
from reference_tree.tree_document.form import BYTES_A_PART, LARGEST

_NUMBERS = {"i": ">b", "U": ">B", "I": ">h", "l": ">i", "L": ">q", "d": ">f", "D": ">d"}
"""Letter → the form of a number for `struct`."""
_WORDS = {"Z": None, "T": True, "F": False}


def begins(head: bytes) -> bool:
    r"""Whether bytes begin like an object of UBJSON: with the length of a key, which no JSON does.

    Example:
        >>> begins(b"{L\0\0\0\0\0\0\0\7learner"), begins(b'{"learner"')
        (True, False)
    """
    # Behind the brace UBJSON has the letter and the length of a key; JSON has a quote or a blank.
    return len(head) > 2 and head[:1] == b"{" and chr(head[1]) in _NUMBERS and head[2] < ord(" ")


def decoded(content: bytes, largest: int = LARGEST) -> Any:
    r"""The value of UBJSON, as that of JSON would be.

    Args:
        content: the bytes.
        largest: there may be one array or object for each 32 of this number of bytes, and no more.

    Raises:
        InputError: it is none, or claims more than it holds.

    Example:
        >>> decoded(b"{i\1aSi\2ok" + b"i\1b[$U#i\3\1\2\3" + b"i\1c[ZT]}")
        {'a': 'ok', 'b': [1, 2, 3], 'c': [None, True]}
    """
    # An empty array needs two bytes and a list in memory far more, so their number has a bound.
    reader = _ByteReader(content, largest // BYTES_A_PART)
    try:
        found = reader.value()
    except (IndexError, struct.error, ValueError) as error:
        raise InputError(f"is not UBJSON: at byte {reader.at}: {error}") from None
    if reader.at != len(content):
        raise InputError(f"is not UBJSON: more follows its value at byte {reader.at}")
    return found


class _Open(NamedTuple):
    """An array or an object that is not yet read to its end."""

    found: Any
    key: Any
    """The key of what is read next, if it is an object."""
    left: int | None
    """The number of items still to come; None if a bracket ends it."""


class _ByteReader:
    """Bytes, and how far they are read."""

    def __init__(self, content: bytes, most: int) -> None:
        self.content, self.at, self.most = content, 0, most

    def value(self) -> Any:
        """A value. Arrays and objects that are open wait in a list: nothing recurses."""
        # The innermost open part is the last; when it ends, it is an item of the one before.
        waiting: list[_Open] = []
        while True:
            found = self._part(self._letter())
            if isinstance(found, _Open):
                waiting.append(found)
            elif not waiting:
                return found
            else:
                waiting[-1] = self._added(waiting[-1], found)
            while self._ends(waiting[-1]):
                whole = waiting.pop().found
                if not waiting:
                    return whole
                waiting[-1] = self._added(waiting[-1], whole)
            # An object's item is a key, which has no letter of its own, and a value.
            if isinstance(waiting[-1].found, dict):
                waiting[-1] = waiting[-1]._replace(key=self._text())

    def _added(self, to: _Open, found: Any) -> _Open:
        """An array or an object with one more item."""
        if isinstance(to.found, list):
            to.found.append(found)
        # Of two members of one name, a reader would see the last alone.
        elif to.key in to.found:
            raise ValueError(f"the key {to.key!r} occurs twice in an object")
        else:
            to.found[to.key] = found
        return to if to.left is None else to._replace(left=to.left - 1)

    def _ends(self, of: _Open) -> bool:
        """Whether all of an array or an object is read."""
        # Counted parts have no bracket at their end.
        if of.left is not None:
            return of.left == 0
        is_end = self._follows("]" if isinstance(of.found, list) else "}")
        self.at += is_end
        return is_end

    def _part(self, letter: str) -> Any:
        """A value; an array or an object is open, unless it holds numbers of one type."""
        if letter in _NUMBERS:
            return self._number(letter)
        if letter in _WORDS:
            return _WORDS[letter]
        if letter == "S":
            return self._text()
        if letter not in "[{":
            raise ValueError(f"there is no value {letter!r}")
        # Only arrays and objects count: numbers of one type are unpacked at once.
        self.most -= 1
        if self.most < 0:
            raise ValueError("there are too many arrays and objects")
        if letter == "[" and self._follows("$"):
            return self._numbers()
        left = None
        if self._follows("#"):
            self.at += 1
            left = self._size()
        return _Open([] if letter == "[" else {}, None, left)

    def _follows(self, letter: str) -> bool:
        return self.content[self.at : self.at + 1] == letter.encode()

    def _numbers(self) -> list[Any]:
        self.at += 1
        # `$` type `#` count: then the numbers themselves, without a letter each.
        form, hash_ = self._letter(), self._letter()
        if form not in _NUMBERS or hash_ != "#":
            raise ValueError("an array of one type is none of numbers, or has no count")
        size, each = self._size(), struct.calcsize(_NUMBERS[form])
        # Checked before anything is allocated: a file may claim any count.
        if size * each > len(self.content) - self.at:
            raise ValueError(f"{size} numbers are claimed, and fewer follow")
        found = struct.unpack_from(f">{size}{_NUMBERS[form][1]}", self.content, self.at)
        self.at += size * each
        return list(found)

    def _number(self, letter: str) -> Any:
        (found,) = struct.unpack_from(_NUMBERS[letter], self.content, self.at)
        self.at += struct.calcsize(_NUMBERS[letter])
        return found

    def _size(self) -> int:
        letter = self._letter()
        if letter not in "iUIlL":
            raise ValueError("a length is no whole number")
        size: int = self._number(letter)
        # Nothing is longer than what is left of the file.
        if not 0 <= size <= len(self.content) - self.at:
            raise ValueError(f"the length {size} is claimed, and less follows")
        return size

    def _text(self) -> str:
        size = self._size()
        self.at += size
        return self.content[self.at - size : self.at].decode()

    def _letter(self) -> str:
        self.at += 1
        return chr(self.content[self.at - 1])
