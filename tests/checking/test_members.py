"""Members: what is compared, what is free, and what is refused."""

from __future__ import annotations

from typing import Any

from reference_tree.checking.kinds import compared
from tests.every import of_every

NODE = {"kind": "threshold", "attribute": "x", "threshold": "1.5", "interval": ["1", "2"]}


def verdicts(expected: Any, came: Any, name: str = "") -> list[str]:
    return [mistake.verdict for mistake in compared(expected, came, name)]


@of_every(
    [
        ({"share": "7/15"}, {"share": 7 / 15}),
        ({"share": "7/15", "ends": []}, {}),
        ({"node": "/a=u", "rules": ["x"]}, {"node": "/a<=2", "rules": []}),
        (
            {"ends": [{"at": [0], "share": "1"}, {"at": [1], "share": "2"}]},
            {"ends": [{"at": [1], "share": 2}, {"at": [0]}]},
        ),
        ({"label": "no", "tied": ["no", "yes"]}, {"label": "yes", "tied": ["yes", "no"]}),
        ({"label": "no", "distribution": {"no": "1/2", "yes": "1/2"}}, {"label": "yes"}),
        ({"test": NODE}, {"test": {"kind": "threshold", "attribute": "x", "threshold": 1.9}}),
        ({"when": {"le": "1.5"}}, {"when": {"le": 1.9}}),
        ({"start": ["82723618907079/140737488355328"]}, {"start": [0.5877866649021191]}),  # ln 9/5 on a grid of 2^-47
        ({"weight": {"base": "e", "terms": {"7": "1/2", "3": "-1/2"}}}, {"weight": 0.42364893019360184}),
    ]
)
def test_what_is_right(expected: Any, came: Any) -> None:
    assert verdicts(expected, came) == []


@of_every(
    [
        ({"share": "7/15"}, {"share": 0.4666}, "wrong-share"),
        ({"share": "7/15"}, {"share": None}, "malformed"),
        ({"share": "7/15"}, {"shares": "7/15"}, "malformed"),
        ({"saved": 2}, {"saved": 3}, "wrong-saved"),
        ({"pruned": True}, {"pruned": 1}, "wrong-pruned"),
        ({"ends": [{"at": [0]}]}, {"ends": [{"at": [1]}]}, "absent"),
        ({"ends": [{"at": [0]}]}, {"ends": [{"at": [0]}, {"at": [0]}]}, "wrong-ends"),
        ({"ends": [{"at": [0]}]}, {"ends": ["first"]}, "absent"),
        ({"label": "no", "distribution": {"no": "2/3", "yes": "1/3"}}, {"label": "yes"}, "wrong-label"),
        ({"tied": ["no", "yes"]}, {"tied": []}, "wrong-tie"),
        ({"test": NODE}, {"test": {**NODE, "threshold": "2.5"}}, "wrong-threshold"),
        ({"test": NODE}, {"test": {**NODE, "attribute": "z"}}, "wrong-question"),
        ({"test": NODE}, {"test": {**NODE, "threshold": "one"}}, "malformed"),
        ({"when": {"is": "u"}}, {"when": {"is": "v"}}, "wrong-branch"),
        ({"weight": "1"}, {"weight": 0.5}, "wrong-weight"),
    ]
)
def test_what_is_wrong(expected: Any, came: Any, verdict: str) -> None:
    assert verdict in verdicts(expected, came)


def test_the_order_of_best_first_pruning_is_part_of_the_answer() -> None:
    first, second = {"at": [0], "compared": [{"at": [0]}]}, {"at": [1], "compared": [{"at": [1]}]}
    assert verdicts([first, second], [second, first], "decisions")
    assert not verdicts([{"at": [0]}, {"at": [1]}], [{"at": [1]}, {"at": [0]}], "decisions")


def test_a_mistake_is_placed_at_the_node_that_the_golden_names() -> None:
    expected = {
        "at": [2, 1],
        "node": "/a=w/b=v",
        "rules": ["rep.bottom-up"],
        "wrong_after": "2",
        "branch": {"at": [0], "estimate": "1"},
    }
    (found,) = compared(expected, {"wrong_after": 3})
    assert (found.at, found.path, found.rule) == ((2, 1), "/a=w/b=v", "rep.bottom-up")
    (inner,) = compared(expected, {"branch": {"estimate": 2}})
    assert (inner.at, inner.rule) == ((0,), "rep.bottom-up")
