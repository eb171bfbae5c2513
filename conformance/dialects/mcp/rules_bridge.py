"""What a client does between an MCP server and a model, in runs with both sides: docs/contract/tool-mapping.md."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from conformance.dialects.mcp.bridge import asked_for, listed, passed_on, readable, spelled, tells
from conformance.judge.example import drop, example, insert, put
from conformance.judge.pairing import exchanges_of
from conformance.judge.rule import EVERY_DIALECT, rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief, same
from conformance.model.pointer import MISSING, get, join
from conformance.model.transcript import ToolDefinition

_PLACE = {"latitude": 37.57, "longitude": 126.98}
_SCHEMA = {
    "type": "object",
    "properties": {"latitude": {"type": "number"}, "longitude": {"type": "number"}},
    "required": ["latitude", "longitude"],
}
_TOOL = {
    "type": "function",
    "function": {"name": "get_weather", "description": "Current weather.", "parameters": _SCHEMA},
}
_ASKED = {"role": "user", "content": "How warm is it in Seoul?"}
_CALL = {
    "id": "call_a1B2c3D4e5F6g7H8i9J0k1L2",
    "type": "function",
    "function": {"name": "get_weather", "arguments": json.dumps(_PLACE)},
}
_CALLING = {"role": "assistant", "content": None, "tool_calls": [_CALL]}
_NO_STATION = "There is no station near these coordinates."


def _asking(*messages: Any, reply: Any, finish: str) -> dict[str, Any]:
    """An exchange with the model, of Chat's shape."""
    body = {"model": "gpt-4o-mini", "messages": [_ASKED, *messages], "tools": [_TOOL]}
    headers = {"authorization": "Bearer REDACTED", "content-type": "application/json"}
    choice = {"index": 0, "message": reply, "logprobs": None, "finish_reason": finish}
    answer = {
        "id": "chatcmpl-AbCdEfGhIjKlMnOpQrStUvWxYz012",
        "object": "chat.completion",
        "created": 1790000000,
        "model": "gpt-4o-mini-2024-07-18",
        "choices": [choice],
        "usage": {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18},
    }
    url = "https://api.openai.com/v1/chat/completions"
    return {
        "request": {"method": "POST", "url": url, "headers": headers, "body": body},
        "response": {"status": 200, "headers": {"content-type": "application/json"}, "body": answer},
    }


_CALLED = _asking(reply={**_CALLING, "refusal": None}, finish="tool_calls")


def _told(content: str) -> dict[str, Any]:
    result = {"role": "tool", "tool_call_id": _CALL["id"], "content": content}
    return _asking(_CALLING, result, reply={"role": "assistant", "content": "Done.", "refusal": None}, finish="stop")


_BASE, _FAILING, _UNKNOWN = "mcp/stateless", "mcp/stateless-failed-call", "mcp/stateless-unknown-tool"
_OFFERED = insert("/3", _CALLED)
_PARAMETERS = "/3/request/body/tools/0/function/parameters"


@rule(
    "mcp-bridged-schema-changed",
    severity=Severity.WARNING,
    scope="request",
    basis="documented",
    dialects=EVERY_DIALECT,
    cites=["MAP-004 modelcontextprotocol 2025-11-25/server/tools.mdx"],
    conforming=[
        example(_BASE, _OFFERED),
        example(_BASE, _OFFERED, put(f"{_PARAMETERS}/properties/latitude/type", ["number", "null"])),
        example(_BASE, _OFFERED, put("/3/request/body/tools/0/function/name", "get_time")),
    ],
    violating=[
        example(_BASE, _OFFERED, put(f"{_PARAMETERS}/required", ["latitude"]), at="3 request /tools/0"),
        example(
            _BASE,
            _OFFERED,
            put(f"{_PARAMETERS}/required", ["latitude"]),
            drop(f"{_PARAMETERS}/properties/longitude"),
            at="3 request /tools/0",
        ),
        example(_BASE, _OFFERED, put(f"{_PARAMETERS}/properties/latitude/type", "string"), at="3 request /tools/0"),
    ],
)
def mcp_bridged_schema_changed(view: View) -> Iterator[Hit]:
    """A tool of an MCP server must be declared to the model with all its parameters, types and required keys.

    Otherwise the model leaves an argument out, or sends it as text, and the server refuses the call. A client may hide
    a parameter only if it fills it in itself.
    """
    if view.dialect.name == "mcp" or not view.ask.tools or not view.other_dialects:
        return
    tools = listed(view)
    for tool in view.ask.tools:
        source = tools.get(spelled(tool.name))
        schema = source.get("inputSchema") if source else None
        if isinstance(schema, dict):
            for lost in _lost(schema, tool):
                yield Hit(tool.pointer, f"{tool.name}: {lost}", "the schema that the server listed", None)


def _lost(schema: dict[str, Any], tool: ToolDefinition) -> Iterator[str]:
    """What the provider's schema has lost from the server's, the first difference of each parameter."""
    given = tool.parameters if isinstance(tool.parameters, dict) else {}
    before, after = _members(schema), _members(given)
    required = given.get("required")
    for name, member in before.items():
        if name not in after:
            yield f"parameter {name} is missing"
        elif name in _names(schema.get("required")) and name not in _names(required):
            yield f"parameter {name} is no longer required"
        elif not _admits(after[name], member):
            yield f"parameter {name} has a different type"


def _members(schema: dict[str, Any]) -> dict[str, Any]:
    members = schema.get("properties")
    return members if isinstance(members, dict) else {}


def _names(value: Any) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _admits(after: Any, before: Any) -> bool:
    """Whether a parameter still has its one plain type; True for schemas without one."""
    kind = before.get("type") if isinstance(before, dict) else None
    now = after.get("type") if isinstance(after, dict) else None
    if not isinstance(kind, str) or now is None:
        return True
    return kind in now if isinstance(now, list) else kind == now


@rule(
    "mcp-bridged-arguments-changed",
    severity=Severity.WARNING,
    scope="conversation",
    basis="documented",
    cites=["MAP-008 modelcontextprotocol 2025-11-25/server/tools.mdx"],
    conforming=[
        example(_BASE, _OFFERED),
        example(_BASE),
        example(_BASE, _OFFERED, put("/4/request/body/params/arguments", {"longitude": 126.98, "latitude": 37.57})),
    ],
    violating=[
        example(
            _BASE, _OFFERED, put("/4/request/body/params/arguments/latitude", 35.18), at="4 request /params/arguments"
        ),
        example(_BASE, _OFFERED, drop("/4/request/body/params/arguments")),
    ],
)
def mcp_bridged_arguments_changed(view: View) -> Iterator[Hit]:
    """A call that is forwarded to an MCP server must have the arguments of the model's call.

    Otherwise the tool does something that the model did not ask for, and the model takes the result as the answer to
    its own call.
    """
    asked = [call for call in asked_for(view) if readable(call)] if view.other_dialects else []
    for call in (call for turn in view.ask.history for call in turn.calls):
        meant = [each for each in asked if spelled(each.name) == spelled(call.name)]
        if meant and not any(same(each.arguments, call.arguments) for each in meant):
            sent = get(view.request, join(call.pointer, "arguments")) is not MISSING
            place = join(call.pointer, "arguments") if sent else call.pointer
            wanted = " or ".join(brief(each.arguments) for each in meant)
            yield Hit(place, f"{call.name} is forwarded with different arguments", wanted, brief(call.arguments))


@rule(
    "mcp-bridged-failure-dropped",
    severity=Severity.WARNING,
    scope="conversation",
    basis="documented",
    dialects=EVERY_DIALECT,
    cites=[
        "MAP-009 modelcontextprotocol 2025-11-25/server/tools.mdx",
        "MAP-010 modelcontextprotocol 2025-11-25/server/tools.mdx",
    ],
    conforming=[
        example(_FAILING, insert("/2", _CALLED), insert("/4", _told(_NO_STATION))),
        example(_FAILING, insert("/2", _CALLED), insert("/4", _told(json.dumps({"error": f"Failed: {_NO_STATION}"})))),
        example(_BASE, _OFFERED, insert("/5", _told('{"temperature": 14.2}'))),
    ],
    violating=[
        example(_FAILING, insert("/2", _CALLED), insert("/4", _told("[]")), at="4 request /messages/2"),
        example(
            _UNKNOWN,
            insert("/0", _CALLED),
            put("/0/response/body/choices/0/message/tool_calls/0/function/name", "get_wether"),
            put("/0/response/body/choices/0/message/tool_calls/0/function/arguments", "{}"),
            insert("/2", _told("null")),
            put("/2/request/body/messages/1/tool_calls/0/function/name", "get_wether"),
            put("/2/request/body/messages/1/tool_calls/0/function/arguments", "{}"),
            at="2 request /messages/2",
        ),
    ],
)
def mcp_bridged_failure_dropped(view: View) -> Iterator[Hit]:
    """A call that failed on an MCP server must be reported to the model as failed, by a flag or the server's text.

    Without the error, the model invents an answer; with it, the model can correct its call.
    """
    found = view.continues if view.dialect.name != "mcp" and view.other_dialects else None
    if found is None:
        return
    since = view.earlier[found.earlier].number
    passed = [each for each in passed_on(view.other_dialects) if each.number > since]
    for pairing in (pairing for turn, _, pairing in exchanges_of(view.history) if turn is found.echo):
        for call, result in pairing.pairs:
            same_call = [each for each in passed if spelled(each.name) == spelled(call.name)]
            tries = [each.failure for each in same_call if same(each.arguments, call.arguments)]
            said = [text for failure in tries for text in failure or ()]
            # If one of several attempts succeeded, the model gets its result.
            if result.is_error or None in tries or not said or any(tells(result.content, text) for text in said):
                continue
            yield Hit(
                result.pointer, f"{call.name} failed, but the model gets no error", said[0], brief(result.content)
            )
