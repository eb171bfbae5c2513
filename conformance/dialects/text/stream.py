"""A host's neutral stream events, with its text split into parts as it arrives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from conformance.dialects.text.reading import CUT, Reader, placed
from conformance.model.stream_events import closed, whole_parts
from conformance.model.transcript import Part, StreamEvent, ToolCall


def stream_events(moments: Iterable[StreamEvent], new_reader: Callable[[], Reader]) -> Iterator[StreamEvent]:
    """The host's stream events, with its text split into parts as it arrives."""
    return closed(_unclosed(moments, new_reader))


def _unclosed(moments: Iterable[StreamEvent], new_reader: Callable[[], Reader]) -> Iterator[StreamEvent]:
    readers: dict[int, Reader] = {}
    calls: dict[int, int] = {}
    own: dict[tuple[int, int], int] = {}
    last: dict[int, str] = {}

    def split(parts: Iterable[Part], choice: int) -> Iterator[StreamEvent]:
        for part in placed(parts, last.get(choice, "")):
            yield from whole_parts([part], calls.get(choice, 0), choice)
            calls[choice] = calls.get(choice, 0) + isinstance(part, ToolCall)

    for moment in moments:
        choice = moment.choice
        if moment.kind == "text" and moment.text:
            last[choice] = moment.pointer
            reader = readers.setdefault(choice, new_reader())
            yield from split(reader.feed(moment.text), choice)
        elif moment.kind == "stop":
            if choice in readers:
                yield from split(readers.pop(choice).finish(cut=moment.stop in CUT), choice)
            calling = calls.get(choice) and moment.stop == "end"
            yield replace(moment, stop="tool-calls") if calling else moment
        elif moment.call is not None:  # the host's own call: numbered together with those in the text
            number = own.setdefault((choice, moment.call), calls.get(choice, 0))
            calls[choice] = max(calls.get(choice, 0), number + 1)
            yield replace(moment, call=number)
        else:
            yield moment
    for choice in list(readers):
        yield from split(readers.pop(choice).finish(), choice)
