"""Options in a golden: the meaning of each, its possible values, and the value that does nothing.

A golden spells out every option of its learner, so a program has to know what they mean before it knows whether it can
take a case. The table is read off the learners: the values off their fields, the meanings off their docstrings.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Collection, Iterator, Mapping
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
    widest = (kind.widest or kind) if issubclass(kind, Options) else kind
    usual = kind().grower().options
    meanings = {named: text for one in reversed(widest.__mro__) for named, text in _arguments(one).items()}
    codecs = dict(widest.codecs())
    for option in dict.fromkeys([*usual, *codecs]):
        value = usual[option] if option in usual else codecs[option].write(getattr(widest(), option))
        shown = value["name"] if option == "base" else value
        yield Option(option, meanings[option], _listed(codecs[option].values), json.dumps(shown, ensure_ascii=False))


def _listed(values: str | Collection[str]) -> str:
    return values if isinstance(values, str) else ", ".join(f"`{word}`" for word in values)


def _arguments(kind: type) -> dict[str, str]:
    """The descriptions of the arguments in the docstring of a class."""
    _, _, listed = (inspect.cleandoc(kind.__doc__ or "")).partition("\nArgs:\n")
    block = re.split(r"\n(?=\S)", listed)[0]
    found = re.findall(r"^    (\w+): (.*(?:\n     .*)*)", block, re.MULTILINE)
    return {name: " ".join(text.split()) for name, text in found}
