"""Options in a golden: the meaning of each, its possible values, and the value that does nothing.

A golden spells out every option of its learner, so a program has to know what they mean before it knows whether it can
take a case. The table is read off the descriptions of the options.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from reference_tree.ensembles.learner import EnsembleLearner
from reference_tree.ensembles.registry import ENSEMBLES
from reference_tree.learners.options import Options
from reference_tree.learners.registry import FITTED, LEARNERS

RECORDED: Mapping[str, type[Options] | type[EnsembleLearner]] = {**LEARNERS, **FITTED, **ENSEMBLES}
"""Every learner that a golden can name."""


class Option(NamedTuple):
    """A line of the table."""

    name: str
    meaning: str
    values: str
    usual: str
    """Its default value, as JSON."""


def options_of(name: str) -> Iterator[Option]:
    """The options of a learner, in the order in which a golden has them, those of its dialects among them.

    Example:
        >>> next(option for option in options_of("c45") if option.name == "branch_minimum").values
        '`every`, `two`'
    """
    kind = RECORDED[name]
    described = kind.of_dialects() if issubclass(kind, Options) else kind.options()
    for name, one in described.items():
        shown = one.usual["name"] if name == "base" else one.usual
        yield Option(name, f"{one.words}.", one.domain.listed, json.dumps(shown, ensure_ascii=False))
