"""The formats of recordings: one module each, discovered by its location. A module defines `FORMAT`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from typing import Any

from conformance.errors import ConformanceError, did_you_mean
from conformance.inputs.format import Format

__all__ = ["all_formats", "format_named", "format_of", "format_of_bytes", "suffixes"]


@cache
def all_formats() -> Mapping[str, Format]:
    """Every format by its name."""
    modules = (importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__))
    found = {module.FORMAT.name: module.FORMAT for module in modules}
    return dict(sorted(found.items()))


@cache
def _in_order() -> tuple[Format, ...]:
    """The formats in the order in which they are tried."""
    return tuple(sorted(all_formats().values(), key=lambda each: (each.fallback, each.name)))


def format_named(name: str) -> Format:
    """The format with a name.

    Raises:
        ConformanceError: no format has this name; the hint names the nearest.
    """
    formats = all_formats()
    if name not in formats:
        raise ConformanceError(f"unknown format {name!r}", did_you_mean(name.lower(), formats, cutoff=0.5))
    return formats[name]


@cache
def suffixes() -> tuple[str, ...]:
    """The file name endings that formats add to the common ones."""
    return tuple(sorted({suffix for each in all_formats().values() for suffix in each.suffixes}))


def format_of(value: Any) -> Format | None:
    """The format of a file with this document or first line; None if it has no known format."""
    return next((each for each in _in_order() if each.detect(value)), None)


def format_of_bytes(head: bytes) -> Format | None:
    """The format of a file that begins with these bytes, if the format is neither JSON nor YAML."""
    return next((each for each in _in_order() if each.detect_bytes(head)), None)
