"""What Messages' contract asks of platforms, API versions, betas and models, and what its fields ask of each other."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.contract import Situation
from conformance.dialects.anthropic_messages.contract import ERROR, REPLY, REQUEST
from conformance.model.finding import Severity

BODY: dict[str, Any] = {
    "model": "claude-sonnet-4-6",
    "max_tokens": 4096,
    "messages": [{"role": "user", "content": "How warm is it in Seoul?"}],
}
THINKING = {"type": "enabled", "budget_tokens": 2048}
TOOL = {"name": "get_weather", "input_schema": {"type": "object"}}
SCHEMA = {"type": "object", "properties": {"age": {"type": "integer"}}, "additionalProperties": False}
OLD = Situation(provider="anthropic", model="claude-sonnet-4-6", path="/v1/messages", api_version="2023-06-01")
NEW = Situation(provider="anthropic", model="claude-sonnet-4-6", path="/v1/messages", api_version="2026-10-21")
BEDROCK = Situation(provider="bedrock", path="/model/anthropic.claude-sonnet-4-6/invoke")
VERTEX = Situation(provider="vertex", path="/v1/projects/p/locations/l/publishers/anthropic/models/claude:rawPredict")
CLOUDS = {key: value for key, value in BODY.items() if key != "model"}


def reported(body: dict[str, Any], situation: Situation) -> list[tuple[str, Severity]]:
    return [(each.pointer, each.severity) for each in REQUEST.violations(body, situation)]


@pytest.mark.parametrize(
    ("more", "situation"),
    [
        ({"temperature": 1.0}, OLD),
        ({"temperature": None}, NEW),
        ({"max_tokens": 0}, OLD),
        ({"thinking": THINKING, "temperature": 1}, OLD),
        ({"thinking": THINKING, "max_tokens": 1024}, Situation(betas="interleaved-thinking-2025-05-14")),
        ({"tools": [TOOL], "tool_choice": {"type": "any", "disable_parallel_tool_use": True}}, OLD),
        ({"tools": [{**TOOL, "type": None}], "tool_choice": {"type": "none"}}, OLD),
        ({"tools": [{"type": "web_search_20250305", "name": "web_search", "max_uses": 1}]}, OLD),
        ({"tools": [{"type": "computer_toolset_20260801", "configs": {"zoom": {"enabled": False}}}]}, OLD),
        ({"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}, "effort": "max"}}, OLD),
        ({"messages": [{"role": "user", "content": [{"type": "text", "text": " ", "cache_control": None}]}]}, OLD),
    ],
)
def test_legal_requests(more: dict[str, Any], situation: Situation) -> None:
    assert reported({**BODY, **more}, situation) == []


@pytest.mark.parametrize(
    ("more", "situation", "place"),
    [
        ({"temperature": 1.0}, NEW, "/temperature"),
        ({"thinking": THINKING, "max_tokens": 1024}, Situation(complete=False), "/thinking/budget_tokens"),
        ({"temperature": 1.5}, OLD, "/temperature"),
        ({"max_tokens": -1}, OLD, "/max_tokens"),
        ({"messages": []}, OLD, "/messages"),
        ({"messages": [{"role": "user", "content": ""}]}, OLD, "/messages/0/content"),
        (
            {"messages": [{"role": "user", "content": [{"type": "text", "text": ""}]}]},
            OLD,
            "/messages/0/content/0/text",
        ),
        ({"messages": [{"role": "user", "content": [{"type": "input_text"}]}]}, OLD, "/messages/0/content/0/type"),
        ({"messages": [{"role": "user", "content": [{"type": "tool_use"}]}]}, OLD, "/messages/0/content/0"),
        ({"thinking": THINKING, "max_tokens": 1024}, OLD, "/thinking/budget_tokens"),
        ({"thinking": THINKING, "temperature": 0.2}, OLD, "/temperature"),
        ({"thinking": THINKING, "top_k": 3}, OLD, "/top_k"),
        ({"thinking": THINKING, "top_p": 0.5}, OLD, "/top_p"),
        ({"temperature": 0.5, "top_p": 0.5}, OLD, "/top_p"),
        ({"output_config": {"effort": "xhigh"}}, OLD, "/output_config/effort"),
        ({"max_completion_tokens": 5}, OLD, "/max_completion_tokens"),
        ({"tools": [{**TOOL, "parameters": {}}]}, OLD, "/tools/0/parameters"),
        ({"tools": [{"type": "bash_20250124", "name": "shell"}]}, OLD, "/tools/0/name"),
        (
            {"output_config": {"format": {"type": "json_schema", "schema": {**SCHEMA, "additionalProperties": True}}}},
            OLD,
            "/output_config/format/schema/additionalProperties",
        ),
    ],
)
def test_refused_requests(more: dict[str, Any], situation: Situation, place: str) -> None:
    assert (place, Severity.ERROR) in reported({**BODY, **more}, situation)


def test_a_failed_result_contains_the_reason() -> None:
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "is_error": True}
    nothing: tuple[dict[str, Any], ...] = ({}, {"content": ""}, {"content": []})
    for content in nothing:
        body = {**BODY, "messages": [{"role": "user", "content": [{**result, **content}]}]}
        assert reported(body, OLD) != []
    assert (
        reported({**BODY, "messages": [{"role": "user", "content": [{**result, "content": "no such place"}]}]}, OLD)
        == []
    )


def test_models_that_take_no_sampling_parameters() -> None:
    opus = Situation(provider="anthropic", model="claude-opus-4-8")
    assert [place for place, _ in reported({**BODY, "temperature": 0.5, "top_k": 5}, opus)] == [
        "/temperature",
        "/top_k",
    ]
    assert [place for place, _ in reported({**BODY, "thinking": THINKING}, opus)] == ["/thinking/type"]
    assert reported({**BODY, "temperature": 1}, opus) == []  # the default


def test_what_an_official_host_took_is_no_error() -> None:
    taken = Situation(provider="anthropic", model="claude-opus-4-8", ok=True)
    assert reported({**BODY, "temperature": 0.5}, taken) == [("/temperature", Severity.WARNING)]


def test_the_clouds_have_version_and_model_elsewhere() -> None:
    assert reported({**CLOUDS, "anthropic_version": "bedrock-2023-05-31"}, BEDROCK) == []
    assert reported({**CLOUDS, "anthropic_version": "vertex-2023-10-16", "stream": True}, VERTEX) == []
    assert reported(CLOUDS, BEDROCK) == [("", Severity.ERROR)]
    assert reported({**CLOUDS, "anthropic_version": "vertex-2023-10-16"}, BEDROCK) == [
        ("/anthropic_version", Severity.ERROR)
    ]
    assert reported({**BODY, "anthropic_version": "bedrock-2023-05-31", "stream": True}, BEDROCK) == [
        ("/model", Severity.ERROR),
        ("/stream", Severity.ERROR),
    ]


def test_from_the_second_version_on_no_documents_of_the_assistant_and_no_citations_of_the_user() -> None:
    document = {"type": "document", "source": {"type": "file", "file_id": "file_1"}}
    cited = {"type": "text", "text": "x", "citations": [{"type": "page_location"}]}
    for role, block in (("assistant", document), ("user", cited)):
        body = {**BODY, "messages": [{"role": role, "content": [block]}]}
        rules = {each.rule for each in REQUEST.violations(body, NEW)}
        assert rules == {"messages-field-unsupported"}


def test_errors_of_the_clouds_are_their_own() -> None:
    error = {"message": "Model is getting throttled."}
    assert list(ERROR.violations(error, BEDROCK)) == []
    assert list(ERROR.violations({"error": {"code": 404}}, VERTEX)) == []
    assert {each.pointer for each in ERROR.violations(error, OLD)} == {""}


def test_a_stop_reason_of_another_dialect_is_an_error_and_a_new_one_a_warning() -> None:
    reply = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-4-6",
        "content": [{"type": "text", "text": "14.2"}],
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
    found = [
        [each.severity for each in REPLY.violations({**reply, "stop_reason": reason})]
        for reason in ("end_turn", "tool_calls", "done")
    ]
    assert found == [[], [Severity.ERROR], [Severity.WARNING]]
