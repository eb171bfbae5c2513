"""The insides of a message: parameters, results and errors of the right types."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.mcp.messages import exchanged, received
from conformance.dialects.mcp.revision import stateless
from conformance.dialects.mcp.shape import Shape, misshapen
from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit

_CALL = "/4/request/body"
_ANSWER = "/4/response/body"
_ENVELOPE: Shape = {"method": "string+", "params": "?object"}
_META: Shape = {"progressToken": "?string|integer"}
_IMPLEMENTATION: Shape = {"name": "string", "version": "string", "title": "?string"}
_PARAMS: dict[str, Shape] = {
    "initialize": {"protocolVersion": "string+", "capabilities": "object", "clientInfo": "object"},
    "tools/list": {"cursor": "?string", "_meta": "?object"},
    "tools/call": {"name": "string+", "arguments": "?object", "_meta": "?object"},
    "resources/read": {"uri": "string+"},
    "prompts/get": {"name": "string+", "arguments": "?object"},
    "notifications/progress": {
        "progressToken": "string|integer",
        "progress": "number",
        "total": "?number",
        "message": "?string",
    },
    "notifications/message": {"level": "string+", "logger": "?string"},
    "notifications/cancelled": {"requestId": "string|integer", "reason": "?string"},
}
_NEEDS_PARAMS = frozenset({"initialize", "tools/call", "resources/read", "prompts/get", "notifications/progress"})


@rule(
    "mcp-params-wrong-type",
    scope="exchange",
    basis="schema",
    cites=[
        "MCP-A-022 modelcontextprotocol schema/2025-11-25/schema.json#/$defs/CallToolRequestParams",
        "MCP-H-010 modelcontextprotocol schema/2025-11-25/schema.json#/$defs/InitializeRequestParams",
        "MAP-008 modelcontextprotocol schema/2025-11-25/schema.json#/$defs/CallToolRequestParams",
        "MCP-A-030 modelcontextprotocol schema/2025-11-25/schema.json#/$defs/ProgressNotificationParams",
    ],
    conforming=[
        example("mcp/session"),
        example("mcp/stateless-stream"),
        example("mcp/session", drop(f"{_CALL}/params/arguments")),
    ],
    violating=[
        example("mcp/session", put(f"{_CALL}/params/arguments", [1])),
        example("mcp/session", put(f"{_CALL}/params/arguments", "{}")),
        example("mcp/session", drop(f"{_CALL}/params/name")),
        example("mcp/session", put(f"{_CALL}/params/name", "")),
        example("mcp/session", drop(f"{_CALL}/params")),
        example("mcp/session", put(f"{_CALL}/params", ["get_weather"])),
        example("mcp/session", put("/3/request/body/params/cursor", None)),
        example("mcp/session", drop("/0/request/body/params/clientInfo/version")),
        example("mcp/session-stream", put("/4/response/events/0/data/params/progress", "half")),
    ],
)
def mcp_params_wrong_type(view: View) -> Iterator[Hit]:
    """Requests and notifications have the parameters of their method, each of its type.

    Servers validate parameters before they look at the tool: arguments as a list or as text never reach it.
    """
    for message in exchanged(view):
        if message.is_response:
            continue
        yield from misshapen(message, message.value, _ENVELOPE)
        method = message.method or ""
        if method in _NEEDS_PARAMS and "params" not in message.value:
            yield message.hit(f"{method} has no parameters", expected="`params`, an object", actual="nothing")
        elif isinstance(message.value.get("params"), dict):
            yield from misshapen(message, message.params, _PARAMS.get(method, {}), "params")
            yield from misshapen(message, message.params.get("_meta"), _META, "params", "_meta")
            if method == "initialize":
                yield from misshapen(message, message.params.get("clientInfo"), _IMPLEMENTATION, "params", "clientInfo")


@rule(
    "mcp-error-malformed",
    scope="exchange",
    basis="schema",
    cites=[
        "MCP-A-029 modelcontextprotocol schema/2025-11-25/schema.json#/$defs/Error",
        "MCP-A-004 modelcontextprotocol schema/2025-11-25/schema.json#/$defs/JSONRPCResultResponse",
    ],
    violating=[
        example("mcp/stateless-unknown-tool", put("/0/response/body/error/code", "x")),
        example("mcp/stateless-unknown-tool", drop("/0/response/body/error/message")),
        example("mcp/stateless-unknown-tool", put("/0/response/body/error", "unknown tool")),
        example("mcp/session", put(f"{_ANSWER}/result", [1])),
    ],
)
def mcp_error_malformed(view: View) -> Iterator[Hit]:
    """A result is an object, and an error has an integer `code` and a string `message`.

    Clients drop a response that matches neither form, and its caller waits forever.
    """
    for message in exchanged(view):
        if message.is_response:
            yield from misshapen(message, message.value, {"result": "?object", "error": "?object"})
            yield from misshapen(message, message.error, {"code": "integer", "message": "string"}, "error")


_DEFINED = frozenset({-32020, -32021, -32022})
_RETIRED = frozenset({-32002, -32042})


@rule(
    "mcp-error-code-unknown",
    scope="exchange",
    basis="documented",
    cites=["MCP-A-029 modelcontextprotocol 2026-07-28/basic/index.mdx"],
    conforming=[
        example("mcp/stateless-unknown-tool"),
        example("mcp/stateless-unknown-tool", put("/0/response/body/error/code", -32020)),
    ],
    violating=[
        example("mcp/stateless-unknown-tool", put("/0/response/body/error/code", -32002)),
        example("mcp/stateless-unknown-tool", put("/0/response/body/error/code", -32050)),
    ],
)
def mcp_error_code_unknown(view: View) -> Iterator[Hit]:
    """From 2026-07-28 on, an error code of the protocol's own range is one that it defines, and none that it retired.

    Clients act on these codes: they renegotiate, or list the tools again.
    """
    if not stateless(view):
        return
    for message in received(view):
        code = message.error.get("code") if message.error is not None else None
        if isinstance(code, int) and (code in _RETIRED or (-32099 <= code <= -32020 and code not in _DEFINED)):
            yield message.hit(
                "the protocol does not define this code", "error", "code", expected="a defined code", actual=str(code)
            )
