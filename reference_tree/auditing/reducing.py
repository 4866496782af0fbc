"""Reducing: the smallest rows on which something is wrong.

1. `smallest` replaces a thing by one that is a step smaller, for as long as one of these is still wrong.
2. `left_out` lists the runs of rows that may be left out in a step, the longest first.
3. `reduce` does this with a wrong node of a tree: the tree stays, and rows and attributes go, as long as an audit of
   what is left gives the node the same verdict by the same rule.

What is left is minimal: if any one of its rows, or of its attributes, is left out, too, the node is not wrong any more,
or in another way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

from reference_tree.auditing.audit import Audit, audit
from reference_tree.auditing.claims import predictor_of
from reference_tree.auditing.finding import OF_ALL_ROWS, Finding
from reference_tree.data.errors import InputError
from reference_tree.data.table import Table, check_table, is_in_memory
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.learners.decision import Learner
from reference_tree.tree import Program, Tree

T = TypeVar("T")


def smallest(whole: T, smaller: Callable[[T], Iterable[T]], first: Callable[[Iterable[T]], T | None]) -> T:
    """The smallest thing that is found to be wrong, a step at a time.

    Args:
        whole: a thing that is wrong.
        smaller: those that are a step smaller, the smallest first.
        first: the first of them that is still wrong; None if there is none, or if no more are to be tried.

    Example:
        >>> def without_one(text: str) -> list[str]:
        ...     return [text[:place] + text[place + 1 :] for place in range(len(text))]
        >>> smallest("a tree", without_one, lambda found: next((one for one in found if "t" in one), None))
        't'
    """
    found: T | None = whole
    while found is not None:
        # A step is taken only to something that is still wrong, so the last one is minimal among its steps.
        whole, found = found, first(smaller(found))
    return whole


class RowRun(NamedTuple):
    """A run of rows that is left out."""

    start: int
    step: int
    """The length of the runs."""


def left_out(length: int, step: int | None = None, start: int = 0) -> Iterator[RowRun]:
    """The runs that may be left out, the longest first: halves, quarters, and so on, to single rows.

    Args:
        length: the number of rows.
        step: the length of the longest runs; None for half of the rows.
        start: where the first one begins; those before it come after the others.

    Example:
        >>> [(run.start, run.step) for run in left_out(5)]
        [(0, 2), (2, 2), (4, 2), (0, 1), (1, 1), (2, 1), (3, 1), (4, 1)]
    """
    step = length // 2 if step is None else step
    # Long runs first: most of what is not needed goes in few tries. After a run was left out, the next one begins where
    # it stood.
    while step:
        yield from (RowRun(place, step) for place in [*range(start, length, step), *range(start % step, start, step)])
        if start % step:
            yield RowRun(0, start % step)
        # Runs of half the length, down to single rows.
        step, start = step // 2, 0


@dataclass(frozen=True)
class Reduced:
    """A wrong node of a tree, on the smallest rows that show it.

    Args:
        tree: the tree; without its counts, which are those of all rows, unless they are what is wrong.
        table: the rows and the attributes that are left.
        finding: the finding at the node.
        audit: the audit of the tree on these rows.
    """

    tree: Tree
    table: Table
    finding: Finding
    audit: Audit


class _Remainder(NamedTuple):
    """What is left: the numbers of rows, the names of attributes; and where the next run begins."""

    rows: list[int]
    names: list[str]
    step: int
    start: int = 0


def reduce(
    tree: Tree | Any,
    table: Table,
    learner: Learner | None = None,
    *,
    node: int | None = None,
    is_over: Callable[[], bool] = lambda: False,
    progress: Callable[[int], None] | None = None,
    **options: Any,
) -> Reduced:
    """The smallest rows on which a tree is wrong: at the same node, with the same verdict, by the same rule.

    Args:
        tree: a tree, or a fitted tree of another program.
        table: the rows that it was grown from.
        learner: the learner that grows it; None for the one that is recorded.
        node: the number of the node; None for the first one that is wrong.
        is_over: whether nothing more is to be tried; then what is left need not be minimal.
        progress: called after each try with the number of tries.
        **options: further ones of `audit`.

    Raises:
        InputError: no node is wrong; or these are several trees, or rows in a database.

    Example:
        >>> import reference_tree as rt
        >>> days = rt.textbook("play-tennis")
        >>> wrong = rt.ID3().grow(days.without(["outlook"]))
        >>> found = reduce(wrong, days)
        >>> found.finding.verdict, len(found.table), [one.name for one in found.table.schema.attributes]
        ('suboptimal', 3, ['temperature', 'humidity', 'wind'])
    """
    check_table(table)
    if isinstance(grown := getattr(tree, "tree_", None), Tree | Ensemble):  # an estimator of this package
        tree = grown
    # The same tree is judged on fewer and fewer rows; only a single tree can be.
    tree = tree if isinstance(tree, Tree | Ensemble) else predictor_of(tree, table)
    if not isinstance(tree, Tree) or not is_in_memory(table):
        raise InputError("one tree is reduced at a time, on rows in memory; an ensemble and a database are not")
    table = tree.under_names(table)
    wrong = _wrong(_audited(tree, table, learner, options), node)
    first = wrong.faults[0]
    tries = 0

    def still(left: _Remainder) -> Reduced | None:
        nonlocal tries
        tries += 1
        if progress is not None:
            progress(tries)
        try:
            found = _on(tree, table, left, learner, options, wrong)
        except InputError:  # fewer rows, and the learner has nothing to do with them
            return None
        fault = found.finding.faults[:1]
        is_same = bool(fault) and not found.finding.excused and (fault[0].verdict, fault[0].rule) == same
        return found if is_same else None

    # The first fault is the one that is shown; others at the node may come and go.
    same = (first.verdict, first.rule)
    # An attribute that the tree asks has to stay.
    asked = {name for one in tree.nodes for name in _asks(one)}
    whole = _Remainder(list(range(len(table))), [one.name for one in table.schema.attributes], len(table) // 2)
    # On all rows the fault has to be there without the counts of the tree, or fewer rows cannot show it.
    if still(whole) is None:
        raise InputError(f"node {wrong.number} is {first.verdict} by the counts of the tree alone")

    def tried(candidates: Iterable[_Remainder]) -> _Remainder | None:
        return next((one for one in candidates if not is_over() and still(one) is not None), None)

    left = smallest(whole, lambda one: _smaller(one, asked, rows=first.verdict not in OF_ALL_ROWS), tried)
    return _on(tree, table, left, learner, options, wrong)


def _audited(tree: Tree, table: Table, learner: Learner | None, options: Any) -> Audit:
    found = audit(tree, table, learner, **options)
    if not isinstance(found, Audit):
        raise InputError("a tree of a boosted model is judged by the trees before it, and is not reduced")
    return found


def _wrong(found: Audit, node: int | None) -> Finding:
    """The finding to be shown."""
    wrong = next(iter(found.wrong), None) if node is None else found.at(node)
    if wrong is None or not wrong.faults or wrong.excused:
        raise InputError("no node is wrong" if node is None else f"node {node} is not wrong")
    return wrong


def _on(tree: Tree, table: Table, left: _Remainder, learner: Learner | None, options: Any, wrong: Finding) -> Reduced:
    """The node on what is left."""
    gone = [one.name for one in table.schema.attributes if one.name not in left.names]
    rows = table.take(left.rows).without(gone)
    kept = replace(tree, attributes=tuple(one for one in tree.attributes if one.name not in gone))
    # The counts are those of all rows, and would be wrong on any other ones.
    if wrong.verdict not in OF_ALL_ROWS:
        kept = without_counts(kept)
    found = _audited(kept, rows, learner, options)
    return Reduced(kept, rows, found.at(wrong.number), found)


def without_counts(tree: Tree) -> Tree:
    """The tree as if its program did not state counts.

    Example:
        >>> import reference_tree as rt
        >>> sorted(without_counts(rt.ID3().grow(rt.textbook("play-tennis"))).silent)
        ['counts', 'errors']
    """
    program = tree.program or Program(tree.grower.name)
    return replace(tree, program=program._replace(silent=program.silent | {"counts", "errors"}))


def _asks(node: Any) -> Iterator[str]:
    """The attributes that a node asks, those of its surrogates included."""
    if node.test is not None:
        yield from node.test.attributes
    for one in node.missing.surrogates:
        yield from one.test.attributes


def _smaller(left: _Remainder, asked: set[str], *, rows: bool) -> Iterator[_Remainder]:
    """What is a step smaller: without a run of rows, or without an attribute that the tree does not ask."""
    for run in left_out(len(left.rows), left.step, left.start) if rows else ():
        kept = [*left.rows[: run.start], *left.rows[run.start + run.step :]]
        if kept:
            yield _Remainder(kept, left.names, min(run.step, len(kept)), min(run.start, len(kept)))
    for name in left.names:
        if name not in asked:
            yield left._replace(names=[one for one in left.names if one != name])
