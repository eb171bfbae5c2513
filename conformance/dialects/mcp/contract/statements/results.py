"""Statements and examples of the contract's rules about results of MCP: handshake, lists, calls."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.judge.contract.statement import Statement
from conformance.judge.example import drop, example, insert, put

_HELLO = "/0/response/events/0/data/result"
_CALL = "/4/response/body/result"
_LIST = "/3/response/body/result"
_TOOL = f"{_LIST}/tools/0"
_KEPT = "/1/response/body/result"
_STATELESS = "/0/response/body/result"
_H = "modelcontextprotocol schema/2025-11-25/schema.json#/$defs"
_M = "modelcontextprotocol schema/2026-07-28/schema.json#/$defs"

STATEMENTS: Mapping[str, Statement] = {
    "mcp-initialize-result-incomplete": Statement(
        "The result of `initialize` must have `protocolVersion`, `capabilities` and `serverInfo`.",
        "Without them, the client does not know what the server supports, and closes the session.",
        cites=(f"MCP-H-011 {_H}/InitializeResult",),
        violating=(
            example("mcp/session", drop(f"{_HELLO}/protocolVersion")),
            example("mcp/session", put(f"{_HELLO}/protocolVersion", 20251125)),
            example("mcp/session", drop(f"{_HELLO}/capabilities")),
            example("mcp/session", put(f"{_HELLO}/serverInfo", "weather")),
        ),
        conforming=(example("mcp/session"), example("mcp/stateless")),
    ),
    "mcp-tool-malformed": Statement(
        "`tools` must be an array; each tool must have a `name` and an `inputSchema` of type `object`.",
        "A client that validates the list drops all of it for one bad tool; one that does not passes on a tool "
        "that the provider refuses.",
        cites=(f"MCP-A-018 {_H}/Tool",),
        bugs=("openai/codex#1150",),
        violating=(
            example("mcp/session", put(f"{_TOOL}/inputSchema", None)),
            example("mcp/session", drop(f"{_TOOL}/inputSchema")),
            example("mcp/session", put(f"{_TOOL}/inputSchema/type", "array")),
            example("mcp/session", drop(f"{_TOOL}/inputSchema/type")),
            example("mcp/session", drop(f"{_TOOL}/name")),
            example("mcp/session", put(f"{_TOOL}/description", ["x"])),
            example("mcp/session", put(_TOOL, "clock.now")),
            example("mcp/session", put(f"{_LIST}/tools", {})),
            example("mcp/session", drop(f"{_LIST}/tools")),
        ),
        conforming=(
            example("mcp/session"),
            example("mcp/stateless"),
            example("mcp/session", put(f"{_TOOL}/inputSchema", {"type": "object"})),
        ),
    ),
    "mcp-tool-name-invalid": Statement(
        "A tool's name should have 1 to 128 characters: letters, digits, `_`, `-` or `.`.",
        "Providers refuse other characters.",
        cites=("MCP-A-019 modelcontextprotocol 2025-11-25/server/tools.mdx",),
        basis="documented",
        violating=(
            example("mcp/session", put(f"{_TOOL}/name", "get time")),
            example("mcp/session", put(f"{_TOOL}/name", "n" * 129)),
        ),
        conforming=(example("mcp/session"), example("mcp/stateless")),
    ),
    "mcp-discover-result-incomplete": Statement(
        "The result of `server/discover` must have the server's capabilities and revisions.",
        "The client picks its revision from the list; without it, every request is refused.",
        cites=(f"MCP-M-016 {_M}/DiscoverResult",),
        violating=(
            example("mcp/stateless", drop(f"{_STATELESS}/supportedVersions")),
            example("mcp/stateless", put(f"{_STATELESS}/capabilities", [])),
        ),
    ),
    "mcp-cursor-wrong-type": Statement(
        "`nextCursor` must be a string, and absent on the last page.",
        "Clients that validate results drop the page; others send the value back, and never reach the last page.",
        cites=(f"MCP-A-021 {_H}/PaginatedResult",),
        violating=(
            example("mcp/session", put(f"{_LIST}/nextCursor", None)),
            example("mcp/session", put(f"{_LIST}/nextCursor", 2)),
        ),
        conforming=(example("mcp/session"), example("mcp/stateless")),
    ),
    "mcp-call-result-malformed": Statement(
        "The `content` of a call's result must be an array of typed blocks, `structuredContent` an object up to "
        "2025-11-25, and `isError` a boolean.",
        "A client that validates the result raises instead of passing it to the model, and the call gets no result.",
        cites=(
            f"MCP-A-024 {_H}/CallToolResult",
            f"MCP-A-024 {_H}/ContentBlock",
            f"MCP-A-025 {_H}/CallToolResult",
            "MCP-A-031 Azure/data-api-builder#3599",
        ),
        bugs=("Azure/data-api-builder#3599",),
        violating=(
            example("mcp/session", put(f"{_CALL}/content", "14.2")),
            example("mcp/session", drop(f"{_CALL}/content")),
            example("mcp/session", drop(f"{_CALL}/content/0/text")),
            example("mcp/session", put(f"{_CALL}/content/0/text", {"t": 1})),
            example("mcp/session", put(f"{_CALL}/content/0/annotations", None)),
            example("mcp/session", drop(f"{_CALL}/content/0/type")),
            example("mcp/session", put(f"{_CALL}/content/0", "14.2")),
            example("mcp/session", put(f"{_CALL}/content/0", {"type": "image", "data": "eA=="})),
            example("mcp/session", put(f"{_CALL}/isError", "false")),
            example("mcp/session-stream", put("/4/response/events/1/data/result/structuredContent", [14.2])),
            example(
                "mcp/session",
                insert(f"{_CALL}/content/1", {"type": "input_text", "text": "x"}),
                at="4 response /result/content/1/type",
            ),
        ),
        conforming=(
            example("mcp/session"),
            example("mcp/stateless-failed-call"),
            example("mcp/session", insert(f"{_CALL}/content/1", {"type": "resource_link", "uri": "a:b", "name": "x"})),
            example(
                "mcp/stateless-call",
                put(_STATELESS, {"resultType": "input_required", "inputRequests": {}}),
            ),
        ),
    ),
    "mcp-result-incomplete": Statement(
        "From 2026-07-28 on, a result must have a `resultType`, and one that may be cached its lifetime and scope.",
        "A client refuses an unknown type; a list without its scope may end in another user's cache.",
        cites=(
            f"MCP-M-016 {_M}/Result",
            "MCP-M-016 modelcontextprotocol 2026-07-28/server/utilities/caching.mdx",
        ),
        violating=(
            example("mcp/stateless-call", drop(f"{_STATELESS}/resultType")),
            example("mcp/stateless", put(f"{_KEPT}/resultType", True)),
            example("mcp/stateless", drop(f"{_KEPT}/ttlMs")),
            example("mcp/stateless", put(f"{_KEPT}/ttlMs", -1)),
            example("mcp/stateless", put(f"{_KEPT}/cacheScope", "none")),
            example("mcp/stateless", drop(f"{_STATELESS}/cacheScope")),
            example("mcp/stateless", put(f"{_KEPT}/resultType", "partial")),
        ),
        conforming=(
            example("mcp/stateless"),
            example("mcp/session"),
            example("mcp/stateless-call", put(_STATELESS, {"resultType": "input_required", "requestState": "a"})),
        ),
    ),
}
