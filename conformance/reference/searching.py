"""Whether a request enables the provider's own search of the web."""

from __future__ import annotations

import re
from typing import Any

from conformance.model.transcript import Ask

_SEARCH = re.compile(r"(web|google)_?search", re.IGNORECASE)
_OPTIONS = "web_search_options"
"""Where Chat Completions has it, which has no tool for it."""


def enables_search(ask: Ask, body: Any) -> bool:
    """Whether the request offers the model a search that the provider runs, in any dialect's form."""
    own = (each for each in ask.tools or () if each.kind not in ("function", "custom"))
    if any(_SEARCH.match(each.name or each.kind) for each in own):
        return True
    return isinstance(body, dict) and isinstance(body.get(_OPTIONS), dict)
