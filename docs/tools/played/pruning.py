"""Rows that are dealt by a seed, some to grow a tree and others to judge it, and each decision of pruning."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

import reference_tree as rt
from docs.tools.played.figure import Play, dots, says, slot
from docs.tools.played.gain import Columns, Rows, days
from reference_tree.pruning.reduced_error import OnEqual, bottom_up
from reference_tree.selection.holdout import Split, holdout
from reference_tree.tree import Tree

LINES = 16
"""So many nodes there is room for."""


def pruning(
    columns: Columns, rows: Rows, seed: int, done: int, on_equal: OnEqual = "prune", language: str = "en"
) -> str:
    """The figure.

    Args:
        columns: the columns with their values, the class last.
        rows: the cells of the table.
        seed: the seed by which the rows are dealt.
        done: how many decisions are shown.
        on_equal: whether a node is pruned if that changes no error.
        language: the language of the words.
    """
    play, target = Play("pruning", language), len(columns) - 1
    held, deal = _dealt(columns, rows, seed)
    tree = rt.ID3().grow(deal.training)
    steps = bottom_up(tree, deal.validation, on_equal).steps[:done]
    above = {branch: number for number, node in enumerate(tree.nodes) for branch in node.branches}
    ways = [_way(tree, above, row) for row in deal.validation.rows()]
    truth = [columns[target][1].index(rows[i][target]) for i in held]
    cut = {step.number for step in steps if step.done}
    decided = {step.number: step for step in steps}
    wrong = [sum(_label(tree, way, pruned) != k for way, k in zip(ways, truth, strict=True)) for pruned in (set(), cut)]
    lines = []
    for number in range(LINES):
        if number >= len(tree.nodes):
            lines.append(_line(number, "later", "", "", [[], []], ["", "", ""]))
            continue
        node, parent = tree.nodes[number], above.get(number)
        gone = any(one in cut for one in _above(above, number))
        mark = f"deep{len(list(_above(above, number)))}" + (" gone" if gone else " cut" if number in cut else "")
        asked = node.test.attributes[0] if node.test else ""
        label = columns[target][1][int(str(node.label))]
        value = ""
        if parent is not None and (test := tree.nodes[parent].test):
            place = [name for name, _ in columns].index(test.attributes[0])
            value = columns[place][1][tree.nodes[parent].branches.index(number)]
        reached = [k for way, k in zip(ways, truth, strict=True) if number in way]
        says_ = label if not asked or number in cut else f"{asked}?"
        step = decided.get(number)
        told = (
            [str(step.before), str(step.after), play.words["cut" if step.done else "stays"]] if step else ["", "", ""]
        )
        lines.append(
            _line(
                number, mark, value, says_, [[int(n) for n in node.counts], [reached.count(k) for k in range(2)]], told
            )
        )
    chips = "".join(_chip(i, columns[target][1].index(row[target]), i in held) for i, row in enumerate(rows))
    equal = "".join(_equal(play, rule, rule == on_equal) for rule in ("prune", "keep"))
    state = {"columns": [list(one) for one in columns], "rows": rows, "seed": seed, "done": done, "equal": on_equal}
    return play.figure(
        state,
        f'<p class="label">{slot("seed", play.say("seed", seed=seed, held=len(held)))}</p>',
        f'<div class="deal" aria-hidden="true">{chips}</div>',
        play.table(["node", "trained", "validated", "below>", "leaf>", "decision"], lines),
        says(play.say("told", cut=len(cut), done=len(steps), before=wrong[0], after=wrong[1], rows=len(held))),
        play.tools(play.button("next", "next"), play.button("all", "all"), play.button("seed", "deal"), equal),
        classes=columns[-1][1],
    )


def dealt_days(language: str = "en") -> str:
    """The fourteen days, by the first seed."""
    columns, rows = days(language)
    return pruning(columns, rows, 1, 99, language=language)


def _dealt(columns: Columns, rows: Rows, seed: int) -> tuple[list[int], Split]:
    named = {name: [str(values.index(row[place])) for row in rows] for place, (name, values) in enumerate(columns)}
    numbered = rt.Table.from_columns({**named, "#": list(range(len(rows)))}, columns[-1][0], categorical=list(named))
    held = [int(str(row["#"])) for row in holdout(numbered, seed).validation.rows()]
    return held, holdout(rt.Table.from_columns(named, categorical="*"), seed)


def _way(tree: Tree, above: dict[int, int], row: object) -> list[int]:
    """The nodes that a row comes through, from its leaf up."""
    ((leaf, _),) = tree.ends(row)  # type: ignore[arg-type]
    return [leaf, *_above(above, leaf)]


def _above(above: dict[int, int], number: int) -> Iterable[int]:
    while (parent := above.get(number)) is not None:
        yield (number := parent)


def _label(tree: Tree, way: Sequence[int], cut: set[int]) -> int:
    """What the tree says of a row, if some of its nodes are leaves."""
    return int(str(tree.nodes[next((one for one in reversed(way) if one in cut), way[0])].label))


def _line(number: int, mark: str, value: str, text: str, counts: Sequence[Sequence[int]], told: Sequence[str]) -> str:
    cells = "".join(
        slot(f"{name}{number}", one, "td", side) for name, one, side in zip("bfd", told, ("r", "r", ""), strict=True)
    )
    return (
        f'<tr data-mark="n{number}" class="{mark}"><td class="place">{slot(f"v{number}", value, of="value")} '
        f"{slot(f'q{number}', text, of='asked')}</td>"
        f"<td>{dots(f't{number}', counts[0])}</td><td>{dots(f'h{number}', counts[1])}</td>{cells}</tr>"
    )


def _chip(i: int, k: int, is_held: bool) -> str:
    mark = "chip held" if is_held else "chip"
    return f'<span data-mark="c{i}" class="{mark}">{i + 1} <span class="dots"><i class="k{k}"></i></span></span>'


def _equal(play: Play, rule: str, is_on: bool) -> str:
    return (
        f'<button type="button" disabled data-does="equal {rule}" data-mark="{rule}" class="{"on" if is_on else ""}"'
        f' aria-pressed="{str(is_on).lower()}">{escape(play.words[f"equal_{rule}"])}</button>'
    )
