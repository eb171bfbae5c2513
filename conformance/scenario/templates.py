"""Placeholders in a scenario's texts: `{tool.key}` is a value that the tool really returned.

`{get_weather.temperature}` is from the tool's last result; `{get_weather[0].temperature}` its first one; a
number between dots is a position in an array. The reference model fills them from the results that the
client sent, the expectations from the tools themselves: an answer can be right only if the results reached the model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.model.pointer import MISSING, get, join

_PLACEHOLDER = re.compile(r"\{([A-Za-z_][\w-]*)(?:\[(\d+)\])?((?:\.[\w-]+)*)\}")


@dataclass(frozen=True, slots=True)
class Placeholder:
    """One placeholder: its text, the tool, the number of the result (None for the last), the steps into it."""

    text: str
    tool: str
    number: int | None
    steps: tuple[str, ...]

    def value(self, results: Mapping[str, Sequence[Any]]) -> Any:
        """What it stands for, or `MISSING`."""
        returned = results.get(self.tool) or ()
        position = self.number if self.number is not None else len(returned) - 1
        if not 0 <= position < len(returned):
            return MISSING
        return get(returned[position], join("", *self.steps))


def placeholders(text: str) -> Iterator[Placeholder]:
    """The placeholders of a text."""
    return map(_placeholder, _PLACEHOLDER.finditer(text))


def _placeholder(match: re.Match[str]) -> Placeholder:
    name, number, path = match.groups()
    return Placeholder(match[0], name, int(number) if number else None, tuple(path.split(".")[1:]))


def fill(text: str, results: Mapping[str, Sequence[Any]]) -> str:
    """The text with its placeholders filled; one without a value is kept unchanged, which fails loudly.

    `results` holds, for each tool, the JSON values that it returned, oldest first.
    """

    def value(match: re.Match[str]) -> str:
        found = _placeholder(match).value(results)
        if found is MISSING:
            return match[0]
        return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)

    return _PLACEHOLDER.sub(value, text)
