"""Needs: the abilities that a case requires, so that a program without them can leave it out.

They are read from the document of the case alone. A word stands for a part of the book; `exact` for a decision that no
double can be trusted with, because two scores, or a score and a bound, are different and nearer to each other than a
right answer in doubles may be to either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from reference_tree.conformance.tolerances import Total, tolerance
from reference_tree.ensembles.registry import RECORDED
from reference_tree.learners.options import Options
from reference_tree.splitting.binary_subsets import LIMIT

NEEDS: Mapping[str, str] = {
    "attributions": "Shapley values",
    "choices": "ties resolved as the learner's options say, node by node",
    "cuts": "continuous attributes",
    "discretizers": "intervals that are found in the rows",
    "draws": "draws from the specified generator, or to be given them",
    "exact": "decisions that no double can be trusted with",
    "gradients": "trees grown from first and second derivatives",
    "linear": "tests of weighted sums of attributes",
    "losses": "mistakes of different cost",
    "many-values": "the best set of so many values that not every set can be tried",
    "missing": "missing values",
    "priors": "prior probabilities of the classes",
    "regression": "a target that is a number",
    "relevance": "the χ² test whether the best test may be irrelevant",
    "subsets": "tests of whether a value is one of a set",
    "surrogates": "surrogate tests for missing values",
    "unseen": "values that no branch is for",
    "weights": "rows that count for more or less than one",
}
"""The possible needs of a case; a further one is `dialect:` with the name of a profile."""


def dialects() -> list[str]:
    """The needs of the cases of dialects.

    Example:
        >>> "dialect:li-hang" in dialects()
        True
    """
    learners = [learner for learner in RECORDED.values() if issubclass(learner, Options)]
    return sorted({f"dialect:{profile}" for learner in learners for profile in learner.profiles})


def needs_of(document: Mapping[str, Any]) -> list[str]:
    """The needs of a case, sorted.

    Args:
        document: its golden, as far as it is written.

    Example:
        >>> needs_of({"draw": {"kind": "block"}})
        ['draws']
    """
    return sorted(set(_needs(document)))


def _needs(document: Mapping[str, Any]) -> Iterator[str]:
    if "draw" in document:
        yield "draws"
    if "discretizer" in document:
        yield "discretizers"
    if "model" in document:
        yield "attributions"
        yield from _of_the_model(document)
    if "learner" not in document:
        return
    yield from _of_the_data(document)
    yield from _of_the_learner(document)
    yield from _of_the_questions(document)
    options = learners_of(document)[-1]["options"]
    if any(_is_too_close(decision, options) for decision in _decisions(document)):
        yield "exact"


def _of_the_model(document: Mapping[str, Any]) -> Iterator[str]:
    if any(column["kind"] == "continuous" for column in document["columns"]):
        yield "cuts"
    if any("" in row for row in (*document["rows"], *(document["background"] or ()))):
        yield "missing"
    nodes = [node for tree in document["model"]["trees"] for node in tree["nodes"]]
    for node in nodes:
        if node.get("test", {}).get("kind") in ("subset", "linear"):
            yield {"subset": "subsets", "linear": "linear"}[node["test"]["kind"]]
        if node.get("missing", {}).get("surrogates") or "surrogates" in node:
            yield "surrogates"


def _of_the_data(document: Mapping[str, Any]) -> Iterator[str]:
    data = document["data"]
    names = [column["name"] for column in data["columns"]]
    target = names.index(data["target"])
    for place, column in enumerate(data["columns"]):
        if column["kind"] == "continuous":
            yield "regression" if place == target else "cuts"
    if any(part["weights"] is not None for part in (data, document.get("validation") or data)):
        yield "weights"
    rows = [*data["rows"], *(document.get("validation") or data)["rows"], *document.get("rows", ())]
    if any("" in row[:target] + row[target + 1 :] for row in rows):
        yield "missing"
        if any(learner["options"].get("missing") == "surrogates" for learner in learners_of(document)):
            yield "surrogates"


def _of_the_learner(document: Mapping[str, Any]) -> Iterator[str]:
    learners, options, data = learners_of(document), {}, document["data"]
    attributes = [column for column in data["columns"] if column["name"] != data["target"]]
    for learner in learners:
        options = learner["options"]
        if learner["profile"] is not None:
            yield f"dialect:{learner['profile']}"
        if options.get("branching") == "linear":
            yield "linear"
        if options.get("branching") == "subset" and any(len(one.get("values", ())) > LIMIT for one in attributes):
            yield "many-values"
        if options.get("chi_squared", "0") != "0":
            yield "relevance"
        if options.get("priors"):
            yield "priors"
        if isinstance(options.get("loss"), Mapping):
            yield "losses"
        if options.get("ties", {}).get("at"):
            yield "choices"
    if learners[0]["name"] == "gradient":
        yield "gradients"
    parts = [*document["expected"].get("rounds", ()), *document["expected"].get("trees", ())]
    if any(part.get("drawn") or part.get("shown") for part in parts) or options.get("search") == "oc1":
        yield "draws"
    elif any("weights" in part for part in parts):
        yield "weights"


def _of_the_questions(document: Mapping[str, Any]) -> Iterator[str]:
    if "predict.unseen" in document["rules"]:
        yield "unseen"
    expected = document["expected"]
    candidates = [candidate for decision in _decisions(document) for candidate in decision["candidates"]]
    trees = [part.get("nodes") or part["tree"] for part in (*expected.get("trees", ()), *expected.get("rounds", ()))]
    nodes = [*(document.get("grown") or ()), *document.get("tree", ()), *(node for tree in trees for node in tree)]
    if any(question.get("test", {}).get("kind") == "subset" for question in (*candidates, *nodes)):
        yield "subsets"


def learners_of(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The learner of a case, and the learner of its trees, if there is one."""
    found = [document["learner"]]
    while "base" in found[-1]["options"]:
        found.append(found[-1]["options"]["base"])
    return found


def _decisions(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """All decisions between candidates."""
    expected = document["expected"]
    if "candidates" not in (expected.get("decisions") or [{}])[0]:
        return [decision for found in expected.get("rounds", ()) for decision in found["decisions"]]
    return list(expected["decisions"])


def _is_too_close(decision: Mapping[str, Any], options: Mapping[str, Any]) -> bool:
    """Whether a right answer in doubles can lie nearer to another decision than to this one."""
    total, judged_by = [Fraction(weight) for weight in decision["total"]], decision["judged_by"]
    if judged_by is None or not decision["winners"]:
        return False
    margin = _value(decision["margin"]) if decision["margin"] else Fraction(0)
    if 0 < margin < _reach("margin", margin, total, judged_by):
        return True
    bound = Fraction(options.get("epsilon", "0"))
    scores = decision["candidates"][decision["winners"][0]]["scores"]
    return any(
        0 < abs(_value(score) - bound) < _reach(name, _value(score), total)
        for name, score in scores.items()
        if bound and name in ("gain", judged_by)
    )


def _value(number: Mapping[str, Any]) -> Fraction:
    exact = number["exact"]
    return Fraction(exact if isinstance(exact, str) else number["digits"])


def _reach(quantity: str, value: Fraction, total: Total, judged_by: str = "") -> Fraction:
    return tolerance(quantity).reach(value, total, judged_by)
