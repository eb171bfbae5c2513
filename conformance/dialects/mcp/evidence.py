"""Sources and examples of MCP for the neutral rules."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import example, put

_BODY, _REPLY = "/0/request/body", "/0/response/body"

EVIDENCE = {
    "request-malformed": evidence(
        "MCP-A-006 modelcontextprotocol 2025-06-18/basic/transports.mdx",
        basis="documented",
        violating=[example("mcp/stateless", put("/1/request/body", '{"jsonrpc": "2.0",'), at="1 request")],
    ),
    "response-malformed": evidence(
        "MCP-A-008 modelcontextprotocol 2025-11-25/basic/transports.mdx",
        basis="documented",
        violating=[example("mcp/stateless", put("/0/response/body", "<html>busy</html>"), at="0 response")],
    ),
    "stream-data-malformed": evidence(
        "MCP-A-008 modelcontextprotocol 2025-11-25/basic/transports.mdx",
        basis="documented",
        violating=[
            example("mcp/stateless-stream", put("/0/response/events/1/data", '{"jsonrpc"'), at="0 response event/1")
        ],
    ),
    "content-type-mismatch": evidence(
        "MCP-A-008 modelcontextprotocol 2025-11-25/basic/transports.mdx",
        basis="documented",
        violating=[
            example("mcp/stateless", put("/0/response/headers", {"content-type": "text/html"}), at="0 response"),
            example("mcp/session", put("/4/response/headers/content-type", "text/html"), at="4 response"),
            example(
                "mcp/session-stream",
                put("/4/response/headers/content-type", "text/plain"),
                at="4 response",
                complete=False,
            ),
        ],
        conforming=[example("mcp/session"), example("mcp/stateless-stream")],
    ),
    "request-body-missing": evidence(
        "MCP-A-006 modelcontextprotocol 2025-11-25/basic/transports.mdx",
        basis="documented",
        violating=[example("mcp/stateless", put("/1/request/body", ""), at="1 request")],
    ),
    "response-empty": evidence(
        "MCP-A-008 modelcontextprotocol 2025-11-25/basic/transports.mdx",
        basis="documented",
        violating=[example("mcp/stateless", put("/0/response/body", ""), at="0 response")],
    ),
    "stream-empty": evidence(
        "MCP-A-008 modelcontextprotocol 2025-11-25/basic/transports.mdx",
        basis="documented",
        violating=[example("mcp/stateless-stream", put("/0/response/events", []), at="0 response")],
    ),
}
