"""A history in rounds: what the model said, then what came back. In this form, all dialects divide it alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from conformance.judge.view import View
from conformance.model.transcript import Part, Reasoning, Text, ToolCall, ToolResult, Turn

INSTRUCTIONS = "instructions"
"""The member of a request's `extra` for a system prompt that is no turn."""


@dataclass(slots=True)
class Round:
    """One turn of the model, with the results and the texts that follow it."""

    said: list[Part] = field(default_factory=list)
    results: list[ToolResult] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)

    @property
    def calls(self) -> list[ToolCall]:
        return calls_of(self.said)

    @property
    def reasoning(self) -> list[Reasoning]:
        return [part for part in self.said if isinstance(part, Reasoning)]

    @property
    def words(self) -> list[Text]:
        """The texts of the model."""
        return [part for part in self.said if isinstance(part, Text)]


@dataclass(slots=True)
class History:
    """The system prompt, the texts before the model's first turn, and the rounds."""

    system: list[Text] = field(default_factory=list)
    opening: list[Text] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)

    @property
    def calls(self) -> list[ToolCall]:
        return [call for each in self.rounds for call in each.calls]


def history_of(view: View) -> History:
    """The history of a request."""
    found = History()
    instructions = view.ask.extra.get(INSTRUCTIONS)
    if isinstance(instructions, str) and instructions:
        found.system.append(Text(instructions, f"/{INSTRUCTIONS}"))
    for turn in view.history:
        _sort(turn, found)
    found.rounds = [each for each in found.rounds if each.said or each.results or each.texts]
    return found


def _sort(turn: Turn, found: History) -> None:
    texts = [part for part in turn.parts if isinstance(part, Text) and part.text]
    if turn.role == "system":
        found.system += texts
    elif turn.role == "assistant":
        last = found.rounds[-1] if found.rounds else None
        if last is None or last.results or last.texts:
            found.rounds.append(Round())
        found.rounds[-1].said += turn.parts
    else:
        results = turn.results
        if not found.rounds:
            found.opening += texts
            if results:
                found.rounds.append(Round(results=list(results)))
            return
        found.rounds[-1].results += results
        found.rounds[-1].texts += texts


def calls_of(parts: Iterable[Part]) -> list[ToolCall]:
    """The calls that the client has to answer."""
    return [part for part in parts if isinstance(part, ToolCall) and part.kind != "server"]


def same_text(one: Sequence[Text], other: Sequence[Text]) -> bool:
    """Whether the texts are the same; how a text is divided into parts does not matter."""
    if len(one) == len(other) == 1:
        return one[0].text == other[0].text
    return _bare(one) == _bare(other)


def _bare(texts: Sequence[Text]) -> str:
    """The texts without white space: dialects join the parts of a text with a line break, or with nothing."""
    return "".join("".join(each.text for each in texts).split())


def joined(texts: Sequence[Text]) -> str:
    """The texts as one."""
    return "".join(each.text for each in texts)


def place_of(parts: Sequence[Part], otherwise: str | None = None) -> str | None:
    """The place of the first part."""
    return parts[0].pointer if parts else otherwise
