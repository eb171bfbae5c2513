"""mcp: the Model Context Protocol, JSON-RPC 2.0 messages over streamable HTTP, in all its revisions."""

from __future__ import annotations

from conformance.dialects.mcp.claims import claims
from conformance.model.dialect import ContractHeaders, Dialect

DIALECT = Dialect(
    name="mcp",
    prefix="MCP",
    package=__name__,
    claims=claims,
    server_chooses_streaming=True,
    headers=ContractHeaders(
        version="mcp-protocol-version", checked=("accept", "mcp-session-id", "mcp-method", "mcp-name")
    ),
)
