"""The result of reading a reply, and splitting the text of calls."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from conformance.dialects.llama3.tokens import ENDS
from conformance.model.frozen import dataclass
from conformance.model.transcript import Part, ToolCall

Form = Literal["text", "built-in", "code", "json", "custom", "list"]
Fault = Literal["built-in", "json", "custom", "around", "before", "spacing"]
OPEN, CLOSE = "<function=", "</function>"


@dataclass
class Reading:
    """A parsed reply: its parts, the form of its calls, its end token, and words for what is wrong."""

    parts: list[Part] = field(default_factory=list)
    form: Form = "text"
    end: str | None = None
    faults: list[tuple[Fault, str]] = field(default_factory=list)

    def fault(self, kind: Fault, what: str) -> None:
        self.faults.append((kind, what))

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        return tuple(part for part in self.parts if isinstance(part, ToolCall))


def split_end(text: str) -> tuple[str, str | None, str]:
    """The text up to its end token, the token, and the text after it; the last end token of the text counts."""
    place, end = max((text.rfind(each), each) for each in ENDS)
    if place < 0:
        return text, None, ""
    return text[:place], end, text[place + len(end) :]


def next_call(text: str, begins: tuple[str, ...]) -> str | None:
    """The text from the next call on, if one follows, directly or after a semicolon."""
    following = text.lstrip().removeprefix(";").lstrip()
    return following if following.startswith(begins) else None
