"""The form of tool definitions by its name, which is that of a dialect."""

from __future__ import annotations

from conformance.model.registry import all_dialects, has_part, optional_part
from conformance.model.tool_form import ToolForm


def form_called(name: str) -> ToolForm:
    """The form of that name.

    Raises:
        KeyError: there is none.
    """
    part = optional_part(name, "tool_form") if name in all_dialects() else None
    if part is None:
        raise KeyError(name)
    form: ToolForm = part.TOOL_FORM
    return form


def form_names() -> tuple[str, ...]:
    """The names of all forms."""
    return tuple(sorted(name for name in all_dialects() if has_part(name, "tool_form")))
