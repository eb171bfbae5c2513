"""What live providers vary from one answer to the next, by a seed: `serve --vary SEED`.

The same seed gives the same answers to the same sequence of requests. `specs/variation.json` has how often real
providers send each optional field; `devtools/variation_counts.py` counts it.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from conformance.model.document import Document, Mark
from conformance.model.exchange import Request
from conformance.model.rendered import IdFactory, Rendered
from conformance.model.transcript import Part, Text, ToolCall, Turn
from conformance.reference.cutting import recut
from conformance.reference.varied_fields import Fields, frequencies

_OPENINGS = ("", "", "", "Sure. ", "Of course. ", "Certainly! ", "Here is what I found. ", "Thanks for waiting. ")
_ENDINGS = ("", "", "", " Anything else?", " Let me know if you need more.", " I hope that helps.")
_DAYS = 14
_REORDERED = 0.3
_RESPELLED = 0.3


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
        self._fields = Fields(seed)
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
        return self._fields.varied(value, path, optional)
