"""Files that CatBoost wrote."""

from __future__ import annotations

import pytest

from tests.programs.recording import HERE

FOLDER = HERE / "catboost"
REFUSED = {
    "categories": "categorical_features .*train with the categories as numbers",
    "labels": "its loss is 'MultiLogloss'",
    "moved": r"binclass_probability_threshold '0.3'.*set_probability_threshold\(0.5\)",
    "scaled": "its sums are multiplied by 2",
    "uncertain": "its loss is 'RMSEWithUncertainty'",
}
"""The files that are not read → what the refusal names."""
FILES = [path for path in sorted(FOLDER.glob("*.json")) if ".answers" not in path.name and path.stem not in REFUSED]
every_model = pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in FILES])
