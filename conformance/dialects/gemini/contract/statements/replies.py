"""Statements and examples of the contract's rules about a Gemini reply, a chunk of a stream and an error."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.judge.contract.statement import Statement
from conformance.judge.example import drop, example, insert, put

_CALL, _ANSWER = "gemini/call", "gemini/answer"
_STREAM = "gemini/stream-call"
_BODY = "/0/response/body"
_CANDIDATE = f"{_BODY}/candidates/0"
_PART = f"{_CANDIDATE}/content/parts/0"
_EVENTS = "/0/response/events"
_TYPES = "google-genai 2.34 google/genai/types.py"
_USAGE = f"{_BODY}/usageMetadata"

STATEMENTS: Mapping[str, Statement] = {
    "gemini-candidates-missing": Statement(
        "A successful response must have at least one candidate, or a `promptFeedback.blockReason`.",
        "SDKs read the first candidate without a check; without a reason, a block looks like a fault.",
        cites=(f"GEM-R-001 {_TYPES} GenerateContentResponse",),
        basis="sdk-type",
        violating=(
            example(_CALL, drop(f"{_BODY}/candidates")),
            example(_CALL, put(f"{_BODY}/candidates", [])),
            example("gemini/blocked", drop(f"{_BODY}/promptFeedback/blockReason"), at="0 response"),
        ),
        conforming=(example(_CALL), example("gemini/blocked")),
    ),
    "gemini-reply-role-wrong": Statement(
        "The content of a candidate must have the role `model`.",
        "Clients append it to the history unchanged; with another role the next request is refused.",
        cites=("GEM-R-002 recorded traffic 245/245",),
        basis="observed",
        violating=(
            example(_CALL, put(f"{_CANDIDATE}/content/role", "assistant")),
            example(_CALL, drop(f"{_CANDIDATE}/content/role")),
            example(_STREAM, put(f"{_EVENTS}/1/data/candidates/0/content/role", "user")),
        ),
        conforming=(
            example(_CALL),
            example(_STREAM),
            example(_CALL, drop(f"{_CANDIDATE}/content"), put(f"{_CANDIDATE}/finishReason", "MALFORMED_FUNCTION_CALL")),
        ),
    ),
    "gemini-reply-part-ambiguous": Statement(
        "Every part of a reply must be exactly one of text, call, file or code.",
        "Clients read the first known field and lose the other, and ignore a part without any.",
        cites=(f"GEM-Q-015 {_TYPES} Part", "GEM-R-003 recorded traffic 1219/1219"),
        basis="sdk-type",
        violating=(
            example(
                _CALL,
                put(f"{_CANDIDATE}/content/parts/1/text", "and"),
                at="0 response /candidates/0/content/parts/1/functionCall",
            ),
            example(_CALL, insert(f"{_CANDIDATE}/content/parts/2", {"hologram": {}})),
            example("gemini/stream-answer", drop(f"{_EVENTS}/1/data/candidates/0/content/parts/0/text")),
        ),
        conforming=(example(_CALL), example(_STREAM), example("gemini/stream-answer")),
    ),
    "gemini-reply-part-misplaced": Statement(
        "A reply must not have a `functionResponse`, and its parts must be in camel case.",
        "Calls are answered by the client, not by the model. Typed clients do not find a field in another spelling.",
        cites=(f"GEM-R-012 {_TYPES} Part",),
        basis="observed",
        violating=(
            example(
                _CALL,
                put(
                    f"{_PART}/function_call",
                    {"name": "get_weather", "args": {"latitude": 37.57, "longitude": 126.98}},
                ),
                drop(f"{_PART}/functionCall"),
                at="0 response /candidates/0/content/parts/0/function_call",
            ),
            example(
                _ANSWER,
                put(_PART, {"functionResponse": {"name": "get_weather", "response": {}}}),
                at="0 response /candidates/0/content/parts/0/functionResponse",
            ),
        ),
        conforming=(example(_CALL), example(_STREAM)),
    ),
    "gemini-finish-reason-missing": Statement(
        "Every candidate of a reply must have a finish reason.",
        "Without one, a truncated reply looks complete, and a client runs an incomplete call.",
        cites=("GEM-R-004 recorded traffic 673/673",),
        basis="observed",
        violating=(example(_CALL, drop(f"{_CANDIDATE}/finishReason")),),
        conforming=(example(_CALL), example("gemini/blocked")),
    ),
    "gemini-identity-missing": Statement(
        "Every reply and every chunk must have `modelVersion` and `responseId`.",
        "An alias in the URL hides the model that replied, and support asks for the id.",
        cites=("GEM-R-010 recorded traffic 242/245",),
        basis="observed",
        violating=(
            example(_CALL, drop(f"{_BODY}/modelVersion")),
            example(_STREAM, drop(f"{_EVENTS}/1/data/responseId")),
            example(_CALL, put(f"{_BODY}/responseId", "")),
        ),
    ),
    "gemini-usage-missing": Statement(
        "A reply must have its prompt and total token counts.",
        "Clients with a budget count nothing if the usage is missing.",
        cites=("GEM-R-009 recorded traffic 673/673",),
        basis="observed",
        violating=(
            example(_CALL, drop(_USAGE)),
            example(_CALL, drop(f"{_USAGE}/totalTokenCount")),
            example(_CALL, drop(f"{_USAGE}/promptTokenCount")),
        ),
        conforming=(example(_CALL), example("gemini/blocked")),
    ),
    "gemini-reply-field-wrong-type": Statement(
        "Every field of a reply must have the JSON type that the API defines for it.",
        "Typed clients (Go, Java, Swift) fail on the whole reply for one wrong type.",
        cites=(f"GEM-R-003 {_TYPES} FunctionCall", f"GEM-R-001 {_TYPES} GenerateContentResponse"),
        basis="sdk-type",
        violating=(
            example(_CALL, put(f"{_PART}/functionCall/id", 7)),
            example(_CALL, put(f"{_USAGE}/totalTokenCount", "197")),
            example(_STREAM, put(f"{_EVENTS}/0/data/candidates/0/content/parts/0", "get_weather")),
            example(_CALL, put(f"{_CANDIDATE}/finishReason", None)),
            example(_CALL, put(_BODY, [1]), at="0 response"),
        ),
        conforming=(example(_CALL), example(_STREAM), example("gemini/thinking-run")),
    ),
    "gemini-reply-field-missing": Statement(
        "Objects in a reply must have the fields that clients need.",
        "Clients read the missing field and fail far from the cause.",
        cites=(f"GEM-R-001 {_TYPES} Blob",),
        violating=(
            example(
                _ANSWER,
                put(_PART, {"inlineData": {"mimeType": "image/png"}}),
                at="0 response /candidates/0/content/parts/0/inlineData",
            ),
        ),
    ),
    "gemini-reply-field-empty": Statement(
        "Data, links and signatures in a reply must not be empty.",
        "An image without bytes cannot be shown, and an empty signature cannot be sent back.",
        cites=(f"GEM-R-001 {_TYPES} Blob",),
        violating=(
            example(
                _ANSWER,
                put(_PART, {"inlineData": {"mimeType": "image/png", "data": ""}}),
                at="0 response /candidates/0/content/parts/0/inlineData/data",
            ),
        ),
    ),
    "gemini-reply-field-null": Statement(
        "A field of a reply should not be null.",
        "Google omits fields without a value; clients in typed languages that rely on it fail on the null.",
        cites=(f"GEM-R-001 {_TYPES} GenerateContentResponse",),
        violating=(example(_ANSWER, put(f"{_CANDIDATE}/safetyRatings", None)),),
        conforming=(example(_CALL), example(_STREAM)),
    ),
    "gemini-reply-value-unknown": Statement(
        "The value of an enumeration field should be a member that the API defines, or its number.",
        "Clients that decide by the value do not handle it. New members are not a fault.",
        cites=(f"GEM-R-001 {_TYPES}",),
        violating=(
            example(
                _ANSWER,
                put(f"{_USAGE}/promptTokensDetails", [{"modality": "SMELL", "tokenCount": 1}]),
                at="0 response /usageMetadata/promptTokensDetails/0/modality",
            ),
        ),
        conforming=(example(_ANSWER, put(f"{_USAGE}/promptTokensDetails", [{"modality": 1, "tokenCount": 1}])),),
    ),
    "gemini-reply-value-out-of-range": Statement(
        "Counts and indexes in a reply must not be negative.",
        "Clients that add counts up, or look candidates up by index, get wrong results.",
        cites=(f"GEM-R-001 {_TYPES} GenerateContentResponseUsageMetadata",),
        violating=(example(_CALL, put(f"{_USAGE}/cachedContentTokenCount", -1)),),
    ),
    "gemini-reply-value-malformed": Statement(
        "Times and durations in a reply must have the JSON form of protocol buffers.",
        "Typed clients fail to parse them.",
        cites=("GEM-R-001 protobuf.dev/programming-guides/json",),
        violating=(example(_CALL, put(f"{_BODY}/createTime", "yesterday")),),
        conforming=(example(_CALL, put(f"{_BODY}/createTime", "2026-08-19T14:38:15.050708Z")),),
    ),
    "gemini-error-malformed": Statement(  # the rule of this name adds the HTTP status, and has the examples
        'The body of an error response must be `{"error": {code, message, status}}`.',
        "Clients distinguish a bad key, a quota and an overload by these fields.",
        cites=("GEM-R-011 google-genai 2.34 google/genai/errors.py",),
        basis="sdk-type",
    ),
    "gemini-error-field-wrong-type": Statement(
        "The body of an error response must be an object, or an array of one.",
        "Otherwise clients find no error in it, and can report only an unknown failure.",
        cites=("GEM-R-011 google-genai 2.34 google/genai/errors.py",),
        basis="sdk-type",
        violating=(example("gemini/failure", put(_BODY, 7), at="0 response"),),
        conforming=(example("gemini/failure"),),
    ),
}
