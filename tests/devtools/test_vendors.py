"""The rows of `specs/documented`: what follows from a provider's document."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from conformance.contract import Contract
from conformance.contract.nodes import Node
from conformance.contract.notation import array, by, cite, integer, may, need, number, obj, text, word
from conformance.profiles.documented import documented
from conformance.profiles.profiles import all_shipped
from devtools.documents import installed
from devtools.documents.documented import Documented
from devtools.documents.schemas import Document
from devtools.documents.sourced import namespace_of
from devtools.vendors import page, wording
from devtools.vendors.differing import rows
from devtools.vendors.notation import schema_of, stated_range

TEXT = {"type": "string"}
WHOLE = {"type": "integer"}


def published(schema: dict[str, Any]) -> Documented:
    return Documented.of([Document("a document", {"body": schema}).spec("body")])


def fields(*required: str, **properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


def found(node: Node, schema: dict[str, Any], side: Any = "request") -> list[dict[str, Any]]:
    """The rows without their place's body; the owner documents the fields `a` and `b`."""
    contract = Contract("x", side, node, side, "X-001")
    owners = published(fields(a={}, b={}))
    return [{**each, "at": each["at"].partition(" ")[2]} for each in rows(contract, "some", published(schema), owners)]


@pytest.mark.parametrize(
    ("node", "schema", "expected"),
    [
        (obj(a=may(text())), fields(a=TEXT), []),
        (obj(), fields(a=TEXT), [{"at": "/a", "difference": "adds", "allows": TEXT}]),
        (obj(), fields("a", a=TEXT), [{"at": "/a", "difference": "adds", "allows": TEXT, "required": True}]),
        (
            obj(a=may(text()), b=may(text())),
            fields(a=TEXT),
            [{"at": "/b", "difference": "lacks", "undocumented": "info"}],
        ),
        (obj(a=may(text()), only_ours=may(text())), fields(a=TEXT), []),
        (obj(a=may(text())), fields(a=WHOLE), [{"at": "/a", "difference": "type", "allows": WHOLE}]),
        (
            obj(a=may(word("x", "y"))),
            fields(a={"enum": ["x", "z"]}),
            [{"at": "/a", "difference": "values", "allows": {"enum": ["x", "z"]}}],
        ),
        (
            obj(a=may(word("x"))),
            fields(a=TEXT),
            [{"at": "/a", "difference": "limit", "eases": ["value"], "severity": "info"}],
        ),
        (
            obj(a=may(number(0, 2))),
            fields(a={"type": "number", "description": "Between 0 and 1."}),
            [{"at": "/a", "difference": "range", "allows": {"type": "number", "minimum": 0, "maximum": 1}}],
        ),
        (obj(a=may(number(0, 2))), fields(a={"type": "number", "description": "Between 0 and 2."}), []),
        (
            obj(a=may(number(0, 2))),
            fields(a={"type": "number"}),
            [{"at": "/a", "difference": "limit", "eases": ["range"], "severity": "info"}],
        ),
        (obj(a=may(integer(1))), fields(a=WHOLE), []),
        (obj(a=need(text())), fields(a=TEXT), [{"at": "/a", "difference": "required", "required": False}]),
        (obj(a=may(text())), fields("a", a=TEXT), [{"at": "/a", "difference": "required", "required": True}]),
        (
            obj(a=may(array(text(), 0, 4))),
            fields(a={"type": "array", "items": TEXT}),
            [{"at": "/a", "difference": "limit", "eases": ["count"], "severity": "info"}],
        ),
        (
            obj(a=may(array(word("x")))),
            fields(a={"type": "array", "items": {"enum": ["y"]}}),
            [{"at": "/a", "difference": "values", "allows": {"type": "array", "items": {"enum": ["y"]}}}],
        ),
    ],
)
def test_a_difference_becomes_a_row(node: Node, schema: dict[str, Any], expected: list[dict[str, Any]]) -> None:
    assert found(node, schema) == expected


def test_kinds_of_objects_are_compared_by_their_tag() -> None:
    node = obj(a=may(array(by("type", {"text": obj(text=need(text())), "file": obj()}))))
    parts = {"anyOf": [fields("type", "text", type={"const": kind}, text=TEXT) for kind in ("text", "note")]}
    assert found(node, fields(a={"type": "array", "items": parts})) == [
        {"at": "/a/*:file", "difference": "lacks", "undocumented": "error"},
        {
            "at": "/a/*:note",
            "difference": "adds",
            "allows": {"type": "object", "properties": {"text": TEXT}, "required": ["text"]},
        },
    ]


def test_what_is_optional_in_an_object_for_several_kinds_may_be_needed_in_one() -> None:
    node = obj(a=may(array(by("type", {"x": obj(b=need(text()))}))))
    shared = fields("type", type={"enum": ["x", "y"]}, b=TEXT)
    assert [each["at"] for each in found(node, fields(a={"type": "array", "items": shared}))] == ["/a/*:y"]


def test_what_a_reply_need_not_have_is_eased_and_its_lists_are_open() -> None:
    node = obj(a=need(text()), b=need(text(), cite("ANY-001")), c=may(text()))
    assert found(node, fields(a=TEXT, b=TEXT, c={"enum": ["x"]}), "reply") == [
        {"at": "/a", "difference": "required", "eases": ["missing"], "severity": "info"},
        {"at": "/b", "difference": "required", "eases": ["missing"], "severity": "warning"},
        {"at": "/c", "difference": "values", "allows": {"type": "string", "examples": ["x"]}},
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Number between -2.0 and 2.0.", {"minimum": -2, "maximum": 2}),
        ("Must be in [0, 1].", {"minimum": 0, "maximum": 1}),
        ("0 <= x <= 20", {"minimum": 0, "maximum": 20}),
        ("We recommend values between 0 and 0.7.", {}),
        ("Between 0 and 1, for some models between 0 and 2.", {}),
        ("Any number.", {}),
    ],
)
def test_a_range_is_read_from_a_description(text: str, expected: dict[str, float]) -> None:
    assert stated_range(text) == expected


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string", "description": "Maximum of 256 characters."}, {"type": "string", "maxLength": 256}),
        ({"type": "array", "items": TEXT, "description": "Max 20 ids."}, {"maxItems": 20}),
        ({"type": "integer", "description": "Must be >= 1024."}, {"minimum": 1024}),
        ({"type": "integer", "description": "Defaults to 5, max 20."}, {"maximum": 20}),
        ({"type": "integer", "description": "At least 1 or at least 2."}, {}),
        ({"type": "integer", "exclusiveMinimum": 0}, {"minimum": 1}),
    ],
)
def test_a_limit_is_read_from_a_schema_or_its_description(schema: dict[str, Any], expected: dict[str, Any]) -> None:
    made = schema_of(published(schema), reply=False, text=schema.get("description", ""))
    assert {key: value for key, value in made.items() if key not in ("type", "items") or key in expected} == expected


def test_a_schema_that_contains_itself_ends() -> None:
    document = Document("a document", {"body": fields(a={"$ref": "#/$defs/body"})})
    assert schema_of(Documented.of([document.spec("body")]), reply=False)["type"] == "object"


def test_types_are_read_from_source_without_what_they_import(tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(
        "import gpu\n"
        "from pydantic import Field\n"
        "class Request(gpu.Model):\n"
        "    n: int = Field(default=gpu.ONE, le=4)\n"
        "    cache: gpu.Cache | None = None\n"
        '    name: str\n    """The name of it."""\n'
        "    @gpu.validated\n"
        "    def check(self): ...\n",
        encoding="utf-8",
    )
    request = namespace_of("some", tmp_path, ["server.py"])["Request"]
    properties = request.model_json_schema()["properties"]
    assert properties["name"]["description"] == "The name of it."
    assert properties["n"]["type"] == "integer"


def test_types_that_are_never_on_the_wire_are_no_alternative() -> None:
    made = {"x.Unset": {"type": "object"}, "x": fields(a={"anyOf": [TEXT, {"$ref": "#/$defs/x.Unset"}]})}
    assert [name for name, each in made.items() if installed._stands_in(name, each)] == ["x.Unset"]
    installed._without(made, {"#/$defs/x.Unset"})
    assert made["x"]["properties"]["a"] == {"anyOf": [TEXT]}


def test_the_pages_are_those_of_the_profiles_and_documents() -> None:
    made = dict(page.pages())
    assert {path: path.read_text(encoding="utf-8") for path in made} == made
    assert set(page.FOLDER.iterdir()) == made.keys() - {page.INDEX}
    assert len(made) == len(all_shipped()) + 1


def test_a_page_has_each_row_once() -> None:
    for profile in all_shipped().values():
        own = documented(profile.name)
        rows = [
            *(own.rows.values() if own is not None else ()),
            *profile.deviations.values(),
            *profile.call_ids.values(),
            *profile.messages.values(),
        ]
        lines = [line for parts in page.rows_of(profile).values() for some in parts.values() for line in some]
        assert len(lines) == sum(map(len, rows))


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "integer", "minimum": 1, "maximum": 5}, "an integer (1 to 5)"),
        ({"type": "number", "minimum": 0}, "a number (at least 0)"),
        ({"type": "string", "maxLength": 9}, "a string (at most 9 characters)"),
        ({"enum": ["a", 2]}, "`a`, `2`"),
        ({"type": "array", "items": {"type": "string"}, "maxItems": 4}, "a list (at most 4) of: a string"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "a string or null"),
        ({"properties": {"a": {}, "b": {}}}, "an object with `a`, `b`"),
        ({"type": "object", "additionalProperties": {"type": "boolean"}}, "a map to: a boolean"),
        ({}, "anything"),
    ],
)
def test_a_schema_in_words(schema: dict[str, Any], words: str) -> None:
    assert wording.shown(schema) == words
