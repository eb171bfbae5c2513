"""What strict clients of Responses, Messages and Gemini need of a reply: they fail, and findings name them."""

from __future__ import annotations

import copy
import importlib
import json
from collections.abc import Callable
from typing import Any

import pytest

from conformance.judge.checker import Checker
from conformance.model.exchange import Body, Exchange, Headers, Request, Response
from conformance.model.finding import Severity

Json = dict[str, Any]
FUNCTION = {"call_id": "call_1", "name": "f", "arguments": "{}"}
CALL = {"id": "fc_1", "type": "function_call", "status": "completed", **FUNCTION}
PART = {"type": "output_text", "text": "Hi", "annotations": []}
MESSAGE = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [PART]}
RESPONSE: Json = {
    "id": "resp_1",
    "object": "response",
    "created_at": 1790000000,
    "status": "completed",
    "model": "m",
    "output": [MESSAGE, CALL],
    "parallel_tool_calls": True,
    "tool_choice": "auto",
    "tools": [],
    "usage": {"input_tokens": 1, "output_tokens": 2, "total_tokens": 3},
}
TEXT = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
OF_CALL = {"item_id": "fc_1", "output_index": 1}
STEPS: list[tuple[str, Json]] = [
    ("created", {"response": {**RESPONSE, "status": "in_progress", "output": []}}),
    ("output_item.added", {"output_index": 0, "item": {**MESSAGE, "content": []}}),
    ("content_part.added", {**TEXT, "part": {**PART, "text": ""}}),
    ("output_text.delta", {**TEXT, "delta": "Hi", "logprobs": []}),
    ("output_text.done", {**TEXT, "text": "Hi", "logprobs": []}),
    ("content_part.done", {**TEXT, "part": PART}),
    ("output_item.done", {"output_index": 0, "item": MESSAGE}),
    ("output_item.added", {"output_index": 1, "item": {**CALL, "arguments": ""}}),
    ("function_call_arguments.delta", {**OF_CALL, "delta": "{}"}),
    ("function_call_arguments.done", {**OF_CALL, "name": "f", "arguments": "{}"}),
    ("output_item.done", {"output_index": 1, "item": CALL}),
    ("completed", {"response": RESPONSE}),
]
RESPONSE_EVENTS: list[Json] = [
    {"type": f"response.{kind}", "sequence_number": number, **rest} for number, (kind, rest) in enumerate(STEPS)
]
BLOCKS = [{"type": "text", "text": "Hi"}, {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}}]
MESSAGES: Json = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "m",
    "content": BLOCKS,
    "stop_reason": "tool_use",
    "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 2},
}
MESSAGES_EVENTS: list[Json] = [
    {"type": "message_start", "message": {**MESSAGES, "content": [], "stop_reason": None}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hi"}},
    {"type": "content_block_stop", "index": 0},
    {"type": "content_block_start", "index": 1, "content_block": BLOCKS[1]},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": "{}"}},
    {"type": "content_block_stop", "index": 1},
    {
        "type": "message_delta",
        "delta": {"stop_reason": "tool_use", "stop_sequence": None},
        "usage": {"output_tokens": 2},
    },
    {"type": "message_stop"},
]
PARTS = [{"text": "Hi"}, {"functionCall": {"name": "f", "args": {"a": 1}}}]
GEMINI: Json = {"candidates": [{"content": {"role": "model", "parts": PARTS}, "finishReason": "STOP"}]}
SCHEMA = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
TOOL = {"type": "function", "name": "f", "strict": True, "parameters": SCHEMA}
ASKED = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi."}]}


def content(body: Any) -> tuple[bytes, str]:
    if isinstance(body, list):
        events = (f"event: {each.get('type')}\ndata: {json.dumps(each)}\n\n" for each in body)
        return "".join(events).encode(), "text/event-stream"
    return json.dumps(body).encode(), "application/json"


def http(body: Any, package: str = "httpx") -> Any:
    httpx = importlib.import_module(package)
    text, kind = content(body)
    return httpx.Client(
        transport=httpx.MockTransport(lambda _: httpx.Response(200, content=text, headers={"content-type": kind}))
    )


def responses_stream(body: Any) -> None:
    openai = pytest.importorskip("openai")
    client = openai.OpenAI(api_key="x", http_client=http(body))
    with client.responses.stream(model="m", input="Hi.", tools=[TOOL]) as it:
        list(it)
        it.get_final_response()


def responses_text(body: Any) -> None:
    openai = pytest.importorskip("openai")
    assert openai.OpenAI(api_key="x", http_client=http(body)).responses.create(model="m", input="Hi.").output_text


def responses_langchain(body: Any) -> None:
    langchain = pytest.importorskip("langchain_openai")
    langchain.ChatOpenAI(model="m", api_key="x", http_client=http(body), use_responses_api=True).invoke("Hi.")


def messages_stream(body: Any) -> None:
    anthropic = pytest.importorskip("anthropic")
    client = anthropic.Anthropic(api_key="x", http_client=http(body, "httpx2"))
    with client.messages.stream(**ASKED) as it:
        list(it)
        it.get_final_message()


def messages_langchain(body: Any) -> None:
    anthropic, langchain = pytest.importorskip("anthropic"), pytest.importorskip("langchain_anthropic")
    model = langchain.ChatAnthropic(model="m", api_key="x")
    model.__dict__["_client"] = anthropic.Anthropic(api_key="x", http_client=http(body, "httpx2"))
    model.invoke("Hi.")


def gemini(body: Any) -> None:
    genai = pytest.importorskip("google.genai")
    client = genai.Client(api_key="x", http_options={"httpx_client": http(body)})
    client.models.generate_content(model="m", contents="Hi.")


REQUESTS: dict[str, tuple[str, Json, list[tuple[str, str]]]] = {
    "responses": ("/v1/responses", {"model": "m", "input": "Hi."}, []),
    "messages": ("/v1/messages", ASKED, [("anthropic-version", "2023-06-01")]),
    "gemini": ("/v1beta/models/m:generateContent", {"contents": [{"role": "user", "parts": [{"text": "Hi."}]}]}, []),
}
CALLED = ("candidates", 0, "content", "parts", 1, "functionCall")
READ_IN_RESPONSES: list[tuple[Any, ...]] = [
    *((0, "response"), (1, "item"), (1, "output_index"), (2, "part"), (3, "delta"), (3, "content_index")),
    *((6, "item"), (8, "delta"), (11, "response")),
]
READ_IN_MESSAGES: list[tuple[Any, ...]] = [
    *((1, "content_block"), (2, "index"), (2, "delta"), (2, "delta", "text"), (3, "index")),
    *((5, "delta", "partial_json"), (7, "delta"), (7, "usage")),
]
BROKEN: list[tuple[Callable[[Any], None], str, Any, tuple[Any, ...], Any]] = [
    *((responses_stream, "openai-python 3", RESPONSE_EVENTS, path, None) for path in READ_IN_RESPONSES),
    (responses_text, "openai-python 3", RESPONSE, ("output",), None),
    (responses_text, "openai-python 3", RESPONSE, ("output", 0, "content"), None),
    (responses_langchain, "langchain-openai 1", RESPONSE, ("output", 1, "arguments"), None),
    *((messages_stream, "anthropic 2", MESSAGES_EVENTS, path, None) for path in READ_IN_MESSAGES),
    (messages_langchain, "langchain-anthropic 1", MESSAGES, ("content",), None),
    # No member of a reply is required by a client of Gemini: they fail at wrong types.
    (gemini, "google-genai 2", GEMINI, CALLED, 1),
    (gemini, "google-genai 2", GEMINI, CALLED[:3], 1),
    (gemini, "google-genai 2", GEMINI, (*CALLED, "name"), 1),
    (gemini, "google-genai 2", GEMINI, (*CALLED, "args"), "{}"),
    (gemini, "google-genai 2", GEMINI, ("candidates", 0, "content", "parts", 0, "text"), 1),
]


def broken(body: Any, path: tuple[Any, ...], other: Any) -> Any:
    """The body without the member at a path, or with another value there."""
    made = copy.deepcopy(body)
    *steps, last = path
    value = made
    for step in steps:
        value = value[step]
    if other is None:
        del value[last]
    else:
        value[last] = other
    return made


@pytest.mark.parametrize(
    ("client", "name", "body", "path", "other"),
    BROKEN,
    ids=lambda each: each.__name__ if callable(each) else "/".join(map(str, each)) if isinstance(each, tuple) else "",
)
def test_the_client_fails_and_the_finding_names_it(
    client: Callable[[Any], None], name: str, body: Any, path: tuple[Any, ...], other: Any
) -> None:
    client(body)
    made = broken(body, path, other)
    with pytest.raises((AssertionError, AttributeError, RuntimeError, TypeError, ValueError)):
        client(made)
    url, asked, headers = REQUESTS[client.__name__.partition("_")[0]]
    text, kind = content(made)
    sent = Body({**asked, "stream": isinstance(body, list)})
    request = Request("POST", f"https://llm.example{url}", headers=Headers(headers), body=sent)
    answer = Body(text if isinstance(body, list) else made)
    found = Checker().feed(Exchange(request, Response(200, Headers([("content-type", kind)]), answer)))
    (one,) = [each for each in found if f"; {name} raises" in each.message]
    assert one.message.startswith(f"`{path[-1]}` is ")
    assert one.severity is Severity.ERROR
