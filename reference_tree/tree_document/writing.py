"""Writing: a tree or an ensemble as a document, one line for each node, the same bytes on every platform."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from reference_tree.data.errors import InputError, option
from reference_tree.data.questions import SeenSubset, Subset, Surrogate, Test
from reference_tree.data.schema import Attribute
from reference_tree.ensembles.ensemble import Ensemble, Member
from reference_tree.exact.rationals import OWN_DIGITS, Rational, UndecidedError, exact_text
from reference_tree.invariants import faults_of_missing
from reference_tree.node import Deviations, Node, TreeError
from reference_tree.tree import Grower, Program, Tree, check_tree
from reference_tree.tree_document.form import ENSEMBLE_FORMAT, FORMAT
from reference_tree.tree_document.members import member_json, weight_json
from reference_tree.tree_document.nodes import answer_json, question_json, when
from reference_tree.tree_document.silence import left_out, program_json
from reference_tree.tree_document.treatments import treatment_json

_LONGEST = OWN_DIGITS * 33219 // 10000
"""The most bits of a term of a weight in a document: log2 10 > 3.3219, so it has at most `OWN_DIGITS` digits."""


def to_json(predictor: Tree | Ensemble) -> str:
    """A tree or an ensemble as a JSON document; the trees of an ensemble follow one another.

    Raises:
        InputError: a weight has more digits than a document may hold, because rows with missing values were divided
            among the branches too often.
        TreeError: the answer of a node does not follow from its counts, or a row without an answer has two ways to go.

    Example:
        >>> from reference_tree.data.schema import Attribute
        >>> leaf = Node((5, 9), "yes", stop="max-depth")
        >>> print(to_json(Tree(Attribute("play", ("no", "yes")), (), (leaf,))), end="")
        {"format": "reference-tree/tree/1",
         "target": {"name": "play", "kind": "categorical", "classes": ["no", "yes"]},
         "attributes": [],
         "learner": {"name": "unknown", "profile": null, "options": {}},
         "nodes": [
          {"id": 0, "counts": {"no": "5", "yes": "9"}, "label": "yes", "stop": "max-depth"}
         ]}
    """
    if not isinstance(predictor, Ensemble):
        check_tree(predictor)
        return _document({"format": FORMAT, **_head(predictor, predictor.program)}, "nodes", _lines(predictor))
    program = predictor.members[0].tree.program
    head = {"format": ENSEMBLE_FORMAT, **_head(predictor, program), "combine": predictor.combine}
    if predictor.start:
        head["start"] = list(map(weight_json, predictor.start))
    return _document(head, "trees", map(_member, predictor.members))


def _member(member: Member) -> str:
    """A tree of an ensemble: a line for each node, and one line before and one after them."""
    nodes = ",\n".join(f"   {line}" for line in _lines(member.tree))
    return f'{_dump(member_json(member))[:-1]}, "nodes": [\n{nodes}\n  ]}}'


def _head(predictor: Tree | Ensemble, program: Program | None) -> dict[str, object]:
    """The part of a document before the nodes."""
    authors = {"learner": _grower(predictor.grower)}
    return {
        "target": _attribute(predictor.target, "classes"),
        "attributes": [_attribute(attribute, "values", program) for attribute in predictor.attributes],
        **(authors if program is None else {**authors, "program": program_json(program)}),
    }


def _lines(tree: Tree) -> Iterator[str]:
    """The nodes of a tree, one line each."""
    median = isinstance(tree.nodes[0].counts, Deviations)
    return (_dump(_node(number, node, tree, median)) for number, node in enumerate(tree.nodes))


def _document(head: Mapping[str, object], items: str, lines: Iterable[str]) -> str:
    head_text = ",\n".join(f" {_dump(key)}: {_dump(value)}" for key, value in head.items()).lstrip()
    return "{" + head_text + f',\n "{items}": [\n' + ",\n".join(f"  {line}" for line in lines) + "\n ]}\n"


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _attribute(attribute: Attribute, domain: str, program: Program | None = None) -> dict[str, object]:
    described: dict[str, object] = {"name": attribute.name, "kind": attribute.kind}
    implied = "written" if program is None or program.numbers == "exact" else program.numbers
    if attribute.held != (implied if attribute.values is None else "written"):
        described["floats"] = attribute.held
    if attribute.values is not None:
        described[domain] = list(attribute.values)
    if attribute.treatment is not None:
        described["treatment"] = treatment_json(attribute.treatment)
    return described


def _grower(grower: Grower) -> dict[str, object]:
    written: dict[str, object] = {
        "name": grower.name,
        "profile": grower.profile,
        "options": dict(grower.options),
    }
    return {**written, "source": dict(grower.source)} if grower.source else written


def _node(number: int, node: Node, tree: Tree, median: bool) -> dict[str, object]:
    _check_length(number, [*node.counts, *node.missing.shares])
    if fault := next(faults_of_missing(node), None):
        raise TreeError(f"node {number} {fault}")
    silent = left_out(tree.silent, asks=node.test is not None)
    stated = {key: value for key, value in answer_json(node, tree.target, median=median).items() if key not in silent}
    written: dict[str, object] = {"id": number, **stated}
    if node.test is None:
        return {**written, "stop": node.stop, **({"prior": True} if node.prior else {})}
    branches = _branches(node.test, node.branches)
    if "missing" in tree.silent:
        return {**written, "test": question_json(node.test), "branches": branches}
    shares = () if node.missing.aggregates else node.missing.shares
    for branch, share in zip(branches, shares, strict=False):  # no share, or one for each branch
        branch["share"] = exact_text(share)
    return {**written, "test": question_json(node.test), "branches": branches, **_missing(node)}


def _branches(test: Test, to: tuple[int, ...]) -> list[dict[str, object]]:
    return [{"when": when(outcome), "to": number} for outcome, number in zip(test.outcomes, to, strict=True)]


def _missing(node: Node) -> dict[str, Any]:
    """Where a row without an answer goes; empty if the shares of the branches say it, or if such a row is refused."""
    missing = node.missing
    if missing.rule in ("fractions", "error"):
        return {}
    to = {} if missing.to is None else {"to": node.branches[missing.to]}
    written: dict[str, Any] = {"missing": {"rule": missing.rule, **to}}
    if missing.surrogates:
        written["surrogates"] = [_surrogate(node, surrogate) for surrogate in missing.surrogates]
    return written


def _surrogate(node: Node, surrogate: Surrogate) -> dict[str, object]:
    test: Test = surrogate.test
    unseen: dict[str, object] = {}
    if isinstance(test, SeenSubset):
        unseen["unseen"] = list(test.unseen)
        test = Subset(test.attribute, test.values)
    branches = _branches(test, tuple(node.branches[branch] for branch in surrogate.branches))
    agreement = exact_text(surrogate.agreement)
    return {"test": question_json(test), "branches": branches, "agreement": agreement, **unseen}


def _check_length(number: int, weights: list[Rational]) -> None:
    if any(map(_is_too_long, weights)):
        raise InputError(
            f"node {number} has a weight of more than {OWN_DIGITS} digits, which no document holds: rows with "
            f"missing values have been divided too often on the way; say a smaller {option('max_depth')}"
        )


def _is_too_long(weight: Rational) -> bool:
    try:
        return max(weight.numerator.bit_length(), weight.denominator.bit_length()) > _LONGEST
    except UndecidedError:  # numerator and denominator are not even known
        return True
