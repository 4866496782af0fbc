r"""Prediction: the path of one row down a tree, test by test, and its answer at the end.

1. `derive_prediction` shows the path: at each node the test, its outcome for the row, and the branch.
2. A row without an outcome goes on by the rule of the node: by surrogate tests, down one branch, nowhere, or down
   every branch in shares. A branch with the share r̃ gets a part of weight r̃·w of a row of weight w.
3. If the row ends in several nodes, the mixture is written out, summand by summand:

    $$P(c \mid X) = \sum_t w_t \, P(c \mid t) \qquad \hat y = \sum_t w_t \, \hat y_t$$

The path is that of `Tree.way`, and the shares are multiplied by `child_weight`: the page shows the prediction itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from reference_tree.data.errors import InputError
from reference_tree.data.frames import GivenRow
from reference_tree.data.linear_tests import Linear
from reference_tree.data.outcomes import cell_of
from reference_tree.data.questions import Missing, Multiway, Row, Test, child_weight
from reference_tree.exact.worked import Worked, work
from reference_tree.measures.misclassification import Costs, expected_costs
from reference_tree.tree import Stage, Tree, Unseen, Ways, check_tree
from reference_tree.views.derivation.blocks import (
    Block,
    Equation,
    Equations,
    Facts,
    Legend,
    Meaning,
    Sentence,
    Symbol,
    Title,
    heading,
    of_node,
    path_of,
    symbol,
)
from reference_tree.views.derivation.numerals import value_text
from reference_tree.views.derivation.writers import Format, page
from reference_tree.views.wording import answer_text, asked, cell_text, one_line, step_of, tex_name, weight_text

FEW = 4
"""The number of classes up to which all are listed; of more, only those with a share."""

WEIGHT = symbol("w_t"), "the part of the row that comes to node t; at the root 1"
SHARE = (
    symbol("w_v = r̃_v·w_t"),
    "the part of a row with a missing value in branch v; r̃_v is its share of the training rows with a known value",
)
AT_NODE = (symbol("P(c|t) = N_tc / N_t"), "the share of class c among the training rows at node t")
MIXED = (symbol("P(c|X) = Σ_t w_t·P(c|t)"), "over the nodes where the row ends")
MEAN = (symbol("ŷ = Σ_t w_t·ŷ_t"), "over the nodes where the row ends, each predicting ŷ_t")
LOST = (
    symbol("R(c) = Σ_j C(c|j)·P(j|X)"),
    "the expected cost of predicting c, C(c|j) being the cost where j is true",
)


def derive_prediction(tree: Tree, row: GivenRow, unseen: Unseen = "error", name: str = "a row") -> Iterator[Block]:
    """The path of a row down a tree, and its answer."""
    check_tree(tree)
    row = tree.reading(row)
    tree.ends(row, unseen)  # refuses a row that ends where no prediction is stated
    way = list(tree.way(row, unseen))
    ends = [stage for stage in way if stage.ways[0][0] is None]
    if len(ends) > 1 and tree.aggregates:
        raise InputError(f"{name} lacks a value, and the counts of the leaves are added up, which is not derived here")
    yield Title(one_line(f"The path of {name} down the tree"))
    yield cells_of(tree, row)
    if legend := tuple(_legend(tree, ends)):
        yield Legend(legend)
    for stage in way:
        yield from _stage(tree, row, stage, parted=len(ends) > 1)
    yield from _answer(tree, ends)


def cells_of(tree: Tree, row: GivenRow) -> Facts:
    """The values of a row in the columns of the attributes."""
    row = tree.reading(row)
    names = [attribute.name for attribute in tree.attributes if attribute.name in row]
    values = [f"{one_line(name)}={cell_text(cell_of(row, name))}" for name in names]
    return Facts((("row", ", ".join(values) or "no value is given"),))


def explain_prediction(
    tree: Tree, row: GivenRow, *, format: Format = "text", unseen: Unseen = "error", name: str = "a row"
) -> str:
    """How a tree comes to its answer for one row: the path, test by test, and the mixture at its end.

    Args:
        tree: the tree.
        row: attribute → value, None for a missing one; only the attributes met on the path are needed.
        format: as for `explain`.
        unseen: how to treat a value for which there is no branch, as for `Tree.predict`.
        name: the name of the row in the title.

    Raises:
        InputError: as for `Tree.predict`.

    Example:
        >>> import reference_tree as rt
        >>> tree = rt.ID3().grow(rt.textbook("play-tennis"))
        >>> print(explain_prediction(tree, {"outlook": "overcast"}), end="")
        The path of a row down the tree
        ═══════════════════════════════
        <BLANKLINE>
        row   outlook=overcast
        <BLANKLINE>
        P(c|t) = N_tc / N_t   the share of class c among the training rows at node t
        <BLANKLINE>
        /   14 rows: no 5, yes 9
        ────────────────────────
        <BLANKLINE>
        test    outlook
        value   overcast
        goes    to outlook=overcast
        <BLANKLINE>
        /outlook=overcast   4 rows: no 0, yes 4
        ───────────────────────────────────────
        <BLANKLINE>
        leaf     yes
        P(c|t)   no 0, yes 1
        <BLANKLINE>
        Prediction: yes.
    """
    return page(derive_prediction(tree, row, unseen, name), format)


def _legend(tree: Tree, ends: Sequence[Stage]) -> Iterator[Meaning]:
    """The meaning of the symbols that this path needs."""
    if len(ends) > 1:
        yield from (WEIGHT, SHARE)
    if tree.target.values is None:
        yield from [MEAN] if len(ends) > 1 else []
        return
    if not _has_counts(tree):
        return
    yield AT_NODE
    if tree.costs is not None and len(set(tree.costs.weights)) > 1:
        pairs = zip(tree.target.domain, tree.costs.weights, strict=True)
        weights = ", ".join(f"{one_line(label)} {weight_text(weight)}" for label, weight in pairs)
        yield symbol("N_tc"), f"as a row of each class counts by the priors: {weights}"
    if len(ends) > 1:
        yield MIXED
        yield from [LOST] if _charges(tree.costs) else []


def _has_counts(tree: Tree) -> bool:
    """Whether a tree states counts; a printed one may state answers alone."""
    return any(any(node.counts) for node in tree.nodes)


# One node.


def _stage(tree: Tree, row: Row, stage: Stage, *, parted: bool) -> Iterator[Block]:
    """A node on the path: its test and the branch taken, or its answer."""
    node = tree.nodes[stage.number]
    yield heading(tree, stage.number)
    facts = [("w_t", weight_text(stage.share))] if parted else []
    if node.test is not None:
        facts += _question_facts(node.test, node.missing, row, stage.ways)
    if stage.ways[0][0] is None:
        facts += _answer_facts(tree, stage.number, parted=parted)
    yield Facts(tuple(facts))
    if isinstance(node.test, Linear) and not _lacking(node.test, row):
        yield Equations((_sum(node.test, row),))
    if node.missing.shares and node.test is not None and _lacking(node.test, row):
        yield Equations(tuple(_parts(tree, stage)))


def _question_facts(test: Test, missing: Missing, row: Row, ways: Ways) -> Iterator[tuple[str, str]]:
    """The test of a node, its outcome for the row, and the branch."""
    lacking, (first, _) = _lacking(test, row), ways[0]
    yield "test", one_line(test.attribute) if isinstance(test, Multiway) else step_of(test, 0)
    values = ", ".join(cell_text(cell_of(row, name)) for name in test.attributes)
    yield "value", f"{' and '.join(lacking)} {'is' if len(lacking) == 1 else 'are'} missing" if lacking else values
    if first is None:
        nowhere = "such a row stays" if missing.stays else "there is no branch for this value"
        yield "goes", f"nowhere: {nowhere}, and the node predicts"
        return
    # The order is that of the rules for missing values: an outcome, shares of all branches, a surrogate, one branch.
    if not lacking and test.branch(row) is not None:
        yield "goes", f"to {step_of(test, first)}"
    elif missing.shares:
        yield "goes", "down every branch, in the parts below"
    elif (instead := missing.stand_in(row)) is not None:
        surrogate, outcome = instead
        agrees = f"agrees with it in {weight_text(surrogate.agreement)} of the training rows"
        yield "instead", f"{asked(surrogate.test)}, which {agrees}"
        yield "its value", ", ".join(cell_text(cell_of(row, name)) for name in surrogate.test.attributes)
        yield "goes", f"to {step_of(test, first)}, for which {step_of(surrogate.test, outcome)} stands"
    else:
        which = "if no surrogate has an outcome" if missing.surrogates else "with a missing value"
        yield "goes", f"to {step_of(test, first)}, where rows go {which}"


def _answer_facts(tree: Tree, number: int, *, parted: bool) -> Iterator[tuple[str, str]]:
    """The answer of a node, after its fraction if a mean is taken of it, and the share of each class there."""
    node = tree.nodes[number]
    fraction = "" if isinstance(node.label, str) else value_text(node.label)
    both = f"{fraction} ≈ " if parted and "/" in fraction else ""
    yield "leaf" if node.test is None else "predicts", both + answer_text(node.label)
    if tree.target.values is None or not _has_counts(tree):
        return
    stands = tree.counted(number)
    shares = tree.shares(((number, 1),)).items()
    probabilities = [
        f"{one_line(label)} {weight_text(share)}" for label, share in shares if share or len(tree.target.domain) <= FEW
    ]
    of = "" if stands == number else f", as at {path_of(tree, stands)}: no training row came here"
    yield "P(c|t)", ", ".join(probabilities) + of


def _sum(test: Linear, row: Row) -> Equation:
    """The sum in a linear test, with the values of the row."""
    terms = [(weight, coordinate.of(cell_of(row, coordinate.attribute))) for coordinate, weight in test.weights]
    worked: Worked = work(0)
    for weight, value in terms:
        term = work(abs(weight)) * work(value)
        worked = worked - term if weight < 0 else term if worked.operation == "number" else worked + term
    return Equation(Symbol(one_line(test.attribute), tex_name(test.attribute)), worked)


def _parts(tree: Tree, stage: Stage) -> Iterator[Equation]:
    """The weight that each branch gets of a row that goes down all of them."""
    for branch, share in stage.ways:
        assert branch is not None
        above = tree.nodes[stage.number]
        there, whole = (Fraction(node.weight) for node in (tree.nodes[above.branches[branch]], above))
        ratio = work(there) / work(whole) if there and there == share * whole else work(share)
        yield Equation(of_node("w", tree, above.branches[branch]), child_weight(work(stage.share), ratio))


def _lacking(test: Test, row: Row) -> list[str]:
    """The attributes of a test for which the row has no value."""
    return [one_line(name) for name in test.attributes if cell_of(row, name) is None]


# The end.


def _answer(tree: Tree, ends: Sequence[Stage]) -> Iterator[Block]:
    """The answer to the row; if it ends in several nodes, with their mixture."""
    answer = tree.answer(tuple((end.number, end.share) for end in ends))
    if len(ends) == 1:
        yield Sentence(f"Prediction: {answer_text(answer)}.")
    elif tree.target.values is None:
        labels = [tree.nodes[end.number].label for end in ends]
        terms = [work(end.share) * work(label) for end, label in zip(ends, labels, strict=True)]
        yield Equations((Equation(symbol("ŷ"), work(sum(terms))),))
        yield Sentence(f"Prediction: {answer_text(answer)}, the mean of the leaves, weighed by their parts of the row.")
    else:
        yield from _mixed(tree, ends, str(answer))


def _mixed(tree: Tree, ends: Sequence[Stage], answer: str) -> Iterator[Block]:
    """P(c|X) of each class, and the class that is answered."""
    there = [(work(end.share), list(tree.shares(((end.number, 1),)).values())) for end in ends]
    mixture = [work(sum(weight * work(shares[k]) for weight, shares in there)) for k in range(len(tree.target.domain))]
    pairs = list(zip(tree.target.domain, mixture, strict=True))
    shown = [(label, share) for label, share in pairs if share or len(pairs) <= FEW]
    yield Equations(tuple(Equation(symbol("P(A|X)").of(label), share) for label, share in shown))
    best, figures, most = "the most likely class", [share.value for share in mixture], max
    if (costs := tree.costs) is not None and _charges(costs):
        prices = expected_costs([work(share.value) for share in mixture], work(costs.loss))
        lines = zip(tree.target.domain, prices, strict=True)
        yield Equations(tuple(Equation(symbol("R(A)").of(label), work(price)) for label, price in lines))
        best, figures, most = "the class that costs least", [work(price).value for price in prices], min
    equal = figures.count(most(figures)) > 1
    yield Sentence(f"Prediction: {one_line(answer)}, {best}{', of equals the first in class order' if equal else ''}.")


def _charges(costs: Costs | None) -> bool:
    """Whether mistakes have different costs."""
    if costs is None:
        return False
    return {cost for k, row in enumerate(costs.loss) for j, cost in enumerate(row) if j != k} != {1}
