"""Faults that are planted: each is noticed by the cases about it, and nothing else is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from reference_tree.checking.check import check
from tests.conformance.plain_doubles import table
from tests.conformance.plain_doubles.faults import FAULTS, FREE, Fault
from tests.every import of_every

HERE = Path(__file__).parent


def by_name(faults: tuple[Fault, ...]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("fault", faults, ids=lambda fault: fault.name)


@pytest.mark.slow
def test_without_a_fault_every_case_passes_that_a_double_can_pass() -> None:
    answers = {name: json.loads(table.plain(name).answer) for name in table.measured()}
    found = check(answers)
    assert [str(one) for one in found.judged if one.status == "failed"] == []
    assert sum(one.status == "passed" for one in found.judged) == len(answers) > 140


@pytest.mark.one_in(16, 48)
@by_name(FAULTS)
def test_a_fault_is_noticed_by_the_cases_about_it(fault: Fault) -> None:
    assert fault.cases
    for name in fault.cases:
        assert table.notices(name, fault.name), name


@pytest.mark.slow
@by_name(FREE)
def test_a_free_choice_raises_no_alarm(fault: Fault) -> None:
    changed = [name for name in table.measured() if fault.name in table.plain(name).comes_by]
    assert set(fault.cases) <= set(changed)
    assert [str(mistake) for name in changed for mistake in table.mistakes(name, fault.name)] == []


@of_every(["forest-of-golf", "forest-of-play-tennis", "forest-of-watermelons"])
def test_below_another_winner_the_nodes_of_a_forest_draw_otherwise(name: str) -> None:
    assert [str(mistake) for mistake in table.mistakes(f"ensemble/{name}", "last-of-equal-questions")] == []


def test_the_catalogue_is_what_the_learner_can_be_told() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (HERE / "plain_doubles").glob("*.py")]
    known = [fault.name for fault in (*FAULTS, *FREE)]
    assert set(re.findall(r'planted\("(.*?)"\)', "".join(sources))) == set(known)
    assert len(known) == len(set(known))


def test_the_learner_shares_nothing_with_the_package() -> None:
    for name in {path.stem for path in (HERE / "plain_doubles").glob("*.py")} - {"table", "__main__"}:
        source = (HERE / "plain_doubles" / f"{name}.py").read_text(encoding="utf-8")
        assert not re.search(r"^(from|import) reference_tree", source, re.MULTILINE), name


def test_the_page_names_every_fault_and_no_other() -> None:
    page = table.PAGE.read_text(encoding="utf-8").partition("## What the check says")[0]
    named = re.findall(r"^\| (.*) \| `(.*)` \| (.*) \| [1-9][0-9]* \|$", page, re.MULTILINE)
    assert named == [(fault.what, fault.name, ", ".join(f"`{name}`" for name in fault.cases)) for fault in FAULTS]


@pytest.mark.more
@pytest.mark.long
@pytest.mark.parametrize("first", range(2))
def test_the_page_says_what_is_noticed(first: int) -> None:
    """Of every fourth fault; `python -m tests.conformance.plain_doubles` writes all of them anew."""
    lines = table.PAGE.read_text(encoding="utf-8").splitlines()
    for fault in FAULTS[first::8]:
        found = table.noticed_by(fault)
        assert table.line_of(fault, found) in lines
        assert f"| {fault.what} | `{fault.name}` | {table.codes(fault.cases)} | {len(found)} |" in lines
