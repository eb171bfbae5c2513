"""How OpenAI's APIs and Interactions mark in a text what it cites of a search."""

from __future__ import annotations

from typing import Any

from conformance.model.transcript import Search


def url_citations(search: Search | None, text: str | bytes) -> list[dict[str, Any]]:
    """The sources of a search, each cited by the whole text; its places are in the units of the text."""
    return [
        {"type": "url_citation", "end_index": len(text), "start_index": 0, "title": each.title, "url": each.url}
        for each in (search.sources if search is not None else ())
    ]
