"""What a request carries back of an earlier reply is what that reply said."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.continuation import Continuation
from conformance.judge.example import change, drop, example, insert, put, swap
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.finding import Hit, Severity
from conformance.model.transcript import Malformed, Reasoning, ToolCall, Turn

_CALLS = "/1/request/body/messages/1/tool_calls"
_OTHER = {"id": "call_new", "type": "function", "function": {"name": "get_weather", "arguments": "{}"}}


def _same_wire(view: View, found: Continuation) -> bool:
    """Whether the reply came from where the request goes: only there do ids and seals mean anything."""
    earlier = view.earlier[found.earlier]
    return (earlier.dialect is view.dialect) and (earlier.exchange.request.host == view.exchange.request.host)


@rule(
    "echoed-call-changed",
    severity=Severity.ERROR,
    scope="conversation",
    basis="observed",
    cites=[
        "OAC-C-005 recorded traffic 129/129",
        "ANT-C-010 recorded traffic 158/158",
        "GEM-C-004 google-genai 2.34 google/genai/types.py FunctionCall.id",
        "OAR-C-003 openai/openai-openapi openapi.json#/components/schemas/FunctionToolCall",
        "LLA-C-002 meta-llama/llama-models models/llama3_1/prompt_format.md",
        "LCB-C-002 requests of langchain-openai 1.7.3",
    ],
    bugs=["cline/cline#13001", "langchain-ai/langchainjs#11471", "goose#9946"],
    conforming=[
        example("gemini/run"),
        example("openai-chat/run"),
        example("openai-chat/stream-run"),
        example(
            "openai-chat/run", put(f"{_CALLS}/0/function/arguments", '{ "longitude": 126.98, "latitude": 37.570 }')
        ),
        example("anthropic-messages/run"),
        example("anthropic-messages/stream-run"),
        example("openai-responses/run"),
        example("openai-responses/run-previous"),
        example("llama3-json/run"),
        example("llama3-custom/stream-run"),
        example("prompted/run"),
        example("qwen3/run"),
        example("react/run"),
    ],
    violating=[
        example(
            "gemini/run",
            put("/1/request/body/contents/1/parts/0/functionCall/args/latitude", 38),
            at="1 request /contents/1/parts/0/functionCall",
        ),
        example(
            "openai-chat/run",
            put(f"{_CALLS}/0/id", "call_new"),
            put("/1/request/body/messages/2/tool_call_id", "call_new"),
            at="1 request /messages/1/tool_calls/0",
        ),
        example(
            "openai-chat/run",
            put(f"{_CALLS}/1/function/name", "get_time"),
            at="1 request /messages/1/tool_calls/1",
        ),
        example(
            "openai-chat/stream-run",
            put(f"{_CALLS}/0/function/arguments", '{"latitude":"37.57","longitude":126.98}'),
            at="1 request /messages/1/tool_calls/0",
        ),
        example(
            "anthropic-messages/run",
            put("/1/request/body/messages/1/content/1/input/latitude", "37.57"),
            at="1 request /messages/1/content/1",
        ),
        example(
            "openai-responses/run",
            put("/1/request/body/input/1/arguments", '{"latitude":1,"longitude":126.98}'),
            at="1 request /input/1",
        ),
        example(
            "llama3-json/run",
            change("/1/request/body/prompt", '"latitude": 37.57', '"latitude": 38'),
            at="1 request /prompt",
        ),
        example(
            "prompted/run",
            change("/1/request/body/messages/2/content", "37.57", "38.57"),
            at="1 request /messages/2/content",
        ),
        example("qwen3/run", change("/1/request/body/prompt", "37.57", "38.57"), at="1 request /prompt"),
        example(
            "react/run",
            change("/1/request/body/messages/0/content", "37.57", "38.57"),
            at="1 request /messages/0/content",
        ),
    ],
)
def echoed_call_changed(view: View) -> Iterator[Hit]:
    """A call that is sent back keeps its id, its name and its arguments.

    The model reads that it asked for something else; the result no longer belongs to what the provider remembers.
    """
    found = view.continues
    if found is None:
        return
    for call, echo in found.pairs:
        if call.name != echo.name:
            yield Hit(echo.pointer, "the call comes back with another name", call.name, echo.name)
        if not jsontext.same(call.arguments, echo.arguments):
            yield Hit(
                echo.pointer,
                f"the call of {call.name} comes back with other arguments",
                jsontext.brief(call.arguments),
                jsontext.brief(echo.arguments),
                # There is no faithful way to send back what does not parse where arguments are a JSON value.
                severity=Severity.WARNING if isinstance(call.arguments, Malformed) else None,
            )
        if call.id and call.id != echo.id and _same_wire(view, found):
            yield Hit(
                echo.pointer,
                f"the call of {call.name} comes back with another id",
                call.id,
                echo.id or "no id",
                severity=None if echo.id else Severity.WARNING,
            )


@rule(
    "echoed-calls-mismatch",
    severity=Severity.WARNING,
    scope="conversation",
    basis="observed",
    cites=[
        "OAC-C-005 recorded traffic 129/129",
        "ANT-C-010 recorded traffic 158/158",
        "GEM-C-001 google-gemini/gemini-cli#16415",
        "OAR-C-001 recorded traffic 82/82",
    ],
    conforming=[
        example("gemini/run"),
        example("openai-chat/run"),
        example("openai-chat/stream-run"),
        example("openai-responses/run"),
    ],
    violating=[
        example(
            "gemini/run",
            drop("/1/request/body/contents/1/parts/1"),
            drop("/1/request/body/contents/2/parts/1"),
            at="1 request /contents/1",
        ),
        example(
            "openai-chat/run",
            drop(f"{_CALLS}/1"),
            drop("/1/request/body/messages/3"),
            at="1 request /messages/1",
        ),
        example("openai-chat/run", insert(f"{_CALLS}/2", _OTHER), at="1 request /messages/1/tool_calls/2"),
        example("openai-chat/run", swap(f"{_CALLS}/0", f"{_CALLS}/1"), at="1 request /messages/1"),
        example(
            "openai-responses/run",
            drop("/1/request/body/input/4"),
            drop("/1/request/body/input/2"),
            at="1 request /input/1",
        ),
    ],
)
def echoed_calls_mismatch(view: View) -> Iterator[Hit]:
    """A reply that is sent back holds the calls that it held, no fewer, no more, and in their order.

    A call that vanishes is never answered to the model; one that was never made puts words into its mouth.
    """
    found = view.continues
    if found is None:
        return
    kept = [id(call) for call, _ in found.pairs]
    echoed = [id(echo) for _, echo in found.pairs]
    lost = [call for call in found.reply.calls if id(call) not in kept]
    added = [echo for echo in found.echo.calls if id(echo) not in echoed]
    # One lost and one added is a call that was exchanged for another, not a history made shorter.
    severity = Severity.ERROR if lost and added else None
    for echo in added:
        yield Hit(
            echo.pointer, f"the reply held no such call of {echo.name}", "the calls of the reply", severity=severity
        )
    places = [next(place for place, each in enumerate(found.reply.calls) if each is call) for call, _ in found.pairs]
    if places != sorted(places) and not lost and not added:
        yield Hit(found.echo.pointer, "the calls come back in another order", "the order of the reply", str(places))
    if lost and not added:
        names = ", ".join(str(call.id or call.name) for call in lost)
        yield Hit(found.echo.pointer, f"the reply's call {names} is left out", "the calls of the reply")


@rule(
    "echoed-signature-changed",
    severity=Severity.ERROR,
    scope="conversation",
    basis="documented",
    cites=[
        "ANT-C-009 anthropic 2.11 types/thinking_block_param.py",
    ],
    bugs=[
        "RooCodeInc/Roo-Code#10351",
        "langgenius/dify#41092",
        "langchain4j/langchain4j#6244",
        "openai/openai-agents-python#4155",
    ],
    dialects=("anthropic-messages",),
    conforming=[
        example("anthropic-messages/thinking-run"),
        example("anthropic-messages/stream-thinking-run"),
    ],
    violating=[
        example(
            "anthropic-messages/thinking-run",
            put("/1/request/body/messages/1/content/0/signature", "EqoBCkgIARABGAIi"),
            at="1 request /messages/1/content/0",
        ),
    ],
)
def echoed_signature_changed(view: View) -> Iterator[Hit]:
    """A seal on thinking or on a call that is sent back is the one that was received.

    The provider verifies it and refuses the request, or forgets what it had thought.
    """
    found = view.continues
    if found is None or not _same_wire(view, found):
        return
    received = {_decoded(seal) for seal, _ in _seals(found.reply)}
    for seal, pointer in _seals(found.echo):
        if received and _decoded(seal) not in received:
            yield Hit(pointer, "the signature is not the one that was received", "the signature of the reply")


def _seals(turn: Turn) -> Iterator[tuple[str, str]]:
    for part in turn.parts:
        if isinstance(part, (Reasoning, ToolCall)) and part.signature:
            yield part.signature, part.pointer


def _decoded(seal: str) -> str:
    """Base64 and base64url spell the same bytes differently, and padding says nothing."""
    return seal.replace("-", "+").replace("_", "/").rstrip("=")
