"""Which fields the messages of this dialect have, and of which JSON type: one table for requests, one for replies.

A name stands for both of its spellings. A nested table is an object, a list of one table a repeated field.
The tables hold what the rules of this suite can judge; what they leave out (generation settings, grounding,
citations) may hold anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.dialects.gemini.wire import camel
from conformance.model.jsontext import kind
from conformance.model.pointer import join

Spec = Any
"""A JSON type's name, `whole`, `enum` (a name or its number), `any`, a table, or a list of one of these."""

_BLOB = {"data": "string", "mimeType": "string", "displayName": "string"}
_FILE = {"fileUri": "string", "mimeType": "string", "displayName": "string"}
_PART: Mapping[str, Spec] = {
    "text": "string",
    "thought": "boolean",
    "thoughtSignature": "string",
    "inlineData": _BLOB,
    "fileData": _FILE,
    "executableCode": {"id": "string", "code": "string", "language": "enum"},
    "codeExecutionResult": {"id": "string", "outcome": "enum", "output": "string"},
    "toolCall": {"id": "string", "toolType": "enum", "args": "any"},
    "toolResponse": {"id": "string", "toolType": "enum", "response": "any"},
}
_CALL = {"id": "string", "name": "string", "args": "any", "partialArgs": "array", "willContinue": "boolean"}
_REQUEST_PART = {
    **_PART,
    "functionCall": _CALL,
    "functionResponse": {
        "id": "string",
        "name": "string",
        "response": "any",
        "parts": [{"inlineData": _BLOB, "fileData": _FILE}],
        "willContinue": "boolean",
        "scheduling": "enum",
    },
    "videoMetadata": "object",
    "mediaResolution": "any",
    "partMetadata": "object",
    "mediaProcessing": "any",
    "audioTranscription": "any",
    "speechMetadata": "any",
    "documentMetadata": "any",
    "spreadsheetMetadata": "any",
    "audioMetadata": "any",
}
_DECLARATION = {
    "name": "string",
    "description": "string",
    "parameters": "object",
    "parametersJsonSchema": "any",
    "response": "object",
    "responseJsonSchema": "any",
    "behavior": "enum",
}
_CONTENT = {"role": "string", "parts": [_REQUEST_PART]}
REQUEST: Mapping[str, Spec] = {
    "contents": [_CONTENT],
    "systemInstruction": _CONTENT,
    "tools": "any",
    "toolConfig": {
        "functionCallingConfig": {
            "mode": "enum",
            "allowedFunctionNames": ["string"],
            "streamFunctionCallArguments": "boolean",
        },
        "retrievalConfig": "object",
        "includeServerSideToolInvocations": "boolean",
    },
    "generationConfig": "object",
    "safetySettings": "array",
    "cachedContent": "string",
    "labels": "object",
    "model": "string",
    "serviceTier": "enum",
    "store": "boolean",
    "modelArmorConfig": "object",
}
DECLARATION: Mapping[str, Spec] = _DECLARATION
"""Of a declaration inside a tool; the shape of tools has a rule of its own."""
TOOL: Mapping[str, Spec] = dict.fromkeys(
    (
        "functionDeclarations",
        "googleSearch",
        "googleSearchRetrieval",
        "codeExecution",
        "urlContext",
        "fileSearch",
        "googleMaps",
        "computerUse",
        "enterpriseWebSearch",
        "retrieval",
        "mcpServers",
        "parallelAiSearch",
        "exaAiSearch",
    ),
    "any",
)
"""The tools that a tool object can hold; which of them a model has is the server's business."""
FOREIGN_TOOL_FIELDS = ("function", "name", "parameters", "input_schema", "inputSchema")
"""Fields by which the tools of other dialects are known."""

_COUNTS = (
    "promptTokenCount",
    "candidatesTokenCount",
    "totalTokenCount",
    "thoughtsTokenCount",
    "toolUsePromptTokenCount",
    "cachedContentTokenCount",
)
REPLY: Mapping[str, Spec] = {
    "candidates": [
        {
            "content": {"role": "string", "parts": [{**_PART, "functionCall": {**_CALL, "args": "any"}}]},
            "finishReason": "enum",
            "finishMessage": "string",
            "index": "whole",
            "safetyRatings": "array",
            "avgLogprobs": "number",
            "tokenCount": "whole",
            "citationMetadata": "object",
            "groundingMetadata": "object",
            "urlContextMetadata": "object",
            "logprobsResult": "object",
        }
    ],
    "usageMetadata": {
        **dict.fromkeys(_COUNTS, "whole"),
        "promptTokensDetails": "array",
        "candidatesTokensDetails": "array",
        "cacheTokensDetails": "array",
        "toolUsePromptTokensDetails": "array",
        "trafficType": "enum",
        "serviceTier": "enum",
    },
    "promptFeedback": {"blockReason": "enum", "blockReasonMessage": "string", "safetyRatings": "array"},
    "modelVersion": "string",
    "responseId": "string",
    "createTime": "string",
}


def mistakes(value: Any, spec: Spec, pointer: str, *, nulls: bool) -> Iterator[tuple[str, str, Any]]:
    """Where a value is not of its type: pointer, the type it should have, the value.

    `nulls` says that null stands for a field left out, as protobuf's parser reads it in requests.
    """
    if spec == "any" or (value is None and nulls):
        return
    if isinstance(spec, list):
        # A single object for a list of one is accepted in requests, and for a reply it is wrong.
        entries = value if isinstance(value, list) else [value] if nulls and isinstance(value, dict) else None
        if entries is None:
            yield pointer, "an array", value
            return
        for number, entry in enumerate(entries):
            where = join(pointer, number) if isinstance(value, list) else pointer
            if entry is None and spec[0] != "any":
                yield where, "an entry", entry  # null stands for a field left out, never for an entry
            else:
                yield from mistakes(entry, spec[0], where, nulls=nulls)
    elif isinstance(spec, Mapping):
        if not isinstance(value, dict):
            yield pointer, "an object", value
            return
        for key, entry in value.items():
            yield from mistakes(entry, spec.get(camel(key), "any"), join(pointer, key), nulls=nulls)
    elif not _is(value, spec):
        yield pointer, _NAMES.get(spec, f"a {spec}"), value


_NAMES = {
    "whole": "a whole number",
    "enum": "an enum name or its number",
    "array": "an array",
    "object": "an object",
}


def _is(value: Any, spec: str) -> bool:
    whole = isinstance(value, int) and not isinstance(value, bool)
    if spec == "whole":
        return whole and value >= 0
    if spec == "enum":
        return isinstance(value, str) or whole
    return kind(value) == spec


def strangers(value: Any, spec: Spec, pointer: str) -> Iterator[tuple[str, str]]:
    """The fields that the table does not have: pointer and name."""
    if isinstance(spec, list):
        for number, entry in enumerate(value if isinstance(value, list) else ()):
            yield from strangers(entry, spec[0], join(pointer, number))
        if isinstance(value, dict):
            yield from strangers(value, spec[0], pointer)
    elif isinstance(spec, Mapping) and isinstance(value, dict):
        for key, entry in value.items():
            name = camel(key)
            if name in spec:
                yield from strangers(entry, spec[name], join(pointer, key))
            else:
                yield join(pointer, key), key
