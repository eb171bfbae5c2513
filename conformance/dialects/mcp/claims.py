"""Whether a request belongs to MCP, and not to another use of JSON-RPC.

JSON-RPC alone proves nothing: language servers, block chains and other agent protocols use it too. A header
or a `_meta` key of MCP's own proves it, or one of its methods.
"""

from __future__ import annotations

from typing import Any

from conformance.model.exchange import Request

HEADERS = ("mcp-protocol-version", "mcp-session-id", "mcp-method")
META_PREFIX = "io.modelcontextprotocol/"
METHODS = frozenset(
    {
        "initialize",
        "ping",
        "server/discover",
        "subscriptions/listen",
        "tools/list",
        "tools/call",
        "prompts/list",
        "prompts/get",
        "resources/list",
        "resources/templates/list",
        "resources/read",
        "resources/subscribe",
        "resources/unsubscribe",
        "completion/complete",
        "logging/setLevel",
        "roots/list",
        "sampling/createMessage",
        "elicitation/create",
        "notifications/initialized",
        "notifications/cancelled",
        "notifications/progress",
        "notifications/message",
        "notifications/roots/list_changed",
        "notifications/tools/list_changed",
    }
)
"""Methods that no other protocol over HTTP is known to use; Agent2Agent has `tasks/...` too."""

_ALSO_OTHERS = frozenset({"initialize", "ping"})


def claims(request: Request) -> bool:
    """Whether the request belongs to MCP's streamable HTTP transport, or was recorded in its form."""
    if request.method not in ("POST", "GET", "DELETE"):
        return False
    if request.is_line:
        return True
    if any(name in request.headers for name in HEADERS):
        return True
    if request.method != "POST":
        return request.method == "GET" and _listens(request)
    body = request.body.json
    if isinstance(body, list):
        return any(_is_message(each) for each in body[:100])
    return _is_message(body)


def _listens(request: Request) -> bool:
    """Whether a GET opens the stream of a server's own messages, at the usual path of MCP servers."""
    accept = request.headers.get("accept") or ""
    return request.path.rstrip("/").endswith("/mcp") and "text/event-stream" in accept


def _is_message(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    method, params = value.get("method"), value.get("params")
    params = params if isinstance(params, dict) else {}
    meta = params.get("_meta")
    if isinstance(meta, dict) and any(str(key).startswith(META_PREFIX) for key in meta):
        return True
    if not isinstance(method, str) or method not in METHODS:
        return False
    return method not in _ALSO_OTHERS or "jsonrpc" in value or "protocolVersion" in params
