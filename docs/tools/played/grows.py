"""A tree that grows as one scrolls: each step asks a question, with its reason, in table, plane and tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import NamedTuple

import reference_tree as rt
from docs.tools.played.figure import Play, written
from reference_tree.data.questions import Threshold
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import decimal_text
from reference_tree.exact.rounding import decimal
from reference_tree.learners.growing import Visit, revisit
from reference_tree.splitting.candidate import Candidate
from reference_tree.tree import Tree
from reference_tree.views.plots.classes import way

SIDE, EDGE, LEVEL, WIDTH = 100, 14, 22, 27
"""Of the plane, of the gains at its edges, of a level of the tree, and of a leaf."""


class Part(NamedTuple):
    """A part of the picture: its kind, the steps at which it is there, is new, and is faint."""

    kind: str
    first: int = 0
    last: int = 99
    new: int = -1
    faint: Sequence[int] = ()

    def mark(self, at: int) -> str:
        """Its class at a step."""
        found = {"later": not self.first <= at <= self.last, "now": at == self.new, "faint": at in self.faint}
        return " ".join([self.kind, *(name for name, holds in found.items() if holds)])


class Plane:
    """Where two numbers stand in the picture."""

    def __init__(self, rows: Sequence[Sequence[Fraction]]) -> None:
        self.ends = [(_down(min(column)), _up(max(column))) for column in zip(*rows, strict=True)]

    def at(self, axis: int, value: Fraction) -> float:
        """A number as a place on an axis."""
        low, high = self.ends[axis]
        share = float((value - low) / (high - low)) * SIDE
        return round(share if axis == 0 else SIDE - share, 1)


def _down(value: Fraction) -> Fraction:
    return Fraction(int((value - Fraction(1, 50)) * 20), 20)


def _up(value: Fraction) -> Fraction:
    return Fraction(int((value + Fraction(1, 50)) * 20) + 1, 20)


def grows(table: rt.Table, words: Mapping[str, str], at: int = 0, language: str = "en") -> str:
    """The figure.

    Args:
        table: two columns of numbers, and a class.
        words: how its columns and classes are called.
        at: the step that is shown while a script runs.
        language: the language of the words.
    """
    play, learner = Play("grows", language), rt.CART(criterion="entropy")
    tree = learner.grow(table)
    visits = [visit for visit in revisit(tree, learner, table) if visit.decision.chosen]
    picture = _Picture(table, tree, visits, words)
    end = len(visits) + 1
    told = [_first(play, table, words), *(_why(play, visit, words) for visit in visits), _last(play, tree, table)]
    steps = "".join(
        f'<li data-step="{step}">{text}<div class="still stage">{picture.drawn(step, False)}</div></li>'
        for step, text in enumerate(told)
    )
    buttons = "".join(
        play.button(f"go {step}", word, shows=sign) for step, word, sign in ((-1, "back", "↑"), (1, "next", "↓"))
    )
    return play.figure(
        {"at": at, "end": end, "parts": picture.parts},
        f'<div class="story"><div class="moving stage">{picture.drawn(at, True)}<div class="go">{buttons}</div></div>',
        f"<ol>{steps}</ol></div>",
        classes=[words[label] for label in table.schema.target.domain],
    )


def melons(language: str = "en") -> str:
    """Seventeen melons, by density and sugar."""
    words = Play("grows", language).words
    said = {"密度": words["density"], "含糖率": words["sugar"], "是": words["good"], "否": words["bad"]}
    return grows(rt.textbook("watermelon-3.0a"), said, language=language)


class _Picture:
    """The table, the plane and the tree, each part of which has its steps."""

    def __init__(self, table: rt.Table, tree: Tree, visits: Sequence[Visit], words: Mapping[str, str]) -> None:
        self.tree, self.words, self.visits = tree, words, visits
        self.names, target = [one.name for one in table.schema.attributes], table.schema.target
        self.classes = target.domain
        self.rows = [[Fraction(str(row[name])) for name in self.names] for row in table.rows()]
        self.kinds = [target.domain.index(row[target.name]) for row in table.rows()]
        self.plane, self.steps = Plane(self.rows), {visit.number: step for step, visit in enumerate(visits, 1)}
        self.parts: dict[str, Part] = {}
        self.faint = [
            [step for step, visit in enumerate(visits, 1) if not _is_below(tree, tree.ends(row)[0][0], visit.number)]
            for row in table.rows()
        ]
        self.areas = dict(_areas(tree, self.names, self.plane))
        self.born = {0: 0} | {
            branch: self.steps[number] for number, node in enumerate(tree.nodes) for branch in node.branches
        }

    def drawn(self, at: int, moves: bool) -> str:
        """The picture at a step. One that moves has all parts; another one those that are there."""
        marked = _Marks(self.parts, at, moves)
        return (
            f'<div class="rows">{"".join(self._row(marked, row) for row in range(len(self.rows)))}</div>'
            f'<svg viewBox="{-EDGE - 8} -2 {SIDE + EDGE + 10} {SIDE + EDGE + 10}" aria-hidden="true">'
            f"{''.join(self._plane(marked))}</svg>"
            f'<svg viewBox="0 0 {WIDTH * len(self.areas)} {LEVEL * self._depth() + 12}" aria-hidden="true">'
            f"{''.join(self._branches(marked))}</svg>"
        )

    def _depth(self) -> int:
        return max(
            len(self.tree.path(number).split("/")) for number, node in enumerate(self.tree.nodes) if not node.test
        )

    def _row(self, marked: _Marks, row: int) -> str:
        values = " ".join(f"<span>{decimal(value, 3)}</span>" for value in self.rows[row])
        part = Part(f"row k{self.kinds[row]}", faint=self.faint[row])
        return marked.drawn(f"t{row}", part, f'<div{{}}><i class="k{self.kinds[row]}"></i>' + values + "</div>")

    def _plane(self, marked: _Marks) -> Iterator[str]:
        for number, (x, y, width, height) in self.areas.items():
            kind = self.classes.index(str(self.tree.nodes[number].label))
            part = Part(f"area k{kind}", self.born[number])
            yield marked.drawn(f"a{number}", part, f'<rect{{}} x="{x}" y="{y}" width="{width}" height="{height}"/>')
        yield f'<path class="axes" d="M0 0V{SIDE}H{SIDE}"/>'
        for axis, name in enumerate(self.names):
            turned = f' transform="translate({-EDGE - 3} 50) rotate(-90)"' if axis else f' x="50" y="{SIDE + EDGE + 6}"'
            yield f'<text{turned} text-anchor="middle">{escape(self.words[name])}</text>'
        for step, visit in enumerate(self.visits, 1):
            yield marked.drawn(f"g{step}", Part("gains", step, step), f'<path{{}} d="{self._gains(visit)}"/>')
            yield marked.drawn(f"l{step}", Part("cut", step, new=step), f'<path{{}} d="{self._cut(visit)}"/>')
        for row, values in enumerate(self.rows):
            left, top = (self.plane.at(axis, value) for axis, value in enumerate(values))
            part = Part(f"point k{self.kinds[row]}", faint=self.faint[row])
            d = way(self.kinds[row], Fraction(str(left)), Fraction(str(top)), Fraction(23, 10))
            yield marked.drawn(f"p{row}", part, f'<path{{}} d="{d}"/>')

    def _gains(self, visit: Visit) -> str:
        """A bar for each cut, below the plane or to its left."""
        found = [(one, float(one.scores["gain"])) for one in visit.decision.candidates if "gain" in one.scores]
        most = max(gain for _, gain in found)
        drawn = []
        for one, gain in found:
            axis, t = _question(one)
            at, size = self.plane.at(self.names.index(axis), t), EDGE * gain / most
            drawn.append(f"M0 {at}h{-size:.1f}" if self.names.index(axis) else f"M{at} {SIDE}v{size:.1f}")
        return "".join(drawn)

    def _cut(self, visit: Visit) -> str:
        assert visit.decision.chosen
        name, t = _question(visit.decision.chosen)
        (left, top, width, height), axis = _area_of(self.areas, self.tree, visit.number), self.names.index(name)
        at = self.plane.at(axis, t)
        return f"M{left} {at}h{width}" if axis else f"M{at} {top}v{height}"

    def _branches(self, marked: _Marks) -> Iterator[str]:
        places: dict[int, tuple[float, int]] = {}
        leaves = list(self.areas)
        for number in reversed(range(len(self.tree.nodes))):
            below = self.tree.nodes[number].branches
            x = sum(places[one][0] for one in below) / len(below) if below else WIDTH * (leaves.index(number) + 0.5)
            places[number] = (round(x, 1), 9 + LEVEL * (len(self.tree.path(number).rstrip("/").split("/")) - 1))
        for number, node in enumerate(self.tree.nodes):
            (x, y), step = places[number], self.steps.get(number)
            for branch, sign in zip(node.branches, ("yes", "no"), strict=False):
                to, down = places[branch]
                edge = f'<path{{}} d="M{x} {y + 3}L{to} {down - 7}"/>'
                yield marked.drawn(f"e{branch}", Part(f"edge {sign}", self.born[branch]), edge)
            counts = "".join(
                f'<tspan class="k{k}"> {"■" if k else "●"}{n}</tspan>' for k, n in enumerate(node.counts) if n
            )
            text = f'<text{{}} x="{x}" y="{y + (0 if step else 2)}" text-anchor="middle">'
            last = 99 if step is None else step - 1
            yield marked.drawn(f"n{number}", Part("counts", self.born[number], last), f"{text}{counts}</text>")
            if step is not None:
                yield marked.drawn(f"q{number}", Part("query", step, new=step), f"{text}{self._asked(number)}</text>")

    def _asked(self, number: int) -> str:
        test = self.tree.nodes[number].test
        assert isinstance(test, Threshold)
        return f"{escape(self.words[test.attribute])} ≤ {decimal_text(Fraction(test.threshold))}"


class _Marks:
    """Puts parts into a picture: those that can change with a name and their class."""

    def __init__(self, parts: dict[str, Part], at: int, moves: bool) -> None:
        self.parts, self.at, self.moves = parts, at, moves

    def drawn(self, name: str, part: Part, element: str) -> str:
        """An element with its class, in the place of `{}`. A still picture has no part of another step."""
        mark = part.mark(self.at)
        if self.moves:
            self.parts[name] = part
            return element.replace("{}", f' data-mark="{name}" class="{mark}"', 1)
        return "" if "later" in mark.split() else element.replace("{}", f' class="{mark}"', 1)


def _question(one: Candidate) -> tuple[str, Fraction]:
    assert isinstance(one.test, Threshold)
    return one.test.attribute, Fraction(one.test.threshold)


Area = tuple[float, float, float, float]


def _areas(tree: Tree, names: Sequence[str], plane: Plane) -> Iterator[tuple[int, Area]]:
    """The leaves in order, each with its part of the plane."""
    pending: list[tuple[int, list[float]]] = [(0, [0, 0, SIDE, SIDE])]
    while pending:
        number, ends = pending.pop()
        node = tree.nodes[number]
        if not isinstance(node.test, Threshold):
            left, top, right, bottom = ends
            yield number, (left, top, round(right - left, 1), round(bottom - top, 1))
            continue
        axis = names.index(node.test.attribute)
        at = plane.at(axis, Fraction(node.test.threshold))
        low, high = list(ends), list(ends)
        low[1 if axis else 2] = high[3 if axis else 0] = at
        pending += [(node.branches[1], high), (node.branches[0], low)]


def _is_below(tree: Tree, leaf: int, number: int) -> bool:
    return tree.path(leaf).startswith(tree.path(number))


def _area_of(areas: Mapping[int, Area], tree: Tree, number: int) -> Area:
    """The part of the plane of a node: that of all leaves below it."""
    below = [area for leaf, area in areas.items() if _is_below(tree, leaf, number)]
    left, top = min(one[0] for one in below), min(one[1] for one in below)
    right, bottom = max(one[0] + one[2] for one in below), max(one[1] + one[3] for one in below)
    return left, top, round(right - left, 1), round(bottom - top, 1)


def _counted(play: Play, counts: Iterable[Number], classes: Sequence[str], words: Mapping[str, str]) -> str:
    return play.words["and"].join(f"{n} {words[label]}" for n, label in zip(counts, classes, strict=True) if n)


def _first(play: Play, table: rt.Table, words: Mapping[str, str]) -> str:
    target = table.schema.target
    counts = [sum(row[target.name] == label for row in table.rows()) for label in target.domain]
    one, other = (words[attribute.name] for attribute in table.schema.attributes)
    counted = _counted(play, counts, target.domain, words)
    answer = words[target.domain[counts.index(max(counts))]]
    return _paragraph(
        play.say("first", rows=len(table), counts=counted, one=one, other=other, answer=answer, wrong=min(counts))
    )


def _why(play: Play, visit: Visit, words: Mapping[str, str]) -> str:
    """Which question is asked, and why no other."""
    decision, classes = visit.decision, visit.sample.schema.target.domain
    assert decision.chosen
    able = [one for one in decision.candidates if "gain" in one.scores]
    gain, said = decision.chosen.scores["gain"], _said(decision.chosen, words)
    others = [one for one in able if one not in decision.winners]
    next_best = max(others, key=lambda one: one.scores["gain"], default=None)
    asked = play.say("asked", question=said)
    exact = play.say("gains", cuts=len(able), exact=written(gain), gain=decimal(gain))
    if len(decision.winners) > 1:
        names = play.words["and"].join(_said(one, words) for one in decision.winners)
        why = play.say("tied", names=names)
    elif next_best is None:
        why = play.say("alone")
    else:
        less = decimal(gain - next_best.scores["gain"])
        why = play.say("wins", second=_said(next_best, words), less=less)
    sides = [
        play.say("pure" if sum(map(bool, row)) == 1 else "mixed", counts=_counted(play, row, classes, words))
        for row in decision.chosen.table.rows
    ]
    then = play.say("then", low=sides[0], high=sides[1])
    return f'<p class="asked">{escape(asked)}</p>' + _paragraph(f"{exact} {why}") + _paragraph(then)


def _said(one: Candidate, words: Mapping[str, str]) -> str:
    name, t = _question(one)
    return f"{words[name]} ≤ {decimal_text(t)}"


def _last(play: Play, tree: Tree, table: rt.Table) -> str:
    asked = sum(bool(node.test) for node in tree.nodes)
    return _paragraph(play.say("last", questions=asked, leaves=len(tree.nodes) - asked, rows=len(table)))


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"
