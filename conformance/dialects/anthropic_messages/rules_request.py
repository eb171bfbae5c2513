"""Messages requests as a whole, docs/contract/anthropic-messages.md, ANT-Q."""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.dialects.anthropic_messages.endpoint import hosting_of
from conformance.dialects.anthropic_messages.shape import extra, misshapen
from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief, kind
from conformance.model.pointer import join

_CALL = "anthropic-messages/call"
_BODY, _SENT = "/0/request/body", "/0/request/headers"

_FIELDS = {
    "model": "string+",
    "max_tokens": "integer",
    "messages": "array",
    "system": "?string|array|null",
    "tools": "?array|null",
    "tool_choice": "?object|null",
    "stream": "?boolean|null",
    "stop_sequences": "?array|null",
    "thinking": "?object|null",
    "metadata": "?object|null",
    "temperature": "?number|null",
    "top_p": "?number|null",
    "top_k": "?integer|null",
    "container": "?string|object|null",
    "context_management": "?object|null",
    "mcp_servers": "?array|null",
    "output_config": "?object|null",
    "service_tier": "?string|null",
}
_HOSTED_FIELDS = {**_FIELDS, "model": "?string+", "anthropic_version": "string+"}
_KNOWN = frozenset(_HOSTED_FIELDS) | {
    "anthropic_beta",
    "betas",
    "billing_policy",
    "cache_control",
    "compaction",
    "diagnostics",
    "fallback_credit_token",
    "fallbacks",
    "inference_geo",
    "output_format",
    "speed",
    "thread",
    "user_profile_id",
    "workspace_id",
}
_FOREIGN = {
    "parallel_tool_calls": "tool_choice.disable_parallel_tool_use",
    "functions": "tools",
    "function_call": "tool_choice",
    "max_completion_tokens": "max_tokens",
    "max_output_tokens": "max_tokens",
    "response_format": "output_config",
    "reasoning_effort": "thinking",
    "stop": "stop_sequences",
    "n": "one reply for each request",
    "instructions": "system",
    "input": "messages",
    "prompt": "messages",
    "stream_options": "usage, which every stream carries",
}
"""What other dialects say, and how this one says it."""
_VERSIONS = ("2023-01-01", "2023-06-01", "2026-10-21")
_CLOUD_VERSIONS = ("vertex-2023-10-16", "bedrock-2023-05-31")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


@rule(
    "messages-request-field-wrong-type",
    scope="request",
    basis="sdk-type",
    cites=["ANT-Q-001 anthropic 2.11 types/message_create_params.py"],
    conforming=[example(_CALL), example("anthropic-messages/bedrock"), example("anthropic-messages/system")],
    violating=[
        example(_CALL, drop(f"{_BODY}/max_tokens")),
        example(_CALL, put(f"{_BODY}/max_tokens", "1024")),
        example(_CALL, drop(f"{_BODY}/model")),
        example(_CALL, put(f"{_BODY}/messages", "How warm is it?")),
        example(_CALL, put(f"{_BODY}/messages", [])),
        example("anthropic-messages/bedrock", put(f"{_BODY}/anthropic_version", None)),
    ],
)
def request_field_wrong_type(view: View) -> Iterator[Hit]:
    """A request must have a model, max_tokens and messages, and every field must have its type.

    The server refuses it with a 400. Clients written for another dialect often omit `max_tokens`.
    """
    body = view.request
    if not isinstance(body, dict):
        yield Hit("", "the body is not an object", "an object", kind(body))
        return
    hosted = hosting_of(view.exchange.request) != "direct"
    for hit in misshapen(body, _HOSTED_FIELDS if hosted else _FIELDS, ""):
        yield Hit(hit.pointer or None, hit.message, hit.expected, hit.actual)
    version = body.get("anthropic_version")
    if hosted and isinstance(version, str) and version not in _CLOUD_VERSIONS:
        known = ", ".join(_CLOUD_VERSIONS)
        yield Hit("/anthropic_version", "unknown version", known, version, severity=Severity.WARNING)
    if body.get("messages") == []:
        yield Hit("/messages", "messages is empty", "at least one message", "[]", severity=Severity.WARNING)


@rule(
    "messages-request-header-missing",
    scope="request",
    basis="documented",
    needs_complete=True,
    cites=["ANT-Q-002 anthropic 2.11 _client.py", "ANT-Q-002 platform.claude.com/docs/en/api/versioning"],
    conforming=[
        example(_CALL),
        example(_CALL, drop(f"{_SENT}/authorization"), put(f"{_SENT}/x-api-key", "REDACTED")),
        example("anthropic-messages/vertex"),
    ],
    violating=[
        example(_CALL, drop(f"{_SENT}/anthropic-version")),
        example(_CALL, put(f"{_SENT}/anthropic-version", "2026-10-22")),
        example(_CALL, put(f"{_SENT}/anthropic-version", "v1")),
        example(_CALL, drop(f"{_SENT}/authorization")),
    ],
)
def request_header_missing(view: View) -> Iterator[Hit]:
    """A request must have the API version and a credential in its headers.

    Without the version the server returns 400, without the credential 401.
    """
    request = view.exchange.request
    if hosting_of(request) != "direct":
        return
    version = request.headers.get("anthropic-version")
    if version is None:
        yield Hit(None, "header anthropic-version is missing", "a version", "no such header")
    elif version not in (*_VERSIONS, "REDACTED"):
        known = ", ".join(_VERSIONS)
        yield Hit(None, "header anthropic-version has an unknown version", known, version, severity=Severity.WARNING)
    bearer = (request.headers.get("authorization") or "").strip()
    if not bearer and not request.headers.get("x-api-key") and not request.headers.get("api-key"):
        yield Hit(None, "the request has no credential", "x-api-key, or authorization with a bearer", "neither header")


@rule(
    "messages-field-unsupported",
    scope="request",
    basis="documented",
    cites=["ANT-Q-003 platform.claude.com/docs/en/api/versioning"],
    conforming=[
        example(_CALL),
        example(_CALL, put(f"{_SENT}/anthropic-version", "2023-06-01"), put(f"{_BODY}/temperature", 1.0)),
    ],
    violating=[
        example(_CALL, put(f"{_BODY}/temperature", 1.0)),
        example(
            "anthropic-messages/answer",
            put(f"{_BODY}/messages/1/content/0", {"type": "document", "source": {"type": "file", "file_id": "file_1"}}),
        ),
    ],
)
def field_unsupported(view: View) -> Iterator[Hit]:
    """A request with version 2026-10-21 must not use features that this version has removed.

    SDKs send the new version by default, so code that still sets a temperature fails after an update.
    """
    version = view.exchange.request.headers.get("anthropic-version") or ""
    if not (_DATE.fullmatch(version) and version >= "2026-10-21" and isinstance(view.request, dict)):
        return
    for key in ("temperature", "top_p", "top_k"):
        if view.request.get(key) is not None:
            yield Hit(f"/{key}", f"{key} is not accepted under {version}", f"no {key}", brief(view.request[key]))
    messages = view.request.get("messages")
    for number, message in enumerate(messages if isinstance(messages, list) else ()):
        content = message.get("content") if isinstance(message, dict) else None
        for place, block in enumerate(content if isinstance(content, list) else ()):
            if not isinstance(block, dict):
                continue
            at = join("/messages", number, "content", place)
            if block.get("type") == "document" and message.get("role") == "assistant":
                yield Hit(at, f"a document of the assistant is not accepted under {version}", "no document", "document")
            if block.get("type") == "text" and block.get("citations") and message.get("role") == "user":
                at = join(at, "citations")
                yield Hit(at, f"citations in a user's text are not accepted under {version}", "no citations", "some")


@rule(
    "messages-request-field-unknown",
    severity=Severity.WARNING,
    scope="request",
    basis="sdk-type",
    cites=[
        "ANT-Q-010 anthropic 2.11 types/message_create_params.py",
        "ANT-Q-010 anthropic 2.11 types/tool_choice_auto_param.py",
    ],
    conforming=[example(_CALL), example("anthropic-messages/named-serial"), example("anthropic-messages/vertex")],
    violating=[
        example(_CALL, put(f"{_BODY}/parallel_tool_calls", False)),
        example(_CALL, put(f"{_BODY}/tool_choices", {"type": "auto"})),
    ],
)
def request_field_unknown(view: View) -> Iterator[Hit]:
    """Every field of the body must be a field of Messages.

    The server refuses unknown fields, and a gateway that silently drops them changes the request.
    """
    if isinstance(view.request, dict):
        for key in extra(view.request, _KNOWN):
            ours = _FOREIGN.get(key)
            yield Hit(
                join("", key),
                f"{key} is not a field of Messages",
                ours or "a known field",
                brief(view.request[key]),
                severity=Severity.ERROR if ours else None,
            )
