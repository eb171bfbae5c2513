"""What a client states besides its request: the name of its session, and the scenario that it wants.

Both can be in the path (`/s/NAME/...`, `/scenario/ID/...`), in a header, or in the API key
(`session=NAME;scenario=ID`); the scenario also in the name of the model (`ID`, or `MODEL@ID`).
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from urllib.parse import urlsplit, urlunsplit

from conformance.model.exchange import Request

SESSION_HEADER, SCENARIO_HEADER = "x-conformance-session", "x-conformance-scenario"
_PATH = re.compile(r"(?:/s/(?P<session>[\w.-]{1,80})(?=/|$))?(?:/scenario/(?P<scenario>[\w.-]{1,80})(?=/|$))?")
_PAGE = re.compile(r"(?:/s/[\w.-]+)?/_conformance(?P<rest>/.*)?")
_IN_KEY = re.compile(r"\b(session|scenario)=([\w.-]{1,80})")
_NAME = re.compile(r"[\w.-]{1,80}")
_KEYS = ("authorization", "x-api-key", "x-goog-api-key", "api-key")


@dataclass(frozen=True, slots=True)
class Address:
    """A request as a provider would see it, with the session and the scenario that it names."""

    request: Request
    session: str | None = None
    scenario: str | None = None


def address_of(request: Request) -> Address:
    """Reads the path, then the headers, then the key; what comes first counts."""
    parts = urlsplit(request.url)
    match = _PATH.match(parts.path)
    session, scenario = (match["session"], match["scenario"]) if match else (None, None)
    if session or scenario:
        path = parts.path[match.end() :] if match else parts.path
        request = replace(request, url=urlunsplit(parts._replace(path=path or "/")))
    named = dict(_IN_KEY.findall(key_of(request) or ""))
    return Address(
        request,
        session or _named(request.headers.get(SESSION_HEADER)) or named.get("session"),
        scenario or _named(request.headers.get(SCENARIO_HEADER)) or named.get("scenario"),
    )


def page_of(request: Request) -> str | None:
    """The path below `/_conformance` of a page of the server's own; None for a provider's path."""
    match = _PAGE.fullmatch(request.path)
    return None if match is None else (match["rest"] or "").rstrip("/")


def key_of(request: Request) -> str | None:
    """The API key of a request, wherever the provider reads it; None if it has none."""
    for name in _KEYS:
        value = request.headers.get(name)
        if value:
            return value.partition(" ")[2].strip() or value if name == "authorization" else value
    return request.query.get("key")


def fingerprint(request: Request) -> str:
    """The identity of an unnamed client: a short hash of the key and of the name of its software."""
    known = f"{key_of(request)}\n{request.headers.get('user-agent')}"
    return hashlib.sha256(known.encode("utf-8", "replace")).hexdigest()[:8]


def _named(value: str | None) -> str | None:
    return value if value is not None and _NAME.fullmatch(value) else None
