"""The SDKs that read Python functions as tools: one module each, discovered by its location. A module defines `SDK`."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

from conformance.errors import ConformanceError
from conformance.tools.inputs.sdk import Sdk

__all__ = ["all_sdks", "sdk_named"]


@cache
def all_sdks() -> Mapping[str, Sdk]:
    """Every SDK by its name."""
    modules = (importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__))
    found = {module.SDK.name: module.SDK for module in modules}
    return dict(sorted(found.items()))


def sdk_named(name: str) -> Sdk:
    """The SDK with a name.

    Raises:
        ConformanceError: no SDK has this name; the hint names the nearest.
    """
    sdks = all_sdks()
    if name not in sdks:
        near = difflib.get_close_matches(name.lower(), sdks, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"choose one of {', '.join(sdks)}"
        raise ConformanceError(f"unknown SDK {name!r}", hint)
    return sdks[name]
