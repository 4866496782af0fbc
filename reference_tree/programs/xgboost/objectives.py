"""The objectives of XGBoost: what is made of the sums of a model, and where they start.

`base_score` stands in the space of the answer: it is a probability, or a count, or a sum. The sums start from its
log odds, its logarithm, or itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from math import e
from typing import Any

from reference_tree.data.errors import InputError
from reference_tree.data.held import shortest
from reference_tree.exact.log_sums import log
from reference_tree.exact.reals import Number
from reference_tree.programs.boosted import Rule
from reference_tree.programs.documents import single
from reference_tree.programs.inventory import UnreadError

SUM, LOG, LOGIT = "sum", "log", "logit"
"""How a `base_score` becomes the start of the sums: it is a sum, or the logarithm or the log odds of it is one."""

OBJECTIVES: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys(("reg:squarederror", "reg:linear", "reg:squaredlogerror", "reg:absoluteerror"), ("sum", SUM)),
    **dict.fromkeys(("reg:pseudohubererror", "reg:quantileerror", "reg:expectileerror"), ("sum", SUM)),
    **dict.fromkeys(("rank:pairwise", "rank:ndcg", "rank:map"), ("sum", SUM)),
    **dict.fromkeys(("count:poisson", "reg:gamma", "reg:tweedie", "survival:cox", "survival:aft"), ("exp", LOG)),
    **dict.fromkeys(("multi:softmax", "multi:softprob"), ("softmax", SUM)),
    "reg:logistic": ("sigmoid", LOGIT),
    "binary:logistic": ("logistic", LOGIT),
    "binary:logitraw": ("sum", SUM),
    "binary:hinge": ("hinge", SUM),
}
"""Objective → the rule that combines the trees, and what its `base_score` is."""

LEAST = Fraction(single(1e-6))
"""A `base_score` of 0 or 1 has no log odds; the program moves it inwards by so much."""


def rule_of(learner: Mapping[str, Any]) -> Rule | dict[str, Rule]:
    """The rule for the sums; where there are several targets or several shares α of quantiles, that of each.

    Raises:
        InputError: the objective is not known here, or starts from other numbers than it should.
    """
    objective, parameters = learner["objective"], learner["learner_model_param"]
    if objective["name"] not in OBJECTIVES:
        raise UnreadError(
            f"its objective is {objective['name']}, which is not read; Booster.dump_model writes its trees"
        )
    combine, form = OBJECTIVES[objective["name"]]
    if objective["name"] == "reg:expectileerror" and int(parameters.get("num_target", 1)) > 1:
        raise UnreadError(
            "each of its expectiles is the one below it plus ln(1 + e^sum) + 1e-6, which is not read; "
            "train a model for each expectile_alpha"
        )
    start = [_start(single(float(text)), form) for text in re.findall(r"[^\[\],\s]+", parameters["base_score"])]
    classes, targets = int(parameters["num_class"]), int(parameters.get("num_target", 1))
    if (targets if combine == "softmax" else classes) > 1:
        raise InputError(f"it has {classes} classes and {targets} targets, which {objective['name']} cannot have")
    size = classes if combine == "softmax" else targets
    if len(start) == 1:
        start = start * max(1, size)
    if len(start) != max(1, size):
        raise InputError(f"its base_score has {len(start)} numbers, and there are {size} sums")
    if combine == "softmax":
        return Rule(combine, start, size)
    rules = [Rule(combine, [one], 2 if combine in ("logistic", "hinge") else 0) for one in start]
    return rules[0] if len(rules) == 1 else dict(zip(_named(objective, targets), rules, strict=True))


def _named(objective: Mapping[str, Any], targets: int) -> list[str]:
    """The names of several outputs."""
    for group, name in (("quantile_loss_param", "quantile_alpha"), ("expectile_loss_param", "expectile_alpha")):
        shares = re.findall(r"[^\[\],\s]+", objective.get(group, {}).get(name, ""))
        if len(shares) == targets:
            return [f"{name.partition('_')[0]} {_decimal(share)}" for share in shares]
    return list(map(str, range(1, targets + 1)))


def _decimal(share: str) -> str:
    """A share as it was given, such as 0.2: the shortest decimal of its float32."""
    return shortest(single(float(share)), "f")


def _start(base_score: float, form: str) -> Number:
    """The start of a sum, from a `base_score` in the space of the answer."""
    p = Fraction(base_score)
    if form == SUM:
        return p
    if form == LOG:
        if p <= 0:
            raise InputError("its base_score is not positive, and the sums start from its logarithm")
        return 0 if p == 1 else log(p, e)
    p = min(max(p, LEAST), Fraction(single(1 - float(LEAST))))
    if not 0 <= Fraction(base_score) <= 1:
        raise InputError("the base_score of a probability is no probability")
    odds_against = Fraction(single(single(float(1 / p)) - 1))  # as the program holds them
    return 0 if odds_against == 1 else -log(odds_against, e)
