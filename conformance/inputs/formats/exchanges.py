"""Exchange JSONL, this project's own format: one exchange a line (`docs/logs.md`, `specs/exchange.schema.json`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from conformance.inputs import jsonl
from conformance.inputs.format import Format, Record
from conformance.model.exchange import Exchange

NAME = "exchange-jsonl"


def is_exchange(value: Any) -> bool:
    """Whether a line is an exchange: without `uri` and `statusCode`, as cassettes have, and not with a bare body."""
    if not isinstance(value, dict) or "request" not in value or "response" not in value:
        return False
    sides = ((value["request"], {"uri", "model"}), (value["response"], {"statusCode"}))
    return not any(isinstance(side, dict) and side.keys() & foreign for side, foreign in sides)


def _read(records: Iterable[Record], _: str) -> Iterator[Exchange]:
    return (jsonl.exchange_of(record.value, record.source) for record in records)


FORMAT = Format(name=NAME, title="exchange JSONL: one exchange a line", read=_read)
