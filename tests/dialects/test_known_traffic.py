"""What providers and other servers are known to do, each fact by itself: the rule that reports it, and its severity."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conformance.judge.checker import check
from conformance.judge.proofs.example import Edit, Example, drop, example, insert, put
from conformance.model.finding import Severity

BODY, ANSWER, EVENTS = "/0/request/body", "/0/response/body", "/0/response/events"
NEXT, SECOND = "/1/request/body", "/1/response/body"
URL = "/0/request/url"
OLD_API = put("/0/request/headers/anthropic-version", "2023-06-01")
VERTEX = (
    "https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/us-east5/publishers/anthropic/models/"
    "claude-sonnet-4-5@20250929:streamRawPredict?alt=sse"
)
CALL_ID = "call_a1B2c3D4e5F6g7H8i9J0k1L2"
LATER_CALL = {
    "type": "function_call",
    "call_id": CALL_ID,
    "name": "get_weather",
    "arguments": '{"latitude":1,"longitude":2}',
}
USAGE = {"prompt_tokens": 82, "completion_tokens": 44, "total_tokens": 126}
FILTERED = {"choices": [], "created": 0, "id": "", "model": "", "prompt_filter_results": []}
OVERLOADED = {"error": {"message": "Overloaded.", "type": "server_error", "param": None, "code": None}}
SPOKEN = {"id": "audio_1", "data": "AAAA", "expires_at": 1790003600, "transcript": "It is warm."}
PDF = {"filename": "a.pdf", "file_data": "JVBERi0xLjQK"}
NOTHING: dict[str, Severity] = {}
INFO, WARNING, ERROR = Severity.INFO, Severity.WARNING, Severity.ERROR


def chat_at(host: str) -> Edit:
    return put(URL, f"https://{host}/v1/chat/completions")


OTHER_SERVER = chat_at("gateway.example")


def in_each_chunk(base: str, at: str, value: Any) -> tuple[Edit, ...]:
    """A member in all chunks of a Chat stream but the last, or taken out of them."""
    [exchange] = Example(base).exchanges()
    chunks = [event for event in exchange.response.events if isinstance(event.json, dict)]
    places = [f"{EVENTS}/{number}/data/{at}" for number, _ in enumerate(chunks[:-1])]
    return tuple(drop(place) if value is None else put(place, value) for place in places)


def numbered_from(first: int) -> tuple[Edit, ...]:
    [exchange] = Example("openai-responses/stream-answer").exchanges()
    return tuple(
        put(f"{EVENTS}/{number}/data/sequence_number", first + number)
        for number, _ in enumerate(exchange.response.events)
    )


def listed_over_lines(*, spread: bool) -> Edit:
    """Llama's definitions as a list over several lines: a definition in each of them, or all of it spread out."""
    prompt = Example("llama3-json/call").records()[0]["request"]["body"]["prompt"]
    begin = prompt.index('{\n    "type"')
    definition = json.loads(prompt[begin : prompt.index("\n\nQuestion")])
    both = [definition["function"], {**definition["function"], "name": "get_time"}]
    rows = ",\n    ".join(map(json.dumps, both))
    listed = json.dumps(both, indent=4) if spread else f"[\n    {rows}\n]"
    return put(f"{BODY}/prompt", prompt.replace(prompt[begin : prompt.index("\n\nQuestion")], listed))


CHAT, STREAM, TALK = "openai-chat/call", "openai-chat/stream-call", "openai-chat/stream-answer"
USAGE_EVERYWHERE = in_each_chunk(STREAM, "usage", USAGE)
NO_USAGE_KEYS = in_each_chunk(STREAM, "usage", None)
GROQ = {"chat-request-field-unknown": INFO}  # its own document lacks `stream_options`
GROQ_TIER = {"chat-reply-value-unknown": INFO}  # the base is OpenAI's answer

HARSH: dict[str, tuple[str, tuple[Edit, ...], dict[str, Severity]]] = {
    "Vertex streams Messages without `stream`": (
        "anthropic-messages/stream-call",
        (
            put(URL, VERTEX),
            drop(f"{BODY}/stream"),
            drop(f"{BODY}/model"),
            put(f"{BODY}/anthropic_version", "vertex-2023-10-16"),
            drop("/0/request/headers/anthropic-version"),
        ),
        NOTHING,
    ),
    "a program's call in progress in a completed response": (
        "openai-responses/waiting",
        (put(f"{ANSWER}/output/5/status", "in_progress"),),
        NOTHING,
    ),
    "another call in progress in a completed response": (
        "openai-responses/call",
        (put(f"{ANSWER}/output/1/status", "in_progress"),),
        {"responses-status-conflicting": ERROR},
    ),
    "opaque fields of a program": (
        "openai-responses/waiting",
        (put(f"{ANSWER}/output/4/code", ""), put(f"{ANSWER}/output/4/fingerprint", "")),
        NOTHING,
    ),
    "Azure's filter chunk through Copilot": (
        STREAM,
        (put(URL, "https://api.githubcopilot.com/chat/completions"), insert(f"{EVENTS}/0", {"data": FILTERED})),
        NOTHING,
    ),
    "audio as the answer": (
        "openai-chat/answer",
        (
            put(f"{BODY}/modalities", ["text", "audio"]),
            put(f"{BODY}/audio", {"voice": "alloy", "format": "wav"}),
            put(f"{ANSWER}/choices/0/message/content", None),
            put(f"{ANSWER}/choices/0/message/audio", SPOKEN),
        ),
        NOTHING,
    ),
    "item references without a type": (
        "openai-responses/run",
        tuple(put(f"{NEXT}/input/{number}", {"id": f"fc_0a1b2c3d4e5f6071000{number}"}) for number in (1, 2)),
        NOTHING,
    ),
    "item references whose type is null": (
        "openai-responses/run",
        tuple(
            put(f"{NEXT}/input/{number}", {"id": f"fc_0a1b2c3d4e5f6071000{number}", "type": None}) for number in (1, 2)
        ),
        NOTHING,
    ),
    "Llama's definitions as a list, one in a line": ("llama3-json/call", (listed_over_lines(spread=False),), NOTHING),
    "Llama's definitions as a list, spread out": ("llama3-json/call", (listed_over_lines(spread=True),), NOTHING),
    "no stop sequences": (CHAT, (put(f"{BODY}/stop", []),), {"chat-request-field-empty": INFO}),
    "Gemini's only result without its id": (
        "gemini/run",
        (
            drop(f"{ANSWER}/candidates/0/content/parts/1"),
            drop(f"{NEXT}/contents/1/parts/1"),
            drop(f"{NEXT}/contents/2/parts/1"),
            drop(f"{NEXT}/contents/2/parts/0/functionResponse/id"),
        ),
        {"gemini-result-id-missing": WARNING},
    ),
    "-1 for options of Messages, answered": (
        "anthropic-messages/call",
        (OLD_API, put(f"{BODY}/top_k", -1), put(f"{BODY}/top_p", -1)),
        {"messages-request-value-out-of-range": WARNING},
    ),
    "-1 for an option of Messages, refused": (
        "anthropic-messages/failure",
        (OLD_API, put(f"{BODY}/top_k", -1)),
        {"messages-request-value-out-of-range": ERROR},
    ),
    "no model at a server that serves one": (
        CHAT,
        (chat_at("localhost:8080"), drop(f"{BODY}/model")),
        {"chat-request-field-missing": INFO},
    ),
    "no model at OpenAI": (CHAT, (drop(f"{BODY}/model"),), {"chat-request-field-missing": ERROR}),
    "an error with a numeric code and without nullable keys": (
        "openai-chat/failure",
        (OTHER_SERVER, put(f"{ANSWER}/error", {"message": "No.", "type": "invalid_request_error", "code": 400})),
        NOTHING,
    ),
    "usage in every chunk at a server without a document": (
        STREAM,
        (OTHER_SERVER, *USAGE_EVERYWHERE),
        {"chat-usage-misplaced": INFO},
    ),
    "usage in every chunk where the server's document does not promise one": (
        STREAM,
        (chat_at("api.groq.com"), *USAGE_EVERYWHERE),
        GROQ,
    ),
    "usage in every chunk where the server's document promises one": (
        STREAM,
        (chat_at("router.huggingface.co"), *USAGE_EVERYWHERE),
        {"chat-usage-misplaced": WARNING, "chat-chunk-field-missing": WARNING},
    ),
    "usage in every chunk where the server's document has it in all streams": (
        STREAM,
        (chat_at("openrouter.ai"), *USAGE_EVERYWHERE),
        NOTHING,
    ),
    "the least `max_tokens` at OpenRouter": (CHAT, (chat_at("openrouter.ai"), put(f"{BODY}/max_tokens", 500)), NOTHING),
    "usage in every chunk at OpenAI": (STREAM, USAGE_EVERYWHERE, {"chat-usage-misplaced": ERROR}),
    "usage in every chunk, as the request asks for": (
        STREAM,
        (OTHER_SERVER, put(f"{BODY}/stream_options/continuous_usage_stats", True), *USAGE_EVERYWHERE),
        NOTHING,
    ),
    "no key for usage at another server": (STREAM, (OTHER_SERVER, *NO_USAGE_KEYS), {"chat-usage-key-missing": INFO}),
    "no key for usage at a server whose document does not promise it": (
        STREAM,
        (chat_at("api.groq.com"), *NO_USAGE_KEYS),
        GROQ,
    ),
    "no key for usage at OpenAI": (STREAM, NO_USAGE_KEYS, {"chat-usage-key-missing": WARNING}),
    "chunks after an error event": (
        STREAM,
        (OTHER_SERVER, insert(f"{EVENTS}/3", {"data": OVERLOADED})),
        {"chat-event-after-error-unexpected": WARNING},
    ),
    "an empty text behind others at Anthropic": (
        "anthropic-messages/call",
        (insert(f"{ANSWER}/content/1", {"type": "text", "text": ""}),),
        {"messages-reply-text-empty": INFO},
    ),
    "an empty text elsewhere": (
        "anthropic-messages/call",
        (put(URL, "https://gateway.example/v1/messages"), insert(f"{ANSWER}/content/1", {"type": "text", "text": ""})),
        {"messages-reply-text-empty": WARNING},
    ),
    "a finish in a chunk with content": (
        TALK,
        (OTHER_SERVER, put(f"{EVENTS}/2/data/choices/0/finish_reason", "stop"), drop(f"{EVENTS}/3")),
        {"chat-finish-delta-unexpected": WARNING},
    ),
    "no empty first fragment": (
        "anthropic-messages/stream-call",
        (drop(f"{EVENTS}/7"),),
        {"messages-empty-fragment-missing": INFO},
    ),
    "no fragment at all": (
        "anthropic-messages/stream-no-arguments",
        (drop(f"{EVENTS}/3"),),
        {"messages-empty-fragment-missing": WARNING},
    ),
    "a stream of Responses numbered from 1": (
        "openai-responses/stream-answer",
        numbered_from(1),
        {"responses-sequence-number-wrong": WARNING},
    ),
    "a call id again in a later response": (
        "openai-responses/run",
        (put(f"{SECOND}/output/0", {**LATER_CALL, "id": "fc_0a1b2c3d4e5f60710003", "status": "completed"}),),
        {"new-call-id-reused": WARNING},
    ),
    "a call id again in a later call of the input": (
        "openai-responses/answer",
        (
            insert(f"{BODY}/input/5", LATER_CALL),
            insert(f"{BODY}/input/6", {"type": "function_call_output", "call_id": CALL_ID, "output": "14.2"}),
        ),
        {"tool-call-id-reused": WARNING},
    ),
    "Groq's `null` arguments, whole": (
        CHAT,
        (chat_at("api.groq.com"), put(f"{ANSWER}/choices/0/message/tool_calls/0/function/arguments", "null")),
        {"arguments-wrong-type": WARNING, **GROQ_TIER},
    ),
    "Groq's `null` arguments, streamed": (
        STREAM,
        (
            chat_at("api.groq.com"),
            put(f"{EVENTS}/2/data/choices/0/delta/tool_calls/0/function/arguments", "null"),
            drop(f"{EVENTS}/3"),
        ),
        {"arguments-wrong-type": WARNING, **GROQ},
    ),
}

SILENT: dict[str, tuple[str, tuple[Edit, ...], dict[str, Severity]]] = {
    "a reply created in 1970": (CHAT, (put(f"{ANSWER}/created", 0),), {"chat-reply-value-out-of-range": WARNING}),
    "a stream created in 1970": (
        STREAM,
        (*in_each_chunk(STREAM, "created", 0), put(f"{EVENTS}/8/data/created", 0)),
        {"chat-chunk-value-out-of-range": WARNING},
    ),
    "a response created in 1970": (
        "openai-responses/call",
        (put(f"{ANSWER}/created_at", 0),),
        {"responses-reply-value-out-of-range": WARNING},
    ),
    "an id of Chat in Messages": (
        "anthropic-messages/call",
        (put(f"{ANSWER}/id", "chatcmpl-AbCdEf"),),
        {"messages-id-unexpected": WARNING},
    ),
    "an id of Messages in Chat": (
        CHAT,
        (put(f"{ANSWER}/id", "msg_01XFDUDYJgAACzvnptvVoYEL"),),
        {"chat-id-unexpected": WARNING},
    ),
    "an id of Chat in Responses": (
        "openai-responses/call",
        (put(f"{ANSWER}/id", "chatcmpl-AbCdEf"),),
        {"responses-id-unexpected": WARNING},
    ),
    "no input tokens at the start of a stream": (
        "anthropic-messages/stream-call",
        (put(f"{EVENTS}/0/data/message/usage/input_tokens", 0),),
        {"messages-start-usage-empty": WARNING},
    ),
    "the same usage for each turn": (
        "openai-chat/run",
        (put(f"{ANSWER}/usage", USAGE), put(f"{SECOND}/usage", USAGE)),
        {"usage-repeated": WARNING},
    ),
    "no tokens at all": (
        CHAT,
        (put(f"{ANSWER}/usage", dict.fromkeys(USAGE, 0)),),
        {"usage-empty": WARNING},
    ),
    "a call of Gemini 3 without an id": (
        "gemini/call",
        tuple(drop(f"{ANSWER}/candidates/0/content/parts/{number}/functionCall/id") for number in (0, 1)),
        {"gemini-call-id-missing": INFO},
    ),
    "a file of Chat that is no data URL": (
        CHAT,
        (put(f"{BODY}/messages/0/content", [{"type": "file", "file": PDF}]),),
        {"chat-request-value-malformed": WARNING},
    ),
    "a file of Responses that is no data URL": (
        "openai-responses/call",
        (put(f"{BODY}/input/0/content", [{"type": "input_file", **PDF}]),),
        {"responses-request-value-malformed": WARNING},
    ),
    "a parallel call that the client lost": (
        "openai-chat/run",
        (drop(f"{NEXT}/messages/1/tool_calls/1"), drop(f"{NEXT}/messages/3")),
        {"echoed-calls-mismatch": ERROR},
    ),
}
CASES = {**HARSH, **SILENT}


@pytest.mark.parametrize(("base", "edits", "expected"), CASES.values(), ids=CASES)
def test_a_known_fact_has_its_severity(base: str, edits: tuple[Edit, ...], expected: dict[str, Severity]) -> None:
    found = check(example(base, *edits).exchanges())
    assert {finding.rule: finding.severity for finding in found} == expected
