"""Protobuf as files of ONNX have it, and bytes that are none."""

from __future__ import annotations

import importlib
import json
import struct
from pathlib import Path
from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.programs.onnx.wire import begins, decoded
from tests.every import of_every
from tests.programs.recording import HERE

FILES = sorted((HERE / "onnx").glob("*.onnx"))


def field(number: int, content: bytes) -> bytes:
    """A field with a length, which is less than 128."""
    return bytes([number << 3 | 2, len(content)]) + content


def attribute(*parts: bytes) -> bytes:
    """A model whose one operator has one attribute."""
    return field(7, field(1, field(5, b"".join(parts))))


@of_every(
    [
        (b"\x08\x0a", {"ir_version": 10}),
        (b"\x28" + b"\xff" * 9 + b"\x01", {"model_version": -1}),
        (field(6, "树".encode()), {"doc_string": "树"}),
        (b"\xca\x01\x03new", {"field 25": b"new"}),
        (b"\xc8\x01\x07", {"field 25": 7}),
        (field(8, b"\x10\x03") * 2, {"opset_import": [{"version": 3}] * 2}),
        # Numbers of a list are written one by one, or packed; floats are four bytes, of which the lowest is first.
        (attribute(field(1, b"n"), b"\xa0\x01\x07", b"\x40\x05\x40\xac\x02"), {"n": [5, 300]}),
        (attribute(field(1, b"n"), b"\xa0\x01\x07", field(8, b"\x05\xac\x02")), {"n": [5, 300]}),
        (attribute(field(1, b"n"), b"\xa0\x01\x06", b"\x3d" + struct.pack("<f", 0.5) * 1), {"n": [0.5]}),
        (attribute(field(1, b"n"), b"\xa0\x01\x06", field(7, struct.pack("<2f", 0.5, 2.0))), {"n": [0.5, 2.0]}),
        (attribute(field(1, b"n"), b"\xa0\x01\x03", field(4, b"NONE")), {"n": "NONE"}),
        (attribute(field(1, b"n"), b"\xa0\x01\x02"), {"n": 0}),
        (attribute(field(1, b"n"), b"\xa0\x01\x08"), {"n": []}),
    ]
)
def test_a_message_is_the_value_that_json_would_have(case: tuple[bytes, Any]) -> None:
    content, value = case
    found = decoded(content)
    assert (found["graph"]["node"][0]["attribute"] if "graph" in found else found) == value


@of_every(
    [
        (b"\x08", "cut off"),
        (b"\x3a\x05\x0a", "claims 5 bytes, and 1 follow"),
        (b"\x08\x01\x08\x02", "ir_version is there twice"),
        (b"\x08" + b"\xff" * 10 + b"\x01", "more than 64 bits"),
        (b"\x0b", "has the form 3"),
        (b"\x10\x01", "producer_name is a number"),
        (field(6, b"\xff"), "can't decode"),
        (attribute(field(1, b"n"), b"\xa0\x01\x02", b"\x18\x01", field(4, b"x")), "of a kind that is not read"),
        (attribute(field(1, b"n"), b"\xa0\x01\x05"), "of a kind that is not read"),
        (attribute(field(1, b"n"), b"\xa0\x01\x06", field(7, b"\0\0\0")), "cut off"),
        (field(7, field(1, field(5, field(1, b"n") + b"\xa0\x01\x02") * 2)), "'n' is there twice"),
    ]
)
def test_what_is_none_is_refused(case: tuple[bytes, str]) -> None:
    content, message = case
    with pytest.raises(InputError, match=message):
        decoded(content)


def test_a_few_bytes_are_not_many_messages() -> None:
    with pytest.raises(InputError, match="too many messages"):
        decoded(field(8, b"") * 60, 32 * 50)


def test_a_model_is_told_from_other_files_by_its_first_bytes() -> None:
    assert all(begins(path.read_bytes()) for path in FILES)
    assert not any(map(begins, (b"", b"\x08", b"{L\0\0", b'{"a"', b"CBM1", b"tree\nversion", b"\x80\x04\x95")))


@pytest.mark.oracles
@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in FILES])
def test_a_file_has_what_the_package_onnx_finds_in_it(path: Path) -> None:
    onnx: Any = pytest.importorskip("onnx")
    told: Any = importlib.import_module("google.protobuf.json_format")
    model = onnx.load(str(path))
    there = json.loads(told.MessageToJson(model, preserving_proto_field_name=True))
    found = decoded(path.read_bytes())
    assert [node["op_type"] for node in found["graph"]["node"]] == [node["op_type"] for node in there["graph"]["node"]]
    for ours, node in zip(found["graph"]["node"], model.graph.node, strict=True):
        values = {each.name: onnx.helper.get_attribute_value(each) for each in node.attribute}
        plain = {name: [v.decode() if isinstance(v, bytes) else v for v in value] for name, value in values.items()
                 if isinstance(value, list)}  # fmt: skip
        assert {name: value for name, value in ours.get("attribute", {}).items() if isinstance(value, list)} == plain
