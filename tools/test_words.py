"""Texts that users read have the nouns of the field: no clause with a person in it for a thing that has a name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.every import of_every

PACKAGE = Path(__file__).parents[1] / "reference_tree"
MODULES = sorted(PACKAGE.rglob("*.py"))

UNUSED = {
    r"\bow(e|es|ed)\b": "feature importance",
    r"\btakes? away\b": "the reduction by a test",
    r"\bwho(ever)? (decides?|grows?|judges?|asks?)\b": "the learning algorithm, the method",
    r"\bgets? (it )?(right|wrong)\b": "correctly classified, misclassified; errors",
    r"\bonce the answer\b": "the mean of the outcomes",
    r"\b[Tt]he confusion\b(?! matrix)|\bno confusion\b(?! matrix)": "confusion matrix",
    r"\bwhat (stands?|comes?) (between|before|behind)\b": "the separator",
    r"\bhow much (its|their|a) .* counts?\b": "the weight",
    r"\bwhat (a|the|these|those|that|its|it) \w+( \w+)? (weighs?|saves?|adds?|leaves?|solves?)\b": "weight, saving",
    r"\bleaves? undone\b": "the residuals",
    r"\bworth (less|more) than\b": "a lower, a higher score",
    r"\brows? (without an answer|(that|which) (does|do) not answer)\b|\bgoes that does not answer\b": "a missing value",
    r"\b[Ww]hat becomes of\b": "the rule for",
    r"\bspeaks? against\b": "the errors",
    r"\bhow many (trees|rounds|surrogates|attributes|branches)\b|\binto how many\b": "the number of trees",
    r"\bhow (a|an) [\w ]+ (is|are) (asked|looked for)\b": "the tests of an attribute, the search for a test",
    r"\bwhich (draw|folds)\b": "the seed",
    r"\bhow much (worse|better)\b": "the number of standard errors",
    r"\b[Hh]olds? [\w' ]+ against\b": "check, compare",
    r"\brows say\b": "its rows give",
    r"\bbest question\b|\b(no|every) question\b|\bquestions? (gains?|takes?|parts|leaves?)\b": "the test",
    r"\b(node|leaf|tree|trees) answers?\b|\bone answer\b": "the prediction; how trees are combined",
    r"\bmay not ask\b|\bthat asks\b": "a test that may not be used; an inner node",
    r"\bseed of what\b|\bnumber of the draws\b": "the seed of the random draws",
    r"\bway of (a|one|some) rows?\b": "the path of a row",
    r"\bquestions? (about|to find|with more)\b|\bof one question\b|\basks? (about|an? )": "the test; tests",
    r"\bis no answer of\b|\bcheapest answer\b|\bleaves answer\b": "the prediction",
    r"\b(all|each|every) (row|rows) answers?\b|\brows that answer\b": "the rows with a known value",
}
"""Words that are not used → the nouns in their place."""
ANY_UNUSED = re.compile("|".join(UNUSED))


def texts(module: Path) -> Iterator[tuple[int, str]]:
    """The texts of a module with their lines, docstrings aside."""
    docstrings = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):  # what contains a node comes before it
        if isinstance(node, ast.Expr):
            docstrings.add(id(node.value))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.lineno, node.value


@pytest.mark.slow
@of_every(MODULES)
def test_texts_have_the_nouns_of_the_field(module: Path) -> None:
    found = [
        f"line {line}: {text!r}; say: {noun}"
        for line, text in texts(module)
        if ANY_UNUSED.search(text)
        for words, noun in UNUSED.items()
        if re.search(words, text)
    ]
    assert not found


def test_the_list_recognises_what_it_names() -> None:
    told = "What the answers owe to each attribute; who decides what a split takes away"
    assert sum(bool(re.search(words, told)) for words in UNUSED) == 3
