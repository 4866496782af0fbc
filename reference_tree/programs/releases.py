"""Releases of other programs: the newest that was tried here.

A program may change a rule, or move a member of its files, from one release to the next.

1. `TRIED` names the newest release of each program that the tests ran.
2. `newer` is the remark about a release that is newer than this one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

TRIED: Mapping[str, str] = {
    "CatBoost": "1.2.10",
    "LightGBM": "4.7.0",
    "PMML": "4.4.1",
    "Spark MLlib": "4.3.0",
    "XGBoost": "3.4.1",
    "gbm": "2.1.8.1",
    "randomForest": "4.7.1.1",
    "ranger": "0.14.1",
    "rpart": "4.1.19",
    "scikit-learn": "1.9.1",
}
"""Program → the newest release that was tried."""

_RELEASE = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6}){0,4}")


def numbers_of(release: str) -> tuple[int, ...] | None:
    """The numbers of a release; None if it begins with none.

    Example:
        >>> numbers_of("3.4.1"), numbers_of("3.5.0-dev"), numbers_of("newest")
        ((3, 4, 1), (3, 5, 0), None)
    """
    found = _RELEASE.match(release)
    # Numbers compare as numbers: 3.10 is newer than 3.4. What follows them, such as -dev, does not count.
    return None if found is None else tuple(map(int, found[0].split(".")))


def newer(program: str, release: str | None) -> str | None:
    """The remark about a release that is newer than the newest that was tried; None about any other.

    Args:
        program: the name of the program.
        release: its release, if it is known.

    Example:
        >>> newer("XGBoost", "3.5.0")
        'XGBoost 3.5.0 is newer than 3.4.1, the newest release that was tried here; it may differ'
        >>> newer("XGBoost", "3.4.1"), newer("XGBoost", None), newer("a program", "9.0")
        (None, None, None)
    """
    tried, found = TRIED.get(program), numbers_of(release or "")
    # A release that is older, or is not told, has no remark: readers refuse what they do not know of it.
    if tried is None or found is None or found <= (numbers_of(tried) or ()):
        return None
    return f"{program} {release} is newer than {tried}, the newest release that was tried here; it may differ"
