"""The location of the data that ships with the package: specs, cassettes and the pages of the contract."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).resolve().parent.parent


_IN_CHECKOUT = {"contract": "docs/contract"}
"""The location of a folder in a checkout, if not at its top."""


def data_dir(name: str) -> Path:
    """The folder `specs`, `cassettes` or `contract`: inside an installed package, or in a checkout beside it."""
    installed = _PACKAGE / "_data" / name
    return installed if installed.is_dir() else _PACKAGE.parent / _IN_CHECKOUT.get(name, name)


@cache
def load_yaml(relative: str) -> Any:
    """A YAML file of `specs/`, which is our own and therefore not validated."""
    import yaml

    with (data_dir("specs") / relative).open("rb") as file:
        return yaml.load(file, getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - both are safe
