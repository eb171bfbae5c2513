"""Fields of the objects that are sent: gone, new, empty, or of another type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from conformance.model.document import Document, Mark
from conformance.model.rendered import Rendered
from conformance.reference.behaviours import behaviour
from conformance.reference.documents import with_objects

_USAGES = ("usage", "usageMetadata")
_ALL = ("openai-chat", "openai-responses", "anthropic-messages", "gemini", "openai-completions")


def _everywhere(value: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """The JSON value with every object in it changed, the innermost first."""
    if isinstance(value, dict):
        return change({key: _everywhere(each, change) for key, each in value.items()})
    if isinstance(value, list):
        return [_everywhere(each, change) for each in value]
    return value


def _counted(value: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """The JSON value with the objects that hold token counts changed."""

    def counts(entries: dict[str, Any]) -> dict[str, Any]:
        return {
            key: change(each) if key in _USAGES and isinstance(each, dict) else each for key, each in entries.items()
        }

    return _everywhere(value, counts)


@behaviour(
    "field-new",
    level="document",
    scenario="weather",
    grade="review",
    words="the field region is new",
    dialects=_ALL,
    hosted=True,
)
def field_new(value: Any) -> Any:
    """Every object that is sent has a field more at its top."""
    return {**value, "region": "kr-1"}


@behaviour(
    "field-gone",
    level="document",
    scenario="weather",
    grade="review",
    words="the field .*service_tier is gone",
    dialects=("openai-chat", "openai-responses"),
    hosted=True,
)
def field_gone(value: Any) -> Any:
    """A field that no rule asks for is not sent."""
    return _everywhere(value, lambda entries: {key: each for key, each in entries.items() if key != "service_tier"})


@behaviour(
    "field-of-another-type",
    level="document",
    scenario="weather",
    grade="change",
    words="the field .*(created|created_at) was a number .*, is a string",
    dialects=("openai-chat", "openai-responses", "openai-completions"),
    hosted=True,
)
def field_of_another_type(value: Any) -> Any:
    """The time of the answer comes as a string."""

    def spelled(entries: dict[str, Any]) -> dict[str, Any]:
        return {key: str(each) if key in ("created", "created_at") else each for key, each in entries.items()}

    return _everywhere(value, spelled)


@behaviour(
    "required-field-gone",
    level="document",
    scenario="weather",
    grade="change",
    words=r"new finding of severity error: [a-z-]+: ",
    dialects=("openai-chat", "openai-responses", "anthropic-messages"),
    streamed=False,
)
def required_field_gone(value: Any) -> Any:
    """The answer does not say what kind of object it is, nor who answers, nor which it is."""
    return {key: each for key, each in value.items() if key not in ("object", "model", "id", "role", "sequence_number")}


@behaviour(
    "keys-in-another-order",
    level="document",
    scenario="weather",
    grade="noise",
    words="the same JSON in other bytes",
    dialects=("openai-chat", "openai-responses", "gemini", "openai-completions"),
    streamed=False,
    hosted=True,
)
def keys_in_another_order(value: Any) -> Any:
    """The keys of every object come in the reverse order."""
    return _everywhere(value, lambda entries: dict(reversed(entries.items())))


@behaviour(
    "usage-other",
    level="document",
    scenario="weather",
    grade="noise",
    words="token counts differ",
    dialects=_ALL,
    hosted=True,
)
def usage_other(value: Any) -> Any:
    """More tokens are counted."""
    return _counted(value, lambda usage: _everywhere(usage, _more))


def _more(entries: dict[str, Any]) -> dict[str, Any]:
    """The counts doubled: what has to add up still does."""
    return {
        key: each * 2 if isinstance(each, int) and not isinstance(each, bool) else each for key, each in entries.items()
    }


@behaviour(
    "usage-field-new",
    level="document",
    scenario="weather",
    grade="review",
    words="the field .*(usage|usageMetadata)/energy_joules is new",
    dialects=("openai-chat", "openai-responses", "gemini", "openai-completions"),
    hosted=True,
)
def usage_field_new(value: Any) -> Any:
    """The usage counts something more."""
    return _counted(value, lambda usage: {**usage, "energy_joules": 12})


@behaviour(
    "usage-gone",
    level="document",
    scenario="weather",
    grade="review",
    words="the token counts are gone",
    dialects=("openai-chat", "gemini", "openai-completions"),
    streamed=False,
    hosted=True,
)
def usage_gone(value: Any) -> Any:
    """No token is counted."""
    return {key: each for key, each in value.items() if key not in _USAGES}


@behaviour(
    "usage-chunk-gone",
    level="stream",
    scenario="weather",
    grade="change",
    words="the token counts are gone from the stream",
    dialects=("openai-chat", "gemini"),
    streamed=True,
)
def usage_chunk_gone(documents: list[Document | Mark]) -> list[Document | Mark]:
    """A stream counts no tokens, though it was asked to."""
    return with_objects(
        (each for each in documents if not _is_usage_chunk(each)),
        lambda value: {key: each for key, each in value.items() if key not in _USAGES},
    )


def _is_usage_chunk(part: Document | Mark) -> bool:
    """Whether this is the chunk of a Chat stream that has nothing but the token counts."""
    return isinstance(part, Document) and isinstance(part.value, dict) and part.value.get("choices") == []


@behaviour(
    "fingerprint-other",
    level="document",
    scenario="weather",
    grade="noise",
    words="the backend's fingerprint differs",
    dialects=("openai-chat",),
    hosted=True,
)
def fingerprint_other(value: Any) -> Any:
    """Another build of the backend answers."""
    return {**value, "system_fingerprint": None}


@behaviour(
    "content-empty",
    level="document",
    scenario="geocode-then-weather",
    grade="review",
    words='the field .*content was null, is ""',
    dialects=("openai-chat",),
    streamed=False,
)
def content_empty(value: Any) -> Any:
    """A turn without text has an empty text instead of null."""
    return _everywhere(
        value, lambda entries: {**entries, "content": ""} if entries.get("content", "") is None else entries
    )


@behaviour(
    "signature-gone",
    level="document",
    scenario="reasoning",
    grade="change",
    words="the signature on reasoning is gone",
    dialects=("openai-responses",),
)
def signature_gone(value: Any) -> Any:
    """Reasoning comes without the provider's seal."""
    seals = ("thoughtSignature", "encrypted_content")
    return _everywhere(value, lambda entries: {key: each for key, each in entries.items() if key not in seals})


@behaviour(
    "header-new",
    level="response",
    scenario="weather",
    grade="review",
    words="the header x-region is new",
)
def header_new(rendered: Rendered) -> Rendered:
    """Every answer has a header more."""
    return replace(rendered, headers=(*rendered.headers, ("x-region", "kr-1")))


@behaviour(
    "header-values-other",
    level="response",
    scenario="weather",
    grade="noise",
    words="the value of the header .* differs",
)
def header_values_other(rendered: Rendered) -> Rendered:
    """Times, limits and timings in the headers are others."""
    free = ("openai-processing-ms", "server-timing", "x-ratelimit", "anthropic-ratelimit")
    headers = [(name, f"{value}0" if name.startswith(free) else value) for name, value in rendered.headers]
    return replace(rendered, headers=(*headers, ("date", "Fri, 20 Nov 2026 10:00:00 GMT")))


@behaviour(
    "content-type-other",
    level="response",
    scenario="weather",
    grade="change",
    words="the media type was application/json, is text/plain",
    streamed=False,
)
def content_type_other(rendered: Rendered) -> Rendered:
    """A JSON body is called plain text."""
    headers = [(name, "text/plain" if name == "content-type" else value) for name, value in rendered.headers]
    return replace(rendered, headers=tuple(headers))
