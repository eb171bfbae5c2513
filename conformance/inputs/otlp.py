"""OTLP in JSON, written by OpenTelemetry's collectors and exporters: spans and log records with plain attributes.

Values may be wrapped in their type (`{"stringValue": "x"}`). Names in camel case and in snake case are read: the first
is OTLP's own, the second is what some programs dump.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any

from conformance.model.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a span, or a log record."""

    name: str
    attributes: Mapping[str, Any]
    body: Any = None


@dataclass(frozen=True, slots=True)
class Span:
    trace: str
    id: str
    attributes: Mapping[str, Any]
    events: list[Event] = field(default_factory=list)
    start: int = 0


def is_otlp(value: Any) -> bool:
    """Whether a document is an export of traces or logs."""
    return isinstance(value, Mapping) and any(
        isinstance(_get(value, name), list) for name in ("resourceSpans", "resourceLogs")
    )


def spans(document: Any) -> Iterator[Span]:
    """The spans of a document, in the order in which they began."""
    found = []
    for scope in _scopes(document, "resourceSpans", "scopeSpans"):
        for span in _list(scope, "spans"):
            events = [
                Event(str(event.get("name")), attributes_of(event))
                for event in _list(span, "events")
                if isinstance(event, Mapping)
            ]
            start = str(_get(span, "startTimeUnixNano") or 0)
            found.append(
                Span(
                    str(_get(span, "traceId") or ""),
                    str(_get(span, "spanId") or ""),
                    attributes_of(span),
                    events,
                    int(start) if start.isdecimal() else 0,
                )
            )
    yield from sorted(found, key=lambda each: each.start)


def records(document: Any) -> Iterator[tuple[str, str, Event]]:
    """The log records of a document, each with the ids of its trace and its span."""
    for scope in _scopes(document, "resourceLogs", "scopeLogs"):
        for record in _list(scope, "logRecords"):
            attributes = attributes_of(record)
            name = str(_get(record, "eventName") or attributes.get("event.name") or "")
            event = Event(name, attributes, plain(record.get("body")))
            yield str(_get(record, "traceId") or ""), str(_get(record, "spanId") or ""), event


def is_openinference(attributes: Mapping[str, Any]) -> bool:
    """Whether the attributes of a span are those of OpenInference, with messages."""
    return any(key.startswith(("llm.input_messages", "llm.output_messages")) for key in attributes) or (
        isinstance(attributes.get("llm"), Mapping)
        and bool({"input_messages", "output_messages"} & {*attributes["llm"]})
    )


def attributes_of(holder: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes as a mapping, from OTLP's list of pairs or from a mapping."""
    attributes = holder.get("attributes")
    if isinstance(attributes, Mapping):
        return {str(key): plain(value) for key, value in attributes.items()}
    pairs = attributes if isinstance(attributes, list) else []
    return {str(each["key"]): plain(each.get("value")) for each in pairs if isinstance(each, Mapping) and "key" in each}


def plain(value: Any) -> Any:
    """A value without the wrapper that has its type."""
    if isinstance(value, Mapping) and len(value) == 1:
        ((kind, inner),) = value.items()
        if kind in (
            "stringValue",
            "boolValue",
            "doubleValue",
            "bytesValue",
            "string_value",
            "bool_value",
            "double_value",
        ):
            return inner
        if kind in ("intValue", "int_value"):
            return int(inner) if str(inner).lstrip("-").isdecimal() else inner
        if kind in ("arrayValue", "array_value"):
            return [plain(each) for each in _list(inner, "values")]
        if kind in ("kvlistValue", "kvlist_value"):
            pairs = [each for each in _list(inner, "values") if isinstance(each, Mapping)]
            return {str(each.get("key")): plain(each.get("value")) for each in pairs}
    return value


def _scopes(document: Any, resources: str, scopes: str) -> Iterator[Mapping[str, Any]]:
    for resource in _list(document, resources):
        yield from (each for each in _list(resource, scopes) if isinstance(each, Mapping))


def _list(holder: Any, name: str) -> list[Any]:
    value = _get(holder, name) if isinstance(holder, Mapping) else None
    return (
        [each for each in value if isinstance(each, Mapping)]
        if isinstance(value, list) and name != "values"
        else (value if isinstance(value, list) else [])
    )


def _get(holder: Mapping[str, Any], name: str) -> Any:
    if name in holder:
        return holder[name]
    return holder.get("".join(f"_{char.lower()}" if char.isupper() else char for char in name))
