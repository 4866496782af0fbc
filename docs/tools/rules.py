"""The sentence of each rule, as the page of decisions has it."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[1] / "decisions.md"
_SECTION = re.compile(r"^## (.*?) \{#[^}]*\}$(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_SAID = re.compile(r"^\*\*`([\w.-]+)`\*\*(.*?)(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)
_ROW = re.compile(r"^\| `([\w.-]+)`\{[^}]*\} \| (.*?) \|", re.MULTILINE)


def rules() -> dict[str, str]:
    """Id → its question and its sentences, without markup.

    Example:
        >>> rules()["entropy.zero-log-zero"]
        'What is 0 · log 0? It is 0: a class that no row has adds nothing to an entropy.'
    """
    sections = _SECTION.findall(PAGE.read_text(encoding="utf-8"))
    return {
        name: _plain(f"{question} {said}")
        for question, body in sections
        for name, said in (*_ROW.findall(body), *_SAID.findall(body))
    }


def _plain(said: str) -> str:
    linked = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(said.split()))
    return re.sub(r"[*`$]", "", linked).strip()
