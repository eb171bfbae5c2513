"""The discovery document of Vertex AI as schemas: what is required, and ranges, stand in its descriptions.

A member of an enumeration may be its number, and a 64-bit integer a string, in JSON for protocol buffers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from devtools.documents.schemas import Schema

_BOUNDS = re.compile(r"range[^.]*?([\[(])(-?\d+(?:\.\d+)?),\s*\+?(-?\d+(?:\.\d+)?)[\])]")
_STRINGS = {"google-duration": r"^-?\d+(\.\d+)?s$", "google-datetime": r"^\d{4}-\d\d-\d\dT"}
_PREFIX = "GoogleCloudAiplatformV1beta1"
ROOTS = {
    "gemini request": f"{_PREFIX}GenerateContentRequest",
    "gemini reply": f"{_PREFIX}GenerateContentResponse",
    "gemini sister": f"{_PREFIX}PredictRequest",
}


def definitions(document: Mapping[str, Any]) -> dict[str, Schema]:
    """The schemas by their names."""
    return {name: discovered(each) for name, each in document["schemas"].items()}


def discovered(schema: Schema) -> dict[str, Any]:
    """One schema, as OpenAPI would have it, with what is written about it."""
    written = {key: value for key, value in schema.items() if key in ("description", "enumDescriptions")}
    return {**_shape(schema), **written}


def _shape(schema: Schema) -> dict[str, Any]:
    found = {key: value for key, value in schema.items() if key in ("type", "$ref")}
    if found.get("type") == "any":
        return {}
    if "properties" in schema:
        found["properties"] = {name: discovered(each) for name, each in schema["properties"].items()}
        found["required"] = [name for name, each in schema["properties"].items() if _says(each, "Required.")]
    for key in ("items", "additionalProperties"):
        if key in schema:
            found[key] = discovered(schema[key])
    if "enum" in schema:
        return {"anyOf": [{"type": "string", "enum": schema["enum"]}, {"type": "integer"}]}
    if schema.get("format") == "int64":
        return {"anyOf": [{"type": "integer"}, {"type": "string"}]}
    if schema.get("format") in _STRINGS:
        found["pattern"] = _STRINGS[schema["format"]]
    bounds = _BOUNDS.search(schema.get("description", "")) if found.get("type") in ("number", "integer") else None
    if bounds is not None:
        found |= {"minimum": float(bounds[2]), "maximum": float(bounds[3])}
    return found


def _says(schema: Schema, word: str) -> bool:
    return str(schema.get("description", "")).startswith(word)
