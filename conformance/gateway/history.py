"""A history in rounds: a turn of the model, then what came back. In this form, all dialects divide it alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from conformance.judge.pairing import pair
from conformance.model.transcript import Ask, Part, Text, ToolCall, ToolResult, Turn

INSTRUCTIONS = "instructions"
"""The member of a request's `extra` for a system prompt that is no turn."""


@dataclass(slots=True)
class Round:
    """One turn of the model, with the results and the texts that follow it."""

    parts: list[Part] = field(default_factory=list)
    results: list[ToolResult] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)

    @property
    def calls(self) -> list[ToolCall]:
        """The calls that the client has to answer."""
        return [part for part in self.parts if isinstance(part, ToolCall) and part.kind != "server"]

    @property
    def answered(self) -> Sequence[tuple[ToolCall, ToolResult]]:
        """The results, each with its call."""
        return pair(self.calls, self.results).pairs


@dataclass(slots=True)
class History:
    """The system prompt, the texts before the model's first turn, and the rounds."""

    system: list[Text] = field(default_factory=list)
    opening: list[Text] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)

    @property
    def calls(self) -> list[ToolCall]:
        return [call for each in self.rounds for call in each.calls]


def history_of(ask: Ask, turns: Sequence[Turn]) -> History:
    """The history of a request, whose turns are given with those that the server keeps."""
    found = History()
    instructions = ask.extra.get(INSTRUCTIONS)
    if isinstance(instructions, str) and instructions:
        found.system.append(Text(instructions, f"/{INSTRUCTIONS}"))
    for turn in turns:
        _add(turn, found)
    found.rounds = [each for each in found.rounds if each.parts or each.results or each.texts]
    return found


def _add(turn: Turn, found: History) -> None:
    texts = [part for part in turn.parts if isinstance(part, Text) and part.text]
    if turn.role == "system":
        found.system += texts
    elif turn.role == "assistant":
        if not found.rounds or found.rounds[-1].results or found.rounds[-1].texts:
            found.rounds.append(Round())
        found.rounds[-1].parts += turn.parts
    elif found.rounds:
        found.rounds[-1].results += turn.results
        found.rounds[-1].texts += texts
    else:
        found.opening += texts
        if turn.results:
            found.rounds.append(Round(results=list(turn.results)))


def same_text(one: Sequence[Text], other: Sequence[Text]) -> bool:
    """Whether the texts are the same; how a text is divided into parts does not matter."""
    if len(one) == len(other) == 1:
        return one[0].text == other[0].text
    return _bare(one) == _bare(other)


def _bare(texts: Sequence[Text]) -> str:
    """The texts without white space: dialects join the parts of a text with a line break, or with nothing."""
    return "".join(joined(texts).split())


def joined(texts: Sequence[Text]) -> str:
    """The texts as one."""
    return "".join(each.text for each in texts)


def place_of(parts: Sequence[Part], otherwise: str | None = None) -> str | None:
    """The place of the first part."""
    return parts[0].pointer if parts else otherwise
