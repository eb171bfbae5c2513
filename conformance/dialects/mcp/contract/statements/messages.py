"""Statements and examples of the contract's rules about messages of MCP: envelope, parameters, errors."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.judge.contract.statement import Statement
from conformance.judge.example import drop, example, put

_CALL, _ANSWER = "/4/request/body", "/4/response/body"
_EVENT = "/4/response/events/1/data"
_HELLO = "/0/request/body/params"
_META = "/0/request/body/params/_meta"
_UNKNOWN_TOOL = "mcp/stateless-unknown-tool"
_FEATURES = "mcp/session-features"
_ERROR = "/0/response/body/error"
_H = "modelcontextprotocol schema/2025-11-25/schema.json#/$defs"
_M = "modelcontextprotocol schema/2026-07-28/schema.json#/$defs"

STATEMENTS: Mapping[str, Statement] = {
    "mcp-message-wrong-type": Statement(
        "Every JSON-RPC message must be an object.",
        "The receiver finds neither a method nor an id, and cannot even answer with an error.",
        cites=(f"MCP-A-001 {_H}/JSONRPCMessage",),
        violating=(
            example("mcp/session", put(_CALL, 7)),
            example("mcp/session-stream", put("/4/response/events/0/data", [1]), at="4 response event/0/0"),
        ),
        conforming=(example("mcp/session"), example("mcp/stateless")),
    ),
    "mcp-jsonrpc-version-wrong": Statement(
        'Every message must have `"jsonrpc": "2.0"`.',
        "SDKs parse messages with models that require it, and drop a message that matches none.",
        cites=(f"MCP-A-001 {_H}/JSONRPCRequest",),
        violating=(
            example("mcp/session", drop(f"{_CALL}/jsonrpc")),
            example("mcp/session", put(f"{_CALL}/jsonrpc", 2.0)),
            example("mcp/session", put(f"{_ANSWER}/jsonrpc", "1.0")),
            example("mcp/session-stream", drop(f"{_EVENT}/jsonrpc")),
        ),
        conforming=(example("mcp/session"), example("mcp/stateless-stream")),
    ),
    "mcp-request-id-invalid": Statement(
        "A request must have an id: a string or an integer (0 included), not null.",
        "A server cannot answer a null id, or treats the request as a notification.",
        cites=(f"MCP-A-002 {_H}/RequestId", "MCP-A-002 modelcontextprotocol 2025-11-25/basic/index.mdx"),
        violating=(
            example("mcp/session", put(f"{_CALL}/id", None)),
            example("mcp/session", put(f"{_CALL}/id", True)),
            example("mcp/session", put(f"{_CALL}/id", 1.5)),
            example("mcp/stateless", put("/3/request/body/id", {"n": 1})),
        ),
        conforming=(
            example("mcp/session"),
            example("mcp/session", put(f"{_CALL}/id", "a"), put(f"{_ANSWER}/id", "a")),
        ),
    ),
    "mcp-notification-id-unexpected": Statement(
        "A notification must not have an id.",
        "With an id it is a request, and its sender waits for a response that the protocol forbids.",
        cites=("MCP-A-005 modelcontextprotocol 2025-11-25/basic/index.mdx",),
        basis="documented",
        violating=(
            example("mcp/session", put("/1/request/body/id", 9)),
            example("mcp/session-stream", put("/4/response/events/0/data/id", 9)),
        ),
    ),
    "mcp-response-ambiguous": Statement(
        "A message must have a method, or be a response with exactly one of `result` and `error`.",
        "With both, some clients report a success and others a failure; with neither, the caller gets nothing.",
        cites=(
            f"MCP-A-004 {_H}/JSONRPCResponse",
            "MCP-A-004 modelcontextprotocol 2025-11-25/basic/index.mdx",
        ),
        violating=(
            example("mcp/session", put(f"{_ANSWER}/error", {"code": 1, "message": "no"})),
            example("mcp/session", put(f"{_ANSWER}/error", None)),
            example("mcp/session", drop(f"{_ANSWER}/result")),
            example("mcp/session-stream", drop(f"{_EVENT}/result")),
            example("mcp/session", drop(f"{_CALL}/method")),
        ),
        conforming=(example("mcp/session"), example(_UNKNOWN_TOOL)),
    ),
    "mcp-params-wrong-type": Statement(
        "Requests and notifications must have the parameters that their method requires, with the right JSON types.",
        "Servers validate parameters first: arguments that are an array or a string never reach the tool.",
        cites=(
            f"MCP-A-022 {_H}/CallToolRequestParams",
            f"MCP-H-010 {_H}/InitializeRequestParams",
            f"MAP-008 {_H}/CallToolRequestParams",
            f"MCP-A-030 {_H}/ProgressNotificationParams",
        ),
        violating=(
            example("mcp/session", put(f"{_CALL}/params/arguments", [1])),
            example("mcp/session", put(f"{_CALL}/params/arguments", "{}")),
            example("mcp/session", drop(f"{_CALL}/params/name")),
            example("mcp/session", put(f"{_CALL}/params/name", "")),
            example("mcp/session", drop(f"{_CALL}/params")),
            example("mcp/session", put(f"{_CALL}/params", ["get_weather"])),
            example("mcp/session", put("/3/request/body/params/cursor", None)),
            example("mcp/session", drop(f"{_HELLO}/capabilities")),
            example("mcp/session-stream", put("/4/response/events/0/data/params/progress", "half")),
        ),
        conforming=(
            example("mcp/session"),
            example("mcp/stateless-stream"),
            example("mcp/session", drop(f"{_CALL}/params/arguments")),
        ),
    ),
    "mcp-request-meta-incomplete": Statement(
        "From 2026-07-28 on, `_meta` of every request must have the revision and the client's capabilities.",
        "Without them, the server knows nothing about the client, and refuses the request as malformed.",
        cites=(
            f"MCP-M-014 {_M}/RequestMetaObject",
            "MCP-M-014 modelcontextprotocol 2026-07-28/basic/index.mdx",
        ),
        violating=(
            example("mcp/stateless-call", put(_META, {})),
            example("mcp/stateless-call", drop(_META)),
            example("mcp/stateless-call", drop(f"{_META}/io.modelcontextprotocol~1clientCapabilities")),
            example("mcp/stateless-call", put(f"{_META}/io.modelcontextprotocol~1clientCapabilities", [])),
            example("mcp/stateless", drop("/1/request/body/params")),
        ),
        conforming=(
            example("mcp/stateless"),
            example("mcp/stateless-call", drop(f"{_META}/io.modelcontextprotocol~1clientInfo")),
        ),
    ),
    "mcp-implementation-incomplete": Statement(
        "`clientInfo` and `serverInfo` must have a name and a version that are not empty.",
        "Servers have lists of clients that need workarounds, and match them by name.",
        cites=(f"MCP-M-014 {_M}/Implementation", f"MCP-H-011 {_M}/Implementation"),
        violating=(
            example("mcp/session", put(f"{_HELLO}/clientInfo/name", "")),
            example("mcp/session", drop(f"{_HELLO}/clientInfo/version")),
            example("mcp/session", drop("/0/response/events/0/data/result/serverInfo/version")),
        ),
        conforming=(example("mcp/session"), example("mcp/stateless")),
    ),
    "mcp-revision-malformed": Statement(
        "A protocol revision must be a date.",
        "The other side does not know the revision: it closes the connection, or falls back to an unsuitable one.",
        cites=("MCP-H-011 modelcontextprotocol 2025-11-25/basic/lifecycle.mdx",),
        basis="documented",
        violating=(
            example("mcp/session", put(f"{_HELLO}/protocolVersion", "1.0")),
            example("mcp/session", put("/0/response/events/0/data/result/protocolVersion", "latest")),
        ),
        conforming=(example("mcp/session"), example("mcp/stateless")),
    ),
    "mcp-client-result-malformed": Statement(
        "A client's results of sampling, elicitation and `roots/list` must have the documented fields.",
        "The server cannot read the result that it waits for.",
        cites=(f"MCP-A-033 {_H}/ClientResult", f"MCP-A-003 {_H}/JSONRPCResultResponse"),
        violating=(
            example(_FEATURES, drop("/11/request/body/result/content")),
            example(_FEATURES, put("/12/request/body/result/action", "agree")),
            example(_FEATURES, put("/13/request/body/result/roots/0/uri", "https://example.com")),
            example(_FEATURES, drop("/13/request/body/id")),
        ),
    ),
    "mcp-error-malformed": Statement(
        "A result must be an object, and an error must have an integer `code` and a string `message`.",
        "Clients drop a response that matches neither form, and its caller waits forever.",
        cites=(f"MCP-A-029 {_H}/Error", f"MCP-A-004 {_H}/JSONRPCResultResponse"),
        violating=(
            example(_UNKNOWN_TOOL, put(f"{_ERROR}/code", "x")),
            example(_UNKNOWN_TOOL, drop(f"{_ERROR}/message")),
            example(_UNKNOWN_TOOL, put(_ERROR, "unknown tool")),
            example("mcp/session", put(f"{_ANSWER}/result", [1])),
        ),
    ),
}
