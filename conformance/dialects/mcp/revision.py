"""The revision of MCP that an exchange follows: with a handshake, or stateless."""

from __future__ import annotations

import re

from conformance.dialects.mcp.messages import once, sent
from conformance.dialects.mcp.session import Session, session_of
from conformance.judge.view import View

VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
LOG_LEVEL = "io.modelcontextprotocol/logLevel"
CLIENT = "io.modelcontextprotocol/clientInfo"
LAST_WITH_HANDSHAKE = "2025-11-25"
HEADER = "mcp-protocol-version"
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def is_stateless(version: object) -> bool:
    """Whether a revision has no handshake. Revisions are dates, so they compare as strings."""
    return isinstance(version, str) and _DATE.fullmatch(version) is not None and version > LAST_WITH_HANDSHAKE


@once
def stateless(view: View) -> bool:
    """Whether the exchange follows a stateless revision.

    Its own `_meta` decides; a header alone does not override the revision of an earlier handshake.
    """
    messages = sent(view)
    if any(VERSION in message.meta or CAPABILITIES in message.meta for message in messages):
        return True
    headers = view.exchange.request.headers
    if session_of(view).opened or any(message.method == "initialize" for message in messages):
        return is_stateless(headers.get(HEADER)) and not session_of(view).opened
    return is_stateless(headers.get(HEADER)) or "mcp-method" in headers


@once
def version_of(view: View) -> str | None:
    """The revision that was agreed or claimed; None if the exchange names none (servers then assume 2025-03-26)."""
    session: Session = session_of(view)
    for message in sent(view):
        claimed = message.meta.get(VERSION)
        if isinstance(claimed, str):
            return claimed
    return session.version or view.exchange.request.headers.get(HEADER)


def at_least(view: View, revision: str) -> bool:
    """Whether the exchange is known to follow that revision or a later one."""
    version = version_of(view)
    return version is not None and _DATE.fullmatch(version) is not None and version >= revision
