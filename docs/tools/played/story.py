"""The story: how a tree decides, from the first question to a hundred votes, in steps that one scrolls through.

A step has one frame or more: a slider goes through those of the cut, the price and the votes. What stands in a step is
said by `words.json`, in both languages, with what the package has computed for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from typing import Any, NamedTuple

from docs.tools.played.figure import Play, slot, written
from docs.tools.played.story_facts import CHANGES, COUNTED, DEAL, TREES, Story, tests
from docs.tools.played.story_picture import Picture
from docs.tools.played.story_plane import Plane
from docs.tools.played.story_scene import WIDE, Scene
from reference_tree.exact.rationals import decimal_text
from reference_tree.exact.rounding import decimal
from reference_tree.splitting.candidate import Candidate
from reference_tree.views.plots.classes import way

HERE = "story"
SIGNS = "●■▲"
"""The shapes of the classes, as signs of a text."""


class Step(NamedTuple):
    """A step of the story: its scenes, the one at which it comes to rest, and what is read at each."""

    name: str
    scenes: Sequence[Scene]
    rest: int = 0
    readings: Sequence[dict[str, str]] = ()
    """Slot → text, for each scene of a step that has a slider."""


@cache
def facts() -> Story:
    """The facts, once for both languages."""
    return Story()


@cache
def steps() -> list[Step]:
    """All steps, in order."""
    story = facts()
    tree, held = story.tree, story.held
    asking = frozenset(number for number, node in enumerate(tree.nodes) if node.test)
    order = [visit.number for visit in story.visits]
    grown = [Scene(asking=frozenset(order[: i + 1]), new=frozenset({number})) for i, number in enumerate(order)]
    whole = Scene(asking=asking, held=True)
    errs = frozenset(story.prunings[0].held)
    alone = [row for leaf in tree.leaves() if sum(tree.nodes[leaf].counts) == 1 for row in _ending(story, leaf)]
    fewest = min(range(len(story.prunings)), key=lambda i: (len(story.prunings[i].held), -i))
    best = max(range(len(story.cuts)), key=lambda i: (story.cuts[i].gain, -i))
    pruned = [
        whole._replace(asking=asking - _below(story, one.cut), wrong=frozenset({*one.trained, *one.held}))
        for one in story.prunings
    ]
    changed = [
        Scene(i, guess=False, gone=frozenset(one.gone), come=frozenset(one.come))
        for i, one in enumerate(story.others[:2], 1)
    ]
    voted = [
        Scene(-1, guess=False, held=True, trees=trees, votes=True, wrong=frozenset(story.outvoted(trees, held)))
        for trees in COUNTED
    ]
    return [
        Step("rows", [Scene(guess=False)]),
        Step("guess", [Scene()]),
        Step("slide", [Scene(guess=False, gains=True, slides=True) for _ in story.cuts], best, list(_slid(story))),
        Step("best", [grown[0]._replace(gains=True)]),
        Step("again", grown[1:3], 1),
        Step("on", grown[3:], len(grown) - 4),
        Step("held", [whole]),
        Step("wrong", [whole._replace(wrong=errs)]),
        Step("alone", [whole._replace(held=False, ringed=tuple(alone), faint=frozenset({*story.trained} - {*alone}))]),
        Step("price", pruned, fewest, list(_priced(story))),
        Step("change", [Scene(asking=asking, guess=False), *changed], 2, list(_changed(story))),
        Step("hundred", [Scene(-1, guess=False, trees=trees) for trees in COUNTED], len(COUNTED) - 1),
        Step("vote", voted, len(COUNTED) - 1, list(_voted(story))),
        Step("sure", [voted[-1]._replace(wrong=frozenset(), held=True, ringed=_two(story), faint=_all_but(story))]),
        Step("end", [Scene(asking=asking - _below(story, story.prunings[fewest].cut))]),
    ]


def story(at: int = 0, language: str = "en", root: str = "../") -> str:
    """The page.

    Args:
        at: the frame that is shown while a script runs.
        language: the language of the words.
        root: how the page leads to the first page of the site.
    """
    play = Play(HERE, language, root)
    picture, told, all_steps = Picture(facts(), play.words), _Telling(play), steps()
    scenes = [scene for step in all_steps for scene in step.scenes]
    firsts = [sum(len(one.scenes) for one in all_steps[:i]) for i in range(len(all_steps))]
    spans = [
        [one.name, first, first + one.rest, first + len(one.scenes) - 1]
        for one, first in zip(all_steps, firsts, strict=True)
    ]
    sections = []
    for number, (step, first) in enumerate(zip(all_steps, firsts, strict=True)):
        here = at - first if first <= at < first + len(step.scenes) else step.rest
        shown = picture.still(step.scenes[step.rest], _share(step.rest))
        sections.append(
            f'<li id="{step.name}" data-step="{number}"><div class="card">{told.step(number, step, here)}</div>'
            f'<div class="still scene">{shown}</div></li>'
        )
    place = next(i for i in reversed(range(len(all_steps))) if firsts[i] <= at)
    turn = "".join(
        play.button(f"go {by}", word, shows=sign) for by, word, sign in ((-1, "back", "←"), (1, "next", "→"))
    )
    readings = {f"{one.name}": list(one.readings) for one in all_steps if one.readings}
    state = {
        "at": at,
        "spans": spans,
        "looks": picture.looks(scenes),
        "readings": readings,
        "shares": [_share(i) for i in range(len(facts().cuts))],
    }
    slide = at - firsts[2] if place == 2 else all_steps[2].rest
    moving = picture.moving(scenes[at]).replace("--share:0", f"--share:{_share(slide):.4f}")
    return (
        play.figure(
            state,
            f'<svg class="once" width="0" height="0" aria-hidden="true"><defs>{picture.shared}</defs></svg>',
            f'<div class="told"><div class="shown scene">{moving}',
            f'{told.legend()}<div class="turn">{turn}{slot("place", f"{place + 1} / {len(all_steps)}")}</div></div>',
            f"<ol>{''.join(sections)}</ol></div>",
        )
        .replace('class="play"', 'class="play tale"', 1)
        .replace(
            'assets/play/play.css">',
            f'assets/play/play.css"><link rel="stylesheet" href="{root}assets/play/story.css">',
            1,
        )
    )


def _share(i: int) -> float:
    """Where the line of a cut stands, as a share of the width."""
    cut = facts().cuts[i]
    return round(Plane(facts()).x(cut.t) / WIDE, 4)


class _Telling:
    """What is said at each step."""

    def __init__(self, play: Play) -> None:
        self.play, self.story = play, facts()

    def step(self, number: int, step: Step, here: int) -> str:
        """The title of a step, its words, and what its slider reads."""
        tag = "h1" if number == 0 else "h2"
        facts_ = getattr(self, f"_{step.name}")()
        title, text = (self.play.say(f"{step.name}{end}", **facts_) for end in ("_t", ""))
        parts = [f'<{tag} id="{step.name}-title">{escape(title)}</{tag}>', f"<p>{escape(text)}</p>"]
        if number == 0:
            parts.append(self.legend())
        if step.readings:
            parts.append(self._slider(step, here))
        if step.name == "end":
            parts.append(self._ways())
        return "".join(parts)

    def _slider(self, step: Step, here: int) -> str:
        """A handle for the scenes of a step, and what is read there."""
        play, most = self.play, len(step.scenes) - 1
        read = "".join(
            f"<div><dt>{escape(play.words[f'{step.name}_{name}'])}</dt>{slot(f'{step.name}-{name}', text, 'dd')}</div>"
            for name, text in step.readings[here].items()
        )
        label = escape(play.words[f"{step.name}_handle"])
        return (
            f'<input type="range" disabled min="0" max="{most}" value="{here}" data-value="{step.name}"'
            f' aria-label="{label}">'
            f'<dl class="read">{read}</dl>'
        )

    def legend(self) -> str:
        """What the marks mean."""
        kinds = [(f"k{kind}", way(kind, 0, 0, 4), self._name(kind)) for kind in self.story.kinds]
        rows = [*kinds, ("hollow", way(self.story.kinds[0], 0, 0, 4), self.play.words["hollow"])]
        rows.append(("cross", "M-4 -4L4 4M-4 4L4 -4", self.play.words["cross"]))
        marks = "".join(
            f'<li><svg viewBox="-6 -6 12 12" aria-hidden="true"><path class="{mark}" d="{shape}"/></svg>'
            f"{escape(name)}</li>"
            for mark, shape, name in rows
        )
        return f'<ul class="legend">{marks}</ul>'

    def _ways(self) -> str:
        root, prefix = self.play.root, "" if self.play.language == "en" else "zh/"
        pages = {"learn": "learn/what_is_a_tree/", "own": "playground/", "check": "check/"}
        links = "".join(
            f'<a class="md-button{" md-button--primary" * (name == "learn")}" href="{root}{prefix}{page}">'
            f"{escape(self.play.words[name])}</a> "
            for name, page in pages.items()
        )
        return f'<p class="ways">{links}</p>'

    def _name(self, kind: int) -> str:
        return self.play.words[self.story.classes[kind]]

    def _counted(self, counts: Sequence[int]) -> str:
        pairs = zip(self.story.kinds, counts, strict=True)
        return self.play.words["and"].join(f"{n} {self._name(kind)}" for kind, n in pairs if n)

    def _said(self, one: Candidate) -> str:
        test: Any = one.test
        name = self.play.words["petal" if test.attribute.startswith("petal") else "sepal"]
        return f"{name} ≤ {decimal_text(test.threshold)}"

    # What each step is about.

    def _rows(self) -> dict[str, object]:
        story = self.story
        return {"n": len(story.trained), "counts": self._counted(story.counts(story.trained))}

    def _guess(self) -> dict[str, object]:
        root = self.story.prunings[-1]
        said = self.play.words[str(self.story.tree.nodes[0].label)]
        n = len(self.story.trained)
        return {"label": said, "wrong": len(root.trained), "n": n, "entropy": written(self.story.entropy)}

    def _slide(self) -> dict[str, object]:
        return {}

    def _best(self) -> dict[str, object]:
        decision = self.story.visits[0].decision
        assert decision.chosen
        able = [one for one in decision.candidates if "gain" in one.scores]
        second = max((one for one in able if one not in decision.winners), key=lambda one: one.scores["gain"])
        gain = decision.chosen.scores["gain"]
        assert len(decision.winners) == 1, "Nothing ties"
        less = decimal(gain - second.scores["gain"], 4)
        said = {"question": self._said(decision.chosen), "gain": decimal(gain, 4), "second": self._said(second)}
        return {**said, "less": less, "cuts": len(able)}

    def _again(self) -> dict[str, object]:
        chosen = [visit.decision.chosen for visit in self.story.visits[1:3]]
        low, high = (self._said(one) for one in chosen if one)
        return {"low": low, "high": high}

    def _on(self) -> dict[str, object]:
        leaves, story = len(self.story.tree.leaves()), self.story
        n, wrong = len(story.trained), len(story.wrong(story.tree, story.trained))
        return {"leaves": leaves, "questions": len(story.tree.nodes) - leaves, "n": n, "wrong": wrong}

    def _held(self) -> dict[str, object]:
        return {"held": len(self.story.held), "counts": self._counted(self.story.counts(self.story.held))}

    def _wrong(self) -> dict[str, object]:
        grown = self.story.prunings[0]
        return {**self._on(), "held": len(self.story.held), "missed": len(grown.held)}

    def _alone(self) -> dict[str, object]:
        tree = self.story.tree
        alone = sum(sum(tree.nodes[leaf].counts) == 1 for leaf in tree.leaves())
        return {"alone": alone, "leaves": len(tree.leaves())}

    def _price(self) -> dict[str, object]:
        best = min(self.story.prunings, key=lambda one: (len(one.held), one.step.leaves))
        return {"leaves": best.step.leaves, "held": len(self.story.held), "missed": len(best.held)}

    def _change(self) -> dict[str, object]:
        story = self.story
        roots = sum(one.tree.nodes[0].test != story.tree.nodes[0].test for one in story.others)
        size, n = len(story.changes[0].gone), len(story.trained)
        said = {"percent": 100 * size // n, "size": size, "n": n, "changes": CHANGES, "others": len(story.others)}
        return {**said, "roots": roots}

    def _hundred(self) -> dict[str, object]:
        return {"trees": TREES, "n": len(self.story.trained)}

    def _vote(self) -> dict[str, object]:
        first, last = (len(self.story.outvoted(trees, self.story.held)) for trees in (1, TREES))
        return {"trees": TREES, "held": len(self.story.held), "first": first, "last": last}

    def _sure(self) -> dict[str, object]:
        story = self.story
        doubt, sure = (max(story.votes[row][-1], TREES - story.votes[row][-1]) for row in _two(story))
        return {"trees": TREES, "doubt": doubt, "sure": sure}

    def _end(self) -> dict[str, object]:
        return {"seed": DEAL}


def _slid(story: Story) -> Iterator[dict[str, str]]:
    for cut in story.cuts:
        sides = {"low": _pair(story, cut.low), "high": _pair(story, cut.high)}
        yield {"petal": f"≤ {decimal_text(cut.t)}", **sides, "gain": decimal(cut.gain), "exact": written(cut.gain)}


def _pair(story: Story, counts: Sequence[int]) -> str:
    """Counts, each after the sign that has the shape of its class."""
    return " ".join(f"{SIGNS[kind]} {n}" for kind, n in zip(story.kinds, counts, strict=True))


def _priced(story: Story) -> Iterator[dict[str, str]]:
    for one in story.prunings:
        alpha, leaves = str(one.step.alpha), str(one.step.leaves)
        yield {
            "alpha": alpha,
            "leaves": leaves,
            "trained": f"{len(one.trained)} / {len(story.trained)}",
            "held": f"{len(one.held)} / {len(story.held)}",
        }


def _changed(story: Story) -> Iterator[dict[str, str]]:
    for tree in (story.tree, *(one.tree for one in story.others[:2])):
        test: Any = tree.nodes[0].test
        same = sum(one in tests(story.tree) for one in tests(tree) if one)
        yield {"root": f"≤ {decimal_text(test.threshold)}", "leaves": str(len(tree.leaves())), "same": str(same)}


def _voted(story: Story) -> Iterator[dict[str, str]]:
    for trees in COUNTED:
        yield {"trees": str(trees), "held": f"{len(story.outvoted(trees, story.held))} / {len(story.held)}"}


def _ending(story: Story, leaf: int) -> Iterator[int]:
    """The flowers of the training rows that end in a leaf."""
    rows = list(story.table.rows())
    for row in story.trained:
        ((end, _),) = story.tree.ends(rows[row])
        if end == leaf:
            yield row


def _below(story: Story, cut: frozenset[int]) -> set[int]:
    """Some nodes and all below them."""
    found, pending = set[int](), [*cut]
    while pending:
        number = pending.pop()
        found.add(number)
        pending += story.tree.nodes[number].branches
    return found


def _two(story: Story) -> tuple[int, int]:
    """Of the flowers held out, the one whose votes are most even, and the first of those that are surest."""
    even = [abs(2 * story.votes[row][-1] - TREES) for row in story.held]
    return story.held[even.index(min(even))], story.held[even.index(max(even))]


def _all_but(story: Story) -> frozenset[int]:
    return frozenset({*range(len(story.flowers))} - {*_two(story)})
