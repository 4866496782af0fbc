"""Surrogates: those that rpart listed are right, and of a spoilt list the node is named, and no other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest

import reference_tree as rt
from reference_tree.auditing import audit
from reference_tree.auditing.surrogates import faults
from reference_tree.data.questions import Surrogate, Threshold
from reference_tree.splitting.missing_rules import StandIns
from reference_tree.tree import Tree
from reference_tree.tree_document import from_json
from tests.auditing.trees import changed
from tests.peers.recordings import RECORDINGS, Recording
from tests.peers.test_rpart_trees import known_rows, learner_of

LISTING = [
    one for one in RECORDINGS if one.program == "rpart" and one.setting in ("surrogates", "defaults") and one.text()
]

Surrogates = tuple[Surrogate, ...]


def turned(found: Surrogates) -> Surrogates:
    """The first one sends every row to the other side."""
    return (found[0]._replace(branches=found[0].branches[::-1]), *found[1:])


def overstated(found: Surrogates) -> Surrogates:
    """The last one is said to agree for a row in a thousand more, or fewer."""
    other = found[-1].agreement + Fraction(1, 1000) * (-1 if found[-1].agreement > Fraction(99, 100) else 1)
    return (*found[:-1], found[-1]._replace(agreement=other))


def reversed_(found: Surrogates) -> Surrogates:
    """The worst one comes first."""
    return found[::-1]


def without_the_first(found: Surrogates) -> Surrogates:
    """The best one is left out."""
    return found[1:]


SPOILT: dict[str, Callable[[Surrogates], Surrogates]] = {
    "turned": turned,
    "overstated": overstated,
    "reversed": reversed_,
    "left out": without_the_first,
}


def audited(recording: Recording, tree: Tree) -> list[int]:
    found = audit(tree, known_rows(recording), learner_of(recording), pruned=True, ranks=False)
    return [one.number for one in found.wrong]


@pytest.mark.one_in(4, 8)
@pytest.mark.parametrize("recording", LISTING, ids=lambda one: one.name)
def test_those_of_rpart_are_right(recording: Recording) -> None:
    assert audited(recording, from_json(recording.text())) == []


@pytest.mark.one_in(4)
@pytest.mark.parametrize("fault", SPOILT)
def test_a_spoilt_list_is_named(fault: str) -> None:
    tried = 0
    for recording in LISTING:
        tree = from_json(recording.text())
        for number, node in enumerate(tree.nodes):
            found = node.missing.surrogates
            unlike = len({one.agreement for one in found})
            if not found or (fault == "reversed" and unlike < 2):
                continue
            if fault == "left out" and len(found) > 1 and unlike == 1:
                continue  # where there is no room for all equal ones, any of them may be left out
            spoilt = changed(tree, number, missing=replace(node.missing, surrogates=SPOILT[fault](found)))
            wrong = audited(recording, spoilt)
            assert number in wrong, (recording.name, number)
            if not any_gaps(recording):
                assert wrong == [number]
            tried += 1
            break
    assert tried >= 3


def any_gaps(recording: Recording) -> bool:
    """Whether some row has no value somewhere, so that it goes another way."""
    table = known_rows(recording)
    return any(cell is None for column in table.columns.values() for cell in column)


THREE_ALIKE: dict[str, list[object]] = {
    "a": [1, 1, 2, 2],
    "b": [1, 1, 2, 2],
    "c": [1, 1, 2, 2],
    "y": ["n", "n", "y", "y"],
}


def test_equal_ones_may_stand_in_any_order() -> None:
    table = rt.Table.from_columns(THREE_ALIKE, "y")
    learner = rt.CART.like("rpart", min_samples_split=2, min_samples_leaf=1)
    tree = learner.grow(table)
    found = tree.nodes[0].missing.surrogates
    assert [one.test.attribute for one in found] == ["b", "c"]
    other = changed(tree, 0, missing=replace(tree.nodes[0].missing, surrogates=found[::-1]))
    assert audit(other, table).is_right
    twice = changed(tree, 0, missing=replace(tree.nodes[0].missing, surrogates=(found[0],) * 2))
    assert [one.verdict for one in audit(twice, table).wrong] == ["wrong-surrogate"]


def test_no_more_are_listed_than_there_may_be() -> None:
    table = rt.Table.from_columns(THREE_ALIKE, "y")
    both, one = (rt.CART(always_surrogates=True, max_surrogates=most).grow(table) for most in (2, 1))
    assert audit(both, table).is_right
    too_many = changed(one, 0, missing=both.nodes[0].missing)
    assert [(found.verdict, found.number) for found in audit(too_many, table).wrong] == [("wrong-surrogate", 0)]


def test_where_no_surrogate_is_wanted_none_is_missed() -> None:
    table = rt.textbook("watermelon-2.0a")
    tree = rt.CART.with_options(missing="surrogates", max_surrogates=0).grow(table)
    assert audit(tree, table).is_right


def test_one_that_sends_too_few_to_a_side_may_not_stand_in() -> None:
    columns: dict[str, list[object]] = {"a": [1, 1, 2, 2, 2, 2], "b": [1, 2, 2, 2, 3, 3], "y": list("nnyyyy")}
    a, b = Threshold("a", Fraction(3, 2)), Threshold("b", Fraction(3, 2))
    sample = rt.Table.from_columns(columns).sample()
    listed = (Surrogate(b, (0, 1), Fraction(5, 6)),)
    needs_one, needs_two = StandIns(always=True), StandIns(always=True, minimum=2)
    assert list(faults(listed, a, sample, needs_one, slack=None)) == []
    assert [fault.verdict for fault in faults(listed, a, sample, needs_two, slack=None)]


def test_of_equal_ones_that_which_sends_enough_to_each_side_stands_in() -> None:
    columns: dict[str, list[object]] = {"a": [1, 1, 1, 2, 2, 2], "b": [1, 3, 2, 3, 2, 4], "y": list("nnnyyy")}
    a, few, enough = Threshold("a", Fraction(3, 2)), Threshold("b", Fraction(7, 2)), Threshold("b", Fraction(5, 2))
    sample = rt.Table.from_columns(columns).sample()
    search = StandIns(always=True, minimum=2)
    told = [list(faults((Surrogate(test, (0, 1), 0),), a, sample, search, slack=None)) for test in (few, enough)]
    assert told[1] == []
    assert [fault.message for fault in told[0]] == [
        "the surrogate b<=3.5 sends only 1 of the rows with both values to one side; 2 are needed"
    ]


def test_nothing_is_searched_where_none_is_listed_and_every_row_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search takes longer than growing the node."""

    def searched(*_: object) -> None:
        raise AssertionError("a surrogate was looked for")

    iris = rt.textbook("iris")
    tree = rt.CART().grow(iris)
    monkeypatch.setattr("reference_tree.auditing.surrogates.best_surrogate", searched)
    assert audit(tree, iris, rt.CART()).is_right
