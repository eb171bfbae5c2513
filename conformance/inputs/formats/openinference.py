"""OpenInference spans as Phoenix writes them: of its API (`data`), or rows of `get_spans_dataframe().to_json(...)`.

A span has its `attributes` as an object, or as columns: `attributes.llm.input_messages`. OTLP is read by `otel`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.inputs import otlp
from conformance.inputs.rows import Row, origin_of, rows_format, rows_in
from conformance.model.exchange import Exchange

_COLUMN = "attributes."


def _spans(value: Any) -> Iterator[Row]:
    """The spans with messages, each with its attributes."""
    for each in rows_in(value, "data"):
        given = each.get("attributes")
        columns = {key.removeprefix(_COLUMN): cell for key, cell in each.items() if str(key).startswith(_COLUMN)}
        attributes = {**given} if isinstance(given, Mapping) else columns
        if "openinference.span.kind" in attributes or otlp.is_openinference(attributes):
            yield {**each, "attributes": attributes}


def _exchange(span: Row, source: str, path: str) -> Exchange | None:
    from conformance.inputs import openinference

    attributes, context = span["attributes"], span.get("context")
    if not otlp.is_openinference(attributes):
        return None
    ids = context if isinstance(context, Mapping) else span
    trace = attributes.get("session.id") or ids.get("trace_id") or span.get("context.trace_id")
    origin = origin_of(source, path, ids.get("span_id") or span.get("context.span_id"), trace)
    return openinference.conversation_of(attributes, origin).exchange()


FORMAT = rows_format("openinference", "OpenInference spans of Phoenix, as JSON", _spans, _exchange)
