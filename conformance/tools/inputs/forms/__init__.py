"""The forms of tool definitions: one module each, discovered by its location. A module defines `FORM`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

from conformance.tools.inputs.form import Entry, Form

__all__ = ["all_forms", "form_of"]


@cache
def all_forms() -> Mapping[str, Form]:
    """Every form by its name."""
    modules = (importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__))
    found = {module.FORM.name: module.FORM for module in modules}
    return dict(sorted(found.items()))


@cache
def _in_order() -> tuple[Form, ...]:
    """The forms in the order in which they are tried."""
    return tuple(sorted(all_forms().values(), key=lambda each: (each.fallback, each.name)))


def form_of(entry: Entry) -> Form | None:
    """The form of an entry; None if it has no known form."""
    return next((each for each in _in_order() if each.claims(entry)), None)
