"""The SDK's types for the bodies of a dialect: `SDK_TYPES` in the `sdk_types` module of its folder.

`SDK_TYPES` has a `Source` for each kind of body: `request`, `response`, `event`, `error`.

A test compares the contracts with them (tests/contract/test_contract_schemas.py); the judge never imports them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from conformance.model.frozen import dataclass
from conformance.model.registry import BUILT_IN, all_dialects, optional_part


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an object: its annotations, and whether it is required."""

    annotations: tuple[Any, ...]
    required: bool


@dataclass(frozen=True, slots=True)
class Source:
    """The types of one kind of body: annotations, or the fields of an object that no SDK has a type for.

    With both, an object has these fields in addition to those of the annotations.
    """

    annotations: tuple[Any, ...] = ()
    fields: Mapping[str, Field] | None = None


@cache
def sdk_types() -> Mapping[str, Mapping[str, Source]]:
    """The SDK types of each built-in dialect that has bodies of its own, by its name and the kind of body."""
    ours = [name for name, dialect in all_dialects().items() if dialect.package.startswith(f"{BUILT_IN}.")]
    found = {name: optional_part(name, "sdk_types") for name in ours}
    return {name: module.SDK_TYPES for name, module in found.items() if module is not None}
