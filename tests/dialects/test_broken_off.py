"""A stream that breaks off in the arguments of a call: the end is at fault, not the call."""

from __future__ import annotations

import json

import pytest

from conformance.judge.checker import check
from conformance.model.exchange import Body, Exchange, Headers, Request, Response

REQUEST = Request(
    "POST", "https://api.openai.com/v1/chat/completions", body=Body({"model": "m", "messages": [], "stream": True})
)


def chunk(delta: dict[str, object], finish: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    body = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    return f"data: {json.dumps(body)}\n\n"


def called(index: int) -> str:
    function = {"name": "f", "arguments": '{"a":'}
    return chunk({"tool_calls": [{"index": index, "id": f"call_{index}", "type": "function", "function": function}]})


BEGUN = chunk({"role": "assistant", "content": None})
FAILED = 'data: {"error": {"message": "The server failed.", "type": "server_error", "param": null, "code": null}}\n\n'
ENDED = chunk({}, "tool_calls") + "data: [DONE]\n\n"


@pytest.mark.parametrize(
    ("stream", "severities"),
    [
        (BEGUN + called(0), ["info"]),
        (BEGUN + called(0) + called(1), ["error", "info"]),  # only the last one can be cut
        (BEGUN + called(0) + ENDED, ["error"]),
        (BEGUN + called(0) + FAILED, ["info"]),
    ],
)
def test_arguments_are_malformed_where_the_stream_goes_on(stream: str, severities: list[str]) -> None:
    response = Response(200, Headers([("content-type", "text/event-stream")]), Body(stream))
    found = [each for each in check([Exchange(REQUEST, response)]) if each.rule == "arguments-malformed"]
    assert [str(each.severity) for each in found] == severities
