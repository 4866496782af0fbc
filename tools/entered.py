"""What a reader enters: the files and functions that run for each topic of the book.

    python -m tools.entered [--engine] [--functions TOPIC] [--json FILE] [--package PATH]

Each topic does a small job of its own under a tracer. Tables are made and modules imported before that; the sample of
a table is made in it. A function counts with the lines of its body, without docstrings, comments and blank lines. What
is in `exact/` is counted apart: it is what a number is, and read once. *Engine* are the lines that are there for speed
alone. Then come the modules and lines of each folder (`tools.house`).

The book runs without its engine (`REFERENCE_TREE_ENGINE=off`), unless `--engine` is said.
"""

from __future__ import annotations

import argparse
import ast
import json
import multiprocessing
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import tools.package
from tools import house
from tools.house import lines_of_code

SWITCH = "REFERENCE_TREE_ENGINE"
"""The variable of the environment that is `off` where the book runs alone."""

ENGINE = {
    "engine",
    *(f"data/{name}.py" for name in ("orders", "numbering", "bit_sets", "packed_rows")),
    *(
        f"splitting/{name}.py"
        for name in (
            "scanning",
            "judging",
            "stretches",
            "score_bounds",
            "cut_scores",
            "ratio_bounds",
            "square_scores",
            "weighed_scores",
            "packed_gains",
        )
    ),
}
"""The folder of the engine; and the modules that were one before they had a folder."""

Job = Callable[[], object]


class Function(NamedTuple):
    """A function or method as it is written; what is nested in it belongs to it."""

    file: str
    """Below the package."""
    name: str
    """With its class."""
    first: int
    lines: int
    """Of its body."""
    source: bool
    """Whether its docstring cites one of the notes N0 to N4."""

    @property
    def engine(self) -> bool:
        """Whether it is there for speed alone."""
        return self.file in ENGINE or self.file.split("/")[0] in ENGINE


def package() -> Path:
    """Where the package lies."""
    spec = find_spec("reference_tree")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


@cache
def functions(path: Path) -> tuple[tuple[range, Function], ...]:
    """The functions of a module, each with its lines from its first decorator on."""
    text = path.read_text(encoding="utf-8")
    code, file = lines_of_code(text), path.relative_to(package()).as_posix()
    return tuple(_below(ast.parse(text), file, "", code))


def _below(tree: ast.AST, file: str, inside: str, code: set[int]) -> Iterator[tuple[range, Function]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            whole = _span(*node.decorator_list, node)
            source = (ast.get_docstring(node) or "").partition("Source:")[2]
            lines = len(code.intersection(_span(*node.body)))
            yield whole, Function(file, inside + node.name, whole[0], lines, "[N" in source)
        elif isinstance(node, ast.Lambda):
            whole = _span(node)
            yield whole, Function(file, f"{inside}<lambda>", whole[0], len(whole), False)
        else:
            yield from _below(node, file, f"{inside}{node.name}." if isinstance(node, ast.ClassDef) else inside, code)


def _span(*nodes: ast.expr | ast.stmt) -> range:
    return range(nodes[0].lineno, (nodes[-1].end_lineno or 0) + 1)


def traced(job: Job) -> Counter[Function]:
    """How often each function of the package is entered."""
    calls: Counter[CodeType] = Counter()

    def entering(frame: FrameType, event: str, _: object) -> None:
        calls[frame.f_code] += 1

    before = sys.gettrace()
    sys.settrace(entering)
    try:
        job()
    finally:
        sys.settrace(before)
    root, found = str(package()) + os.sep, Counter[Function]()
    for code, times in calls.items():
        if code.co_filename.startswith(root):
            for lines, function in functions(Path(code.co_filename)):
                if code.co_firstlineno in lines:
                    found[function] += times * (code.co_name == function.name.rpartition(".")[2])
    return found


# The topics of the book: the job of each, and the formulas that it is about.


class Topic(NamedTuple):
    """A topic: what is prepared, and then done."""

    prepared: Callable[[], Job]
    formulas: tuple[str, ...] = ()


SEVERAL = "golf play-tennis watermelon-2.0a watermelon-3.0 loan-id cats iris"
"""Tables of all kinds: together they enter nearly all that there is of a learner."""

TENNIS = [[0, 4], [2, 3], [3, 2]]
"""Play tennis by its outlook."""


def _measure(name: str, *arguments: object) -> Topic:
    def prepared() -> Job:
        module = "gini_index" if name.startswith("gini") else name
        formula = getattr(__import__(f"reference_tree.measures.{module}", fromlist=[name]), name)
        return lambda: formula(*arguments)

    return Topic(prepared, (name,))


def _grown(learner: str, tables: str, *formulas: str, **options: Any) -> Topic:
    def prepared() -> Job:
        import reference_tree as rt

        data, who = [rt.textbook(name) for name in tables.split()], getattr(rt, learner)(**options)
        return lambda: [who.grow(table) for table in data]

    return Topic(prepared, formulas)


def _cost_function() -> Job:
    import reference_tree as rt
    from reference_tree.pruning.cost_function import cost_function

    tree = rt.ID3().grow(rt.textbook("play-tennis"))
    return lambda: cost_function(tree, 3)


def _reduced_error() -> Job:
    import reference_tree as rt
    from reference_tree.pruning.reduced_error import bottom_up

    tree, validation = rt.ID3().grow(rt.textbook("watermelon-2.0-train")), rt.textbook("watermelon-2.0-validation")
    return lambda: bottom_up(tree, validation)


def _bisection() -> Job:
    import reference_tree as rt
    from reference_tree.splitting.continuous_bisection import best_cuts

    cats = rt.textbook("cats")
    return lambda: best_cuts(cats.sample(), "weight")


TOPICS: Mapping[str, Topic] = {
    "entropy": _measure("entropy", [9, 5]),
    "conditional entropy": _measure("conditional_entropy", TENNIS),
    "information gain": _measure("information_gain", TENNIS),
    "gain ratio": _measure("gain_ratio", TENNIS),
    "Gini index": _measure("gini_index", TENNIS),
    "ID3": _grown("ID3", "play-tennis", "information_gain", "conditional_entropy", "entropy"),
    "C4.5": _grown("C45", "golf", "gain_ratio", "split_information", "information_gain", "midpoint"),
    "CART": _grown("CART", "loan golf", "gini_decrease", "gini", "midpoint"),
    "cost-function pruning": Topic(_cost_function, ("leaf_cost", "entropy")),
    "reduced-error pruning": Topic(_reduced_error, ("bottom_up", "wrong")),
    "continuous bisection": Topic(_bisection, ("cut_points", "midpoint", "information_gain")),
    "missing values": _grown(
        "C45", "watermelon-2.0a", "known_fraction", "branch_shares", "gain_with_missing", "child_weight"
    ),
    "multivariate nodes": _grown("CART", "watermelon-3.0a", "gini_decrease", "gini", branching="linear"),
    "C4.5 on seven tables": _grown("C45", SEVERAL),
}


class Entered(NamedTuple):
    """What was entered for a topic."""

    files: int
    functions: int
    lines: int
    exact: int
    """Lines in `exact/`."""
    engine: int
    """Lines for speed alone."""
    formulas: Mapping[str, int]
    """How often each was called."""


def looked_at(name: str) -> Entered:
    """What is entered for a topic."""
    topic = TOPICS[name]
    calls = traced(topic.prepared())
    every = set(calls)
    exact = {function for function in every if function.file.startswith("exact/")}
    return Entered(
        len({function.file for function in every}),
        len(every),
        sum(function.lines for function in every),
        sum(function.lines for function in exact),
        sum(function.lines for function in every if function.engine),
        {name: sum(times for function, times in calls.items() if function.name == name) for name in topic.formulas},
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", action="store_true", help="with the engine")
    parser.add_argument("--functions", metavar="TOPIC", choices=TOPICS, help="name the functions of a topic")
    parser.add_argument("--json", metavar="FILE", type=Path)
    parser.add_argument("--package", metavar="PATH", help=tools.package.__doc__)
    options = parser.parse_args()
    os.environ[SWITCH] = "on" if options.engine else "off"
    if options.functions:
        for function in sorted(traced(TOPICS[options.functions].prepared())):
            print(f"{function.file}:{function.first} {function.name} {function.lines}")
        return
    kept = {}
    print("| topic | files | functions | lines | of these exact | engine | calls |\n| :-- " + "| --: " * 5 + "| :-- |")
    for name in TOPICS:
        # In a process of its own, which remembers nothing of the topics before.
        with multiprocessing.get_context("fork").Pool(1) as pool:
            found = pool.apply(looked_at, (name,))
        calls = ", ".join(f"{formula} {times}" for formula, times in found.formulas.items())
        print("|", " | ".join(map(str, (name, *found[:5], calls))), "|", flush=True)
        kept[name] = found._asdict()
    house.tell()
    if options.json:
        options.json.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
