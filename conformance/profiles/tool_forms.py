"""The form of tool definitions by its name: a dialect's own, or that of an API which has no dialect yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from conformance.model.exchange import Request, json_request
from conformance.model.registry import all_dialects, has_part, optional_part
from conformance.model.tool_form import ToolForm


def _cohere(tools: Sequence[Any], model: str | None, api_version: str | None) -> Request:  # noqa: ARG001 - as others
    messages = [{"role": "user", "content": "."}]
    return json_request("/v2/chat", {"model": model or "-", "messages": messages, "tools": list(tools)})


_WITHOUT_DIALECT = {
    "cohere-chat": ToolForm(
        tools_at="/tools",
        heading_at="/function",
        schema_at="/function/parameters",
        fixed={"type": "function"},
        request=_cohere,
    ),
}


def form_called(name: str) -> ToolForm:
    """The form of that name.

    Raises:
        KeyError: there is none.
    """
    part = optional_part(name, "tool_form") if name in all_dialects() else None
    form: ToolForm = part.TOOL_FORM if part is not None else _WITHOUT_DIALECT[name]
    return form


def form_names() -> tuple[str, ...]:
    """The names of all forms."""
    own = (name for name in all_dialects() if has_part(name, "tool_form"))
    return tuple(sorted({*own, *_WITHOUT_DIALECT}))
