"""Langfuse exports: observations of the type GENERATION.

The JSON of one trace (`observations` within), a response of the API (`data`), a list or JSON Lines of observations, as
the tables and the blob storage export have them. Names are in camel case or in snake case; `input` and `output` are
values or text. Read by the schema of Langfuse 3 and its SDK 5 (`ObservationV2`). What the SDK sends is read by `otel`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from conformance.inputs import native
from conformance.inputs.format import MESSAGES_ONLY, Format, Record
from conformance.model.exchange import Exchange


def _detect(value: Any) -> bool:
    first = next(_observations(value), None)
    return first is not None


def _observations(value: Any) -> Iterator[Mapping[str, Any]]:
    """The observations in a value, oldest first if it has several."""
    if isinstance(value, Mapping):
        for name in ("observations", "data"):
            if isinstance(value.get(name), list):
                value = value[name]
                break
    several = value if isinstance(value, list) else [value]
    found = [each for each in several if isinstance(each, Mapping) and _is_observation(each)]
    yield from sorted(found, key=lambda each: str(each.get("startTime") or each.get("start_time") or ""))


def _is_observation(value: Mapping[str, Any]) -> bool:
    traced = "traceId" in value or "trace_id" in value
    timed = "startTime" in value or "start_time" in value
    return traced and timed and isinstance(value.get("type"), str) and "input" in value


def _read(records: Iterable[Record], path: str) -> Iterator[Exchange]:
    for record in records:
        for each in _observations(record.value):
            if each["type"].upper() != "GENERATION":
                continue
            asked = native.value_of(each.get("input"))
            if isinstance(asked, list):
                asked = {"messages": asked}
            if isinstance(asked, dict) and "model" not in asked:
                asked = {"model": each.get("model") or each.get("providedModelName"), **asked}
            trace = each.get("traceId") or each.get("trace_id")
            found = native.exchange(
                asked, each.get("output"), source=record.source, id=str(each.get("id")), group=f"{path}#{trace}"
            )
            if found is not None:
                yield found


FORMAT = Format(
    name="langfuse",
    title="Langfuse exports: traces and observations",
    detect=_detect,
    read=_read,
    lacks=MESSAGES_ONLY,
)
