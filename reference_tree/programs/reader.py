"""Programs: the record of a reader, and its field maps: what a program calls the parts of its nodes and its parameters.

A program that is read is a module with a `ProgramReader`. It turns the nodes that the program holds into those of
`documents`; everything that programs have in common is here.

1. `ProgramReader` is the record; `readers` has all of the folder, by the names of their modules.
2. `GivenNames` are the names that the caller supplies because the program does not state them.
3. `NodeFields` is the field map of a node with two branches, and `asked` the builder of its test.
4. `Training` is the field map of the training parameters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, NamedTuple

from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import exact_text, is_number, rational
from reference_tree.programs.boosted import Iterations, SumRule
from reference_tree.programs.documents import (
    HeldTest,
    Key,
    data_value,
    exact,
    finite,
    item,
    places,
    subset,
    threshold,
)
from reference_tree.programs.inventory import Ignored, Inventory


class GivenNames(NamedTuple):
    """The names that a program does not state."""

    target: str = ""
    """The name of the target."""
    attributes: Sequence[str | Attribute] = ()
    """The names of the attributes; of a printed tree also attributes with all of their values."""
    classes: Sequence[str] = ()
    """The names of the classes."""
    rule: SumRule | None = None
    """The rule for the sums of trees in a dump of XGBoost, which does not state it."""
    ignored: Ignored = Ignored()
    """The members that the user said to pass over, although no reader knows them."""
    iterations: Iterations = None
    """The rounds of a boosted model that answer, if not those that its file names."""
    own_classes: Sequence[str] = ()
    """The classes of a fitted object whose own text numbers them."""

    @property
    def columns(self) -> list[str]:
        """The names of the attributes."""
        return [each if isinstance(each, str) else each.name for each in self.attributes]

    def features(self, size: int, own: Sequence[str] = (), letter: str = "x") -> list[str]:
        """The names of the features: those given, or the program's own, or `x0`, `x1`, ...

        Raises:
            InputError: they are not as many as the features, or two are equal.

        Example:
            >>> GivenNames().features(2), GivenNames(attributes=["a", "b"]).features(2, ["own", "names"])
            (['x0', 'x1'], ['a', 'b'])
        """
        # The caller's names come first, then the program's own, then numbered ones.
        names = self.columns or list(own) or [f"{letter}{place}" for place in places(size)]
        return _as_many(names, size, "features")

    def labels(self, size: int, own: Sequence[str] = ()) -> list[str]:
        """The names of the classes: those given, or the program's own, or `0`, `1`, ...

        Raises:
            InputError: they are not as many as the classes, or two are equal.
        """
        return _as_many(list(self.classes) or list(own) or list(map(str, places(size))), size, "classes")


def _as_many(names: list[str], size: int, what: str) -> list[str]:
    # Two columns of one name would be one attribute, and rows could not say which.
    if len(names) != size or len(set(names)) != size:
        raise InputError(f"the model has {size} {what}, and {len(set(names))} different names are given")
    return names


class Binary(NamedTuple):
    """The binary form in which a program writes its files."""

    begins: Callable[[bytes], bool]
    """Whether a file is in it, by its first bytes."""
    decoded: Callable[[bytes, int], Any]
    """The value that JSON would have, of the bytes of a file, of which no more than a number are read."""


class ProgramReader(NamedTuple):
    """A program whose trees are read."""

    name: str
    """By which a caller asks for it: `xgboost`."""
    what: str
    """The thing that is read, in words: `a model of XGBoost`."""
    documents: Callable[[Any, GivenNames], list[dict[str, Any]]]
    """The tree documents of a text, a value of JSON or an object."""
    head: re.Pattern[str] | None = None
    """The pattern at the beginning of a text of the program; None if it writes no text."""
    holds: Callable[[Any], bool] = lambda value: False
    """Whether a value of JSON, or an object, is one of the program."""
    inventories: Sequence[Inventory] = ()
    """The members that are used, without effect, and refused."""
    target: str = "target"
    """The name of the target, if neither the caller nor the program states one."""
    has_rounds: bool = False
    """Whether its models have rounds, so that the first ones can be taken (`GivenNames.iterations`)."""
    binary: Binary | None = None
    """The binary form of its files; None if it has none."""

    def begins(self, text: str) -> bool:
        """Whether a text is one of the program, by its beginning."""
        return self.head is not None and self.head.search(text) is not None

    def recognises(self, value: object) -> bool:
        """Whether a text, a value of JSON or an object is one of the program."""
        return self.begins(value) if isinstance(value, str) else self.holds(value)


@cache
def readers() -> Mapping[str, ProgramReader]:
    """All readers of the folders of programs, by their names.

    Example:
        >>> readers()["xgboost"].what
        'a model of XGBoost'
    """
    # Every module below `programs` is imported, and its readers are found by their type. So a new program is a folder,
    # and no list of readers has to be kept.
    package = import_module(__name__.rpartition(".")[0])
    modules = walk_packages(package.__path__, f"{package.__name__}.")
    held = [vars(import_module(module.name)).values() for module in modules if not module.ispkg]
    found = {reader.name: reader for values in held for reader in values if isinstance(reader, ProgramReader)}
    # By name: which reader recognises a file first does not depend on the file system.
    return dict(sorted(found.items()))


def binary_of(head: bytes) -> Binary | None:
    r"""The binary form that bytes begin like; None if no reader has it.

    Example:
        >>> binary_of(b"{L\0\0\0\0\0\0\0\7learner") is None, binary_of(b'{"learner"') is None
        (False, True)
    """
    forms = [reader.binary for reader in readers().values() if reader.binary is not None]
    return next((form for form in forms if form.begins(head)), None)


# Nodes.


class NodeFields(NamedTuple):
    """The names that a program has for the parts of a node with two branches."""

    left: str
    """The number of the node below on the left; negative at a leaf."""
    right: str
    feature: str
    """The place of the feature."""
    at: str
    """The threshold."""
    default_left: str = ""
    """Whether a row without a value goes left; empty if a program does not say so."""
    is_strict: bool = False
    """Whether a value on the left is less than the threshold, rather than at most it."""
    number: Callable[[Any], float] = finite
    """The function that reads a threshold."""

    def test_of(self, part: Callable[[str], Any], features: Sequence[Attribute]) -> HeldTest | None:
        """The test of a node; None at a leaf.

        Args:
            part: the value of a part of the node, by its name.
            features: the features in their order.

        Example:
            >>> node = {"yes": 1, "no": 2, "column": 0, "limit": 2.5}
            >>> NodeFields("yes", "no", "column", "limit").test_of(node.__getitem__, [Attribute("age")]).form
            {'kind': 'threshold', 'attribute': 'age', 'threshold': '2.5'}
        """
        # scikit-learn and XGBoost write -1 where a leaf has no node below.
        left, right = int(part(self.left)), int(part(self.right))
        if left < 0:
            return None
        # A program without a field for it says nothing of a row without a value.
        default = None if not self.default_left else left if part(self.default_left) else right
        # The threshold is held as its program holds it: a double, or a float32.
        at = self.number(part(self.at))
        return asked(features, int(part(self.feature)), at, (left, right), default, is_strict=self.is_strict)


def asked(
    features: Sequence[Attribute],
    place: int,
    at: float | Sequence[int],
    to: tuple[Key, Key],
    default: Key | None = None,
    *,
    is_strict: bool = False,
) -> HeldTest:
    """The test of a node with two branches about one feature.

    Args:
        features: the features in their order.
        place: the place of the feature.
        at: the threshold, or the codes of the categories that take the first branch.
        to: the nodes below.
        default: the node to which a row without a value goes; None if the program does not say so.
        is_strict: whether a value on the first branch is less than the threshold.

    Raises:
        InputError: there is no such feature, or no such category.
    """
    # A negative place would be a feature from the end of the list.
    if not 0 <= place < len(features):
        raise InputError(f"a node tests feature {place}, and there are {len(features)}")
    feature = features[place]
    # A float is a threshold, a list holds the codes of categories.
    if isinstance(at, float):
        test = threshold(feature.name, data_value(at), to, strict=is_strict)
    else:
        test = subset(feature.name, [item(feature.domain, code) for code in at], to)
    return test if default is None else test.with_default(default)


# Training parameters.


class Training(NamedTuple):
    """The names that a program has for its training parameters."""

    parameters: Mapping[str, tuple[str, Callable[[Any], Any]]]
    """The name in the program → the name in an audit, and how the value is read."""
    plain: Mapping[str, Any]
    """The values under which decisions can be repeated; parameters with other values are listed."""

    def given_by(self, model: Any) -> dict[str, Any]:
        """The parameters that an object has."""
        # An attribute that another release of the program does not have is not stated.
        return {name: getattr(model, name) for name in (*self.parameters, *self.plain) if hasattr(model, name)}

    def told(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters by their names in an audit.

        Example:
            >>> Training({"eta": ("rate", amount), "max_depth": ("max_depth", limit)}, {}).told({"eta": "0.3"})
            {'rate': '3/10'}
        """
        return {ours: form(given[name]) for name, (ours, form) in self.parameters.items() if name in given}

    def unlike(self, given: Mapping[str, Any]) -> list[str]:
        """The parameters whose effect cannot be repeated, each with its value.

        Example:
            >>> Training({}, {"subsample": 1, "alpha": 0}).unlike({"subsample": "0.5", "alpha": "0.0"})
            ['subsample 0.5']
        """
        return [
            f"{name} {given[name]}"
            # A parameter that is not stated has its plain value, under which a decision can be repeated.
            for name, plain in self.plain.items()
            if not _is_plain(given.get(name, plain), plain)
        ]


def _is_plain(value: Any, plain: Any) -> bool:
    """Whether a value is this one; a number may be written in several ways."""
    # "0.50" and "0.5" are one number; texts that are no numbers compare as texts.
    return bool(value == plain or (isinstance(value, str) and is_number(value) and rational(value) == plain))


def remarks(told: Mapping[str, Any], unlike: Sequence[str]) -> list[tuple[str, Any]]:
    """The training parameters, and those whose effect cannot be repeated, as facts about a tree."""
    return [*([("told", told)] if told else []), *([("unlike", list(unlike))] if unlike else [])]


def amount(text: str) -> str:
    """A number that is written."""
    return exact_text(rational(text))


def double(value: Any) -> str:
    """A number that is held as a double."""
    return exact(float(value))


def limit(text: str) -> int | None:
    """The most levels or leaves that are allowed; None if there is no bound."""
    number = rational(text)
    # XGBoost writes 0, and LightGBM -1, where there is no bound.
    return int(number) if number > 0 else None
