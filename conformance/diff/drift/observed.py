"""What one recording shows, as observations that can be counted over many recordings.

An observation has a key, which is the same in every recording of a cell, and outcomes. A field's outcomes are its JSON
types, and `absent` where the object around it does not have it; it is only counted in recordings that have this
object.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from conformance.cassette.load import Cassette
from conformance.diff.cassettes import judged, layers_in
from conformance.diff.drift.observed_fields import ABSENT, Fields
from conformance.diff.exchanges import Layers
from conformance.diff.ids import scheme
from conformance.diff.streams import Stream
from conformance.diff.turns import kinds_in_order
from conformance.model.finding import Severity
from conformance.model.jsontext import brief, kind
from conformance.model.transcript import Malformed, ToolCall, ToolResult, Turn

NONE = "none"
_BUSY = (408, 429)
_BROKEN = 500
_LONGEST = 60


class Key(NamedTuple):
    """What is observed. `place` is the answer, by its number and its content: `2, text`.

    `topic` is `field`, `header`, `stop`, `call`, `argument`, `events`, `id`, `rule`, `status`, `parts`, `fact`,
    `exchanges` or `number`; `name` distinguishes observations of one topic. `scope` is the dialect and the mode.
    """

    scope: str
    place: str
    topic: str
    name: str = ""

    @property
    def pooled(self) -> Key | None:
        """The key under which the cells of a dialect are counted together; None for what belongs to a scenario."""
        if self.topic in ("argument", "call", "fact", "exchanges", "parts"):
            return None
        return Key(self.scope, self.place.partition(", ")[2], self.topic, self.name)


@dataclass(slots=True)
class Observed:
    """All observations of one recording.

    `outcomes` are the outcomes of each key; `within` names for a key the one of the object around it, and `numbers`
    are those that are compared by size. `requests` is what the client sent, exactly.
    """

    outcomes: dict[Key, frozenset[str]] = field(default_factory=dict)
    numbers: dict[Key, float] = field(default_factory=dict)
    requests: dict[str, str] = field(default_factory=dict)
    severities: dict[str, Severity] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    down: bool = False
    """Whether no response is more than that the provider is overloaded or out of order."""


def observe(cassette: Cassette) -> Observed:
    """The observations of a recording's responses. What no dialect reads is not observed."""
    from conformance.diff.drift.observed_requests import requests_of

    seen = Observed()
    layers = layers_in(cassette)
    found, seen.faults = judged(cassette)
    counts: dict[str, int] = {}
    for each in layers:
        dialect = each.inner.dialect.name
        counts[dialect] = counts.get(dialect, 0) + 1
        scope = f"{dialect} {'stream' if each.carried.streamed else 'sync'}"
        place = f"{counts[dialect]}, {_content(each)}"
        rules = {
            rule: item for (number, side, rule), item in found.items() if (number, side) == (each.number, "response")
        }
        seen.severities |= {rule: item.severity for rule, item in rules.items()}
        _observe(seen, each, scope, place, frozenset(rules))
    for dialect, number in counts.items():
        seen.outcomes[Key(dialect, "the run", "exchanges")] = frozenset({str(number)})
    seen.requests = requests_of(layers, found)
    statuses = [each.carried.exchange.response.status for each in layers]
    seen.down = bool(statuses) and all(status in _BUSY or status >= _BROKEN for status in statuses)
    return seen


def _content(layers: Layers) -> str:
    if not layers.carried.ok:
        return "error"
    return "calls" if any(turn.calls for turn in layers.inner.replies) else "text"


def _observe(seen: Observed, layers: Layers, scope: str, place: str, rules: frozenset[str]) -> None:
    def note(topic: str, name: str, *outcomes: object) -> None:
        seen.outcomes[Key(scope, place, topic, name)] = frozenset(map(str, outcomes))

    view, inner = layers.carried, layers.inner
    response = view.exchange.response
    note("status", "", response.status)
    note("rule", "", *rules)
    for name, _ in response.headers:
        note("header", name.lower(), "present")
    media = response.headers.get("content-type")
    if media is not None:
        note("header", "content-type", media.partition(";")[0].strip().lower())
    note("header", "", "object")
    note("events", "", "streamed" if view.streamed else "one body")
    fields = Fields(streamed=view.streamed, ok=view.ok)
    if view.ok and view.events is not None:
        _stream(seen, Stream(view.events, view.dialect), fields, scope, place)
    elif not isinstance(view.response, Malformed):
        fields.collect(view.response, "")
    for path, outcomes in fields.outcomes().items():
        note("field", path, *outcomes)
    for path, number in fields.numbers.items():
        seen.numbers[Key(scope, place, "number", path)] = number
    for turn in inner.replies[:1] if view.ok else ():
        _turn(seen, turn, layers, scope, place)


def _stream(seen: Observed, stream: Stream, fields: Fields, scope: str, place: str) -> None:
    for event, name in zip(stream.events, stream.labels, strict=True):
        if not isinstance(event.json, (str, Malformed)):
            fields.collect(event.json, f"event {name}".strip())
    steps = [f"{name.split(' ')[0]}" for name, _ in stream.steps]
    order = [step for step, before in zip(steps, ["", *steps], strict=False) if step != before]
    seen.outcomes[Key(scope, place, "events", "order")] = frozenset(
        f"{one} then {other}" for one, other in pairwise(["the start", *order, "the end"])
    )
    if stream.stops_alone is not None:
        seen.outcomes[Key(scope, place, "events", "stop")] = frozenset({"alone" if stream.stops_alone else "with text"})
    seen.outcomes[Key(scope, place, "events", "ids")] = frozenset({"repeated" if stream.repeats_ids else "once"})
    last = stream.labels[-1] if stream.labels else ""
    seen.outcomes[Key(scope, place, "events", "last")] = frozenset({last or "data"})
    for what in ("text", "arguments_chunk"):
        pieces = [len(text) for moment in stream.moments if (text := getattr(moment, what))]
        if pieces:
            name = "text" if what == "text" else "arguments"
            seen.numbers[Key(scope, place, "number", f"pieces of {name}")] = len(pieces)
            seen.numbers[Key(scope, place, "number", f"characters in a piece of {name}")] = sum(pieces) / len(pieces)


def _turn(seen: Observed, turn: Turn, layers: Layers, scope: str, place: str) -> None:
    def note(topic: str, name: str, *outcomes: object) -> None:
        seen.outcomes[Key(scope, place, topic, name)] = frozenset(map(str, outcomes))

    note("stop", "", NONE if turn.stop_wire is None else turn.stop_wire)
    note("parts", "", " then ".join(kinds_in_order(turn)) or NONE)
    calls = [part for part in turn.parts if isinstance(part, ToolCall)]
    note("call", "number", len(calls))
    note("call", "names", ", ".join(sorted(str(call.name) for call in calls)) or NONE)
    if len(calls) > 1:
        note("call", "order", ", ".join(f"{call.name}({brief(_plain(call.arguments), _LONGEST)})" for call in calls))
    if calls:
        note("call", "kind", *{call.kind for call in calls})
        note("id", "call", *{NONE if call.id is None else scheme(call.id) for call in calls})
        note("id", "signature", "some call" if any(call.signature for call in calls) else NONE)
    if turn.id is not None:
        note("id", "response", scheme(turn.id))
    for name in dict.fromkeys(str(call.name) for call in calls):
        own = [call for call in calls if str(call.name) == name]
        note("argument", name, *("broken" if isinstance(call.arguments, Malformed) else "object" for call in own))
        for path, outcomes in _arguments(own).items():
            note("argument", f"{name}/{path}", *outcomes)
    text = turn.text
    if text:
        seen.numbers[Key(scope, place, "number", "characters of text")] = len(text)
    for path, fact in _facts(layers):
        note("fact", path, "kept" if fact in text else "not kept")


def _plain(value: Any) -> Any:
    """Arguments without what another spelling changes, to recognise a call by them: sorted members, no case."""
    if isinstance(value, dict):
        return {key: _plain(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return list(map(_plain, value))
    return value.casefold() if isinstance(value, str) else value


def _arguments(calls: list[ToolCall]) -> Mapping[str, set[str]]:
    """The type and the value of each argument, over the calls of one tool."""
    fields = Fields(streamed=False, ok=True, values=True)
    for call in calls:
        if not isinstance(call.arguments, Malformed):
            fields.collect(call.arguments, "")
    return {path.strip("/"): outcomes for path, outcomes in fields.outcomes().items() if path}


def _facts(layers: Layers) -> Iterator[tuple[str, str]]:
    """What tools returned in this run: the texts and numbers of their results, to be found in the answer."""
    if _content(layers) != "text":
        return
    number = 0
    for turn in layers.inner.ask.history:
        for part in turn.parts:
            if isinstance(part, ToolResult):
                number += 1
                for path, value in _leaves(part.content, ""):
                    yield f"result {number}{path}", value


def _leaves(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _leaves(each, f"{path}/{key}")
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _leaves(each, f"{path}/{number}")
    elif kind(value) in ("string", "integer", "number") and str(value):
        yield path, str(value)


def complete(outcomes: frozenset[str] | None, parent: frozenset[str] | None) -> frozenset[str] | None:
    """The outcomes of a field in a recording: `absent` if only the object around it is there, None if not even that."""
    if outcomes is not None:
        return outcomes
    return frozenset({ABSENT}) if parent is not None and "object" in parent else None


@lru_cache(maxsize=65_536)
def parent_of(key: Key) -> Key | None:
    """The key of the object around a field; None for what is not a field."""
    if key.topic in ("field", "argument") and "/" in key.name:
        return Key(key.scope, key.place, key.topic, key.name.rpartition("/")[0])
    if key.topic == "header" and key.name:
        return Key(key.scope, key.place, key.topic)
    return None
