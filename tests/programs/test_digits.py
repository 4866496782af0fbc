"""Digits: what only Python reads as a number, such as 2_45, is refused in every text of numbers."""

from __future__ import annotations

import re

import pytest

from reference_tree.data.errors import InputError
from reference_tree.programs.reading import read_foreign
from tests.every import of_every
from tests.programs.recording import HERE

FILES = {
    "rpart/iris.rpart": r'(?<=,")2\.4\d+',
    "r_forests/ranger-number.txt": r"(?<=,\")\d\.\d{6,}",
    "lightgbm/iris.txt": r"(?<=\nthreshold=)\d\.\d+",
    "pmml/dtc_c.pmml": r'(?<=value=")\d\.\d+',
}
"""A recorded model → where a threshold stands in it."""


@of_every(list(FILES))
def test_a_number_that_only_python_reads_is_refused(name: str) -> None:
    text = (HERE / name).read_text(encoding="utf-8")
    found = re.search(FILES[name], text)
    assert found is not None
    for number in (found[0].replace(".", "_0."), found[0].translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩"))):
        other = text[: found.start()] + number + text[found.end() :]
        with pytest.raises(InputError, match="is not a number"):
            read_foreign(other)
