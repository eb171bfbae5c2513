"""Helicone exports: `npx @helicone/export --include-body`, and responses of its request API (`data`).

Read by the documented fields: `request_body`, `response_body`, `response_status`, `request_path`. Bodies are as they
were sent, except that the events of a stream are combined into one reply, of which only the messages are judged.
There are no headers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.inputs import build, native
from conformance.inputs.rows import Row, origin_of, rows_format, rows_in
from conformance.model.exchange import Body, Exchange

_BODIES = {"request_body", "response_body"}


def _rows(value: Any) -> Iterator[Row]:
    for each in rows_in(value, "data"):
        if each.keys() & _BODIES and each.keys() & {"request_id", "response_id"}:
            yield each


def _exchange(row: Row, source: str, path: str) -> Exchange | None:
    asked, answered = (native.value_of(row.get(name)) for name in ("request_body", "response_body"))
    status, url = row.get("response_status"), row.get("request_path")
    session = row.get("request_session_id") or row.get("session_id")
    origin = origin_of(source, path, row.get("request_id") or row.get("response_id"), session)
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


FORMAT = rows_format("helicone", "Helicone exports with bodies", _rows, _exchange, lacks=frozenset({"headers"}))
