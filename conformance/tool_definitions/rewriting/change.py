"""What rewriting changed: the record of one change."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from conformance.model.pointer import MISSING


class Effect(StrEnum):
    """What a change does to the values that are valid."""

    SAME = "same"
    """The same values are valid."""
    WIDER = "wider"
    """The model may send values that the original forbids."""
    NARROWER = "narrower"
    """The model can no longer send some values that the original allows."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change to a tool.

    Attributes:
        tool: The tool's name in the input.
        pointer: The place in the original schema; empty for its root, or for a change of the definition.
        keyword: The keyword that it is about, if it is about one; `name` or `kind` for a change of the definition.
        text: What was done, and why.
        effect: What it does to the values that are valid.
        instance: For a wider one, arguments that are valid under the rewritten schema and not under the original; for a
            narrower one, the reverse. `MISSING` if none was found.
    """

    tool: str
    pointer: str
    keyword: str | None
    text: str
    effect: Effect = Effect.SAME
    instance: Any = MISSING

    @property
    def is_loss(self) -> bool:
        """Whether the rewritten definition loses something that the original expresses."""
        return self.effect is not Effect.SAME
