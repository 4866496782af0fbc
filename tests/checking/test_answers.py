"""Answers files: what cannot be read ends with one line that says where, within seconds."""

from __future__ import annotations

import io
import math
from pathlib import Path

import pytest

from reference_tree.checking.check import read_answers
from reference_tree.data.errors import InputError

KNOWN = ["formula/a", "formula/b"]


def read(tmp_path: Path, content: bytes) -> dict[str, object]:
    file = tmp_path / "answers.jsonl"
    file.write_bytes(content)
    return read_answers(str(file), KNOWN)


def test_answers_are_read_line_by_line(tmp_path: Path) -> None:
    content = b'\xef\xbb\xbf{"id": "formula/a", "answer": 0.5}\r\n\n{"id": "formula/b", "answer": {"exact": "1/2"}}'
    assert read(tmp_path, content) == {"formula/a": 0.5, "formula/b": {"exact": "1/2"}}


def test_what_is_no_number_spoils_its_own_answer_alone(tmp_path: Path) -> None:
    content = b'{"id": "formula/a", "answer": NaN}\n{"id": "formula/b", "answer": [1e999999, -Infinity]}'
    first, second = read(tmp_path, content).values()
    assert str(first) == "nan"
    assert second == [math.inf, -math.inf]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "holds no answers"),
        (b"\n" * 1_000_000, "holds no answers"),
        (b'{"id": "formula/a", "answer": "\xff"}', "line 1, column 32: is not UTF-8"),
        (b'{"id": "formula/a", "answer": 0.5}\n{"id"', "line 2, column 6: is not JSON"),
        (b'{"id": "formula/a", "answer": ' + b"9" * 10_000 + b"}", "line 1: is not an answer"),
        (b'{"id": "formula/a", "answer": ' + b"[" * 100_000, "line 1: is not an answer: it is nested too deeply"),
        (b'{"id": "formula/a", "id": "formula/b", "answer": 1}', "occurs twice in an object"),
        (
            b'{"id": "formula/a", "answer": 1}\n' * 1_000_000,
            "line 2: the case formula/a was answered in line 1 already",
        ),
        (b'{"id": "formul/a", "answer": 1}', "line 1: there is no case 'formul/a' (did you mean formula/a?)"),
        (b'{"id": 7, "answer": 1}', "line 1: '7' is no text"),
        (b'{"id": "formula/a"}', "line 1: 'answer' is absent"),
        (b'{"id": "formula/a", "anwser": 1}', "line 1: 'answer' is absent"),
        (b"[1, 2]", "line 1: '[1, 2]' is no object"),
    ],
    ids=lambda value: str(value[:40])[:40],
)
def test_what_cannot_be_read_is_refused_in_one_line(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(InputError) as refused:
        read(tmp_path, content)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400


def test_a_line_may_not_be_endless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reference_tree.checking.check.LONGEST", 100)
    with pytest.raises(InputError, match="line 1: is longer than 100 bytes"):
        read(tmp_path, b" " * 1000)


def test_a_file_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_answers("no/such/file", KNOWN)


def test_answers_come_from_standard_input_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"id": "formula/b", "answer": "1/2"}\n')))
    assert read_answers("-", KNOWN) == {"formula/b": "1/2"}
