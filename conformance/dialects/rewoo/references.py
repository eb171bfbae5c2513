"""References: `#E1` in an input stands for the result of the step with that id."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from conformance.model import jsontext
from conformance.model.transcript import Malformed, ToolDefinition

_REFERENCE = re.compile(r"#E\d+")


def references(text: str) -> Iterator[str]:
    """The ids that a text refers to."""
    for match in _REFERENCE.finditer(text):
        yield match[0]


def arguments_of(text: str, tool: ToolDefinition | None, evidence: Mapping[str, str]) -> Any:
    """The arguments of an input: a JSON object, or the text as the tool's only string parameter.

    `evidence` are the results of earlier steps, by id; a reference to another step is kept. In a JSON object, a
    string that is one reference becomes the value of the evidence, as in LazyLLM; elsewhere, the text of the
    evidence replaces the reference.
    """
    value = jsontext.parse(text)
    if isinstance(value, dict):
        return _resolved(value, evidence)
    resolved = _in_place(text, evidence)
    value = jsontext.parse(resolved)
    if isinstance(value, dict):
        return value
    if not text and tool is not None and not _properties(tool):
        return {}
    name = only_text(tool)
    return resolved if name is None else {name: resolved}


def only_text(tool: ToolDefinition | None) -> str | None:
    """The name of the only parameter of a tool with one string parameter."""
    properties = _properties(tool)
    if len(properties) != 1:
        return None
    [(name, schema)] = properties.items()
    return str(name) if isinstance(schema, dict) and schema.get("type") == "string" else None


def _properties(tool: ToolDefinition | None) -> Mapping[str, Any]:
    shape = tool.parameters if tool is not None else None
    properties = shape.get("properties") if isinstance(shape, dict) else None
    return properties if isinstance(properties, dict) else {}


def _resolved(value: Any, evidence: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _resolved(inner, evidence) for key, inner in value.items()}
    if isinstance(value, list):
        return [_resolved(inner, evidence) for inner in value]
    if isinstance(value, str):
        return _value(evidence[value]) if value in evidence else _in_place(value, evidence)
    return value


def _in_place(text: str, evidence: Mapping[str, str]) -> str:
    return _REFERENCE.sub(lambda match: evidence.get(match[0], match[0]), text)


def _value(evidence: str) -> Any:
    value = jsontext.parse(evidence)
    return evidence if isinstance(value, Malformed) else value


def text_of_value(value: Any) -> str:
    """A tool's result as the text of evidence."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
