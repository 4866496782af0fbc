"""Blocks: the words that all ways of writing share."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from reference_tree.data.textbook import textbook
from reference_tree.learners.c45 import C45
from reference_tree.learners.id3 import ID3
from reference_tree.views import derivation
from reference_tree.views.derivation.blocks import Symbol, heading, of_node, symbol
from reference_tree.views.derivation.writers.mathml import mathml
from tests.every import of_every


def test_a_symbol_takes_any_name() -> None:
    symbol = Symbol("H(D|A)", r"H(D \mid A)").of("A\nB_1")
    assert symbol == (r"H(D|A\nB_1)", r"H(D \mid \text{A\textbackslash{}nB\_1})")


@of_every(
    [
        ("H(D|A)", r"H(D \mid A)"),
        ("p_k = |C_k|/|D|", r"p_k = \lvert C_k \rvert / \lvert D \rvert"),
        ("Σ_i r_i·σ²(D_i)", r"\sum_i r_i \, \sigma^2(D_i)"),
        ("Σ|y − ỹ|", r"\Sigma \lvert y - \tilde y \rvert"),
        ("Σ_{G(x) ≠ y} w", r"\sum_{G(x) \neq y} w"),
        ("1 − max_k p_k", r"1 - \max_k p_k"),
        ("N_tc", "N_{tc}"),
    ]
)
def test_tex_follows_from_text(text: str, tex: str) -> None:
    assert symbol(text) == (text, tex)


def _symbols(found: Any) -> Iterator[Symbol]:
    """The symbols in a constant of a module, however deep."""
    if isinstance(found, Symbol):
        yield found
    elif isinstance(found, tuple | list):
        for one in found:
            yield from _symbols(one)
    elif isinstance(found, dict):
        yield from _symbols(list(found.values()))


def test_every_symbol_is_written_for_browsers_too() -> None:
    names = [f"{derivation.__name__}.{module.name}" for module in iter_modules(derivation.__path__)]
    every = [one for name in names for one in _symbols(list(vars(import_module(name)).values()))]
    assert len(set(every)) > 100
    for one in every:
        assert mathml(one.tex).startswith("<math>")


def test_a_heading_has_the_rows_of_the_node() -> None:
    golf = textbook("golf")
    tree = C45().grow(golf)
    found = heading(tree, 0)
    assert (found.path, found.arrives, found.figures) == ("/", "14 rows", ("no 5", "yes 9"))
    gaps = C45().grow(textbook("watermelon-2.0a"))
    amounts = [heading(gaps, number).arrives for number in range(len(gaps.nodes))]
    weights = [node.weight for node in gaps.nodes]
    assert [line.startswith("a weight of") for line in amounts] == [weight.denominator != 1 for weight in weights]


def test_a_quantity_of_a_node_stands_under_its_path() -> None:
    tree = ID3().grow(textbook("play-tennis"))
    assert of_node("g", tree, tree.find("/outlook=sunny")).text == "g(/outlook=sunny)"
