"""rpart: how a tree was trained, from the tables `control`, `parms` and `arguments` of a fitted object.

    # control
    "minsplit","minbucket","cp","maxcompete","maxsurrogate","usesurrogate","surrogatestyle","maxdepth","xval"
    "20","7","0.01","4","5","2","0","30","10"
    # parms
    "name","value"
    "prior1","0.79012345679012341"
    "split","1"
    # arguments
    "name","value"
    "formula","play ~ ."

rpart does not split where the best split gains less than `cp` of the error of the root, and takes back splits as
cost-complexity pruning does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import decimal_text, rational
from reference_tree.programs.documents import exact, finite
from reference_tree.programs.reader import Training, double, remarks

Rows: TypeAlias = Sequence[Mapping[str, str]]

TRAINING = Training(
    {
        "minsplit": ("min_samples_split", lambda text: double(rational(text))),
        "minbucket": ("min_samples_leaf", lambda text: double(rational(text))),
        "maxdepth": ("max_depth", lambda text: int(rational(text))),
        "maxsurrogate": ("max_surrogates", lambda text: int(rational(text))),
    },
    {"surrogatestyle": 0},
)
"""The training parameters."""

CRITERIA = {"1": "gini", "2": "entropy"}
"""The numbers of `split` in `parms`."""

UNLIKE = ("cost", "subset")
"""The arguments whose effect cannot be repeated: what a question costs, and which rows there are."""


def training(parts: Mapping[str, Rows], target: Attribute, unlike: Sequence[str]) -> list[tuple[str, Any]]:
    """The facts about the training.

    Args:
        parts: the tables.
        target: the target.
        unlike: what else cannot be repeated.

    Raises:
        InputError: a number of a table is none.
    """
    given = dict(next(iter(parts.get("control", ())), {}))
    told = TRAINING.told(given) | dict(_parms(parts, target))
    if "cp" in given and rational(given["cp"]) > 0:
        told["pruned"] = True
    arguments = _pairs(parts.get("arguments", ()))
    others = [f"{name} = {arguments[name]}" for name in UNLIKE if name in arguments]
    price = [("cp", decimal_text(rational(given["cp"])))] if "cp" in given else []
    return [*remarks(told, [*unlike, *TRAINING.unlike(given), *others]), *price]


def command_of(parts: Mapping[str, Rows]) -> str | None:
    """The call, as R has it; None if it is not told."""
    arguments = _pairs(parts.get("arguments", ()))
    return f"rpart({', '.join(f'{name} = {value}' for name, value in arguments.items())})" if arguments else None


def _pairs(rows: Rows) -> dict[str, str]:
    return {row["name"]: row["value"] for row in rows}


def _parms(parts: Mapping[str, Rows], target: Attribute) -> Iterator[tuple[str, Any]]:
    """The criterion, the priors that are not the shares of the rows, and the losses that are not all 1."""
    held, classes = _pairs(parts.get("parms", ())), target.values
    if classes is None or not held:
        return
    numbers = {name: finite(float(text)) for name, text in held.items()}
    places = range(1, len(classes) + 1)
    if unknown := held.keys() - {
        "split",
        *(f"prior{k}" for k in places),
        *(f"loss{k}" for k in range(1, len(classes) ** 2 + 1)),
    }:
        raise InputError(f"the table parms has {min(unknown)}, which is not known for {len(classes)} classes")
    if held.get("split") in CRITERIA:
        yield "criterion", CRITERIA[held["split"]]
    root = parts["frame"][0]
    weights = [float(root[f"yval2.V{place + 1}"]) for place in places]
    priors = [numbers[f"prior{place}"] for place in places]
    if any(abs(weight / sum(weights) - prior) > 1e-9 for weight, prior in zip(weights, priors, strict=True)):
        yield "priors", {name: exact(prior) for name, prior in zip(classes, priors, strict=True)}
    losses = {
        (true, said): numbers[f"loss{place + len(classes) * other + 1}"]
        for place, true in enumerate(classes)
        for other, said in enumerate(classes)
        if true != said
    }
    if any(loss != 1 for loss in losses.values()):
        yield "loss", {true: {said: exact(losses[true, said]) for said in classes if said != true} for true in classes}
