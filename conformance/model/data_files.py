"""The location of the data that ships with the package: specs, cassettes and the pages of the contract."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).resolve().parent.parent


_IN_CHECKOUT = {"contract": "docs/contract"}
"""The location of a folder in a checkout, if not at its top."""


def data_dir(name: str) -> Path:
    """The folder `specs`, `cassettes` or `contract`: inside an installed package, or in a checkout beside it."""
    installed = _PACKAGE / "_data" / name
    if installed.is_dir():
        return installed
    if (packed := installed.with_suffix(".tar.xz")).is_file():
        from conformance.model.unpacked import unpacked

        return unpacked(packed)
    return _PACKAGE.parent / _IN_CHECKOUT.get(name, name)


@cache
def load_yaml(relative: str) -> Any:
    """A YAML file of `specs/`, which is our own and therefore not validated."""
    return read_yaml(data_dir("specs") / relative)


def read_yaml(path: Path) -> Any:
    """A YAML file of ours."""
    import yaml

    with path.open("rb") as file:
        return yaml.load(file, getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - both are safe


def load_data(relative: str) -> Any:
    """What `read_data` reads of `specs/`."""
    return read_data(data_dir("specs") / relative)


@cache
def read_data(source: Path, reading: Callable[[Path], Any] | None = None) -> Any:
    """A YAML file of ours, or those of a folder by their names, with dates as text: what a verdict needs.

    It also lies beside it as JSON, which parses ten times as fast (`make data`); an old one is not used. `reading` is
    what makes the value, by default `yaml_data`.
    """
    made = source.with_suffix(".json")
    if made.is_file():
        known = json.loads(made.read_bytes())
        if known["checksum"] == checksum(source):
            return known["value"]
    return (reading or yaml_data)(source)


def yaml_data(source: Path) -> Any:
    """The same, from the YAML."""
    return dateless({file.stem: read_yaml(file) for file in _files(source)} if source.is_dir() else read_yaml(source))


def checksum(source: Path) -> int:
    """That of the YAML."""
    return zlib.crc32(b"\0".join(file.read_bytes() for file in _files(source)))


def _files(source: Path) -> list[Path]:
    return sorted(source.glob("*.yaml")) if source.is_dir() else [source]


def dateless(value: Any) -> Any:
    """A document with its dates as text."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, dict):
        return {key: dateless(each) for key, each in value.items()}
    return [dateless(each) for each in value] if isinstance(value, list) else value
