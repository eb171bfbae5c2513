"""Statements of the rules of Completions' contract, with their examples."""

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
        "A request with a raw prompt must have `model` and `prompt`.",
        "Without a prompt, a server returns an error, or starts an arbitrary text.",
        violating=(example(_ANSWER, drop(f"{_ASKED}/prompt")), example(_ANSWER, drop(f"{_ASKED}/model"))),
    ),
    "completions-request-field-wrong-type": Statement(
        "The fields of a request with a raw prompt must have the JSON types of the contract.",
        "Strict servers refuse the request; lenient ones misread a text, or ignore a limit.",
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
        "A request may have one to four stop sequences.",
        "OpenAI refuses more with a 400; other servers accept them, so a client with more works only there.",
        violating=(
            example(
                _ANSWER,
                put("/0/request/url", "https://api.openai.com/v1/completions"),
                put(f"{_ASKED}/stop", ["1", "2", "3", "4", "5"]),
            ),
        ),
    ),
    "completions-max-tokens-missing": Statement(
        "A request with a raw prompt should set `max_tokens`.",
        "The default is 16 tokens, which truncates a tool call in its arguments.",
        cites=(f"OAT-Q-002 {_SCHEMAS}/CreateCompletionRequest/properties/max_tokens",),
        violating=(example(_ANSWER, drop(f"{_ASKED}/max_tokens"), at="0 request"),),
    ),
    "completions-stream-options-orphaned": Statement(
        "`stream_options` must be sent only with `stream: true`.",
        "Servers refuse the request with a 400.",
        cites=(f"OAT-Q-003 {_PARAMS}",),
        basis="sdk-type",
        violating=(example(_ANSWER, put(f"{_ASKED}/stream_options", {"include_usage": True})),),
        conforming=(example(_STREAM),),
    ),
    "completions-reply-field-missing": Statement(
        "A completion and its choices must have all the fields that the contract requires.",
        "Typed clients read the missing field as absent, and fail far from the cause.",
        violating=(
            example(_ANSWER, drop(f"{_REPLY}/id")),
            example(_ANSWER, drop(f"{_REPLY}/choices/0/text")),
            example(_ANSWER, drop(f"{_REPLY}/choices/0/finish_reason")),
            example(_ANSWER, drop(f"{_REPLY}/usage/total_tokens")),
        ),
    ),
    "completions-reply-field-wrong-type": Statement(
        "The fields of a completion and its choices must have the JSON types of the contract; ids must not be empty.",
        "Typed clients raise on the value, or fail later where they use it.",
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
        "The `object` of a completion and of each of its chunks must be `text_completion`.",
        "A client that chooses the parser by this field looks for a message instead of a text.",
        cites=(f"OAT-R-002 {_COMPLETION}/properties/object",),
        violating=(
            example(_ANSWER, put(f"{_REPLY}/object", "chat.completion")),
            example(_STREAM, put(f"{_EVENTS}/1/data/object", "chat.completion.chunk")),
        ),
        conforming=(example(_ANSWER), example(_STREAM), example(_FAILURE)),
    ),
    "completions-choices-empty": Statement(
        "A completion must have at least one choice.",
        "Clients read `choices[0]` and fail where the array is empty.",
        cites=(f"OAT-R-003 {_COMPLETION}/properties/choices",),
        violating=(example(_ANSWER, put(f"{_REPLY}/choices", [])),),
    ),
    "completions-finish-reason-unknown": Statement(
        "The finish reason of a text must be `stop`, `length` or `content_filter`.",
        "A client that does not know the value cannot tell a complete call from a truncated one.",
        cites=(f"OAT-R-004 {_COMPLETION}/properties/choices",),
        violating=(
            example(_ANSWER, put(f"{_REPLY}/choices/0/finish_reason", "tool_calls")),
            example(_STREAM, put(f"{_EVENTS}/2/data/choices/0/finish_reason", "eos")),
        ),
        conforming=(example(_ANSWER), example(_STREAM), example("openai-completions/cut-off")),
    ),
    "completions-chunk-malformed": Statement(
        "Every chunk and its choices must have the fields and types of a completion; the finish is null until the end.",
        "Clients concatenate the texts of the chunks: a chunk without a text breaks the whole reply.",
        cites=(f"OAT-S-004 {_COMPLETION}",),
        violating=(
            example(_STREAM, drop(f"{_EVENTS}/1/data/choices/0/text")),
            example(_STREAM, put(f"{_EVENTS}/1/data/choices/0/text", None)),
            example(_STREAM, drop(f"{_EVENTS}/0/data/choices/0/finish_reason")),
            example(_STREAM, drop(f"{_EVENTS}/0/data/id")),
        ),
    ),
    "completions-error-malformed": Statement(
        "The body of a failure must be an `error` object with a message and a type.",
        "Clients read the cause there, and decide by it whether to retry.",
        cites=(f"OAT-R-006 {_SCHEMAS}/ErrorResponse",),
        violating=(
            example(_FAILURE, put(_REPLY, {"detail": "Not Found"})),
            example(_FAILURE, drop(f"{_REPLY}/error/message")),
            example(_FAILURE, put(f"{_REPLY}/error/type", 404)),
        ),
    ),
    "completions-stream-error-malformed": Statement(
        "An error in a stream must be an object with a message and a type.",
        "The SDK shows the message; without it, the program learns only that something failed.",
        cites=(f"OAT-S-005 {_SCHEMAS}/ErrorResponse",),
        violating=(
            example(_STREAM, put(f"{_EVENTS}/1/data", {"error": "overloaded"}), at="0 response event/1/error"),
            example(_STREAM, put(f"{_EVENTS}/1/data", _FAILED), drop(f"{_EVENTS}/1/data/error/message")),
        ),
        conforming=(example(_STREAM), example(_STREAM, put(f"{_EVENTS}/1/data", _FAILED))),
    ),
}
