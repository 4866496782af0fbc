"""What holds for every test: a run can be repeated, a slow machine is no failure, and a test is about what it says.

A property is tried on a few examples, which are always the same; `--hypothesis-profile=thorough` tries more.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from tools.chosen import NOT_FOUND, mark_further_cases

LAWS = [HealthCheck.differing_executors]  # a law stands in a mixin, and several classes of tests inherit it
REPEATED = settings(deadline=None, derandomize=True, database=None, suppress_health_check=LAWS)

settings.register_profile("default", REPEATED, max_examples=6)
settings.register_profile("thorough", REPEATED, max_examples=20)
settings.register_profile("explore", deadline=None, max_examples=2000, suppress_health_check=LAWS)
settings.register_profile(
    "mutation", REPEATED, max_examples=8, phases=[Phase.explicit, Phase.generate], report_multiple_bugs=False
)
settings.load_profile("default")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Of what is collected nothing is garbage: looking for some, now or later, takes a third of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000)
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """A file of tests has no examples: looking for some takes longer than reading it."""
    found = yield
    if file_path.name.startswith("test_"):
        return [collector for collector in found if isinstance(collector, pytest.Module)]
    return found


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Every second process collects from the end: what one has compiled the other reads, until they meet."""
    report = yield
    if isinstance(collector, pytest.Directory) and os.environ.get("PYTEST_XDIST_WORKER", "0")[-1] in "13579":
        report.result.reverse()
    return report


def _place(item: pytest.Item) -> tuple[str, bool]:
    return item.nodeid.partition("::")[0], isinstance(item, pytest.Function)


def _mark_again(items: list[pytest.Item], config: pytest.Config) -> None:
    """Mark the tests that the file `AGAIN` names: they were skipped where something was missing."""
    file = os.environ.get("AGAIN")
    names = set(Path(file).read_text(encoding="utf-8").splitlines()) if file else set()
    files = {name for name in names if "::" not in name}  # each was skipped as a whole, and may be once more
    found = set(filter(os.path.exists, files))
    for item in items:
        if item.nodeid in names or item.nodeid.partition("::")[0] in files:
            item.add_marker(pytest.mark.again)
            found.add(item.nodeid)
    config.stash[NOT_FOUND] = sorted(names - found)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item], config: pytest.Config) -> None:
    """What is long begins first, or one process would wait for it in the end."""
    items.sort(key=_place)  # the same in each process
    _mark_again(items, config)
    mark_further_cases(items)
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def _covered(item: pytest.Item) -> list[str]:
    """The parts of the source documents that a test is about."""
    return [id_ for mark in item.iter_markers("covers") for id_ in mark.args]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """A test that is about something enters the code that answers to it."""
    if not (ids := _covered(item)):
        return (yield)
    from tools.traceability.covering import watched

    with watched(ids):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """It is not skipped, either: what nobody runs covers nothing."""
    report = yield
    if report.skipped and _covered(item):
        report.outcome = "failed"
        report.longrepr = f"skipped, and said to cover {', '.join(_covered(item))}"
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Write what was skipped into the file that `SKIPPED` names: `.ci/run` runs it where nothing is missing."""
    if file := os.environ.get("SKIPPED"):
        skipped = dict.fromkeys(report.nodeid for report in terminalreporter.stats.get("skipped", []))
        Path(file).write_text("".join(f"{test}\n" for test in skipped), encoding="utf-8")
