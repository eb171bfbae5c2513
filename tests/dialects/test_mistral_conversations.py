"""Mistral's conversations: whose path it is, what a stream of pieces adds up to, and one that is cut anywhere."""

from __future__ import annotations

from dataclasses import replace

import pytest

from conformance.judge.checker import Checker
from conformance.judge.proofs.example import Example
from conformance.model.exchange import Body, json_request
from conformance.model.registry import all_dialects, claim
from conformance.model.transcript import Reasoning, Text

CONVERSATIONS = all_dialects()["mistral-conversations"]


def test_openais_conversations_at_the_same_path_are_not_claimed() -> None:
    for path in ("/v1/conversations", "/v1/conversations/conv_1", "/v1/conversations/conv_1/restart"):
        assert claim(json_request(path, {"inputs": "Hi"})) is CONVERSATIONS
        assert claim(json_request(path, {"items": [], "metadata": {}})) is not CONVERSATIONS
    assert claim(json_request("/v1/conversations/conv_1/items", {"inputs": "Hi"})) is not CONVERSATIONS


def test_completions_of_an_agent_are_chats() -> None:
    body = {"agent_id": "ag_1", "messages": [{"role": "user", "content": "Hi"}]}
    found = claim(json_request("/v1/agents/completions", body))
    assert found is not None
    assert found.name == "openai-chat"


def test_a_request_that_continues_has_the_tools_that_the_server_keeps() -> None:
    asked = CONVERSATIONS.readers.read_request(json_request("/v1/conversations/conv_1", {}), {"inputs": "And now?"})
    assert (asked.continues, asked.partial, [tool.kind for tool in asked.tools or ()]) == ("conv_1", True, ["toolset"])


def test_thoughts_and_texts_of_a_stream_are_those_of_the_whole_message() -> None:
    (exchange,) = Example("mistral-conversations/stream-thinking").exchanges()
    (turn,) = CONVERSATIONS.readers.read_stream(CONVERSATIONS.readers.sse_events(exchange) or ())
    assert [(type(part), getattr(part, "text", None)) for part in turn.parts] == [
        (Reasoning, "The tool has it."),
        (Text, "Yes, until noon."),
    ]
    assert (turn.stop, turn.id) == ("end", "conv_0197a1c05f2e7711")


def test_calls_whose_pieces_interleave_are_read_by_their_index() -> None:
    (exchange,) = Example("mistral-conversations/stream-parallel").exchanges()
    events = list(CONVERSATIONS.readers.sse_events(exchange) or ())
    events[2], events[3] = events[3], events[2]
    (turn,) = CONVERSATIONS.readers.read_stream(events)
    assert [(each.id, each.arguments) for each in turn.calls] == [
        ("x1Y2z3A4b", {"place": "Tromsø"}),
        ("d7E8f9A0b", {"place": "Bodø"}),
    ]


@pytest.mark.parametrize("base", ["stream-parallel", "stream-served", "stream-thinking"])
def test_a_stream_that_is_cut_at_any_byte_is_read_without_an_error_of_the_harness(base: str) -> None:
    (whole,) = Example(f"mistral-conversations/{base}").exchanges()
    body = (whole.response.body.text or "").encode()
    for size in range(1, len(body) + 1):
        checker = Checker()
        checker.feed(replace(whole, response=replace(whole.response, body=Body(body[:size]))))
        assert checker.summary.harness_errors == [], size
