"""The record of a pruning method: a new one is one file, and everything that a method has, it has."""

from __future__ import annotations

import json

import pytest

from reference_tree.conformance.prunings import RULES
from reference_tree.pruning.method import methods
from tests.every import of_every
from tests.made_up import House

MADE_UP = '''
"""A pruning that no book has: a subtree has to save some errors for each of its branches."""

from fractions import Fraction

from reference_tree.exact.rationals import exact_text, rational
from reference_tree.exact.worked import formula
from reference_tree.measures.measure import Quantity
from reference_tree.pruning.comparing import Comparison, comparing
from reference_tree.learners.recorded import NUMBER, Option


@formula
def charged(errors, price):
    """The errors of a leaf, and its price."""
    return errors + price


def _figures(record):
    price = Fraction(rational(record["price"]))
    return Comparison(
        leaf=Quantity("P(t) = e(t) + p", "the errors of a leaf and its price", lambda here: charged(here.wrong, price)),
        below=Quantity("P(T_t) = Σ_b P(b)", "the same below", lambda here: sum(part.figure for part in here.parts)),
    )


PRICED = comparing(
    _figures,
    name="priced",
    called="priced errors",
    options={"price": Option(1, NUMBER, "the errors that a leaf has to save", unit="errors")},
    record=lambda tree, given: {"price": exact_text(given.get("price", 1))},
    rules=("priced.errors",),
)
'''


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    return House.with_module("reference_tree.pruning", MADE_UP, tmp_path_factory.mktemp("house"))


@pytest.mark.slow
def test_a_made_up_method_prunes_and_is_explained_and_audited(house: House) -> None:
    price = ["--price", "3/2"]
    done = house.commands(
        ["grow", "iris", "--learner", "cart", "-o", "iris.json"],
        ["prune", "iris.json", "iris", "--method", "priced", *price, "--explain"],
        ["prune", "iris.json", "iris", *price, "-o", "pruned.json"],
        ["audit", "pruned.json", "iris"],
        ["prune", "--help"],
        ["prune", "iris.json", "iris", "--method", "pricd"],
    )
    assert [one.status for one in done] == [0, 0, 0, 0, 0, 2], done
    derivation = done[1].out
    assert "P(t) = e(t) + p" in derivation
    assert "pruned by priced errors" in derivation
    assert "so the node becomes a leaf" in derivation
    document = json.loads((house.folder / "pruned.json").read_text(encoding="utf-8"))
    assert document["learner"]["options"]["pruning"] == [{"method": "priced", "price": "3/2"}]
    assert " are right" in done[3].out
    assert "--price ERRORS" in done[4].out, "its option has a flag"
    assert "priced" in done[5].err


@pytest.mark.slow
def test_python_has_it_and_a_golden_is_written_with_it(house: House) -> None:
    script = (
        "import json\n"
        "import reference_tree as rt\n"
        "from reference_tree.conformance.prunings import RULES, pruning_json\n"
        "table = rt.textbook('iris')\n"
        "found = pruning_json(rt.CART().grow(table), {'method': 'priced', 'price': '1'}, table)\n"
        "pruned = rt.prune(rt.CART().grow(table), 'priced', price=1)\n"
        "assert 'Pruned by priced errors' in rt.explain(pruned, table)\n"
        "print(json.dumps([found.expected, sorted(found.rules & set(RULES))]))\n"
    )
    expected, rules = json.loads(house.python(script))
    assert rules == ["priced.errors"]
    assert {"at", "node", "rules", "as_leaf", "as_subtree", "pruned"} == set(expected["decisions"][0])


@of_every(methods())
def test_what_is_known_of_a_method_is_a_view_of_its_record(name: str) -> None:
    record = methods()[name]
    assert record.called
    assert record.rules
    assert set(record.rules) <= set(RULES)
    assert all(option.words for option in record.options.values())
