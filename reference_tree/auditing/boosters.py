"""Boosters: the parameters of a boosting program, and its arithmetic.

The training parameters decide which tree is right. A model states some of them, a parameter file states more, and the
rest have the program's default values; `booster_of` puts them together and lists its assumptions. A model whose
training cannot be repeated, for instance because rows were drawn, is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

from reference_tree.data.errors import InputError, listed, no_such
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.ensembles.losses import LOSSES
from reference_tree.exact.rationals import Rational
from reference_tree.learners.options import Recorded, amount, choice, depth, flag

PARAMETERS, UNLIKE = "told", "unlike"
"""The keys under which a document records the training parameters, and those whose effect cannot be repeated."""


@dataclass(frozen=True, kw_only=True)
class Booster(Recorded):
    """The parameters of a boosting program, and how it calculates.

    Args:
        loss: `squared_error`, `logistic` or `softmax`.
        reg_lambda: λ.
        gamma: γ; a split that gains less is taken back, unless one below it stays.
        rate: η.
        min_child_weight: the least H of a side.
        min_samples_leaf: the least number of rows of a side.
        epsilon: a split needs a gain above this.
        max_depth: no node lies deeper; none: no limit.
        max_leaves: a tree with so many leaves may have any leaf; none: no limit.
        margins: the floats in which margins are added up: `float32` or `double`.
        targets: the floats in which numbers to be predicted are held.
        gains: the floats in which gains are compared.
        second: under softmax, h is so many times p(1 - p). XGBoost has 2, LightGBM K/(K - 1), scikit-learn 1.
        from_average: whether all rows start from the mean of the data, or from the shares of the classes, and the
            leaves of the first round hold this start, as those of LightGBM do; otherwise the model says the start.
        idle_root: whether a tree without a question may add nothing but the start that it holds, as those of
            scikit-learn and LightGBM do.
        rows_by_h: whether the rows of a side are estimated by its H, as LightGBM does.
        drops: whether an attribute by which no allowed question gains at a node is asked nowhere below it, as LightGBM
            does.
        tree_method: which cuts are tried: `exact`: all; `hist`: the edges of bins; `approx`: the edges of bins that are
            made anew for each tree; `auto`: as the thresholds look.
        stated: the relative error of what a model states of its nodes.
    """

    name: ClassVar[str] = "booster"

    loss: str = choice("squared_error", LOSSES)
    reg_lambda: Rational = amount(1)
    gamma: Rational = amount(0)
    rate: Rational = amount(Fraction(3, 10))
    min_child_weight: Rational = amount(1)
    min_samples_leaf: Rational = amount(1)
    epsilon: Rational = amount(Fraction(1, 10**6))
    max_depth: int | None = depth(6)
    max_leaves: int | None = depth()
    margins: str = choice("float32", ["float32", "double"])
    targets: str = choice("float32", ["float32", "double"])
    gains: str = choice("float32", ["float32", "double"])
    second: Rational = amount(2)
    from_average: bool = flag()
    idle_root: bool = flag()
    rows_by_h: bool = flag()
    drops: bool = flag()
    tree_method: str = choice("auto", ["auto", "exact", "hist", "approx"])
    stated: Rational = amount(Fraction(1, 2**21))


class Program(NamedTuple):
    """A program that boosts."""

    fixed: Mapping[str, Any]
    """The options that describe its arithmetic."""
    usual: Mapping[str, Any]
    """Its default values, where they differ from XGBoost's."""


PROGRAMS: Mapping[str, Program] = {
    "XGBoost": Program({"margins": "float32", "gains": "float32"}, {}),
    "LightGBM": Program(
        {"margins": "double", "gains": "double", "tree_method": "hist", "idle_root": True, "rows_by_h": True,
         "drops": True, "stated": Fraction(1, 2**17)},
        {"reg_lambda": 0, "rate": Fraction(1, 10), "min_child_weight": Fraction(1, 1000), "min_samples_leaf": 20,
         "epsilon": 0, "max_depth": None},
    ),
    "scikit-learn": Program(
        {"margins": "double", "targets": "double", "gains": "double", "tree_method": "hist", "second": 1,
         "idle_root": True, "min_child_weight": Fraction(1, 1000), "epsilon": 0},
        {"reg_lambda": 0, "rate": Fraction(1, 10), "min_samples_leaf": 20, "max_depth": None},
    ),
}  # fmt: skip
"""The programs whose boosted models are audited; for scikit-learn this is HistGradientBoosting."""

ASSUMED = ("rate", "reg_lambda", "gamma", "min_child_weight", "max_depth", "max_leaves")
"""The parameters that are listed as assumed if the model does not state them, in this order."""

_LOSS = {"sum": "squared_error", "logistic": "logistic", "softmax": "softmax"}


def booster_of(model: Ensemble, given: Mapping[str, Any]) -> tuple[Booster, list[str]]:
    """The parameters of a program, and the assumptions made, in words.

    Args:
        model: a boosted model of another program; its document may state some of the parameters.
        given: further known parameters, which override those of the model; values are as in a document.

    Raises:
        InputError: the program is not known here, or its training cannot be repeated; or a value is not valid.
    """
    tree, options = model.members[0].tree, model.grower.options
    stated, unlike = options.get(PARAMETERS, {}), options.get(UNLIKE, [])
    if not isinstance(stated, dict) or not isinstance(unlike, list):
        raise InputError("what its program was told is no object, or what cannot be repeated is no list")
    name = "none that is named" if tree.program is None else tree.program.name
    if name not in PROGRAMS:
        raise InputError(f"its program is {name}; boosted models are audited of {', '.join(PROGRAMS)}")
    objective = str(model.grower.options.get("objective", ""))
    if model.combine == "sum" and objective and objective.split()[0] not in SQUARED:
        raise InputError(f"its objective is {objective}, whose derivatives are not known here")
    if unlike := [*unlike, *given.get(UNLIKE, [])]:
        raise InputError(f"it was trained with {listed(list(map(str, unlike)))}, which an audit cannot repeat")
    known = {**stated, **{key: value for key, value in given.items() if key != UNLIKE}}
    values = {**PROGRAMS[name].usual, **dict(_looked_at(model, name, known))}
    codecs = dict(Booster.codecs())
    for key, value in known.items():
        if key not in codecs:
            raise InputError(no_such("parameter", key, codecs, of="boosting"))
        try:
            values[key] = codecs[key].read(value)
        except (AttributeError, TypeError, ValueError) as error:
            raise InputError(f"{key} {value}: {error}") from None
    values = {**values, **PROGRAMS[name].fixed, "loss": _LOSS[model.combine]}
    booster = Booster(**values)
    return booster, list(_assumed(booster, known))


SQUARED = ("reg:squarederror", "reg:linear", "regression", "squared_error")
"""The names of squared error in the programs."""


def _looked_at(model: Ensemble, name: str, known: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Bounds that are not stated, read off the trees; and the factor that follows from the number of classes."""
    trees = [member.tree for member in model.members]
    if "max_depth" not in known and PROGRAMS[name].usual.get("max_depth", 6) is not None:
        yield "max_depth", max(max(tree.depths()) for tree in trees)
    if "max_leaves" not in known and PROGRAMS[name].usual.get("max_depth", 6) is None:
        yield "max_leaves", max(len(tree.leaves()) for tree in trees)
    if name == "LightGBM" and model.combine == "softmax":
        yield "second", Fraction(len(model.target.domain), len(model.target.domain) - 1)


def _assumed(booster: Booster, known: Mapping[str, Any]) -> Iterator[str]:
    """The parameters that are not stated, as one remark."""
    written = booster.written()
    lacking = [f"{key} {written[key]}" for key in ASSUMED if key not in known and written[key] is not None]
    if lacking:
        yield f"not stated, and taken for granted: {listed(lacking)}, and no draws, weights or other penalties"


__all__ = ["Booster", "booster_of"]
