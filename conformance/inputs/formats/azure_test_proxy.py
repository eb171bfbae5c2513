"""Recordings of Azure's test proxy, for the tests of Azure's SDKs and of OpenAI's for .NET: one session a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.inputs import interactions
from conformance.inputs.format import Format


def _detect(value: Any) -> bool:
    entries = value.get("Entries") if isinstance(value, Mapping) else None
    return isinstance(entries, list) and all(isinstance(each, Mapping) and "RequestUri" in each for each in entries[:1])


def _interaction(entry: Mapping[str, Any]) -> Any:
    """The entry as a cassette has it. A stream is a list of its lines."""
    return {
        side.lower(): {
            "method": entry.get("RequestMethod"),
            "uri": entry.get("RequestUri"),
            "status": entry.get("StatusCode"),
            "headers": entry.get(f"{side}Headers"),
            "body": entry.get(f"{side}Body"),
        }
        for side in ("Request", "Response")
    }


FORMAT = Format(
    name="azure-test-proxy",
    title="recordings of Azure's test proxy, as JSON",
    detect=_detect,
    read=interactions.read_as("Entries", _detect, _interaction),
)
