"""The packages with dialects that other distributions add, by an entry point of the group `conformance.dialects`."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

GROUP = "conformance.dialects"
_METADATA = (".dist-info", ".egg-info", ".egg")


@cache
def packages() -> Mapping[str, str]:
    """Each package by its name, with its distribution."""
    if not _mentioned():
        return {}
    from importlib.metadata import entry_points

    points = entry_points(group=GROUP)
    return {point.module: point.dist.name if point.dist else point.name for point in sorted(points)}


def _mentioned() -> bool:
    """Whether some distribution may have such an entry point.

    `importlib.metadata` takes a tenth of the time of a verdict; it is asked only if a file names the group, or where
    distributions may lie in something else than folders.
    """
    finders = [each for each in sys.meta_path if hasattr(each, "find_distributions")]
    return len(finders) != 1 or any(_names_group(entry or ".") for entry in sys.path)


def _names_group(entry: str) -> bool:
    try:
        found = [each.path for each in os.scandir(entry) if each.name.endswith(_METADATA)]
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return any(path.endswith(".egg") or GROUP.encode() in _entry_points(path) for path in found)


def _entry_points(metadata: str) -> bytes:
    try:
        return Path(metadata, "entry_points.txt").read_bytes()
    except OSError:
        return b""
