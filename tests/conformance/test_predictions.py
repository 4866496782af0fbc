"""Predictions in goldens: each row goes down the tree of the document once more, by another walk."""

from __future__ import annotations

from fractions import Fraction

from reference_tree.conformance.cases import cases
from tests.conformance.test_goldens import IDS, ends_of, every, load, positions


@every([name for name in IDS if cases()[name].kind == "predict"])
def test_predictions_are_those_of_the_tree(name: str) -> None:
    document = load(name)
    nodes = document["tree"]
    names = [column["name"] for column in document["data"]["columns"]]
    for cells, found in zip(document["rows"], document["expected"]["predictions"], strict=True):
        ends = ends_of(nodes, dict(zip(names, cells, strict=True)))
        at = positions(nodes)
        assert {tuple(end["at"]): Fraction(end["share"]) for end in found["ends"]} == {at[n]: ends[n] for n in ends}
        assert sum(ends.values()) == 1
        if found["distribution"] is None:
            assert Fraction(found["label"]) == sum(share * Fraction(nodes[n]["mean"]) for n, share in ends.items())
            continue
        mixture = dict.fromkeys(found["distribution"], Fraction(0))
        for number, share in ends.items():
            counts = {label: Fraction(count) for label, count in nodes[number]["counts"].items()}
            for label, count in counts.items():
                mixture[label] += share * count / sum(counts.values())
        assert {label: Fraction(share) for label, share in found["distribution"].items()} == mixture
        assert mixture[found["label"]] == max(mixture.values())


def test_melons_eight_and_ten_go_down_three_branches() -> None:
    """The shares of 清晰, 稍糊 and 模糊 are 7/15, 5/15 and 3/15, for training and for prediction."""
    document = load("predict/watermelon-2.0a")
    root = document["tree"][0]
    assert root["test"]["attribute"] == "纹理"
    assert {b["when"]["is"]: b["share"] for b in root["branches"]} == {"模糊": "1/5", "清晰": "7/15", "稍糊": "1/3"}
    for found in document["expected"]["predictions"]:
        by_branch: dict[str, Fraction] = {}
        for end in found["ends"]:
            step = end["node"].split("/")[1]
            by_branch[step] = by_branch.get(step, Fraction(0)) + Fraction(end["share"])
        assert by_branch == {"纹理=模糊": Fraction(1, 5), "纹理=清晰": Fraction(7, 15), "纹理=稍糊": Fraction(1, 3)}
