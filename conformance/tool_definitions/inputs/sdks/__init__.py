"""The SDKs that read Python functions as tools: one module each, discovered by its location. A module defines `SDK`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

from conformance.errors import ConformanceError, did_you_mean
from conformance.tool_definitions.inputs.sdk import Sdk

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
        raise ConformanceError(f"unknown SDK {name!r}", did_you_mean(name.lower(), sdks))
    return sdks[name]
