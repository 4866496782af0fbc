"""Boosters: the parameters of a boosting program, and its arithmetic.

The training parameters decide which tree is right. A model states some of them, a parameter file states more, and the
rest have the program's default values; `booster_of` puts them together and lists its assumptions. A model whose
training cannot be repeated, for instance because rows were drawn, is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

from reference_tree.data.errors import InputError, listed, no_such
from reference_tree.ensembles.derivatives import LOSSES
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.exact.rationals import Rational
from reference_tree.exact.rounding import significant
from reference_tree.learners.recorded import AMOUNT, DEPTH, TRUTH, Recorded, described, word
from reference_tree.programs.boosted import statements_of
from reference_tree.programs.releases import numbers_of

FLOATS = word("float32", "double")

PARAMETERS, UNLIKE = "told", "unlike"
"""The keys under which a document records the training parameters, and those whose effect cannot be repeated."""

CLASS_WEIGHT = "class_weight"
"""The parameter that weighs rows by their classes; it is no option of a booster (`row_weights`)."""


@dataclass(frozen=True, kw_only=True)
class BoosterParameters(Recorded):
    """The parameters of a boosting program, and how it calculates."""

    name: ClassVar[str] = "booster"

    loss: str = described("squared_error", word(LOSSES), "the loss")
    reg_lambda: Rational = described(1, AMOUNT, "λ")
    gamma: Rational = described(0, AMOUNT, "γ; a split that gains less is taken back, unless one below it stays")
    rate: Rational = described(Fraction(3, 10), AMOUNT, "η")
    min_child_weight: Rational = described(1, AMOUNT, "the least H of a side")
    min_samples_leaf: Rational = described(1, AMOUNT, "the least number of rows of a side")
    epsilon: Rational = described(Fraction(1, 10**6), AMOUNT, "a split needs a gain above this")
    max_depth: int | None = described(6, DEPTH, "no node lies deeper. None: no limit")
    max_leaves: int | None = described(None, DEPTH, "a tree with so many leaves may have any leaf. None: no limit")
    margins: str = described("float32", FLOATS, "the floats in which margins are added up")
    targets: str = described("float32", FLOATS, "the floats in which numbers to be predicted are held")
    gains: str = described("float32", FLOATS, "the floats in which gains are compared")
    rounds_once: bool = described(
        False,
        TRUTH,
        "whether squared error's difference is rounded only when it is multiplied by the weight of its row, as in "
        "scikit-learn and in LightGBM before 4",
    )
    second: Rational = described(
        2, AMOUNT, "under softmax, h is so many times p(1 - p). XGBoost has 2, LightGBM K/(K - 1), scikit-learn 1"
    )
    from_average: bool = described(
        False,
        TRUTH,
        "whether all rows start from the mean of the data, or from the shares of the classes, and the leaves of the "
        "first round hold this start, as those of LightGBM do; otherwise the model says the start",
    )
    light_is_idle: bool = described(
        False,
        TRUTH,
        "whether a root may add nothing where its H is less than `min_child_weight`, as one of XGBoost before 3.4",
    )
    idle_root: bool = described(
        False,
        TRUTH,
        "whether a tree without a question may add nothing but the start that it holds, as those of scikit-learn and "
        "LightGBM do",
    )
    rows_by_h: bool = described(False, TRUTH, "whether the rows of a side are estimated by its H, as LightGBM does")
    drops: bool = described(
        False,
        TRUTH,
        "whether an attribute by which no allowed test gains at a node is tested nowhere below it, as LightGBM does",
    )
    tree_method: str = described(
        "auto",
        word("auto", "exact", "hist", "approx"),
        "which cuts are tried. `exact`: all; `hist`: the edges of bins; `approx`: the edges of bins that are made anew "
        "for each tree; `auto`: as the thresholds look",
    )
    newton: bool = described(
        True,
        TRUTH,
        "whether questions are judged by the second derivatives, too; otherwise each row counts 1 there, and only "
        "leaves have H, as those of scikit-learn's `GradientBoosting` do",
    )
    category_lambda: Rational = described(
        0, AMOUNT, "what is added to λ where a test of categories is judged, as LightGBM does"
    )
    stated: Rational = described(Fraction(1, 2**21), AMOUNT, "the relative error of what a model states of its nodes")


class Boosting(NamedTuple):
    """A program that boosts."""

    fixed: Mapping[str, Any]
    """The options that describe its arithmetic."""
    usual: Mapping[str, Any]
    """Its default values, where they differ from XGBoost's."""
    stated: Mapping[str, str]
    """What it calls the numbers that it states of nodes (`programs.boosted.STATEMENTS`)."""
    before: Mapping[tuple[int, ...], Mapping[str, Any]] = {}
    """Release → the options of those before it, and of one that is not stated."""


PROGRAMS: Mapping[str, Boosting] = {
    "XGBoost": Boosting(
        {"margins": "float32", "gains": "float32"}, {},
        {"h": "sum_hessian", "weight": "base_weight", "gain": "loss_change"},
        {(3, 4): {"light_is_idle": True}},
    ),
    "LightGBM": Boosting(
        {"margins": "double", "gains": "double", "tree_method": "hist", "idle_root": True, "rows_by_h": True,
         "drops": True, "stated": Fraction(1, 2**17)},
        {"reg_lambda": 0, "rate": Fraction(1, 10), "min_child_weight": Fraction(1, 1000), "min_samples_leaf": 20,
         "epsilon": 0, "max_depth": None, "category_lambda": 10},
        {"h": "weight, the sum of hessians,", "value": "value", "gain": "split_gain"},
        {(4,): {"rounds_once": True}},
    ),
    "scikit-learn": Boosting(
        {"margins": "double", "targets": "double", "gains": "double", "tree_method": "hist", "second": 1,
         "idle_root": True, "rounds_once": True, "min_child_weight": Fraction(1, 1000), "epsilon": 0},
        {"reg_lambda": 0, "rate": Fraction(1, 10), "min_samples_leaf": 20, "max_depth": None},
        {"weight": "value", "gain": "gain"},
    ),
}  # fmt: skip
"""The programs whose boosted models are audited; for scikit-learn this is HistGradientBoosting."""

GRADIENT_BOOSTING: Mapping[str, Any] = {
    "tree_method": "exact", "min_child_weight": Fraction(1, 10**150),
}  # fmt: skip
"""The options of scikit-learn's GradientBoosting where they differ from those of its HistGradientBoosting."""

ASSUMED = ("rate", "reg_lambda", "gamma", "min_child_weight", "max_depth", "max_leaves")
"""The parameters that are listed as assumed if the model does not state them, in this order."""

_LOSS = {"sum": "squared_error", "logistic": "logistic", "softmax": "softmax"}


def training_of(options: Mapping[str, Any], further: Sequence[object] = ()) -> Mapping[str, Any]:
    """The training parameters that a document states, unless the training, or something `further`, cannot be repeated.

    Raises:
        InputError: it cannot, or they have another form.
    """
    parameters, unlike = options.get(PARAMETERS, {}), options.get(UNLIKE, [])
    if not isinstance(parameters, dict) or not isinstance(unlike, list):
        raise InputError("its training parameters are no object, or what cannot be repeated is no list")
    if unlike := [*unlike, *further]:
        raise InputError(
            f"it was trained with {listed(list(map(str, unlike)))}, which an audit cannot repeat: train it without to "
            "have its nodes judged; to read it, and to predict by it, this need not be known"
        )
    return parameters


def booster_of(model: Ensemble, given: Mapping[str, Any]) -> tuple[BoosterParameters, list[str]]:
    """The parameters of a program, and the assumptions made, in words.

    Args:
        model: a boosted model of another program; its document may state some of the parameters.
        given: further known parameters, which override those of the model; values are as in a document.

    Raises:
        InputError: the program is not known here, or its training cannot be repeated; or a value is not valid.
    """
    tree, recorded = model.members[0].tree, model.grower.options
    name = "none that is named" if tree.program is None else tree.program.name
    if name not in PROGRAMS:
        raise InputError(f"its program is {name}; boosted models are audited of {', '.join(PROGRAMS)}")
    objective = str(model.grower.options.get("objective", ""))
    if model.combine not in _LOSS or (model.combine == "sum" and objective and objective.split()[0] not in SQUARED):
        named = objective or f"combined by {model.combine}"
        raise InputError(f"its objective is {named}, whose derivatives are not judged here; its answers are read")
    stated = training_of(recorded, given.get(UNLIKE, []))
    known = {key: value for key, value in {**stated, **given}.items() if key not in (UNLIKE, CLASS_WEIGHT)}
    values = {**PROGRAMS[name].usual, **dict(_looked_at(model, name, known))}
    options = BoosterParameters.options()
    for key, value in known.items():
        if key not in options:
            raise InputError(no_such("parameter", key, options, of="boosting"))
        try:
            values[key] = options[key].domain.read(value)
        except (AttributeError, TypeError, ValueError) as error:
            raise InputError(f"{key} {value}: {error}") from None
    values = {**values, **PROGRAMS[name].fixed, "loss": _LOSS[model.combine]}
    # LightGBM states the version of the form of its file alone, which has the number of the release.
    version = None if tree.program is None else tree.program.version or str(recorded.get("format", ""))
    release = numbers_of((version or "").removeprefix("v"))
    for later, options_before in PROGRAMS[name].before.items():
        values |= options_before if release is None or release < later else {}
    if not values.get("newton", True):
        classes = len(model.target.values or ())
        factor = Fraction(classes, classes - 1) if model.combine == "softmax" else Fraction(1)
        values |= {**GRADIENT_BOOSTING, "second": factor}
    followed = {key: value for key, value in inferred(model).items() if key not in known}
    booster = BoosterParameters(**{**values, **followed})
    if not booster.newton:  # it has no such parameters
        known = {**known, **dict.fromkeys(["reg_lambda", "gamma", "min_child_weight"])}
    return booster, list(_assumed(booster, {**known, **followed}, followed))


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


def inferred(model: Ensemble) -> dict[str, Rational]:
    """The parameters that follow from what a model of XGBoost states of its nodes: λ, and the rate.

    With w = -G/(H + λ) at each node, w(H + λ) of a node is the sum of that of the nodes below, which gives λ; and that
    of a node above two leaves, together with what they add, gives η.

    Args:
        model: a boosted model.
    """
    lambdas, pairs = list[tuple[Fraction, Fraction]](), list[tuple[Fraction, ...]]()
    for member, numbers in zip(model.members, statements_of(model), strict=True):
        if not {"h", "weight"} <= numbers.keys():
            continue
        for node, w, h in zip(member.tree.nodes, numbers["weight"], numbers["h"], strict=True):
            if node.test is None or w is None or h is None:
                continue
            leaves = [Fraction(member.tree.nodes[one].label) for one in node.branches]
            asks = [member.tree.nodes[one].test is not None for one in node.branches]
            (w1, w2), (h1, h2) = (
                [numbers[name][one] or Fraction(0) for one in node.branches] for name in ("weight", "h")
            )
            scaled = [
                not ask and abs(w_ - leaf) <= abs(leaf) / 10**6
                for ask, w_, leaf in zip(asks, (w1, w2), leaves, strict=True)
            ]
            if not any(scaled) and w != w1 + w2:
                lambdas.append((h / abs(w - w1 - w2), (w1 * h1 + w2 * h2 - w * h) / (w - w1 - w2)))
            if not any(asks) and w:
                pairs.append((abs(w), w, h, *leaves, h1, h2))
    found: dict[str, Rational] = {}
    if (shown := _plain([value for _, value in sorted(lambdas)[:7]])) is not None:
        found["reg_lambda"] = shown
    reg = found.get("reg_lambda", 1)
    best = sorted(pairs, reverse=True)[:7]
    rates = [(v1 * (h1 + reg) + v2 * (h2 + reg)) / (w * (h + reg)) for _, w, h, v1, v2, h1, h2 in best if h + reg]
    if rate := _plain(rates):
        found["rate"] = rate
    return found


def _plain(numbers: Sequence[Fraction]) -> Fraction | None:
    """The decimal of few digits that is near the median of some numbers; None if there is none."""
    if not numbers:
        return None
    middle = sorted(numbers)[len(numbers) // 2]
    near = max(abs(middle) / 2000, Fraction(1, 1000))
    texts = (significant(middle, digits) for digits in (1, 2, 3)) if abs(middle) > near else ("0",)
    return next((plain for plain in map(Fraction, texts) if plain >= 0 and abs(plain - middle) <= near), None)


def _assumed(booster: BoosterParameters, known: Mapping[str, Any], followed: Mapping[str, Any]) -> Iterator[str]:
    """The parameters that are not stated, and those that follow from the nodes, each as one remark."""
    written = booster.written()
    if followed:
        shown = [f"{key} {written[key]}" for key in ASSUMED if key in followed]
        yield f"as the nodes of the model show: {listed(shown)}"
    lacking = [f"{key} {written[key]}" for key in ASSUMED if key not in known and written[key] is not None]
    if lacking:
        lacking += ["no draws of rows or columns", "no other penalty", "weights of rows as in the table"]
        yield f"not stated, and assumed: {listed(lacking)}"


__all__ = ["BoosterParameters", "booster_of"]
