"""Statements and examples of the contract's rules about replies and failures."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.judge.contract.statement import Statement
from conformance.judge.example import drop, example, put

_CALL, _ANSWER = "openai-responses/call", "openai-responses/answer"
_STREAM, _FAILURE = "openai-responses/stream-call", "openai-responses/failure"
_BODY = "/0/response/body"
_FINAL = "/0/response/events/12/data/response"
_SPEC = "openai/openai-openapi openapi.json#/components/schemas"

STATEMENTS: Mapping[str, Statement] = {
    "responses-output-item-malformed": Statement(
        "Every output item must have the fields that its type requires, with the right types.",
        "A call without a `call_id` cannot be answered; an item without an `id` cannot be followed through a stream.",
        cites=(f"OAR-R-003 {_SPEC}/FunctionToolCallResource", "OAR-R-003 recorded traffic 73/73"),
        basis="schema",
        bugs=("ggml-org/llama.cpp#24882", "theopenco/llmgateway#2287"),
        violating=(
            example(_CALL, drop(f"{_BODY}/output/0/call_id")),
            example(_CALL, drop(f"{_BODY}/output/1/id")),
            example(_CALL, put(f"{_BODY}/output/0/arguments", {"latitude": 1})),
            example(_ANSWER, put(f"{_BODY}/output/0/content", "14.2")),
            example(_ANSWER, drop(f"{_BODY}/output/0/content/0/annotations")),
            example(_STREAM, drop(f"{_FINAL}/output/0/call_id")),
            example(_CALL, put(f"{_BODY}/output/0/call_id", "")),
        ),
        conforming=(example(_CALL), example(_ANSWER), example("openai-responses/reasoning-run")),
    ),
    "responses-usage-malformed": Statement(
        "A finished response must have its token counts: input, output, their details, and a total.",
        "Typed clients fail on a missing count, and budgets rely on these numbers.",
        cites=(f"OAR-R-011 {_SPEC}/ResponseUsage", "OAR-R-011 recorded traffic 253/253"),
        basis="schema",
        violating=(
            example(_CALL, drop(f"{_BODY}/usage/output_tokens_details")),
            example(_CALL, put(f"{_BODY}/usage", None), at="0 response /status"),
        ),
        conforming=(example(_CALL), example(_STREAM)),
    ),
    "responses-response-malformed": Statement(
        "A response object must have the fourteen required fields, and every field must have its type.",
        "Typed clients read them without checking that they exist.",
        cites=(
            f"OAR-R-001 {_SPEC}/Response",
            "OAR-R-001 recorded traffic 253/253",
        ),
        basis="schema",
        bugs=("onyx-dot-app/onyx#13624",),
        violating=(
            example(_CALL, drop(f"{_BODY}/output")),
            example(_CALL, put(f"{_BODY}/object", "chat.completion")),
            example(_CALL, put(f"{_BODY}/parallel_tool_calls", None)),
            example(_STREAM, put(f"{_FINAL}/output/0", "get_weather")),
            example(_STREAM, drop(f"{_FINAL}/tools")),
            example(_CALL, drop(f"{_BODY}/tools/0/strict")),
            example(_CALL, put(_BODY, [])),
        ),
    ),
    "responses-status-invalid": Statement(
        "A finished response must have a documented status, and a reason if it was not completed.",
        "There is no status for tool calls: a turn that wants tools is `completed`. `incomplete` names a reason, "
        "`failed` has an error with a code and a message.",
        cites=(
            f"OAR-R-002 {_SPEC}/Response",
            "OAR-R-007 recorded traffic 69/69",
        ),
        basis="schema",
        violating=(
            example(_CALL, put(f"{_BODY}/status", "requires_action")),
            example(_CALL, put(f"{_BODY}/status", "in_progress")),
            example(_CALL, drop(f"{_BODY}/status")),
            example(_ANSWER, put(f"{_BODY}/status", "incomplete"), at="0 response /status"),
            example(
                _ANSWER,
                put(f"{_BODY}/error", {"message": "Try again."}),
                put(f"{_BODY}/status", "failed"),
            ),
        ),
        conforming=(
            example(_CALL),
            example(
                _ANSWER,
                put(f"{_BODY}/status", "incomplete"),
                put(f"{_BODY}/incomplete_details", {"reason": "max_output_tokens"}),
                put(f"{_BODY}/output/0/status", "incomplete"),
            ),
        ),
    ),
    "responses-type-unknown": Statement(
        "Output items and message parts should have documented types.",
        "New types are not an error, but clients ignore unknown ones.",
        cites=("OAR-R-003 openai 2.54 types/responses/response_output_item.py",),
        basis="sdk-type",
        violating=(
            example(_CALL, put(f"{_BODY}/output/0/type", "function_cal")),
            example(_ANSWER, put(f"{_BODY}/output/0/content/0/type", "text")),
        ),
    ),
    "responses-type-empty": Statement(
        "The type of an item, a part or a tool in a reply must not be empty.",
        "Clients ignore an object without a type.",
        cites=(f"OAR-R-001 {_SPEC}/OutputItem",),
        violating=(
            example(_CALL, put(f"{_BODY}/output/0/type", "")),
            example(_STREAM, put("/0/response/events/2/data/item/type", "")),
        ),
        conforming=(example(_CALL), example(_STREAM)),
    ),
    "responses-output-text-unexpected": Statement(
        "`output_text` must not be on the wire.",
        "SDKs compute it from the items. A client that reads it from one server gets nothing from all others.",
        cites=("OAR-R-010 recorded traffic 253/253",),
        basis="observed",
        violating=(example(_ANSWER, put(f"{_BODY}/output_text", "14.2 °C")),),
    ),
    "responses-error-malformed": Statement(
        "The body of an error response must have an `error` object with message, type, param and code.",
        "SDKs read the exception's text and code from it; without them the caller sees only a status.",
        cites=(f"OAR-R-012 {_SPEC}/ErrorResponse",),
        basis="schema",
        violating=(
            example(_FAILURE, put(_BODY, {"detail": "no key"})),
            example(_FAILURE, drop(f"{_BODY}/error/code")),
            example(_FAILURE, put(f"{_BODY}/error", "no key")),
            example(_FAILURE, put(f"{_BODY}/error/message", None)),
            example(_FAILURE, put(_BODY, "<html>")),
        ),
    ),
}
