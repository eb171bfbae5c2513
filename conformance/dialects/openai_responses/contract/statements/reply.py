"""What the rules about replies and failures stand for."""

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
        "Every output item has the fields that its type requires, of the right types.",
        "A call without a `call_id` can not be answered; an item without an `id` can not be followed through a stream.",
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
        "A finished response counts its tokens: input, output, their details, and a total.",
        "Typed clients fail on a missing count; budgets are kept from these numbers.",
        cites=(f"OAR-R-011 {_SPEC}/ResponseUsage", "OAR-R-011 recorded traffic 253/253"),
        basis="schema",
        violating=(
            example(_CALL, drop(f"{_BODY}/usage/output_tokens_details")),
            example(_CALL, put(f"{_BODY}/usage", None), at="0 response /status"),
        ),
        conforming=(example(_CALL), example(_STREAM)),
    ),
    "responses-response-malformed": Statement(
        "A response object has the fourteen fields that the contract requires, and its fields their types.",
        "Typed clients read them without asking whether they are there.",
        cites=(
            f"OAR-R-001 {_SPEC}/Response",
            "OAR-R-001 recorded traffic 253/253",
        ),
        basis="schema",
        violating=(
            example(_CALL, drop(f"{_BODY}/output")),
            example(_CALL, put(f"{_BODY}/object", "chat.completion")),
            example(_CALL, put(f"{_BODY}/parallel_tool_calls", None)),
            example(_STREAM, put(f"{_FINAL}/output/0", "get_weather")),
            example(_STREAM, drop(f"{_FINAL}/tools")),
            example(_CALL, put(_BODY, [])),
        ),
    ),
    "responses-status-invalid": Statement(
        "A finished response has one of the documented statuses, and gives the reason where it was not completed.",
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
        "Output items and the parts of messages are of types that the contract names.",
        "New types are no fault, but a client that does not know one passes it over.",
        cites=("OAR-R-003 openai 2.54 types/responses/response_output_item.py",),
        basis="sdk-type",
        violating=(
            example(_CALL, put(f"{_BODY}/output/0/type", "function_cal")),
            example(_ANSWER, put(f"{_BODY}/output/0/content/0/type", "text")),
        ),
    ),
    "responses-output-text-unexpected": Statement(
        "`output_text` is not on the wire.",
        "SDKs compute it from the items. A client that reads a server's own gets nothing from all others.",
        cites=("OAR-R-010 recorded traffic 253/253",),
        basis="observed",
        violating=(example(_ANSWER, put(f"{_BODY}/output_text", "14.2 °C")),),
    ),
    "responses-error-malformed": Statement(
        "The body of a failure is an `error` object with message, type, param and code.",
        "SDKs take the exception's text and its code from there; without them the caller sees only a status.",
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
