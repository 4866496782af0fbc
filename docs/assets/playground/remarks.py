"""What the package advises, in the words of the form: a reader here has fields and buttons in place of Python."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

FORM: Final[Mapping[str, str]] = {
    r"say categorical=\['([^']+)'\]": r"press 123 above the column \1",
    r"say continuous=\['([^']+)'\]": r"press abc above the column \1",
    r"say categorical=\[('[^\]]+)\]": r"press 123 above the columns \1",
    r"say continuous=\[('[^\]]+)\]": r"press abc above the columns \1",
    r"say table\.without\(\['([^']+)'\]\)": r"write \1 into “Leave out”",
    r"say without=\['([^']+)'\]": r"write \1 into “Leave out”",
    r"say target='([^']+)'": r"choose \1 below “Predict”",
    r"say target=\.\.\.": "choose it below “Predict”",
    r"(?:say|name missing values by) missing=\[[^\]]*\]": "empty the cell",
    r"name missing values by missing=\.\.\.": "empty the cells of missing values",
    r"(?:say )?header=False": "write a line of names above it",
    r"say decimal='\.'": "write them without commas",
    r"say decimal=','": "write them with points",
    r" \(say encoding=[^)]*\)": "",
}
"""What is advised in Python → what is done in the form."""


def in_form(said: str) -> str:
    """A remark or an error in the words of the form, without the name of the file.

    Example:
        >>> in_form("t.csv: column y: its two values, 0 and 1, are read as classes (say continuous=['y'])")
        'column y: its two values, 0 and 1, are read as classes (press abc above the column y)'
    """
    for python, form in FORM.items():
        said = re.sub(python, form, said)
    return re.sub(r"^\S+\.(?:csv|tsv|txt|arff): (?=column |the |each |most )", "", said)
