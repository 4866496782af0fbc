"""One table, six trees: the rows of golf under eight dialects, and the rule where two of them part.

The page calls `page` while the site is built, and so it is complete without a script; in a reader's browser a worker
calls `view` whenever a cell is changed. `six_trees_zh` says the same in Chinese.

1. `grown` is a tree for each dialect; trees that ask the same share a letter (`letters`).
2. `parting` walks two trees together from the root to the first node where they do not ask the same.
3. `parted_by` tries the options in which two dialects differ one at a time: one that alone makes the first dialect do
   what the second does at that node is the rule that parts them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from html import escape
from typing import Any, Final

from docs.assets.playground.playground import State, cells_of, table_of
from docs.assets.playground.rows import table_html
from reference_tree.data.table import Table
from reference_tree.exact.rounding import decimal
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.decision import Decision
from reference_tree.learners.id3 import ID3
from reference_tree.learners.options import Options
from reference_tree.tree import Tree
from reference_tree.views.trees.svg import to_svg
from reference_tree.views.trees.text import to_text
from reference_tree.views.wording import asked

TABLE: Final = "golf"

DIALECTS: Final[Mapping[str, Any]] = {
    "ID3 with cuts, Zhou 2016": ID3.like("zhou"),
    "C4.5 by Zhou 2016": C45.like("zhou"),
    "C4.5 by Li Hang 2019": C45.like("li-hang"),
    "C4.5, release 8": C45.like("c45-r8"),
    "J48 of Weka": C45.like("weka-j48"),
    "CART, Breiman et al. 1984": CART.like("cart-1984"),
    "rpart of R": CART.like("rpart"),
    "scikit-learn": CART.like("scikit-learn"),
}

PAIRS: Final = (
    ("C4.5 by Zhou 2016", "C4.5 by Li Hang 2019"),
    ("C4.5 by Zhou 2016", "C4.5, release 8"),
    ("CART, Breiman et al. 1984", "scikit-learn"),
    ("CART, Breiman et al. 1984", "rpart of R"),
)
"""The dialects that are compared."""

NUMBERS: Final = (
    "",
    "one tree",
    *(f"{number} different trees" for number in ["two", "three", "four", "five", "six", "seven", "eight"]),
)
"""How many trees there are, in words."""

RULES: Final[Mapping[str, tuple[str, str]]] = {
    "contenders": (
        "decisions/#c45.average",
        "Zhou and Quinlan let only questions of at least the average gain compete by their ratio, Quinlan's program "
        "less 0.001; Li Hang lets all of them compete.",
    ),
    "penalty": (
        "dialects/c45_programs/#the-penalty",
        "Quinlan's program takes a penalty off the gain of a number, larger if there are more cuts; the books do not.",
    ),
    "threshold": (
        "decisions/#threshold.position",
        "The books put a threshold halfway between two values, the programs of Quinlan and Weka on the larger value of "
        "the table that is not above it. Both send these rows the same way; a row between the two may go another.",
    ),
    "split_information": (
        "decisions/#missing.ratio",
        "Where answers are missing, Quinlan's program counts them as one more outcome of the question.",
    ),
    "min_samples_split": (
        "decisions/#stop.bounds",
        "Each has its own bound: CART of 1984 does not split a node of five rows, rpart none of nineteen, and "
        "scikit-learn splits two.",
    ),
    "min_samples_leaf": (
        "decisions/#candidate",
        "rpart asks nothing that leaves fewer than seven rows on a side, and Quinlan's program nothing that leaves "
        "fewer than two branches of two rows.",
    ),
    "branching": (
        "decisions/#branching",
        "CART asks whether a value is one of any set of values, scikit-learn whether it is a single one.",
    ),
    "missing": (
        "decisions/#missing.surrogates",
        "Where an answer is missing, CART of 1984 asks another question in its place; scikit-learn tries both sides.",
    ),
}
"""Option → where its decision stands on the site, and what the dialects do."""


def view(state: State) -> dict[str, Any]:
    """What a changed cell may change: pieces of HTML by the place where they stand.

    Raises:
        InputError: a cell cannot be read, or a dialect has no rule for the table.
    """
    table = table_of(state._replace(table=TABLE))
    trees = grown(table)
    named = letters(trees)
    return {
        "html": {
            "count": f"The eight dialects grow {NUMBERS[len(set(named.values()))]} from these rows.",
            "dialects": "".join(dialects_html(table, trees, named)),
            "trees": "".join(trees_html(trees, named)),
            "partings": "".join(partings_html(table, trees, named)),
        }
    }


def page(wheel: str) -> str:
    """What stands on the page: the table, and what `view` says of it.

    Args:
        wheel: the name of the package's wheel, beside the scripts.
    """
    html = view(State())["html"]
    rows = "".join(table_html(cells_of(State(table=TABLE)), table_of(State(table=TABLE)), fixed=True))
    return f"""
<div class="playground six" data-wheel="{wheel}" data-modules="remarks,rows,playground,six_trees"
data-starting="Python is starting: about 8 MB, once …" data-failed="Python could not be loaded."
data-kept="The trees are as they were before.">
<link rel="stylesheet" href="../assets/playground/playground.css">
<link rel="stylesheet" href="../assets/playground/six_trees.css">
<script type="module" src="../assets/playground/six_trees.js"></script>
<p class="change">Change a cell, and all that follows changes with it. The address holds what you changed.</p>
<form autocomplete="off">
<div class="scrolls" tabindex="0" role="region" aria-label="The table">{rows}</div>
<button type="reset" class="anew" hidden>Take the changes back</button>
</form>
<p class="status" role="status" aria-live="polite"></p>
<p class="error" role="alert" lang="en"></p>
<h2 id="the-six-trees">The six trees</h2>
<p data-shows="count">{html["count"]}</p>
<div class="scrolls" tabindex="0" role="region" aria-label="The dialects" data-shows="dialects">{html["dialects"]}</div>
<div class="beside" data-shows="trees">{html["trees"]}</div>
<h2 id="where-they-part">Where they part</h2>
<div data-shows="partings">{html["partings"]}</div>
</div>
"""


def grown(table: Table) -> dict[str, Tree]:
    """The tree of each dialect."""
    return {name: learner.grow(table) for name, learner in DIALECTS.items()}


def letters(trees: Mapping[str, Tree]) -> dict[str, str]:
    """A letter for each dialect: the same where the trees are."""
    shapes: dict[str, str] = {}
    return {name: shapes.setdefault(to_text(tree), "ABCDEFGH"[len(shapes)]) for name, tree in trees.items()}


# Where two trees part.


def question(tree: Tree, number: int) -> str | None:
    """What a node asks; nothing if it is a leaf."""
    test = tree.nodes[number].test
    return None if test is None else asked(test)


def parting(first: Tree, second: Tree) -> tuple[int, int] | None:
    """The first node, in preorder, where two trees do not ask the same; each numbers it in its own way."""
    pairs = [(0, 0)]
    while pairs:
        a, b = pairs.pop()
        if question(first, a) != question(second, b):
            return a, b
        pairs.extend(reversed(list(zip(first.nodes[a].branches, second.nodes[b].branches, strict=True))))
    return None


def parted_by(learner: Any, model: Any, table: Table, path: str, wanted: str | None) -> Iterator[str]:
    """The options that alone make a learner do at a node as another one does there.

    Args:
        learner: the learner that is changed.
        model: the other one, of the same kind.
        table: the rows.
        path: of the node where their trees part.
        wanted: what the other one asks there; nothing if it stops.
    """
    for option in (field.name for field in fields(model) if field.name not in ("ties", "profile")):
        value = getattr(model, option)
        if getattr(learner, option, None) != value:
            tree = type(learner).with_options(**{**_kept(learner), option: value}).grow(table)
            place = next((number for number in range(len(tree.nodes)) if tree.path(number) == path), None)
            if place is not None and question(tree, place) == wanted:
                yield option


def _kept(learner: Options) -> Mapping[str, Any]:
    """What a dialect has set otherwise than its book."""
    return type(learner).profiles[learner.profile].options if learner.profile else {}


# What is shown.


def dialects_html(table: Table, trees: Mapping[str, Tree], named: Mapping[str, str]) -> Iterator[str]:
    """A row for each dialect: its tree, and how large that is."""
    yield '<table class="dialects"><thead><tr><th scope=col>tree</th><th scope=col>dialect</th>'
    yield "<th scope=col>first question</th><th scope=col>leaves</th><th scope=col>depth</th>"
    yield "<th scope=col>wrong on these rows</th></tr></thead><tbody>"
    for name, tree in trees.items():
        first = question(tree, 0)
        wrong = len(table) - int(tree.accuracy(table) * len(table))
        yield f"<tr><td><strong>{named[name]}</strong></td><th scope=row>{escape(name)}</th>"
        yield f"<td>{_code(first) if first else 'none'}</td>"
        yield "".join(f"<td class=r>{figure}</td>" for figure in (len(tree.leaves()), max(tree.depths()), wrong))
        yield "</tr>"
    yield "</tbody></table>"


def trees_html(trees: Mapping[str, Tree], named: Mapping[str, str]) -> Iterator[str]:
    """Each of the different trees, drawn once."""
    for letter in dict.fromkeys(named.values()):
        names = [name for name in trees if named[name] == letter]
        yield f'<figure><div class="drawn" tabindex="0" role="region" aria-label="Tree {letter}">'
        yield f"{to_svg(trees[names[0]])}</div>"
        yield f"<figcaption>Tree {letter}: {escape('; '.join(names))}</figcaption></figure>"


def partings_html(table: Table, trees: Mapping[str, Tree], named: Mapping[str, str]) -> Iterator[str]:
    """For each pair of dialects the node where they part, and the rule that parts them."""
    for one, other in PAIRS:
        yield f"<h3>{named[one]} and {named[other]}: {escape(one)} and {escape(other)}</h3>"
        at = parting(trees[one], trees[other])
        if at is None:
            yield "<p>Both ask the same questions of these rows.</p>"
            continue
        yield "".join(apart_html(DIALECTS[one], DIALECTS[other], table, (trees[one], trees[other]), at))
    yield "<h3>C4.5 and CART</h3>"
    yield from _two_roots(table)


def apart_html(learner: Any, model: Any, table: Table, trees: tuple[Tree, Tree], at: tuple[int, int]) -> Iterator[str]:
    """What two trees do where they part, and the rules that part them."""
    path, wanted = trees[0].path(at[0]), question(trees[1], at[1])
    yield f"<p>At {_code(path)} the first {_does(trees[0], at[0])}, the second {_does(trees[1], at[1])}. "
    yield f"{''.join(_rules(list(parted_by(learner, model, table, path, wanted))))}</p>"


def _rules(options: list[str]) -> Iterator[str]:
    if not options:
        yield "No rule alone parts them here; several do together."
    for option in options:
        place, words = RULES.get(option, ("learners/options/", "The two dialects set it otherwise."))
        yield "The rule: " if option == options[0] else " So would another rule alone: "
        yield f'<a href="../{place}"><code>{option}</code></a>. {words}'


def _does(tree: Tree, number: int) -> str:
    found = question(tree, number)
    return f"asks for {_code(found)}" if found else "stops"


def _two_roots(table: Table) -> Iterator[str]:
    """More than one option lies between the two, so their roots are put beside each other."""
    names = ("C4.5 by Zhou 2016", "CART, Breiman et al. 1984")
    yield from decisions_html(("C4.5", "CART"), [DIALECTS[name].decide(table.sample()) for name in names])


def decisions_html(names: Sequence[str], decisions: Sequence[Decision]) -> Iterator[str]:
    """Decisions at the same node beside each other."""
    head = "".join(f"<th scope=col>{escape(head)}</th>" for head in ("", *names))
    yield f'<table class="dialects"><thead><tr>{head}</tr></thead><tbody>'
    rows = zip(("asks", "branches", "because of", "next best"), *map(_root, decisions), strict=True)
    for words, *cells in rows:
        yield f"<tr><th scope=row>{words}</th>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
    yield "</tbody></table>"


def _root(decision: Decision) -> tuple[str, str, str, str]:
    chosen, second, name = decision.chosen, decision.runner_up, decision.judged_by
    if chosen is None:
        return "nothing", "0", "", ""
    because = f"{name.replace('_', ' ')} {decimal(chosen.scores[name])}"
    branches = str(len(chosen.test.outcomes))
    return _code(asked(chosen.test)), branches, because, _code(asked(second.test)) if second else "none competes"


def _code(text: str) -> str:
    return f"<code>{escape(text)}</code>"
