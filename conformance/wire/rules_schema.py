"""The wire against its JSON Schemas, `specs/wire/<dialect>/`: what no other rule has a better word for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.judge.example import example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import get, split
from conformance.model.transcript import Malformed
from conformance.wire.validate import all_fit, fits, misfits

_OPENAI = "openai/openai-openapi openapi.json#/components/schemas"
_GENAI = "google-genai 2.34 google/genai/types.py"
_BODY, _REPLY = "/0/request/body", "/0/response/body"
_CUSTOM = {"type": "custom", "custom": {"name": "shell", "format": {"type": "grammar", "grammar": "start: /.+/"}}}
_ALLOWED = {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": {"function": {"name": "get_weather"}}}}


def _hits(view: View, kind: str, value: Any, at: str = "") -> Iterator[Hit]:
    for pointer, message in misfits(view.dialect.name, kind, value):
        subject = next((f"`{token}`" for token in reversed(split(pointer)) if not token.isdecimal()), "the body")
        if pointer.rpartition("/")[2].isdecimal():
            subject = f"an item of {subject}"
        schema = f"specs/wire/{view.dialect.name}/{kind}.schema.json"
        yield Hit(f"{at}{pointer}" or None, f"{subject} {message}", f"what {schema} says", brief(get(value, pointer)))


@rule(
    "request-schema-mismatch",
    severity=Severity.ERROR,
    scope="request",
    basis="schema",
    fallback=True,
    cites=[
        f"OAC-Q-001 {_OPENAI}/CreateChatCompletionRequest",
        f"OAR-Q-001 {_OPENAI}/CreateResponse",
        "ANT-Q-001 anthropic 2.11 types/message_create_params.py",
        f"GEM-Q-001 {_GENAI} Content, Tool, ToolConfig, GenerationConfig",
        "MCP-A-001 modelcontextprotocol schema/2025-11-25/schema.json ClientRequest",
        f"OAT-Q-001 {_OPENAI}/CreateCompletionRequest",
    ],
    conforming=[
        example("openai-chat/call"),
        example("openai-chat/call", put(f"{_BODY}/tools/0/function/icon", 7)),
        example("openai-responses/run"),
        example("openai-responses/call", put(f"{_BODY}/input/0", {"type": "telepathy_call", "name": 7})),
        example("anthropic-messages/run"),
        example("gemini/snake-case"),
        example("mcp/session"),
        example("openai-completions/answer"),
    ],
    violating=[
        example(
            "openai-chat/call",
            put(f"{_BODY}/tools/0/function/description", 7),
            at="0 request /tools/0/function/description",
        ),
        example(
            "openai-chat/call", put(f"{_BODY}/tool_choice", _ALLOWED), at="0 request /tool_choice/allowed_tools/tools"
        ),
        example("openai-chat/call", put(f"{_BODY}/tools/0", _CUSTOM), at="0 request /tools/0/custom/format/grammar"),
        example("openai-responses/call", put(f"{_BODY}/input/0/id", 7), at="0 request /input/0/id"),
        example("openai-responses/call", put(f"{_BODY}/reasoning", {"effort": ""}), at="0 request /reasoning/effort"),
        example(
            "anthropic-messages/call",
            put(f"{_BODY}/tools/0/cache_control", {"type": "ephemeral", "ttl": 5}),
            at="0 request /tools/0/cache_control/ttl",
        ),
        example(
            "gemini/call",
            put(f"{_BODY}/generationConfig", {"thinkingConfig": {"includeThoughts": "yes"}}),
            at="0 request /generationConfig/thinkingConfig/includeThoughts",
        ),
        example(
            "mcp/session",
            put(f"{_BODY}/params/capabilities/roots", {"listChanged": "yes"}),
            at="0 request /params/capabilities/roots/listChanged",
        ),
        example("openai-completions/answer", put(f"{_BODY}/presence_penalty", "0"), at="0 request /presence_penalty"),
    ],
)
def request_schema_mismatch(view: View) -> Iterator[Hit]:
    """A request fits the JSON Schema of its dialect.

    A field of another JSON type is refused by the server, or taken for something else, as is an empty word. Fields,
    words and types that the schema does not know are never held against a request; what another rule has said is not
    said again.
    """
    yield from _hits(view, "request", view.request)


@rule(
    "response-schema-mismatch",
    severity=Severity.ERROR,
    scope="response",
    basis="schema",
    fallback=True,
    cites=[
        f"OAC-R-001 {_OPENAI}/CreateChatCompletionResponse",
        f"OAR-R-001 {_OPENAI}/Response",
        "ANT-R-001 anthropic 2.11 types/message.py",
        f"GEM-R-001 {_GENAI} GenerateContentResponse",
        "MCP-A-004 modelcontextprotocol schema/2025-11-25/schema.json ServerResult",
        f"OAT-R-001 {_OPENAI}/CreateCompletionResponse",
    ],
    conforming=[
        example("openai-chat/call"),
        example("openai-chat/call", put(f"{_REPLY}/service_tier", "unheard-of")),
        example("openai-responses/call"),
        example("openai-responses/answer", put(f"{_REPLY}/output/0", {"type": "telepathy_call", "name": 7})),
        example("anthropic-messages/call"),
        example("gemini/call"),
        example("mcp/stateless"),
        example("openai-completions/answer"),
    ],
    violating=[
        example(
            "openai-chat/call",
            put(f"{_REPLY}/usage/prompt_tokens_details", {"cached_tokens": "12"}),
            at="0 response /usage/prompt_tokens_details/cached_tokens",
        ),
        example("openai-responses/call", put(f"{_REPLY}/max_tool_calls", "8"), at="0 response /max_tool_calls"),
        example("anthropic-messages/call", put(f"{_REPLY}/container", {"id": 7}), at="0 response /container/id"),
        example("anthropic-messages/call", put(f"{_REPLY}/content/0/type", ""), at="0 response /content/0/type"),
        example(
            "gemini/call",
            put(f"{_REPLY}/candidates/0/citationMetadata", {"citations": "none"}),
            at="0 response /candidates/0/citationMetadata/citations",
        ),
        example("mcp/stateless", put(f"{_REPLY}/result/instructions", 7), at="0 response /result/instructions"),
        example(
            "openai-completions/answer",
            put(f"{_REPLY}/choices/0/logprobs", {"tokens": "Reykjavík"}),
            at="0 response /choices/0/logprobs/tokens",
        ),
    ],
)
def response_schema_mismatch(view: View) -> Iterator[Hit]:
    """A reply fits the JSON Schema of its dialect.

    A typed client fails on a field of another JSON type, or hands it on as it is. Fields, words and types that the
    schema does not know are never held against a reply; what another rule has said is not said again.
    """
    if not isinstance(view.response, Malformed):
        yield from _hits(view, "response", view.response)


@rule(
    "event-schema-mismatch",
    severity=Severity.ERROR,
    scope="stream",
    basis="schema",
    fallback=True,
    cites=[
        f"OAC-S-005 {_OPENAI}/CreateChatCompletionStreamResponse",
        f"OAR-S-007 {_OPENAI}/ResponseStreamEvent",
        "ANT-S-004 anthropic 2.11 types/raw_message_stream_event.py",
        f"GEM-S-001 {_GENAI} GenerateContentResponse",
        "MCP-A-008 modelcontextprotocol schema/2025-11-25/schema.json ServerResult",
        f"OAT-S-001 {_OPENAI}/CreateCompletionResponse",
    ],
    conforming=[
        example("openai-chat/stream-call"),
        example("openai-responses/stream-call"),
        example("anthropic-messages/stream-call"),
        example("gemini/stream-call"),
        example("mcp/stateless-stream"),
        example("openai-completions/stream-answer"),
    ],
    violating=[
        example(
            "openai-chat/stream-call",
            put("/0/response/events/2/data/obfuscation", 7),
            at="0 response event/2/obfuscation",
        ),
        example(
            "openai-responses/stream-call",
            put("/0/response/events/0/data/response/reasoning", {"effort": 7}),
            at="0 response event/0/response/reasoning/effort",
        ),
        example(
            "anthropic-messages/stream-answer",
            put("/0/response/events/0/data/message/container", {"id": 7}),
            at="0 response event/0/message/container/id",
        ),
        example(
            "gemini/stream-call",
            put("/0/response/events/0/data/candidates/0/groundingMetadata", {"webSearchQueries": "weather"}),
            at="0 response event/0/candidates/0/groundingMetadata/webSearchQueries",
        ),
    ],
)
def event_schema_mismatch(view: View) -> Iterator[Hit]:
    """The data of each event of a stream fits the JSON Schema of its dialect.

    A typed client fails in the middle of the stream, or joins what it cannot join. What is wrong at the same place of
    several events is told once, at the first.
    """
    judged = [event for event in view.events or () if isinstance(event.json, (dict, list))]
    if all_fit(view.dialect.name, "event", [event.json for event in judged]):
        return
    told: set[Any] = set()
    for event in judged:
        if fits(view.dialect.name, "event", event.json):
            continue
        form = _form(event.json)
        if form in told:
            continue  # explaining costs a thousand times what judging does
        told.add(form)
        for hit in _hits(view, "event", event.json, event.pointer):
            what = ((hit.pointer or "").removeprefix(event.pointer), hit.message)
            if what not in told:
                told.add(what)
                yield hit


def _form(value: Any, key: str = "") -> Any:
    """What kind of value stands where; values of one form fit a schema, or misfit it, in the same places."""
    if isinstance(value, dict):
        return tuple((name, _form(each, name)) for name, each in value.items())
    if isinstance(value, list):
        return ("list", *dict.fromkeys(map(_form, value)))
    return value if key in ("type", "role", "method") and isinstance(value, str) else type(value)
