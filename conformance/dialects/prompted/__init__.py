"""prompted: `<function_call>` tags in plain chat, for models without tool use of their own.

There is no standard; the layout is DeepChat's (WIRE section 7). A block holds
`{"function_call": {"name", "arguments"}}`, or one of the other shapes that its parser takes; results come back as
`function_call_record` blocks in user turns. Ids are the client's own invention and never on the wire.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from conformance.dialects import all_dialects
from conformance.dialects.prompted.reply import read_reply
from conformance.dialects.prompted.request import CARRIER, announced, read_request
from conformance.dialects.prompted.stream import narrate, read_stream
from conformance.exchange import Exchange, Request
from conformance.sse import Event
from conformance.transcript import Ask, Moment, Turn


class Prompted:
    name = "prompted"
    prefix = "PFC"
    answers_last_call = True
    carrier = CARRIER

    def claims(self, request: Request) -> bool:
        return all_dialects()[CARRIER].claims(request) and announced(request.body.json)

    def read_request(self, request: Request, body: Any) -> Ask:
        return read_request(request, body)

    def read_reply(self, body: Any) -> tuple[Turn, ...]:
        return read_reply(body)

    def read_stream(self, events: Sequence[Event]) -> tuple[Turn, ...]:
        return read_stream(events)

    def narrate(self, events: Sequence[Event]) -> Iterator[Moment]:
        return narrate(events)

    def stream_events(self, exchange: Exchange) -> tuple[Event, ...] | None:
        return all_dialects()[CARRIER].stream_events(exchange)


DIALECT = Prompted()
