"""The server that a proxy forwards to: its URL, and new connections to it."""

from __future__ import annotations

import asyncio
import re
import ssl
from dataclasses import dataclass
from urllib.parse import urlsplit

from conformance.errors import ConformanceError

CONNECT_SECONDS = 30.0
_HINT = "write it as https://api.openai.com or http://127.0.0.1:4000"
_VERSIONED = re.compile(r"/v\d+\w*(?:/|$)")


@dataclass(frozen=True, slots=True)
class Upstream:
    """`prefix` is the path of the URL; it is put before the path of each request."""

    host: str
    port: int
    tls: bool = False
    prefix: str = ""

    @classmethod
    def of(cls, url: str) -> Upstream:
        """The upstream of a URL.

        Raises:
            ConformanceError: it is no HTTP URL, or has parts that would be lost.
        """
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError as error:
            raise ConformanceError(f"--upstream {url}: not a URL: {error}", _HINT) from None
        if parts.scheme not in ("http", "https") or not parts.hostname or not re.fullmatch(r"[!-~]+", url):
            raise ConformanceError(f"--upstream {url}: not an http or https URL", _HINT)
        if parts.username is not None:
            raise ConformanceError("--upstream contains credentials", "remove them; the client sends its own")
        if parts.query or parts.fragment:
            raise ConformanceError(f"--upstream {url}: has a query or a fragment", "pass only the base URL")
        tls = parts.scheme == "https"
        return cls(parts.hostname, port or (443 if tls else 80), tls, parts.path.rstrip("/"))

    @property
    def authority(self) -> str:
        """The value of the `Host` field."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.tls else 80) else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        return f"{'https' if self.tls else 'http'}://{self.authority}"

    @property
    def versioned(self) -> bool:
        """Whether the URL has the version of an API in its path, so that clients must not add it."""
        return _VERSIONED.search(self.prefix) is not None

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A new connection. The certificate is verified; `SSL_CERT_FILE` names further authorities.

        Raises:
            OSError: there is none (`ssl.SSLError` is one, and so is `TimeoutError`).
        """
        context = ssl.create_default_context() if self.tls else None
        opening = asyncio.open_connection(self.host, self.port, ssl=context, limit=1 << 16)
        return await asyncio.wait_for(opening, CONNECT_SECONDS)
