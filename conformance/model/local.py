"""Which requests a server on loopback takes: none that a page on the internet makes a browser send.

A page can have its own name resolve to 127.0.0.1 (then the `Host` is that name), or post to a local port (then the
`Origin` is that page). Both would write into the recordings, and could read them.
"""

from __future__ import annotations

from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import urlsplit


def why_not_local(method: str, host: str | None, origin: str | None, named: Collection[str] = ()) -> str | None:
    """Why a request is refused; None if it is for a name of loopback or for one that is `named`."""
    if host is not None and not _is_local(f"//{host}", named):
        return f"the Host {host[:80]!r} is not a name of loopback; allow it with --allow-host"
    if origin is not None and method not in ("GET", "HEAD") and not _is_local(origin, named):
        return f"the request is from a page of another origin ({origin[:80]!r}); allow it with --allow-host"
    return None


def _is_local(url: str, named: Collection[str]) -> bool:
    try:
        name = (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return False
    if name == "localhost" or name.endswith(".localhost") or name in named:
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False
