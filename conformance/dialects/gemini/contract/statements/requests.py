"""Statements and examples of the contract's rules about a whole Gemini request."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.judge.contract.statement import Statement
from conformance.judge.example import drop, example, insert, put

_CALL, _ANSWER, _FORCED = "gemini/call", "gemini/answer", "gemini/forced-call"
_BODY = "/0/request/body"
_CONTENTS = f"{_BODY}/contents"
_CONFIG = f"{_BODY}/generationConfig"
_AT = "0 request /generationConfig"
_MODE = f"{_BODY}/toolConfig/functionCallingConfig/mode"
_TYPES = "google-genai 2.34 google/genai/types.py"
_MANY_LABELS = {f"label_{number}": "a" for number in range(65)}

STATEMENTS: Mapping[str, Statement] = {
    "gemini-contents-missing": Statement(
        "A request must have `contents` that are not empty.",
        "Without contents, the server refuses the request with a 400.",
        cites=("GEM-Q-001 google-genai 2.34 google/genai/models.py",),
        basis="sdk-type",
        violating=(
            example(_CALL, drop(_CONTENTS)),
            example(_CALL, put(_CONTENTS, [])),
            example(_CALL, put(_CONTENTS, "How warm is it?")),
        ),
        conforming=(example(_CALL), example("gemini/snake-case")),
    ),
    "gemini-request-field-wrong-type": Statement(
        "Every field of a request must have the JSON type that the API defines for it.",
        "Google's parser is strict: it refuses the whole request for one wrong type.",
        cites=(f"GEM-Q-010 {_TYPES} ToolConfig", f"GEM-C-004 {_TYPES} FunctionCall"),
        basis="sdk-type",
        violating=(
            example(_CALL, put(f"{_CONTENTS}/0/parts/0/text", 7)),
            example(
                _ANSWER,
                put(f"{_CONTENTS}/1/parts/0/functionCall/id", 1),
                drop(f"{_CONTENTS}/2/parts/0/functionResponse/id"),
                at="0 request /contents/1/parts/0/functionCall/id",
            ),
            example(_ANSWER, put(f"{_CONTENTS}/1/parts/0/thoughtSignature", ["x"])),
            example(_CALL, put(f"{_BODY}/tools/0/functionDeclarations/0/description", 1)),
            example(_CALL, put(_CONFIG, {"temperature": "warm"}), at=f"{_AT}/temperature"),
            example(_FORCED, put(f"{_BODY}/toolConfig/functionCallingConfig/allowedFunctionNames", "get_weather")),
        ),
        conforming=(
            example(_ANSWER),
            example("gemini/snake-case"),
            example(_FORCED),
            example(_CALL, put(_CONFIG, {"temperature": "0.5", "seed": "7"})),
        ),
    ),
    "gemini-request-field-missing": Statement(
        "Messages in a request must have their required fields.",
        "The server refuses the request, or cannot interpret the rest of the message.",
        cites=(f"GEM-Q-022 {_TYPES}",),
        basis="sdk-type",
        violating=(
            example(
                _CALL,
                put(f"{_CONTENTS}/0/parts/0", {"inlineData": {"data": "eA=="}}),
                at="0 request /contents/0/parts/0/inlineData",
            ),
        ),
    ),
    "gemini-request-field-unknown": Statement(
        "A request must have only fields that the API defines for its platform.",
        'Google\'s parser refuses an unknown name with a 400: "Cannot find field". Usual causes '
        "are fields of other APIs or of the other platform.",
        cites=("GEM-Q-018 zed-industries/zed#44875", "GEM-Q-021 google-genai 2.34 google/genai/models.py"),
        basis="observed",
        violating=(
            example(_CALL, put(f"{_BODY}/stream", True)),
            example(_CALL, put(f"{_BODY}/unheardOf", True)),
            example(_CALL, put(f"{_BODY}/temperature", 0.5)),
            example(_CALL, put(f"{_CONTENTS}/0/content", "Hi")),
            example(_ANSWER, put(f"{_CONTENTS}/2/parts/0/functionResponse/is_error", True)),
            example(_CALL, put(f"{_BODY}/tools/0/functions", [])),
            example(_CALL, put(f"{_BODY}/tools/0/functionDeclarations/0/strict", True)),
            example(_CALL, put(_CONFIG, {"audioTimestamp": True}), at=f"{_AT}/audioTimestamp"),
        ),
        conforming=(example(_ANSWER), example("gemini/snake-case"), example(_CALL, put(f"{_BODY}/model", "m"))),
    ),
    "gemini-request-field-empty": Statement(
        "Strings and arrays in a request that need content must not be empty.",
        "The server refuses the request, or does not find the data.",
        cites=(f"GEM-Q-022 {_TYPES}",),
        violating=(
            example(
                _CALL,
                put(f"{_CONTENTS}/0/parts/0", {"fileData": {"fileUri": "", "mimeType": "text/plain"}}),
                at="0 request /contents/0/parts/0/fileData/fileUri",
            ),
        ),
    ),
    "gemini-request-field-deprecated": Statement(
        "A request should not have deprecated fields.",
        "Google removes deprecated fields, and refuses them from then on.",
        cites=(f"GEM-Q-022 {_TYPES}",),
        violating=(
            example(
                _ANSWER,
                insert(f"{_BODY}/tools/1", {"googleMaps": {"enableWidget": True}}),
                put(f"{_BODY}/toolConfig", {"includeServerSideToolInvocations": True}),
                at="0 request /tools/1/googleMaps/enableWidget",
            ),
        ),
    ),
    "gemini-field-spellings-conflicting": Statement(
        "A field of the body must not be in both spellings, camelCase and snake_case.",
        "The server reads them as the same field: it loses one of the values, or refuses the request.",
        cites=("GEM-Q-001 protobuf.dev/programming-guides/json",),
        basis="documented",
        violating=(
            example(
                _CALL,
                put(f"{_BODY}/tool_config", {}),
                put(f"{_BODY}/toolConfig", {}),
                at="0 request /tool_config",
            ),
        ),
        conforming=(example("gemini/snake-case"),),
    ),
    "gemini-calling-mode-unknown": Statement(
        "The calling mode must be AUTO, ANY, NONE or VALIDATED, in any case, or the number of one.",
        "The server refuses values of other dialects (`required`, `tool`).",
        cites=(f"GEM-Q-010 {_TYPES} FunctionCallingConfigMode", "LCB-Q-003 requests of langchain-google-genai 4.4.2"),
        basis="sdk-type",
        violating=(example(_FORCED, put(_MODE, "required")), example(_FORCED, put(_MODE, 9))),
        conforming=(example(_FORCED), example(_FORCED, put(_MODE, "any")), example(_FORCED, put(_MODE, 2))),
    ),
    "gemini-request-value-out-of-range": Statement(
        "Numbers in a request must be within their documented range.",
        "The server refuses the request and names the range.",
        cites=("GEM-Q-022 recorded 400", "OAC-Q-025 recorded 400"),
        basis="observed",
        bugs=("genkit-ai/genkit#1397", "RooCodeInc/Roo-Code#4399"),
        violating=(
            example(_CALL, put(_CONFIG, {"temperature": 2.5}), at=f"{_AT}/temperature"),
            example(_CALL, put(_CONFIG, {"max_output_tokens": 0}), at=f"{_AT}/max_output_tokens"),
            example(_CALL, put(_CONFIG, {"topP": "1.5"}), at=f"{_AT}/topP"),
            example(
                "gemini/thinking-run",
                put(_CONFIG, {"thinkingConfig": {"thinkingBudget": 52428}}),
                at=f"{_AT}/thinkingConfig/thinkingBudget",
            ),
        ),
        conforming=(example(_CALL, put(_CONFIG, {"temperature": 2, "topK": 64, "maxOutputTokens": 1})),),
    ),
    "gemini-request-value-unknown": Statement(
        "The value of an enumeration field must be a member that the API defines, in any case.",
        "The server refuses the request: `Invalid value at` the field.",
        cites=("GEM-Q-022 protobuf.dev/programming-guides/json",),
        violating=(
            example(_CALL, put(_CONFIG, {"responseModalities": ["SMELL"]}), at=f"{_AT}/responseModalities/0"),
            example(_CALL, put(_CONFIG, {"responseMimeType": "text/html"}), at=f"{_AT}/responseMimeType"),
        ),
        conforming=(example(_CALL, put(_CONFIG, {"responseModalities": ["text", 1]})),),
    ),
    "gemini-request-value-malformed": Statement(
        "Durations, times, labels and resource names in a request must have the documented form.",
        "The server refuses the request.",
        cites=(f"GEM-Q-022 {_TYPES}",),
        violating=(example(_CALL, put(f"{_BODY}/labels", {"Team": "a"}), at="0 request /labels/Team"),),
        conforming=(example(_CALL, put(f"{_BODY}/labels", {"team-1": "größe"})),),
    ),
    "gemini-request-length-out-of-range": Statement(
        "Labels must have at most 63 characters.",
        "Vertex AI refuses longer ones.",
        cites=("GEM-Q-022 aiplatform.googleapis.com discovery document",),
        violating=(example(_CALL, put(f"{_BODY}/labels", {"team": "a" * 64}), at="0 request /labels/team"),),
        conforming=(example(_CALL, put(f"{_BODY}/labels", {"team": "a" * 63})),),
    ),
    "gemini-request-count-out-of-range": Statement(
        "Arrays and maps in a request must have a documented number of entries, such as at most five stop sequences.",
        "The server refuses the request.",
        cites=("GEM-Q-022 continuedev/continue#2702",),
        basis="observed",
        bugs=("continuedev/continue#2702", "continuedev/continue#7849"),
        violating=(
            example(_CALL, put(_CONFIG, {"stopSequences": list("abcdef")}), at=f"{_AT}/stopSequences"),
            example(_CALL, put(f"{_BODY}/labels", _MANY_LABELS)),
        ),
        conforming=(example(_CALL, put(_CONFIG, {"stopSequences": list("abcde")})),),
    ),
    "gemini-request-fields-conflicting": Statement(
        "A request must not combine settings that exclude each other.",
        "The server refuses the request. For example, a request cannot set again what its cache contains.",
        cites=("GEM-Q-023 langchain-ai/langchain-google#978", "GEM-Q-023 sterlp/eclipse-peon-ai#115"),
        basis="observed",
        bugs=("langchain-ai/langchain-google#978", "vercel/ai#3333", "sterlp/eclipse-peon-ai#115"),
        violating=(
            example(
                _CALL,
                put(_CONFIG, {"thinkingConfig": {"thinkingBudget": 512, "thinking_level": "low"}}),
                at=f"{_AT}/thinkingConfig/thinking_level",
            ),
            example(_CALL, put(f"{_BODY}/cachedContent", "cachedContents/1"), at="0 request /tools"),
        ),
        conforming=(
            example(_CALL, put(_CONFIG, {"thinkingConfig": {"thinkingBudget": 512, "thinkingLevel": None}})),
            example(_CALL, drop(f"{_BODY}/tools"), put(f"{_BODY}/cachedContent", "cachedContents/1")),
        ),
    ),
    "gemini-request-field-orphaned": Statement(
        "Settings of a request must come together with those that they need.",
        "The server refuses the request, or the setting has no effect.",
        cites=("GEM-Q-023 google-ai-generativelanguage 0.12 types/generative_service.py GenerationConfig",),
        violating=(
            example(_CALL, put(_CONFIG, {"responseSchema": {"type": "STRING"}}), at=f"{_AT}/responseSchema"),
            example(_CALL, put(_CONFIG, {"logprobs": 3}), at=f"{_AT}/logprobs"),
        ),
        conforming=(
            example(
                _CALL,
                put(_CONFIG, {"responseSchema": {"type": "STRING"}, "response_mime_type": "application/json"}),
            ),
        ),
    ),
}
