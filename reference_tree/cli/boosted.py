"""Boosted models on the command line: models of XGBoost or LightGBM are checked against their data, tree by tree.

1. The training parameters come from the model as far as it states them, from the output of XGBoost's `save_config`
   (`--config`), and from the options, which go first.
2. A model does not name its target, and may have no names for its features and classes. The data have: where they are
   as many, the columns and the classes are taken in their order, and a remark says so.
3. A learner of histograms is judged among its bins, and then among all gaps.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import e
from pathlib import Path
from typing import Any

from reference_tree.auditing.boosting import BoostedAudit, audit_boosted
from reference_tree.cli.learning import layout_of, load, values_of
from reference_tree.cli.options import flag, learner_flags
from reference_tree.cli.output import remark, show_step
from reference_tree.cli.tables import table_under
from reference_tree.cli.trees import reading_options
from reference_tree.data.errors import InputError, listed, no_such
from reference_tree.data.table import Table
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.exact.log_sums import log
from reference_tree.exact.rationals import Rational, decimal_text
from reference_tree.learners.recorded import NUMBER, Option
from reference_tree.programs.boosted import SumRule
from reference_tree.programs.boosters import UNLIKE, BoosterParameters, booster_of
from reference_tree.programs.reading import predictor_of_file
from reference_tree.programs.xgboost.models import configured, dumped
from reference_tree.tree_document.strict import parsed

FLAGS = ("rate", "max_depth", "min_samples_leaf", "max_leaves", "epsilon")
"""The training parameters that have a flag of their own."""
TELLABLE = ("reg_lambda", "gamma", "min_child_weight", "tree_method", "from_average")
"""The training parameters that `--option` gives."""
OF_DUMPS = {
    "loss": BoosterParameters.options()["loss"],
    "base_score": Option(None, NUMBER, "the prediction before the first round"),
}
"""The options for a dump, which does not state them as a model does."""

_HEAD = 1 << 10
"""The number of bytes by which a dump is recognised."""

_UNNAMED = re.compile(r"f\d+|Column_\d+")
"""The names that programs give to features without a name."""


def is_dump(path: str) -> bool:
    """Whether a file is a dump of XGBoost, which holds only the trees."""
    with suppress(OSError, ValueError), open(path, "rb") as file:
        return dumped(file.read(_HEAD).decode("utf-8-sig", "ignore"))
    return False


def boosted_audit(options: argparse.Namespace, found: Ensemble | None) -> BoostedAudit:
    """The audit of a boosted model.

    Args:
        options: the options of the command.
        found: the model; None for a dump, which does not state how its trees are combined.

    Raises:
        InputError: the model, its data and its parameters do not fit together.
    """
    if options.config is not None and found is not None:
        _refuse_config(found)
    parameters, rule = _parameters(options)
    if found is not None and (strange := [name for name, _ in options.option if name in OF_DUMPS]):
        raise InputError(f"--option {strange[0]} is for a dump; this model says it")
    classes = (0 if rule is None else rule.classes) if found is None else len(found.target.values or ())
    table = _rows(options, numeric=not classes)
    model = _named(options, found, table, rule)
    try:
        booster_of(model, parameters)
    except InputError as error:
        raise InputError(error.message, path=error.path or options.tree) from None
    table = _fitted(options, model, [attribute.name for attribute in table.schema.attributes])
    jobs = 1 if options.jobs is None else options.jobs
    return audit_boosted(model, table, parameters, jobs=jobs, progress=partial(show_step, of=len(model.members)))


def _parameters(options: argparse.Namespace) -> tuple[dict[str, Any], SumRule | None]:
    """The training parameters, by the configuration and by the options, and the rule for the trees of a dump."""
    _refuse_others(options)
    parameters: dict[str, Any] = {}
    rule = None
    if options.config is not None:
        config = _config(options.config)
        parameters, rule = {**config.told, UNLIKE: list(config.unlike)}, config.rule
    told = BoosterParameters.options()
    known = {**{name: told[name] for name in (*FLAGS, *TELLABLE)}, **OF_DUMPS}
    unknown = f"is no training parameter; there are {listed([*TELLABLE, *OF_DUMPS])}"
    values = values_of(options, FLAGS, "option", known, lambda _: unknown)
    of_dump = {name: values.pop(name) for name in OF_DUMPS if name in values}
    parameters |= {name: known[name].domain.write(value) for name, value in values.items()}
    if "loss" in of_dump:
        rule = _rule(**of_dump)
    elif of_dump:
        raise InputError("--option base_score is for a dump, and needs --option loss, too")
    return parameters, rule


def _refuse_others(options: argparse.Namespace) -> None:
    """Refuse the options for trees that were grown from counts."""
    others = ["learner", "profile", "pre_prune", "on_equal", *(name for name in learner_flags() if name not in FLAGS)]
    for name in ("weights", *others):
        if getattr(options, name) is not None:
            raise InputError(f"{flag(name)} does not apply to a boosted model, whose rows count alike; leave it out")
    if options.pruned:
        raise InputError("--pruned does not apply to a boosted model; --option gamma is the bound of its pruning")


def _refuse_config(found: Ensemble) -> None:
    """Refuse a configuration of XGBoost for a model of another program."""
    program = found.members[0].tree.program
    if program is None or program.name != "XGBoost":
        name = "another program" if program is None else program.name
        raise InputError(f"--config is what XGBoost's save_config wrote, and this is a model of {name}; leave it out")


def _config(path: str) -> Any:
    try:
        return configured(parsed(Path(path).read_text(encoding="utf-8"), "a configuration"))
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from None
    except UnicodeDecodeError as error:
        raise InputError(f"is not UTF-8 at byte {error.start}", path=path) from None
    except InputError as error:
        raise InputError(error.message, path=path) from None


def _rule(loss: str, base_score: Rational | None = None) -> SumRule:
    """The rule that combines the trees of a dump."""
    if base_score is None:
        remark("base_score is not given, and 0.5 is assumed; XGBoost 3 estimates it from the data unless it is given")
    start = Fraction(1, 2) if base_score is None else Fraction(base_score)
    if loss == "logistic":
        if not 0 < start < 1:
            raise InputError(f"--option base_score {decimal_text(start)}: of logistic loss it is a probability")
        return SumRule("logistic", [0 if start == Fraction(1, 2) else log(start / (1 - start), e)], 2)
    return SumRule("sum" if loss == "squared_error" else "softmax", [start])


def _rows(options: argparse.Namespace, *, numeric: bool) -> Table:
    """The data; for a classification model the target is categorical, even if it is written in numbers."""
    if not numeric and options.target is None:
        options.target = load(argparse.Namespace(**vars(options))).schema.target.name
    if options.target is not None:
        kind = "continuous" if numeric else "categorical"
        setattr(options, kind, [*getattr(options, kind), options.target])
    return load(options)


def _named(options: argparse.Namespace, found: Ensemble | None, table: Table, rule: SumRule | None) -> Ensemble:
    """The model, with the names of the data."""
    schema = table.schema
    columns = [attribute.name for attribute in schema.attributes]
    classes = list(schema.target.values or ())
    if found is None:
        if rule is None:
            what = "say --option loss squared_error, logistic or softmax, and --option base_score; or --config"
            raise InputError(f"a dump does not say what is made of its trees: {what}", path=options.tree)
        if rule.combine == "softmax":
            rule = SumRule("softmax", list(rule.start) * (len(classes) if len(rule.start) == 1 else 1), len(classes))
        told = reading_options(options)
        model = predictor_of_file(options.tree, schema.target.name, columns, classes, rule, **told)
        assert isinstance(model, Ensemble)
        return model
    own = [attribute.name for attribute in found.attributes]
    names = own
    if own == [re.sub(r"\s", "_", column) for column in columns]:  # LightGBM writes _ for a blank
        names = columns
    elif set(own) - set(columns) and all(map(_UNNAMED.fullmatch, own)) and len(own) == len(columns):
        names = columns
        remark(f"the features of the model have no names; its {len(own)} are taken for the columns, in their order")
    known = list(found.target.values or ())
    if len(known) != len(classes):
        message = f"the model has {len(known) or 'no'} classes, and {schema.target.name} has {len(classes) or 'none'}"
        raise InputError(message, path=options.data)
    if set(known) == set(classes):
        classes = known
    else:
        remark(f"the classes of the model have no names; they are taken for {listed(classes)}, in this order")
    model = predictor_of_file(options.tree, schema.target.name, names, classes, **reading_options(options))
    assert isinstance(model, Ensemble)
    return replace(model, target=replace(model.target, name=schema.target.name))


def _fitted(options: argparse.Namespace, model: Ensemble, columns: Sequence[str]) -> Table:
    """The rows, with the columns of the model, and its classes in its order."""
    own = [attribute.name for attribute in model.attributes]
    for name in own:
        if name not in columns:
            raise InputError(no_such("column", name, columns), path=options.data)
    if others := [name for name in columns if name not in own]:
        remark(f"the model has no feature {listed(others)}, which is left out")
    return table_under(options.data, model.target, model.attributes, layout_of(options))


__all__ = ["boosted_audit"]
