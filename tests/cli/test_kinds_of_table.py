"""Kinds of table: what the commands say of each is what is recorded, a line for people each."""

from __future__ import annotations

import re

import pytest

from tests.cli.kinds_of_table import COMMANDS, RECORD, kinds, record


@pytest.mark.slow
@pytest.mark.long
def test_what_is_said_of_each_kind_of_table_is_recorded() -> None:
    assert record() == RECORD.read_text(encoding="utf-8")


def test_the_record_has_every_kind_and_nothing_but_lines_for_people() -> None:
    text = RECORD.read_text(encoding="utf-8")
    assert len(re.findall(r"^\S.*, \S+$", text, re.MULTILINE)) == len(list(kinds())) >= 21
    assert {line.split(":")[0].strip() for line in re.findall(r"^  \S.*", text, re.MULTILINE)} == set(COMMANDS)
    messages = re.findall(r"^    (.*)", text, re.MULTILINE)
    assert all(line.startswith("reference-tree: ") for line in messages)
    assert all(status in "02" for status in re.findall(r"^  \S+ (\d+)$", text, re.MULTILINE))
    refused = re.findall(r": 2\n((?:    .*\n)*)", text)
    assert all(lines for lines in refused)
    assert sum(lines.count("\n") > 1 for lines in refused) <= 3, "remarks before an error"
