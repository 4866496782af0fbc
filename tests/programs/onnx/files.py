"""Files that onnxmltools, skl2onnx and onnx wrote, and the values in them."""

from __future__ import annotations

from typing import Any

import pytest

from reference_tree.programs.onnx.wire import decoded
from tests.programs.recording import HERE

FOLDER = HERE / "onnx"
REFUSED = {"ada": "'ArgMax'", "lightgbm-codes": "'BRANCH_EQ'", "xgboost-poisson": "'Mul'"}
"""The files that are not read → what the refusal names."""
FILES = [path for path in sorted(FOLDER.glob("*.onnx")) if path.stem not in REFUSED]
every_model = pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in FILES])
without_remarks = pytest.mark.filterwarnings("ignore:.*no node sends a row:UserWarning")


def value_of(kind: str) -> Any:
    """The value of a file."""
    return decoded((FOLDER / f"{kind}.onnx").read_bytes())


def operator_of(value: Any) -> dict[str, Any]:
    """The attributes of the operator that holds the trees."""
    found: dict[str, Any] = value["graph"]["node"][0]["attribute"]
    return found
