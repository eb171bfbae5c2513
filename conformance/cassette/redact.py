"""The only place where secrets are removed. What is redacted keeps its field and its shape.

Two kinds are found: what is known to be a secret (the key in use, in plain, URL-encoded and base64 form), and
what looks like one wherever it stands. Header names are those of WIRE section 0.5.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Sequence
from urllib.parse import quote, urlsplit, urlunsplit

PLACEHOLDER = "REDACTED"

_HEADERS = frozenset(
    {
        "authorization",
        "proxy-authorization",
        "x-api-key",
        "api-key",
        "x-goog-api-key",
        "x-goog-user-project",
        "openai-organization",
        "openai-project",
        "anthropic-organization-id",
        "anthropic-workspace-id",
        "cookie",
        "set-cookie",
        "mcp-session-id",
        "cf-ray",
        "request-id",
        "x-request-id",
        "traceresponse",
        "x-cloud-trace-context",
        "www-authenticate",
    }
)
_QUERY = re.compile(r"(?i)(?<![a-z])(api[-_]?key|key|access_token|token|sig|signature|x-amz-[a-z-]+)=[^&\s\"']+")
_SHAPES = re.compile(
    r"(?<![A-Za-z0-9_/+\-])(?:"
    r"sk-[A-Za-z0-9_*\-]{16,}"  # OpenAI, Anthropic, DeepSeek, OpenRouter
    r"|AIza[A-Za-z0-9_\-]{30,}"  # Google API keys
    r"|ya29\.[A-Za-z0-9_\-]{20,}"  # Google access tokens
    r"|AKIA[A-Z0-9]{16}"  # AWS access keys
    r"|gsk_[A-Za-z0-9]{20,}"  # Groq
    r"|xai-[A-Za-z0-9]{20,}"  # xAI
    r"|hf_[A-Za-z0-9]{20,}"  # Hugging Face
    r"|gh[pousr]_[A-Za-z0-9]{30,}"  # GitHub
    r"|eyJ[A-Za-z0-9_\-]{10,}\.eyJ[A-Za-z0-9_\-]{10,}\.[A-Za-z0-9_\-]+"  # JSON web tokens
    r"|org-[A-Za-z0-9]{20,}|proj_[A-Za-z0-9]{20,}"  # OpenAI organisations and projects
    r")"
)
_SCHEME = re.compile(r"^(Bearer|Basic|AWS4-HMAC-SHA256)\s+\S.*$", re.IGNORECASE)
_SHORTEST_SECRET = 6


class Redactor:
    """Removes the given secrets, and what looks like one, from everything that is about to be kept or shown."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        forms: set[str] = set()
        for secret in secrets:
            if len(secret) >= _SHORTEST_SECRET:
                encoded = base64.b64encode(secret.encode()).decode()
                forms |= {secret, quote(secret, safe=""), encoded, encoded.rstrip("=")}
        self._known = sorted(forms, key=len, reverse=True)

    def header(self, name: str, value: str) -> str:
        """The value of a header field; of a credential the scheme stays (`Bearer REDACTED`)."""
        if name.lower() not in _HEADERS:
            return self.text(value)
        scheme = _SCHEME.match(value)
        return f"{scheme[1]} {PLACEHOLDER}" if scheme else PLACEHOLDER

    def url(self, url: str) -> str:
        """A URL without credentials in its query or before its host."""
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
        query = _QUERY.sub(rf"\1={PLACEHOLDER}", parts.query)
        return self.text(urlunsplit((parts.scheme, host, parts.path, query, parts.fragment)))

    def text(self, text: str) -> str:
        """Any text: a body, a message, a line of output."""
        for secret in self._known:
            text = text.replace(secret, PLACEHOLDER)
        return _SHAPES.sub(PLACEHOLDER, text)

    def body(self, body: bytes | str | None) -> bytes | str | None:
        """A body of either type; bytes that are no text are searched for the known secrets alone."""
        if isinstance(body, str) or body is None:
            return self.text(body) if body else body
        try:
            return self.text(body.decode("utf-8")).encode("utf-8")
        except UnicodeDecodeError:
            for secret in self._known:
                body = body.replace(secret.encode(), PLACEHOLDER.encode())
            return body

    def leaks(self, text: str) -> Sequence[int]:
        """The lines, from 1, on which something secret still stands: the last gate before a file is written."""
        return [number for number, line in enumerate(text.split("\n"), 1) if self.text(line) != line]
