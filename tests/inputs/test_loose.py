"""Recordings that somebody has taken apart: events without their stream, URLs and headers that were replaced."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from conformance import check, load
from conformance.errors import ConformanceError
from conformance.model.exchange import Exchange
from conformance.model.finding import Severity
from conformance.model.registry import claim


def _chunks(id: str) -> list[dict[str, Any]]:  # noqa: A002 - the field's own word
    begun = {"id": id, "object": "chat.completion.chunk", "created": 1795000000, "model": "m"}
    deltas = [({"role": "assistant", "content": ""}, None), ({"content": "Hello"}, None), ({}, "stop")]
    return [{**begun, "choices": [{"index": 0, "delta": delta, "finish_reason": end}]} for delta, end in deltas]


def _events() -> list[dict[str, Any]]:
    text = {"type": "text", "text": ""}
    usage = {"input_tokens": 3, "output_tokens": 1}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "usage": usage}
    return [
        {"type": "message_start", "message": {**message, "stop_reason": None, "stop_sequence": None}},
        {"type": "content_block_start", "index": 0, "content_block": text},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hello"}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": usage},
        {"type": "message_stop"},
    ]


_READ = [
    pytest.param([*_chunks("chatcmpl-1"), *_chunks("chatcmpl-2")], 2, "openai-chat", id="chat"),
    pytest.param([*_events(), *_events()], 2, "anthropic-messages", id="messages"),
]


@pytest.mark.parametrize(("events", "replies", "dialect"), _READ)
def test_the_events_of_streams_in_lines_are_replies(
    events: list[Any], replies: int, dialect: str, tmp_path: Path
) -> None:
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(each) + "\n" for each in events))
    found = list(load(tmp_path))
    assert len(found) == replies
    assert {getattr(claim(each.request), "name", None) for each in found} == {dialect}
    assert [each.rule for each in check(found) if each.severity > Severity.INFO] == []


@pytest.mark.parametrize("events", [_chunks("chatcmpl-1"), _events(), [{"candidates": [], "usageMetadata": {}}] * 2])
def test_an_array_of_events_is_one_reply(events: list[Any], tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(events))
    [found] = load(tmp_path)
    assert found.lacks >= {"request", "url", "headers", "status"}


def test_one_event_of_a_stream_is_not_judged(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(_chunks("chatcmpl-1")[1]))
    [found] = load(tmp_path)
    assert found.response.body.note == "one event of a stream"


def test_an_array_of_whole_replies_is_as_many_exchanges(tmp_path: Path) -> None:
    message = {"role": "assistant", "content": "Hello"}
    reply = {"object": "chat.completion", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
    (tmp_path / "a.json").write_text(json.dumps([reply, reply]))
    assert len(list(load(tmp_path))) == 2


def _cassette(url: str, reply: dict[str, Any], path: Path) -> Exchange:
    headers = {"authorization": ["**REDACTED**"], "content-type": ["**REDACTED**"], "anthropic-beta": ["**REDACTED**"]}
    body = json.dumps({"model": "text-embedding-3-small", "input": "Hello"})
    response = {"status": {"code": 200, "message": "OK"}, "headers": {}, "body": {"string": json.dumps(reply)}}
    request = {"method": "POST", "uri": url, "headers": headers, "body": body}
    path.write_text(yaml.safe_dump({"version": 1, "interactions": [{"request": request, "response": response}]}))
    [found] = load(path)
    return found


def test_a_url_that_was_replaced_is_that_of_the_bodies(tmp_path: Path) -> None:
    found = _cassette("**REDACTED**", {"object": "response", "output": []}, tmp_path / "a.yaml")
    assert found.request.path == "/v1/responses"
    assert found.lacks == {"url", "headers"}
    assert [name for name, _ in found.request.headers] == ["authorization"]


def test_a_reply_of_another_endpoint_shows_no_url(tmp_path: Path) -> None:
    found = _cassette("<redacted>", {"object": "list", "data": [], "model": "m"}, tmp_path / "a.yaml")
    assert found.request.url == "<redacted>"


def test_a_url_that_is_there_stays(tmp_path: Path) -> None:
    url = "https://api.openai.com/v1/responses"
    assert _cassette(url, {"object": "response", "output": []}, tmp_path / "a.yaml").request.url == url


def test_yaml_documents_of_one_file_are_read_one_after_the_other(tmp_path: Path) -> None:
    stub = {"request": {"url": "/v1/chat/completions", "method": "POST"}, "response": {"status": 200, "jsonBody": {}}}
    (tmp_path / "a.yaml").write_text(yaml.safe_dump_all([stub, stub]))
    assert len(list(load(tmp_path / "a.yaml"))) == 2


def test_a_stream_that_was_saved_as_text_is_read_in_a_folder_and_other_text_is_not(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("".join(f"data: {json.dumps(each)}\n\n" for each in _chunks("chatcmpl-1")))
    (tmp_path / "b.txt").write_text("data: nothing\n")
    assert [Path(each.source).name for each in load(tmp_path)] == ["a.txt"]


def test_messages_of_another_form_are_no_conversation(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"messages": [{"role": "user", "contents": [{"$type": "text"}]}]}))
    with pytest.raises(ConformanceError, match="not a recording in a known format"):
        list(load(tmp_path / "a.json"))
