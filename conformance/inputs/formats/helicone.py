"""Helicone exports: `npx @helicone/export --include-body`, and responses of its request API (`data`).

Read by the documented fields: `request_body`, `response_body`, `response_status`, `request_path`. Bodies are as they
were sent, except that the events of a stream are combined into one reply, of which only the messages are judged.
There are no headers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from conformance.inputs import build, native
from conformance.inputs.format import Format, Record
from conformance.model.exchange import Body, Exchange

_BODIES = {"request_body", "response_body"}


def _detect(value: Any) -> bool:
    return next(_rows(value), None) is not None


def _rows(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, Mapping) and isinstance(value.get("data"), list):
        value = value["data"]
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, Mapping) and each.keys() & _BODIES and each.keys() & {"request_id", "response_id"}:
            yield each


def _read(records: Iterable[Record], path: str) -> Iterator[Exchange]:
    for record in records:
        for row in _rows(record.value):
            found = _exchange(row, record.source, path)
            if found is not None:
                yield found


def _exchange(row: Mapping[str, Any], source: str, path: str) -> Exchange | None:
    asked, answered = (native.value_of(row.get(name)) for name in ("request_body", "response_body"))
    status, url = row.get("response_status"), row.get("request_path")
    session = row.get("request_session_id") or row.get("session_id")
    name = row.get("request_id") or row.get("response_id")
    origin: dict[str, Any] = {
        "source": source,
        "id": str(name) if name else None,
        "group": f"{path}#{session}" if session else "",
    }
    streamed = isinstance(asked, dict) and asked.get("stream") is True and isinstance(answered, dict)
    if streamed and status in (None, 200):
        return native.exchange(asked, answered, **origin)
    if not asked and not answered:
        return None
    return build.exchange(
        Body(asked) if asked else None,
        Body(answered) if answered else None,
        url=url if isinstance(url, str) and url.startswith("http") else None,
        status=status if isinstance(status, int) and status > 0 else None,
        **origin,
    )


FORMAT = Format(
    name="helicone", title="Helicone exports with bodies", detect=_detect, read=_read, lacks=frozenset({"headers"})
)
