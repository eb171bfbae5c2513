"""The sources that an answer cites: the addresses in the members that dialects have for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.model.exchange import Response

_HOLDERS = frozenset({"annotations", "citations", "citation", "annotation", "groundingChunks", "citationSources"})
_ADDRESSES = frozenset({"url", "uri"})


def cited_in(response: Response) -> frozenset[str]:
    """The addresses of the sources that an answer cites."""
    values = [event.json for event in response.events] if response.is_stream else [response.body.json]
    return frozenset(_cited(values))


def _cited(value: Any, *, inside: bool = False) -> Iterator[str]:
    if isinstance(value, list):
        for each in value:
            yield from _cited(each, inside=inside)
    elif isinstance(value, dict):
        for key, each in value.items():
            if inside and key in _ADDRESSES and isinstance(each, str):
                yield each
            else:
                yield from _cited(each, inside=inside or key in _HOLDERS)
