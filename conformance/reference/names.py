"""Names of tools, as clients spell those of a scenario."""

from __future__ import annotations

import re

_JOINTS = re.compile(r"[^a-z0-9]+")


def is_name_of(called: str | None, tool: str) -> bool:
    """Whether a tool is called by this name: its own, in another spelling, or behind a prefix."""
    return plain(called or "").endswith(plain(tool))


def plain(name: str) -> str:
    """A name without what joins its words, in lower case."""
    return _JOINTS.sub("", name.lower())
