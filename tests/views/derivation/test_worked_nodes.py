"""A node as the learner counts it."""

from __future__ import annotations

from typing import Any

from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.growing import grow, revisit
from reference_tree.learners.id3 import ID3
from reference_tree.splitting.missing_rules import MissingName
from reference_tree.views.derivation.blocks import NodeHeading
from reference_tree.views.derivation.nodes import derive
from reference_tree.views.derivation.worked_nodes import Given, WorkedNode
from tests.every import of_every


def test_every_node_is_headed_by_what_reaches_it() -> None:
    table = textbook("watermelon-2.0")
    tree = ID3().grow(table)
    headings = [block for block in derive(tree, ID3(), table) if isinstance(block, NodeHeading)]
    assert [heading.path for heading in headings] == [tree.path(number) for number in range(len(tree.nodes))]
    assert [heading.figures for heading in headings] == [
        tuple(f"{name} {count}" for name, count in zip("否是", node.counts, strict=True)) for node in tree.nodes
    ]


def root(learner: Any, table: Table) -> WorkedNode:
    tree = grow(learner, table)
    return WorkedNode.of(Given(tree, learner.grower().options, False, {}), learner, next(revisit(tree, learner, table)))


def test_rows_are_counted_as_priors_and_losses_weigh_them() -> None:
    assert root(CART(), textbook("golf")).whole() == (5, 9)
    assert root(CART(priors={"no": 1, "yes": 1}), textbook("golf")).whole() == (45, 45)
    assert root(CART(loss={"yes": {"no": 5}}), textbook("golf")).whole() == (5, 45)


def test_the_columns_of_numbers() -> None:
    assert root(CART(), textbook("li-hang-5.2")).columns == ("n", "Σy", "Σy²")
    by_values = root(CART(criterion="absolute_error"), textbook("li-hang-5.2"))
    assert by_values.columns[:2] == ("4.5", "4.75")
    assert by_values.whole() == (1,) * 10


def test_rows_without_an_answer_are_counted_in_where_the_rule_says_so() -> None:
    table = textbook("watermelon-2.0a")
    cases: tuple[tuple[MissingName, bool], ...] = (("better-side", True), ("surrogates", False))
    for missing, counted_in in cases:
        node = root(CART(missing=missing), table)
        assert node.decision.chosen is not None
        counted = node.counted(node.decision.chosen)
        assert any(counted.table.unknown) != counted_in
        assert sum(map(sum, counted.table.rows)) == (17 if counted_in else 15)


@of_every([CART(), CART(criterion="entropy"), CART(priors={"no": 1, "yes": 1}), CART(loss={"yes": {"no": 5}}), C45()])
def test_judging_again_gives_the_same_scores(learner: Any) -> None:
    node = root(learner, textbook("golf"))
    for candidate in node.decision.candidates:
        if not candidate.barred:
            assert node.counted(candidate).scores == candidate.scores


def test_the_best_by_estimates_are_the_best() -> None:
    node = root(CART(), textbook("iris"))
    found = node.best([c for c in node.decision.candidates if not c.barred])
    assert {one.test for one in found} == {winner.test for winner in node.decision.winners}


def test_the_share_heeds_priors() -> None:
    assert root(CART(priors={"no": 1, "yes": 1}), textbook("golf")).share() == 1
    assert root(C45(), textbook("golf")).share() == 1
