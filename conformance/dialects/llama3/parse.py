"""Reading a reply chunk by chunk.

The reader releases text as soon as it cannot be the beginning of a mark, and keeps everything from a call's mark to
the end, because only the end decides what the call is. The result does not depend on the chunks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from conformance.dialects.llama3.calls import read_calls
from conformance.dialects.llama3.reading import CLOSE, OPEN, Reading
from conformance.dialects.llama3.tokens import BUILT_IN, ENDS, SPECIAL, TAG
from conformance.dialects.text.reading import merged
from conformance.dialects.text.scan import partial_tag
from conformance.model.transcript import Part, Text, Unknown

_AT_START = ("{", "[", *(f"{name}.call(" for name in BUILT_IN))
"""Marks of a call only at the beginning of the reply."""
_MARKS = (TAG, OPEN, *ENDS)


class ReplyReader:
    """Reads one reply. The result, `reading`, is complete after `finish`."""

    def __init__(self) -> None:
        self.reading = Reading()
        self._held = ""
        self._mode: Literal["start", "text", "held"] = "start"

    def feed(self, chunk: str) -> Iterator[Part]:
        """The text that is certain after this chunk."""
        self._held += chunk
        if self._mode == "start":
            self._mode = self._begin()
        if self._mode != "text":
            return
        marks = [at for mark in _MARKS if (at := self._held.find(mark)) >= 0]
        if marks:
            self._mode = "held"
        place = min(marks) if marks else len(self._held) - partial_tag(self._held, _MARKS)
        text, self._held = self._held[:place], self._held[place:]
        yield from self._text(text)

    def _begin(self) -> Literal["start", "text", "held"]:
        """Reads the beginning of the reply, once it is certain."""
        start = self._held.lstrip()
        if start.startswith((*_AT_START, *_MARKS)):
            return "held"
        if any(mark.startswith(start) for mark in (*_AT_START, *_MARKS)):
            return "start"
        return "text"

    def finish(self, *, cut: bool = False) -> Iterator[Part]:
        """The rest: a call, or text that only looked like the beginning of one. `cut` allows an incomplete call."""
        found, held, self._held = self.reading, self._held, ""
        yielded = len(found.parts)
        start = held.lstrip()
        if start.startswith((TAG, OPEN)) or (not yielded and start.startswith(_AT_START)):
            if yielded:
                found.fault("before", "text precedes the call")
            elif start != held:
                found.fault("spacing", "whitespace precedes the call")
            read_calls(start, found, cut=cut)
        else:
            self._end(held)
        yield from found.parts[yielded:]
        found.parts = list(merged(found.parts))
        for part in found.parts:
            if isinstance(part, Text):
                self._leaks(part.text)

    def _leaks(self, text: str) -> None:
        """Signs in a text that it was intended as something else."""
        leak = next((each for each in SPECIAL if each in text), None)
        if leak:
            self.reading.fault("around", f"the text contains {leak}")
        shown = text.strip()
        if shown.startswith("<function") or shown.endswith(CLOSE):
            self.reading.fault("custom", "the text contains a tag of a call, but no call")

    def _text(self, text: str) -> Iterator[Part]:
        if text:
            part = Text(text)
            self.reading.parts.append(part)
            yield part

    def _end(self, held: str) -> None:
        """The end of a reply that is text: everything to the first end token."""
        place, end = min(((at, each) for each in ENDS if (at := held.find(each)) >= 0), default=(len(held), ""))
        if held[:place]:
            self.reading.parts.append(Text(held[:place]))
        self.reading.end = end or None
        tail = held[place + len(end) :]
        if tail:
            self.reading.fault("around", "text follows the end token")
            self.reading.parts.append(Unknown("after the end", tail))


def read_reply(text: str, *, cut: bool = False) -> Reading:
    """The reply, read as a whole."""
    reader = ReplyReader()
    for _ in reader.feed(text):
        pass
    for _ in reader.finish(cut=cut):
        pass
    return reader.reading


def parse(text: str, *, cut: bool = False) -> tuple[Part, ...]:
    """The parts of a reply; `cut` is whether it was truncated."""
    return tuple(read_reply(text, cut=cut).parts)
