"""OpenInference spans as Phoenix writes them: of its API (`data`), or rows of `get_spans_dataframe().to_json(...)`.

A span has its `attributes` as an object, or as columns: `attributes.llm.input_messages`. OTLP is read by `otel`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from conformance.inputs import otlp
from conformance.inputs.format import MESSAGES_ONLY, Format, Record
from conformance.model.exchange import Exchange

_COLUMN = "attributes."


def _detect(value: Any) -> bool:
    return next(_spans(value), None) is not None


def _spans(value: Any) -> Iterator[tuple[Mapping[str, Any], dict[str, Any]]]:
    """Each span with its attributes."""
    if isinstance(value, Mapping) and isinstance(value.get("data"), list):
        value = value["data"]
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, Mapping):
            given = each.get("attributes")
            columns = {key.removeprefix(_COLUMN): cell for key, cell in each.items() if str(key).startswith(_COLUMN)}
            attributes = {**given} if isinstance(given, Mapping) else columns
            if "openinference.span.kind" in attributes or otlp.is_openinference(attributes):
                yield each, attributes


def _read(records: Iterable[Record], path: str) -> Iterator[Exchange]:
    from conformance.inputs import openinference

    for record in records:
        for span, attributes in _spans(record.value):
            if otlp.is_openinference(attributes):
                context = span.get("context")
                ids = context if isinstance(context, Mapping) else span
                trace = attributes.get("session.id") or ids.get("trace_id") or span.get("context.trace_id")
                name = ids.get("span_id") or span.get("context.span_id")
                origin = {
                    "source": record.source,
                    "id": str(name) if name else None,
                    "group": f"{path}#{trace}" if trace else "",
                }
                yield openinference.conversation_of(attributes, origin).exchange()


FORMAT = Format(
    name="openinference",
    title="OpenInference spans of Phoenix, as JSON",
    detect=_detect,
    read=_read,
    lacks=MESSAGES_ONLY,
)
