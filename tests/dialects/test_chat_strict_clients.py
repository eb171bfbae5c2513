"""What a strict client of Chat needs of a reply: findings name it, whatever the provider's own document allows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from conformance.judge.checker import Checker
from conformance.model.exchange import Body, Exchange, Headers, Request, Response
from conformance.model.finding import Finding, Severity
from conformance.profiles.profiles import profile_called

CALL = {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
SCHEMA = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
SENT: dict[str, Any] = {
    "model": "m",
    "messages": [{"role": "user", "content": "Hi."}],
    "tools": [{"type": "function", "function": {"name": "f", "strict": True, "parameters": SCHEMA}}],
}


def reply() -> dict[str, Any]:
    message = {"role": "assistant", "content": None, "tool_calls": [CALL]}
    return {
        "id": "c",
        "object": "chat.completion",
        "created": 1790000000,
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def chunk() -> dict[str, Any]:
    delta = {"role": "assistant", "tool_calls": [{"index": 0, **CALL}]}
    choices = [{"index": 0, "delta": delta, "finish_reason": None}]
    return {**reply(), "object": "chat.completion.chunk", "choices": choices, "usage": None}


def without(body: dict[str, Any], *path: str | int) -> dict[str, Any]:
    """The body without the member at the end of a path."""
    *steps, last = path
    value: Any = body
    for step in steps:
        value = value[step]
    del value[last]
    return body


def http(body: dict[str, Any], *, stream: bool) -> httpx.Client:
    text = f"data: {json.dumps(body)}\n\n" * 2 + "data: [DONE]\n\n" if stream else json.dumps(body)
    kind = "text/event-stream" if stream else "application/json"
    answer = httpx.Response(200, content=text.encode(), headers={"content-type": kind})
    return httpx.Client(transport=httpx.MockTransport(lambda _: answer))


def streamed(body: dict[str, Any]) -> None:
    """openai-python: the helper that adds up a stream."""
    openai = pytest.importorskip("openai")
    client = openai.OpenAI(api_key="x", base_url="http://localhost/v1", http_client=http(body, stream=True))
    with client.chat.completions.stream(**SENT) as stream:
        list(stream)
        stream.get_final_completion()


def invoked(body: dict[str, Any]) -> None:
    """langchain-openai: a reply with calls."""
    langchain = pytest.importorskip("langchain_openai")
    model = langchain.ChatOpenAI(
        model="m", api_key="x", base_url="http://localhost/v1", http_client=http(body, stream=False)
    )
    model.bind_tools(SENT["tools"]).invoke("Hi.")


def findings(body: dict[str, Any], profile: str | None, *, stream: bool) -> Iterator[Finding]:
    headers = Headers([("content-type", "text/event-stream" if stream else "application/json")])
    content: Any = f"data: {json.dumps(body)}\n\ndata: [DONE]\n\n".encode() if stream else body
    request = Request("POST", "https://llm.example/v1/chat/completions", body=Body({**SENT, "stream": stream}))
    checker = Checker(profile=profile_called(profile) if profile is not None else None)
    yield from checker.feed(Exchange(request, Response(200, headers, Body(content))))


BROKEN = [
    (streamed, chunk, ("object",), "vllm"),
    (streamed, chunk, ("choices", 0, "index"), "vllm"),
    (streamed, chunk, ("choices", 0, "delta"), "cerebras"),
    (streamed, chunk, ("choices", 0, "delta", "tool_calls", 0, "index"), "mistral"),
    (invoked, reply, ("choices", 0, "message", "role"), "sglang"),
]


@pytest.mark.parametrize(("client", "made", "path", "profile"), BROKEN)
def test_the_client_fails_and_the_finding_names_it(
    client: Callable[[dict[str, Any]], None], made: Callable[[], dict[str, Any]], path: tuple[Any, ...], profile: str
) -> None:
    client(made())
    with pytest.raises((AssertionError, AttributeError, TypeError, ValueError)):
        client(without(made(), *path))
    name = "openai-python" if client is streamed else "langchain-openai"
    for here in (None, profile):
        found = findings(without(made(), *path), here, stream=client is streamed)
        (one,) = [each for each in found if name in each.message]
        assert f"`{path[-1]}` is missing; {name}" in one.message
        assert one.severity >= Severity.WARNING
