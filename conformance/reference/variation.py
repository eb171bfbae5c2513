"""What live providers vary from one answer to the next, by a seed: `serve --vary SEED`.

The same seed gives the same answers to the same sequence of requests. `specs/variation.json` has how often real
providers send each optional field; `tests/variation_counts.py` counts it.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from conformance.model.data_files import data_dir
from conformance.model.document import Document, Mark
from conformance.model.exchange import Request
from conformance.model.rendered import IdFactory, Rendered
from conformance.model.transcript import Part, Text, ToolCall, Turn
from conformance.reference.cutting import recut

_OPENINGS = ("", "", "", "Sure. ", "Of course. ", "Certainly! ", "Here is what I found. ", "Thanks for waiting. ")
_ENDINGS = ("", "", "", " Anything else?", " Let me know if you need more.", " I hope that helps.")
_DAYS = 14
_CARRIED = frozenset(
    (
        *("arguments", "args", "call_id", "candidates", "choices", "completed_at", "content", "created", "delta"),
        *("event", "finish_reason", "finishReason", "function", "functionCall", "id", "index", "input", "item"),
        *("item_id", "metadata", "model", "name", "object", "output", "output_index", "part", "parts", "role"),
        *("response", "sequence_number", "status", "stop_reason", "stop_sequence", "text", "thinking", "thought"),
        *(
            "encrypted_content",
            "signature",
            "summary",
            "thoughtSignature",
            "tool_calls",
            "tools",
            "type",
            "usage",
            "usageMetadata",
        ),
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


class Variation:
    """Varies answers. One that is asked the same again varies again, as a provider does."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._asked: Counter[str] = Counter()

    def of(self, request: Request) -> Varied:
        """The variation of the answer to this request."""
        digest = hashlib.sha256((request.body.text or "").encode()).hexdigest()
        self._asked[digest] += 1
        return Varied(f"{self._seed}/{digest}/{self._asked[digest]}")


class Varied:
    """The variation of one answer."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._chance = random.Random(seed)  # noqa: S311 - reproducible, not secret

    def ids(self, ids: IdFactory) -> IdFactory:
        """Other ids, and a time of the last fortnight."""
        return replace(ids, seed=f"{ids.seed} {self._seed}", now=ids.now + self._chance.randrange(86_400 * _DAYS))

    def turn(self, turn: Turn) -> Turn:
        """Other wording around the same facts, another spelling of arguments, calls in another order."""
        parts = [self._part(part) for part in turn.parts]
        calls = [number for number, part in enumerate(parts) if isinstance(part, ToolCall)]
        if len(calls) > 1 and self._chance.random() < _REORDERED:
            shuffled = [parts[number] for number in calls]
            self._chance.shuffle(shuffled)
            for number, part in zip(calls, shuffled, strict=True):
                parts[number] = part
        return replace(turn, parts=tuple(parts))

    def _part(self, part: Part) -> Part:
        if isinstance(part, Text):
            return replace(part, text=self._chance.choice(_OPENINGS) + part.text + self._chance.choice(_ENDINGS))
        if isinstance(part, ToolCall) and isinstance(part.arguments, dict) and part.wire is None:
            return self._respelled(part)
        return part

    def _respelled(self, call: ToolCall) -> ToolCall:
        members = list(call.arguments.items())
        if self._chance.random() < _RESPELLED:
            self._chance.shuffle(members)
        arguments = {key: self._reworded(value) for key, value in members}
        return replace(call, arguments=arguments)

    def _reworded(self, value: Any) -> Any:
        """A text with several words in another case, now and then: `new york` for `New York`."""
        if isinstance(value, str) and " " in value and value.isascii() and self._chance.random() < _RESPELLED:
            return value[:1] + value[1:].lower()
        return value

    def answer(self, rendered: Rendered, dialect: str, *, streamed: bool) -> Rendered:
        """Other optional fields, numbers and chunks; a refusal stays as it is."""
        if not 200 <= rendered.status < 300:
            return rendered
        modes = frequencies().get(dialect, {})
        optional = modes.get("stream" if streamed else "sync", {})
        documents: list[Document | Mark] = []
        for each in rendered.documents:
            if isinstance(each, Document):
                documents.append(replace(each, value=self._varied(each, optional, streamed=streamed)))
            else:
                documents.append(each)
        return replace(rendered, documents=tuple(recut(documents, self._chance) if streamed else documents))

    def _varied(self, document: Document, optional: Mapping[str, Any], *, streamed: bool) -> Any:
        value = document.value
        named = value.get("type", document.event) if isinstance(value, dict) else None
        path = f"event {named or ''}".strip() if streamed else ""
        return self._object(value, path, optional)

    def _object(self, value: Any, path: str, optional: Mapping[str, Any]) -> Any:
        if isinstance(value, list):
            return [self._object(each, f"{path}/*{_typed(each)}", optional) for each in value]
        if not isinstance(value, dict):
            return self._number(value, path)
        if path.rpartition("/")[2] in ("arguments", "args", "input", "tools", "metadata"):
            return value
        item = path.startswith("event") and "/" in path and bool({"id", "type"} & value.keys())
        known = {} if item else optional.get(path, {})  # an item is repeated in later events, and has to stay the same
        members = {
            name: self._object(each, f"{path}/{name}", optional)
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
_REORDERED = 0.3
_RESPELLED = 0.3
_FEW = 5
