"""A refusal that names a place of the request makes a finding there an error."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from conformance.judge.checker import Checker
from conformance.judge.refused_places import is_named, refused_places
from conformance.model.exchange import Body, Exchange, Request, Response
from conformance.model.finding import Finding, Hit, Severity

REQUEST = {
    "model": "m",
    "temperature": 3,
    "user_id": "u",
    "generationConfig": {"topK": 1, "stop_at": ["x"]},
    "messages": [
        {"role": "user", "content": [{"type": "text", "cache_control": {"type": "ephemeral", "scope": "all"}}]},
        {"role": "assistant", "tool_calls": [{"id": "call_a1"}]},
    ],
    "tools": [{"type": "function"}],
}


@pytest.mark.parametrize(
    ("reply", "place"),
    [
        ({"error": {"message": "no", "param": "temperature"}}, "/temperature"),
        ({"error": {"message": "no", "param": "messages[0].role"}}, "/messages/0/role"),
        ({"error": {"message": "Not taken here: 'temperature'."}}, "/temperature"),
        ({"error": {"message": "messages.0.content.0.type: must be something else"}}, "/messages/0/content/0/type"),
        ({"error": {"message": "messages.0.content.0.text: must be there"}}, "/messages/0/content/0/text"),
        ({"error": {"message": "the field user_id is not known"}}, "/user_id"),
        ({"error": {"message": "No field \"top_k\" at 'generation_config'"}}, "/generationConfig/topK"),
        (
            {"error": {"message": "* GenerateContentRequest.generation_config.stop_at: bad"}},
            "/generationConfig/stop_at",
        ),
        ({"error": {"message": "in 'tools.0': property 'type' is bad"}}, "/tools/0/type"),
        ({"error": {"message": "Superfluous argument: temperature"}}, "/temperature"),
        ({"detail": [{"loc": ["body", "messages", 0, "role"], "msg": "no"}]}, "/messages/0/role"),
        (
            {"error": {"message": "messages.0.content.0.cache_control.ephemeral.scope: not permitted"}},
            "/messages/0/content/0/cache_control/scope",
        ),
        ({"error": {"message": "invalid arguments, tool_call_id: call_a1 (2013)"}}, "/messages/1/tool_calls/0"),
        ({"error": {"metadata": {"raw": '{"error": {"param": "temperature"}}'}}}, "/temperature"),
        ({"error": {"message": "No 'call_a1' here", "param": "messages"}}, "/messages/1/tool_calls/0/id"),
    ],
)
def test_places_are_found_in_every_form_of_words(reply: Any, place: str) -> None:
    assert place in refused_places(REQUEST, reply)


def test_a_field_that_the_request_lacks_altogether_is_named_by_itself() -> None:
    reply = {"error": {"message": "Please set tool_config.include_server_side_tool_invocations to use both."}}
    named = refused_places(REQUEST, reply)
    assert named == {"include_server_side_tool_invocations"}
    wanted = Hit("/tools/0", "both kinds of tools", "`toolConfig.includeServerSideToolInvocations: true`")
    assert is_named(wanted, named)
    assert not is_named(replace(wanted, expected="`toolConfig.mode`"), named)


@pytest.mark.parametrize(
    "reply",
    [
        {"error": {"message": "the model is not there, and the temperature is high"}},
        {"error": {"message": "'tools[4].type' is bad"}},
        {"error": {"message": "'other.type.inner' is bad"}},
        "not JSON",
        None,
    ],
)
def test_words_that_name_no_place_of_the_request_have_none(reply: Any) -> None:
    assert refused_places(REQUEST, reply) == frozenset()


def findings(param: str, status: int = 400) -> list[Finding]:
    """Those about a field that the document of the provider does not have, at a status."""
    sent = {"model": "m", "messages": [{"role": "user", "content": "Hi."}], "verbosity": "low"}
    error = {"error": {"message": "no", "type": "invalid_request_error", "param": param}}
    request = Request("POST", "https://api.groq.com/openai/v1/chat/completions", body=Body(sent))
    judged = Exchange(request, Response(status, body=Body(error)))
    return [each for each in Checker().feed(judged) if each.pointer == "/verbosity"]


def test_a_finding_at_the_place_is_an_error() -> None:
    (found,) = findings("verbosity")
    assert found.severity is Severity.ERROR
    assert found.message.endswith("(the provider refused it)")


@pytest.mark.parametrize(("param", "status"), [("model", 400), ("verbosity", 500)])
def test_elsewhere_it_stays_as_it_was(param: str, status: int) -> None:
    (found,) = findings(param, status)
    assert found.severity < Severity.ERROR


def unlisted(sent: dict[str, Any], message: str, status: int = 400) -> list[str]:
    """The places of the findings about unknown members."""
    body = {"model": "m", "messages": [{"role": "user", "content": "Hi."}], **sent}
    request = Request("POST", "https://llm.example/v1/chat/completions", body=Body(body))
    judged = Exchange(request, Response(status, body=Body({"error": {"message": message, "type": "x"}})))
    found = [each for each in Checker().feed(judged) if each.rule == "chat-request-field-unknown"]
    assert all(each.severity is Severity.ERROR for each in found)
    return [each.pointer or "" for each in found]


@pytest.mark.parametrize(
    ("sent", "message", "places"),
    [
        ({"repeat": 1}, "Superfluous argument: repeat", ["/repeat"]),
        ({"repeat": 1}, "The model answered: repeat: Extra inputs are not permitted, see above.", ["/repeat"]),
        ({"repeat": 1}, "#: extraneous key [repeat] is not permitted", ["/repeat"]),
        (
            {"messages": [{"role": "user", "content": "Hi.", "x_id": 1}]},
            "in 'messages.0', 'x_id'",
            ["/messages/0/x_id"],
        ),
        ({"temperature": 1}, "'temperature' is not taken", []),
        ({"metadata": {"own_key": "a"}}, "metadata.own_key is bad", []),
        ({"tools": [{"type": "function", "function": {"name": "f"}}]}, "tools[0].type is bad", []),
        ({"repeat": 1}, "the model is gone", []),
    ],
)
def test_a_member_that_no_document_has_is_unknown_if_the_refusal_names_it(
    sent: dict[str, Any], message: str, places: list[str]
) -> None:
    assert unlisted(sent, message) == places


def test_a_member_that_no_document_has_is_legal_otherwise() -> None:
    assert unlisted({"repeat": 1}, "Superfluous argument: repeat", 500) == []


@pytest.mark.parametrize(("status", "found"), [(400, ["/store"]), (200, [])])
def test_a_null_that_stands_for_nothing_is_a_fault_where_the_refusal_names_it(status: int, found: list[str]) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "Hi."}], "store": None, "user": None}
    request = Request("POST", "https://llm.example/v1/chat/completions", body=Body(body))
    reply = {"error": {"message": "store: Input should be a valid boolean", "type": "x"}}
    judged = Exchange(request, Response(status, body=Body(reply)))
    assert [each.pointer for each in Checker().feed(judged) if each.side == "request"] == found


def test_a_property_of_a_tool_may_be_named_id() -> None:
    request = {
        "tools": [{"input_schema": {"properties": {"id": {"type": "string"}}}}],
        "messages": [{"id": "toolu_01"}],
    }
    assert "/messages/0" in refused_places(request, {"error": {"message": "toolu_01 has no result"}})
