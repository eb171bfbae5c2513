"""The forms of tool definitions: those of dialects, in their folders, and one module here for each of the others."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

from conformance.model.registry import all_dialects, optional_part
from conformance.model.tool_entry import Entry, Form

__all__ = ["all_forms", "form_of"]


@cache
def all_forms() -> Mapping[str, Form]:
    """Every form by its name."""
    others = (importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__))
    parts = (optional_part(dialect, "tool_entries") for dialect in all_dialects())
    found = {module.FORM.name: module.FORM for module in (*others, *parts) if module is not None}
    return dict(sorted(found.items()))


@cache
def _in_order() -> tuple[Form, ...]:
    """The forms in the order in which they are tried."""
    return tuple(sorted(all_forms().values(), key=lambda each: (each.fallback, each.name)))


def form_of(entry: Entry) -> Form | None:
    """The form of an entry; None if it has no known form."""
    return next((each for each in _in_order() if each.claims(entry)), None)
