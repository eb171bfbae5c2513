"""Placeholders in a scenario's texts: `{tool.key}` is what the tool really returned.

`{get_weather.temperature}` takes the tool's last result; `{get_weather[0].temperature}` its first one; a
number between dots is a position in an array. The reference model fills them from the results that the
client sent, the expectations from what the tools gave: an answer can be right only if the results travelled.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from conformance.model.pointer import MISSING, get, join

_PLACEHOLDER = re.compile(r"\{([A-Za-z_][\w-]*)(?:\[(\d+)\])?((?:\.[\w-]+)*)\}")


def tools_in(text: str) -> list[str]:
    """The tools that the text's placeholders name."""
    return [match[1] for match in _PLACEHOLDER.finditer(text)]


def fill(text: str, results: Mapping[str, Sequence[Any]]) -> str:
    """The text with its placeholders filled; one whose value is not there stays as it is, which fails loudly.

    `results` holds, for each tool, the JSON values that it returned, oldest first.
    """

    def value(match: re.Match[str]) -> str:
        name, number, path = match.groups()
        returned = results.get(name) or ()
        position = int(number) if number else len(returned) - 1
        if not 0 <= position < len(returned):
            return match[0]
        found = get(returned[position], join("", *path.split(".")[1:]))
        if found is MISSING:
            return match[0]
        return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)

    return _PLACEHOLDER.sub(value, text)
