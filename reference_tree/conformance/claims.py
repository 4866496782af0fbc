"""Claims: the abilities that a program declares, in one file.

A case that a program claims has to be answered, so a program that falls silent does not pass. Cases that it does not
claim are left out, and those that are known to fail stand beside the claims, each with its reason.

```toml
program = "our learner"
version = "1.2"
formulas = ["measures.entropy.*", "measures.gini_index.*"]
prunings = ["reduced-error"]

[kinds]
formula = []
split = ["cuts", "missing"]
tree = ["cuts", "missing"]
prune = ["cuts"]

[learners.id3]

[learners.cart]
criterion = ["gini", "entropy"]
missing = ["fractions"]
min_samples_leaf = ["*"]

[expected-failures]
"cart/*-by-day" = "sets of fourteen values are not tried"
```

Each kind of case has the needs that its cases may have. A learner is claimed with the usual value of each of its
options, or with those of a profile that stands among the needs; if it has a list `profile`, in those profiles alone.
Another value is claimed by its option: `*` stands for any. The trees of `predict` and `prune` cases are given, so no
learner is asked there.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, get_args

from reference_tree.conformance.cases import Kind
from reference_tree.conformance.needs import NEEDS, dialects, learners_of
from reference_tree.data.errors import InputError, no_such
from reference_tree.data.schema import Kind as ColumnKind
from reference_tree.ensembles.registry import RECORDED
from reference_tree.learners.options import Options
from reference_tree.learners.recorded import Recorded
from reference_tree.pruning.method import methods
from reference_tree.tree_document.reading import content_of
from reference_tree.tree_document.strict import closed, text

ANY = "*"
"""The word for any value of an option."""

PROFILE = "profile"
"""The mark among the options of a learner that is claimed in some profiles alone."""

_GROWN = ("split", "tree", "ensemble", "rounds")
"""The kinds of case in which a learner decides."""


@dataclass(frozen=True)
class Claims:
    """The claims of a program.

    Args:
        program: its name.
        version: its version.
        kinds: the kinds of case that it answers, each with the needs of its cases (`conformance.needs.NEEDS`).
        attributes: the kinds of attribute that it takes.
        formulas: the formulas that it computes, as patterns.
        learners: its learners, each with the values that its options may have besides the usual ones.
        prunings: its pruning methods.
        expected: pairs of a pattern and a reason, for the cases that fail.
    """

    program: str
    version: str = ""
    kinds: Mapping[str, Sequence[str]] = field(default_factory=dict)
    attributes: Sequence[str] = get_args(ColumnKind)
    formulas: Sequence[str] = (ANY,)
    learners: Mapping[str, Mapping[str, Sequence[Any]]] = field(default_factory=dict)
    prunings: Sequence[str] = ()
    expected: Sequence[tuple[str, str]] = ()

    def cover(self, golden: Mapping[str, Any]) -> bool:
        """Whether the program claims a case.

        Args:
            golden: its golden, or its prompt.

        Example:
            >>> from reference_tree.conformance.cases import case
            >>> from reference_tree.conformance.goldens import document
            >>> claims = Claims("ours", kinds={"tree": []}, learners={"id3": {"epsilon": ["*"]}})
            >>> [claims.cover(document(case(f"id3/play-tennis{end}"))) for end in ("", "-epsilon", "-one-level")]
            [True, True, False]
        """
        if golden["kind"] not in self.kinds or not set(golden["needs"]) <= set(self.kinds[golden["kind"]]):
            return False
        data = golden.get("data") or {"columns": ()}
        kinds = {column["kind"] for column in data["columns"] if column["name"] != data["target"]}
        if not kinds <= set(self.attributes):
            return False
        if golden["kind"] == "formula":
            return any(fnmatchcase(golden["formula"], pattern) for pattern in self.formulas)
        if golden["kind"] == "prune":
            return golden["pruning"]["method"] in self.prunings
        return golden["kind"] not in _GROWN or all(map(self._has, learners_of(golden)))

    def _has(self, learner: Mapping[str, Any]) -> bool:
        """Whether a learner is claimed, with the values of its options."""
        if learner["name"] not in self.learners:
            return False
        words = self.learners[learner["name"]]
        if not is_word(learner["profile"], words.get(PROFILE, (ANY,))):
            return False
        usual = usual_options(learner["name"], learner["profile"])
        others = (name for name, value in learner["options"].items() if name != "base" and value != usual.get(name))
        return all(is_word(learner["options"][name], words.get(name, ())) for name in others)


def is_word(value: object, words: Sequence[Any]) -> bool:
    """Whether a value of an option, as a document has it, is claimed by some words."""
    said = "null" if value is None else value
    return ANY in words or any(type(said) is type(word) and said == word for word in words)


def usual_options(name: str, profile: str | None) -> Mapping[str, Any]:
    """The options of a learner, by default or in a profile, as a document has them."""
    kind = RECORDED[name]
    if profile is not None and issubclass(kind, Options):
        return kind.like(profile).grower().options
    return {option: one.usual for option, one in kind.of_dialects().items()}


def read_claims(path: str | Path) -> Claims:
    """The claims in a file.

    Raises:
        InputError: the file cannot be read, or names a kind, a need, a learner, an option or a method that does not
            exist.
    """
    try:
        written = tomllib.loads(content_of(path))
        return claims_from(written)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"is no TOML: {error}", path=str(path)) from None
    except InputError as error:
        raise InputError(error.message, path=str(path)) from None
    except ValueError as error:
        raise InputError(f"has no claims that can be read: {error}", path=str(path)) from None


def claims_from(written: Mapping[str, Any]) -> Claims:
    """The claims in the members of a file.

    Raises:
        ValueError: they are no claims; an InputError, if a name in them is not known.
    """
    known = ["version", "attributes", "formulas", "learners", "prunings", "expected-failures"]
    found = closed(dict(written), ["program", "kinds"], known)
    if not isinstance(found["kinds"], dict):
        raise ValueError("kinds is no table; its lines are KIND = [NEEDS]")
    kinds, prunings = {kind: _words(found["kinds"], kind) for kind in found["kinds"]}, _words(found, "prunings")
    needs = [need for words in kinds.values() for need in words]
    for what, words, there_are in (
        ("kind", [*kinds], get_args(Kind)),
        ("need", needs, [*NEEDS, *dialects()]),
        ("pruning method", prunings, methods()),
        ("kind of attribute", _words(found, "attributes"), get_args(ColumnKind)),
    ):
        if strange := [word for word in words if word not in there_are]:
            raise InputError(no_such(what, strange[0], there_are))
    learners = found.get("learners", {})
    if not isinstance(learners, dict):
        raise ValueError("learners is no table; [learners.NAME] is one")
    for name, options in learners.items():
        if name not in RECORDED:
            raise InputError(no_such("learner", name, RECORDED))
        _check_options(name, RECORDED[name], options)
    expected = found.get("expected-failures", {})
    if not isinstance(expected, dict):
        raise ValueError('expected-failures is no table; its lines are "PATTERN" = "REASON"')
    return Claims(
        text(found["program"]),
        text(found.get("version", "")),
        kinds,
        _words(found, "attributes") or get_args(ColumnKind),
        _words(found, "formulas") or (ANY,),
        learners,
        prunings,
        tuple((pattern, text(reason)) for pattern, reason in expected.items()),
    )


def claims_members(claims: Claims) -> dict[str, Any]:
    """The members of a file of claims, without the program and its version.

    Example:
        >>> claims_members(Claims("ours", kinds={"tree": ["cuts"]}))["kinds"]
        {'tree': ['cuts']}
    """
    return {
        "kinds": {kind: list(needs) for kind, needs in claims.kinds.items()},
        "attributes": list(claims.attributes),
        "formulas": list(claims.formulas),
        "learners": {name: {key: list(words) for key, words in of.items()} for name, of in claims.learners.items()},
        "prunings": list(claims.prunings),
        "expected-failures": dict(claims.expected),
    }


def _words(found: Mapping[str, Any], name: str) -> list[str]:
    given = found.get(name, [])
    if not isinstance(given, list):
        raise ValueError(f"{name} is no list")
    return list(map(text, given))


def _check_options(name: str, kind: type[Recorded], options: object) -> None:
    """Refuse an option that a learner does not have, or a value that the option cannot have."""
    if not isinstance(options, dict):
        raise ValueError(f"learners.{name} is no table")
    known = kind.of_dialects()
    for option, words in options.items():
        if option == PROFILE:
            _check_profiles(name, kind, words)
            continue
        if option not in known:
            raise InputError(no_such("option", option, known, of=name))
        if not isinstance(words, list):
            raise ValueError(f"{name}.{option} is no list of values")
        for word in words:
            try:
                if word != ANY:
                    known[option].domain.read(None if word == "null" else word)
            except ValueError as error:
                raise InputError(f"{name}.{option}: {error}") from None


def _check_profiles(name: str, kind: type[Recorded], words: object) -> None:
    there_are = [*kind.profiles, "null"] if issubclass(kind, Options) else ["null"]
    if not isinstance(words, list) or not words:
        raise ValueError(f"{name}.{PROFILE} is no list of profiles")
    if strange := [word for word in words if word not in there_are]:
        raise InputError(no_such("profile", strange[0], there_are, of=name))
