"""`make contract`: documents are read, recognised and compared with a contract, place by place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conformance.contract import Contract
from conformance.contract.nodes import Foreign, Node
from conformance.contract.notation import (
    array,
    boolean,
    by,
    cite,
    integer,
    known,
    later,
    may,
    need,
    null,
    number,
    obj,
    refusal,
    text,
    when,
    word,
)
from devtools.documents.comparing import Comparison
from devtools.documents.discovery import discovered
from devtools.documents.documented import Documented
from devtools.documents.explained import POLICY
from devtools.documents.floor import Outcome
from devtools.documents.reading import ANTHROPIC, OPENAI, documents, revision_of
from devtools.documents.reasons import Reasons
from devtools.documents.schemas import Document

TEXT = {"type": "string"}
WHOLE = {"type": "integer"}


def published(*schemas: dict[str, Any], **named: dict[str, Any]) -> Documented:
    """What some documents say, one schema each."""
    found = [Document(f"document {n}", {**named, "body": each}) for n, each in enumerate(schemas)]
    return Documented.of(each.spec("body") for each in found)


def fields(*required: str, **properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


def lines(node: Node, documented: Documented, side: Any = "request", vendors: Documented | None = None) -> list[str]:
    """The lines of a comparison, without the dialect; those that explain themselves with their reason."""
    contract = Contract("x", "body", node, side, "X-001 a document", ("owner",))
    found = Comparison("x", contract, vendors).lines(documented)
    return [f"{each.place} {each.kind}: {each.text}{' | ' + each.because if each.because else ''}" for each in found]


def test_what_agrees_says_nothing() -> None:
    documented = published(
        fields("a", a=TEXT, n={"type": "number", "minimum": 0, "maximum": 2}, l={"type": "array", "items": WHOLE})
    )
    assert lines(obj(a=need(text()), n=may(number(0, 2)), l=may(array(integer()))), documented) == []


@pytest.mark.parametrize(
    ("node", "schema", "expected"),
    [
        (obj(), fields(a=TEXT), "/a field undescribed: string"),
        (obj(a=may(text()), b=may(text())), fields(a=TEXT), "/b field undocumented: string"),
        (obj(a=may(text())), fields(a=WHOLE), "/a type: integer is documented, the contract has string"),
        (obj(a=may(text())), fields("a", a=TEXT), "/a required: every document requires it, the contract does not"),
        (obj(a=need(text())), fields(a=TEXT), "/a required: the contract requires it, no document does"),
        (obj(a=may(word("x"))), fields(a={"enum": ["x", "y"]}), "/a value undescribed: y"),
        (obj(a=may(word("x", "y"))), fields(a={"enum": ["x"]}), "/a value undocumented: y"),
        (obj(a=may(word("x"))), fields(a=TEXT), "/a list: any string is documented, the contract has a closed list"),
        (obj(a=may(text())), fields(a={"enum": ["x"]}), "/a list: a closed list is documented, the contract takes any"),
        (obj(a=may(number())), fields(a={"type": "number", "maximum": 2}), "/a limit undescribed: maximum 2"),
        (obj(a=may(number(-3))), fields(a={"type": "number"}), "/a limit undocumented: minimum -3"),
        (
            obj(a=may(text(0, 9))),
            fields(a={**TEXT, "maxLength": 8}),
            "/a limit: maxLength 8 is documented, the contract",
        ),
        (obj(a=may(text())), fields(a={**TEXT, "pattern": "^a$"}), "/a limit undescribed: pattern ^a$"),
        (
            obj(a=may(array(text(), 0, 4))),
            fields(a={"type": "array", "items": TEXT}),
            "/a limit undocumented: maxItems 4",
        ),
    ],
)
def test_each_kind_of_difference(node: Node, schema: dict[str, Any], expected: str) -> None:
    found = lines(node, published(schema))
    assert len([each for each in found if each.startswith(expected)]) == 1, found


def test_a_null_matters_in_replies_alone() -> None:
    documented = published(fields("a", a={"anyOf": [TEXT, {"type": "null"}]}))
    assert lines(obj(a=need(text())), documented, "reply") == ["/a null: null is documented"]
    assert lines(obj(a=need(text() | null)), documented, "reply") == []
    assert lines(obj(a=need(text())), documented, "request") == []


def test_the_floor_is_the_union_of_all_documents() -> None:
    older, newer = fields("a", a={"enum": ["x"]}), fields(a={"enum": ["x", "y"]}, b=WHOLE)
    assert lines(obj(a=may(word("x", "y")), b=may(integer())), published(older, newer)) == []
    assert lines(obj(a=may(word("x"))), published(older, newer)) == [
        "/b field undescribed: integer",
        "/a value undescribed: y",
    ]


def test_objects_are_told_apart_by_their_tag() -> None:
    one, two = fields("type", type={"const": "one"}, a=TEXT), fields("type", type={"const": "two"}, b=TEXT)
    node = by("type", {"one": obj(b=may(text())), "three": obj()})
    assert lines(node, published({"oneOf": [one, two]})) == [
        ":one/a field undescribed: string",
        ":one/b field undocumented: string",
        ":three case undocumented: ",
        ":two case undescribed: ",
    ]


def test_what_contains_itself_ends() -> None:
    tree: Node = later("tree", lambda: obj(left=may(tree), value=may(boolean)))
    schema = fields(left={"$ref": "#/$defs/tree"}, value=TEXT)
    assert lines(tree, published({"$ref": "#/$defs/tree"}, tree=schema)) == [
        "/value type: string is documented, the contract has boolean",
        "/value type: boolean is in the contract, documented is string",
    ]


def test_rows_explain_themselves() -> None:
    node = obj(
        a=may(text()),
        sister=may(Foreign("`a`")),
        cited=may(text(), refusal("X-002")),
        numbered=may(text(), cite("X-002")),
        ours=may(text(), only=when("other")),
        theirs=may(obj(deep=may(text()))),
        name=may(text(1)),
    )
    found = lines(node, published(fields(a=TEXT, name=TEXT)), vendors=published(fields(theirs=fields(deep=TEXT))))
    assert found == [
        "/sister field undocumented: anything | fields of a sister API",
        "/cited field undocumented: string | rows with a citation of their own",
        "/numbered field undocumented: string",
        "/ours field undocumented: string | rows for one provider, model, version or operation",
        "/theirs field undocumented: object | fields that the SDK of another provider has",
        f"/name limit undocumented: minLength 1 | {POLICY}",
    ]


def test_rows_of_other_providers_do_not_contradict_the_owner_s_documents() -> None:
    node = obj(a=need(word("x")), b=may(known("x")))
    assert lines(node, published(fields("a", a={"enum": ["x"]}, b={"enum": ["x"]}))) == []


def test_all_of_is_merged_and_alternatives_are_laid_out() -> None:
    part = fields("a", a=TEXT)
    schema = {"allOf": [{"$ref": "#/$defs/part"}, fields(b={"type": ["string", "null"]})]}
    documented = published(schema, part=part)
    assert documented.field_names() == ("a", "b")
    assert documented.requires("a")
    assert documented.field("b").types == {"string", "null"}
    either = published({"anyOf": [{"required": ["a"]}, {"required": ["b"]}], **fields(a=TEXT, b=TEXT)})
    assert either.may_lack("a") is False
    assert either.requires("a") is False


def test_a_discovery_document_has_ranges_and_requirements_in_its_words() -> None:
    found = discovered(
        {
            "properties": {
                "a": {"type": "number", "description": "Required. Values can range from [0.0,2.0]."},
                "b": {"type": "string", "format": "int64"},
                "c": {"type": "string", "enum": ["X"]},
            }
        }
    )
    assert found["required"] == ["a"]
    assert (found["properties"]["a"]["minimum"], found["properties"]["a"]["maximum"]) == (0, 2)
    assert published(found).field("b").types == {"integer", "string"}
    assert published(found).field("c").words == ("X",)


def test_documents_are_recognised_by_content(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    openai = {"components": {"schemas": {"CreateChatCompletionRequest": fields("model", model=TEXT)}}}
    (tmp_path / "below" / "first.json").write_text(json.dumps(openai))
    (tmp_path / "second.yml").write_text(
        "components: {schemas: {BetaCreateMessageParams: {type: object, properties: {model: {type: string}}}}}"
    )
    (tmp_path / "third.json").write_text(json.dumps({"$defs": {"JSONRPCRequest": {}, "ResourceLink": {}}}))
    (tmp_path / "other.json").write_text("[1]")
    (tmp_path / "broken.json").write_text("{")
    found = documents(tmp_path, packages={})
    assert [each.document.name for each in found.of("openai-chat request")] == [OPENAI]
    assert [each.document.name for each in found.of("anthropic-messages request")] == [ANTHROPIC]
    assert list(found.revisions) == ["2025-06-18"]
    assert found.absent("openai-chat") == ["openai"]
    assert "google-genai" in found.absent("gemini")


def test_a_revision_of_mcp_is_known_by_what_came_with_it() -> None:
    assert revision_of({"definitions": {"JSONRPCRequest": {}, "InitializeRequest": {}}}) == "2024-11-05"
    assert revision_of({"definitions": {"InitializeRequest": {}}}) == ""


def test_a_line_needs_a_reason_and_a_reason_a_line(tmp_path: Path) -> None:
    file = tmp_path / "reasons.yaml"
    file.write_text("- {at: 'x body /b: field', reason: newer}\n- {at: 'x body /z', reason: gone}\n")
    reasons = Reasons.of(file)
    contract = Contract("x", "body", obj(a=may(text()), b=may(text())), "request", "X-001 a document")
    outcome = Outcome.of(Comparison("x", contract).lines(published(fields(a=WHOLE))), reasons)
    assert [str(each) for each in outcome.remaining] == [
        "x body /a: type: integer is documented, the contract has string",
        "x body /a: type: string is in the contract, documented is integer",
    ]
    assert outcome.counts["x", "body", "in the contract, not documented", "newer"] == 1
    assert reasons.unused() == ["x body /z"]
