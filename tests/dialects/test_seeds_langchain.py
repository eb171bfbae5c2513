"""What write-ups of tool use get wrong about the four HTTP dialects: each divergence is named by its rule.

D01 to D06, D14 and D35 come from a write-up of MCP tools in three providers' formats, D15 to D21 from one that
explains LangChain's `bind_tools` as a text in the system prompt. The exchanges here are small ones of our own.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from conformance.judge.checker import check
from conformance.model.exchange import Exchange

Record = dict[str, Any]
JSON = {"content-type": "application/json"}
SSE = {"content-type": "text/event-stream"}

SEARCH = {
    "type": "function",
    "function": {
        "name": "search_handbook",
        "description": "Search the handbook.",
        "parameters": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
    },
}
ASKED = {"role": "user", "content": "How do I open a window?"}
CALL = {
    "id": "call_abc12345",
    "type": "function",
    "function": {"name": "search_handbook", "arguments": '{"query": "open window"}'},
}
CALLING = {"role": "assistant", "content": None, "tool_calls": [CALL]}
FOUND = {"role": "tool", "tool_call_id": "call_abc12345", "content": '["page 12"]'}
ANSWER = {"role": "assistant", "content": "It is on page 12."}
TOLD = {
    "role": "system",
    "content": "You have these tools:\n1. Name: search_handbook\n   Parameters: {'query': {'type': 'string'}}",
}


def chat(messages: list[Any], reply: Any, **options: Any) -> Record:
    body = {"model": "gpt-4o-mini", "messages": messages, "tools": [SEARCH], **options}
    body = {key: value for key, value in body.items() if value is not None}
    headers = {**JSON, "accept": "application/json", "authorization": "Bearer k"}
    request = {"method": "POST", "url": "https://api.openai.com/v1/chat/completions", "headers": headers, "body": body}
    if isinstance(reply, list):
        return {"request": request, "response": stream([(None, data) for data in reply])}
    finish = "tool_calls" if reply.get("tool_calls") else "stop"
    message = {**reply, "refusal": None, "annotations": []}
    completion = {
        "id": f"chatcmpl-AbCdEfGhIjKlMnOpQrStUvWxYz{len(messages):03d}",
        "object": "chat.completion",
        "created": 1790000000,
        "model": "gpt-4o-mini-2024-07-18",
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": finish}],
        "usage": {"prompt_tokens": 8 + len(messages), "completion_tokens": 9, "total_tokens": 17 + len(messages)},
        "service_tier": "default",
        "system_fingerprint": "fp_560af6e559",
    }
    return {"request": request, "response": {"status": 200, "headers": JSON, "body": completion}}


def stream(events: list[tuple[str | None, Any]]) -> Record:
    lines = [(f"event: {name}\n" if name else "") + f"data: {json.dumps(data)}\n\n" for name, data in events]
    return {"status": 200, "headers": SSE, "body": "".join(lines)}


CLOCK = {
    "name": "get_time",
    "description": "The time in milliseconds.",
    "input_schema": {
        "type": "object",
        "properties": {"offset_ms": {"type": "number"}},
        "required": ["offset_ms"],
    },
}
USE = {"type": "tool_use", "id": "toolu_01A1b2C3d4E5f6G7h8I9j0K1", "name": "get_time", "input": {"offset_ms": -5}}
WHEN = {"role": "user", "content": [{"type": "text", "text": "When was it?"}]}
SAID = [{"type": "text", "text": "Five milliseconds ago."}]


def messages(body: Record, reply: Any, stop: str = "end_turn") -> Record:
    body = {"model": "claude-sonnet-4-6", "max_tokens": 100, "tools": [CLOCK], **body}
    body = {key: value for key, value in body.items() if value is not None}
    headers = {**JSON, "accept": "application/json", "x-api-key": "k", "anthropic-version": "2023-06-01"}
    request = {"method": "POST", "url": "https://api.anthropic.com/v1/messages", "headers": headers, "body": body}
    if isinstance(reply, tuple):
        return {"request": request, "response": stream([(event["type"], event) for event in reply])}
    message = {
        "model": "claude-sonnet-4-6",
        "id": "msg_01AMLntWQfczKi1AR4AyP8DF",
        "type": "message",
        "role": "assistant",
        "content": reply,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": 9, "output_tokens": 9},
    }
    return {"request": request, "response": {"status": 200, "headers": JSON, "body": message}}


def tool_result(**result: Any) -> list[Any]:
    block = {"type": "tool_result", "tool_use_id": USE["id"], **result}
    return [WHEN, {"role": "assistant", "content": [USE]}, {"role": "user", "content": [block]}]


DECLARED = [{"functionDeclarations": [{"name": "get_time", "description": "The time."}]}]
ASKING = {"role": "user", "parts": [{"text": "When was it?"}]}
FUNCTION_CALL = {"functionCall": {"name": "get_time", "args": {}}}
LAST = [{"text": "Five milliseconds ago."}]


def gemini(contents: list[Any], reply: Any, model: str = "gemini-2.5-flash", tools: Any = DECLARED) -> Record:
    method = "generateContent" if isinstance(reply, list) else "streamGenerateContent?alt=sse"
    url = f"https://generativelanguage.googleapis.com/v1beta/models/{model}:{method}"
    body = {"contents": contents, "tools": tools}
    request = {"method": "POST", "url": url, "headers": {**JSON, "x-goog-api-key": "k"}, "body": body}
    if isinstance(reply, tuple):
        return {"request": request, "response": stream(list(reply))}
    answer = {
        "candidates": [{"content": {"parts": reply, "role": "model"}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 9, "totalTokenCount": 18},
        "modelVersion": model,
        "responseId": "U-cFv3L2KQbjraGwavrJTX",
    }
    return {"request": request, "response": {"status": 200, "headers": JSON, "body": answer}}


def responding(response: Any) -> list[Any]:
    part = {"functionResponse": {"name": "get_time", "response": response}}
    return [ASKING, {"role": "model", "parts": [FUNCTION_CALL]}, {"role": "user", "parts": [part]}]


def chunk(delta: Any) -> Record:
    return {
        "id": "chatcmpl-AbCdEfGhIjKlMnOpQrStUvWxYz012",
        "object": "chat.completion.chunk",
        "created": 1790000000,
        "model": "gpt-4o-mini-2024-07-18",
        "choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": None}],
    }


FLAT_CALL = {"id": "call_abc12345", "name": "search_handbook", "arguments": "..."}
DOTS_FOR_ARGUMENTS = {**CALL, "function": {"name": "search_handbook", "arguments": "..."}}
PIECES = [{"role": "assistant", "content": "It is on "}, {"role": "assistant", "content": "page 12."}]
HALF_A_STREAM = (
    {"type": "content_block_start", "index": 0, "content_block": {**USE, "input": {}}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": "{}"}},
    {"type": "content_block_stop", "index": 0},
    {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 9}},
)

DIVERGENCES: dict[str, tuple[list[Record], str]] = {
    "D01 a tool_result with `result`": (
        [messages({"messages": tool_result(result="1790000000000")}, SAID)],
        "error messages-block-member-unknown request /messages/2/content/0/result",
    ),
    "D02 a function response that is a number": (
        [gemini(responding(1790000000000), LAST)],
        "error gemini-result-wrong-type request /contents/2/parts/0/functionResponse/response",
    ),
    "D03 a Gemini stream with named events": (
        [gemini([ASKING], (("functionCall", {"name": "get_time", "args": {}}), ("functionCallResult", {})))],
        "error gemini-stream-event-unexpected response event/0",
    ),
    "D04 a Gemini 3 call that comes back unsigned": (
        [gemini(responding({"output": 5}), LAST, "gemini-3-flash-preview")],
        "error gemini-signature-missing request /contents/1/parts/0/functionCall",
    ),
    "D04 a Gemini 3 call that comes unsigned": (
        [gemini([ASKING], [FUNCTION_CALL], "gemini-3-flash-preview")],
        "error gemini-first-call-signature-missing response /candidates/0/content/parts/0/functionCall",
    ),
    "D05 a stream that starts with a block": (
        [messages({"messages": [WHEN], "stream": True}, HALF_A_STREAM)],
        "error messages-stream-start-misplaced response event/0",
    ),
    "D05 a stream that ends with message_delta": (
        [messages({"messages": [WHEN], "stream": True}, HALF_A_STREAM)],
        "error messages-stream-end-misplaced response None",
    ),
    "D06 a name with a dot, to OpenAI": (
        [chat([ASKED], ANSWER, tools=[{**SEARCH, "function": {"name": "handbook.search"}}])],
        "error chat-tool-name-invalid request /tools/0/function/name",
    ),
    "D06 a name of a hundred characters, to OpenAI": (
        [chat([ASKED], ANSWER, tools=[{**SEARCH, "function": {"name": "s" * 100}}])],
        "error chat-tool-name-invalid request /tools/0/function/name",
    ),
    "D06 a name with a dot, to Anthropic": (
        [messages({"messages": [WHEN], "tools": [{**CLOCK, "name": "clock.time"}]}, SAID)],
        "error messages-tool-name-invalid request /tools/0/name",
    ),
    "D06 a name that starts with a digit, to Gemini": (
        [gemini([ASKING], LAST, tools=[{"functionDeclarations": [{"name": "1st_time", "description": "The time."}]}])],
        "error gemini-tool-name-invalid request /tools/0/functionDeclarations/0/name",
    ),
    "D14 a request without max_tokens": (
        [messages({"messages": [WHEN], "max_tokens": None}, SAID)],
        "error messages-request-field-wrong-type request None",
    ),
    "D14 a request without a model": (
        [messages({"messages": [WHEN], "model": None}, SAID)],
        "error messages-request-field-wrong-type request None",
    ),
    "D15 tools described in the system text": (
        [chat([TOLD, ASKED], CALLING, tools=None)],
        "error tool-declaration-misplaced request /messages/0",
    ),
    "D16 a tool list as Python shows it": (
        [chat([ASKED], ANSWER, tools=[{**SEARCH, "function": {"name": "f", "parameters": "{'type': 'object'}"}}])],
        "error chat-tool-parameters-wrong-type request /tools/0/function/parameters",
    ),
    "D17 a reply with an empty list of calls": (
        [chat([ASKED], {**ANSWER, "tool_calls": []})],
        "warning chat-tool-calls-empty response /choices/0/message/tool_calls",
    ),
    "D17 a history with an empty list of calls": (
        [chat([ASKED, {**ANSWER, "tool_calls": []}, ASKED], ANSWER)],
        "error chat-history-tool-calls-empty request /messages/1/tool_calls",
    ),
    "D18 a call without type and function": (
        [chat([ASKED, {**CALLING, "tool_calls": [FLAT_CALL]}, FOUND], ANSWER)],
        "error chat-history-call-incomplete request /messages/1/tool_calls/0",
    ),
    "D19 dots for arguments": (
        [chat([ASKED], CALLING), chat([ASKED, {**CALLING, "tool_calls": [DOTS_FOR_ARGUMENTS]}, FOUND], ANSWER)],
        "error echoed-call-changed request /messages/1/tool_calls/0",
    ),
    "D20 an empty text beside calls": (
        [chat([ASKED], {**CALLING, "content": ""})],
        "warning chat-content-empty response /choices/0/message/content",
    ),
    "D21 a stream of messages, not of chunks": (
        [chat([ASKED], PIECES, stream=True)],
        "error chat-chunk-field-missing response event/0",
    ),
    "D21 a stream without a finish reason": (
        [chat([ASKED], [chunk(piece) for piece in PIECES], stream=True)],
        "error chat-finish-missing response event/1/choices/0",
    ),
    "D21 a stream without its terminator": (
        [chat([ASKED], [chunk(piece) for piece in PIECES], stream=True)],
        "error chat-done-missing response None",
    ),
    "D21 a stream that says the role each time": (
        [chat([ASKED], [chunk(piece) for piece in PIECES], stream=True)],
        "warning chat-role-repeated response event/1/choices/0/delta/role",
    ),
}

SOUND: dict[str, list[Record]] = {
    "D04 a Gemini 2.5 call without id and signature": [gemini(responding({"output": 5}), LAST)],
    "D35 a short call id": [chat([ASKED], CALLING), chat([ASKED, CALLING, FOUND], ANSWER)],
    "a tool_result with `content`": [messages({"messages": tool_result(content="1790000000000")}, SAID)],
}


def findings(records: list[Record]) -> list[str]:
    exchanges = [Exchange.of(record, source="seed", complete=True, group="seed") for record in records]
    return [
        f"{each.severity.name.lower()} {each.rule} {each.side} {each.pointer}"
        for each in check(exchanges)
        if each.exchange == len(records) - 1
    ]


@pytest.mark.statement("D01", "D02", "D03", "D04", "D05", "D06", "D14", "D15", "D16", "D17", "D18", "D19", "D20", "D21")
@pytest.mark.parametrize(("records", "finding"), DIVERGENCES.values(), ids=DIVERGENCES)
def test_a_divergence_is_found_by_its_rule_at_its_place(records: list[Record], finding: str) -> None:
    assert finding in findings(records)


@pytest.mark.statement("0.4", "D04", "D35")
@pytest.mark.parametrize("records", SOUND.values(), ids=SOUND)
def test_what_is_sound_in_them_has_no_finding(records: list[Record]) -> None:
    assert findings(records) == []
