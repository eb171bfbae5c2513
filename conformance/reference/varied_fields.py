"""The optional members and the token counts of answers, as they vary: with the frequencies of real recordings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from conformance.model.data_files import data_dir

_CARRIED = frozenset(
    (
        *("arguments", "args", "call_id", "candidates", "choices", "completed_at", "content", "created", "delta"),
        *("encrypted_content", "event", "finish_reason", "finishReason", "function", "functionCall", "id", "index"),
        *("input", "item", "item_id", "metadata", "model", "name", "object", "output", "output_index", "part", "parts"),
        *("response", "role", "sequence_number", "signature", "status", "stop_reason", "stop_sequence", "summary"),
        *("text", "thinking", "thought", "thoughtSignature", "tool_calls", "tools", "type", "usage", "usageMetadata"),
    )
)
"""Members that the turn itself or the request decides."""
_SIMPLE: Mapping[str, Any] = {
    "null": None,
    "zero": 0,
    "boolean": False,
    "empty array": [],
    "empty object": {},
    "empty string": "",
}


@cache
def frequencies() -> Mapping[str, Any]:
    """By dialect, mode and path of an object: how often each optional member is there, and its simplest type."""
    found: Mapping[str, Any] = json.loads((data_dir("specs") / "variation.json").read_text(encoding="utf-8"))
    return found


class Fields:
    """Varies the members of one answer: each is in all of its events, or in none."""

    def __init__(self, seed: str) -> None:
        self._seed = seed

    def varied(self, value: Any, path: str, optional: Mapping[str, Any]) -> Any:
        """A JSON value at a path with other optional members and counts; `optional` has the members of each object."""
        if isinstance(value, list):
            return [self.varied(each, f"{path}/*{_typed(each)}", optional) for each in value]
        if not isinstance(value, dict):
            return self._number(value, path)
        if path.rpartition("/")[2] in ("arguments", "args", "input", "tools", "metadata"):
            return value
        item = path.startswith("event") and "/" in path and bool({"id", "type"} & value.keys())
        known = {} if item else optional.get(path, {})  # an item is repeated in later events, and has to stay the same
        members = {
            name: self.varied(each, f"{path}/{name}", optional)
            for name, each in value.items()
            if name in _CARRIED or name not in known or self._there(path, name, known[name])
        }
        for name, counted in known.items():
            new = name not in value and name not in _CARRIED and counted[2] in _SIMPLE
            if new and self._there(path, name, counted):
                members[name] = _SIMPLE[counted[2]]
        for total in _TOTALS & members.keys():
            members[total] = sum(members[name] for name in _COUNTS & members.keys())
        return members

    def _there(self, path: str, name: str, counted: Any) -> bool:
        """Whether an optional member is in this answer: in all of its events, or in none."""
        share: float = counted[0] / counted[1]
        return int.from_bytes(self._digest(f"{path} {name}")[:6]) < share * 2**48

    def _number(self, value: Any, path: str) -> Any:
        """Token counts vary by up to a tenth; other numbers mean something."""
        if path.rpartition("/")[2] not in _COUNTS or not isinstance(value, int) or value <= _FEW:
            return value
        return value + int.from_bytes(self._digest(str(value))[:2]) % (value // 10 + 1)

    def _digest(self, name: str) -> bytes:
        return hashlib.sha256(f"{self._seed} {name}".encode()).digest()


def _typed(value: Any) -> str:
    named = value.get("type") if isinstance(value, dict) else None
    return f"({named})" if isinstance(named, str) else ""


_TOTALS = frozenset({"total_tokens", "totalTokenCount"})
_COUNTS = frozenset(
    (
        *("prompt_tokens", "completion_tokens", "input_tokens", "output_tokens"),
        *("promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount", "toolUsePromptTokenCount"),
    )
)
"""The counts that add up to the total."""
_FEW = 5
"""Counts up to this one stay as they are."""
