"""Reading a reply chunk by chunk.

Text is given away as soon as it can not be the beginning of a mark; from a mark of a call on everything is held to
the end, because only there is it certain what the call is. So the chunks make no difference to what comes out.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.riding import merged, partial_tag
from conformance.textforms.llama.calls import OPEN, Reading, read_calls
from conformance.textforms.llama.tokens import BUILT_IN, ENDS, SPECIAL, TAG
from conformance.transcript import Part, Text, Unknown

_AT_START = ("{", "[", *(f"{name}.call(" for name in BUILT_IN))
"""What makes a call only where the reply begins with it."""
_MARKS = (TAG, OPEN, *ENDS)


class ReplyReader:
    """Reads one reply. What it found is complete after `finish`, in `reading`."""

    def __init__(self) -> None:
        self.reading = Reading()
        self._held = ""
        self._begun = False
        self._call = False

    def feed(self, chunk: str) -> Iterator[Part]:
        """The text that is certain after this chunk."""
        self._held += chunk
        if self._call or not (self._begun or self._begins()):
            return
        place = min((at for mark in _MARKS if (at := self._held.find(mark)) >= 0), default=-1)
        self._call = place >= 0
        keep = len(self._held) - place if self._call else partial_tag(self._held, _MARKS)
        text, self._held = self._held[: len(self._held) - keep], self._held[len(self._held) - keep :]
        yield from self._say(text)

    def finish(self, *, cut: bool = False) -> Iterator[Part]:
        """The text that only looked like the beginning of a mark, or all that was held; `cut` forgives half a call."""
        found, held, self._held = self.reading, self._held, ""
        before = len(found.parts)
        begins = held.lstrip()
        if begins.startswith((TAG, OPEN)) or (not self._begun and begins.startswith(_AT_START)):
            if before and found.parts[-1] != Text(""):
                found.fault("before", "text comes before the call")
            read_calls(held if self._begun else begins, found, cut=cut)
        else:
            self._end(held)
        yield from found.parts[before:]
        for part in found.parts:
            leak = next((each for each in SPECIAL if isinstance(part, Text) and each in part.text), None)
            if leak:
                found.fault("around", f"the text holds {leak}")
        found.parts = list(merged(found.parts))

    def _begins(self) -> bool:
        """Whether it is certain that the reply begins with text."""
        start = self._held.lstrip()
        if not start or any(mark.startswith(start) for mark in (*_AT_START, *_MARKS)):
            return False
        if start.startswith(_AT_START):
            return False
        self._begun = not start.startswith(_MARKS)
        self._call = start.startswith((TAG, OPEN))
        return not self._call

    def _say(self, text: str) -> Iterator[Part]:
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


def parse(text: str, cut: bool = False) -> tuple[Part, ...]:  # noqa: FBT001, FBT002 - as the other dialects' parsers
    """The parts of a reply; `cut` says that it was cut off."""
    return tuple(read_reply(text, cut=cut).parts)
