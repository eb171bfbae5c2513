"""The order of a Chat stream as a state machine (docs/contract/openai-chat.md).

    role, content, call 0 fragment by fragment, call 1 ..., finish, [usage], [DONE]

`hits` gives every rule of `rules_stream.py` and `rules_fragments.py` its part of one walk.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import lru_cache
from typing import Any

from conformance.dialects.openai_chat.stream import call_fragments, choice_entries
from conformance.dialects.openai_chunks import Fault, Hits, Walk
from conformance.judge.official import is_official
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.frozen import dataclass
from conformance.model.jsontext import brief
from conformance.model.pointer import join
from conformance.model.sse import Event
from conformance.profiles.documented import documented

_PLAIN_TEXT = frozenset({"content", "refusal", "reasoning_content", "reasoning"})


@dataclass
class _Choice:
    """`pointer` is the first entry of the choice, `last` its latest; `calls` has the id of each call by its index."""

    pointer: str
    last: str = ""
    role: bool = False
    role_late: bool = False
    calls: dict[int, Any] = field(default_factory=dict)
    open_call: int | None = None
    finished: bool = False
    finish: Any = None


@lru_cache(maxsize=2)
def _walked(view: View) -> Hits:
    return _Walk(_promised_usage(view)).hits(view)


def hits(view: View, fault: Fault) -> Iterator[Hit]:
    """The hits of one fault; a stream is walked once for all rules."""
    yield from _walked(view).get(fault, ())


def is_blank(chunk: Mapping[str, Any]) -> bool:
    """Whether this is a content-filter chunk of Azure or Copilot: id, object and model are empty or missing."""
    return chunk.get("id") == "" and not chunk.get("object") and not chunk.get("model")


def _promised_usage(view: View) -> Severity | None:
    """How severe it is to send usage elsewhere than in a last chunk; None where nobody promises that chunk.

    OpenAI's document does, and that of another server if `stream_options` has an effect there. With vLLM's and SGLang's
    `continuous_usage_stats`, a client asks for usage in every chunk.
    """
    if is_official(view) or view.provider == "reference":
        return Severity.ERROR
    options = None if view.sent is None else view.sent.get("stream_options")
    if isinstance(options, dict) and options.get("continuous_usage_stats") is True:
        return None
    own = documented(view.provider) if view.provider else None
    lacks = own.lacks(view.dialect.name, "/stream_options", "/stream_options/include_usage") if own else None
    if lacks is None:
        return Severity.INFO
    return None if lacks else Severity.WARNING


class _Walk(Walk):
    """`usage` has for each chunk with usage whether it has no choices; `promised` is as `_promised_usage` has it."""

    def __init__(self, promised: Severity | None) -> None:
        super().__init__()
        self.promised = promised
        self.choices: dict[int, _Choice] = {}
        self.usage: list[bool] = []
        self.usage_early: Hit | None = None
        self.harmless: tuple[str, ...] = ()
        """What may change at a compatible server: `created` ticks there, and no client groups chunks by it."""

    def hits(self, view: View) -> Hits:
        self.harmless = () if is_official(view) else ("created",)
        found = super().hits(view)
        for choice in self.choices.values():
            if not choice.role or choice.role_late:
                hit = Hit(choice.pointer, "the first delta has no role", "role: assistant", "no role")
                self.fault(Fault.ROLE_MISSING, hit)
        return found

    def chunk(self, event: Event) -> None:
        if "error" in event.json:
            return
        if not is_blank(event.json):
            self.same(event, harmless=self.harmless)
        self._usage(event)
        for entry, pointer in choice_entries(event):
            index = entry.get("index", 0)
            if not isinstance(index, int):
                continue
            choice = self.choices.get(index)
            if choice is None:
                choice = self.choices[index] = _Choice(pointer)
            elif choice.role and not choice.finished and _goes_on(entry):
                choice.last = pointer
                continue
            self._choice(choice, entry, pointer)

    def unfinished(self) -> None:
        for choice in self.choices.values():
            if not choice.finished:
                self.fault(Fault.FINISH_MISSING, Hit(choice.last, "the choice has no finish_reason", "a finish_reason"))
        if self.wants_usage and not self.usage:
            self.fault(Fault.USAGE_MISSING, Hit(None, "no usage, but the request asks for it", "a chunk with usage"))

    def _usage(self, event: Event) -> None:
        blank = is_blank(event.json)
        if self.wants_usage and "usage" not in event.json and not blank and self.promised is not None:
            harm = None if self.promised is Severity.ERROR else Severity.INFO
            hit = Hit(event.pointer, "the chunk has no `usage` key", '"usage": null', "no such field", harm)
            self.fault(Fault.USAGE_KEY_MISSING, hit, once="the stream")
        if event.json.get("usage") is None:
            if event.json.get("choices") == [] and "moderation" not in event.json and not blank:
                hit = Hit(join(event.pointer, "choices"), "the chunk has neither choices nor usage", "a choice", "[]")
                self.fault(Fault.CHUNK_CHOICES_EMPTY, hit)
            return
        at = join(event.pointer, "usage")
        alone = event.json.get("choices", []) == []  # chat-chunk-field-missing reports a chunk without the key
        if self.wants_usage is None or (not self.wants_usage and self.promised is None):
            pass  # the request cannot be read; or where nobody asks for it, it comes anyway
        elif not self.wants_usage:
            hit = Hit(at, "usage was sent, but the request does not ask for it", "no usage")
            self.fault(Fault.USAGE_UNEXPECTED, hit, once="the stream")
        elif not alone and all(self.usage):
            wanted = "usage on a last chunk with `choices: []`"
            if self.promised is not None:
                hit = Hit(at, "usage on a chunk with choices", wanted, severity=self.promised)
                self.fault(Fault.USAGE_MISPLACED, hit)
        elif alone and any(self.usage):
            self.fault(Fault.USAGE_MISPLACED, Hit(at, "usage was sent a second time", "usage in one chunk"))
        elif alone and not (self.choices and all(choice.finished for choice in self.choices.values())):
            early = Hit(at, "usage was sent before the finish", "usage in the last chunk")
            self.usage_early = self.usage_early or early
        self.usage.append(alone)

    def _choice(self, choice: _Choice, entry: Mapping[str, Any], pointer: str) -> None:
        held = entry.get("delta")
        delta: dict[str, Any] = held if isinstance(held, dict) else {}
        at = join(pointer, "delta")
        pieces = sorted(key for key, value in delta.items() if _is_piece(value) and key != "role")
        finish = entry.get("finish_reason")
        choice.last = pointer
        if finish is not None and self.usage_early is not None:  # FINISH_MISSING covers a choice that never finishes
            self.fault(Fault.USAGE_MISPLACED, self.usage_early)
            self.usage_early = None
        if choice.finished:
            self._after_finish(choice, finish, [] if _only_expires(delta, pieces) else pieces, pointer)
        elif finish is not None:
            choice.finished, choice.finish = True, finish
            if pieces:
                hit = Hit(at, "the delta of the finish chunk is not empty", "{}", ", ".join(pieces))
                self.fault(Fault.FINISH_DELTA_UNEXPECTED, hit)
        role = delta.get("role")
        if role is not None:
            if role == "assistant" and choice.role:
                hit = Hit(join(at, "role"), "the role was sent again", "the role in the first delta only")
                self.fault(Fault.ROLE_REPEATED, hit, once=choice.pointer)
            choice.role = True
        elif pieces and not choice.role:
            choice.role_late = True
        for fragment, where in call_fragments(delta, at):
            self._fragment(choice, fragment, where)

    def _after_finish(self, choice: _Choice, finish: Any, pieces: list[str], pointer: str) -> None:
        if finish is not None:
            # Gateways repeat the reason on the usage chunk, which changes nothing for clients.
            harm = Severity.WARNING if finish == choice.finish and not pieces else None
            hit = Hit(join(pointer, "finish_reason"), "a second finish_reason", "null", brief(finish), harm)
            self.fault(Fault.FINISH_REPEATED, hit)
        elif pieces:
            at = join(pointer, "delta")
            hit = Hit(at, "content after the finish_reason", "no content after the finish", ", ".join(pieces))
            self.fault(Fault.DELTA_AFTER_FINISH_UNEXPECTED, hit, once=choice.pointer)

    def _fragment(self, choice: _Choice, fragment: Mapping[str, Any], at: str) -> None:
        index = fragment.get("index")
        if isinstance(index, bool) or not isinstance(index, int) or index < 0:
            return  # chat-tool-call-index-missing reports it
        function = fragment.get("custom" if fragment.get("type") == "custom" else "function")
        name = function.get("name") if isinstance(function, dict) else None
        if index in choice.calls:
            self._later_fragment(choice, index, fragment, name, at)
        else:
            self._first_fragment(choice, index, fragment, name, at)
        choice.open_call = max(index, choice.open_call or 0)

    def _first_fragment(self, choice: _Choice, index: int, fragment: Mapping[str, Any], name: Any, at: str) -> None:
        if index != len(choice.calls):
            hit = Hit(join(at, "index"), "a new call skips an index", str(len(choice.calls)), str(index))
            self.fault(Fault.TOOL_CALL_INDEX_WRONG, hit, once=choice.pointer)
        needed = {"id": fragment.get("id"), "type": fragment.get("type"), "function.name": name}
        missing = [key for key, value in needed.items() if not value]
        if missing:
            lacks = f"the first fragment of call {index} lacks {', '.join(missing)}"
            # The type is optional in openai-python.
            harm = Severity.WARNING if missing == ["type"] else None
            self.fault(Fault.FIRST_FRAGMENT_INCOMPLETE, Hit(at, lacks, "id, type and function.name", severity=harm))
        choice.calls[index] = fragment.get("id")

    def _later_fragment(self, choice: _Choice, index: int, fragment: Mapping[str, Any], name: Any, at: str) -> None:
        """A fault in every fragment of a call is one finding."""
        given, own, call = fragment.get("id"), choice.calls[index], (choice.pointer, index)
        if given and own and given != own:
            hit = Hit(join(at, "index"), "one index has two calls", f"an index of its own for {brief(given)}", own)
            self.fault(Fault.TOOL_CALL_INDEX_REUSED, hit, once=call)
        elif given is not None:
            hit = Hit(join(at, "id"), "a later fragment has an id", "no id", brief(given), _harm(given))
            self.fault(Fault.FRAGMENT_ID_REPEATED, hit, once=call)
        if name is not None:
            hit = Hit(join(at, "function", "name"), "a later fragment has a name", "no name", brief(name), _harm(name))
            self.fault(Fault.FRAGMENT_NAME_REPEATED, hit, once=call)
        if choice.open_call is not None and choice.open_call != index:
            hit = Hit(join(at, "index"), "a fragment of an earlier call", f"call {choice.open_call}", f"call {index}")
            self.fault(Fault.FRAGMENTS_OUT_OF_ORDER, hit)


def _goes_on(entry: Mapping[str, Any]) -> bool:
    """Whether the entry has only a piece of text: in the middle of a reply no rule applies to that."""
    delta = entry.get("delta")
    return isinstance(delta, dict) and delta.keys() <= _PLAIN_TEXT and entry.get("finish_reason") is None


def _is_piece(value: Any) -> bool:
    """Whether a member of a delta is a piece of the reply; numbers that servers add (`token_id`) are not."""
    return isinstance(value, (str, list, dict)) and bool(value)


def _harm(value: Any) -> Severity | None:
    """Warning for an empty string: harmless in a concatenation, but not in the contract."""
    return Severity.WARNING if value == "" else None


def _only_expires(delta: Mapping[str, Any], pieces: list[str]) -> bool:
    """Whether a delta has no more than when the audio expires, which comes in an update of its own."""
    audio = delta.get("audio")
    return pieces == ["audio"] and isinstance(audio, dict) and audio.keys() <= {"id", "expires_at"}
