"""The SDK types that the contract is compared with."""

from __future__ import annotations

from typing import Any

from google.genai import types

from conformance.contract.sdk_types import Field, Source

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

SDK_TYPES = {
    "request": Source(fields=_REQUEST),
    "response": Source((types.GenerateContentResponse,)),
    "event": Source((types.GenerateContentResponse,)),
    "error": Source(fields={"error": Field((dict[str, Any],), required=True)}),
}
