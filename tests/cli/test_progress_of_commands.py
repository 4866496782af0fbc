"""Tests of progress: the line that a terminal shows of a long command, and what an interrupted one says."""

from __future__ import annotations

import os
import signal
import sys
import time

import pytest

from reference_tree.cli import main, output

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no signal comes every second here")


def test_seconds_are_counted_while_a_command_runs_and_no_longer() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with output.running("grow a.csv", after_reading=lambda: None):
        assert signal.getitimer(signal.ITIMER_REAL)[1] == 1
        for _ in range(3):
            os.kill(os.getpid(), signal.SIGALRM)
        assert output.how_far() == "grow a.csv, after 3 s"
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert signal.getsignal(signal.SIGALRM) == before


def test_a_command_without_steps_is_shown_from_the_second_second_on(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[bytes] = []
    monkeypatch.setattr(output, "is_watched", lambda: True)
    monkeypatch.setattr(sys.stderr, "fileno", lambda: 2, raising=False)
    monkeypatch.setattr(os, "write", lambda _, line: written.append(line))
    with output.running("audit a.json \x1b.csv", after_reading=lambda: None):
        for _ in range(3):
            os.kill(os.getpid(), signal.SIGALRM)
    assert written == [f"\raudit a.json \\x1b.csv, {seconds} s\x1b[K".encode() for seconds in (2, 3)]


def test_a_step_is_over_when_it_ends_and_kept_when_it_is_interrupted() -> None:
    with output.running("grow a.csv", after_reading=lambda: None):
        with output.reading("a.csv"):
            assert output.how_far() == "grow a.csv: reading a.csv, after 0 s"
        assert output.how_far() == "grow a.csv, after 0 s"
        with pytest.raises(KeyboardInterrupt), output.reading("a.csv"):
            raise KeyboardInterrupt
        assert output.how_far() == "grow a.csv: reading a.csv, after 0 s"


def test_an_interrupted_command_says_how_far_it_came(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def at_the_fifth(nodes: int) -> None:
        output.show(nodes)
        if nodes == 5:
            raise KeyboardInterrupt

    monkeypatch.setattr("reference_tree.cli.learning.show", at_the_fifth)
    assert main(["grow", "play-tennis"]) == 130
    assert capsys.readouterr() == (
        "",
        "reference-tree: interrupted: grow play-tennis: 5 nodes, after 0 s; nothing is written\n",
    )


def test_a_sleeping_command_is_not_cut_short_by_the_seconds() -> None:
    with output.running("grow a.csv", after_reading=lambda: None):
        begun = time.monotonic()
        time.sleep(1.1)
        assert time.monotonic() - begun >= 1.1
