"""Ties: the choice among equal winners, and among equal majority classes.

By default the first winner in the learner's order is taken (first attribute in table order, lowest threshold), and the
first class in class order. A figure in a book may depend on another choice, so an *override* can name, for a node, the
one of its *exact* ties to take. Overrides are part of the learner's options, and choose only among ties: anything else
is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from reference_tree.data.errors import InputError, wording
from reference_tree.data.questions import parse_path
from reference_tree.learners.place import Answer, Place, path_text
from reference_tree.splitting.candidate import Candidate


@dataclass(frozen=True)
class Ties:
    """The overrides of a learner, by the path of the node.

    Args:
        choose: path → the attribute to test there, or the condition of its first branch (`humidity<=75`).
        label: path → the class to answer there.

    Example:
        >>> Ties(choose={"/": "outlook"}).options()
        {'/': {'choose': 'outlook'}}
    """

    choose: Mapping[str, str] = field(default_factory=dict)
    label: Mapping[str, str] = field(default_factory=dict)

    def chosen(self, place: Place, winners: Sequence[Candidate], usual: Candidate) -> Candidate:
        """The winner to take: the one that the override names, otherwise the usual one.

        Raises:
            InputError: the override names no winner, or the node has two.
        """
        wanted = _at(self.choose, place, "choose")
        if wanted is None:
            return usual
        for candidate in winners:
            if wanted in (candidate.test.attribute, candidate.test.name):
                return candidate
        listed = ", ".join(candidate.test.name for candidate in winners)
        override = override_text("choose", path_text(place), wanted)
        raise InputError(f"{override}: that is no exact winner there; the winners are {listed}")

    def labelled(self, place: Place, answer: Answer) -> Answer:
        """The answer with the label that the override names, otherwise unchanged.

        Raises:
            InputError: the override names no majority class, or the node has two.
        """
        wanted = _at(self.label, place, "label")
        if wanted is None or wanted == answer.label:
            return answer
        if wanted not in answer.tied:
            listed = ", ".join(answer.tied or (str(answer.label),))
            raise InputError(
                f"{override_text('label', path_text(place), wanted)}: that is no majority class there; it is {listed}"
            )
        return answer._replace(label=wanted)

    @property
    def any(self) -> bool:
        """Whether there are any overrides."""
        return bool(self.choose or self.label)

    def paths(self) -> Iterable[str]:
        """The paths of all overrides."""
        return dict.fromkeys([*self.choose, *self.label])

    def options(self) -> dict[str, dict[str, str]]:
        """The overrides in the form of a document: path → the choice there."""
        named = {"choose": self.choose, "label": self.label}
        return {path: {kind: at[path] for kind, at in named.items() if path in at} for path in self.paths()}

    @classmethod
    def of(cls, options: Mapping[str, Mapping[str, str]]) -> Ties:
        """The overrides that `options` wrote.

        Raises:
            KeyError: an override is of neither kind.
        """
        found: dict[str, dict[str, str]] = {"choose": {}, "label": {}}
        for path, at in options.items():
            for kind, wanted in at.items():
                found[kind][path] = wanted
        return cls(**found)


def override_text(override: str, path: str, wanted: str) -> str:
    """The text of an override as it was given."""
    return wording(f"Ties({override}={{{path!r}: {wanted!r}}})", f"--{override} {path} {wanted}")


def _at(overrides: Mapping[str, str], place: Place, kind: str) -> str | None:
    """The override for a place, if there is one. Paths are compared step by step, so branch numbers match as well."""
    paths = [path for path in overrides if place.is_at(parse_path(path))]
    if len(paths) > 1:
        raise InputError(f"{kind}: {' and '.join(paths)}: these are one node; say what to do there once")
    return overrides[paths[0]] if paths else None
