"""The contract of MCP: the messages of a client, and those of a server.

Rows are from the JSON Schemas of the published revisions, 2024-11-05 to 2026-07-28, with WIRE sections 8, 15 and 16
added. A body can have several messages, and a result does not name its method: `asked` splits an exchange.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.contract import Contract
from conformance.dialects.mcp.contract.messages import FROM_CLIENT, FROM_SERVER
from conformance.dialects.mcp.contract.parts import parts
from conformance.judge.contracted import Asked
from conformance.judge.view import View

__all__ = ["REPLY", "REQUEST", "asked"]


REQUEST = Contract("mcp", "request", FROM_CLIENT, "request", "MCP-A-032", home=__name__)
REPLY = Contract("mcp", "reply", FROM_SERVER, "reply", "MCP-A-033", home=__name__)


def asked(view: View) -> Iterator[Asked]:
    """Each message of an exchange, with its contract, its place and its situation."""
    return parts(view, REQUEST, REPLY)
