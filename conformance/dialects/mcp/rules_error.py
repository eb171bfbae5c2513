"""Errors: codes that the protocol defines."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.mcp.messages import received
from conformance.dialects.mcp.revision import stateless
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit

_DEFINED = frozenset({-32020, -32021, -32022})
_RETIRED = frozenset({-32002, -32042})


@rule(
    "mcp-error-code-unknown",
    scope="exchange",
    side="response",
    cites="MCP-A-029",
)
def mcp_error_code_unknown(view: View) -> Iterator[Hit]:
    """From 2026-07-28 on, an error code in the protocol's own range must be one that it defines and has not retired.

    Clients act on these codes: they renegotiate the revision, or list the tools again.
    """
    if not stateless(view):
        return
    for message in received(view):
        code = message.error.get("code") if message.error is not None else None
        if isinstance(code, int) and (code in _RETIRED or (-32099 <= code <= -32020 and code not in _DEFINED)):
            yield message.hit(
                "the protocol does not define this code", "error", "code", expected="a defined code", actual=str(code)
            )
