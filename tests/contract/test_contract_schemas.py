"""Contracts against the types of the SDKs, field by field, and the published schemas against the contracts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest

from conformance.contract import Contract, Violation
from conformance.judge.contracted import contracts_of
from conformance.model.pointer import split
from devtools.wire.validate import fits
from tests.contract.test_wire_schemas import TYPED, at, changed, conforming, drawn, places
from tests.sdk_values import Sample

CONTRACTED = [pair for pair in TYPED if contracts_of(pair[0]) is not None]
_EVERY = ".*"
_REPLIES = "response|event"
OTHERWISE = [
    (
        "anthropic-messages",
        "response",
        "/stop_reason",
        ".*",
        "the SDK has one type for a message that is whole and for one that begins; only that one has null (ANT-R-002)",
    ),
    ("anthropic-messages", "event", "/message/stop_reason", ".*", "the same type, of a message that begins: null"),
    ("anthropic-messages", "event", "/message/stop_sequence", ".*", "the same"),
    (
        "cohere-chat",
        ".*",
        ".*",
        "null",
        "all is optional in the SDK's types; for a required field null is a wrong type",
    ),
    ("cohere-chat", "request", "Document.data", "string", "the server takes a text, too"),
    ("ollama-chat", ".*", ".*", "null", "the package allows None for all; the server's own types have a value"),
    ("openai-chat", "error", "ErrorObject.(code|type)", ".*", "compatible servers give the status, or no type"),
    ("gemini", ".*", ".*", "null", "all is optional in the SDK's types; for a required field null is a wrong type"),
    ("gemini", ".*", r".* \(enumeration\)", "integer", "ProtoJSON: a member of an enumeration may come as its number"),
    ("gemini", "request", r".*\.modelRoutingPreference", "integer", "as the row before; the SDK has its words alone"),
    ("gemini", "request", r"VertexRagStore\.ragResources|Tool\.mcpServers", "object", "one for an array of one"),
    (
        "openai-responses",
        _EVERY,
        r".*/tools/\d+/input_schema",
        ".*",
        "the SDK allows any value, the document only an object",
    ),
    (
        "openai-responses",
        _EVERY,
        r".*/filters/filters/\d+",
        ".*",
        "the SDK allows any value, the document only a filter",
    ),
    ("openai-responses", "request", "FunctionCallOutput.call_id", ".*", "an output without one is refused, OAR-Q-008"),
    ("openai-responses", _EVERY, "McpListTools.error", ".*", "OpenAI sent an object, openai/openai-openapi#531"),
    ("openai-responses", _EVERY, "Logprob(TopLogprob)?.bytes", ".*", "null as in Chat, for a token that is not text"),
    (
        "openai-responses",
        _EVERY,
        "(ResponseOutput)?Message.content",
        ".*",
        "three types have such a role, one of them text",
    ),
    ("ollama-chat", _REPLIES, r"Message\.content", "null", "None is for requests: the server always sends a text"),
    ("ollama-chat", ".*", r"Message\.images\[\]|Image\.value", ".*", "a class that the package writes as base64"),
    ("openai-completions", "request", "/prompt/0", ".*", "an array without a token; the document asks for one"),
    ("openai-completions", "event", "CompletionChoice.finish_reason", ".*", "null until the last chunk"),
    ("openai-completions", "error", "ErrorObject.code", ".*", "vLLM gives the status"),
    ("openai-completions", ".*", r"Logprobs\..*_logprobs\[\]", "null", "the first token of an echoed prompt has none"),
    ("mcp", ".*", r"RequestParamsMeta\.progress_token", ".*", "the SDK's name in Python; on the wire: `progressToken`"),
    ("mcp", ".*", "/params/requestId", "null", "the SDK has None for what is left out; required but in 2025-11-25"),
    ("mcp", ".*", "/params/inputResponses/k/content/k", "null", "the schemas have no null there, the SDK has"),
    ("openai-responses", _EVERY, "Response.status", ".*", "no finished response lacks it, OAR-R-002"),
]
"""Where a contract and the SDK's types differ in the JSON type: dialect, file, field or place, type, reason."""
_OWN_NAMES = ("metadata", "attributes", "env", "input", "arguments", "properties", "inputRequests", "inputResponses")
OWN = (*((each,) for each in _OWN_NAMES), ("result", "content"), ("params", "inputResponses", "unit", "content"))
"""Objects whose fields are names that a side chooses: the last names of their places."""


def contract_of(dialect: str, kind: str) -> Contract:
    contracts = contracts_of(dialect)
    assert contracts is not None
    kinds = {"request": contracts.request, "response": contracts.reply, "event": contracts.chunk}
    found = kinds.get(kind, contracts.error)
    assert found is not None
    return found


def reported(dialect: str, kind: str, body: object) -> list[Violation]:
    return list(contract_of(dialect, kind).violations(body))


@cache
def judged(dialect: str, kind: str) -> tuple[tuple[Sample, list[Violation]], ...]:
    """The samples, each with its violations."""
    return tuple((sample, reported(dialect, kind, sample.body)) for sample in drawn(dialect, kind))


def around(sample: Sample, violation: Violation) -> bool:
    """Whether a violation is at the place of a sample's value, within it or around it."""
    one, other = split(sample.pointer), [*split(violation.pointer), *violation.fields]
    return one[: len(other)] == other or other[: len(one)] == one


def same_as_absent(kind: str, sample: Sample) -> bool:
    """In a request, null for an optional field is the same as leaving it out."""
    return kind == "request" and sample.kind == "null"


def excused(dialect: str, kind: str, json_type: str, *places: str) -> bool:
    return any(
        row[0] == dialect
        and re.fullmatch(row[1], kind)
        and any(re.fullmatch(row[2], place) for place in places)
        and re.fullmatch(row[3], json_type)
        for row in OTHERWISE
    )


def test_some_dialect_has_a_contract() -> None:
    assert CONTRACTED


@pytest.mark.parametrize(("dialect", "kind"), CONTRACTED)
def test_a_json_type_that_the_sdk_has_is_none_that_the_contract_accuses(dialect: str, kind: str) -> None:
    accused = [
        (sample.label, sample.kind, each.pointer)
        for sample, violations in judged(dialect, kind)
        if sample.fits
        for each in violations
        if each.kind == "type" and not excused(dialect, kind, sample.kind, sample.label, sample.pointer, each.pointer)
    ]
    assert accused == []


@pytest.mark.statement("ANY-113", "ANY-114", "ANY-115")
@pytest.mark.parametrize(("dialect", "kind"), CONTRACTED)
def test_another_json_type_is_reported_at_its_place(dialect: str, kind: str) -> None:
    silent = [
        (sample.label, sample.kind)
        for sample, violations in judged(dialect, kind)
        if not sample.fits
        and not same_as_absent(kind, sample)
        and not excused(dialect, kind, sample.kind, sample.label, sample.pointer)
        if not any(around(sample, each) for each in violations)
    ]
    assert silent == []


def bodies(dialect: str, kind: str) -> Iterator[tuple[object, list[Violation]]]:
    yield from ((sample.body, violations) for sample, violations in judged(dialect, kind))
    yield from ((body, reported(dialect, kind, body)) for *pair, body in conforming() if pair == [dialect, kind])


@pytest.mark.statement("ANY-113", "ANY-114", "ANY-115")
@pytest.mark.parametrize(("dialect", "kind"), CONTRACTED)
def test_a_schema_refuses_only_what_its_contract_reports(dialect: str, kind: str) -> None:
    verdicts = {(fits(dialect, kind, body), bool(violations)) for body, violations in bodies(dialect, kind)}
    assert (False, False) not in verdicts
    assert {(True, False), (False, True)} <= verdicts


@pytest.mark.parametrize(("dialect", "kind"), CONTRACTED)
def test_a_schema_refuses_every_json_type_that_its_contract_forbids(dialect: str, kind: str) -> None:
    for sample, violations in judged(dialect, kind):
        if any(each.kind == "type" and each.severity == "error" for each in violations):
            assert not fits(dialect, kind, sample.body), sample


def test_an_unknown_field_is_reported_only_where_the_provider_refuses_it() -> None:
    tried = 0
    for dialect, kind, body in (each for each in conforming() if each[:2] in CONTRACTED):
        before = {(each.kind, each.pointer) for each in reported(dialect, kind, body)}
        for place in [(), *places(body)]:
            if isinstance(at(body, place), dict) and place not in OWN and place[-1:] not in OWN:
                found = reported(dialect, kind, changed(body, (*place, "unheard_of"), {"x": 1}))
                more = {each.kind for each in found if (each.kind, each.pointer) not in before}
                assert more <= {"unknown"}, place
                tried += 1
    assert tried > 300
