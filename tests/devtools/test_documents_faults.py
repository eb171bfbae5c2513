"""`make faults`: faults are drawn from documents, put into bodies, and counted by what is reported of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from conformance.model.finding import Severity
from devtools.documents.drawing import faults, sample
from devtools.documents.making import made
from devtools.documents.measuring import Table, wanted
from devtools.documents.planting import ABSENT, Fault, planted
from devtools.documents.reasons import Reasons
from devtools.documents.schemas import Document
from devtools.documents.tool_schemas import misuses
from devtools.documents.trials import recorded
from tests.devtools.test_documents_floor import TEXT, WHOLE, fields, published


def drawn(schema: dict[str, Any], body: Any, *, reply: bool = False, **named: Any) -> list[tuple[str, str, Any]]:
    found = faults(published(schema, **named), body, reply=reply)
    return [(each.kind, each.pointer, "ABSENT" if each.value is ABSENT else each.value) for each in found]


def test_each_documented_field_gets_its_faults() -> None:
    schema = fields("a", a={"enum": ["x"]}, n={"type": "integer", "minimum": 1, "maximum": 3})
    found = drawn(schema, {"a": "x"})
    assert ("absent", "/a", "ABSENT") in found
    assert ("null", "/a", None) in found
    assert ("undocumented value", "/a", "planted_value") in found
    assert [value for kind, at, value in found if (kind, at) == ("range", "/n")] == [0, 4]
    assert [value for kind, at, value in found if (kind, at) == ("type", "/n")] == [
        "seven",
        True,
        [[]],
        {"planted": [1]},
    ]
    assert not [each for each in found if each[0] == "null, optional"]


def test_a_null_for_an_optional_field_is_a_fault_of_replies() -> None:
    assert ("null, optional", "/a", None) in drawn(fields(a=TEXT), {}, reply=True)


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({**TEXT, "minLength": 2, "maxLength": 3}, [("length", "x"), ("length", "xxxx")]),
        ({**TEXT, "pattern": "^a+$"}, [("pattern", "not: so")]),
        (
            {"type": "array", "items": TEXT, "minItems": 1, "maxItems": 1},
            [("count", []), ("count", ["seven", "seven"])],
        ),
        ({"type": "array", "items": TEXT, "uniqueItems": True}, [("duplicate", ["seven", "seven"])]),
        ({"type": "number", "exclusiveMinimum": 0}, [("range", 0)]),
    ],
)
def test_limits_are_broken_on_both_sides(schema: dict[str, Any], expected: list[tuple[str, Any]]) -> None:
    found = drawn(fields(a=schema), {})
    assert [(kind, value) for kind, _, value in found if kind not in ("type", "absent")] == expected


def test_what_another_document_allows_is_no_fault() -> None:
    both = published(fields(a=TEXT), fields(a={"anyOf": [TEXT, WHOLE]}))
    assert [each.value for each in faults(both, {}, reply=False)] == [True, [[]], {"planted": [1]}]


def test_a_fault_lies_within_a_new_object_and_has_a_twin() -> None:
    schema = fields(o=fields("a", a=TEXT))
    found = next(each for each in faults(published(schema), {"b": 1}, reply=False) if each.kind == "absent")
    assert (found.put({"b": 1}), found.twin({"b": 1})) == ({"b": 1, "o": {}}, {"b": 1, "o": {"a": "seven"}})


def test_only_the_alternative_that_is_meant_is_asked() -> None:
    one = fields("type", "a", type={"const": "one"}, a=TEXT)
    two = fields("type", "b", type={"const": "two"}, b=TEXT)
    found = drawn(fields(l={"type": "array", "items": {"oneOf": [one, two]}}), {"l": [{"type": "two", "b": "x"}]})
    assert {at for kind, at, _ in found if kind == "absent"} == {"/l/0/type", "/l/0/b"}


def test_fields_of_a_sister_api_are_put_in() -> None:
    found = list(faults(published(fields(a=TEXT)), {}, reply=False, sister=published(fields(a=TEXT, b=WHOLE))))
    assert [(each.pointer, each.value) for each in found if each.kind == "sister's field"] == [("/b", 7)]


def test_a_sample_of_what_contains_itself_ends() -> None:
    tree = published({"$ref": "#/$defs/tree"}, tree=fields("of", of={"$ref": "#/$defs/tree"}))
    assert sample(tree) is not None


def test_planting_leaves_the_body_alone() -> None:
    body = {"a": [{"b": 1}]}
    assert planted(body, "/a/0/b", 2) == {"a": [{"b": 2}]}
    assert planted(body, "/a/0/b", ABSENT) == {"a": [{}]}
    assert planted(body, "", 7) == 7
    assert body == {"a": [{"b": 1}]}
    assert Fault("type", "/a/12/b", 1).place == "/a/*/b"


def test_the_schema_of_a_tool_is_misused() -> None:
    parameters = {"type": "object", "properties": {"city": {"type": "string"}}}
    body = {"tools": [{"name": "t", "parameters": parameters}]}
    found = {each.kind: each.put(body)["tools"] for each in misuses("openai-responses", body)}
    assert found["schema required is a string"][0]["parameters"]["required"] == "city"
    assert found["schema property is a string"][0]["parameters"]["properties"]["planted"] == "string"
    assert len(found["tool declared twice"]) == 2
    assert "schema property is an array without items" in found
    anthropic = {"tools": [{"name": "t", "input_schema": parameters}]}
    assert "schema property is an array without items" not in {
        each.kind for each in misuses("anthropic-messages", anthropic)
    }
    assert list(misuses("openai-chat", {"messages": []})) == []


def test_a_message_is_made_with_all_that_is_documented() -> None:
    schema = fields("a", a={"oneOf": [TEXT, WHOLE]}, l={"type": "array", "items": {"type": "boolean"}})
    values = list(made(Document("x", {"m": schema}).spec("m")))
    assert [each["a"] for each in values] == ["2025-11-25", 1]
    assert all(each["l"] == [True] for each in values)


def test_a_survivor_with_a_reason_is_not_counted_as_planted(tmp_path: Path) -> None:
    file = tmp_path / "reasons.yaml"
    file.write_text("- {at: 'x reply documents /a: null', reason: servers send it}\n")
    table = Table(Reasons.of(file))
    for kind, severity in (("null", None), ("type", Severity.ERROR), ("range", Severity.WARNING), ("count", None)):
        table.count("x", "reply", "documents", Fault(kind, "/a", None), severity)
    row = table.total("x", "reply")
    assert (row.planted, row.caught, row.errors, row.wanted, row.excused) == (3, 2, 1, 1, 1)
    assert list(table.survivors) == ["x reply documents /a: count"]
    assert list(table.milder) == ["x reply documents /a: range"]


def test_the_policy_defines_the_severity_of_a_fault() -> None:
    assert wanted("null, optional", reply=True) is Severity.INFO
    assert wanted("absent", reply=False) is Severity.ERROR
    assert wanted("absent", reply=True) is Severity.WARNING


def test_rules_find_what_the_contract_leaves_to_them() -> None:
    found = [each for drawn in recorded("openai-chat", 20).values() for each in drawn]
    one = next(each for each in found if isinstance(each.value, dict) and each.value.get("tools"))
    kinds = {each.kind: one.severity(each) for each in misuses("openai-chat", one.value)}
    assert kinds["schema type is unknown"] is Severity.ERROR
    assert kinds["tool declared twice"] is not None
