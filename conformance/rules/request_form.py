"""The form of a request, below what it asks: that it has a body, and says who sends it."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity

_HEADERS = "/0/request/headers"
_POST = [
    "OAC-Q-001 openai/openai-openapi openapi.json#/paths/~1chat~1completions/post",
    "OAT-Q-001 openai/openai-openapi openapi.json#/paths/~1completions/post",
    "OAR-Q-006 openai/openai-openapi openapi.json#/paths/~1responses/post",
    "ANT-Q-001 anthropic 2.11 resources/messages/messages.py",
    "GEM-Q-001 google-genai 2.34 google/genai/models.py",
    "MCP-A-006 modelcontextprotocol 2025-11-25/basic/transports.mdx",
]


@rule(
    "request-body-missing",
    severity=Severity.ERROR,
    scope="exchange",
    basis="documented",
    cites=_POST,
    needs_complete=True,
    conforming=[
        example("openai-chat/call"),
        example("mcp/session"),
        example("openai-chat/call", put("/0/request/body", ""), complete=False),
    ],
    violating=[
        example("openai-chat/call", put("/0/request/body", ""), at="0 request"),
        example("openai-completions/answer", put("/0/request/body", ""), at="0 request"),
        example("openai-responses/call", put("/0/request/body", ""), at="0 request"),
        example("anthropic-messages/call", put("/0/request/body", ""), at="0 request"),
        example("gemini/call", put("/0/request/body", ""), at="0 request"),
        example("mcp/stateless", put("/1/request/body", ""), at="1 request"),
    ],
)
def request_body_missing(view: View) -> Iterator[Hit]:
    """A POST has a body.

    It asks for nothing: the server answers 400.
    """
    request = view.exchange.request
    if request.method == "POST" and request.body.empty and request.body.note is None:
        yield Hit(None, "the POST has no body", "a JSON body", "nothing", side="request")


@rule(
    "credential-missing",
    severity=Severity.ERROR,
    scope="request",
    basis="documented",
    dialects=("anthropic-messages", "gemini", "openai-responses"),
    needs_complete=True,
    cites=[
        "OAR-Q-006 openai/openai-openapi openapi.json#/components/securitySchemes/ApiKeyAuth",
        "ANT-Q-002 anthropic 2.11 _client.py",
        "GEM-R-011 recorded traffic, 400 API_KEY_INVALID",
    ],
    conforming=[
        example("openai-responses/call"),
        example("gemini/call"),
        example("anthropic-messages/call"),
        example("gemini/call", drop(f"{_HEADERS}/x-goog-api-key"), put(f"{_HEADERS}/authorization", "Bearer REDACTED")),
    ],
    violating=[
        example("openai-responses/call", drop(f"{_HEADERS}/authorization"), at="0 request"),
        example("openai-responses/call", put(f"{_HEADERS}/authorization", "REDACTED"), at="0 request"),
        example("gemini/call", drop(f"{_HEADERS}/x-goog-api-key"), at="0 request"),
        example("anthropic-messages/call", put(f"{_HEADERS}/authorization", "Basic REDACTED"), at="0 request"),
    ],
)
def credential_missing(view: View) -> Iterator[Hit]:
    """A request carries a credential in a form that its endpoint reads: a bearer, or the provider's own key.

    The server answers 401, Gemini 400.
    """
    request = view.exchange.request
    own = any(name in request.headers for name in ("x-api-key", "api-key", "x-goog-api-key")) or "key" in request.query
    given = request.headers.get("authorization")
    if own:
        return
    if given is None:
        yield Hit(None, "no credential is sent", "a bearer, or the provider's key", "neither")
    elif not given.lower().startswith(("bearer ", "aws4-")):
        yield Hit(None, "the credential is no bearer token", "authorization: Bearer ...", "another scheme")
