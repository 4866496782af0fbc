"""Given: goldens from files as cases, so that goldens of one's own are judged as those of the suite are.

A golden is not believed. Its learner decides again on its data, and the golden has to expect just that. So a golden
that was edited by hand, or that another edition of the package wrote otherwise, is refused and not judged by.

1. `read_goldens` reads a file: one golden, or one on each line.
2. `case_of` is the case of a golden, which `conformance.goldens.document` writes again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from reference_tree.conformance.cases import Case, cases
from reference_tree.conformance.goldens import FORMAT, document
from reference_tree.data.columns import Column, Origin
from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table, assemble
from reference_tree.exact.rationals import rational, shortened
from reference_tree.learners.options import Options
from reference_tree.learners.registry import learner_of
from reference_tree.pruning.pre_pruning import OPTION
from reference_tree.tree import Grower
from reference_tree.tree_document.reading import content_of
from reference_tree.tree_document.strict import parsed, text

KINDS = ("formula", "split", "tree", "predict", "prune")
"""The kinds of golden that one may have of one's own."""

_WEIGHT = "its weight"


@dataclass(frozen=True)
class GivenCase(Case):
    """A case that was read from a golden, with the tables that stand in it.

    Args:
        golden: the document.
    """

    golden: Mapping[str, Any] = field(default_factory=dict)

    def table(self) -> Table:
        """The data of the golden, with the declared values of each column."""
        return _table(self.golden["data"])

    def base(self) -> Options:
        """The learner that the golden records."""
        learner = self.golden["learner"]
        options = {name: value for name, value in learner["options"].items() if name != OPTION}
        return learner_of(Grower(learner["name"], learner["profile"], options))

    def validation_table(self) -> Table | None:
        """The validation rows of the golden, if it has any."""
        held_out = self.golden.get("validation")
        return None if held_out is None else _table(held_out)

    def rows_to_predict(self) -> list[list[str]]:
        """The rows of the golden that are predicted."""
        return [list(map(text, row)) for row in self.golden["rows"]]


def read_goldens(path: str) -> list[Case]:
    """The goldens of a file, as cases.

    Args:
        path: a file with one golden, or with one on each line.

    Raises:
        InputError: the file cannot be read, is no golden, or expects something else than its learner decides.
    """
    try:
        content = content_of(path)
    except InputError as error:
        raise InputError(error.message, path=path) from None
    lines = [(number, line) for number, line in enumerate(content.split("\n"), start=1) if line.strip()]
    # in one golden no brace is closed at the end of its first line if the second one opens one
    many = len(lines) > 1 and lines[0][1].rstrip().endswith("}") and lines[1][1].lstrip().startswith("{")
    found: dict[str, Case] = {}
    for number, golden in lines if many else [(1, content)]:
        try:
            case = case_of(parsed(golden, "a golden"))
            if case.id in found:
                raise InputError(f"{case.id} occurs twice")
        except InputError as error:
            line = number if many else error.line
            raise InputError(error.message, path=path, line=line, column=error.column) from None
        found[case.id] = case
    return list(found.values())


def case_of(golden: object) -> Case:
    """The case of a golden; of one of the suite, that of its id.

    Raises:
        InputError: this is no golden, its kind is none that can be read, or it expects something else than comes out.

    Example:
        >>> from reference_tree.conformance.cases import case
        >>> case_of(document(case("id3/loan"))) == case("id3/loan")
        True
        >>> case_of({**document(case("id3/loan")), "id": "our/loan"}).id
        'our/loan'
    """
    if not isinstance(golden, dict) or golden.get("format") != FORMAT:
        raise InputError(f"is no golden; a golden is an object with the format {FORMAT!r}")
    known = cases().get(str(golden.get("id")))
    found, again = _of_another_suite(golden) if known is None else (known, document(known))
    for member in ("kind", "learner", "data", "expected"):
        if golden.get(member) != again.get(member):
            why = "what comes out of its learner and its data; a golden is not edited by hand"
            own = "that of the golden of the suite with this id; give it an id of its own"
            raise InputError(f"its {member} is not {why if known is None else own}")
    return found


def _of_another_suite(golden: Mapping[str, Any]) -> tuple[Case, Mapping[str, Any]]:
    """The case of a golden that is none of the suite, and its result.

    Raises:
        InputError: it cannot be read.
    """
    try:  # whose members may be of any kind, and are read where they are needed
        found: Case = _case(golden)
        again = document(found)
        if again["expected"] != golden["expected"] and golden["kind"] in ("split", "tree"):
            found = replace(found, listed="winners")
            again = document(found)
    except InputError:
        raise
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"is no golden that can be read: {shortened(str(error))}") from None
    return found, again


def _case(golden: Mapping[str, Any]) -> GivenCase:
    kind = golden["kind"]
    if kind not in KINDS:
        raise InputError(f"is a golden of the kind {shortened(str(kind))}; of one's own may be {', '.join(KINDS)}")
    pruning = golden.get("pruning")
    options = {name: one for name, one in (pruning or {}).items() if name != "method"}
    is_pre = pruning is not None and pruning["method"] == "pre-pruning"
    return GivenCase(
        text(golden["id"]),
        kind,
        text(golden.get("title", "")),
        sources=tuple(map(text, golden.get("sources", ()))),
        learner=golden.get("learner"),
        formula=golden.get("formula", ""),
        arguments=tuple(golden.get("arguments", ())),
        listed="all",
        unseen=golden.get("unseen", "error"),
        prune=None if is_pre else pruning,
        pre_prune=options if is_pre else None,
        note=text(golden.get("note", "")),
        golden=golden,
    )


def _table(data: Mapping[str, Any]) -> Table:
    """A table as a golden has it (`conformance.goldens.data_json`)."""
    cells = list(zip(*data["rows"], strict=True))
    columns = [
        Column(one["name"], [cell or None for cell in column], _attribute(one))
        for one, column in zip(data["columns"], cells, strict=True)
    ]
    weights = data["weights"]
    if weights is not None:
        columns.append(Column(_WEIGHT, [rational(weight) for weight in weights]))
    continuous = [one["name"] for one in data["columns"] if one["kind"] == "continuous"]
    weighing = None if weights is None else _WEIGHT
    return assemble(columns, text(data["target"]), weighing, (), continuous, text(data["name"]), Origin())


def _attribute(column: Mapping[str, Any]) -> Attribute | None:
    return Attribute(column["name"], tuple(map(text, column["values"]))) if "values" in column else None


def cases_in(paths: Iterable[str]) -> dict[str, Case]:
    """The cases of some files of goldens, by id.

    Raises:
        InputError: see `read_goldens`; or two files have a golden of the same id.
    """
    found: dict[str, Case] = {}
    for path in paths:
        for one in read_goldens(path):
            if one.id in found:
                raise InputError(f"{one.id} stands in another of these files already", path=path)
            found[one.id] = one
    return found
