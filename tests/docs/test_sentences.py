"""The ledger of sentences: a figure that is typed in the prose of *Learn* is held by an assertion of its page.

The message of an assertion is a piece of the sentence that it holds, as it stands in the page. So an assertion whose
sentence was changed is found, and a sentence with a figure that no assertion holds. `FREE` lists the other sentences
with figures, each with the reason. `python -m tests.docs.test_sentences` prints how many there are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from docs.tools.blocks import blocks
from docs.tools.pages import beneath
from tests.docs.test_learn import DOCS, EXERCISE, PATH, in_depth, text_of
from tests.every import of_every
from tests.peers.seen.record import SEEN

NUMBERS = """
    two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
    nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million half third quarter fifth
    second eighth twice hundredth
"""
FIGURE = re.compile(rf"\d|\b(?:{'|'.join(NUMBERS.split())})\b", re.IGNORECASE)
"""What states a figure."""

NAME = re.compile(
    r"C4\.5|J48|ID3|watermelon \d\.\d\S?|(?:figure|table|equation) \(?\d+(?:\.\d+)?\)?|[A-Z]\w+\d{4}(?: §[\d.]+)?"
    r"|\]\([^)]*\)|<[^>]+>|`[^`]*`|\$[^$]*[a-zA-Z][^$]*\$"
)
"""Names with digits in them, addresses, code and formulas."""

NO_SENTENCE = re.compile(
    r"\A---\n.*?\n---\n|^ *```.*?^ *```$|\$\$.*?\$\$|^ *\|[^\n]*$|^:::[^\n]*(?:\n +[^\n]*)*|^#+ [^\n]*$",
    re.MULTILINE | re.DOTALL,
)
"""Front matter, code, formulas that stand alone, tables, modules, headings."""

END = re.compile(r"(?<=[.:?!;])\s+(?=[A-Z`*\[$])")

MEANING = "it says what something is, and nothing of a table"
LAW = "it holds of every table; the page of the measure or learner and its tests have the proof"
HERE = "it counts lines of code, of a list or of a table that stand beside it"
OTHER = "it tells what a book or a program does or recommends"

FREE: dict[str, dict[str, tuple[str, ...]]] = {
    MEANING: {
        "attribution/shapley": ("has three meanings in use", "the third, the mean over the training rows that agree"),
        "learn/what_is_a_tree": ("A question about a number cuts the plane in two",),
        "measures/entropy": ("With two classes, one number varies",),
        "learners/c45": ("cut a number in two where the gain is largest",),
        "measures/gini_index": (
            "How often do the two classes differ?",
            "the probability that two draws differ in class",
        ),
        "learners/cart": ("Try every question of two answers",),
        "pruning/error_based": ("take the best of three",),
        "ensembles/adaboost": ("A musician who practises a piece",),
        "ensembles/boosting_tree": ("The first tree predicts the target, the second the error of the first",),
        "ensembles/gradient_boosting": ("the derivative of half the squared error",),
        "selection/overfitting": ("it is a statement about two trees and two errors",),
        "six_trees": (
            "and the two differ",
            "The eight dialects are",
            "Two trees are walked through together",
            "If one option alone",
            "and CART [into two]",
        ),
        "learn/is_it_right": (
            "So do not compare two trees",
            "[One table, six trees]",
            "The other half of being right needs no measure",
        ),
    },
    LAW: {
        "learners/c45": ("such ratios of two small numbers", "between any two neighbouring values"),
        "pruning/cost_function": ("Where two prunings cost the same",),
        "ensembles/adaboost": ("for two classes",),
        "attribution/shapley": ("Two attributes that add the same to every set have the same value",),
        "learn/is_it_right": ("Where two questions are equally good", "Before you call one of two trees wrong"),
    },
    HERE: {
        "learn/what_is_a_tree": ("Two lines grow a tree and predict a day",),
        "learners/cart": ("The third is ID3 with the Gini index",),
        "splitting/missing_values": ("The last two columns divide the gain",),
        "pruning/pre_pruning": ("all four rows are training and validation rows alike",),
        "pruning/side_by_side": (
            "The table shows two things",
            "the cost function is 4 bits",
            "with its three labels, and then the five trees",
            "None of the five is *the* right one",
        ),
        "ensembles/adaboost": ("derives the second tree, and then the weights",),
        "ensembles/boosting_tree": ("derives the second tree from its residuals",),
        "six_trees": (
            "so their two roots are put beside each other",
            "look at the node at which two derivations part",
            "Where two trees part",
        ),
    },
    OTHER: {
        "measures/entropy": ("This is Quinlan's table of 1986",),
        "ensembles/bagging": ("from 64 to 128",),
    },
}
"""Reason → page → pieces of sentences that state a figure without an assertion."""


def flat(text: str) -> str:
    return " ".join(text.split())


def messages(page: str) -> list[str]:
    """The pieces of sentences that the assertions of a page hold, and those of the page beneath it."""
    found = []
    path = DOCS / f"{page}.md"
    for block in (block for one in (path, beneath(path)) if one.exists() for block in blocks(one)):
        for node in ast.walk(ast.parse(block.code)):
            if isinstance(node, ast.Assert) and isinstance(node.msg, ast.Constant):
                found.append(str(node.msg.value))
    return found


def sentences(text: str) -> Iterator[str]:
    """The sentences of a page, without those of its exercises."""
    for paragraph in re.split(r"\n\s*\n", NO_SENTENCE.sub("\n\n", EXERCISE.sub(" ", SEEN.sub("", text)))):
        yield from END.split(flat(paragraph))


def stating(text: str) -> list[str]:
    """The sentences of a page that state a figure."""
    return [one for one in sentences(text) if FIGURE.search(NAME.sub(" ", one))]


def free(page: str) -> list[str]:
    """The pieces of a page's sentences that state a figure without an assertion."""
    return [piece for pages in FREE.values() for piece in pages.get(page, ())]


@of_every(PATH)
def test_a_figure_in_a_sentence_is_asserted_where_the_page_is_built(page: str) -> None:
    held = [*messages(page), *free(page)]
    assert [one for one in stating(text_of(page)) if not any(piece in one for piece in held)] == []


@of_every([*PATH, "learners/optimal"])
def test_what_an_assertion_holds_stands_in_its_page(page: str) -> None:
    text = flat(in_depth(page))
    assert [one for one in messages(page) if one not in text.replace(f'"{one}"', "")] == []


@of_every(PATH)
def test_no_exception_outlives_its_sentence(page: str) -> None:
    there = stating(in_depth(page))
    assert [piece for piece in free(page) if not any(piece in one for one in there)] == []


def test_an_assertion_without_a_figure_is_no_figure() -> None:
    assert all(map(FIGURE.search, ("three of five", "of 14", "half as much")))
    assert not FIGURE.search("one secondary question")
    assert not FIGURE.search(NAME.sub(" ", "C4.5 and `ID3` of Zhou's figure 4.9, [here](x1.md), $x_2$"))


if __name__ == "__main__":
    for page in PATH:
        told, left = stating(in_depth(page)), free(page)
        alone = sum(any(piece in one for piece in left) for one in told)
        print(
            f"{page}: {len(messages(page))} assertions; {len(told)} sentences with a figure, {alone} without assertion"
        )
