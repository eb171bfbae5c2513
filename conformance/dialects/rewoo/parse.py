"""Reading a reply: the steps of a plan are calls, its plans are reasoning, anything else is text."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.rewoo.lines import Lines, Piece, pieces
from conformance.dialects.rewoo.references import references
from conformance.dialects.text.reading import read
from conformance.model import jsontext
from conformance.model.transcript import Malformed, Part, Reasoning, Text, ToolCall, Unknown


class Reader:
    """Parts from chunks, line by line.

    Text after `Plan:` is reasoning if a step follows. A reply without a step is text: an answer may
    begin with that word. Evidence in a plan is invented; it is kept as an unknown part.
    """

    def __init__(self) -> None:
        self._lines = Lines()
        self._stepped = False
        self._plans: list[Piece] = []
        self._evidence: list[str] | None = None

    def feed(self, chunk: str) -> Iterator[Part]:
        """The parts that are certain after this chunk."""
        for line in self._lines.feed(chunk):
            yield from self._line(line)

    def finish(self, *, cut: bool = False) -> Iterator[Part]:
        """The rest at the end."""
        last = self._lines.finish()
        if last:
            yield from self._line(last)
        yield from self._planned()
        yield from self._made_up()

    def _line(self, line: str) -> Iterator[Part]:
        for piece in pieces(line):
            if piece.kind == "step":
                self._stepped = True
                yield from self._planned()
                yield from self._made_up()
                yield read_step(piece)
            elif piece.kind == "plan":
                yield from self._made_up()
                self._plans.append(piece)
            elif piece.kind == "evidence" and self._stepped:
                yield from self._planned()
                yield from self._made_up()
                self._evidence = [piece.text]
            elif self._evidence is not None:
                self._evidence.append(piece.raw)
            elif self._plans:
                self._plans.append(piece)
            elif not self._stepped or piece.raw.strip():
                yield Text(piece.raw)

    def _planned(self) -> Iterator[Part]:
        """The plan up to here; text if there was no step."""
        plans, self._plans = self._plans, []
        if not self._stepped:
            text = "".join(piece.raw for piece in plans)
            if text:
                yield Text(text)
            return
        thought = "".join(piece.text if piece.text.endswith("\n") else f"{piece.text}\n" for piece in plans).strip()
        if thought:
            yield Reasoning(thought)

    def _made_up(self) -> Iterator[Part]:
        if self._evidence is not None:
            yield Unknown("Evidence", "".join(self._evidence).strip())
            self._evidence = None


def read_step(step: Piece) -> ToolCall:
    """A step as a call: its input is JSON if it is an object, else text.

    An input with a reference is text too: only the client knows the evidence that replaces it.
    """
    text = step.text
    if not step.closed:
        return ToolCall(step.id, step.name, Malformed(text, "no bracket closes the input"), wire=text)
    value = jsontext.parse(text)
    if any(references(text)) or (isinstance(value, Malformed) and not text.startswith("{")):
        return ToolCall(step.id, step.name, text, wire=text, kind="custom")
    if isinstance(value, (dict, Malformed)):
        return ToolCall(step.id, step.name, value, wire=text)
    return ToolCall(step.id, step.name, text, wire=text, kind="custom")


def parse(text: str, *, cut: bool = False) -> tuple[Part, ...]:
    """All parts of a text."""
    return read(Reader(), text, cut=cut)
