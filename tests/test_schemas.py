"""The schemas: strict ones, of which types can be generated, and what keeps to them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import jsonschema
import pytest
from referencing import Registry, Resource

from reference_tree.conformance.archive import FORMAT, archive
from reference_tree.conformance.goldens import ANSWERS, prompt
from tests.every import of_every

ROOT = Path(__file__).parents[1]
SCHEMAS = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in (ROOT / "docs" / "schemas").iterdir()}
OF_OBJECTS = {
    "properties", "required", "additionalProperties", "unevaluatedProperties", "dependentRequired", "dependentSchemas",
    "propertyNames", "minProperties", "maxProperties",
}  # fmt: skip
OF_LISTS = {"items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"}
OF_TEXTS = {"pattern", "minLength", "maxLength"}
OF_NUMBERS = {"minimum", "maximum"}
BESIDES = {
    "$schema", "$id", "$ref", "$defs", "$comment", "title", "description", "type", "const", "enum",
    "oneOf", "anyOf", "allOf", "not", "if", "then", "else",
}  # fmt: skip
INSIDE = ("not", "if", "then", "else", "items", "contains", "additionalProperties", "unevaluatedProperties")
SEVERAL = ("oneOf", "anyOf", "allOf", "prefixItems")
NAMED = ("properties", "$defs", "dependentSchemas")


def parts(schema: Any, place: str = "#") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema in a schema, with its place."""
    if not isinstance(schema, dict):
        return
    yield place, schema
    inner = [(key, schema[key]) for key in INSIDE if key in schema]
    inner += [(f"{key}/{number}", one) for key in SEVERAL for number, one in enumerate(schema.get(key, []))]
    inner += [(f"{key}/{name}", one) for key in NAMED for name, one in schema.get(key, {}).items()]
    for key, one in inner:
        yield from parts(one, f"{place}/{key}")


def faults(schema: Mapping[str, Any]) -> list[str]:
    """What a strict validator, as ajv is, refuses to take: a rule that could be meant for another type than it says."""
    found = []
    for place, part in parts(schema):
        types = part.get("type", [])
        types = ["number" if one == "integer" else one for one in (types if isinstance(types, list) else [types])]
        for kind, rules in (("object", OF_OBJECTS), ("array", OF_LISTS), ("string", OF_TEXTS), ("number", OF_NUMBERS)):
            said = kind in types or "propertyNames" in place
            if rules & part.keys() and not said:
                found.append(f"{place}: {sorted(rules & part.keys())} without the type {kind}")
        if strange := part.keys() - OF_OBJECTS - OF_LISTS - OF_TEXTS - OF_NUMBERS - BESIDES:
            found.append(f"{place}: {sorted(strange)} are not among the words of a schema")
        if missing := set(part.get("required", [])) - part.get("properties", {}).keys():
            found.append(f"{place}: {sorted(missing)} are required, and not among the properties")
        if "prefixItems" in part and not (
            len(part["prefixItems"]) == part.get("minItems") == part.get("maxItems") and part.get("items") is False
        ):
            found.append(f"{place}: a list of other length is not refused")
    return found


@cache
def validator(name: str, inside: str = "") -> jsonschema.Draft202012Validator:
    """What judges documents by a schema, or by a part of it."""
    registry: Registry[Any] = Registry().with_resources(
        (name, Resource.from_contents(schema)) for name, schema in SCHEMAS.items()
    )
    return jsonschema.Draft202012Validator({"$ref": f"{name}{inside}"}, registry=registry)


@cache
def goldens() -> list[dict[str, Any]]:
    """All of them, as they are kept."""
    return [
        json.loads(path.read_text(encoding="utf-8")) for path in sorted((ROOT / "tests" / "goldens").rglob("*.json"))
    ]


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_strict(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[name])
    assert SCHEMAS[name]["$id"] == name
    assert faults(SCHEMAS[name]) == []


@of_every(
    [
        ({"properties": {"a": True}}, "#: ['properties'] without the type object"),
        ({"type": "object", "required": ["a"]}, "#: ['a'] are required, and not among the properties"),
        ({"not": {"items": True}}, "#/not: ['items'] without the type array"),
        ({"anyOf": [{"pattern": "a"}]}, "#/anyOf/0: ['pattern'] without the type string"),
        ({"type": "array", "prefixItems": [True]}, "#: a list of other length is not refused"),
        ({"typ": "array"}, "#: ['typ'] are not among the words of a schema"),
    ]
)
def test_what_is_not_strict_is_seen(loose: dict[str, Any], fault: str) -> None:
    assert faults(loose) == [fault]


CONDITIONS = {"additionalProperties", "unevaluatedProperties"}


def free(schema: Any, place: str = "#") -> Iterator[str]:
    """What no type can be generated for: anything, an object with any members, a list of anything."""
    if not isinstance(schema, dict):
        if schema is True:
            yield f"{place}: anything"
        return
    types = schema.get("type", [])
    if not types and not schema.keys() & {"$ref", "const", "enum", "oneOf", "$defs"}:
        yield f"{place}: anything"
    if "object" in types and not CONDITIONS & schema.keys():
        yield f"{place}: any members"
    if "array" in types and not {"items", "prefixItems"} & schema.keys():
        yield f"{place}: a list of anything"
    inner = [(key, schema[key]) for key in ("items", *CONDITIONS) if key in schema]
    inner += [
        (f"{key}/{place}", one) for key in ("oneOf", "prefixItems") for place, one in enumerate(schema.get(key, []))
    ]
    inner += [(f"{key}/{name}", one) for key in ("properties", "$defs") for name, one in schema.get(key, {}).items()]
    for key, one in inner:
        yield from free(one, f"{place}/{key}")


@of_every(["golden-2", "golden-prompt-2", "golden-archive-1", "report-1"])
def test_types_can_be_generated_from_what_a_vendor_takes(name: str) -> None:
    assert list(free(SCHEMAS[f"{name}.schema.json"])) == []


@of_every([{}, {"type": "object"}, {"type": "array"}, {"oneOf": [True]}, {"type": "array", "items": {}}])
def test_what_is_free_is_seen(loose: dict[str, Any]) -> None:
    assert len(list(free(loose))) == 1


@pytest.mark.slow
def test_the_manifest_of_an_archive_keeps_to_its_schema() -> None:
    schema = SCHEMAS["golden-archive-1.schema.json"]
    assert schema["properties"]["format"]["const"] == FORMAT
    for documents in (goldens(), [prompt(golden) for golden in goldens()]):
        zipped = ZipFile(BytesIO(archive(documents)))
        manifest, tolerances = (json.loads(zipped.read(f"{name}.json")) for name in ("manifest", "tolerances"))
        validator(schema["$id"]).validate(manifest)
        validator(schema["$id"], "#/$defs/tolerances").validate(tolerances)
        assert not validator(schema["$id"]).is_valid({**manifest, "other": ""})
        assert not validator(schema["$id"]).is_valid({**manifest, "suite": "2"})
        assert {case["kind"] for case in manifest["cases"]} == set(schema["$defs"]["kind"]["enum"])
        times = schema["$defs"]["tolerances"]["additionalProperties"]["properties"]["times"]["enum"]
        assert {one["times"] for one in tolerances.values()} == set(times)


@pytest.mark.more
def test_every_prompt_keeps_to_its_schema() -> None:
    judge = validator("golden-prompt-2.schema.json")
    for golden in goldens():
        judge.validate(prompt(golden))
        assert not judge.is_valid(golden)


def test_the_schema_of_prompts_is_that_of_goldens_without_answers() -> None:
    whole, asked = (SCHEMAS[f"golden-{name}.schema.json"] for name in ("2", "prompt-2"))

    def elsewhere(part: Any) -> Any:
        """A part of the one schema as it stands in the other."""
        if isinstance(part, dict):
            return {key: f"{whole['$id']}{one}" if key == "$ref" else elsewhere(one) for key, one in part.items()}
        return list(map(elsewhere, part)) if isinstance(part, list) else part

    for one, other in zip(whole["oneOf"], asked["oneOf"], strict=True):
        golden, found = (of["$defs"][ref["$ref"].rpartition("/")[2]] for of, ref in ((whole, one), (asked, other)))
        for key in ("type", "description", "additionalProperties"):
            assert found.get(key) == golden.get(key)
        assert found["required"] == [name for name in golden["required"] if name not in ANSWERS]
        assert found["properties"] == {
            name: elsewhere(part) for name, part in golden["properties"].items() if name not in ANSWERS
        }
