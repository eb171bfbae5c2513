"""Statements and examples of the contract's rules about the contents of a Gemini request and their parts."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.judge.contract.statement import Statement
from conformance.judge.example import drop, example, insert, put

_CALL, _ANSWER, _SNAKE = "gemini/call", "gemini/answer", "gemini/snake-case"
_CONTENTS = "/0/request/body/contents"
_RESULT = f"{_CONTENTS}/2/parts/0/functionResponse"
_TYPES = "google-genai 2.34 google/genai/types.py"

STATEMENTS: Mapping[str, Statement] = {
    "gemini-role-unknown": Statement(
        "The role of a content must be `user` or `model` (or the old `function`); without a role, it is the user's.",
        "The server refuses any other role with a 400. System text has a field of its own, `systemInstruction`.",
        cites=(
            f"GEM-Q-002 {_TYPES} Content",
            "GEM-Q-003 google-genai 2.34 google/genai/models.py systemInstruction",
        ),
        basis="documented",
        violating=(
            example(_ANSWER, put(f"{_CONTENTS}/1/role", "assistant")),
            example(_CALL, put(f"{_CONTENTS}/0/role", "system"), at="0 request /contents/0"),
            example(_CALL, put(f"{_CONTENTS}/0/role", 1)),
        ),
        conforming=(
            example(_ANSWER),
            example(_CALL, put("/0/request/body/systemInstruction", {"parts": [{"text": "Be brief."}]})),
            example(_CALL, drop(f"{_CONTENTS}/0/role")),
            example(_CALL, put(f"{_CONTENTS}/0/role", None)),
        ),
    ),
    "gemini-parts-missing": Statement(
        "Every content must have at least one part.",
        "The server refuses an empty content with a 400; a client that filters parts must also drop the empty content.",
        cites=(f"GEM-Q-002 {_TYPES} Content",),
        basis="sdk-type",
        violating=(
            example(_CALL, drop(f"{_CONTENTS}/0/parts")),
            example(_ANSWER, put(f"{_CONTENTS}/2/parts", [])),
        ),
    ),
    "gemini-part-ambiguous": Statement(
        "Every part must be exactly one of text, call, response, file or code, or only a signature.",
        "The fields are one protobuf `oneof`: if none or two of them are set, the server refuses the request.",
        cites=(f"GEM-Q-015 {_TYPES} Part", "GEM-Q-015 QuantumNous/new-api#632"),
        basis="sdk-type",
        bugs=("QuantumNous/new-api#632",),
        violating=(
            example(
                _ANSWER,
                put(f"{_CONTENTS}/1/parts/0/text", "I look."),
                at="0 request /contents/1/parts/0/functionCall",
            ),
            example(_ANSWER, put(f"{_CONTENTS}/1/parts/1", {})),
        ),
        conforming=(
            example(_ANSWER),
            example(_SNAKE),
            example(_CALL, insert(f"{_CONTENTS}/0/parts/1", {"thoughtSignature": "Eg=="})),
        ),
    ),
    "gemini-history-args-wrong-type": Statement(
        "The `args` of a call in the history must be a JSON object.",
        "In other dialects they are a string, for which the server refuses the request.",
        cites=(f"GEM-Q-014 {_TYPES} FunctionCall",),
        basis="sdk-type",
        violating=(
            example(
                _ANSWER,
                put(f"{_CONTENTS}/1/parts/0/functionCall/args", '{"latitude": 37.57, "longitude": 126.98}'),
            ),
        ),
        conforming=(example(_ANSWER), example(_ANSWER, put(f"{_CONTENTS}/1/parts/0/functionCall/args", {}))),
    ),
    "gemini-result-wrong-type": Statement(
        "The `response` of a function response must be a JSON object.",
        "It is a protobuf Struct: a bare number, string or list is refused with a 400. "
        "Without one (a warning), the model gets no result.",
        cites=(
            "GEM-Q-012 vercel/ai#3589",
            f"GEM-Q-012 {_TYPES} FunctionResponse",
            f"MAP-011 {_TYPES} FunctionResponse",
        ),
        basis="observed",
        bugs=("vercel/ai#3589", "AstrBotDevs/AstrBot#7216"),
        violating=(
            example(_ANSWER, put(f"{_RESULT}/response", 1684713600000)),
            example(_ANSWER, put(f"{_RESULT}/response", [1, 2])),
            example(_ANSWER, drop(f"{_RESULT}/response")),
        ),
        conforming=(example(_ANSWER), example(_SNAKE), example(_ANSWER, put(f"{_RESULT}/response", {}))),
    ),
    "gemini-result-name-missing": Statement(
        "A function response must have the name of its function.",
        "The name is required: calls of most models have no id, so only the name identifies the call.",
        cites=(f"GEM-Q-013 {_TYPES} FunctionResponse.name",),
        basis="sdk-type",
        violating=(
            example(_ANSWER, drop(f"{_RESULT}/name")),
            example(_ANSWER, put(f"{_RESULT}/name", "")),
        ),
        conforming=(example(_ANSWER), example(_SNAKE)),
    ),
    "gemini-result-role-wrong": Statement(
        "Function responses must have the role `user`, and calls the role `model`.",
        "The old value `function` is no longer documented (a warning); any other role puts the part on the wrong side.",
        cites=("GEM-C-010 recorded traffic 117/117",),
        basis="observed",
        violating=(
            example(_ANSWER, put(f"{_CONTENTS}/2/role", "function")),
            example(
                _ANSWER,
                put(f"{_CONTENTS}/2/role", "model"),
                drop(f"{_CONTENTS}/2/parts/1"),
                at="0 request /contents/2/parts/0/functionResponse",
            ),
        ),
    ),
}
