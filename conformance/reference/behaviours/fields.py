"""Fields of the objects that are sent: gone, new, empty, or of another type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from conformance.model.behaviour import behaviour
from conformance.model.document import Document, Mark
from conformance.model.document_changes import each_object, with_objects
from conformance.model.rendered import Rendered

_USAGES = ("usage", "usageMetadata")


def _counted(value: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """The JSON value with the objects that hold token counts changed."""

    def counts(entries: dict[str, Any]) -> dict[str, Any]:
        return {
            key: change(each) if key in _USAGES and isinstance(each, dict) else each for key, each in entries.items()
        }

    return each_object(value, counts)


@behaviour("field-new", "document", "review", "field region is new", hosted=True)
def field_new(value: Any) -> Any:
    """Every JSON object has an additional top-level field."""
    return {**value, "region": "kr-1"}


@behaviour("field-gone", "document", "review", "field .*service_tier is missing", hosted=True)
def field_gone(value: Any) -> Any:
    """A field that no rule requires is missing."""
    return each_object(value, lambda entries: {key: each for key, each in entries.items() if key != "service_tier"})


@behaviour(
    "field-of-another-type",
    "document",
    "change",
    "field .*(created|created_at) changed from a number .* to a string",
    hosted=True,
)
def field_of_another_type(value: Any) -> Any:
    """The creation time is sent as a string."""

    def spelled(entries: dict[str, Any]) -> dict[str, Any]:
        return {key: str(each) if key in ("created", "created_at") else each for key, each in entries.items()}

    return each_object(value, spelled)


@behaviour("required-field-gone", "document", "change", r"new finding of severity error: [a-z-]+: ", streamed=False)
def required_field_gone(value: Any) -> Any:
    """The response lacks its object type, its model and its id."""
    return {key: each for key, each in value.items() if key not in ("object", "model", "id", "role", "sequence_number")}


@behaviour(
    "keys-in-another-order", "document", "noise", "the same JSON, serialised differently", streamed=False, hosted=True
)
def keys_in_another_order(value: Any) -> Any:
    """The keys of every object are sent in reverse order."""
    return each_object(value, lambda entries: dict(reversed(entries.items())))


@behaviour("usage-other", "document", "noise", "token counts differ", hosted=True)
def usage_other(value: Any) -> Any:
    """The token counts are higher."""
    return _counted(value, lambda usage: each_object(usage, _more))


def _more(entries: dict[str, Any]) -> dict[str, Any]:
    """The token counts doubled, so that sums still add up."""
    return {
        key: each * 2 if isinstance(each, int) and not isinstance(each, bool) else each for key, each in entries.items()
    }


@behaviour("usage-field-new", "document", "review", "field .*(usage|usageMetadata)/energy_joules is new", hosted=True)
def usage_field_new(value: Any) -> Any:
    """The usage has an additional field."""
    return _counted(value, lambda usage: {**usage, "energy_joules": 12})


@behaviour("usage-gone", "document", "review", "token counts are missing", streamed=False, hosted=True)
def usage_gone(value: Any) -> Any:
    """The usage is missing."""
    return {key: each for key, each in value.items() if key not in _USAGES}


@behaviour("usage-chunk-gone", "stream", "change", "token counts are missing from the stream", streamed=True)
def usage_chunk_gone(documents: list[Document | Mark]) -> list[Document | Mark]:
    """A stream lacks the token counts that the request asked for."""
    return with_objects(
        (each for each in documents if not _is_usage_chunk(each)),
        lambda value: {key: each for key, each in value.items() if key not in _USAGES},
    )


def _is_usage_chunk(part: Document | Mark) -> bool:
    """Whether this is the chunk of a Chat stream that has nothing but the token counts."""
    return isinstance(part, Document) and isinstance(part.value, dict) and part.value.get("choices") == []


@behaviour("header-new", "response", "review", "header x-region is new", everywhere=True)
def header_new(rendered: Rendered) -> Rendered:
    """Every response has an additional header."""
    return replace(rendered, headers=(*rendered.headers, ("x-region", "kr-1")))


@behaviour("header-values-other", "response", "noise", "the value of header .* differs", everywhere=True)
def header_values_other(rendered: Rendered) -> Rendered:
    """Times, rate limits and timings in the headers have different values."""
    free = ("openai-processing-ms", "server-timing", "x-ratelimit", "anthropic-ratelimit")
    headers = [(name, f"{value}0" if name.startswith(free) else value) for name, value in rendered.headers]
    return replace(rendered, headers=(*headers, ("date", "Fri, 20 Nov 2026 10:00:00 GMT")))


@behaviour(
    "content-type-other",
    "response",
    "change",
    "the media type changed from application/json to text/plain",
    streamed=False,
    everywhere=True,
)
def content_type_other(rendered: Rendered) -> Rendered:
    """A JSON body is sent with content type text/plain."""
    headers = [(name, "text/plain" if name == "content-type" else value) for name, value in rendered.headers]
    return replace(rendered, headers=tuple(headers))
