"""react: Thought, Action, Action Input, Observation and Final Answer as lines of a plain chat.

The layout is Qwen-Agent's (`qwen_agent/agents/react_chat.py`), which is that of the original prompts with a JSON
object as the input; LangChain's parser reads the same. The client has the server stop at `Observation:`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from conformance.dialects import all_dialects
from conformance.dialects.react.reply import read_reply
from conformance.dialects.react.request import CARRIER, announced, read_request
from conformance.dialects.react.stream import narrate, read_stream
from conformance.exchange import Exchange, Request
from conformance.sse import Event
from conformance.transcript import Ask, Moment, Turn


class React:
    name = "react"
    prefix = "REA"
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


DIALECT = React()
