"""Files that lines of R wrote."""

from __future__ import annotations

import pytest

from tests.programs.recording import HERE

FOLDER = HERE / "r_forests"
REFUSED = {
    "corrected": "corrected 'TRUE'.*grow it with corr.bias = FALSE",
    "cutoff": "equal 'FALSE'.*the same cutoff for all classes",
    "factor": "factor 'TRUE'.*such as model.matrix makes",
    "order": "factor 'TRUE'",
    "partition": "factor 'TRUE'",
    "multinomial": "it is of gbm, and its kind is 'multinomial', which is not read",
}
"""The files that are not read → what the refusal names."""
FILES = [path for path in sorted(FOLDER.glob("*.txt")) if not path.stem.startswith("refused")]
every_forest = pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in FILES])
