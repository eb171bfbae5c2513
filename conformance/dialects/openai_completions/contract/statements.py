"""What the rules of Completions' contract stand for, with the examples that prove them."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.judge.contract.statement import Statement
from conformance.judge.example import drop, example, put

_ANSWER, _STREAM = "openai-completions/answer", "openai-completions/stream-answer"
_FAILURE = "openai-completions/failure"
_ASKED, _REPLY, _EVENTS = "/0/request/body", "/0/response/body", "/0/response/events"
_SCHEMAS = "openai/openai-openapi openapi.json#/components/schemas"
_COMPLETION = f"{_SCHEMAS}/CreateCompletionResponse"
_PARAMS = "openai 2.54 types/completion_create_params.py"
_FAILED = {"error": {"message": "The server is overloaded.", "type": "server_error", "param": None, "code": 503}}

STATEMENTS: Mapping[str, Statement] = {
    "completions-request-field-missing": Statement(
        "A request with a raw prompt names its model and carries the prompt.",
        "A server completes nothing, or completes the start of any text at all.",
        violating=(example(_ANSWER, drop(f"{_ASKED}/prompt")), example(_ANSWER, drop(f"{_ASKED}/model"))),
    ),
    "completions-request-field-wrong-type": Statement(
        "The fields of a request with a raw prompt have the JSON types of the contract.",
        "Strict servers refuse the request; lenient ones take a text for another, or leave a limit out.",
        violating=(
            example(_ANSWER, put(f"{_ASKED}/prompt", {"text": "x"})),
            example(_ANSWER, put(f"{_ASKED}/max_tokens", "256")),
            example(_ANSWER, put(f"{_ASKED}/skip_special_tokens", "false")),
        ),
        conforming=(
            example(_ANSWER),
            example(_ANSWER, put(f"{_ASKED}/prompt", ["one", "two"])),
            example(_ANSWER, put(f"{_ASKED}/prompt", [[9906, 11], [1917]])),
        ),
    ),
    "completions-request-count-out-of-range": Statement(
        "A request has from one to four stop sequences.",
        "OpenAI refuses more with a 400; other servers take them, and a client that relies on it is bound to those.",
        violating=(
            example(
                _ANSWER,
                put("/0/request/url", "https://api.openai.com/v1/completions"),
                put(f"{_ASKED}/stop", ["1", "2", "3", "4", "5"]),
            ),
        ),
    ),
    "completions-max-tokens-missing": Statement(
        "A request with a raw prompt says how long the reply may be.",
        "The default is 16 tokens, which cuts a tool call off in its arguments.",
        cites=(f"OAT-Q-002 {_SCHEMAS}/CreateCompletionRequest/properties/max_tokens",),
        violating=(example(_ANSWER, drop(f"{_ASKED}/max_tokens"), at="0 request"),),
    ),
    "completions-stream-options-orphaned": Statement(
        "Options for a stream come only with a request for a stream.",
        "Servers refuse the request with a 400.",
        cites=(f"OAT-Q-003 {_PARAMS}",),
        basis="sdk-type",
        violating=(example(_ANSWER, put(f"{_ASKED}/stream_options", {"include_usage": True})),),
        conforming=(example(_STREAM),),
    ),
    "completions-reply-field-missing": Statement(
        "A completion and its choices have all the fields that the contract requires.",
        "Typed clients read the missing field as absent, and fail far from the cause.",
        violating=(
            example(_ANSWER, drop(f"{_REPLY}/id")),
            example(_ANSWER, drop(f"{_REPLY}/choices/0/text")),
            example(_ANSWER, drop(f"{_REPLY}/choices/0/finish_reason")),
            example(_ANSWER, drop(f"{_REPLY}/usage/total_tokens")),
        ),
    ),
    "completions-reply-field-wrong-type": Statement(
        "The fields of a completion and its choices have the JSON types of the contract, and ids are not empty.",
        "Typed clients raise on the value, or carry it on until something else does.",
        violating=(
            example(_ANSWER, put(f"{_REPLY}/choices/0/text", {"content": "x"})),
            example(_ANSWER, put(f"{_REPLY}/choices/0/finish_reason", None)),
            example(
                _ANSWER,
                put(f"{_REPLY}/choices/0/logprobs", {"tokens": "Reykjavík"}),
                at="0 response /choices/0/logprobs/tokens",
            ),
            example(_ANSWER, put(f"{_REPLY}/created", "now")),
        ),
    ),
    "completions-object-wrong": Statement(
        "The `object` of a completion and of each of its chunks is `text_completion`.",
        "A client that chooses by it how to read the body looks for a message where there is a text.",
        cites=(f"OAT-R-002 {_COMPLETION}/properties/object",),
        violating=(
            example(_ANSWER, put(f"{_REPLY}/object", "chat.completion")),
            example(_STREAM, put(f"{_EVENTS}/1/data/object", "chat.completion.chunk")),
        ),
        conforming=(example(_ANSWER), example(_STREAM), example(_FAILURE)),
    ),
    "completions-choices-empty": Statement(
        "A completion holds at least one choice.",
        "Clients take the first one without looking.",
        cites=(f"OAT-R-003 {_COMPLETION}/properties/choices",),
        violating=(example(_ANSWER, put(f"{_REPLY}/choices", [])),),
    ),
    "completions-finish-reason-unknown": Statement(
        "A text finishes with `stop`, `length` or `content_filter`.",
        "A client that does not know the value cannot tell a complete call from a truncated one.",
        cites=(f"OAT-R-004 {_COMPLETION}/properties/choices",),
        violating=(
            example(_ANSWER, put(f"{_REPLY}/choices/0/finish_reason", "tool_calls")),
            example(_STREAM, put(f"{_EVENTS}/2/data/choices/0/finish_reason", "eos")),
        ),
        conforming=(example(_ANSWER), example(_STREAM), example("openai-completions/cut-off")),
    ),
    "completions-chunk-malformed": Statement(
        "Every chunk and its choices have the fields and types of a completion; the finish is null until the end.",
        "Clients add the texts up chunk by chunk: one that lacks its text breaks the whole reply.",
        cites=(f"OAT-S-004 {_COMPLETION}",),
        violating=(
            example(_STREAM, drop(f"{_EVENTS}/1/data/choices/0/text")),
            example(_STREAM, put(f"{_EVENTS}/1/data/choices/0/text", None)),
            example(_STREAM, drop(f"{_EVENTS}/0/data/choices/0/finish_reason")),
            example(_STREAM, drop(f"{_EVENTS}/0/data/id")),
        ),
    ),
    "completions-error-malformed": Statement(
        "The body of a failure is an `error` object with a message and a type.",
        "Clients read the cause there, and decide by it whether to retry.",
        cites=(f"OAT-R-006 {_SCHEMAS}/ErrorResponse",),
        violating=(
            example(_FAILURE, put(_REPLY, {"detail": "Not Found"})),
            example(_FAILURE, drop(f"{_REPLY}/error/message")),
            example(_FAILURE, put(f"{_REPLY}/error/type", 404)),
        ),
    ),
    "completions-stream-error-malformed": Statement(
        "An error in a stream is an object with a message and a type.",
        "The SDK shows the message; without it, the program learns only that something failed.",
        cites=(f"OAT-S-005 {_SCHEMAS}/ErrorResponse",),
        violating=(
            example(_STREAM, put(f"{_EVENTS}/1/data", {"error": "overloaded"}), at="0 response event/1/error"),
            example(_STREAM, put(f"{_EVENTS}/1/data", _FAILED), drop(f"{_EVENTS}/1/data/error/message")),
        ),
        conforming=(example(_STREAM), example(_STREAM, put(f"{_EVENTS}/1/data", _FAILED))),
    ),
}
