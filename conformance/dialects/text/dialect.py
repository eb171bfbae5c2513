"""Dialects that are written in the text of another one, their host: tags in a plain chat, a raw prompt.

The host reads the envelope; the text dialect's reader splits the text in it into parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from conformance.dialects.text.reading import Parse, Reader, reread
from conformance.dialects.text.stream import stream_events as read_apart
from conformance.model.dialect import Dialect
from conformance.model.exchange import Exchange, Request
from conformance.model.registry import all_dialects
from conformance.model.sse import Event
from conformance.model.transcript import Ask, StreamEvent, Turn


def text_dialect(
    *,
    name: str,
    prefix: str,
    package: str,
    host: str,
    announced: Callable[[Any], bool],
    read_request: Callable[[Request, Any], Ask],
    parse: Parse,
    reader: Callable[[], Reader],
    lacks: Mapping[str, str],
    reference_model: str,
    plans_ahead: bool = False,
    line_marks: str | None = None,
    line_end: str | None = None,
) -> Dialect:
    """A dialect inside the text of its host.

    `announced` says whether the JSON body of a request of the host asks for this dialect; `parse` reads the text of a
    whole turn, `reader` makes a reader for its pieces. `lacks`, `reference_model`,
    `plans_ahead`, `line_marks` and `line_end` are those of `Dialect`. Everything else is the host's.
    """

    def claims(request: Request) -> bool:
        return all_dialects()[host].claims(request) and announced(request.body.json)

    def read_reply(body: Any) -> tuple[Turn, ...]:
        return tuple(reread(turn, parse) for turn in all_dialects()[host].read_reply(body))

    def read_stream(events: Sequence[Event]) -> tuple[Turn, ...]:
        return tuple(reread(turn, parse) for turn in all_dialects()[host].read_stream(events))

    def stream_events(events: Sequence[Event]) -> Iterator[StreamEvent]:
        return read_apart(all_dialects()[host].stream_events(events), reader)

    def sse_events(exchange: Exchange) -> tuple[Event, ...] | None:
        return all_dialects()[host].sse_events(exchange)

    return Dialect(
        name=name,
        prefix=prefix,
        package=package,
        host=host,
        claims=claims,
        read_request=read_request,
        read_reply=read_reply,
        read_stream=read_stream,
        stream_events=stream_events,
        sse_events=sse_events,
        answers_last_call=True,
        plans_ahead=plans_ahead,
        line_marks=line_marks,
        line_end=line_end,
        lacks=lacks,
        reference_model=reference_model,
    )
