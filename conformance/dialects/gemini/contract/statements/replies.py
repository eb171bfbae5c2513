"""What the rules about a Gemini reply, a chunk of a stream and an error stand for."""

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
        "A successful response has at least one candidate, or a `promptFeedback.blockReason`.",
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
        "The content of a candidate has the role `model`.",
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
        "Every part of a reply is exactly one of text, call, file or code.",
        "A client reads the first field that it knows and loses the other, and ignores a part without any.",
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
        "A reply holds no `functionResponse`, and its parts are in camel case.",
        "The client answers calls, not the model. Typed clients do not find a field in another spelling.",
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
        "Every candidate of a reply has a finish reason.",
        "Without one, a truncated reply looks complete, and half a call is run.",
        cites=("GEM-R-004 recorded traffic 673/673",),
        basis="observed",
        violating=(example(_CALL, drop(f"{_CANDIDATE}/finishReason")),),
        conforming=(example(_CALL), example("gemini/blocked")),
    ),
    "gemini-identity-missing": Statement(
        "Every reply and every chunk has `modelVersion` and `responseId`.",
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
        "A reply has its prompt and total token counts.",
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
        "Every field of a reply has the JSON type that the API defines for it.",
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
        "Objects in a reply have the fields that a client cannot do without.",
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
        "Strings in a reply that lead somewhere are not empty.",
        "A picture without bytes shows nothing, an empty signature cannot be sent back.",
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
        "No field of a reply is null.",
        "Google leaves out what it does not have: clients in typed languages that expect that fail on the null.",
        cites=(f"GEM-R-001 {_TYPES} GenerateContentResponse",),
        violating=(example(_ANSWER, put(f"{_CANDIDATE}/safetyRatings", None)),),
        conforming=(example(_CALL), example(_STREAM)),
    ),
    "gemini-reply-value-unknown": Statement(
        "A field that takes a member of an enumeration has a member that the API defines, or its number.",
        "Clients that decide by the value take none of their branches. New members are no fault.",
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
        "Counts and indexes in a reply are not negative.",
        "Clients that add counts up, or look up by index, come out wrong.",
        cites=(f"GEM-R-001 {_TYPES} GenerateContentResponseUsageMetadata",),
        violating=(example(_CALL, put(f"{_USAGE}/cachedContentTokenCount", -1)),),
    ),
    "gemini-reply-value-malformed": Statement(
        "Times and durations in a reply are written as protocol buffers write them in JSON.",
        "Typed clients fail to parse them.",
        cites=("GEM-R-001 protobuf.dev/programming-guides/json",),
        violating=(example(_CALL, put(f"{_BODY}/createTime", "yesterday")),),
        conforming=(example(_CALL, put(f"{_BODY}/createTime", "2026-08-19T14:38:15.050708Z")),),
    ),
    "gemini-error-malformed": Statement(  # the rule of this name adds the HTTP status, and has the examples
        'The body of an error response is `{"error": {code, message, status}}`.',
        "Clients tell a bad key, a quota and an overload apart by these fields.",
        cites=("GEM-R-011 google-genai 2.34 google/genai/errors.py",),
        basis="sdk-type",
    ),
    "gemini-error-field-wrong-type": Statement(
        "The body of an error response is an object, or an array of one.",
        "Clients find no error there, and tell their user that something went wrong.",
        cites=("GEM-R-011 google-genai 2.34 google/genai/errors.py",),
        basis="sdk-type",
        violating=(example("gemini/failure", put(_BODY, 7), at="0 response"),),
        conforming=(example("gemini/failure"),),
    ),
}
