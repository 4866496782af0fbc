"""Which tree was grown by which program from which rows under which setting.

`python -m tests.peers.recordings` runs every program and writes every tree anew; `pytest -m oracles tests/peers`
shows that the programs still grow what is recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.peers import rpart, scikit_learn, weka
from tests.peers.data_sets import RECORDED, DataSet, data_set

CLASSIFICATION = (
    "weather-nominal", "weather-numeric", "contact-lenses", "iris", "wine", "breast-cancer-wisconsin", "pima", "glass",
    "vote", "labor", "soybean", "credit-g",
)  # fmt: skip
REGRESSION = ("cpu", "cars", "diabetes")
MANY_VALUES = ("weather-nominal", "weather-numeric", "contact-lenses", "labor", "soybean", "credit-g")
"""Those that have a categorical attribute of more than two values."""

J48 = {
    "unpruned": ("J48", "-U -M 2"),
    "uncollapsed": ("J48-uncollapsed", "-M 2"),
    "pruned": ("J48", "-C 0.25 -M 2"),
}
FULL = "cp=-1, minsplit=2, minbucket=1, xval=0, usesurrogate=0, maxsurrogate=0, maxcompete=0, maxdepth=30"
SURROGATES = "cp=-1, minsplit=2, minbucket=1, xval=0, maxcompete=0, maxdepth=30"
DEFAULTS = "xval=0, maxcompete=0"


@dataclass(frozen=True)
class Recording:
    """A tree in `tests/recorded`."""

    program: str
    data: str
    setting: str
    arguments: tuple[str, ...]

    @property
    def name(self) -> str:
        """As a test calls it."""
        return f"{self.program}/{self.data}.{self.setting}"

    @property
    def path(self) -> Path:
        """The file."""
        return RECORDED / f"{self.name}.json"

    def rows(self) -> DataSet:
        """What it was grown from."""
        return data_set(self.data)

    def text(self) -> str:
        """The document."""
        return self.path.read_text(encoding="utf-8")


def _weka() -> Iterator[Recording]:
    for data in CLASSIFICATION:
        for setting, arguments in J48.items():
            yield Recording("weka-j48", data, setting, arguments)
        yield Recording("weka-simple-cart", data, "full", ("SimpleCart", "-U -H -M 1"))
    for data in MANY_VALUES:
        yield Recording("weka-j48", data, "binary", ("J48", "-U -M 2 -B"))
    for data in ("weather-nominal", "contact-lenses"):
        yield Recording("weka-id3", data, "full", ("Id3", ""))


def _rpart() -> Iterator[Recording]:
    for data in CLASSIFICATION:
        for split in ("gini", "information"):
            yield Recording("rpart", data, split, (f"parms=list(split='{split}'), {FULL}",))
    for data in REGRESSION:
        yield Recording("rpart", data, "anova", (FULL,))
    for data in ("vote", "labor", "soybean", "cars"):
        yield Recording("rpart", data, "defaults", (DEFAULTS,))
    for data in ("vote", "labor", "cars"):
        yield Recording("rpart", data, "surrogates", (SURROGATES,))
    yield Recording("rpart", "pima", "prior", (f"parms=list(prior=c(0.5, 0.5)), cp=0, {DEFAULTS}",))
    yield Recording("rpart", "pima", "loss", (f"parms=list(loss=matrix(c(0, 5, 1, 0), 2)), cp=0, {DEFAULTS}",))
    yield Recording("rpart", "glass", "prior", (f"parms=list(prior=c(3, 3, 1, 0, 1, 1, 1)/10), cp=0, {DEFAULTS}",))
    yield Recording("rpart", "wine", "loss", (f"parms=list(loss=matrix(c(0, 1, 2, 4, 0, 1, 1, 3, 0), 3)), {DEFAULTS}",))


def _scikit_learn() -> Iterator[Recording]:
    for data in CLASSIFICATION:
        if data_set(data).is_numeric:
            for criterion in ("gini", "entropy"):
                yield Recording("scikit-learn", data, criterion, (criterion,))
    yield Recording("scikit-learn", "diabetes", "squared-error", ("squared_error",))


RECORDINGS: tuple[Recording, ...] = (*_weka(), *_rpart(), *_scikit_learn())


LARGE = ("soybean", "credit-g")
"""To go through such a tree node by node takes a second; others of the same settings are small."""


def each(recordings: Sequence[Recording]) -> pytest.MarkDecorator:
    """A test of each of these recordings, of the large ones when slow tests are asked for."""
    return pytest.mark.parametrize(
        "recording",
        [pytest.param(r, id=r.name, marks=pytest.mark.slow if r.data in LARGE else ()) for r in recordings],
    )


def absent(recording: Recording) -> str | None:
    """What is not installed of what grew a tree."""
    return {"rpart": rpart.absent, "scikit-learn": scikit_learn.absent}.get(recording.program, weka.absent)()


def grow(recordings: Sequence[Recording]) -> dict[Recording, str]:
    """The documents as the programs give them today."""
    by_weka = [r for r in recordings if r.program.startswith("weka")]
    by_rpart = [r for r in recordings if r.program == "rpart"]
    by_scikit_learn = [r for r in recordings if r.program == "scikit-learn"]
    grown = [
        *weka.grow([(r.arguments[0], r.rows(), r.arguments[1]) for r in by_weka]),
        *rpart.grow([(r.rows(), r.arguments[0]) for r in by_rpart]),
        *scikit_learn.grow([(r.rows(), r.arguments[0]) for r in by_scikit_learn]),
    ]
    return dict(zip((*by_weka, *by_rpart, *by_scikit_learn), grown, strict=True))


if __name__ == "__main__":
    for recorded, text in grow(RECORDINGS).items():
        recorded.path.parent.mkdir(exist_ok=True)
        recorded.path.write_text(text, encoding="utf-8")
