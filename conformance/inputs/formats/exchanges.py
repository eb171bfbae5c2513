"""Exchange JSONL, this project's own format: one exchange a line (`docs/logs.md`, `specs/exchange.schema.json`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from conformance.inputs import jsonl
from conformance.inputs.format import Format, Record
from conformance.model.exchange import Exchange

NAME = "exchange-jsonl"


def is_exchange(value: Any) -> bool:
    """Whether a line is an exchange. Its request has no `uri`, as a cassette's has, and is not the body itself."""
    if not isinstance(value, dict) or "request" not in value or "response" not in value:
        return False
    return not (isinstance(value["request"], dict) and value["request"].keys() & {"uri", "model"})


def _read(records: Iterable[Record], _: str) -> Iterator[Exchange]:
    return (jsonl.exchange_of(record.value, record.source) for record in records)


FORMAT = Format(name=NAME, title="exchange JSONL: one exchange a line", read=_read)
