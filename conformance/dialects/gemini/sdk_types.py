"""The SDK types that the JSON Schemas in `specs/wire/gemini` are made from."""

from __future__ import annotations

from typing import Any

from google.genai import types

from conformance.wire.assemble import SdkTypes, Source
from conformance.wire.typereader import Field

_OPTIONAL = {
    "tools": list[types.Tool],
    "toolConfig": types.ToolConfig,
    "systemInstruction": types.Content,
    "generationConfig": types.GenerationConfig,
    "safetySettings": list[types.SafetySetting],
    "cachedContent": str,
    "labels": dict[str, str],
    "serviceTier": str,
}
"""By hand, because the SDK's own config is not the wire format: it lifts the fields of generationConfig to the top."""

_REQUEST = {
    "contents": Field((list[types.Content],), required=True),
    **{name: Field((annotation, type(None)), required=False) for name, annotation in _OPTIONAL.items()},
}

SDK_TYPES = SdkTypes(
    "google-genai",
    (),
    {
        "request": Source(fields=_REQUEST, sent=True, proto=True),
        "response": Source((types.GenerateContentResponse,), proto=True),
        "event": Source((types.GenerateContentResponse,), proto=True),
        "error": Source(fields={"error": Field((dict[str, Any],), required=True)}),
    },
)
