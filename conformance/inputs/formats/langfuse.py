"""Langfuse exports: observations of the type GENERATION.

The JSON of one trace (`observations` within), a response of the API (`data`), a list or JSON Lines of observations, as
the tables and the blob storage export have them. Names are in camel case or in snake case; `input` and `output` are
values or text. Read by the schema of Langfuse 3 and its SDK 5 (`ObservationV2`). What the SDK sends is read by `otel`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.inputs import native
from conformance.inputs.rows import Row, origin_of, rows_format, rows_in
from conformance.model.exchange import Exchange


def _observations(value: Any) -> Iterator[Row]:
    """The observations in a value, oldest first if it has several."""
    found = filter(_is_observation, rows_in(value, "observations", "data"))
    yield from sorted(found, key=lambda each: str(each.get("startTime") or each.get("start_time") or ""))


def _is_observation(value: Row) -> bool:
    traced = "traceId" in value or "trace_id" in value
    timed = "startTime" in value or "start_time" in value
    return traced and timed and isinstance(value.get("type"), str) and "input" in value


def _exchange(observation: Row, source: str, path: str) -> Exchange | None:
    if observation["type"].upper() != "GENERATION":
        return None
    asked = native.value_of(observation.get("input"))
    if isinstance(asked, list):
        asked = {"messages": asked}
    if isinstance(asked, dict) and "model" not in asked:
        asked = {"model": observation.get("model") or observation.get("providedModelName"), **asked}
    trace = observation.get("traceId") or observation.get("trace_id")
    origin = origin_of(source, path, str(observation.get("id")), str(trace))
    return native.exchange(asked, observation.get("output"), **origin)


FORMAT = rows_format("langfuse", "Langfuse exports: traces and observations", _observations, _exchange)
