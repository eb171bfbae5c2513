"""How much a client may send to the reference server, and how long it may take."""

from __future__ import annotations

from dataclasses import dataclass, field

MIB = 1 << 20
_CONNECTIONS = 512


def _connections() -> int:
    """As many as leave half of the files that this process may open; macOS allows 256 by default."""
    try:
        import resource
    except ImportError:  # Windows counts sockets separately
        return _CONNECTIONS
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _CONNECTIONS if files == resource.RLIM_INFINITY else max(16, min(_CONNECTIONS, files // 2))


@dataclass(frozen=True)
class Bounds:
    """The bounds of one server; no usual client reaches them.

    Attributes:
        body_bytes: Of one request. Anthropic's published limit is 32 MB; other providers refuse less or a little more.
        body_seconds: From a request's head to the end of its body.
        head_bytes: The request line and the header fields.
        head_seconds: From the opening of a connection, or the end of the last request, to the end of a head.
        connections: Open at a time. For one more, the oldest that waits for a request is closed.
        held_bytes: Of the bodies of all requests that are not answered yet.
        linger_seconds: How long the rest of a refused request is read and dropped, so that its client sees the answer.
    """

    body_bytes: int = 32 * MIB
    body_seconds: float = 60.0
    head_bytes: int = 64 << 10
    head_seconds: float = 10.0
    connections: int = field(default_factory=_connections)
    held_bytes: int = 128 * MIB
    linger_seconds: float = 5.0
