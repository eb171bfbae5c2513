"""The files of proofs in a dialect's folder, and what every one of them has: names, and places where they are wrong."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from conformance.errors import ConformanceError
from conformance.model.registry import dialects_in


@cache
def folder_of(package: str) -> Path | None:
    """The folder `proofs` of a package; None if the package is a single module."""
    spec = find_spec(package)
    homes = None if spec is None else spec.submodule_search_locations
    return Path(next(iter(homes))) / "proofs" if homes else None


@cache
def texts(package: str, kind: str = "") -> Mapping[Path, str]:
    """The files of a package, each with its text after a line break: the examples, or the bases as `bases`."""
    folder = folder_of(package)
    paths = [] if folder is None else sorted((folder / kind).glob("*.yaml"))
    return {path: f"\n{path.read_text(encoding='utf-8')}" for path in paths}


@cache
def document(path: Path) -> Mapping[str, Any]:
    """What is in a file, by name.

    Raises:
        ConformanceError: it is not YAML, or no mapping.
    """
    import yaml

    try:
        # Both loaders are safe.
        found = yaml.load(path.read_bytes(), getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506
    except yaml.YAMLError as error:
        raise ConformanceError(f"{path}: not YAML: {' '.join(str(error).split())}") from error
    if not isinstance(found, dict):
        raise ConformanceError(f"{path}: not a mapping of names")
    return found


def full_name(package: str, base: str) -> str:
    """The name of a base with that of its dialect.

    Raises:
        ValueError: the package defines several dialects.
    """
    if "/" in base:
        return base
    own = dialects_in(package)
    if len(own) != 1:
        raise ValueError(f"which dialect has the base {base!r}? Write one of {', '.join(f'{it}/{base}' for it in own)}")
    return f"{own[0]}/{base}"
