"""The record of a measure: a new measure is one file, and everything that a measure has, it has."""

from __future__ import annotations

import json

import pytest

from reference_tree.conformance.decisions import MEASURES as RULES
from reference_tree.learners.criteria import CRITERIA
from reference_tree.measures.measure import measures
from reference_tree.splitting.candidate import MEASURES
from reference_tree.views.derivation.formulas import FORMULAS
from tests.every import of_every
from tests.made_up import House

MADE_UP = '''
"""A measure that no book has: the share of the pairs of rows that a question parts although their classes differ."""

from fractions import Fraction

from reference_tree.exact.worked import formula
from reference_tree.measures.conditional_entropy import by_class
from reference_tree.measures.entropy import total
from reference_tree.measures.measure import Measure, Quantity


@formula
def pairs(counts):
    """The share of the ordered pairs of rows with different classes."""
    n = total(counts)
    return sum(c / n * ((n - c) / n) for c in counts)


@formula
def parted(table):
    """The share of the pairs of different classes that end in different parts."""
    n = total(by_class(table))
    return pairs(by_class(table)) - sum((total(row) / n) ** 2 * pairs(row) for row in table if any(row))


PARTED = Measure(
    name="parted",
    of=parted,
    rule="measure.parted",
    called="share of parted pairs",
    criterion="parted",
    whole=(Quantity("P(D) = Σ_k p_k·(1 − p_k)", "the share of the pairs of rows with different classes", pairs),),
    steps=(Quantity("ΔP(D, A) = P(D) − Σ_i r_i²·P(D_i)", "the share of these that the answer parts", "parted"),),
)
'''


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    return House.with_module("reference_tree.measures", MADE_UP, tmp_path_factory.mktemp("house"))


@pytest.mark.slow
@pytest.mark.parametrize("engine", [pytest.param("on"), pytest.param("off", marks=pytest.mark.slow)])
def test_a_made_up_measure_grows_explains_and_is_audited(
    house: House, monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    monkeypatch.setenv("REFERENCE_TREE_ENGINE", engine)
    options = ["--learner", "cart", "--criterion", "parted", "--max-depth", "2"]
    tables = ("iris", "watermelon-2.0a")
    grown = [["grow", data, *options, "-o", f"{data}.json"] for data in tables]
    audited = [["audit", f"{data}.json", data] for data in tables]
    misspelt = ["grow", "golf", "--learner", "cart", "--criterion", "partd"]
    *done, explained, refused = house.commands(*grown, *audited, ["explain", "golf", *options], misspelt)
    assert [one.status for one in done] == [0, 0, 0, 0], done
    for data in tables:
        document = json.loads((house.folder / f"{data}.json").read_text(encoding="utf-8"))
        assert document["learner"]["options"]["criterion"] == "parted"
    assert all(" are right" in one.out for one in done[2:])
    assert "P(D) = Σ_k p_k·(1 − p_k)" in explained.out
    assert "ΔP(D, outlook" in explained.out
    assert "share of parted pairs" in explained.out
    assert refused.status == 2
    assert "did you mean parted?" in refused.err


@pytest.mark.slow
def test_a_golden_is_written_with_it(house: House) -> None:
    script = (
        "import json\n"
        "import reference_tree as rt\n"
        "from reference_tree.conformance.decisions import decisions_json, rules_of\n"
        "from reference_tree.learners.growing import revisit\n"
        "table, learner = rt.textbook('golf'), rt.CART(criterion='parted')\n"
        "tree = learner.grow(table)\n"
        "rules = sorted(rules_of(learner.decide(table.sample()), learner))\n"
        "print(json.dumps([decisions_json(tree, revisit(tree, learner, table), learner)[0], rules]))\n"
    )
    decision, rules = json.loads(house.python(script))
    assert all(set(one["scores"]) <= {"parted"} for one in decision["candidates"])
    assert "measure.parted" in rules


@of_every(measures())
def test_what_is_known_of_a_measure_is_a_view_of_its_record(name: str) -> None:
    record = measures()[name]
    assert (name in MEASURES) == (record.counted != "numbers")
    assert CRITERIA.get(record.criterion) is (record if record.criterion else None)
    assert RULES.get(name, "") == record.rule
    assert (name in FORMULAS) == bool(record.called and record.counted != "numbers")
    assert bool(record.called) == bool(record.steps) == bool(record.rule)
    assert set(record.beside) <= set(measures())
