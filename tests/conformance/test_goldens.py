"""Goldens: the committed files are what the package writes, and other arithmetic finds the same numbers in them."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import jsonschema
import mpmath
import pytest
from referencing import Registry, Resource

from reference_tree.conformance.cases import Printed, cases
from reference_tree.conformance.goldens import RULES, _as_printed, csv_text, golden
from reference_tree.tree_document import from_json
from tests.traceability.inventory import unknown

ROOT = Path(__file__).parents[2]
GOLDENS = ROOT / "tests" / "goldens"
IDS = list(cases())
TINY = mpmath.mpf(10) ** -50


def load(name: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((GOLDENS / f"{name}.json").read_text(encoding="utf-8"))
    return document


def validator() -> jsonschema.Draft202012Validator:
    schemas = [json.loads(path.read_text(encoding="utf-8")) for path in (ROOT / "docs" / "schemas").glob("*.json")]
    by_name = {schema["$id"].rsplit("/", 1)[-1]: schema for schema in schemas}
    registry: Registry[Any] = Registry().with_resources(
        (name, Resource.from_contents(schema)) for name, schema in by_name.items()
    )
    return jsonschema.Draft202012Validator(by_name["golden-1.schema.json"], registry=registry)


@pytest.mark.parametrize("name", IDS)
def test_the_committed_golden_is_what_the_package_writes(name: str) -> None:
    committed = (GOLDENS / f"{name}.json").read_bytes()
    assert committed == golden(cases()[name]).encode(), f"see what changed: reference-tree golden {name}"


def test_no_golden_is_committed_without_its_case() -> None:
    found = {path.relative_to(GOLDENS).with_suffix("").as_posix() for path in GOLDENS.rglob("*.json")}
    assert found == set(IDS)


@pytest.mark.parametrize("name", IDS)
def test_it_keeps_to_the_schema(name: str) -> None:
    validator().validate(load(name))


@pytest.mark.parametrize("name", IDS)
def test_its_sources_are_known(name: str) -> None:
    document = load(name)
    cited = [*document["sources"], *(figure["source"] for figure in document["printed"])]
    assert [source for source in cited if unknown(source)] == []


def high_precision(exact: Any) -> Any:
    """The exact form of a number, evaluated by mpmath to 60 digits."""
    if isinstance(exact, str):
        value = Fraction(exact)
        return mpmath.mpf(value.numerator) / value.denominator
    if "minuend" in exact:
        return high_precision(exact["minuend"]) - high_precision(exact["subtrahend"])
    if "numerator" in exact:
        return high_precision(exact["numerator"]) / high_precision(exact["denominator"])
    return mpmath.fsum(int(c) * mpmath.log(int(n), 2) for n, c in exact["log2"].items()) / int(exact["over"])


def numbers(part: Any) -> list[dict[str, Any]]:
    """All numbers anywhere in a document."""
    if isinstance(part, dict):
        if set(part) == {"exact", "double", "digits"}:
            return [part]
        return [number for value in part.values() for number in numbers(value)]
    return [number for value in part for number in numbers(value)] if isinstance(part, list) else []


@pytest.mark.parametrize("name", IDS)
def test_the_three_ways_to_write_a_number_agree(name: str) -> None:
    with mpmath.workdps(60):
        for number in numbers(load(name)["expected"]):
            value = high_precision(number["exact"])
            assert float(value).hex() == number["double"]
            assert abs(value - mpmath.mpf(number["digits"])) <= abs(value) * mpmath.mpf(10) ** -19


@pytest.mark.parametrize("name", [name for name in IDS if cases()[name].kind != "formula"])
def test_each_score_is_that_of_its_table(name: str) -> None:
    def h(counts: list[Any]) -> Any:
        total = mpmath.fsum(counts)
        return -mpmath.fsum(c / total * mpmath.log(c / total, 2) for c in counts if c)

    with mpmath.workdps(60):
        for decision in load(name)["expected"]["decisions"]:
            for candidate in decision["candidates"]:
                assert bool(candidate["scores"]) == (candidate["barred"] in (None, "average"))
                if not candidate["scores"]:
                    continue
                *table, unknown = (
                    [mpmath.mpf(Fraction(cell).numerator) / Fraction(cell).denominator for cell in row]
                    for row in (*candidate["table"]["rows"], candidate["table"]["unknown"])
                )
                columns = [mpmath.fsum(column) for column in zip(*table, strict=True)]
                n = mpmath.fsum(columns)
                inside = mpmath.fsum(mpmath.fsum(row) / n * h(row) for row in table if any(row))
                gain = n / (n + mpmath.fsum(unknown)) * (h(columns) - inside)
                cost = h([mpmath.fsum(row) for row in table])
                for score, expected in {"gain": gain, "split_information": cost, "ratio": gain / cost}.items():
                    if found := candidate["scores"].get(score):
                        assert abs(expected - high_precision(found["exact"])) < TINY


@pytest.mark.parametrize("name", [name for name in IDS if cases()[name].kind != "formula"])
def test_the_winners_are_the_largest_to_sixty_digits(name: str) -> None:
    """An attribute sends one of its equal candidates; who is best, in some way to send them, can win."""
    document = load(name)
    epsilon = Fraction(document["learner"]["options"]["epsilon"])
    with mpmath.workdps(60):
        for decision in document["expected"]["decisions"]:
            allowed = {place: c for place, c in enumerate(decision["candidates"]) if not c["barred"]}
            score = {p: high_precision(c["scores"][decision["judged_by"]]["exact"]) for p, c in allowed.items()}
            sent: dict[str, list[int]] = {}
            for place, candidate in allowed.items():
                sent.setdefault(candidate["test"]["attribute"], []).append(place)
            winners = {
                place
                for places in product(*sent.values())
                for place in places
                if score[place] > max(score[other] for other in places) - TINY
            }
            if decision["stop"] is None:
                winners = {p for p in winners if score[p] * epsilon.denominator > epsilon.numerator - TINY}
            assert decision["winners"] == sorted(winners)
            first = max((places[0] for places in sent.values()), key=score.__getitem__, default=None)
            assert decision["chosen"] in (None, first) or document["learner"]["options"]["ties"]["at"]
            below = [value for place, value in score.items() if place not in winners]
            margin = None if decision["margin"] is None else high_precision(decision["margin"]["exact"])
            assert (margin is None) == (not below)
            assert margin is None or first is None or abs(margin - (score[first] - max(below))) < TINY


@pytest.mark.parametrize("name", [name for name in IDS if cases()[name].kind != "formula"])
def test_who_gains_less_than_the_average_is_barred(name: str) -> None:
    with mpmath.workdps(60):
        for decision in load(name)["expected"]["decisions"]:
            if "average" in decision.get("evidence", {}):
                scored = [candidate for candidate in decision["candidates"] if candidate["scores"]]
                gains = [high_precision(candidate["scores"]["gain"]["exact"]) for candidate in scored]
                each = {c["test"]["attribute"]: gain for c, gain in zip(scored, gains, strict=True)}
                average = mpmath.fsum(each.values()) / len(each)
                assert abs(high_precision(decision["evidence"]["average"]["exact"]) - average) < TINY
                barred = [gain < average - TINY for gain in gains]
                assert [candidate["barred"] == "average" for candidate in scored] == barred
            else:
                assert not any(candidate["barred"] == "average" for candidate in decision["candidates"])


@pytest.mark.parametrize("name", [name for name in IDS if cases()[name].kind == "tree"])
def test_its_tree_is_sound_and_fits_its_data(name: str) -> None:
    document = load(name)
    columns = document["data"]["columns"]
    target = next(column for column in columns if column["name"] == document["data"]["target"])
    tree = from_json(
        json.dumps(
            {
                "format": "reference-tree/tree/1",
                "target": {"name": target["name"], "kind": "categorical", "classes": target["values"]},
                "attributes": [column for column in columns if column is not target],
                "learner": document["learner"],
                "nodes": document["expected"]["tree"],
            }
        )
    )
    if not any(document["learner"]["options"]["ties"]["at"].values()):
        tree.check(cases()[name].table())
    assert [decision["id"] for decision in document["expected"]["decisions"]] == list(range(len(tree.nodes)))


@pytest.mark.parametrize("name", [name for name in IDS if cases()[name].kind != "formula"])
def test_its_rules_are_known(name: str) -> None:
    assert set(load(name)["rules"]) <= set(RULES)


def test_a_field_is_quoted_only_where_it_must_be() -> None:
    assert csv_text(["a", "b"], [["x,y", 'he said "no"'], ["", "line\nend"]]) == (
        'a,b\n"x,y","he said ""no"""\n,"line\nend"\n'
    )


@pytest.mark.parametrize(
    ("printed", "agrees"), [("0.246", "cut off"), ("0.247", "rounded"), ("0.248", "no"), ("0.245", "no")]
)
def test_how_a_printed_figure_agrees(printed: str, agrees: str) -> None:
    ours = Fraction("0.24674981977443915062")
    assert _as_printed(Printed(printed, "somewhere"), ours)["agrees"] == agrees
