"""The kinds of case: our own answers pass, in doubles too, and a mistake in any of them is named."""

from __future__ import annotations

from typing import Any

import pytest

from reference_tree.conformance.cases import cases
from tests.checking.answering import answer_to, in_doubles, judged, kept
from tests.conformance.test_goldens import LONG, every
from tests.every import of_every


@pytest.mark.slow
@every(list(cases()))
def test_the_golden_is_a_right_answer(name: str) -> None:
    assert not judged(name, answer_to(name))


@pytest.mark.one_in(12, 36)
@every(list(cases()), slow=LONG)
def test_the_golden_in_doubles_is_a_right_answer(name: str) -> None:
    assert not judged(name, in_doubles(kept(name)))


@pytest.mark.one_in(1, 8)
@every([name for name, case in cases().items() if case.kind == "tree"], slow=LONG)
def test_a_tree_alone_is_an_answer(name: str) -> None:
    assert not judged(name, {"tree": answer_to(name)["tree"]})


def test_decisions_that_do_not_say_where_they_are_stand_in_preorder() -> None:
    decisions = [
        {key: one[key] for key in ("chosen", "stop", "candidates")} for one in answer_to("id3/loan")["decisions"]
    ]
    assert not judged("id3/loan", {"decisions": decisions})


def test_decisions_alone_are_an_answer_even_where_some_are_collapsed() -> None:
    assert not judged("c45/collapsed", {"decisions": answer_to("c45/collapsed")["decisions"]})


@of_every([0.9402859586706309, (0.940285958670631).hex(), {"exact": {"over": "7", "log2": {}}}])
def test_a_formula_is_answered_by_a_number(answer: object) -> None:
    mistakes = judged("formula/entropy-play-tennis", answer)
    assert bool(mistakes) == isinstance(answer, dict)


WRONG: list[tuple[str, list[Any], Any, str]] = [  # a case, a way into its answer, what stands there, the verdict
    ("formula/gini-play-tennis", [], 0.46, "wrong-number"),
    ("bins/temperature", [0], "warm", "wrong-answer"),
    ("draws/digits", [3], "1", "wrong-answer"),
    ("predict/watermelon-2.0a", ["predictions", 0, "ends", 0, "share"], "8/15", "wrong-share"),
    ("predict/watermelon-2.0a", ["predictions", 0, "ends", 0, "at"], [9], "absent"),
    ("predict/watermelon-2.0", ["predictions", 0, "label"], "否", "wrong-label"),
    ("prune/golf-error-based", ["decisions", 0, "as_leaf"], 3.2028, "wrong-as-leaf"),
    ("prune/golf-error-based", ["decisions", 0, "verdict"], "leaf", "wrong-verdict"),
    ("prune/play-tennis-cost-function", ["decisions", 2, "pruned"], False, "wrong-pruned"),
    ("prune/iris-cost-complexity", ["taken"], 0, "wrong-taken"),
    ("prune/iris-cost-complexity", ["sequence", 1, "alpha"], 0.5, "wrong-alpha"),
    ("prune/watermelon-2.0-best-first", ["decisions", 0, "wrong_after"], 2, "wrong-wrong-after"),
    ("prune/watermelon-2.0-best-first", ["tree", 0, "label"], "maybe", "wrong-label"),
    ("ensemble/forest-of-golf", ["trees", 1, "drawn", 0], 2, "wrong-drawn"),
    ("ensemble/forest-of-golf", ["trees", 1, "shown", 0, 0], "windy", "wrong-shown"),
    ("ensemble/forest-of-golf", ["trees", 0, "nodes", 2, "counts", "yes"], "3", "wrong-counts"),
    ("ensemble/forest-of-golf", ["predictions", 0, "label"], "no", "wrong-label"),
    ("boosting/li-hang-8.1", ["rounds", 1, "weights", 0], 0.5, "wrong-weights"),
    ("boosting/li-hang-8.1", ["rounds", 0, "vote"], 0.8473, "wrong-vote"),
    ("boosting/li-hang-8.1", ["rounds", 0, "tree", 1, "label"], "-1", "wrong-leaf"),
    ("boosting/li-hang-8.2", ["rounds", 2, "loss"], 0.47, "wrong-loss"),
    ("boosting/li-hang-8.2", ["answers", 0], 5.64, "wrong-answers"),
    ("predict/watermelon-2.0", ["predictions", 0, "labels"], "否", "malformed"),
    ("predict/watermelon-2.0", ["trees"], [], "malformed"),
    ("formula/gini-play-tennis", [], "one half", "malformed"),
    ("formula/gini-play-tennis", [], None, "malformed"),
    ("prune/play-tennis-cost-function", ["decisions"], "none", "wrong-decisions"),
    ("id3/loan", [], {}, "malformed"),
    ("id3/loan", [], {"tree": [{}]}, "absent"),
    ("id3/loan", [], {"decisions": [{"at": []}]}, "absent"),
    ("predict/watermelon-2.0", ["predictions", 0], {}, "absent"),
    ("predict/watermelon-2.0", ["predictions"], [], "absent"),
    ("prune/iris-cost-complexity", ["sequence", 2], {}, "absent"),
    ("boosting/li-hang-8.1", ["rounds", 0], {"round": 1}, "absent"),
    ("ensemble/forest-of-golf", ["trees", 0], {}, "absent"),
    ("id3/loan", [], {"tree": [[]]}, "malformed"),
    ("id3/loan", [], {"tree": [{"branches": [{"to": 0}]}]}, "malformed"),
]


@of_every(WRONG)
def test_a_mistake_is_named(name: str, way: list[Any], value: Any, verdict: str) -> None:
    answer = answer_to(name)
    if way:
        part = answer
        for step in way[:-1]:
            part = part[step]
        assert not isinstance(part, list) or part[way[-1]] != value
        part[way[-1]] = value
    found = judged(name, answer if way else value)
    assert verdict in [mistake.verdict for mistake in found], found


def test_below_another_winner_the_rounds_are_another_problem() -> None:
    """Two stumps of the second round miss as much; whoever takes the other one is judged no further."""
    answer = answer_to("boosting/li-hang-8.1")
    first = answer["rounds"][0]
    other = first["decisions"][0]["winners"][1]
    assert other != first["decisions"][0]["chosen"]
    first["decisions"][0]["chosen"] = other
    del (
        first["decisions"][0]["missing"],
        first["tree"],
        first["missed"],
        first["vote"],
        first["error"],
        answer["answers"],
    )
    table = first["decisions"][0]["candidates"][other]["table"]["rows"]
    for decision, row in zip(first["decisions"][1:], table, strict=True):
        decision["total"] = row
        decision["answer"] = {"label": "1" if int(row[1]) > int(row[0]) else "-1"}
        decision["stop"] = "pure" if "0" in row else "max-depth"
    answer["rounds"][1] = {"weights": ["1"]}
    assert not judged("boosting/li-hang-8.1", answer)


JUNK: list[Any] = [
    None,
    True,
    -1,
    10**30,
    1e308,
    "",
    "x",
    "1/3",
    [],
    [[]],
    [None],
    {},
    {"at": [0]},
    {"test": {}},
    {"exact": {}},
]


def parts_of(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a value of JSON: what holds it, and where."""
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(value, step) for step, _ in steps] + [place for _, part in steps for place in parts_of(part)]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["c45/golf", "cart/loan", "predict/watermelon-2.0a", "prune/iris-cost-complexity",
                                  "boosting/li-hang-8.1", "ensemble/forest-of-golf"])  # fmt: skip
def test_whatever_stands_in_an_answer_it_is_judged(name: str) -> None:
    for seed in range(len(JUNK)):
        answer = answer_to(name)
        places = parts_of(answer)
        part, step = places[seed * 7919 % len(places)]
        part[step] = JUNK[seed]
        assert all(str(mistake) for mistake in judged(name, answer))
