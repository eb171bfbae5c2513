"""What an SDK's types say of the bodies of a dialect: `SDK_TYPES` in the `sdk_types` module of its folder.

It has a `Source` for each kind of body: `request`, `response`, `event`, `error`.

The contracts are compared with them (tests/test_contract_schemas.py); nothing that judges imports them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from conformance.model.registry import BUILT_IN, all_dialects, optional_part


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an object: its annotations, and whether it must be there."""

    annotations: tuple[Any, ...]
    required: bool


@dataclass(frozen=True, slots=True)
class Source:
    """The types of one kind of body: annotations, or the fields of an object that no SDK has a type for.

    With both, an object has the fields beside what the annotations say.
    """

    annotations: tuple[Any, ...] = ()
    fields: Mapping[str, Field] | None = None


@cache
def sdk_types() -> Mapping[str, Mapping[str, Source]]:
    """The SDK types of each dialect of ours that has bodies of its own, by its name and the kind of body."""
    ours = [name for name, dialect in all_dialects().items() if dialect.package.startswith(f"{BUILT_IN}.")]
    found = {name: optional_part(name, "sdk_types") for name in ours}
    return {name: module.SDK_TYPES for name, module in found.items() if module is not None}
