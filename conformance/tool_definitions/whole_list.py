"""What matters of a list of tools as a whole, whatever the provider: its size, and names that clash."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from conformance.model.tool_limits import NARROWEST
from conformance.tool_definitions.given import GivenTool

_CHARACTERS_PER_TOKEN = 4
"""A rule of thumb for JSON with English text; tokenisers differ."""


@dataclass(frozen=True, slots=True)
class Size:
    """The number of tools, the rough number of tokens of their definitions, and the length of the longest name."""

    tools: int
    tokens: int
    longest_name: int


def size_of(tools: Sequence[GivenTool]) -> Size:
    """The size of a list; providers count the definitions as input tokens of every request."""
    text = json.dumps(
        [{**tool.definition.heading, "parameters": tool.definition.parameters} for tool in tools],
        ensure_ascii=False,
        separators=(",", ":"),
        default=str,
    )
    longest = max((len(tool.definition.name or "") for tool in tools), default=0)
    return Size(len(tools), round(len(text) / _CHARACTERS_PER_TOKEN), longest)


def clashes(tools: Sequence[GivenTool]) -> list[tuple[str, list[GivenTool]]]:
    """Different names that are the same once they have only characters, and a length, that every provider accepts."""
    found: dict[str, list[GivenTool]] = defaultdict(list)
    for tool in tools:
        name = tool.definition.name
        if name and name not in [each.definition.name for each in found[_spelled(name)]]:
            found[_spelled(name)].append(tool)
    return [(spelled, group) for spelled, group in found.items() if len(group) > 1]


def _spelled(name: str) -> str:
    return NARROWEST.spelled(name)[: NARROWEST.length].lower()
