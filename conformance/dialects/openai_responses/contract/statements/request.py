"""Statements and examples of the contract's rules about the fields of a request and the items of its input."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.judge.contract.statement import Statement
from conformance.judge.example import drop, example, put

_CALL, _ANSWER, _RUN = "openai-responses/call", "openai-responses/answer", "openai-responses/run"
_BODY = "/0/request/body"
_SPEC = "openai/openai-openapi openapi.json#/components/schemas"

STATEMENTS: Mapping[str, Statement] = {
    "responses-request-field-wrong-type": Statement(
        "The fields of a request must have the documented types, and the request must have an input.",
        "The server refuses the request with a 400 that names the field.",
        cites=(f"OAR-Q-006 {_SPEC}/CreateResponse",),
        basis="schema",
        violating=(
            example(_CALL, put(f"{_BODY}/input", {"role": "user", "content": "Hello"})),
            example(_CALL, put(f"{_BODY}/stream", "false")),
            example(_CALL, put(f"{_BODY}/max_output_tokens", "100")),
            example(_CALL, drop(f"{_BODY}/input")),
        ),
        conforming=(
            example(_CALL),
            example(_CALL, put(f"{_BODY}/input", "Hello")),
        ),
    ),
    "responses-message-role-unknown": Statement(
        "A message in the input must have the role user, assistant, system or developer.",
        "The role tool belongs to Chat; here a result is an item, and the server refuses the role with a 400.",
        cites=("OAR-Q-006 Chevey339/kelivo#281",),
        basis="observed",
        bugs=("Chevey339/kelivo#281",),
        violating=(
            example(
                _CALL,
                put(f"{_BODY}/input/0", {"role": "tool", "tool_call_id": "call_1", "content": "14.2"}),
                at="0 request /input/0/role",
            ),
        ),
        conforming=(
            example(_ANSWER),
            example(_CALL, put(f"{_BODY}/input/0/role", "developer")),
        ),
    ),
    "responses-input-item-malformed": Statement(
        "Every item of the input must have the fields that its type requires, with the right types.",
        "A result must be text or an array of content parts, and arguments must be text; otherwise the server returns "
        "a 400.",
        cites=(
            f"OAR-Q-007 {_SPEC}/FunctionToolCall",
            f"OAR-Q-008 {_SPEC}/FunctionCallOutputItemParam",
        ),
        basis="schema",
        violating=(
            example(_ANSWER, put(f"{_BODY}/input/1/arguments", {"latitude": 1})),
            example(_ANSWER, put(f"{_BODY}/input/3/output", {"temperature": 14})),
            example(_ANSWER, drop(f"{_BODY}/input/3/call_id")),
            example(
                _ANSWER, put(f"{_BODY}/input/0/content", [{"type": "input_text"}]), at="0 request /input/0/content/0"
            ),
            example(_ANSWER, put(f"{_BODY}/input/4/output", ["17.9"]), at="0 request /input/4/output/0"),
        ),
        conforming=(
            example(_ANSWER),
            example(_ANSWER, put(f"{_BODY}/input/3/output", [{"type": "input_text", "text": "14.2"}])),
        ),
    ),
    "responses-call-id-too-long": Statement(
        "A `call_id` in the input must have 1 to 64 characters.",
        "Ids from another provider, or joined by a client, are often longer; the server returns a 400.",
        cites=(
            f"OAR-Q-008 {_SPEC}/FunctionCallOutputItemParam",
            "OAR-Q-008 orchidfiles/ungate#26",
        ),
        basis="documented",
        bugs=(
            "orchidfiles/ungate#26",
            "AnswerDotAI/fastllm#45",
        ),
        violating=(
            example(_ANSWER, put(f"{_BODY}/input/3/call_id", "c" * 65)),
            example(_ANSWER, put(f"{_BODY}/input/1/call_id", "")),
        ),
    ),
    "responses-max-output-tokens-out-of-range": Statement(
        "`max_output_tokens` must be at least 16.",
        "The server refuses a smaller number with a 400.",
        cites=(f"OAR-Q-010 {_SPEC}/CreateResponse",),
        basis="documented",
        violating=(example(_CALL, put(f"{_BODY}/max_output_tokens", 5)),),
        conforming=(example(_CALL, put(f"{_BODY}/max_output_tokens", 16)),),
    ),
    "responses-histories-conflicting": Statement(
        "A request must not continue both an earlier response and a conversation.",
        "The server cannot tell which history to use.",
        cites=(f"OAR-Q-011 {_SPEC}/CreateResponse",),
        basis="documented",
        violating=(example("openai-responses/run-previous", put("/1/request/body/conversation", "conv_1")),),
    ),
    "responses-stream-options-orphaned": Statement(
        "`stream_options` must be sent only in a streaming request.",
        "Without a stream it has no meaning, and the contract allows it only there.",
        cites=(f"OAR-Q-012 {_SPEC}/ResponseStreamOptions",),
        basis="documented",
        violating=(example(_CALL, put(f"{_BODY}/stream_options", {"include_obfuscation": False})),),
        conforming=(
            example("openai-responses/stream-call", put(f"{_BODY}/stream_options", {"include_obfuscation": False})),
        ),
    ),
    "responses-input-empty": Statement(
        "A request without a stored response, conversation or prompt must have an input that is not empty.",
        "The server refuses an empty input: a client that trims its history can drop the question with it.",
        cites=(f"OAR-Q-006 {_SPEC}/CreateResponse",),
        basis="documented",
        violating=(example(_CALL, put(f"{_BODY}/input", [])),),
        conforming=(
            example(_CALL),
            example(_RUN),
            example("openai-responses/run-previous"),
        ),
    ),
}
