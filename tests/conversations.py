"""Conversations of an agent, as exchange JSONL records: every request holds all turns before it, and the same tools."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from typing import Any

Record = dict[str, Any]
_SYSTEM = "You are helpful. " * 50
_RESULT = '{"t": 1}' * 30
_SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string", "description": "x" * 80}},
    "required": ["city"],
    "additionalProperties": False,
}


def _tools(count: int, wrap: Callable[[Record], Record]) -> list[Record]:
    return [wrap({"name": f"get_weather{number}", "description": "d" * 200}) for number in range(count)]


def _growing(
    turns: int, body: Record, key: str, turn: Callable[[int, bool], tuple[Record, list[Any]]]
) -> Iterator[Any]:
    """The request and the reply of each turn; `turn` gives a reply, and what the next request has besides."""
    for number in range(turns):
        request = deepcopy(body)
        reply, items = turn(number, number == turns - 1)
        body[key].extend(items)
        yield request, reply


def _records(url: str, exchanges: Iterator[Any], headers: Mapping[str, str] | None = None) -> list[Record]:
    kind = {"content-type": "application/json"}
    return [
        {
            "id": f"e{number}",
            "conversation": "c",
            "request": {"method": "POST", "url": url, "headers": {**kind, **(headers or {})}, "body": request},
            "response": {"status": 200, "headers": kind, "body": reply},
        }
        for number, (request, reply) in enumerate(exchanges)
    ]


def chat(turns: int, tools: int = 20) -> list[Record]:
    def turn(number: int, last: bool) -> tuple[Record, list[Any]]:  # noqa: FBT001
        call: Record = {"id": f"call_{number:024d}", "type": "function"}
        call["function"] = {"name": "get_weather0", "arguments": json.dumps({"city": f"P{number}"})}
        said = {"role": "assistant", "content": "done" if last else None, **({} if last else {"tool_calls": [call]})}
        finish = "stop" if last else "tool_calls"
        choice = {"index": 0, "message": {**said, "refusal": None, "annotations": []}, "logprobs": None}
        reply = {
            "id": f"chatcmpl-{number:029d}",
            "object": "chat.completion",
            "created": 1795000000 + number,
            "model": "gpt-4o-2024-08-06",
            "choices": [{**choice, "finish_reason": finish}],
            "usage": {"prompt_tokens": 10 + number, "completion_tokens": 10, "total_tokens": 20 + number},
            "service_tier": "default",
            "system_fingerprint": "fp_x",
        }
        return reply, [said, {"role": "tool", "tool_call_id": call["id"], "content": _RESULT}]

    body = {
        "model": "gpt-4o",
        "messages": [{"role": "system", "content": _SYSTEM}, {"role": "user", "content": "weather?"}],
        "tools": _tools(tools, lambda tool: {"type": "function", "function": {**tool, "parameters": _SCHEMA}}),
    }
    return _records("https://api.openai.com/v1/chat/completions", _growing(turns, body, "messages", turn))


def messages(turns: int, tools: int = 20) -> list[Record]:
    def turn(number: int, last: bool) -> tuple[Record, list[Any]]:  # noqa: FBT001
        call_id = f"toolu_{number:022d}"
        call = {"type": "tool_use", "id": call_id, "name": "get_weather0", "input": {"city": f"P{number}"}}
        content = [{"type": "text", "text": "done"} if last else call]
        reply = {
            "id": f"msg_{number:022d}",
            "type": "message",
            "role": "assistant",
            "model": "claude-sonnet-4-5-20250929",
            "content": content,
            "stop_reason": "end_turn" if last else "tool_use",
            "stop_sequence": None,
            "usage": {"input_tokens": 10 + number, "output_tokens": 10},
        }
        result = {"type": "tool_result", "tool_use_id": call_id, "content": _RESULT}
        return reply, [{"role": "assistant", "content": content}, {"role": "user", "content": [result]}]

    body = {
        "model": "claude-sonnet-4-5",
        "max_tokens": 1000,
        "system": _SYSTEM,
        "messages": [{"role": "user", "content": "weather?"}],
        "tools": _tools(tools, lambda tool: {**tool, "input_schema": _SCHEMA}),
    }
    exchanges = _growing(turns, body, "messages", turn)
    return _records("https://api.anthropic.com/v1/messages", exchanges, {"anthropic-version": "2023-06-01"})


def gemini(turns: int, tools: int = 20) -> list[Record]:
    def turn(number: int, last: bool) -> tuple[Record, list[Any]]:  # noqa: FBT001
        call = {"functionCall": {"name": "get_weather0", "args": {"city": f"P{number}"}}}
        said = {"role": "model", "parts": [{"text": "done"} if last else call]}
        reply = {
            "candidates": [{"content": said, "finishReason": "STOP", "index": 0}],
            "usageMetadata": {
                "promptTokenCount": 10 + number,
                "candidatesTokenCount": 10,
                "totalTokenCount": 20 + number,
            },
            "modelVersion": "gemini-2.5-flash",
            "responseId": f"r{number}",
        }
        result = {"functionResponse": {"name": "get_weather0", "response": {"t": _RESULT}}}
        return reply, [said, {"role": "user", "parts": [result]}]

    schema = {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}, "required": ["city"]}
    body = {
        "systemInstruction": {"parts": [{"text": _SYSTEM}]},
        "contents": [{"role": "user", "parts": [{"text": "weather?"}]}],
        "tools": [{"functionDeclarations": _tools(tools, lambda tool: {**tool, "parameters": schema})}],
    }
    host = "https://generativelanguage.googleapis.com"
    exchanges = _growing(turns, body, "contents", turn)
    return _records(f"{host}/v1beta/models/gemini-2.5-flash:generateContent", exchanges)


def responses(turns: int, tools: int = 20) -> list[Record]:
    def turn(number: int, last: bool) -> tuple[Record, list[Any]]:  # noqa: FBT001
        call_id = f"call_{number:024d}"
        call = {"type": "function_call", "id": f"fc_{number:040x}", "call_id": call_id, "name": "get_weather0"}
        call |= {"arguments": json.dumps({"city": f"P{number}"}), "status": "completed"}
        text = {"type": "output_text", "text": "done", "annotations": [], "logprobs": []}
        said = {"type": "message", "id": f"msg_{number:040x}", "status": "completed", "role": "assistant"}
        output = [{**said, "content": [text]} if last else call]
        reply = {
            **_RESPONSE,
            "id": f"resp_{number:040x}",
            "created_at": 1795000000 + number,
            "output": output,
            "tools": body["tools"],
            "usage": {**_RESPONSE["usage"], "input_tokens": 10 + number, "total_tokens": 20 + number},
        }
        return reply, [*output, {"type": "function_call_output", "call_id": call_id, "output": _RESULT}]

    body = {
        "model": "gpt-4o",
        "instructions": _SYSTEM,
        "input": [{"role": "user", "content": "weather?"}],
        "tools": _tools(tools, lambda tool: {"type": "function", **tool, "parameters": _SCHEMA, "strict": True}),
        "store": False,
    }
    return _records("https://api.openai.com/v1/responses", _growing(turns, body, "input", turn))


_RESPONSE: Record = {
    "object": "response",
    "status": "completed",
    "background": False,
    "error": None,
    "incomplete_details": None,
    "instructions": _SYSTEM,
    "max_output_tokens": None,
    "max_tool_calls": None,
    "model": "gpt-4o-2024-08-06",
    "parallel_tool_calls": True,
    "previous_response_id": None,
    "prompt_cache_key": None,
    "reasoning": {"effort": None, "summary": None},
    "safety_identifier": None,
    "service_tier": "default",
    "store": False,
    "temperature": 1.0,
    "text": {"format": {"type": "text"}, "verbosity": "medium"},
    "tool_choice": "auto",
    "top_logprobs": 0,
    "top_p": 1.0,
    "truncation": "disabled",
    "usage": {
        "input_tokens": 10,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 10,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 20,
    },
    "user": None,
    "metadata": {},
}

CONVERSATIONS: Mapping[str, tuple[Callable[..., list[Record]], str]] = {
    "openai-chat": (chat, "messages"),
    "anthropic-messages": (messages, "messages"),
    "gemini": (gemini, "contents"),
    "openai-responses": (responses, "input"),
}
"""By dialect: what makes its conversations, and the key of the array that holds the history."""
