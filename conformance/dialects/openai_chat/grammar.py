"""The order of a Chat stream as a state machine (docs/contract/openai-chat.md).

    role, content, call 0 fragment by fragment, call 1 ..., finish, [usage], [DONE]

`faults` walks a stream once and gives every rule of `rules_stream.py` and `rules_fragments.py` its hits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import lru_cache
from typing import Any

from conformance.dialects.openai_chat.stream import call_fragments, choice_entries, error_of
from conformance.judge.official import is_official
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import join
from conformance.model.sse import Event

DONE = "[DONE]"
_SAME = ("id", "created", "model")
_PLAIN_TEXT = frozenset({"content", "refusal", "reasoning_content", "reasoning"})


class Fault(Enum):
    """The faults that the walk looks for; each belongs to one rule, which reports it."""

    EVENT_NAME_UNEXPECTED = auto()
    EVENT_AFTER_DONE_UNEXPECTED = auto()
    EVENT_AFTER_ERROR_UNEXPECTED = auto()
    CHUNK_IDENTITY_CHANGED = auto()
    USAGE_KEY_MISSING = auto()
    CHUNK_CHOICES_EMPTY = auto()
    USAGE_UNEXPECTED = auto()
    USAGE_MISPLACED = auto()
    FINISH_REPEATED = auto()
    DELTA_AFTER_FINISH_UNEXPECTED = auto()
    FINISH_DELTA_UNEXPECTED = auto()
    ROLE_REPEATED = auto()
    TOOL_CALL_INDEX_WRONG = auto()
    FIRST_FRAGMENT_INCOMPLETE = auto()
    FRAGMENTS_OUT_OF_ORDER = auto()
    TOOL_CALL_INDEX_REUSED = auto()
    FRAGMENT_ID_REPEATED = auto()
    FRAGMENT_NAME_REPEATED = auto()
    DONE_MISSING = auto()
    ROLE_MISSING = auto()
    FINISH_MISSING = auto()
    USAGE_MISSING = auto()


@dataclass
class _Call:
    """`told` has the faults already reported for the call: a fault in every fragment is one finding."""

    id: Any = None
    told: set[Fault] = field(default_factory=set)


@dataclass
class _Choice:
    """`pointer` is the first entry of the choice, `last` its latest."""

    pointer: str
    last: str = ""
    role: bool = False
    role_late: bool = False
    role_again: bool = False
    gap: bool = False
    went_on: bool = False
    calls: dict[int, _Call] = field(default_factory=dict)
    open_call: int | None = None
    finished: bool = False
    finish: Any = None


@dataclass
class _Walk:
    """The state of the walk so far."""

    found: dict[Fault, list[Hit]] = field(default_factory=dict)
    choices: dict[int, _Choice] = field(default_factory=dict)
    first: dict[str, Any] = field(default_factory=dict)
    changed: set[str] = field(default_factory=set)
    silent_on_usage: bool = False
    usage: list[tuple[str, bool]] = field(default_factory=list)
    usage_early: Hit | None = None
    done: bool = False
    failed: bool = False
    official: bool = False

    def fault(self, fault: Fault, hit: Hit) -> None:
        self.found.setdefault(fault, []).append(hit)


@lru_cache(maxsize=2)
def faults(view: View) -> Mapping[Fault, Sequence[Hit]]:
    """All hits of a stream; it is walked once for all rules."""
    walk = _Walk(official=is_official(view) or view.provider == "reference")
    options = view.request.get("stream_options") if isinstance(view.request, dict) else None
    wants_usage = isinstance(options, dict) and options.get("include_usage") is True
    for event in view.events or ():
        _step(walk, event, wants_usage=wants_usage)
    _end(walk, view.events or (), wants_usage=wants_usage)
    return walk.found


def _step(walk: _Walk, event: Event, *, wants_usage: bool) -> None:
    if event.name is not None:
        walk.fault(Fault.EVENT_NAME_UNEXPECTED, Hit(event.pointer, "the event has a name", "no event name", event.name))
    if walk.done:
        walk.fault(
            Fault.EVENT_AFTER_DONE_UNEXPECTED, Hit(event.pointer, "data follows [DONE]", "no data", brief(event.data))
        )
        return
    if DONE in (event.data.strip(), event.json):
        walk.done = True
        return
    if walk.failed:
        walk.fault(
            Fault.EVENT_AFTER_ERROR_UNEXPECTED,
            Hit(event.pointer, "data follows an error", "[DONE] or the end", brief(event.data)),
        )
    if error_of(event) is not None:
        walk.failed = True
    if not isinstance(event.json, dict) or "error" in event.json:
        return
    _same(walk, event)
    _usage(walk, event, wants_usage=wants_usage)
    for entry, pointer in choice_entries(event):
        index = entry.get("index", 0)
        if not isinstance(index, int):
            continue
        choice = walk.choices.get(index)
        if choice is None:
            choice = walk.choices[index] = _Choice(pointer)
        elif choice.role and not choice.finished and _goes_on(entry):
            choice.last = pointer
            continue
        _choice(walk, choice, entry, pointer)


def _goes_on(entry: Mapping[str, Any]) -> bool:
    """Whether the entry has only a piece of text: in the middle of a reply no rule applies to that."""
    delta = entry.get("delta")
    return isinstance(delta, dict) and delta.keys() <= _PLAIN_TEXT and entry.get("finish_reason") is None


def is_blank(chunk: Mapping[str, Any]) -> bool:
    """Whether this is a content-filter chunk of Azure or Copilot: id, object and model are empty or missing."""
    return chunk.get("id") == "" and not chunk.get("object") and not chunk.get("model")


def _same(walk: _Walk, event: Event) -> None:
    if is_blank(event.json):
        return
    for key in _SAME:
        value = event.json.get(key)
        if not isinstance(value, (str, int)) or walk.first.get(key) == value:
            continue
        first = walk.first.setdefault(key, value)
        if value != first and key not in walk.changed:
            walk.changed.add(key)
            said = f"`{key}` differs from the first chunk's"
            # No client groups chunks by `created`, which may tick in a stream of more than a second.
            harm = Severity.WARNING if key == "created" else None
            hit = Hit(join(event.pointer, key), said, brief(first), brief(value), harm)
            walk.fault(Fault.CHUNK_IDENTITY_CHANGED, hit)


def _usage(walk: _Walk, event: Event, *, wants_usage: bool) -> None:
    if wants_usage and "usage" not in event.json and not walk.silent_on_usage and not is_blank(event.json):
        walk.silent_on_usage = True
        hit = Hit(event.pointer, "the chunk has no `usage` key", '"usage": null', "no such field")
        walk.fault(Fault.USAGE_KEY_MISSING, hit)
    if event.json.get("usage") is None:
        if event.json.get("choices") == [] and not is_blank(event.json):
            hit = Hit(join(event.pointer, "choices"), "the chunk has neither choices nor usage", "a choice", "[]")
            walk.fault(Fault.CHUNK_CHOICES_EMPTY, hit)
        return
    at = join(event.pointer, "usage")
    alone = event.json.get("choices", []) == []  # chat-chunk-field-missing reports a chunk without the key
    if not wants_usage and not walk.usage:
        walk.fault(Fault.USAGE_UNEXPECTED, Hit(at, "usage was sent, but the request does not ask for it", "no usage"))
    elif wants_usage and not alone and all(each for _, each in walk.usage):
        harm = None if walk.official else Severity.WARNING
        hit = Hit(at, "usage on a chunk with choices", "usage on a last chunk with `choices: []`", severity=harm)
        walk.fault(Fault.USAGE_MISPLACED, hit)
    elif wants_usage and alone and any(each for _, each in walk.usage):
        walk.fault(Fault.USAGE_MISPLACED, Hit(at, "usage was sent a second time", "usage in one chunk"))
    elif wants_usage and alone and not (walk.choices and all(choice.finished for choice in walk.choices.values())):
        walk.usage_early = walk.usage_early or Hit(at, "usage was sent before the finish", "usage in the last chunk")
    walk.usage.append((at, alone))


def _choice(walk: _Walk, choice: _Choice, entry: Mapping[str, Any], pointer: str) -> None:
    held = entry.get("delta")
    delta: dict[str, Any] = held if isinstance(held, dict) else {}
    at = join(pointer, "delta")
    says = sorted(key for key, value in delta.items() if _says(value) and key != "role")
    finish = entry.get("finish_reason")
    choice.last = pointer
    if finish is not None and walk.usage_early is not None:  # FINISH_MISSING covers a choice that never finishes
        walk.fault(Fault.USAGE_MISPLACED, walk.usage_early)
        walk.usage_early = None
    if choice.finished:
        if finish is not None:
            # Gateways repeat the reason on the usage chunk, which changes nothing for clients.
            harm = Severity.WARNING if finish == choice.finish and not says else None
            hit = Hit(join(pointer, "finish_reason"), "a second finish_reason", "null", brief(finish), harm)
            walk.fault(Fault.FINISH_REPEATED, hit)
        elif says and not choice.went_on:
            choice.went_on = True
            hit = Hit(at, "content after the finish_reason", "no content after the finish", ", ".join(says))
            walk.fault(Fault.DELTA_AFTER_FINISH_UNEXPECTED, hit)
    elif finish is not None:
        choice.finished, choice.finish = True, finish
        if says:
            hit = Hit(at, "the delta of the finish chunk is not empty", "{}", ", ".join(says))
            walk.fault(Fault.FINISH_DELTA_UNEXPECTED, hit)
    if says and not choice.role and delta.get("role") is None:
        choice.role_late = True
    _role(walk, choice, delta, at)
    for fragment, where in call_fragments(delta, at):
        _fragment(walk, choice, fragment, where)


def _says(value: Any) -> bool:
    """Whether a member of a delta is a piece of the reply; numbers that servers add (`token_id`) are not."""
    return isinstance(value, (str, list, dict)) and bool(value)


def _role(walk: _Walk, choice: _Choice, delta: Mapping[str, Any], at: str) -> None:
    role = delta.get("role")
    if role is None:
        return
    if role == "assistant" and choice.role and not choice.role_again:
        choice.role_again = True
        hit = Hit(join(at, "role"), "the role was sent again", "the role in the first delta only")
        walk.fault(Fault.ROLE_REPEATED, hit)
    choice.role = True


def _fragment(walk: _Walk, choice: _Choice, fragment: Mapping[str, Any], at: str) -> None:
    index = fragment.get("index")
    if isinstance(index, bool) or not isinstance(index, int) or index < 0:
        return  # chat-tool-call-index-missing reports it
    function = fragment.get("custom" if fragment.get("type") == "custom" else "function")
    name = function.get("name") if isinstance(function, dict) else None
    call = choice.calls.get(index)
    if call is None:
        if index != len(choice.calls) and not choice.gap:
            choice.gap = True
            hit = Hit(join(at, "index"), "a new call skips an index", str(len(choice.calls)), str(index))
            walk.fault(Fault.TOOL_CALL_INDEX_WRONG, hit)
        missing = [
            key
            for key, value in (("id", fragment.get("id")), ("type", fragment.get("type")), ("function.name", name))
            if not value
        ]
        if missing:
            lacks = f"the first fragment of call {index} lacks {', '.join(missing)}"
            hit = Hit(at, lacks, "id, type and function.name")
            walk.fault(Fault.FIRST_FRAGMENT_INCOMPLETE, hit)
        choice.calls[index] = _Call(fragment.get("id"))
    else:
        _repeats(walk, call, fragment, name, at)
        if choice.open_call is not None and choice.open_call != index:
            hit = Hit(join(at, "index"), "a fragment of an earlier call", f"call {choice.open_call}", f"call {index}")
            walk.fault(Fault.FRAGMENTS_OUT_OF_ORDER, hit)
    choice.open_call = max(index, choice.open_call or 0)


def _repeats(walk: _Walk, call: _Call, fragment: Mapping[str, Any], name: Any, at: str) -> None:
    given = fragment.get("id")
    if given and call.id and given != call.id:
        hit = Hit(join(at, "index"), "one index has two calls", f"an index of its own for {brief(given)}", call.id)
        _once(walk, call, Fault.TOOL_CALL_INDEX_REUSED, hit)
    elif given is not None:
        hit = Hit(join(at, "id"), "a later fragment has an id", "no id", brief(given), _harm(given))
        _once(walk, call, Fault.FRAGMENT_ID_REPEATED, hit)
    if name is not None:
        hit = Hit(join(at, "function", "name"), "a later fragment has a name", "no name", brief(name), _harm(name))
        _once(walk, call, Fault.FRAGMENT_NAME_REPEATED, hit)


def _once(walk: _Walk, call: _Call, fault: Fault, hit: Hit) -> None:
    if fault not in call.told:
        call.told.add(fault)
        walk.fault(fault, hit)


def _harm(value: Any) -> Severity | None:
    """Warning for an empty string: harmless in a concatenation, but not in the contract."""
    return Severity.WARNING if value == "" else None


def _end(walk: _Walk, events: Sequence[Event], *, wants_usage: bool) -> None:
    for choice in walk.choices.values():
        if not choice.role or choice.role_late:
            hit = Hit(choice.pointer, "the first delta has no role", "role: assistant", "no role")
            walk.fault(Fault.ROLE_MISSING, hit)
    if walk.failed or not events:
        return
    taken_apart = not any(event.data for event in events)  # by a recorder, which may have left `[DONE]` out
    if not walk.done and not taken_apart:
        walk.fault(Fault.DONE_MISSING, Hit(None, "the stream ends without [DONE]", "data: [DONE]", "no [DONE]"))
    for choice in walk.choices.values():
        if not choice.finished:
            walk.fault(Fault.FINISH_MISSING, Hit(choice.last, "the choice has no finish_reason", "a finish_reason"))
    if wants_usage and not walk.usage:
        walk.fault(Fault.USAGE_MISSING, Hit(None, "no usage, but the request asks for it", "a chunk with usage"))


def hits(view: View, fault: Fault) -> Iterator[Hit]:
    """The hits of one fault."""
    yield from faults(view).get(fault, ())
