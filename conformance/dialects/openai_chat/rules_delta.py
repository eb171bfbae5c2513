"""The content of one delta of a Chat stream, OAC-S; and calls in fields that no client reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.openai_chat.stream import call_fragments, choice_entries
from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import join

_CALL, _STREAM = "openai-chat/call", "openai-chat/stream-call"
_DELTA = "data/choices/0/delta"
_EVENTS = "/0/response/events"
_MESSAGE = "/0/response/body/choices/0/message"
_KNOWN = frozenset({"role", "content", "refusal", "tool_calls", "function_call", "audio", "annotations"})
_CARRIED = {"name": "get_weather", "arguments": '{"latitude":37.57,"longitude":126.98}'}


@rule(
    "chat-delta-field-null",
    severity=Severity.INFO,
    scope="stream",
    basis="observed",
    cites=["OAC-S-009 recorded traffic 1006/1006"],
    bugs=["vllm-project/vllm-ascend#14501", "sgl-project/sglang#39898"],
    conforming=[example(_STREAM), example("openai-chat/stream-answer")],
    violating=[
        example(_STREAM, put(f"{_EVENTS}/2/{_DELTA}/content", None)),
        example(
            _STREAM,
            put(f"{_EVENTS}/1/{_DELTA}/reasoning_content", None),
            put(f"{_EVENTS}/2/{_DELTA}/reasoning_content", None),
            at="0 response event/1/choices/0/delta/reasoning_content",
        ),
    ],
)
def delta_field_null(view: View) -> Iterator[Hit]:
    """A delta with a fragment of a call should not have other fields that are null.

    Clients that test for the key instead of the value close the call, or open an empty text, at every fragment.
    """
    told: set[str] = set()
    for event in view.events or ():
        for entry, at in choice_entries(event):
            delta = entry.get("delta")
            # The first delta gives the role, and with it `content: null`.
            if not isinstance(delta, dict) or "role" in delta or not delta.get("tool_calls"):
                continue
            for key, value in delta.items():
                if value is None and key not in told:
                    told.add(key)
                    yield Hit(join(at, "delta", key), "the delta has a field that is null", "no such field", "null")


@rule(
    "chat-fragment-duplicate",
    severity=Severity.WARNING,
    scope="stream",
    basis="observed",
    cites=["OAC-S-009 recorded traffic 1111/1111"],
    bugs=[
        "langchain-ai/langchain#36670",
        "langchain-ai/langchain#38456",
        "langchain-ai/langchain#35281",
        "langchain-ai/langchain#34671",
        "langchain-ai/langchainjs#8433",
        "langchain-ai/langchain#38673",
    ],
    conforming=[
        example(_STREAM),
        example(
            _STREAM,
            put(
                f"{_EVENTS}/3/{_DELTA}/tool_calls",
                [
                    {"index": 0, "function": {"arguments": '37.57,"longitude":126.98}'}},
                    {
                        "index": 1,
                        "id": "call_m3N4o5P6q7R8s9T0u1V2w3X4",
                        "type": "function",
                        "function": {"name": "get_weather", "arguments": ""},
                    },
                ],
            ),
            drop(f"{_EVENTS}/4"),
        ),
    ],
    violating=[
        example(
            _STREAM,
            put(
                f"{_EVENTS}/2/{_DELTA}/tool_calls",
                [
                    {"index": 0, "function": {"arguments": '{"latitude":'}},
                    {"index": 0, "function": {"arguments": '37.57,"longitude":126.98}'}},
                ],
            ),
            drop(f"{_EVENTS}/3"),
            at="0 response event/2/choices/0/delta/tool_calls/1",
        )
    ],
)
def fragment_duplicate(view: View) -> Iterator[Hit]:
    """A delta must have at most one fragment of each call.

    Clients that merge fragments by index keep one of the two: half of the arguments is lost.
    """
    for event in view.events or ():
        for entry, at in choice_entries(event):
            delta = entry.get("delta")
            seen: set[Any] = set()
            for fragment, place in call_fragments(delta, join(at, "delta")) if isinstance(delta, dict) else ():
                index = fragment.get("index")
                if not isinstance(index, (int, str)):
                    continue
                if index in seen:
                    yield Hit(place, "the delta has a second fragment of the same call", "one fragment", brief(index))
                    return
                seen.add(index)


@rule(
    "chat-tool-call-misplaced",
    severity=Severity.WARNING,
    scope="reply",
    basis="observed",
    cites=["OAC-R-007 jjang-ai/vmlx#219", "OAC-S-016 jjang-ai/vmlx#219"],
    bugs=["jjang-ai/vmlx#219"],
    conforming=[
        example(_CALL),
        example(_STREAM),
        example(_CALL, put(f"{_MESSAGE}/provider_metadata", {"name": "fast-path"})),
    ],
    violating=[
        example(_CALL, put(f"{_MESSAGE}/tool_call_data", [{"id": "call_1", "function": _CARRIED}])),
        example(
            _STREAM,
            put(f"{_EVENTS}/1/{_DELTA}/tool_call", _CARRIED),
            put(f"{_EVENTS}/2/{_DELTA}/tool_call", _CARRIED),
            at="0 response event/1/choices/0/delta/tool_call",
        ),
    ],
)
def tool_call_misplaced(view: View) -> Iterator[Hit]:
    """Calls must be in `tool_calls`, not in a field of the server's own.

    Clients read only the fields of the contract: they see a message that ends for calls but has none.
    """
    told: set[str] = set()
    for said, at in _said(view):
        for key, value in said.items():
            if key not in _KNOWN and key not in told and _holds_call(value):
                told.add(key)
                yield Hit(join(at, key), "a call is in a field that is not in the contract", "tool_calls", key)


def _said(view: View) -> Iterator[tuple[dict[str, Any], str]]:
    """The messages of a plain reply, or the deltas of a streamed one, each with its pointer."""
    if view.events is not None:
        placed = ((entry, at, "delta") for event in view.events for entry, at in choice_entries(event))
    else:
        choices = view.response.get("choices") if isinstance(view.response, dict) else None
        listed = enumerate(choices if isinstance(choices, list) else ())
        placed = ((entry, join("/choices", number), "message") for number, entry in listed if isinstance(entry, dict))
    for entry, at, key in placed:
        if isinstance(entry.get(key), dict):
            yield entry[key], join(at, key)


def _holds_call(value: Any) -> bool:
    """Whether the value is a call, or a list with one: a name, and arguments by one of their names."""
    if isinstance(value, list):
        return any(map(_holds_call, value))
    if not isinstance(value, dict):
        return False
    if isinstance(value.get("function"), dict):
        return _holds_call(value["function"])
    return isinstance(value.get("name"), str) and not value.keys().isdisjoint({"arguments", "parameters", "input"})
