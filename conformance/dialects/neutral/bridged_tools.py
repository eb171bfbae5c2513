"""Tools that a client gets from an MCP server and passes on to a provider."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.pointer import get, join, split
from conformance.model.registry import optional_part

_FIELDS = ("inputSchema", "outputSchema", "annotations", "icons", "execution", "_meta")


@rule(
    "tool-mcp-field-leaked",
    scope="request",
    cites=["MAP-014", "MAP-005"],
    part="tools",
    about="tools",
)
def tool_mcp_field_leaked(view: View) -> Iterator[Hit]:
    """A tool declared in a request must not have members that only MCP tools have.

    Providers reject unknown members, and ignore a schema under MCP's name for it; annotations are
    hints from a server that may not be trusted.
    """
    form = optional_part(view.dialect.name, "tool_form")
    own = split(form.TOOL_FORM.schema_at) if form is not None else []
    heading = split(form.TOOL_FORM.heading_at) if form is not None else []
    for tool in view.ask.tools or ():
        if tool.kind not in ("function", "custom"):
            continue
        for holder, pointer in _holders(view.request, tool.pointer, {tool.kind, *heading}):
            for name in (each for each in _FIELDS if each in holder and each not in own):
                wanted = "the provider's own members"
                yield Hit(join(pointer, name), f"{tool.name} has MCP's member `{name}`", wanted, name)


def _holders(request: Any, pointer: str, inner: Iterable[str]) -> Iterator[tuple[dict[str, Any], str]]:
    """The tool's object, and the one inside it that some dialects have."""
    tool = get(request, pointer)
    if isinstance(tool, dict):
        yield tool, pointer
        yield from ((tool[name], f"{pointer}/{name}") for name in inner if isinstance(tool.get(name), dict))
