"""Text with labels at the beginnings of its lines, read chunk by chunk.

    Thought: what the model thinks
    Action: the name of a tool
    Action Input: a JSON object
    Observation: what the tool returned (written by the client)
    Final Answer: the answer

A label opens a segment that the next label closes. The final answer may have lines that look like thoughts. It is
called `Answer` in LlamaIndex's prompt: after a thought, that is the final answer, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.dialects.text.reading import read
from conformance.model import jsontext
from conformance.model.frozen import dataclass
from conformance.model.transcript import Malformed, Part, Reasoning, Text, ToolCall, Unknown

THOUGHT, ACTION, INPUT = "Thought", "Action", "Action Input"
OBSERVATION, FINAL, ANSWER = "Observation", "Final Answer", "Answer"
STOP = "Observation:"
"""The client's stop sequence: the client writes what follows it."""

_LABEL = re.compile(
    r"^[ \t]*(Thought|Action Input|Action|Observation|Final Answer|Answer)(?:[ \t]+\d+)?[ \t]*:", re.MULTILINE
)
_FENCE = re.compile(r"^```[A-Za-z]*\s*(.*?)\s*```$", re.DOTALL)
_IN_ANSWER = (ACTION, INPUT, OBSERVATION, FINAL)
"""The labels that end a final answer; a line with another label belongs to it."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A label, None before the first one, and the text up to the next."""

    label: str | None
    text: str

    @property
    def body(self) -> str:
        return self.text.strip()


class Scanner:
    """Segments from chunks. A segment is certain when the next label has arrived."""

    def __init__(self) -> None:
        self._text = ""
        self._label: str | None = None
        self._start = 0
        self._searched = 0

    def feed(self, chunk: str) -> Iterator[Segment]:
        """The segments that are certain after this chunk."""
        self._text += chunk
        while (match := _LABEL.search(self._text, self._searched)) is not None:
            self._searched = match.end()
            label = match[1]
            if (self._label == FINAL and label not in _IN_ANSWER) or (label == ANSWER and self._label != THOUGHT):
                continue
            if self._label is not None or match.start():
                yield Segment(self._label, self._text[self._start : match.start()])
            self._label, self._start = FINAL if label == ANSWER else label, match.end()
        # The last line may still become a label.
        self._searched = max(self._searched, self._text.rfind("\n") + 1)

    def finish(self) -> Iterator[Segment]:
        """The last segment."""
        if self._label is not None or self._text:
            yield Segment(self._label, self._text[self._start :])


def scan(text: str) -> tuple[Segment, ...]:
    """The text's segments."""
    scanner = Scanner()
    return (*scanner.feed(text), *scanner.finish())


class Reader:
    """Parts from chunks: thoughts are reasoning, an action with its input is a call, the final answer is text.

    Text after an observation that the model wrote itself is not part of its turn.
    """

    def __init__(self) -> None:
        self._scanner = Scanner()
        self._action: str | None = None
        self._over = False
        self._labelled = False

    def feed(self, chunk: str) -> Iterator[Part]:
        """The parts that are certain after this chunk."""
        for segment in self._scanner.feed(chunk):
            self._labelled = True
            yield from self._part(segment)

    def finish(self, *, cut: bool = False) -> Iterator[Part]:
        """The rest at the end. Text without any label is an answer."""
        for segment in self._scanner.finish():
            if segment.label is None and not self._labelled:
                yield Text(segment.text)
            else:
                yield from self._part(segment)
        yield from self._bare_action()

    def _part(self, segment: Segment) -> Iterator[Part]:
        if self._over:
            return
        if segment.label == INPUT and self._action is not None:
            name, self._action = self._action, None
            yield read_call(name, segment.body)
            return
        yield from self._bare_action()
        if segment.label == ACTION:
            self._action = segment.body
        elif segment.label == FINAL:
            yield Text(segment.body)
        elif segment.label in (OBSERVATION, INPUT):
            self._over = segment.label == OBSERVATION
            yield Unknown(segment.label, segment.body)
        elif segment.body:
            yield Reasoning(segment.body)

    def _bare_action(self) -> Iterator[Part]:
        if self._action is not None:
            yield ToolCall(None, self._action, Malformed("", "no input"))
            self._action = None


def read_call(name: str, written: str) -> ToolCall:
    """An action with its input: an object or array in JSON, in a code fence or not; anything else is free text."""
    fence = _FENCE.match(written)
    text = fence[1] if fence else written
    value = jsontext.parse(text)
    broken = isinstance(value, Malformed) and text.startswith(("{", "[", '"'))
    if not broken and not isinstance(value, (dict, list)):
        return ToolCall(None, name, text, wire=text, kind="custom")
    return ToolCall(None, name, value, wire=text)


def parse(text: str, *, cut: bool = False) -> tuple[Part, ...]:
    """All parts of a text."""
    return read(Reader(), text, cut=cut)
