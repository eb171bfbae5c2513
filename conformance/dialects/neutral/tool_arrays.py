"""Arrays in the parameters of tools."""

from __future__ import annotations

import marshal
from collections.abc import Iterator
from typing import Any

from conformance.judge.official import is_official, refused_here
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import get
from conformance.model.sized_cache import sized_cache
from conformance.profiles.subschemas import place_of, subschemas

_OURS = "reference"
"""The reference server counts as the official one."""


@rule(
    "tool-array-items-missing",
    scope="request",
    cites="ANY-001",
    opt_in=True,
    part="tools",
    about="tools",
)
def tool_array_items_missing(view: View) -> Iterator[Hit]:
    """An array in a tool's parameters must state what its items are, with `items` or `prefixItems`.

    OpenAI and Gemini reject the whole request because of one such tool; tools of MCP servers often have one.
    """
    for tool in view.ask.tools or ():
        if tool.kind != "function" or not isinstance(tool.parameters, dict):
            continue
        for place in _open_arrays(tool.parameters):
            at = place_of(get(view.request, tool.pointer), tool.parameters, tool.pointer)
            yield Hit(
                tool.pointer if at is None else f"{at}{place}",
                f"the parameters of {tool.name} have an array without `items`",
                "`items`, a schema",
                brief(get(tool.parameters, place)),
                severity=refused_here(view) if is_official(view) or view.provider == _OURS else Severity.WARNING,
                fix='add `"items": {"type": ...}`',
            )


def _open_arrays(schema: Any) -> tuple[str, ...]:
    """The places of arrays without a schema for their items. Cached, because a run sends the same tools repeatedly."""
    try:
        return _found(marshal.dumps(schema, 2))  # version 2 has no references: equal values, equal bytes
    except ValueError:  # nested too deeply, or a value that is not JSON
        return ()


@sized_cache(512)
def _found(schema: bytes) -> tuple[str, ...]:
    return tuple(
        place
        for each, place in subschemas(marshal.loads(schema), "")  # noqa: S302 - we dumped it
        if _is_array(each.get("type")) and "items" not in each and "prefixItems" not in each
    )


def _is_array(kind: Any) -> bool:
    kinds = kind if isinstance(kind, list) else [kind]
    return any(isinstance(each, str) and each.lower() == "array" for each in kinds)
