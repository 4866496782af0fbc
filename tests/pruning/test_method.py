"""The record of a pruning method: a new one is one file, and everything that a method has, it has."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from reference_tree.conformance.prunings import RULES
from reference_tree.pruning.method import methods
from tests.every import of_every

ROOT = Path(__file__).parents[2]

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
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with one more file."""
    house = tmp_path_factory.mktemp("house")
    shutil.copytree(ROOT / "reference_tree", house / "reference_tree", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "docs" / "schemas", house / "docs" / "schemas")
    (house / "reference_tree" / "pruning" / "made_up.py").write_text(MADE_UP, encoding="utf-8")
    run(house, "grow", "iris", "--learner", "cart", "-o", "iris.json")
    return house


def run(house: Path, *arguments: str, package: bool = True) -> str:
    command = [sys.executable, *(["-m", "reference_tree"] if package else []), *arguments]
    return subprocess.run(command, cwd=house, capture_output=True, encoding="utf-8", check=True).stdout


@pytest.mark.slow
def test_a_made_up_method_prunes_and_is_explained_and_audited(house: Path) -> None:
    options = ["prune", "iris.json", "iris", "--method", "priced", "--price", "3/2"]
    derivation = run(house, *options, "--explain")
    assert "P(t) = e(t) + p" in derivation
    assert "pruned by priced errors" in derivation
    assert "so the node becomes a leaf" in derivation
    run(house, "prune", "iris.json", "iris", "--price", "3/2", "-o", "pruned.json")
    document = json.loads((house / "pruned.json").read_text(encoding="utf-8"))
    assert document["learner"]["options"]["pruning"] == [{"method": "priced", "price": "3/2"}]
    assert " are right" in run(house, "audit", "pruned.json", "iris")


def test_its_option_has_a_flag_and_says_whose_it_is(house: Path) -> None:
    assert "--price ERRORS" in run(house, "prune", "--help")
    command = [sys.executable, "-m", "reference_tree", "prune", "iris.json", "iris", "--method", "pricd"]
    refused = subprocess.run(command, cwd=house, capture_output=True, encoding="utf-8", check=False)
    assert refused.returncode == 2
    assert "priced" in refused.stderr


def test_python_has_it_and_a_golden_is_written_with_it(house: Path) -> None:
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
    expected, rules = json.loads(run(house, "-c", script, package=False))
    assert rules == ["priced.errors"]
    assert {"at", "node", "rules", "as_leaf", "as_subtree", "pruned"} == set(expected["decisions"][0])


@of_every(methods())
def test_what_is_known_of_a_method_is_a_view_of_its_record(name: str) -> None:
    record = methods()[name]
    assert record.called
    assert record.rules
    assert set(record.rules) <= set(RULES)
    assert all(option.words for option in record.options.values())
