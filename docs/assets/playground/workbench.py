"""The playground as a workbench: the tree pruned, two learners beside each other, and an ensemble of trees.

`playground` shows one tree; this module adds what a reader turns on: each is a piece of HTML of its own, and nothing is
computed that is not asked for. The page and the worker call `view`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from html import escape
from typing import Any, Final

from docs.assets.playground.playground import Made, State, decoded, learner_of, made, shown_of, take
from docs.assets.playground.remarks import in_form
from docs.assets.playground.rows import cells_given, quality, row_of
from docs.assets.playground.six_trees import apart_html, decisions_html, parting
from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.ensembles.learner import EnsembleLearner
from reference_tree.ensembles.registry import ENSEMBLES
from reference_tree.exact.rationals import Rational, rational
from reference_tree.exact.rounding import significant
from reference_tree.learners.growing import grow, revisit
from reference_tree.pruning.prune import prune
from reference_tree.tree import Tree
from reference_tree.views.derivation.explain import LEARNERS as TITLES
from reference_tree.views.trees.svg import to_svg
from reference_tree.views.wording import asked

__all__ = ["State", "decoded", "take", "view"]

PRUNINGS: Final[Mapping[str, str]] = {
    "reduced-error": "reduced error, on the rows held out",
    "cost-complexity": "cost-complexity, at the price α of a leaf",
    "error-based": "error-based, by upper limits",
}
"""The methods of pruning → how the form calls them."""

ENSEMBLE_NAMES: Final[Mapping[str, str]] = {
    "bagging": "bagging",
    "forest": "random forest",
    "adaboost": "AdaBoost",
    "boosting-tree": "boosting tree, of numbers",
}
"""The learners of ensembles → how the form calls them."""

TREES: Final = 10
MOST_TREES: Final = 100


def view(state: State) -> dict[str, Any]:
    """All that is shown: what `playground` shows, and the pieces that are turned on.

    Raises:
        InputError: the table cannot be read, or a learner has no rule for it, in the words of the form.
    """
    try:
        found = made(state)
        shown = shown_of(state, found)
        pieces = {"pruned": pruned_html, "beside": beside_html, "ensemble": ensemble_html}
        shown["html"] |= {name: "".join(piece(state, found)) for name, piece in pieces.items()}
    except InputError as error:
        raise InputError(in_form(str(error))) from None
    return shown


# Pruning.


def pruned_of(state: State, found: Made) -> Tree:
    """The tree cut back as a reader chose.

    Raises:
        InputError: there is no such method, or it has no rows to judge by.
    """
    if state.prune == "reduced-error":
        if found.held is None:
            raise InputError("reduced-error pruning asks rows that are held out: give a share of the rows, such as 0.3")
        return prune(found.tree, "reduced-error", validation=found.held)
    if state.prune == "cost-complexity":
        return prune(found.tree, "cost-complexity", alpha=_number(state.alpha or "0.01", "α"))
    if state.prune == "error-based":
        return prune(found.tree, "error-based", found.table)
    raise InputError(f"there is no pruning {state.prune}; there are {', '.join(PRUNINGS)}")


def _number(said: str, what: str) -> Rational:
    try:
        return rational(said)
    except ValueError:
        raise InputError(f"{what} is a number such as 0.01 or 1/50, not {said}") from None


def pruned_html(state: State, found: Made) -> Iterator[str]:
    """The pruned tree; what was cut off is faint, unless a branch took the place of its node."""
    if not state.prune:
        return
    cut = pruned_of(state, found)
    try:
        drawing = to_svg(found.tree, pruned=cut)
    except InputError:
        drawing = to_svg(cut)
    yield f"<h2>Pruned: {escape(PRUNINGS[state.prune])}</h2>"
    yield f"<p>{len(found.tree.leaves())} leaves before, {len(cut.leaves())} after.</p>"
    yield _drawn(drawing, "The pruned tree") + quality(cut, found.table, found.held)


def _drawn(drawing: str, label: str) -> str:
    return f'<div class="drawn" tabindex="0" role="region" aria-label="{escape(label)}">{drawing}</div>'


# Two learners.


def beside_html(state: State, found: Made) -> Iterator[str]:
    """The tree of another learner, the first node where the two do not ask the same, and the rule that parts them."""
    if not state.beside:
        return
    name, other = learner_of(state._replace(learner=state.beside, options=""), found.table)
    tree = grow(other, found.table)
    yield f"<h2>Beside it: {escape(called(name))}</h2>"
    yield _drawn(to_svg(tree), called(name)) + quality(tree, found.table, found.held)
    at = parting(found.tree, tree)
    if at is None:
        yield "<p>Both ask the same questions of these rows.</p>"
        return
    one, two = (each.partition("/")[0] for each in (found.name, name))
    if one == two:
        yield from apart_html(found.learner, other, found.table, (found.tree, tree), at)
    else:
        told = " ".join(JUDGED.get(kind, "") for kind in (one, two))
        yield f"<p>They part at <code>{escape(found.tree.path(at[0]))}</code>. {told}</p>"
    theirs = {visit.number: visit.decision for visit in revisit(tree, other, found.table)}
    decisions = [found.visits[found.tree.path(at[0])].decision, theirs[at[1]]]
    yield "".join(decisions_html((called(found.name), called(name)), decisions))


def called(name: str) -> str:
    """A learner and its dialect, as the form has them."""
    kind, _, profile = name.partition("/")
    title = TITLES[kind]
    return f"{title}: {profile}" if profile else title


JUDGED: Final = {
    "id3": "ID3 compares gains, and a question has a branch for each value.",
    "c45": "C4.5 compares gain ratios among the questions of at least the average gain, with a branch for each value.",
    "cart": "CART compares the decrease of an impurity, and each question has two branches.",
}
"""What parts learners of different kinds."""


# Ensembles.


def ensemble_of(state: State, found: Made) -> Ensemble:
    """The ensemble that a reader chose, of the trees of the chosen learner where it takes these.

    Raises:
        InputError: there is no such ensemble, or it has no rule for the table.
    """
    if state.ensemble not in ENSEMBLE_NAMES:
        raise InputError(f"there is no ensemble {state.ensemble}; there are {', '.join(ENSEMBLE_NAMES)}")
    trees = int(state.trees) if state.trees.isdecimal() else TREES
    if not 0 < trees <= MOST_TREES:
        raise InputError(f"an ensemble here has 1 to {MOST_TREES} trees, not {state.trees}")
    kind: type[EnsembleLearner] = ENSEMBLES[state.ensemble]
    return kind(trees=trees, **_base(state, found)).grow(found.table)


def _base(state: State, found: Made) -> dict[str, Any]:
    """The learner of its trees: of bagging the chosen one, of a forest CART if that is chosen; of rounds their own."""
    takes = state.ensemble == "bagging" or (state.ensemble == "forest" and found.name.startswith("cart"))
    return {"base": found.learner} if takes else {}


def ensemble_html(state: State, found: Made) -> Iterator[str]:
    """The trees of an ensemble in their order, and how right they are together so far; and the votes on a row."""
    if not state.ensemble:
        return
    ensemble = ensemble_of(state, found)
    known = [("training rows", found.table), *([("rows held out", found.held)] if found.held else [])]
    so_far = [list(errors_so_far(ensemble, table)) for _, table in known]
    heads = ["tree", "first question", "leaves", "its weight", *(f"together, {name}" for name, _ in known)]
    yield f"<h2>An ensemble: {escape(ENSEMBLE_NAMES[state.ensemble])}</h2>"
    yield from _votes(ensemble, state, found)
    yield '<div class="wide" tabindex="0"><table class="dialects"><thead><tr>'
    yield "".join(f"<th scope=col>{head}</th>" for head in heads) + "</tr></thead><tbody>"
    for place, (member, *said) in enumerate(zip(ensemble.members, *so_far, strict=True), 1):
        test = member.tree.nodes[0].test
        first = f"<code>{escape(asked(test))}</code>" if test else "none"
        figures = [str(len(member.tree.leaves())), significant(member.weight, 4), *said]
        yield f"<tr><th scope=row>{place}</th><td>{first}</td>"
        yield "".join(f"<td class=r>{figure}</td>" for figure in figures) + "</tr>"
    yield "</tbody></table></div>"


def errors_so_far(ensemble: Ensemble, table: Table) -> Iterator[str]:
    """After each tree, what the trees so far say of the rows: how many are right, or the mean squared error."""
    ends, name = ensemble.ends_of(table, "majority"), table.schema.target.name
    truth: list[Any] = [row[name] for row in table.rows()]
    for size in range(1, len(ensemble.members) + 1):
        part = ensemble.part(range(size))
        said: list[Any] = [part.answer(one[:size]) for one in ends]
        if table.schema.target.values is not None:
            yield f"{sum(a == b for a, b in zip(said, truth, strict=True))} of {len(truth)} right"
        else:
            squares = [(a - b) * (a - b) for a, b in zip(said, truth, strict=True)]
            yield f"mean squared error {significant(sum(squares) / Fraction(len(squares) or 1), 4)}"


def _votes(ensemble: Ensemble, state: State, found: Made) -> Iterator[str]:
    """What the trees say of the row that is to be predicted."""
    if not cells_given(found.table, state.row):
        return
    try:
        votes = ensemble.votes(row_of(found.table, state.row), "majority")
    except ValueError as error:
        yield f"<p class=answer>{escape(str(error))}</p>"
        return
    scores = "; ".join(f"{name}: {significant(score, 4)}" for name, score in votes.scores.items())
    label = votes.label if isinstance(votes.label, str) else significant(votes.label, 6)
    tied = " (a tie)" if votes.tied else ""
    yield f"<p class=answer>{escape(found.table.schema.target.name)}: <strong>{escape(label)}</strong>{tied}"
    yield f"{'; ' * bool(scores)}{escape(scores)}</p>"
