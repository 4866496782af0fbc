"""Walking: other right trees pass, and of a wrong one exactly the node that is wrong is named, with its rule."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.checking.kinds import mistakes_of
from reference_tree.conformance.cases import Case, cases
from reference_tree.conformance.goldens import golden
from reference_tree.data.questions import Multiway
from reference_tree.learners.growing import grow, revisit
from reference_tree.learners.options import Options
from reference_tree.learners.place import Answer, Place, Ties
from reference_tree.tree_document import question_json, to_json
from tests.checking.answering import answer_to, judged
from tests.every import of_every


def other_trees(case: Case) -> Iterator[dict[str, Any]]:
    """The trees in which one node took another of its winners."""
    learner, table = case.base(), case.table()
    assert isinstance(learner, Options)
    for visit in revisit(grow(learner, table), learner, table):
        path = "/" + "/".join(str(branch) for branch, _ in visit.place.steps())
        chosen = visit.decision.chosen
        for winner in visit.decision.winners:
            if chosen is not None and winner.test != chosen.test:
                other = grow(replace(learner, ties=Ties({path: winner.test.name})), table)
                yield {"tree": json.loads(to_json(other))["nodes"]}


@pytest.mark.one_in(1, 3)
@pytest.mark.parametrize(
    "name",
    [
        "c45/cats",
        "c45/golf-plain-ratio",
        "c45/watermelon-2.0a",
        "cart/cats",
        "cart/watermelon-3.0a",
        "id3/watermelon-2.0",
    ],
)
def test_any_winner_passes_with_all_that_stands_below_it(name: str) -> None:
    others = list(other_trees(cases()[name]))
    assert others
    for answer in others:
        assert answer["tree"] != answer_to(name)["tree"]
        assert not judged(name, answer)


@of_every(["fractions", "surrogates", "branch", "stay"])
def test_below_another_winner_rows_without_an_answer_go_where_its_own_rule_sends_them(missing: str) -> None:
    columns = {"a": [*"uuvv??uv"], "b": [*"uuvvuv??"], "c": [*"xyxyxyxy"], "y": [*"nnyynyny"]}
    data = {name: list(cells) for name, cells in columns.items()}
    case = Case("ties/missing", "tree", "", data=data, target="y", learner={"name": "cart", "missing": missing})
    others = list(other_trees(case))
    assert others
    for answer in others:
        assert not list(mistakes_of(case, answer))
        root = answer["tree"][0]["branches"][0]
        answer["tree"][root["to"]]["counts"] = {"n": "1", "y": "0"}
        assert {one.verdict for one in mistakes_of(case, answer)} == {"wrong-counts"}


def test_any_majority_passes_with_the_empty_leaves_below_it() -> None:
    name = "id3/watermelon-2.0-train"
    tree = answer_to(name)["tree"]
    assert [tree[number]["label"] for number in (3, 4)] == ["否", "否"]
    tree[3]["label"] = "是"
    assert not judged(name, {"tree": tree})  # the empty leaf says one of the two
    tree[4]["label"] = "是"
    assert not judged(name, {"tree": tree})
    tree[5]["label"] = "是"
    assert [one.verdict for one in judged(name, {"tree": tree})] == ["wrong-leaf"]


def test_an_empty_leaf_answers_the_exact_number_of_the_node_above_it() -> None:
    data = {"a": [*"uuvvwu"], "b": [*"ppqrrq"], "y": [*"058919"]}
    learner = {"name": "cart", "branching": "multiway"}
    case = Case("empty/numbers", "tree", "", data=data, continuous=("y",), target="y", learner=learner)
    answer = json.loads(golden(case))["expected"]
    empty = [one for one in answer["decisions"] if one["stop"] == "empty"]
    assert [one["answer"]["label"] for one in empty] == ["14/3", "17/2"]
    assert not list(mistakes_of(case, answer))
    empty[0]["answer"]["label"] = "14"
    assert [one.verdict for one in mistakes_of(case, answer)] == ["wrong-leaf"]


def moved(answer: dict[str, Any], place: str) -> dict[str, Any]:
    """A tree with every threshold somewhere else in its interval."""
    for node in answer["tree"]:
        if node.get("test", {}).get("kind") == "threshold":
            low, high = map(float, node["test"].pop("interval"))
            node["test"]["threshold"] = {"low": low, "near high": low + (high - low) * 0.999, "high": high}[place]
            for branch in node["branches"]:
                branch.pop("when")
    return answer


@pytest.mark.one_in(1, 4)
@pytest.mark.parametrize("name", ["c45/golf", "cart/cats", "c45/watermelon-3.0", "regression/li-hang-5.2-two-levels"])
def test_a_threshold_may_lie_anywhere_in_its_interval(name: str) -> None:
    for place, passes in (("low", True), ("near high", True), ("high", False)):  # `<=` at the upper end takes it in
        found = judged(name, {"tree": moved(answer_to(name), place)["tree"]})
        assert (not found) == passes, (place, found)


def test_a_double_stands_for_the_number_of_the_data_that_it_is_nearest_to() -> None:
    """0.697 and 0.774 are other numbers as doubles; release 8 puts its thresholds on such numbers."""
    answer = answer_to("c45/watermelon-3.0-release-8")["tree"]
    for node in answer:
        if "threshold" in node.get("test", ()):
            node["test"] = {**node["test"], "threshold": float(node["test"]["threshold"])}
            del node["test"]["interval"]
            node["branches"] = [{"to": branch["to"]} for branch in node["branches"]]
    assert not judged("c45/watermelon-3.0-release-8", {"tree": answer})


def test_a_set_may_be_told_by_its_complement_and_its_branches_the_other_way_round() -> None:
    name = "cart/play-tennis"
    tree = answer_to(name)["tree"]
    inside, outside = tree[0]["branches"]
    assert (inside["when"], outside["when"]) == ({"in": ["overcast"]}, {"not_in": ["overcast"]})
    inside["when"], outside["when"] = {"not_in": ["rainy", "sunny"]}, {"in": ["sunny", "rainy"]}
    assert not judged(name, {"tree": tree})
    node = {"test": tree[0]["test"], "outcomes": [outside["when"], inside["when"]]}
    decisions = [one for one in answer_to(name)["decisions"] if one["at"][:1] != [0]]
    for one in decisions[1:]:
        one["at"][0] = 0
    decisions = [{"at": [], "chosen": node}, *decisions, {"at": [1], "stop": "pure", "total": ["0", "4"]}]
    assert not judged(name, {"decisions": [decisions[0], *decisions[2:]]})


def leaf(node: dict[str, Any]) -> None:
    for key in ("test", "branches"):
        node.pop(key, None)
    node["stop"] = "pure"


def cut_below_sunny(answer: dict[str, Any]) -> None:
    """Play tennis has humidity below sunny, whose leaves stand last."""
    del answer["tree"][-2:]
    leaf(answer["tree"][-1])
    del answer["decisions"]


def to(*way: Any) -> Callable[[dict[str, Any]], None]:
    """Put the last of these where the others lead."""

    def change(answer: Any) -> None:
        *steps, last, value = way
        for step in steps:
            answer = answer[step]
        assert not isinstance(answer, list) or answer[last] != value
        answer[last] = value

    return change


TENNIS, MELONS, GOLF = "id3/play-tennis", "c45/watermelon-2.0a", "c45/golf"
PLANTED: list[tuple[str, Callable[[dict[str, Any]], None], str, list[int], str]] = [
    # a case, what is changed, the verdict, the node, the rule
    (TENNIS, to("decisions", 2, "total", 0, "3"), "wrong-counts", [1], "counts"),
    (TENNIS, to("tree", 2, "counts", "no", "3"), "wrong-counts", [1], "counts"),
    (TENNIS, to("tree", 1, "label", "no"), "wrong-leaf", [0], "label"),
    (TENNIS, to("decisions", 1, "stop", "max-depth"), "wrong-stop", [0], "stop.pure"),
    (TENNIS, to("decisions", 0, "winners", [0, 1]), "wrong-winners", [], "measure.information-gain"),
    (
        TENNIS,
        to("decisions", 0, "candidates", 0, "scores", "gain", 0.2467),
        "wrong-gain",
        [],
        "measure.information-gain",
    ),
    (TENNIS, to("decisions", 0, "candidates", 0, "table", "rows", 1, 0, "1"), "wrong-table", [], "branching.multiway"),
    (TENNIS, to("decisions", 0, "margin", 0.1), "wrong-margin", [], "measure.information-gain"),
    (TENNIS, to("decisions", 0, "judged_by", "ratio"), "wrong-score", [], "measure.information-gain"),
    (TENNIS, cut_below_sunny, "stopped-early", [2], "measure.information-gain"),
    (TENNIS, to("tree", 5, "test", "attribute", "colour"), "malformed", [2], ""),
    (TENNIS, to("decisions", 0, "candidates", 0, "scores", "ratio", 0.1), "malformed", [], ""),
    (MELONS, to("tree", 0, "branches", 0, "share", 0.3), "wrong-share", [], "missing.ratio"),
    (MELONS, to("decisions", 0, "evidence", "average", 0.3), "wrong-average", [], "measure.gain-ratio"),
    (MELONS, to("tree", 2, "prior", False), "wrong-leaf", [0, 0], "empty-branch"),
    ("id3/watermelon-2.0-train", to("tree", 0, "tied", ["否"]), "wrong-tie", [], "ties.class"),
    (
        "cart/watermelon-2.0a-surrogates",
        to("decisions", 0, "missing", "to", 0),
        "wrong-missing",
        [],
        "missing.surrogates",
    ),
    (
        "cart/watermelon-2.0a-surrogates",
        to("decisions", 0, "missing", "surrogates", 0, "agreement", "1"),
        "wrong-missing",
        [],
        "missing.surrogates",
    ),
    ("regression/cats", to("tree", 1, "mean", "8"), "wrong-leaf", [0], "label"),
    ("regression/cats", to("tree", 1, "sse", "8"), "wrong-leaf", [0], "label"),
    ("regression/cats", to("tree", 1, "n", "4"), "wrong-counts", [0], "counts"),
]


@of_every(PLANTED)
def test_a_planted_mistake_is_named_at_its_node(
    name: str, change: Callable[[dict[str, Any]], None], verdict: str, at: list[int], rule: str
) -> None:
    answer = answer_to(name)
    change(answer)
    found = judged(name, answer)
    assert [(one.verdict, list(one.at or ()), one.rule) for one in found] == [(verdict, at, rule)], found


def test_a_split_where_a_rule_stops_is_split_too_far() -> None:
    """One level is allowed, and the whole tree comes."""
    answer = {"tree": answer_to(TENNIS)["tree"]}
    found = judged("id3/play-tennis-one-level", answer)
    assert [one.verdict for one in found[:2]] == ["split-too-far", "split-too-far"]
    assert {one.rule for one in found} == {"stop.max-depth"}


def test_a_worse_question_is_named_and_what_is_right_below_it_is_not() -> None:
    """Humidity first, and below it what ID3 does with the rows that are left: one mistake, at the root."""
    table = cases()[TENNIS].table()
    nodes: list[dict[str, Any]] = [
        {"label": "yes", "test": {"kind": "multiway", "attribute": "humidity"}, "branches": []}
    ]
    for part in table.sample().split(Multiway("humidity", ("high", "normal"))):
        place = Place.root(part).child(Multiway("humidity", ("high", "normal")), 0, Answer("yes", part.total()))
        pending: list[tuple[Any, Any, dict[str, Any]]] = [(part, place, {"to": None})]
        nodes[0]["branches"].append(pending[0][2])
        while pending:
            sample, place, branch = pending.pop()
            branch["to"] = len(nodes)
            decision = rt.ID3().decide(sample, place)
            node: dict[str, Any] = {"label": decision.answer.label, "stop": decision.stop}
            if decision.chosen is not None:
                children = place.children(sample, decision.chosen.test, decision.answer)
                node = {"label": decision.answer.label, "test": question_json(decision.chosen.test)}
                node["branches"] = [{"to": None} for _ in children]
                below = zip(children, node["branches"], strict=True)
                pending += reversed([(child, where, branch) for (where, child), branch in below])
            nodes.append(node)
    (found,) = judged(TENNIS, {"tree": nodes})
    assert (found.verdict, found.at, found.rule) == ("suboptimal", (), "measure.information-gain")
    assert found.message == "humidity has gain 0.151836, and outlook has 0.24675"


def test_a_barred_candidate_is_none() -> None:
    answer = answer_to(MELONS)
    decision = answer["decisions"][0]
    barred = next(place for place, one in enumerate(decision["candidates"]) if one["barred"] == "average")
    found = judged(MELONS, {"decisions": [{**decision, "chosen": barred}]})
    assert found[0].verdict == "not-a-candidate"
    assert "may not compete (average)" in found[0].message


@of_every([[], {}, 5, None])
def test_a_label_that_is_no_class_is_wrong(label: Any) -> None:
    answer = answer_to(TENNIS)
    answer["tree"][1]["label"] = answer["decisions"][0]["answer"]["label"] = label
    assert {one.verdict for one in judged(TENNIS, answer)} == {"wrong-leaf"}


def test_a_node_that_is_not_told_is_missed() -> None:
    answer = answer_to(TENNIS)
    found = judged(TENNIS, {"decisions": answer["decisions"][:-1]})
    assert [(one.verdict, one.at) for one in found] == [("absent", (2,))]


@of_every(
    [
        ({7: [2, 7]}, "/2"),  # a branch that the question has not, in the place of one that it has
        ({4: [1, 2]}, "/1"),
        ({8: [0, 0]}, "/0"),  # below a leaf
        ({8: [2, 2]}, "/2"),
    ]
)
def test_a_decision_stands_at_a_branch_of_the_question_above_it(change: dict[int, list[int]], named: str) -> None:
    decisions = answer_to("id3/play-tennis")["decisions"]
    for number, at in change.items():
        decisions += [{"stop": "pure"}] * (number == len(decisions))
        decisions[number]["at"] = at
    (mistake,) = judged("id3/play-tennis", {"decisions": decisions})
    assert mistake.verdict == "absent"
    assert str(mistake).startswith(f"{named} ")


def test_nodes_below_a_leaf_of_a_tree_are_too_many() -> None:
    tree = answer_to("id3/play-tennis")["tree"]
    tree[1]["branches"] = [{"to": len(tree)}]
    tree.append({"stop": "pure", "label": "yes"})
    (mistake,) = judged("id3/play-tennis", {"tree": tree})
    assert (mistake.verdict, mistake.at) == ("absent", (0,))


def test_below_a_worse_question_with_rows_that_do_not_answer_nothing_is_judged() -> None:
    """Where they go is known of a winner alone."""
    decision = answer_to(MELONS)["decisions"][0]
    worse = next(
        place
        for place, one in enumerate(decision["candidates"])
        if place != decision["chosen"] and any(weight != "0" for weight in one["table"]["unknown"])
    )
    below = [
        {"at": [branch], "stop": "pure", "total": [99, 99]}
        for branch in range(len(decision["candidates"][worse]["outcomes"]))
    ]
    found = judged(MELONS, {"decisions": [{**decision, "chosen": worse}, *below]})
    assert {one.at for one in found} == {()}


def test_below_another_winner_a_node_may_be_collapsed_and_on_the_usual_way_only_where_it_is() -> None:
    """Two columns say the same; below either, asking for c gains something and mends no mistake."""
    side = [*"uuuuuuuuvvvvvv"]
    columns = {"a": side, "b": list(side), "c": [*"xxxxwwwwxwxwxw"], "y": [*"nnnnnnnyyyyyyy"]}
    case = Case("ties/collapsed", "tree", "", data=columns, target="y", learner={"name": "c45", "profile": "weka-j48"})
    (other,) = other_trees(case)
    assert [node.get("stop") for node in other["tree"]] == [None, "collapsed", "pure"]
    assert not list(mistakes_of(case, other))
    other["tree"][0]["test"]["attribute"] = "a"
    assert not list(mistakes_of(case, other))
    other["tree"][1]["stop"] = "min-samples-split"
    assert [one.verdict for one in mistakes_of(case, other)] == ["wrong-stop"]
