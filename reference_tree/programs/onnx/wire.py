"""Protobuf: the binary form of a file of ONNX, as the value that JSON would have.

A message is a list of fields. Each begins with its number and the form of its content: a whole number in groups of
seven bits, eight bytes, four bytes, or a length and so many bytes. What a number means, a `Message` says: the tables
below are those of the format, as far as models of trees have them. A field that no table has is named by its number, so
that the inventories refuse it.

The attributes of an operator become one object: name → value. So they are members like any others.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from reference_tree.data.errors import InputError
from reference_tree.tree_document.form import BYTES_A_PART, LARGEST


class Field(NamedTuple):
    """A field of a message."""

    name: str
    form: str | Message
    """`whole`, `f` (float32), `d` (double), `text` or `bytes`; or the message that it holds."""
    is_list: bool = False


Message: TypeAlias = Mapping[int, Field]
"""The fields of a message by their numbers."""

_VARINT, _DOUBLE, _LENGTH, _SINGLE = 0, 1, 2, 5
"""The forms of contents on the wire."""

TENSOR: Message = {
    1: Field("dims", "whole", True), 2: Field("data_type", "whole"), 4: Field("float_data", "f", True),
    5: Field("int32_data", "whole", True), 8: Field("name", "text"), 9: Field("raw_data", "bytes"),
    10: Field("double_data", "d", True), 12: Field("doc_string", "text"),
}  # fmt: skip
ATTRIBUTE: Message = {
    1: Field("name", "text"), 2: Field("f", "f"), 3: Field("i", "whole"), 4: Field("s", "text"), 5: Field("t", TENSOR),
    7: Field("floats", "f", True), 8: Field("ints", "whole", True), 9: Field("strings", "text", True),
    13: Field("doc_string", "text"), 20: Field("type", "whole"),
}  # fmt: skip
NODE: Message = {
    1: Field("input", "text", True), 2: Field("output", "text", True), 3: Field("name", "text"),
    4: Field("op_type", "text"), 5: Field("attribute", ATTRIBUTE, True), 6: Field("doc_string", "text"),
    7: Field("domain", "text"),
}  # fmt: skip
SHAPE: Message = {1: Field("dim", {1: Field("dim_value", "whole"), 2: Field("dim_param", "text")}, True)}
TYPE: Message = {1: Field("tensor_type", {1: Field("elem_type", "whole"), 2: Field("shape", SHAPE)})}
VALUE: Message = {1: Field("name", "text"), 2: Field("type", TYPE), 3: Field("doc_string", "text")}
OUTPUT: Message = {1: Field("name", "text"), 2: Field("type", "bytes"), 3: Field("doc_string", "text")}
GRAPH: Message = {
    1: Field("node", NODE, True), 2: Field("name", "text"), 5: Field("initializer", TENSOR, True),
    10: Field("doc_string", "text"), 11: Field("input", VALUE, True), 12: Field("output", OUTPUT, True),
    13: Field("value_info", "bytes", True),
}  # fmt: skip
SET: Message = {1: Field("domain", "text"), 2: Field("version", "whole")}
MODEL: Message = {
    1: Field("ir_version", "whole"), 2: Field("producer_name", "text"), 3: Field("producer_version", "text"),
    4: Field("domain", "text"), 5: Field("model_version", "whole"), 6: Field("doc_string", "text"),
    7: Field("graph", GRAPH), 8: Field("opset_import", SET, True),
    14: Field("metadata_props", "bytes", True),
}  # fmt: skip

KINDS = {1: "f", 2: "i", 3: "s", 4: "t", 6: "floats", 7: "ints", 8: "strings"}
"""The type of an attribute → the field that holds its value."""
"""All of them hold one value, or a list of such."""


def begins(head: bytes) -> bool:
    r"""Whether bytes begin like a model: with its version, and behind it the name of who wrote it, or the graph.

    Example:
        >>> begins(b"\x08\x0a\x12\x08skl2onnx..."), begins(b"\x08\x0a"), begins(b"CBM1")
        (True, False, False)
    """
    # The first field is `ir_version`, a small number; what may follow are texts, the graph and the operator sets. Other
    # programs write protobuf, too, and have not these words.
    is_message = len(head) > 3 and head[0] == 0x08 and 0 < head[1] < 0x20 and head[2] in b"\x12\x1a\x22\x3a\x42"
    return is_message and any(word in head for word in (b"TreeEnsemble", b"onnx", b"OnnxML"))


def decoded(content: bytes, largest: int = LARGEST) -> Any:
    r"""The value of a model, as that of JSON would be.

    Args:
        content: the bytes.
        largest: there may be one message for each 32 of this number of bytes, and no more.

    Raises:
        InputError: it is no message, is cut off, or says something twice.

    Example:
        >>> decoded(b"\x08\x0a\x12\x08skl2onnx")
        {'ir_version': 10, 'producer_name': 'skl2onnx'}
    """
    reader = _Messages(largest // BYTES_A_PART)
    try:
        return reader.read(memoryview(content), MODEL)
    except (IndexError, struct.error, ValueError) as error:
        raise InputError(f"is no model in ONNX, or is cut off: {error}") from None


class _Messages:
    """Messages, and how many more there may be."""

    def __init__(self, most: int) -> None:
        self.most = most

    # The tables are nested as deep as they are printed above, so that this recursion has a bound.
    def read(self, content: memoryview, fields: Message) -> Any:
        """The value of a message."""
        self.most -= 1
        if self.most < 0:
            raise ValueError("there are too many messages")
        found: dict[str, Any] = {}
        for number, wire, held in _fields(content):
            field = fields.get(number, Field(f"field {number}", "bytes"))
            values = self._values(field, wire, held)
            if field.is_list:
                found.setdefault(field.name, []).extend(values)
            # Of two values a reader of protobuf takes the last one, and says nothing.
            elif field.name in found or len(values) != 1:
                raise ValueError(f"{field.name} is there twice")
            else:
                (found[field.name],) = values
        if fields is NODE and "attribute" in found:
            found["attribute"] = _attributes(found["attribute"])
        return found

    def _values(self, field: Field, wire: int, held: Any) -> list[Any]:
        """The values of a field: several, if numbers are packed into one run of bytes."""
        if not isinstance(field.form, str):
            return [self.read(_bytes(held, field), field.form)]
        if field.form == "text":
            return [str(_bytes(held, field), "utf-8")]
        if field.form == "bytes":
            return [bytes(held) if isinstance(held, memoryview) else held]
        if field.form == "whole":
            numbers = [held] if wire == _VARINT else _varints(_bytes(held, field))
            # Numbers are 64 bits, of which the first is the sign.
            return [number - (1 << 64) if number >= 1 << 63 else number for number in numbers]
        # A lone float, and a packed run of floats, are read alike.
        size = struct.calcsize(field.form)
        if wire not in (_LENGTH, _DOUBLE if size == 8 else _SINGLE):
            raise ValueError(f"{field.name} is no number")
        return list(struct.unpack(f"<{len(held) // size}{field.form}", held))


def _attributes(listed: list[dict[str, Any]]) -> dict[str, Any]:
    """The attributes of an operator: name → value."""
    found: dict[str, Any] = {}
    for each in listed:
        name, kind = each.get("name", ""), KINDS.get(each.get("type", 0), "")
        # What stands beside the name, the type and the value is another value, or something that nobody reads.
        if name in found or not kind or (others := each.keys() - {"name", "type", "doc_string", kind}):
            raise ValueError(f"the attribute {name!r} is there twice, or of a kind that is not read")
        assert not others
        # Lists without items, and numbers that are 0, need not be written.
        found[name] = each.get(kind, [] if kind.endswith("s") and kind != "s" else "" if kind == "s" else 0)
    return found


def _bytes(held: Any, field: Field) -> memoryview:
    if not isinstance(held, memoryview):
        raise ValueError(f"{field.name} is a number, and should not be")
    return held


def _fields(content: memoryview) -> Iterator[tuple[int, int, Any]]:
    """The fields of a message: number, form on the wire, and content."""
    at, end = 0, len(content)
    while at < end:
        key, at = _varint(content, at)
        number, wire = key >> 3, key & 7
        if wire == _VARINT:
            held, at = _varint(content, at)
            yield number, wire, held
            continue
        if wire == _LENGTH:
            size, at = _varint(content, at)
        elif wire in (_DOUBLE, _SINGLE):
            size = 8 if wire == _DOUBLE else 4
        else:
            raise ValueError(f"field {number} has the form {wire}, which there is not")
        # Nothing is longer than what is left of the message.
        if size > end - at:
            raise ValueError(f"field {number} claims {size} bytes, and {end - at} follow")
        yield number, wire, content[at : at + size]
        at += size


def _varint(content: memoryview, at: int) -> tuple[int, int]:
    """A whole number in groups of seven bits, the lowest first, and the place behind it."""
    number = shift = 0
    while True:
        group = content[at]
        at += 1
        number |= (group & 0x7F) << shift
        # The highest bit says whether a group follows.
        if not group & 0x80:
            return number, at
        shift += 7
        if shift > 63:
            raise ValueError("a whole number has more than 64 bits")


def _varints(content: memoryview) -> list[int]:
    found, at = [], 0
    while at < len(content):
        number, at = _varint(content, at)
        found.append(number)
    return found
