"""Where rows go that do not answer: other surrogates that are as good pass, with the rows where they send them."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from reference_tree.checking.kinds import mistakes_of
from reference_tree.checking.stand_ins import of_node
from reference_tree.conformance.cases import Case
from reference_tree.conformance.goldens import document
from tests.checking.answering import answer_to, judged
from tests.every import of_every

EQUAL, TURNED, MELONS = "missing/equal-surrogates", "missing/surrogate-turned-round", "cart/watermelon-2.0a-surrogates"


def spoilt(name: str, node: int = 0) -> tuple[dict[str, Any], dict[str, Any]]:
    """The tree alone of a case, and the node in it to be changed."""
    answer = {"tree": deepcopy(answer_to(name)["tree"])}
    return answer, answer["tree"][node]


def verdicts(name: str, answer: dict[str, Any]) -> list[tuple[str, tuple[int, ...] | None, str]]:
    return [(one.verdict, one.at, one.rule) for one in judged(name, answer)]


WRONG = [("wrong-missing", (), "missing.surrogates")]


def test_a_node_says_it_in_the_words_of_a_decision() -> None:
    for name in (EQUAL, TURNED, MELONS):
        expected = answer_to(name)
        for decision, node in zip(expected["decisions"], expected["tree"], strict=True):
            assert of_node(node) == (decision["missing"] or {})


def test_equal_surrogates_stand_in_any_order_and_the_rows_go_where_the_first_one_says() -> None:
    answer, root = spoilt(EQUAL)
    root["surrogates"].reverse()
    (left, right) = (answer["tree"][branch["to"]] for branch in root["branches"])
    assert (left["counts"], right["counts"]) == ({"no": "0", "yes": "2"}, {"no": "1", "yes": "1"})
    assert {one.verdict for one in judged(EQUAL, answer)} >= {"wrong-counts"}  # the counts are those of the other order
    # z is missing in the third row alone: by a it is larger, by x smaller
    left["counts"], right["counts"] = {"no": "0", "yes": "1"}, {"no": "1", "yes": "2"}
    for node in (left, right):
        node.update(label="yes", tied=[])
    assert not judged(EQUAL, answer)


@of_every([("1", True), ("4.999", True), ("5", False), ("0.5", False)])
def test_the_threshold_of_a_surrogate_lies_anywhere_in_its_gap(threshold: str, passes: bool) -> None:
    answer, root = spoilt(TURNED)
    (one,) = root["surrogates"]
    one["test"] = {"kind": "threshold", "attribute": "x", "threshold": threshold}
    for branch, relation in zip(one["branches"], ("le", "gt"), strict=True):
        branch["when"] = {relation: threshold}
    assert (verdicts(TURNED, answer) == []) == passes


def test_the_branches_of_an_answer_may_stand_the_other_way_round() -> None:
    answer, root = spoilt(MELONS)
    root["branches"].reverse()
    for one in root["surrogates"]:
        one["branches"].reverse()
    assert not judged(MELONS, answer)


def test_of_a_tree_alone_the_surrogates_are_judged() -> None:
    answer, root = spoilt(MELONS)
    root["surrogates"][0]["agreement"] = 0.9
    assert verdicts(MELONS, answer) == WRONG
    answer, root = spoilt(MELONS)
    root["surrogates"][:2] = root["surrogates"][1::-1]
    assert verdicts(MELONS, answer) == WRONG
    answer, root = spoilt(MELONS)
    del root["surrogates"][2]
    assert verdicts(MELONS, answer) == WRONG
    answer, root = spoilt(MELONS)
    root["missing"]["to"] = root["branches"][0]["to"]
    assert verdicts(MELONS, answer) == WRONG


def test_surrogates_where_every_row_answers_are_none_that_are_looked_for() -> None:
    answer, node = spoilt(MELONS, 1)
    assert node["missing"]["rule"] == "branch"
    agrees: dict[str, Any] = {"test": {"kind": "subset", "attribute": "色泽"}}
    agrees["branches"] = [
        {"when": {relation: ["乌黑"]}, "to": branch["to"]}
        for relation, branch in zip(("in", "not_in"), node["branches"], strict=True)
    ]
    node["surrogates"] = [agrees]
    assert verdicts(MELONS, answer) == [("wrong-missing", (0,), "missing.surrogates")]


def test_a_set_of_rpart_may_be_silent_about_a_value_that_no_row_has_which_answers_both() -> None:
    columns = {"x": [*"1112223???"], "a": [*"ppqrrrpspr"], "y": [*"nnnyyyyyny"]}
    options = {"profile": "rpart", "min_samples_split": "2", "min_samples_leaf": "1", "surrogate_errors": "0"}
    learner = {"name": "cart", "max_depth": 1, **options}
    case = Case("rpart/s", "tree", "", data=columns, target="y", continuous=("x",), learner=learner)
    expected = document(case)["expected"]
    (surrogate,) = expected["decisions"][0]["missing"]["surrogates"]
    assert surrogate["outcomes"] == [{"in": ["p", "q"]}, {"not_in": ["p", "q", "s"]}]
    assert not list(mistakes_of(case, expected))


def question(attribute: str) -> dict[str, Any]:
    """Whether a value is u."""
    return {"test": {"kind": "subset", "attribute": attribute}, "outcomes": [{"in": ["u"]}, {"not_in": ["u"]}]}


@of_every([("b", "pure", True), ("c", "max-depth", True), ("bc", "pure", False)])
def test_more_surrogates_than_there_may_be_are_wrong(listed: str, right: str, passes: bool) -> None:
    """The last row has a u in b and a v in c; either agrees with a wherever both answer."""
    columns = {"a": [*"uuvv?"], "b": [*"u?v?u"], "c": [*"?u?vv"], "y": [*"nnyyn"]}
    learner = {"name": "cart", "max_surrogates": 1, "max_depth": 1}
    case = Case("two/surrogates", "tree", "", data=columns, target="y", learner=learner)
    missing = {"surrogates": [{**question(name), "branches": [0, 1]} for name in listed]}
    root = {"at": [], "chosen": question("a"), "missing": missing}
    found = mistakes_of(case, {"decisions": [root, {"at": [0], "stop": "pure"}, {"at": [1], "stop": right}]})
    assert [one.verdict for one in found] == ([] if passes else ["wrong-missing"])


@of_every([("to", 2), ("to", "0"), ("branch", 1), ("surrogates", [{"test": {"kind": "subset", "attribute": "a"}}])])
def test_what_has_not_the_form_is_told(member: str, value: object) -> None:
    answer = answer_to(EQUAL)
    answer["decisions"][0]["missing"][member] = value
    assert [one.verdict for one in judged(EQUAL, answer)] == ["malformed"]
