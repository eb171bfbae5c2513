"""qwen3: the chat template of Qwen3 as a raw prompt, with the tags that Hermes models brought up.

Turns are framed by `<|im_start|>` and `<|im_end|>`; tools stand in the system turn, calls in `<tool_call>` blocks,
results in `<tool_response>` blocks of one user turn. Nothing has an id: a result belongs to the call in its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from conformance.dialects import all_dialects
from conformance.dialects.qwen3.prompt import START
from conformance.dialects.qwen3.reply import read_reply
from conformance.dialects.qwen3.request import CARRIER, prompt_of, read_request
from conformance.dialects.qwen3.stream import narrate, read_stream
from conformance.exchange import Exchange, Request
from conformance.sse import Event
from conformance.transcript import Ask, Moment, Turn


class Qwen3:
    name = "qwen3"
    prefix = "QWE"
    answers_last_call = True
    carrier = CARRIER

    def claims(self, request: Request) -> bool:
        return all_dialects()[CARRIER].claims(request) and START in prompt_of(request.body.json)

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


DIALECT = Qwen3()
