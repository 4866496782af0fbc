"""A tree to be built: a reader says what each node asks or answers; the first that ID3 would not make is named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

import reference_tree as rt
from docs.tools.played.figure import Play, dots, slot
from docs.tools.played.gain import Columns, days
from reference_tree.chance import Chance
from reference_tree.data.questions import Multiway
from reference_tree.data.sample import Sample
from reference_tree.exact.rounding import decimal
from reference_tree.learners.decision import Decision
from reference_tree.learners.growing import revisit
from reference_tree.learners.place import Place
from reference_tree.splitting.candidate import Candidate

TASKS, ROWS = 10, 9
LINES = 22
"""So many nodes there are if each asks for another one of three attributes, of three, two and two values."""

Cells = Sequence[Sequence[int]]
"""For each row the places of its values."""


class Node(NamedTuple):
    """A node as it is built."""

    at: str
    """The branches that lead there."""
    place: Place
    decision: Decision
    """What ID3 does with the rows that arrive there."""
    says: int | None
    """The place of the attribute that it asks, or behind the attributes that of the class it answers; none: open."""


def build(
    columns: Columns,
    tasks: Sequence[Mapping[str, Any]],
    at: int = 0,
    says: Mapping[str, int] | None = None,
    here: str = "",
    told: bool = False,
    language: str = "en",
) -> str:
    """The exercise.

    Args:
        columns: three columns with their values, and the class.
        tasks: the rows of each task, and how its tree is grown.
        at: which of them is shown.
        says: what the nodes ask or answer, by the branches that lead to them.
        here: the branches that lead to the node that is worked on.
        told: whether the tree has been judged.
        language: the language of the words.
    """
    play, says, rows = Play("build", language), says or {}, tasks[at]["rows"]
    nodes = _nodes(columns, rows, says)
    node = next(one for one in nodes if one.at == here)
    word, about, wrong = _verdict(columns, nodes) if told else ("", {}, None)
    verdict = play.say(word, node=_name(play, columns, says, wrong.at if wrong else ""), **about) if told else ""
    mark = "verdict" if not told else "verdict bad" if wrong else "verdict good"
    buttons = "".join(
        f'<button type="button" disabled data-does="say {i}" data-mark="o{i}" class="{_option(columns, node, i)}"'
        f' aria-pressed="{str(i == node.says).lower()}">{escape(text)}</button>'
        for i, text in enumerate(_options(columns))
    )
    lines = "".join(_line(columns, number, nodes, here, wrong) for number in range(LINES))
    arrive = [i for i, row in enumerate(rows) if all(row[says[here[:d]]] == int(b) for d, b in enumerate(here))]
    state = {"columns": columns, "tasks": tasks, "at": at, "says": dict(says), "here": here, "told": told}
    return play.figure(
        state,
        f'<div class="halves built">{_rows(columns, rows, arrive)}',
        f'<div><table class="slots"><tbody>{lines}</tbody></table>',
        f'<p class="label">{slot("place", play.say("says", node=_name(play, columns, says, here)))}</p>',
        f'<div class="choices">{buttons}</div></div></div>',
        f'<p data-mark="verdict" class="{mark}" data-is="verdict" aria-live="polite">{escape(verdict)}</p>',
        f'<details class="success answer"><summary>{play.words["answer"]}</summary>',
        f"<p>{slot('steps', tasks[at]['steps'])}</p></details>",
        f'<div class="tools">{play.button("check", "check")}{play.button("another", "another")}</div>',
        classes=columns[-1][1],
    )


def three_questions(language: str = "en") -> str:
    """The exercise with tables of days drawn by their seeds."""
    named = {place: one for place, one in enumerate(days(language)[0]) if place != 1}
    columns = [(name, list(values)) for name, values in named.values()]
    return build(columns, [_task(columns, seed, language) for seed in range(1, TASKS + 1)], language=language)


def table_of(columns: Columns, rows: Cells) -> rt.Table:
    """The rows as a table, with the places of the values for the values."""
    cells = {name: [str(row[j]) for row in rows] for j, (name, _) in enumerate(columns)}
    return rt.Table.from_columns(cells, columns[-1][0], categorical="*")


def _task(columns: Columns, seed: int, language: str) -> dict[str, Any]:
    """Rows that have each value, and how their tree is grown."""
    chance = Chance(seed, b"exercise build")
    while True:
        rows = [[chance.below(len(values)) for _, values in columns] for _ in range(ROWS)]
        is_whole = all(len({row[j] for row in rows}) == len(values) for j, (_, values) in enumerate(columns))
        if is_whole and (steps := _steps(columns, rows, language)):
            return {"rows": rows, "steps": steps}


def _steps(columns: Columns, rows: Cells, language: str) -> str:
    """How the tree is grown; nothing, unless it has three questions, no tie, and only pure leaves."""
    play, table = Play("build", language), table_of(columns, rows)
    tree = rt.ID3().grow(table)
    asked = [visit for visit in revisit(tree, rt.ID3(), table) if visit.decision.chosen]
    if len(asked) != 3 or tree.accuracy(table) < 1 or any(len(one.decision.winners) > 1 for one in asked):
        return ""
    names = [name for name, _ in columns]
    says = {
        "".join(str(branch) for branch, _ in visit.place.steps()): names.index(chosen.test.attribute)
        for visit in asked
        if (chosen := visit.decision.chosen)
    }
    told = [
        play.say("step", node=_name(play, columns, says, at), **_best(columns, visit.decision))
        for at, visit in zip(says, asked, strict=True)
    ]
    return " ".join([*told, play.say("leaves", n=len(tree.leaves()))])


def _nodes(columns: Columns, rows: Cells, says: Mapping[str, int]) -> list[Node]:
    """The nodes in preorder."""
    sample, found = table_of(columns, rows).sample(), list[Node]()
    pending: list[tuple[str, Place, Sample]] = [("", Place.root(sample), sample)]
    while pending:
        at, place, arrived = pending.pop()
        node = Node(at, place, rt.ID3().decide(arrived, place), says.get(at))
        found.append(node)
        if node.says is not None and node.says < len(columns) - 1:
            name, values = columns[node.says]
            test = Multiway(name, tuple(map(str, range(len(values)))))
            below = place.children(arrived, test, node.decision.answer)
            pending += [(f"{at}{branch}", *one) for branch, one in enumerate(below)][::-1]
    return found


def _name(play: Play, columns: Columns, says: Mapping[str, int], at: str) -> str:
    """A node by the answers that lead there."""
    asked = [columns[says[at[:depth]]] for depth in range(len(at))]
    steps = [f"{name} = {values[int(branch)]}" for (name, values), branch in zip(asked, at, strict=True)]
    return ", ".join(steps) or play.words["root"]


def _verdict(columns: Columns, nodes: Sequence[Node]) -> tuple[str, dict[str, str], Node | None]:
    """What is said of a tree, what that is about, and the first node that is wrong."""
    for node in nodes:
        mistake, about = _mistake(columns, nodes[0].decision, node)
        if mistake:
            return mistake, about, node
    return "right", {"n": str(len(nodes))}, None


def _mistake(columns: Columns, root: Decision, node: Node) -> tuple[str, dict[str, str]]:
    """The mistake of a node, and what it is about; no mistake: it is as ID3 makes it."""
    decision, attributes = node.decision, len(columns) - 1
    answer, best = decision.answer, _best(columns, decision)
    if node.says is None:
        return "open", {}
    if node.says >= attributes:
        label = str(node.says - attributes)
        is_right = label == answer.label or label in answer.tied
        return ("early" if decision.chosen else "" if is_right else "empty" if answer.prior else "minority"), best
    if decision.chosen is None:
        return ("empty" if answer.prior else "pure"), best
    name = columns[node.says][0]
    asked = next(one for one in decision.candidates if one.test.attributes == (name,))
    if asked.test in [winner.test for winner in decision.winners]:
        return "", {}
    if asked.barred is not None:
        return "same", {**best, "attr": name}
    return _why(root, node, asked), {**best, "attr": name, "x": decimal(asked.scores["gain"])}


def _best(columns: Columns, decision: Decision) -> dict[str, str]:
    """What ID3 does at a node."""
    if (chosen := decision.chosen) is None:
        return {"best": columns[-1][1][int(str(decision.answer.label))]}
    return {"best": chosen.test.attributes[0], "y": decimal(chosen.scores["gain"])}


def _why(root: Decision, node: Node, asked: Candidate) -> str:
    """Which other comparison finds that an attribute is the best that gains less."""
    left = [one for one in root.candidates if one.test.attributes[0] in node.place.available]
    is_first = max(left, key=lambda one: one.scores["gain"]).test == asked.test
    return "all_rows" if node.at and is_first else "less"


def _rows(columns: Columns, rows: Cells, arrive: Sequence[int]) -> str:
    """The table; the rows that do not arrive at the node are faint."""
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name, _ in columns)
    body = "".join(
        f'<tr data-mark="r{i}" class="{"" if i in arrive else "gone"}"><th scope="row">{i + 1}</th>'
        + "".join(slot(f"c{i}.{j}", columns[j][1][value], "td") for j, value in enumerate(row))
        + "</tr>"
        for i, row in enumerate(rows)
    )
    return f'<table class="slots given"><thead><tr><td></td>{heads}</tr></thead><tbody>{body}</tbody></table>'


def _line(columns: Columns, number: int, nodes: Sequence[Node], here: str, wrong: Node | None) -> str:
    """A node, as a button by which it is worked on."""
    node = nodes[number] if number < len(nodes) else None
    value, text, mark, counts = "", "", "later", [0, 0]
    if node:
        says = {one.at: one.says for one in nodes}
        asked = columns[says[node.at[:-1]] or 0] if node.at else None
        value = asked[1][int(node.at[-1])] if asked else ""
        text = "…" if node.says is None else _options(columns)[node.says]
        mark = f"deep{len(node.at)}" + " on" * (node.at == here) + " bad" * (node == wrong)
        counts = [int(n) for n in node.decision.total]
    return (
        f'<tr data-mark="n{number}" class="{mark}"><td class="place"><button type="button" disabled'
        f' data-does="at {number}">{slot(f"v{number}", value, of="value")} {slot(f"q{number}", text)}</button></td>'
        f"<td>{dots(f'd{number}', counts)}</td></tr>"
    )


def _option(columns: Columns, node: Node, i: int) -> str:
    """How an option looks; an attribute that was asked above is none."""
    is_asked = i < len(columns) - 1 and columns[i][0] not in node.place.available
    return "later" if is_asked else "on" if i == node.says else ""


def _options(columns: Columns) -> list[str]:
    """What a node may ask or answer."""
    return [*(f"{name}?" for name, _ in columns[:-1]), *columns[-1][1]]
