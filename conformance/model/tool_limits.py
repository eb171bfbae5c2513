"""A dialect's limits for the name and the schema of a tool."""

from __future__ import annotations

import re

from conformance.model.frozen import dataclass


@dataclass(frozen=True, slots=True)
class ToolLimits:
    """Limits on tool definitions. The defaults are the narrowest ones.

    Attributes:
        first: The characters that a name may start with, as in a regular expression's brackets.
        rest: The characters of the rest of a name, which include those of `first`.
        length: The most characters that a name may have.
        wants_properties: Whether a schema of type object needs `properties`, even without any.
    """

    first: str = "A-Za-z0-9_-"
    rest: str = "A-Za-z0-9_-"
    length: int = 64
    wants_properties: bool = True

    def accepts(self, name: str) -> bool:
        """Whether a tool may have this name."""
        pattern = f"[{self.first}][{self.rest}]*"
        return len(name) <= self.length and re.fullmatch(pattern, name, re.ASCII) is not None

    def spelled(self, name: str) -> str:
        """The name with a `_` for each character that is not accepted; it may still be too long."""
        spelled = re.sub(f"[^{self.rest}]", "_", name) or "_"
        return spelled if re.match(f"[{self.first}]", spelled) else f"_{spelled}"


NARROWEST = ToolLimits()
"""Limits that every provider accepts."""
