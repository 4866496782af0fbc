"""Cases: the problems that the goldens are about.

A case is a few lines in one of the files `cases/*.toml`: a permanent id, what it teaches, its data, the learner with
the options that are not the default, and the sources. Figures *as printed* come from the ledger (`books`). Everything
else in a golden is computed.

- A *formula* case is a measure and its arguments.
- A *split* case is one node: all candidates, their scores, the winners.
- A *tree* case is a whole tree with the decision at each node.
- A *predict* case is a tree and some rows: its predictions, and the end of each row.
- A *bins* case is intervals with names, or a way to find them, and some numbers: which interval each lies in.
- A *prune* case is a tree and a way to prune it: each decision of the pruning, and the pruned tree.
- An *ensemble* case is a learner of ensembles: its draws, its trees, and their common predictions.
- A *rounds* case is boosting: the rows of each round, its decisions, and the rows of the next one.
- An *attribution* case is a model and some rows: the Shapley values of each row, and the answer that they add up to.
- A *draws* case is a seed and a key of the random generator: its draws.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fnmatch import fnmatchcase
from functools import cache
from importlib import resources
from typing import Any, Literal

from reference_tree.conformance.books import PrintedFigure, beside
from reference_tree.conformance.decisions import Listed
from reference_tree.conformance.generated import TARGET, continuous, drawn_columns
from reference_tree.data.errors import InputError, no_such
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.exact.rationals import Rational, decimal_text, is_number, rational
from reference_tree.learners.options import Options
from reference_tree.learners.registry import learner_named
from reference_tree.routing import Unseen

Kind = Literal["formula", "split", "tree", "predict", "bins", "prune", "ensemble", "rounds", "attribution", "draws"]

_LISTS = (
    "sources",
    "without",
    "continuous",
    "arguments",
    "rows",
    "background",
    "numbers",
    "weights",
    "validation_weights",
)


@dataclass(frozen=True)
class Case:
    """One case.

    Args:
        id: permanent, never reused.
        kind: the kind of expected result.
        title: its lesson, in a line.
        sources: keys of the bibliography.
        data: the name of a textbook data set, or the columns themselves, as text; `?` is a missing value. A file may
            say `drawn` instead: the arguments of `generated.drawn_columns`.
        continuous: the columns of numbers among these; all others are categories.
        target: the column to predict, where it is not the data set's own; a column of numbers if it is continuous.
        without: attributes that are left out.
        learner: its name and the options that are not the default; `"null"` is null, for which TOML has no word.
        ensemble: the name of a learner of ensembles and its options; `learner` grows its trees, in a rounds case only
            where it is not the usual one.
        formula: the measure, as module.function, for a formula case.
        arguments: its arguments.
        weights: the weight of each row of the data, where they are not all 1.
        listed: which candidates stand in its decisions.
        rows: the numbers of the rows to be predicted, from 1, for a predict, an ensemble or an attribution case.
        ask: more rows to be predicted, as columns, which need not be in the data; an absent one is missing.
        unseen: the rule for a value there without a branch.
        bins: name → interval, from the lowest to the highest, for a bins case; or a discretizer that finds them.
        numbers: the numbers that are put into them.
        attribute: the attribute that the discretizer divides; all its numbers are put into the bins.
        validation: the rows held out, as `data`, for a prune case whose method asks them.
        validation_weights: the weight of each of them, where they are not all 1.
        prune: the method and all its parameters, as tree documents keep it, for a prune case.
        pre_prune: the options of pre-pruning instead.
        values: the class that is explained, or margin, for an attribution case.
        background: the numbers of the background rows; none: the values are path-dependent.
        cover: the name of their cover.
        interactions: whether interaction values are asked for, too.
        draw: seed, key and kind of draw, for a draws case.
        printed: figures as printed.
        note: a remark for the reader.
    """

    id: str
    kind: Kind
    title: str
    sources: tuple[str, ...] = ()
    data: str | Mapping[str, list[str]] = ""
    target: str | None = None
    without: tuple[str, ...] = ()
    continuous: tuple[str, ...] = ()
    learner: Mapping[str, Any] | None = None
    ensemble: Mapping[str, Any] | None = None
    formula: str = ""
    arguments: tuple[Any, ...] = ()
    weights: tuple[str, ...] = ()
    listed: Listed = "all"
    rows: tuple[int, ...] = ()
    ask: Mapping[str, list[str]] | None = None
    unseen: Unseen = "error"
    bins: Mapping[str, str] | str | None = None
    numbers: tuple[str, ...] = ()
    attribute: str = ""
    validation: str | Mapping[str, list[str]] = ""
    validation_weights: tuple[str, ...] = ()
    prune: Mapping[str, Any] | None = None
    pre_prune: Mapping[str, Any] | None = None
    values: str | None = None
    background: tuple[int, ...] = ()
    cover: str | None = None
    interactions: bool = False
    draw: Mapping[str, Any] | None = None
    printed: tuple[PrintedFigure, ...] = ()
    note: str = ""

    def validation_table(self) -> Table | None:
        """The validation rows, if there are any."""
        held_out = replace(self, id=f"{self.id}-validation", data=self.validation, weights=self.validation_weights)
        return held_out.table() if self.validation else None

    def table(self) -> Table:
        """The data of a case that has any."""
        weights = [rational(weight) for weight in self.weights]
        return replace(self._unweighted(), weights=weights) if weights else self._unweighted()

    def rows_to_predict(self) -> list[list[str]]:
        """The rows to be predicted, as text in the order of the columns of the data."""
        table, ask = self.table(), self.ask or {}
        every = [cells_of(row) for row in table.rows()]
        names = [column.name for column in (*table.schema.attributes, table.schema.target)]
        more = max(map(len, ask.values()), default=0)
        columns = (["" if cell == "?" else cell for cell in ask.get(name, ["?"] * more)] for name in names)
        return [*(every[number - 1] for number in self.rows), *map(list, zip(*columns, strict=True))]

    def base(self) -> Options:
        """The learner that it names. All its numbers are texts there, also those of priors and losses."""
        given = dict(self.learner or {})
        numbers = {name: _numbers(given.pop(name)) for name in ("priors", "loss") if name in given}
        options: dict[str, Any] = {
            name: rational(value) if isinstance(value, str) and is_number(value) else value
            for name, value in given.items()
        }
        return learner_named(**options, **numbers)

    def _unweighted(self) -> Table:
        if not isinstance(self.data, str):
            columns = {name: [None if cell == "?" else cell for cell in cells] for name, cells in self.data.items()}
            name = self.id.rsplit("/", 1)[-1]
            return Table.from_columns(columns, self.target, categorical="*", continuous=self.continuous, name=name)
        table = textbook(self.data)
        if self.target is not None:
            return _with_target(table, self.target, self.without)
        return table.without(self.without) if self.without else table


def _numbers(named: Any) -> Any:
    return {name: _numbers(one) for name, one in named.items()} if isinstance(named, dict) else rational(named)


def cells_of(row: Mapping[str, str | Rational | None]) -> list[str]:
    """A row of a table as text; a missing value is empty."""
    return ["" if cell is None else cell if isinstance(cell, str) else decimal_text(cell) for cell in row.values()]


def _with_target(table: Table, target: str, without: tuple[str, ...]) -> Table:
    """The rows with another target; the old target becomes an attribute, unless it is left out."""
    columns = [*table.schema.attributes, table.schema.target]
    rows = [{name: cell for name, cell in row.items() if name not in without} for row in table.rows()]
    continuous = [c.name for c in columns if c.kind == "continuous" and c.name not in without]
    return Table.from_rows(rows, target, categorical="*", continuous=continuous, name=table.name)


def cases() -> Mapping[str, Case]:
    """All cases by id, sorted."""
    return _cases()


@cache
def _cases() -> Mapping[str, Case]:
    found: dict[str, Case] = {}
    folder = resources.files(__package__) / "cases"
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if not file.name.endswith(".toml"):
            continue
        for entry in tomllib.loads(file.read_text(encoding="utf-8"))["case"]:
            case = _case(entry)
            if case.id in found:
                raise ValueError(f"two cases have the id {case.id}")
            found[case.id] = case
    return dict(sorted(found.items()))


def _case(entry: Mapping[str, Any]) -> Case:
    if "drawn" in entry:
        columns = drawn_columns(**entry["drawn"])
        drawn = {"data": columns, "continuous": continuous(columns, entry["drawn"].get("classes", 2)), "target": TARGET}
        entry = {**{key: value for key, value in entry.items() if key != "drawn"}, **drawn}
    lists = {key: tuple(entry[key]) for key in _LISTS if key in entry}
    told = {
        key: {name: None if value == "null" else value for name, value in entry[key].items()}
        for key in ("learner", "ensemble")
        if key in entry
    }
    known = [one.name for one in fields(Case)]
    for strange in (key for key in entry if key not in known):
        raise InputError(f"{entry['id']}: {no_such('key of a case', strange, known)}")
    return Case(**{**entry, **lists, **told, "printed": beside(entry["id"])})


def case(name: str, of: Mapping[str, Case] | None = None) -> Case:
    """The case with an id, of the suite or of some others.

    Raises:
        InputError: there is no such case.
    """
    every = cases() if of is None else of
    if name not in every:
        last = name.rsplit("/", 1)[-1]
        near = [known for known in every if known.endswith(f"/{last}")] or [known for known in every if last in known]
        hint = f"; did you mean {', '.join(near[:3])}?" if near else "; golden --list names them"
        raise InputError(f"there is no golden case {name!r}{hint}")
    return every[name]


def cases_like(patterns: Sequence[str], of: Mapping[str, Case] | None = None) -> list[Case]:
    """The cases with some ids, or whose ids fit some patterns, each once; all of them if none is named.

    Raises:
        InputError: there is no case with an id, or none that fits a pattern.

    Example:
        >>> [found.id for found in cases_like(["id3/exclusive-*", "id3/loan"])]
        ['id3/exclusive-or', 'id3/exclusive-or-and-a-constant', 'id3/loan']
    """
    every = cases() if of is None else of
    chosen: dict[str, Case] = {}
    for pattern in patterns or ["*"]:
        is_pattern = any(sign in pattern for sign in "*?[")
        fitting = [name for name in every if fnmatchcase(name, pattern)] if is_pattern else [case(pattern, every).id]
        if not fitting:
            raise InputError(f"no golden case has an id like {pattern!r}; golden --list names them")
        chosen |= {name: every[name] for name in fitting}
    return list(chosen.values())
