"""The order of a completion's stream: texts, one finish for each choice, [usage], [DONE]."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from conformance.dialects.openai_chunks import Fault, Hits, Walk
from conformance.dialects.openai_completions.reply import choices_of
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.model.pointer import join
from conformance.model.sse import Event


@lru_cache(maxsize=2)
def _walked(view: View) -> Hits:
    return _Walk().hits(view)


def hits(view: View, fault: Fault) -> Iterator[Hit]:
    """The hits of one fault; a stream is walked once for all rules."""
    yield from _walked(view).get(fault, ())


class _Walk(Walk):
    """`choices` has the first place of each choice, `finished` the choices with a finish reason."""

    def __init__(self) -> None:
        super().__init__()
        self.choices: dict[int, str] = {}
        self.finished: set[int] = set()
        self.has_usage = False

    def chunk(self, event: Event) -> None:
        self.same(event)
        for entry, at in choices_of(event.json, event.pointer):
            if isinstance(entry.get("index"), int):
                self._choice(entry["index"], entry, at)
        if isinstance(event.json.get("usage"), dict):
            self._usage(event)
        elif event.json.get("choices") == []:
            hit = Hit(join(event.pointer, "choices"), "the chunk has neither choices nor usage", "a choice", "[]")
            self.fault(Fault.CHUNK_CHOICES_EMPTY, hit, once="the stream")

    def unfinished(self) -> None:
        for index, at in self.choices.items():
            if index not in self.finished:
                self.fault(Fault.FINISH_MISSING, Hit(at, "the choice has no finish_reason", "a finish_reason"))
        if self.wants_usage and not self.has_usage:
            self.fault(Fault.USAGE_MISSING, Hit(None, "no usage, but the request asks for it", "a chunk with usage"))

    def _choice(self, index: int, entry: Mapping[str, Any], at: str) -> None:
        if index not in self.choices and index != len(self.choices):
            hit = Hit(join(at, "index"), "a new choice skips an index", str(len(self.choices)), str(index))
            self.fault(Fault.CHUNK_INDEX_WRONG, hit, once="the stream")
        self.choices.setdefault(index, at)
        finish = entry.get("finish_reason")
        if index not in self.finished:
            if finish is not None:
                self.finished.add(index)
        elif finish is not None:
            hit = Hit(join(at, "finish_reason"), "a second finish_reason", "null", brief(finish))
            self.fault(Fault.FINISH_REPEATED, hit)
        elif entry.get("text"):
            hit = Hit(join(at, "text"), "text after the finish_reason", "no text", brief(entry["text"]))
            self.fault(Fault.TEXT_AFTER_FINISH_UNEXPECTED, hit)

    def _usage(self, event: Event) -> None:
        at = join(event.pointer, "usage")
        self.has_usage = True
        if self.wants_usage is False:
            hit = Hit(at, "usage was sent, but the request does not ask for it", "no usage")
            self.fault(Fault.USAGE_UNEXPECTED, hit, once="the stream")
        elif event.json.get("choices") == [] and self.finished != self.choices.keys():
            self.fault(Fault.USAGE_MISPLACED, Hit(at, "usage was sent before the finish", "usage in the last chunk"))
