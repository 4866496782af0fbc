"""The record of a measure: a new measure is one file, and everything that a measure has, it has."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from reference_tree.conformance.decisions import MEASURES as RULES
from reference_tree.learners.criteria import CRITERIA
from reference_tree.measures.measure import measures
from reference_tree.splitting.candidate import MEASURES
from reference_tree.views.derivation.formulas import FORMULAS
from tests.every import of_every

ROOT = Path(__file__).parents[2]

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
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with one more file."""
    house = tmp_path_factory.mktemp("house")
    shutil.copytree(ROOT / "reference_tree", house / "reference_tree", ignore=shutil.ignore_patterns("__pycache__"))
    for data in ("docs/schemas", "tests/goldens"):
        shutil.copytree(ROOT / data, house / data)
    (house / "reference_tree" / "measures" / "made_up.py").write_text(MADE_UP, encoding="utf-8")
    return house


def run(house: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "reference_tree", *arguments]
    return subprocess.run(command, cwd=house, capture_output=True, encoding="utf-8", check=True).stdout


@pytest.mark.parametrize("engine", [pytest.param("on"), pytest.param("off", marks=pytest.mark.slow)])
def test_a_made_up_measure_grows_explains_and_is_audited(
    house: Path, monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    monkeypatch.setenv("REFERENCE_TREE_ENGINE", engine)
    options = ["--learner", "cart", "--criterion", "parted", "--max-depth", "2"]
    for data in ("iris", "watermelon-2.0a"):
        run(house, "grow", data, *options, "-o", f"tree-{engine}.json")
        document = json.loads((house / f"tree-{engine}.json").read_text(encoding="utf-8"))
        assert document["learner"]["options"]["criterion"] == "parted"
        assert " are right" in run(house, "audit", f"tree-{engine}.json", data)
    derivation = run(house, "explain", "golf", *options)
    assert "P(D) = Σ_k p_k·(1 − p_k)" in derivation
    assert "ΔP(D, outlook" in derivation
    assert "share of parted pairs" in derivation


def test_it_is_named_where_it_can_be_chosen(house: Path) -> None:
    command = [sys.executable, "-m", "reference_tree", "grow", "golf", "--learner", "cart", "--criterion", "partd"]
    refused = subprocess.run(command, cwd=house, capture_output=True, encoding="utf-8", check=False)
    assert refused.returncode == 2
    assert "did you mean parted?" in refused.stderr


def test_a_golden_is_written_with_it(house: Path) -> None:
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
    out = subprocess.run(
        [sys.executable, "-c", script], cwd=house, capture_output=True, encoding="utf-8", check=True
    ).stdout
    decision, rules = json.loads(out)
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
