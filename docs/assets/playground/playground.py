"""What the playground shows: from its state, as an address holds it, to pieces of HTML.

The page calls `view` while the site is built, and so it is complete without a script; in a reader's browser a worker
calls it again whenever something is changed. `take` gives what can be downloaded. Both get a state and keep nothing.

1. `table_of` is the table with what was changed in it; `learner_of` the learner in its dialect.
2. `grown` is the tree. Where a reader asks another question than the learner does, `Led` takes that one, or the best
   about an attribute; if all of these are exact ties, the learner itself takes them (`Ties`), and records it.
3. `node_html` shows the decision at a node: a bar for the best question about each attribute, what ties, what floats
   would have taken, and what another choice costs.
"""

from __future__ import annotations

import csv
import io
import re
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape, unescape
from itertools import chain, permutations
from operator import attrgetter
from typing import Any, NamedTuple, cast, get_args

from docs.assets.playground.remarks import in_form
from docs.assets.playground.rows import ROWS, Cells, predicted, quality, row_html, table_html
from reference_tree.data.errors import InputError, listed, no_such, shown
from reference_tree.data.questions import Missing
from reference_tree.data.readers import read
from reference_tree.data.readers.text import decode
from reference_tree.data.sample import Partition, Sample
from reference_tree.data.schema import Kind
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.data.writers import csv_text, to_csv
from reference_tree.exact.choosing import best
from reference_tree.exact.rationals import rational
from reference_tree.learners.cart import CART
from reference_tree.learners.decision import Decision, Learner
from reference_tree.learners.growing import Visit, grow, revisit
from reference_tree.learners.options import Options
from reference_tree.learners.place import Place, Ties, path_text
from reference_tree.learners.registry import LEARNERS, learner_named
from reference_tree.selection.holdout import holdout
from reference_tree.splitting.candidate import MEASURES, Candidate
from reference_tree.splitting.missing_values import branch_shares
from reference_tree.tree import Grower, Tree
from reference_tree.views.derivation.explain import explain, explain_decision
from reference_tree.views.derivation.numerals import decimal_of
from reference_tree.views.derivation.remarks import BARRED
from reference_tree.views.trees.svg import to_svg
from reference_tree.views.trees.text import to_text
from reference_tree.views.wording import amount, asked

MOST = 1000
"""So many rows can be added."""

KINDS: tuple[Kind, ...] = get_args(Kind)

LISTS = ("edits", "deleted", "asks", "kinds", "row")
"""What an address holds as often as it has something."""

NODES = 200
"""A tree of more nodes is shown as text."""


class State(NamedTuple):
    """What a reader chose."""

    table: str = "play-tennis"
    """The name of a textbook data set; or of a file, whose text is `csv`."""
    csv: str = ""
    target: str = ""
    """The column to predict; none: the data set's own, or the last."""
    without: str = ""
    """Attributes that are left out, with commas between them."""
    edits: tuple[str, ...] = ()
    """Cells that are changed: `row,column,value`, numbered from 1."""
    added: str = ""
    """How many rows are added at the end. Their cells are empty but for what `edits` puts into them."""
    deleted: tuple[str, ...] = ()
    """The numbers of rows that are left out; the others keep theirs."""
    learner: str = ""
    """Name and perhaps dialect, as in `c45/weka-j48`; none: one that has rules for the columns."""
    options: str = ""
    """Options of the learner: `max_depth=2 criterion=gini`; and the columns that are to be read as another kind, as
    `categorical=zip` or `continuous=['age','fare']`."""
    asks: tuple[str, ...] = ()
    """What is asked in place of the learner's own question: `path@attribute`, or `path@question`."""
    node: str = "/"
    """The path of the node that is looked at."""
    kinds: tuple[str, ...] = ()
    """The columns that are to be read as another kind: `categorical@zip`."""
    held: str = ""
    """The share of the rows that is held out: 0.3."""
    row: tuple[str, ...] = ()
    """A row that is predicted: `attribute=value`."""
    prune: str = ""
    """How the tree is pruned (`workbench.PRUNINGS`); none: it is not."""
    alpha: str = ""
    """The price of a leaf, for cost-complexity pruning."""
    beside: str = ""
    """A second learner, named as `learner` is."""
    ensemble: str = ""
    """The name of a learner of ensembles; none: one tree."""
    trees: str = ""
    """How many trees the ensemble has."""

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> State:
        """A state from a mapping; what is not there has its default."""
        lists = {name: tuple(found[name]) for name in LISTS if name in found}
        return cls(**{**found, **lists})


class Made(NamedTuple):
    """What a state stands for."""

    cells: Cells
    whole: Table
    """The table with what was changed in it."""
    table: Table
    """The rows that the tree is grown from."""
    held: Table | None
    """The rows that are held out."""
    name: str
    """The learner and its dialect."""
    learner: Learner
    asks: Mapping[str, str]
    """Path → what a reader asks there."""
    tree: Tree
    visits: Mapping[str, Visit]
    remarks: list[str]


def made(state: State) -> Made:
    """The table and the tree of a state.

    Raises:
        InputError: the table cannot be read, or the learner has no rule for it.
    """
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        cells, whole = cells_of(state), table_of(state)
    table, held = _divided(state, _without(state, whole))
    name, learner = learner_of(state, table)
    asks = asks_of(state)
    tree, learner = grown(learner, table, asks)
    visits = {tree.path(visit.number): visit for visit in revisit(tree, learner, table)}
    remarks = list(dict.fromkeys(in_form(str(one.message)) for one in said))
    remarks += [f"{path} is no node of this tree that asks anything" for path in asks if not _asks(tree, visits, path)]
    return Made(cells, whole, table, held, name, learner, asks, tree, visits, remarks)


def view(state: State) -> dict[str, Any]:
    """All that is shown: pieces of HTML by the place where they stand, and the learner that was taken.

    Raises:
        InputError: as for `made`, in the words of the form.
    """
    try:
        found = made(state)
    except InputError as error:
        raise InputError(in_form(str(error))) from None
    return shown_of(state, found)


def shown_of(state: State, found: Made) -> dict[str, Any]:
    """What is shown of a tree."""
    table, tree, visits = found.table, found.tree, found.visits
    way = frozenset(map(tree.path, predicted(tree, table, state.row).way))
    seen = visits.get(state.node) or visits["/"]
    return {
        "learner": found.name,
        "node": tree.path(seen.number),
        "targets": [*table.columns],
        "target": table.schema.target.name,
        "html": {
            "remarks": "".join(f"<p>{escape(one)}</p>" for one in found.remarks),
            "table": "".join(table_html(found.cells, found.whole)),
            "quality": quality(tree, table, found.held),
            "row": "".join(row_html(tree, table, found.cells.names, state.row)),
            "tree": drawn(tree, visits, seen, way)
            if len(tree.nodes) <= NODES
            else f"<pre>{escape(to_text(tree))}</pre>",
            "node": "".join(node_html(tree, found.learner, seen, found.asks)),
            "derivation": _chosen(tree, seen) + _body(_derivation(tree, table, seen)),
        },
    }


def take(state: State, what: str) -> str:
    """What can be taken away: the text of a `csv`, an `svg`, a `json` (a golden) or an `html` (a worksheet).

    Raises:
        InputError: as for `view`; or a golden or a worksheet is to show what the learner decides, and a reader did.
    """
    table, _ = _divided(state, _without(state, table_of(state)))
    if what == "csv":
        return to_csv(table)
    tree, learner = grown(learner_of(state, table)[1], table, asks_of(state))
    if what == "svg":
        return to_svg(tree)
    if tree.grower.name == Grower().name:
        raise InputError(
            f"it shows what a learner decides; take back your own question at {listed(asks_of(state))} first"
        )
    if what == "html":
        return explain(tree, table, format="html", every=True)
    from reference_tree.conformance.goldens import golden_of  # it needs a third of the package, and nothing else does

    return golden_of(learner, table)


def decoded(state: State, content: Any) -> dict[str, str]:
    """The text of a reader's file, and what there is to say about its encoding.

    Args:
        state: its `table` is the name of the file.
        content: the bytes of the file, in a browser a buffer.

    Raises:
        InputError: it is empty or binary.
    """
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        text = decode(bytes(content.to_py() if hasattr(content, "to_py") else content), state.table)
    return {"text": text, "said": " ".join(str(one.message).partition(" (say ")[0] for one in said)}


# The table and the learner.


class _Text(io.StringIO):
    """A text that has a name, as a file has."""

    def __init__(self, text: str, name: str) -> None:
        super().__init__(text)
        self.name = name


def table_of(state: State) -> Table:
    """The table of a state; what was changed in it is read as it would be in a file."""
    table, name, kinds = _source(state)
    if not (state.edits or state.added or state.deleted or any(_kinds(state).values())):
        return table
    cells = cells_of(state)
    text = _Text(csv_text(cells.names, list(cells.rows.values())), name)
    return read(text, table.schema.target.name, categorical=kinds["categorical"], continuous=kinds["continuous"])


def cells_of(state: State) -> Cells:
    """The cells of a state.

    Raises:
        InputError: it changes a cell, or deletes a row, that is not there.
    """
    names, *rows = csv.reader(io.StringIO(to_csv(_source(state)[0])))
    known = len(rows)
    rows += [[""] * len(names) for _ in range(_number(state.added, MOST, "adds {} rows") if state.added else 0)]
    for edit in state.edits:
        row, column, value = _edit(edit, len(rows), len(names))
        rows[row][column] = value
    left_out = {_number(one, len(rows), "deletes row {}") for one in state.deleted}
    return Cells(names, {number: row for number, row in enumerate(rows, 1) if number not in left_out}, known, len(rows))


def _source(state: State) -> tuple[Table, str, dict[Kind, list[str]]]:
    """The table before it was changed, the name of its file, and the columns whose kind is known."""
    kinds = _kinds(state)
    if state.csv:
        table = read(
            _Text(state.csv, state.table),
            state.target or None,
            categorical=kinds["categorical"],
            continuous=kinds["continuous"],
        )
        return table, state.table, kinds
    table, stated = textbook(state.table), list(chain(*kinds.values()))
    for one in (*table.schema.attributes, table.schema.target):
        if one.name not in stated:
            kinds[one.kind].append(one.name)
    return table.predicting(state.target) if state.target else table, f"{state.table}.csv", kinds


def _kinds(state: State) -> dict[Kind, list[str]]:
    """The columns whose kind the reader states among the options."""
    pairs = [pair.partition("=") for pair in state.options.split()]
    clicked = [one.partition("@") for one in state.kinds]
    return {
        kind: [column.strip("[]'\"") for name, _, value in pairs if name == kind for column in value.split(",")]
        + [column for name, _, column in clicked if name == kind]
        for kind in KINDS
    }


def _number(said: str, most: int, does: str) -> int:
    if not re.fullmatch(r"[1-9]\d{0,8}", said) or int(said) > most:
        raise InputError(f"the address {does.format(shown(said))}: that is no whole number from 1 to {most}")
    return int(said)


def _edit(edit: str, rows: int, columns: int) -> tuple[int, int, str]:
    """The place of a changed cell, from 0, and what it holds now."""
    found = re.fullmatch(r"(\d{1,9}),(\d{1,9}),(.*)", edit, re.DOTALL)
    if not found or not (0 < int(found[1]) <= rows and 0 < int(found[2]) <= columns):
        raise InputError(f"the address changes {shown(edit)}: that is no row, column and value of this table")
    return int(found[1]) - 1, int(found[2]) - 1, found[3]


def _without(state: State, table: Table) -> Table:
    names = [name.strip() for name in state.without.split(",") if name.strip()]
    return table.without(names) if names else table


def _divided(state: State, table: Table) -> tuple[Table, Table | None]:
    """The rows that the tree is grown from, and those that are held out."""
    if not state.held:
        return table, None
    try:
        split = holdout(table, 0, rational(state.held))
    except ValueError as error:
        raise InputError(f"rows held out: {error}") from None
    return split.training, split.validation


def learner_of(state: State, table: Table) -> tuple[str, Learner]:
    """The learner of a state; if none is named, ID3 where all is categorical and known, CART for numbers, else C4.5."""
    chosen = state.learner or _suitable(table)
    name, _, profile = chosen.partition("/")
    if name not in LEARNERS:
        raise InputError(no_such("learner", name, LEARNERS))
    return chosen, learner_named(name, profile=profile or None, **_options(name, state.options))


def _options(learner: str, said: str) -> dict[str, Any]:
    if not said.strip():
        return {}
    from reference_tree.cli.learning import options_of, read_value  # the command line is not needed before

    known, found = options_of(learner), dict[str, Any]()
    for pair in said.split():
        name, _, value = pair.partition("=")
        if name in KINDS:
            continue
        if name not in known:
            raise InputError(f"{name} is no option of {learner}; it has {', '.join(known)}")
        found[name] = read_value(name, value, known[name].domain)
    return found


def _suitable(table: Table) -> str:
    schema = table.schema
    if schema.target.values is None:
        return "cart"
    known = all(cell is not None for row in table.rows() for cell in row.values())
    return "id3" if known and all(one.values is not None for one in schema.attributes) else "c45"


# The tree.


@dataclass
class Led:
    """A learner that asks another question where it is told to."""

    learner: Learner
    asks: Mapping[str, str]
    """Path → the attribute, or the question."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.learner, name)

    def decide(self, sample: Sample, place: Place) -> Decision:
        """The learner's decision, but with the question that is asked for, or the best about the attribute."""
        decision = self.learner.decide(sample, place)
        other = about(self.learner, sample, place, self.asks.get(path_text(place), ""))
        if decision.chosen is None or other is None:
            return decision
        return replace(decision, chosen=other.chosen, missing=other.missing)

    def grower(self) -> Grower:
        """Unknown: no learner of the package would have grown this tree."""
        return Grower()


def about(learner: Learner, sample: Sample, place: Place, asked: str) -> Decision | None:
    """What a learner decides if it may ask one question, or about one attribute; nothing if that parts no rows."""
    if asked in place.available:
        decision = learner.decide(sample, place._replace(available=frozenset({asked})))
        return None if decision.chosen is None else decision
    decision = learner.decide(sample, place)
    one = next((one for one in decision.candidates if one.test.name == asked and one.scores), None)
    if one is None:
        return None
    missing = decision.missing
    if isinstance(learner, CART):
        missing = learner.way(learner.node_criterion(sample, place), one)
    elif missing.shares:
        missing = Missing(shares=tuple(branch_shares(one.table.rows)))
    return replace(decision, chosen=one, missing=missing)


def asks_of(state: State) -> dict[str, str]:
    """Path → the attribute or the question to be asked there."""
    return {path: attribute for path, _, attribute in (ask.rpartition("@") for ask in state.asks)}


def grown(learner: Learner, table: Table, asks: Mapping[str, str]) -> tuple[Tree, Learner]:
    """The tree, and the learner that would grow it; where a reader's questions are no ties, one that would not."""
    if not asks:
        return grow(learner, table), learner
    tree = grow(cast(Learner, Led(learner, asks)), table)
    chosen: dict[str, str] = {}
    for visit in revisit(tree, learner, table):
        path, test = tree.path(visit.number), tree.nodes[visit.number].test
        if test is not None and visit.decision.chosen is not None and test != visit.decision.chosen.test:
            chosen[path] = test.name
            if test.name not in [winner.test.name for winner in visit.decision.winners]:
                return tree, learner
    assert isinstance(learner, Options)
    learner = replace(learner, ties=Ties(chosen))
    return grow(learner, table), learner


def _asks(tree: Tree, visits: Mapping[str, Visit], path: str) -> bool:
    return path in visits and tree.nodes[visits[path].number].test is not None


# What is shown.


def drawn(tree: Tree, visits: Mapping[str, Visit], seen: Visit, way: Collection[str] = ()) -> str:
    """The drawing of a tree whose nodes are buttons; one is pressed; ties and the way of a row stand out."""
    tied = {path for path, one in visits.items() if one.decision.chosen and len(one.decision.winners) > 1}
    here = escape(tree.path(seen.number))

    def button(group: re.Match[str]) -> str:
        path, pressed = unescape(group[1]), str(group[1] == here).lower()
        kinds = " ".join(["tie"] * (path in tied) + ["way"] * (path in way))
        kind = f' class="{kinds}"' * bool(kinds)
        return f'<g data-path="{group[1]}" tabindex="0" role="button" aria-pressed="{pressed}"{kind}>'

    buttons = re.sub(r'<g data-path="([^"]*)">', button, to_svg(tree))
    return buttons.replace('role="img"', 'role="group"', 1)


def node_html(tree: Tree, learner: Learner, visit: Visit, asked_for: Mapping[str, str]) -> Iterator[str]:
    """The decision at a node, with a bar for the best question about each attribute."""
    decision, node, path = visit.decision, tree.nodes[visit.number], tree.path(visit.number)
    weighted = node.weight != int(node.weight)
    yield f"<h2>At <code>{escape(path)}</code>: {escape(amount(node.weight, weighted=weighted))}</h2>"
    if node.test is None or not decision.winners:
        yield f"<p>A leaf: <strong>{escape(str(node.label))}</strong>. The derivation below says why.</p>"
        if not decision.winners:
            return
    taken = node.test.name if node.test else ""
    asks = node.test is not None and decision.made is not None
    yield from bars_html(decision, taken, visit.place.available if asks else ())
    if node.test is not None and decision.made is not None:
        yield from _questions(decision, node.test.name, node.test.attribute)
    yield from _sentences(decision, taken, path in asked_for)


def bars_html(decision: Decision, taken: str, changeable: Collection[str] = ()) -> Iterator[str]:
    """A bar for the best question about each attribute; about some of them a reader may ask instead."""
    name = decision.judged_by
    top = float(decision.winners[0].scores[name]) or 1
    yield f'<ul class="bars" aria-label="{escape(name)}">'
    for one in best_of_each(decision):
        yield _bar(one, decision, taken, top, changeable=one.test.attribute in changeable)
    yield "</ul>"


def _questions(decision: Decision, taken: str, attribute: str) -> Iterator[str]:
    """All questions about the attribute that is asked for, one of which a reader may take."""
    name = decision.judged_by
    about_it = [one for one in decision.candidates if one.test.attribute == attribute and name in one.scores]
    if len(about_it) < 2:
        return
    yield f"<p><label>Questions about {escape(attribute)} <select data-ask-one>"
    for one in about_it[:ROWS]:
        selected = " selected" * (one.test.name == taken)
        figure = decimal_of(one.scores[name])
        yield f'<option value="{escape(one.test.name)}"{selected}>{escape(asked(one.test))}: {figure}</option>'
    yield "</select></label></p>"


def best_of_each(decision: Decision) -> list[Candidate]:
    """The best question about each attribute, the best of all first; of those that may not compete, one at the end."""
    groups: dict[str, list[Candidate]] = {}
    for one in (*decision.winners, *decision.candidates):
        groups.setdefault(one.test.attribute, []).append(one)
    found = list(map(_representative, groups.values()))
    return [
        *_descending(one for one in found if one.barred is None),
        *_descending(one for one in found if one.barred is not None and one.scores),
        *(one for one in found if not one.scores),
    ]


def _representative(group: Sequence[Candidate]) -> Candidate:
    """The best of the questions about an attribute that may compete; if none may, of those that came furthest."""
    for kept in (lambda one: one.barred is None, lambda one: one.barred != "not-best", lambda one: True):
        if free := [one for one in group if kept(one) and one.scores]:
            return best(free, attrgetter("score"))[0]
    return group[0]


def _descending(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    left = list(candidates)
    while left:
        first = best(left, attrgetter("score"))
        yield from first
        left = [one for one in left if one not in first]


def _bar(one: Candidate, decision: Decision, taken: str, top: float, *, changeable: bool) -> str:
    scores, name = one.scores, decision.judged_by
    winners = [winner.test.name for winner in decision.winners]
    is_tied = len(winners) > 1 and one.test.name in winners
    kinds = ["taken"] * (one.test.name == taken) + ["tie"] * is_tied + ["barred"] * (one.barred is not None)
    figure = decimal_of(scores[name]) if name in scores else "–"
    percent = max(0, min(100, round(100 * float(scores[name]) / top))) if name in scores else 0
    notes = ["taken"] * (one.test.name == taken) + ["an exact tie"] * is_tied
    notes += [_why(one)] * (one.barred is not None)
    inside = (
        f'<span class="name">{escape(asked(one.test))}</span> '
        f'<span class="track"><span style="width:{percent}%"></span></span> '
        f'<span class="figure">{figure}</span> <span class="note">{escape("; ".join(notes))}</span>'
    )
    if changeable and name in scores:
        pressed = str(one.test.name == taken).lower()
        inside = f'<button data-ask="{escape(one.test.attribute)}" aria-pressed="{pressed}">{inside}</button>'
    return f'<li class="{" ".join(kinds)}">{inside}</li>'


def _why(one: Candidate) -> str:
    """Why a candidate may not compete."""
    return {"average": "its gain is below the average", **BARRED}.get(one.barred or "", one.barred or "")


def _sentences(decision: Decision, taken: str, is_told: bool) -> Iterator[str]:
    name, winners = decision.judged_by, decision.winners
    told = name.replace("_", " ")
    if len(winners) > 1:
        yield f'<p class="tie">{escape(in_floats(winners, name))}</p>'
    elif decision.margin is not None:
        yield f"<p>{escape(asked(winners[0].test))} is best, by {decimal_of(decision.margin)} in {told}.</p>"
    if taken and taken not in [winner.test.name for winner in winners]:
        other = next(one for one in decision.candidates if one.test.name == taken)
        loss, gain = (a.scores[name] - b.scores[name] for a, b in permutations((winners[0], other)))
        regret = f"{decimal_of(loss)} less" if loss >= 0 else f"{decimal_of(gain)} more"
        yield (
            f'<p class="regret"><strong>Your choice.</strong> {escape(asked(other.test))} has '
            f"{regret} {told} than {escape(asked(winners[0].test))}"
            + (f", and may not compete: {_why(other)}" if other.barred else "")
            + ". <button data-ask>Take it back</button></p>"
        )
    elif is_told and taken:
        yield '<p class="regret">Your choice: no worse, by an exact tie. <button data-ask>Take it back</button></p>'


def in_floats(winners: Sequence[Candidate], name: str) -> str:
    """What the same formula makes of exact ties in floats of 64 bits, and which of them it would have taken."""
    scores = [_in_floats(one, name) for one in winners]
    said = f"{_enumerated(asked(one.test) for one in winners)} tie exactly in {name.replace('_', ' ')}. "
    if None in scores:
        return said
    if len(set(scores)) == 1:
        return said + f"So they do in floats: {scores[0]!r}."
    figures = [f"{asked(one.test)} {score!r}" for one, score in zip(winners, scores, strict=True)]
    taken = max(zip(winners, scores, strict=True), key=lambda pair: pair[1] or 0)[0]
    return said + f"Floats would have taken {asked(taken.test)}: {_enumerated(figures)}."


def _in_floats(one: Candidate, name: str) -> float | None:
    table = one.counted
    rows, unknown = [tuple(map(float, row)) for row in table.rows], tuple(map(float, table.unknown))
    try:
        return float((one.measures or MEASURES)[name](Partition(table.outcomes, cast(Any, rows), cast(Any, unknown))))
    except (ArithmeticError, AssertionError, KeyError, TypeError, ValueError):
        return None  # a measure that takes exact numbers alone


def _enumerated(items: Iterable[str]) -> str:
    *others, last = items
    return f"{', '.join(others)} and {last}" if others else last


def _derivation(tree: Tree, table: Table, visit: Visit) -> str:
    """How the learner decides at a node; where the tree is not its own, this node stands alone."""
    if tree.grower.name == Grower().name:
        return explain_decision(visit.decision, format="html")
    return explain(tree, table, format="html", node=tree.path(visit.number))


def _chosen(tree: Tree, visit: Visit) -> str:
    """Before the derivation of a learner who is not asked: what the tree asks in its place."""
    test, chosen = tree.nodes[visit.number].test, visit.decision.chosen
    if test is None or chosen is None or test == chosen.test:
        return ""
    return (
        f'<p class="regret"><strong>Your choice.</strong> The tree asks {escape(asked(test))} here. What follows is '
        f"how the learner compares the questions; it would ask {escape(asked(chosen.test))}.</p>"
    )


def _body(page: str) -> str:
    """What stands between head and end of a page, its tables by the name that the style sheet knows."""
    return page.partition("<body>\n")[2].partition("</body>")[0].replace("<table>", '<table class="worked">')
