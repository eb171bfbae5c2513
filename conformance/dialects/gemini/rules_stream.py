"""Gemini streams: what holds from chunk to chunk. WIRE section 4.i, GEM-S."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.gemini.chunks import chunks, is_error
from conformance.dialects.gemini.stream import index_of
from conformance.dialects.gemini.wire import candidate_parts, candidates, get
from conformance.example import drop, example, insert, put, swap
from conformance.finding import Hit, Severity
from conformance.jsontext import brief
from conformance.pointer import MISSING, join
from conformance.rule import rule
from conformance.sse import Event
from conformance.view import View

_HERE = ("gemini",)
_EVENTS = "/0/response/events"
_TYPES = "google-genai 2.34 google/genai/types.py"
_KNOWN = frozenset({"candidates", "usageMetadata", "promptFeedback", "modelVersion", "responseId", "createTime", "error"})
_ERROR = {"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}}


@rule(
    "gemini-stream-event-foreign",
    severity=Severity.ERROR,
    scope="stream",
    basis="observed",
    dialects=_HERE,
    cites=["GEM-S-001 recorded traffic 122/122"],
    conforming=[example("gemini/stream-call"), example("gemini/array-call")],
    violating=[
        example("gemini/stream-call", insert(f"{_EVENTS}/3", {"data": "[DONE]"}), at="0 response event/3"),
        example("gemini/stream-call", put(f"{_EVENTS}/0/event", "functionCall"), at="0 response event/0"),
        example("gemini/stream-call", put(f"{_EVENTS}/1/data", {"functionCall": {"name": "x"}}), at="0 response event/1"),
        example("gemini/array-call", put("/0/response/body/1", "wait"), at="0 response event/1"),
    ],
)
def stream_event_foreign(view: View) -> Iterator[Hit]:
    """Every event is a GenerateContentResponse without an event name; no mark ends the stream, it just closes.

    Official SDKs parse every event as a reply: a `[DONE]`, or another dialect's event, makes them raise.
    """
    for event in view.events or ():
        if event.name is not None:
            yield Hit(event.pointer, "the event has a name", "data only", event.name)
        elif event.data.strip() == "[DONE]":
            yield Hit(event.pointer, "the stream has an end mark", "no mark: the stream just closes", "[DONE]")
        elif isinstance(event.json, (str, int, float, bool)) or event.json is None:
            if not event.data:  # text that is not JSON is a fault in any dialect, and judged there
                yield Hit(event.pointer, "the event is no reply", "a GenerateContentResponse", brief(event.json))
        elif isinstance(event.json, dict) and not _KNOWN & event.json.keys():
            yield Hit(event.pointer, "the event is no reply", "a GenerateContentResponse", brief(sorted(event.json)))
        elif isinstance(event.json, list) and not is_error(event.json):
            yield Hit(event.pointer, "the event is no reply", "a GenerateContentResponse", "an array")


def _entries(view: View) -> Iterator[tuple[Event, dict[str, Any], str]]:
    """The candidates of all events, each with its event and its pointer."""
    for event in view.events or ():
        for candidate, where in candidates(event.json, event.pointer):
            yield event, candidate, where


def _broke_off(view: View) -> bool:
    """Whether the stream ended by an error of its own, or in the middle of an event."""
    return any(is_error(event.json) or not event.complete for event in view.events or ())


def _blocked(view: View) -> bool:
    return any(
        isinstance(body.get("promptFeedback"), dict) and body["promptFeedback"].get("blockReason") for body, _ in chunks(view)
    )


@rule(
    "gemini-stream-finish-missing",
    severity=Severity.ERROR,
    scope="stream",
    basis="observed",
    dialects=_HERE,
    cites=["GEM-S-002 recorded traffic 122/122", "GEM-R-001 google-genai 2.34 google/genai/types.py GenerateContentResponse"],
    conforming=[
        example("gemini/stream-call"),
        example("gemini/array-call"),
        example("gemini/stream-call", drop(f"{_EVENTS}/2"), put(f"{_EVENTS}/1/data/candidates/0/finishReason", "STOP")),
        example("gemini/stream-call", put(f"{_EVENTS}/2/data", _ERROR)),
    ],
    violating=[
        example("gemini/stream-call", drop(f"{_EVENTS}/2"), at="0 response event/1/candidates/0"),
        example(
            "gemini/stream-call",
            drop(f"{_EVENTS}/2/data/candidates/0/finishReason"),
            at="0 response event/2/candidates/0",
        ),
        example("gemini/stream-answer", drop(f"{_EVENTS}/2"), drop(f"{_EVENTS}/1"), at="0 response event/0/candidates/0"),
        example(
            "gemini/stream-answer",
            put(f"{_EVENTS}/1/data/candidates/0/index", 1),
            at="0 response event/1/candidates/0",
        ),
    ],
)
def stream_finish_missing(view: View) -> Iterator[Hit]:
    """The last chunk of every candidate says why it ended.

    The connection just closes at the end; without a finish reason a stream that broke looks like a whole reply.
    """
    last: dict[int, str] = {}
    finished: set[int] = set()
    for _, candidate, where in _entries(view):
        last[index_of(candidate)] = where
        if candidate.get("finishReason") is not None:
            finished.add(index_of(candidate))
    if _broke_off(view):
        return
    for index, where in last.items():
        if index not in finished:
            yield Hit(where, f"candidate {index} never says why it ended", "a finishReason in its last chunk", "none")
    if not last and view.events and not _blocked(view):
        yield Hit(None, "the stream has no candidate and no reason for it", "a candidate or a blockReason", "neither")


@rule(
    "gemini-stream-goes-on-after-finish",
    severity=Severity.ERROR,
    scope="stream",
    basis="observed",
    dialects=_HERE,
    cites=["GEM-S-002 recorded traffic 122/122"],
    conforming=[example("gemini/stream-call"), example("gemini/stream-answer")],
    violating=[
        example(
            "gemini/stream-call",
            put(f"{_EVENTS}/0/data/candidates/0/finishReason", "STOP"),
            at="0 response event/1/candidates/0",
        ),
        example("gemini/stream-call", swap(f"{_EVENTS}/1", f"{_EVENTS}/2"), at="0 response event/2/candidates/0"),
        example(
            "gemini/stream-answer",
            put(f"{_EVENTS}/0/data/candidates/0/finishReason", "STOP"),
            at="0 response event/1/candidates/0",
        ),
    ],
)
def stream_goes_on_after_finish(view: View) -> Iterator[Hit]:
    """Nothing of a candidate comes after its finish reason.

    Clients close the stream there and lose the rest. Code that Google runs itself is the exception: it carries
    a STOP of its own in the middle.
    """
    finished: set[int] = set()
    reported: set[int] = set()
    for _, candidate, where in _entries(view):
        index = index_of(candidate)
        if index in finished and index not in reported:
            reported.add(index)
            yield Hit(where, f"candidate {index} goes on after it ended", "the finish reason in the last chunk", "more")
        runs_code = any("executableCode" in part for part, _ in candidate_parts(candidate, where))
        if candidate.get("finishReason") is not None and not runs_code:
            finished.add(index)


@rule(
    "gemini-stream-call-split",
    severity=Severity.ERROR,
    scope="stream",
    basis="observed",
    dialects=_HERE,
    cites=[f"GEM-S-003 {_TYPES} FunctionCall", "GEM-S-003 recorded traffic 43/43"],
    conforming=[
        example("gemini/stream-call"),
        example("gemini/stream-call", drop(f"{_EVENTS}/1/data/candidates/0/content/parts/0/functionCall/args")),
    ],
    violating=[
        example(
            "gemini/stream-call",
            drop(f"{_EVENTS}/1/data/candidates/0/content/parts/0/functionCall/name"),
            at="0 response event/1/candidates/0/content/parts/0/functionCall",
        ),
        example(
            "gemini/stream-call",
            put(f"{_EVENTS}/0/data/candidates/0/content/parts/0/functionCall/willContinue", True),
            at="0 response event/0/candidates/0/content/parts/0/functionCall",
        ),
    ],
)
def stream_call_split(view: View) -> Iterator[Hit]:
    """A call comes whole in one chunk, name and arguments together, unless the request asked for pieces.

    Clients run each functionCall part as it comes: a piece of one is a call without a name or without arguments.
    """
    if _asked_for_pieces(view.request):
        return
    for _, candidate, where in _entries(view):
        for part, place in candidate_parts(candidate, where):
            call = part.get("functionCall")
            if not isinstance(call, dict):
                continue
            if "name" not in call or call.get("willContinue") is True or "partialArgs" in call:
                yield Hit(join(place, "functionCall"), "a piece of a call", "a whole call", brief(sorted(call)))


def _asked_for_pieces(request: Any) -> bool:
    config = get(get(request, "toolConfig"), "functionCallingConfig")
    return get(config, "streamFunctionCallArguments") is True


@rule(
    "gemini-stream-identity-changed",
    severity=Severity.WARNING,
    scope="stream",
    basis="observed",
    dialects=_HERE,
    cites=["GEM-S-004 recorded traffic 122/122"],
    conforming=[example("gemini/stream-call")],
    violating=[
        example("gemini/stream-call", put(f"{_EVENTS}/1/data/responseId", "other"), at="0 response event/1/responseId"),
        example("gemini/stream-call", put(f"{_EVENTS}/2/data/modelVersion", "other"), at="0 response event/2/modelVersion"),
    ],
)
def stream_identity_changed(view: View) -> Iterator[Hit]:
    """All chunks of a stream name the same reply and the same model.

    Clients that gather chunks by their `responseId` see several replies.
    """
    for name in ("responseId", "modelVersion"):
        first: Any = None
        for body, pointer in chunks(view):
            value = body.get(name)
            first = value if first is None else first
            if value is not None and value != first:
                yield Hit(join(pointer, name), f"{name} changes in the middle", brief(first), brief(value))
                break


@rule(
    "gemini-stream-usage-missing",
    severity=Severity.WARNING,
    scope="stream",
    basis="observed",
    dialects=_HERE,
    cites=["GEM-S-005 recorded traffic 122/122"],
    conforming=[
        example("gemini/stream-call"),
        example("gemini/stream-call", drop(f"{_EVENTS}/0/data/usageMetadata")),
    ],
    violating=[
        example("gemini/stream-call", drop(f"{_EVENTS}/2/data/usageMetadata"), at="0 response event/2"),
        example(
            "gemini/stream-call",
            drop(f"{_EVENTS}/2/data/usageMetadata/totalTokenCount"),
            at="0 response event/2/usageMetadata",
        ),
    ],
)
def stream_usage_missing(view: View) -> Iterator[Hit]:
    """The last chunk of a stream carries the usage.

    Its values run up from chunk to chunk, so the last one is the bill; without it the reply seems to cost less.
    """
    bodies = list(chunks(view))
    if not bodies or _broke_off(view):
        return
    body, pointer = bodies[-1]
    usage = body.get("usageMetadata")
    if not isinstance(usage, dict):
        yield Hit(pointer, "the last chunk has no usage", "usageMetadata", "none")
    elif usage.get("totalTokenCount", MISSING) is MISSING:
        yield Hit(join(pointer, "usageMetadata"), "the last usage has no total", "totalTokenCount", "none")


@rule(
    "gemini-stream-goes-on-after-error",
    severity=Severity.ERROR,
    scope="stream",
    basis="sdk-type",
    dialects=_HERE,
    cites=["GEM-S-007 google-genai 2.34 google/genai/_api_client.py"],
    conforming=[
        example("gemini/stream-call", put(f"{_EVENTS}/2/data", _ERROR)),
        example("gemini/stream-call", put(f"{_EVENTS}/2/data", [_ERROR])),
    ],
    violating=[
        example("gemini/stream-call", insert(f"{_EVENTS}/1", {"data": _ERROR}), at="0 response event/2"),
    ],
)
def stream_goes_on_after_error(view: View) -> Iterator[Hit]:
    """An error ends its stream.

    Clients raise on it; what comes after is never read, or is taken for the start of another reply.
    """
    events = view.events or ()
    failed = next((number for number, event in enumerate(events) if is_error(event.json)), None)
    if failed is not None and failed + 1 < len(events):
        yield Hit(events[failed + 1].pointer, "the stream goes on after an error", "the end of the stream", "an event")
